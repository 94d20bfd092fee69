"""The records of a game, in their order, each read when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from pbem.protocol.record import Record

BEGINS = "\n[[record]]\n"
"""How a record begins where it is laid out."""


class _Written:
    """A record, or its laid-out text and its hash, from which it is read."""

    __slots__ = ("_hash", "_record", "_text")

    def __init__(self, record: Record | None, text: str = "", hash: bytes = b"") -> None:
        self._record = record
        self._text = text
        self._hash = hash

    @property
    def record(self) -> Record:
        if self._record is None:
            self._record = Record.from_text(self._text)
        return self._record

    @property
    def text(self) -> str:
        return self._text or self.record.laid_out

    @property
    def hash(self) -> bytes:
        return self._hash or self.record.hash


class Records(Sequence[Record]):
    """Records of one game, from some record on.

    Those that a `Bookmark` knows need not be read to say what they hash to, and how they are laid
    out; a slice reads nothing either.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._written: list[_Written] = (
            records._written.copy()
            if isinstance(records, Records)
            else [_Written(record) for record in records]
        )

    @classmethod
    def unread(cls, text: str, hashes: Sequence[bytes]) -> Records:
        """The records that are laid out in a text, and hash to these."""
        _, *texts = text.split(BEGINS)
        found = cls()
        found._written = [
            _Written(None, BEGINS + each, hash_) for each, hash_ in zip(texts, hashes, strict=True)
        ]
        return found

    @property
    def hashes(self) -> list[bytes]:
        """What each of them hashes to."""
        return [written.hash for written in self._written]

    @property
    def text(self) -> str:
        """All of them as lines of a save file."""
        return "".join(written.text for written in self._written)

    def append(self, record: Record) -> None:
        """Add one at the end."""
        self._written.append(_Written(record))

    def copy(self) -> Records:
        """An independent sequence of the same records."""
        return Records(self)

    def __len__(self) -> int:
        return len(self._written)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> Records: ...
    def __getitem__(self, at: int | slice) -> Record | Records:
        if not isinstance(at, slice):
            return self._written[at].record
        part = Records()
        part._written = self._written[at]
        return part

    def __iter__(self) -> Iterator[Record]:
        return (written.record for written in self._written)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(Record.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return f"Records({[*self]!r})"


def hashes_of(records: Sequence[Record]) -> list[bytes]:
    """What each of these records hashes to."""
    if isinstance(records, Records):
        return records.hashes
    return [record.hash for record in records]
