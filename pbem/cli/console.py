"""Printing. Everything that reaches the terminal goes through here, and `prompts`.

`say`, `item`, `warn` and their like print a message, or the text of one with its facts:
`say("{place} is under siege.", place=name)`. `say_verbatim` prints text that is never translated.
Nothing that is printed is taken for markup, and no control character of a file or of an opponent's
name gets out: `pbem.foreign` sees to it, and what it offers is at hand here.
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
from pbem.foreign import is_printed, protect_spaces, restore_spaces, strip_controls
from pbem.text.facts.plain import plain
from pbem.text.language import SOURCE, Language, Line, Tone

PROGRAM = "acres"
WIDTH = 80
"""Prose is wrapped here, however wide the terminal is."""
MOST_COLUMNS = 160
"""No screen is laid out wider than this."""
BELOW_MAP = 100
"""What is told below a map is wrapped at its width, here."""
PLAIN_VARIABLE = "ACRES_PLAIN"
BESIDE = 20
"""How many columns a text needs to stand beside its head, and not below it."""
_STYLES = {
    Tone.PLAIN: "",
    Tone.HEAD: "bold",
    Tone.GOOD: "bold green",
    Tone.FINE: "green",
    Tone.BAD: "bold red",
}
_DRAWN = "─│┌┐└┘├┤┬┴┼╭╮╰╯═║╔╗╚╝╱╲┄┆≈●○■□▲⌂•«»"
"""What maps and tables are drawn with: where one of these is missing, nothing is drawn."""


LIKE = "acres-like"
"""How an output deals with signs that it lacks (`errors=`): it writes what is most like them."""
_LIKE = {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "..."}


def _most_like(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_LIKE.get(c, "?") for c in lacking), error.end


codecs.register_error(LIKE, _most_like)


class OutputFailed(Exception):
    """The output cannot be written; the message says why."""


class OutputClosed(OutputFailed):
    """Whoever read the output has stopped reading."""


@contextmanager
def _failing() -> Iterator[None]:
    """Let an error of a stream be one of the output, so that it is taken for none of a file."""
    try:
        yield
    except BrokenPipeError:
        raise OutputClosed from None
    except OSError as error:
        raise OutputFailed(describe_os_error(error)) from None


class PlayerConsole(Console):
    """The output that the player reads: an error of its stream is taken for none of a file."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; an OSError becomes OutputFailed, so that none is taken for that of a file."""
        with _failing():
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Leave it to `main` how the program ends."""
        raise OutputClosed


class Cancelled(Exception):
    """The player chose to stop; nothing was written."""


@cache
def _made(*, to_stderr: bool) -> PlayerConsole:
    return PlayerConsole(
        stderr=to_stderr, markup=False, highlight=False, emoji=False, safe_box=True
    )


def _console(*, to_stderr: bool, columns: int | None = None) -> PlayerConsole:
    """Return the console of a stream, that many columns wide; None: as wide as prose may be now."""
    console = _made(to_stderr=to_stderr)
    console.width = columns or width()
    # Without it, rich takes a dumb terminal to be 80 columns wide whatever it is told.
    console.height = rows()
    return console


# --- in which language, and how


@dataclass(slots=True)
class Settings:
    """The manner in which this command speaks to its player, and what it has `written` so far."""

    language: Language = field(default_factory=lambda: Language(SOURCE))
    is_plain: bool = False
    has_pager: bool = True
    written: Phrase = ""


settings = Settings()


def language() -> Language:
    """Return the language in which this command speaks to its player."""
    return settings.language


def speak(code: str) -> None:
    """Have this command speak that language from now on; raises OSError as `Language` does."""
    settings.language = Language(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak that language for a while; raises OSError as `Language` does."""
    before = settings.language
    speak(code)
    try:
        yield
    finally:
        settings.language = before


def translate(what: Phrase) -> str:
    """Return a message in the words of this command's player."""
    return language().say(what)


def columns() -> int:
    """Return how many columns a screen may take: the terminal's, or COLUMNS, at most 160.

    Asked afresh each time, because terminals change their size while a turn is led; 80 where
    nobody knows.
    """
    return min(MOST_COLUMNS, shutil.get_terminal_size().columns)


def rows() -> int:
    """Return how many rows the terminal has now, or LINES says; 24 if nobody knows."""
    return shutil.get_terminal_size().lines


