"""Letters that are fetched while pages of the player's games are open."""

from __future__ import annotations

import asyncio
from pathlib import Path
from unittest.mock import Mock

import pytest

from pbem.errors import WrongUse
from pbem.mail.account import Account, Server
from pbem.mail.wire import MailFailed
from pbem.play.home import Home
from pbem.web.desk import Desk
from pbem.web.events import Events
from pbem.web.letters import Letters
from pbem.web.watch import Watch
from pbem.words.language import Language
from tests.mail.arriving import letter, plain
from tests.mail.players import Player
from tests.mail.servers import PostOffice


def letters_of(home: Path) -> tuple[Letters, Watch]:
    desk = Desk(Home(home))
    watch = Watch(desk, Events(), Language("en"))
    return Letters(desk, watch), watch


def test_a_turn_that_came_is_told_once(
    office: PostOffice, anna: Player, bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", anna.password)
    letters, watch = letters_of(anna.home)
    office.deliver(anna.address, plain())
    assert not asyncio.run(letters.fetch())
    bela.do("mail", "send", joined)
    assert asyncio.run(letters.fetch())
    (told,) = map(str, watch.news)
    assert "your move since" in told
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert not asyncio.run(letters.fetch())
    assert len(watch.news) == 1


def test_a_turn_is_told_on_pages_some_time_after_it_arrives(
    office: PostOffice, anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", anna.password)
    monkeypatch.setattr("pbem.web.letters.EVERY", 1)
    letters, watch = letters_of(anna.home)

    async def tell() -> None:
        going_on = asyncio.create_task(letters.go_on())
        await asyncio.sleep(0.5)
        assert not watch.news
        office.deliver(anna.address, letter(joined.read_bytes()))
        for _ in range(100):
            if watch.news:
                break
            await asyncio.sleep(0.1)
        going_on.cancel()

    asyncio.run(tell())
    assert any("your move since" in str(told) for told in watch.news)


def test_a_keyring_that_is_locked_for_a_while_does_not_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was open while letters were fetched."""
    letters, watch = letters_of(tmp_path)
    account = Account("anna@example.org", None, Server("imap", "localhost", 1, "tls", "anna"))
    fetches: list[int] = []

    async def fetch() -> bool:
        fetches.append(1)
        return False

    monkeypatch.setattr("pbem.web.letters.EVERY", 0)
    monkeypatch.setattr(letters, "account", lambda: account)
    monkeypatch.setattr(letters, "fetch", fetch)

    async def go_on() -> None:
        going_on = asyncio.create_task(letters.go_on())
        await asyncio.sleep(0.1)
        assert not going_on.done()
        going_on.cancel()

    asyncio.run(go_on())
    assert len(fetches) > 1
    assert not watch.news


def test_a_login_with_a_browser_is_told_once(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    letters, watch = letters_of(anna.home)
    monkeypatch.setattr("keyring.get_password", entry := Mock(return_value="oauth2 1 0123abcd"))
    monkeypatch.setattr("pbem.web.letters.EVERY", 0)
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(letters.go_on(), 1))
    assert entry.call_count > 1
    assert ["with a browser" in str(told) for told in watch.news] == [True]


def test_what_is_damaged_is_told(
    office: PostOffice, anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", anna.password)
    letters, watch = letters_of(anna.home)
    data = joined.read_bytes()
    office.deliver(anna.address, letter(data[: len(data) * 2 // 3]))
    asyncio.run(letters.fetch())
    (told,) = map(str, watch.news)
    assert "left in the mailbox" in told


def test_without_a_password_it_says_how_to_give_one(office: PostOffice, anna: Player) -> None:
    letters, _ = letters_of(anna.home)
    with pytest.raises(WrongUse, match="mail setup"):
        asyncio.run(letters.fetch())


def test_a_wrong_password_is_told(
    office: PostOffice, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", "wrong")
    letters, _ = letters_of(anna.home)
    with pytest.raises(MailFailed, match="refuses the login"):
        asyncio.run(letters.fetch())


def test_where_no_account_is_set_up_nothing_is_asked(tmp_path: Path) -> None:
    letters, _ = letters_of(tmp_path)
    assert letters.account() is None
