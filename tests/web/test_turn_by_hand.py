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
from tests.board.test_looks import SCREENS
from tests.web.hands import announced, at_table, choose, give, keys_of, press
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

ELSEWHERE = "Something else has been done in this game in the meantime"
REFUSED = ("409 (Conflict)",)


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
def begun_anew(pair: Pair) -> Iterator[None]:
    """Undo the orders of the turn after each test."""
    yield
    turn = mirror(pair)
    saved = autosave_of(pair, turn)
    saved.resume()
    while turn.undo() is not None:
        pass
    turn.new_notes = None
    saved.save()


@pytest.fixture
def page(browser: Browser, pair: Pair, table: Serving) -> Iterator[Page]:
    """Open the page of the game."""
    with at_table(browser, table, pair.game) as opened:
        yield opened


def mirror(pair: Pair) -> Turn:
    """Return the turn as the command line begins it."""
    return pair.next_turn(pair.sessions[Side.BRITISH])


def autosave_of(pair: Pair, turn: Turn) -> Autosave:
    return Autosave(pair.sessions[Side.BRITISH].store, turn)


def take_in(pair: Pair) -> Order:
    """Return an order to take money."""
    return next(o for o in Choices(mirror(pair).worlds).some_orders() if o.verb == "take")


def ordered(page: Page, number: int) -> None:
    """Wait until a page shows that many orders."""
    page.wait_for_function(
        "(number) => document.querySelectorAll('.given li').length === number", arg=number
    )


@pytest.mark.slow
def test_turn_is_given_undone_and_redone(page: Page, pair: Pair) -> None:
    turn = mirror(pair)
    while not turn.is_complete:
        state = turn.view()
        order = pair.choose(state)
        # The first by keys; test_every_kind.py gives each kind by keys.
        give(page, order, state, by_keys=not turn.orders)
        turn.order(order)
    page.wait_for_selector("#sign")
    assert "This file finishes your turn." in page.inner_text("#signing")
    orders = page.locator(".given li").all_inner_texts()
    assert len(orders) == len(turn.orders)
    # Faster than the server answers.
    for _ in orders:
        page.keyboard.press("Control+z")
    ordered(page, 0)
    assert page.locator("#sign").count() == 0
    for _ in orders:
        page.keyboard.press("Control+Shift+z")
    ordered(page, len(orders))
    assert page.locator(".given li").all_inner_texts() == orders


def test_parts_are_removed_by_a_second_click_a_chip_or_escape(page: Page, pair: Pair) -> None:
    turn = mirror(pair)
    order = next(o for o in turn.choices.some_orders() if o.cards and o.location)
    first, second, *_ = keys_of(turn.view(), order)
    lit = page.locator(".lit").count()
    choose(page, first, by_keys=False)
    choose(page, second, by_keys=False)
    pressed = page.locator("#play-page [data-choice].chosen, .place .chosen, .card.chosen")
    assert pressed.count() == 2
    assert all(choice.get_attribute("aria-pressed") == "true" for choice in pressed.all())
    page.locator(".place .chosen .pick").click()
    page.wait_for_function("() => document.querySelectorAll('[data-out]').length === 1")
    page.locator("[data-out]").click()
    page.wait_for_function("() => !document.querySelector('[data-out]')")
    assert page.locator(".lit").count() == lit
    choose(page, first, by_keys=False)
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('[data-out]')")
    assert page.locator(".lit").count() == lit


def test_choice_that_is_not_lit_says_why_and_is_not_chosen(page: Page) -> None:
    quebec = page.locator("[data-location=quebec]")
    assert quebec.get_attribute("aria-disabled") == "true"
    for by_key in (False, True):
        page.evaluate("document.getElementById('said').textContent = ''")
        if by_key:
            quebec.focus()
            page.keyboard.press("?")
        else:
            quebec.locator(".pick").click(force=True)
        page.wait_for_function("() => document.getElementById('said').textContent")
        assert "Quebec" in announced(page)
        assert announced(page) not in page.inner_text("#panel")
        assert page.locator("[data-out]").count() == 0


