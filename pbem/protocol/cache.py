"""A cache of verified games: snapshots of matches, and records that need no verification again.

Replaying a long game takes a moment. If a file begins with exactly the records of a `Snapshot`,
including their signatures, the file is read and replayed from there. If anything is wrong with a
snapshot, the game is replayed from the start; a snapshot alone proves nothing against a player.

A snapshot is JSON with values of a few types, and decoding it only constructs values. It is not
authenticated, because the secret key would have to be stored next to it.

Signatures and openings take most of the time of reading a file. A verified record is recognized
by its hash and its signature. The hash covers its content and, link by link, all records before
it, and so the keys, commitments and grants against which it was verified.

See docs/threat-model.md, The library on your computer; docs/protocol.md, Duties of a player's
program: Expect slow checks if K is high.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import engine
from engine.events import Event
from engine.message import AlphabeticalList, Concat, Message, Phrase, Rewording
from engine.orders import ORDERS
from engine.sides import Side, Slot
from engine.state import Awaiting, Decision, EndReason, Outcome, PlayerState, Settlement, Siege
from pbem.foreign import excerpt
from pbem.protocol.deck import Epoch, GrantAnswer, GrantRequest, Opening
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import RECORD_HEADER, Record
from pbem.protocol.state_of_play import DropCause, DroppedOrders, FollowUps
from pbem.protocol.steps import Step
from pbem.protocol.table import Move, PastGrant, ShuffleOrigin
from pbem.sources import random_bytes

# --- snapshots


VERSION = 2
"""The version of the data: raise it if its meaning changes without a change of the sources."""
SNAPSHOT_INTERVAL = 8
"""The number of records between snapshots; so few records are replayed quickly."""


class Snapshot(NamedTuple):
    """The first `number` records of a game that a match has accepted, and the match after them.

    `length` (in characters) and `digest` (32 bytes) are the length and the digest of the records in
    a save file, with signatures. `records` is JSON, and so are the two lines of `position`: all
    moves, and the remaining facts. `seal`, 32 bytes, covers all of this and the version of the
    program: if that has changed, or anything is damaged, the snapshot is ignored.
    """

    number: int
    length: int
    digest: bytes
    records: bytes
    position: bytes
    seal: bytes

    @classmethod
    def of(
        cls,
        records: Sequence[Record],
        moves: Iterable[Move],
        position: object,
        last: Snapshot | None = None,
    ) -> Snapshot:
        """Return the snapshot after `records`, which continue the `last` snapshot.

        Raises TypeError if the position has values of other types than those below.
        """
        start, chain, history = 0, b"[]", b"[]"
        if last is not None:
            start, chain, history = last.number, last.records, last.position.partition(b"\n")[0]
        chain = _extend(chain, [[record, record.hash] for record in records[start:]])
        history = _extend(history, [move for move in moves if move.record >= start])
        text = lay_out_records(records)
        facts = len(records), len(text), _digest(text), chain, history + b"\n" + write(position)
        return cls(*facts, _seal(*facts))

    def is_prefix_of(self, text: str) -> bool:
        """Return True if the snapshot is undamaged, and `text` begins with its laid-out records."""
        is_end = len(text) == self.length or text.startswith("\n[", self.length)
        is_same = is_end and self.digest == _digest(text[: self.length])
        return is_same and self.seal == _seal(*self[:-1])

    def read_records(self, text: str) -> list[Record]:
        """Return the records, with their lines from `text`. Raises any error if it is damaged."""
        _, *tables = text[: self.length].split(RECORD_HEADER)
        pairs = read(self.records)
        for (record, hash_), table in zip(pairs, tables, strict=True):
            # Computing these again would take longer than everything else.
            vars(record).update(hash=hash_, toml=RECORD_HEADER + table)
        return [record for record, _ in pairs]

    def read_position(self) -> tuple[list[Move], dict[str, Any]]:
        """Return all moves, and the remaining facts. Raises any error if they are damaged."""
        moves, rest = map(read, self.position.split(b"\n"))
        return moves, rest


def lay_out_records(records: Iterable[Record]) -> str:
    """Return records as lines of a save file."""
    return "".join(record.toml for record in records)


# --- the digests of a snapshot


def _digest(text: str) -> bytes:
    return tagged_hash(Tag.CACHE, b"\1", text.encode())


def _seal(number: int, length: int, digest: bytes, records: bytes, position: bytes) -> bytes:
    sizes = b"".join(size.to_bytes(4, "big") for size in (VERSION, number, length, len(records)))
    return tagged_hash(Tag.CACHE, b"\2", own_digest(), sizes, digest, records, position)


@cache
def own_digest() -> bytes:
    """Return the digest of the program that seals snapshots."""
    return program_digest(*_folders())


def program_digest(*folders: Path) -> bytes:
    """Return a digest that changes with the sources in some folders of the program.

    It covers the path, size and time of change of each source of engine and protocol, as Python
    does to recognize stale compiled code. While the rules are edited, everything is replayed.
    """
    try:
        facts = [fact for folder in folders for fact in _sources(str(folder))]
    except OSError:
        # The program is not in a folder but, for example, in an archive: snapshots are not reused.
        return random_bytes(32, "this run of a program in an archive")
    return tagged_hash(Tag.CACHE, b"\0", repr(facts).encode(errors="surrogateescape"))


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


# --- as data

_JSON = frozenset({int, str, bool, type(None)})
_WHOLE: dict[type[Any], Callable[[Any], Any]] = {
    **{kind: kind for kind in (tuple, deque, set, dict, Side, Decision, EndReason, DropCause)},
    bytes: bytes.fromhex,
    Counter: lambda pairs: Counter(dict(pairs)),
}
"""The types that are constructed from all their parts at once, with the constructor."""
_FIELDS: dict[type[Any], Sequence[str]] = {
    **{kind: kind.fields for kind in (Outcome, Record)},
    **{kind: kind.fields for kind in (*Event.__subclasses__(), *Step.__subclasses__())},
    **{kind: kind.__slots__ for kind in (PlayerState, Siege, Epoch)},
    **{kind: kind._fields for kind in (Slot, Awaiting, Settlement, Opening, ShuffleOrigin)},
    **{kind: kind._fields for kind in (GrantRequest, GrantAnswer, PastGrant, Move, DroppedOrders)},
    **dict.fromkeys(ORDERS.values(), ("location", "cards")),
    **dict.fromkeys((Concat, AlphabeticalList), ("parts", "separator")),
    FollowUps: ("side", "origin", "steps", "ended"),
    Message: ("text", "facts", "context", "_many", "_count"),
    Rewording: ("phrase",),
}
"""The types that are constructed from their attributes, with the names of the attributes."""


def _message(text: str, facts: dict[str, Any], *forms: Any) -> Message:
    message = Message(text, **facts)
    message.context, message._many, message._count = forms
    return message


def _excerpt(phrase: Phrase) -> Rewording:
    return Rewording(excerpt, phrase)


_MAKERS: dict[type[Any], Callable[..., Any]] = {Message: _message, Rewording: _excerpt}


def _constructor(kind: type[Any]) -> Callable[[Any], Any]:
    """Return the fastest function that makes a value of a type from a list of parts."""
    make = _MAKERS.get(kind, kind)
    return getattr(kind, "_make", None) or (lambda parts: make(*parts))


def register(*kinds: type[Any]) -> None:
    """Let `read` and `write` process values of enumerations and dataclasses."""
    for kind in kinds:
        if issubclass(kind, Enum):
            _WHOLE[kind] = _CONSTRUCTORS[kind.__name__] = kind
        else:
            _FIELDS[kind] = [field.name for field in fields(kind)]
            _CONSTRUCTORS[kind.__name__] = _constructor(kind)


_CONSTRUCTORS = {kind.__name__: make for kind, make in _WHOLE.items()}
_CONSTRUCTORS |= {kind.__name__: _constructor(kind) for kind in _FIELDS}


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _JSON:
        return value
    if kind is list:
        return _plain_list(value)
    if kind in _FIELDS:
        return {kind.__name__: _plain_list([getattr(value, name) for name in _FIELDS[kind]])}
    if kind not in _WHOLE:
        raise TypeError(f"no snapshot holds a {kind.__name__}")
    if kind is bytes:
        return {"bytes": value.hex()}
    if issubclass(kind, Enum):
        return {kind.__name__: value.value}
    # A set has no order; it is written sorted.
    parts = map(list, value.items()) if issubclass(kind, dict) else value
    return {kind.__name__: _plain_list(sorted(parts) if kind is set else parts)}


def _plain_list(parts: Iterable[Any]) -> list[Any]:
    # Most parts are plain already, and need no call.
    return [part if type(part) in _JSON else _plain(part) for part in parts]


def write(value: object) -> bytes:
    """Return a value as JSON, for `read`. Raises TypeError if it has values of other types."""
    return json.dumps(_plain(value), separators=(",", ":")).encode()


def storable(phrase: Phrase) -> Phrase:
    """Return a phrase, or its English text if `write` cannot process it."""
    try:
        write(phrase)
    except TypeError:
        return str(phrase)
    return phrase


def _extend(data: bytes, more: list[Any]) -> bytes:
    """Return an encoded list extended by more values."""
    return b"[" + b",".join(filter(None, (data[1:-1], write(more)[1:-1]))) + b"]"


def read(data: bytes) -> Any:
    """Return the value encoded as this JSON. Raises any error if it is not one."""
    return json.loads(data, object_pairs_hook=_value)


def _value(pairs: list[tuple[str, Any]]) -> Any:
    ((name, parts),) = pairs
    return _CONSTRUCTORS[name](parts)


# --- verified records


CHECKS = 1
"""The version of the checks that are skipped for a verified record.

Raise it whenever they change: then all records are verified again.
"""


class VerifiedRecord(NamedTuple):
    """A record with verified signature and openings, by its hash (32 bytes) and signature (64)."""

    hash: bytes
    signature: bytes

    @classmethod
    def of(cls, record: Record) -> VerifiedRecord:
        """Return the hash and the signature of a record."""
        return cls(record.hash, record.signature)


class GameCache(NamedTuple):
    """The cache of one game: its verified records, and snapshots of it.

    Without a snapshot the whole game is replayed.
    """

    verified: Container[VerifiedRecord] = ()
    snapshots: Sequence[Snapshot] = ()


class _All(Container[VerifiedRecord]):
    """A container that holds every record."""

    def __contains__(self, record: object) -> bool:
        return True


ALL_VERIFIED = _All()
"""All records, for a chain that has been verified before."""


CacheLookup: TypeAlias = Callable[[bytes], GameCache]
"""A function that returns the cache of a game by its id, 32 bytes."""


def no_cache(game: bytes) -> GameCache:
    """Return an empty cache for any game."""
    return GameCache()
