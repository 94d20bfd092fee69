"""Helpers that play on a page, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from engine.choices import Choices, Parts
from engine.order import Order, Source
from engine.orders import End
from engine.state import State
from pbem.text.language import Language
from pbem.text.ordering.menu import Menus, effect_of
from tests.board.browser import listening, script, window
from tests.web.serving import Serving

READY = "#time:not([inert])"
GROUPS_BY_KIND = {
    "kind": "contains(@class, 'kinds')",
    "location": "contains(@class, 'board')",
    "card": "contains(@class, 'cards')",
}
"""The group that is the tab stop of each kind of choice."""
STEPS = script("stops_between")
"""The number of tab stops to an element, which is negative if it is before the focus."""
ARROWS = script("way_by_arrows")
"""The arrow keys that move the focus from one choice to another."""
KEY_AT = script("focused_choice")
LIT_CHOICES = script("lit_choices")
FIND = script("find_choice")


@contextmanager
def open_game_page(
    browser: Browser, served: Serving, game: str, allowed: Sequence[str] = (), **options: Any
) -> Iterator[Page]:
    """Open the page of a game in a new browser, with the options of a window.

    Fails if the browser logs anything but `allowed`, or sends a request to another server.
    """
    own_urls = (f"http://127.0.0.1:{served.port}/", "data:")
    complaints: list[str] = []
    listeners: dict[Any, Callable[[Any], None]] = {
        "pageerror": lambda error: complaints.append(str(error)),
        "console": lambda message: complaints.append(message.text),
        "request": lambda a: None if a.url.startswith(own_urls) else complaints.append(a.url),
    }
    with window(browser, **options) as page, listening(page, listeners):
        page.goto(served.access.new_link(f"/games/{game}"))
        page.wait_for_selector(READY)
        yield page
        allowed = (*allowed, "Cleared data types")
        complaints = [text for text in complaints if not any(part in text for part in allowed)]
        assert complaints == []


def find_pile(state: State, order: Order, card: str) -> str:
    """Return the pile of a card that an order names."""
    side = state.awaiting.side
    match order.source:
        case Source.RESERVE:
            return f"{side.value}-reserve"
        case Source.DISCARD_PILE:
            return f"{side.value}-discard"
        case Source.SIEGE:
            besieger = state.besieger(order.target)
            assert besieger is not None
            return f"{besieger.value}-siege"
        case Source.OWN_STOCK | Source.STOCK:
            return "neutral" if state.neutral.get(card) else f"{side.value}-draft"
        case _:
            return f"{side.value}-hand"


def choice_keys(state: State, order: Order) -> list[str]:
    """Return the keys of all choices that an order names, each card with its pile.

    The end of a turn without further actions has a button instead.
    """
    if isinstance(order, End) and not state.actions_left:
        return []
    location = [f"location:{order.location}"] if order.location else []
    cards = [f"card:{card}@{find_pile(state, order, card)}" for card in order.cards]
    return [f"kind:{order.verb}", *location, *cards]


def lit_keys(page: Page) -> set[str]:
    """Return the keys of all choices that a page shows as possible."""
    keys = page.evaluate(LIT_CHOICES)
    assert keys is not None, "a lit choice is not visible, or its label says otherwise"
    return set(keys)


def choose(page: Page, key: str, *, by_keys: bool) -> None:
    """Choose a lit choice."""
    exact_key = page.evaluate(FIND, key)
    assert exact_key, f"there is no {key} on the page: {page.inner_text('#panel')}"
    choice = page.locator("[data-found]")
    assert "lit" in (choice.get_attribute("class") or ""), f"{key} is not lit"
    with page.expect_response(lambda response: response.url.endswith("/select")):
        if by_keys:
            go_to(page, exact_key)
            page.keyboard.press("Enter")
        else:
            button = choice.locator(".pick")
            (button if button.count() else choice).click()
    page.wait_for_function(
        "(key) => [...document.querySelectorAll('#choice [data-out]')]"
        ".some((each) => each.dataset.out === key)",
        arg=key,
    )


def go_to(page: Page, key: str) -> None:
    """Move the focus to a choice by Tab and arrow keys alone."""
    group = GROUPS_BY_KIND[key.partition(":")[0]]
    tab_to(page, page.locator("[data-found]").locator(f"xpath=ancestor::*[{group}][1]"))
    focused_key = page.evaluate(KEY_AT)
    assert focused_key is not None, page.evaluate("document.activeElement.outerHTML.slice(0, 400)")
    arrows = page.evaluate(ARROWS, [focused_key, key])
    assert arrows is not None, f"no arrow keys lead from {focused_key} to {key}"
    for arrow in arrows:
        page.keyboard.press(arrow)
    assert page.evaluate(KEY_AT) == key


def tab_to(page: Page, target: Locator) -> None:
    """Move the focus by Tab to an element, or into it."""
    for _ in range(4):
        if target.evaluate("(each) => each.contains(document.activeElement)"):
            return
        # Scrolling elements may be tab stops too, and then need another round.
        steps = target.evaluate(STEPS)
        for _ in range(abs(steps or 0)):
            page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
    raise AssertionError("Tab does not lead there")


def offered(state: State, order: Order) -> Order:
    """Return the order that a page offers for one: the first with the same cards and effect."""
    selection = Parts.of(choice_keys(state, order))
    items = Menus(Language("en"), Choices([state])).with_parts(selection).items
    alike = (effect_of(order), sorted(order.cards))
    orders = (item.order for item in items if item.order)
    return next(other for other in orders if (effect_of(other), sorted(other.cards)) == alike)


def give(page: Page, order: Order, state: State, *, by_keys: bool = False) -> bool:
    """Choose all parts of an order in that position, preview it, and confirm.

    Return True if this signs the file too.
    """
    for key in choice_keys(state, order):
        choose(page, key, by_keys=by_keys)
    return confirm(page, order, by_keys=by_keys)


def confirm(page: Page, order: Order, *, by_keys: bool) -> bool:
    """Preview a chosen order, and confirm it. Return True if this signs the file too."""
    selector = f"[data-give='{order.notation()}']:is(#yes, #end)"
    if not page.locator(selector).count():
        with page.expect_response(lambda response: response.url.endswith("/select")):
            press(page, f"[data-look='{order.notation()}']", by_keys=by_keys)
        page.locator(selector).wait_for()
    signs = page.locator(selector).get_attribute("data-sign") is not None
    last_request = "/sign" if signs else "/order"
    with page.expect_response(lambda response: response.url.endswith(last_request)):
        press(page, selector, by_keys=by_keys)
    page.wait_for_function("() => !document.querySelector('#choice .chosen')")
    return signs


def press(page: Page, selector: str, *, by_keys: bool = False) -> None:
    """Press a button."""
    button = page.locator(selector)
    if not by_keys:
        button.click()
        return
    button.wait_for()
    tab_to(page, button)
    page.keyboard.press("Enter")


def last_announcement(page: Page) -> str:
    """Return the last sentence for screen readers."""
    return page.inner_text("#said")
