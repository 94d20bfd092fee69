"""Writing the file that answers another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli import console
from pbem.cli.paths import exists, reaching
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.record import Record


def check_writable(path: Path, *, instead_of: Record | None = None) -> None:
    """Raise WrongUse where the file cannot be written, before anybody is asked anything.

    A file that is there already stays, unless it ends with the record `instead_of`.
    """
    if exists(path) and not (instead_of is not None and holds(path, instead_of)):
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


def holds(path: Path, record: Record) -> bool:
    """Whether there is a game in the file at that path whose last record is this one."""
    from pbem.errors import Unreadable
    from pbem.files import read_file
    from pbem.savefile import SaveFile

    try:
        return SaveFile.read(read_file(path)).records[-1].hash == record.hash
    except Unreadable:
        return False


def write(path: Path, data: bytes, *, instead_of: Record | None = None) -> None:
    """Write a new file; from then on it is no longer true that nothing was written.

    A file that ends with the record `instead_of`, and no other, is overwritten.
    """
    from pbem.files import write_new

    if instead_of is not None and exists(path) and holds(path, instead_of):
        beside = path.with_name(f"{path.name}.new")
        write_new(beside, data)
        with reaching(path, "cannot be written"):
            beside.replace(path)
    else:
        write_new(path, data)
    console.note_written(f"{path} was written.")
