"""The entry point of the program as a single file, which was packed for one version of Python.

It imports only the standard library at first, because an older Python may be unable to read the
other modules.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import NoReturn

MARKER_FILE = "acres-made-for.txt"
"""The name of the file, next to the packages, that names their version of Python."""

MIN_PYTHON = (3, 11)
"""The first version of Python that can read the other modules."""


def describe_python() -> str:
    """Return a description of the running Python, as far as compiled libraries depend on it."""
    name, (major, minor, *_) = platform.python_implementation(), sys.version_info
    name = "Python" if name == "CPython" else name
    # Linux has several C libraries, and compiled modules work with one of them.
    system = (platform.system(), platform.machine(), platform.libc_ver()[0])
    return f"{name} {major}.{minor}, {' '.join(filter(None, system))}"


def run() -> NoReturn:
    """Run one command and exit; with the wrong Python, print an error instead."""
    made_for = Path(__file__).parents[2].joinpath(MARKER_FILE).read_text(encoding="utf-8")
    if sys.version_info < MIN_PYTHON:
        # An old Python cannot import the translations.
        print(f"acres: Python {MIN_PYTHON[0]}.{MIN_PYTHON[1]} or newer is needed.", file=sys.stderr)
        sys.exit(2)
    if made_for != describe_python():
        sys.exit(_refuse(made_for))
    from pbem.cli.__main__ import main

    sys.exit(main())


def _refuse(made_for: str) -> int:
    from pbem.cli import console
    from pbem.cli.app import choose_language
    from pbem.cli.main import WRONG_USE

    choose_language(sys.argv[1:])
    console.fail(
        "This file was made for a different Python from this one ({here}). Run it with the one "
        "it was made for: {made_for}.",
        here=describe_python(),
        made_for=made_for,
    )
    return WRONG_USE
