"""Mutants of valid files: any value, record, byte or line changed, dropped, swapped or repeated.

A changed record stays as it is, or is signed again by its cheating author or by a stranger. Before
that its index and link may be corrected.
"""

from __future__ import annotations

import pickle
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.schema import canonical_json, encode_bytes, lay_out
from tests.fuzz.games import STRANGER, Game

Document = dict[str, Any]
Place = tuple[Any, Any]
"""A table or list, and the key or number of a value in it."""

ODD = ("1.5", "true", "1979-05-27", "inf", "0x10", "1_0", "{}", "[]", "[[1]]", "'\\'", "{a.b = 1}",
       "9" * 100, "-1", '"\\u202e"', '"\\u0000"', '"""\\\n \\\n """', "07:32:00")  # fmt: skip
"""TOML values that a valid file lacks or writes differently."""
_ODD = 987654320
NUMBERS = (-1, 0, 1, 2, 5, 127, 128, 255, 256, 4095, 4096, 4999, 5000, 9999, 2**31, 2**63, 2**70)
TEXTS = ("", " ", "a", "any", "british", "french", "0:0", "0:1", "1:0", "9999:999", "A" * 43,
         "_" * 43, "A" * 86, "x" * 61, "x" * 2001, "Zoë", "\u0301", "\u202eanna", "two\nlines",
         "pass", "end", "allow", "show-hand", "settle albany: boston, boston",
         "discard " + "x, " * 90,
         "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-02-30T10:00:00Z",
         "ahead", "asked", "second", "first", "order", "open", "grant", "close")  # fmt: skip

LATER = ("2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z", "2031-01-01T00:00:00Z",
         "9999-12-31T23:59:59Z")  # fmt: skip


class Mutant(NamedTuple):
    """A changed copy of a valid file: the change, and the signer of the changed record."""

    how: str
    data: bytes
    signer: Identity | None = None


