"""A pager for what is more than a screen, as git has one.

That is the program in ACRES_PAGER, else in PAGER, else `less`; but on Windows, whose own does not
read UTF-8, there is no other. None where one of them is empty or `cat`, where nobody sits at the
terminal, with `acres --no-pager`, and where all has room.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum

from pbem.cli import console
from pbem.cli.own_programs import named_in, variables_for_others

VARIABLES = ("ACRES_PAGER", "PAGER")
_NONE = ("", "cat")
# As git has it: colours, no clearing of the screen at the end, and none for what has room.
_SETTINGS = {"LESS": "FRX", "LV": "-c"}
_AT_END = " +G"

_is_off = False


class Shows(Enum):
    """What a pager that can shows first."""

    BEGINNING = "the beginning, to be read from there on"
    END = "the end, where that stands which is looked at most"


def be_off(wanted: bool) -> None:
    """Take note of what the command line says: no pager, or as its settings say."""
    global _is_off
    _is_off = wanted


@contextmanager
def paged(first: Shows) -> Iterator[None]:
    """Show what is printed meanwhile in a pager, if there is one and it is more than a screen.

    Raises WrongUse where a variable holds no command.
    """
    command = _command()
    if not command:
        yield
        return
    kept: list[str] = []
    try:
        with console.kept_back() as kept:
            yield
    except Exception:
        # What was said before something failed is to be seen, too; but whoever stops it is done.
        _put(command, kept, first)
        raise
    _put(command, kept, first)


def _put(command: Sequence[str], lines: Sequence[str], first: Shows) -> None:
    """Have a pager show these lines, where they are more than a screen; else print them."""
    if len(lines) < console.rows() or not _shown(command, lines, first):
        console.put(lines)
        console.flush()


def _command() -> list[str]:
    """The pager as a command; empty where there is to be none."""
    if _is_off or not console.is_terminal() or console.is_plain():
        return []
    usual = "" if sys.platform == "win32" else "less"
    named = next((os.environ[name] for name in VARIABLES if name in os.environ), usual)
    return [] if named.strip() in _NONE else named_in(*VARIABLES) or [usual]


def _shown(command: Sequence[str], lines: Sequence[str], first: Shows) -> bool:
    """Have a pager show these lines; False where it cannot be run."""
    # Imported here because whatever has room needs it not.
    import subprocess

    text = "".join(f"{line}\n" for line in lines).encode(console.encoding(), console.LIKE)
    variables = _SETTINGS | variables_for_others()
    if first is Shows.END:
        variables["LESS"] += _AT_END
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=variables)
    except OSError:
        return False
    # In a pager Ctrl-C is a key like others, which ends it or not.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pager.communicate(text)
    finally:
        signal.signal(signal.SIGINT, before)
    return True
