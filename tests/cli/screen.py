"""A terminal that runs the command, in which tests press keys and read the screen.

The program runs at a pseudo-terminal, and pyte draws its output with a cursor, wrapped lines, and
lines that scroll out at the top.
"""

from __future__ import annotations

import os
import re
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pexpect
import pyte
from pexpect.pty_spawn import ptyprocess
from pyte.modes import DECAWM
from pyte.screens import Char
from rich.cells import cell_len

from tests.cli.processes import COMMAND, environment, fork, heed_interrupts

TIMEOUT = 60.0
QUIET_SECONDS = 0.15
"""The time without output after which a sleeping program is taken to wait for a key."""
KEYS = {"enter": "\r", "tab": "\t", "ctrl-d": "\x04"}
Row = dict[int, Char]


class _Screen(pyte.Screen):
    """A screen that keeps scrolled lines, counts wrapped ones, and answers queries."""

    def __init__(self, columns: int, lines: int, answer: Callable[[str], None]) -> None:
        self.scrolled: list[Row] = []
        self.wraps = 0
        self._answer = answer
        super().__init__(columns, lines)

    def draw(self, data: str) -> None:
        """Draw each character by itself, because pyte stops a text at one without width."""
        for char in data:
            if self.cursor.x + cell_len(char) > self.columns and DECAWM in self.mode:
                self.wraps += 1
            super().draw(char)

    def index(self) -> None:
        if self.cursor.y == self.lines - 1 and not self.margins:
            self.scrolled.append(dict(self.buffer[0]))
        super().index()

    def select_graphic_rendition(self, *attrs: int, **options: bool) -> None:
        """Set style and colours. Faint text, which pyte does not know, is stored as blinking."""
        super().select_graphic_rendition(*attrs, **options)
        style = list(attrs)
        while style:
            attribute = style.pop(0)
            if attribute in (38, 48):
                del style[: 2 if style[:1] == [5] else 4]
            elif attribute in (0, 2, 22):
                self.cursor.attrs = self.cursor.attrs._replace(blink=attribute == 2)

    def write_process_input(self, data: str) -> None:
        """Answer queries for the position of the cursor and the kind of terminal."""
        self._answer(data)


def is_faint(cell: Char) -> bool:
    """True if a cell is shown faint."""
    return cell.blink


class Spawn(pexpect.spawn):  # type: ignore[misc]
    """A program at a terminal, forked if the platform allows it."""

    def _spawnpty(self, args: list[str], **options: Any) -> Any:
        terminal, far_end = os.openpty()
        termios.tcsetwinsize(terminal, options["dimensions"])
        words = [os.fsdecode(word) for word in args]
        number = fork(words, *[far_end] * 3, folder=options["cwd"], variables=options["env"])
        os.close(far_end)
        if number is None:
            os.close(terminal)
            return super()._spawnpty(args, **options)
        return ptyprocess.PtyProcess(number, terminal)


