"""The arithmetic of sieges, and what becomes of one when it ends.

The orders that open, reinforce and give up sieges are in `engine.actions.sieges`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.events import (
    Captured,
    CardLost,
    CardsCameBack,
    SiegeRelieved,
    SiegeStands,
    SiegeWon,
)
from engine.sides import Side
from engine.state import State

BESIEGER_WINS_AT = 2
DEFENDER_WINS_AT = -1


# --- strength


def defence(state: State, location: str) -> int:
    """The strength a location has without any card: 1, its own defence, 2 if fortified."""
    settlement = state.board.get(location)
    walls = 2 if settlement and settlement.fortified else 0
    return 1 + state.ruleset.catalogue.locations[location].defence + walls


def card_strengths(state: State, side: Side, location: str) -> Mapping[str, int]:
    """What each card of a side adds in a siege there: military or ship symbol (ruling 6)."""
    catalogue = state.ruleset.catalogue
    defends, ships = state.owner(location) is side, catalogue.locations[location].ships_in_siege
    return catalogue.siege_strengths[side, defends, ships]


def card_strength(state: State, side: Side, card: str, location: str) -> int:
    """What a card adds in a siege: military or ship symbol, never both (ruling 6)."""
    return card_strengths(state, side, location)[card]


def siege_strength(state: State, besieger: Side) -> int:
    """The siege marker: positive for the besieger, negative for the defender (ruling 5).

    All cards there count, except what went beyond the end of the track.
    """
    siege = state.sieges[besieger]
    strength = -defence(state, siege.location) - siege.beyond
    for side, sign in ((besieger, 1), (besieger.opponent, -1)):
        if cards := siege.cards[side]:
            added = card_strengths(state, side, siege.location)
            strength += sign * sum([added[card] for card in cards])
    return strength


def standing_winner(state: State, besieger: Side) -> Side | None:
    """Who would win a siege if it were checked now; None while it is undecided."""
    strength = siege_strength(state, besieger)
    if strength >= BESIEGER_WINS_AT:
        return besieger
    return besieger.opponent if strength <= DEFENDER_WINS_AT else None


def move_marker(state: State, besieger: Side) -> None:
    """Keep the marker on its track after the cards of a siege have changed, and report it."""
    siege, end = state.sieges[besieger], state.ruleset.siege_track
    if end:
        siege.beyond += max(0, siege_strength(state, besieger) - end)
    state.tell(SiegeStands(besieger, siege.location, siege_strength(state, besieger)))


# --- the end of a siege


def losable(state: State, side: Side, besieger: Side) -> list[str]:
    """The kinds of card that `side` could give back for losing a siege (ruling 3)."""
    cards = set(state.sieges[besieger].cards[side])
    return sorted(card for card in cards if not state.ruleset.card(side, card).location)


def end_siege(state: State, besieger: Side, loser: Side | None, cost: str | None) -> None:
    """Remove a siege: `cost` goes back to the loser's available cards, the rest are discarded."""
    siege = state.sieges.pop(besieger)
    if cost is not None and loser is not None:
        siege.cards[loser].remove(cost)
        state.give_back(loser, cost)
        state.tell(CardLost(loser, siege.location, cost))
    for side, cards in siege.cards.items():
        if cards:
            state.discard(side, cards)
            state.tell(CardsCameBack(side, siege.location, tuple(sorted(cards))))


def capture(state: State, side: Side, location: str) -> None:
    """Take the piece of a location that was won; any fortification disc goes back to stock."""
    is_town = state.board[location].town
    points = state.keep_captured(side, town=is_town)
    state.place(location, None)
    state.tell(Captured(side, location, is_town, points))


def win_siege(state: State, besieger: Side) -> None:
    """End a siege that its besieger has won: the piece is captured, the location neutral."""
    siege = state.sieges[besieger]
    state.tell(SiegeWon(besieger, siege.location))
    capture(state, besieger, siege.location)
    end_siege(state, besieger, besieger.opponent, siege.cost)
    state.siege_resolved = True


def relieve(state: State, defender: Side) -> None:
    """End a siege that its defender has won."""
    besieger = defender.opponent
    siege = state.sieges[besieger]
    state.tell(SiegeRelieved(defender, siege.location))
    end_siege(state, besieger, besieger, siege.cost)
    state.siege_resolved = True
