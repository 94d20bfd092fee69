"""Commands that need no mail do not import libraries for mail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import run_python

MAIL_MODULES = "email smtplib imaplib imapclient keyring ssl mailbox"
GAME_MODULES = (
    "engine.game engine.catalogue engine.orders engine.sides pbem.protocol.steps "
    "pbem.savefile.save_file pbem.play.config sqlite3 tomllib"
)
IMAGE_MODULES = "jinja2 markupsafe resvg_py pbem.board.picture pbem.text.facts.position_facts"
PROGRAM = """
import sys
from pbem.cli.main import main
status = main(sys.argv[2:])
print(status, *(name for name in sys.argv[1].split() if name in sys.modules), file=sys.stderr)
"""
ANNA = "--home {folder}/Anna"
SHOW = "--home {tmp}/nobody turn show {folder}/game-001.toml"
DRAFT = "--home {folder}/Bela mail draft {folder}/game-001.toml --output {tmp}/letter.eml"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "words", "expected"),
    [
        ("typer nothing", "--help", "typer"),
        (f"{MAIL_MODULES} {GAME_MODULES}", "--help", ""),
        (f"{MAIL_MODULES} {GAME_MODULES}", "mail --help", ""),
        (MAIL_MODULES, f"{ANNA} games", ""),
        (MAIL_MODULES, f"{ANNA} turn legal {{folder}}/game-001.toml", ""),
        pytest.param(MAIL_MODULES, SHOW, "", marks=pytest.mark.long),
        (IMAGE_MODULES, DRAFT, ""),
        pytest.param(IMAGE_MODULES, f"{DRAFT} --picture", IMAGE_MODULES, marks=pytest.mark.long),
    ],
)
def test_command_imports_only_its_mail_modules(
    players_folder: Path, tmp_path: Path, names: str, words: str, expected: str
) -> None:
    result = run_python(PROGRAM, names, *words.format(folder=players_folder, tmp=tmp_path).split())
    status, *results = result.err.split()
    assert (status, results) == ("0", expected.split()), result.err
