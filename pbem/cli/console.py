"""Output to the terminal. All output goes through this module and `prompts`.

`say`, `item`, `warn` and similar functions print a message, or a text with its values:
`say("{place} is under siege.", place=name)`. `say_verbatim` prints text that is never translated.
Printed text is never read as markup, and has no control characters from files or from an opponent's
name: `pbem.foreign` removes them, and this module exports its functions.
"""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from json import dumps
from pathlib import Path
from typing import Any, TextIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console, RenderableType
from rich.text import Text

from engine.message import Message, Phrase
from pbem.errors import describe_os_error
from pbem.foreign import clean as clean
from pbem.foreign import display_address as display_address
from pbem.foreign import display_name as display_name
from pbem.foreign import is_for_output, is_printed, protect_spaces, restore_spaces, strip_controls
from pbem.text.facts.json_data import to_json_data
from pbem.text.language import SOURCE, Language, Line, Tone

PROGRAM = "acres"
WIDTH = 80
"""The maximum width of prose, in columns, however wide the terminal is."""
MAX_COLUMNS = 160
"""The maximum width of a screen, in columns."""
BELOW_MAP = 100
"""The width of text below a map, in columns."""
PLAIN_VARIABLE = "ACRES_PLAIN"
MIN_TEXT_WIDTH = 20
"""The minimum width of a text to the right of its label, in columns; else it is below it."""
_STYLES = {
    Tone.PLAIN: "",
    Tone.HEAD: "bold",
    Tone.GOOD: "bold green",
    Tone.FINE: "green",
    Tone.BAD: "bold red",
}
_DRAWING_CHARACTERS = "─│┌┐└┘├┤┬┴┼╭╮╰╯═║╔╗╚╝╱╲┄┆≈●○■□▲⌂•«»"
"""The characters of maps and tables, which an encoding needs for drawings."""


ON_ERROR = "acres-like"
"""The name of the error handler that replaces characters missing in an encoding."""
_ASCII = dict.fromkeys("’‘", "'") | dict.fromkeys("“”«»", '"') | {"–": "-", "—": "-", "…": "..."}


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    characters = error.object[error.start : error.end]
    return "".join(_ASCII.get(c, "?") for c in characters), error.end


codecs.register_error(ON_ERROR, _replace_unencodable)


class OutputError(Exception):
    """Raised if output cannot be written; the message has the reason."""


class OutputClosedError(OutputError):
    """Raised if the reader of the output has closed it."""


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Convert errors of an output stream to OutputError, unlike errors of files."""
    try:
        yield
    except BrokenPipeError:
        raise OutputClosedError from None
    except OSError as error:
        raise OutputError(describe_os_error(error)) from None


class PlayerConsole(Console):
    """A rich console whose stream errors become OutputError."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; an OSError becomes OutputError, unlike errors of files."""
        with _convert_errors():
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Raise OutputClosedError, so that `main` decides how the program ends."""
        raise OutputClosedError


class CancelledError(Exception):
    """Raised if the player cancels a command; nothing was written."""


@cache
def _console_for(*, stderr: bool) -> PlayerConsole:
    return PlayerConsole(stderr=stderr, markup=False, highlight=False, emoji=False, safe_box=True)


def _console(*, to_stderr: bool, columns: int | None = None) -> PlayerConsole:
    """Return the console of a stream, with the width `columns` or else that of prose."""
    console = _console_for(stderr=to_stderr)
    console.width = columns or width()
    # Without a height, rich assumes 80 columns for a dumb terminal.
    console.height = rows()
    return console


# --- settings


@dataclass(slots=True)
class Settings:
    """The output settings of this command.

    `written_notice` is a sentence about the files written so far, `printed_to` the stream for files
    to be printed.
    """

    language: Language = field(default_factory=lambda: Language(SOURCE))
    is_plain: bool = False
    has_pager: bool = True
    written_notice: Phrase = ""
    printed_to: TextIO | None = None


settings = Settings()


def language() -> Language:
    """Return the language of this command."""
    return settings.language


def set_language(code: str) -> None:
    """Set the language of this command. Raises the same errors as `Language`."""
    settings.language = Language(code)


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Set the language within a block. Raises the same errors as `Language`."""
    previous = settings.language
    set_language(code)
    try:
        yield
    finally:
        settings.language = previous


def translate(message: Phrase) -> str:
    """Return a message in the language of this command."""
    return language().say(message)


def columns() -> int:
    """Return the maximum width of a screen: that of the terminal or of COLUMNS, at most 160.

    It is read again each time, because a terminal may be resized during a turn. An unknown width
    counts as 80.
    """
    return min(MAX_COLUMNS, shutil.get_terminal_size().columns)


