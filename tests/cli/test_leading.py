"""A turn led through at a terminal: by numbers, by keys, with second thoughts, and left."""

import re
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.orders import Raid
from pbem.play.game_file import GameFile
from tests.cli.screen import Terminal
from tests.cli.table import Table
from tests.cli.using import PASSES, acres, copy_practice_save, do, snapshot
from tests.play.turns import find, in_sequence
from tests.present import present
from tests.sample import sample

MAIN = "> "
SIGN = "[y/n] "
FILE = "game-017.toml"


@contextmanager
def led(folder: Path, *words: str, home: str = "british", **options: Any) -> Iterator[Terminal]:
    """A terminal in which a turn is led through, at its first line; `words` begin with the file."""
    apply = ("--home", home, "turn", "apply", *(words or (FILE,)))
    # A terminal that does not say where its cursor is must not be waited for.
    with Terminal.acres(*apply, folder=folder, **{"answers": False} | options) as terminal:
        terminal.wait_at(MAIN)
        yield terminal


def number_of(terminal: Terminal, text: str) -> str:
    """The number under which something was offered last."""
    rows = [re.search(r"(\d+)  (.*)", line) for line in terminal.text.splitlines()]
    return [row[1] for row in rows if row and row[2].startswith(text)][-1]


def choose(terminal: Terminal, text: str) -> None:
    """Type the number of what is offered."""
    terminal.settle()
    terminal.type(number_of(terminal, text))


def asked_again(terminal: Terminal, prompt: str) -> str:
    """Wait until an empty line is asked for."""
    terminal.settle()
    assert terminal.before_cursor.endswith(prompt), terminal.text
    return terminal.text


def menu(terminal: Terminal) -> list[str]:
    """What stands below the line that is typed."""
    return [line for line in terminal.lines[terminal.cursor[0] + 1 :] if line.strip()]


def is_offered(terminal: Terminal, text: str) -> bool:
    """Whether that, and nothing else, can become of the line."""
    return bool(menu(terminal)) and all(text in line for line in menu(terminal))


def ordered(file: Path) -> list[str]:
    match = GameFile.read(file.read_bytes()).match
    last = match.last.index
    return [deed.order.notation() for deed in match.deeds if deed.record == last and deed.order]


def test_a_whole_turn_by_numbers_is_written_and_accepted(game: Path) -> None:
    with led(game) as terminal:
        assert "Turn 17: 2 actions to take." in terminal.text
        choose(terminal, "draft")
        terminal.wait_for("draft:")
        choose(terminal, "draft Rangers (costs 5 money)")
        terminal.wait_for("You drafted Rangers, and paid 5 money. Your money: 12, then 7.")
        terminal.wait_for("1 action to take")
        asked_again(terminal, MAIN)
        choose(terminal, "pass")
        terminal.wait_at(SIGN)
        last = terminal.text[terminal.text.rindex("Your answer:") :]
        assert "You drafted Rangers, and paid 5 money." in last
        assert "your money: 7 (before: 12)" in last
        assert "This file finishes your turn." in last
        assert "Sign it and write game-018.toml?" in last
        terminal.press("y", "enter")
        assert terminal.ended() == 0
        assert "Next: send it to Émile <french@example.org>." in terminal.text
        assert "CPR" not in terminal.text
    assert ordered(game / "game-018.toml") == ["draft rangers", "pass", "end"]
    do("turn", "apply", game / "game-018.toml", "pass", "pass", home=game / "french")


def test_the_line_is_completed_with_legal_orders(game: Path) -> None:
    with led(game) as terminal:
        terminal.press(*"dra")
        # The menu is made while its reader types on; Tab is lost on one that is being made.
        terminal.wait_for(lambda t: is_offered(t, "draft"))
        terminal.settle()
        terminal.press("tab")
        terminal.wait_at("> draft ")
        terminal.press(*"ran")
        terminal.wait_for(lambda t: is_offered(t, "Rangers"))
        terminal.settle()
        terminal.press("tab")
        terminal.wait_at("> draft Rangers")
        terminal.press("enter")
        terminal.wait_for("You drafted Rangers")
        # The menu is gone, and nothing of it is left on the screen.
        terminal.wait_for(lambda t: not menu(t))
        terminal.quit()


def test_nothing_is_coloured_without_colours(game: Path) -> None:
    for variables, colours in (({"NO_COLOR": "1"}, False), ({}, True)):
        with led(game, **variables) as terminal:
            terminal.press(*"dra")
            terminal.settle()
            terminal.press("tab", "enter")
            terminal.type("draft rangers")
            terminal.settle()
            terminal.press("enter")
            terminal.settle()
            assert bool(terminal.colours) == colours
            terminal.interrupt()
            assert terminal.ended() == 130


STAGES = {
    "at once": ["1"],
    "in a list": ["discard"],
    "after an order": ["pass"],
    "before signing": ["pass", "pass"],
    "with half a line": ["+dra"],
}


