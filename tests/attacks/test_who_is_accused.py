"""A finding names a record and its author; it accuses only whom it proves to have cheated."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pbem.audit import audit
from pbem.errors import NotProved
from pbem.match import Match
from pbem.record import Record
from pbem.savefile import SaveFile
from pbem.steps import Order
from tests.attacks.cheats import resigned
from tests.pbem.playing import any_order, begin, play


def finding_of(records: list[Record]) -> tuple[int, str, bool]:
    with pytest.raises(NotProved) as caught:
        Match.replay(records)
    finding = caught.value.finding
    return finding.record, finding.rule, finding.accuses


def test_a_signature_that_was_damaged_accuses_nobody() -> None:
    """Whoever passes a file on can change a byte of the other's signature."""
    match = play(begin(), any_order(Random(1)), turns=5)
    damaged = replace(match.records[4], signature=bytes(64))
    records = [*match.records[:4], damaged, *match.records[5:]]
    assert finding_of(records) == (4, "signature", False)


def test_a_record_replaced_later_does_not_accuse_who_answered_the_true_one() -> None:
    """A player swaps an own record, properly signed, under the opponent's answer to it."""
    match = play(begin(), any_order(Random(1)), turns=6)
    short = Match.replay(match.records[:-1])
    swapped = resigned(short, replace(short.last, time="2026-11-21T11:00:00Z"))
    swapped.append(match.last)
    assert finding_of(swapped) == (match.last.index, "chain", False)


def test_an_illegal_order_accuses_its_author() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    steps = (*match.last.steps, Order("pass"))
    index, _, accuses = finding_of(resigned(match, replace(match.last, steps=steps)))
    assert (index, accuses) == (match.last.index, True)


def test_the_audit_says_so_too() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    damaged = replace(match.last, signature=bytes(64))
    data = SaveFile((*match.records[:-1], damaged)).write()
    found = audit(data).as_plain()["finding"]
    assert (found["author"], found["accuses"]) == (match.last.side, False)
    with pytest.raises(NotProved, match=f"in the name of {match.last.side}"):
        Match.replay([*match.records[:-1], damaged])
