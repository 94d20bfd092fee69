"""What a player gives as a file: a save file, or what mail programs make of one.

A save file itself is recognized by its first bytes, and needs nothing of mail.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.message import NOTHING, Message, Said
from engine.value import Value
from pbem.errors import AcresError
from pbem.foreign import quoted
from pbem.library import Listed
from pbem.mail.found import Found
from pbem.mail.mend import Mend
from pbem.savefile.disk import is_there
from pbem.savefile.document import MAX_SIZE

INPUT = "-"
"""Stands for standard input where a file is named."""
CHOOSES = "#"
"""Stands between a mailbox and the beginning of the number of the game that is meant."""
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,99}(?:[\w-]{1,99}|\"[^\"\n]{0,200}\")[ \t]{0,9}=[ \t]{0,9}\S"
)
"""A key and a value, as no message begins."""


class Given(Value):
    """The content of a save file, and how the player gave it.

    `label` says what it is in words that stand for the file. `path` is where it can be found again,
    None if nowhere; `found` is the place in a message where it stood, None if it was in none.
    `mends` are what had to be undone to read it.
    """

    data: bytes
    label: Said
    path: Path | None
    found: Found | None = None
    mends: frozenset[Mend] = frozenset()

    @property
    def is_file(self) -> bool:
        """Whether it is a save file by itself, beside which its answer is written."""
        return self.path is not None and self.found is None

    @property
    def name(self) -> str:
        """The name of the attachment that it was; empty if it was none."""
        return self.found.name if self.found else ""

    @property
    def is_as_sent(self) -> bool:
        """Whether the content is what was given, byte for byte, but for the ends of lines."""
        return not self.mends and (self.found is None or self.found.is_as_sent)

    @property
    def word(self) -> str:
        """The word that names it in a command."""
        return INPUT if self.path is None else quoted(self.path)

    def where(self, record: int) -> Message:
        """Where damage to a record would begin, as a sentence; empty for a save file by itself."""
        if self.found is None or record >= len(self.found.lines):
            return NOTHING
        return Message(
            "The damage begins at line {number} of {file}.",
            number=self.found.lines[record],
            file=self.found.where,
        )


class Seeker(Value):
    """The player who wants a file: the one with that key, whose games are `listed`.

    With `joins` only an invitation is meant, with `compares` any file. `note` is told about what is
    not taken; `audit` is the command that compares files.
    """

    key: bytes | None
    listed: Callable[[], Mapping[bytes, Listed]]
    note: Callable[[Said], None]
    audit: str
    joins: bool = False
    compares: bool = False


class TwoWays(AcresError):
    """There are two `files` of one game that go on in different ways."""

    exit_status = 1

    def __init__(self, sentence: Said, files: tuple[Given, Given]) -> None:
        super().__init__(sentence)
        self.files = files


def plain(data: bytes, label: Said, path: Path | None) -> Given:
    """A save file by itself; one that was saved as UTF-16, as Windows does, in UTF-8."""
    text = as_utf8(data)
    return Given(text, label, path, mends=frozenset({Mend.ENCODING} if text is not data else ()))


def as_utf8(data: bytes) -> bytes:
    """A text with the mark of UTF-16 at its beginning in UTF-8; anything else as it is."""
    if not data.startswith(_WIDE) or len(data) > MAX_SIZE:
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data


def is_save_file(data: bytes) -> bool:
    """Whether these bytes begin as a file of acres does, and not as a message or another text."""
    if data.startswith(_WIDE):
        data = data[:2048].decode("utf-16", "ignore").encode(errors="ignore")
    return _BEGINNING.match(data) is not None


def is_choice(file: Path) -> bool:
    """Whether that is no file but a mailbox and a game in it."""
    before, mark, _ = str(file).rpartition(CHOOSES)
    return bool(mark and before) and not is_there(file) and is_there(Path(before))
