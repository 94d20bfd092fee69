"""Commands printed for copying name the program correctly."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pbem.cli.app import bare_program
from tests.cli.commands import FILE, acres

MISTAKES = [
    "turns", "turn shwo", "turn show --bad", "turn show a b c", "new --lang fr",
    "key list --lang", "key show x", "key restore x y", "games --json add", "turn show",
    "play robo --new", "log 7", "rules nothing-like-it", "rules Boston", "rules Rangers",
    "rules settle", "card", "config nme", "rules editions", "rules house", "rules supply",
    "location Boston", "card Boston", "audit x", "turn legal {game} raid",
    "turn legal {game} settle halifax", "turn legal {game} develop", "card Boston {game}",
    "rules siege {game}", "games folders", "mail check", "mail send {game}", "demo x",
    "stats --json x", "turn apply {game}", "turn apply {game} fly", "board --svg",
]  # fmt: skip
"""Command lines with a mistake, or that say how to go on; {game} is a file of the quiet game."""


def test_program_off_the_path_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The README runs `.venv/bin/acres`, which is not on the PATH.
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [".venv/bin/acres", "demo"])
    assert bare_program() == ".venv/bin/acres"
    monkeypatch.setattr(sys, "argv", ["my games/acres", "demo"])
    assert bare_program() == "'my games/acres'"


def test_program_on_the_path_is_named_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "acres"
    installed.write_text("#!/bin/sh\n")
    installed.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(installed), "demo"])
    assert bare_program() == "acres"


def test_commands_of_a_single_file_name_its_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The file needs one kind of Python, and `python3` may be another.
    monkeypatch.setattr(sys, "argv", ["my games/acres.pyz", "demo"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3.11"))
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert bare_program() == f"{tmp_path}/python3.11 'my games/acres.pyz'"
    (tmp_path / "python3.11").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bare_program() == "python3.11 'my games/acres.pyz'"


@pytest.mark.parametrize("words", MISTAKES)
@pytest.mark.usefixtures("in_game_folder")
def test_every_command_in_a_hint_names_the_home(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    result = acres(*words.format(game=FILE).split(), home="british")
    hints = [line for line in (result.out + result.err).splitlines() if "Usage:" not in line]
    assert not re.findall(r"\bacres (?!--home british).*", "\n".join(hints))
