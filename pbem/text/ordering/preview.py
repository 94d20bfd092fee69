"""The cost and effects of an order: tried on a copy of the position, told before it is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import events, game
from engine.choices import Choices
from engine.events import Event
from engine.foresight import states_after_reply
from engine.message import NOTHING, Message, Phrase, and_list, comma_list, mark
from engine.order import Order
from engine.orders import Draft, End
from engine.position import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    score,
    siege_strength,
    standing_winner,
)
from engine.sides import Side
from engine.state import Decision, State
from pbem.play.turn import Risk, Turn
from pbem.text.narration import Narrator, answer_needed, other_player, risk_text, templates
from pbem.text.phrases import Name, card_list, entry, money_counted, with_sign

KEPT = (
    events.Reinforced,
    events.Reserved,
    events.CardsReturned,
    events.CardGivenUp,
    events.CardConverted,
    events.SupportCalled,
)
"""The places of cards from hand that are not discarded, or not yet."""


class Difference(NamedTuple):
    """A number before an order and after it."""

    before: int
    after: int


class SiegeChange(NamedTuple):
    """How a siege stands for the besieger before an order and after it; None: there is none.

    `winner` is who wins it as it stands after the order.
    """

    location: str
    besieger: Side
    before: int | None
    after: int | None
    winner: Side | None


class Preview(NamedTuple):
    """The effect of an order of `side`: positions `before` and `after` it, the `events` between.

    `is_certain` says whether it is legal whatever is answered before it. What the other side learns
    of the hand are the cards `shown`; `interruption` says that it has to be answered, or its cards
    have to come, before the turn goes on; `risks` are what it adds to those of the turn.
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
    interruption: bool = False
    risks: Sequence[Risk] = ()

    @property
    def in_turn(self) -> bool:
        """True if it is given in the player's own turn, and takes an action unless it is free."""
        return self.before.awaiting.decision is Decision.TURN

    def money(self, side: Side) -> Difference:
        """Return the money of a side."""
        return Difference(*(state.players[side].money for state in (self.before, self.after)))

    def points(self, side: Side) -> Difference:
        """Return the victory points of a side."""
        return Difference(*(score(state, side).total for state in (self.before, self.after)))

    @property
    def points_at_best(self) -> int:
        """The points that it brings its side where the answer to it is the best."""
        state = self.after
        is_answered = state.is_interrupted and not state.awaiting.decision.is_chance
        worlds = [state, *(states_after_reply(state) if is_answered else ())]
        return max(score(s, self.side).total for s in worlds) - self.points(self.side).before

    @property
    def sieges(self) -> list[SiegeChange]:
        """The sieges that it changes."""
        changes = []
        for besieger in Side:
            before, after = (s.sieges.get(besieger) for s in (self.before, self.after))
            siege = after or before
            old = siege_strength(self.before, besieger) if before else None
            new = siege_strength(self.after, besieger) if after else None
            winner = standing_winner(self.after, besieger) if after else None
            if siege and old != new:
                changes.append(SiegeChange(siege.location, besieger, old, new, winner))
        return changes

    @property
    def played(self) -> tuple[str, ...]:
        """The cards that it takes from hand, also those that go without saying in it."""
        return game.plays(self.before, self.order, self.side)

    @property
    def also_played(self) -> list[str]:
        """Those that its cards do not name."""
        named = self.order.cards
        return sorted((Counter(self.played) - Counter(named)).elements()) if named else []

    @property
    def discarded(self) -> list[str]:
        """Those of the cards it takes from hand that go to the player's discard pile at once."""
        kept: Counter[str] = Counter()
        for event in self.events:
            if isinstance(event, KEPT) and event.side is self.side:
                facts = vars(event)
                kept.update(facts.get("cards") or [facts["card"]])
        return sorted((Counter(self.played) - kept).elements())

    @property
    def cards_to_come(self) -> int:
        """The number of cards that it draws in the middle of the turn."""
        decision, side, _, amount, _, resume, more = self.after.awaiting
        draws = decision.is_chance and side is self.side and resume is not None
        return amount + more if draws else 0


