"""The player's last file as a message with a picture or as text."""

from __future__ import annotations

from email import message_from_string

import pytest

from pbem.savefile.armour import unarmour
from pbem.web import mail
from tests.web.serving import Serving

PNG = b"\x89PNG\r\n\x1a\n"


def test_drawing_a_picture_delays_no_page(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = served.browser()
    game = served.pages.service.games()[0].id.hex()
    statuses: list[int] = []

    def draw(*_: object, **__: object) -> bytes:
        # In the queue of the service this request would wait for itself.
        statuses.append(browser.ask("/").status)
        return PNG

    monkeypatch.setattr(mail, "render_email_picture", draw)
    response = browser.ask(f"/games/{game}/letter?picture=1")
    assert (response.status, statuses) == (200, [200])
    kinds = [part.get_content_type() for part in message_from_string(response.text).walk()]
    assert "image/png" in kinds
    plain = browser.ask(f"/games/{game}/letter")
    assert plain.status == 200 and "image/png" not in plain.text


def test_file_is_shown_as_text_to_be_copied(served: Serving) -> None:
    browser = served.browser()
    game = served.pages.service.games()[0].id.hex()
    response = browser.ask(f"/games/{game}/text")
    assert response.status == 200
    assert unarmour(response.text.encode()).decode() == browser.ask(f"/games/{game}/file").text


def test_file_comes_with_its_message_for_another_program(served: Serving) -> None:
    browser = served.browser()
    game = served.pages.service.games()[0].id.hex()
    message = browser.ask(f"/games/{game}/message").data
    assert unarmour(message["content"].encode()).decode() == browser.ask(f"/games/{game}/file").text
    assert message["name"].endswith(".txt") and "/" not in message["name"]
    assert message["subject"].startswith(f"A Few Acres of Snow, game {game[:8]}")
    assert "acres turn" in message["words"] and message["to"] == ""
