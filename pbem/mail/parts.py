"""One message, taken apart: what is in it, each part with what its headers say about it.

Not by `email`, which copies a message several times over, and looks at each of its lines as often
as parts lie within each other. This reader goes over a message once for each depth, within the
bounds that are set here: anybody may have written what arrives. Whatever goes wrong inside, in any
part of the letter or of a library, ends in one sentence; so does what takes too long (`let_in`).
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Callable, Iterator
from time import process_time
from typing import NamedTuple, TypeVar

from engine.message import Message, Said
from pbem.errors import Unreadable
from pbem.foreign import safe_name
from pbem.mail.found import Envelope
from pbem.mail.header import (
    Header,
    header_at,
    kind_in,
    known_charset,
    parameters_in,
    told,
    unarmoured,
)
from pbem.play.new_files import MAX_MESSAGE as MAX_MESSAGE
from pbem.savefile.document import forget

LONGEST = 1.0
"""Seconds of processor time that one letter may cost before it is given up; what is being done then
goes on to its end, which takes less than that long again.
"""
MAX_LINES = 400_000
MAX_PARTS = 200
MAX_NESTING = 20

_HEADER = re.compile(rb"(?:>?From [^\n]{1,500}|[!-9;-~]{1,100}:[^\n]*)\r?\n")
_BEFORE = re.compile(rb"(?:%b)?[\r\n]{0,1000}(?:[0-9]{1,9} *\n)?" % codecs.BOM_UTF8)
"""What may stand before a message; the last is the first line of one as Apple Mail keeps it."""
_PADDING = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n)")
"""What is behind a line of quoted-printable, is of the way: RFC 2045, 6.7."""
_LINE_BREAK = re.compile(rb"\r\n?|\n")
_T = TypeVar("_T")


# --- the one way by which the bytes of a letter come in


class LetterUnreadable(Unreadable):
    """A letter that cannot be read: out of bounds, too dear, or made to break its reader."""


class TooDear(LetterUnreadable):
    """A letter that was given up because it took too long."""


class Budget:
    """What it may cost to read one letter, from now on; asked as it goes."""

    def __init__(self, seconds: float = LONGEST, clock: Callable[[], float] = process_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def check(self) -> None:
        """Raise TooDear once it is spent."""
        if self._clock() > self._end:
            raise TooDear(
                Message(
                    "This message takes too long to read: save the file that is attached to it, "
                    "and give that."
                )
            )


def let_in(read: Callable[[bytes, Budget], _T], data: bytes) -> _T:
    """What `read` makes of the bytes of a letter; raises Unreadable, and nothing else, for none."""
    try:
        return read(data, Budget())
    except Unreadable:
        raise
    except Exception as error:
        raise LetterUnreadable(
            "This message cannot be read ({error}).", error=type(error).__name__
        ) from None
    finally:
        forget()


# --- what is in it


class Part(NamedTuple):
    """Something in a message that is no multipart.

    `where` says to a player what it is, `name` is the safe name of an attachment, empty if it has
    none. `charset` is one that Python knows, or empty; `joins_words` says that it is format=flowed
    with DelSp=yes (RFC 3676).
    """

    where: Said
    name: str
    data: bytes
    charset: str = ""
    is_html: bool = False
    joins_words: bool = False
    is_message: bool = False


def is_message(data: bytes) -> bool:
    """Whether these bytes begin as a message does: with a header."""
    return _HEADER.match(data, _start(data)) is not None


def envelope_of(message: bytes) -> Envelope:
    """What the headers of a message say, also where nothing else of it can be read."""
    try:
        return let_in(lambda data, _: _header(data).envelope, message)
    except Unreadable:
        return Envelope()


def parts_of(data: bytes, budget: Budget) -> tuple[Envelope, Iterator[Part]]:
    """What the headers of a message say, and its parts in their order, those of others in it too.

    Raises LetterUnreadable for a message beyond the bounds, also while the parts are gone through.
    """
    if len(data) > MAX_MESSAGE:
        raise LetterUnreadable(
            "This message is larger than {size} MiB: save the file that is attached to it, and "
            "give that.",
            size=MAX_MESSAGE // 2**20,
        )
    check_lines(data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n"))
    return _header(data).envelope, _Message(data, budget).parts(_start(data), len(data))


def check_lines(count: int) -> None:
    """Raise LetterUnreadable where a message has more lines than it may."""
    if count > MAX_LINES:
        raise LetterUnreadable("This message has more lines than any with a save file.")


def _start(data: bytes) -> int:
    """Where the message begins, behind what may stand before it."""
    before = _BEFORE.match(data)
    return before.end() if before else 0


def _header(data: bytes) -> Header:
    return header_at(data, _start(data), len(data))[0]


# --- structure


class _Message:
    """A message on its way through: how many parts were found in it so far."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._data = data
        self._budget = budget
        self._parts = 0

    def parts(
        self, start: int, end: int, usual: str = "text/plain", depth: int = 0
    ) -> Iterator[Part]:
        """The parts of what stands there; `usual` is its type where its header names none."""
        self._budget.check()
        header, body = header_at(self._data, start, end)
        content = header.value(b"content-type")
        kind = kind_in(content, usual)
        main = kind.partition("/")[0]
        if main == "multipart":
            boundary = parameters_in(content).get("boundary", "").rstrip()
            within = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            is_split = False
            for begin, stop in self._between(boundary, body, end) if boundary else ():
                is_split = True
                self._count(depth + 1)
                yield from self.parts(begin, stop, within, depth + 1)
            if is_split:
                return
        elif main == "message" and kind != "message/delivery-status" and not _encoding(header):
            self._count(depth + 1)
            yield from self.parts(body, end, depth=depth + 1)
            return
        yield _part(header, kind, self._data[body:end])

    def _between(self, boundary: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where the parts begin and end that are divided by that boundary."""
        mark = re.escape(boundary.encode("utf-8", "surrogateescape"))
        divider = re.compile(rb"[\r\n]--" + mark + rb"(--)?[ \t]*+(?=[\r\n]|\Z)")
        begin = None
        # The line break before a boundary is of the boundary, and there is one before the first.
        for found in divider.finditer(self._data, start - 1, end):
            stop = found.start() - self._data.startswith(b"\r\n", found.start() - 1)
            if begin is not None and stop >= begin:
                yield begin, stop
            if found[1]:
                return
            broken = _LINE_BREAK.match(self._data, found.end(), end)
            begin = broken.end() if broken else end
        if begin is not None and begin < end:
            yield begin, end

    def _count(self, depth: int) -> None:
        self._parts += 1
        if depth > MAX_NESTING:
            raise LetterUnreadable(
                "This message has parts within parts more than {depth} deep.", depth=MAX_NESTING
            )
        if self._parts > MAX_PARTS:
            raise LetterUnreadable(
                Message.counted(
                    "This message has more than {count} part.",
                    "This message has more than {count} parts.",
                    MAX_PARTS,
                )
            )


# --- parts


def _part(header: Header, kind: str, raw: bytes) -> Part:
    parameters = parameters_in(header.value(b"content-type"))
    disposition = parameters_in(header.value(b"content-disposition"))
    given = disposition.get("filename") or parameters.get("name", "")
    name = safe_name(told(given.encode("utf-8", "surrogateescape")))
    is_text = not name and kind.startswith("text/")
    if name:
        where = Message("the attachment {file}", file=name)
    elif is_text:
        where = Message("the text of the message")
    else:
        where = Message("an attachment without a name")
    data = _DECODERS[_encoding(header)](raw)
    is_flowed = parameters.get("format", "").lower() == "flowed"
    return Part(
        where,
        name,
        data,
        known_charset(parameters.get("charset", "")),
        is_html=kind == "text/html",
        joins_words=is_flowed and parameters.get("delsp", "").lower() == "yes",
        # One within the message was taken apart already, unless it was encoded or called otherwise.
        is_message=kind == "message/rfc822" or (not is_text and is_message(data)),
    )


def _encoding(header: Header) -> str:
    """How a part is encoded that is; empty for one that is not, or in a way that is unknown."""
    said = header.value(b"content-transfer-encoding").partition("(")[0].strip(" ;\r\n").lower()
    return said if said in _DECODERS else ""


def _unquoted(data: bytes) -> bytes:
    return binascii.a2b_qp(_PADDING.sub(b"", data))


def _uudecoded(data: bytes) -> bytes:
    """What stands in the lines behind `begin`; the data as they are where one is wrong."""
    lines = iter(data.splitlines())
    found = []
    if not any(line.startswith(b"begin ") for line in lines):
        return data
    for line in lines:
        if line.strip() == b"end":
            break
        try:
            found.append(binascii.a2b_uu(line))
        except binascii.Error:
            return data
    return b"".join(found)


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "base64": unarmoured,
    "quoted-printable": _unquoted,
    **dict.fromkeys(("uuencode", "x-uuencode", "uue", "x-uue"), _uudecoded),
}
