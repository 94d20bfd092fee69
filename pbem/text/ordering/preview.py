"""The cost and effects of an order, tried on a copy of the position before it is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import events, game, position
from engine.choices import Choices
from engine.events import Event
from engine.foresight import states_after_reply
from engine.message import NOTHING, Message, Phrase, and_list, comma_list, mark
from engine.order import Family, Order
from engine.orders import Draft, End, Settle, Withdraw
from engine.position import current_winner, score, siege_strength
from engine.sides import Side
from engine.state import Decision, State
from pbem.play.turn import Risk, Turn
from pbem.text.narration import (
    Phrasebook,
    answer_hint,
    opponent_label,
    parts_text,
    risk_text,
    templates,
)
from pbem.text.phrases import Name, card_list, keys, money_amount, row_text, with_sign
from pbem.text.position import coming_end_text

KEPT_CARD_EVENTS = (
    events.Reinforced,
    events.Reserved,
    events.CardsReturned,
    events.CardGivenUp,
    events.CardConverted,
    events.SupportCalled,
)
"""The events that move cards from the hand elsewhere than to the discard pile."""


class Difference(NamedTuple):
    """A number before and after an order."""

    before: int
    after: int


class SiegeChange(NamedTuple):
    """The marker of a siege before and after an order; None before it begins or after it ends.

    `winner` is the side that wins it as it stands after the order.
    """

    location: str
    besieger: Side
    before: int | None
    after: int | None
    winner: Side | None


class Preview(NamedTuple):
    """The effect of an order of `side`: positions `before` and `after` it, and its `events`.

    `is_certain`: the order is legal after any answer. `shown_cards`: the cards in hand that it
    shows to the other side. `is_interrupted`: the turn then waits for an answer or for cards.
    `risks`: the risks that it adds to the turn.
    """

    order: Order
    side: Side
    before: State
    after: State
    events: tuple[Event, ...]
    cost: int
    is_free: bool
    is_certain: bool
    shown_cards: Sequence[str] = ()
    is_interrupted: bool = False
    risks: Sequence[Risk] = ()

    @property
    def is_in_turn(self) -> bool:
        """True if it is an order of the player's own turn, which may take an action."""
        return self.before.awaiting.decision is Decision.TURN

    def money(self, side: Side) -> Difference:
        """Return the money of a side."""
        return Difference(*(state.players[side].money for state in (self.before, self.after)))

    @property
    def earned(self) -> int:
        """The money that it brings its side, without its cost."""
        return self.money(self.side).after - self.money(self.side).before + self.cost

    def points(self, side: Side) -> Difference:
        """Return the victory points of a side."""
        return Difference(*(score(state, side).total for state in (self.before, self.after)))

    @property
    def points_at_best(self) -> int:
        """The points that it brings its side after the best answer."""
        state = self.after
        is_answered = state.is_interrupted and not state.awaiting.decision.is_chance
        worlds = [state, *(states_after_reply(state) if is_answered else ())]
        return max(score(s, self.side).total for s in worlds) - self.points(self.side).before

    @property
    def siege_changes(self) -> list[SiegeChange]:
        """The sieges that it changes."""
        changes = []
        for besieger in Side:
            before, after = (s.sieges.get(besieger) for s in (self.before, self.after))
            siege = after or before
            old = siege_strength(self.before, besieger) if before else None
            new = siege_strength(self.after, besieger) if after else None
            winner = current_winner(self.after, besieger) if after else None
            if siege and old != new:
                changes.append(SiegeChange(siege.location, besieger, old, new, winner))
        return changes

    @property
    def played_cards(self) -> tuple[str, ...]:
        """The cards that it takes from hand, including those that it does not name."""
        return game.cards_played(self.before, self.order, self.side)

    @property
    def unnamed_cards(self) -> list[str]:
        """The cards that it takes from hand without naming them."""
        cards = self.order.cards
        return sorted((Counter(self.played_cards) - Counter(cards)).elements()) if cards else []

    @property
    def discarded_cards(self) -> list[str]:
        """The cards that go from hand to the player's discard pile at once."""
        stay: Counter[str] = Counter()
        for event in self.events:
            if isinstance(event, KEPT_CARD_EVENTS) and event.side is self.side:
                facts = vars(event)
                stay.update(facts.get("cards") or [facts["card"]])
        return sorted((Counter(self.played_cards) - stay).elements())

    @property
    def cards_to_come(self) -> int:
        """The number of cards that it draws during the turn."""
        decision, side, _, amount, _, resume, more = self.after.awaiting
        draws = decision.is_chance and side is self.side and resume is not None
        return amount + more if draws else 0


def quick_preview(choices: Choices, order: Order) -> Preview:
    """Return the effect of a legal order, without effects that depend on the whole turn."""
    before = choices.world_of(order)
    after, side = before.copy(), before.awaiting.side
    events = tuple(game.apply(after, order))
    cost, certain = game.cost(before, order), choices.is_certain(order)
    return Preview(order, side, before, after, events, cost, is_free(before, order), certain)


