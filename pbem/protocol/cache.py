"""A cache of verified games, and what need not be verified or replayed again.

Replaying a long game takes a moment at every look. A file whose records begin exactly with those
of a `Snapshot`, signatures included, is read and replayed from there. Anything wrong with one means
that the game is replayed from the start, and nobody is accused of anything on its word.

It is data of the few kinds below, written as JSON: reading it makes values, and calls nothing else.
A secret key to authenticate it could lie nowhere but beside it.

Signatures and openings take by far most of the time of reading a file, and never change. A record
that was verified is recognized by its hash and its signature: the hash covers all that it says and,
link by link, every record before it, and so the keys, the commitments and the grants against which
it was verified.

docs/threat-model.md, What the library knows; docs/protocol.md, What a player's program has to take
care of: Remember what you verified.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import engine
from engine.events import Event
from engine.message import AlphabeticalList, Concat, Message
from engine.orders import ORDERS
from engine.sides import Side, Slot
from engine.state import Awaiting, Decision, EndReason, Outcome, PlayerState, Settlement, Siege
from pbem.protocol.deck import Epoch, GrantAnswer, GrantRequest, Opening
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import BEGINS, Record
from pbem.protocol.state_of_play import DropCause, DroppedOrders, FollowUps
from pbem.protocol.steps import Step
from pbem.protocol.table import Deed, PastGrant, ShuffleOrigin
from pbem.sources import random_bytes

# --- snapshots


VERSION = 2
"""Of the data: raise it whenever the same sources of rules and proofs read it differently."""
SNAPSHOT_INTERVAL = 8
"""A snapshot is made after each record whose number this divides: the rest is soon replayed."""


class Snapshot(NamedTuple):
    """The first records of a game, all of which a match has accepted, and all that they led to.

    `length` and `digest` are those of the `number` records as they are laid out, signatures
    included; `records` are data, and so are the two lines of `position`: all deeds, and the rest.
    `seal` covers all of it, and the program that replayed it: if that has changed, or anything was
    damaged, the snapshot is ignored.
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
        deeds: Iterable[Deed],
        position: object,
        last: Snapshot | None = None,
    ) -> Snapshot:
        """Return the snapshot after these records, which begin with those of the `last` one.

        TypeError if no data can say the position.
        """
        begun, known, done = 0, b"[]", b"[]"
        if last is not None:
            begun, known, done = last.number, last.records, last.position.partition(b"\n")[0]
        known = _longer(known, [[record, record.hash] for record in records[begun:]])
        done = _longer(done, [deed for deed in deeds if deed.record >= begun])
        text = lay_out_records(records)
        facts = len(records), len(text), _digest(text), known, done + b"\n" + _data(position)
        return cls(*facts, _seal(*facts))

    def is_prefix_of(self, text: str) -> bool:
        """Return True if it is whole, and laid-out records, and what may follow, begin with it."""
        is_end = len(text) == self.length or text.startswith("\n[", self.length)
        is_same = is_end and self.digest == _digest(text[: self.length])
        return is_same and self.seal == _seal(*self[:-1])

    def read_records(self, text: str) -> list[Record]:
        """Return its records, which a text begins with; any error if it holds something else."""
        _, *texts = text[: self.length].split(BEGINS)
        found = read(self.records)
        for (record, hash_), each in zip(found, texts, strict=True):
            # To work them out again would take longer than all else.
            vars(record).update(hash=hash_, toml=BEGINS + each)
        return [record for record, _ in found]

    def read_position(self) -> tuple[list[Deed], dict[str, Any]]:
        """Return all deeds, and the rest of the position; any error if it holds something else."""
        deeds, rest = map(read, self.position.split(b"\n"))
        return deeds, rest


def lay_out_records(records: Iterable[Record]) -> str:
    """Return records as lines of a save file."""
    return "".join(record.toml for record in records)


# --- what it is bound to


def _digest(text: str) -> bytes:
    return tagged_hash(Tag.CACHE, b"\1", text.encode())


def _seal(number: int, length: int, digest: bytes, records: bytes, position: bytes) -> bytes:
    sizes = b"".join(size.to_bytes(4, "big") for size in (VERSION, number, length, len(records)))
    return tagged_hash(Tag.CACHE, b"\2", _program(), sizes, digest, records, position)


