"""Pages in a real browser, that of the system: opened from disk, and asking for nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    Route,
    ViewportSize,
    sync_playwright,
)

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
"""What the browser is called: by Debian, by others, and by those who make it."""
PHONE: ViewportSize = {"width": 360, "height": 740}
READY = "#time:not([hidden], [inert])"
"""What there is on a page when it can be stepped through."""
SCREEN: ViewportSize = {"width": 1280, "height": 900}
BROAD: ViewportSize = {"width": 1920, "height": 1080}


def program() -> str | None:
    """The path of the browser; None where there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """The browser, until the end of the block.

    While it runs, its thread has an event loop: nothing else in it can run one of its own.
    """
    # Where everything is done as root, as in a container, Chromium has no room for its sandbox.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=program(), args=["--no-sandbox"] if is_root else []
        )
        with launched:
            yield launched


@dataclass
class Watch:
    """What a page asked for beside its own file, and what the browser had to complain of.

    `requests` are all that it tried, `sent` those that its policy let through; none has left.
    """

    own: str
    requests: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        """Listen to a page from now on; what it asks for is refused, but its own file."""
        page.route("**/*", self._refuse)
        page.on("request", self._asked)
        page.on("console", self._told)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"))

    def check(self) -> None:
        """Fail where there was anything."""
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

    def _asked(self, request: Request) -> None:
        if not self._is_own(request):
            self.requests.append(request.url)

    def _told(self, message: ConsoleMessage) -> None:
        # A breach of the Content-Security-Policy is told as an error.
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@contextmanager
def opened(browser: Browser, file: Path, fragment: str = "", **options: Any) -> Iterator[Page]:
    """A file in a window of its own, with Playwright's options for one.

    Fails at the end where the page asked for anything else, or the browser complained.
    """
    options = {"viewport": SCREEN, "locale": "en-GB", **options}
    with browser.new_context(**options) as context:
        page = context.new_page()
        watch = Watch(file.as_uri())
        watch.over(page)
        page.goto(file.as_uri() + fragment)
        if options.get("java_script_enabled", True):
            page.wait_for_selector(READY)
        yield page
        watch.check()


def stop_clock(page: Page) -> None:
    """Let time on a page go on only by `page.clock.run_for`."""
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))
