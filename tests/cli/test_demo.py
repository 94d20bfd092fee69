"""The demo, with few lists to save time."""

import shlex
from functools import partial
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play.audit import audit
from pbem.play.robot import PracticeGame
from tests.cli.commands import acres, do, snapshot
from tests.cli.test_output import assert_plain


@pytest.mark.slow
def test_demo_plays_to_the_end_and_prints_working_commands(
    cwd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.robot.PracticeGame", partial(PracticeGame, lists=16))
    (cwd / "acres-demo").mkdir()
    # Seed 5 gives one of the shorter games.
    lines = do("demo", "--seed", "5").out.splitlines()
    # Commands for copying are not wrapped, even with a long name of the folder.
    commands = [line.strip() for line in lines if line.startswith("  acres ")]
    assert_plain("\n".join(line for line in lines if line.strip() not in commands), draws=True)
    # Both have closed the game, and the last command shows the last file.
    closed = audit(Path(shlex.split(lines[-2])[-1]).read_bytes())
    assert closed.is_clean
    assert closed.match.secrets.keys() == set(Side)
    assert closed.match.next_side is None
    before = snapshot(cwd)
    assert len(commands) == 4
    for command in commands:
        # Without a terminal the last command but one needs orders.
        orders = ["pass", "pass"] if "--dry-run" in command else []
        result = acres(*shlex.split(command)[1:], *orders)
        assert result.status == 0 or "Order" in result.err, (command, result.err)
        assert "Note: " not in result.err
    assert snapshot(cwd) == before
    # The folder existed already. Both homes know the last file.
    for side in Side:
        assert "move since" in acres("games", home=Path("acres-demo-2", side.value)).out
