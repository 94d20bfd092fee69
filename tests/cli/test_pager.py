"""What is more than a screen is shown in a pager, as by git; nothing else is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import LAST
from tests.cli.screen import Terminal
from tests.cli.using import acres

# In place of `less`: says what it got, and in which environment.
PROGRAM = """
import os, sys
lines = sys.stdin.read().splitlines()
print(f"a pager got {len(lines)} lines, the last: {lines[-1]}")
print(f"settings: {os.environ['LESS']}, secrets: {os.environ.get('ACRES_PASSPHRASE')}")
"""
FILE = f"game-{LAST:03}.toml"


@pytest.fixture
def pager(tmp_path: Path) -> str:
    path = tmp_path / "a pager.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return f"{sys.executable} '{path}'"


def test_more_than_a_screen_is_given_to_the_pager(game: Path, pager: str) -> None:
    at_home = {"ACRES_HOME": str(game / "british"), "ACRES_PASSPHRASE": "open sesame"}
    with Terminal.acres("log", FILE, folder=game, rows=10, PAGER=pager, **at_home) as terminal:
        assert terminal.ended() == 0, terminal.text
        assert "a pager got" not in terminal.text
    # The tests have it off; what is off is more than what is named elsewhere.
    on = {"ACRES_PAGER": pager, "PAGER": "cat", **at_home}
    with Terminal.acres("log", FILE, folder=game, rows=10, **on) as terminal:
        assert terminal.ended() == 0
        assert "a pager got" in terminal.text
        assert "settings: FRX, secrets: None" in terminal.text
    with Terminal.acres("turn", "show", FILE, folder=game, rows=10, **on) as terminal:
        assert terminal.ended() == 0
        # Where it is said whose move it is stands what is looked at most.
        assert "settings: FRX +G" in terminal.text
        assert f"the last: To answer: acres turn apply {FILE}" in terminal.text.replace("\n", "")


@pytest.mark.parametrize("option", ["--no-pager", "--plain"])
def test_it_is_off_by_an_option_and_for_screen_readers(game: Path, pager: str, option: str) -> None:
    on = {"ACRES_HOME": str(game / "british"), "ACRES_PAGER": pager}
    with Terminal.acres(option, "log", FILE, folder=game, rows=10, **on) as terminal:
        assert terminal.ended() == 0
        assert "a pager got" not in terminal.text


def test_it_is_off_where_all_has_room_and_where_nobody_looks(
    game: Path, pager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = {"ACRES_HOME": str(game / "british"), "ACRES_PAGER": pager}
    with Terminal.acres("log", FILE, folder=game, rows=200, **on) as terminal:
        assert terminal.ended() == 0
        assert "a pager got" not in terminal.text
        whole = terminal.text
    for name, value in {**on, "LINES": "5"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(game)
    piped = acres("log", FILE, home=game / "british")
    assert "a pager got" not in piped.out
    assert piped.out.split() == whole.split()


def test_without_the_pager_all_is_printed(game: Path) -> None:
    on = {"ACRES_HOME": str(game / "british"), "ACRES_PAGER": "no-such-pager-anywhere"}
    with Terminal.acres("log", FILE, folder=game, rows=10, **on) as terminal:
        assert terminal.ended() == 0
        printed = terminal.text
    with Terminal.acres("--no-pager", "log", FILE, folder=game, rows=10, **on) as terminal:
        assert terminal.ended() == 0
        assert terminal.text == printed
