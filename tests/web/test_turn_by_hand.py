"""Turns played in the browser: orders, undo, other tabs, and resuming an unsigned turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, Browser, Page, Route

from engine.choices import Choices
from engine.order import Order
from engine.sides import Side
from pbem.play.autosave import Autosave
from pbem.play.turn import Turn
from tests.board.test_appearance import SCREENS
from tests.web.hands import (
    choice_keys,
    choose,
    give,
    last_announcement,
    offered,
    open_game_page,
    press,
)
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

STALE_PAGE = "Something else has been done in this game in the meantime"
CONFLICT_LOGS = ("409 (Conflict)",)


def is_turn_of_british(pair: Pair) -> bool:
    assert pair.written is not None
    return pair.written.match.state.turn >= 6 and pair.next_side is Side.BRITISH


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a game in which it is the turn of the British, listed at their home."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(is_turn_of_british)
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture(scope="module")
def table(pair: Pair) -> Iterator[Serving]:
    """Serve the games of the British."""
    with serving(pair.homes[Side.BRITISH]) as started:
        yield started


@pytest.fixture(autouse=True)
def undo_orders(pair: Pair) -> Iterator[None]:
    """Undo the orders of the turn after each test."""
    yield
    turn = command_line_turn(pair)
    saved = autosave_of(pair, turn)
    saved.resume()
    while turn.undo() is not None:
        pass
    turn.new_notes = None
    saved.save()


@pytest.fixture
def page(browser: Browser, pair: Pair, table: Serving) -> Iterator[Page]:
    """Open the page of the game."""
    with open_game_page(browser, table, pair.game) as opened:
        yield opened


def command_line_turn(pair: Pair) -> Turn:
    """Return the turn that the command line begins."""
    return pair.next_turn(pair.sessions[Side.BRITISH])


def autosave_of(pair: Pair, turn: Turn) -> Autosave:
    return Autosave(pair.sessions[Side.BRITISH].store, turn)


def take_order(pair: Pair) -> Order:
    """Return an order to take money."""
    return next(
        o for o in Choices(command_line_turn(pair).worlds).some_orders() if o.verb == "take"
    )


def wait_for_orders(page: Page, number: int) -> None:
    """Wait until a page shows that many orders."""
    page.wait_for_function(
        "(number) => document.querySelectorAll('.given li').length === number", arg=number
    )


@pytest.mark.slow
def test_turn_is_given_undone_and_redone(page: Page, pair: Pair) -> None:
    turn = command_line_turn(pair)
    while not turn.is_turn_used_up:
        state = turn.view()
        order = offered(state, pair.choose(state))
        # Give the first order by keys; test_every_kind.py gives each kind by keys.
        give(page, order, state, by_keys=not turn.orders)
        turn.order(order)
    page.wait_for_selector("#end")
    assert "You ended your turn." in page.inner_text("#signing")
    orders = page.locator(".given li").all_inner_texts()
    assert len(orders) == len(turn.orders)
    # Press the keys faster than the server responds.
    for _ in orders:
        page.keyboard.press("Control+z")
    wait_for_orders(page, 0)
    assert page.locator("#end").count() == 0
    for _ in orders:
        page.keyboard.press("Control+Shift+z")
    wait_for_orders(page, len(orders))
    assert page.locator(".given li").all_inner_texts() == orders


def test_parts_are_removed_by_a_second_click_a_chip_or_escape(page: Page, pair: Pair) -> None:
    turn = command_line_turn(pair)
    order = next(o for o in turn.choices.some_orders() if o.cards and o.location)
    first, second, *_ = choice_keys(turn.view(), order)
    choices = page.locator(".lit").count()
    choose(page, first, by_keys=False)
    choose(page, second, by_keys=False)
    pressed = page.locator("#play-page [data-choice].chosen, .place .chosen, .card.chosen")
    assert pressed.count() == 2
    assert all(choice.get_attribute("aria-pressed") == "true" for choice in pressed.all())
    page.locator(".place .chosen .pick").click()
    page.wait_for_function("() => document.querySelectorAll('[data-out]').length === 1")
    page.locator("[data-out]").click()
    page.wait_for_function("() => !document.querySelector('[data-out]')")
    assert page.locator(".lit").count() == choices
    choose(page, first, by_keys=False)
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('[data-out]')")
    assert page.locator(".lit").count() == choices


def test_impossible_choice_reports_its_reason(page: Page) -> None:
    quebec = page.locator("[data-location=quebec]")
    assert quebec.get_attribute("aria-disabled") == "true"
    for by_key in (False, True):
        page.keyboard.press("Escape")
        page.wait_for_selector("#why", state="hidden")
        if by_key:
            quebec.focus()
            page.keyboard.press("?")
        else:
            quebec.locator(".pick").click(force=True)
        page.wait_for_selector("#why")
        assert "Quebec" in page.inner_text("#why[role=alert]")
        assert page.locator("[data-out]").count() == 0


def test_labels_say_which_choices_are_possible(page: Page, pair: Pair) -> None:
    names = page.locator(".own-hand [role=button]")
    assert names.count() == len(command_line_turn(pair).view().players[Side.BRITISH].hand)
    snapshot = page.locator(".own-hand").aria_snapshot()
    assert "can be chosen" in snapshot and "button" in snapshot
    names.first.click()
    page.wait_for_selector(".own-hand .chosen")
    assert "is chosen" in page.locator(".own-hand").aria_snapshot()
    # The response to the click has the parts that can follow.
    page.wait_for_function("() => document.getElementById('more').innerText.includes('Chosen:')")


def test_stale_tab_is_refused_and_a_new_tab_resumes_the_turn(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    order = take_order(pair)
    with open_game_page(browser, table, pair.game, CONFLICT_LOGS) as page:
        # This tab gets no events, like a tab that the system has put to sleep.
        page.route("**/events?*", lambda route: route.abort())
        with open_game_page(browser, table, pair.game) as second_page:
            give(second_page, order, command_line_turn(pair).view())
            wait_for_orders(second_page, 1)
            second_page.click("summary:has-text('notes')")
            second_page.fill("#notes", "watch Boston")
            with second_page.expect_response(lambda response: response.url.endswith("/notes")):
                second_page.locator("#notes").blur()
        page.evaluate(
            "(order) => import('/web/assets/play/state.js').then(async ({ask, settled, state}) => {"
            "await settled(); state.stand = 'of old'; await ask('order', {order}); })",
            order.notation(),
        )
        assert STALE_PAGE in last_announcement(page)
        wait_for_orders(page, 1)
    with open_game_page(browser, table, pair.game) as page:
        wait_for_orders(page, 1)
        assert page.input_value("#notes") == "watch Boston"
    saved = autosave_of(pair, command_line_turn(pair)).saved
    assert saved is not None and saved.orders == (order.notation(),)


def test_hand_is_visible_on_a_phone(browser: Browser, pair: Pair, table: Serving) -> None:
    with open_game_page(browser, table, pair.game, **SCREENS["phone, dark"]) as page:
        page.evaluate("scrollTo(0, 0)")
        page.locator(".own-hand .lit").first.dispatch_event("click")
        page.wait_for_selector("[data-out]")
        page.wait_for_function(
            """() => {
              const foot = document.querySelector(".own-hand").getBoundingClientRect().bottom;
              return foot <= document.getElementById("choice").getBoundingClientRect().top + 1;
            }"""
        )


def test_late_response_undoes_no_order(page: Page, pair: Pair, table: Serving) -> None:
    order = take_order(pair)
    late_answer = list[tuple[Route, APIResponse]]()
    page.route("**/parts", lambda route: late_answer.append((route, route.fetch())), times=1)
    with page.expect_request("**/parts"):
        table.pages.events.send("game", game=pair.game)
    while not late_answer:
        page.wait_for_timeout(50)
    page.evaluate(
        "(order) => { import('/web/assets/play/state.js')"
        ".then(({ask}) => ask('order', {order})); }",
        order.notation(),
    )
    page.wait_for_timeout(500)
    for route, answer in late_answer:
        route.fulfill(response=answer)
    wait_for_orders(page, 1)
    page.wait_for_timeout(200)
    wait_for_orders(page, 1)


def test_other_tabs_show_new_orders(
    page: Page, browser: Browser, pair: Pair, table: Serving
) -> None:
    order = take_order(pair)
    with open_game_page(browser, table, pair.game) as second_page:
        give(page, order, command_line_turn(pair).view())
        wait_for_orders(second_page, 1)
        press(second_page, "#undo")
        wait_for_orders(page, 0)


def test_viewing_earlier_turns_keeps_the_turn(page: Page, pair: Pair) -> None:
    order = take_order(pair)
    give(page, order, command_line_turn(pair).view())
    wait_for_orders(page, 1)
    hand = page.locator(".own-hand [data-card]").count()
    money = page.inner_text("#british-money")
    page.keyboard.press("Escape")
    page.click("#first")
    assert page.locator("#now").is_visible() and not page.locator("#actions").is_visible()
    assert page.inner_text("#turn-heading").startswith("Setup")
    assert page.inner_text("#british-money") != money
    page.click("#now")
    assert page.inner_text("#british-money") == money
    assert page.locator(".own-hand [data-card]").count() == hand
    assert page.locator(".own-hand .lit").count() > 0
    wait_for_orders(page, 1)


@pytest.mark.parametrize("screen", [pytest.param("light", marks=pytest.mark.long), "phone, dark"])
def test_page_has_no_accessibility_violations(
    browser: Browser, pair: Pair, table: Serving, screen: str
) -> None:
    with open_game_page(browser, table, pair.game, **SCREENS[screen]) as page:
        page.locator(".own-hand .lit").first.click()
        page.wait_for_selector("[data-out]")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        for details in page.locator("details").all():
            details.evaluate("each => each.open = true")
        report = Axe().run(page, options={"resultTypes": ["violations"]})
        assert report.violations_count == 0, report.generate_report()
