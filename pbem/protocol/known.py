"""What this program has verified or replayed of a chain before, and need not do again.

Signatures and openings take by far most of the time of reading a file, and never change. A record
that was verified is recognized by its hash and its signature: the hash covers all that it says and,
link by link, every record before it, and so the keys, the commitments and the grants against which
it was verified. Everything else is replayed, from the start or from a `Snapshot`.

docs/protocol.md, What a player's program has to take care of: Remember what you verified.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import NamedTuple, TypeAlias

from pbem.protocol.cache import Snapshot
from pbem.protocol.record import Record

CHECKS = 1
"""The version of the checks skipped for a verified record: raise it whenever they change. What was
verified with other checks is verified again.
"""


class Verified(NamedTuple):
    """A record whose signature and openings have been verified: 32 and 64 bytes."""

    hash: bytes
    signature: bytes

    @classmethod
    def of(cls, record: Record) -> Verified:
        """What a record is recognized by."""
        return cls(record.hash, record.signature)


class Known(NamedTuple):
    """What is known of a game before its file is read: its verified records, and snapshots of it.

    Without a snapshot everything is replayed.
    """

    verified: Container[Verified] = ()
    snapshots: Sequence[Snapshot] = ()


class _All(Container[Verified]):
    """Records that are verified, whichever."""

    def __contains__(self, record: object) -> bool:
        return True


ALL_VERIFIED = _All()
"""For who replays again what was replayed before."""


KnownOf: TypeAlias = Callable[[bytes], Known]
"""What is known of a game, by its id."""


def nothing_known(game: bytes) -> Known:
    """What is known of any game if none was verified."""
    return Known()
