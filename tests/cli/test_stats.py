"""`acres stats`: a player's games taken together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.using import FILE, ROOT, acres, do

pytestmark = pytest.mark.usefixtures("in_the_game")

BRITISH = Path("british")


def told() -> str:
    return " ".join(do("stats", home=BRITISH).out.split())


def test_how_a_game_goes_and_how_it_went(game: Path) -> None:
    assert "British won: 0, lost: 0, in progress: 1" in told()
    do("turn", "resign", FILE, "--yes", home=BRITISH)
    assert "British won: 0, lost: 1, in progress: 0" in told()


def test_the_data_are_described(game: Path) -> None:
    do("turn", "resign", FILE, "--yes", home=BRITISH)
    facts = json.loads(do("stats", "--json", home=BRITISH).out)
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `acres stats --json`"))
    keys = {*facts, *facts["in_all"], *facts["results"][0], *facts["turns"]}
    assert [key for key in sorted(keys) if f"`{key}`" not in row] == []


def test_whoever_has_no_games_is_told_how_to_get_some(tmp_path: Path) -> None:
    home = tmp_path / "new"
    do("init", "--name", "Anna", "--email", "", home=home)
    assert "games add FOLDER" in do("stats", home=home).out
    assert json.loads(do("stats", "--json", home=home).out)["results"] == []


def test_whoever_is_nobody_is_told_so(tmp_path: Path) -> None:
    done = acres("stats", home=tmp_path / "nobody")
    assert done.status == 2
    assert "init" in done.err
