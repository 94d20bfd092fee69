"""What becomes of a file that was written: letters with a picture keep nobody waiting."""

from __future__ import annotations

from email import message_from_string

import pytest

from pbem.savefile.armour import unarmour
from pbem.web import mail
from tests.web.serving import Serving

PNG = b"\x89PNG\r\n\x1a\n"


def test_pictures_keep_nobody_waiting(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = served.browser()
    game = served.pages.service.games()[0].id.hex()
    seen: list[int] = []

    def drawn(*_: object, **__: object) -> bytes:
        # At the service this would wait for itself.
        seen.append(browser.ask("/").status)
        return PNG

    monkeypatch.setattr(mail, "render_email_picture", drawn)
    answer = browser.ask(f"/games/{game}/letter?picture=1")
    assert (answer.status, seen) == (200, [200])
    kinds = [part.get_content_type() for part in message_from_string(answer.text).walk()]
    assert "image/png" in kinds
    plain = browser.ask(f"/games/{game}/letter")
    assert plain.status == 200 and "image/png" not in plain.text


def test_a_file_is_shown_as_text_to_be_copied(served: Serving) -> None:
    browser = served.browser()
    game = served.pages.service.games()[0].id.hex()
    shown = browser.ask(f"/games/{game}/text")
    assert shown.status == 200
    assert unarmour(shown.text.encode()).decode() == browser.ask(f"/games/{game}/file").text