def is_free(state: State, order: Order) -> bool:
    """Return True if an order of a turn takes no action."""
    return state.awaiting.decision is Decision.TURN and game.is_free(state, order)


def preview(turn: Turn, order: Order) -> Preview:
    """Return the effect of a legal order as the next one of a turn."""
    forecast, after = turn.forecast, turn.forecast_with(order)
    interruptions = len(forecast.interruptions) if forecast else 0
    risks = len(forecast.risks) if forecast else 0
    return quick_preview(turn.choices, order)._replace(
        shown_cards=turn.would_show(order),
        is_interrupted=after is not None and len(after.interruptions) > interruptions,
        risks=after.risks[risks:] if after else (),
    )


# --- an order in the player's words


def order_words(effect: Preview, name: Name) -> Message:
    """Return an order in the player's words, as a button says it: `Take 3 money with New York`."""
    order, side = effect.order, effect.side
    key, cards = order.verb, [*parts_text(type(order), order.cards, name)]
    if isinstance(order, Settle) and effect.before.owner(order.target) is side:
        key = "settle: card"
    if isinstance(order, Withdraw) and effect.before.besieger(order.target) is not side:
        key = "withdraw: defender"
    if cards and f"{key}, card" in keys("in-words"):
        key = f"{key}, card"
    return row_text(
        "in-words",
        key,
        place=name(order.location) if order.location else "",
        cards=and_list(cards),
        first=and_list(map(name, order.cards[:1])),
        others=and_list(map(name, order.cards[1:])),
        money=money_amount(effect.earned),
    )


# --- sentences about costs and gains


def remark_on(effect: Preview, name: Name, *, in_words: bool = False) -> Phrase:
    """Return a short text with the costs and gains of an order, and unnamed cards that it plays.

    If the order is shown `in_words`, these name the money that it brings.
    """
    return comma_list(_remarks(effect, name, in_words=in_words))


def _remarks(effect: Preview, name: Name, *, in_words: bool) -> Iterator[Phrase]:
    earned = 0 if in_words and effect.order.family is Family.FINANCIAL else effect.earned
    points, best = effect.points(effect.side), effect.points_at_best
    gain = points.after - points.before
    if effect.cost:
        yield Message("costs {price}", price=money_amount(effect.cost))
    elif isinstance(effect.order, Draft):
        yield Message("costs nothing")
    if effect.is_free and not isinstance(effect.order, End):
        yield Message("free action")
    if earned > 0:
        yield Message.counted("brings {count} money", "brings {count} money", earned)
    yield from _stolen_money(effect)
    if gain:
        # Translators: {change} is a number of victory points with its sign, for example +2.
        yield Message.counted("{change} point", "{change} points", abs(gain), change=f"{gain:+}")
    if best > max(gain, 0):
        yield Message.counted(
            "up to {change} point", "up to {change} points", best, change=f"{best:+}"
        )
    yield from map(_siege_remark, effect.siege_changes)
    if drawn := effect.cards_to_come:
        yield Message.counted("draws {count} card", "draws {count} cards", drawn)
    if unnamed := effect.unnamed_cards:
        yield Message("plays {cards} too", cards=and_list(map(name, unnamed)))
    if not effect.is_certain:
        yield Message("depends on the answer")


def _stolen_money(effect: Preview) -> Iterator[Phrase]:
    """Yield the part of the money that comes from the other side."""
    other = effect.side.opponent
    lost = effect.money(other).before - effect.money(other).after
    if lost > 0:
        yield Message("{money} of it from the {side}", money=money_amount(lost), side=other.label)


def _siege_remark(change: SiegeChange) -> Message:
    if change.after is None:
        return Message("ends the siege")
    after = with_sign(change.after)
    if change.before is None:
        return Message("the siege begins at {strength}", strength=after)
    before = with_sign(change.before)
    return Message("the siege goes from {before} to {after}", before=before, after=after)


def preview_text(turn: Turn, effect: Preview, name: Name) -> list[Phrase]:
    """Return the effect of an order in sentences.

    They are about the end of the game, cost, events, points, sieges, and cards shown.
    """
    lines: list[Phrase] = [_cost_text(effect), *effects_text(effect, name), *_score_changes(effect)]
    lines += [_siege_text(change, effect.side, name) for change in effect.siege_changes]
    if drawn := effect.cards_to_come:
        lines.append(Message.counted("You draw {count} card.", "You draw {count} cards.", drawn))
    if effect.is_interrupted:
        lines.append(answer_hint(turn, effect.order))
    if effect.shown_cards:
        lines.append(
            Message(
                "{player} sees these cards from your hand: {cards}.",
                player=opponent_label(turn),
                cards=card_list(effect.shown_cards, name),
            )
        )
    lines += [risk_text(turn, risk) for risk in effect.risks]
    end = coming_end_text(effect.after, effect.side if isinstance(effect.order, End) else None)
    if end != coming_end_text(effect.before, None):
        lines.insert(0, end)
    return [sentence for sentence in lines if sentence]


