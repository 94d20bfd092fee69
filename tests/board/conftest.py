"""A browser for tests; who runs them elsewhere may do without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from engine.players.practice import PracticePlayer
from engine.sides import Side
from tests.board.browser import browser as started
from tests.board.browser import program
from tests.board.courses import CLOSED, RUNNING, practice
from tests.board.pages import page_of
from tests.play.playing import begin, play
from tests.present import leave_out


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a file: its event loop is in the way of those of other rooms."""
    if program() is None:
        leave_out("Chromium", "chromium")
    with started() as launched:
        yield launched


@pytest.fixture(scope="session")
def closed_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a practice game that both have closed, for everybody."""
    file = tmp_path_factory.mktemp("pages") / "closed.html"
    file.write_text(page_of(practice(CLOSED)[0].match), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def own_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a practice game that goes on, with the cards of the French, in French."""
    course, seats = practice(RUNNING)
    file = tmp_path_factory.mktemp("pages") / "own.html"
    file.write_text(page_of(course.match, seats[Side.FRENCH], code="fr"), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def sieges_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a game with two sieges of many cards, in Russian, whose sentences are long."""
    match = play(begin(14), PracticePlayer(Random(14)).choose, turns=64, seed=14)
    file = tmp_path_factory.mktemp("pages") / "sieges.html"
    file.write_text(page_of(match, code="ru", turn=63), encoding="utf-8")
    return file
