"""Mail servers that stall or send nonsense: each exchange ends in time, with a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from socket import SHUT_RDWR, socket
from unittest.mock import Mock

import pytest

from pbem.errors import InputError
from pbem.mail import connection as exchanges
from pbem.mail import smtp
from pbem.mail.connection import MailError, TooSlowError, run_with_deadline
from pbem.mail.imap import open_mailbox
from pbem.mail.smtp import UncertainSendError, connect_smtp
from tests.mail.certificates import Authority
from tests.mail.messages import letter
from tests.mail.players import Player
from tests.mail.scripted_servers import (
    SERVERS,
    Imap,
    Smtp,
    account_at,
    failure_of,
    login,
    settings_at,
    use,
)
from tests.mail.servers import bad_server, repeats_reply, script

TIME_LIMIT = 5.0
"""The time limit for an exchange, in seconds; without a deadline it would last much longer."""


@pytest.fixture
def use_short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit an exchange to a second, in which the server is never silent."""
    monkeypatch.setattr(exchanges, "DEADLINE_FACTOR", 1)
    monkeypatch.setattr(smtp, "MESSAGE_TIMEOUT_FACTOR", 1)
    monkeypatch.setattr(exchanges, "GOODBYE_TIMEOUT", 0.2)


def repeat_forever(piece: bytes, pause: float, start: bytes = b"") -> Callable[[socket], None]:
    def behave(caller: socket) -> None:
        caller.sendall(start)
        began = time.monotonic()
        while time.monotonic() - began < 2 * TIME_LIMIT:
            caller.sendall(piece)
            time.sleep(pause)

    return behave


WAYS = {
    "drips": repeat_forever(b"x", 0.02),
    "never ends a line": repeat_forever(b"x" * 10_000, 0.001),
    "never ends an answer": repeat_forever(b"* OK more\r\n" * 100, 0.001),
}


def closes(caller: socket) -> None:
    caller.shutdown(SHUT_RDWR)


MULTILINE = {
    "drips": repeat_forever(b"x", 0.02, b"250-"),
    "never ends a line": repeat_forever(b"x" * 10_000, 0.001, b"250-"),
    "never ends an answer": repeat_forever(b"250-more\r\n" * 100, 0.001),
}
PLACES = [
    *(
        ("imap", word, "none")
        for word in (b"", b"CAPABILITY", b"LOGIN", b"SELECT", b"SEARCH", b"SIZE", b"BODY", b"STORE")
    ),
    *(("smtp", w, "none") for w in (b"", b"EHLO", b"AUTH", b"RSET", b"MAIL", b"RCPT")),
    ("imap", b"STARTTLS", "starttls"), ("imap", b"", "tls"), ("imap", b"SELECT", "tls"),
    ("smtp", b"STARTTLS", "starttls"), ("smtp", b"", "tls"), ("smtp", b"MAIL", "tls"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "word", "security", "how"),
    [
        *((*place, "drips") for place in PLACES),
        *((*place, how) for place in PLACES[::3] for how in list(WAYS)[1:]),
    ],
)
@pytest.mark.usefixtures("use_short_timeouts")
def test_endless_answer_times_out(
    authority: Authority, kind: str, word: bytes, security: str, how: str
) -> None:
    server = SERVERS[kind](at=word, interrupt=(MULTILINE if kind == "smtp" else WAYS)[how])
    certificate = authority.issue("dripping") if security == "tls" else None
    with bad_server(server, certificate) as port:
        began = time.monotonic()
        failed = failure_of(account_at(kind, port, security, authority.certificate))
        assert time.monotonic() - began < TIME_LIMIT
    assert word in server.words
    assert failed.may_pass
    assert how != "drips" or "too slow" in str(failed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SERVERS)
@pytest.mark.usefixtures("use_short_timeouts")
def test_stalled_handshake_times_out(kind: str) -> None:
    def shakes(caller: socket) -> None:
        caller.sendall(b"\x16\x03\x03\x40\x00\x02")
        WAYS["drips"](caller)

    with bad_server(shakes) as port:
        began = time.monotonic()
        text = str(failure_of(account_at(kind, port, "tls")))
        assert time.monotonic() - began < TIME_LIMIT
    # A handshake has a deadline of its own, too.
    assert "too slow" in text or "did not answer within 1 second" in text


