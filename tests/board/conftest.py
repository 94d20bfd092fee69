"""A browser for tests, which are skipped without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from engine.sides import Side
from tests.board.browser import READY, SCREEN, Watch, script, shared_browser, window
from tests.board.courses import CLOSED, RUNNING, practice
from tests.board.pages import page_of


@pytest.fixture(scope="module")
def browser() -> Browser:
    """The browser that all files with pages share."""
    return shared_browser()


@pytest.fixture(scope="session")
def closed_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The public page of a practice game that both players have closed."""
    file = tmp_path_factory.mktemp("pages") / "closed.html"
    file.write_text(page_of(practice(CLOSED)[0].match), encoding="utf-8")
    return file


AFRESH = script("afresh")


SETTLED = "() => ['', `#turn=${document.getElementById('slider').value}`].includes(location.hash)"


@pytest.fixture(scope="module")
def _last_page(browser: Browser, closed_page: Path) -> Iterator[tuple[Page, Watch]]:
    watch = Watch(closed_page.as_uri())
    with window(browser, alone=True) as page, watch.over(page):
        page.goto(watch.own)
        page.wait_for_selector(READY)
        yield page, watch


@pytest.fixture
def last_page(_last_page: tuple[Page, Watch]) -> Iterator[Page]:
    """The public page after its last turn, for tests that only step through it.

    They may change the window size, the theme or the medium. The tests of a file share it, because
    opening it takes most of a second.
    """
    page, watch = _last_page
    page.set_viewport_size(SCREEN)
    page.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference")
    page.evaluate(AFRESH)
    # Wait for the address, because a late change would undo a change of the test.
    page.wait_for_function(SETTLED, polling=50)
    yield page
    watch.check()


@pytest.fixture(scope="session")
def own_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a running practice game with the cards of the French, in French."""
    course, seats = practice(RUNNING)
    file = tmp_path_factory.mktemp("pages") / "own.html"
    file.write_text(page_of(course.match, seats[Side.FRENCH], code="fr"), encoding="utf-8")
    return file
