"""Paths as players see them."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message
from pbem.cli import console
from pbem.foreign import quoted as quoted
from pbem.foreign import shown as shown


def note_written(path: Path) -> None:
    """Remember that the file at that path was written, in case the player stops the program."""
    console.note_written(Message("{file} was written.", file=path))
