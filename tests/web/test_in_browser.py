"""Pages in Chromium: what shows by itself, two tabs, two browsers, the end of the last one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pbem.play import keyfile
from pbem.play.keyfile import Cost
from pbem.web import server, watch
from tests.cli.using import do
from tests.web.serving import Serving, serving


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that came in nowhere yet; fails at the end where its scripts did."""
    with browser.new_context(locale="en-GB") as context:
        failed: list[str] = []
        context.on("weberror", lambda error: failed.append(str(error.error)))
        yield context
        assert failed == []


def came_in(context: BrowserContext, served: Serving) -> Page:
    """The list of games, in a browser that has just come in."""
    page = context.new_page()
    page.goto(served.access.new_link())
    page.wait_for_function(
        "() => navigator.locks.query().then((l) => l.held.length || l.pending.length)"
    )
    return page


GRACE = 3.0
"""In seconds: on a busy machine a reloaded page takes one or more to be heard of."""


def soon(what: object, seconds: float = 60.0) -> bool:
    """Whether something comes to be true before long."""
    assert callable(what)
    end = monotonic() + seconds
    while not what():
        if monotonic() > end:
            return False
        sleep(0.02)
    return True


def test_no_secret_is_left_in_the_browser(context: BrowserContext, served: Serving) -> None:
    page = came_in(context, served)
    assert page.url == f"http://127.0.0.1:{served.port}/"
    box = page.locator("#games").bounding_box()
    assert box is not None and box["width"] > 700, "the list is wide in a window that is"
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("history.length") <= 2
    page.go_back()
    assert "enter" not in page.url


def test_a_passphrase_that_was_set_meanwhile_is_asked_for_and_the_page_comes_back(
    context: BrowserContext, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyfile, "USUAL", Cost(2**14, 1, 1))
    monkeypatch.setenv("ACRES_NEW_PASSPHRASE", "four words in a row")
    with serving(own / "home") as served:
        page = came_in(context, served)
        there = f"http://127.0.0.1:{served.port}/new/friend"
        page.goto(there)
        do("key", "passphrase", home=own / "home")
        page.locator("button.main").click()
        page.wait_for_url("**/unlock?**")
        page.locator("#passphrase").fill("four words in a row")
        page.keyboard.press("Enter")
        page.wait_for_url(there)


def test_another_browser_comes_in_by_an_address_that_the_page_gives(
    browser: Browser, context: BrowserContext, served: Serving
) -> None:
    page = came_in(context, served)
    page.click("#another")
    address = page.locator("#another-address")
    address.filter(has_text="http").wait_for()
    with browser.new_context() as other:
        there = other.new_page()
        there.goto(address.inner_text())
        assert there.locator(".games li").count() == 2
    with browser.new_context() as late:
        again = late.new_page()
        assert again.goto(address.inner_text()).status == 403  # type: ignore[union-attr]


def test_all_tabs_of_a_browser_share_one_stream(context: BrowserContext, served: Serving) -> None:
    first, others = came_in(context, served), [came_in(context, served) for _ in range(7)]
    assert served.pages.events.streams == 1
    for page in [first, *others]:
        page.wait_for_load_state()
        page.evaluate("document.getElementById('said').textContent = ''")
    served.pages.events.tell("said", text="It is told.")
    for page in [first, *others]:
        page.locator("#said", has_text="It is told.").wait_for()
    first.close()
    # What was told in between is looked up by a page that hears `hello` again.
    others[0].evaluate("document.getElementById('said').textContent = ''")
    said = others[0].locator("#said", has_text="And to those that stay.")

    def is_told() -> bool:
        served.pages.events.tell("said", text="And to those that stay.")
        others[0].wait_for_timeout(100)
        return said.count() == 1

    assert soon(is_told)
    assert served.pages.events.streams == 1


def test_a_file_that_is_saved_shows_by_itself(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LOOKS", 0.05)
    home, other, saved = tmp_path / "home", tmp_path / "other", tmp_path / "saved"
    new, joined, answer = (tmp_path / f"g-{number:03}.toml" for number in range(3))
    saved.mkdir()
    do("init", "--name", "Anna", home=home)
    do("init", "--name", "<i>Bela", home=other)
    do("new", "--side", "british", "--lists", 1, "--output", new, home=other)
    do("join", new, "--output", joined, home=home)
    do("turn", "apply", joined, "pass", "--output", answer, home=other)
    answer.rename(other / "answer.toml")
    with serving(home, saved) as served:
        page = came_in(context, served)
        assert page.locator(".games li", has_text="your move since").count() == 0
        shutil.copy(other / "answer.toml", saved / "from a letter.toml")
        page.locator(".games li", has_text="your move since").wait_for()
        assert "<i>Bela" in page.locator("#news").inner_text()
        assert page.locator("#news i").count() == 0


def test_it_ends_when_the_last_page_is_gone_and_not_before(
    browser: Browser, anna: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "GRACE", GRACE)
    monkeypatch.setattr(server, "_LOOKS", 0.05)
    with serving(anna / "home") as served, browser.new_context() as context:
        sleep(GRACE + 0.3)
        assert served.is_alive, "it ended before any page was there"
        page = came_in(context, served)
        other = came_in(context, served)
        for _ in range(3):
            page.reload()
        page.close()
        sleep(GRACE + 0.3)
        assert served.is_alive, "it ended while a page was open"
        other.close()
        assert soon(lambda: not served.is_alive)


def test_a_page_says_that_the_program_has_ended(context: BrowserContext, anna: Path) -> None:
    with serving(anna / "home") as served:
        page = context.new_page()
        page.goto(served.access.new_link())
        page.locator("#theme").wait_for()
        assert page.locator("#gone").is_hidden()
    page.locator("#gone", has_text="acres board").wait_for()
