"""Texts that are told by a key, such as the reasons why a card is idle: they are in tables.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from engine.message import Message

_CONTEXT = "context"


def entry(table: str, key: str, /, **facts: object) -> Message:
    """Return the message of a table with that key, about these facts."""
    texts = _table(table)
    message = Message(texts[key], **facts)
    message.context = texts.get(_CONTEXT)
    return message


def keys(table: str) -> list[str]:
    """Return the keys of a table, in their order."""
    return [key for key in _table(table) if key != _CONTEXT]


def piece_key(town: bool, fortified: bool) -> str:
    """Return the key of a piece on the board."""
    return ("town" if town else "village") + ("-fortified" if fortified else "")


def every_entry() -> list[Message]:
    """Return all of them, without facts."""
    return [entry(table, key) for table in _unread() for key in keys(table)]


@cache
def _table(name: str) -> dict[str, str]:
    # A few are asked for at a time, and to read all of them takes a while.
    return tomllib.loads(_unread()[name])


@cache
def _unread() -> dict[str, str]:
    """Return what each table has in the file, by its name."""
    file = (Path(__file__).parent / "tables.toml").read_text(encoding="utf-8")
    tables = (table.partition("]\n") for table in file.split("\n[")[1:])
    return {name: texts for name, _, texts in tables}
