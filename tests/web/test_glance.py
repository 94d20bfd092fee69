"""The page of a game at a glance: the window, the map, sieges, and the explanation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, ViewportSize

from engine.sides import Side
from pbem.play.autosave import Autosave
from pbem.text.language import NAMES
from tests.web.hands import open_game_page
from tests.web.serving import Serving, serving
from tests.web.tables import Pair, is_besieged_turn

SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1440, "height": 900},
    "middle": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
}
PHONE: dict[str, Any] = {"viewport": SIZES["phone"], "has_touch": True, "is_mobile": True}
AT_TABLE = [".strip", ".sheet", ".own-hand"]
IN_WINDOW = {
    "wide": [*AT_TABLE, "#panel", "#actions", "#log", "#time"],
    "middle": [*AT_TABLE, "#panel", "#actions", "#log", "#time"],
    "phone": [*AT_TABLE, "#decision", "#log .headline"],
}
"""The elements that are whole in the window without scrolling."""
HAND = [".own-hand h2", ".own-hand .told", ".own-hand .cards"]
APART = {
    "wide": [".strip", ".sheet", *HAND, "#panel", "#log", "#time"],
    "middle": [".strip", ".sheet", *HAND, "#panel", "#log", "#time"],
    "phone": [*AT_TABLE, "#panel", "#log"],
}
CUT = """() => [...document.querySelectorAll(
    ".tally, .tally > *, .own-hand h2, #panel-heading, #time")]
  .filter((each) => getComputedStyle(each).display !== "inline")
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.outerHTML.slice(0, 120))"""
LETTERS = """() => {
  const sheet = document.querySelector(".sheet").getBoundingClientRect();
  const scale = document.querySelector(".board").getScreenCTM().a;
  const seen = [...document.querySelectorAll(".place-name")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.left >= sheet.left && box.right <= sheet.right && box.top >= sheet.top
      && box.bottom <= sheet.bottom;
  });
  return [seen.length, ...seen.map((each) => parseFloat(getComputedStyle(each).fontSize) * scale)];
}"""
"""The number of names that are whole on the map, and the heights of their letters in pixels."""
SCALE = "() => document.querySelector('.board').getScreenCTM().a"
PALE = """() => [...document.querySelectorAll(".place, .place *, .cards > li, .card, .kind")]
  .filter((each) => !each.matches(".ghost, [data-copies='0'] *"))
  .filter((each) => getComputedStyle(each).opacity !== "1")
  .map((each) => each.outerHTML.slice(0, 120))"""
STILL = ".own-hand .card, #panel-heading, .sheet"
ALL = f".kind, {STILL}"
BUTTONS = """(selector) => [...document.querySelectorAll(selector)]
  .map((each) => each.getBoundingClientRect())
  .map((box) => [Math.round(box.x), Math.round(box.y + scrollY)])"""
KEYS = "(all) => all.map((each) => each.dataset.choice)"
UNDER = """(legend) => {
  const { left, right, bottom } = document.querySelector(legend).getBoundingClientRect();
  return [...document.querySelectorAll(".place")].map((each) => each.getBoundingClientRect())
    .filter((box) => box.top < bottom && box.left < right && box.right > left);
}"""
"""The locations below the explanation."""
UNCOVERED = """(each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + 2, x + width / 4].every((at) =>
    each.contains(document.elementFromPoint(at, y + height / 2)));
}"""
REFUSING = """for (const name of ["getItem", "setItem"])
  Storage.prototype[name] = () => { throw new Error("refused"); };"""


@pytest.fixture
def table(pair: Pair) -> Iterator[Serving]:
    """Serve the games of the British."""
    with serving(pair.homes[Side.BRITISH]) as started:
        yield started


def box_of(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box


def is_inside(page: Page, selector: str) -> bool:
    """Return True if an element is whole in the window."""
    box, size = box_of(page, selector), page.viewport_size
    assert size is not None
    left, top, right, bottom = edges(box)
    return min(left, top) >= 0 and right <= size["width"] and bottom <= size["height"]


def overlap(first: FloatRect, second: FloatRect) -> bool:
    (left, top, right, bottom), (x, y, end, foot) = map(edges, (first, second))
    return left < end - 0.5 and x < right - 0.5 and top < foot - 0.5 and y < bottom - 0.5


def edges(box: FloatRect) -> tuple[float, float, float, float]:
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


# --- the window


@pytest.mark.parametrize("size", SIZES)
def test_everything_is_in_the_window(
    browser: Browser, pair: Pair, table: Serving, size: str
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES[size]) as page:
        assert [key for key in IN_WINDOW[size] if not is_inside(page, key)] == []
        boxes = {key: box_of(page, key) for key in APART[size]}
        assert [p for p in combinations(boxes, 2) if overlap(*map(boxes.__getitem__, p))] == []
        assert page.evaluate(CUT) == []
        assert page.evaluate("[scrollY, document.scrollingElement.scrollWidth - innerWidth]") == [
            0,
            0,
        ]


@pytest.mark.parametrize("code", NAMES)
def test_strip_fits_in_every_language(browser: Browser, pair: Pair, code: str) -> None:
    pair.note(Side.FRENCH)
    with (
        serving(pair.homes[Side.FRENCH], code=code) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        for size in SIZES.values():
            page.set_viewport_size(size)
            assert page.evaluate(CUT) == [], size
            assert is_inside(page, ".own-hand") and is_inside(page, ".sheet")


@pytest.mark.parametrize("size", SIZES)
def test_strip_has_the_score_of_the_shown_turn(
    browser: Browser, pair: Pair, table: Serving, size: str
) -> None:
    turn = pair.next_turn(pair.sessions[Side.BRITISH])
    with open_game_page(browser, table, pair.game, viewport=SIZES[size]) as page:
        for side, player in turn.view().players.items():
            tally = page.locator(f".tally.{side.value}")
            amounts = [int(each) for each in tally.locator(".amount > b").all_inner_texts()]
            assert amounts[1] == player.money
            assert amounts[2] == len(player.hand) or side is Side.FRENCH
            assert f"{amounts[3]}/12" in tally.inner_text()
            assert str(amounts[0]) == page.inner_text(f"#{side.value}-points b")
        assert "moves" in (page.locator(".tally.british").get_attribute("class") or "")
        now = page.inner_text("#strip")
        page.click("#first")
        assert page.inner_text("#strip") != now and not page.locator(".to-siege").count()
        page.click("#last")
        assert page.inner_text("#strip") == now


@pytest.mark.parametrize("size", SIZES)
def test_siege_opens_beside_the_board(
    browser: Browser, pair: Pair, table: Serving, size: str
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES[size]) as page:
        page.click(".to-siege")
        assert is_inside(page, ".sieges") and "the French win with" in page.inner_text(".sieges")
        assert not overlap(box_of(page, ".sieges"), box_of(page, ".sheet"))
        step = page.locator(".sieges .track li").nth(1)
        assert step.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)") >= 14
        page.keyboard.press("Escape")
        assert not page.evaluate("document.querySelector('.sieges').matches(':popover-open')")


# --- choices


def test_nothing_is_pale_and_marks_differ(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES["wide"]) as page:
        assert page.evaluate(PALE) == []
        lit, plain = page.locator(".place .lit .pick"), page.locator(".place g:not(.lit) > .pick")
        fill = "(each) => getComputedStyle(each).fill + getComputedStyle(each).stroke"
        assert lit.first.evaluate(fill) != plain.first.evaluate(fill)
        # A glowing circle can be chosen, a square is besieged, and rays are new.
        assert page.locator("circle.pick").count() and page.locator("rect.trenches").count() == 2
        assert page.locator("path.halo").count() and not page.locator("circle.trenches").count()


@pytest.mark.parametrize("size", SIZES)
def test_panel_does_not_jump_and_yes_is_in_reach(
    browser: Browser, pair: Pair, table: Serving, size: str
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES[size]) as page:
        legal = page.locator(".kind.lit").evaluate_all(KEYS)
        before, still = page.evaluate(BUTTONS, ALL), page.evaluate(BUTTONS, STILL)
        kinds = box_of(page, ".kinds")
        page.locator("[data-choice='kind:settle']").hover()
        page.locator("[data-choice='kind:draft']").click()
        page.wait_for_selector("[data-out]")
        if size != "phone":
            # Only the actions that can be taken are left, in their order, where the others began.
            assert page.locator(".kind").locator("visible=true").evaluate_all(KEYS) == legal
            assert abs(box_of(page, ".kinds")["y"] - kinds["y"]) < 1
            assert page.evaluate("scrollY") == 0
        kept = page.evaluate(BUTTONS, ALL)
        look = page.locator("#choice [data-look]")
        places = look.evaluate_all("(all) => all.map((each) => each.offsetTop)")
        assert len(places) > 1
        reached = []
        for chosen in (look.first, look.last):
            chosen.click()
            page.wait_for_selector("#choice [data-look][aria-pressed=true] >> nth=0")
            page.wait_for_selector("#yes")
            assert look.evaluate_all("(all) => all.map((each) => each.offsetTop)") == places
            assert is_inside(page, "#yes") and page.locator("#yes").evaluate(UNCOVERED)
            assert page.evaluate(BUTTONS, ALL) == kept
            left, top, _, bottom = edges(box_of(page, "#yes"))
            reached.append((left, top, bottom))
        assert reached[0] == reached[1]
        assert page.evaluate(BUTTONS, STILL) == still
        page.click("#clear")
        page.wait_for_selector("[data-out]", state="detached")
        assert page.evaluate(BUTTONS, ALL) == before


def test_low_window_keeps_turn_siege_steps_and_yes_in_view(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES["middle"]) as page:
        badge = "(each) => getComputedStyle(each, '::before').display"
        assert page.locator("#panel-heading").evaluate(badge) == "inline"
        page.locator(".of-siege").evaluate("(each) => each.textContent = 'Port Royal '.repeat(9)")
        number, button = box_of(page, ".to-siege b"), box_of(page, ".to-siege")
        tally = box_of(page, ".tally:has(.to-siege)")
        assert number["x"] + number["width"] <= button["x"] + button["width"]
        assert button["x"] + button["width"] <= tally["x"] + tally["width"]
        assert page.locator("#step-through").evaluate(UNCOVERED)
        step, log = box_of(page, "#step-through"), box_of(page, "#log")
        assert step["y"] + step["height"] <= log["y"] + log["height"]
        page.locator("[data-choice='kind:draft']").click()
        page.locator("#choice [data-look]:visible").first.click()
        page.wait_for_selector("#yes")
        page.locator(".preview ul").evaluate("(each) => each.append('A long effect. '.repeat(90))")
        for top in (0, 150, 9999):
            page.locator("#choice").evaluate("(each, top) => each.scrollTop = top", top)
            yes, choice = box_of(page, "#yes"), box_of(page, "#choice")
            assert page.locator("#yes").evaluate(UNCOVERED), top
            assert yes["y"] + yes["height"] <= choice["y"] + choice["height"], top
        page.evaluate("document.dispatchEvent(new Event('recorded'))")
        assert page.evaluate(
            "['panel', 'choice'].map((id) => document.getElementById(id).scrollTop)"
        ) == [0, 0]


# --- the map


@pytest.mark.parametrize(("size", "least"), [("wide", 11), ("middle", 9), ("phone", 11)])
def test_names_can_be_read_where_the_action_is(
    browser: Browser, pair: Pair, table: Serving, size: str, least: int
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES[size]) as page:
        number, *heights = page.evaluate(LETTERS)
        assert min(heights) >= least and number >= (6 if size == "phone" else 36)
        sheet, siege = box_of(page, ".sheet"), box_of(page, ".trenches:not(.legend *)")
        assert sheet["x"] < siege["x"] < sheet["x"] + sheet["width"] - siege["width"]
        assert sheet["y"] < siege["y"] < sheet["y"] + sheet["height"] - siege["height"]


def test_wheel_and_buttons_zoom_and_a_drag_moves(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES["middle"]) as page:
        whole, boston = page.evaluate(SCALE), page.locator("[data-location=boston] .pick")
        before = box_of(page, "[data-location=boston] .pick")
        x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
        page.mouse.move(x, y)
        page.mouse.wheel(0, -400)
        page.wait_for_function(f"() => ({SCALE})() > {whole * 2}")
        after = box_of(page, "[data-location=boston] .pick")
        assert abs(after["x"] + after["width"] / 2 - x) < 2
        assert abs(after["y"] + after["height"] / 2 - y) < 2
        page.mouse.down()
        page.mouse.move(x - 80, y - 20, steps=4)
        page.mouse.up()
        assert abs(box_of(page, "[data-location=boston] .pick")["x"] + 80 - after["x"]) < 2
        assert page.locator("[data-out]").count() == 0
        page.click("[data-zoom=whole]")
        assert page.evaluate(SCALE) == whole
        page.click("[data-zoom=in]")
        assert page.evaluate(SCALE) > whole
        boston.click(force=True)
        page.wait_for_selector("[data-out], #why:popover-open")
        page.click("[data-zoom=out]")
        assert page.evaluate(SCALE) == whole
        page.mouse.wheel(0, 400)
        assert page.evaluate(SCALE) == whole


def test_fingers_zoom_and_move_the_map(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game, **PHONE) as page:
        box, before = box_of(page, ".sheet"), page.evaluate(SCALE)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        session = page.context.new_cdp_session(page)

        def touch(kind: str, *distances: float) -> None:
            points = [{"x": x + distance, "y": y, "id": n} for n, distance in enumerate(distances)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", -20, 20)
        for reach in (30, 40, 60, 80):
            touch("touchMove", -reach, reach)
        touch("touchEnd")
        assert page.evaluate(SCALE) > before * 2
        place = box_of(page, "[data-location=pemaquid]")["x"]
        touch("touchStart", 0)
        for reach in (20, 40, 60):
            touch("touchMove", -reach)
        touch("touchEnd")
        assert box_of(page, "[data-location=pemaquid]")["x"] < place - 40
        assert page.evaluate("scrollY") == 0 and page.locator("[data-out]").count() == 0


def test_focus_brings_a_location_into_view(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game, viewport=SIZES["phone"]) as page:
        page.locator("[data-location=michillimackinac]").focus()
        place, sheet = box_of(page, "[data-location=michillimackinac]"), box_of(page, ".sheet")
        assert sheet["x"] <= place["x"] and sheet["y"] <= place["y"]


def test_explanation_folds_away_and_stays(browser: Browser, pair: Pair, table: Serving) -> None:
    legend = ".board .legend"
    with open_game_page(browser, table, pair.game, viewport=SIZES["wide"]) as page:
        assert page.locator(legend).is_visible()
        assert page.evaluate(UNDER, legend) == []
        page.click(".explain")
        assert not page.locator(legend).is_visible()
        page.reload()
        page.wait_for_selector(".explain[aria-expanded=false]")
        assert not page.locator(legend).is_visible()
        page.click(".explain")
        assert page.locator(legend).is_visible()
    with open_game_page(browser, table, pair.game, viewport=SIZES["phone"]) as page:
        assert not page.locator(legend).is_visible()
        before = page.evaluate(SCALE)
        page.click(".explain")
        letters = "(each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a"
        assert page.locator(f"{legend} text").last.evaluate(letters) >= 9
        page.click(".explain")
        assert page.evaluate(SCALE) == before


def test_explanation_folds_without_storage(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game, alone=True, viewport=SIZES["wide"]) as page:
        page.add_init_script(REFUSING)
        page.reload()
        page.wait_for_selector("#time:not([inert])")
        legend = page.locator(".board .legend")
        # The settings may have the choice of another test.
        was_open = legend.is_visible()
        for is_open in (not was_open, was_open):
            with page.expect_response(lambda response: response.url.endswith("/legend")):
                page.click(".explain")
            assert legend.is_visible() is is_open


# --- the phone


def test_phone_has_whole_labels_and_one_row_of_time(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    with open_game_page(browser, table, pair.game, **PHONE) as page:
        assert page.locator(".own-hand h2").evaluate(UNCOVERED)
        page.evaluate("document.getElementById('said').textContent = 'Something is said.'")
        assert page.locator(".own-hand h2").evaluate(UNCOVERED)
        assert is_inside(page, ".sheet")
        page.evaluate("document.getElementById('said').textContent = ''")
        assert box_of(page, ".sheet")["y"] - box_of(page, "header")["height"] < 140
        middles = page.locator("#time > *").evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect())"
            ".map((box) => Math.round((box.top + box.bottom) / 2 / 8))"
        )
        assert max(middles) - min(middles) <= 1
        assert not page.locator(".keys").locator("visible=true").count()


def test_log_opens_by_a_tap_on_a_phone(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game, **PHONE) as page:
        closed = box_of(page, "#log")["height"]
        assert closed < 90 and is_inside(page, "#log .headline")
        page.locator("#log").tap()
        assert box_of(page, "#log")["height"] > closed
        page.locator("#log-open").tap()
        assert box_of(page, "#log")["height"] == closed


def test_view_returns_to_the_board_after_signing(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = Pair(tmp_path_factory.mktemp("own"), seed=1).begin().play(is_besieged_turn)
    own.note(Side.BRITISH)
    turn = own.next_turn(own.sessions[Side.BRITISH])
    while not turn.is_complete:
        turn.order(own.choose(turn.view()))
    Autosave(own.sessions[Side.BRITISH].store, turn).save()
    with (
        serving(own.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, own.game, **PHONE) as page,
    ):
        assert is_inside(page, "#sign")
        page.locator("#log-open").tap()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator("#sign").tap()
        page.wait_for_selector("#posting :is(a, button)")
        assert is_inside(page, "#panel-heading") and is_inside(page, "#posting h2")
        assert page.evaluate("scrollY") == 0 and is_inside(page, ".sheet")
