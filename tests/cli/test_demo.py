"""The demo: a newcomer's first minute, here with few lists so that it is shorter still."""

import shlex
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from engine.order import Order
from engine.players import STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.play.audit import audit
from pbem.play.robot import PracticeGame
from tests.cli.test_output import assert_plain
from tests.cli.using import acres, do, snapshot


@pytest.fixture
def few_lists(monkeypatch: pytest.MonkeyPatch, here: Path) -> Path:
    monkeypatch.setattr("pbem.play.robot.PracticeGame", partial(PracticeGame, lists=16))
    return here


def test_the_demo_plays_to_the_end_and_says_how_to_go_on(few_lists: Path) -> None:
    (few_lists / "acres-demo").mkdir()
    # One of the shorter games.
    played = do("demo", "--seed", "5")
    # Commands to be copied are not wrapped, however long the name of the folder.
    lines = played.out.splitlines()
    assert_plain("\n".join(line for line in lines if not line.startswith("  acres ")), draws=True)
    # The usual folder was taken.
    assert "Folder: acres-demo-2" in played.out
    assert "The game is over" in played.out
    assert "Everything in this file is proved." in played.out
    # Both have closed it, and the last command looks at that file.
    closed = audit(Path(shlex.split(lines[-2])[-1]).read_bytes())
    assert closed.is_clean
    assert closed.match.secrets.keys() == set(Side)
    assert closed.match.next_side is None
    before = snapshot(few_lists)
    commands = [line.strip() for line in lines if line.startswith("  acres ")]
    assert len(commands) == 4
    for command in commands:
        # Away from a terminal the last command but one has to be told the orders.
        orders = ["pass", "pass"] if "--dry-run" in command else []
        done = acres(*shlex.split(command)[1:], *orders)
        assert done.status == 0 or "Order" in done.err, (command, done.err)
        assert "Note: " not in done.err
    assert snapshot(few_lists) == before
    # Both homes are those of players who have come as far as that file.
    for side, stands in (("british", "your move since"), ("french", "your opponent's move since")):
        assert stands in acres("games", home=Path("acres-demo-2", side)).out


def test_both_play_as_strong_as_was_asked(few_lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strongest = max(STRENGTHS)

    class Asked(PracticePlayer):
        def choose(self, state: State) -> Order:
            asked.add(state.awaiting.side)
            return super().choose(state)

    asked: set[Side] = set()
    monkeypatch.setitem(STRENGTHS, strongest + 1, Asked)
    list(islice(PracticeGame(few_lists / "own", 7, lists=16, strength=strongest + 1).play(), 8))
    assert asked == set(Side)


def test_a_folder_that_is_not_empty_is_left_alone(few_lists: Path) -> None:
    (few_lists / "full").mkdir()
    (few_lists / "full" / "letter.txt").write_text("dear")
    before = snapshot(few_lists)
    assert "not empty" in acres("demo", "--out", "full").fails().err
    assert snapshot(few_lists) == before
