"""A pager for what is more than a screen, as git has one.

That is the program in ACRES_PAGER, else in PAGER, else `less`; but on Windows, whose own does not
read UTF-8, there is no other. None where one of them is empty or `cat`, where nobody sits at the
terminal, with `acres --no-pager`, and where all has room.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from pbem.cli import console
from pbem.errors import WrongUse

VARIABLES = ("ACRES_PAGER", "PAGER")
# As git has it: colours, no clearing of the screen at the end, and none for what has room.
_SETTINGS = "FRX"
FROM_BEGINNING, FROM_END = "", " +G"
"""Whether `less` shows the beginning or the end first."""


@contextmanager
def page_output(first: str) -> Iterator[None]:
    """Show what is printed meanwhile in a pager, if there is one and it is more than a screen.

    Raises WrongUse where a variable holds no command.
    """
    command = _command()
    if not command:
        yield
        return
    kept: list[str] = []
    try:
        with console.captured() as kept:
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
    if not console.settings.has_pager or not console.is_terminal() or console.is_plain():
        return ()
    usual = "" if sys.platform == "win32" else "less"
    named = next((os.environ[name] for name in VARIABLES if name in os.environ), usual)
    return () if named.strip() in ("", "cat") else command_from(*VARIABLES) or [usual]


def _is_shown(command: Sequence[str], lines: Sequence[str], first: str) -> bool:
    """Have a pager show these lines; False if they have room without, or it cannot be run."""
    if len(lines) < console.rows():
        return False
    text = "".join(f"{line}\n" for line in lines).encode(console.encoding(), console.LIKE)
    with suppress(OSError):
        run(command, text, LESS=os.environ.get("LESS", _SETTINGS) + first)
        return True
    return False


# --- programs of the player's choosing, which variables of the environment name

_OWN = "ACRES_"
"""How variables of this program begin."""


def command_from(*variables: str) -> list[str]:
    """Return the command in the first of these variables that is set; empty if none is.

    Raises WrongUse for what is no command.
    """
    variable = next((name for name in variables if os.environ.get(name, "").strip()), "")
    try:
        command = shlex.split(os.environ.get(variable, ""), posix=os.name != "nt")
    except ValueError:
        raise WrongUse("The variable {variable} holds no command.", variable=variable) from None
    # On Windows the quotes around a path with spaces are left on.
    return [part.strip('"') for part in command] if os.name == "nt" else command


def run(command: Sequence[str], text: bytes | None = None, **variables: str) -> int:
    """Run such a program, which reads that text, and return its status; raises OSError.

    Passphrases and passwords are none of its business: they stand in variables of this program's
    own, all of which are left out. Ctrl-C means what it means there, and does not end this program
    under it.
    """
    # Imported here because most commands run none.
    import subprocess

    others = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    # A handler of no effect, not SIG_IGN, which it would inherit.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run(command, input=text, env=others | variables).returncode
    finally:
        signal.signal(signal.SIGINT, before)
