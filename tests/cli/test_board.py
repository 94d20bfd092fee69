"""`acres board`: the files that it writes, for each viewer, and its refusals."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.cli.commands import Result, acres
from tests.cli.table import Table
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


def check_refused(result: Result) -> str:
    assert not result.fails().out
    return result.err


def test_if_one_file_exists_none_is_written(game: Path, tmp_path: Path) -> None:
    page, png = tmp_path / "game.html", tmp_path / "game.png"
    png.write_bytes(b"mine")
    check_refused(acres("board", game, "--page", page, "--png", png))
    assert not page.exists() and png.read_bytes() == b"mine"


def test_one_file_is_not_two_things(game: Path, tmp_path: Path) -> None:
    one = tmp_path / "one"
    (tmp_path / "sub").mkdir()
    for same in (one, tmp_path / "sub" / ".." / "one"):
        check_refused(acres("board", game, "--page", one, "--png", same))
        assert not one.exists()


def test_all_files_are_written_or_none(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, drawing = tmp_path / "game.html", tmp_path / "game.svg"

    def draw(*_: object) -> str:
        # Meanwhile the file appears, after the page was made.
        drawing.write_text("mine")
        return "<svg/>"

    monkeypatch.setattr("pbem.cli.board_command.render_svg", draw)
    check_refused(acres("board", game, "--page", page, "--svg", drawing))
    assert drawing.read_text() == "mine"
    assert [*tmp_path.iterdir()] == [drawing]


@pytest.mark.parametrize("option", ["--page", "--svg", "--png"])
def test_nothing_is_written_to_the_output(option: str, game: Path, here: Path) -> None:
    check_refused(acres("board", game, option, "-"))
    assert not [*here.iterdir()]


def test_a_spectator_has_no_cards_to_show(played: Table, tmp_path: Path) -> None:
    page = tmp_path / "no.html"
    result = acres("board", played.file, "--page", page, "--with-my-cards", home=tmp_path / "home")
    check_refused(result)
    assert not page.exists()


def test_a_page_for_everybody_is_the_same_from_every_viewer(played: Table, tmp_path: Path) -> None:
    pages = []
    for home in (played.folder / "british", played.folder / "french", tmp_path / "nobody"):
        page = tmp_path / f"{home.name}.html"
        assert acres("board", played.file, "--page", page, home=home).status == 0
        # The time of the check differs.
        pages.append(page.read_text("utf-8").partition("Checked by")[0])
    assert len(set(pages)) == 1