def quick_preview(choices: Choices, order: Order) -> Preview:
    """Return what a legal order does, without what only the whole turn can tell."""
    before = choices.world_of(order)
    after, side = before.copy(), before.awaiting.side
    events = tuple(game.apply(after, order))
    cost, certain = game.cost(before, order), choices.is_certain(order)
    return Preview(order, side, before, after, events, cost, is_free(before, order), certain)


def is_free(state: State, order: Order) -> bool:
    """Return True if an order of a turn takes no action in it."""
    return state.awaiting.decision is Decision.TURN and game.is_free(state, order)


def preview(answer: Turn, order: Order) -> Preview:
    """Return what a legal order does, given next in an answer."""
    known, course = answer.forecast, answer.forecast_with(order)
    interruptions, risks = (len(known.interruptions), len(known.risks)) if known else (0, 0)
    return quick_preview(answer.choices, order)._replace(
        shown_cards=answer.would_show(order),
        interruption=course is not None and len(course.interruptions) > interruptions,
        risks=course.risks[risks:] if course else (),
    )


# --- in words


def remark_on(seen: Preview, name: Name) -> Phrase:
    """Return what an order costs and brings, in short, and what it plays beside what it names."""
    return comma_list(_remarks(seen, name))


def _remarks(seen: Preview, name: Name) -> Iterator[Phrase]:
    earned = seen.money(seen.side).after - seen.money(seen.side).before + seen.cost
    points, best = seen.points(seen.side), seen.points_at_best
    gained = points.after - points.before
    if seen.cost:
        yield Message("costs {price}", price=money_counted(seen.cost))
    elif isinstance(seen.order, Draft):
        yield Message("costs nothing")
    if seen.is_free and not isinstance(seen.order, End):
        yield Message("free action")
    if earned > 0:
        yield Message.counted("brings {count} money", "brings {count} money", earned)
    yield from _robbed(seen)
    if gained:
        # Translators: {change} is a number of victory points with its sign, such as +2.
        yield Message.counted(
            "{change} point", "{change} points", abs(gained), change=f"{gained:+}"
        )
    if best > max(gained, 0):
        yield Message.counted(
            "up to {change} point", "up to {change} points", best, change=f"{best:+}"
        )
    yield from map(_siege_remark, seen.sieges)
    if drawn := seen.cards_to_come:
        yield Message.counted("draws {count} card", "draws {count} cards", drawn)
    if also := seen.also_played:
        yield Message("plays {cards} too", cards=and_list(map(name, also)))
    if not seen.is_certain:
        yield Message("depends on the answer")


def _robbed(seen: Preview) -> Iterator[Phrase]:
    """Yield how much of the money comes from the other side."""
    other = seen.side.opponent
    lost = seen.money(other).before - seen.money(other).after
    if lost > 0:
        yield Message("{money} of it from the {side}", money=money_counted(lost), side=other.label)


def _siege_remark(change: SiegeChange) -> Message:
    if change.after is None:
        return Message("ends the siege")
    after = with_sign(change.after)
    if change.before is None:
        return Message("the siege begins at {strength}", strength=after)
    before = with_sign(change.before)
    return Message("the siege goes from {before} to {after}", before=before, after=after)


def preview_text(answer: Turn, seen: Preview, name: Name) -> list[Phrase]:
    """Return what an order does, in sentences: cost, effects, points, sieges, and what is shown."""
    said: list[Phrase] = [_cost(seen), *effects_text(seen, name), *_scores(seen)]
    said += [_siege(change, seen.side, name) for change in seen.sieges]
    if drawn := seen.cards_to_come:
        said.append(Message.counted("You draw {count} card.", "You draw {count} cards.", drawn))
    if seen.interruption:
        said.append(answer_needed(answer, seen.order))
    if seen.shown_cards:
        said.append(
            Message(
                "{player} sees these cards from your hand: {cards}.",
                player=other_player(answer),
                cards=card_list(seen.shown_cards, name),
            )
        )
    said += [risk_text(answer, risk) for risk in seen.risks]
    return [sentence for sentence in said if sentence]


def consequences(answer: Turn, seen: Preview) -> list[Phrase]:
    """Return what an order does beside its deeds, in sentences: money, victory points, risks."""
    return [*_scores(seen), *(risk_text(answer, risk) for risk in seen.risks)]


