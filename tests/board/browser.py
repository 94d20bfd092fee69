"""Pages in the browser of the system, opened from disk and without requests."""

from __future__ import annotations

import os
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    Route,
    ViewportSize,
    sync_playwright,
)

from tests.requirements import skip_without

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The names of the browser in Debian and elsewhere.

The first one has no windows, and takes three quarters of the time.
"""
PHONE: ViewportSize = {"width": 360, "height": 740}
READY = "#time:not([hidden], [inert])"
"""The selector of an element that exists when the page is ready for steps."""
SCREEN: ViewportSize = {"width": 1280, "height": 900}
Scheme = Literal["dark", "light"]
Motion = Literal["no-preference", "reduce"]
BROAD: ViewportSize = {"width": 1920, "height": 1080}
SCRIPTS = Path(__file__).parents[1] / "scripts"


def script(name: str) -> str:
    """Return the text of a function of `tests/scripts`."""
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


def program() -> str | None:
    """Return the path of the browser; None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def options() -> list[str]:
    """Return the options of the browser."""
    # Chromium cannot use its sandbox as root, for example in a container.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    # Letters are as wide as on a screen, even without a screen.
    return ["--font-render-hinting=slight", *(["--no-sandbox"] if is_root else [])]


@contextmanager
def browser() -> Iterator[Browser]:
    """Run the browser until the end of the block.

    While it runs, its thread has an event loop: nothing else in it can run one of its own.
    """
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program(), args=options())
        with launched:
            yield launched
            _LENT.clear()


_RUNNING = ExitStack()
_LAUNCHED: list[Browser] = []
"""The browser that the tests of this process share, if it is running."""


def shared_browser() -> Browser:
    """Return the browser that all test files share, started for the first of them."""
    if program() is None:
        skip_without("Chromium", "chromium")
    if _LAUNCHED and not _LAUNCHED[0].is_connected():
        end()
    if not _LAUNCHED:
        _LAUNCHED.append(_RUNNING.enter_context(browser()))
    return _LAUNCHED[0]


def end() -> None:
    """End the shared browser, because its event loop disturbs tests of other packages."""
    _LAUNCHED.clear()
    _RUNNING.close()


def end_after(item: pytest.Item, following: pytest.Item | None) -> None:
    """End the browser after the last test of a file, unless the next file begins with a page."""
    if following is None or (
        following.path != item.path and "browser" not in getattr(following, "fixturenames", ())
    ):
        end()


@contextmanager
def listening(page: Page, listeners: dict[Any, Callable[[Any], None]]) -> Iterator[None]:
    """Listen to the events of a page in the block."""
    for event, heard in listeners.items():
        page.on(event, heard)
    try:
        yield
    finally:
        for event, heard in listeners.items():
            page.remove_listener(event, heard)


@dataclass
class Watch:
    """The requests of a page except its own file, and the complaints of the browser.

    `requests` are all attempts, `sent` the requests that the policy of the page allowed. None
    leaves the computer.
    """

    own: str
    requests: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @contextmanager
    def over(self, page: Page) -> Iterator[None]:
        """Listen to a page in the block, and refuse its requests except its own file."""
        listeners: dict[Any, Callable[[Any], None]] = {
            "request": self._note_request,
            "console": self._note_console,
            "pageerror": lambda error: self.complaints.append(str(error)),
            "dialog": lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"),
        }
        page.route("**/*", self._refuse)
        with listening(page, listeners):
            yield
        page.unroute("**/*", self._refuse)

    def check(self) -> None:
        """Fail if there was any request or complaint."""
        assert self.requests == []
        assert self.complaints == []

    def _is_own(self, request: Request) -> bool:
        return request.url.partition("#")[0] == self.own

    def _refuse(self, route: Route) -> None:
        if self._is_own(route.request):
            route.continue_()
        else:
            self.sent.append(route.request.url)
            route.abort()

    def _note_request(self, request: Request) -> None:
        if not self._is_own(request):
            self.requests.append(request.url)

    def _note_console(self, message: ConsoleMessage) -> None:
        # The browser reports a violation of the Content-Security-Policy as an error.
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


_LENT: dict[tuple[object, ...], Page] = {}
"""Used windows, by the options that cannot be changed."""


@contextmanager
def window(
    browser: Browser,
    *,
    alone: bool = False,
    viewport: ViewportSize = SCREEN,
    color_scheme: Scheme = "light",
    reduced_motion: Motion = "no-preference",
    **options: Any,
) -> Iterator[Page]:
    """Lend a window with an empty page, by Playwright's options.

    The next test finds no traces in it. Use `alone` for state that remains in a window, for example
    a stopped clock or the storage of the browser.
    """
    options = {"locale": "en-GB", **options}
    kind = (id(browser), *sorted(options.items()))
    page = None if alone else _LENT.pop(kind, None)
    if page is None:
        page = browser.new_context(**options).new_page()
    page.set_viewport_size(viewport)
    page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion=reduced_motion)
    is_fit = False
    try:
        yield page
        page.unroute_all(behavior="ignoreErrors")
        if not page.url.startswith("file:"):
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.context.clear_cookies()
        page.goto("about:blank")
        # Move the pointer away from elements of the next page.
        page.mouse.move(0, 0)
        is_fit = not alone and kind not in _LENT
    finally:
        if is_fit:
            _LENT[kind] = page
        else:
            page.context.close()


@contextmanager
def open_page(browser: Browser, file: Path, fragment: str = "", **options: Any) -> Iterator[Page]:
    """Open a file in a window.

    Fails at the end if the page requested anything else, or if the browser complained.
    """
    watch = Watch(file.as_uri())
    with window(browser, **options) as page, watch.over(page):
        page.goto(file.as_uri() + fragment)
        if options.get("java_script_enabled", True):
            page.wait_for_selector(READY)
        yield page
        watch.check()


def stop_clock(page: Page) -> None:
    """Stop time on a page except for `page.clock.run_for`; its window must be `alone`."""
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))


def picture_of(page: Page, window: ViewportSize, scale: float) -> bytes:
    """Return a screenshot of a window of that size as WebP, scaled."""
    session = page.context.new_cdp_session(page)
    clip = {"x": 0, "y": 0, **window, "scale": scale}
    request = {"format": "webp", "quality": 80, "clip": clip}
    return b64decode(session.send("Page.captureScreenshot", request)["data"])
