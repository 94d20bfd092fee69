"""A guided turn at a real terminal: completion, keys, window sizes, interrupts and resuming."""

import re
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.play.game_file import GameFile
from tests.cli.commands import PASSES, acres, do, snapshot
from tests.cli.screen import Terminal

MAIN = "> "
SIGN = "[y/n] "
FILE = "game-017.toml"
ANSWER = "game-018.toml"


@contextmanager
def guided_turn(
    folder: Path, *words: str, home: str = "british", **options: Any
) -> Iterator[Terminal]:
    """Start a guided turn in a terminal; `words` begin with the file."""
    apply = ("--home", home, "turn", "apply", *(words or (FILE,)))
    # The program must not wait for the cursor position of such a terminal.
    with Terminal.acres(*apply, folder=folder, **{"answers": False} | options) as terminal:
        terminal.wait_at(MAIN)
        yield terminal


def choose(terminal: Terminal, text: str) -> None:
    """Type the number of the last choice that begins with a text."""
    terminal.settle()
    rows = [re.search(r"(\d+)  (.*)", line) for line in terminal.text.splitlines()]
    terminal.type([row[1] for row in rows if row and row[2].startswith(text)][-1])


def wait_for_prompt(terminal: Terminal, prompt: str = MAIN) -> str:
    """Wait for a prompt with an empty line."""
    terminal.settle()
    assert terminal.before_cursor.endswith(prompt), terminal.text
    return terminal.text


def menu_lines(terminal: Terminal) -> list[str]:
    """Return the lines of the menu below the input line."""
    return [line for line in terminal.lines[terminal.cursor[0] + 1 :] if line.strip()]


def is_only_offer(terminal: Terminal, text: str) -> bool:
    """True if every line of the menu contains `text`."""
    return bool(menu_lines(terminal)) and all(text in line for line in menu_lines(terminal))


def orders_in(file: Path) -> list[str]:
    match = GameFile.read(file.read_bytes()).match
    last = match.last.index
    return [move.order.notation() for move in match.moves if move.record == last and move.order]


def test_whole_turn_by_numbers_is_written_and_accepted(game: Path) -> None:
    with guided_turn(game) as terminal:
        choose(terminal, "draft")
        terminal.wait_for("draft:")
        choose(terminal, "draft Rangers (costs 5 money)")
        terminal.wait_for("1 action to take")
        wait_for_prompt(terminal)
        choose(terminal, "pass")
        terminal.wait_at(SIGN)
        terminal.press("y", "enter")
        assert terminal.wait_for_exit() == 0
        assert "CPR" not in terminal.text
    assert orders_in(game / ANSWER) == ["draft rangers", "pass", "end"]
    do("turn", "apply", game / ANSWER, "pass", "pass", home=game / "french")


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r", "\n\n  "])
def test_pasted_lines_are_orders_and_do_not_sign(break_: str, game: Path) -> None:
    pasted = break_.join(["map", "draft rangers", "pass", "y"])
    with guided_turn(game) as terminal:
        terminal.press(f"\x1b[200~{pasted}\x1b[201~", "enter")
        terminal.wait_at(SIGN)
        terminal.settle()
        assert "You drafted Rangers" in terminal.text and not (game / ANSWER).exists()


def test_yes_ends_a_turn_as_enter_does(game: Path) -> None:
    with guided_turn(game) as terminal:
        for word in ("y", "pass", "pass", "n", "y"):
            terminal.type(word)
            terminal.settle()
        assert "Enter ends it" in terminal.text
        terminal.wait_at(SIGN)


def test_line_is_completed_with_legal_orders(game: Path) -> None:
    with guided_turn(game, rows=50) as terminal:
        terminal.press(*"dra")
        # The menu is made in the background, and Tab before its completion has no effect.
        terminal.wait_for(lambda t: is_only_offer(t, "draft"))
        terminal.settle()
        terminal.press("tab")
        terminal.wait_at("> draft ")
        terminal.press(*"ran")
        terminal.wait_for(lambda t: is_only_offer(t, "Rangers"))
        terminal.settle()
        terminal.press("tab")
        terminal.wait_at("> draft Rangers")
        # F2 shows the map, and keeps the line.
        maps = terminal.text.count("≈ Lake Erie ≈")
        terminal.press("\x1bOQ")
        wait_for_prompt(terminal, "> draft Rangers")
        assert terminal.text.count("≈ Lake Erie ≈") > maps
        terminal.press("enter")
        terminal.wait_for("You drafted Rangers")
        terminal.wait_for(lambda t: not menu_lines(t))
        assert terminal.wraps == 0
        assert terminal.colours
        terminal.quit()


def test_guided_turn_has_no_colour_with_no_color(game: Path) -> None:
    with guided_turn(game, NO_COLOR="1") as terminal:
        terminal.press(*"dra", "tab")
        terminal.settle()
        assert not terminal.colours


STAGES = {"with half a line": ["+dra"], "after an order": ["pass"]}


