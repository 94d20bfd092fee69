"""The table [mail] of the settings, with its keys, defaults and mistakes."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest

from pbem.errors import InputError, UsageError
from pbem.mail import imap
from pbem.mail.account import Account, can_send, parse_server
from pbem.mail.imap import Provider, find_provider, has_automatic_copies
from pbem.play.config import Config
from tests.requirements import require

WHOLE = """
[mail]
address = "anna@example.org"
folder = "/games"
ca = "/ca.pem"
timeout = 7
copies = "Sent Mail"
[mail.smtp]
host = "smtp.example.org"
port = 2525
security = "starttls"
user = "anna"
[mail.imap]
host = "imap.example.org"
port = 9993
user = "anna@imap"
folder = "Games/Acres"
"""

START = '[mail]\naddress = "a@b"\n'


def read(tmp_path: Path, text: str) -> Account | None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return Account.from_config(Config.read(path))


def test_every_setting_is_read(tmp_path: Path) -> None:
    assert astuple(require(read(tmp_path, WHOLE))) == (
        "anna@example.org",
        ("smtp", "smtp.example.org", 2525, "starttls", "anna"),
        ("imap", "imap.example.org", 9993, "tls", "anna@imap"),
        "Games/Acres", Path("/games"), Path("/ca.pem"), 7, "Sent Mail",
    )  # fmt: skip


def test_defaults_are_tls_and_usual_ports(tmp_path: Path) -> None:
    text = '[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "c"\n[mail.imap]\nhost = "d"\n'
    assert astuple(require(read(tmp_path, text))) == (
        "a@b", ("smtp", "c", 465, "tls", "a@b"), ("imap", "d", 993, "tls", "a@b"),
        "INBOX", None, None, 20, "",
    )  # fmt: skip


def test_missing_account_is_refused_with_the_setup_command(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    assert Account.from_config(Config.read(path)) is None
    assert read(tmp_path, "") is None
    with pytest.raises(UsageError, match=r"No mail account is set up.*mail setup.*mail draft FILE"):
        Account.load(path, "acres")


def test_missing_server_is_refused_with_the_setup_command(tmp_path: Path) -> None:
    (path := tmp_path / "config.toml").write_text(f'{START}[mail.imap]\nhost = "d"\n')
    assert not can_send(path)
    assert Account.load(path, "acres", "imap").smtp is None
    with pytest.raises(UsageError, match=r"names no outgoing mail server.*acres mail setup"):
        Account.load(path, "acres", "smtp")


def test_unreadable_settings_are_reported_by_an_attempt_to_send(tmp_path: Path) -> None:
    (path := tmp_path / "config.toml").write_text("what?")
    assert can_send(path)


@pytest.mark.parametrize("kind", ["smtp", "imap"])
@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("mail.example.org", False), ("10.0.0.1", False), ("localhost.example.org", False),
        ("localhost", True), ("127.0.0.1", True), ("::1", True), ("127.8.8.8", True),
    ],
)  # fmt: skip
def test_unencrypted_remote_server_is_refused(
    tmp_path: Path, kind: str, host: str, is_local: bool
) -> None:
    text = f'[mail]\naddress = "a@b"\n[mail.{kind}]\nhost = "{host}"\nsecurity = "none"\n'
    if is_local:
        assert [provider.is_local for provider in require(read(tmp_path, text)).servers] == [True]
        return
    with pytest.raises(InputError, match=f"mail.{kind}.*could read the password"):
        read(tmp_path, text)


MISTAKES = {
    "[mail]\naddress == 3\n": "line 2",
    "[male]": "male",
    "mail = 3": "a table is expected",
    '[mail]\naddress = "anna"': "address",
    "[mail]": "address is missing",
    START + 'password = "x"': "password",
    START + 'smtp = "x"': "smtp",
    START + "[mail.smtp]\nport = 25": "host is missing",
    START + '[mail.smtp]\nhost = "x"\nport = "25"': "mail.smtp.*port",
    START + '[mail.smtp]\nhost = "x y"': "mail.smtp.*host",
    START + '[mail.smtp]\nhost = "x.example:25"': "mail.smtp.*host",
    START + '[mail.smtp]\nhost = ":"': "mail.smtp.*host",
    START + '[mail.smtp]\nhost = "x"\nport = 0': "port",
    START + '[mail.smtp]\nhost = "x"\nsecurity = "ssl"': "security",
    START + '[mail.imap]\nhost = "x"\npassword = "x"': "mail.imap.*password",
    '[mail]\naddress = "a@b\\nBcc: c@d"': "address",
    '[mail]\naddress = "Anna<a@b>"': "address",
    '[mail]\naddress = "a@b,c@d"': "address",
    START + '[mail.smtp]\nhost = "x"\nuser = "a\\r\\nb"': "user",
    START + "timeout = 0": "timeout",
    START + "timeout = true": "timeout",
    START + 'ca = ""': "ca",
    "a = " + "[" * 5000: "nested|mistake",
    "x" * 70_000: "longer than",
    "\udcff\udcfd": "not a text",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistake_in_the_config_is_named_in_one_sentence(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "config.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=MISTAKES[text]) as caught:
        Account.from_config(Config.read(path))
    assert "config.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "text", "security", "port", "is_read_as"),
    [
        ("smtp", "a.example", None, 465, "tls"),
        ("smtp", "a.example", "starttls", 587, "starttls"),
        ("smtp", "a.example:587", None, 587, "starttls"),
        ("smtp", "a.example:2525", None, 2525, "tls"),
        ("imap", "a.example:143", None, 143, "starttls"),
        ("imap", "a.example:143", "none", 143, "none"),
        ("imap", "a.example:993", None, 993, "tls"),
    ],
)
def test_port_of_a_server_implies_its_encryption(
    kind: str, text: str, security: str | None, port: int, is_read_as: str
) -> None:
    table = {"host": "a.example", "port": port, "security": is_read_as}
    assert parse_server(kind, text, security) == table
    assert parse_server(kind, "-", security) is None


@pytest.mark.parametrize("host", ["::1", "2001:db8::25", "fe80::1%eth0"])
def test_server_may_be_an_ipv6_address(tmp_path: Path, host: str) -> None:
    for text, port in {host: 465, f"[{host}]": 465, f"[{host}]:2525": 2525}.items():
        table = require(parse_server("smtp", text, None))
        assert (table["host"], table["port"]) == (host, port)
    for name in (host, f"[{host}]"):
        account = require(read(tmp_path, f'{START}[mail.smtp]\nhost = "{name}"\n'))
        assert require(account.smtp).host == host
    with pytest.raises(UsageError, match=r"as in \[.*\]:465;"):
        parse_server("smtp", f"[{host}]:x", None)


def test_replacing_a_table_keeps_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.config.TABLES", ("mail", "language"))
    path = tmp_path / "config.toml"
    path.write_text('[language]\nname = "fr"\n')
    Config.read(path).replace("mail", {"address": "a@b"})
    assert Config.read(path).tables == {"language": {"name": "fr"}, "mail": {"address": "a@b"}}
    assert path.stat().st_mode & 0o077 == 0


def test_provider_is_found_by_domain() -> None:
    assert require(find_provider("anna@GMAIL.com")).imap == "imap.gmail.com:993"
    assert find_provider("anna@notgmail.com") is None
    assert find_provider("gmail.com@example.org") is None
    domains = [domain for provider in imap._providers() for domain in provider.domains]
    assert len(set(domains)) == len(domains)


def test_provider_with_automatic_copies_is_known_by_its_host() -> None:
    assert has_automatic_copies("SMTP.gmail.com") and not has_automatic_copies("smtp.fastmail.com")


@pytest.mark.parametrize("provider", imap._providers())
def test_provider_has_encrypted_servers_and_a_known_login(provider: Provider) -> None:
    assert provider.smtp.rpartition(":")[2] in ("465", "587")
    assert provider.imap.rpartition(":")[2] == "993"
    assert provider.login in ("password", "app password", "token")
