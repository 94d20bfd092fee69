"""Why an order, or a part of one, is not legal now: the engine's objections, and what is near it.

No rule is stated here. What stands in the way of an order are its `objections`; of orders of which
only some parts are known, those of orders that have these parts. What a hand lacks is found by
asking what would be legal with every card that its player owns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product
from random import Random
from typing import NamedTuple, TypeVar

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import (
    HAND,
    MONEY,
    TURN,
    Objection,
    cards_for,
    missing_from_hand,
    printed,
)
from engine.actions.expansion import CONNECTIONS
from engine.actions.hand import Hand
from engine.catalogue import symbol_name
from engine.choices import CHOOSING, Begun, Choices, Parts, besides, lies_in
from engine.message import Message, commas, joined_with_or, mark
from engine.order import MANY, Order
from engine.orders import ORDERS, Besiege, Develop, End, Fortify, Lose, Merchant, Settle
from engine.ruleset import ACTIONS_A_TURN
from engine.sides import Side
from engine.state import Awaiting, Decision, State
from engine.value import Value

ThingT = TypeVar("ThingT")

BUILDING = (Settle, Besiege, Develop, Fortify)
"""The kinds of order for which it is told what is missing in hand."""
MOST_NEAR, MOST_KINDS = 3, 3
"""How many orders, and how many kinds of order, are told that are nearest."""
MOST_TRIED, MOST_PLACES, MOST_ADDED = 200, 8, 24
"""How many orders with what is chosen are asked what stands in their way.

