"""Paths as players give them: what can go wrong with them, and how to print them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import WrongUse


@contextmanager
def reaching(path: Path, what: str = "cannot be read") -> Iterator[None]:
    """Turn an OSError about that path into WrongUse, as `PATH cannot be read: ...`."""
    try:
        yield
    except OSError as error:
        raise WrongUse(f"{path} {what}: {error.strerror}.") from None


def exists(path: Path) -> bool:
    """Whether there is something at that path; WrongUse where that cannot be found out."""
    with reaching(path):
        return path.exists()


def quoted(path: Path) -> str:
    """The path as a word of a command that the player can paste."""
    return shlex.quote(str(path))
