"""Conversion of facts to JSON data, for --json; docs/json.md has their keys."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

from engine.message import Message
from engine.order import Order

Facts: TypeAlias = dict[str, object]
"""Facts by their keys."""


def to_json_data(fact: Any) -> Any:
    r"""Return a fact as JSON data: an object becomes a dict of its fields, in their order.

    Messages become English text, bytes hexadecimal digits, orders their notation.

    >>> from engine.orders import from_notation
    >>> to_json_data({"key": b"\x01\xff", "orders": [from_notation("pass")], "at": Path("a.toml")})
    {'key': '01ff', 'orders': ['pass'], 'at': 'a.toml'}
    """
    match fact:
        case None | bool() | int() | float():
            return fact
        case Enum():
            return fact.value
        case str():
            return fact
        case bytes():
            return fact.hex()
        case Order():
            return fact.notation()
        case Message() | Path():
            return str(fact)
        case dict():
            return {to_json_data(key): to_json_data(value) for key, value in fact.items()}
    names = getattr(fact, "_fields", ())
    if is_dataclass(fact):
        names = [part.name for part in fields(fact)]
    if not names:
        return [to_json_data(part) for part in fact]
    return {name: to_json_data(getattr(fact, name)) for name in names}
