"""A finding names a record and its author; it accuses only whom it proves to have cheated."""

from __future__ import annotations

from random import Random

import pytest

from engine.sides import Side
from pbem.errors import NotProved
from pbem.play.audit import audit
from pbem.play.next_record import NextRecord
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import OrderStep
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.audit_facts import audit_facts
from tests.attacks.cheats import after, refused, resigned
from tests.play.playing import TIME, any_order, begin, play, seat_to_write
from tests.signing import end


def finding_of(records: list[Record]) -> tuple[int, str, bool]:
    with pytest.raises(NotProved) as caught:
        Match.replay(records)
    finding = caught.value.finding
    return finding.record, finding.rule.topic, finding.accuses


def test_a_signature_that_was_damaged_accuses_nobody() -> None:
    """Whoever passes a file on can change a byte of the other's signature."""
    match = play(begin(), any_order(Random(1)), turns=5)
    damaged = match.records[4]._replace(signature=bytes(64))
    records = [*match.records[:4], damaged, *match.records[5:]]
    assert finding_of(records) == (4, "signature", False)


def test_a_record_replaced_later_does_not_accuse_who_answered_the_true_one() -> None:
    """A player swaps their own record, properly signed, under the opponent's answer to it."""
    match = play(begin(), any_order(Random(1)), turns=6)
    short = Match.replay(match.records[:-1])
    swapped = resigned(short, short.last._replace(time="2026-11-21T11:00:00Z"))
    swapped.append(match.last)
    assert finding_of(swapped) == (match.last.index, "chain", False)


def test_an_illegal_order_accuses_its_author() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    steps = (*match.last.steps, OrderStep("pass"))
    index, _, accuses = finding_of(resigned(match, match.last._replace(steps=steps)))
    assert (index, accuses) == (match.last.index, True)


def test_the_audit_says_so_too() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    damaged = match.last._replace(signature=bytes(64))
    data = SaveFile((*match.records[:-1], damaged)).write()
    found = audit_facts(audit(data))["finding"]
    assert (found["author"], found["accuses"]) == (match.last.side, False)
    with pytest.raises(NotProved, match=f"in the name of {match.last.side}"):
        Match.replay([*match.records[:-1], damaged])


# --- records that nobody signed: whoever carries the mail made them


def accuse_nobody(records: list[Record], rule: str) -> None:
    assert finding_of(records) == (records[-1].index, rule, False)
    told = audit_facts(audit(SaveFile(tuple(records)).write()))["finding"]
    assert (told["rule"], told["accuses"]) == (rule, False)


def other(side: str) -> str:
    return Side(side).opponent.value


def unsigned_after(match: Match, side: str) -> list[Record]:
    """The records of a match with one more that only looks like one."""
    last = match.last
    junk = last._replace(index=last.index + 1, previous=last.hash, side=side, signature=bytes(64))
    return [*match.records, junk]


def test_the_side_of_a_record_changed_on_the_way() -> None:
    """Neither who signed the true record, nor the other, in whose name it stands now."""
    match = play(begin(), any_order(Random(1)), turns=3)
    flipped = match.last._replace(side=other(match.last.side))
    accuse_nobody([*match.records[:-1], flipped], "signature")


@pytest.mark.parametrize("side", list(Side))
def test_a_record_added_on_the_way(side: Side) -> None:
    match = play(begin(), any_order(Random(1)), turns=3)
    accuse_nobody(unsigned_after(match, side.value), "signature")


@pytest.mark.parametrize("side", list(Side))
def test_a_record_added_after_both_have_closed(side: Side) -> None:
    match = play(begin(), any_order(Random(1)), turns=3)
    for resigns in (True, False):
        draft = NextRecord(seat_to_write(match), TIME, resigns=resigns)
        end(draft)
        match = draft.match
    assert match.next_side is None
    accuse_nobody(unsigned_after(match, side.value), "signature")


def test_an_acceptance_cut_out_on_the_way() -> None:
    invitation, acceptance = begin().records
    accuse_nobody([invitation, acceptance._replace(steps=acceptance.steps[1:])], "chain")


def test_an_invitation_cut_out_on_the_way() -> None:
    invitation, _ = begin().records
    accuse_nobody([invitation._replace(steps=invitation.steps[1:])], "chain")


@pytest.mark.parametrize("side", ["any", "french"])
def test_the_side_of_an_invitation_changed_on_the_way(side: str) -> None:
    invitation, _ = begin().records
    accuse_nobody([invitation._replace(side=side)], "signature")


# --- signed, in the other player's name


def test_who_signs_in_the_name_of_the_other_side_is_accused_and_not_the_other() -> None:
    match = begin()
    for records in (
        resigned(match, match.last._replace(side="british")),
        after(match, [OrderStep("pass")], side=Side.FRENCH),
    ):
        author = other(records[-1].side)
        assert refused(records, "side", "plays the other side", author=author).accuses
