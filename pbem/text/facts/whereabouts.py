"""Where the copies of a card are, as far as one may know."""

from __future__ import annotations

from engine.message import Message, Said, commas, sentences
from engine.sides import Side
from engine.state import State


def whereabouts(state: State, side: Side, card: str) -> dict[Message, int]:
    """Where the copies are that `side` owns, each place with their number, in this view of a game.

    What lies face down is told as one place, so that nothing is given away.
    """
    in_hand = state.players[side].hand.count(card)
    found = {Message("in hand"): in_hand} if in_hand else {}
    return found | elsewhere(state, side, card)


def elsewhere(state: State, side: Side, card: str) -> dict[Message, int]:
    """The same of those that are not among the cards in hand which this view shows."""
    player = state.players[side]
    found = {
        Message("in the reserve"): player.reserve.count(card),
        Message("in the discard pile"): player.discard.count(card),
        _face_down(state, side): sum(epoch.count(card) for epoch in player.unseen),
    }
    for siege in state.sieges.values():
        place = state.ruleset.catalogue.name_of(siege.location)
        found[Message("at the siege of {place}", place=place)] = siege.cards[side].count(card)
    if state.awaiting.side is side and state.awaiting.card == card:
        found[Message("just played")] = 1
    return {place: number for place, number in found.items() if number}


def copies_told(places: dict[Message, int], without: Said) -> Said:
    """The copies in their places: `1 in hand, 2 in the discard pile`; else `without`."""
    return commas(sentences(str(number), place) for place, number in places.items()) or without


def _face_down(state: State, side: Side) -> Message:
    player = state.players[side]
    if not player.hidden:
        return Message("in the draw pile")
    if player.draw_pile:
        return Message("in the draw pile or face down in hand")
    return Message("face down in hand")


def available(state: State, side: Side, card: str) -> int:
    """How many copies `side` could still gain: by settling, or by drafting."""
    player = state.players[side]
    if state.ruleset.card(side, card).location:
        return int(card in player.locations)
    return player.empire.get(card, 0) + state.neutral.get(card, 0)
