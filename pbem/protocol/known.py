"""What this program has verified or replayed of a chain before, and need not do again.

Signatures and openings take by far most of the time of reading a file, and never change. A record
that was verified is recognized by its hash and its signature: the hash covers all that it says and,
link by link, every record before it, and so the keys, the commitments and the grants against which
it was verified. Everything else is replayed, from the start or from a `Bookmark`.

docs/protocol.md, What a player's program has to take care of: Remember what you verified.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar, overload

import engine
from pbem.protocol.hashing import Tag, tagged_hash
from pbem.protocol.record import Record, Records
from pbem.sources import random_bytes

CHECKS = 1
"""The version of the checks skipped for a verified record: raise it whenever they change. What was
verified with other checks is verified again.
"""


class Verified(NamedTuple):
    """A record whose signature and openings have been verified: 32 and 64 bytes."""

    hash: bytes
    signature: bytes

    @classmethod
    def of(cls, record: Record) -> Verified:
        """What a record is recognized by."""
        return cls(record.hash, record.signature)


class Known(NamedTuple):
    """What is known of a game before its file is read: its verified records, and bookmarks in it.

    Bookmarks are for going on from there; without one everything is replayed.
    """

    verified: Container[Verified] = ()
    bookmarks: Sequence[Bookmark] = ()


class _All(Container[Verified]):
    """Records that are verified, whichever."""

    def __contains__(self, record: object) -> bool:
        return True


ALL_VERIFIED = _All()
"""For who replays again what was replayed before."""


KnownOf: TypeAlias = Callable[[bytes], Known]
"""What is known of a game, by its id."""


def nothing_known(game: bytes) -> Known:
    """What is known of any game if none was verified."""
    return Known()


BEHIND = range(8, 12)
"""How many records before the end a bookmark is laid: what was done last is replayed anyway."""
APART = 4
"""How many records lie between two bookmarks, at least."""
_HASH = 32
_PROGRAM, _RECORDS, _BOOKMARK = b"\0", b"\1", b"\2"
"""What is hashed."""


class Bookmark(NamedTuple):
    """A place in a chain of records, all of which a match has accepted up to there.

    `digest` is that of the records as they are laid out in that many characters, with all that they
    say and their signatures; `hashes` are theirs, one behind the other. `position` is for
    `read_position`; `seal` covers all of it, and the program that replayed it: if that has changed,
    or something was damaged, the bookmark is ignored.
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
        """Whether it was made by exactly this program, and nothing in it has changed since."""
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
    """What distinguishes this program from any other that might replay a game differently.

    That is the sources of rules and proofs, each by where it lies, its size and when it was
    changed: as Python itself tells whether compiled code is still that of a source. Nobody has to
    remember to raise a number, and while the rules are worked on everything is replayed.
    """
    try:
        facts = [fact for folder in _folders() for fact in _sources(str(folder))]
    except OSError:
        # It is not in a folder but, say, in an archive: then it differs each time.
        return random_bytes(_HASH, "this run of a program in an archive")
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


class Done(Protocol):
    """Something that was done, in a record."""

    @property
    def record(self) -> int:
        """The index of the record in which it was done."""


T = TypeVar("T", bound=Done)


class History(Sequence[T], Generic[T]):
    """Things in the order in which they were done.

    In a match that was `begun` after some records, those done `before` are found out when somebody
    asks for them. With `since`, and with `reversed`, that is only when they are reached. Several
    threads may ask at once.
    """

    def __init__(
        self,
        recent: Iterable[T] = (),
        before: Callable[[], Sequence[T]] | None = None,
        begun: int = 0,
    ) -> None:
        # In one step: a thread that asks meanwhile sees both as they were, or both as they are
        # then.
        self._held = list(recent), before
        self._begun = begun

    @property
    def _recent(self) -> list[T]:
        return self._held[0]

    def append(self, thing: T) -> None:
        """Add what was done last."""
        self._recent.append(thing)

    def copy(self) -> History[T]:
        """An independent history of the same."""
        return History(*self._held, self._begun)

    def since(self, record: int) -> list[T]:
        """What was done in the record of that index and those behind it."""
        things = self._recent if record >= self._begun else self._all()
        return [thing for thing in things if thing.record >= record]

    def _all(self) -> list[T]:
        recent, before = self._held
        if before is not None:
            recent = [*before(), *recent]
            self._held = recent, None
        return recent

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return bool(self._recent or self._all())

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        recent = self._recent
        is_recent = isinstance(at, int) and -len(recent) <= at < 0
        return recent[at] if is_recent else self._all()[at]

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __reversed__(self) -> Iterator[T]:
        recent, before = self._held
        number = len(recent)
        yield from reversed(recent)
        if before is not None:
            yield from self._all()[: -number or None][::-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return f"History({self._all()!r})"
