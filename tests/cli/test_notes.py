"""Private notes are shown as typed, edited in an editor, and never lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.protocol.identity import MAX_NOTES
from tests.cli.commands import FILE, OTHER_ORDERS, PASSES, Result, acres, apply, snapshot
from tests.cli.screen import Terminal

pytestmark = pytest.mark.usefixtures("in_game_folder")
Edit = Callable[..., Result]


@pytest.fixture(autouse=True)
def terminal_in_this_process(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    """Let commands in this process edit notes; their files are in the folder of the game."""
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("tempfile.tempdir", str(game))
    monkeypatch.setenv("ACRES_PLAIN", "1")
    monkeypatch.setenv("ACRES_PAGER", "")
    monkeypatch.delenv("VISUAL", raising=False)


def write_editor(folder: Path, action: str) -> str:
    """Return the command of an editor that runs `action` on `path` and its `text`."""
    script = folder / "editor.py"
    script.write_text(
        "import os, signal, sys, pathlib\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        f"{action}\n",
        encoding="utf-8",
    )
    return f"{sys.executable} '{script}'"


@pytest.fixture
def edit(game: Path, monkeypatch: pytest.MonkeyPatch) -> Edit:
    """A function that answers the quiet game with notes edited by an action."""

    def answer(action: str, file: str = FILE, **variables: str) -> Result:
        for name, value in ({"EDITOR": write_editor(game, action)} | variables).items():
            monkeypatch.setenv(name, value)
        return apply(*PASSES, "--edit-notes", file=file)

    return answer


def notes_in(file: str = "game-018.toml") -> str:
    return acres("turn", "show", file, home="british").out.partition("Your notes\n")[2]


def saved_notes(game: Path) -> list[Path]:
    return [*game.glob("acres-notes-*")]


def test_no_note_steers_the_terminal() -> None:
    result = apply(*PASSES, "--note", "right\u202eleft \U000e0041tag").succeeds()
    for out in (result.out, notes_in()):
        assert "rightleft tag" in out


def test_edited_notes_travel_along(edit: Edit) -> None:
    assert apply(*PASSES, "--note", "old").status == 0
    acres("turn", "apply", "game-018.toml", *PASSES, home="french")
    action = r"path.write_text(text + '\tand new\r\n\n', encoding='utf-8', newline='')"
    edit(action, file="game-019.toml").succeeds()
    assert notes_in("game-020.toml").splitlines()[:2] == ["  old", "      and new"]


def test_file_of_the_editor_is_private_and_removed(game: Path, edit: Edit) -> None:
    edit("path.write_text(oct(path.stat().st_mode))").succeeds()
    assert "0o100600" in notes_in()
    assert not saved_notes(game)


@pytest.mark.parametrize(
    ("action", "variables"),
    [
        ("pass", {}),
        ("path.write_text(text + '\\n')", {}),
        # VISUAL overrides EDITOR.
        ("", {"EDITOR": "no-such-editor", "VISUAL": "true"}),
    ],
)
def test_unchanged_notes_stay(edit: Edit, action: str, variables: dict[str, str]) -> None:
    edit(action, **variables).succeeds()
    assert not notes_in()


@pytest.mark.parametrize(
    ("action", "variables"),
    [
        ("", {"EDITOR": "no-such-editor"}),
        ("", {"EDITOR": "'"}),
        ("", {"EDITOR": "", "PATH": "/nowhere"}),
        ("sys.exit(3)", {}),
        ("path.unlink()", {}),
    ],
)
def test_failed_editor_signs_and_keeps_nothing(
    game: Path, edit: Edit, action: str, variables: dict[str, str]
) -> None:
    before = {path for path in snapshot(game) if path.suffix == ".toml"}
    edit(action, **variables).fails()
    assert {path for path in snapshot(game) if path.suffix == ".toml"} == before
    assert not saved_notes(game)


@pytest.mark.parametrize(
    ("action", "typed"),
    [
        ("path.write_text('x' * 4001)", "x" * (MAX_NOTES + 1)),
        ("path.write_text('a\\x1bb')", "a\x1bb"),
        ("path.write_bytes(b'caf\\xe9')", "café"),
        ("path.write_text('mine'); sys.exit(1)", "mine"),
        ("path.write_text('mine'); os.kill(os.getpid(), 9)", "mine"),
    ],
)
def test_notes_that_cannot_be_sealed_are_kept(
    game: Path, edit: Edit, action: str, typed: str
) -> None:
    refused = edit(action).fails()
    assert not (game / "game-018.toml").exists()
    (path,) = saved_notes(game)
    assert str(path) in refused.err
    assert path.read_bytes().decode("latin-1").rstrip() == typed


def test_refused_answer_opens_no_editor(game: Path, edit: Edit) -> None:
    assert apply(*OTHER_ORDERS).status == 0
    assert edit("path.with_name('edited').touch()").status == 2
    assert not (game / "edited").exists()


def test_interrupt_in_the_editor_stops_only_the_editor(game: Path) -> None:
    action = (
        "import time\n"
        "signal.signal(signal.SIGINT, lambda *_: (path.write_text('heeded'), sys.exit(0)))\n"
        "print('editing', flush=True); time.sleep(20)"
    )
    variables = {"EDITOR": write_editor(game, action), "VISUAL": ""}
    command = ("--home", "british", "turn", "apply", FILE, *PASSES, "--edit-notes")
    with Terminal.acres(*command, folder=game, **variables) as terminal:
        terminal.wait_for("editing")
        terminal.interrupt()
        assert terminal.wait_for_exit() == 0
    assert notes_in().startswith("  heeded")
