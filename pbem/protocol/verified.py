"""What of a chain this program has verified before, and need not verify again.

Signatures and openings take by far most of the time in which a file is read, and never change. A
record that was verified is known again by its hash and its signature: the hash covers all that it
says and, link by link, every record before it, and so the keys, the commitments and the grants
against which it was verified. Everything else is replayed, from the start or from a `Bookmark`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import NamedTuple, TypeAlias

from pbem.protocol.bookmark import Bookmark
from pbem.protocol.record import Record

CHECKS = 1
"""Of the checks that are left out for a verified record: to be raised whenever they change.

What was verified by other checks is verified anew.
"""


class Verified(NamedTuple):
    """A record whose signature and openings have been verified: 32 and 64 bytes."""

    hash: bytes
    signature: bytes

    @classmethod
    def of(cls, record: Record) -> Verified:
        """By what a record is known again."""
        return cls(record.hash, record.signature)


class Known(NamedTuple):
    """What is known of a game before its file is read: its verified records, and bookmarks in it.

    Bookmarks are for whoever goes on from there; without one everything is replayed.
    """

    verified: Container[Verified] = ()
    bookmarks: Sequence[Bookmark] = ()


class _All(Container[Verified]):
    """Records that are verified, whichever."""

    def __contains__(self, record: object) -> bool:
        return True


ALL_VERIFIED = _All()
"""For who replays again what was replayed before."""


KnownOf: TypeAlias = Callable[[bytes], Known]
"""What is known of a game, by its id."""


def nothing_known(game: bytes) -> Known:
    """What is known of any game to whoever has verified none."""
    return Known()
