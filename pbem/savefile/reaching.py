"""Paths that players name: what goes wrong with them is said of them."""

from __future__ import annotations

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
