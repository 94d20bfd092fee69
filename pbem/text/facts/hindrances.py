"""Why a part cannot be added to the chosen parts of an order, by kind of order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from random import Random
from typing import NamedTuple, TypeVar

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import HAND, MONEY, TURN, Objection, cards_for, printed
from engine.actions.expansion import CONNECTIONS
from engine.actions.hand import Hand
from engine.gathered import besides
from engine.message import Message
from engine.order import Order
from engine.orders import ORDERS, Besiege, Settle
from engine.sides import Side
from engine.state import Decision, State
from engine.ways import CHOOSING, Begun, Ways, all_of
from pbem.text.facts.missing import BUILDING, Lack, lacks
from pbem.text.facts.obstacles import Explanation, explained, takes
from pbem.text.facts.selection import Clickable, Selection

ThingT = TypeVar("ThingT")

MOST_TRIED, MOST_PLACES, MOST_ADDED = 200, 8, 24
"""How many orders with what is chosen are asked what stands in their way.

How many locations they are at, and how many cards are tried where one is added; fewer for two.
"""
MOST_KINDS = 3


class Hindrance(NamedTuple):
    """What keeps an order of a kind from having the part that was asked for.

    `explanation` has what stands in the way of each such order, or else of the one that is nearest
    to being legal: then other cards may mend it, and it `is_for_some`. `lacks` are what is missing
    in hand for an order at the location, whichever cards are chosen, or anywhere, at the least.
    """

    explanation: Explanation
    is_for_some: bool = False
    lacks: tuple[Lack, ...] = ()

    @property
    def kind(self) -> type[Order]:
        """The kind of order."""
        return self.explanation.said.kind


def why_not(
    worlds: Sequence[State], side: Side, chosen: Selection, key: str
) -> tuple[Hindrance, ...]:
    """Why a part that is not lit cannot be added to what is chosen: by kind, the nearest first.

    A location is asked for instead of the one that is chosen, and a kind as well. Raises WrongUse
    for something that is not a key.
    """
    part = Selection.of((key,))
    rest = chosen
    if part.kind:
        rest = rest._replace(kind=None)
    if part.location:
        rest = rest._replace(location=None)
    lit = Clickable(Ways(worlds)).following(rest)
    wanted = rest.adding(key)
    if key in lit.keys and rest != chosen:
        return (_taken(worlds, side, chosen, part),)
    begun = lit.kinds if rest.cards or rest.location else ()
    kinds = (wanted.kind,) if wanted.kind else _in_question(worlds, side, begun, part)
    return _nearest([_hindrance(worlds, side, kind, wanted) for kind in kinds])


def _taken(worlds: Sequence[State], side: Side, chosen: Selection, part: Selection) -> Hindrance:
    """That a part would be possible if it were not for another that is chosen."""
    state = worlds[0]
    if part.kind and chosen.kind:
        said = Begun(chosen.kind)
        reason = Message(
            "“{verb}” is already chosen; an order does one thing.", verb=chosen.kind.words()
        )
    else:
        assert chosen.location is not None
        said = Begun(chosen.kind or next(k for k in ORDERS.values() if k.has_location))
        place = state.ruleset.catalogue.name_of(chosen.location)
        reason = Message("{place} is already chosen; an order has one location.", place=place)
    return Hindrance(Explanation(said, state, side, (Objection(reason),)))


def _in_question(
    worlds: Sequence[State], side: Side, begun: Iterable[type[Order]], part: Selection
) -> list[type[Order]]:
    """The kinds of which an order could have a part: of those that are begun, or are awaited."""

    def fits(kind: type[Order]) -> bool:
        return kind.has_location if part.location else kind.most > 0

    awaited = [
        kind
        for kind in ORDERS.values()
        if any(world.decides(side) and game.may_answer(world, kind) for world in worlds)
    ]
    in_turn = [kind for kind in ORDERS.values() if Decision.TURN in ACTIONS[kind].decisions]
    for kinds in (begun, awaited, in_turn):
        if found := [kind for kind in kinds if fits(kind)]:
            return found
    return []


def _nearest(found: list[Hindrance]) -> tuple[Hindrance, ...]:
    """The few that are nearest to being possible, and no reason twice."""
    near = min(map(_distance, found))
    told: list[Hindrance] = []
    reasons: list[set[Objection]] = []
    for one in sorted(found, key=lambda one: len(one.explanation.objections)):
        objections = {*one.explanation.objections}
        if _distance(one) == near and not any(known <= objections for known in reasons):
            told.append(one)
            reasons.append(objections)
    return tuple(told[:MOST_KINDS])


def _distance(one: Hindrance) -> int:
    """How far a kind is from having such an order: a turn, cards or money away, or out of place."""
    about = {objection.about for objection in one.explanation.objections}
    if about == {TURN} and not one.explanation.is_for_later:
        return 0
    if one.lacks or one.is_for_some or about == {MONEY}:
        return 1
    return 2 if about in ({HAND}, {CONNECTIONS}) else 3


def _hindrance(
    worlds: Sequence[State], side: Side, kind: type[Order], wanted: Selection
) -> Hindrance:
    place = wanted.location if kind.has_location else None
    said = Begun(kind, place, wanted.cards)
    answered = [world for world in worlds if world.decides(side) and game.may_answer(world, kind)]
    if not answered:
        return Hindrance(explained(worlds, side, said))
    state = answered[0]
    if reasons := list(_misshapen(kind, wanted)):
        return Hindrance(Explanation(said, state, side, tuple(reasons)))
    surely = [(world, *_objections(world, side, kind, wanted)) for world in answered]
    state, nearest, objections, is_for_some = min(surely, key=lambda found: len(found[2]))
    if objections and not is_for_some:
        return Hindrance(Explanation(said, state, side, tuple(objections)))
    if place and kind in BUILDING:
        at = [lack for lack in lacks(state, side, kind) if lack.location == place]
        if not at and kind in (Settle, Besiege):
            return Hindrance(Explanation(said, state, side, (_no_way(state, place),)))
        if missing := tuple(lack for lack in at if lack.number):
            reasons = objections or [*explained(worlds, side, said).objections]
            return Hindrance(Explanation(said, state, side, tuple(reasons)), False, missing)
    if not objections:
        return Hindrance(explained(worlds, side, said))
    if not place and (not wanted.cards or not _is_possible(answered, kind)):
        missing = _least(lacks(state, side, kind)) if kind in BUILDING else ()
        return Hindrance(Explanation(said, state, side, (_none(kind),)), False, missing)
    return Hindrance(Explanation(nearest, state, side, tuple(objections)), is_for_some)


def _none(kind: type[Order]) -> Objection:
    """That there is no order of a kind, though one is awaited."""
    return Objection(
        "No “{verb}” is possible with the cards that you hold.", HAND, verb=kind.words()
    )


def _is_possible(worlds: Iterable[State], kind: type[Order]) -> bool:
    """Whether any order of a kind is legal."""
    return any(kind in Ways([world]).kinds() for world in worlds)


def _no_way(state: State, place: str) -> Objection:
    """That none of the usable cards leads to a place."""
    return Objection(
        "None of the location cards that you can use leads to {place}.",
        CONNECTIONS,
        place=state.ruleset.catalogue.name_of(place),
    )


def _least(found: Sequence[Lack]) -> tuple[Lack, ...]:
    """Where the fewest cards are missing."""
    number = min((lack.number for lack in found), default=0)
    return tuple(lack for lack in found if lack.number == number) if number else ()


def _misshapen(kind: type[Order], wanted: Selection) -> Iterator[Objection]:
    """What no order of a kind has."""
    if wanted.location and not kind.has_location:
        yield Objection("“{verb}” names no location.", verb=kind.words())
    if len(wanted.cards) > kind.most:
        yield Objection(takes(kind))


def _objections(
    state: State, side: Side, kind: type[Order], wanted: Selection
) -> tuple[Begun, list[Objection], bool]:
    """What stands in the way of every order of a kind with what is wanted, or else of the nearest.

    With that order, and whether the objections are only those to it.
    """
    tried = [
        (order, game.objections(state, order), fill)
        for order, fill in _few(list(_completed(state, side, kind, wanted)), MOST_TRIED)
    ]
    reasons = [_without_fill(found, fill, wanted.cards) for _, found, fill in tried]
    if not tried:
        return Begun(kind), [], False
    always = [o for o in reasons[0] if all(o in others for others in reasons)]
    if always:
        # A player without an action left needs to know nothing else.
        in_turn = [o for o in always if o.about == TURN]
        return all_of(tried[0][0]), in_turn or always, False
    at = min(range(len(tried)), key=lambda at: (len(reasons[at]), len(tried[at][1])))
    return all_of(tried[at][0]), reasons[at], True


def _without_fill(
    objections: list[Objection], fill: Collection[str], chosen: Collection[str]
) -> list[Objection]:
    """Objections, except that cards are missing which nobody has chosen."""
    return [
        o for o in objections if o.about != HAND or o.missing not in fill or o.missing in chosen
    ]


_Tried = tuple[Order, tuple[str, ...]]


def _few(things: list[ThingT], most: int) -> list[ThingT]:
    """No more of them than that, from all over the list: the same whenever it is asked."""
    return things if len(things) <= most else Random(0).sample(things, most)


def _completed(state: State, side: Side, kind: type[Order], wanted: Selection) -> Iterator[_Tried]:
    """Orders of a kind with what is wanted, whole, each with the cards that nobody has chosen."""
    also = besides(state, kind) if kind in CHOOSING else ()
    cards = sorted((Counter(wanted.cards) - Counter(also)).elements())
    for place in _places(state, kind, wanted):
        for all_cards, fill in _filled(state, side, kind, place, cards):
            order = Begun(kind, place, all_cards).whole()
            if order is not None:
                yield order, fill


def _places(state: State, kind: type[Order], wanted: Selection) -> list[str | None]:
    """Where orders are tried: at the chosen location, or where one is legal, or anywhere."""
    if not kind.has_location:
        return [None]
    if wanted.location:
        return [wanted.location]
    legal = list(dict.fromkeys(order.location for order in Ways([state]).some(Begun(kind))))
    return _few(legal or [*state.ruleset.catalogue.locations], MOST_PLACES)


def _filled(
    state: State, side: Side, kind: type[Order], place: str | None, cards: list[str]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Cards for an order of a kind with these among them, and those that are added."""
    at = {place} if place else set(state.board)
    held = sorted({*cards_for(state, side, kind, at)}) or sorted(
        state.ruleset.catalogue.cards[side]
    )
    if kind in CHOOSING:
        pool = [*ACTIONS[kind].pool(Hand(state, side))] or held
        pool.sort(key=lambda card: printed(state, side, card).raid_cost)
        for first in dict.fromkeys(permutations((*cards, *held), kind.ordered)):
            rest = Counter(cards) - Counter(first)
            added = Counter(first) - Counter(cards)
            for further in (*((card,) for card in pool), *(pool[:n] for n in range(len(pool) + 1))):
                yield (*first, *rest.elements(), *further), (*added.elements(), *further)
        return
    for number in range(max(kind.fewest, len(cards)), kind.most + 1):
        more = number - len(cards)
        for fill in combinations_with_replacement(_few(held, MOST_ADDED // (more or 1)), more):
            for arranged in dict.fromkeys(permutations((*cards, *fill))):
                yield arranged, fill
