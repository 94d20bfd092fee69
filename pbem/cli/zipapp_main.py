"""The command as it begins in a single file, in which it was packed for one kind of Python.

What is imported beside the standard library is so later: another Python may be too old to read it.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import NoReturn

MADE_FOR = "acres-made-for.txt"
"""It lies beside the packages, and says for which kind of Python they are."""

OLDEST = (3, 11)
"""The first Python that can read the rest."""


def kind_of_python() -> str:
    """Return which Python runs, as far as it matters to compiled libraries."""
    name, (major, minor, *_) = platform.python_implementation(), sys.version_info
    name = "Python" if name == "CPython" else name
    # Linux has several C libraries, and what was compiled for one is not found by another.
    system = (platform.system(), platform.machine(), platform.libc_ver()[0])
    return f"{name} {major}.{minor}, {' '.join(filter(None, system))}"


def run() -> NoReturn:
    """Run one command, and exit; where this is a different Python from that, say so instead."""
    made_for = Path(__file__).parents[2].joinpath(MADE_FOR).read_text(encoding="utf-8")
    if sys.version_info < OLDEST:
        # In such a Python nobody can be asked to say it in another language.
        print(f"acres: Python {OLDEST[0]}.{OLDEST[1]} or newer is needed.", file=sys.stderr)
        sys.exit(2)
    if made_for != kind_of_python():
        sys.exit(_refused(made_for))
    from pbem.cli.__main__ import main

    sys.exit(main())


def _refused(made_for: str) -> int:
    from pbem.cli import console
    from pbem.cli.app import choose_language
    from pbem.cli.main import WRONG_USE

    choose_language(sys.argv[1:])
    console.fail(
        "This file was made for a different Python from this one ({here}). Run it with the one "
        "it was made for: {made_for}.",
        here=kind_of_python(),
        made_for=made_for,
    )
    return WRONG_USE
