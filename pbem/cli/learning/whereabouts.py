"""Where the copies of a card are, as far as one may know."""

from __future__ import annotations

from engine.sides import Side
from engine.state import State

IN_HAND = "in hand"


def whereabouts(state: State, side: Side, card: str) -> dict[str, int]:
    """Where the copies are that `side` owns, each place with their number, in this view of a game.

    What lies face down is told as one place, so that nothing is given away.
    """
    player = state.players[side]
    found = {
        IN_HAND: player.hand.count(card),
        "in the reserve": player.reserve.count(card),
        "on the discard pile": player.discard.count(card),
        _face_down(state, side): sum(epoch.count(card) for epoch in player.unseen),
    }
    for siege in state.sieges.values():
        place = state.ruleset.catalogue.names[siege.location]
        found[f"at the siege of {place}"] = siege.cards[side].count(card)
    if state.awaiting.side is side and state.awaiting.card == card:
        found["just played"] = 1
    return {place: number for place, number in found.items() if number}


def _face_down(state: State, side: Side) -> str:
    player = state.players[side]
    if not player.hidden:
        return "in the draw pile"
    return "in the draw pile or face down in hand" if player.draw_pile else "face down in hand"


def available(state: State, side: Side, card: str) -> int:
    """How many copies `side` could still gain: by settling, or by drafting."""
    player = state.players[side]
    if state.ruleset.card(side, card).location:
        return int(card in player.locations)
    return player.empire.get(card, 0) + state.neutral.get(card, 0)
