"""The files that the service worker keeps: offline, updated with consent, and whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pbem.web.site.build import open_server

SECONDS = 1000
"""Milliseconds, in which Playwright counts."""
LONG = 90 * SECONDS
"""The time for the first visit, on a busy computer."""


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[int]:
    """Serve a folder in the block, and yield the port."""
    with open_server(folder, port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@contextmanager
def visiting(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a browser of somebody who has visited nothing."""
    context = browser.new_context(locale="en")
    context.set_default_timeout(LONG)
    try:
        yield context
    finally:
        context.close()


def open_site(context: BrowserContext, address: str) -> Page:
    """Open the site in a new tab, and wait for its first page."""
    page = context.new_page()
    page.goto(address)
    expect(page.frame_locator("#page").locator("main")).to_be_visible(timeout=LONG)
    return page


@pytest.mark.slow
def test_the_site_needs_no_network_after_the_first_visit(
    browser: Browser, site_folder: Path
) -> None:
    with visiting(browser) as context:
        with serving(site_folder) as port:
            open_site(context, f"http://127.0.0.1:{port}/").close()
        # The server has ended.
        page = open_site(context, f"http://127.0.0.1:{port}/")
        expect(page.frame_locator("#page").get_by_label("Your name")).to_be_visible()