@pytest.mark.parametrize("stage", STAGES)
def test_interrupted_guided_turn_changes_no_file(game: Path, stage: str) -> None:
    lines = STAGES[stage]
    before = snapshot(game)
    with guided_turn(game) as terminal:
        for line in lines:
            if line.startswith("+"):
                terminal.press(*line[1:])
            else:
                terminal.type(line)
            terminal.settle()
        terminal.interrupt()
        assert terminal.wait_for_exit() == 130
        assert "acres: Stopped." in terminal.text
        assert "Traceback" not in terminal.text
    assert snapshot(game) == before


def test_end_of_input_in_a_guided_turn_changes_no_file(game: Path) -> None:
    before = snapshot(game)
    with guided_turn(game) as terminal:
        terminal.type("pass")
        wait_for_prompt(terminal)
        terminal.press("ctrl-d")
        assert terminal.wait_for_exit() == 0
    assert snapshot(game) == before


def test_keys_pressed_ahead_are_not_lost(game: Path) -> None:
    with guided_turn(game) as terminal:
        terminal.press("pass\rpass\ry\r")
        assert terminal.wait_for_exit() == 0
    assert orders_in(game / ANSWER) == ["pass", "pass", "end"]


@pytest.mark.parametrize(
    "variables", [{"TERM": "dumb"}, {"ACRES_PLAIN": "1"}], ids=["dumb", "plain"]
)
def test_plain_terminal_has_no_menu(game: Path, variables: Mapping[str, str]) -> None:
    with guided_turn(game, columns=50, **variables) as terminal:
        terminal.press(*"draft ran")
        terminal.settle()
        assert terminal.before_cursor == "> draft ran"
        assert not menu_lines(terminal)
        terminal.press("tab")
        terminal.wait_at("> draft Rangers")
        terminal.press("enter")
        wait_for_prompt(terminal)
        terminal.type("show")
        wait_for_prompt(terminal)
        assert terminal.wraps == 0
        if "TERM" in variables:
            assert b"\x1b" not in terminal.raw
        terminal.quit()


def test_window_may_be_low_and_be_resized(game: Path) -> None:
    with guided_turn(game, columns=100, rows=30) as terminal:
        terminal.resize(44, 30)
        terminal.settle()
        before = terminal.wraps
        terminal.type("help")
        wait_for_prompt(terminal)
        assert terminal.wraps == before
        terminal.resize(80, 4)
        terminal.type("draft rangers")
        terminal.wait_for("You drafted Rangers")
        assert b"too small" not in terminal.raw


def test_notes_are_edited_before_the_turn_is_signed(game: Path) -> None:
    editor = game / "editor.sh"
    editor.write_text('#!/bin/sh\necho "Take Quebec." > "$1"\n')
    editor.chmod(0o755)
    with guided_turn(game, EDITOR=str(editor), VISUAL="") as terminal:
        terminal.type("notes")
        wait_for_prompt(terminal)
        terminal.press("pass\rpass\r")
        terminal.wait_at(SIGN)
        terminal.type("y")
        assert terminal.wait_for_exit() == 0
    assert "Take Quebec." in acres("turn", "show", game / ANSWER, home=game / "british").out


def test_plain_turn_does_not_import_prompt_toolkit(game: Path) -> None:
    """Importing prompt_toolkit takes as long as everything else."""
    program = (
        "import sys; from pbem.cli.main import main; main(sys.argv[1:]);"
        "assert 'prompt_toolkit' not in sys.modules"
    )
    arguments = ["--home", "british", "--plain", "turn", "apply", FILE]
    with Terminal([sys.executable, "-c", program, *arguments], folder=game) as terminal:
        terminal.wait_at(MAIN)
        terminal.quit()


# --- resumed turns


def test_turn_whose_terminal_was_closed_is_resumed(game: Path) -> None:
    with guided_turn(game) as terminal:
        terminal.press("draft rangers\r")
        terminal.wait_for("1 action to take")
        wait_for_prompt(terminal)
        terminal.child.kill(signal.SIGKILL)
    with guided_turn(game) as terminal:
        terminal.wait_for("1 action to take")
        wait_for_prompt(terminal)
        terminal.press("undo all\rdraft rangers\rpass\ry\r")
        assert terminal.wait_for_exit() == 0
    assert orders_in(game / ANSWER) == ["draft rangers", "pass", "end"]


def test_saved_turn_survives_dry_runs_and_orders_in_the_command(game: Path) -> None:
    with guided_turn(game, FILE, "--dry-run") as terminal:
        terminal.press("pass\r")
        wait_for_prompt(terminal)
        terminal.quit()
    with guided_turn(game) as terminal:
        assert "2 actions to take" in wait_for_prompt(terminal)
        terminal.press("draft rangers\r")
        wait_for_prompt(terminal)
        terminal.quit()
    assert acres("turn", "apply", game / FILE, *PASSES, home=game / "british").status == 0
    assert orders_in(game / ANSWER) == ["pass", "pass", "end"]