How many locations they are at, and how many cards are tried where one is added; fewer for two.
"""


class Lack(NamedTuple):
    """The cards that are missing in hand for an order at a location.

    `number` is of how many cards; `ways` are the different choices of that many that would do, each
    a message for each card.
    """

    location: str
    number: int
    ways: frozenset[tuple[Message, ...]]


class Explanation(Value):
    """The reasons why an order is not legal in the position `state`, as its player sees it.

    `said` is the order, which may have too few cards, or too many. `is_for_later` says that
    something else has to be decided now, and that a turn of the player is assumed instead, if
    orders of that kind belong to one at all. `nearest` are the legal orders that are most alike.

    Of orders of which only some parts are known, the objections are those to each of them, or else
    to the one that is nearest to being legal: then other cards may mend it, and it `is_for_some`.
    `lacks` is what is missing in hand at the location, whichever cards are chosen, or anywhere.
    """

    said: Begun
    state: State
    side: Side
    objections: tuple[Objection, ...]
    is_for_later: bool = False
    nearest: tuple[Order, ...] = ()
    is_for_some: bool = False
    lacks: tuple[Lack, ...] = ()

    @property
    def order(self) -> Order | None:
        """The order; None with a wrong number of cards."""
        return self.said.whole()

    @property
    def is_legal(self) -> bool:
        """True if the order can be given now."""
        return not self.objections and not self.is_for_later

    @property
    def belongs_to_a_turn(self) -> bool:
        """True if orders of that kind are given in a turn, and not in answer to something."""
        return Decision.TURN in ACTIONS[self.said.kind].decisions

    @property
    def distance(self) -> int:
        """How far such an order is: a turn, cards or money away, or out of place."""
        about = {objection.about for objection in self.objections}
        if about == {TURN} and not self.is_for_later:
            return 0
        if self.lacks or self.is_for_some or about == {MONEY}:
            return 1
        return 2 if about in ({HAND}, {CONNECTIONS}) else 3

    def where(self) -> dict[str, dict[Message, int]]:
        """Return where else the copies are of each card that is missing in hand, by its id."""
        if all(objection.about != HAND for objection in self.objections):
            return {}
        order, cards = self.order, self.said.cards
        plays = game.plays(self.state, order, self.side) if order else cards
        missing = missing_from_hand(self.state.players[self.side], plays)
        return {card: elsewhere(self.state, self.side, card) for card in missing}


# --- of one order


def explained(worlds: Sequence[State], side: Side, said: Begun) -> Explanation:
    """Return what stands in the way of that order, in the likeliest of the worlds."""
    answered = _answering(worlds, side, said.kind)
    supposed = [_supposed(world, side, said.kind) for world in worlds]
    found = [(_objections(world, side, said), world) for world in answered or supposed]
    objections, state = min(found, key=lambda pair: len(pair[0]))
    near = _nearest(state, said) if objections else ()
    return Explanation(said, state, side, tuple(objections), not answered, near)


def _answering(worlds: Iterable[State], side: Side, kind: type[Order]) -> list[State]:
    """Return the worlds in which orders of a kind can answer what `side` has to decide."""
    return [world for world in worlds if world.decides(side) and game.may_answer(world, kind)]


def _objections(state: State, side: Side, said: Begun) -> list[Objection]:
    """Return what stands in the way of an order; of an incomplete one, what no cards can mend."""
    order = said.whole()
    if order is not None:
        return game.objections(state, order)
    missing = said.kind.fewest - len(said.cards)
    filled = (said.whole(*[card] * missing) for card in state.ruleset.catalogue.cards[side])
    tried = [game.objections(state, order) for order in filled if order]
    return [Objection(_takes(said.kind)), *_in_all(tried)]


def _in_all(found: Sequence[Sequence[Objection]]) -> list[Objection]:
    """Return the objections that stand in the way of every order, by those to each."""
    first, *others = found or [[]]
    return [objection for objection in first if all(objection in other for other in others)]


def _takes(kind: type[Order]) -> Message:
    """Return what an order of a kind has to name, as a sentence."""
    verb = kind.words()
    if kind in _PARTS:
        return Message(_PARTS[kind], verb=verb)
    if kind.most == 0:
        return kind.takes(Message("“{word}”", word=verb))
    if kind.most == MANY:
        return Message.counted(
            "“{verb}” names {count} card or more.",
            "“{verb}” names {count} cards or more.",
            kind.fewest,
            verb=verb,
        )
    if kind.fewest < kind.most:
        return Message.counted(
            "“{verb}” names {fewest} or {count} card.",
            "“{verb}” names {fewest} or {count} cards.",
            kind.most,
            fewest=kind.fewest,
            verb=verb,
        )
    return Message.counted(
        "“{verb}” names {count} card.", "“{verb}” names {count} cards.", kind.most, verb=verb
    )


_PARTS: dict[type[Order], str] = {
    Settle: mark(
        "“{verb}” names the card that leads there, then the transport, and last a settler "
        "where the location needs one."
    ),
    Develop: mark(
        "“{verb}” names a card with a settler; the location's own card is played with it."
    ),
    Fortify: mark(
        "“{verb}” names a Fortification card; the location's own card is played with it."
    ),
    Besiege: mark(
        "“{verb}” names the card that leads there, then the transport, and last a card for "
        "the siege."
    ),
    Merchant: mark("“{verb}” names a ship card, then the cards whose money it carries."),
}
"""The parts that orders have to name if their cards serve different purposes."""


def _supposed(state: State, side: Side, kind: type[Order]) -> State:
    """Return the position in which an order of a kind that is not for now would be given."""
    is_used_up = state.awaiting.decision is Decision.TURN and not state.actions_left
    if kind is not Lose or not is_used_up:
        return in_own_turn(state, side)
    # The loser's card is chosen after the end of the turn.
    after = state.copy()
    game.apply(after, End())
    return after


def in_own_turn(state: State, side: Side) -> State:
    """Return the position if `side`, whose view it is, could act now; itself if that is so."""
    if state.decides(side) and state.awaiting.decision is Decision.TURN and state.actions_left:
        return state
    supposed = state.copy()
    supposed.active, supposed.outcome, supposed.refilled = side, None, False
    supposed.awaiting, supposed.actions_left = Awaiting(Decision.TURN, side), ACTIONS_A_TURN
    return supposed


def _nearest(state: State, said: Begun) -> tuple[Order, ...]:
    """Return the legal orders of the same kind that are most alike.

    Those at the same place; or else those that share most cards; or else some.
    """
    wanted = set(said.cards)

    def likeness(other: Order) -> tuple[int, int]:
        return len(wanted & set(other.cards)), -len(other.cards)

    may_answer = game.may_answer(state, said.kind)
    legal = list(Choices([state]).some(Begun(said.kind))) if may_answer else []
    there = [other for other in legal if said.location and other.location == said.location]
    sharing = [other for other in legal if wanted & set(other.cards)]
    return tuple(sorted(there or sharing or legal, key=likeness, reverse=True)[:MOST_NEAR])


# --- of a part that cannot be added


def why_not(choices: Choices, side: Side, chosen: Parts, asked: Parts) -> tuple[Explanation, ...]:
    """Return why the part that is asked for cannot be added: by kind of order, the nearest first.

    A location is asked for instead of the one that is chosen, and a kind as well.
    """
    rest = chosen._replace(
        kind=None if asked.kind else chosen.kind,
        location=None if asked.location else chosen.location,
    )
    lit = choices.following(rest)
    if rest != chosen and (asked.kind in lit.kinds or asked.location in lit.locations):
        return (_taken(choices.worlds[0], side, chosen, asked),)
    wanted = Parts.of((*rest.keys, *asked.keys))
    begun = lit.kinds if rest.cards or rest.location else ()
    kinds = [wanted.kind] if wanted.kind else _in_question(choices.worlds, side, begun, asked)
    found = [_explained(choices.worlds, side, kind, wanted) for kind in kinds]
    near = min(one.distance for one in found)
    told: list[Explanation] = []
    # The nearest few, and no reason twice.
    for one in sorted(found, key=lambda one: len(one.objections)):
        is_new = not any({*known.objections} <= {*one.objections} for known in told)
        if one.distance == near and is_new:
            told.append(one)
    return tuple(told[:MOST_KINDS])


def _taken(state: State, side: Side, chosen: Parts, asked: Parts) -> Explanation:
    """Return that a part would be possible if it were not for another that is chosen."""
    if asked.kind and chosen.kind:
        said = Begun(chosen.kind)
        reason = Message(
            "“{verb}” is already chosen; an order does one thing.", verb=chosen.kind.words()
        )
    else:
        assert chosen.location is not None
        said = Begun(chosen.kind or next(k for k in ORDERS.values() if k.has_location))
        place = state.ruleset.catalogue.name_of(chosen.location)
        reason = Message("{place} is already chosen; an order has one location.", place=place)
    return Explanation(said, state, side, (Objection(reason),))


def _in_question(
    worlds: Sequence[State], side: Side, begun: Iterable[type[Order]], asked: Parts
) -> list[type[Order]]:
    """Return the kinds of which an order could have a part: of those begun, or awaited."""
    every = ORDERS.values()
    # A card that lies elsewhere than in hand says itself what is to be done with it.
    there = {kind for kind in every if any(lies_in(kind, pile) for pile in asked.piles)}
    awaited = [kind for kind in every if _answering(worlds, side, kind)]
    in_turn = [kind for kind in every if Decision.TURN in ACTIONS[kind].decisions]
    for meant, kinds in product((there, {*every}), (begun, awaited, in_turn)):
        fitting = (k for k in kinds if (k.has_location if asked.location else k.most > 0))
        if found := [kind for kind in fitting if kind in meant]:
            return found
    return []


def _explained(
    worlds: Sequence[State], side: Side, kind: type[Order], wanted: Parts
) -> Explanation:
    """Return what keeps orders of a kind from having the parts that are wanted."""
    place = wanted.location if kind.has_location else None
    said = Begun(kind, place, tuple(sorted(wanted.cards)))
    answered = _answering(worlds, side, kind)
    if not answered:
        return explained(worlds, side, said)
    if reasons := tuple(_misshapen(kind, wanted)):
        return Explanation(said, answered[0], side, reasons)
    tried = [_tried(world, side, kind, wanted) for world in answered]
    nearest = min(tried, key=lambda one: len(one.objections))
    state, objections = nearest.state, nearest.objections
    if objections and not nearest.is_for_some:
        return nearest._replace(said=said)
    found = lacks(state, side, kind) if kind in BUILDING else []
    found = [lack for lack in found if place in (None, lack.location)]
    least = min((lack.number for lack in found), default=0)
    missing = tuple(lack for lack in found if lack.number == least > 0)
    whole = Explanation(said, state, side, objections, lacks=missing)
    if place and kind in (Settle, Besiege) and not found:
        return whole._replace(objections=(_no_way(state, place),))
    if place and missing and objections:
        return whole
    if not objections:
        return explained(worlds, side, said)._replace(lacks=missing if place else ())
    if place or (wanted.cards and any(kind in Choices([world]).kinds() for world in answered)):
        return nearest
    if next(Choices([with_every_card(state, side)]).some(Begun(kind)), None):
        return whole._replace(objections=(Objection(_NONE_HELD, HAND, verb=kind.words()),))
    if kind.has_location:
        return Explanation(said, state, side, (Objection(_NONE, verb=kind.words()),))
    return nearest


_NONE_HELD = mark("No “{verb}” is possible with the cards that you hold.")
_NONE = mark("No “{verb}” is possible now.")


def _misshapen(kind: type[Order], wanted: Parts) -> Iterator[Objection]:
    """Yield what no order of a kind has."""
    if wanted.location and not kind.has_location:
        yield Objection("“{verb}” names no location.", verb=kind.words())
    if len(wanted.cards) > kind.most:
        yield Objection(_takes(kind))


def _no_way(state: State, place: str) -> Objection:
    """Return that none of the usable cards leads to a place."""
    return Objection(
        "None of the location cards that you can use leads to {place}.",
        CONNECTIONS,
        place=state.ruleset.catalogue.name_of(place),
    )


def _tried(state: State, side: Side, kind: type[Order], wanted: Parts) -> Explanation:
    """Return what stands in the way of every order with what is wanted, or else of the nearest."""
    tried = _few(list(_completed(state, side, kind, wanted)), MOST_TRIED)
    found = [game.objections(state, order) for order, _ in tried]
    # Nobody has chosen the cards that were added: they need not be in hand.
    reasons = [
        [o for o in each if o.about != HAND or o.missing not in fill or o.missing in wanted.cards]
        for each, (_, fill) in zip(found, tried, strict=True)
    ]
    if not tried:
        return Explanation(Begun(kind), state, side, ())
    if always := _in_all(reasons):
        # A player without an action left needs to know nothing else.
        in_turn = [o for o in always if o.about == TURN]
        return Explanation(Begun.of(tried[0][0]), state, side, tuple(in_turn or always))
    at = min(range(len(tried)), key=lambda at: (len(reasons[at]), len(found[at])))
    near = Begun.of(tried[at][0])
    return Explanation(near, state, side, tuple(reasons[at]), is_for_some=True)


def _few(things: list[ThingT], most: int) -> list[ThingT]:
    """Return no more of them than that, from all over the list: the same each time."""
    return things if len(things) <= most else Random(0).sample(things, most)


def _completed(
    state: State, side: Side, kind: type[Order], wanted: Parts
) -> Iterator[tuple[Order, Collection[str]]]:
    """Yield orders of a kind with what is wanted, each with the cards that nobody has chosen."""
    also = besides(state, kind) if kind in CHOOSING else Counter[str]()
    cards = sorted((Counter(wanted.cards) - also).elements())
    for place in _places(state, kind, wanted):
        for all_cards, fill in _filled(state, side, kind, place, cards):
            order = Begun(kind, place, all_cards).whole()
            if order is not None:
                yield order, fill


def _places(state: State, kind: type[Order], wanted: Parts) -> list[str | None]:
    """Return where orders are tried: at the chosen location, or where one is legal, or anywhere."""
    if wanted.location or not kind.has_location:
        return [wanted.location]
    legal = list(dict.fromkeys(order.location for order in Choices([state]).some(Begun(kind))))
    return _few(legal or [*state.ruleset.catalogue.locations], MOST_PLACES)


def _filled(
    state: State, side: Side, kind: type[Order], place: str | None, cards: list[str]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield cards for an order of a kind with these among them, and those that are added.

    No more of them are added than there are, unless there are none at all.
    """
    at = {place} if place else set(state.board)
    in_hand = Counter(cards_for(state, side, kind, at))
    held = sorted(in_hand) or sorted(state.ruleset.catalogue.cards[side])
    left = in_hand - Counter(cards) if in_hand else None
    if kind in CHOOSING:
        pool = [*ACTIONS[kind].pool(Hand(state, side))] or held
        pool.sort(key=lambda card: printed(state, side, card).raid_cost)
        for first in dict.fromkeys(permutations((*cards, *held), kind.ordered)):
            rest = Counter(cards) - Counter(first)
            added = Counter(first) - Counter(cards)
            for further in (*((card,) for card in pool), *(pool[:n] for n in range(len(pool) + 1))):
                fill = (*added.elements(), *further)
                if left is None or not Counter(fill) - left:
                    yield (*first, *rest.elements(), *further), fill
        return
    for number in range(max(kind.fewest, len(cards)), kind.most + 1):
        more = number - len(cards)
        for fill in combinations_with_replacement(_few(held, MOST_ADDED // (more or 1)), more):
            if left is None or not Counter(fill) - left:
                for arranged in dict.fromkeys(permutations((*cards, *fill))):
                    yield arranged, fill


# --- what is missing in hand


def lacks(state: State, side: Side, kind: type[Order]) -> list[Lack]:
    """Return, for each location where cards let `side` give such an order, the least missing.

    Only cards are looked at, and only those that `side` owns or can draft.
    """
    ways: defaultdict[str, set[tuple[Message, ...]]] = defaultdict(set)
    for order in ACTIONS[kind].candidates(Hand(with_every_card(state, side), side)):
        ways[order.place].add(tuple(_missing(state, side, order)))
    found = []
    for place in filter(ways.__contains__, state.ruleset.catalogue.locations):
        number = min(map(len, ways[place]))
        found.append(Lack(place, number, frozenset(w for w in ways[place] if len(w) == number)))
    return found


def with_every_card(state: State, side: Side) -> State:
    """Return the position if `side` held every card that it owns or can draft."""
    supposed = state.copy()
    player = supposed.players[side]
    player.hand += [
        card.id
        for card in state.ruleset.catalogue.cards[side].values()
        if card.location is None or card.id not in {*player.hand, *player.locations}
    ]
    return supposed


def _missing(state: State, side: Side, order: Order) -> Iterator[Message]:
    """Yield what each card of an order is that is not in hand, by what it is for."""
    left, plays = Counter(state.players[side].hand), game.plays(state, order, side)
    for at, card in enumerate(plays, len(order.cards) - len(plays)):
        if not left[card]:
            yield _lack(state, side, order, card, order.part(at) if at >= 0 else "")
        left[card] -= 1


def _lack(state: State, side: Side, order: Order, card: str, part: str) -> Message:
    where = commas(whereabouts(state, side, card))
    match part:
        case "":
            return Message("its card, {where}", where=where)
        case "connection":
            name = state.ruleset.catalogue.name_of(card)
            return Message("{card}, which leads there, {where}", card=name, where=where)
        case "first":
            return Message("a card with strength there")
        case "fortification":
            return Message("a Fortification card")
    reaches = printed(state, side, order.cards[0]).transports_to(order.place)
    symbols = sorted(reaches) if part == "transport" else [part]
    # Translators: a card with one of these symbols, such as: a bateaux or wagon card.
    return Message("a {symbols} card", symbols=joined_with_or(map(symbol_name, symbols)))


# --- where the copies of a card are, as far as one may know


def whereabouts(state: State, side: Side, card: str) -> dict[Message, int]:
    """Return where the copies are that `side` owns, with their number, in this view of a game.

    What lies face down is told as one place, so that nothing is given away.
    """
    in_hand = state.players[side].hand.count(card)
    found = {Message("in hand"): in_hand} if in_hand else {}
    return found | elsewhere(state, side, card)


def elsewhere(state: State, side: Side, card: str) -> dict[Message, int]:
    """Return where those are that are not among the cards in hand which this view shows."""
    player = state.players[side]
    face_down = Message("in the draw pile")
    if player.hidden:
        face_down = Message("face down in hand")
        if player.draw_pile:
            face_down = Message("in the draw pile or face down in hand")
    found = {
        Message("in the reserve"): player.reserve.count(card),
        Message("in the discard pile"): player.discard.count(card),
        face_down: sum(epoch.count(card) for epoch in player.unseen),
    }
    for siege in state.sieges.values():
        place = state.ruleset.catalogue.name_of(siege.location)
        found[Message("at the siege of {place}", place=place)] = siege.cards[side].count(card)
    if state.awaiting.side is side and state.awaiting.card == card:
        found[Message("just played")] = 1
    return {place: number for place, number in found.items() if number}
