"""A page sends a file as the command line does: once, and without saving the password."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes, policy
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.play.store import Sending
from tests.cli.commands import do
from tests.mail.parts import content_of
from tests.mail.players import Player
from tests.mail.sent_messages import dispatch
from tests.requirements import require
from tests.web.serving import Answer, Visitor, serving


@pytest.fixture
def page(
    bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Visitor, str]]:
    """Bela's browser, and the address of the game that she has joined; no mail is fetched."""
    monkeypatch.setattr("pbem.web.watch.POLL_SECONDS", 600)
    with serving(bela.home) as served:
        (listed,) = served.pages.service.games()
        assert listed.file_out == joined
        yield served.browser(), f"/games/{listed.id.hex()}"


def send(page: tuple[Visitor, str], bela: Player, **key: object) -> Answer:
    browser, game = page
    return browser.post(f"{game}/send", {"password": bela.password} | key)


def test_page_sends_after_the_right_password(
    page: tuple[Visitor, str], anna: Player, bela: Player
) -> None:
    request = send(page, bela, password="")
    assert request.status == 200
    assert bela.address in request.data["asks"]
    assert not anna.inbox()
    wrong = send(page, bela, password="zanzibar-wrong")
    assert wrong.status == 409
    assert "zanzibar" not in wrong.text
    with patch("sqlite3.connect", wraps=sqlite3.connect) as opened:
        sent = send(page, bela)
    assert (sent.status, opened.call_count) == (200, 1)
    assert anna.address in sent.data["said"]
    assert "data-again" in sent.data["parts"]["posting"]
    once_more = send(page, bela)
    assert once_more.status == 409
    assert "already" in once_more.data["said"]
    assert "“Send it again”" in once_more.data["said"]
    assert len(anna.inbox()) == 1
    assert require(dispatch(bela, bela.file)).sending is Sending.SENT
    assert send(page, bela, again=True).status == 200
    assert len({message_from_bytes(item)["Message-ID"] for item in anna.inbox()}) == 1
    stored = [path for path in bela.home.rglob("*") if path.is_file()]
    assert not [path for path in stored if bela.password.encode() in path.read_bytes()]


def test_only_one_of_two_tabs_sends(page: tuple[Visitor, str], anna: Player, bela: Player) -> None:
    with ThreadPoolExecutor(2) as tabs:
        answers = [*tabs.map(lambda _: send(page, bela), range(2))]
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert len(anna.inbox()) == 1


def test_send_again_button_resends(page: tuple[Visitor, str], anna: Player, bela: Player) -> None:
    anna.office.faults.hangs_up = True
    text = send(page, bela)
    assert text.status == 409
    assert "may have arrived" in text.data["said"]
    assert "“Send it again”" in text.data["said"]
    assert "--again" not in text.text
    anna.office.faults.hangs_up = False
    assert send(page, bela).status == 409
    assert len(anna.inbox()) == 1


@pytest.mark.parametrize("to", ["nobody", "a@b\r\nBcc: eve@example.org", "Anna <anna@example.org>"])
def test_page_sends_to_a_valid_address_only(
    page: tuple[Visitor, str], bela: Player, to: str
) -> None:
    assert send(page, bela, to=to).status == 409
    assert not bela.office.message_ids()


def test_page_does_not_resend_a_message_sent_by_hand(
    page: tuple[Visitor, str], anna: Player, bela: Player
) -> None:
    browser, game = page
    assert browser.post(f"{game}/by-hand").status == 200
    assert require(dispatch(bela, bela.file)).sending is Sending.SENT
    assert "yourself, as you said" in send(page, bela).data["said"]
    assert not anna.inbox()


def test_file_by_the_opponent_is_not_noted(
    page: tuple[Visitor, str], anna: Player, bela: Player
) -> None:
    """The page was opened before the answer arrived."""
    browser, game = page
    answer = bela.file.with_name("answer.toml")
    do("turn", "apply", bela.file, "pass", "--output", answer, home=anna.home)
    do("games", "add", answer, home=bela.home)
    assert not browser.post(f"{game}/by-hand").data["parts"]["posting"]
    assert dispatch(bela, answer) is None
    assert dispatch(bela, bela.file) is None


def test_file_and_message_are_downloads(page: tuple[Visitor, str], joined: Path) -> None:
    browser, game = page
    file = browser.ask(f"{game}/file")
    assert file.text.encode() == joined.read_bytes()
    assert joined.name in file.headers["content-disposition"]
    assert file.headers["content-disposition"].startswith("attachment")
    for query, parts in (("", 1), ("?picture=1", 2)):
        answer = browser.ask(f"{game}/letter{query}")
        assert joined.with_suffix(".eml").name in answer.headers["content-disposition"]
        letter = message_from_bytes(answer.text.encode(), policy=policy.default)
        assert letter["X-Unsent"] == "1"
        attached = [*letter.iter_attachments()]
        assert len(attached) == parts
        assert content_of(attached[0]) == joined.read_bytes()
