"""What a strict reader refuses, and this program too but for UTF-16: docs/save-format.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.savefile.save_file import SaveFile
from tests.cli.using import acres
from tests.vectors.chains import game

TEXT = game("game").cut(3).data().decode()
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
    "CR": (lambda: TEXT.replace("\n", "\r").encode(), "R-1.3", REFUSED),
    "CR in a string": (lambda: changed('edition = "sec\rond"'), "R-1.6", REFUSED),
    "a line break": (lambda: changed('edition = "sec\nond"'), "R-1.6", REFUSED),
    "a line break that TOML takes": (lambda: changed('edition = """second\n"""'), "R-2.5", REFUSED),
    "a tab in a string": (lambda: changed('edition = "sec\tond"'), "R-2.5", REFUSED),
    "UTF-16": (lambda: TEXT.encode("utf-16"), "R-1.2", ["encoding"]),
    "prose": (lambda: f"Here it is.\n\n{TEXT}\nBela\n".encode(), "R-1.6", REFUSED),
    "quoting": (lambda: re.sub("(?m)^", "> ", TEXT).encode(), "R-1.6", REFUSED),
}


def changed(line: str) -> bytes:
    assert EDITION in TEXT
    return TEXT.replace(EDITION, line).encode()


@pytest.mark.parametrize("what", ROWS)
def test_what_mail_changed_is_refused_by_its_rule(what: str, tmp_path: Path) -> None:
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
        # What has text around it is no file by itself.
        assert (done.status, told["number"]) == (
            2,
            None if what in ("prose", "quoting") else strict,
        )
    else:
        assert (done.status, told["mended"]) == (0, mended)
