"""What a strict reader refuses and this program mends: docs/save-format.md, *Reading*."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.savefile.save_file import SaveFile
from tests.cli.using import ROOT, acres
from tests.vectors.refused_chains import game, laid_out

TEXT = laid_out(game("game").records[:3]).decode()
EDITION = 'edition = "second"'
REFUSED = "refused"
"""By this program, too."""

# What was changed, what a strict reader says, what this program mended.
ROWS: dict[str, tuple[Callable[[], bytes], str, list[str] | str]] = {
    "CRLF": (lambda: TEXT.replace("\n", "\r\n").encode(), "", []),
    "a byte-order mark": (lambda: TEXT.encode("utf-8-sig"), "", []),
    "a comment": (lambda: f"# Hello.\n{TEXT}".encode(), "", []),
    "tabs around": (lambda: changed('\tedition\t=\t"second"\t'), "", []),
    "another kind of string": (lambda: changed('edition = """\nsecond"""'), "", []),
    "two byte-order marks": (lambda: f"\ufeff\ufeff{TEXT}".encode(), "R-1.6", []),
    "CR": (lambda: TEXT.replace("\n", "\r").encode(), "R-1.3", ["characters"]),
    "CR in a string": (lambda: changed('edition = "sec\rond"'), "R-1.6", ["characters", "lines"]),
    "a line break": (lambda: changed('edition = "sec\nond"'), "R-1.6", ["lines"]),
    "a line break that TOML takes": (
        lambda: changed('edition = """second\n"""'),
        "R-2.5",
        ["lines"],
    ),
    "a tab in a string": (lambda: changed('edition = "sec\tond"'), "R-2.5", REFUSED),
    "UTF-16": (lambda: TEXT.encode("utf-16"), "R-1.2", ["encoding"]),
    "prose": (lambda: f"Here it is.\n\n{TEXT}\nBela\n".encode(), "R-1.6", []),
    "quoting": (lambda: re.sub("(?m)^", "> ", TEXT).encode(), "R-1.6", ["quotes"]),
}


def changed(line: str) -> bytes:
    assert EDITION in TEXT
    return TEXT.replace(EDITION, line).encode()


@pytest.mark.parametrize("what", ROWS)
def test_what_mail_changed_is_mended_by_this_program_alone(what: str, tmp_path: Path) -> None:
    make, strict, mended = ROWS[what]
    file = tmp_path / "game.toml"
    file.write_bytes(make())
    try:
        SaveFile.read(file.read_bytes())
        says = ""
    except Unreadable as error:
        says = error.rule.number if error.rule else "?"
    assert says == strict
    done = acres("audit", file, "--json")
    told = json.loads(done.out)
    if mended is REFUSED:
        assert (done.status, told["number"]) == (2, strict)
    else:
        assert (done.status, told["mended"]) == (0, mended)


def test_the_document_has_these_rows() -> None:
    text = (ROOT / "docs" / "save-format.md").read_text(encoding="utf-8")
    table = text.partition("| what was changed |")[2].partition("\n\n")[0]
    for _, strict, mended in ROWS.values():
        assert strict.startswith("R-2") or strict in table
        assert isinstance(mended, str) or all(f"`{each}`" in table for each in mended)
