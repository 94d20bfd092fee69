"""What a player gives as FILE: a save file, or something that mail programs make of one.

A save file itself is known by its first bytes, and nothing more is imported for it.
"""

from __future__ import annotations

import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import typer

from engine.message import NOTHING, Message, Said
from pbem.cli.paths import quoted, shown
from pbem.errors import AcresError

if TYPE_CHECKING:
    from pbem.mail.repair import Mend
    from pbem.mail.search import Found
    from pbem.play.game_file import GameFile

MAX_PIPED = 8 * 1024 * 1024
"""So much is read of a pipe that has a name: no message is larger."""
_T = TypeVar("_T")

INPUT = "-"
"""Stands for standard input where a file is named."""
CHOOSES = "#"
"""Stands between a mailbox and the beginning of the number of the game that is meant."""
_SUFFIXES = (".toml", ".eml")
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,99}(?:[\w-]{1,99}|\"[^\"\n]{0,200}\")[ \t]{0,9}=[ \t]{0,9}\S"
)
"""A key and a value, as no message begins."""


class Given(NamedTuple):
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


class Fork(AcresError):
    """A mailbox holds two `files` of one game that go on in different ways."""

    exit_status = 1

    def __init__(self, sentence: Said, files: tuple[Given, Given]) -> None:
        super().__init__(sentence)
        self.files = files


def take(
    context: typer.Context, file: Path, *, joins: bool = False, compares: bool = False
) -> Given:
    """The save file that the player means by FILE.

    That is a save file; a message, an mbox or a Maildir with one; or standard input with any of
    them, or with a text that was copied out of a message. `joins` says that an invitation is looked
    for. Raises Unreadable where there is none, WrongUse where it is not clear which is meant, and
    Fork for two that go on in different ways, unless one does so as the player's game does and
    nobody `compares` them.
    """
    from pbem.savefile.disk import is_file, is_folder, is_there, read_file

    if str(file) == INPUT:
        from pbem.savefile.document import MAX_SIZE

        data = sys.stdin.buffer.read(MAX_SIZE + 1)
        if is_save_file(data):
            return _plain(Given(data, Message("standard input"), None))
        from pbem.cli.mail.taking import from_input

        return from_input(context, data, joins=joins, compares=compares)
    if not is_folder(file) and not is_choice(file):
        # A pipe, such as the shell makes of <(command), can be read only once.
        is_pipe = is_there(file) and not is_file(file)
        data = read_file(file, MAX_PIPED) if is_pipe else read_file(file)
        if is_save_file(data):
            return _plain(Given(data, shown(file), file))
        if is_pipe:
            from pbem.cli.mail.taking import from_pipe

            return from_pipe(context, file, data, joins=joins, compares=compares)
    from pbem.cli.mail.taking import from_path

    return from_path(context, file, joins=joins, compares=compares)


def read_or_restore(
    given: Given, read: Callable[[bytes], _T], own_key: bytes | None = None
) -> tuple[_T, Given]:
    """What `read` makes of the file that was given, and that file, with what had to be mended.

    A file that was copied out of a message by hand may have to be restored first. Raises Unreadable
    where it is none, and FileFails as `explaining` tells it to whoever has `own_key`.
    """
    from pbem.cli.findings import explaining
    from pbem.errors import Unreadable

    try:
        with explaining(given.data, own_key, given.where, is_as_sent=given.is_as_sent):
            return read(given.data), given
    except Unreadable:
        restored = _restored(given)
        if restored is None:
            raise
    with explaining(restored.data, own_key, is_as_sent=False):
        return read(restored.data), restored


def _restored(given: Given) -> Given | None:
    """A file that was restored, with what had to be mended; None where it is not to be."""
    if given.found is not None:
        return None
    from pbem.mail.search import restored_file

    found = restored_file(given.data)
    if found is None:
        return None
    return given._replace(data=found.data, mends=given.mends | found.mends)


def _plain(given: Given) -> Given:
    """A file that was saved as UTF-16, as Windows does, in UTF-8: docs/save-format.md, Mended."""
    data = as_utf8(given.data)
    if data is given.data:
        return given
    from pbem.mail.repair import Mend

    return given._replace(data=data, mends=frozenset({Mend.ENCODING}))


def as_utf8(data: bytes) -> bytes:
    """A text with the mark of UTF-16 at its beginning in UTF-8; anything else as it is."""
    from pbem.savefile.document import MAX_SIZE

    if not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or len(data) > MAX_SIZE:
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data


def is_save_file(data: bytes) -> bool:
    """Whether these bytes begin as a file of acres does, and not as a message or another text."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data[:2048].decode("utf-16", "ignore").encode(errors="ignore")
    return _BEGINNING.match(data) is not None


def is_choice(file: Path) -> bool:
    """Whether that is no file but a mailbox and a game in it."""
    from pbem.savefile.disk import is_there

    before, mark, _ = str(file).rpartition(CHOOSES)
    return bool(mark and before) and not is_there(file) and is_there(Path(before))


def names_file(text: str) -> bool:
    """Whether a word of a command line names a FILE, where it could be something else."""
    from pbem.savefile.disk import is_file

    path = Path(text)
    return (
        text == INPUT
        or text.endswith(_SUFFIXES)
        or len(path.parts) > 1
        or is_file(path)
        or is_choice(path)
    )


def answer_path(context: typer.Context, given: Given, game: GameFile, index: int) -> Path:
    """Where the answer to a file goes, whose last record will be `index`.

    It is written beside a save file. One that came in a message has no place of its own: its answer
    is written beside the last file of the game that the library knows, else in the current folder.
    """
    from pbem.savefile.disk import next_name

    if given.is_file and given.path is not None:
        return next_name(given.path, index)
    from pbem.cli.mail.taking import usual_place

    return next_name(usual_place(context, given, game), index)
