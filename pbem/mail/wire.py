"""Connections to mail servers that can neither hang a command nor fill its memory.

Whoever answers at the other end may be broken, or somebody else: each exchange with it has one
deadline over all, and a bound on what it may bring. Both hold for every byte that comes or goes,
of a greeting, of the encryption, of a login or of a message.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from pbem.mail.connecting import TooMuch, TooSlow, talking_to, trusting

if TYPE_CHECKING:
    from pbem.mail.account import Account, Server

SILENCES = 4
"""So many times as long as for the next byte a server is waited for in one exchange."""
SLOWEST = 8 * 1024
"""Bytes in a second, for which an exchange may last longer: as slow as a modem was."""
MOST_SAID = {"smtp": 64 * 1024, "imap": 1024 * 1024}
"""So many bytes a server may say in one exchange, beside literals."""
MOST_NAMED = 64 * 1024
"""So many bytes of literals may be in an answer where none is asked for: names of folders."""


class Wire:
    """A connection to a server, of one exchange after the other.

    Until an exchange begins nothing may pass.
    """

    def __init__(self, server: Server, timeout: int) -> None:
        self._server = server
        self._timeout = timeout
        self._silence = 0.0
        self._deadline = 0.0
        self._left = 0
        self._left_in_literals = 0

    @contextmanager
    def exchange(self, literals: int = MOST_NAMED) -> Iterator[None]:
        """Say something and hear the answer, with so many bytes of `literals` in it at most.

        Raises MailFailed for what goes wrong with the connection.
        """
        self.begin(literals=literals)
        with talking_to(self._server, self._timeout):
            yield

    def begin(self, *, patience: int = 1, literals: int = 0) -> None:
        """The same, where an OSError has to stay one; `patience` is by how much it may be slower.

        TooSlow and TooMuch are among those errors.
        """
        self._silence = float(self._timeout * patience)
        self._deadline = monotonic() + SILENCES * self._silence
        self._left = MOST_SAID[self._server.kind]
        self._left_in_literals = literals

    def connected(self) -> socket.socket:
        """A new connection, not yet encrypted; raises OSError where nobody answers."""
        server = self._server
        plain = socket.create_connection((server.host, server.port), self._timeout)
        bounded: socket.socket = self._as_bounded(_Plain)(fileno=plain.detach())
        return bounded

    def trusting(self, account: Account) -> ssl.SSLContext:
        """How the server has to prove who it is, over a connection that stays bounded.

        Raises WrongUse as the function of that name.
        """
        context = trusting(account)
        context.sslsocket_class = self._as_bounded(_Encrypted)
        return context

    def expect(self, size: int) -> None:
        """See that a literal of that size may come; raises TooMuch where it may not."""
        if size > self._left_in_literals:
            raise TooMuch
        self._left_in_literals -= size
        self._left += size

    def _as_bounded(self, kind: type[Any]) -> type[Any]:
        """That kind of socket, of this connection: the libraries make it themselves."""
        return type(kind.__name__, (kind,), {"wire": self})

    @contextmanager
    def waiting(self, sock: socket.socket, size: int = 0) -> Iterator[None]:
        """Wait for the other end, which has so many bytes to take; raises TooSlow."""
        self._deadline += size / SLOWEST
        left = self._deadline - monotonic()
        if left <= 0:
            raise TooSlow
        sock.settimeout(min(self._silence + size / SLOWEST, left))
        try:
            yield
        except TimeoutError:
            if monotonic() >= self._deadline:
                raise TooSlow from None
            raise

    def took(self, size: int) -> None:
        """Count what has come; raises TooMuch where that is more than may come."""
        self._left -= size
        if self._left < 0:
            raise TooMuch
        self._deadline += size / SLOWEST


class _Bounded:
    """A socket that waits as long, and takes as much, as its wire allows.

    These are the ways by which the libraries read and write, in one version of Python or another.
    """

    wire: Wire

    def recv(self, *given: Any) -> bytes:
        with self.wire.waiting(self):  # type: ignore[arg-type]
            data: bytes = super().recv(*given)  # type: ignore[misc]
        self.wire.took(len(data))
        return data

    def recv_into(self, *given: Any) -> int:
        with self.wire.waiting(self):  # type: ignore[arg-type]
            size: int = super().recv_into(*given)  # type: ignore[misc]
        self.wire.took(size)
        return size

    def sendall(self, data: Any, *given: Any) -> None:
        with self.wire.waiting(self, len(data)):  # type: ignore[arg-type]
            super().sendall(data, *given)  # type: ignore[misc]


class _Plain(_Bounded, socket.socket):
    pass


class _Encrypted(_Bounded, ssl.SSLSocket):
    def do_handshake(self, block: bool = False) -> None:
        with self.wire.waiting(self):
            super().do_handshake(block)
