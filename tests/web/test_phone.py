"""The page of a game on a phone: fingers, enlarged cards, messages, and the list of orders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from engine.orders import End
from engine.sides import Side
from pbem.play.look import Look
from pbem.text.facts.chronicle import Chronicle
from pbem.text.language import NAMES
from tests.board.browser import window
from tests.requirements import require
from tests.web.hands import open_game_page
from tests.web.serving import serving
from tests.web.tables import Pair
from tests.web.test_glance import (
    LETTERS,
    PHONE,
    SCALE,
    SIZES,
    UNCOVERED,
    box_of,
    edges,
    is_inside,
    overlap,
)

pytestmark = pytest.mark.slow
MESSAGE = (
    "Turn 40: Béla (French), 29 Nov 2026: They settled Fort Niagara with Fort Frontenac as "
    "connection and Trois Rivières as transport: a village worth 2 points, and its card."
)
TOPS = """() => [...document.querySelectorAll("[data-look]")]
  .map((each) => each.getBoundingClientRect().y)"""


@pytest.fixture
def page(browser: Browser, pair: Pair) -> Iterator[Page]:
    """Open the page of the British, whose turn it is."""
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, **PHONE) as page,
    ):
        yield page


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a game that has ended."""
    pair = Pair(tmp_path_factory.mktemp("over"), seed=1).begin()
    pair.play(lambda pair: require(pair.written).match.is_over)
    pair.note(Side.BRITISH)
    return pair


