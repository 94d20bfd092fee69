"""Cards in a browser: every text has room, and one card is large at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from pbem.text.language import NAMES
from tests.board.browser import PHONE, SCREEN, open_page, script
from tests.board.courses import RUNNING, practice
from tests.board.pages import page_of
from tests.sample import sample

WIDTH, HEIGHT, FRAME = 126, 176, 3
BEYOND = script("beyond_the_card")
LARGE = """() => {
  const large = document.getElementById("large");
  const isShown = getComputedStyle(large).display !== "none";
  return isShown ? large.querySelector("use").getAttribute("href") : null;
}"""


@pytest.mark.parametrize("language", sample(reversed(NAMES), every=2))
def test_text_fits_on_every_card(browser: Browser, tmp_path: Path, language: str) -> None:
    file = tmp_path / "game.html"
    file.write_text(page_of(practice(RUNNING)[0].match, code=language), encoding="utf-8")
    with open_page(browser, file) as page:
        page.evaluate("document.fonts.ready")
        assert page.locator("g[id^=card-]").count() > 80
        assert page.evaluate(BEYOND, [WIDTH, HEIGHT, FRAME]) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", sample([PHONE, SCREEN], first=1))
def test_focused_card_is_enlarged_within_the_window(last_page: Page, size: ViewportSize) -> None:
    last_page.set_viewport_size(size)
    assert last_page.evaluate(LARGE) is None
    for pile in ("#british-hand", "#british-discard", "#french-draft"):
        card = last_page.locator(f"{pile} .card[data-key]").first
        last_page.keyboard.press("Tab")
        card.focus()
        assert last_page.evaluate(LARGE) == f"#card-{card.get_attribute('data-key')}"
        box = last_page.locator("#large").bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
        small = card.bounding_box()
        assert small is not None and box["width"] > 1.5 * small["width"]
    last_page.keyboard.press("Escape")
    assert last_page.evaluate(LARGE) is None


def test_hovered_card_is_enlarged_without_moving_others(last_page: Page) -> None:
    cards = last_page.locator("#british-discard .card[data-key]")
    places = [element.bounding_box() for element in cards.all()]
    cards.first.scroll_into_view_if_needed()
    cards.first.hover()
    last_page.wait_for_selector("#large.shown")
    assert last_page.evaluate(LARGE) == f"#card-{cards.first.get_attribute('data-key')}"
    last_page.evaluate("scrollTo(0, 0)")
    assert [element.bounding_box() for element in cards.all()] == places
    last_page.mouse.move(2, 2)
    last_page.wait_for_function(
        "() => !document.getElementById('large').classList.contains('shown')"
    )


KEYS = "(pile) => [...pile.querySelectorAll('.card[data-key]')].map((card) => card.dataset.key)"
LOOKED_AT = "document.activeElement.dataset.key"
STOPS = script("stops_in_piles")


def test_pile_is_one_tab_stop(last_page: Page) -> None:
    # The focus stays in a changing pile, on cards that are no tab stops.
    last_page.locator("#british-discard .card[data-key]").nth(2).focus()
    assert last_page.evaluate(STOPS) == []


def test_arrow_keys_move_within_a_pile_and_tab_leaves_it(last_page: Page) -> None:
    for id in ("#british-discard", "#french-draft"):
        pile = last_page.locator(f"{id} .cards")
        keys = pile.evaluate(KEYS)
        assert len(keys) > 2
        pile.locator(".card[data-key]").first.focus()
        for key in [*keys[1:], keys[-1]]:
            last_page.keyboard.press("ArrowDown")
            assert last_page.evaluate(LOOKED_AT) == key
            assert last_page.evaluate(LARGE) == f"#card-{key}"
        last_page.keyboard.press("ArrowUp")
        assert last_page.evaluate(LOOKED_AT) == keys[-2]
        for way in ("Tab", "Shift+Tab"):
            pile.locator(".card[data-key]").nth(1).focus()
            last_page.keyboard.press(way)
            assert not pile.evaluate("(pile) => pile.contains(document.activeElement)"), way
            assert last_page.evaluate("document.activeElement !== document.body")
