"""What is missing for an order that builds or besieges, place by place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.actions.action import printed
from engine.catalogue import Card, symbol_name
from engine.geography import supplied, usable
from engine.message import Message, commas, joined_with_or
from engine.order import Order
from engine.orders import Besiege, Develop, Fortify, Settle
from engine.sides import Side
from engine.siege import card_strength
from engine.state import State
from pbem.view.whereabouts import whereabouts


class Role(NamedTuple):
    """A part that one card plays in an order: what is missing without it, and which cards serve.

    `lack` is None where the only card that serves is in hand.
    """

    lack: Message | None
    serves: Callable[[str], bool]


class Lack(NamedTuple):
    """What is missing in hand for an order at a location.

    `number` is of how many cards; `ways` are the different choices of that many that would do, each
    a message for each card.
    """

    location: str
    number: int
    ways: frozenset[tuple[Message, ...]]


def lacks(state: State, side: Side, kind: type[Order]) -> list[Lack]:
    """For each location where `side` could give such an order, the least that is missing in hand.

    Only cards are looked at, and only those that `side` owns.
    """
    hand = state.players[side].hand
    found: dict[str, set[tuple[Message, ...]]] = {}
    for location, roles in _WAYS[kind](state, side):
        found.setdefault(location, set()).update(_unfilled(hand, roles))
    least = {place: min(map(len, ways)) for place, ways in found.items()}
    return [
        Lack(place, number, frozenset(way for way in found[place] if len(way) == number))
        for place, number in least.items()
    ]


def _unfilled(hand: Sequence[str], roles: Sequence[Role]) -> set[tuple[Message, ...]]:
    """What may be missing when cards in hand play some of the roles, one each."""
    if not roles:
        return {()}
    first, *others = roles
    rests = _unfilled(hand, others) if first.lack else ()
    found = {(first.lack, *rest) for rest in rests if first.lack}
    for place, card in enumerate(hand):
        if first.serves(card) and card not in hand[:place]:
            found |= _unfilled([*hand[:place], *hand[place + 1 :]], others)
    return found


_Ways = Iterator[tuple[str, list[Role]]]
"""Locations, each with the roles of one way to give an order there."""


def _settling(state: State, side: Side) -> _Ways:
    locations = state.ruleset.catalogue.locations
    regained = state.players[side].locations
    for place in locations.values():
        is_regained = state.owner(place.id) is side and place.id in regained
        if place.id in state.board and not is_regained:
            continue
        settlers = [_symbol(state, side, "settler")] if place.settler else []
        for route in _routes(state, side, place.id):
            yield place.id, [*route, *settlers]


def _besieging(state: State, side: Side) -> _Ways:
    for place, settlement in state.board.items():
        if settlement.owner is not side.opponent:
            continue
        strength = Role(
            Message("a card with strength there"),
            lambda card, at=place: (
                card_strength(state, side, card, at) > 0  # type: ignore[misc]
                and usable(state, side, card)
            ),
        )
        for route in _routes(state, side, place):
            yield place, [*route, strength]


def _developing(state: State, side: Side) -> _Ways:
    for place in _own(state, side):
        points = state.ruleset.catalogue.locations[place].victory_points
        if points and not state.board[place].town:
            yield place, [_card(state, side, place), _symbol(state, side, "settler")]


def _fortifying(state: State, side: Side) -> _Ways:
    wall = Role(
        Message("a Fortification card"),
        lambda card: bool(printed(state, side, card).military_defending),
    )
    for place in _own(state, side):
        if not state.board[place].fortified:
            yield place, [_card(state, side, place), wall]


_WAYS: dict[type[Order], Callable[[State, Side], _Ways]] = {
    Settle: _settling,
    Besiege: _besieging,
    Develop: _developing,
    Fortify: _fortifying,
}
BUILDING = tuple(_WAYS)
"""The kinds of order for which it is known what is missing."""


def _own(state: State, side: Side) -> list[str]:
    """The locations of `side` whose cards it owns and may use."""
    available = state.players[side].locations
    return [
        place
        for place in supplied(state, side)
        if state.besieger(place) is None
        and place in state.ruleset.catalogue.cards[side]
        and place not in available
    ]


def _routes(state: State, side: Side, to: str) -> Iterator[list[Role]]:
    """Each way to a location: a card that leads there, and one with the transport for it."""
    for place in _own(state, side):
        card = printed(state, side, place)
        means = card.transports_to(to)
        if means:
            leads = _card(state, side, place, leads=True)
            yield [leads, _symbol(state, side, *sorted(means))]


def _card(state: State, side: Side, id: str, *, leads: bool = False) -> Role:
    if id in state.players[side].hand:
        return Role(None, lambda card: card == id)
    where = commas(whereabouts(state, side, id))
    if leads:
        name = state.ruleset.catalogue.name_of(id)
        lack = Message("{card}, which leads there, {where}", card=name, where=where)
    else:
        lack = Message("its card, {where}", where=where)
    return Role(lack, lambda card: card == id)


def _symbol(state: State, side: Side, *symbols: str) -> Role:
    def serves(card: str) -> bool:
        found: Card = printed(state, side, card)
        return bool(found.symbols & set(symbols)) and usable(state, side, card)

    # Translators: a card with one of these symbols, such as: a bateaux or wagon card.
    lack = Message("a {symbols} card", symbols=joined_with_or(map(symbol_name, symbols)))
    return Role(lack, serves)
