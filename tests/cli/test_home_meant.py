"""A home that was not named, or mistyped: the one that may be meant is said."""

from pathlib import Path

import pytest

from tests.cli.using import FILE, PASSES, acres, do, snapshot

pytestmark = pytest.mark.usefixtures("in_the_game")


def test_a_home_that_is_not_there_is_answered_with_the_nearest(game: Path) -> None:
    before = snapshot(game)
    for command in (("turn", "apply", FILE, *PASSES), ("games",), ("mail", "draft", FILE)):
        done = acres(*command, home="brittish").fails()
        assert "There is no folder brittish" in done.err
        assert "--home british" in done.err
    assert snapshot(game) == before


def test_whoever_begins_a_second_home_is_told_how_to_make_it(game: Path) -> None:
    before = snapshot(game)
    done = acres("new", "--side", "any", home="british2").fails()
    assert "--home british?" in done.err
    assert "acres --home british2 init" in done.err
    assert snapshot(game) == before


def test_a_forgotten_home(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(game)
    # Away from the folder it is found beside the file.
    for folder, file in ((game, FILE), (tmp_path, game / FILE)):
        monkeypatch.chdir(folder)
        done = acres("turn", "apply", file, *PASSES).fails()
        assert f"acres --home {'british' if folder == game else game / 'british'}" in done.err
    monkeypatch.chdir(game)
    assert "acres --home british" in do("turn", "show", FILE).err
    told = acres("games").fails()
    assert "no identity" in told.err
    assert "acres --home british" in told.err
    assert snapshot(game) == before


def test_somebody_else_is_told_whose_home_plays_the_game(game: Path) -> None:
    assert acres("init", "--name", "Zoé", home=game / "zoe").status == 0
    done = acres("turn", "apply", FILE, *PASSES, home="zoe").fails()
    assert "acres --home british" in done.err


def test_nothing_is_guessed_where_no_home_is_near(game: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = acres("games", home=tmp_path / "empty" / "nobody").fails()
    assert "init" in done.err
    assert "Did you mean" not in done.err
