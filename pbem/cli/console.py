"""Printing and asking. Everything that reaches the terminal goes through here.

Nothing that is printed is taken for markup, and no control character of a file or of an opponent's
name gets out: `clean` is the one place that sees to it.
"""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 80
BESIDE = 20
"""So many columns a text needs to stand beside its head, and not below it."""
_SPACES = "\t\n\r\v\f\x85\u2028\u2029"


class OutputFailed(Exception):
    """The output cannot be written; the message says why."""


class OutputClosed(OutputFailed):
    """Whoever read the output has stopped reading."""


class Cancelled(Exception):
    """The player chose to stop; nothing was written."""


class _Console(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        """Print; an OSError becomes OutputFailed, so that none is taken for that of a file."""
        try:
            super().print(*objects, **options)
        except OSError as error:
            raise OutputFailed(str(error.strerror)) from None

    def on_broken_pipe(self) -> None:
        """Leave it to `main` how the program ends."""
        raise OutputClosed


def clean(text: str) -> str:
    r"""A text from outside on one line, with nothing in it that steers the terminal.

    >>> clean("Anna\x1b[31m\u202e"), clean("two\nlines")
    ('Anna[31m', 'two lines')
    """
    return " ".join(_printable(text).split())


def _printable(text: str) -> str:
    """Without the characters that move the cursor, colour the screen or turn the line around."""
    spaced = "".join(" " if c in _SPACES else c for c in text)
    return "".join(c for c in spaced if unicodedata.category(c)[0] != "C")


@cache
def _console(*, to_stderr: bool) -> Console:
    width = min(WIDTH, shutil.get_terminal_size().columns)
    return _Console(
        stderr=to_stderr, width=width, markup=False, highlight=False, emoji=False, safe_box=True
    )


def say(text: str = "", style: str = "") -> None:
    """Print a paragraph, wrapped between words."""
    say_hanging("", text, style)


def show(renderable: RenderableType) -> None:
    """Print something laid out by rich, without the spaces that fill its lines."""
    console = _console(to_stderr=False)
    for segments in console.render_lines(renderable, pad=False):
        line = Text.assemble(*((s.text, s.style or "") for s in segments), no_wrap=True)
        line.rstrip()
        console.print(line)


def say_whole(text: str) -> None:
    """Print lines that must not be wrapped: paths, commands, data for other programs."""
    for line in text.split("\n"):
        _console(to_stderr=False).print(_printable(line), soft_wrap=True)


def heading(text: str) -> None:
    """Print a heading, with an empty line before it."""
    say()
    say(text, style="bold")


def item(text: str, style: str = "", indent: int = 2) -> None:
    """Print a text whose every line is indented."""
    say_hanging(" " * indent, text, style)


def say_hanging(head: str, text: str, style: str = "") -> None:
    """Print a text after a head, under which no further line of it reaches."""
    console = _console(to_stderr=False)
    if head.strip() and console.width - len(head) < BESIDE:
        console.print(Text(head.rstrip()), soft_wrap=True)
        head = " " * 6
    lines = Text(_printable(text)).wrap(console, max(1, console.width - len(head)))
    for number, line in enumerate(lines):
        line.rstrip()
        begun = Text(head if number == 0 else " " * len(head)).append(line.plain, style)
        # As it is: what was wrapped once must not be wrapped again.
        console.print(begun, soft_wrap=True)


def warn(text: str) -> None:
    """Print a sentence to standard error that is no failure."""
    _say_aside(f"Note: {clean(text)}")


def fail(text: str, *, after_input: bool = False) -> None:
    """Print the one sentence that says why the command failed; on a new line `after_input`."""
    _say_aside("\n" * after_input + f"acres: {clean(text)}", style="bold")


def _say_aside(text: str, style: str = "") -> None:
    try:
        _console(to_stderr=True).print(text, style=style, soft_wrap=not sys.stderr.isatty())
    except OutputFailed:
        # There is nobody to tell; the exit status still tells it.
        discard(sys.stderr)


def flush() -> None:
    """See that all that was printed is out; raises OutputFailed where it cannot be."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise OutputClosed from None
    except OSError as error:
        raise OutputFailed(str(error.strerror)) from None


def discard(stream: TextIO) -> None:
    """Let everything go nowhere that is still to be written to a stream."""
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(sink)


_written: list[str] = []


def note_written(sentence: str) -> None:
    """Remember what was written, in case the player stops the program afterwards."""
    _written[:] = [sentence]


def written() -> str:
    """What was written so far, as a sentence; empty if nothing was."""
    return _written[0] if _written else ""


def width() -> int:
    """How many columns there are to print in."""
    return _console(to_stderr=False).width


def progress_console() -> Console:
    """The console for a progress bar."""
    return _console(to_stderr=False)


def is_terminal() -> bool:
    """Whether a person sits at both ends: questions can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(prompt: str) -> str:
    """A line typed by the player; raises Cancelled at the end of input."""
    try:
        return input(prompt)
    except EOFError:
        print()
        raise Cancelled from None


def ask_yes(question: str, hint: str) -> bool:
    """Whether the player agrees. Anything but y or n is answered with the `hint` what these do."""
    prompt = f"{question} [y/n] "
    if len(prompt) >= width():
        say_whole(question)
        prompt = "[y/n] "
    while True:
        answer = ask(prompt).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
        say(hint)


def ask_secret(prompt: str) -> str:
    """A line typed without being shown; raises Cancelled at the end of input."""
    from getpass import getpass

    try:
        return getpass(prompt)
    except EOFError:
        raise Cancelled from None
