"""What players are told of follow-ups that come to nothing: why, and what is left to do.

docs/protocol.md, Follow-ups. The author may be anybody: these follow-ups are signed by hand.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.orders import Pass, Raid
from engine.sides import Side
from pbem.cli import console
from pbem.play.game_file import whose_move
from pbem.play.turn import Risk
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DropCause
from pbem.protocol.steps import Step
from pbem.text.history.report import report
from pbem.text.narration import risk_text
from pbem.text.ordering.guided_turn import decision_text
from tests.attacks.cheats import forged
from tests.attacks.positions import attacked
from tests.play.playing import TIME, answer, any_order, seat_to_write
from tests.play.turns import begun
from tests.seats import NextRecord

PASS, END = steps.OrderStep("pass"), steps.OrderStep("end")


def dropped_after(*more: Step) -> tuple[Match, Side]:
    """The match in which these steps after a raid were answered, and dropped; and their author."""
    match, seed = attacked(Raid)
    match = Match.replay(forged(match, lambda taken: [*taken, *more], seed))
    author = Side(match.last.side)
    return answer(match, any_order(Random(seed)), seed), author


def told(match: Match, viewer: Side | None, capsys: pytest.CaptureFixture[str]) -> str:
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


@pytest.mark.parametrize(("more", "cause", "why", "left"), CASES)
def test_both_are_told_why_and_what_is_left(
    more: list[Step], cause: DropCause, why: str, left: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match, author = dropped_after(*more)
    (dropped,) = match.dropped
    assert dropped.cause is cause
    for viewer in (author.opponent, None):
        assert f"{why} {left}" in told(match, viewer, capsys)
        assert match.entrants[author].name in told(match, viewer, capsys)
    to_author = told(match, author, capsys)
    assert to_author.endswith(
        left.replace("Their turn goes on with their next file", "Your turn goes on").replace(
            "Their", "Your"
        )
    )
    if cause is DropCause.RULES:
        # The rule itself is named to whoever gave the order.
        assert str(dropped.reason) in to_author
    else:
        assert str(why) in to_author
        assert str(dropped.reason) not in to_author


@pytest.mark.parametrize(("more", "cause", "why", "left"), CASES)
def test_only_a_draw_is_told(more: list[Step], cause: DropCause, why: str, left: str) -> None:
    match, author = dropped_after(*more)
    draws = "draws the cards" in left
    assert match.next_side is author
    assert str(whose_move(match)).endswith("writes next: to draw cards.") == draws
    _, seed = attacked(Raid)
    begun = NextRecord(seat_to_write(match, seed), TIME)
    assert begun.is_complete == draws
    for state in (match.state, begun.match.state):
        sentence = str(decision_text(state, author))
        assert ("this file only draws your cards" in sentence) == draws
        assert "your opponent draws" not in sentence


def test_what_hangs_on_more_than_one_answer_is_told_without_naming_one() -> None:
    risk = Risk(Pass(), None, if_least=True, only_cards=False)
    told = str(risk_text(begun(*attacked(Raid)), risk))
    assert "Whether “pass” can be carried out depends on the answers. Otherwise it" in told
    assert "raid" not in told