@pytest.mark.slow
def test_exchange_is_limited_to_four_timeouts() -> None:
    with bad_server(WAYS["drips"]) as port:
        began = time.monotonic()
        assert "too slow" in str(failure_of(account_at("imap", port)))
        assert 3.5 < time.monotonic() - began < 4.5


UNCLEAR = {
    **{
        f"{word.decode()} {name}": Smtp(at=word, interrupt=way)
        for word in (b"DATA", b".")
        for name, way in {**MULTILINE, "closes": closes}.items()
    },
    **{
        str(answer): Smtp({b".": answer})
        for answer in (b"what?\r\n", b"354 more\r\n", b"\r\n", b"999 \xff\r\n", b"251 perhaps\r\n")
    },
    "accepts before the message": Smtp({b"DATA": b"250 OK\r\n"}),
}
"""The servers that do not answer clearly to a message."""


@pytest.mark.slow
@pytest.mark.parametrize("server", UNCLEAR)
@pytest.mark.usefixtures("use_short_timeouts")
def test_unclear_answer_means_may_have_arrived(server: str) -> None:
    """A program that takes such an answer for a refusal sends a message twice."""
    with bad_server(UNCLEAR[server]) as port:
        assert isinstance(failure_of(account_at("smtp", port)), UncertainSendError)


@pytest.mark.usefixtures("use_short_timeouts")
def test_late_answer_is_not_taken_for_the_next_messages() -> None:
    """The server answers late to the first message, and refuses the second."""
    late = repeat_forever(b"250-wait\r\n", 0.05, b"250-")
    with bad_server(Smtp({b"RCPT": b"550 no\r\n"}, at=b"RSET", interrupt=late)) as port:
        account = account_at("smtp", port)
        with connect_smtp(account, login()) as connection:
            for _ in range(2):
                with pytest.raises(MailError):
                    connection.send(EmailMessage(), "bela@example.org", lambda: None)


def test_withheld_message_is_unreadable() -> None:
    with (
        bad_server(Imap({b"BODY": b"NO corrupt\r\n", b"SIZE": b"* 1 FETCH (UID 5)\r\n"})) as port,
        open_mailbox(account_at("imap", port), login()) as mailbox,
    ):
        assert mailbox.fetch_sizes([5]) == {5: 0}
        with pytest.raises(InputError):
            mailbox.fetch_message(5, 0)


def test_connection_closed_at_login_may_be_retried() -> None:
    with bad_server(Imap(at=b"LOGIN", interrupt=closes)) as port:
        assert "broke off" in str(failure_of(account_at("imap", port)))


@pytest.mark.parametrize(("kind", "word"), [("imap", b"LOGOUT"), ("smtp", b"QUIT")])
@pytest.mark.usefixtures("use_short_timeouts")
def test_slow_farewell_is_harmless(kind: str, word: bytes) -> None:
    server = SERVERS[kind](at=word, interrupt=WAYS["drips"])
    with bad_server(server) as port:
        use(account_at(kind, port))
    assert word in server.words


def test_deadline_grows_with_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchanges, "DEADLINE_FACTOR", 0.1)
    server = account_at("imap", 1).imap
    assert server is not None

    def slowly() -> int:
        time.sleep(0.5)
        return 7

    assert exchanges.run_exchange(server, 1, slowly, exchanges.MIN_BYTES_PER_SECOND) == 7
    with pytest.raises(MailError, match="too slow"):
        exchanges.run_exchange(server, 1, slowly)
    with pytest.raises(TooSlowError):
        run_with_deadline(0.1, slowly)
    for error in (TimeoutError(), KeyboardInterrupt(), ZeroDivisionError()):
        failing = Mock(side_effect=error)
        with pytest.raises(type(error)) as raised:
            run_with_deadline(1, failing)
        assert raised.value is error


# --- nonsense


