"""Programs of the player's choosing, which variables of the environment name."""

from __future__ import annotations

import os
import shlex

from pbem.errors import WrongUse

_OWN = "ACRES_"
"""How variables of this program begin."""


def named_in(*variables: str) -> list[str]:
    """The command in the first of these variables that is set; empty where none is.

    Raises WrongUse for what is no command.
    """
    variable = next((name for name in variables if os.environ.get(name, "").strip()), "")
    try:
        command = shlex.split(os.environ.get(variable, ""), posix=os.name != "nt")
    except ValueError:
        raise WrongUse("The variable {variable} holds no command.", variable=variable) from None
    # On Windows the quotes around a path with spaces are left on.
    return [part.strip('"') for part in command] if os.name == "nt" else command


def variables_for_others() -> dict[str, str]:
    """The environment for such a program: passphrases and passwords in it are none of its business.

    These stand in variables of this program's own, all of which are left out.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
