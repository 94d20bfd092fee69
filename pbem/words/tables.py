"""Texts that are told by a key, such as the reasons why a card is idle: they are in tables.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from engine.message import Message

_CONTEXT = "context"


def entry(table: str, key: str, /, **facts: object) -> Message:
    """The message of a table with that key, about these facts."""
    texts = _tables()[table]
    message = Message(texts[key], **facts)
    message.context = texts.get(_CONTEXT)
    return message


def keys(table: str) -> list[str]:
    """The keys of a table, in their order."""
    return [key for key in _tables()[table] if key != _CONTEXT]


def piece_key(town: bool, fortified: bool) -> str:
    """The key of a piece on the board."""
    return ("town" if town else "village") + ("-fortified" if fortified else "")


def every_entry() -> list[Message]:
    """All of them, without facts."""
    return [entry(table, key) for table in _tables() for key in keys(table)]


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "tables.toml").read_text(encoding="utf-8"))