class Mutator:
    """A maker of mutants of some games, which depend on a seed."""

    def __init__(self, games: list[Game], seed: object) -> None:
        self.random = Random(str(seed))
        self.games = games
        self._documents = [tomllib.loads(game.data.decode()) for game in games]
        # Loading is four times as fast as copying.
        self._pickled = [*map(pickle.dumps, self._documents)]
        self._pool: dict[str, list[Any]] = {}
        for document in self._documents:
            for holder, key in _places(document):
                name = key if isinstance(holder, dict) else "item"
                if name == "record":
                    # A mutant with all records of another game would be that game.
                    continue
                self._pool.setdefault(name, []).append(holder[key])

    def __iter__(self) -> Iterator[tuple[Game, Mutant]]:
        # Short files are as useful as long ones, and faster.
        weights = [1 / (4096 + len(game.data)) for game in self.games]
        while True:
            (at,) = self.random.choices(range(len(self.games)), weights)
            game = self.games[at]
            if self.random.random() < 0.2:
                yield game, self._alter_data(game.data)
            else:
                yield game, self._alter_document(game, pickle.loads(self._pickled[at]))

    # --- changed bytes

    def _alter_data(self, data: bytes) -> Mutant:
        random = self.random
        if random.random() < 0.5:
            lines = data.splitlines(keepends=True)
            for _ in range(random.choice((1, 1, 2, 5))):
                self._alter(lines, self.alter_bytes)
            return Mutant("line", b"".join(lines))
        return Mutant("byte", self.alter_bytes(data, random.choice((1, 1, 2, 5))))

    def alter_bytes(self, data: bytes, times: int = 1) -> bytes:
        """Return data after several small changes, omissions, repetitions or swaps of bytes."""
        result = bytearray(data)
        for _ in range(times):
            self._alter_once(result)
        return bytes(result)

    def _alter_once(self, data: bytearray) -> None:
        random = self.random
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 8, 60)))
        match random.randrange(5):
            case 0 if at < len(data):
                data[at] ^= 1 << random.randrange(8)
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end]
            case 3:
                other = random.randrange(len(data) + 1)
                data[at:end] = data[other : other + end - at]
            case _:
                data[at:end] = random.choice((b"\r", b"\n", b'"', b"\\", b"\xff", b"]", b"0", b" "))

    # --- changed values

    def _alter_document(self, game: Game, document: Document) -> Mutant:
        random = self.random
        records = document["record"]
        touched: int | None
        if random.random() < 0.15:
            how, touched = "record", self._alter_records(records)
        else:
            how, touched = "value", self._alter_values(document)
        signer = None
        if touched is not None and records:
            signer, who = self._sign(game, records, min(touched, len(records) - 1))
            how = f"{how}, {who}"
        try:
            data = lay_out(document).encode()
        except (TypeError, ValueError, AttributeError, IndexError):
            # The document cannot be written, so it is no mutant.
            data = b""
        for number, text in enumerate(ODD):
            data = data.replace(str(_ODD + number).encode(), text.encode())
        return Mutant(how, data, signer)

    def _alter_records(self, records: list[Any]) -> int:
        """Change whole records, and return the number of the first changed one."""
        random = self.random
        if random.random() < 0.3:
            # Add a record, or replace one by one of another game.
            foreign = deepcopy(random.choice(random.choice(self._documents)["record"]))
            records.insert(random.randrange(len(records) + 1), foreign)
            return records.index(foreign)
        before = list(map(id, records))
        self._alter(records, self._alter_table)
        pairs = zip(before, map(id, records), strict=False)
        same = next((n for n, (old, new) in enumerate(pairs) if old != new), len(records) - 1)
        return max(0, same)

    def _alter_values(self, document: Document) -> int | None:
        """Change one or a few values, and return the number of their record."""
        random = self.random
        records = document["record"]
        if random.random() < 0.1:
            self._alter_one(document)
            return None
        # A cheat can still change the last record.
        touched = len(records) - 1 if random.random() < 0.6 else random.randrange(len(records))
        if random.random() < 0.1:
            # Every author may choose this value freely.
            records[touched]["time"] = random.choice(LATER)
            return touched
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            if random.random() < 0.5 and isinstance(records[touched].get("steps"), list):
                self._alter(records[touched]["steps"], self._alter_table)
            else:
                self._alter_one(records[touched])
        return touched

    def _alter_one(self, document: Document) -> None:
        places = [*_places(document)]
        if not places:
            return
        holder, key = self.random.choice(places)
        if isinstance(holder, list):
            self._alter(holder, lambda value: self._alter_value("item", value))
            return
        random = self.random
        match random.randrange(6):
            case 0:
                del holder[key]
            case 1:
                other = random.choice([*holder])
                holder[key], holder[other] = holder[other], holder[key]
            case 2:
                holder[random.choice((*self._pool, "more"))] = deepcopy(holder[key])
            case _:
                holder[key] = self._alter_value(key, holder[key])

    def _alter(self, values: list[Any], changed: Callable[[Any], Any]) -> None:
        """Change, drop, swap, move or repeat a value of a list."""
        if not values:
            values.append(self._alter_value("item", ""))
            return
        random = self.random
        at, other = random.randrange(len(values)), random.randrange(len(values))
        match random.randrange(7):
            case 0:
                del values[at]
            case 1:
                values[at], values[other] = values[other], values[at]
            case 2:
                values.insert(other, values.pop(at))
            case 3:
                values[other:other] = deepcopy([values[at]]) * random.choice((1, 1, 2, 300))
            case _:
                values[at] = changed(values[at])

    def _alter_table(self, table: Any) -> Any:
        """Return another step or record, or this one with a changed value."""
        random = self.random
        if not isinstance(table, dict):
            return self._alter_value("item", table)
        if "kind" in table and random.random() < 0.5:
            step = random.choice(self._pool["steps"])
            return deepcopy(random.choice(step)) if isinstance(step, list) and step else table
        self._alter_one(table)
        return table

    def _alter_value(self, key: str, value: Any) -> Any:
        """Return another value instead of this one."""
        random = self.random
        match random.randrange(8):
            case 0:
                return _ODD + random.randrange(len(ODD))
            case 1:
                return random.choice(NUMBERS)
            case 2:
                return random.choice(TEXTS)
            case 3 | 4:
                return deepcopy(random.choice(self._pool.get(key, [value])))
        if isinstance(value, int):
            return value + random.choice((-1, 1, 2))
        if isinstance(value, str):
            return self.alter_bytes(value.encode()).decode(errors="replace")
        if isinstance(value, list):
            self._alter(value, lambda item: self._alter_value("item", item))
        return value

    # --- signatures

    def _sign(self, game: Game, records: list[Any], at: int) -> tuple[Identity | None, str]:
        """Possibly sign a changed record again, and return the signer."""
        random = self.random
        record = records[at]
        author = game.authors[at % 2]
        choices = ((None, "not signed"), (author, "author"), (STRANGER, "stranger"))
        signer, who = random.choice(choices)
        if signer is None or not isinstance(record, dict):
            return None, "not signed"
        if random.random() < 0.7:
            self._put_in_place(records, at)
        match record:
            case {"steps": [dict() as entry, *_]} if signer is STRANGER and random.random() < 0.5:
                entry["key"] = encode_bytes(STRANGER.public_key)
        digest = _digest(record)
        if digest is None:
            return None, "not signed"
        record["signature"] = encode_bytes(signer.sign(Tag.SIGNATURE, digest))
        return signer, who

    def _put_in_place(self, records: list[Any], at: int) -> None:
        """Give a record the index and the link of its place, and cut off all later ones."""
        record, before = records[at], records[at - 1] if at else None
        record |= {"index": at, "previous": ""}
        if isinstance(before, dict):
            digest = _digest(before)
            if digest is None:
                return
            record["previous"] = encode_bytes(digest)
        if self.random.random() < 0.8:
            del records[at + 1 :]


def _digest(record: Document) -> bytes | None:
    """Return the signed hash of a record, or None if the record cannot be written."""
    content = {key: value for key, value in record.items() if key != "signature"}
    try:
        return tagged_hash(Tag.RECORD, canonical_json(content))
    except (TypeError, ValueError):
        return None


def _places(value: Any) -> Iterator[Place]:
    """Return the place of every value in a document."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])
