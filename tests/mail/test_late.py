"""Who does not use mail does not wait for what mail needs."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.using import ROOT, environment

OF_MAIL = ["email", "smtplib", "imaplib", "imapclient", "keyring", "html.parser", "ssl"]
OF_GAMES = [
    "engine.game",
    "engine.catalogue",
    "engine.orders",
    "engine.sides",
    "pbem.protocol.steps",
    "pbem.savefile.save_file",
    "pbem.play.config",
    "sqlite3",
    "tomllib",
]

PROGRAM = """
import sys
from pbem.cli.main import main
status = main(sys.argv[2:])
print(status, *(name for name in sys.argv[1].split() if name in sys.modules), file=sys.stderr)
"""


def imported(names: Sequence[str], *words: Path | str) -> list[str]:
    """Which of these modules a command imports; it has to go well."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, " ".join(names), *map(str, words)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    status, *found = done.stderr.split()
    assert status == "0", done.stderr
    return found


def test_the_search_finds_what_is_imported(tmp_path: Path) -> None:
    assert imported(["typer", "nothing"], "--help") == ["typer"]


@pytest.mark.parametrize("words", [["--help"], ["mail", "--help"]])
def test_help_imports_nothing_of_mail_or_games(words: Sequence[str]) -> None:
    assert imported([*OF_MAIL, *OF_GAMES], *words) == []


def test_the_list_of_games_imports_nothing_of_mail(kept: Path) -> None:
    assert imported(OF_MAIL, "--home", kept / "Anna", "games") == []


@pytest.mark.parametrize("command", ["legal", pytest.param("show", marks=pytest.mark.long)])
def test_looking_at_a_file_imports_nothing_of_mail(
    kept: Path, command: str, tmp_path: Path
) -> None:
    file = kept / "game-001.toml"
    words: list[Path | str] = ["--home", tmp_path / "nobody", "turn", "show", file]
    if command == "legal":
        words = ["--home", kept / "Anna", "turn", "legal", file]
    assert imported(OF_MAIL, *words) == []


OF_PICTURES = ["jinja2", "markupsafe", "resvg_py", "pbem.board.picture", "pbem.view.scenes"]


@pytest.mark.parametrize("picture", [False, pytest.param(True, marks=pytest.mark.long)])
def test_only_who_wants_a_picture_waits_for_what_draws_it(
    kept: Path, tmp_path: Path, picture: bool
) -> None:
    file, draft = kept / "game-001.toml", tmp_path / "letter.eml"
    words: list[Path | str] = ["--home", kept / "Bela", "mail", "draft", file, "--output", draft]
    words += ["--picture"] if picture else []
    assert imported(OF_PICTURES, *words) == (OF_PICTURES if picture else [])
