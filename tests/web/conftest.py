"""Fixtures for the web tests; games of module-wide fixtures are viewed, never played."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from engine.sides import Side
from tests.board.browser import shared_browser
from tests.cli.commands import do
from tests.web.inline import Table
from tests.web.serving import Serving, serving
from tests.web.tables import Pair, is_besieged_turn

GAMES = ("first", "second")


@pytest.fixture(scope="session")
def anna(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a read-only folder with the `home` of Anna, who has joined two games."""
    folder = tmp_path_factory.mktemp("anna")
    do("init", "--name", "Anna", home=folder / "home")
    do("init", "--name", "Béla <b>", home=folder / "bela")
    for name in GAMES:
        new, joined = folder / f"{name}-000.toml", folder / f"{name}-001.toml"
        do("new", "--side", "british", "--lists", 1, "--output", new, home=folder / "bela")
        do("join", new, "--output", joined, home=folder / "home")
    return folder


@pytest.fixture
def own(anna: Path, tmp_path: Path) -> Path:
    """Return a copy of the folder `anna`.

    Its library knows the files by their paths in the original.
    """
    return shutil.copytree(anna, tmp_path / "anna")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a game on its page."""
    table = Table(tmp_path / "table")
    table.look()
    return table


@pytest.fixture(scope="module")
def served(anna: Path) -> Iterator[Serving]:
    """Serve Anna's games."""
    with serving(anna / "home") as started:
        yield started


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a game with a siege, in which it is the turn of the British."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=1).begin().play(is_besieged_turn)
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Return the browser that all modules share."""
    return shared_browser()
