"""The example games in `saves/` equal those that the program makes, and can be opened."""

from itertools import islice
from pathlib import Path

from engine.orders import End
from engine.sides import Side
from engine.state import Decision
from pbem.play.game_file import GameFile
from pbem.play.robot import PracticeGame
from tests.cli.commands import acres

SAVES = Path(__file__).parents[2] / "saves"
PRACTICE = SAVES / "practice"
SEED = 1759
MIDDLE, END = PRACTICE / "game-041.toml", PRACTICE / "game-130.toml"


def test_turn_in_the_middle_ends_with_any_answer() -> None:
    match = GameFile.read(MIDDLE.read_bytes()).match
    assert match.state.awaiting.decision is Decision.RAID_REPLY
    assert match.follow_ups == (End(),)


def test_finished_game_is_valid() -> None:
    middle, end = (GameFile.read(file.read_bytes()).match for file in (MIDDLE, END))
    assert middle.records == end.records[: len(middle.records)]
    assert end.state.outcome is not None
    assert end.secrets.keys() == set(Side)
    assert acres("audit", END).status == 0


def test_seed_determines_the_game(tmp_path: Path) -> None:
    # An earlier practice player continued the stored game.
    once, again = (
        list(islice(PracticeGame(tmp_path / name, SEED).play(), 4))[-1].match.records
        for name in ("once", "again")
    )
    assert once == again
    assert once[:2] == GameFile.read(END.read_bytes()).match.records[:2]
