"""`acres mail setup` and `acres mail check`: questions, tested logins, and saved passwords."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from engine.message import Concat
from pbem.cli import console
from pbem.mail.account import Account
from pbem.play.config import Config
from tests.cli.commands import Result, acres, do
from tests.mail.players import Player
from tests.mail.scripted_servers import SERVERS, settings_at
from tests.mail.sent_messages import failure
from tests.mail.servers import PostOffice, bad_server
from tests.requirements import require

LOCALHOST = "localhost"
Words = list[Path | str]


class MemoryKeyring(KeyringBackend):
    """A keyring in memory; with a `fault`, every operation raises it."""

    priority = 1

    def __init__(self, fault: Exception | None = None) -> None:
        self.entries: dict[str, str] = {}
        self.fault = fault

    def _check(self, service: str) -> None:
        assert service == "acres"
        if self.fault:
            raise self.fault

    def get_password(self, service: str, username: str) -> str | None:
        self._check(service)
        return self.entries.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check(service)
        self.entries[username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check(service)
        del self.entries[username]


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    """The keyring of the system, until the end of the test."""
    before, mine = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(mine)
    yield mine
    keyring.set_keyring(before)


@pytest.fixture
def words(office: PostOffice, anna: Player) -> Words:
    """The command that sets up Anna's account."""
    (anna.home / "config.toml").unlink()
    return [
        "mail", "setup", "--address", anna.address, "--smtp", f"{LOCALHOST}:{office.smtps}",
        "--imap", f"{LOCALHOST}:{office.imaps}", "--security", "tls",
        "--ca", office.authority.certificate,
    ]  # fmt: skip


@pytest.fixture
def typed_answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The answers typed at a terminal, by a word of the question."""
    answers: dict[str, str] = {}

    def answer(prompt: Concat) -> str:
        return next(answer for word, answer in answers.items() if word in console.translate(prompt))

    monkeypatch.setattr(console, "is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.prompts.ask", answer)
    monkeypatch.setattr("pbem.cli.prompts.ask_secret", answer)
    return answers


def account_of(player: Player) -> Account:
    return require(Account.from_config(Config.read(player.home / "config.toml")))


def run_without_password(player: Player, *words: object) -> Result:
    """Run a command of a player whose password is not in the environment."""
    return do(*words, home=player.home)


def test_settings_are_tried_and_written(anna: Player, words: Words) -> None:
    assert anna.do(*words).out.count("works") == 2
    account, path = account_of(anna), anna.home / "config.toml"
    assert account.address == anna.address
    assert require(account.smtp).host == require(account.imap).host == LOCALHOST
    assert anna.password not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert anna.do("mail", "check").out.count("The login works.") == 2
    # An account is not replaced without being told.
    assert "--replace" in failure(anna.run(*words))
    anna.do(*words, "--replace", "--mailbox", "Games", "--user", "anna", "--untried")
    assert account_of(anna).mailbox == "Games"
    assert require(account_of(anna).imap).user == "anna"


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (["--address", "Anna <anna@example.org>"], "not an e-mail address"),
        (["--smtp", "mail.example.org:smtp"], "port"),
        (["--smtp", "mail.example.org:99999"], "port"),
        (["--security", "none", "--smtp", "mail.example.org:25"], "could read the password"),
        (["--smtp", "mail example"], "host"),
    ],
)
def test_invalid_settings_are_refused(
    anna: Player, words: Words, more: Sequence[str], text: str
) -> None:
    assert text in failure(anna.run(*words, *more))
    assert not (anna.home / "config.toml").exists()


def test_failed_setup_leaves_no_account(
    anna: Player, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server gets the password for the other server."""
    assert "Ce que vous avez donné" in anna.run("--lang", "fr", *words, "--smtp", "a b").err
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    result = anna.run(*words)
    assert "To send: The login at localhost works." in result.out
    assert "refuses the login" in failure(result)
    assert not (anna.home / "config.toml").exists()


