"""`acres board`: the files that it writes, for each viewer, and its refusals."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.cli.commands import Result, acres
from tests.cli.table import Table
from tests.play.matches import any_order, begin, play

LAST = 5
"""The number of the last turn of the game."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    match = play(begin(4, lists=2), any_order(Random(4)), turns=LAST - 1, seed=4)
    return Table(tmp_path_factory.mktemp("board") / "game", match, 4)


@pytest.fixture(scope="module")
def game(table: Table) -> Path:
    """The file of a short game."""
    return table.file


def check_refused(result: Result) -> str:
    assert not result.fails().out
    return result.err


def test_board_writes_no_file_if_one_exists(game: Path, tmp_path: Path) -> None:
    page, png = tmp_path / "game.html", tmp_path / "game.png"
    png.write_bytes(b"mine")
    check_refused(acres("board", game, "--page", page, "--png", png))
    assert not page.exists() and png.read_bytes() == b"mine"


def test_page_and_picture_need_different_files(game: Path, tmp_path: Path) -> None:
    one = tmp_path / "one"
    (tmp_path / "sub").mkdir()
    for same in (one, tmp_path / "sub" / ".." / "one"):
        check_refused(acres("board", game, "--page", one, "--png", same))
        assert not one.exists()


def test_board_removes_its_page_if_the_drawing_cannot_be_written(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, drawing = tmp_path / "game.html", tmp_path / "game.svg"

    def draw(*_: object) -> str:
        # The file appears after the page was made.
        drawing.write_text("mine")
        return "<svg/>"

    monkeypatch.setattr("pbem.cli.board_command.render_svg", draw)
    check_refused(acres("board", game, "--page", page, "--svg", drawing))
    assert drawing.read_text() == "mine"
    assert [*tmp_path.iterdir()] == [drawing]


def test_spectator_has_no_cards_to_show(table: Table, tmp_path: Path) -> None:
    page = tmp_path / "no.html"
    result = acres("board", table.file, "--page", page, "--with-my-cards", home=tmp_path / "home")
    check_refused(result)
    assert not page.exists()


def test_public_page_is_the_same_for_every_viewer(table: Table, tmp_path: Path) -> None:
    pages = []
    for home in (table.folder / "british", table.folder / "french", tmp_path / "nobody"):
        page = tmp_path / f"{home.name}.html"
        assert acres("board", table.file, "--page", page, home=home).status == 0
        # Only the time of the check differs.
        pages.append(page.read_text("utf-8").partition("Checked by")[0])
    assert len(set(pages)) == 1
