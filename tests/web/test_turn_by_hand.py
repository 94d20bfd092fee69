"""Turns that are taken in the browser: what was clicked is ordered, found again, and told."""

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
from tests.web.hands import at_table, choose, give, keys_of, press, said
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

ELSEWHERE = "Something else has been done in this game in the meantime"
FOUND = "You began this turn on"
REFUSED = ("409 (Conflict)",)


def is_turn_of_british(pair: Pair) -> bool:
    """Whether the British are to take a turn, some turns into the game."""
    assert pair.written is not None
    return pair.written.match.state.turn >= 6 and pair.next_side is Side.BRITISH


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game in which the British are to take a turn, listed at their home."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(is_turn_of_british)
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture(scope="module")
def table(pair: Pair) -> Iterator[Serving]:
    """The games of the British, served."""
    with serving(pair.homes[Side.BRITISH]) as started:
        yield started


@pytest.fixture(autouse=True)
def begun_anew(pair: Pair) -> Iterator[None]:
    """Nothing is left of the turn that another test began."""
    yield
    turn = mirror(pair)
    kept = kept_of(pair, turn)
    kept.resume()
    while turn.undo() is not None:
        pass
    turn.new_notes = None
    kept.save()


@pytest.fixture
def page(browser: Browser, pair: Pair, table: Serving) -> Iterator[Page]:
    """The page of the game."""
    with at_table(browser, table, pair.game) as opened:
        yield opened


def mirror(pair: Pair) -> Turn:
    """The same turn, as the command line would take it."""
    return pair.next_turn(pair.sessions[Side.BRITISH])


def kept_of(pair: Pair, turn: Turn) -> Autosave:
    """Return the place where that turn is kept."""
    return Autosave(pair.sessions[Side.BRITISH].store, turn)


def take_in(pair: Pair) -> Order:
    """An order to take money, as the turn may begin with."""
    return next(o for o in Choices(mirror(pair).worlds).some_orders() if o.verb == "take")


def ordered(page: Page, number: int) -> None:
    """Wait until that many orders are given on a page."""
    page.wait_for_function(
        "(number) => document.querySelectorAll('.given li').length === number", arg=number
    )


@pytest.mark.parametrize(
    "by_keys",
    # By mouse one is given in test_game_by_hand.py.
    [pytest.param(False, id="mouse", marks=pytest.mark.long), pytest.param(True, id="keys")],
)
def test_a_turn_is_given_taken_back_and_given_again(page: Page, pair: Pair, by_keys: bool) -> None:
    turn = mirror(pair)
    while not turn.is_complete:
        order = pair.choose(turn.view())
        turn.order(order)
        # The first by keys: each kind is, now and then, in test_every_kind.py.
        give(page, order, "british", by_keys=by_keys and len(turn.orders) == 1)
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


def first_with_cards(turn: Turn) -> Order:
    """An order that has cards and a location."""
    return next(o for o in turn.choices.some_orders() if o.cards and o.location)


def test_parts_are_taken_out_by_a_second_click_a_chip_or_escape(page: Page, pair: Pair) -> None:
    first, second, *_ = keys_of(first_with_cards(mirror(pair)), "british", page)
    lit = page.locator(".lit").count()
    choose(page, first, by_keys=False)
    choose(page, second, by_keys=False)
    pressed = page.locator("#play-page [data-choice].chosen, .place .chosen, .card.chosen")
    assert pressed.count() == 2
    assert all(each.get_attribute("aria-pressed") == "true" for each in pressed.all())
    page.locator(".place .chosen .pick").click()
    page.wait_for_function("() => document.querySelectorAll('[data-out]').length === 1")
    page.locator("[data-out]").click()
    page.wait_for_function("() => !document.querySelector('[data-out]')")
    assert page.locator(".lit").count() == lit
    choose(page, first, by_keys=False)
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('[data-out]')")
    assert page.locator(".lit").count() == lit


def test_what_is_not_lit_says_why_and_is_not_chosen(page: Page) -> None:
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
        assert "Quebec" in said(page)
        # Once, not on the panel as well.
        assert said(page) not in page.inner_text("#panel")
        assert page.locator("[data-out]").count() == 0


def test_each_choice_is_told_with_whether_it_can_be_chosen(page: Page, pair: Pair) -> None:
    names = page.locator(".own-hand [role=button]")
    assert names.count() == len(mirror(pair).view().players[Side.BRITISH].hand)
    snapshot = page.locator(".own-hand").aria_snapshot()
    assert "can be chosen" in snapshot and "button" in snapshot
    names.first.click()
    page.wait_for_selector(".own-hand .chosen")
    assert "is chosen" in page.locator(".own-hand").aria_snapshot()
    # What can follow is told with the answer to the click.
    page.wait_for_function("() => document.getElementById('more').innerText.includes('Chosen:')")


def test_a_stale_tab_is_told_and_a_turn_that_was_left_is_found_again(
    browser: Browser, pair: Pair, table: Serving
) -> None:
    order = take_in(pair)
    with at_table(browser, table, pair.game, REFUSED) as page:
        # A tab that hears no events, as one that the system has put to sleep.
        page.route("**/events", lambda route: route.abort())
        with at_table(browser, table, pair.game) as other:
            give(other, order, "british")
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
        assert ELSEWHERE in said(page)
        ordered(page, 1)
    with at_table(browser, table, pair.game) as page:
        ordered(page, 1)
        assert page.input_value("#notes") == "watch Boston"
    found = kept_of(pair, mirror(pair)).saved
    assert found is not None and found.orders == (order.notation(),)


def test_that_a_turn_was_found_again_is_told_until_one_goes_on(pair: Pair) -> None:
    order = take_in(pair)
    left = mirror(pair)
    left.order(order)
    kept_of(pair, left).save()
    with serving(pair.homes[Side.BRITISH]) as served:
        browser = served.browser()
        parts = browser.ask(f"/games/{pair.game}/parts").data
        assert FOUND in parts["parts"]["decision"]
        # What the sentence names can be pressed.
        assert 'id="undo-all"' in parts["parts"]["given"]
        undone = browser.post(f"/games/{pair.game}/undo-all", {"stand": parts["stand"]}).data
        assert FOUND not in undone["parts"]["decision"]


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


def test_a_late_answer_undoes_no_order(page: Page, pair: Pair, table: Serving) -> None:
    order = take_in(pair)
    late = list[tuple[Route, APIResponse]]()
    page.route("**/parts", lambda route: late.append((route, route.fetch())), times=1)
    with page.expect_request("**/parts"):
        table.pages.events.tell("game", game=pair.game)
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
        give(page, order, "british")
        ordered(other, 1)
        press(other, "#undo")
        ordered(page, 0)


def test_looking_back_loses_nothing_and_gives_no_order(page: Page, pair: Pair) -> None:
    order = take_in(pair)
    give(page, order, "british")
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
