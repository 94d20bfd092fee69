"""Save files in messages, in an mbox or a Maildir: attached under any name, or in armour.

Anybody may have written a message. It is taken apart by `email`, within bounds that keep that quick
and small; whatever it raises becomes Unreadable. docs/mail.md.
"""

from __future__ import annotations

import mailbox
import re
from base64 import b64encode
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from email.header import decode_header
from email.message import Message as Part
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, Policy
from email.utils import parseaddr
from io import BytesIO
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from operator import itemgetter
from pathlib import Path

from engine.message import Message, Said, message_of, sentences
from pbem.errors import Unreadable, system_says
from pbem.errors.rule import Rule
from pbem.foreign import safe_name
from pbem.play.inbox.incoming import (
    FORMAT,
    MAX_MAILBOX,
    POSTMARK,
    Envelope,
    FileDamaged,
    IncomingFile,
    MessageUnreadable,
    as_utf8,
    is_maildir,
    is_mbox,
    is_save_file,
)
from pbem.play.new_files import MAX_MESSAGE
from pbem.protocol.record import first_unread, is_signed
from pbem.savefile.armour import blocks_in, unarmour
from pbem.savefile.disk import CannotBeRead, read_file
from pbem.savefile.document import MAX_SIZE, OtherFormat, forget, parse
from pbem.savefile.save_file import EvidenceFile, SaveFile

