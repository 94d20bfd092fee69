"""What is missing for an order that builds or besieges, place by place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.actions import ACTIONS
from engine.actions.action import printed
from engine.catalogue import Card, symbol_name
from engine.geography import usable, usable_ones
from engine.message import Message, commas, joined_with_or
from engine.order import Order
from engine.orders import Besiege, Develop, Fortify, Settle
from engine.sides import Side
from engine.siege import card_strength
from engine.state import State
from pbem.text.facts.whereabouts import whereabouts


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
    """For each location where cards let `side` give such an order, the least missing in hand.

    Only cards are looked at, and only those that `side` owns. A location is left out where the
    rules bar the order whatever the cards: a second siege, a village when none is left.
    """
    hand = state.players[side].hand
    found = []
    for place in state.ruleset.catalogue.locations:
        if next(ACTIONS[kind].bars(state, side, place), None) is not None:
            continue
        ways = {way for roles in _WAYS[kind](state, side, place) for way in _unfilled(hand, roles)}
        if ways:
            number = min(map(len, ways))
            found.append(Lack(place, number, frozenset(w for w in ways if len(w) == number)))
    return found


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


def _settling(state: State, side: Side, place: str) -> Iterator[list[Role]]:
    is_by_settler = state.ruleset.catalogue.locations[place].settler
    settlers = [_symbol(state, side, "settler")] if is_by_settler else []
    for route in _routes(state, side, place):
        yield [*route, *settlers]


def _besieging(state: State, side: Side, place: str) -> Iterator[list[Role]]:
    def serves(card: str) -> bool:
        return card_strength(state, side, card, place) > 0 and usable(state, side, card)

    strength = Role(Message("a card with strength there"), serves)
    for route in _routes(state, side, place):
        yield [*route, strength]


def _developing(state: State, side: Side, place: str) -> Iterator[list[Role]]:
    if _has_card(state, side, place):
        yield [_card(state, side, place), _symbol(state, side, "settler")]


def _fortifying(state: State, side: Side, place: str) -> Iterator[list[Role]]:
    def serves(card: str) -> bool:
        return bool(printed(state, side, card).military_defending)

    if _has_card(state, side, place):
        yield [_card(state, side, place), Role(Message("a Fortification card"), serves)]


_WAYS: dict[type[Order], Callable[[State, Side, str], Iterator[list[Role]]]] = {
    Settle: _settling,
    Besiege: _besieging,
    Develop: _developing,
    Fortify: _fortifying,
}
BUILDING = tuple(_WAYS)
"""The kinds of order for which it is known what is missing."""

# --- what plays a part


def _has_card(state: State, side: Side, place: str) -> bool:
    """Whether `side` owns the card of a location: there is one, and it is not to be gained."""
    is_available = place in state.players[side].locations
    return place in state.ruleset.catalogue.cards[side] and not is_available


def _routes(state: State, side: Side, to: str) -> Iterator[list[Role]]:
    """Each way to a location: a card that leads there, and one with the transport for it."""
    for card in usable_ones(state, side, state.ruleset.catalogue.location_cards(side)):
        means = card.transports_to(to)
        if means and _has_card(state, side, card.id):
            leads = _card(state, side, card.id, leads=True)
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