def width() -> int:
    """Return how many columns prose is wrapped at."""
    return min(WIDTH, columns())


def is_plain() -> bool:
    """Return True if everything is to be told in lines and in words, and nothing to be drawn.

    For a screen reader, or whoever prefers that (`acres --plain`, ACRES_PLAIN=1); and for a
    terminal that cannot draw (TERM=dumb, an encoding without box drawing).
    """
    return (
        settings.is_plain
        or os.environ.get(PLAIN_VARIABLE, "0") not in ("", "0")
        or os.environ.get("TERM", "").lower() in ("dumb", "unknown")
        or not _can_draw(encoding())
    )


def encoding() -> str:
    """Return the encoding of the output."""
    return getattr(sys.stdout, "encoding", None) or "utf-8"


@cache
def _can_draw(encoding: str) -> bool:
    try:
        _DRAWN.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


# --- printing


def _message(what: Phrase, facts: dict[str, object]) -> Phrase:
    """Return a message; a text is that of a message with these facts."""
    return what if isinstance(what, Message) or not what else Message(what, **facts)


def say(what: Phrase = "", /, style: str = "", **facts: object) -> None:
    """Print a paragraph, wrapped between words."""
    say_hanging("", _message(what, facts), style)


def show(renderable: RenderableType) -> None:
    """Print something laid out by rich, without the spaces that fill its lines."""
    lines = _console(to_stderr=False, columns=columns()).render_lines(renderable, pad=False)
    show_lines(Text.assemble(*((s.text, s.style or "") for s in line)) for line in lines)


def show_lines(lines: Iterable[Text]) -> None:
    """Print lines that are ready: cropped at the edge of the terminal, never wrapped."""
    edge = columns()
    ready = [_cropped(line, edge) for line in lines]
    # One print for all: each has a price. Without a wrap, so that its width does not matter.
    if ready:
        _console(to_stderr=False).print(Text("\n").join(ready), soft_wrap=True)


def _cropped(line: Text, edge: int) -> Text:
    line = line.copy()
    if not line.plain.isprintable():
        # Replaced one for one, so that styles stay where they are.
        line.plain = "".join(c if is_printed(c) else "\ufffd" for c in line.plain)
    line.truncate(edge, overflow="crop")
    line.rstrip()
    return line


def say_unwrapped(what: Phrase, /, **facts: object) -> None:
    """Print lines that must not be wrapped, because there are paths or commands in them."""
    say_verbatim(translate(_message(what, facts)))


def say_verbatim(text: str) -> None:
    """Print lines that are the same in every language: paths, commands, data for programs."""
    lines = map(strip_controls, text.split("\n"))
    # One print for all: each has a price.
    _console(to_stderr=False).print("\n".join(lines), soft_wrap=True)


def say_below(what: Phrase, below: object, /, **facts: object) -> None:
    """Print a paragraph, and on a line of its own below it what must not be wrapped."""
    say(_message(what, facts))
    say_verbatim(f"  {below}")


def heading(what: Phrase, /) -> None:
    """Print a heading, with an empty line before it."""
    say()
    say(what, "bold")


def item(what: Phrase, /, style: str = "", indent: int = 2, **facts: object) -> None:
    """Print a text whose every line is indented."""
    say_hanging(" " * indent, _message(what, facts), style)


def say_hanging(head: Phrase, text: Phrase, style: str = "") -> None:
    """Print a text after a head, under which no further line of it reaches."""
    console = _console(to_stderr=False)
    head, text = translate(head), translate(text)
    if head.strip() and console.width - cell_len(head) < BESIDE:
        console.print(Text(head.rstrip()), soft_wrap=True)
        head = " " * 6
    taken = cell_len(head)
    for number, line in enumerate(_wrapped(text, max(1, console.width - taken))):
        begun = Text(head if number == 0 else " " * taken).append(line, style)
        # As it is: what was wrapped once must not be wrapped again.
        console.print(begun, soft_wrap=True)


