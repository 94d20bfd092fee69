"""The request guard against requests of hostile pages, programs and host names."""

from __future__ import annotations

import http.client

import pytest

from pbem.web import guard
from pbem.web.game_service import GameService
from tests.web.serving import Serving

PATHS = ("/", "/list", "/events", "/web/assets/frame.js", "/faces.css", "/unlock", "/nowhere")
OTHER_ORIGINS = ("null", "http://evil.example", "http://127.0.0.1:1")


def test_admitted_browser_sees_the_games(served: Serving) -> None:
    answer = served.browser().ask("/")
    assert answer.status == 200
    assert answer.text.count('href="/games/') == 2
    assert "Béla &lt;b&gt;" in answer.text and "<b>" not in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_browser_without_a_cookie_sees_only_instructions(served: Serving, path: str) -> None:
    answer = served.stranger().ask(path)
    assert answer.status == 403
    assert "acres board" in answer.text and "/games/" not in answer.text


def test_link_admits_one_browser_once_and_leaves_the_address(served: Serving) -> None:
    path = served.access.new_link("/games/x").removeprefix(f"http://127.0.0.1:{served.port}")
    first, second = served.stranger().ask(path), served.stranger().ask(path)
    assert (first.status, first.headers["location"]) == (303, "/games/x")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    assert "domain" not in cookie.lower() and "expires" not in cookie.lower()
    assert second.status == 403 and "set-cookie" not in second.headers


@pytest.mark.parametrize(
    ("status", "name", "values"),
    [
        (421, "host", ("evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.2", "evil.example:{}")),
        (403, "sec_fetch_site", ("cross-site", "same-site", "anything")),
        (403, "origin", OTHER_ORIGINS),
    ],
)
def test_requests_of_other_pages_get_an_empty_response(
    served: Serving, status: int, name: str, values: tuple[str, ...]
) -> None:
    browser = served.browser()
    for value in values:
        for path in PATHS:
            answer = browser.ask(path, "GET", None, **{name: value.format(served.port)})
            assert (answer.status, answer.text) == (status, "")


@pytest.mark.parametrize("origin", [None, *OTHER_ORIGINS])
def test_only_a_page_of_the_server_posts(served: Serving, origin: str | None) -> None:
    browser = served.browser()
    assert browser.post("/another").status == 200
    assert browser.post("/another", origin=origin).status == 403
    assert served.stranger().post("/another").status == 403
    if origin is not None:
        upgrade = browser.ask("/events", origin=origin, connection="Upgrade", upgrade="websocket")
        assert upgrade.status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_other_methods_are_refused(served: Serving, method: str) -> None:
    browser = served.browser()
    assert browser.ask("/", method, origin=browser.own).status == 405
    assert browser.ask("/", method).status == 403


def test_body_is_limited_with_and_without_a_length(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = served.browser()
    answer = browser.ask("/unlock", "POST", origin=browser.own, content_length=str(2**40))
    assert answer.status == 413
    monkeypatch.setattr(guard, "MAX_BODY_BYTES", 1000)
    headers = {"Cookie": browser.cookie, "Origin": browser.own, "Accept": "text/html"}
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("POST", "/unlock", (b"x" * 400 for _ in range(5)), headers)
    chunks = connection.getresponse()
    assert chunks.status == 413 and "Traceback" not in chunks.read().decode()
    connection.close()


def test_bug_is_reported_without_its_traceback(
    served: Serving, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(self: GameService) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(GameService, "games", fail)
    for accept in ("text/html", "application/json"):
        answer = served.browser().ask("/list", accept=accept)
        assert answer.status == 500
        assert "ZeroDivisionError" in answer.text
        assert "secret" not in answer.text and "Traceback" not in answer.text
    assert capfd.readouterr() == ("", "")


def test_every_response_has_the_security_headers(served: Serving) -> None:
    answers = [served.browser().ask(path) for path in PATHS]
    for answer in [*answers, served.stranger().ask("/"), served.browser().ask("/", host="evil")]:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
