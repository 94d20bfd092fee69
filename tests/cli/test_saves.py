"""The example games in `saves/` are what the program makes, and anybody can open them."""

from itertools import islice
from pathlib import Path

import pytest

from engine.orders import End
from engine.sides import Side
from engine.state import Decision
from pbem.play.game_file import GameFile
from pbem.play.robot import PracticeGame
from tests.cli.using import acres, do

SAVES = Path(__file__).parents[2] / "saves"
PRACTICE = SAVES / "practice"
SEED = 1759
MIDDLE, END = PRACTICE / "game-041.toml", PRACTICE / "game-130.toml"
BEGINNING = 12


def test_the_turn_in_the_middle_ends_whatever_the_answer_is() -> None:
    match = GameFile.read(MIDDLE.read_bytes()).match
    assert match.state.awaiting.decision is Decision.RAID_REPLY
    assert match.follow_ups == (End(),)


def test_the_game_at_its_end_is_proved() -> None:
    middle, end = (GameFile.read(file.read_bytes()).match for file in (MIDDLE, END))
    assert middle.records == end.records[: len(middle.records)]
    assert end.state.outcome is not None
    assert end.secrets.keys() == set(Side)
    assert acres("audit", END).status == 0


def test_the_keys_say_that_they_are_for_practice() -> None:
    end = GameFile.read(END.read_bytes()).match
    assert all("(practice)" in entrant.name for entrant in end.entrants.values())
    assert "practice keys" in (SAVES / "README.md").read_text()


def test_the_seed_begins_the_same_game(tmp_path: Path) -> None:
    """With the keys of the one that is kept, which an earlier practice player went on with."""
    once, again = (
        list(islice(PracticeGame(tmp_path / name, SEED).play(), BEGINNING))[-1].match.records
        for name in ("once", "again")
    )
    assert once == again
    assert once[:2] == GameFile.read(END.read_bytes()).match.records[:2]


@pytest.mark.long
def test_the_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("once", "again"):
        played = do("demo", "--seed", SEED, "--out", tmp_path / name)
        assert "Everything in this file is proved." in played.out
    once = {path.relative_to(tmp_path / "once") for path in (tmp_path / "once").rglob("*.toml")}
    assert len(once) > BEGINNING
    for path in once:
        assert (tmp_path / "again" / path).read_bytes() == (tmp_path / "once" / path).read_bytes()
    kept = [path.relative_to(PRACTICE) for path in PRACTICE.glob("*/identity.toml")]
    assert len(kept) == 2
    for path in kept:
        assert (tmp_path / "once" / path).read_bytes() == (PRACTICE / path).read_bytes(), path
