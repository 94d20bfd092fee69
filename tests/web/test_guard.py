"""Who gets a page, and who does not: requests as hostile pages, programs and names make them."""

from __future__ import annotations

import http.client

import pytest

from pbem.web import guard
from pbem.web.game_service import GameService
from tests.web.serving import Serving

PATHS = ("/", "/list", "/events", "/web/assets/frame.js", "/faces.css", "/unlock", "/nowhere")


def test_a_browser_that_came_in_sees_the_games(served: Serving) -> None:
    answer = served.browser().ask("/")
    assert answer.status == 200
    assert answer.text.count('href="/games/') == 2


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_there_is_nothing_but_how_to_get_in(served: Serving, path: str) -> None:
    answer = served.stranger().ask(path)
    assert answer.status == 403
    assert "acres board" in answer.text and "/games/" not in answer.text


def test_an_address_lets_one_browser_in_once(served: Serving) -> None:
    path = served.access.new_link().removeprefix(f"http://127.0.0.1:{served.port}")
    first, second = served.stranger().ask(path), served.stranger().ask(path)
    assert first.status == 303 and "set-cookie" in first.headers
    assert second.status == 403 and "set-cookie" not in second.headers


def test_no_secret_stays_in_the_address(served: Serving) -> None:
    path = served.access.new_link("/games/x").removeprefix(f"http://127.0.0.1:{served.port}")
    answer = served.stranger().ask(path)
    assert answer.headers["location"] == "/games/x"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    assert "domain" not in cookie.lower() and "expires" not in cookie.lower()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.2", None])
def test_under_another_name_nobody_is_at_home(served: Serving, host: str | None) -> None:
    browser = served.browser()
    for path in PATHS:
        answer = browser.ask(path, host=host or f"evil.example:{served.port}")
        assert answer.status == 421 and answer.text == ""


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_what_a_page_elsewhere_asks_for_is_refused(served: Serving, site: str) -> None:
    browser = served.browser()
    for path in PATHS:
        answer = browser.ask(path, sec_fetch_site=site)
        assert answer.status == 403 and answer.text == ""


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_only_a_page_of_the_server_posts(served: Serving, origin: str | None) -> None:
    browser = served.browser()
    assert browser.post("/another").status == 200
    assert browser.post("/another", origin=origin).status == 403
    assert served.stranger().post("/another").status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_other_methods_are_none(served: Serving, method: str) -> None:
    browser = served.browser()
    assert browser.ask("/", method, origin=browser.own).status == 405
    assert browser.ask("/", method).status == 403


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "http://127.0.0.1:1"])
def test_what_has_another_origin_is_not_even_read(served: Serving, origin: str) -> None:
    browser = served.browser()
    for path in PATHS:
        assert browser.ask(path, origin=origin).status == 403
    upgrade = browser.ask("/events", origin=origin, connection="Upgrade", upgrade="websocket")
    assert upgrade.status == 403


def test_a_body_is_bounded(served: Serving) -> None:
    browser = served.browser()
    told = browser.ask("/unlock", "POST", origin=browser.own, content_length=str(2**40))
    assert told.status == 413


def test_a_body_in_chunks_is_bounded(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_BODY", 1000)
    browser = served.browser()
    usual = {"Cookie": browser.cookie, "Origin": browser.own, "Accept": "text/html"}
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("POST", "/unlock", (b"x" * 400 for _ in range(5)), usual)
    answer = connection.getresponse()
    assert answer.status == 413
    assert "Traceback" not in answer.read().decode()
    connection.close()


def test_a_mistake_of_the_program_is_told_kindly(
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


def test_every_answer_keeps_browsers_from_passing_it_on(served: Serving) -> None:
    answers = [served.browser().ask(path) for path in PATHS]
    for answer in [*answers, served.stranger().ask("/"), served.browser().ask("/", host="evil")]:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_what_a_player_is_called_is_no_markup(served: Serving) -> None:
    page = served.browser().ask("/").text
    assert "Béla &lt;b&gt;" in page and "<b>" not in page
