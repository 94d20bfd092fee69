"""One message, taken apart: what is in it, each part with what its headers say of it.

The library reads headers and takes multiparts apart, within the bounds that are set here: anybody
may have written what arrives.
"""

from __future__ import annotations

import codecs
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from typing import Any, NamedTuple

from language import phrase, plural
from pbem.errors import Unreadable
from pbem.mail.automatic import is_automatic
from pbem.mail.names import safe_name

MAX_MESSAGE = 8 * 1024 * 1024
MAX_LINES = 400_000
MAX_PARTS = 200
MAX_NESTING = 20
_LONGEST_HEADER = 16_384
_LONGEST_TOLD = 1000

_HEADER = re.compile(rb"(?:>?From [^\n]{1,500}|[!-9;-~]{1,100}:[^\n]*)\r?\n")
_PADDING = re.compile(r"(?<![ \t])[ \t]++(?=\r?\n)")
"""What is behind a line of quoted-printable, is of the way: RFC 2045, 6.7."""
_COUNTED = re.compile(rb"[0-9]{1,9} *\n")
"""The first line of a message as Apple Mail keeps it."""
_CHARSETS = (
    "utf",
    "iso8859",
    "latin",
    "cp",
    "koi8",
    "mac",
    "gb",
    "big5",
    "shift",
    "euc",
    "iso2022",
)
"""How the usual ones begin. Python knows others that are none, or take very long."""


class Part(NamedTuple):
    """Something in a message that is no multipart.

    `where` says to a player what it is, `name` is the safe name of an attachment, empty if it has
    none. `charset` is one that Python knows, or empty; `joins_words` says that it is format=flowed
    with DelSp=yes (RFC 3676).
    """

    where: str
    name: str
    data: bytes
    charset: str = ""
    is_html: bool = False
    joins_words: bool = False
    is_message: bool = False


class Envelope(NamedTuple):
    """What the headers of a message say; anybody may have written it, or left it out.

    `is_automatic` says that no answer by a program is to follow it.
    """

    sender: str = ""
    subject: str = ""
    date: str = ""
    message_id: str = ""
    is_automatic: bool = False


def is_message(data: bytes) -> bool:
    """Whether these bytes begin as a message does: with a header."""
    return _HEADER.match(_begin(data)) is not None


def parts_of(data: bytes) -> tuple[Envelope, Iterator[Part]]:
    """What the headers of a message say, and its parts in their order, those of others in it too.

    Raises Unreadable for a message beyond the bounds, also while the parts are gone through.
    """
    _check_size(data)
    try:
        message = _parse(_begin(data))
    except (MessageError, ValueError, LookupError, TypeError) as error:
        raise Unreadable(
            phrase("This message cannot be read ({error}).", error=type(error).__name__)
        ) from None
    return _envelope(message), _leaves(message)


def _check_size(data: bytes) -> None:
    if len(data) > MAX_MESSAGE:
        raise Unreadable(
            phrase(
                "This message is larger than {size} MiB: save the file that is attached to it, and "
                "give that.",
                size=MAX_MESSAGE // 2**20,
            )
        )
    if data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n") > MAX_LINES:
        raise Unreadable(phrase("This message has more lines than any with a save file."))


def _begin(data: bytes) -> bytes:
    """The message without what may stand before it."""
    data = data[:1024].removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n") + data[1024:]
    counted = _COUNTED.match(data)
    return data[counted.end() :] if counted else data


# --- the library, with bounds


class _Bounded(Compat32):
    """Takes headers as they are, but none that would take the library long."""

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        if sum(map(len, sourcelines)) > _LONGEST_HEADER:
            return sourcelines[0].partition(":")[0][:100], ""
        return super().header_source_parse(list(sourcelines))


