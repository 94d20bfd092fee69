"""A player's mail account, without its password, from the table `[mail]` of the settings.

docs/mail.md describes the settings.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.message import Message, mark, sentences
from pbem.errors import AcresError, InputError, UsageError
from pbem.errors.rule import Rule
from pbem.foreign import display_address
from pbem.play.config import Config
from pbem.play.home import expand
from pbem.protocol.schema import Codec, Integer, OneOf, Pattern, SchemaError, Visible

TLS, STARTTLS, NONE = SECURITIES = ("tls", "starttls", "none")
"""The kinds of encryption: from the start, by a command after the greeting, or none."""
DEFAULT_TIMEOUT = 20
"""The default timeout for each answer of a server, in seconds."""
INBOX = "INBOX"
NO_COPIES = "-"
"""The text typed instead of a server, or of the folder for copies of sent mail, to have none."""
PORTS = {"smtp": {TLS: 465, STARTTLS: 587, NONE: 25}, "imap": {TLS: 993, STARTTLS: 143, NONE: 143}}
"""The default ports, by kind of server and of encryption."""

_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ADDRESS = rf"(?=.{{1,254}}\Z){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"
_MISSING = {
    "smtp": mark("{file} names no outgoing mail server, in [mail.smtp]."),
    "imap": mark("{file} names no incoming mail server, in [mail.imap]."),
}
_ONE_LINE = Visible(1, 255, mark("must be one line of text, and not empty"))
_SERVER: dict[str, Codec] = {
    "host": Pattern(
        r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|"
        # An address of IPv6, perhaps with a zone, and in brackets as in a URL.
        r"\[?(?=.*::|(.*:){6})[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]{1,15})?\]?",
        mark("must be the name of a server"),
    ),
    "port": Integer(1, 65535),
    "security": OneOf(*SECURITIES),
    "user": _ONE_LINE,
}


class _Table(Codec):
    """A table within a table; its content is checked when it is read itself."""

    def read(self, plain: object) -> Any:
        if not isinstance(plain, dict):
            raise SchemaError(Message("must be a table"), Rule.KEYS)
        return plain


_MAIL: dict[str, Codec] = {
    "address": Pattern(
        _ADDRESS, mark("must be an e-mail address, such as anna@example.org, without a name")
    ),
    "folder": _ONE_LINE,
    "ca": _ONE_LINE,
    "copies": _ONE_LINE,
    "timeout": Integer(1, 600),
    "smtp": _Table(),
    "imap": _Table(),
}
_IMAP = _SERVER | {"folder": _ONE_LINE}
SETTINGS: dict[str, Codec] = {
    f"mail.{prefix}{key}": codec
    for prefix, codecs in (("", _MAIL), ("smtp.", _SERVER), ("imap.", _IMAP))
    for key, codec in codecs.items()
    if not isinstance(codec, _Table)
}
"""All settings of an account, as paths in the settings, with their codecs."""


def is_address(text: str) -> bool:
    """Return True if a text is an e-mail address in ASCII, without a name.

    >>> is_address("zoe@example.org"), is_address("Zoé <zoe@example.org>"), is_address("a@b, c@d")
    (True, False, False)
    """
    return re.fullmatch(_ADDRESS, text) is not None


def check_address(text: str) -> None:
    """Raise UsageError, with an example, if a text is not an e-mail address."""
    if not is_address(text):
        raise UsageError(
            "{address} is not an e-mail address: an address looks like anna@example.org, without a "
            "name.",
            address=display_address(text),
        )


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server and the player's user name there; `kind` is `smtp` or `imap`."""

    kind: str
    host: str
    port: int
    security: str
    user: str

    @property
    def description(self) -> Message:
        """A sentence with the server's host, port, user and encryption."""
        # Translators: {security} is one of the words tls, starttls and none.
        return Message(
            "{host}, port {port}, as {user}, encrypted by {security}.",
            host=self.host,
            port=str(self.port),
            user=self.user,
            security=self.security,
        )

    @property
    def is_local(self) -> bool:
        """True if the server is on this computer, so that no network lies in between."""
        if self.host.lower() == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class Account:
    """A player's mail account.

    `smtp` is None if the account cannot send, and `imap` is None if it cannot fetch. `mailbox` is
    the IMAP folder to fetch from. Files of games that are new to the library are saved in `folder`,
    or in the current folder if it is None. `ca` is a file of authorities to trust instead of the
    system's. `timeout` is in seconds. `copies` is the IMAP folder for copies of sent mail, or empty
    for the server's default.
    """

    address: str
    smtp: Server | None
    imap: Server | None
    mailbox: str = INBOX
    folder: Path | None = None
    ca: Path | None = None
    timeout: int = DEFAULT_TIMEOUT
    copies: str = ""

    @classmethod
    def from_config(cls, config: Config) -> Account | None:
        """Return the account in the settings, or None if there is none. Raises InputError."""
        mail = config.table("mail", _MAIL, frozenset(_MAIL.keys() - {"address"}))
        if mail is None:
            return None
        address, paths = mail["address"], (mail.get("folder"), mail.get("ca"))
        folder, ca = (expand(path) if path else None for path in paths)
        return cls(
            address,
            _server(config, "smtp", address),
            _server(config, "imap", address),
            mail.get("imap", {}).get("folder", INBOX),
            folder,
            ca,
            mail.get("timeout", DEFAULT_TIMEOUT),
            mail.get("copies", ""),
        )

    @classmethod
    def load(cls, settings: Path, command: str, *kinds: str) -> Account:
        """Return the account in the settings file, which must have a server of each kind.

        Raises UsageError, with the next step, if the account or a server is missing, and
        InputError. `command` is the name of the program.
        """
        account, setup = cls.from_config(Config.read(settings)), f"{command} mail setup"
        if account is None:
            raise UsageError(
                "No mail account is set up. To set one up: {setup}. You can also do without: "
                "{draft} FILE writes a message for your mail program.",
                setup=setup,
                draft=f"{command} mail draft",
            )
        available = {server.kind for server in account.servers}
        missing = next((kind for kind in kinds if kind not in available), None)
        if missing:
            next_step = Message("To set it up: {command}", command=setup)
            raise UsageError(sentences(Message(_MISSING[missing], file=settings), next_step))
        return account

    @property
    def servers(self) -> list[Server]:
        """The servers that are set up."""
        return [server for server in (self.smtp, self.imap) if server]


