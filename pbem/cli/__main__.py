"""The command as a process of its own: `acres`, and `python -m pbem.cli`."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

YOUNG_OBJECTS = 100_000
"""How many new ones before any are looked through for circles that nobody holds any more."""


def run() -> NoReturn:
    """Run one command, and exit.

    It lives for a moment. To look through all its objects every so often, and again at its end,
    would take a fifth of that.
    """
    gc.set_threshold(YOUNG_OBJECTS)
    # Imported here because imports are most of what is looked through.
    from pbem.cli.main import main

    status = main()
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    run()
