"""`acres board`: what it writes, for whom, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pbem.savefile.save_file import SaveFile
from tests.cli.table import Table
from tests.cli.using import Result, acres, is_one_sentence
from tests.play.playing import any_order, begin, play

LAST = 5
"""The number of the last turn of the game that is played here."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Table:
    match = play(begin(4, lists=2), any_order(Random(4)), turns=LAST - 1, seed=4)
    return Table(tmp_path_factory.mktemp("board") / "game", match, 4)


@pytest.fixture(scope="module")
def game(played: Table) -> Path:
    """The file of a short game."""
    return played.file


def refused(done: Result) -> str:
    assert done.status == 2
    assert is_one_sentence(done.err)
    assert not done.out
    return done.err


def test_where_one_file_is_there_already_none_is_written(game: Path, tmp_path: Path) -> None:
    page, png = tmp_path / "game.html", tmp_path / "game.png"
    png.write_bytes(b"mine")
    refused(acres("board", game, "--page", page, "--png", png))
    assert not page.exists() and png.read_bytes() == b"mine"


def test_one_file_is_not_two_things(game: Path, tmp_path: Path) -> None:
    one = tmp_path / "one"
    (tmp_path / "sub").mkdir()
    for same in (one, tmp_path / "sub" / ".." / "one"):
        refused(acres("board", game, "--page", one, "--png", same))
        assert not one.exists()


def test_all_come_or_none(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is made first; somebody else takes the name of the drawing while it is drawn."""
    page, drawing = tmp_path / "game.html", tmp_path / "game.svg"

    def drawn(*_: object) -> str:
        drawing.write_text("mine")
        return "<svg/>"

    monkeypatch.setattr("pbem.cli.board_command.svg", drawn)
    assert "already" in refused(acres("board", game, "--page", page, "--svg", drawing))
    assert drawing.read_text() == "mine"
    assert [*tmp_path.iterdir()] == [drawing]


@pytest.mark.parametrize("option", ["--page", "--svg", "--png"])
def test_nothing_is_written_to_the_output(option: str, game: Path, here: Path) -> None:
    assert "name" in refused(acres("board", game, option, "-"))
    assert not [*here.iterdir()]


def test_an_invitation_has_no_board(tmp_path: Path) -> None:
    match, file = begin(1, lists=2), tmp_path / "invitation.toml"
    file.write_bytes(SaveFile(tuple(match.records[:1])).write())
    assert "invitation" in refused(acres("board", file, "--page", tmp_path / "no.html"))


def test_somebody_who_does_not_play_has_no_cards_to_show(played: Table, tmp_path: Path) -> None:
    page = tmp_path / "no.html"
    done = acres("board", played.file, "--page", page, "--with-my-cards", home=tmp_path / "home")
    assert "no cards of yours" in refused(done)
    assert not page.exists()


def test_a_players_page_for_everybody_is_anybodys(played: Table, tmp_path: Path) -> None:
    pages = []
    for home in (played.folder / "british", played.folder / "french", tmp_path / "nobody"):
        page = tmp_path / f"{home.name}.html"
        assert acres("board", played.file, "--page", page, home=home).status == 0
        # When it was checked is said of each.
        pages.append(page.read_text("utf-8").partition("Checked by")[0])
    assert len(set(pages)) == 1
