"""Expansive actions: settle, develop, fortify."""

from __future__ import annotations

from collections.abc import Iterator

from engine import ruleset as rules
from engine.actions.action import (
    Action,
    IllegalOrder,
    distinct_hand,
    forbid,
    name,
    printed,
    verify_symbol,
    verify_usable,
    with_symbol,
)
from engine.endings import settled
from engine.geography import usable
from engine.orders import Develop, Fortify, Settle
from engine.sides import Side
from engine.state import Settlement, State


def routes(state: State, side: Side, destinations: set[str]) -> Iterator[tuple[str, str, str]]:
    """The (destination, connecting card, transport card) that the known hand could play."""
    hand = distinct_hand(state, side)
    held = state.players[side].hand
    for connection in hand:
        card = printed(state, side, connection)
        if not card.location or not usable(state, side, connection):
            continue
        for destination in sorted(destinations):
            means = card.transports_to(destination)
            for transport in hand if means else ():
                if transport == connection and held.count(transport) < 2:
                    continue
                if means & printed(state, side, transport).symbols:
                    yield destination, connection, transport


def verify_route(state: State, side: Side, to: str, connection: str, transport: str) -> None:
    """Raise IllegalOrder unless the two cards lead to a location."""
    card = printed(state, side, connection)
    means = card.transports_to(to)
    forbid(not means, f"{card.name} has no connection to {name(state, to)} printed on it.")
    verify_usable(state, side, connection)
    needed = " or ".join(sorted(means))
    lacking = not means & printed(state, side, transport).symbols
    forbid(
        lacking,
        f"{card.name} reaches {name(state, to)} by {needed}; "
        f"{name(state, transport)} has no {needed} symbol.",
    )
    verify_usable(state, side, transport)


class SettleAction(Action[Settle]):
    """Place a village in a neutral location and gain its card.

    Also regains the card of a controlled location that was given away; no piece is placed then
    (ruling 10).
    """

    def candidates(self, state: State, side: Side) -> Iterator[Settle]:
        """Every route in hand to a location that is neutral or lacks its card, with settlers."""
        locations = state.ruleset.catalogue.locations
        open_to = {p for p in locations if p not in state.board or self._regains(state, side, p)}
        for to, connection, transport in routes(state, side, open_to):
            if not locations[to].settler:
                yield Settle(to, (connection, transport))
                continue
            for settler in with_symbol(state, side, "settler"):
                yield Settle(to, (connection, transport, settler))

    def verify(self, state: State, side: Side, order: Settle) -> None:
        """Raise IllegalOrder unless the location is open and the cards lead there."""
        to = order.place
        place = state.ruleset.catalogue.locations[to]
        owner = state.owner(to)
        if owner is side:
            forbid(not self._regains(state, side, to), f"{place.name} is yours already.")
        else:
            forbid(owner is not None, f"{place.name} is {side.opponent.label}: besiege or raid it.")
            forbid(state.villages_left(side) < 1, "You have no village left to place.")
        verify_route(state, side, to, order.cards[0], order.cards[1])
        settlers = order.cards[2:]
        forbid(place.settler and not settlers, f"{place.name} needs a settler card too.")
        forbid(bool(settlers) and not place.settler, f"{place.name} needs no settler card.")
        for settler in settlers:
            verify_symbol(state, side, settler, "settler")

    def perform(self, state: State, side: Side, order: Settle) -> None:
        """Play the cards, place the village, gain the card."""
        state.play(side, order.cards)
        settle(state, side, order.place)

    @staticmethod
    def _regains(state: State, side: Side, location: str) -> bool:
        return state.owner(location) is side and location in state.players[side].locations


def settle(state: State, side: Side, location: str) -> None:
    """Place a village of `side` where none stands, and gain the card of the location.

    Some villages win the game, where the rules say so.
    """
    if location not in state.board:
        state.place(location, Settlement(side))
        state.tell("settled", side, location)
        state.outcome = settled(state, side, location)
    state.gain_location_card(side, location)


class DevelopAction(Action[Develop]):
    """Turn a village into a town."""

    def plays(self, state: State, side: Side, order: Develop) -> tuple[str, ...]:
        """The location's own card and the settler card."""
        return (order.place, *order.cards)

    def candidates(self, state: State, side: Side) -> Iterator[Develop]:
        """Every location card in hand with every settler card."""
        for place in distinct_hand(state, side):
            if place in state.board:
                for settler in with_symbol(state, side, "settler"):
                    yield Develop(place, (settler,))

    def verify(self, state: State, side: Side, order: Develop) -> None:
        """Raise IllegalOrder unless a village worth points stands there and a town is left."""
        verify_own(state, side, order.place)
        place = state.ruleset.catalogue.locations[order.place]
        forbid(state.board[place.id].town, f"{place.name} is a town already.")
        forbid(place.victory_points < 1, f"{place.name} has no victory points to double.")
        forbid(state.towns_left(side) < 1, "You have no town disc left to place.")
        verify_usable(state, side, place.id)
        verify_symbol(state, side, order.cards[0], "settler")

    def perform(self, state: State, side: Side, order: Develop) -> None:
        """Play the cards; the village goes back to stock and a town takes its place."""
        state.play(side, self.plays(state, side, order))
        village = state.board[order.place]
        state.place(order.place, village._replace(town=True))
        state.tell("developed", side, order.place)


class FortifyAction(Action[Fortify]):
    """Place a fortification disc under a village or town."""

    def plays(self, state: State, side: Side, order: Fortify) -> tuple[str, ...]:
        """The location's own card and the fortification card."""
        return (order.place, *order.cards)

    def cost(self, state: State, side: Side, order: Fortify) -> int:
        """The price of a disc."""
        return rules.FORTIFY_COST

    def candidates(self, state: State, side: Side) -> Iterator[Fortify]:
        """Every location card in hand with every fortification card."""
        hand = distinct_hand(state, side)
        walls = [card for card in hand if printed(state, side, card).military_defending]
        for place in hand:
            if place in state.board:
                for card in walls:
                    yield Fortify(place, (card,))

    def verify(self, state: State, side: Side, order: Fortify) -> None:
        """Raise IllegalOrder unless the location is own and in supply, and a disc is left."""
        verify_own(state, side, order.place)
        place = state.ruleset.catalogue.locations[order.place]
        forbid(state.board[place.id].fortified, f"{place.name} is fortified already.")
        forbid(state.fortifications_left() < 1, "No fortification disc is left.")
        verify_usable(state, side, place.id)
        card = printed(state, side, order.cards[0])
        forbid(not card.military_defending, f"{card.name} is no fortification card.")

    def perform(self, state: State, side: Side, order: Fortify) -> None:
        """Play the cards and place the disc."""
        state.play(side, self.plays(state, side, order))
        state.place(order.place, state.board[order.place]._replace(fortified=True))
        state.tell("fortified", side, order.place)


def verify_own(state: State, side: Side, location: str) -> None:
    """Raise IllegalOrder unless `side` controls the location."""
    if state.owner(location) is not side:
        raise IllegalOrder(f"You do not control {name(state, location)}.")
