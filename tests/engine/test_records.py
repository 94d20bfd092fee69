"""The five recorded games, replayed: nothing in the engine disagrees with what was played."""

from __future__ import annotations

import pytest

from engine.scoring import score
from engine.sides import Side
from engine.state import Decision
from tests.engine.recorded import FOLDER, GAMES, Replay, expected, facts, path_of

needs_records = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason="the recorded games are not beside this checkout (../shared/records)",
)
RESIGNED = "game-4"


@needs_records
@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_replays_turn_by_turn(name: str) -> None:
    """Every recorded order is listed as legal, and every turn leaves what the record says."""
    if not path_of(name).is_file():
        pytest.skip(f"{name} is not on this machine")
    replay = Replay.of(name)
    following = [*replay.turns[1:], None]
    for turn, after in zip(replay.turns, following, strict=True):
        assert replay.state.turn == turn["index"]
        replay.play(turn)
        found, wanted = facts(replay.state), expected(turn, after)
        for part in wanted:
            assert found[part] == wanted[part], f"turn {turn['index']}: {part}"
        over = replay.state.awaiting.decision is Decision.OVER
        assert over == turn["after"]["finished"], f"turn {turn['index']}"
        assert over == (after is None)


@needs_records
@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_ends_with_the_recorded_points(name: str) -> None:
    """The final points and the winner are those of the record; game-4 was resigned."""
    if not path_of(name).is_file():
        pytest.skip(f"{name} is not on this machine")
    replay = Replay.of(name).run()
    outcome = replay.state.outcome
    assert outcome is not None
    if name == RESIGNED:
        loser = Side(replay.turns[-1]["side"])
        assert (outcome.winner, outcome.reason) == (loser.opponent, f"the {loser.label} resigned")
        return
    points = {side: score(replay.state, side).total for side in Side}
    assert points == replay.game["final_points"]
    assert points[outcome.winner] == max(points.values())
