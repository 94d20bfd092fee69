"""The rows of a club's audit: games with their verdicts, evidence of forks, and unreadable files.

`pbem.club.reading` makes them from files. They are values: pickled between processes, and kept in
the cache of verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from engine.message import Phrase
from engine.sides import Side
from engine.state import EndReason
from pbem.protocol.cache import register


class Verdict(StrEnum):
    """The verdict on a game.

    - `honest`: everything in its newest file is proved.
    - `cheated`: a player signed a record that breaks a rule.
    - `forked`: a player signed two different records after one record.
    - `damaged`: no file of it verifies to its end, and nobody is accused.
    """

    HONEST = "honest"
    CHEATED = "cheated"
    FORKED = "forked"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class ClubPlayer:
    """A player of a game: the public key, 32 bytes, and the name, which anybody can choose."""

    key: bytes
    name: str


@dataclass(frozen=True)
class Result:
    """The end of a game by the rules: there is always a winner.

    `by` is the kind of end (`EndReason.RESIGNING` for a resignation), `cause` the reason as a
    clause, `points` the victory points of both sides.
    """

    winner: Side
    by: EndReason
    cause: Phrase
    points: Mapping[Side, int]


@dataclass(frozen=True)
class Accusation:
    """A proof that the owner of `key` cheated with the record at `index`.

    `rule` is the number of the broken rule, such as R-7.1, and `sentence` says how. A fork has no
    rule, but the bytes of its evidence file.
    """

    key: bytes
    index: int
    rule: str
    sentence: Phrase
    evidence: bytes = b""


@dataclass(frozen=True)
class Owed:
    """A file that is due: `due` is join, play, opening or close.

    `side` is None if an open invitation awaits a guest. `since` is the signed time of the last
    record.
    """

    side: Side | None
    since: str
    due: str


@dataclass(frozen=True)
class Missing:
    """A record newer than all files of its game that verify: its `index`, and the `file` with it.

    That file is damaged, or a message that answers the missing one. It proves nothing, because
    anybody can write it, but it is a reason to ask for the newer file.
    """

    index: int
    file: str


@dataclass(frozen=True)
class UnreadableFile:
    """A file that cannot be read or does not verify, with the reason in words.

    `game` is the id of its game, 32 bytes, if that is known.
    """

    name: str
    reason: Phrase
    game: bytes | None = None


@dataclass(frozen=True)
class ForkEvidence:
    """Valid evidence that the owner of `key` signed two records, in a game that has no file here.

    `index` is the index of both records, and `data` the evidence file.
    """

    name: str
    key: bytes
    index: int
    data: bytes


@dataclass(frozen=True)
class ClubGame:
    """A game of a club, as its files prove it.

    - `id`: the hash of the invitation, 32 bytes. Two guests may accept one open invitation: these
      are two games with one id (see `unique_id`).
    - `inviter`: the player who invited. `players`: the players by side; empty or incomplete before
      both have entered.
    - `edition`, `house_rules` (sorted ids), `home_support`, `lists`: the options of the invitation.
    - `records`: the number of records that verify; the newest has the index `records - 1`.
    - `turns`: the number of turns taken by each side.
    - `first`, `last`: the signed times of the first and the last record, which their authors claim.
      They may be in the future.
    - `result`: the end by the rules, or None. `closed`: the sides that have closed the game.
    - `accusations`: the proofs that a player cheated.
    - `owed`: the file that is due, or None after the last one.
    - `missing`: a newer record that no file here has, or None.
    - `files`: the names of all its files, the newest first. `unreadable`: files of this game that
      cannot be read or do not verify.
    - `hashes`: the first 8 bytes of the hashes of all records, in one string.
    """

    id: bytes
    inviter: ClubPlayer
    players: Mapping[Side, ClubPlayer]
    edition: str
    house_rules: tuple[str, ...]
    home_support: str
    lists: int
    records: int
    turns: Mapping[Side, int]
    first: str
    last: str
    result: Result | None
    closed: tuple[Side, ...]
    verdict: Verdict
    accusations: tuple[Accusation, ...]
    owed: Owed | None
    missing: Missing | None = None
    files: tuple[str, ...] = ()
    unreadable: tuple[UnreadableFile, ...] = ()
    hashes: bytes = field(default=b"", repr=False)

    @property
    def unique_id(self) -> str:
        """The id in hexadecimal digits, with the beginning of the guest's key after a hyphen."""
        keys = [who.key for who in self.players.values() if who.key != self.inviter.key]
        return "-".join([self.id.hex(), *(key.hex()[:16] for key in keys)])

    @property
    def is_provisional(self) -> bool:
        """True if the game is over and a side has not closed it yet."""
        return self.result is not None and len(self.closed) < len(Side)

    def side_of(self, key: bytes) -> Side | None:
        """Return the side of the owner of `key`, or None."""
        return next((side for side, who in self.players.items() if who.key == key), None)


Row: TypeAlias = ClubGame | ForkEvidence | UnreadableFile
_KEPT = (Verdict, ClubPlayer, Result, Accusation, Owed, Missing, UnreadableFile, ClubGame)
register(*_KEPT)
