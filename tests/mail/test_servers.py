"""Servers that are down, refuse a command, or are not the expected ones."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from socket import SO_LINGER, SOL_SOCKET, gaierror, socket

import pytest

from pbem.errors import UsageError
from pbem.mail.account import Server
from pbem.mail.connection import MailError, UnknownAuthorityError, make_tls_context
from pbem.mail.imap import save_copy
from pbem.mail.smtp import MessageTooLargeError, RecipientRefusedError
from tests.mail.certificates import Authority
from tests.mail.scripted_servers import SERVERS, Imap, Smtp, account_at, failure_of, login, use
from tests.mail.servers import bad_server, free_port, silent

BOTH_KINDS = pytest.mark.parametrize("kind", SERVERS)
LETTER = b"Message-ID: <a@b>\r\n\r\nHi\r\n"


@BOTH_KINDS
def test_dead_or_silent_server_is_reported(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    down = failure_of(account_at(kind, free_port()))
    with bad_server(silent) as port:
        for security in ("none", "tls", "starttls"):
            failed = failure_of(account_at(kind, port, security))
            assert "did not answer within 1 second" in str(failed)
            assert failed.may_pass
    assert "No mail server answers" in str(down)
    assert down.may_pass

    def unknown(*_: object, **__: object) -> None:
        raise gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    assert "localhost cannot be found" in str(failure_of(account_at(kind, 1)))


# --- encryption


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSLKEYLOGFILE", "ca in the settings"])
@pytest.mark.parametrize("content", [None, b"garbage"])
def test_unusable_file_for_tls_is_named_with_its_variable(
    name: str, content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, is_variable = tmp_path / "folder" / "file", name.isupper()
    if content is not None:
        file.parent.mkdir()
        file.write_bytes(content)
    if is_variable:
        monkeypatch.setenv(name, str(file))
    account = account_at("imap", 1, "tls", None if is_variable else file)
    if (name, content) == ("SSLKEYLOGFILE", b"garbage"):
        assert make_tls_context(account)
        return
    with pytest.raises(UsageError, match=re.escape(f"{file}, named by {name}, cannot be used")):
        make_tls_context(account)


@BOTH_KINDS
@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("expired", "has expired"),
        ("elsewhere", "not for localhost"),
        ("another", "not signed by anybody"),
        ("usual", "not signed by anybody"),
    ],
)
def test_bad_certificate_is_refused_before_the_password(
    authority: Authority, tmp_path: Path, kind: str, how: str, text: str
) -> None:
    host = "elsewhere.example" if how == "elsewhere" else "localhost"
    signer = Authority(tmp_path, "other") if how == "another" else authority
    certificate = signer.issue(f"bad-{how}", host=host, expired=how == "expired")
    trusted = None if how == "usual" else authority.certificate
    with bad_server(server := SERVERS[kind](), certificate) as port:
        failed = failure_of(account_at(kind, port, "tls", trusted))
    assert text in str(failed)
    assert "your password was not sent" in str(failed)
    assert isinstance(failed, UnknownAuthorityError) == ("anybody" in text)
    assert server.received == []
    assert not failed.may_pass


def closes(caller: socket) -> None:
    caller.recv(5000)


def resets(caller: socket) -> None:
    caller.recv(5000)
    caller.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))


def send_tls_alert(caller: socket) -> None:
    """Answer with the TLS alert for an internal error (RFC 8446, 6.2)."""
    caller.recv(5000)
    caller.sendall(bytes([21, 3, 3, 0, 2, 2, 80]))


@BOTH_KINDS
@pytest.mark.parametrize("behaves", [closes, resets, send_tls_alert])
def test_broken_tls_handshake_may_be_retried(kind: str, behaves: Callable[[socket], None]) -> None:
    with bad_server(behaves) as port:
        failed = failure_of(account_at(kind, port, "tls"))
    assert failed.may_pass
    # Where nothing was said of the encryption, nobody is to look for another.
    assert ("broke off" in str(failed)) == (behaves is not send_tls_alert)


@BOTH_KINDS
def test_plaintext_greeting_on_a_tls_port_is_explained(kind: str) -> None:
    with bad_server(SERVERS[kind]()) as port:
        failed = failure_of(account_at(kind, port, "tls"))
    assert 'its port needs security = "starttls"' in str(failed)
    assert not failed.may_pass


@BOTH_KINDS
@pytest.mark.parametrize("refusal", ["taken away", "refused", "busy"])
def test_nothing_is_sent_in_clear_without_starttls(kind: str, refusal: str) -> None:
    """Somebody in between may refuse it; a busy server is to be tried again."""
    word, hello, usual = {
        "imap": (b"CAPABILITY", b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n", b"NO not with you\r\n"),
        "smtp": (b"EHLO", b"250-localhost\r\n250 AUTH PLAIN\r\n", b"501 5.5.4 not with you\r\n"),
    }[kind]
    busy = {"imap": b"NO [UNAVAILABLE] not now\r\n", "smtp": b"454 4.7.0 not just now\r\n"}[kind]
    known = {
        "taken away": {word: hello}, "refused": {b"STARTTLS": usual}, "busy": {b"STARTTLS": busy}
    }  # fmt: skip
    with bad_server(server := SERVERS[kind](known[refusal])) as port:
        failed = failure_of(account_at(kind, port, "starttls"))
    assert set(server.words) <= {b"", b"CAPABILITY", b"EHLO", b"HELO", b"STARTTLS", b"QUIT"}
    # imapclient does not tell a refusal from a failure that passes.
    is_passing = refusal == "busy" or (kind, refusal) == ("imap", "refused")
    assert ("offer to encrypt the connection (STARTTLS)" in str(failed)) != is_passing
    assert failed.may_pass == is_passing


# --- refusals


@pytest.mark.parametrize(
    ("kind", "replies", "may_pass", "text"),
    [
        ("smtp", {b"EHLO": b"421 4.3.2 too busy\r\n"}, True, "stopped .*too busy.*Try again later"),
        ("smtp", {b"AUTH": b"535 5.7.8 no\r\n"}, False, "refuses the login as anna@.*“5.7.8 no”"),
        ("smtp", {b"AUTH": b"454 4.7.0 not now\r\n"}, True, "refuses the login"),
        ("smtp", {b"EHLO": b"250 localhost\r\n"}, False, "offers no login method"),
        ("smtp", {b"MAIL": b"550 not yours\r\n"}, False, "accepts no mail from anna@.*not yours"),
        ("smtp", {b"MAIL": b"451 later\r\n"}, True, "accepts no mail from"),
        ("smtp", {b"MAIL": b"552 5.3.4 big\r\n"}, False, "larger than localhost accepts"),
        ("smtp", {b"EHLO": b"250-a\r\n250-SIZE 9\r\n250 AUTH PLAIN\r\n"}, False, "larger than"),
        ("smtp", {b"RCPT": b"553 5.1.2 who?\r\n"}, False, "no mail for bela@.*“5.1.2 who[?]”"),
        ("smtp", {b"RCPT": b"451 4.3.0 later\r\n"}, True, "no mail for bela@.*Try again later"),
        ("smtp", {b"RCPT": b"552 5.2.2 Over quota\r\n"}, True, "recipient's mailbox .* is full"),
        ("smtp", {b"RCPT": b"552 5.2.0 quota exceeded\r\n"}, True, "mailbox .* is full"),
        ("smtp", {b".": b"452 4.3.0 Too many\r\n"}, True, "did not accept .*Too many.*again later"),
        ("smtp", {b".": b"452 4.2.2 Over quota\r\n"}, True, "recipient's mailbox .* is full"),
        ("smtp", {b"RCPT": b"552 5.7.1 Blocked\r\n"}, False, "no mail for bela@.*“5.7.1 Blocked”"),
        ("smtp", {b".": b"552-5.7.0 Bad\r\n552 5.7.0 No\r\n"}, False, "did not accept .*5.7.0 Bad"),
        ("smtp", {b".": b"552 Content refused\r\n"}, False, "did not accept .*Content refused"),
        ("smtp", {b".": b"552 Message size exceeds 1 MB\r\n"}, False, "larger than .*exceeds 1 MB"),
        ("smtp", {b".": b"554 5.3.4 Too much\r\n"}, False, "larger than localhost .*Too much"),
        ("smtp", {b".": b"552 Exceeded storage allocation\r\n"}, True, "mailbox .* is full"),
        ("smtp", {b".": b"452 4.5.3 Too many\r\n"}, True, "did not accept .*Try again later"),
        ("smtp", {b".": b"554 5.7.1 Spam\r\n"}, False, "did not accept .*Spam.*your mail program"),
        ("smtp", {b".": b"451 4.7.1 Greylisted\r\n"}, True, "did not accept .*Try again later"),
        ("smtp", {b"DATA": b"554 no\r\n"}, False, "did not accept the message"),
        ("imap", {b"LOGIN": b"NO no such thing\r\n"}, False, "refuses the login .*no such thing"),
        ("imap", {b"LOGIN": b"NO [UNAVAILABLE] not now\r\n"}, True, "stopped .*“not now”"),
        ("imap", {b"LOGIN": b"NO [UNAVAILABLE] for correct horse\r\n"}, True, r"was done\. Try"),
        ("imap", {b"LOGIN": b"NO Y29ycmVjdCBob3JzZQ== is wrong\r\n"}, False, r"anna@\S+ Check"),
        ("smtp", {b"AUTH": b"535 correct horse is wrong\r\n"}, False, r"as anna@\S+ Check"),
        ("imap", {b"SELECT": b"NO [INUSE] not just now\r\n"}, True, "stopped .*“not just now”"),
        ("imap", {b"SELECT": b"NO [SERVERBUG] oh\r\n"}, True, "stopped .*“oh”"),
        ("imap", {b"SEARCH": b"NO not here\r\n"}, True, "stopped before it was done .*not here"),
        ("imap", {b"SIZE": b"NO [OVERQUOTA] full\r\n"}, True, "mailbox at localhost is full"),
        ("imap", {b"BODY": b"BAD what\r\n"}, True, "does not behave like"),
        ("imap", {b"": b"* BYE overloaded\r\n"}, True, "does not behave|broke off|stopped"),
    ],
)  # fmt: skip
def test_refusal_is_quoted(
    kind: str, replies: dict[bytes, bytes], may_pass: bool, text: str
) -> None:
    with bad_server(SERVERS[kind](replies)) as port:
        failed = failure_of(account_at(kind, port))
    assert re.search(text, str(failed)), str(failed)
    assert "horse" not in str(failed)
    assert failed.may_pass == may_pass
    assert isinstance(failed, RecipientRefusedError) == ("no mail for" in text and not may_pass)
    assert isinstance(failed, MessageTooLargeError) == ("larger" in text)


@pytest.mark.parametrize("answer", [b"", b"BAD what\r\n", b"NO no\r\n", b"* ID ((\r\n"])
def test_server_learns_the_name_of_the_program_before_a_folder_is_opened(answer: bytes) -> None:
    """NetEase (163.com, 126.com, yeah.net) refuses SELECT until then."""
    known = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1 ID\r\n", b"ID": answer}
    with bad_server(server := Imap(known)) as port:
        use(account_at("imap", port))
    words = [word for word in server.words if word in (b"LOGIN", b"ID", b"SELECT")]
    assert words == [b"LOGIN", b"ID", b"SELECT"]
    assert any(line.endswith(b'ID ("name" "acres")\r\n') for line in server.received)


def test_login_accepted_once_may_be_retried() -> None:
    with bad_server(Imap({b"LOGIN": b"NO no\r\n"})) as port:
        page = replace(login(), has_worked=True)
        assert failure_of(account_at("imap", port), page).may_pass


def test_missing_folder_is_reported_with_the_existing_ones() -> None:
    with bad_server(Imap({b"SELECT": b"NO [NONEXISTENT] no\r\n"})) as port:
        failed = failure_of(account_at("imap", port, mailbox="Games"))
    assert re.search(r"no folder Games .* “Sent, INBOX”", str(failed))
    assert not failed.may_pass


def test_host_name_is_not_sent_to_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name would be in the message, and looking it up may take long."""
    monkeypatch.setattr("socket.getfqdn", lambda *values: "belas-laptop.example")
    with bad_server(server := Smtp()) as port:
        use(account_at("smtp", port))
    assert server.received[0].upper() == b"EHLO [127.0.0.1]\r\n"
    assert not any(b"laptop" in line for line in server.received)


