"""Bookmarks: how far a game was replayed before, and the position to which that led.

Whoever replayed a game up to a record need not do so again, as long as the records up to there are
the same to the last letter and the program is still the same. docs/threat-model.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import engine
from pbem.protocol.hashing import Tag, tagged_hash
from pbem.protocol.records import Records

BEHIND = range(8, 12)
"""So many records from its end on a bookmark is laid: what was done last is replayed anyway."""
APART = 4
"""At least so many records lie between two bookmarks."""
_HASH = 32
_PROGRAM, _RECORDS, _BOOKMARK = b"\0", b"\1", b"\2"
"""What is hashed."""


class Bookmark(NamedTuple):
    """A place in a chain of records, all of which a match has accepted up to there.

    `digest` is that of the records as they are laid out in so many characters, with all that they
    say and their signatures; `hashes` are theirs, one behind the other. `position` is for
    `read_position`; `seal` covers all of it, and the program by which it was replayed: where that
    is another now, or something was damaged, the bookmark is left aside.
    """

    length: int
    digest: bytes
    hashes: bytes
    position: bytes
    seal: bytes

    @classmethod
    def after(cls, records: Records, position: bytes) -> Bookmark:
        """The bookmark behind these records, which lead to that position."""
        text, hashes = records.text, b"".join(records.hashes)
        facts = len(text), _digest(text), hashes, position
        return cls(*facts, _seal(*facts))

    @property
    def records(self) -> int:
        """How many records lie before it."""
        return len(self.hashes) // _HASH

    @property
    def is_whole(self) -> bool:
        """Whether it was made by this very program, and nothing of it has changed since."""
        return self.seal == _seal(*self[:-1])

    def is_in(self, text: str) -> bool:
        """Whether laid-out records, and all that may follow them, begin with those before it."""
        ends = len(text) == self.length or text.startswith("\n[", self.length)
        return ends and _digest(text[: self.length]) == self.digest

    def unread(self, text: str) -> Records:
        """The records before it, where it is in a text."""
        size = range(0, len(self.hashes), _HASH)
        hashes = [self.hashes[at : at + _HASH] for at in size]
        return Records.unread(text[: self.length], hashes)


def last_bookmark(bookmarks: Iterable[Bookmark], text: str) -> Bookmark | None:
    """The last of these bookmarks that is in laid-out records and whole; None where none is."""
    for bookmark in sorted(bookmarks, key=lambda each: -each.length):
        if bookmark.is_in(text) and bookmark.is_whole:
            return bookmark
    return None


def _digest(text: str) -> bytes:
    return tagged_hash(Tag.BOOKMARK, _RECORDS, text.encode())


def _seal(length: int, digest: bytes, hashes: bytes, position: bytes) -> bytes:
    parts = _program(), length.to_bytes(4, "big"), digest, len(hashes).to_bytes(4, "big"), hashes
    return tagged_hash(Tag.BOOKMARK, _BOOKMARK, *parts, position)


@cache
def _program() -> bytes:
    """What tells this program from any other by which a game might be replayed otherwise.

    That is the sources of rules and proofs, each by where it lies, its size and when it was
    changed: as Python itself tells whether compiled code is still that of a source. Nobody has to
    remember to raise a number, and whoever works on the rules replays everything.
    """
    try:
        facts = [fact for folder in _folders() for fact in _sources(str(folder))]
    except OSError:
        # It lies in no folder, but in an archive, say: then it is another each time.
        return os.urandom(_HASH)
    return tagged_hash(Tag.BOOKMARK, _PROGRAM, repr(facts).encode(errors="surrogateescape"))


def _folders() -> tuple[Path, Path]:
    return Path(engine.__file__).parent, Path(__file__).parent


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                yield from _sources(entry.path)
            else:
                facts = entry.stat()
                yield entry.path, facts.st_size, facts.st_mtime_ns
