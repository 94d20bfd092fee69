"""The request guard against requests of hostile pages, programs and host names."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import Any

import pytest

from pbem.web import guard
from pbem.web.game_service import GameService
from tests.web.serving import Serving

PATHS = ("/", "/list", "/events", "/web/assets/frame.js", "/faces.css", "/unlock", "/nowhere")
NATIVE: dict[str, Any] = {
    "sec_fetch_site": "none",
    "sec_fetch_mode": "navigate",
    "sec_fetch_dest": "document",
}
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
        (421, "host", ("evil.example", "127.0.0.1.example:{}", "127.0.0.1:x", "evil.example:{}")),
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


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost:9000", "127.0.0.2"])
def test_forwarded_port_is_told_from_the_own_one(served: Serving, host: str) -> None:
    answer = served.browser().ask("/", host=host)
    assert answer.status == 421 and "acres board --port" in answer.text
    assert f"ssh -L {served.port}:127.0.0.1:{served.port}" in answer.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sec_fetch_site", "same-origin"),
        ("sec_fetch_site", "cross-site"),
        ("sec_fetch_mode", "same-origin"),
        ("sec_fetch_dest", "empty"),
        ("sec_fetch_dest", "iframe"),
        ("service_worker_navigation_preload", "true"),
    ],
)
def test_only_the_user_enters(served: Serving, name: str, value: str) -> None:
    link = served.access.new_link().removeprefix(f"http://127.0.0.1:{served.port}")
    refused = served.stranger().ask(link, **(NATIVE | {name: value}))
    assert refused.status == 403 and "set-cookie" not in refused.headers
    assert "address bar" in refused.text
    assert ("clear-site-data" in refused.headers) == (value != "cross-site")
    head = served.stranger().ask(link, "HEAD", **NATIVE)
    assert head.status == 403 and "set-cookie" not in head.headers
    entered = served.stranger().ask(link, **NATIVE)
    assert entered.status == 303
    assert entered.headers["clear-site-data"] == '"cache", "storage"'
    # A further tab of a known browser: clearing would break the locks of the others.
    again = served.browser().ask(link, **NATIVE)
    assert again.status == 303 and "clear-site-data" not in again.headers


def test_browser_without_cookies_is_told_so(served: Serving) -> None:
    link = served.access.new_link().removeprefix(f"http://127.0.0.1:{served.port}")
    served.stranger().ask(link)
    assert "Allow cookies for 127.0.0.1" in served.stranger().ask("/").text
    served.browser().ask("/")
    assert "ookie" not in served.stranger().ask("/").text


def test_page_and_server_prove_that_they_belong_together(served: Serving) -> None:
    browser, access = served.browser(), served.access
    script: dict[str, Any] = {
        "sec_fetch_dest": "empty",
        "sec_fetch_mode": "cors",
        "sec_fetch_site": "same-origin",
    }
    for path in ("/", "/list", "/events", "/nowhere"):
        for proof in ("", "0" * 64, access.sign("request 2")):
            answer = browser.ask(path, acres_nonce="1", acres_proof=proof, **script)
            assert answer.status == 403 and "acres-proof" not in answer.headers
    assert browser.post("/another", **script).status == 403
    assert browser.post("/another", **NATIVE, acres_proof=access.sign("request ")).status == 200
    answer = browser.ask("/list", acres_nonce="1", acres_proof=access.sign("request 1"), **script)
    assert answer.status == 200
    assert answer.headers["acres-proof"] == access.sign("answer 1 200\n", answer.text.encode())
    assert browser.ask("/", **NATIVE).status == 200
    assert "<noscript>" in browser.ask("/").text


def test_link_for_another_browser_has_the_name_that_the_page_has(served: Serving) -> None:
    own = f"localhost:{served.port}"
    answer = served.browser().post("/another", host=own, origin=f"http://{own}")
    assert answer.data["address"].startswith(f"http://{own}/?enter=")


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


def test_no_link_of_a_page_is_a_download() -> None:
    """Browsers ask for those with `Sec-Fetch-Dest: empty`, like scripts, which are refused."""
    templates = (Path(__file__).parents[2] / "pbem" / "web" / "templates").glob("*.html")
    assert not [path for path in templates if " download" in path.read_text("utf-8")]
