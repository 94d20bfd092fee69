"""What is more than a screen is shown in a pager, as by git; nothing else is."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from pbem.cli import console
from pbem.cli import pager as pager_module
from pbem.errors import WrongUse
from pbem.savefile.save_file import SaveFile
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


def printed(game: Path, pager: str, *words: str, rows: int = 10, status: int = 0) -> str:
    """Return what a command leaves in a terminal that low, with that pager set."""
    on = {"ACRES_HOME": str(game / "british"), "ACRES_PAGER": pager}
    with Terminal.acres(*words, FILE, folder=game, rows=rows, **on) as terminal:
        assert terminal.ended() == status, terminal.text
        return terminal.text


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


@pytest.mark.parametrize("holds", [True, False])
def test_so_is_an_audit_of_any_file(game: Path, pager: str, holds: bool) -> None:
    save = SaveFile.read((game / FILE).read_bytes())
    last = save.records[-1] if holds else save.records[-1]._replace(signature=bytes(64))
    (game / FILE).write_bytes(SaveFile((*save.records[:-1], last), save.boxes).write())
    for rows in (4, 200):
        told = printed(game, pager, "audit", rows=rows, status=0 if holds else 1)
        assert ("a pager got" in told) == (rows == 4)


@pytest.mark.parametrize("option", ["--no-pager", "--plain"])
def test_it_is_off_by_an_option_and_for_screen_readers(game: Path, pager: str, option: str) -> None:
    assert "a pager got" not in printed(game, pager, option, "log")


def test_it_is_off_if_not_needed(game: Path, pager: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = printed(game, pager, "log", rows=200)
    assert "a pager got" not in whole
    for name, value in {"ACRES_PAGER": pager, "LINES": "5"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(game)
    piped = acres("log", FILE, home=game / "british")
    assert "a pager got" not in piped.out
    assert piped.out.split() == whole.split()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A terminal of five lines, and the file in which its pager keeps what it got."""
    (tmp_path / "keep.py").write_text(
        "import pathlib, sys; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"
    )
    kept = tmp_path / "kept"
    command = shlex.join([sys.executable, str(tmp_path / "keep.py"), str(kept)])
    for name, value in {"ACRES_PAGER": command, "LINES": "5"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    monkeypatch.setattr(console, "is_plain", lambda: False)
    return kept


@pytest.mark.parametrize(
    ("ends_in", "is_shown"), [(WrongUse("no"), True), (KeyboardInterrupt(), False)]
)
def test_a_failure_and_a_stop(shown: Path, ends_in: BaseException, is_shown: bool) -> None:
    with pytest.raises(type(ends_in)), pager_module.page_output(pager_module.FROM_BEGINNING):
        for line in range(9):
            console.say(f"line {line}")
        raise ends_in
    assert shown.exists() == is_shown


def test_on_windows_only_a_pager_of_ones_own_is_used(
    shown: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one that is there takes UTF-8 for the code page of the console."""
    monkeypatch.setattr(sys, "platform", "win32")
    for is_named in (True, False):
        if not is_named:
            monkeypatch.delenv("ACRES_PAGER")
            monkeypatch.delenv("PAGER", raising=False)
        shown.unlink(missing_ok=True)
        with pager_module.page_output(pager_module.FROM_BEGINNING):
            for line in range(9):
                console.say(f"line {line}")
        assert shown.exists() == is_named
        assert ("line 8" in capsys.readouterr().out) != is_named


def test_without_the_pager_all_is_printed(game: Path) -> None:
    off = printed(game, "no-such-pager-anywhere", "--no-pager", "log")
    assert printed(game, "no-such-pager-anywhere", "log") == off
