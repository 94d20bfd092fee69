"""A file as it comes in: a save file by itself, or one out of a message with what that says."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.message import NOTHING, Message, Said
from engine.value import Value
from pbem.errors import Unreadable
from pbem.foreign import excerpt, mailbox, quoted, within_quotes
from pbem.protocol.record import Record
from pbem.savefile.disk import is_folder, is_there
from pbem.savefile.document import MAX_SIZE

INPUT = "-"
"""Stands for standard input where a file is named."""
CHOOSES = "#"
"""Stands between a mailbox and the beginning of the number of the game that is meant."""
MAX_MAILBOX = 256 * 1024 * 1024
FORMAT = b"acres-save"
"""It stands in every save file, and in few others."""
POSTMARK = b"From "
"""With a line that begins so, each message of an mbox begins (RFC 4155)."""
_LONGEST_SUBJECT = 60
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,99}(?:[\w-]{1,99}|\"[^\"\n]{0,200}\")[ \t]{0,9}=[ \t]{0,9}\S"
)
"""A key and a value, as no message begins."""


class MessageUnreadable(Unreadable):
    """A message that cannot be read: out of bounds, or made to break its reader."""


class FileDamaged(Unreadable):
    """A save file in a message that cannot be read."""


class Envelope(NamedTuple):
    """The headers of a message, which anybody may have written or left out.

    `address` is the sender's, empty if there is none; `is_automatic` is true for a message that a
    program sent.
    """

    sender: str = ""
    subject: str = ""
    message_id: str = ""
    address: str = ""
    is_automatic: bool = False
    references: str = ""

    @property
    def who(self) -> Said:
        """The sender, as the program prints it."""
        return mailbox(self.address or self.sender or "?")

    @property
    def about(self) -> str:
        """Its subject, to stand in quotes."""
        return excerpt(within_quotes(self.subject), _LONGEST_SUBJECT)


class Found(Value):
    """A save file in a message, or with `is_evidence` the evidence of a fork.

    Of its `records` only the form was checked. `name` is the safe name of the attachment, empty if
    it has none; `where` names its place for a player: the attachment bela-004.toml.
    """

    data: bytes
    records: tuple[Record, ...]
    name: str
    where: Said
    envelope: Envelope
    is_evidence: bool = False

    @property
    def cut(self) -> Message:
        """The warning that the file may be only the beginning of what was sent; empty if it is all.

        Whoever answers seals a box, which stands behind the records.
        """
        if len(self.records) == 1 or self.is_evidence or b"[sealed" in self.data:
            return NOTHING
        return Message(
            "The save file in {where} ends with record {record}, with no sealed box after it: if "
            "there was more, the message was cut off, so ask for it to be sent again.",
            where=self.where,
            record=len(self.records) - 1,
        )


class Given(Value):
    """The content of a save file, and how the player gave it.

    `label` is what stands for the file in sentences. `path` is where it can be found again, None if
    nowhere; `found` is its place in a message, None if it was in none. `is_recoded` is true if it
    was saved as UTF-16.
    """

    data: bytes
    label: Said
    path: Path | None
    found: Found | None = None
    is_recoded: bool = False

    @property
    def is_file(self) -> bool:
        """True for a save file by itself, beside which its answer is written."""
        return self.path is not None and self.found is None

    @property
    def name(self) -> str:
        """The name of the attachment that it was; empty if it was none."""
        return self.found.name if self.found else ""

    @property
    def mends(self) -> list[str]:
        """What had to be undone to read it, as plain data."""
        return ["encoding"] if self.is_recoded else []

    @property
    def word(self) -> str:
        """The word that names it in a command."""
        return INPUT if self.path is None else quoted(self.path)


def plain(data: bytes, label: Said, path: Path | None) -> Given:
    """Return a save file by itself, in UTF-8 if it was saved as UTF-16."""
    text = as_utf8(data)
    return Given(text, label, path, is_recoded=text is not data)


def as_utf8(data: bytes) -> bytes:
    """Return a text that begins with the mark of UTF-16 in UTF-8; anything else as it is."""
    if not data.startswith(_WIDE) or len(data) > MAX_SIZE:
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data


def is_save_file(data: bytes) -> bool:
    """Return True if these bytes begin as a file of acres does, and not as a message."""
    if data.startswith(_WIDE):
        data = data[:2048].decode("utf-16", "ignore").encode(errors="ignore")
    return _BEGINNING.match(data) is not None


def is_choice(file: Path) -> bool:
    """Return True for the name of a mailbox and a game in it, such as `Mail.mbox#34de8b95`."""
    before, mark, _ = str(file).rpartition(CHOOSES)
    return bool(mark and before) and not is_there(file) and is_there(Path(before))


def is_maildir(path: Path) -> bool:
    """Return True if a folder is a Maildir."""
    return is_folder(path / "cur") and is_folder(path / "new")


def is_mbox(path: Path) -> bool:
    """Return True if a file begins as an mbox does."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(POSTMARK)) == POSTMARK
    return False
