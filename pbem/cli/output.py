"""Writing the file that answers another."""

from __future__ import annotations

from pathlib import Path

from pbem.cli import console
from pbem.cli.paths import exists, reaching
from pbem.errors import WrongUse


def check_writable(path: Path) -> None:
    """Raise WrongUse where no new file can be written, before anybody is asked anything."""
    if exists(path):
        raise WrongUse(
            f"There is a file {path} already, which may be your answer: send that one. "
            "Two different answers to one file look like cheating; if that one never left your "
            "computer, remove it first."
        )
    from tempfile import NamedTemporaryFile

    with reaching(path, "cannot be written"):
        folder = next(folder for folder in path.absolute().parents if folder.exists())
        # Only a trial tells: permissions say little on some file systems, and names have limits.
        with NamedTemporaryFile(dir=folder, prefix=f".{path.name}."):
            pass


def write(path: Path, data: bytes) -> None:
    """Write a new file; from then on it is no longer true that nothing was written."""
    from pbem.files import write_new

    write_new(path, data)
    console.note_written(f"{path} was written.")
