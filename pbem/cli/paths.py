"""Paths as players give them: what can go wrong with them, and how to print them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.message import Message, mark
from pbem.errors import WrongUse, system_says

NOT_READ = mark("{file} cannot be read: {reason}.")
NOT_WRITTEN = mark("{file} cannot be written: {reason}.")
NO_FOLDER = mark("{file} cannot be made a folder: {reason}.")


@contextmanager
def reaching(path: Path, otherwise: str = NOT_READ) -> Iterator[None]:
    """Turn an OSError about that path into WrongUse, which says `otherwise`, a marked message."""
    try:
        yield
    except OSError as error:
        raise WrongUse(Message(otherwise, file=path, reason=system_says(error))) from None


def exists(path: Path) -> bool:
    """Whether there is something at that path; WrongUse where that cannot be found out."""
    with reaching(path):
        return path.exists()


def quoted(path: Path) -> str:
    """The path as a word of a command that the player can paste."""
    text = str(path)
    if text.isprintable():
        return shlex.quote(text)
    # As bash, zsh and ksh read it: what a name holds may steer the terminal.
    return f"$'{''.join(map(_escaped, os.fsencode(path)))}'"


def _escaped(byte: int) -> str:
    harmless = 0x20 <= byte < 0x7F and byte not in b"'\\"
    return chr(byte) if harmless else f"\\x{byte:02x}"


def shown(path: Path) -> str:
    """The path as it is, on one line; quoted where there is in it what cannot be printed."""
    return str(path) if str(path).isprintable() else quoted(path)
