"""What of a chain this program has verified before, and need not verify again.

Signatures and openings take by far most of the time in which a file is read, and never change. A
record that was verified is known again by its hash and its signature: the hash covers all that it
says and, link by link, every record before it, and so the keys, the commitments and the grants
against which it was verified. Everything else is replayed each time.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
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


Known: TypeAlias = "Container[Verified]"
"""The records that are known to be verified."""


def nothing_known(game: bytes) -> Known:
    """What is known of any game to whoever has verified none."""
    return ()