def _cost(seen: Preview) -> Phrase:
    """Return what an order costs in actions and money, as a sentence; empty for nothing."""
    price = money_counted(seen.cost)
    if not seen.in_turn:
        return Message("It costs {price}.", price=price) if seen.cost else ""
    if isinstance(seen.order, End):
        return ""
    if seen.is_free and seen.cost:
        return Message("It is a free action and costs {price}.", price=price)
    if seen.is_free:
        return Message("It is a free action.")
    if seen.cost:
        return Message("It takes an action and {price}.", price=price)
    return Message("It takes an action.")


def _scores(seen: Preview) -> Iterator[Phrase]:
    """Yield how the money and the victory points of both sides change."""
    for told, side in ((_OWN, seen.side), (_THEIRS, seen.side.opponent)):
        for sentence, change in zip(told, (seen.money(side), seen.points(side)), strict=True):
            if change.before != change.after:
                yield Message(sentence, side=side.label, **change._asdict())
    hoped = seen.points_at_best
    if hoped > max(0, seen.points(seen.side).after - seen.points(seen.side).before):
        yield Message.counted(
            "If it succeeds, it brings {count} victory point.",
            "If it succeeds, it brings {count} victory points.",
            hoped,
        )


_OWN = (
    mark("Your money: {before}, then {after}."),
    mark("Your victory points: {before}, then {after}."),
)
_THEIRS = (
    mark("{side} money: {before}, then {after}."),
    mark("{side} victory points: {before}, then {after}."),
)


def _siege(change: SiegeChange, viewer: Side, name: Name) -> Message:
    """Return what becomes of a siege, and what that means; that it ends, its event says."""
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
    # Translators: what becomes of a siege, and who wins it then: two of the sentences beside this.
    return Message("{siege}; {outcome}.", siege=moved, outcome=_outcome(change, viewer))


def _outcome(change: SiegeChange, viewer: Side) -> Message:
    """Return who wins a siege as it stands, or at which strength, in a clause."""
    if change.winner is None:
        attacks = change.besieger is viewer
        ours, theirs = (BESIEGER_WINS_AT, DEFENDER_WINS_AT)[:: 1 if attacks else -1]
        return Message(
            "you win it at {ours}, the {side} at {theirs}",
            ours=f"{ours:+}",
            side=viewer.opponent.label,
            theirs=f"{theirs:+}",
        )
    if change.winner is viewer:
        return Message("you win it if that still holds when your next turn begins")
    return Message(
        "the {side} win it if that still holds when their turn begins", side=change.winner.label
    )


# --- what it will cause


UNSAID = {
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
"""Events that are obvious from the order, or shown by the numbers."""


def effects_text(seen: Preview, name: Name) -> Iterator[Phrase]:
    """Yield what an order will cause, a sentence for each event, said to the side that gives it.

    And which cards it takes from hand to the discard pile.
    """
    words = Narrator(name, seen.side, None)
    for event in seen.events:
        if isinstance(event, events.Paid) and event.side is not seen.side:
            yield words.event(event, templates("foreseen")["robbed"])
        elif type(event) not in UNSAID:
            yield effect_text(event, words)
    if cards := seen.discarded:
        yield Message.counted(
            "{cards} goes to your discard pile.",
            "{cards} go to your discard pile.",
            len(cards),
            cards=card_list(cards, name),
        )


def effect_text(event: Event, words: Narrator) -> Phrase:
    """Return the sentence of an event that an order will cause."""
    kind, foreseen = type(event).__name__, templates("foreseen")
    match event:
        case events.Captured() | events.RaidSucceeded():
            return words.event(
                event, templates("foreseen-capture")["town" if event.is_town else "village"]
            )
        case events.CardsReturned():
            return Message.counted(
                "{cards} goes back to where it can be gained again.",
                "{cards} go back to where they can be gained again.",
                len(event.cards),
                cards=card_list(event.cards, words.name),
            )
        case events.ReserveRetrieved():
            return words.event(event, foreseen[kind], cards=card_list(event.cards, words.name))
        case events.GameOver() if event.side is words.viewer:
            return Message("This wins the game for you.")
        case events.GameOver():
            return Message("This wins the game for the {side}.", side=event.side.label)
    if kind in foreseen:
        return words.event(event, foreseen[kind])
    return entry("changes", kind, **words.facts(event))
