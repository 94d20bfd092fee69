"""Programs of the player's choosing, which variables of the environment name."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Sequence

from pbem.errors import WrongUse

_OWN = "ACRES_"
"""How variables of this program begin."""


def named_in(*variables: str) -> list[str]:
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
