"""`acres mail setup` and `acres mail check`: what is asked, tried and kept, and where."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from socket import socket
from time import monotonic

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from engine.message import Run
from pbem.cli import console
from pbem.mail.account import Account
from pbem.play.config import Config
from tests.cli.using import acres, is_one_sentence
from tests.mail.players import Player
from tests.mail.servers import PostOffice, nobody_there
from tests.present import present

HERE = "localhost"


class Remembers(KeyringBackend):
    """A keyring that is gone when the test is."""

    priority = 1

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Locked(Remembers):
    """One that nobody opens."""

    def get_password(self, service: str, username: str) -> str:
        raise KeyringLocked("it is locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("it is locked")


class Broken(Remembers):
    """One whose parts do not fit."""

    def get_password(self, service: str, username: str) -> str:
        raise AttributeError("no bus")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AttributeError("no bus")


def use(backend: Remembers) -> Remembers:
    """Let the system have that keyring, until the end of the test."""
    keyring.set_keyring(backend)
    return backend


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.fixture
def servers(office: PostOffice) -> list[Path | str]:
    """The options that name the servers of the post office."""
    return [
        "--smtp", f"{HERE}:{office.smtps}", "--imap", f"{HERE}:{office.imaps}",
        "--security", "tls", "--ca", office.authority.certificate,
    ]  # fmt: skip


@pytest.fixture
def newcomer(anna: Player) -> Player:
    """A player whose account is not set up yet."""
    (anna.home / "config.toml").unlink()
    return anna


AtATerminal = tuple[dict[str, str], list[Run]]


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> AtATerminal:
    """Let somebody answer: what is typed for each question that holds a word."""
    answers: dict[str, str] = {}
    asked: list[Run] = []

    def answer(prompt: Run) -> str:
        asked.append(prompt)
        return next(answer for word, answer in answers.items() if word in console.told(prompt))

    monkeypatch.setattr(console, "is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.answers.ask", answer)
    monkeypatch.setattr("pbem.cli.answers.ask_secret", answer)
    return answers, asked


def account_of(player: Player) -> Account:
    return present(Account.of(Config.read(player.home / "config.toml")))


def test_what_is_given_is_tried_and_written(newcomer: Player, servers: list[Path | str]) -> None:
    told = newcomer.do("mail", "setup", "--address", newcomer.address, *servers).out
    assert told.count("works") == 2
    account = account_of(newcomer)
    assert account.address == newcomer.address
    assert present(account.smtp).host == present(account.imap).host == HERE
    assert "The login works." in newcomer.do("mail", "check").out


def test_the_file_holds_no_password_and_is_for_its_owner_alone(
    newcomer: Player, servers: list[Path | str]
) -> None:
    newcomer.do("mail", "setup", "--address", newcomer.address, *servers)
    path = newcomer.home / "config.toml"
    assert newcomer.password not in path.read_text()
    if os.name != "nt":
        assert path.stat().st_mode & 0o077 == 0


def test_what_was_typed_is_kept_in_the_keyring_and_found_there(
    newcomer: Player, servers: list[Path | str], at_a_terminal: AtATerminal
) -> None:
    answers, asked = at_a_terminal
    kept = use(Remembers()).kept
    answers["Password"] = newcomer.password
    done = acres("mail", "setup", *servers, "--address", newcomer.address, home=newcomer.home)
    assert done.status == 0, done.err
    assert kept == {("acres", newcomer.address): newcomer.password}
    asked.clear()
    assert acres("mail", "check", home=newcomer.home).out.count("The login works.") == 2
    assert not asked


def test_what_is_not_given_is_asked_for(
    office: PostOffice, newcomer: Player, at_a_terminal: AtATerminal
) -> None:
    answers, _ = at_a_terminal
    use(Remembers())
    answers |= {
        "address": "",
        "SMTP": f"{HERE}:{office.smtps}",
        "IMAP": f"{HERE}:{office.imaps}",
        "Password": newcomer.password,
    }
    done = acres("mail", "setup", "--ca", office.authority.certificate, home=newcomer.home)
    assert done.status == 0, done.err
    # The one of the identity, where nothing is typed.
    assert account_of(newcomer).address == newcomer.address


def test_the_servers_of_a_known_provider_are_not_asked_for(
    newcomer: Player, at_a_terminal: AtATerminal
) -> None:
    _, asked = at_a_terminal
    words = ["--address", "zoe@gmail.com", "--untried"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACRES_MAIL_PASSWORD", "x")
        done = acres("mail", "setup", *words, home=newcomer.home)
    assert done.status == 0, done.err
    assert not asked
    assert "app password" in done.out
    account = account_of(newcomer)
    smtp, imap = present(account.smtp), present(account.imap)
    assert (imap.host, imap.port) == ("imap.gmail.com", 993)
    assert (smtp.security, imap.security) == ("tls", "tls")


@pytest.mark.parametrize("backend", [Locked, Broken])
def test_a_keyring_that_fails_costs_a_note(
    newcomer: Player,
    servers: list[Path | str],
    at_a_terminal: AtATerminal,
    backend: type[Remembers],
) -> None:
    answers, _ = at_a_terminal
    use(backend())
    answers["Password"] = newcomer.password
    done = acres("mail", "setup", *servers, "--address", newcomer.address, home=newcomer.home)
    assert done.status == 0
    assert "ACRES_MAIL_PASSWORD" in done.err
    assert account_of(newcomer) is not None
    assert acres("mail", "check", home=newcomer.home).status == 0


def test_a_login_that_does_not_work_leaves_nothing(
    newcomer: Player, servers: list[Path | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", "wrong horse")
    done = acres("mail", "setup", "--address", newcomer.address, *servers, home=newcomer.home)
    assert done.status == 2
    assert "refuses the login" in done.err
    assert not (newcomer.home / "config.toml").exists()


def test_an_account_is_not_replaced_without_being_told(
    newcomer: Player, servers: list[Path | str]
) -> None:
    words = ["mail", "setup", "--address", newcomer.address, *servers]
    newcomer.do(*words)
    refused = newcomer.run(*words)
    assert refused.status == 2
    assert "--replace" in refused.err
    newcomer.do(*words, "--replace", "--mailbox", "INBOX", "--user", newcomer.address)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--address", "anna"], "not an e-mail address"),
        (["--address", "Anna <anna@example.org>"], "not an e-mail address"),
        (["--smtp", "mail.example.org:smtp"], "port"),
        (["--smtp", "mail.example.org:99999"], "port"),
        (["--security", "ssl"], "--security"),
        (["--security", "none", "--smtp", "mail.example.org:25"], "could read the password"),
        (["--smtp", "-", "--imap", "-"], "needs an outgoing mail server"),
        (["--smtp", "mail example"], "host"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    newcomer: Player, servers: list[Path | str], words: Sequence[str], told: str
) -> None:
    done = newcomer.run("mail", "setup", "--address", newcomer.address, *servers, *words)
    assert done.status == 2
    assert is_one_sentence(done.err), done.err
    assert told in done.err
    assert not (newcomer.home / "config.toml").exists()


def test_what_cannot_be_is_said_in_the_language_of_the_player(
    newcomer: Player, servers: list[Path | str]
) -> None:
    words = ["mail", "setup", "--address", newcomer.address, *servers, "--smtp", "mail example"]
    assert "Ce que vous avez donné" in newcomer.run("--lang", "fr", *words).err


@pytest.mark.parametrize("kind", ["smtp", "imap"])
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_port_of_the_other_security_is_named_at_once(
    office: PostOffice, newcomer: Player, kind: str, security: str
) -> None:
    """Where each side waits for the other, the program would wait as long as for any server."""
    port = {
        ("smtp", "tls"): office.smtp, ("smtp", "starttls"): office.smtps,
        ("imap", "tls"): office.imap, ("imap", "starttls"): office.imaps,
    }[kind, security]  # fmt: skip
    servers = {"smtp": "-", "imap": "-"} | {kind: f"{HERE}:{port}"}
    began = monotonic()
    done = newcomer.run(
        "mail", "setup", "--address", newcomer.address, "--security", security, "--ca",
        office.authority.certificate, "--smtp", servers["smtp"], "--imap", servers["imap"],
    )  # fmt: skip
    assert monotonic() - began < 3.5
    assert (done.status, is_one_sentence(done.err)) == (2, True)
    right = {"tls": "starttls", "starttls": "tls"}[security]
    assert f'its port needs security = "{right}"' in done.err


def test_an_authority_that_nobody_knows_can_be_named(
    newcomer: Player, servers: list[Path | str]
) -> None:
    done = newcomer.run("mail", "setup", "--address", newcomer.address, *servers[:-2])
    assert (done.status, is_one_sentence(done.err)) == (2, True)
    assert "--ca FILE" in done.err


def test_without_a_password_it_is_said_that_nothing_was_tried(
    newcomer: Player, servers: list[Path | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["mail", "setup", "--address", newcomer.address, *servers]
    told = acres(*words, home=newcomer.home).out
    assert "nothing was tried" in told
    assert "ACRES_MAIL_PASSWORD" in told
    assert "works" not in told
    monkeypatch.setenv("ACRES_SMTP_PASSWORD", newcomer.password)
    told = " ".join(acres(*words, "--replace", home=newcomer.home).out.split())
    assert "To send: The login at localhost works." in told
    assert "To fetch: The login at localhost was not tried" in told
    assert "ACRES_IMAP_PASSWORD" in told


def test_what_the_keyring_has_is_tried_where_nobody_can_be_asked(
    newcomer: Player, servers: list[Path | str]
) -> None:
    use(Remembers()).kept["acres", newcomer.address] = newcomer.password
    words = ["mail", "setup", "--address", newcomer.address, *servers]
    assert acres(*words, home=newcomer.home).out.count("works") == 2


# --- servers that are not known


def test_for_an_unknown_domain_the_servers_are_to_be_given(newcomer: Player) -> None:
    done = newcomer.run("mail", "setup", "--address", newcomer.address)
    assert done.status == 2
    assert "The mail servers of example.org are not known here" in done.out
    assert is_one_sentence(done.err)
    assert "--smtp" in done.err
    assert not (newcomer.home / "config.toml").exists()


def test_check_says_what_does_not_work(office: PostOffice, anna: Player) -> None:
    config = office.config(anna.address)
    anna.set_up(config.replace(f"port = {office.smtps}", f"port = {nobody_there()}"))
    done = anna.run("mail", "check")
    assert done.status == 2
    assert "is down" in done.out
    assert done.out.count("The login works.") == 1


def test_without_an_account_it_is_said_how_to_get_one_and_how_to_do_without(
    newcomer: Player,
) -> None:
    for words in (["send"], ["fetch"], ["check"]):
        done = newcomer.run("mail", *words)
        assert done.status == 2
        assert is_one_sentence(done.err)
        assert "mail setup" in done.err
        assert "mail draft" in done.err


@pytest.mark.parametrize("kind", ["smtp", "imap"])
def test_a_token_is_shown_to_a_server_that_takes_tokens(
    anna: Player, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By XOAUTH2, and no password then, though there is one."""
    import base64

    from tests.mail.servers import door

    heard = []

    def behave(caller: socket) -> None:
        lines = caller.makefile("rb")
        caller.sendall(b"220 hello\r\n" if kind == "smtp" else b"* OK hello\r\n")
        for line in lines:
            heard.append(line)
            tag = line.split()[0]
            if kind == "smtp":
                hello = b"250-localhost\r\n250 AUTH XOAUTH2 PLAIN\r\n"
                answer = {b"EHLO": hello, b"QUIT": b"221 bye\r\n"}.get(
                    line.split()[0].upper(), b"235 OK\r\n"
                )
            elif b"CAPABILITY" in line:
                answer = b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n" + tag + b" OK done\r\n"
            elif b"AUTHENTICATE" in line:
                caller.sendall(b"+ \r\n")
                heard.append(lines.readline())
                answer = tag + b" OK done\r\n"
            elif b"SELECT" in line:
                told = b"* 0 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 1] ok\r\n"
                answer = told + tag + b" OK [READ-WRITE] ok\r\n"
            else:
                answer = tag + b" OK done\r\n"
            caller.sendall(answer)

    monkeypatch.setenv("ACRES_MAIL_TOKEN", "ya29.token")
    with door(behave) as port:
        anna.set_up(
            f'[mail]\naddress = "{anna.address}"\n[mail.{kind}]\nhost = "localhost"\n'
            f'port = {port}\nsecurity = "none"\n'
        )
        done = anna.run("mail", "check")
    assert done.status == 0, done.out
    shown = base64.b64encode(f"user={anna.address}\1auth=Bearer ya29.token\1\1".encode())
    assert any(shown in line for line in heard)
    assert not any(anna.password.encode() in line for line in heard)


