"""The five recorded games, replayed: nothing in the engine disagrees with what was played."""

from __future__ import annotations

import pytest

from engine.sides import Side
from tests.engine.recorded import FOLDER, GAMES, Replay, ended, path_of

needs_records = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason="the recorded games are not beside this checkout (../shared/records)",
)
RESIGNED = "game-4"


@needs_records
@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_replays_turn_by_turn(name: str) -> None:
    """Every recorded order is listed as legal, every turn leaves what the record says.

    The winner and the final points are those of the record; game-4 was resigned.
    """
    if not path_of(name).is_file():
        pytest.skip(f"{name} is not on this machine")
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
        assert ended(replay) == (loser.opponent, f"the {loser.label!s} resigned")
