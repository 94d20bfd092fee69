"""Forks: two files of one game beside each other, and the evidence that a player signed twice.

docs/protocol.md, Records. `pbem.savefile.save_file` reads and writes it.
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


class NoFork(AcresError):
    """Two records that do not prove that their author played twice from one position.

    `rule` is what the evidence breaks.
    """

    exit_status = 1

    def __init__(self, what: Phrase, /, rule: Rule, **facts: object) -> None:
        super().__init__(what, **facts)
        self.rule = rule


@dataclass(frozen=True)
class Evidence:
    """Two records that one key signed after the same record.

    `key` is the author's public key.
    """

    key: bytes
    records: tuple[Record, Record]

    @property
    def index(self) -> int:
        """The number that both records have."""
        return self.records[0].index

    def check(self) -> None:
        """Check with nothing but the key that this is a fork; raises NoFork, which says why not."""
        one, two = self.records
        if one.index != two.index:
            raise NoFork(
                "This is no fork: the two records have different numbers, {one} and {two}.",
                Rule.FORK_INDEX,
                one=one.index,
                two=two.index,
            )
        if one.index == 0:
            raise NoFork(
                "This is no fork: both records are invitations, and anybody may begin two games.",
                Rule.FORK_INDEX,
            )
        if one.previous != two.previous:
            raise NoFork(
                "This is no fork: the two records follow different records, perhaps of two games.",
                Rule.FORK_PREVIOUS,
            )
        if one.hash == two.hash:
            raise NoFork("This is no fork: both are the same record.", Rule.FORK_HASHES)
        if not (one.verify(self.key) and two.verify(self.key)):
            raise NoFork(
                "This proves nothing: the two signatures are not both by the key that is named. "
                "The file was changed, or nobody signed this.",
                Rule.FORK_SIGNATURES,
            )


class Relation(Enum):
    """How two files stand to each other."""

    SAME = "same"
    CONTINUED = "continued"
    FORK = "fork"
    TWO_GUESTS = "two guests"
    TWO_GAMES = "two games"


class Comparison(NamedTuple):
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
