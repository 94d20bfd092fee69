"""The files in `accepted/` and `refused/`, with their indexes.

They were made once and never change within a version of the protocol. `python -m
tests.vectors.refusals acres-vectors.zip` writes an archive for authors of other readers, with the
documents, all test vectors, these files, and large ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.vectors.chains import game, save_records
from tests.vectors.games import HERE

ACCEPTED, REFUSED = HERE / "accepted", HERE / "refused"
DOCUMENTS = ("protocol.md", "save-format.md", "orders.md")
DATE = (2026, 11, 23, 0, 0, 0)
"""The date of all files in the archive, which makes its content reproducible."""


class Vector(NamedTuple):
    """A file that breaks one rule, the index of the broken record, and a description."""

    rule: str
    breach: str
    data: bytes
    record: int | None = None
    folder: str = ""

    @property
    def name(self) -> str:
        """The name of the file."""
        words = "".join(c if c.isalnum() else " " for c in self.breach.lower())
        return f"{self.rule}-{'-'.join(words.split())}.toml"


@cache
def read_index() -> tuple[Vector, ...]:
    """Return all files of the index of `refused/`."""
    rows = json.loads((REFUSED / "index.json").read_text(encoding="utf-8"))
    return tuple(
        Vector(row["rule"], row["what"], (REFUSED / row["file"]).read_bytes(), row["record"],
               row["file"].rpartition("/")[0])
        for row in rows
    )  # fmt: skip


def small() -> tuple[Vector, ...]:
    """Return the files that a reader without the rules of the game has to refuse."""
    return tuple(vector for vector in read_index() if not vector.folder)


def with_rules() -> tuple[Vector, ...]:
    """Return the files that only a reader with the rules of the game refuses."""
    return tuple(vector for vector in read_index() if vector.folder == "with-rules")


def without_rules() -> tuple[Vector, ...]:
    """Return the files that a reader with the rules refuses earlier, by a rule of the game."""
    return tuple(vector for vector in read_index() if vector.folder == "without-rules")


def large() -> Iterator[Vector]:
    """Yield files that break a rule R-1 by their size; they are not stored."""
    whole = save_records(game("game-follow-ups").records[:1])
    for rule, breach, mark in [
        ("R-1.4", "65537 full stops", b"."),
        ("R-1.5", "65537 opening brackets", b"["),
        ("R-1.5", "65537 opening braces", b"{"),
    ]:
        yield Vector(rule, breach, whole + (b"#" + mark * 100 + b"\n") * 656)
    yield Vector("R-1.1", "2097153 bytes", whole + b"\n" * (2097153 - len(whole)))


def honest_files() -> dict[str, bytes]:
    """Return the honest files of `accepted/`, by name."""
    rows = json.loads((ACCEPTED / "index.json").read_text(encoding="utf-8"))
    return {row["file"]: (ACCEPTED / row["file"]).read_bytes() for row in rows}


def archive(path: Path) -> None:
    """Write the archive."""
    docs = HERE.parents[1] / "docs"
    files = {f"docs/{name}": (docs / name).read_bytes() for name in DOCUMENTS}
    for folder, name in ((HERE, "vectors"), (ACCEPTED, "accepted"), (REFUSED, "refused")):
        files_in = folder.rglob("*") if folder != HERE else folder.glob("*")
        paths = [file for file in files_in if file.suffix in (".json", ".toml", ".txt")]
        files |= {f"{name}/{p.relative_to(folder).as_posix()}": p.read_bytes() for p in paths}
    files |= {f"refused/large/{vector.name}": vector.data for vector in large()}
    files["README.md"] = (REFUSED / "README.md").read_bytes()
    with ZipFile(path, "w", ZIP_DEFLATED) as zipped:
        for name, data in sorted(files.items()):
            zipped.writestr(ZipInfo(name, DATE), data, ZIP_DEFLATED)


if __name__ == "__main__":
    archive(Path(sys.argv[1]))
