"""Files of an earlier version are still read, proved and answered."""

import shutil
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from tests.cli.using import OLD, acres
from tests.present import present

MIDDLE, END = OLD / "game-065.toml", OLD / "game-104.toml"


@pytest.mark.parametrize("file", [MIDDLE, END])
def test_it_is_proved_and_shown(file: Path) -> None:
    report = audit(file.read_bytes())
    assert report.is_clean, report.finding
    assert acres("audit", file).status == 0
    for side in ("british", "french"):
        shown = acres("turn", "show", file, home=OLD / side)
        assert (shown.status, shown.err) == (0, "")
        assert "Your hand" in shown.out


def test_the_position_is_what_it_was() -> None:
    shown = acres("turn", "show", MIDDLE, home=OLD / "british")
    assert "Siege of Louisbourg by the British" in shown.out
    middle, end = (GameFile.read(file.read_bytes()).match for file in (MIDDLE, END))
    assert middle.records == end.records[: len(middle.records)]
    assert middle.state.turn == 45
    assert (present(end.state.outcome).winner, end.next_side) == (Side.BRITISH, Side.FRENCH)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files and both homes, in which what is signed is remembered."""
    return shutil.copytree(OLD, tmp_path / "game")


def test_it_can_be_played_on(folder: Path) -> None:
    played = acres("turn", "apply", folder / MIDDLE.name, "pass", "pass", home=folder / "british")
    assert played.status == 0, played.err


def test_a_game_that_ended_without_a_close_can_be_closed_by_both(folder: Path) -> None:
    file = folder / END.name
    for number, side in ((105, "french"), (106, "british")):
        closed = acres("turn", "apply", file, home=folder / side)
        assert closed.status == 0, closed.err
        file = folder / f"game-{number}.toml"
    report = audit(file.read_bytes())
    assert report.is_clean, report.finding
    assert report.match.secrets.keys() == set(Side)
    assert report.match.next_side is None