NONSENSE = {
    "imap": [
        script(b"HTTP/1.1 400 Bad Request\r\n"), script(b"\x00\xff\x16\x03\r\n"),
        script(b""),
        script(b"* OK hello\r\n", b"what?\r\n"), script(b"* OK hello\r\n"),
        script(b"* OK hello\r\n", b"* CAPABILITY {99999999999999}\r\n"),
        script(b"* BYE too many of you\r\n"), repeats_reply(b"* OK ", b"x" * 10_000, 300),
    ],
    "smtp": [
        script(b"HTTP/1.1 400 Bad Request\r\n"), script(b"\x00\xff\x16\x03\r\n"),
        script(b""),
        script(b"220 hello\r\n", b"what?\r\n"), script(b"220 hello\r\n"),
        script(b"220 hello\r\n", b"-1 \xff\r\n"), script(b"\r\n"),
        script(b"421 too many of you\r\n"),
        repeats_reply(b"220 ", b"x" * 1000, 300),
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "behaves"), [(kind, item) for kind, some in NONSENSE.items() for item in some]
)
def test_nonsense_from_a_server_is_one_sentence(
    kind: str, behaves: Callable[[socket], None]
) -> None:
    with bad_server(behaves) as port:
        failure_of(account_at(kind, port))


IN_THE_MIDDLE = [
    (b"SELECT", b"* 1 EXISTS\r\n"),
    (b"SELECT", b"* OK [UIDVALIDITY x] ok\r\n"),
    (b"SELECT", b"* x EXISTS\r\n"),
    (b"SEARCH", b"* SEARCH five\r\n"),
    (b"SEARCH", b"* SEARCH 99999999999999999999999999\r\n"),
    (b"SIZE", b"* 1 FETCH (UID 5 RFC822.SIZE\r\n"),
    (b"SIZE", b"* 1 FETCH (UID 5 RFC822.SIZE big)\r\n"),
    (b"SIZE", b"* 1 FETCH (UID 5 RFC822.SIZE NIL)\r\n"),
    (b"SIZE", b"* 1 FETCH (UID 5 RFC822.SIZE 99999999999)\r\n"),
    (b"SIZE", b"* 1 FETCH ((((((((((((((((UID 5)\r\n"),
    (b"SIZE", b"* 1 FETCH " + b"(" * 5000 + b"\r\n"),
    (b"BODY", b"* 1 FETCH (UID 5 BODY[] {999999999999999}\r\n"),
    (b"BODY", b"* 1 FETCH (UID 5 BODY[] {-5}\r\n"),
    (b"BODY", b"* 1 FETCH (UID 5 BODY[] NIL)\r\n"),
    (b"BODY", b"* 1 FETCH (UID 5 FLAGS ())\r\n"),
    (b"BODY", b"* 1 FETCH \xff\xfe\r\n"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("word", "answer"), IN_THE_MIDDLE)
def test_nonsense_in_mid_session_is_one_sentence(word: bytes, answer: bytes) -> None:
    server = Imap({word: answer})
    with bad_server(server) as port, pytest.raises((MailError, InputError)) as failed:
        use(account_at("imap", port))
    assert "\n" not in str(failed.value)
    assert word in server.words
    assert b"STORE" not in server.words


def test_deleted_message_is_skipped() -> None:
    with (
        bad_server(Imap({b"SIZE": b"* 1 FETCH (UID 6 RFC822.SIZE 9)\r\n", b"BODY": b""})) as port,
        open_mailbox(account_at("imap", port), login()) as mailbox,
    ):
        assert mailbox.find_after(0) == [5]
        assert mailbox.fetch_sizes([5]) == {}
        assert mailbox.fetch_message(5, 9) is None


@pytest.mark.parametrize("refusal", [b"NO you may not\r\n", b"BAD what is that\r\n"])
def test_server_without_flags_is_read(anna: Player, joined: Path, refusal: bytes) -> None:
    server = Imap({b"STORE": refusal}, message=letter(joined.read_bytes()))
    with bad_server(server) as port:
        anna.set_up(settings_at("imap", port, more=f'folder = "{anna.folder}"'))
        assert "your move since" in anna.do("mail", "fetch").out
        assert anna.do("mail", "fetch").out == "No turn has arrived.\n"
    assert b"STORE" in server.words
