"""The appearance of a page: window sizes, themes, reduced motion, and print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from tests.board.browser import BROAD, PHONE, SCREEN, open_page, script

GO = script("go_to_turn")
WIDEST = f"""
() => {{
  const go = {GO}, root = document.scrollingElement, wide = [];
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (let turn = 0; turn <= Number(document.getElementById("slider").max); turn += 3) {{
    go(turn);
    if (root.scrollWidth > innerWidth) wide.push([turn, root.scrollWidth]);
  }}
  return wide;
}}
"""
"""The turns with elements beyond the edge of the window, and the total width."""
SMALL_BUTTONS = script("small_buttons")
"""The controls that are too small for a finger."""
BROKEN_WORDS = script("broken_words")
"""The cells of a table in which a single word is broken into lines."""
SCREENS: dict[str, dict[str, Any]] = {
    "light": {"viewport": SCREEN, "color_scheme": "light"},
    "dark": {"viewport": SCREEN, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "has_touch": True},
    "phone, dark": {"viewport": PHONE, "color_scheme": "dark", "has_touch": True},
}


SHEETS: dict[str, ViewportSize] = {
    "A4": {"width": 725, "height": 1054},
    "Letter": {"width": 747, "height": 987},
}
"""The area within the margins of a sheet, in pixels of 1/96 inch."""


LONG = pytest.mark.long
"""The mark of repeated checks on other screens, because axe is slow."""


@pytest.mark.parametrize(
    ("page", "at", "screen"),
    [
        ("own_page", "", "light"),
        pytest.param("own_page", "", "dark", marks=LONG),
        pytest.param("own_page", "", "phone", marks=LONG),
        # A page with own cards has all elements of this one too.
        pytest.param("closed_page", "#turn=60", "light", marks=LONG),
        pytest.param("closed_page", "#turn=60", "phone, dark", marks=LONG),
    ],
)
def test_page_has_no_accessibility_violations(
    browser: Browser, request: pytest.FixtureRequest, page: str, at: str, screen: str
) -> None:
    file = request.getfixturevalue(page)
    with open_page(browser, file, at, **SCREENS[screen]) as page_under_test:
        for details in page_under_test.locator("details").all():
            details.evaluate("each => each.open = true")
        report = Axe().run(page_under_test, options={"resultTypes": ["violations"]})
        assert report.violations_count == 0, report.generate_report()


@pytest.mark.parametrize(
    "widths", [(320, 1280), pytest.param((320, 360, 768, 1280, 1920), marks=LONG)]
)
def test_nothing_is_clipped(browser: Browser, own_page: Path, widths: tuple[int, ...]) -> None:
    with open_page(browser, own_page) as page:
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(WIDEST) == [], width


def test_controls_are_large_enough_for_touch(browser: Browser, closed_page: Path) -> None:
    with open_page(browser, closed_page, viewport=PHONE, has_touch=True) as page:
        assert page.evaluate(SMALL_BUTTONS) == []


def test_explanation_is_folded_where_it_cannot_be_read(browser: Browser, closed_page: Path) -> None:
    with open_page(browser, closed_page, viewport=SCREEN) as page:
        assert page.locator(".legend").is_visible() and page.locator(".cartouche").is_visible()
        page.click(".explain")
        assert not page.locator(".legend").is_visible()
    with open_page(browser, closed_page, viewport=PHONE) as page:
        assert not page.locator(".legend").is_visible()
        page.click(".explain")
        legend, sheet = (page.locator(key).bounding_box() for key in (".legend", ".sheet"))
        assert legend is not None and sheet is not None
        assert sheet["width"] * 0.8 < legend["width"] < sheet["width"]


def test_theme_follows_the_system_or_the_button(browser: Browser, closed_page: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    position = []
    for scheme in ("light", "dark"):
        with open_page(browser, closed_page, color_scheme=scheme) as page:
            before = page.evaluate(paper)
            page.click("#theme")
            position.append((before, page.evaluate(paper)))
    light, dark = position[0]
    assert light != dark
    assert position[1] == (dark, light)


MOVING_PARTS = script("moving_parts")


def test_reduced_motion_stops_animations(last_page: Page) -> None:
    last_page.emulate_media(reduced_motion="reduce")
    last_page.evaluate(GO, 40)
    last_page.evaluate(GO, 41)
    assert last_page.evaluate(MOVING_PARTS) == []
    assert last_page.evaluate("document.getAnimations().length") == 0


# The page with two sieges is printed on both sheets in every run.
@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "turn", "paper"),
    [("closed_page", 98, "A4"), ("closed_page", 98, "Letter"), ("own_page", 12, "A4")],
)
def test_position_is_printed_on_one_sheet(
    browser: Browser, request: pytest.FixtureRequest, page: str, turn: int, paper: str
) -> None:
    """The sheet has room for a siege and full discard piles after turn 98, and for own cards."""
    with open_page(browser, request.getfixturevalue(page), f"#turn={turn}") as printed:
        assert sheets(printed.pdf(format=paper, prefer_css_page_size=True)) == 1


ROOM_LEFT = script("room_left")


@pytest.mark.parametrize("step", [25, pytest.param(6, marks=LONG)])
def test_printed_sheet_has_room_for_everything(last_page: Page, step: int) -> None:
    """A sheet of A4 has room within its margins, with a board of at least 8 cm."""
    last_page.set_viewport_size(SHEETS["A4"])
    last_page.emulate_media(media="print")
    for turn in range(0, 103, step):
        last_page.evaluate(GO, turn)
        overflowing, board = last_page.evaluate(ROOM_LEFT)
        assert overflowing <= 0 and board >= 300, turn


def test_dark_theme_is_printed_on_white(last_page: Page) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    white = ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    last_page.emulate_media(media="print", color_scheme="dark")
    assert last_page.evaluate(ground) in white
    assert last_page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def sheets(pdf: bytes) -> int:
    """Return the number of pages in a PDF of the browser."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_broad_screen_shows_board_and_both_sides(last_page: Page) -> None:
    """The whole position is visible at once, as on a table."""
    last_page.set_viewport_size(BROAD)
    for part in (".board", "#british-hand", "#french-hand", "#british-money", "#turn-heading"):
        box = last_page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] < BROAD["height"], part


def test_table_scrolls_in_a_narrow_window(last_page: Page) -> None:
    last_page.set_viewport_size({"width": 280, "height": 600})
    last_page.evaluate(
        "() => document.querySelectorAll('details').forEach((each) => each.open = true)"
    )
    assert last_page.locator(".wide th").count() > 100
    assert last_page.evaluate(BROKEN_WORDS) == []
