"""A pager for what is more than a screen, as git has one.

That is the program in ACRES_PAGER, else in PAGER, else `less`; but on Windows, whose own does not
read UTF-8, there is no other. None where one of them is empty or `cat`, where nobody sits at the
terminal, with `acres --no-pager`, and where all has room.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from pbem.cli import console
from pbem.cli.own_programs import named_in, run

VARIABLES = ("ACRES_PAGER", "PAGER")
# As git has it: colours, no clearing of the screen at the end, and none for what has room.
_SETTINGS = "FRX"
FROM_BEGINNING, FROM_END = "", " +G"
"""Whether `less` shows the beginning or the end first."""

_is_off = False


def be_off(wanted: bool) -> None:
    """Take note of what the command line says: no pager, or as its settings say."""
    global _is_off
    _is_off = wanted


@contextmanager
def paged(first: str) -> Iterator[None]:
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
    except KeyboardInterrupt:
        # Whoever stops it is done; what was said before it failed is to be seen.
        kept.clear()
        raise
    finally:
        if not _is_shown(command, kept, first):
            console.put(kept)
            console.flush()


def _command() -> Sequence[str]:
    """Return the pager as a command; empty if there is to be none."""
    if _is_off or not console.is_terminal() or console.is_plain():
        return ()
    usual = "" if sys.platform == "win32" else "less"
    named = next((os.environ[name] for name in VARIABLES if name in os.environ), usual)
    return () if named.strip() in ("", "cat") else named_in(*VARIABLES) or [usual]


def _is_shown(command: Sequence[str], lines: Sequence[str], first: str) -> bool:
    """Have a pager show these lines; False if they have room without, or it cannot be run."""
    if len(lines) < console.rows():
        return False
    text = "".join(f"{line}\n" for line in lines).encode(console.encoding(), console.LIKE)
    with suppress(OSError):
        run(command, text, LESS=os.environ.get("LESS", _SETTINGS) + first)
        return True
    return False
