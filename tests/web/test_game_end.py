"""The end of the game announced in time, and the score with its parts, at every size."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from engine.sides import Side
from tests.engine.starts import FIXED
from tests.web.hands import open_game_page, press
from tests.web.serving import Serving, serving
from tests.web.tables import Pair
from tests.web.test_every_kind import NEW_GAME, Beginning

pytestmark = pytest.mark.slow
SIZES = [(1440, 900), (1024, 768), (390, 844)]


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beginning]:
    """Begin a game in which the French have captured 12 points, and a siege delays the end."""
    beginning = Beginning(Pair(tmp_path_factory.mktemp("end")))
    state = FIXED["two sieges won"]()
    state.players[Side.FRENCH].captured_towns = 3
    with patch(NEW_GAME, beginning.new_game):
        beginning.begin(state)
        yield beginning


@pytest.fixture(scope="module")
def table(beginning: Beginning) -> Iterator[Serving]:
    with serving(beginning.pair.homes[Side.BRITISH]) as started:
        yield started


def is_in_view(page: Page, selector: str, size: tuple[int, int]) -> bool:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return min(box["x"], box["y"]) >= 0 and right <= size[0] and bottom <= size[1]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_score_opens_from_the_strip(
    browser: Browser, beginning: Beginning, table: Serving, size: tuple[int, int]
) -> None:
    viewport = ViewportSize(width=size[0], height=size[1])
    with open_game_page(browser, table, beginning.pair.game, viewport=viewport) as page:
        ending = page.locator(".tally.french .ending")
        assert ending.get_attribute("title") == "The game ends after the siege"
        assert is_in_view(page, ".tally.french .ending", size)
        for opener in ("[data-key=british-points]", ".tally.french .ending"):
            page.focus(opener)
            page.keyboard.press("Enter")
            assert is_in_view(page, "#score", size)
            text = page.inner_text("#score")
            for part in ("Captured towns", "Towns left", "captured 12 points, but the siege"):
                assert part in text
            page.keyboard.press("Escape")
            assert not page.locator("#score").is_visible()


def test_order_and_turn_say_that_they_end_the_game(
    browser: Browser, beginning: Beginning, table: Serving
) -> None:
    viewport = ViewportSize(width=1024, height=768)
    with open_game_page(browser, table, beginning.pair.game, viewport=viewport) as page:
        page.locator(".orders button").first.click()
        page.wait_for_selector(".preview")
        first = page.locator(".preview li").first.inner_text()
        assert "the game ends when the next French turn begins" in first
        press(page, "#yes")
        page.wait_for_selector(".tally.french .ending:text('The game is about to end')")
        for number in (2, 3):
            page.locator("[data-choice='kind:pass']").click()
            press(page, "#yes")
            page.wait_for_selector(f".given li:nth-child({number})")
        page.wait_for_selector("#end")
        end = "#signing :text('This ends the game: the French win, 38 to 22.')"
        assert is_in_view(page, end, (1024, 768)) and is_in_view(page, "#end", (1024, 768))
        assert page.inner_text("#signing").count("the French win") == 1
        assert page.locator(".tally.british.moves").count() == 1
