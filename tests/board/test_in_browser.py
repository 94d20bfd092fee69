"""A page in a browser: keys, links, focus and hostile names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from engine.sides import Side
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from tests.board.browser import PHONE, SCREEN, Watch, open_page, script, stop_clock, window
from tests.board.pages import page_of
from tests.play.correspondents import Correspondents
from tests.sample import sample

LAST = 103
AT = "document.getElementById('slider').value"
OUTRUN_SCRIPT = script("outrun_address")
"""A step and an immediate click on the previous turn. Returns the state between them."""
FOCUSED = script("focused")
CONTROLS = """
() => [...document.querySelectorAll("a[href], button, summary, input, [tabindex='0']")]
  .filter((each) => each.checkVisibility() && each.tabIndex >= 0)
  .map((each) => each.id || each.outerHTML.slice(0, 100))
"""


def current_turn(page: Page) -> int:
    """Return the turn of the page, on which slider and number agree."""
    turn_number = int(page.evaluate(AT))
    assert page.inner_text("#at") == str(turn_number)
    assert page.inner_text("#turn-heading").startswith(
        f"Turn {turn_number}:" if turn_number else "Setup"
    )
    return turn_number


# --- keyboard


@pytest.mark.slow
def test_keys_go_through_the_turns(last_page: Page) -> None:
    assert current_turn(last_page) == LAST
    for key, turn_number in (
        ("ArrowLeft", LAST - 1), ("ArrowLeft", LAST - 2), ("ArrowRight", LAST - 1),
        ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", LAST), ("ArrowRight", LAST),
    ):  # fmt: skip
        last_page.keyboard.press(key)
        assert current_turn(last_page) == turn_number, key


@pytest.mark.parametrize("control", sample(["#slider", "#on", "#theme", "summary"], every=2))
def test_keys_work_with_the_focus_on_any_control(last_page: Page, control: str) -> None:
    last_page.locator(control).first.focus()
    last_page.evaluate("window.focused = document.activeElement")
    for key, turn_number in (
        ("ArrowLeft", LAST - 1), ("ArrowRight", LAST), ("Home", 0), ("End", LAST)
    ):  # fmt: skip
        last_page.keyboard.press(key)
        assert current_turn(last_page) == turn_number, key
        assert last_page.evaluate("window.focused === document.activeElement")


def test_space_plays_stops_and_presses_a_button(browser: Browser, closed_page: Path) -> None:
    with open_page(browser, closed_page, "#turn=41", alone=True) as page:
        stop_clock(page)
        page.keyboard.press("Space")
        page.clock.run_for(10_000)
        played = current_turn(page)
        assert 41 < played < LAST
        page.keyboard.press("Space")
        page.clock.run_for(10_000)
        assert current_turn(page) == played
        page.focus("#back")
        page.keyboard.press("Space")
        assert current_turn(page) == played - 1
        page.clock.run_for(10_000)
        assert current_turn(page) == played - 1


def test_playback_ends_after_the_last_turn(browser: Browser, closed_page: Path) -> None:
    with open_page(browser, closed_page, f"#turn={LAST - 2}", alone=True) as page:
        stop_clock(page)
        page.click("#play")
        page.clock.run_for(60_000)
        assert current_turn(page) == LAST


def test_tab_reaches_every_control_visibly(browser: Browser, own_page: Path) -> None:
    with open_page(browser, own_page) as page:
        expected_elements, reached = page.evaluate(CONTROLS), []
        for _ in range(len(expected_elements) + 5):
            page.keyboard.press("Tab")
            focused = page.evaluate(FOCUSED)
            if focused is None:
                break
            assert focused["ring"], focused["told"]
            reached.append(focused["told"])
        assert reached == expected_elements


LOST = script("lost_focus")


@pytest.mark.parametrize("step", [16, pytest.param(5, marks=pytest.mark.long)])
def test_focus_is_never_lost(browser: Browser, own_page: Path, step: int) -> None:
    """The focus moves from elements that a turn removes."""
    with open_page(browser, own_page, "#turn=30") as page:
        assert page.evaluate(LOST, step) == []


# --- links and announcements


def test_address_and_turn_follow_each_other(last_page: Page) -> None:
    last_page.keyboard.press("Home")
    last_page.wait_for_function("() => location.hash === '#turn=0'")
    last_page.evaluate("location.hash = '#turn=41'")
    last_page.wait_for_function(f"() => {AT} === '41'")
    assert current_turn(last_page) == 41


def test_live_region_announces_the_turn(last_page: Page) -> None:
    for _ in range(3):
        last_page.keyboard.press("ArrowLeft")
    output = last_page.locator("[role=status], [aria-live=polite]").first
    last_page.wait_for_function(
        "() => document.querySelector('[role=status], [aria-live=polite]').textContent"
        f".includes('Turn {LAST - 3}:')"
    )
    text = output.text_content() or ""
    for line in last_page.locator("#turn-lines li").all():
        assert (line.text_content() or "").strip() in text


def test_address_beyond_the_game_becomes_the_last_turn(browser: Browser, closed_page: Path) -> None:
    with open_page(browser, closed_page, "#turn=9999") as page:
        page.wait_for_function(f"() => location.hash === '#turn={LAST}'")
        page.evaluate("location.hash = '#turn=99999999999999999999'")
        page.wait_for_function(f"() => location.hash === '#turn={LAST}'")
        assert current_turn(page) == LAST


@pytest.mark.parametrize("viewport", sample([PHONE, SCREEN], first=1))
def test_link_to_a_turn_shows_it_on_the_board(last_page: Page, viewport: ViewportSize) -> None:
    last_page.set_viewport_size(viewport)
    last_page.click("#all summary")
    last_page.click("#turns a[href='#turn=12']")
    assert current_turn(last_page) == 12
    check_on_the_board(last_page)
    last_page.keyboard.press("ArrowRight")
    assert current_turn(last_page) == 13


def check_on_the_board(page: Page) -> None:
    """Fail if the board is not in view or has no focus."""
    assert page.evaluate("document.activeElement.id") == "game-now"
    board, time = (page.locator(key).bounding_box() for key in (".board", "#time"))
    assert board is not None and time is not None and page.viewport_size is not None
    assert time["y"] + time["height"] <= board["y"] < page.viewport_size["height"] / 2


def test_link_to_the_turn_in_a_stale_address_works(last_page: Page) -> None:
    """During fast steps the address is out of date."""
    last_page.evaluate("location.hash = '#turn=41'")
    last_page.wait_for_function(f"() => {AT} === '41'")
    last_page.click("#all summary")
    old_address = last_page.evaluate(OUTRUN_SCRIPT)
    assert old_address == {"turn": "42", "address": "#turn=41"}
    assert current_turn(last_page) == 41


def test_tap_on_the_graph_goes_to_the_turn(browser: Browser, closed_page: Path) -> None:
    with open_page(browser, closed_page, viewport=PHONE, has_touch=True) as page:
        page.locator(".chart svg[role]").last.tap()
        assert 0 < current_turn(page) < LAST
        check_on_the_board(page)


# --- hostile names and scripts


NAMES = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<style>*{display:none}</style>",
    "{{7*7}}{% raw %}",
    "</script><svg onload=alert(1)>",
    "</title></style><h1>Anna",
    "'-alert(1)-'",
    "W" * 60,
    "A\u0301" + "\u0301" * 20 + "nna",
    "&lt;b&gt;",
)


def game_of(names: tuple[str, str]) -> Match:
    """Play the beginning of a game between players of these names."""
    pair = Correspondents(Random(5))
    for side, name in zip(Side, names, strict=True):
        seed = Random(name).randbytes(32)
        pair.identities[side] = Identity(name, f"{side.value}@example.org", seed)
    game = pair.join(pair.invite(Side.BRITISH, lists=1))
    while game.match.state.turn < 2:
        game = pair.answer(game)
    return game.match


ELEMENTS_SCRIPT = """
() => {
  const all = [...document.querySelectorAll("*")];
  const few = all.map((each) => each.localName).filter((name) => FEW.includes(name)).sort();
  const names = all.flatMap((each) => each.getAttributeNames());
  const handlers = names.filter((name) => name.startsWith("on"));
  return [few, handlers, [...new Set(all.map((each) => each.localName))].sort()];
}
""".replace("FEW", "['script', 'style', 'title', 'h1', 'img']")
"""The elements and handlers of a page that do not depend on the players."""


@pytest.fixture(scope="module")
def expected_elements(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> object:
    """The elements of the page of a game between Anna and Béla."""
    file = tmp_path_factory.mktemp("plain") / "game.html"
    file.write_text(page_of(game_of(("Anna", "Béla"))), encoding="utf-8")
    with open_page(browser, file) as page:
        return page.evaluate(ELEMENTS_SCRIPT)


@pytest.mark.parametrize("names", list(zip(NAMES[::2], NAMES[1::2], strict=True)))
def test_markup_in_names_is_escaped(
    browser: Browser, tmp_path: Path, expected_elements: object, names: tuple[str, str]
) -> None:
    """Markup in names adds no element or attribute, and does not overflow the window."""
    file = tmp_path / "game.html"
    file.write_text(page_of(game_of(names)), encoding="utf-8")
    with open_page(browser, file, viewport=PHONE) as page:
        page.keyboard.press("Home")
        page.keyboard.press("End")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        assert page.evaluate(ELEMENTS_SCRIPT) == expected_elements


ATTEMPTS = {
    "fetch": "fetch('https://example.org/').catch(() => 0)",
    "image": "document.body.append(Object.assign(new Image(), {src: 'https://example.org/a.png'}))",
    "script": """document.body.append(Object.assign(document.createElement('script'),
                 {textContent: 'window.ran = 1'}))""",
    "handler": """document.body.insertAdjacentHTML('beforeend', '<b onclick="ran = 1">x</b>');
                  document.body.lastChild.click()""",
    "style": "document.body.setAttribute('style', 'color: red')",
    "frame": """document.body.append(Object.assign(document.createElement('iframe'),
                {src: 'https://example.org/'}))""",
    "beacon": "navigator.sendBeacon('https://example.org/', 'x')",
    "socket": "try { new WebSocket('wss://example.org/') } catch { 0 }",
    "form": """document.body.insertAdjacentHTML('beforeend',
               '<form action="https://example.org/"></form>'); document.forms[0].submit()""",
}


@pytest.fixture(scope="module")
def attempting_page(browser: Browser, closed_page: Path) -> Iterator[tuple[Page, Watch]]:
    """A page in which tests attempt violations of its policy."""
    watch = Watch(closed_page.as_uri())
    with window(browser, alone=True) as page, watch.over(page):
        page.goto(closed_page.as_uri())
        yield page, watch


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_content_security_policy_blocks_every_attempt(
    attempting_page: tuple[Page, Watch], attempt: str
) -> None:
    page, watch = attempting_page
    with page.expect_console_message(lambda text: "Content Security Policy" in text.text):
        page.evaluate(f"() => {{ {ATTEMPTS[attempt]} }}")
    assert page.evaluate("window.ran") is None
    assert page.url == watch.own
    assert watch.sent == []
