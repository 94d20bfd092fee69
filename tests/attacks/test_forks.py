"""Forks: two different records at one index, which only two files together prove."""

from __future__ import annotations

from random import Random

import pytest

from engine.orders import Raid
from engine.sides import Side
from engine.state import Decision
from pbem.play.audit import audit
from pbem.protocol import steps
from pbem.protocol.fork import Evidence, Relation, compare
from pbem.protocol.match import Match
from pbem.savefile.save_file import EvidenceFile, SaveFile
from tests.attacks.cheats import add_record, forge
from tests.attacks.positions import find_attacked, find_record_with, play_passes
from tests.play.matches import TIME, answer, any_order, begin, close, identities, resign
from tests.signing import accept, invite


def proof_against(one: Match, two: Match, side: Side) -> Evidence:
    """Return the evidence of two valid files against a side."""
    for match in (one, two):
        Match.replay(match.records)
    comparison = compare(one.records, two.records)
    assert comparison.relation is Relation.FORK
    assert comparison.evidence is not None
    assert comparison.evidence.key == one.entrants[side].key
    EvidenceFile.read(EvidenceFile(comparison.evidence).write()).evidence.check()
    return comparison.evidence


def test_turn_repeated_after_seeing_the_draw_is_a_fork() -> None:
    """A player dislikes the granted refill, and sends another turn instead."""
    match = find_record_with(4, steps.DrawStep, absent=(steps.ShuffleStep,))
    cheater = Side(match.last.side)
    preview = answer(match, any_order(Random(0)))
    before = Match.replay(match.records[:-1])
    again = next(
        other
        for seed in range(50)
        if (other := answer(before, any_order(Random(seed)))).last.hash != match.last.hash
    )
    granted = answer(again, any_order(Random(0)))
    proof_against(preview, granted, cheater)


def test_answer_taken_back_is_a_fork() -> None:
    """The defender sees the attacker's next steps, and then sends another reply."""
    one, two, seed = two_answers_to_a_raid()
    cheater = Side(one.last.side)
    gone_on = answer(one, any_order(Random(1)), seed)
    proof_against(gone_on, two, cheater)


def two_answers_to_a_raid() -> tuple[Match, Match, int]:
    """Return two matches with different answers to one raid, and their seed."""
    for seed in range(100):
        match, choose = begin(seed, lists=2), any_order(Random(seed))
        while not match.is_over and len(match.records) < 120:
            if match.state.awaiting.decision is Decision.RAID_REPLY:
                answers = {
                    other.last.hash: other
                    for choice in range(20)
                    if (other := answer(match, any_order(Random(choice)), seed))
                }
                if len(answers) > 1:
                    one, two, *_ = answers.values()
                    return one, two, seed
            match = answer(match, choose, seed)
    raise AssertionError("no such raid in these games")


def test_second_record_after_an_older_file_is_a_fork() -> None:
    match = find_record_with(4, steps.DrawStep, absent=(steps.ShuffleStep,))
    later = answer(answer(match, any_order(Random(1))), any_order(Random(1)))
    side = Side(later.records[len(match.records)].side)
    older = answer(match, any_order(Random(5)))
    assert older.last.hash != later.records[len(match.records)].hash
    proof_against(later, older, side)


def test_end_of_the_game_taken_back_is_a_fork() -> None:
    """The winner's secret is in the last record; the loser plays another turn before it."""
    match, seed = find_attacked(Raid)
    cheater = Side(match.last.side)
    changed = Match.replay(forge(match, lambda t: [*t, steps.OrderStep("pass")], seed))
    closed = Match.replay(add_record(match, [steps.Resign()], seed=seed))
    assert closed.is_over
    proof_against(closed, changed, cheater)


def test_two_acceptances_of_one_guest_are_a_fork() -> None:
    """“Your file was lost, please join again”: a guest who does so has signed twice."""
    anna, bela = identities()
    match = invite(anna, side=Side.BRITISH, nonce=bytes(32), time=TIME, lists=4)
    one, two = (accept(match, bela, nonce=bytes([i] * 32), time=TIME) for i in (1, 2))
    assert one.decks[Side.BRITISH].hidden != two.decks[Side.BRITISH].hidden
    proof_against(one, two, Side.FRENCH)


def test_two_closed_games_are_clean_alone_and_a_fork_together() -> None:
    """“Nobody cheated” holds after both closes, and only against the files compared."""
    one, two = (
        audit(SaveFile(tuple(close(resign(play_passes(turns))).records)).write())
        for turns in (4, 5)
    )
    for report in (one, two):
        assert report.is_clean
        assert {*report.closed} == {*Side}
    proof_against(one.match, two.match, Side(one.match.records[-2].side))
    # A file that was cut off contradicts nothing.
    assert compare(one.match.records[:-2], two.match.records).relation is Relation.CONTINUED


@pytest.mark.parametrize("other", [1, 2])
def test_two_games_are_no_fork(other: int) -> None:
    assert compare(begin(0).records, begin(other).records).relation is Relation.TWO_GAMES