def can_send(settings: Path) -> bool:
    """Return True if the settings have an SMTP server, or cannot be read.

    If they cannot be read, an attempt to send reports the error.
    """
    try:
        account = Account.from_config(Config.read(settings))
    except AcresError:
        return True
    return account is not None and account.smtp is not None


def parse_server(kind: str, text: str, security: str | None) -> dict[str, Any] | None:
    """Return the table of settings for a server such as `mail.example.org:465`, or None for `-`.

    Raises UsageError if the port is not a number.

    >>> parse_server("smtp", "mail.example.org:587", None)
    {'host': 'mail.example.org', 'port': 587, 'security': 'starttls'}
    """
    if text == NO_COPIES:
        return None
    # An IPv6 address has colons of its own; with a port it is in brackets.
    parts = re.fullmatch(r"(\[.*\]|[^:]*)(?::([^:\]]*))?", text)
    host, port = (parts[1], parts[2] or "") if parts else (text, "")
    ports = PORTS[kind]
    if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 2**16):
        raise UsageError(
            "The port of a server is a number, as in {example}; not “{port}”.",
            example=f"{host}:{ports[TLS]}",
            port=port,
        )
    # If two kinds of encryption share a port, the last assignment wins: the encrypted one.
    by_port = {number: kind for kind, number in reversed(ports.items())}
    security = security or (by_port.get(int(port), TLS) if port else TLS)
    return {"host": host.strip("[]"), "port": int(port or ports[security]), "security": security}


def _server(config: Config, kind: str, address: str) -> Server | None:
    """Return a server in the settings, or None if there is none.

    Raises InputError if the password would travel unencrypted.
    """
    codecs = _IMAP if kind == "imap" else _SERVER
    table = config.table(f"mail.{kind}", codecs, frozenset(codecs.keys() - {"host"}))
    if table is None:
        return None
    security = table.get("security", TLS)
    port, user = table.get("port", PORTS[kind][security]), table.get("user", address)
    server = Server(kind, table["host"].strip("[]"), port, security, user)
    if security == NONE and not server.is_local:
        raise InputError(
            "{file}, in [{table}]: {reason}.",
            file=config.file,
            table=f"mail.{kind}",
            # Translators: without a full stop, because “{file}, in [{table}]: {reason}.” has it.
            reason=Message(
                'security = "{security}" is only for servers on this computer: everybody between '
                "here and {host} could read the password",
                security=NONE,
                host=server.host,
            ),
        )
    return server
