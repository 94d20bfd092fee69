"""The five recorded games, replayed without a disagreement of the engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.sides import Side
from tests.engine.replay import GAMES, MISSING, Replay, ending_of

RESIGNED = "game-4"
ROOT = Path(__file__).parents[2]
REPLAYED = "tests/engine/test_records.py::test_recorded_game_replays_turn_by_turn"


@pytest.mark.parametrize("name", GAMES)
def test_recorded_game_replays_turn_by_turn(name: str) -> None:
    """Every recorded order is listed as legal, and every turn ends in the recorded position.

    The winner and the final points are those of the record; game-4 was resigned.
    """
    replay = Replay.of(name)
    for turn, following in zip(replay.turns, [*replay.turns[1:], None], strict=True):
        assert replay.state.turn == turn["index"]
        replay.play(turn, following)
        replay.compare(turn)
        assert replay.is_over == (following is None)
    replay.check_end()
    assert replay.state.outcome is not None
    if name == RESIGNED:
        loser = Side(replay.turns[-1]["side"])
        assert ending_of(replay) == (loser.opponent, f"the {loser.label!s} resigned")


@pytest.mark.slow
def test_missing_recorded_games_are_listed_in_the_summary(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("pyproject.toml", "engine", "pbem", "tests"):
        (clone / name).symlink_to(ROOT / name)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", REPLAYED],
        cwd=clone,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    (line,) = [line for line in run.stdout.splitlines() if "not replayed" in line]
    assert (
        line == f"{len(GAMES)} recorded games were not replayed, being {MISSING}{', '.join(GAMES)}"
    )
    assert f"{len(GAMES)} skipped" in run.stdout