# --- passwords


def test_each_login_is_tried_with_its_own_password(
    newcomer: Player, servers: list[Path | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no server gets to know that of the other."""
    monkeypatch.setenv("ACRES_SMTP_PASSWORD", newcomer.password)
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    done = newcomer.run("mail", "setup", "--address", newcomer.address, *servers)
    assert "To send: The login" in done.out
    assert done.status == 2
    assert "refuses the login" in done.err


def test_a_password_may_be_of_any_letters(
    office: PostOffice, newcomer: Player, servers: list[Path | str]
) -> None:
    from dataclasses import replace

    office.open_account("yves@example.org", "zanzibar-pâté-пароль")
    yves = replace(newcomer, address="yves@example.org", password="zanzibar-pâté-пароль")
    told = yves.do("mail", "setup", "--address", yves.address, *servers).out
    assert told.count("works") == 2
    wrong = replace(yves, password="zanzibar-pâté")
    done = wrong.run("mail", "check")
    assert done.out.count("refuses the login") == 2


# --- an account that signed in with a browser


def test_whoever_signed_in_with_a_browser_is_told_what_to_do(anna: Player) -> None:
    use(Remembers()).kept["acres", anna.address] = "oauth2 2 0123abcd"
    done, checked = (acres("mail", word, home=anna.home) for word in ("fetch", "check"))
    assert (done.status, checked.status, is_one_sentence(done.err)) == (2, 2, True)
    assert "signed in with a browser" in " ".join(checked.out.split())
    for told in ("ACRES_MAIL_TOKEN", *(f"{anna.home} mail {word}" for word in ("setup", "draft"))):
        assert told in done.err
    assert "No turn has arrived" in anna.do("mail", "fetch").out


@pytest.mark.parametrize("unique", ["", " 0123abcd"])
def test_a_new_password_leaves_nothing_of_a_login_with_a_browser(
    anna: Player, servers: list[Path | str], at_a_terminal: AtATerminal, unique: str
) -> None:
    at_a_terminal[0]["Password"] = anna.password
    user, kept = anna.address, use(Remembers()).kept
    kept["acres", user] = f"oauth2 2{unique}"
    kept |= {("acres", f"{user} oauth2{unique} {number}"): "a token" for number in (0, 1)}
    words = ["mail", "setup", "--replace", *servers, "--address", user]
    assert acres(*words, home=anna.home).status == 0
    assert kept == {("acres", user): anna.password}