MAX_PARTS = 100
MAX_FIELD = 1536
"""Characters of a header that says what a part is: `email` takes long for longer ones."""
MAX_LINES = 200_000
_MOST_WORK = 4_000_000
"""Lines of a message times its parts: `email` compares each line with each boundary."""
_MOST_VALUES = 160_000
"""How many values the files in a message may have, a bracket counted as four: TOML takes long."""
_DEEPEST = 3
"""How many messages are opened within each other that were attached as files."""
_LONGEST_TOLD, _LONGEST_REFERENCES = 1000, 8000
_MOST_HEADERS = 65_536
FORK, _RECORD = b"acres-fork", b"[[record]]"
_FORM = "R-2."
"""How the numbers of the rules begin that are about the form of a record."""
_ARMOURED = b"BEGIN ACRES"
# In base64 a text begins in one of three ways, and lines end anywhere.
_ENCODED = [
    b64encode(bytes(n) + _ARMOURED)[(8 * n + 5) // 6 : 8 * (n + len(_ARMOURED)) // 6]
    for n in range(3)
]
_MAY_HOLD = re.compile(
    rb"acres(?:-|=2[Dd])|a\0c\0r\0e\0s\0|Zm9ybWF0ID0g|77u/Zm9ybWF0|//5mAG8AcgBt|/v8AZgBvAHIA|"
    rb"(?i:\.eml\b)|"
    + b"|".join([_ARMOURED, *(b"[\r\n]*".join(re.findall(b".", each)) for each in _ENCODED)])
)
"""How a save file begins in a message, as text or in base64; or a message is attached as a file."""


# --- one message


def files_of(message: bytes) -> list[IncomingFile]:
    """Return the save files and the evidence in a message, each once.

    Raises Unreadable if its newest file is damaged, and for a message that cannot be read.
    """
    search = _Search()
    try:
        search.look_into(message)
    except Unreadable:
        raise
    except Exception as error:
        # `email` raises many kinds.
        raise MessageUnreadable(
            "This message cannot be read ({error}).", error=type(error).__name__
        ) from None
    finally:
        forget()
    return search.found()


def envelope_of(message: bytes) -> Envelope:
    """Return what the headers of a message say; empty if they cannot be read."""
    try:
        return _envelope(BytesHeaderParser(policy=_POLICY).parsebytes(message[:_MOST_HEADERS]))
    except Exception:
        return Envelope()


class _Policy(Compat32):
    """A policy that leaves out what a header of a part says if that is too long."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        is_of_part = name[:8].lower() == "content-"
        return name, "" if is_of_part and len(value) > MAX_FIELD else value


_POLICY = _Policy()


def _too_dear() -> MessageUnreadable:
    return MessageUnreadable(
        "This message takes too long to read: save the file that is attached to it, and give that."
    )


class _Search:
    """The files in a message, and why others in it cannot be read."""

    def __init__(self) -> None:
        self._found: list[IncomingFile] = []
        self._failed: list[tuple[int, Unreadable]] = []
        self._parts = self._size = self._values = 0
        self._envelope = Envelope()

    def found(self) -> list[IncomingFile]:
        """Return the files; raises Unreadable if a damaged one seems to have more records."""
        records, error = max(self._failed, key=itemgetter(0), default=(-1, None))
        if error and records > max((len(each.records) for each in self._found), default=-1):
            raise error
        return self._found

    def look_into(self, data: bytes, depth: int = 0) -> None:
        """Look for files in a message, and in messages that are attached to it as files."""
        message = self._parse(as_utf8(data))
        if not depth:
            self._envelope = _envelope(message)
        for part in message.walk():
            content = None if part.is_multipart() else part.get_payload(decode=True)
            if not isinstance(content, bytes):
                continue
            name = _name_of(part)
            if name.lower().endswith(".eml") and depth < _DEEPEST:
                self.look_into(content, depth + 1)
            else:
                self._take(as_utf8(content), name, is_text=part.get_content_maintype() == "text")

    def _parse(self, data: bytes) -> Part:
        """Parse a message within the bounds; raises MessageUnreadable beyond them."""
        lines = data.count(b"\n") + data.count(b"\r")
        if len(data) > MAX_MESSAGE or lines > MAX_LINES:
            raise _too_dear()
        most = min(MAX_PARTS, self._parts + _MOST_WORK // max(lines, 1))

        def count_part(policy: Policy = _POLICY) -> Part:
            self._parts += 1
            if self._parts > most:
                raise _too_dear()
            return Part(policy)

        # Procmail leaves such a line before the headers.
        data = re.sub(rb"\A>From [^\n]*\n", b"", data)
        return BytesParser(count_part, policy=_POLICY).parse(BytesIO(data))

    def _take(self, data: bytes, name: str, *, is_text: bool) -> None:
        """Take the files in a part: those in armour, and the part if it is one."""
        where: Said = Message("an attachment without a name")
        if name:
            where = Message("the attachment {file}", file=name)
        elif is_text:
            where = Message("the text of the message")
        data = data.removeprefix(BOM_UTF8)
        for block in blocks_in(data, MAX_PARTS + 1):
            self._parts += 1
            if self._parts > MAX_PARTS:
                raise _too_dear()
            try:
                file = unarmour(block)
            except Unreadable as error:
                self._failed.append((0, _damaged(where, error)))
            else:
                self._read(file, name, where)
        if FORMAT in data or FORK in data:
            self._read(data, name, where, is_pasted=is_text and not name)

    def _read(self, data: bytes, name: str, where: Said, *, is_pasted: bool = False) -> None:
        """Read a file, or note why it cannot be read."""
        # Of the ends of lines, and of the text, mail programs take little care.
        data = data.replace(b"\r\n", b"\n").strip() + b"\n"
        self._spend(data)
        try:
            try:
                read: SaveFile | EvidenceFile = SaveFile.read(data)
            except OtherFormat:
                read = EvidenceFile.read(data)
        except Unreadable as error:
            # Of what was quoted nobody knows how new it is.
            is_quoted = not is_save_file(data)
            is_wrapped = is_quoted or (is_pasted and error.rule in (Rule.TOML, Rule.LINE_LENGTH))
            records = 0 if is_quoted else data.count(_RECORD)
            is_of_record = error.rule is not None and error.rule.number.startswith(_FORM)
            if is_of_record and _is_signed(data):
                # Whoever wrote it sends the same again.
                failure = FileDamaged(message_of(error))
            else:
                failure = _damaged(where, error, is_wrapped=is_wrapped)
            self._failed.append((records, failure))
            return
        if all(read.records != other.records for other in self._found):
            found = IncomingFile(
                data,
                records=tuple(read.records),
                name=name,
                where=where,
                envelope=self._envelope,
                is_evidence=isinstance(read, EvidenceFile),
            )
            self._found.append(found)

    def _spend(self, data: bytes) -> None:
        """Count what all files in the message take to read; raises MessageUnreadable beyond."""
        self._size += len(data)
        self._values += sum(map(data.count, (b"=", b",", *[b"[", b"{"] * 4)))
        if self._size > MAX_SIZE or self._values > _MOST_VALUES:
            raise _too_dear()


def _damaged(where: Said, error: Unreadable, *, is_wrapped: bool = False) -> FileDamaged:
    """Return the error for a file that cannot be read, and what to do."""
    # Translators: {where} is as “the attachment bela-004.toml” or “the text of the message”; it may
    # also stand in brackets. So too in the next ones.
    if is_wrapped:
        return FileDamaged(
            "The save file in {where} was quoted or wrapped by a mail program, and cannot be read: "
            "ask for the file to be attached, or for the block of text that --armor prints.",
            where=where,
        )
    damaged = Message(
        "The save file in {where} is damaged: ask for it to be sent again.", where=where
    )
    return FileDamaged(sentences(damaged, message_of(error)))


def _is_signed(data: bytes) -> bool:
    """Return True if the first record that cannot be read is signed as it is."""
    with suppress(ValueError):
        records = parse(data.decode()).get("record")
        if isinstance(records, list):
            number = first_unread(records)
            return number is not None and is_signed(records, number)
    return False


def _name_of(part: Part) -> str:
    """Return the safe name of an attachment; empty if it has none."""
    # It raises for some that no program writes.
    with suppress(Exception):
        return safe_name(_decoded(part.get_filename() or ""))
    return ""


def _envelope(message: Part) -> Envelope:
    sender = str(message.get("From", ""))[:_LONGEST_TOLD]
    named = f"{message.get('In-Reply-To', '')} {message.get('References', '')}"
    automatic = str(message.get("Auto-Submitted", "no")).strip().lower()
    return Envelope(
        sender=_decoded(sender),
        subject=_decoded(str(message.get("Subject", ""))),
        message_id=str(message.get("Message-ID", ""))[:_LONGEST_TOLD].strip(),
        address=_address_in(sender),
        is_automatic=not automatic.startswith("no"),
        references=named[:_LONGEST_REFERENCES],
    )


def _address_in(sender: str) -> str:
    # It raises for comments that lie too deep.
    with suppress(Exception):
        return parseaddr(sender)[1]
    return ""


def _decoded(text: str) -> str:
    """Return a header with its encoded words decoded, as far as they can be."""
    # Unfolded: across lines `decode_header` loses spaces.
    text = text[:_LONGEST_TOLD].replace("\r", "").replace("\n", "")
    with suppress(Exception):
        text = "".join(
            piece if isinstance(piece, str) else piece.decode(charset or "ascii", "replace")
            for piece, charset in decode_header(text)
        )
    return " ".join(text.encode("utf-8", "replace").decode().split())


# --- several messages


_POSTMARK = re.compile(
    rb"\AFrom [^\n]*\n|\nFrom [^\n]{0,1000}\n(?=[!-9;-~]{1,100}:|>?From )|"
    rb"\nFrom \S{1,500} +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z][a-z] [ \d]\d \d\d:[^\n]{0,99}\n"
)
"""Before each message of an mbox (RFC 4155).

With neither a header behind it nor a date in it, the line is one of a text that should have been
quoted: `mailbox.mbox` splits there too, and a turn that is attached would be lost.
"""


def messages_in(source: Path | bytes, note: Callable[[Said], None]) -> Iterator[bytes]:
    """Yield the messages of a file, a Maildir or standard input that may hold a save file.

    A message by itself is one. `note` is told of those that cannot be read. Raises Unreadable if
    the source cannot be read, or is too large.
    """
    if isinstance(source, bytes):
        yield from _of_mbox(source, note) if source.startswith(POSTMARK) else [source]
        return
    try:
        if is_maildir(source):
            with closing(mailbox.Maildir(source, create=False)) as maildir:
                yield from _of_maildir(maildir, source, note)
        elif is_mbox(source):
            with source.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
                yield from _of_mbox(data, note)
        else:
            yield read_file(source, MAX_MESSAGE)
    except (OSError, mailbox.Error) as error:
        raise CannotBeRead(
            "{file} cannot be read: {reason}.", file=source, reason=_reason(error)
        ) from None


def _of_mbox(data: bytes | mmap, note: Callable[[Said], None]) -> Iterator[bytes]:
    if len(data) > MAX_MAILBOX:
        raise Unreadable(
            "This mailbox is larger than {size} MiB: save the message with the file, and give "
            "that.",
            size=MAX_MAILBOX // 2**20,
        )
    marks = [found.span() for found in _POSTMARK.finditer(data)]
    messages = (
        data[begin : min(end, begin + MAX_MESSAGE + 1)]
        for (_, begin), (end, _) in pairwise([*marks, (len(data), 0)])
    )
    yield from _sifted(messages, note, is_one=len(marks) == 1)


def _of_maildir(box: mailbox.Maildir, path: Path, note: Callable[[Said], None]) -> Iterator[bytes]:
    keys = sorted(box.keys())

    def messages() -> Iterator[bytes]:
        for key in keys:
            try:
                with box.get_file(key) as file:
                    yield file.read(MAX_MESSAGE + 1)
            except (OSError, KeyError) as error:
                # A mail program may be at work there.
                note(Message("{file} cannot be read: {reason}.", file=path, reason=_reason(error)))

    yield from _sifted(messages(), note, is_one=len(keys) == 1)


def _reason(error: Exception) -> Said:
    return system_says(error) if isinstance(error, OSError) else Message("it is gone")


def _sifted(
    messages: Iterable[bytes], note: Callable[[Said], None], *, is_one: bool
) -> Iterator[bytes]:
    too_large = 0
    for data in messages:
        if len(data) > MAX_MESSAGE:
            too_large += 1
        elif is_one or _MAY_HOLD.search(data):
            yield data
    if too_large:
        note(
            Message.counted(
                "{count} message is larger than any with a save file: leave it out.",
                "{count} messages are larger than any with a save file: leave them out.",
                too_large,
            )
        )