@cache
def _program() -> bytes:
    """Return what distinguishes this program from any that may replay a game differently.

    That is the sources of rules and proofs, each by where it lies, its size and when it was
    changed: as Python itself tells whether compiled code is still that of a source. While the rules
    are worked on everything is replayed.
    """
    try:
        facts = [fact for folder in _folders() for fact in _sources(str(folder))]
    except OSError:
        # It is not in a folder but, say, in an archive: then it differs each time.
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
"""What is made of all its parts at once, and how."""
_FIELDS: dict[type[Any], Sequence[str]] = {
    **{kind: kind.fields for kind in (Outcome, Record)},
    **{kind: kind.fields for kind in (*Event.__subclasses__(), *Step.__subclasses__())},
    **{kind: kind.__slots__ for kind in (PlayerState, Siege, Epoch)},
    **{kind: kind._fields for kind in (Slot, Awaiting, Settlement, Opening, ShuffleOrigin)},
    **{kind: kind._fields for kind in (GrantRequest, GrantAnswer, PastGrant, Deed, DroppedOrders)},
    **dict.fromkeys(ORDERS.values(), ("location", "cards")),
    **dict.fromkeys((Concat, AlphabeticalList), ("parts", "separator")),
    FollowUps: ("side", "signed", "steps", "ended"),
    Message: ("text", "facts", "context", "_many", "_count"),
}
"""What is made of its parts one by one, and which they are."""


def _message(text: str, facts: dict[str, Any], *of: Any) -> Message:
    message = Message(text, **facts)
    message.context, message._many, message._count = of
    return message


def _maker(kind: type[Any]) -> Callable[[Any], Any]:
    """Return what makes a value of its parts, of a named tuple the quickest there is."""
    make = _message if kind is Message else kind
    return getattr(kind, "_make", None) or (lambda parts: make(*parts))


_MAKE = {kind.__name__: make for kind, make in _WHOLE.items()}
_MAKE |= {kind.__name__: _maker(kind) for kind in _FIELDS}


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is list:
        return _each(value)
    if kind in _FIELDS:
        return {kind.__name__: _each([getattr(value, name) for name in _FIELDS[kind]])}
    if kind not in _WHOLE:
        raise TypeError(f"no snapshot holds a {kind.__name__}")
    if kind is bytes:
        return {"bytes": value.hex()}
    if issubclass(kind, Enum):
        return {kind.__name__: value.value}
    # A set has no order, so it is written in a fixed one.
    parts = map(list, value.items()) if issubclass(kind, dict) else value
    return {kind.__name__: _each(sorted(parts) if kind is set else parts)}


def _each(parts: Iterable[Any]) -> list[Any]:
    # Most of all parts are these, and need no call.
    return [each if type(each) in _JSON else _plain(each) for each in parts]


def _data(value: object) -> bytes:
    return json.dumps(_plain(value), separators=(",", ":")).encode()


def _longer(data: bytes, more: list[Any]) -> bytes:
    """Return the data of a list, with more behind it."""
    return b"[" + b",".join(filter(None, (data[1:-1], _data(more)[1:-1]))) + b"]"


def read(data: bytes) -> Any:
    """Return the value that was written as this data; any error if it is anything else."""
    return json.loads(data, object_pairs_hook=_value)


def _value(pairs: list[tuple[str, Any]]) -> Any:
    ((name, parts),) = pairs
    return _MAKE[name](parts)


# --- what is known of a chain


CHECKS = 1
"""The version of the checks skipped for a verified record: raise it whenever they change. What was
verified with other checks is verified again.
"""


class VerifiedRecord(NamedTuple):
    """A record whose signature and openings have been verified: 32 and 64 bytes."""

    hash: bytes
    signature: bytes

    @classmethod
    def of(cls, record: Record) -> VerifiedRecord:
        """Return the facts by which a record is recognized."""
        return cls(record.hash, record.signature)


class GameCache(NamedTuple):
    """The knowledge of a game before its file is read: its verified records, and snapshots of it.

    Without a snapshot everything is replayed.
    """

    verified: Container[VerifiedRecord] = ()
    snapshots: Sequence[Snapshot] = ()


class _All(Container[VerifiedRecord]):
    """Records that are verified, whichever."""

    def __contains__(self, record: object) -> bool:
        return True


ALL_VERIFIED = _All()
"""For who replays again what was replayed before."""


CacheLookup: TypeAlias = Callable[[bytes], GameCache]
"""The knowledge of a game, by its id."""


def no_cache(game: bytes) -> GameCache:
    """Return the knowledge of any game if none was verified."""
    return GameCache()
