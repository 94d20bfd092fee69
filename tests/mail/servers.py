"""Mail servers on loopback: a post office of aiosmtpd and Dovecot, and ports with bad servers.

Mail sent by SMTP is delivered to the inboxes of its recipients, unless `faults` prevent it.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session

from tests.mail.certificates import Authority, Certificate
from tests.mail.dovecot import Dovecot, free_ports

MAX_BYTES = 4 * 2**20
"""The maximum size of a message that the SMTP server accepts, in bytes."""

Deliver = Callable[[str, bytes], None]


@dataclass
class Faults:
    """The faults of a post office.

    `recipient_refusal` answers RCPT, and `message_refusal` answers a message; messages with the
    `refused_word` are refused too. `hangs_up` closes the connection after a message was delivered,
    and `delay` waits that many seconds, both before the server answers. At most `max_delivered`
    bytes of a message are delivered, `delivers_twice` delivers it twice, and if the office
    `holds_mail`, messages wait for `PostOffice.release`.
    """

    recipient_refusal: str = ""
    message_refusal: str = ""
    refused_word: str = ""
    hangs_up: bool = False
    delay: float = 0.0
    max_delivered: int | None = None
    delivers_twice: bool = False
    holds_mail: bool = False
    waiting: list[tuple[str, bytes]] = field(default_factory=list)


class _Handler:
    """The handler of SMTP commands."""

    def __init__(self, office: PostOffice) -> None:
        self._office = office

    async def handle_RCPT(  # noqa: N802 - so aiosmtpd calls it
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        faults = self._office.faults
        if faults.recipient_refusal:
            return faults.recipient_refusal
        if address not in self._office.passwords:
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 - so aiosmtpd calls it
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        import asyncio

        faults = self._office.faults
        if faults.message_refusal:
            return faults.message_refusal
        content = envelope.original_content or b""
        if faults.refused_word and faults.refused_word.encode() in content:
            return "554 5.7.1 Not that one"
        self._office.messages.append(content)
        self._office.senders.append(envelope.mail_from or "")
        for address in envelope.rcpt_tos:
            self._office.deliver_sent(address, content)
        if faults.hangs_up:
            server.transport.abort()
        await asyncio.sleep(faults.delay)
        return "250 OK"


class PostOffice:
    """An SMTP server and an IMAP server, with a mailbox for each address.

    `smtp` and `imap` offer STARTTLS; `smtps` and `imaps` are encrypted from the start. A sender has
    to log in. `authority` signed the certificates. `messages` are all messages that the SMTP server
    accepted, unchanged, and `senders` are the senders in their envelopes.
    """

    def __init__(self, authority: Authority, imap: Dovecot) -> None:
        self.authority = authority
        self.dovecot = imap
        self.smtp, self.smtps = free_ports(2)
        self.imap, self.imaps = imap.plain, imap.tls
        self.passwords: dict[str, str] = {}
        self.messages: list[bytes] = []
        self.senders: list[str] = []
        self.faults = Faults()

    def open_account(self, address: str, password: str) -> None:
        """Create an empty mailbox for an address, or change its password."""
        if self.passwords.get(address) != password:
            self.dovecot.add_user(address, password)
        self.passwords[address] = password

    def deliver_sent(self, address: str, message: bytes) -> None:
        """Deliver a message sent by SMTP, with the current faults."""
        for _ in range(2 if self.faults.delivers_twice else 1):
            if self.faults.holds_mail:
                self.faults.waiting.append((address, message))
            else:
                self.deliver(address, message[: self.faults.max_delivered])

    def deliver(self, address: str, message: bytes) -> None:
        """Put a message into an inbox."""
        self.dovecot.deliver(address, message)

    def release(self, order: Callable[[list[Any]], Any] = iter) -> None:
        """Deliver the held messages, in an order, for example `reversed`."""
        held, self.faults.waiting = self.faults.waiting, []
        for address, message in order(held):
            self.deliver(address, message)

    def inbox(self, address: str) -> list[bytes]:
        """Return all messages in an inbox, in order of arrival."""
        return self.dovecot.messages(address)

    def clear(self, address: str) -> None:
        """Remove all messages from an inbox."""
        self.dovecot.clear(address)

    def message_ids(self) -> list[str]:
        """Return the Message-ID of each message that the SMTP server accepted."""
        return [str(message_from_bytes(messages)["Message-ID"]) for messages in self.messages]

    def config(self, address: str, *, starttls: bool = False, **more: str) -> str:
        """Return the settings for an address; `more` are keys of [mail]."""
        security = "starttls" if starttls else "tls"
        keys = {"address": address, "ca": str(self.authority.certificate)} | more
        lines = ["[mail]", *(f'{key} = "{value}"' for key, value in keys.items()), "timeout = 5"]
        ports = (self.smtp, self.imap) if starttls else (self.smtps, self.imaps)
        for kind, port in zip(("smtp", "imap"), ports, strict=True):
            lines += [f"[mail.{kind}]", 'host = "localhost"', f"port = {port}"]
            lines += [f'security = "{security}"']
        return "\n".join([*lines, ""])


@contextmanager
def post_office(authority: Authority, imap: Dovecot, certificate: Certificate) -> Iterator[Any]:
    """Run a post office until the end of the block."""
    office = PostOffice(authority, imap)
    common: dict[str, Any] = {
        "hostname": "127.0.0.1",
        "authenticator": _authenticator(office),
        "auth_required": True,
        "data_size_limit": MAX_BYTES,
    }
    plain = Controller(
        _Handler(office),
        port=office.smtp,
        tls_context=_server_context(certificate),
        require_starttls=True,
        **common,
    )
    # This controller does not know that its connections are encrypted already.
    tls = Controller(
        _Handler(office),
        port=office.smtps,
        ssl_context=_server_context(certificate),
        auth_require_tls=False,
        **common,
    )
    plain.start()
    tls.start()
    try:
        yield office
    finally:
        plain.stop()
        tls.stop()


def _authenticator(office: PostOffice) -> Callable[..., AuthResult]:
    def check(
        server: Any, session: Session, envelope: Envelope, mechanism: str, credentials: Any
    ) -> AuthResult:
        known = isinstance(credentials, LoginPassword) and (
            office.passwords.get(credentials.login.decode()) == credentials.password.decode()
        )
        return AuthResult(success=known, handled=known)

    return check


def _server_context(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.chain, certificate.key)
    return context


# --- doors where all goes wrong

Behaviour = Callable[[socket.socket], None]


@contextmanager
def bad_server(behaves: Behaviour, certificate: Certificate | None = None) -> Iterator[int]:
    """Open a port with a server of this behaviour, encrypted if there is a certificate."""
    context = _server_context(certificate) if certificate else None
    open_sockets: list[socket.socket] = []

    def serve(caller: socket.socket) -> None:
        with suppress(OSError), caller:
            if context is None:
                behaves(caller)
            else:
                with context.wrap_socket(caller, server_side=True) as wrapped:
                    behaves(wrapped)

    def accept(listener: socket.socket) -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            open_sockets.append(caller)
            threading.Thread(target=serve, args=(caller,), daemon=True).start()

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        try:
            yield listener.getsockname()[1]
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            for open_socket in open_sockets:
                with suppress(OSError):
                    open_socket.close()


def silent(caller: socket.socket) -> None:
    """Send nothing, for longer than any client waits."""
    time.sleep(30)


def script(*answers: bytes) -> Behaviour:
    """Greet with the first answer, answer each line with the next, and then hang up."""

    def behave(caller: socket.socket) -> None:
        lines = caller.makefile("rb")
        for number, answer in enumerate(answers):
            if number and not lines.readline():
                return
            caller.sendall(answer)
        lines.readline()

    return behave


def repeats_reply(greeting: bytes, piece: bytes, times: int) -> Behaviour:
    """Greet, and send one piece of text several times, without listening."""

    def behave(caller: socket.socket) -> None:
        caller.sendall(greeting)
        for _ in range(times):
            caller.sendall(piece)
        time.sleep(1)

    return behave


def free_port() -> int:
    """Return a port on which no server listens."""
    return free_ports(1)[0]
