"""Help at hand: cards and rules by pointer, keys and touch; the dialog; the sign of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ViewportSize

from engine.order import Order
from engine.sides import Side
from pbem.play.config import Config
from pbem.play.home import Home
from tests.web.hands import choice_keys, choose, open_game_page, press
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1440, "height": 900},
    "middle": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
}
SHOWN = "#large.shown"
COVERED = """(selector) => {
  const figure = document.getElementById("large").getBoundingClientRect();
  const meets = (box) => box.width && box.left < figure.right && box.right > figure.left
    && box.top < figure.bottom && box.bottom > figure.top;
  const subject = document.querySelector(selector);
  const group = subject.closest(".kinds, .orders, .cards, .chosen, .preview") ?? subject;
  const isInside = figure.left >= 0 && figure.top >= 0 && figure.right <= innerWidth + 1
    && figure.bottom <= innerHeight + 1;
  return [isInside, [subject, ...group.querySelectorAll("button, .card[data-key]")].filter(
    (each) => meets(each.getBoundingClientRect())).length];
}"""
"""True if the figure is inside the window, and the number of the choices that it covers."""
HREFS = "() => [...document.querySelectorAll('#large use')].map((each) => each.href.baseVal)"
WORDS = "document.getElementById('large-words').textContent"
IN_VIEW = """() => {
  const summary = document.querySelector("#help details[open] summary").getBoundingClientRect();
  const help = document.getElementById("help").getBoundingClientRect();
  return summary.top >= help.top && summary.bottom <= help.bottom;
}"""
WATCH = """() => {
  const large = document.getElementById("large");
  window.timesShown = 0;
  new MutationObserver(() => window.timesShown += large.classList.contains("shown"))
    .observe(large, { attributes: true });
}"""
TONES = """() => {
  window.rung = 0;
  const Sounding = window.AudioContext;
  window.AudioContext = class extends Sounding { constructor() { super(); window.rung += 1; } };
}"""


def is_turn_with_choices(pair: Pair) -> bool:
    assert pair.written is not None
    if pair.written.match.state.turn < 6 or pair.next_side is not Side.BRITISH:
        return False
    turn = pair.next_turn(pair.sessions[Side.BRITISH])
    return not turn.is_complete and len(settlements(pair)) > 0


def settlements(pair: Pair) -> list[Order]:
    choices = pair.next_turn(pair.sessions[Side.BRITISH]).choices
    return [order for order in choices.some_orders() if order.verb == "reserve"]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a game in which the British can do much."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(is_turn_with_choices)
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture(scope="module")
def table(pair: Pair) -> Iterator[Serving]:
    with serving(pair.homes[Side.BRITISH]) as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_card_and_rule_are_shown_beside_what_is_chosen(
    browser: Browser, pair: Pair, table: Serving, size: str
) -> None:
    (order, *_) = settlements(pair)
    (card,) = order.cards
    kind, hand = "[data-choice='kind:reserve']", "#british-hand .card[data-key]"
    with open_game_page(browser, table, pair.game, viewport=SIZES[size]) as page:
        for selector, has_face in (
            (kind, False),
            (hand, True),
            (f"[data-out='card:{card}@british-hand']", True),
            (f"[data-give='{order.notation()}']", True),
        ):
            if selector.startswith("[data-out"):
                for key in choice_keys(pair.next_turn(pair.sessions[Side.BRITISH]).view(), order):
                    choose(page, key, by_keys=False)
            page.mouse.move(0, 0)
            page.locator(selector).first.scroll_into_view_if_needed()
            page.wait_for_selector(SHOWN, state="hidden")
            page.locator(selector).first.hover()
            page.wait_for_selector(SHOWN)
            assert len(page.evaluate(HREFS)) == int(has_face)
            assert len(page.evaluate(WORDS)) > 20
            assert page.evaluate(COVERED, selector) == [True, 0]
        page.keyboard.press("Escape")
        page.wait_for_selector(SHOWN, state="hidden")
        page.wait_for_function("() => !document.querySelector('[data-out]')")


@pytest.mark.slow
def test_place_to_choose_shows_its_card(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game) as page:
        selector = "[data-location].lit"
        place = page.locator(selector).first
        location = place.get_attribute("data-location")
        place.locator(".pick").hover()
        page.wait_for_selector(SHOWN)
        (href,) = page.evaluate(HREFS)
        assert href.endswith(f"-{location}")
        assert page.evaluate(WORDS)
        assert page.evaluate(COVERED, selector) == [True, 0]


@pytest.mark.slow
def test_keyboard_gets_the_rule_as_description(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game) as page:
        page.keyboard.press("Tab")
        kind = page.locator("[data-choice='kind:take']")
        kind.focus()
        page.wait_for_selector(SHOWN)
        rule = page.inner_text("#large-words")
        assert rule.startswith("You play one location card and take the money printed on it")
        described = kind.evaluate(
            "(each) => document.getElementById(each.getAttribute('aria-describedby')).textContent"
        )
        assert described == rule
        page.locator("#open-help").focus()
        page.wait_for_selector(SHOWN, state="hidden")
        assert kind.get_attribute("aria-describedby") is None


@pytest.mark.slow
def test_long_touch_explains_and_a_tap_chooses(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    options: dict[str, Any] = {"viewport": SIZES["phone"], "has_touch": True, "is_mobile": True}
    with open_game_page(browser, table, pair.game, **options) as page:
        kind = page.locator("[data-choice='kind:reserve']")
        kind.scroll_into_view_if_needed()
        box = kind.bounding_box()
        assert box is not None
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch = page.context.new_cdp_session(page)

        def send(kind: str, points: list[dict[str, float]]) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        send("touchStart", [at])
        page.wait_for_selector(SHOWN)
        assert page.evaluate(COVERED, "[data-choice='kind:reserve']") == [True, 0]
        send("touchEnd", [])
        page.wait_for_selector(SHOWN, state="hidden")
        page.evaluate(WATCH)
        assert page.locator("[data-out]").count() == 0
        # Too late for the second tap of a double one.
        page.wait_for_timeout(600)
        kind.tap()
        page.wait_for_selector("[data-out='kind:reserve']")
        page.wait_for_timeout(400)
        assert page.evaluate("window.timesShown") == 0


@pytest.mark.slow
def test_what_moves_under_a_resting_mouse_is_explained_once_the_mouse_moves(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game) as page:
        kind = page.locator("[data-choice='kind:reserve']")
        box = kind.bounding_box()
        assert box is not None
        page.evaluate("document.querySelector('.kinds').style.translate = '0 -300px'")
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.evaluate("document.querySelector('.kinds').style.translate = ''")
        # Not every browser reports by itself what has come under a resting mouse.
        at = {"clientX": box["x"] + 20, "clientY": box["y"] + 20}
        kind.dispatch_event("pointerover", {**at, "pointerType": "mouse", "bubbles": True})
        page.wait_for_timeout(400)
        assert not page.locator(SHOWN).count()
        page.mouse.move(box["x"] + 21, box["y"] + 20)
        page.wait_for_selector(SHOWN)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_help_has_rules_cards_and_keys(
    browser: Browser, pair: Pair, table: Serving, size: str
) -> None:
    is_phone = size == "phone"
    options: dict[str, Any] = {"has_touch": is_phone, "is_mobile": is_phone}
    with open_game_page(browser, table, pair.game, viewport=SIZES[size], **options) as page:
        press(page, "#open-help", by_keys=not is_phone)
        help = page.locator("#help")
        assert "A turn has two actions" in help.inner_text()
        links = help.locator("a").evaluate_all(
            "(all) => all.map((each) => decodeURIComponent(each.hash.slice(1)))"
        )
        rules = page.request.get(f"http://127.0.0.1:{table.port}/rules")
        assert not [id for id in links if id and f'id="{id}"' not in rules.text()]
        box = help.bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= SIZES[size]["width"]
        assert box["y"] >= 0 and box["y"] + box["height"] <= SIZES[size]["height"]
        help.locator("summary", has_text="All cards").click()
        cards = help.locator(".cards svg")
        assert cards.count() > 80
        page.wait_for_function(IN_VIEW)
        empty = cards.evaluate_all(
            "(all) => all.filter((each) => !each.getBBox().width || !document.getElementById("
            "each.getAttribute('aria-labelledby'))?.textContent.trim()).length"
        )
        assert empty == 0
        width = cards.first.bounding_box()
        assert width is not None and width["width"] > 120
        keys = help.locator("summary", has_text="Keys")
        assert keys.is_visible() is not is_phone
        if not is_phone:
            keys.click()
            assert "Ctrl+Z" in help.inner_text()
        report = Axe().run(page, "#help", options={"resultTypes": ["violations"]})
        assert report.violations_count == 0, report.generate_report()
        # Keys in the help do nothing on the board.
        page.keyboard.press("Control+Shift+z")
        page.keyboard.press("Escape")
        assert not help.is_visible()
        if not is_phone:
            assert page.evaluate("document.activeElement.id") == "open-help"


@pytest.mark.slow
def test_question_mark_opens_the_help_and_says_why_not_on_a_choice(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game) as page:
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        dim = page.locator(".kinds [aria-disabled=true]").first
        dim.focus()
        with page.expect_response(lambda response: response.url.endswith("/why")):
            page.keyboard.press("?")
        assert not page.locator("#help").is_visible()


@pytest.mark.slow
def test_legend_and_sound_are_as_chosen_in_the_run_before(browser: Browser, pair: Pair) -> None:
    home, legend = pair.homes[Side.BRITISH], ".board .legend"
    for runs_before in range(2):
        # A new window has an empty storage.
        with (
            serving(home, pair.folder) as table,
            open_game_page(browser, table, pair.game, alone=True) as page,
        ):
            assert page.locator(legend).is_visible() is (runs_before == 0)
            press(page, "#open-help")
            assert page.is_checked("#sound") is (runs_before == 1)
            with page.expect_response(lambda response: response.url.endswith("/sound")):
                page.click("#sound")
            page.keyboard.press("Escape")
            with page.expect_response(lambda response: response.url.endswith("/legend")):
                page.click(".explain")
    assert Config.read(Home(home).config_path).tables == {"legend": "open", "sound": "off"}


@pytest.mark.slow
def test_turn_shows_in_title_and_icon_and_rings_if_wanted(browser: Browser, tmp_path: Any) -> None:
    pair = Pair(tmp_path / "pair", seed=5).begin()
    pair.play(lambda pair: pair.random.random() < 0.1 and pair.next_side is Side.FRENCH)
    pair.note(Side.BRITISH)
    home = pair.homes[Side.BRITISH]
    with (
        serving(home, pair.folder) as table,
        open_game_page(browser, table, pair.game, alone=True) as page,
    ):
        usual = page.title()
        icon = page.get_attribute("link[rel=icon]", "href")
        assert icon is not None and not usual.startswith("●") and "turn" not in icon
        assert page.request.get(icon).ok
        press(page, "#open-help")
        page.check("#sound")
        page.keyboard.press("Escape")
        lobby = page.context.new_page()
        lobby.goto(f"http://127.0.0.1:{table.port}/")
        assert not lobby.title().startswith("●")
        page.evaluate(TONES)
        lobby.evaluate(TONES)
        pair.answer()
        page.wait_for_function("() => document.title.startsWith('● Your turn – ')")
        assert page.title().endswith(usual)
        assert "turn" in (page.get_attribute("link[rel=icon]", "href") or "")
        lobby.wait_for_function("() => document.title.startsWith('● Your turn (1) – ')")
        page.wait_for_timeout(300)
        # Of all tabs one rings.
        assert page.evaluate("window.rung") + lobby.evaluate("window.rung") == 1
        lobby.close()
