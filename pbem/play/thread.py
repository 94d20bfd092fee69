"""The thread of a game: how its letters are named, and which they follow.

The names come from the records alone, so that both players give a letter the same name whenever
they make it: mail programs hold the game together, and see that a letter which comes twice is one.
Anybody can give a letter such a name: it decides nothing.
"""

from __future__ import annotations

import re

from pbem.protocol.match import Match
from pbem.protocol.record import Record

DOMAIN = "acres.invalid"
"""Nobody's, for good (RFC 2606): a player's own would say where the letter was made."""
MOST_BEFORE = 10
"""How many letters are named before one, beside the invitation."""
_NAME = re.compile(r"<([0-9a-f]{8})\.[0-9]{1,6}\.[0-9a-f]{32}@acres\.invalid>")


def games_named_in(text: str) -> list[bytes]:
    """Return how the games begin that the names of letters in a text are of, in their order."""
    return [bytes.fromhex(game) for game in _NAME.findall(text)]


def message_id(game: bytes, record: Record) -> str:
    """Return the Message-ID of the letter with this last record of its file.

    `game` is the id of the game. Names of one place in a game begin alike: `<34de8b95.12.`.
    """
    return f"{place_id(game, record.index)}{record.hash[:16].hex()}@{DOMAIN}>"


def place_id(game: bytes, index: int) -> str:
    """Return how every letter is named whose last record has that index in the game."""
    return f"<{game[:4].hex()}.{index}."


def references(match: Match) -> list[str]:
    """Return the letters that one with this match follows, from the invitation to the answered."""
    *before, _ = match.records
    named = before[:1] + before[1:][-MOST_BEFORE:]
    return [message_id(match.id, record) for record in named]
