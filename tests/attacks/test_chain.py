"""Changed, moved, repeated, foreign and misdated records, and records in another's name.

docs/protocol.md, Records.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.sides import Side
from pbem.protocol import steps
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Invite
from tests.attacks.cheats import add_record, check_refused, replace_last
from tests.attacks.positions import find_record_with, play_passes
from tests.play.matches import any_order, begin, identities, play, sign_as

LATER = "2026-11-21T11:00:00Z"


def test_record_changed_after_signing_is_refused() -> None:
    match = find_record_with(1, steps.OrderStep)
    records = [*match.records[:-1], match.last._replace(steps=match.last.steps[:-1])]
    assert not check_refused(records, "signature", "is not valid").accuses


def test_record_in_the_opponents_name_is_refused() -> None:
    """The author of the last record writes another for the opponent's side."""
    match = find_record_with(1, steps.OrderStep)
    record = add_record(match, [steps.OrderStep("pass"), steps.OrderStep("end")])[-1]
    forger = identities()[match.last.index % 2]
    records = [*match.records, sign_as(forger, record)]
    assert not check_refused(records, "signature", "somebody else wrote it").accuses


def test_record_by_a_stranger_is_refused() -> None:
    match = find_record_with(1, steps.OrderStep)
    record = add_record(match, [steps.OrderStep("pass"), steps.OrderStep("end")])[-1]
    stranger = Identity("Anna", "anna@example.org", bytes(range(32)))
    check_refused([*match.records, sign_as(stranger, record)], "signature", "somebody else")


def test_two_records_in_a_row_are_refused() -> None:
    match = find_record_with(1, steps.OrderStep)
    record = add_record(match, [steps.OrderStep("pass")], side=Side(match.last.side))[-1]
    author = identities()[match.last.index % 2]
    check_refused([*match.records, sign_as(author, record)], "signature", "somebody else wrote it")


def test_missing_record_is_detected() -> None:
    records = play_passes().records
    cut = [*records[:4], *records[5:]]
    check_refused(cut[:5], "chain", "missing, repeated or out of order")


def test_missing_record_is_detected_despite_renumbering() -> None:
    """A player who leaves out the opponent's answer signs their own next record again."""
    match = play_passes()
    short = match.records[:-2]
    moved = match.last._replace(index=len(short), previous=short[-1].hash)
    author = identities()[match.last.index % 2]
    check_refused([*short, sign_as(author, moved)], "signature", "somebody else wrote it")


def test_repeated_record_is_refused() -> None:
    records = play_passes().records
    check_refused([*records[:5], records[4]], "chain", "missing, repeated or out of order")


def test_reordered_records_are_refused() -> None:
    records = play_passes().records
    check_refused([*records[:3], records[4]], "chain", "missing, repeated or out of order")


def test_record_of_another_game_is_refused() -> None:
    """The record has the right author and index, but belongs to another game."""
    other = play(begin(1), any_order(Random(1)), turns=5, seed=1)
    match = play_passes()
    anna, bela = identities()
    author = (anna, bela)[match.last.index % 2]
    foreign = sign_as(author, other.records[match.last.index])
    finding = check_refused([*match.records[:-1], foreign], "chain", "comes from another game")
    assert not finding.accuses


def test_swapped_invitation_is_refused() -> None:
    """The inviter replaces the accepted invitation by another, properly signed one."""
    match = begin()
    invitation, acceptance = match.records
    invite = invitation.steps[0]
    assert isinstance(invite, Invite)
    step = invite._replace(home_support="ahead")
    other = sign_as(identities()[0], invitation, steps=(step, *invitation.steps[1:]))
    check_refused([other, acceptance], "chain", "changed or replaced afterwards")


def test_record_replaced_after_its_answer_accuses_nobody() -> None:
    """Anybody who passed the file on may have replaced the record."""
    match = play(begin(), any_order(Random(1)), turns=6)
    short = Match.replay(match.records[:-1])
    swapped = replace_last(short, short.last._replace(time=LATER))
    assert not check_refused([*swapped, match.last], "chain", "replaced afterwards").accuses


@pytest.mark.parametrize("time", ["2020-01-01T00:00:00Z", "2026-11-21T09:59:59Z"])
def test_time_running_backwards_is_refused(time: str) -> None:
    match = find_record_with(1, steps.OrderStep)
    assert check_refused(
        replace_last(match, match.last._replace(time=time)), "time", "dated"
    ).accuses


def test_key_whose_signature_fits_many_records_is_refused() -> None:
    """With the neutral point as key and as R, and S = 0, the bare equation holds."""
    invitation = begin().records[0]
    invite = invitation.steps[0]
    assert isinstance(invite, Invite)
    step = invite._replace(key=bytes([1]) + bytes(31))
    record = Record(
        0,
        invitation.side,
        b"",
        invitation.time,
        (step, *invitation.steps[1:]),
        bytes([1]) + bytes(63),
    )
    check_refused([record], "signature", "is not valid")