@pytest.mark.parametrize("stage", sample(STAGES, every=2))
def test_an_interrupt_leaves_everything_as_it_was(game: Path, stage: str) -> None:
    lines = STAGES[stage]
    before = snapshot(game)
    with led(game) as terminal:
        for line in lines:
            if line.startswith("+"):
                terminal.press(*line[1:])
            else:
                terminal.type(line)
            terminal.settle()
        terminal.interrupt()
        assert terminal.ended() == 130
        left = " ".join(terminal.text.split()).partition("acres: Stopped. ")[2]
        kept = "Your orders are kept: the same command goes on with them."
        assert left == ("Nothing was written. " + kept * ("pass" in lines)).strip()
        assert "Traceback" not in terminal.text
    assert snapshot(game) == before


def test_a_signal_from_outside_does_the_same(game: Path) -> None:
    before = snapshot(game)
    with led(game) as terminal:
        terminal.settle()
        terminal.child.kill(signal.SIGINT)
        assert terminal.ended() == 130
        assert "Stopped. Nothing was written." in terminal.text
    assert snapshot(game) == before


def test_the_end_of_input_leaves_everything_as_it_was(game: Path) -> None:
    before = snapshot(game)
    with led(game) as terminal:
        terminal.type("pass")
        terminal.wait_for("1 action to take")
        terminal.press("ctrl-d")
        assert terminal.ended() == 0
        assert "Nothing was written." in terminal.text
    assert snapshot(game) == before


def test_keys_pressed_ahead_are_not_lost(game: Path) -> None:
    with led(game) as terminal:
        terminal.press("pass\rpass\ry\r")
        assert terminal.ended() == 0
    assert ordered(game / "game-018.toml") == ["pass", "pass", "end"]


@pytest.mark.parametrize(
    "variables", [{"TERM": "dumb"}, {"ACRES_PLAIN": "1"}], ids=["dumb", "plain"]
)
def test_a_plain_terminal_has_no_menu(game: Path, variables: Mapping[str, str]) -> None:
    with led(game, **variables) as terminal:
        terminal.press(*"draft ran")
        terminal.settle()
        assert terminal.before_cursor == "> draft ran"
        assert not "".join(terminal.lines[terminal.cursor[0] + 1 :]).strip()
        terminal.press("tab")
        terminal.wait_at("> draft Rangers")
        terminal.press("enter")
        terminal.wait_for("1 action to take")
        asked_again(terminal, MAIN)
        terminal.type("pass")
        terminal.wait_at(SIGN)
        terminal.type("y")
        assert terminal.ended() == 0
        if "TERM" in variables:
            assert b"\x1b" not in terminal.raw
    assert ordered(game / "game-018.toml") == ["draft rangers", "pass", "end"]


def test_a_narrow_dumb_terminal_is_not_written_over_its_edge(game: Path) -> None:
    with led(game, columns=50, TERM="dumb") as terminal:
        terminal.type("help")
        terminal.settle()
        terminal.type("show")
        asked_again(terminal, MAIN)
        assert terminal.wraps == 0
        terminal.quit()


def test_a_low_window_is_enough(game: Path) -> None:
    with led(game, rows=4) as terminal:
        terminal.press(*"draft ran", "tab")
        terminal.wait_at("> draft Rangers")
        terminal.press("enter")
        terminal.wait_for("You drafted Rangers")
        asked_again(terminal, MAIN)
        assert "too small" not in terminal.text
        terminal.quit()


def test_a_window_may_be_pulled_low(game: Path) -> None:
    with led(game, rows=30) as terminal:
        terminal.resize(80, 4)
        terminal.type("draft rangers")
        terminal.wait_for("You drafted Rangers")
        assert b"too small" not in terminal.raw


def test_a_resized_window_is_written_in_as_it_is_now(game: Path) -> None:
    with led(game, columns=100) as terminal:
        terminal.resize(44, 30)
        terminal.settle()
        before = terminal.wraps
        terminal.type("help")
        terminal.settle()
        terminal.type("draft rangers")
        asked_again(terminal, MAIN)
        assert terminal.wraps == before
        terminal.quit()


def test_a_raid_is_answered_by_numbers_and_the_turn_goes_on(tmp_path: Path) -> None:
    turn, (raid,) = find(in_sequence(Raid))
    table = Table(tmp_path, turn.match, turn.seed)
    table.apply(raid.notation(), "pass")
    home = present(table.match.next_side).value
    with led(tmp_path, table.file.name, home=home) as terminal:
        choose(terminal, "allow")
        terminal.wait_for("2 actions to take")
        assert "captured a village" in terminal.text or "captured a town" in terminal.text
        asked_again(terminal, MAIN)
        for _ in range(2):
            terminal.type("pass")
            terminal.settle()
        if terminal.before_cursor == MAIN:
            terminal.press("enter")
        terminal.wait_at(SIGN)
        terminal.type("y")
        assert terminal.ended() == 0
    assert "allow" in ordered(tmp_path / f"game-{table.match.last.index + 1:03}.toml")


