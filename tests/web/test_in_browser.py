"""Pages in Chromium: automatic updates, several tabs and browsers, and the end of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pbem.play import keyfile
from pbem.play.keyfile import Cost
from pbem.web import server
from tests.cli.commands import do
from tests.web.serving import Serving, serving


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Return a new browser context. Fails if a script in it fails."""
    with browser.new_context(locale="en-GB") as context:
        errors: list[str] = []
        context.on("weberror", lambda error: errors.append(str(error.error)))
        yield context
        assert errors == []


def open_games_page(context: BrowserContext, served: Serving) -> Page:
    """Open the list of games in a browser with a new cookie."""
    page = context.new_page()
    page.goto(served.access.new_link())
    page.wait_for_function(
        "() => navigator.locks.query().then((l) => l.held.length || l.pending.length)"
    )
    return page


IDLE_SECONDS = 3.0
"""The seconds until the server ends; a reloaded page may take a second to connect."""


def becomes_true(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Return True if `condition` becomes true within that time."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        sleep(0.02)
    return True


def test_browser_history_and_scripts_have_no_secret(
    context: BrowserContext, served: Serving
) -> None:
    page = open_games_page(context, served)
    assert page.url == f"http://127.0.0.1:{served.port}/"
    box = page.locator("#games").bounding_box()
    assert box is not None and box["width"] > 700, "the list is wide in a window that is"
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("history.length") <= 2
    page.go_back()
    assert "enter" not in page.url


def test_page_asks_for_a_new_passphrase_and_returns(
    context: BrowserContext, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyfile, "DEFAULT_COST", Cost(2**14, 1, 1))
    monkeypatch.setenv("ACRES_NEW_PASSPHRASE", "four words in a row")
    with serving(own / "home") as served:
        page = open_games_page(context, served)
        url = f"http://127.0.0.1:{served.port}/new/friend"
        page.goto(url)
        do("key", "passphrase", home=own / "home")
        page.locator("button.main").click()
        page.wait_for_url("**/unlock?**")
        page.locator("#passphrase").fill("four words in a row")
        page.keyboard.press("Enter")
        page.wait_for_url(url)


def test_another_browser_is_admitted_by_a_new_link(
    browser: Browser, context: BrowserContext, served: Serving
) -> None:
    page = open_games_page(context, served)
    assert page.locator("#another").count() == 0
    page.get_by_role("link", name="Settings").click()
    page.click("#another")
    address = page.locator("#another-address")
    address.filter(has_text="http").wait_for()
    with browser.new_context() as other:
        other_page = other.new_page()
        other_page.goto(address.inner_text())
        assert other_page.locator(".games li").count() == 2
    with browser.new_context() as late_context:
        page = late_context.new_page()
        assert page.goto(address.inner_text()).status == 403  # type: ignore[union-attr]


def test_all_tabs_of_a_browser_share_one_stream(context: BrowserContext, served: Serving) -> None:
    first, *others = [open_games_page(context, served) for _ in range(8)]
    assert served.pages.events.streams == 1
    for page in [first, *others]:
        page.wait_for_load_state()
        page.evaluate("document.getElementById('said').textContent = ''")
    served.pages.events.send("said", text="It is told.")
    for page in [first, *others]:
        page.locator("#said", has_text="It is told.").wait_for()
    first.close()
    # A page that gets `hello` again fetches missed news.
    others[0].evaluate("document.getElementById('said').textContent = ''")
    status = others[0].locator("#said", has_text="And to those that stay.")

    def is_announced() -> bool:
        served.pages.events.send("said", text="And to those that stay.")
        others[0].wait_for_timeout(100)
        return status.count() == 1

    assert becomes_true(is_announced)
    assert served.pages.events.streams == 1


def test_server_ends_only_after_its_last_page(
    browser: Browser, anna: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "IDLE_SECONDS", IDLE_SECONDS)
    monkeypatch.setattr(server, "_CHECK_SECONDS", 0.05)
    with serving(anna / "home") as served, browser.new_context() as context:
        sleep(IDLE_SECONDS + 0.3)
        assert served.is_alive, "it ended before any page was there"
        page = open_games_page(context, served)
        other = open_games_page(context, served)
        for _ in range(3):
            page.reload()
        page.close()
        sleep(IDLE_SECONDS + 0.3)
        assert served.is_alive, "it ended while a page was open"
        other.close()
        assert becomes_true(lambda: not served.is_alive)


@pytest.mark.slow
def test_page_says_that_the_program_has_ended(context: BrowserContext, anna: Path) -> None:
    with serving(anna / "home") as served:
        page = context.new_page()
        page.goto(served.access.new_link())
        page.locator("#theme").wait_for()
        assert page.locator("#gone").is_hidden()
    page.locator("#gone", has_text="acres board").wait_for()
