"""Writing the file that answers another."""

from __future__ import annotations

from pathlib import Path

from pbem.cli import console
from pbem.errors import WrongUse


def check_free(path: Path) -> None:
    """Raise WrongUse where there is a file already, before anybody is asked anything."""
    if path.exists():
        raise WrongUse(
            f"There is a file {path} already, which may be your answer: send that one. "
            "Two different answers to one file look like cheating; if that one never left your "
            "computer, remove it first."
        )


def write(path: Path, data: bytes) -> None:
    """Write a new file; from then on it is no longer true that nothing was written."""
    from pbem.files import write_new

    write_new(path, data)
    console.note_written(f"{path} was written.")
