"""`acres mail fetch --every`: it reports once what arrives, that the server is down, and back."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.mail.players import Looks, Player
from tests.mail.servers import PostOffice, nobody_there


def nothing() -> None:
    pass


def test_what_arrives_is_told_once(looks: Looks, anna: Player, bela: Player, joined: Path) -> None:
    deeds, waited = looks
    deeds += [nothing, lambda: bela.do("mail", "send", joined), nothing, nothing]
    done = anna.run("mail", "fetch", "--every", "90s")
    assert done.status == 130
    assert done.out.count("your move since") == 1
    assert "No turn has arrived" not in done.out
    assert set(waited) == {90}
    assert "game-001.toml" in anna.files


def test_a_server_that_is_down_is_told_once_and_asked_less_often(
    office: PostOffice, looks: Looks, anna: Player
) -> None:
    deeds, waited = looks
    config = (anna.home / "config.toml").read_text()
    anna.set_up(config.replace(f"port = {office.imaps}", f"port = {nobody_there()}"))
    deeds += [nothing] * 6
    done = anna.run("mail", "fetch", "--every", "5m")
    assert done.status == 130
    assert done.err.count("is down") == 1
    assert waited == [600, 1200, 2400, 4800, 4800, 4800, 4800]


def test_a_server_that_comes_back_is_told(
    monkeypatch: pytest.MonkeyPatch, looks: Looks, anna: Player, bela: Player, joined: Path
) -> None:
    from pbem.mail import fetching
    from pbem.mail.wire import MailFailed

    deeds, waited = looks
    whole, left = fetching.fetched, [2]

    def sometimes(*arguments: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise MailFailed("It is down.", may_pass=True)
        return whole(*arguments, **named)

    monkeypatch.setattr("pbem.cli.mail.fetch_command.fetched", sometimes)
    bela.do("mail", "send", joined)
    deeds += [nothing, nothing, nothing]
    done = anna.run("mail", "fetch", "--every", "10s")
    assert done.err.count("It is down.") == 1
    assert done.out.count("can be reached again") == 1
    assert done.out.count("your move since") == 1
    assert waited == [20, 40, 10, 10]


def test_a_library_that_is_locked_for_a_while_does_not_end_it(
    looks: Looks, anna: Player, bela: Player, joined: Path
) -> None:
    deeds, waited = looks
    bela.do("mail", "send", joined)
    with closing(sqlite3.connect(anna.home / "library.sqlite3", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        deeds += [lambda: database.execute("COMMIT"), nothing]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pbem.library.database.BUSY_SECONDS", 0.1)
            done = anna.run("mail", "fetch", "--every", "10s")
    assert done.err.count("cannot be used just now") == 1
    assert done.out.count("your move since") == 1
    assert waited == [20, 10, 10]


def test_what_does_not_pass_by_itself_ends_it(
    looks: Looks, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks again and again with a wrong password is locked out."""
    _, waited = looks
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    done = anna.run("mail", "fetch", "--every", "5m")
    assert done.status == 2
    assert "refuses the login" in done.err
    assert waited == []


@pytest.mark.parametrize("every", ["0", "-5m", "soon", "1d", "99h"])
def test_a_time_that_is_none_is_told(anna: Player, every: str) -> None:
    done = anna.run("mail", "fetch", "--every", every)
    assert done.status == 2
    assert "--every" in done.err


@pytest.mark.parametrize("words", [["--json"], ["--days", "3"]])
def test_what_is_old_is_fetched_once(looks: Looks, anna: Player, words: list[str]) -> None:
    _, waited = looks
    done = anna.run("mail", "fetch", "--every", "5m", *words)
    assert done.status == 2
    assert "leave --json and --days out" in done.err
    assert waited == []