def test_setup_without_password_tries_no_login(
    anna: Player, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = run_without_password(anna, *words).out
    assert "nothing was tried" in text and "ACRES_MAIL_PASSWORD" in text and "works" not in text
    monkeypatch.setenv("ACRES_SMTP_PASSWORD", anna.password)
    text = " ".join(run_without_password(anna, *words, "--replace").out.split())
    assert "To send: The login at localhost works." in text
    assert "To fetch: The login at localhost was not tried" in text
    assert "ACRES_IMAP_PASSWORD" in text


# --- passwords


def entries(player: Player, *kinds: str) -> dict[str, str]:
    """Return the expected entries of the keyring, one for each user, host and kind of server."""
    return {f"{kind} {player.address}@{LOCALHOST}": player.password for kind in kinds}


def test_typed_passwords_are_stored_by_server(
    anna: Player, words: Words, typed_answers: dict[str, str], ring: MemoryKeyring
) -> None:
    typed_answers["Password"] = anna.password
    run_without_password(anna, *words)
    assert ring.entries == entries(anna, "smtp", "imap")
    typed_answers.clear()
    assert run_without_password(anna, "mail", "check").out.count("The login works.") == 2
    # One server is not shown what is kept for the other, for another host or another user.
    for name, others in (("smtp", "imap"), ("imap", "smtp")):
        ring.entries = entries(anna, name) | {f"{others} {anna.address}@elsewhere": "wrong"}
        typed_answers["Password"] = "wrong horse"
        result = acres("mail", "check", home=anna.home)
        assert (result.out.count("The login works."), result.out.count("refuses the login")) == (
            1,
            1,
        )


@pytest.mark.parametrize("is_terminal", [True, False])
def test_keyring_entry_of_an_older_acres_is_migrated(
    anna: Player, words: Words, ring: MemoryKeyring, is_terminal: bool,
    request: pytest.FixtureRequest
) -> None:  # fmt: skip
    ring.entries = {anna.address: anna.password}
    if is_terminal:
        request.getfixturevalue("typed_answers")["Password"] = anna.password
    assert run_without_password(anna, *words).out.count("works") == 2
    expected = entries(anna, "smtp", "imap") if is_terminal else {anna.address: anna.password}
    assert ring.entries == expected
    assert run_without_password(anna, "mail", "check").out.count("The login works.") == 2


@pytest.mark.parametrize("fault", [KeyringLocked("it is locked"), AttributeError("no bus"), None])
def test_failing_or_forgetful_keyring_is_a_note(
    anna: Player, words: Words, typed_answers: dict[str, str], ring: MemoryKeyring,
    fault: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    ring.fault = fault
    if fault is None:
        monkeypatch.setattr(MemoryKeyring, "set_password", lambda *_: None)
    typed_answers["Password"] = anna.password
    result = run_without_password(anna, *words)
    assert "ACRES_MAIL_PASSWORD" in result.err
    assert "is kept" not in result.out
    assert run_without_password(anna, "mail", "check").out.count("The login works.") == 2


@pytest.mark.parametrize("command", ["check", "fetch", "setup"])
def test_unreadable_keyring_is_named(
    anna: Player, words: Words, ring: MemoryKeyring, command: str
) -> None:
    if command != "setup":
        anna.do(*words)
    ring.fault = KeyringLocked("it is locked")
    result = acres(*(words if command == "setup" else ("mail", command)), home=anna.home)
    assert "(KeyringLocked): unlock it, or set ACRES_MAIL_PASSWORD" in failure(result)
    assert "There is no password" not in result.err


def test_password_may_hold_any_characters(anna: Player, words: Words) -> None:
    anna.office.open_account("yves@example.org", "zanzibar-pâté-пароль")
    yves = replace(anna, address="yves@example.org", password="zanzibar-pâté-пароль")
    assert yves.do(*words, "--address", yves.address).out.count("works") == 2
    wrong = replace(yves, password="zanzibar-pâté").run("mail", "check")
    assert wrong.out.count("refuses the login") == 2


@pytest.mark.parametrize("kind", SERVERS)
def test_token_is_sent_by_xoauth2(anna: Player, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is not sent, although there is one."""
    monkeypatch.setenv("ACRES_MAIL_TOKEN", "ya29.token")
    with bad_server(server := SERVERS[kind]()) as port:
        anna.set_up(settings_at(kind, port))
        assert anna.run("mail", "check").status == 0
    page = base64.b64encode(f"user={anna.address}\1auth=Bearer ya29.token\1\1".encode())
    assert any(page in line for line in server.received)
    assert not any(anna.password.encode() in line for line in server.received)