def say_lines(lines: Iterable[Line]) -> None:
    """Print what is told at some length; what begins with blanks stands further in."""
    ready = list(lines)
    column = max((cell_len(translate(line.label)) for line in ready if line.in_columns), default=0)
    for line in ready:
        label, text, style = translate(line.label), translate(line.text), _STYLES[line.tone]
        if line.is_whole:
            say_verbatim(text)
        elif label:
            say_hanging(set_cell_size(label, column) if line.in_columns else label, text, style)
        else:
            begun = text.lstrip(" ")
            say_hanging(" " * (line.indent + len(text) - len(begun)), begun, style)


def say_data(facts: object) -> None:
    """Print facts as plain data, for other programs; what is said in them is English."""
    say_verbatim(dumps(plain(facts), indent=2))


def say_behind(label: Phrase, texts: Sequence[Phrase]) -> None:
    """Print a head and texts, the first behind it on the same line, the others below.

    As wide as a map at most, because it is part of a screen.
    """
    room = max(1, min(BELOW_MAP, columns()) - 4)
    head, first, *others = map(translate, (label, *texts))
    lines = [_wrapped(text, room) for text in (f"{head} {first}", *others)]
    for number, line in enumerate(chain.from_iterable(lines)):
        begun = Text("    " if number else "  ").append(line)
        if number == 0 and line.startswith(head):
            begun.stylize("bold", 2, 2 + len(head))
        _console(to_stderr=False).print(begun, soft_wrap=True)


def _wrapped(text: str, columns: int) -> list[str]:
    """Wrap a text; what is quoted stays on a line, so that none begins with foreign words."""
    lines = Text(protect_spaces(strip_controls(text))).wrap(_made(to_stderr=False), columns)
    return [restore_spaces(line.plain).rstrip() for line in lines]


def warn(what: Phrase, /, **facts: object) -> None:
    """Print a sentence to standard error that is no failure."""
    sentence = _on_one_line(translate(_message(what, facts)))
    say_stderr(Message("Note: {sentence}", sentence=sentence))


def fail(what: Phrase, /, *, after_input: bool = False, **facts: object) -> None:
    """Print the one sentence that says why the command failed; on a new line `after_input`."""
    if after_input:
        say_stderr("")
    sentence = _on_one_line(translate(_message(what, facts)))
    say_stderr(f"{PROGRAM}: {sentence}", style="bold")


def _on_one_line(text: str) -> str:
    """Put a sentence on one line; a space that does not break stays one: `clean` leaves none."""
    return " ".join(filter(None, strip_controls(text).split(" ")))


def say_stderr(what: Phrase, style: str = "") -> None:
    """Print a text to standard error, if there is anybody to read it."""
    text = translate(what)
    lines = _wrapped(text, width()) if sys.stderr.isatty() else [text]
    try:
        for line in lines:
            _console(to_stderr=True).print(Text(line, style), soft_wrap=True)
    except OutputFailed:
        # There is nobody to tell; the exit status still tells it.
        discard(sys.stderr)


@contextmanager
def captured() -> Iterator[list[str]]:
    """Keep back what is printed meanwhile: afterwards the list has its lines, with their styles."""
    lines: list[str] = []
    try:
        with _made(to_stderr=False).capture() as kept:
            yield lines
    finally:
        # Each line ends with a break, the last one too.
        lines += kept.get().split("\n")[:-1]


def put(lines: Iterable[str]) -> None:
    """Print lines that were kept back, as they are; raises OutputFailed if that cannot be."""
    with _failing():
        _made(to_stderr=False).file.writelines(f"{line}\n" for line in lines)


def flush() -> None:
    """See that all that was printed is out; raises OutputFailed if it cannot be."""
    with _failing():
        sys.stdout.flush()


def discard(stream: TextIO) -> None:
    """Let everything go nowhere that is still to be written to a stream."""
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(sink)


def note_written(sentence: Phrase = "", /, **facts: object) -> None:
    """Remember what was written, in case the player stops the program afterwards."""
    settings.written = _message(sentence, facts)


def note_file(path: Path) -> None:
    """Remember that the file at that path was written."""
    settings.written = Message("{file} was written.", file=path)


def written_so_far() -> Phrase:
    """Return a sentence that says what was written so far, or that nothing was."""
    return settings.written or Message("Nothing was written.")


def progress_console() -> Console:
    """Return the console for a progress bar: on standard error."""
    return _console(to_stderr=True)


def is_terminal() -> bool:
    """Return True if a person sits at both ends, so that questions can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()