def test_labels_say_which_choices_are_possible(page: Page, pair: Pair) -> None:
    names = page.locator(".own-hand [role=button]")
    assert names.count() == len(mirror(pair).view().players[Side.BRITISH].hand)
    snapshot = page.locator(".own-hand").aria_snapshot()
    assert "can be chosen" in snapshot and "button" in snapshot
    names.first.click()
    page.wait_for_selector(".own-hand .chosen")
    assert "is chosen" in page.locator(".own-hand").aria_snapshot()
    # What can follow is told with the answer to the click.
    page.wait_for_function("() => document.getElementById('more').innerText.includes('Chosen:')")


def test_stale_tab_is_refused_and_an_unsigned_turn_resumes(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    order = take_in(pair)
    with at_table(browser, table, pair.game, REFUSED) as page:
        # This tab gets no events, like one that the system has put to sleep.
        page.route("**/events", lambda route: route.abort())
        with at_table(browser, table, pair.game) as other:
            give(other, order, mirror(pair).view())
            ordered(other, 1)
            other.click("summary:has-text('notes')")
            other.fill("#notes", "watch Boston")
            with other.expect_response(lambda got: got.url.endswith("/notes")):
                other.locator("#notes").blur()
        page.evaluate(
            "(order) => import('/web/assets/play/state.js').then(async ({ask, settled, state}) => {"
            "await settled(); state.stand = 'of old'; await ask('order', {order}); })",
            order.notation(),
        )
        assert ELSEWHERE in announced(page)
        ordered(page, 1)
    with at_table(browser, table, pair.game) as page:
        ordered(page, 1)
        assert page.input_value("#notes") == "watch Boston"
    saved = autosave_of(pair, mirror(pair)).saved
    assert saved is not None and saved.orders == (order.notation(),)


def test_on_a_phone_the_hand_lies_free(browser: Browser, pair: Pair, table: Serving) -> None:
    with at_table(browser, table, pair.game, **SCREENS["phone, dark"]) as page:
        page.evaluate("scrollTo(0, 0)")
        page.locator(".own-hand .lit").first.dispatch_event("click")
        page.wait_for_selector("[data-out]")
        page.wait_for_function(
            """() => {
              const foot = document.querySelector(".own-hand").getBoundingClientRect().bottom;
              return foot <= document.getElementById("choice").getBoundingClientRect().top + 1;
            }"""
        )


def test_late_answer_undoes_no_order(page: Page, pair: Pair, table: Serving) -> None:
    order = take_in(pair)
    late = list[tuple[Route, APIResponse]]()
    page.route("**/parts", lambda route: late.append((route, route.fetch())), times=1)
    with page.expect_request("**/parts"):
        table.pages.events.send("game", game=pair.game)
    page.wait_for_timeout(200)
    page.evaluate(
        "(order) => { import('/web/assets/play/state.js')"
        ".then(({ask}) => ask('order', {order})); }",
        order.notation(),
    )
    page.wait_for_timeout(500)
    for route, answer in late:
        route.fulfill(response=answer)
    ordered(page, 1)
    page.wait_for_timeout(200)
    ordered(page, 1)


def test_other_tabs_follow(page: Page, browser: Browser, pair: Pair, table: Serving) -> None:
    order = take_in(pair)
    with at_table(browser, table, pair.game) as other:
        give(page, order, mirror(pair).view())
        ordered(other, 1)
        press(other, "#undo")
        ordered(page, 0)


def test_looking_back_loses_nothing_and_gives_no_order(page: Page, pair: Pair) -> None:
    order = take_in(pair)
    give(page, order, mirror(pair).view())
    ordered(page, 1)
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
    ordered(page, 1)


@pytest.mark.parametrize("screen", [pytest.param("light", marks=pytest.mark.long), "phone, dark"])
def test_axe_finds_nothing(browser: Browser, pair: Pair, table: Serving, screen: str) -> None:
    with at_table(browser, table, pair.game, **SCREENS[screen]) as page:
        page.locator(".own-hand .lit").first.click()
        page.wait_for_selector("[data-out]")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        for details in page.locator("details").all():
            details.evaluate("each => each.open = true")
        report = Axe().run(page, options={"resultTypes": ["violations"]})
        assert report.violations_count == 0, report.generate_report()
