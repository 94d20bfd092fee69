"""Other programs at the address of the pages: before the run, a service worker; after it, a server.

Both are of another user of this computer. The worker stays in the player's browser, and the server
waits until the port is free.
"""

from __future__ import annotations

import http.server
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.board.browser import script
from tests.web.serving import Serving, serving

EVENT = 'event: said\ndata: {"text": "PWNED"}\n\n'
FORGED = '{"parts": {"games": "<b>PWNED</b>"}, "said": "PWNED", "address": "PWNED"}'


@contextmanager
def program(content: str, port: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Serve `content` at each path. Yield the port, and a list of all that browsers send."""
    heard: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            heard.append(f"{self.path} {self.rfile.read(length).decode()}")
            is_worker = self.path.startswith("/worker.js")
            kind = "text/javascript" if is_worker else "text/html"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write((script("hostile_worker") if is_worker else content).encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port, heard
        finally:
            server.shutdown()


@pytest.mark.parametrize("manner", ["as it is", "again", "preloaded", "watched"])
def test_service_worker_of_an_earlier_program_gets_nothing(
    browser: Browser, anna: Path, manner: str
) -> None:
    with program("") as (collector, heard), browser.new_context() as context:
        page = context.new_page()
        with program("") as (port, _):
            page.goto(f"http://127.0.0.1:{port}/")
            page.evaluate(
                """async (query) => {
                  await navigator.serviceWorker.register("/worker.js?" + query);
                  await navigator.serviceWorker.ready;
                }""",
                f"{collector}&{manner}",
            )
            page.reload()
        with serving(anna / "home", port=port) as served:
            link = served.access.new_link()
            page.goto(link)
            if manner != "watched":
                # The worker is removed by the refusal.
                assert "address bar" in page.content()
                page.goto(link)
            page.locator(".games li").first.wait_for()
            page.locator(".games a").first.click()
            page.wait_for_url("**/games/*")
            page.wait_for_timeout(300)
            assert page.evaluate("navigator.serviceWorker.controller") is None
            assert page.evaluate("navigator.serviceWorker.getRegistrations()") == []
            assert any(f"enter={link[-43:]}" in text for text in heard), "the worker has worked"
            assert not any("Béla" in text or served.access.key in text for text in heard)


def forge(route: Route) -> None:
    is_stream = "/events" in route.request.url
    kind = "text/event-stream" if is_stream else "application/json"
    route.fulfill(body=EVENT if is_stream else FORGED, content_type=kind)


def wait_for_stream(served: Serving) -> None:
    """Wait until a page listens to events, since earlier ones are not sent to it."""
    while not served.pages.events.streams:
        time.sleep(0.01)


def is_ended(page: Page) -> bool:
    """Wait for the notice, and return True if the page believed nothing and leads nowhere."""
    page.locator("#gone", has_text="acres board").wait_for()
    assert "PWNED" not in page.content()
    return page.locator("a[href^='/']").count() == 0


@pytest.mark.parametrize("path", ["/events?*", "/another", "/list"])
def test_forged_answer_ends_the_page(browser: Browser, anna: Path, path: str) -> None:
    with serving(anna / "home") as served, browser.new_context() as context:
        page = context.new_page()
        if path == "/events?*":
            page.route(f"**{path}", forge)
        page.goto(served.access.new_link())
        if path != "/events?*":
            wait_for_stream(served)
            page.route(f"**{path}", forge)
            if path == "/another":
                page.goto(served.access.new_link("/settings"))
                page.click("#another")
            served.pages.events.send("games")
        assert is_ended(page)


def test_other_page_cannot_listen_to_events(browser: Browser, anna: Path) -> None:
    """A page of an earlier program at the address sees the names of locks."""
    with browser.new_context() as context:
        early = context.new_page()
        with program("") as (port, _):
            early.goto(f"http://127.0.0.1:{port}/")
        pages = [context.new_page() for _ in range(2)]
        with serving(anna / "home", port=port) as served:
            for page in pages:
                page.goto(served.access.new_link())
            pages[1].wait_for_function(
                "() => navigator.locks.query().then((l) => l.held.length && l.pending.length)"
            )
            wait_for_stream(served)
            early.evaluate(
                """async () => {
                  const locks = await navigator.locks.query();
                  globalThis.heard = [];
                  for (const { name } of [...locks.held, { name: "acres-events" }])
                    new BroadcastChannel(name).onmessage = (event) => heard.push(event.data);
                }"""
            )
            for page in pages:
                page.evaluate("document.querySelector('.games').dataset.old = true")
            served.pages.events.send("games")
            for page in pages:
                page.locator(".games:not([data-old])").wait_for()
            assert early.evaluate("heard") == []


def test_page_asks_nothing_of_the_next_program_at_its_port(browser: Browser, anna: Path) -> None:
    with browser.new_context() as context:
        # A browser may refuse its storage.
        context.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })"
        )
        pages = [context.new_page() for _ in range(2)]
        with serving(anna / "home") as served:
            for page in pages:
                page.goto(served.access.new_link())
                page.locator("#theme").click()
        with program(FORGED, served.port) as (_, heard):
            for page in pages:
                assert is_ended(page)
                page.click("#theme")
                page.locator(".games a").first.click(timeout=1000)
                page.wait_for_timeout(1500)
                assert page.url == f"http://127.0.0.1:{served.port}/"
            assert heard == []
