"""A page in a browser that runs no scripts or cannot unpack the game, with one position."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.board.browser import READY, open_page, script
from tests.board.courses import RUNNING, practice
from tests.board.pages import page_of
from tests.board.reading import READ, normalize, read

EMPTY = script("nameless")
"""Elements with a missing name, and openable elements that are empty."""


def heading(page: Page) -> str:
    return page.inner_text("#turn-heading")


# The tests of every turn read the last position, with scripts.
@pytest.mark.parametrize("turn", [pytest.param(None, marks=pytest.mark.long), 12])
def test_page_shows_its_position(browser: Browser, tmp_path: Path, turn: int | None) -> None:
    course, file = practice(RUNNING)[0], tmp_path / "game.html"
    file.write_text(page_of(course.match, turn=turn), encoding="utf-8")
    with open_page(browser, file) as page:
        expected, text = normalize(read(page)), heading(page)
        assert not page.is_visible("#still")
        shown_text = len(course.states) - 1 if turn is None else turn
        assert page.input_value("#slider") == page.inner_text("#at") == str(shown_text)
    with open_page(browser, file, java_script_enabled=False) as page:
        assert normalize(page.evaluate(READ)) == expected
        assert heading(page) == text
        assert not page.is_visible("#time")
        assert page.is_visible("#still")


def test_nothing_is_empty_without_scripts(browser: Browser, own_page: Path) -> None:
    with open_page(browser, own_page, java_script_enabled=False) as page:
        assert page.evaluate(EMPTY) == []
        assert not page.is_visible("#all") and not page.is_visible(".keys")
    with open_page(browser, own_page) as page:
        assert page.is_visible("#all") and page.is_visible(".graph details")
        assert page.is_visible(".keys")
        page.click("#all summary")
        assert page.locator("#turns a").first.is_visible()


# Data that is no game and data that cannot be unpacked have the same effect.
@pytest.mark.parametrize(
    "damaged_page", ["eJzLSM3JyQcABiwCFQ==", pytest.param("*", marks=pytest.mark.long)]
)
def test_page_reports_a_game_that_cannot_be_unpacked(
    browser: Browser, closed_page: Path, tmp_path: Path, damaged_page: str
) -> None:
    """The page has no useless controls, as in an outdated browser."""
    file, page_text = tmp_path / "game.html", closed_page.read_text(encoding="utf-8")
    game = re.compile(r'(<script type="text/plain" id="game">)[^<]*')
    file.write_text(
        game.sub(lambda results: results[1] + damaged_page, page_text), encoding="utf-8"
    )
    page = browser.new_page()
    with page.expect_console_message(lambda text: text.type == "error"):
        page.goto(file.as_uri())
    page.wait_for_selector("#still", state="visible")
    assert not page.is_visible("#time")
    assert page.locator(READY).count() == 0
    assert page.evaluate(EMPTY) == []
    page.close()


UNPACKING = """
  window.seen = () => [document.getElementById("time"), document.getElementById("still")]
    .map((each) => each.checkVisibility({ visibilityProperty: true }));
  const unpacks = Response.prototype.json;
  Response.prototype.json = async function () {
    window.while_unpacking = seen();
    return unpacks.call(this);
  };
"""


def test_controls_appear_once_they_work(browser: Browser, closed_page: Path) -> None:
    page = browser.new_page()
    page.add_init_script(UNPACKING)
    page.goto(closed_page.as_uri())
    page.wait_for_selector(READY)
    assert page.evaluate("window.while_unpacking") == [False, False]
    assert page.evaluate("seen()") == [True, False]
    page.close()