def rows() -> int:
    """Return the height of the terminal or of LINES, or 24 if it is unknown."""
    return shutil.get_terminal_size().lines


def width() -> int:
    """Return the width at which prose is wrapped, in columns."""
    return min(WIDTH, columns())


def is_plain() -> bool:
    """Return True if output is plain lines of text, without drawings.

    Plain output is for screen readers, at the player's choice (`acres --plain`, ACRES_PLAIN=1), and
    for terminals that cannot draw (TERM=dumb, or an encoding without box drawing).
    """
    return (
        settings.is_plain
        or os.environ.get(PLAIN_VARIABLE, "0") not in ("", "0")
        or os.environ.get("TERM", "").lower() in ("dumb", "unknown")
        or not _can_draw(encoding())
    )


def encoding() -> str:
    """Return the encoding of standard output."""
    return getattr(sys.stdout, "encoding", None) or "utf-8"


@cache
def _can_draw(encoding: str) -> bool:
    try:
        _DRAWING_CHARACTERS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


# --- printing


def _to_message(message: Phrase, facts: dict[str, object]) -> Phrase:
    """Return a message; a text becomes a message with the values `facts`."""
    return message if isinstance(message, Message) or not message else Message(message, **facts)


def say(message: Phrase = "", /, style: str = "", **facts: object) -> None:
    """Print a paragraph, wrapped between words."""
    say_hanging("", _to_message(message, facts), style)


def show(renderable: RenderableType) -> None:
    """Print an object laid out by rich, without the spaces that pad its lines."""
    lines = _console(to_stderr=False, columns=columns()).render_lines(renderable, pad=False)
    show_lines(Text.assemble(*((s.text, s.style or "") for s in line)) for line in lines)


def show_lines(lines: Iterable[Text]) -> None:
    """Print lines of a layout, cropped at the edge of the terminal and never wrapped."""
    width = columns()
    cropped_lines = [_crop(line, width) for line in lines]
    # One call prints all lines, because each call is slow.
    if cropped_lines:
        _console(to_stderr=False).print(Text("\n").join(cropped_lines), soft_wrap=True)


def _crop(line: Text, width: int) -> Text:
    line = line.copy()
    if not line.plain.isprintable():
        # Each character is replaced by one other, so that styles keep their positions.
        line.plain = "".join(c if is_printed(c) else "\ufffd" for c in line.plain)
    line.truncate(width, overflow="crop")
    line.rstrip()
    return line


def say_unwrapped(message: Phrase, /, **facts: object) -> None:
    """Print a message without wrapping, because it contains paths or commands."""
    say_verbatim(translate(_to_message(message, facts)))


def say_verbatim(text: str) -> None:
    """Print text that is never translated: paths, commands, data for programs."""
    lines = map(strip_controls, text.split("\n"))
    # One call prints all lines, because each call is slow.
    _console(to_stderr=False).print("\n".join(lines), soft_wrap=True)


def say_below(message: Phrase, below: object, /, **facts: object) -> None:
    """Print a paragraph, and below it an indented line that is not wrapped."""
    say(_to_message(message, facts))
    say_verbatim(f"  {below}")


def heading(message: Phrase, /) -> None:
    """Print a heading, with an empty line before it."""
    say()
    say(message, "bold")


def item(message: Phrase, /, style: str = "", indent: int = 2, **facts: object) -> None:
    """Print a text with every line indented."""
    say_hanging(" " * indent, _to_message(message, facts), style)


def say_hanging(head: Phrase, text: Phrase, style: str = "") -> None:
    """Print a text after a label, and indent its other lines to the end of the label."""
    console = _console(to_stderr=False)
    head, text = translate(head), translate(text)
    # No word is broken inside that has room below.
    words = [length for length in map(cell_len, text.split()) if length <= console.width - 6]
    if head.strip() and console.width - cell_len(head) < max([MIN_TEXT_WIDTH, *words]):
        console.print(Text(head.rstrip()), soft_wrap=True)
        head = " " * 6
    indent = cell_len(head)
    for number, line in enumerate(_wrap(text, max(1, console.width - indent))):
        row = Text(head if number == 0 else " " * indent).append(line, style)
        # Wrapped lines must not be wrapped again.
        console.print(row, soft_wrap=True)


