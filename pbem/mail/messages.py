"""The messages in what a player has saved: one, an mbox, a Maildir, an MH folder; or a text of one.

Its content shows which. A mailbox is read message by message, and only those that may contain a
save file are returned.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from pbem.errors import Unreadable, system_says
from pbem.mail.parts import MAX_MESSAGE
from pbem.play.new_files import is_of_mh
from pbem.savefile.disk import CannotBeRead, is_file, is_folder, read_file

MAX_MAILBOX = 256 * 1024 * 1024
_POSTMARK = b"From "
"""With a line that begins so, each message of an mbox begins (RFC 4155)."""
_BETWEEN = re.compile(rb"\nFrom [^\n]{0,1000}\n(?=[!-9;-~]{1,100}:|>?From )")
"""Between two messages: where no header stands behind it, the line is one of a text that should
have been quoted."""
_LONGEST_MARK = 1200
"""So far back one may begin of which the end has not been read."""
MAILDIR = ("cur", "new", "tmp")
"""The folders in a Maildir; what is in the last is still being written."""
_AT_ONCE = 65_536


def _patterns() -> Iterator[bytes]:
    """What the beginning of a file is in a message, encoded or not, without the breaks."""
    for kind in ("save", "fork"):
        yield re.escape(f"acres-{kind}".encode()).replace(rb"\-", rb"(?:-|2[Dd])")
        for charset in ("ascii", "utf-16-le", "utf-16-be"):
            plain = f"acres-{kind}".encode(charset)
            yield re.escape(plain)
            yield from _encoded(plain)
        # An attachment of a message that is itself attached, encoded.
        yield from _encoded(b64encode(f'format = "acres-{kind}"'.encode()))


def _encoded(plain: bytes) -> Iterator[bytes]:
    """What can be in the place of these bytes in base64, whatever stands before and behind them."""
    for before in range(3):
        whole = b64encode(bytes(before) + plain).rstrip(b"=")
        # The first and the last character depend on what is beside these bytes.
        yield re.escape(whole[4 if before else 0 : len(whole) - 1])


_MAY_HOLD = re.compile(b"|".join(dict.fromkeys(_patterns())))


class SavedMail:
    """A file or a folder with messages, or a stream of them, of which so much has been read.

    `skipped` were too large, and `missed` says why some of a folder could not be read.
    """

    def __init__(self, source: Path | BinaryIO, begun: bytes = b"") -> None:
        self._source = source
        self._begun = begun
        self.skipped = 0
        self.missed: list[Unreadable] = []

    def __iter__(self) -> Iterator[bytes]:
        """Each message that may hold a file; raises Unreadable where nothing can be read."""
        if not isinstance(self._source, Path):
            yield from self._in_stream(self._source)
        elif is_maildir(self._source):
            yield from self._in_files(files_of_maildir(self._source))
        elif is_mh(self._source):
            yield from self._in_files(files_of_mh(self._source))
        else:
            try:
                with self._source.open("rb") as stream:
                    yield from self._in_stream(stream)
            except OSError:
                # To say it as of any other file.
                read_file(self._source)
                raise CannotBeRead("{file} cannot be read.", file=self._source) from None

    def _in_stream(self, stream: BinaryIO) -> Iterator[bytes]:
        begun = self._begun + stream.read(max(0, len(_POSTMARK) - len(self._begun)))
        if begun.startswith(_POSTMARK):
            yield from self._in_mbox(begun, stream)
        else:
            yield begun + stream.read(max(0, MAX_MESSAGE + 1 - len(begun)))

    def _in_mbox(self, begun: bytes, stream: BinaryIO) -> Iterator[bytes]:
        # Not line by line: of one message there may be millions.
        message, dropped, total, is_one = bytearray(), 0, 0, True
        for block in chain([begun], iter(lambda: stream.read(_AT_ONCE), b"")):
            total += len(block)
            if total > MAX_MAILBOX:
                raise Unreadable(
                    "This mailbox is larger than {size} MiB: save the message with the file, "
                    "and give that.",
                    size=MAX_MAILBOX // 2**20,
                )
            searched = max(0, len(message) - _LONGEST_MARK)
            message += block
            while found := _BETWEEN.search(message, searched):
                end, searched, is_one = found.start() + 1, 0, False
                yield from self._sifted(_cut_off(message, end), dropped + end)
                dropped = 0
            if len(message) > MAX_MESSAGE + _LONGEST_MARK:
                # Its size is all that counts of it.
                dropped += len(message) - _LONGEST_MARK
                del message[:-_LONGEST_MARK]
        size = dropped + len(message)
        last = _cut_off(message, len(message))
        if is_one and size <= MAX_MESSAGE:
            # A message by itself: where no file is to be seen in it, that is to be explained.
            yield last
        else:
            yield from self._sifted(last, size)

    def _in_files(self, files: Iterable[Path]) -> Iterator[bytes]:
        for path in files:
            try:
                data = read_file(path, MAX_MESSAGE)
            except Unreadable as error:
                # A mail program may be at work there; it must not keep the others back.
                self.missed.append(error)
                continue
            yield from self._sifted(data, len(data))

    def _sifted(self, data: bytes, size: int) -> Iterator[bytes]:
        if size > MAX_MESSAGE:
            self.skipped += 1
        elif may_hold_file(data):
            yield data


def _cut_off(buffer: bytearray, end: int) -> bytes:
    """The beginning of a buffer, which does not keep it."""
    with memoryview(buffer) as view:
        beginning = bytes(view[:end])
    del buffer[:end]
    return beginning


def is_maildir(path: Path) -> bool:
    """Whether a folder is a Maildir."""
    return all(is_folder(path / name) for name in MAILDIR[:2])


def files_of_maildir(folder: Path) -> Iterator[Path]:
    """The messages of a Maildir, in the order of their names, which begin with the time.

    Unreadable where that cannot be looked into.
    """
    inside = chain.from_iterable((folder / name).iterdir() for name in MAILDIR[:2])
    yield from sorted(_files_among(inside, folder), key=lambda path: path.name)


def is_mh(path: Path) -> bool:
    """Whether a folder is one of MH, as Claws, Sylpheed and nmh have them: files called by numbers.

    >>> is_mh(Path(__file__).parent)
    False
    """
    try:
        return is_folder(path) and any(is_of_mh(each.name) for each in path.iterdir())
    except OSError:
        return False


def files_of_mh(folder: Path) -> Iterator[Path]:
    """The messages of an MH folder, in the order of their numbers; Unreadable as of a Maildir."""
    inside = (path for path in folder.iterdir() if is_of_mh(path.name))
    yield from sorted(_files_among(inside, folder), key=lambda path: int(path.name))


def _files_among(inside: Iterator[Path], folder: Path) -> list[Path]:
    try:
        return list(filter(is_file, inside))
    except OSError as error:
        raise Unreadable(
            "{file} cannot be read: {reason}.", file=folder, reason=system_says(error)
        ) from None


def is_mbox(path: Path) -> bool:
    """Whether a file begins as an mbox does."""
    try:
        with path.open("rb") as file:
            return file.read(len(_POSTMARK)) == _POSTMARK
    except OSError:
        return False


def may_hold_file(data: bytes) -> bool:
    """Whether there could be a save file in a message: false for nearly all others, and quick."""
    return _MAY_HOLD.search(data.translate(None, b" \t\r\n=>|")) is not None
