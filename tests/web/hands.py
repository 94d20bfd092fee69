"""Pages that are played on, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from engine.order import Order, Source
from tests.board.browser import listening, script, window
from tests.web.serving import Serving

READY = "#time:not([inert])"
AROUND = {
    "kind": "contains(@class, 'kinds')",
    "location": "contains(@class, 'board')",
    "card": "contains(@class, 'cards')",
}
"""In what each thing that can be chosen lies, which is one stop for the keyboard."""
STEPS = script("stops_between")
"""How many stops of the keyboard something is away, back where the number is negative."""
WAY = script("way_by_arrows")
"""By which arrows one comes from one choice to another, and back to where it began."""
KEY_AT = script("focused_choice")
LIT = script("lit_choices")
FIND = script("find_choice")


@contextmanager
def at_table(
    browser: Browser, served: Serving, game: str, said: Sequence[str] = (), **options: Any
) -> Iterator[Page]:
    """The page of a game in a browser that came in nowhere yet, with the options of a window.

    Fails where it complains of anything but `said`. Nothing but this server is asked for anything.
    """
    own = (f"http://127.0.0.1:{served.port}/", "data:")
    complaints: list[str] = []
    heard: dict[Any, Callable[[Any], None]] = {
        "pageerror": lambda error: complaints.append(str(error)),
        "console": lambda told: complaints.append(told.text),
        "request": lambda a: None if a.url.startswith(own) else complaints.append(a.url),
    }
    with window(browser, **options) as page, listening(page, heard):
        page.goto(served.access.new_link(f"/games/{game}"))
        page.wait_for_selector(READY)
        yield page
        left = [told for told in complaints if not any(each in told for each in said)]
        assert not left, left


def keys_of(order: Order, side: str, page: Page) -> list[str]:
    """The keys of all that an order names, with the piles where its cards lie."""
    keys = [f"kind:{order.verb}"]
    if order.location:
        keys.append(f"location:{order.location}")
    for card in order.cards:
        for pile in _piles(order, side):
            key = f"card:{card}@{pile}"
            if page.evaluate(FIND, key):
                keys.append(key)
                break
        else:
            raise AssertionError(f"{card} of {order.notation()} lies nowhere")
    return keys


def _piles(order: Order, side: str) -> list[str]:
    match order.source:
        case Source.RESERVE:
            return [f"{side}-reserve"]
        case Source.DISCARD_PILE:
            return [f"{side}-discard"]
        case Source.SIEGE:
            return ["british-siege", "french-siege"]
        case Source.OWN_STOCK | Source.STOCK:
            return [f"{side}-draft", "neutral"]
        case _:
            return [f"{side}-hand"]


def lit(page: Page) -> set[str]:
    """The keys of all that a page shows as what can be chosen."""
    found = page.evaluate(LIT)
    assert found is not None, "what is lit is not to be seen, or is said not to be chosen"
    return set(found)


def choose(page: Page, key: str, *, by_keys: bool) -> None:
    """Choose something that is lit."""
    exact = page.evaluate(FIND, key)
    assert exact, f"there is no {key} on the page: {page.inner_text('#panel')}"
    found = page.locator("[data-found]")
    assert "lit" in (found.get_attribute("class") or ""), f"{key} is not lit"
    with page.expect_response(lambda got: got.url.endswith("/select")):
        if by_keys:
            go_to(page, exact)
            page.keyboard.press("Enter")
        else:
            _clicked(found)
    page.wait_for_function(
        "(key) => [...document.querySelectorAll('#choice [data-out]')]"
        ".some((each) => each.dataset.out === key)",
        arg=key,
    )


def _clicked(found: Locator) -> None:
    pick = found.locator(".pick")
    (pick if pick.count() else found).click()


def go_to(page: Page, key: str) -> None:
    """Come to something that can be chosen by Tab and arrows alone."""
    around = AROUND[key.partition(":")[0]]
    tab_to(page, page.locator("[data-found]").locator(f"xpath=ancestor::*[{around}][1]"))
    here = page.evaluate(KEY_AT)
    assert here is not None, page.evaluate("document.activeElement.outerHTML.slice(0, 400)")
    way = page.evaluate(WAY, [here, key])
    assert way is not None, f"nobody comes from {here} to {key} by arrows"
    for arrow in way:
        page.keyboard.press(arrow)
    assert page.evaluate(KEY_AT) == key


def tab_to(page: Page, where: Locator) -> None:
    """Come by Tab to something, or to what is in it."""
    steps = where.evaluate(STEPS)
    assert steps is not None, "nobody comes there by Tab"
    for _ in range(3):
        # What scrolls may be a stop as well.
        for _ in range(abs(steps)):
            page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        if where.evaluate("(each) => each.contains(document.activeElement)"):
            return
        steps = where.evaluate(STEPS)
    raise AssertionError("nobody comes there by Tab")


def give(page: Page, order: Order, side: str, *, by_keys: bool = False) -> None:
    """Choose all that an order names, see what it does, and say yes."""
    for key in keys_of(order, side, page):
        choose(page, key, by_keys=by_keys)
    say_yes(page, order, by_keys=by_keys)


def say_yes(page: Page, order: Order, *, by_keys: bool) -> None:
    """Look at an order that is chosen, and give it."""
    yes = page.locator(f"[data-give='{order.notation()}']#yes")
    look = page.locator(f"[data-look='{order.notation()}']")
    if not yes.count():
        with page.expect_response(lambda got: got.url.endswith("/select")):
            _press(page, look, by_keys=by_keys)
        yes.wait_for()
    with page.expect_response(lambda got: got.url.endswith("/order")):
        _press(page, yes, by_keys=by_keys)
    page.wait_for_function("() => !document.querySelector('#choice .chosen')")


def _press(page: Page, button: Locator, *, by_keys: bool) -> None:
    if not by_keys:
        button.click()
        return
    button.wait_for()
    tab_to(page, button)
    page.keyboard.press("Enter")


def press(page: Page, what: str, *, by_keys: bool = False) -> None:
    """Press a button."""
    _press(page, page.locator(what), by_keys=by_keys)


def said(page: Page) -> str:
    """The last sentence that was said."""
    return page.inner_text("#said")
