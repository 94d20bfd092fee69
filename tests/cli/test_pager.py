"""Output longer than a screen is shown in a pager, as git does."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from pbem.cli import console
from pbem.cli import pager as pager_module
from pbem.errors import UsageError
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import acres
from tests.cli.conftest import LAST
from tests.cli.screen import Terminal

# This replaces `less`, and writes its input and environment to files.
PROGRAM = """
import os, pathlib, sys
kept = pathlib.Path(sys.argv[1])
kept.write_bytes(sys.stdin.buffer.read())
names = ("LESS", "LESSSECURE", "LESSHISTFILE", "ACRES_PASSPHRASE")
kept.with_suffix(".env").write_text(" ".join(os.environ.get(name, "None") for name in names))
"""
FILE = f"game-{LAST:03}.toml"


@pytest.fixture
def pager_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with the input of the pager, in a terminal of five lines."""
    (tmp_path / "a pager.py").write_text(PROGRAM, encoding="utf-8")
    path = tmp_path / "kept"
    command = shlex.join([sys.executable, str(tmp_path / "a pager.py"), str(path)])
    for name, value in {"ACRES_PAGER": command, "PAGER": "cat", "LINES": "5"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    monkeypatch.setattr(console, "is_plain", lambda: False)
    return path


def test_long_output_goes_through_the_pager(
    game: Path, pager_input: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", "open sesame")
    home = game / "british"
    hint = "-Psq goes back, the space bar goes on$"
    acres("log", game / FILE, home=home).succeeds()
    assert pager_input.with_suffix(".env").read_text() == f"-R {hint} FX 1 - None"
    monkeypatch.setenv("LESS", "-i")
    acres("turn", "show", game / FILE, home=home).succeeds()
    # Players mostly read the end of the position.
    assert pager_input.with_suffix(".env").read_text() == f"-R +G$ {hint} -i 1 - None"
    last = pager_input.read_text("utf-8").splitlines()[-1]
    assert last == f"To answer: acres --home {home} turn apply {game / FILE}"


@pytest.mark.parametrize("holds", [True, False])
def test_audit_of_a_valid_or_invalid_file_is_paged(
    game: Path, pager_input: Path, holds: bool
) -> None:
    save = SaveFile.read((game / FILE).read_bytes())
    last = save.records[-1] if holds else save.records[-1]._replace(signature=bytes(64))
    (game / FILE).write_bytes(SaveFile((*save.records[:-1], last), save.boxes).write())
    assert acres("audit", game / FILE).status == (0 if holds else 1)
    assert pager_input.exists()


def test_short_output_and_no_pager_option_skip_the_pager(
    game: Path, pager_input: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = acres("--no-pager", "log", game / FILE)
    assert whole.out
    for name, value in {"ACRES_PAGER": "", "LINES": "200"}.items():
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            assert acres("log", game / FILE) == whole
    with monkeypatch.context() as changed:
        changed.setattr(console, "is_terminal", lambda: False)
        assert acres("log", game / FILE) == whole
    with monkeypatch.context() as changed:
        changed.setattr(console, "is_plain", lambda: True)
        assert acres("log", game / FILE).status == 0
    # If the pager cannot be started, the output goes to the terminal.
    monkeypatch.setenv("ACRES_PAGER", "no-such-pager-anywhere")
    assert acres("log", game / FILE).out == whole.out
    assert not pager_input.exists()


def test_pager_is_used_at_a_real_terminal(game: Path, tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'import sys; print(len(sys.stdin.readlines()), \"lines\")'"
    with Terminal.acres("log", FILE, folder=game, rows=10, ACRES_PAGER=command) as terminal:
        assert terminal.wait_for_exit() == 0
        assert terminal.text.endswith(" lines")


@pytest.mark.parametrize(
    ("error", "is_paged"), [(UsageError("no"), True), (KeyboardInterrupt(), False)]
)
def test_failure_is_paged_and_interrupt_is_not(
    pager_input: Path, error: BaseException, is_paged: bool
) -> None:
    with pytest.raises(type(error)), pager_module.page_output(pager_module.FROM_BEGINNING):
        for line in range(9):
            console.say(f"line {line}")
        raise error
    assert pager_input.exists() == is_paged


def test_windows_uses_a_pager_only_if_a_variable_names_it(
    pager_input: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The pager of Windows reads UTF-8 as the code page of the console.
    monkeypatch.setattr(sys, "platform", "win32")
    for is_named in (True, False):
        if not is_named:
            monkeypatch.delenv("ACRES_PAGER")
            monkeypatch.delenv("PAGER", raising=False)
        pager_input.unlink(missing_ok=True)
        with pager_module.page_output(pager_module.FROM_BEGINNING):
            for line in range(9):
                console.say(f"line {line}")
        assert pager_input.exists() == is_named
        assert ("line 8" in capsys.readouterr().out) != is_named