def test_what_follows_an_answer_is_ordered_or_left(tmp_path: Path) -> None:
    file = copy_practice_save(73, tmp_path)
    with led(tmp_path, file.name, home="french") as terminal:
        terminal.type("convert priest")
        terminal.wait_for("whatever the answer, or wait.")
        assert "“Anna (practice)” has to answer first." in " ".join(terminal.text.split())
        asked_again(terminal, MAIN)
        choose(terminal, "pass")
        terminal.wait_for("pass: after the answer")
        terminal.type("wait")
        terminal.wait_at(SIGN)
        assert "It needs two files of yours" in " ".join(terminal.text.split())
        # A no to the whole takes no order back; more can be ordered then.
        terminal.type("n")
        asked_again(terminal, MAIN)
        assert "Taken back" not in terminal.text
        terminal.type("wait")
        terminal.wait_at(SIGN)
        terminal.type("y")
        assert terminal.ended() == 0
    match = GameFile.read((tmp_path / "game-073.toml").read_bytes()).match
    assert [order.notation() for order in match.follow_ups] == ["pass"]


def test_notes_are_edited_before_the_turn_is_signed(game: Path) -> None:
    editor = game / "editor.sh"
    editor.write_text('#!/bin/sh\necho "Take Quebec." > "$1"\n')
    editor.chmod(0o755)
    with led(game, EDITOR=str(editor), VISUAL="") as terminal:
        terminal.type("notes")
        terminal.wait_for("Your notes are changed")
        asked_again(terminal, MAIN)
        terminal.press("pass\rpass\r")
        terminal.wait_at(SIGN)
        assert "Take Quebec." in terminal.text.rsplit("Your answer:", 1)[1]
        terminal.type("y")
        assert terminal.ended() == 0
    shown = acres("turn", "show", game / "game-018.toml", home=game / "british")
    assert "Take Quebec." in shown.out


def test_a_broken_editor_costs_neither_notes_nor_turn(game: Path) -> None:
    with led(game, EDITOR="/nowhere/ed", VISUAL="") as terminal:
        terminal.type("notes")
        terminal.wait_for("cannot be started")
        asked_again(terminal, MAIN)
        terminal.quit()


def test_only_a_led_turn_pays_for_the_menu(game: Path) -> None:
    """The library behind it takes as long to import as all the rest."""
    program = (
        "import sys; from pbem.cli.main import main; main(sys.argv[1:]);"
        "assert 'prompt_toolkit' not in sys.modules"
    )
    command = [sys.executable, "-c", program]
    arguments = ["--home", "british", "turn", "apply", FILE]
    with Terminal([*command, *arguments, *PASSES, "--dry-run"], folder=game) as terminal:
        assert terminal.ended() == 0, terminal.text
    with Terminal([*command, "--plain", *arguments], folder=game) as terminal:
        terminal.wait_at(MAIN)
        terminal.quit()


# --- begun, and left


def test_a_turn_that_was_left_is_found_again(game: Path) -> None:
    """Its terminal is closed in the middle: nobody says good-bye to the program."""
    with led(game) as terminal:
        terminal.press("draft rangers\r")
        terminal.wait_for("1 action to take")
        asked_again(terminal, MAIN)
        terminal.child.kill(signal.SIGKILL)
    with led(game) as terminal:
        terminal.wait_for("1 action to take")
        asked_again(terminal, MAIN)
        assert "draft Rangers" in terminal.text.rsplit("You began this turn on", 1)[1]
        terminal.press("pass\ry\r")
        assert terminal.ended() == 0
    assert ordered(game / "game-018.toml") == ["draft rangers", "pass", "end"]


def test_a_turn_that_was_left_begins_anew_when_all_is_taken_back(game: Path) -> None:
    with led(game) as terminal:
        terminal.press("draft rangers\rundo all\r")
        terminal.wait_for("All orders are taken back.")
        terminal.settle()
        terminal.quit()
    with led(game) as terminal:
        terminal.settle()
        assert "You began" not in terminal.text
        terminal.quit()


def test_a_trial_keeps_nothing_and_orders_of_the_command_line_leave_it_unused(game: Path) -> None:
    with led(game, FILE, "--dry-run") as terminal:
        terminal.press("pass\r")
        terminal.wait_for("1 action to take")
        terminal.settle()
        terminal.quit()
    with led(game) as terminal:
        terminal.settle()
        assert "You began" not in terminal.text
        terminal.press("draft rangers\r")
        terminal.wait_for("1 action to take")
        terminal.settle()
        terminal.quit()
        assert "Your orders are kept" in terminal.text
    assert acres("turn", "apply", game / FILE, *PASSES, home=game / "british").status == 0
    assert ordered(game / "game-018.toml") == ["pass", "pass", "end"]
