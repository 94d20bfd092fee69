"""A hostile page in the player's browser tries to read the games and to play.

It is served from another port of the same address, which is the same site for a browser, so that
cookies are sent, and under another name, like any page of the web.
"""

from __future__ import annotations

import http.server
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from playwright.sync_api import Browser
from starlette.requests import Request
from starlette.responses import Response

from pbem.web.guard import RequestGuard
from tests.board.browser import script
from tests.web.serving import Serving

TRIES = script("hostile_tries")
FRAME = '<iframe id="frame" src="{own}"></iframe>'
FORM = """
<iframe name="into"></iframe>
<form method="post" enctype="text/plain" action="{own}another" target="into">
<input name='{{"a":"' value='"}}'></form>
<script>document.forms[0].submit()</script>
"""


@contextmanager
def hostile(body: str) -> Iterator[int]:
    """Serve a page with this body, and yield the port."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = f"<!doctype html><title>Cards</title><body>{body}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_foreign_page_can_neither_read_nor_act(
    browser: Browser, served: Serving, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = f"http://127.0.0.1:{served.port}/"
    responses: list[Response | None] = []
    refused = RequestGuard._refuse

    def record_refusal(guard: RequestGuard, request: Request, **facts: bool) -> Response | None:
        responses.append(refused(guard, request, **facts))
        return responses[-1]

    with browser.new_context() as context:
        games = context.new_page()
        games.goto(served.access.new_link())
        assert games.locator(".games li").count() == 2
        waiting = len(served.access._tokens)
        games.wait_for_timeout(300)
        monkeypatch.setattr(RequestGuard, "_refuse", record_refusal)
        for body in ("", FRAME.format(own=own), FORM.format(own=own)):
            with hostile(body) as port:
                page = context.new_page()
                page.goto(f"http://{name}:{port}/")
                if not body:
                    response = page.evaluate(TRIES, own)
                else:
                    page.wait_for_timeout(300)
                    for frame in page.frames[1:]:
                        assert ".games" not in frame.content() and "Béla" not in frame.content()
                page.close()
        assert set(response.values()) <= {"refused", "", "true"}, response
        assert response["get with cookies"] == response["post with cookies"] == "refused"
        assert len(responses) >= 12
        assert all(answer is not None and answer.status_code == 403 for answer in responses)
        monkeypatch.undo()
        assert len(served.access._tokens) == waiting
        games.reload()
        assert games.locator(".games li").count() == 2


def test_foreign_page_cannot_read_its_frame(browser: Browser, served: Serving) -> None:
    with browser.new_context() as context, hostile("<p>hello</p>") as port:
        games = context.new_page()
        games.goto(served.access.new_link())
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        with context.expect_page() as opened:
            page.evaluate("(own) => { window.other = open(own); }", games.url)
        opened.value.wait_for_load_state()
        assert "/games/" not in opened.value.content()
        assert (
            page.evaluate("() => { try { return other.document.title } catch { return '' } }") == ""
        )
