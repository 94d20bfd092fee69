"""How a card or a location stands in a position, as its viewer may know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine import game
from engine.actions.action import idle
from engine.geography import raid_distances, supplied
from engine.scoring import score
from engine.sides import Side
from engine.sieges import BESIEGER_WINS_AT, defence
from engine.state import State
from engine.ways import CHOOSING, Ways
from pbem.cli.learning.index import OwnedCard
from pbem.cli.learning.present import Present
from pbem.cli.learning.whereabouts import available, whereabouts
from pbem.cli.supposing import in_own_turn
from pbem.cli.words import counted

if TYPE_CHECKING:
    from engine.catalogue import Location


def card_told(owned: OwnedCard, present: Present) -> list[str]:
    """Where the copies of a card are, whether it can be used, and what can be done with it."""
    state, viewer, card = present.state, present.viewer, owned.card
    sides = sorted(owned.sides, key=lambda side: side is not viewer)
    lines = [f"{side.label}: {_copies(state, side, card.id)}" for side in sides]
    left = available(state, sides[0], card.id)
    if card.location is None:
        lines.append(f"to draft: {left or 'none'}")
    elif left:
        lines.append("It is to be gained by settling the location.")
    if card.location is not None:
        lines += _usable(state, sides[0], card.id)
    if viewer in owned.sides and viewer is not None:
        lines += _orders_with(state, viewer, card.id)
    return lines


def _copies(state: State, side: Side, card: str) -> str:
    places = whereabouts(state, side, card)
    return ", ".join(f"{number} {place}" for place, number in places.items()) or "none"


def _usable(state: State, side: Side, card: str) -> Iterator[str]:
    reasons = [objection.reason for objection in idle(state, side, card)]
    if not reasons:
        yield f"The {side.label} may use it."
    elif state.owner(card) is not side:
        yield f"The {side.label} do not control the location, so the card is idle."
    elif state.besieger(card) is not None:
        yield "The location is under siege, so the card is idle."
    else:
        yield "The location has no supply from home, so the card is idle."


def _orders_with(state: State, side: Side, card: str) -> Iterator[str]:
    """What a card in hand serves for in a turn of its owner."""
    if card not in state.players[side].hand or state.outcome is not None:
        return
    own = in_own_turn(state, side)
    # Some cards are played without being named: a Governor, the card of what is developed.
    verbs = Counter(o.words() for o in Ways([own]).some() if card in game.plays(own, o))
    many = {kind.words() for kind in CHOOSING}
    told = [verb if verb in many else f"{verb} ({counted(n, 'way')})" for verb, n in verbs.items()]
    yield f"In your hand it serves to: {', '.join(told)}."


def location_told(place: Location, present: Present) -> list[str]:
    """Who holds a location, how it is supplied and defended, and who can reach it."""
    return [*_held(place, present), *_defended(place, present), *_reached(place, present)]


def _held(place: Location, present: Present) -> Iterator[str]:
    state = present.state
    settlement = state.board.get(place.id)
    if settlement is None:
        yield "It is nobody's."
        return
    owner = settlement.owner
    piece = "town" if settlement.town else "village"
    fort = " with a fortification" if settlement.fortified else ""
    points = score(state, owner).locations[place.id]
    counts = f", which counts {counted(points, 'point')}" if points else ""
    yield f"A {owner.label} {piece}{fort} stands there{counts}."
    if place.id not in supplied(state, owner):
        yield f"It has no supply from the {owner.label} home."


def _defended(place: Location, present: Present) -> Iterator[str]:
    state = present.state
    besieger = state.besieger(place.id)
    if besieger is not None:
        yield f"The {besieger.label} besiege it: see the topic siege."
    elif place.id in state.board:
        needed = defence(state, place.id) + BESIEGER_WINS_AT
        yield f"A siege of it is won with {needed} strength more than the defender's cards have."


def _reached(place: Location, present: Present) -> Iterator[str]:
    state = present.state
    for side in present.sides:
        if state.owner(place.id) is not side:
            distance = raid_distances(state, side).get(place.id)
            away = "out of reach" if distance is None else f"{counted(distance, 'connection')} away"
            yield f"{side.label} raids: {away}"
        if place.id in state.ruleset.catalogue.cards[side]:
            there = _copies(state, side, place.id)
            gained = "to be gained by settling" if available(state, side, place.id) else there
            yield f"{side.label} card: {gained}"
