"""Nothing on a game page covers anything else; the buttons of a decision stay in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from engine.sides import Side
from pbem.text.language import NAMES
from tests.board.browser import stop_clock
from tests.web.hands import open_game_page
from tests.web.serving import Serving, serving
from tests.web.tables import Pair
from tests.web.test_glance import PHONE, SIZES, box_of, is_inside, overlap

WIDTHS = {1024: 768, 1280: 720, 1440: 900, 1920: 1080}
SCREENS: list[dict[str, Any]] = [
    *({"viewport": {"width": width, "height": height}} for width, height in WIDTHS.items())
]
COVERED = """() => {
  const part = ".strip, .sheet, .own-hand, #time, #panel, #log, #writing, #arrives, .lying .side, "
    + ".graph .chart, #words";
  const parts = [...document.querySelectorAll(part)].filter((each) => each.checkVisibility());
  const covered = new Set();
  for (let top = 0; top <= document.documentElement.scrollHeight; top += 300) {
    scrollTo(0, top);
    for (const each of parts) {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      for (const x of [0.03, 0.25, 0.5, 0.75, 0.97])
        for (const y of [0.1, 0.5, 0.9]) {
          const at = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
          const owner = at?.closest(part);
          if (owner && owner !== each && !each.contains(owner) && !owner.contains(each)
            && !(each.matches(".own-hand") && owner.id === "time"))
            covered.add(`${each.id || each.className} by ${owner.id || owner.className}`);
        }
    }
  }
  scrollTo(0, 0);
  return [...covered];
}"""
"""The parts of the page that are under others at some scroll position."""


@pytest.fixture
def table(pair: Pair) -> Iterator[Serving]:
    """Serve the games of the British."""
    with serving(pair.homes[Side.BRITISH]) as started:
        yield started


@pytest.mark.parametrize("screen", SCREENS, ids=[str(width) for width in WIDTHS])
def test_nothing_covers_anything(
    browser: Browser, pair: Pair, table: Serving, screen: dict[str, Any]
) -> None:
    with open_game_page(browser, table, pair.game, alone=True, **screen) as page:
        page.wait_for_selector("#graph:not([hidden])")
        stop_clock(page)
        for summary in page.locator("#words summary, .lying details summary").all():
            summary.click()
        assert page.evaluate(COVERED) == []
        page.click("[data-choice='kind:draft']")
        page.wait_for_selector("#choice [data-look]")
        assert page.evaluate(COVERED) == []
        assert is_inside(page, "#log [data-step], #log .headline")
        before = box_of(page, "#undo")
        page.locator("#choice [data-look]").first.click()
        page.click("#yes")
        page.wait_for_selector(".given li")
        assert "draft" in page.inner_text("#said") and box_of(page, "#undo") == before
        assert not any(
            overlap(box_of(page, "#said"), box_of(page, each)) for each in ("h1", ".kinds")
        )
        kinds = box_of(page, ".kinds")
        # It stays where it has its own room, however old.
        page.clock.run_for(60_000)
        assert "draft" in page.inner_text("#said") and box_of(page, ".kinds") == kinds
        page.click("#undo")
        page.wait_for_selector(".given li", state="detached")
        page.click("#step-through")
        page.wait_for_selector("#turn-lines .shown")
        assert page.evaluate("scrollY") == 0


def test_message_over_a_phone_leaves_and_moves_nothing(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game, alone=True, **PHONE) as page:
        stop_clock(page)
        page.click("[data-choice='kind:draft']")
        page.locator("#choice [data-look]").first.click()
        page.click("#yes")
        page.wait_for_selector(".given li")
        assert "draft" in page.inner_text("#said")
        kinds = box_of(page, ".kinds")
        page.clock.run_for(60_000)
        assert page.inner_text("#said") == "" and box_of(page, ".kinds") == kinds
        page.click("#undo")
        page.wait_for_selector(".given li", state="detached")


@pytest.mark.parametrize("code", NAMES)
def test_phone_does_not_scroll_sideways(browser: Browser, pair: Pair, code: str) -> None:
    with (
        serving(pair.homes[Side.BRITISH], code=code) as served,
        open_game_page(browser, served, pair.game, **PHONE) as page,
    ):
        assert page.inner_text("h1").startswith("Béla")
        assert page.evaluate("document.querySelector('h1').parentElement.scrollWidth") <= (
            box_of(page, "header > div")["width"] + 1
        )
        for path in (f"/games/{pair.game}", "/", "/settings", "/rules", "/new/robot"):
            page.goto(f"http://127.0.0.1:{served.port}{path}")
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 390, path


def test_place_that_cannot_be_chosen_shows_its_facts(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES["wide"]) as page:
        page.click("[data-choice='kind:draft']")
        page.wait_for_selector("[data-out]")
        page.locator("[data-location=quebec] .pick").click(force=True)
        page.wait_for_selector("#why:popover-open")
        assert "12" in page.inner_text("#why > p")
