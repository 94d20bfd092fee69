"""The account for a player's mail: what `[mail]` in the settings says.

It has no password. docs/mail.md.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.message import Message, mark, message_of, sentences
from pbem.errors import AcresError, Unreadable, WrongUse
from pbem.errors.rule import Rule
from pbem.mail.address import PATTERN
from pbem.play.config import Config
from pbem.protocol.schema import Codec, Integer, Malformed, OneOf, Pattern, Visible

TLS, STARTTLS, NONE = "tls", "starttls", "none"
"""Encrypted from the start; from a command on; not at all."""
SECONDS = 20
"""How long a server is waited for, usually."""
INBOX = "INBOX"
NOWHERE = "-"
"""Stands for no folder, where one is named for copies of what was sent."""

_MISSING = {
    "smtp": mark("{file} names no outgoing mail server, in [mail.smtp]."),
    "imap": mark("{file} names no incoming mail server, in [mail.imap]."),
}
PORTS = {"smtp": {TLS: 465, STARTTLS: 587, NONE: 25}, "imap": {TLS: 993, STARTTLS: 143, NONE: 143}}
"""Where servers listen, usually."""

_ONE_LINE = Visible(1, 255, mark("must be one line of text, and not empty"))
_SERVER: dict[str, Codec] = {
    "host": Pattern(
        r"[A-Za-z0-9:]([A-Za-z0-9.:_-]{0,252}[A-Za-z0-9])?", mark("must be the name of a server")
    ),
    "port": Integer(1, 65535),
    "security": OneOf(TLS, STARTTLS, NONE),
    "user": _ONE_LINE,
}
_USUAL = frozenset({"port", "security", "user"})
"""What need not be said of a server."""
_MAIL: dict[str, Codec] = {
    "address": Pattern(
        PATTERN, mark("must be an e-mail address, such as anna@example.org, without a name")
    ),
    "folder": _ONE_LINE,
    "ca": _ONE_LINE,
    "copies": _ONE_LINE,
    "timeout": Integer(1, 600),
}


_LEFT_OUT = frozenset({"folder", "ca", "copies", "timeout"})
"""What need not be said of an account."""


class NoSecurity(WrongUse):
    """A `value` that is none of the `ways` to encrypt."""

    def __init__(self, value: str, ways: tuple[str, ...]) -> None:
        super().__init__(
            "The security of a server is one of {values}; not “{value}”.",
            values=", ".join(ways),
            value=value,
        )
        self.value, self.ways = value, ways


@dataclass(frozen=True)
class Server:
    """A mail server, and as whom the player logs in there; `kind` is `smtp` or `imap`."""

    kind: str
    host: str
    port: int
    security: str
    user: str

    @classmethod
    def of(cls, kind: str, text: str, security: str | None, user: str) -> Server | None:
        """The server that a text such as `mail.example.org:465` means; None for `-`.

        Raises WrongUse for what is no port, or no way to encrypt.
        """
        if text == "-":
            return None
        host, colon, port = text.rpartition(":")
        if not colon:
            host, port = text, ""
        ports = PORTS[kind]
        if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 2**16):
            raise WrongUse(
                "The port of a server is a number, as in {example}; not “{port}”.",
                example=f"{host}:{ports[TLS]}",
                port=port,
            )
        if security is None:
            # Of two that share a port, the one that encrypts comes first.
            by_port = {number: how for how, number in reversed(ports.items())}
            security = by_port.get(int(port), TLS) if port else TLS
        elif security not in ports:
            raise NoSecurity(security, tuple(ports))
        return cls(kind, host, int(port or ports[security]), security, user)

    @property
    def told(self) -> Message:
        """Where it is, and how the player gets in."""
        # Translators: {security} is tls, starttls or none, as in the settings.
        return Message(
            "{host}, port {port}, as {user}, encrypted by {security}.",
            host=self.host,
            port=str(self.port),
            user=self.user,
            security=self.security,
        )

    @property
    def is_here(self) -> bool:
        """Whether it is on this computer, so that nobody can listen on the way."""
        if self.host.lower() == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def check_safe(self) -> None:
        """Raise ValueError, with a sentence but for its full stop, where others could listen."""
        if self.security == NONE and not self.is_here:
            raise ValueError(
                # Translators: it ends with the full stop of the message it stands in.
                Message(
                    'security = "{security}" is only for servers on this computer: everybody '
                    "between here and {host} could read the password",
                    security=NONE,
                    host=self.host,
                )
            )


@dataclass(frozen=True)
class Account:
    """A player's mail account.

    `smtp` is None where nothing can be sent, `imap` where nothing can be fetched. `mailbox` is the
    folder on the server that is looked through. `folder` is where files of games go of which no
    file is known, None for the current one; `ca` holds the authorities that are trusted instead of
    the usual ones. `timeout` is in seconds. `copies` is the folder on the server for what was sent,
    empty for the one that the server calls so.
    """

    address: str
    smtp: Server | None
    imap: Server | None
    mailbox: str = INBOX
    folder: Path | None = None
    ca: Path | None = None
    timeout: int = SECONDS
    copies: str = ""

    @classmethod
    def given(
        cls,
        address: str,
        smtp: str,
        imap: str,
        *,
        security: str | None = None,
        user: str | None = None,
        mailbox: str | None = None,
        folder: Path | None = None,
        ca: Path | None = None,
    ) -> Account:
        """Return the account of that address at these servers, each a text as for `Server.of`.

        Raises WrongUse where it could not be read again out of the settings.
        """
        account = cls(
            address,
            Server.of("smtp", smtp, security, user or address),
            Server.of("imap", imap, security, user or address),
            mailbox or INBOX,
            folder and folder.expanduser().absolute(),
            ca and ca.expanduser().absolute(),
        )
        account._check()
        return account

    @classmethod
    def of(cls, config: Config) -> Account | None:
        """The account in the settings; None where none is set. Raises Unreadable."""
        if "mail" not in config.tables:
            return None
        within = {"smtp": _Below(), "imap": _Below()}
        mail = config.table("mail", _MAIL | within, _LEFT_OUT | set(within))
        assert mail is not None
        imap = config.table("mail.imap", _SERVER | {"folder": _ONE_LINE}, _USUAL | {"folder"})
        smtp = config.table("mail.smtp", _SERVER, _USUAL)
        return cls(
            mail["address"],
            _server(config, "smtp", smtp, mail["address"]) if smtp else None,
            _server(config, "imap", imap, mail["address"]) if imap else None,
            imap.get("folder", INBOX) if imap else INBOX,
            _path(mail.get("folder")),
            _path(mail.get("ca")),
            mail.get("timeout", SECONDS),
            mail.get("copies", ""),
        )

    @classmethod
    def own(cls, settings: Path, command: str, *kinds: str) -> Account:
        """The account in the settings, where it has servers of these kinds; else raises WrongUse.

        Raises Unreadable too; `command` is how the program is called.
        """
        account, setup = cls.of(Config.read(settings)), f"{command} mail setup"
        if account is None:
            raise WrongUse(
                "No mail account is set up. To set one up: {setup}. You can also do without: "
                "{draft} FILE writes a message for your mail program.",
                setup=setup,
                draft=f"{command} mail draft",
            )
        missing = next((kind for kind in kinds if account.at(kind) is None), None)
        if missing:
            told = Message(_MISSING[missing], file=settings)
            raise WrongUse(sentences(told, Message("To set it up: {command}", command=setup)))
        return account

    def at(self, kind: str) -> Server | None:
        """The server of that kind; None where there is none."""
        return self.smtp if kind == "smtp" else self.imap

    @property
    def servers(self) -> list[Server]:
        """Those that there are."""
        return [server for server in (self.smtp, self.imap) if server]

    def _check(self) -> None:
        if not self.servers:
            raise WrongUse("An account needs an outgoing mail server, an incoming one, or both.")
        try:
            # Translators: instead of the name of a file with settings that are wrong.
            given = Message("What you gave")
            Account.of(Config(Path(), {"mail": self.table()}, given))
        except Unreadable as error:
            raise WrongUse(message_of(error)) from None

    def table(self) -> dict[str, Any]:
        """What stands in the settings for it; `of` reads the same account there."""
        table: dict[str, Any] = {"address": self.address}
        table |= {
            key: str(path) for key, path in (("folder", self.folder), ("ca", self.ca)) if path
        }
        if self.timeout != SECONDS:
            table["timeout"] = self.timeout
        if self.copies:
            table["copies"] = self.copies
        for server in self.servers:
            below = {"host": server.host, "port": server.port, "security": server.security}
            table[server.kind] = below
            if server.user != self.address:
                below["user"] = server.user
            if server.kind == "imap" and self.mailbox != INBOX:
                below["folder"] = self.mailbox
        return table


def can_send(settings: Path) -> bool:
    """Whether an account to send by is in the settings, as far as these can be read."""
    account = _account_in(settings)
    return account is not None and account.smtp is not None


def folder_for_files(settings: Path) -> Path | None:
    """Where files of games go of which no file is known; None where the settings do not tell."""
    account = _account_in(settings)
    return account.folder.absolute() if account is not None and account.folder else None


def _account_in(settings: Path) -> Account | None:
    try:
        return Account.of(Config.read(settings)) if settings.exists() else None
    except (AcresError, OSError):
        return None


class _Below(Codec):
    """A table within a table, which is read by itself."""

    def read(self, plain: object) -> Any:
        if not isinstance(plain, dict):
            raise Malformed(Message("must be a table"), Rule.KEYS)
        return plain


def _server(config: Config, kind: str, table: dict[str, Any], address: str) -> Server:
    security = table.get("security", TLS)
    port, user = table.get("port", PORTS[kind][security]), table.get("user", address)
    server = Server(kind, table["host"], port, security, user)
    try:
        server.check_safe()
    except ValueError as error:
        raise Unreadable(
            "{file}, in [{table}]: {reason}.",
            file=config.file,
            table=f"mail.{kind}",
            reason=error,
        ) from None
    return server


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text).expanduser()
