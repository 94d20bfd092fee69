"""Files that a strict reader refuses; this program refuses all but UTF-16 too.

docs/save-format.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import InputError
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import acres
from tests.vectors.chains import game

TEXT = game("game").cut(3).data().decode()
EDITION = 'edition = "second"'
REFUSED = "refused"
"""The verdict on files that this program refuses too."""

# Each row has a change, the verdict of a strict reader, and the repairs by this program.
ROWS: dict[str, tuple[Callable[[], bytes], str, list[str] | str]] = {
    "CRLF": (lambda: TEXT.replace("\n", "\r\n").encode(), "", []),
    "a byte-order mark": (lambda: TEXT.encode("utf-8-sig"), "", []),
    "a comment": (lambda: f"# Hello.\n{TEXT}".encode(), "", []),
    "tabs around": (lambda: with_edition('\tedition\t=\t"second"\t'), "", []),
    "another kind of string": (lambda: with_edition('edition = """\nsecond"""'), "", []),
    "two byte-order marks": (lambda: f"\ufeff\ufeff{TEXT}".encode(), "R-1.6", []),
    "CR": (lambda: TEXT.replace("\n", "\r").encode(), "R-1.3", REFUSED),
    "CR in a string": (lambda: with_edition('edition = "sec\rond"'), "R-1.6", REFUSED),
    "a line break": (lambda: with_edition('edition = "sec\nond"'), "R-1.6", REFUSED),
    "a line break that TOML takes": (
        lambda: with_edition('edition = """second\n"""'),
        "R-2.5",
        REFUSED,
    ),
    "a tab in a string": (lambda: with_edition('edition = "sec\tond"'), "R-2.5", REFUSED),
    "UTF-16": (lambda: TEXT.encode("utf-16"), "R-1.2", ["encoding"]),
    "prose": (lambda: f"Here it is.\n\n{TEXT}\nBela\n".encode(), "R-1.6", REFUSED),
    "quoting": (lambda: re.sub("(?m)^", "> ", TEXT).encode(), "R-1.6", REFUSED),
}


def with_edition(line: str) -> bytes:
    assert EDITION in TEXT
    return TEXT.replace(EDITION, line).encode()


@pytest.mark.parametrize("change", ROWS)
def test_file_changed_by_mail_is_judged_by_its_rule(change: str, tmp_path: Path) -> None:
    make, strict, mended = ROWS[change]
    file = tmp_path / "game.toml"
    file.write_bytes(make())
    try:
        SaveFile.read(file.read_bytes())
        verdict = ""
    except InputError as error:
        verdict = error.rule.number if error.rule else "?"
    assert verdict == strict
    result = acres("audit", file, "--json")
    facts = json.loads(result.out)
    if mended is REFUSED:
        # A file within other text is not a valid file.
        assert (result.status, facts["number"]) == (
            2,
            None if change in ("prose", "quoting") else strict,
        )
    else:
        assert (result.status, facts["mended"]) == (0, mended)
