"""Looking back: positions and hands as they were, for whoever has a game secret.

docs/protocol.md, The close.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.sides import Side
from engine.state import Slot, State
from pbem.errors import WrongUse
from pbem.hand import Cards
from pbem.match import Match


class Held(NamedTuple):
    """What lay in a hand: the cards that everybody knew, and the slots of the others."""

    known: tuple[str, ...]
    hidden: tuple[Slot, ...]


def held(match: Match) -> dict[Side, Held]:
    """What lies in both hands after the last record; empty before the cards are laid out."""
    if not match.is_joined:
        return {}
    players = match.state.players
    return {
        side: Held(tuple(sorted(players[side].hand)), tuple(sorted(players[side].hidden)))
        for side in Side
    }


def match_at(match: Match, index: int) -> Match:
    """The match as it was after a record; raises WrongUse where there is no such record."""
    last = len(match.records) - 1
    if not 0 <= index <= last:
        numbers = f"records 0 to {last}" if last else "record 0 only"
        raise WrongUse(f"There is no record {index} in this file: it has {numbers}.")
    return Match.replay(match.records[: index + 1])


class Hindsight:
    """The hidden cards of the sides whose game `secrets` are known, at any record of a match.

    Those of a match that has been closed are in `match.secrets`.
    """

    def __init__(self, match: Match, secrets: Mapping[Side, bytes]) -> None:
        self._cards = {side: Cards(match, side, secret) for side, secret in secrets.items()}

    def hand(self, side: Side, held: Held) -> list[str] | None:
        """The whole hand of a side, sorted; None without its game secret."""
        if side not in self._cards:
            return None
        return sorted([*held.known, *self._cards[side].names(held.hidden)])

    def view(self, match: Match) -> State:
        """The position of an earlier match, with all hands known that can be."""
        state = match.state.copy()
        for cards in self._cards.values():
            cards.reveal(state)
        return state