class Finger:
    """A finger on the window of a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", {"x": x, "y": y})

    def move(self, x: float, y: float) -> None:
        self._send("touchMove", {"x": x, "y": y})

    def up(self) -> None:
        self._send("touchEnd")

    def drag_up(self, x: float, y: float) -> None:
        """Go down, move up by 180 pixels, and leave the window."""
        self.down(x, y)
        for distance in range(20, 200, 20):
            self.move(x, y - distance)
        self.up()

    def _send(self, kind: str, *points: dict[str, float]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]})


def covers_hand(page: Page) -> bool:
    """Return True if the enlarged card covers a card in hand."""
    large = box_of(page, "#large")
    cards = [card.bounding_box() for card in page.locator(".own-hand .card").all()]
    return any(overlap(large, card) for card in cards if card)


@pytest.mark.parametrize("zoom", ["whole", "edge"])
def test_one_finger_scrolls_the_page_over_the_map(page: Page, zoom: str) -> None:
    """It does so over the whole map, and at the edge of an enlarged map."""
    if zoom == "whole":
        page.click("[data-zoom=whole]")
    else:
        page.locator("[data-location=norfolk]").focus()
    sheet, scale = box_of(page, ".sheet"), page.evaluate(SCALE)
    Finger(page).drag_up(sheet["x"] + sheet["width"] / 2, sheet["y"] + sheet["height"] - 20)
    page.wait_for_function("() => scrollY > 50")
    assert page.evaluate(SCALE) == scale


def test_one_finger_moves_an_enlarged_map(page: Page) -> None:
    page.locator("[data-location=fort-frontenac]").focus()
    place = box_of(page, "[data-location=fort-frontenac]")
    Finger(page).drag_up(place["x"] + 60, place["y"])
    moved = box_of(page, "[data-location=fort-frontenac]")["y"] - place["y"]
    assert moved < -100 and page.evaluate("scrollY") == 0


@pytest.mark.parametrize("is_choosing", [False, True])
def test_large_card_covers_no_card_in_hand(page: Page, is_choosing: bool) -> None:
    if is_choosing:
        page.locator("[data-choice='kind:draft']").tap()
        page.wait_for_selector("#choice .chosen")
    finger = Finger(page)
    for number in range(page.locator(".own-hand .card").count()):
        x, y, right, bottom = edges(box_of(page, f".own-hand li:nth-child({number + 1}) > .card"))
        finger.down((x + right) / 2, (y + bottom) / 2)
        page.wait_for_selector("#large.shown")
        assert not covers_hand(page)
        finger.up()
        page.wait_for_selector("#large.shown", state="hidden")


def test_card_that_cannot_be_chosen_is_large_until_the_next_tap(
    browser: Browser, pair: Pair
) -> None:
    pair.note(Side.FRENCH)
    with (
        serving(pair.homes[Side.FRENCH]) as served,
        open_game_page(browser, served, pair.game, **PHONE) as page,
    ):
        page.locator(".own-hand .card").first.tap()
        page.wait_for_selector("#large.shown")
        assert not covers_hand(page)
        assert (
            "Coureurs de Bois" in page.inner_text("#large-words")
            or page.locator("#large use").count()
        )
        page.locator(".own-hand h2").tap()
        page.wait_for_selector("#large.shown", state="hidden")


def test_message_covers_no_score(page: Page) -> None:
    page.evaluate("(text) => { document.getElementById('said').textContent = text; }", MESSAGE)
    said = box_of(page, "#said")
    assert not overlap(said, box_of(page, ".strip"))
    assert said["y"] >= 0 and page.locator("#said").evaluate(
        "(e) => e.scrollHeight <= e.clientHeight + 2"
    )


@pytest.mark.parametrize("size", SIZES)
def test_cards_to_draft_are_shown(browser: Browser, pair: Pair, size: str) -> None:
    options = PHONE if size == "phone" else {"viewport": SIZES[size]}
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, **options) as page,
    ):
        page.locator("[data-choice='kind:draft']").click()
        page.wait_for_selector("#choice .chosen")
        orders = page.locator("#choice [data-look]")
        assert orders.count() > 3
        for order in orders.all():
            face = order.locator("svg")
            assert face.evaluate("(each) => each.querySelector('use').getBBox().width") > 100
            box = face.bounding_box()
            assert box and box["width"] > 70
        orders.nth(1).click()
        page.wait_for_selector("#yes")
        if size == "phone":
            assert box_of(page, ".preview .card")["height"] > 100
        assert page.locator("#yes").evaluate(UNCOVERED)
        assert page.inner_text("#yes").startswith("Yes: Draft ")


def test_nothing_moves_in_the_list_of_orders(page: Page) -> None:
    """So the second click of a double click meets no other order, and does nothing."""
    page.locator(".own-hand .card").nth(3).tap()
    page.wait_for_selector("#choice .chosen")
    before = page.evaluate(TOPS)
    page.locator("#choice [data-look]").first.dblclick()
    page.wait_for_selector("#choice [aria-pressed=true]")
    assert page.evaluate(TOPS) == before
    assert page.locator("#choice [data-look]").first.get_attribute("aria-pressed") == "true"


def test_hand_leaves_room_for_the_panel(page: Page) -> None:
    page.evaluate("scrollTo(0, document.getElementById('panel').offsetTop)")
    panel = box_of(page, "#panel")
    assert panel["y"] > -1 and panel["y"] + panel["height"] <= SIZES["phone"]["height"]
    assert not overlap(panel, box_of(page, ".own-hand"))


@pytest.mark.parametrize("size", SIZES)
def test_link_leads_to_what_is_below_the_window(browser: Browser, pair: Pair, size: str) -> None:
    options = PHONE if size == "phone" else {"viewport": SIZES[size]}
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, **options) as page,
    ):
        link = page.get_by_role("link", name="Piles, graphs")
        assert is_inside(page, "[href='#piles']") and link.evaluate(UNCOVERED)
        link.click()
        page.wait_for_function("() => scrollY > 100")
        assert box_of(page, "#piles")["y"] < SIZES[size]["height"] / 2


def test_link_below_fits_in_every_language(browser: Browser, pair: Pair) -> None:
    for code in NAMES:
        with (
            serving(pair.homes[Side.BRITISH], code=code) as served,
            open_game_page(browser, served, pair.game, **PHONE) as page,
        ):
            assert is_inside(page, "[href='#piles']") and is_inside(page, "#theme")
            assert not overlap(box_of(page, "[href='#piles']"), box_of(page, "#open-help"))


def test_choice_without_orders_is_as_high_as_its_words(page: Page) -> None:
    page.locator("[data-choice='kind:discard']").tap()
    page.wait_for_selector("#choice .chosen")
    assert page.locator("#choice :is(.orders, .preview)").count() == 0
    hint = page.locator("#choice .hint")
    assert hint.inner_text() == page.inner_text("#more") and hint.evaluate(UNCOVERED)
    assert box_of(page, "#choice")["height"] < 120 and is_inside(page, "#choice")


def test_board_and_orders_of_a_replay_are_above_its_buttons(browser: Browser, over: Pair) -> None:
    with (
        serving(over.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, over.game, **PHONE) as page,
    ):
        page.locator("#replay").tap()
        page.wait_for_function("() => document.getElementById('at').textContent === '2'")
        page.locator("#play").tap()
        assert page.evaluate("scrollY") == 0
        boxes = [box_of(page, key) for key in (".strip", ".sheet", "#log", "#now", "#time")]
        assert [edges(box)[1] for box in boxes] == sorted(edges(box)[1] for box in boxes)
        assert not any(overlap(box, boxes[-1]) for box in boxes[:-1])
        for line in page.locator("#turn-lines :is(.headline, li)").all():
            box = line.bounding_box()
            assert box and edges(box)[3] <= edges(boxes[2])[3]


def test_changes_in_the_strip_move_nothing(browser: Browser, pair: Pair) -> None:
    for code in NAMES:
        with (
            serving(pair.homes[Side.BRITISH], code=code) as served,
            open_game_page(browser, served, pair.game, **PHONE) as page,
        ):
            height = box_of(page, ".strip")["height"]
            for change in ("", '<ins class="more">+5</ins>'):
                page.evaluate(
                    """(change) => document.querySelectorAll(".tally .amount").forEach((each) => {
                      each.querySelector("ins")?.remove();
                      each.insertAdjacentHTML("beforeend", change);
                    })""",
                    change,
                )
                assert box_of(page, ".strip")["height"] == height


def test_legend_is_folded_in_a_corner_and_beside_no_button(page: Page) -> None:
    legend, sheet = box_of(page, ".explain"), box_of(page, ".sheet")
    assert page.get_attribute(".explain", "aria-expanded") == "false"
    assert edges(legend)[2] < sheet["x"] + sheet["width"] / 2 and legend["height"] < 36
    page.locator(".explain").tap()
    assert page.locator(".legend").is_visible() and not page.locator(".zoom").is_visible()
    page.locator(".explain").tap()
    assert page.locator(".zoom").is_visible()


def test_heading_keeps_clear_of_undo(page: Page) -> None:
    page.evaluate(
        """() => {
          document.getElementById("panel-heading").textContent =
            "Turn 37, after the answer of the opponent: 2 actions to take.";
          document.querySelector(".undoing").innerHTML =
            '<button id="undo-all"></button><button id="undo"></button><button id="redo"></button>';
        }"""
    )
    words = page.evaluate(
        """() => {
          const range = document.createRange();
          range.selectNodeContents(document.getElementById("panel-heading"));
          return Math.max(...[...range.getClientRects()].map((each) => each.right));
        }"""
    )
    assert words < box_of(page, ".undoing")["x"]


def test_reasons_close_when_the_page_scrolls(page: Page) -> None:
    page.locator(".kind[aria-disabled]").first.dispatch_event("click")
    page.wait_for_selector("#why:popover-open")
    page.evaluate("scrollBy(0, 40)")
    page.wait_for_selector("#why", state="hidden")


def test_folded_log_counts_the_orders_that_it_does_not_tell(page: Page, pair: Pair) -> None:
    more = page.locator("#turn-lines .rest").first
    turn = Chronicle(Look(require(pair.written).match)).turns[-1]
    orders = [m.order for m in turn.moves if m.order and not isinstance(m.order, End)]
    assert len(orders) > 1 and more.inner_text() == f"+{len(orders) - 1} more"
    assert more.evaluate("(each) => each.getBoundingClientRect().width") > 0
    page.locator("#log-open").tap()
    assert not more.is_visible()


def test_map_is_legible_where_nothing_has_changed(browser: Browser, over: Pair) -> None:
    with (
        serving(over.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, over.game, **PHONE) as page,
    ):
        assert page.locator(".halo, .lit").locator("visible=true").count() == 0
        number, *heights = page.evaluate(LETTERS)
        assert number >= 6 and min(heights) >= 11
        page.locator("#replay").tap()
        page.wait_for_function("() => document.getElementById('at').textContent === '2'")
        page.locator("#play").tap()
        assert min(page.evaluate(LETTERS)[1:]) >= 11


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_only_a_mouse_drops_files(browser: Browser, pair: Pair, size: str) -> None:
    options = PHONE if size == "phone" else {"viewport": SIZES[size]}
    with serving(pair.homes[Side.BRITISH]) as served, window(browser, **options) as page:
        page.goto(served.access.new_link("/"))
        assert page.locator("#file").count()
        assert page.get_by_text("You can also drop it").is_visible() is (size == "wide")
