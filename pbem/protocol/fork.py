"""Forks: the comparison of two files of one game, and the evidence that a player signed twice.

See docs/protocol.md, Records; docs/save-format.md, Evidence of a fork. `pbem.savefile.save_file`
reads and writes the evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.message import Phrase
from pbem.errors import AcresError
from pbem.errors.rule import Rule
from pbem.protocol.record import Record, author_key


class NoForkError(AcresError):
    """Raised if two records are not a fork; `rule` is the rule of R-11 that is broken."""

    exit_status = 1

    def __init__(self, reason: Phrase, /, rule: Rule, **facts: object) -> None:
        super().__init__(reason, **facts)
        self.rule = rule


@dataclass(frozen=True)
class Evidence:
    """Two different records that one key, 32 bytes, signed after the same record.

    See docs/save-format.md, Evidence of a fork.
    """

    key: bytes
    records: tuple[Record, Record]

    @property
    def index(self) -> int:
        """The index of both records."""
        return self.records[0].index

    def check(self) -> None:
        """Raise NoForkError unless this is a fork (R-11.2 to R-11.5); only the key is needed."""
        one, two = self.records
        if one.index != two.index:
            raise NoForkError(
                "This is no fork: the two records have different numbers, {one} and {two}.",
                Rule.FORK_INDEX,
                one=one.index,
                two=two.index,
            )
        if one.index == 0:
            raise NoForkError(
                "This is no fork: both records are invitations, and anybody may begin two games.",
                Rule.FORK_INDEX,
            )
        if one.previous != two.previous:
            raise NoForkError(
                "This is no fork: the two records follow different records, perhaps of two games.",
                Rule.FORK_PREVIOUS,
            )
        if one.hash == two.hash:
            raise NoForkError("This is no fork: both are the same record.", Rule.FORK_HASHES)
        if not (one.verify(self.key) and two.verify(self.key)):
            raise NoForkError(
                "This proves nothing: the two signatures are not both by the key that is named. "
                "The file was changed, or nobody signed this.",
                Rule.FORK_SIGNATURES,
            )


class Relation(Enum):
    """The relation of two files: equal, one longer, a fork, two guests, or two games."""

    SAME = "same"
    CONTINUED = "continued"
    FORK = "fork"
    TWO_GUESTS = "two guests"
    TWO_GAMES = "two games"


class Comparison(NamedTuple):
    """The comparison of two chains, which have their first `common` records in common.

    `evidence` is None unless they are a fork.
    """

    relation: Relation
    common: int
    evidence: Evidence | None = None


def compare(one: Sequence[Record], two: Sequence[Record]) -> Comparison:
    """Compare two valid chains of at least one record each.

    Records are equal if their hashes are: two signatures of one hash are not a fork.

    >>> records = [
    ...     Record(0, "any", b"", time, (), bytes(64))
    ...     for time in ("2026-11-21T10:03:00Z", "2026-11-22T08:00:00Z")
    ... ]
    >>> compare(records[:1], records).relation
    <Relation.CONTINUED: 'continued'>
    >>> compare(records, records[1:]).relation
    <Relation.TWO_GAMES: 'two games'>
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
