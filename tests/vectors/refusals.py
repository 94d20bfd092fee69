"""Write the files that must be refused: `python -m tests.vectors.refusals`.

They lie in `refused/`, named by the rule that each breaks, with a list of them in `index.json`. All
is fixed, so that they never change unless the protocol does. With the name of a file, such as
`python -m tests.vectors.refusals acres-vectors.zip`, it writes an archive for who builds another
reader: the documents, all test vectors, what must be accepted, these, and the large ones that are
not kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.vectors import (
    honest,
    refused_closes,
    refused_decks,
    refused_edges,
    refused_form,
    refused_played,
    refused_steps,
)
from tests.vectors.games import HERE
from tests.vectors.refused_chains import Vector

FOLDER = HERE / "refused"
DOCUMENTS = ("protocol.md", "save-format.md", "orders.md")
DATE = (2026, 11, 23, 0, 0, 0)
"""Of all that is in the archive, so that it is the same whenever it is made."""


@cache
def small() -> tuple[Vector, ...]:
    """What a reader has to refuse that knows no rules of the game."""
    return (
        *chain(refused_form.of_files(), refused_form.of_records(), refused_form.of_evidence()),
        *chain(refused_steps.of_chains(), refused_steps.of_entering(), refused_steps.of_order()),
        *chain(refused_steps.of_orders(), refused_steps.of_cheap_ends()),
        *chain(
            refused_decks.of_decks(), refused_decks.of_slots_ahead(), refused_closes.of_closes()
        ),
        *chain(refused_played.of_played(), refused_edges.of_edges()),
    )


@cache
def with_rules() -> tuple[Vector, ...]:
    """What only a reader refuses that knows them; to all others it is in order."""
    return (
        *chain(refused_closes.with_rules(), refused_played.with_rules()),
        *refused_edges.with_rules(),
    )


def large() -> Iterator[Vector]:
    """What is made when it is needed: files that are too large."""
    return refused_form.large()


def path_of(vector: Vector) -> str:
    """Where a vector lies, in the folder of those that must be refused."""
    return f"with-rules/{vector.name}" if vector in with_rules() else vector.name


def index(vectors: list[Vector]) -> str:
    """The list of some vectors: file, rule, record and in a few words what is wrong."""
    rows = [
        {"file": path_of(one), "rule": one.rule, "record": one.record, "what": one.what}
        for one in vectors
    ]
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def kept() -> dict[str, bytes]:
    """The files of the folder, by path."""
    vectors = [*small(), *with_rules()]
    files = {path_of(vector): vector.data for vector in vectors}
    assert len(files) == len(vectors), "two vectors of one name"
    return files | {"index.json": index(vectors).encode()}


def archive(path: Path) -> None:
    """Write the archive."""
    docs = HERE.parents[1] / "docs"
    files = {f"docs/{name}": (docs / name).read_bytes() for name in DOCUMENTS}
    whole = [one for end in ("json", "toml", "txt") for one in sorted(HERE.glob(f"*.{end}"))]
    files |= {f"vectors/{one.name}": one.read_bytes() for one in whole}
    files |= {f"accepted/{name}": data for name, data in honest.files().items()}
    files |= {f"refused/{name}": data for name, data in kept().items()}
    files |= {f"refused/large/{one.name}": one.data for one in large()}
    files["README.md"] = (FOLDER / "README.md").read_bytes()
    with ZipFile(path, "w", ZIP_DEFLATED) as zipped:
        for name, data in sorted(files.items()):
            zipped.writestr(ZipInfo(name, DATE), data, ZIP_DEFLATED)


def write() -> None:
    """Write the folder, and take away what is no longer made."""
    files = kept()
    for old in [*FOLDER.rglob("*.toml"), *FOLDER.rglob("*.json")]:
        if old.relative_to(FOLDER).as_posix() not in files:
            old.unlink()
    for name, data in files.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        archive(Path(name))
    if not sys.argv[1:]:
        write()
