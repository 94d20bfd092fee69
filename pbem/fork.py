"""Forks: two files of one game beside each other, and the evidence that a player signed twice.

docs/protocol.md, Records; docs/save-format.md, Evidence of a fork.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from language import mark, phrase
from pbem.chain import author_key
from pbem.document import Kind
from pbem.encoding import Plain, encode_bytes
from pbem.errors import AcresError, Unreadable
from pbem.layout import lay_out
from pbem.record import Record
from pbem.savefile import read_records
from pbem.schema import Bytes

FORMAT = "acres-fork"

_KIND = Kind(FORMAT, 1, mark("an evidence file"), frozenset({"format", "version", "key", "record"}))
_KEY = Bytes(32)


class NoFork(AcresError):
    """Two records that do not prove that their author played twice from one position."""

    exit_status = 1


@dataclass(frozen=True)
class Evidence:
    """Two records that one key signed after one and the same record.

    `key` is the author's public key. What `read` returns has the right form and is not checked.
    """

    key: bytes
    records: tuple[Record, Record]

    @classmethod
    def read(cls, data: bytes) -> Evidence:
        """Read an evidence file. Raises Unreadable, which says what is wrong, for anything else."""
        document = _KIND.read(data)
        plain = document.get("record")
        if not isinstance(plain, list) or len(plain) != 2:
            raise Unreadable(phrase("Evidence of a fork has two records; this file has not."))
        one, two = read_records(plain)
        try:
            key = _KEY.read(document.get("key"))
        except ValueError as error:
            # Translators: {problem} is such as “must be 32 bytes in base64url”.
            told = phrase(
                "The key of the evidence cannot be read: it {problem}.", problem=str(error)
            )
            raise Unreadable(told) from None
        return cls(key, (one, two))

    def write(self) -> bytes:
        """The one way in which this program lays the evidence out, whichever record came first."""
        document: dict[str, Plain] = {
            "format": FORMAT,
            "version": _KIND.version,
            "key": encode_bytes(self.key),
            "record": [r.to_plain() for r in sorted(self.records, key=lambda r: r.hash)],
        }
        return lay_out(document).encode("ascii")

    @property
    def index(self) -> int:
        """The number that both records have."""
        return self.records[0].index

    def check(self) -> None:
        """Check with nothing but the key that this is a fork; raises NoFork, which says why not."""
        one, two = self.records
        if one.index != two.index:
            raise NoFork(
                phrase(
                    "This is no fork: the two records have different numbers, {one} and {two}.",
                    one=one.index,
                    two=two.index,
                )
            )
        if one.index == 0:
            raise NoFork(
                phrase(
                    "This is no fork: both records are invitations, and anybody may begin two "
                    "games."
                )
            )
        if one.previous != two.previous:
            raise NoFork(
                phrase(
                    "This is no fork: the two records follow different records, perhaps of two "
                    "games."
                )
            )
        if one.hash == two.hash:
            raise NoFork(phrase("This is no fork: both times it is the same record."))
        if not (one.verify(self.key) and two.verify(self.key)):
            raise NoFork(
                phrase(
                    "This proves nothing: the signatures are not both by the key that is named. "
                    "The file was changed, or nobody signed this."
                )
            )


class Relation(Enum):
    """How two files stand to each other."""

    SAME = "same"
    CONTINUED = "continued"
    FORK = "fork"
    TWO_GUESTS = "two guests"
    TWO_GAMES = "two games"


@dataclass(frozen=True)
class Comparison:
    """Two chains beside each other: the first `common` records are the same in both.

    `evidence` is there if, and only if, they are a fork.
    """

    relation: Relation
    common: int
    evidence: Evidence | None = None


def compare(one: Sequence[Record], two: Sequence[Record]) -> Comparison:
    """Compare two chains, of at least one record, that a match has accepted.

    It is the hash that tells records apart: two signatures of one hash are one record.
    """
    if one[0].hash != two[0].hash:
        return Comparison(Relation.TWO_GAMES, 0)
    shorter = min(len(one), len(two))
    common = next((n for n in range(shorter) if one[n].hash != two[n].hash), shorter)
    if common == shorter:
        same = len(one) == len(two)
        return Comparison(Relation.SAME if same else Relation.CONTINUED, common)
    key = author_key(one[common], one)
    if key != author_key(two[common], two):
        return Comparison(Relation.TWO_GUESTS, common)
    evidence = Evidence(key, (one[common], two[common]))
    evidence.check()
    return Comparison(Relation.FORK, common, evidence)
