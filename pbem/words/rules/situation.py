"""How a card or a location stands in a position, as its viewer may know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine import game
from engine.catalogue import Location
from engine.geography import raid_distances, supplied, why_idle
from engine.message import Message, Said, commas, labelled
from engine.order import Order
from engine.scoring import score
from engine.sides import Side
from engine.siege import BESIEGER_WINS_AT, defence
from engine.state import State
from engine.ways import CHOOSING, Ways
from pbem.view.obstacles import in_own_turn
from pbem.view.whereabouts import available, copies_told, whereabouts
from pbem.words.box import OwnedCard
from pbem.words.phrases import capital, points_counted
from pbem.words.rules.present import Present
from pbem.words.rules.topic import topics
from pbem.words.tables import entry, piece_key


def card_told(owned: OwnedCard, present: Present) -> list[Said]:
    """Where the copies of a card are, whether it can be used, and what can be done with it."""
    state, viewer, card = present.state, present.viewer, owned.card
    sides = sorted(owned.sides, key=lambda side: side is not viewer)
    lines: list[Said] = [
        labelled(capital(side.label), _copies(state, side, card.id)) for side in sides
    ]
    left = available(state, sides[0], card.id)
    if card.location is None:
        lines.append(Message("to draft: {number}", number=left or Message.within("cards", "none")))
    elif left:
        lines.append(Message("You gain it by settling the location."))
    if card.location is not None:
        lines.append(_usable(state, sides[0], card.id))
    if viewer in owned.sides and viewer is not None:
        lines += _orders_with(state, viewer, card.id)
    return lines


def _copies(state: State, side: Side, card: str) -> Said:
    return copies_told(whereabouts(state, side, card), Message.within("cards", "none"))


def _usable(state: State, side: Side, card: str) -> Message:
    reasons = why_idle(state, side, card)
    return entry("usable", reasons[0] if reasons else "usable", side=side.label)


def _orders_with(state: State, side: Side, card: str) -> Iterator[Said]:
    """What a card in hand serves for in a turn of its owner."""
    if card not in state.players[side].hand or state.outcome is not None:
        return
    own = in_own_turn(state, side)
    # Some cards are played without being named: a Governor, the card of what is developed.
    kinds = Counter(type(o) for o in Ways([own]).some() if card in game.plays(own, o))
    told = [
        kind.words() if kind in CHOOSING else _in_so_many_ways(kind, number)
        for kind, number in kinds.items()
    ]
    yield Message("In your hand it can be used for: {verbs}.", verbs=commas(told))


def _in_so_many_ways(kind: type[Order], number: int) -> Message:
    # Translators: what a card serves for, and in how many ways, such as: settle (2 ways).
    return Message.counted(
        "{verb} ({count} way)", "{verb} ({count} ways)", number, verb=kind.words()
    )


def location_told(place: Location, present: Present) -> list[Said]:
    """Who holds a location, how it is supplied and defended, and who can reach it."""
    return [*_held(place, present), *_defended(place, present), *_reached(place, present)]


def _held(place: Location, present: Present) -> Iterator[Said]:
    state = present.state
    settlement = state.board.get(place.id)
    if settlement is None:
        yield Message("It is neutral.")
        return
    owner = settlement.owner
    points = score(state, owner).locations[place.id]
    piece = piece_key(settlement.town, settlement.fortified)
    key = f"{piece}-counting" if points else piece
    yield entry("stands", key, side=owner.label, points=points_counted(points))
    if place.id not in supplied(state, owner):
        yield Message("It has no supply from the {side} home.", side=owner.label)


def _defended(place: Location, present: Present) -> Iterator[Said]:
    state = present.state
    besieger = state.besieger(place.id)
    if besieger is not None:
        yield Message(
            "The {side} besiege it: see the topic {topic}.",
            side=besieger.label,
            topic=topics()["siege"].word,
        )
    elif place.id in state.board:
        needed = defence(state, place.id) + BESIEGER_WINS_AT
        yield Message(
            "To win a siege of it, the besieger's cards need {strength} more strength than the "
            "defender's.",
            strength=needed,
        )


def _reached(place: Location, present: Present) -> Iterator[Said]:
    state = present.state
    for side in present.sides:
        if state.owner(place.id) is not side:
            away = _away(raid_distances(state, side).get(place.id))
            yield Message("{side} raids: {distance}", side=side.label, distance=away)
        if place.id in state.ruleset.catalogue.cards[side]:
            there = _copies(state, side, place.id)
            settling = Message("to be gained by settling")
            gained = settling if available(state, side, place.id) else there
            yield Message("{side} card: {places}", side=side.label, places=gained)


def _away(distance: int | None) -> Message:
    """How far a location is for a raid."""
    if distance is None:
        return Message("out of reach")
    return Message.counted("{count} connection away", "{count} connections away", distance)
