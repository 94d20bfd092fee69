"""The terminal of the tests itself: it draws, wraps, colours and asks as one does."""

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from tests.cli.screen import Terminal, is_faint

ASKS_WHERE_THE_CURSOR_IS = """
import os, sys, termios, tty
tty.setraw(0)
os.write(1, b"ab\\x1b[6n")
print(os.read(0, 20))
"""
TELLS_ITS_SIZE = """
import os, signal
# The signal may come while "ready" is still being printed, and print may not be entered twice.
signal.signal(signal.SIGWINCH, lambda *_: os.write(1, f"{os.get_terminal_size()}".encode()))
print("ready", flush=True)
while True:
    signal.pause()
"""


def python(program: str, folder: Path, **options: Any) -> Terminal:
    return Terminal([sys.executable, "-c", program], folder=folder, **options)


def test_what_is_printed_stands_where_a_terminal_puts_it(tmp_path: Path) -> None:
    program = r"print('Émile 日本 x'); print('\x1b[31mred\x1b[0m not'); print('a' * 41)"
    with python(program, tmp_path, columns=40) as terminal:
        assert terminal.ended() == 0
        assert terminal.everything == ["Émile 日本 x", "red not", "a" * 40, "a"]
        assert (terminal.colour_of("red"), terminal.colour_of("not")) == ("red", "default")
        assert terminal.colours == {"red"}
        assert terminal.wraps == 1
        assert terminal.cursor == (4, 0)
        assert terminal.cells[0][11].data == "x"


def test_faint_text_is_known_from_colours_that_have_a_2_in_them(tmp_path: Path) -> None:
    program = r"print('\x1b[2;31ma\x1b[0mb\x1b[38;5;2mc\x1b[38;2;2;2;2md\x1b[2me\x1b[22mf')"
    with python(program, tmp_path) as terminal:
        terminal.ended()
        faint = [cell.data for cell in terminal.cells[0].values() if is_faint(cell)]
        assert faint == ["a", "e"]


def test_a_line_as_wide_as_the_terminal_does_not_wrap(tmp_path: Path) -> None:
    with python("print('a' * 40); print('日' * 20)", tmp_path, columns=40) as terminal:
        terminal.ended()
        assert terminal.wraps == 0
    with python("print('a' + '日' * 20)", tmp_path, columns=40) as terminal:
        terminal.ended()
        assert terminal.wraps == 1


def test_a_character_without_width_hides_nothing_after_it(tmp_path: Path) -> None:
    with python(r"print('a\u200bb')", tmp_path) as terminal:
        terminal.ended()
        assert terminal.text == "ab"


def test_what_scrolls_out_is_kept(tmp_path: Path) -> None:
    with python("print(*range(100), sep='\\n')", tmp_path, rows=10) as terminal:
        terminal.ended()
        assert terminal.everything == [str(n) for n in range(100)]
        assert terminal.lines == [*(str(n) for n in range(91, 100)), ""]
        assert len(terminal.cells) == 101


def test_keys_lines_and_interrupts_reach_the_program(tmp_path: Path) -> None:
    program = "print(input('> ')); print(input('> '))"
    with python(program, tmp_path) as terminal:
        terminal.wait_at("> ")
        terminal.type("one")
        terminal.wait_for("> one\none")
        terminal.wait_at("> ")
        terminal.interrupt()
        assert terminal.ended() != 0
        assert "KeyboardInterrupt" in terminal.text
    with python("raise SystemExit(3)", tmp_path) as terminal:
        assert terminal.ended() == 3


@pytest.mark.parametrize("answers", [True, False])
def test_a_terminal_may_tell_where_the_cursor_is(tmp_path: Path, answers: bool) -> None:
    with python(ASKS_WHERE_THE_CURSOR_IS, tmp_path, answers=answers) as terminal:
        terminal.wait_for("ab")
        terminal.settle()
        assert (r"b'\x1b[1;3R'" in terminal.text) == answers


def test_a_resize_reaches_the_program(tmp_path: Path) -> None:
    with python(TELLS_ITS_SIZE, tmp_path, columns=100) as terminal:
        terminal.wait_for("ready")
        terminal.resize(60, 20)
        terminal.wait_for("columns=60, lines=20")


def test_waiting_for_what_never_comes_shows_the_screen(tmp_path: Path) -> None:
    with (
        python("print('something')", tmp_path) as terminal,
        pytest.raises(AssertionError, match=r"(?s)else.*something"),
    ):
        terminal.wait_for("else")