class _Entity(Message):
    """A message or a part of one, which knows how deep it lies, and how many there are."""

    depth = 0
    root: _Entity
    parts = 0

    def attach(self, payload: Any) -> None:
        """Add a part; raises Unreadable where it is one too many, or lies too deep."""
        root = getattr(self, "root", self)
        payload.root, payload.depth = root, self.depth + 1
        root.parts += 1
        if payload.depth > MAX_NESTING:
            raise Unreadable(
                phrase(
                    "This message has parts within parts more than {depth} deep.", depth=MAX_NESTING
                )
            )
        if root.parts > MAX_PARTS:
            raise Unreadable(
                plural(
                    "This message has more than {count} part.",
                    "This message has more than {count} parts.",
                    MAX_PARTS,
                )
            )
        super().attach(payload)


def _parse(data: bytes) -> Message:
    return BytesParser(_Entity, policy=_Bounded()).parsebytes(data)


# --- parts


def _leaves(message: Message) -> Iterator[Part]:
    for entity in message.walk():
        if not entity.is_multipart():
            yield _part(entity)
        elif entity.get_content_maintype() == "message" and _encoding(entity) == "base64":
            # Against the rules, so that the library took it for a message without headers.
            inner = entity.get_payload(0)
            if isinstance(inner, Message) and isinstance(inner.get_payload(), str):
                data = _unarmoured(str(inner.get_payload()))
                yield _as_part(entity, data)


def _part(entity: Message) -> Part:
    return _as_part(entity, _content(entity))


def _as_part(entity: Message, data: bytes) -> Part:
    kind, name = entity.get_content_type(), safe_name(_told(entity.get_filename()))
    is_text = not name and entity.get_content_maintype() == "text"
    if name:
        where = phrase("the attachment {file}", file=name)
    elif is_text:
        where = phrase("the text of the message")
    else:
        where = phrase("an attachment without a name")
    flowed = str(entity.get_param("format", "")).lower() == "flowed"
    return Part(
        where,
        name,
        data,
        _charset(str(entity.get_content_charset(""))),
        is_html=kind == "text/html",
        joins_words=flowed and str(entity.get_param("delsp", "")).lower() == "yes",
        # One within the message was taken apart already, unless it was encoded or called otherwise.
        is_message=kind == "message/rfc822" or (not is_text and is_message(data)),
    )


def _content(entity: Message) -> bytes:
    encoding, raw = _encoding(entity), entity.get_payload()
    if encoding == "base64":
        return _unarmoured(raw) if isinstance(raw, str) else b""
    if encoding == "quoted-printable" and isinstance(raw, str):
        entity.set_payload(_PADDING.sub("", raw))
    try:
        content = entity.get_payload(decode=True)
    except (ValueError, LookupError, MessageError, AssertionError):
        return b""
    return content if isinstance(content, bytes) else b""


def _encoding(entity: Message) -> str:
    return str(entity.get("content-transfer-encoding", "")).partition("(")[0].strip(" ;").lower()


def _unarmoured(text: str) -> bytes:
    """Base64 up to its end, or as far as it goes: a message may be cut off anywhere."""
    characters = re.sub(rb"[^A-Za-z0-9+/=]", b"", text.encode("ascii", "ignore"))
    characters = characters.partition(b"=")[0]
    whole = len(characters) - (len(characters) % 4 == 1)
    return b64decode(characters[:whole] + b"=" * (-whole % 4))


def _charset(name: str) -> str:
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return known if known.startswith(_CHARSETS) else ""


# --- headers


def _envelope(message: Message) -> Envelope:
    headers = ("from", "subject", "date", "message-id")
    sender, subject, date, message_id = (_told(message.get(header)) for header in headers)
    return Envelope(sender, subject, date, message_id, is_automatic(_said_in(message)))


def _said_in(message: Message) -> Callable[[bytes], str]:
    return lambda name: str(message.get(name.decode(), ""))


def _told(value: object) -> str:
    """What a header says, decoded, and not at length."""
    if value is None:
        return ""
    raw = str(value)[: 4 * _LONGEST_TOLD]
    try:
        told = str(make_header(decode_header(raw)))
    except (MessageError, LookupError, ValueError):
        told = raw
    return " ".join(told[:_LONGEST_TOLD].split())
