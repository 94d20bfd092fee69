"""Codecs for the values in records: what each may be, and nothing else.

A codec writes a value as plain data and reads plain data back; `read` raises ValueError with the
end of a sentence ("must be ...") for anything that `write` would not have given.

docs/protocol.md, Encoding.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.deck import Slot
from pbem.encoding import decode_bytes, encode_bytes

# The hour is bounded here because newer Pythons take 24:00:00 for midnight.
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")


class Codec(ABC):
    """One kind of value."""

    __slots__ = ()

    def write(self, value: Any) -> Any:
        """The value as plain data; most are plain as they are."""
        return value

    @abstractmethod
    def read(self, plain: object) -> Any:
        """The value that was written so; ValueError if none was."""


@dataclass(frozen=True, slots=True)
class Integer(Codec):
    """A whole number within bounds, both included; with `power` a power of two."""

    low: int
    high: int
    power: bool = False

    def read(self, plain: object) -> int:
        """The number. ValueError for anything else."""
        if type(plain) is not int or not self.low <= plain <= self.high:
            raise ValueError(f"must be a whole number from {self.low} to {self.high}")
        if self.power and plain & (plain - 1):
            raise ValueError("must be a power of two")
        return plain


@dataclass(frozen=True, slots=True)
class Text(Codec):
    """A text that matches a pattern as a whole; `what` says it in words."""

    pattern: re.Pattern[str]
    what: str

    def read(self, plain: object) -> str:
        """The text. ValueError for anything else."""
        if type(plain) is not str or not self.pattern.fullmatch(plain):
            raise ValueError(f"must be {self.what}")
        return plain


@dataclass(frozen=True, slots=True)
class Choice(Codec):
    """One of a few words."""

    options: tuple[str, ...]

    def read(self, plain: object) -> str:
        """The text. ValueError for anything else."""
        if type(plain) is not str or plain not in self.options:
            raise ValueError("must be " + " or ".join(f'"{option}"' for option in self.options))
        return plain


@dataclass(frozen=True, slots=True)
class Bytes(Codec):
    """A string of bytes of a fixed length, or of any up to `longest`, in base64url."""

    length: int
    longest: int = 0

    def write(self, value: bytes) -> str:
        """The bytes in base64url."""
        return encode_bytes(value)

    def read(self, plain: object) -> bytes:
        """The bytes. ValueError for anything else."""
        try:
            value = decode_bytes(plain) if type(plain) is str else None
        except ValueError:
            value = None
        if value is None or not self.length <= len(value) <= max(self.length, self.longest):
            raise ValueError(f"must be {self.length} bytes in base64url")
        return value


@dataclass(frozen=True, slots=True)
class Position(Codec):
    """A slot, written like 2:17."""

    def write(self, value: Slot) -> str:
        """The slot as text."""
        return str(value)

    def read(self, plain: object) -> Slot:
        """The slot. ValueError for anything else."""
        if type(plain) is not str:
            raise ValueError("must be a slot, which is written like 2:17")
        return Slot.parse(plain)


@dataclass(frozen=True, slots=True)
class Time(Codec):
    """A moment in UTC to the second, written like 2026-11-21T10:03:00Z."""

    def read(self, plain: object) -> str:
        """The text. ValueError for anything else."""
        if type(plain) is str and _TIME.fullmatch(plain):
            try:
                datetime.fromisoformat(plain)
            except ValueError:
                pass
            else:
                return plain
        raise ValueError("must be a time in UTC, which is written like 2026-11-21T10:03:00Z")


@dataclass(frozen=True, slots=True)
class Listed(Codec):
    """A list of values of one kind; with `ordered` never descending, with `unique` none twice."""

    item: Codec
    low: int
    high: int
    ordered: bool = False
    unique: bool = False

    def write(self, value: tuple[Any, ...]) -> list[Any]:
        """The items as plain data."""
        return [self.item.write(item) for item in value]

    def read(self, plain: object) -> tuple[Any, ...]:
        """The items. ValueError for anything else."""
        if type(plain) is not list or not self.low <= len(plain) <= self.high:
            raise ValueError(f"must be a list of {self.low} to {self.high} values")
        values = []
        for item in plain:
            try:
                values.append(self.item.read(item))
            except ValueError as error:
                raise ValueError(f"number {len(values) + 1} {error}") from None
        if self.ordered and values != sorted(values):
            raise ValueError("must be in ascending order")
        if self.unique and len(set(values)) != len(values):
            raise ValueError("must not hold the same value twice")
        return tuple(values)


def read_table(
    plain: object, codecs: Mapping[str, Codec], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The values of a table that has exactly the keys of `codecs`, where optional ones may lack.

    ValueError with a whole sentence, but for its full stop, for anything else.
    """
    if not isinstance(plain, dict):
        raise ValueError("a table is expected here")
    for key in plain.keys() - codecs.keys():
        raise ValueError(f"there is no such key here as {key[:40]!a}")
    values = {}
    for key, codec in codecs.items():
        if key in plain:
            try:
                values[key] = codec.read(plain[key])
            except ValueError as error:
                raise ValueError(f"{key} {error}") from None
        elif key not in optional:
            raise ValueError(f"{key} is missing")
    return values
