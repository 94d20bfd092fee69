"""`acres board`: what it writes, for whom, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pbem.savefile.save_file import SaveFile
from tests.board.pages import Page
from tests.cli.table import Table
from tests.cli.using import Result, acres, is_one_sentence
from tests.play.playing import any_order, begin, play

CLOSED = Path(__file__).parents[2] / "saves" / "practice" / "game-130.toml"
TURNS = 103
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


def test_the_page_is_written_and_how_to_look_at_it_is_said(tmp_path: Path) -> None:
    page = tmp_path / "new" / "game.html"
    done = acres("board", CLOSED, "--page", page, home=tmp_path / "nobody")
    assert done.status == 0, done.err
    assert str(page) in done.out and "browser" in done.out
    assert Page(page.read_text("utf-8")).by_id("slider").attributes["max"] == str(TURNS)


def test_a_file_that_is_there_is_not_touched(game: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    page.write_text("mine")
    assert "already" in refused(acres("board", game, "--page", page))
    assert page.read_text() == "mine"


def test_a_turn_is_counted_as_the_log_counts(game: Path, tmp_path: Path) -> None:
    for turn, heading in ((2, "Turn 2: "), (0, "Setup, "), (LAST, f"Turn {LAST}: ")):
        page = tmp_path / f"{turn}.html"
        assert acres("board", game, "--page", page, "--turn", turn).status == 0
        assert Page(page.read_text("utf-8")).by_id("turn-heading").text.startswith(heading)
    for turn in (LAST + 1, -1):
        error = refused(acres("board", game, "--page", tmp_path / "no.html", "--turn", turn))
        assert str(turn) in error and str(LAST) in error
    assert not (tmp_path / "no.html").exists()


def test_page_and_pictures_are_written_at_once(game: Path, tmp_path: Path) -> None:
    page, svg, png = (tmp_path / name for name in ("game.html", "game.svg", "game.png"))
    options = ("--page", page, "--svg", svg, "--png", png, "--width", 640, "--turn", 2)
    done = acres("board", game, *options)
    assert done.status == 0, done.err
    assert all(str(path) in done.out for path in (page, svg, png))
    assert Page(page.read_text("utf-8")).by_id("turn-heading").text.startswith("Turn 2:")
    assert "<svg" in svg.read_text("utf-8")
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG") and int.from_bytes(head[16:20], "big") == 640


def test_a_picture_of_another_turn_is_another_picture(game: Path, tmp_path: Path) -> None:
    drawn = set()
    for turn in (0, 2, LAST):
        path = tmp_path / f"{turn}.svg"
        assert acres("board", game, "--svg", path, "--turn", turn).status == 0
        drawn.add(path.read_bytes())
    now = tmp_path / "now.svg"
    assert acres("board", game, "--svg", now).status == 0
    assert len(drawn) == 3 and now.read_bytes() == path.read_bytes()


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


def test_where_one_cannot_be_written_none_is(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_nothing_is_written_to_the_output(
    option: str, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "name" in refused(acres("board", game, option, "-"))
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("width", ["0", "-5", "8001", "wide"])
def test_a_picture_has_a_width_that_can_be_drawn(width: str, game: Path, tmp_path: Path) -> None:
    error = refused(acres("board", game, "--png", tmp_path / "no.png", "--width", width))
    assert "--width" in error and not (tmp_path / "no.png").exists()


def test_options_of_what_is_not_written_are_refused(game: Path, tmp_path: Path) -> None:
    page, png = tmp_path / "no.html", tmp_path / "no.png"
    assert "--png" in refused(acres("board", game, "--page", page, "--width", 640))
    assert "--page" in refused(acres("board", game, "--png", png, "--with-my-cards"))
    assert not page.exists() and not png.exists()


def test_a_game_of_others_is_not_played_but_drawn() -> None:
    assert "--page" in refused(acres("board", CLOSED))


def test_what_is_drawn_has_to_be_said(game: Path) -> None:
    assert "--page" in refused(acres("board", game, "--turn", 3))


def test_an_invitation_has_no_board(tmp_path: Path) -> None:
    match, file = begin(1, lists=2), tmp_path / "invitation.toml"
    file.write_bytes(SaveFile(tuple(match.records[:1])).write())
    assert "invitation" in refused(acres("board", file, "--page", tmp_path / "no.html"))


def test_a_file_that_does_not_hold_has_no_page(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(CLOSED.read_text("utf-8").replace("settle", "pass", 1), "utf-8")
    done = acres("board", bad, "--page", tmp_path / "no.html")
    assert done.status in (1, 2) and is_one_sentence(done.err)
    assert not (tmp_path / "no.html").exists()


def test_cards_are_shown_to_their_player_who_asks_for_them(played: Table, tmp_path: Path) -> None:
    for side in ("british", "french"):
        public, own = tmp_path / f"{side}.html", tmp_path / f"{side}-own.html"
        home = played.folder / side
        assert acres("board", played.file, "--page", public, home=home).status == 0
        done = acres("board", played.file, "--page", own, "--with-my-cards", home=home)
        assert done.status == 0
        assert "Your hand" in own.read_text("utf-8")
        assert "cards that only" in own.read_text("utf-8")
        assert "Your hand" not in public.read_text("utf-8")
        assert "cards that only" not in public.read_text("utf-8")


def test_somebody_who_does_not_play_has_no_cards_to_show(played: Table, tmp_path: Path) -> None:
    page = tmp_path / "no.html"
    done = acres("board", played.file, "--page", page, "--with-my-cards", home=tmp_path / "home")
    assert "no cards of yours" in refused(done)
    assert not page.exists()


def test_the_page_of_a_player_for_everybody_is_that_of_anybody(
    played: Table, tmp_path: Path
) -> None:
    pages = []
    for home in (played.folder / "british", played.folder / "french", tmp_path / "nobody"):
        page = tmp_path / f"{home.name}.html"
        assert acres("board", played.file, "--page", page, home=home).status == 0
        # When it was checked is said of each.
        pages.append(page.read_text("utf-8").partition("Checked by")[0])
    assert len(set(pages)) == 1