# --- copies of what was sent

NO_NAMESPACE = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 NAMESPACE\r\n",
    b"NAMESPACE": b"* NAMESPACE NIL NIL NIL\r\n",
}


@pytest.mark.parametrize(
    ("replies", "text"),
    [
        ({b"APPEND": b"NO [OVERQUOTA] Quota exceeded\r\n"}, "is full .*Quota exceeded"),
        ({b"SEARCH": b"NO not in this folder\r\n"}, "stopped before .*not in this folder"),
        ({b"LIST": b"NO not today\r\n"}, "stopped before it was done .*not today"),
        ({b"APPEND": b"BAD what\r\n"}, "does not behave like"),
    ],
)
def test_failed_copy_is_explained(replies: dict[bytes, bytes], text: str) -> None:
    with (
        bad_server(Imap({b"SEARCH": b"* SEARCH\r\n"} | replies)) as port,
        pytest.raises(MailError, match=text) as failed,
    ):
        save_copy(account_at("imap", port), login(), LETTER, "<a@b>")
    assert failed.value.may_pass


@pytest.mark.parametrize(
    ("smtp", "copies", "replies", "is_kept"),
    [
        ("smtp.gmail.com", "", {}, False),
        ("smtp.office365.com", "", {}, False),
        ("smtp.gmail.com", "Sent", {}, True),
        ("smtp.example.org", "", {}, True),
        ("smtp.example.org", "-", {}, False),
        # It has the letter already, or no folder for it.
        ("smtp.example.org", "", {b"SEARCH": b"* SEARCH 3\r\n"}, False),
        ("smtp.example.org", "", {b"LIST": b""}, False),
        # It has namespaces, and none of the player's own.
        ("smtp.example.org", "", NO_NAMESPACE | {b"LIST": b""}, False),
        ("smtp.example.org", "", NO_NAMESPACE | {b"LIST": b'* LIST () "/" Sent\r\n'}, True),
    ],
)
def test_only_one_copy_is_stored(
    smtp: str, copies: str, replies: dict[bytes, bytes], is_kept: bool
) -> None:
    """The SMTP host decides, not the IMAP host, unless the player names a folder."""
    with bad_server(server := Imap({b"SEARCH": b"* SEARCH\r\n"} | replies)) as port:
        account = account_at("imap", port, copies=copies)
        account = replace(account, smtp=Server("smtp", smtp, 465, "tls", "anna"))
        save_copy(account, login(), LETTER, "<a@b>")
    assert (b"APPEND" in server.words) == is_kept
    assert not is_kept or any(LETTER in line for line in server.received)
