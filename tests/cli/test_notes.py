"""Private notes: shown as they were typed, edited in an editor, and never lost."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from pbem.protocol.identity import MAX_NOTES
from tests.cli.screen import Terminal
from tests.cli.using import FILE, OTHER, PASSES, Result, acres, apply, snapshot

pytestmark = pytest.mark.usefixtures("in_the_game")


def editor(folder: Path, what: str) -> str:
    """The command of an editor that does `what` with the text in the file, called `text`."""
    script = folder / "editor.py"
    script.write_text(
        "import os, signal, sys, pathlib\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        f"{what}\n",
        encoding="utf-8",
    )
    return f"{sys.executable} '{script}'"


def edited(folder: Path, what: str, *words: str, **variables: str) -> tuple[int, str]:
    """Answer the quiet game at a terminal with notes edited so; the status, and all it printed."""
    variables = {"EDITOR": editor(folder, what), "VISUAL": "", "TMPDIR": str(folder)} | variables
    command = ("--home", "british", "turn", "apply", FILE, *(words or PASSES), "--edit-notes")
    with Terminal.acres(*command, folder=folder, **variables) as terminal:
        return terminal.ended(), " ".join(terminal.text.split())


def shown(file: str = "game-018.toml") -> Result:
    return acres("turn", "show", file, home=Path("british"))


def notes_in(out: str) -> str:
    return out.partition("Your notes\n")[2]


# --- shown


def test_nothing_in_them_steers_the_terminal() -> None:
    done = apply(*PASSES, "--note", "right\u202eleft \U000e0041tag").succeeds()
    for out in (done.out, shown().out):
        assert "rightleft tag" in out


# --- edited


def test_what_the_editor_saves_travels_along(game: Path) -> None:
    assert apply(*PASSES, "--note", "old").status == 0
    acres("turn", "apply", "game-018.toml", *PASSES, home=Path("french"))
    command = ("--home", "british", "turn", "apply", "game-019.toml", *PASSES, "--edit-notes")
    what = r"path.write_text(text + '\tand new\r\n\n', encoding='utf-8', newline='')"
    with Terminal.acres(*command, folder=game, EDITOR=editor(game, what), VISUAL="") as terminal:
        assert terminal.ended() == 0
    assert notes_in(shown("game-020.toml").out).splitlines()[:2] == ["  old", "      and new"]


def test_the_file_of_the_editor_is_private_and_removed(game: Path) -> None:
    what = "path.write_text(oct(path.stat().st_mode))"
    status, told = edited(game, what)
    assert status == 0
    assert "0o100600" in told
    assert not list(game.glob("acres-notes-*"))


def test_visual_goes_before_editor(game: Path) -> None:
    status, told = edited(game, "path.write_text('seen')", EDITOR="no-such-editor", VISUAL="true")
    assert status == 0
    assert "seen" not in told


@pytest.mark.parametrize("what", ["pass", "path.write_text(text + '\\n')"])
def test_what_was_not_changed_stays(game: Path, what: str) -> None:
    status, told = edited(game, what)
    assert status == 0
    assert "notes" not in told


@pytest.mark.parametrize(
    ("what", "variables", "why"),
    [
        (
            "",
            {"EDITOR": "no-such-editor"},
            f"“no-such-editor” cannot be started ({os.strerror(errno.ENOENT)}",
        ),
        ("", {"EDITOR": "'"}, "The variable EDITOR holds no command"),
        pytest.param(
            *("", {"EDITOR": "", "PATH": "/nowhere"}, "there is no editor here"),
            marks=pytest.mark.long,
        ),
        ("sys.exit(3)", {}, "ended with an error"),
        pytest.param("path.unlink()", {}, "cannot be read", marks=pytest.mark.long),
    ],
)
def test_an_editor_that_fails(game: Path, what: str, variables: dict[str, str], why: str) -> None:
    before = {path for path in snapshot(game) if path.suffix == ".toml"}
    status, told = edited(game, what, **variables)
    assert status == 2
    assert why in told
    assert told.endswith("They stay as they were.")
    assert "Traceback" not in told
    assert {path for path in snapshot(game) if path.suffix == ".toml"} == before
    assert not list(game.glob("acres-notes-*"))


@pytest.mark.parametrize(
    ("what", "typed", "why"),
    [
        ("path.write_text('x' * 4001)", "x" * (MAX_NOTES + 1), f"at most {MAX_NOTES} characters"),
        ("path.write_text('a\\x1bb')", "a\x1bb", "no other control characters"),
        ("path.write_bytes(b'caf\\xe9')", "café", "not saved in UTF-8"),
        pytest.param(
            *("path.write_text('mine'); sys.exit(1)", "mine", "ended with an error"),
            marks=pytest.mark.long,
        ),
        ("path.write_text('mine'); os.kill(os.getpid(), 9)", "mine", "ended with an error"),
    ],
)
def test_what_cannot_be_sealed_is_kept(game: Path, what: str, typed: str, why: str) -> None:
    status, told = edited(game, what)
    assert status == 2
    assert why in told
    assert not (game / "game-018.toml").exists()
    (kept,) = game.glob("acres-notes-*")
    assert f"What you wrote is kept in {kept}.".replace(" ", "") in told.replace(" ", "")
    assert kept.read_bytes().decode("latin-1").rstrip() == typed


def test_nobody_types_notes_for_an_answer_that_is_refused(game: Path) -> None:
    assert apply(*OTHER).status == 0
    status, told = edited(game, "path.write_text('typed in vain')", *PASSES)
    assert status == 2
    assert "typed" not in told
    assert not list(game.glob("acres-notes-*"))


def test_an_interrupt_is_the_editors(game: Path) -> None:
    """Ctrl-C in an editor stops what goes on there, and not the program under it."""
    what = (
        "import time\n"
        "signal.signal(signal.SIGINT, lambda *_: (path.write_text('heeded'), sys.exit(0)))\n"
        "print('editing', flush=True); time.sleep(20)"
    )
    variables = {"EDITOR": editor(game, what), "VISUAL": ""}
    command = ("--home", "british", "turn", "apply", FILE, *PASSES, "--edit-notes")
    with Terminal.acres(*command, folder=game, **variables) as terminal:
        terminal.wait_for("editing")
        terminal.interrupt()
        assert terminal.ended() == 0
    assert notes_in(shown().out).startswith("  heeded")
