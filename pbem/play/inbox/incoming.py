"""A file as it comes in: a save file by itself, or one in a message with what that says."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.message import NOTHING, Message, Said
from engine.value import Value
from pbem.errors import Unreadable
from pbem.foreign import excerpt, mailbox, quoted, within_quotes
from pbem.play.new_files import may_hold_turn
from pbem.play.store import Store
from pbem.protocol.cache import Verified
from pbem.protocol.record import Record
from pbem.savefile.disk import is_file, is_folder, is_there
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


class IncomingFile(Value):
    """A save file as it comes in, or with `is_evidence` the evidence of a fork.

    `label` stands for it in sentences; at `path` it, or the message with it, is found again, None
    if nowhere. Of its `records` only the form was checked; they are empty until a file by itself is
    read. In a message, `where` names its place for a player: the attachment bela-004.toml; and
    `name` is the safe name of the attachment, empty if it has none. `is_recoded` is true if it was
    saved as UTF-16.
    """

    data: bytes
    label: Said = NOTHING
    path: Path | None = None
    records: tuple[Record, ...] = ()
    name: str = ""
    where: Said = NOTHING
    envelope: Envelope = Envelope()
    is_evidence: bool = False
    is_recoded: bool = False

    @property
    def is_file(self) -> bool:
        """True for a save file by itself, beside which its answer is written."""
        return self.path is not None and not self.where

    @property
    def mends(self) -> list[str]:
        """The changes that had to be undone to read it, as plain data."""
        return ["encoding"] if self.is_recoded else []

    def begins(self, other: IncomingFile) -> bool:
        """Return True if its records are all in the other file, and are the first in it."""
        pairs = zip(self.records, other.records, strict=False)
        is_shorter = len(self.records) <= len(other.records)
        return is_shorter and all(Verified.of(one) == Verified.of(two) for one, two in pairs)

    @property
    def word(self) -> str:
        """The word that names it in a command."""
        return INPUT if self.path is None else quoted(self.path)

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


class Seeker(NamedTuple):
    """The player who wants a file, with the store `own`, and how the program is `called` for them.

    `note` is told about what is not taken. With `joins` only an invitation is meant, with
    `compares` any file.
    """

    own: Store | None
    note: Callable[[Said], None]
    called: str
    joins: bool = False
    compares: bool = False


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


def names_file(text: str) -> bool:
    """Return True if a word of a command line names a FILE, and not a game or an opponent."""
    path = Path(text)
    return (
        text == INPUT
        or may_hold_turn(text)
        or len(path.parts) > 1
        or is_file(path)
        or is_choice(path)
        # A pipe, or a mailbox. The folder of somebody's home may go by the name of an opponent.
        or (is_there(path) and (not is_folder(path) or is_maildir(path)))
    )


def is_maildir(path: Path) -> bool:
    """Return True if a folder is a Maildir."""
    return is_folder(path / "cur") and is_folder(path / "new")


def is_mbox(path: Path) -> bool:
    """Return True if a file begins as an mbox does."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(POSTMARK)) == POSTMARK
    return False
