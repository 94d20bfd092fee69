"""A file as the player gives it: a save file by itself, or one out of a message."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.message import Said
from engine.value import Value
from pbem.foreign import quoted
from pbem.savefile.disk import is_folder, is_there
from pbem.savefile.document import MAX_SIZE

if TYPE_CHECKING:
    from pbem.play.inbox.message import Found

INPUT = "-"
"""Stands for standard input where a file is named."""
CHOOSES = "#"
"""Stands between a mailbox and the beginning of the number of the game that is meant."""
MAX_MAILBOX = 256 * 1024 * 1024
FORMAT = b"acres-save"
"""It stands in every save file, and in few others."""
POSTMARK = b"From "
"""With a line that begins so, each message of an mbox begins (RFC 4155)."""
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,99}(?:[\w-]{1,99}|\"[^\"\n]{0,200}\")[ \t]{0,9}=[ \t]{0,9}\S"
)
"""A key and a value, as no message begins."""


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