def say_lines(lines: Iterable[Line]) -> None:
    """Print the lines of a longer text; leading blanks indent a line more."""
    ready = list(lines)
    column = max((cell_len(translate(line.label)) for line in ready if line.in_columns), default=0)
    for line in ready:
        label, text, style = translate(line.label), translate(line.text), _STYLES[line.tone]
        if line.is_whole:
            say_verbatim(text)
        elif label:
            say_hanging(set_cell_size(label, column) if line.in_columns else label, text, style)
        else:
            content = text.lstrip(" ")
            say_hanging(" " * (line.indent + len(text) - len(content)), content, style)


def say_data(facts: object) -> None:
    """Print facts as JSON for other programs; messages in them are English."""
    say_verbatim(dumps(to_json_data(facts), indent=2))


def say_after_label(label: Phrase, texts: Sequence[Phrase]) -> None:
    """Print a label and texts: the first text after it on the same line, the others below.

    The width is at most that of a map, because this is part of a screen.
    """
    max_width = max(1, min(BELOW_MAP, columns()) - 4)
    head, first, *others = map(translate, (label, *texts))
    lines = [_wrap(text, max_width) for text in (f"{head} {first}", *others)]
    for number, line in enumerate(chain.from_iterable(lines)):
        row = Text("    " if number else "  ").append(line)
        if number == 0 and line.startswith(head):
            row.stylize("bold", 2, 2 + len(head))
        _console(to_stderr=False).print(row, soft_wrap=True)


def _wrap(text: str, columns: int) -> list[str]:
    """Wrap a text; a quotation stays on one line, so that no line begins with quoted words."""
    lines = Text(protect_spaces(strip_controls(text))).wrap(_console_for(stderr=False), columns)
    return [restore_spaces(line.plain).rstrip() for line in lines]


def warn(message: Phrase, /, **facts: object) -> None:
    """Print a note to standard error."""
    sentence = _on_one_line(translate(_to_message(message, facts)))
    say_stderr(Message("Note: {sentence}", sentence=sentence))


def fail(message: Phrase, /, *, after_input: bool = False, **facts: object) -> None:
    """Print a sentence with the reason that the command failed to standard error.

    If `after_input` is true, it begins on a new line.
    """
    if after_input:
        say_stderr("")
    sentence = _on_one_line(translate(_to_message(message, facts)))
    say_stderr(f"{PROGRAM}: {sentence}", style="bold")


def _on_one_line(text: str) -> str:
    """Put a sentence on one line, and keep non-breaking spaces."""
    return " ".join(filter(None, strip_controls(text).split(" ")))


def say_stderr(message: Phrase, style: str = "") -> None:
    """Print a text to standard error, if that stream is open."""
    text = translate(message)
    lines = _wrap(text, width()) if sys.stderr.isatty() else [text]
    try:
        for line in lines:
            _console(to_stderr=True).print(Text(line, style), soft_wrap=True)
    except OutputError:
        # The exit status still reports the error.
        discard(sys.stderr)


@contextmanager
def capture() -> Iterator[list[str]]:
    """Capture the output of the block: afterwards the list has its lines, with their styles."""
    lines: list[str] = []
    try:
        with _console_for(stderr=False).capture() as capture:
            yield lines
    finally:
        # Every line ends with a line break, also the last one.
        lines += capture.get().split("\n")[:-1]


def write_lines(lines: Iterable[str]) -> None:
    """Print captured lines unchanged. Raises OutputError if that fails."""
    with _convert_errors():
        _console_for(stderr=False).file.writelines(f"{line}\n" for line in lines)


def flush() -> None:
    """Flush standard output. Raises OutputError if that fails."""
    with _convert_errors():
        sys.stdout.flush()


def discard(stream: TextIO) -> None:
    """Redirect a stream to the null device."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null_device, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(null_device)


def note_written(sentence: Phrase = "", /, **facts: object) -> None:
    """Store a sentence about the files written so far, in case the player stops the program."""
    settings.written_notice = _to_message(sentence, facts)


def note_file(path: Path) -> None:
    """Store the fact that the file at `path` was written, or print it if it is to be printed.

    Raises OutputError if it cannot be printed.
    """
    if is_for_output(path) and settings.printed_to:
        with _convert_errors():
            settings.printed_to.buffer.write(path.read_bytes())
            settings.printed_to.flush()
    else:
        settings.written_notice = Message("{file} was written.", file=path)


def written_notice() -> Phrase:
    """Return a sentence about the files written so far, or one that there are none."""
    return settings.written_notice or Message("Nothing was written.")


def progress_console() -> Console:
    """Return the console for a progress bar, on standard error."""
    return _console(to_stderr=True)


def is_terminal() -> bool:
    """Return True if both input and output are a terminal, which allows questions."""
    return sys.stdin.isatty() and sys.stdout.isatty()