class Terminal:
    """A program at a terminal of some columns and rows; a context that ends the program.

    With `answers` the terminal answers queries for the position of its cursor; not all do.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        columns: int = 80,
        rows: int = 40,
        answers: bool = True,
        **variables: str,
    ) -> None:
        self.raw = b""
        self.answers = answers
        self._screen = _Screen(columns, rows, self._reply)
        self._stream = pyte.ByteStream(self._screen)
        program, *options = command
        self.child = Spawn(
            program,
            options,
            cwd=str(folder),
            env=environment(**{"TERM": "xterm-256color", **variables}),
            dimensions=(rows, columns),
            timeout=TIMEOUT,
            # Children of tests in the background would otherwise ignore Ctrl-C.
            preexec_fn=heed_interrupts,
        )

    @classmethod
    def acres(cls, *arguments: object, folder: Path, **options: Any) -> Terminal:
        """Return a terminal with the command `acres`, run in a folder."""
        return cls([*COMMAND, *map(str, arguments)], folder=folder, **options)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.child.close(force=True)

    # --- keys

    def press(self, *keys: str) -> None:
        """Press keys, given by their name in `KEYS` or by the text that they type."""
        for key in keys:
            self.child.send(KEYS.get(key, key))

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self.press(line, "enter")

    def interrupt(self) -> None:
        """Press Ctrl-C once the program waits for a key, as late as a person would."""
        self.settle()
        self.child.sendintr()

    def resize(self, columns: int, rows: int) -> None:
        """Resize the window; the program gets SIGWINCH."""
        self._screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    # --- the screen

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, without trailing spaces."""
        return [text_of(self._screen.buffer[y]) for y in range(self._screen.lines)]

    @property
    def all_lines(self) -> list[str]:
        """All lines, including those that scrolled out, without empty lines at the end."""
        lines = [text_of(row) for row in self._screen.scrolled] + self.lines
        while lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def text(self) -> str:
        """All lines as one text."""
        return "\n".join(self.all_lines)

    @property
    def cells(self) -> list[Row]:
        """The cells of all lines by column; each has its character, `fg`, `bg`, `bold`..."""
        rows = [dict(self._screen.buffer[y]) for y in range(self._screen.lines)]
        return [*self._screen.scrolled, *rows]

    @property
    def colours(self) -> set[str]:
        """The colours on the screen, without the default colours of the terminal."""
        used = {colour for row in self.cells for cell in row.values() for colour in cell[1:3]}
        return used - {"default"}

    @property
    def wraps(self) -> int:
        """The number of lines that were too long and wrapped."""
        return self._screen.wraps

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor on the screen."""
        return self._screen.cursor.y, self._screen.cursor.x

    @property
    def before_cursor(self) -> str:
        """The line of the cursor, up to the cursor."""
        row, column = self.cursor
        return "".join(self._screen.buffer[row][x].data for x in range(column))

    # --- waiting

    def wait_for(
        self, condition: str | Callable[[Terminal], bool], timeout: float = TIMEOUT
    ) -> str:
        """Read until a text is on the screen or a condition holds; return all the text."""
        expected = (lambda t: condition in t.text) if isinstance(condition, str) else condition
        until = time.monotonic() + timeout
        while not expected(self):
            if not self._read() or time.monotonic() > until:
                # The last output may have come with the end of the program.
                if expected(self):
                    break
                raise AssertionError(f"There never was “{condition}” in:\n{self.text}")
        return self.text

    def wait_at(self, prompt: str, timeout: float = TIMEOUT) -> str:
        """Read until the cursor is directly after a prompt; return all the text."""
        return self.wait_for(lambda terminal: terminal.before_cursor.endswith(prompt), timeout)

    def settle(self) -> str:
        """Read until the program waits for a key, or has ended; return all the text."""
        quiet_since = time.monotonic()
        while time.monotonic() < quiet_since + QUIET_SECONDS or not is_sleeping(self.child.pid):
            before = len(self.raw)
            if not self._read():
                break
            if len(self.raw) > before:
                quiet_since = time.monotonic()
        return self.text

    def wait_for_exit(self) -> int:
        """Read the output to its end, and return the exit status."""
        until = time.monotonic() + TIMEOUT
        while self._read():
            assert time.monotonic() < until, f"The program goes on:\n{self.text}"
        self.child.close()
        status = self.child.exitstatus
        return status if isinstance(status, int) else 128 + (self.child.signalstatus or 0)

    def quit(self) -> None:
        """Leave a guided turn."""
        self.type("quit")
        assert self.wait_for_exit() == 0, self.text

    def _read(self) -> bool:
        """Draw the available output; return False at the end of the program."""
        try:
            data = self.child.read_nonblocking(1 << 16, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True

    def _reply(self, data: str) -> None:
        if self.answers:
            self.child.send(data)


def is_sleeping(process: int) -> bool:
    """True if a process is waiting, or if the system does not report it."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return True
    return re.search(r"\) (\w)", stat.read_text())[1] in "SZ"  # type: ignore[index]


def text_of(row: Row) -> str:
    return "".join(
        row[x].data if x in row else " " for x in range(max(row, default=-1) + 1)
    ).rstrip()
