"""The mail service fetches messages while pages of the player's games are open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import AcresError, UsageError
from pbem.mail.account import Account, Server
from pbem.mail.connection import MailError
from pbem.play.home import Home
from pbem.text.language import Language
from pbem.web.game_service import GameService
from pbem.web.mail import MailService
from pbem.web.pages import Pages
from pbem.web.server import LocalHost, access_at
from tests.mail.messages import letter, plain
from tests.mail.players import Player


def messages_of(home: Path) -> tuple[MailService, Pages]:
    host = LocalHost(GameService(Home(home)), access_at(5000), Language("en"))
    return host.mail, host.pages


def poll_until(letters: MailService, is_done: Callable[[], object]) -> None:
    """Fetch messages again and again until a condition is true, or for ten seconds."""

    async def poll_until() -> None:
        going_on = asyncio.create_task(letters.run())
        for _ in range(100):
            await asyncio.sleep(0.1)
            if is_done():
                break
        assert not going_on.done()
        going_on.cancel()

    asyncio.run(poll_until())


def test_page_reports_each_arrival_once(
    anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", anna.password)
    letters, pages = messages_of(anna.home)
    data = joined.read_bytes()
    for message, text in (
        (plain(), []),
        (letter(data[: len(data) * 2 // 3]), ["left in the mailbox"]),
        (letter(data), ["left in the mailbox", "your move since"]),
    ):
        anna.office.deliver(anna.address, message)
        asyncio.run(letters.fetch())
        assert not asyncio.run(letters.fetch())
        news = [str(text) for text, _ in pages.news]
        assert len(news) == len(text)
        assert all(any(word in new for new in news) for word in text)
    assert (anna.folder / "game-001.toml").read_bytes() == data


def test_page_reports_a_later_turn(
    anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", anna.password)
    monkeypatch.setattr("pbem.web.mail.FETCH_SECONDS", 1)
    letters, pages = messages_of(anna.home)
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    poll_until(letters, lambda: pages.news)
    assert ["your move since" in str(text) for text, _ in pages.news] == [True]


def test_locked_keyring_does_not_end_polling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keyring was open at an earlier fetch."""
    letters, pages = messages_of(tmp_path)
    assert letters.account() is None
    account = Account("anna@example.org", None, Server("imap", "localhost", 1, "tls", "anna"))
    fetches: list[int] = []

    async def fetch() -> bool:
        fetches.append(1)
        return False

    monkeypatch.setattr("pbem.web.mail.FETCH_SECONDS", 0)
    monkeypatch.setattr(letters, "account", lambda: account)
    monkeypatch.setattr(letters, "fetch", fetch)
    poll_until(letters, lambda: len(fetches) > 1)
    assert len(pages.news) == 0
    assert len(fetches) > 1


@pytest.mark.parametrize(
    ("password", "error", "text"),
    [("", UsageError, "mail setup"), ("wrong", MailError, "refuses the login")],
)
def test_wrong_password_is_reported(
    anna: Player, monkeypatch: pytest.MonkeyPatch, password: str, error: type[AcresError], text: str
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", password)
    with pytest.raises(error, match=text):
        asyncio.run(messages_of(anna.home)[0].fetch())
