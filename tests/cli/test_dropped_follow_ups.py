"""Dropped follow-ups: both players read the reason and the next step.

docs/protocol.md, Follow-ups. The test signs them, since other programs may write them.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.orders import Raid
from engine.sides import Side
from pbem.cli import console
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DropCause
from pbem.protocol.steps import Step
from pbem.text.history.report import report
from pbem.text.ordering.guided_turn import decision_text
from tests.attacks.cheats import forge
from tests.attacks.positions import find_attacked
from tests.play.matches import TIME, answer, any_order, seat_to_write
from tests.seats import NextRecord

PASS, END = steps.OrderStep("pass"), steps.OrderStep("end")


def drop_steps(*follow_ups: Step) -> tuple[Match, Side]:
    """Return a match in which the `follow_ups` of a raid are dropped, and their author."""
    match, seed = find_attacked(Raid)
    match = Match.replay(forge(match, lambda own: [*own, *follow_ups], seed))
    author = Side(match.last.side)
    return answer(match, any_order(Random(seed)), seed), author


def report_to(match: Match, viewer: Side | None, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    console.say_lines(report(match, [], viewer, records=[match.last.index]).lines())
    return " ".join(capsys.readouterr().out.split())


GOES_ON, DRAWS = "Their turn goes on with their next file.", "Their next file draws the cards."
SETTLE = steps.OrderStep("settle quebec: regular-infantry, regular-infantry")
LOSE = steps.OrderStep("lose quebec: ships")
NOT_DRAWN = "did not draw cards as announced"
CASES: list[tuple[list[Step], DropCause, str, str]] = [
    ([SETTLE, END], DropCause.RULES, "end. It had become impossible.", GOES_ON),
    ([PASS, END, LOSE, steps.DrawStep(1)], DropCause.NO_CHOICE,
     "There is no longer such a choice to make.", DRAWS),
    ([steps.DrawStep(3)], DropCause.NOT_DUE,
     f"{NOT_DRAWN}: no cards are due to be shuffled or drawn now.", GOES_ON),
    ([steps.ShuffleStep(9, ("boston",), bytes(32)), PASS], DropCause.NOT_DUE,
     ": pass. The cards announced are not due to be drawn now.", GOES_ON),
    ([PASS, END, steps.DrawStep(200)], DropCause.OTHER_CARDS,
     f"{NOT_DRAWN}: other cards are due to be shuffled or drawn now.", DRAWS),
]  # fmt: skip


@pytest.mark.parametrize(("follow_ups", "cause", "reason", "next_step"), CASES)
def test_both_players_read_the_reason_and_the_next_step(
    follow_ups: list[Step],
    cause: DropCause,
    reason: str,
    next_step: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    match, author = drop_steps(*follow_ups)
    (dropped,) = match.dropped
    assert dropped.cause is cause
    for viewer in (author.opponent, None):
        assert f"{reason} {next_step}" in report_to(match, viewer, capsys)
        assert match.entrants[author].name in report_to(match, viewer, capsys)
    to_author = report_to(match, author, capsys)
    # Only the player who gave the order reads the rule.
    assert (str(dropped.reason) in to_author) == (cause is DropCause.RULES)
    draws = next_step == DRAWS
    assert match.next_side is author
    _, seed = find_attacked(Raid)
    turn = NextRecord(seat_to_write(match, seed), TIME)
    assert turn.is_complete == draws
    for state in (match.state, turn.match.state):
        assert ("this file only draws your cards" in str(decision_text(state, author))) == draws
