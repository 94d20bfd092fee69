"""A pager for output longer than the screen, as in git; and programs named in the environment.

The pager is the program in ACRES_PAGER, or in PAGER, or `less`; Windows has no default, because its
`more` does not read UTF-8. There is no pager if the variable is empty or `cat`, if the output is
not a terminal, with `acres --no-pager`, or if all lines fit on the screen.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from engine.message import Message
from pbem.cli import console
from pbem.errors import UsageError
from pbem.sources import run

VARIABLES = ("ACRES_PAGER", "PAGER")
# The options of git: no clearing of the screen, and an exit if the text fits.
_SETTINGS = "FX"
FROM_BEGINNING, FROM_END = "", "+G$ "
"""The options for `less` that show the beginning or the end first."""


@contextmanager
def page_output(end_option: str) -> Iterator[None]:
    """Show the output of the block in a pager, if there is one and the screen is too small.

    Raises UsageError if a variable has no valid command.
    """
    command = _command()
    if not command:
        yield
        return
    lines: list[str] = []
    try:
        with console.capture() as lines:
            yield
    except KeyboardInterrupt:
        # The output so far is shown after an error, but not after Ctrl-C.
        lines.clear()
        raise
    finally:
        if not _show(command, lines, end_option):
            console.write_lines(lines)
            console.flush()


def _command() -> Sequence[str]:
    """Return the pager's command, or an empty sequence if there is no pager."""
    if not console.settings.has_pager or not console.is_terminal() or console.is_plain():
        return ()
    default = "" if sys.platform == "win32" else "less"
    value = next((os.environ[name] for name in VARIABLES if name in os.environ), default)
    return () if value.strip() in ("", "cat") else command_from(*VARIABLES) or [default]


def _show(command: Sequence[str], lines: Sequence[str], end_option: str) -> bool:
    """Show these lines in a pager.

    The result is False if they fit on the screen, or if the pager cannot be run.
    """
    if len(lines) < console.rows():
        return False
    text = "".join(f"{line}\n" for line in lines).encode(console.encoding(), console.ON_ERROR)
    # Translators: shown by `less`, in ASCII without “.”, “:”, “?” or “%”; else it stays English.
    prompt = Message("q goes back, the space bar goes on")
    translated = console.translate(prompt)
    hint = translated if translated.isascii() else str(prompt)
    # -R shows colours. The player's own options come last, so that they count more.
    options = f"-R {end_option}-Ps{hint}$ {os.environ.get('LESS', _SETTINGS)}"
    with suppress(OSError):
        # With these `less` neither runs programs nor writes files.
        run(command, text, LESS=options, LESSSECURE="1", LESSHISTFILE="-")
        return True
    return False


# --- programs named in the environment


def command_from(*variables: str) -> list[str]:
    """Return the command in the first of `variables` that is set, or an empty list.

    Raises UsageError if it cannot be parsed.
    """
    variable = next((name for name in variables if os.environ.get(name, "").strip()), "")
    try:
        command = shlex.split(os.environ.get(variable, ""), posix=os.name != "nt")
    except ValueError:
        raise UsageError("The variable {variable} holds no command.", variable=variable) from None
    # On Windows shlex keeps the quotes around a path with spaces.
    return [part.strip('"') for part in command] if os.name == "nt" else command
