"""What may stand in config.toml, and what it is taken to mean."""

from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.mail.account import Account
from pbem.mail.providers import _all, provider_of
from pbem.play.config import Config
from tests.present import present

WHOLE = """
[mail]
address = "anna@example.org"
folder = "/games"
ca = "/ca.pem"
timeout = 7
[mail.smtp]
host = "smtp.example.org"
port = 2525
security = "starttls"
user = "anna"
[mail.imap]
host = "imap.example.org"
port = 9993
security = "tls"
user = "anna@imap"
folder = "Games/Acres"
"""
LEAST = """
[mail]
address = "anna@example.org"
[mail.smtp]
host = "mail.example.org"
[mail.imap]
host = "mail.example.org"
"""


def account_in(tmp_path: Path, text: str) -> Account | None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return Account.of(Config.read(path))


def read(tmp_path: Path, text: str) -> Account:
    return present(account_in(tmp_path, text))


def test_everything_that_can_be_said_is_taken(tmp_path: Path) -> None:
    account = read(tmp_path, WHOLE)
    assert (account.address, str(account.folder), str(account.ca), account.timeout) == (
        "anna@example.org", "/games", "/ca.pem", 7,
    )  # fmt: skip
    smtp, imap = present(account.smtp), present(account.imap)
    assert (smtp.host, smtp.port, smtp.security, smtp.user) == (
        "smtp.example.org", 2525, "starttls", "anna",
    )  # fmt: skip
    assert (imap.host, imap.port, imap.security, imap.user) == (
        "imap.example.org", 9993, "tls", "anna@imap",
    )  # fmt: skip
    assert account.mailbox == "Games/Acres"


def test_what_is_not_said_is_encrypted_and_as_usual(tmp_path: Path) -> None:
    account = read(tmp_path, LEAST)
    smtp, imap = present(account.smtp), present(account.imap)
    assert (smtp.port, smtp.security) == (465, "tls")
    assert (imap.port, imap.security) == (993, "tls")
    assert smtp.user == imap.user == "anna@example.org"
    assert (account.mailbox, account.timeout, account.folder) == ("INBOX", 20, None)


@pytest.mark.parametrize("text", [WHOLE, LEAST])
def test_an_account_is_written_as_it_is_read(tmp_path: Path, text: str) -> None:
    account = read(tmp_path, text)
    config = Config.read(tmp_path / "config.toml").replace("mail", account.table())
    assert Account.of(config) == account
    assert Account.of(Config.read(tmp_path / "config.toml")) == account
    assert (tmp_path / "config.toml").stat().st_mode & 0o077 == 0


def test_there_may_be_no_settings_or_none_of_mail(tmp_path: Path) -> None:
    assert Account.of(Config.read(tmp_path / "config.toml")) is None
    assert account_in(tmp_path, "") is None


@pytest.mark.parametrize("kind", ["smtp", "imap"])
@pytest.mark.parametrize("host", ["mail.example.org", "10.0.0.1", "localhost.example.org"])
def test_nothing_goes_in_clear_to_another_computer(tmp_path: Path, kind: str, host: str) -> None:
    text = f'[mail]\naddress = "a@b"\n[mail.{kind}]\nhost = "{host}"\nsecurity = "none"\n'
    with pytest.raises(Unreadable, match=f"mail.{kind}.*could read the password"):
        read(tmp_path, text)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1", "127.8.8.8"])
def test_this_computer_may_do_without(tmp_path: Path, host: str) -> None:
    text = f'[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "{host}"\nsecurity = "none"\n'
    assert present(read(tmp_path, text).smtp).is_here


MISTAKES = {
    "[mail]\naddress == 3\n": "line 2",
    "[male]": "male",
    "mail = 3": "a table is expected",
    '[mail]\naddress = "anna"': "address",
    "[mail]": "address is missing",
    '[mail]\naddress = "a@b"\npassword = "x"': "password",
    '[mail]\naddress = "a@b"\nsmtp = "x"': "smtp",
    '[mail]\naddress = "a@b"\n[mail.smtp]\nport = 25': "host is missing",
    '[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "x"\nport = "25"': "mail.smtp.*port",
    '[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "x y"': "mail.smtp.*host",
    '[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "x"\nport = 0': "port",
    '[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "x"\nsecurity = "ssl"': "security",
    '[mail]\naddress = "a@b"\n[mail.imap]\nhost = "x"\npassword = "x"': "mail.imap.*password",
    '[mail]\naddress = "a@b\\nBcc: c@d"': "address",
    '[mail]\naddress = "Anna<a@b>"': "address",
    '[mail]\naddress = "a@b,c@d"': "address",
    '[mail]\naddress = "a@b"\n[mail.smtp]\nhost = "x"\nuser = "a\\r\\nb"': "user",
    '[mail]\naddress = "a@b"\ntimeout = 0': "timeout",
    '[mail]\naddress = "a@b"\ntimeout = true': "timeout",
    '[mail]\naddress = "a@b"\nca = ""': "ca",
    "a = " + "[" * 5000: "nested|mistake",
    "x" * 70_000: "longer than",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_sentence_that_names_it(tmp_path: Path, text: str) -> None:
    with pytest.raises(Unreadable, match=MISTAKES[text]) as caught:
        read(tmp_path, text)
    assert "config.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_text_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Unreadable, match="not a text"):
        Config.read(tmp_path / "config.toml")


def test_a_table_that_is_replaced_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.config.TABLES", ("mail", "language"))
    path = tmp_path / "config.toml"
    path.write_text('[language]\nname = "fr"\n')
    Config.read(path).replace("mail", {"address": "a@b"})
    assert Config.read(path).tables == {"language": {"name": "fr"}, "mail": {"address": "a@b"}}


def test_providers_are_told_apart_by_the_domain() -> None:
    assert present(provider_of("anna@GMAIL.com")).imap == "imap.gmail.com:993"
    assert provider_of("anna@notgmail.com") is None
    assert provider_of("gmail.com@example.org") is None
    domains = [domain for provider in _all() for domain in provider.domains]
    assert len(set(domains)) == len(domains)


def test_every_known_provider_encrypts() -> None:
    for provider in _all():
        assert provider.smtp.rpartition(":")[2] in ("465", "587"), provider.name
        assert provider.imap.rpartition(":")[2] == "993", provider.name
        assert provider.login in ("password", "app password", "token"), provider.name