def consequences(turn: Turn, effect: Preview) -> list[Phrase]:
    """Return the effect of an order on money, victory points and risks, in sentences."""
    return [*_score_changes(effect), *(risk_text(turn, risk) for risk in effect.risks)]


def _cost_text(effect: Preview) -> Phrase:
    """Return the cost of an order in actions and money, as a sentence; empty for none."""
    price = money_amount(effect.cost)
    if not effect.is_in_turn:
        return Message("It costs {price}.", price=price) if effect.cost else ""
    if isinstance(effect.order, End):
        return ""
    if effect.is_free and effect.cost:
        return Message("It is a free action and costs {price}.", price=price)
    if effect.is_free:
        return Message("It is a free action.")
    if effect.cost:
        return Message("It takes an action and {price}.", price=price)
    return Message("It takes an action.")


def _score_changes(effect: Preview) -> Iterator[Phrase]:
    """Yield the changes of money and victory points of both sides."""
    for pair, side in ((_OWN_CHANGES, effect.side), (_THEIR_CHANGES, effect.side.opponent)):
        for sentence, change in zip(pair, (effect.money(side), effect.points(side)), strict=True):
            if change.before != change.after:
                yield Message(sentence, side=side.label, **change._asdict())
    best = effect.points_at_best
    if best > max(0, effect.points(effect.side).after - effect.points(effect.side).before):
        yield Message.counted(
            "If it succeeds, it brings {count} victory point.",
            "If it succeeds, it brings {count} victory points.",
            best,
        )


_OWN_CHANGES = (
    mark("Your money: {before}, then {after}."),
    mark("Your victory points: {before}, then {after}."),
)
_THEIR_CHANGES = (
    mark("{side} money: {before}, then {after}."),
    mark("{side} victory points: {before}, then {after}."),
)


def _siege_text(change: SiegeChange, viewer: Side, name: Name) -> Message:
    """Return the new state of a siege and its meaning; empty if it ends, which an event reports."""
    if change.after is None:
        return NOTHING
    place, after = name(change.location), with_sign(change.after)
    if change.before is None:
        moved = Message("The siege of {place} begins at {strength}", place=place, strength=after)
    else:
        before = with_sign(change.before)
        moved = Message(
            "The siege of {place}: {before}, then {after}", place=place, before=before, after=after
        )
    # Translators: {siege} is the change of a siege, {outcome} says which side wins it.
    return Message("{siege}; {outcome}.", siege=moved, outcome=_siege_outcome(change, viewer))


def _siege_outcome(change: SiegeChange, viewer: Side) -> Message:
    """Return the winner of a siege as it stands, or the strengths that would win it."""
    marks = position.BESIEGER_WINS_AT, position.DEFENDER_WINS_AT
    ours, theirs = marks if change.besieger is viewer else marks[::-1]
    whose = {None: "undecided", viewer: "ours"}.get(change.winner, "theirs")
    return row_text(
        "siege",
        f"after an order: {whose}",
        ours=f"{ours:+}",
        side=viewer.opponent.label,
        theirs=f"{theirs:+}",
    )


# --- sentences about events


OBVIOUS_EVENTS = {
    events.Ambushed,
    events.Besieged,
    events.ConversionTried,
    events.Discarded,
    events.Drew,
    events.HandShown,
    events.Paid,
    events.Raided,
    events.Received,
    events.Refilled,
    events.Shuffled,
    events.SiegeStands,
    events.TurnEnded,
}
"""Events that are obvious from the order, or from the numbers."""


def effects_text(effect: Preview, name: Name) -> Iterator[Phrase]:
    """Yield the events that an order will cause, for its player, and the cards it discards."""
    book = Phrasebook(name, effect.side, None)
    for event in effect.events:
        if isinstance(event, events.Paid) and event.side is not effect.side:
            yield book.event(event, templates("foreseen")["robbed"])
        elif type(event) not in OBVIOUS_EVENTS:
            yield effect_text(event, book)
    if cards := effect.discarded_cards:
        yield Message.counted(
            "{cards} goes to your discard pile.",
            "{cards} go to your discard pile.",
            len(cards),
            cards=card_list(cards, name),
        )


def effect_text(event: Event, book: Phrasebook) -> Phrase:
    """Return the sentence about an event that an order will cause."""
    kind, foreseen = type(event).__name__, templates("foreseen")
    match event:
        case events.Captured() | events.RaidSucceeded():
            return book.event(
                event, templates("foreseen-capture")["town" if event.is_town else "village"]
            )
        case events.CardsReturned():
            return Message.counted(
                "{cards} goes back to where it can be gained again.",
                "{cards} go back to where they can be gained again.",
                len(event.cards),
                cards=card_list(event.cards, book.name),
            )
        case events.ReserveRetrieved():
            return book.event(event, foreseen[kind], cards=card_list(event.cards, book.name))
        case events.GameOver() if event.side is book.viewer:
            return Message("This wins the game for you.")
        case events.GameOver():
            return Message("This wins the game for the {side}.", side=event.side.label)
    if kind in foreseen:
        return book.event(event, foreseen[kind])
    return row_text("changes", kind, **book.facts(event))
