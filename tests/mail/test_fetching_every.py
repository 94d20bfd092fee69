"""`acres mail fetch --every` reports arrivals once, also after a server was down."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.mail import fetching
from pbem.mail.connection import MailError
from tests.cli.commands import Result
from tests.mail.messages import letter
from tests.mail.players import Player, Waits
from tests.mail.servers import free_port
from tests.mail.test_message import HOSTILE

Every = Callable[..., tuple[Result, list[int]]]


def do_nothing() -> None:
    pass


@pytest.fixture
def poll(waits: Waits, anna: Player) -> Every:
    """Return a function that fetches repeatedly during actions; it returns output and waits."""

    def run(time: str, *moves: Callable[[], object], status: int = 130) -> tuple[Result, list[int]]:
        waits[0].extend(moves)
        result = anna.run("mail", "fetch", "--every", time)
        assert result.status == status
        return result, waits[1]

    return run


def test_arrival_is_reported_once(poll: Every, anna: Player, joined: Path) -> None:
    """Hostile messages do not end the polling."""

    def arrives() -> None:
        for message in (HOSTILE["words"], letter(joined.read_bytes()), HOSTILE["words"]):
            anna.office.deliver(anna.address, message)

    result, waited = poll("90s", do_nothing, arrives, do_nothing, do_nothing)
    assert result.out.count("your move since") == 1
    assert "No turn has arrived" not in result.out
    assert set(waited) == {90}
    assert "game-001.toml" in anna.files


def test_polling_backs_off_while_a_server_is_down(poll: Every, anna: Player) -> None:
    config = anna.office.config(anna.address)
    anna.set_up(config.replace(f"port = {anna.office.imaps}", f"port = {free_port()}"))
    result, waited = poll("5m", *[do_nothing] * 6)
    assert result.err.count("is down") == 1
    assert waited == [600, 1200, 2400, 4800, 4800, 4800, 4800]


def test_recovery_of_a_server_is_reported(
    monkeypatch: pytest.MonkeyPatch, poll: Every, anna: Player, joined: Path
) -> None:
    whole, failures = fetching.fetch_mail, [2]

    def sometimes(*arguments: Any, **named: Any) -> Any:
        failures[0] -= 1
        if failures[0] >= 0:
            raise MailError("It is down.", may_pass=True)
        return whole(*arguments, **named)

    monkeypatch.setattr("pbem.cli.mail.fetch_command.fetch_mail", sometimes)
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    result, waited = poll("10s", do_nothing, do_nothing, do_nothing)
    assert result.err.count("It is down.") == 1
    assert result.out.count("can be reached again") == result.out.count("your move since") == 1
    assert waited == [20, 40, 10, 10]


def test_locked_library_does_not_end_polling(
    poll: Every, anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    monkeypatch.setattr("pbem.play.store.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(anna.home / "library.sqlite3", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        result, waited = poll("10s", lambda: database.execute("COMMIT"), do_nothing)
    assert result.err.count("cannot be used just now") == 1
    assert result.out.count("your move since") == 1
    assert waited == [20, 10, 10]


def test_refused_first_login_ends_polling(poll: Every, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may lock out clients that repeat a wrong password."""
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    result, waited = poll("5m", status=2)
    assert waited == []
    assert "refuses the login" in result.err


@pytest.mark.parametrize("words", ["0", "-5m", "soon", "1d", "99h", "5m --json", "5m --days 3"])
def test_options_that_exclude_polling_are_refused(anna: Player, words: str) -> None:
    assert "--every" in anna.run("mail", "fetch", "--every", *words.split()).fails().err
