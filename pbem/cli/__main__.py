"""The command as a process of its own: `acres`, and `python -m pbem.cli`.

It lives for a moment. To look through all its objects for circles every so often, and again at its
end, would take a fifth of that.
"""

from __future__ import annotations

import atexit
import gc
import sys

YOUNG_OBJECTS = 100_000
"""How many new ones before any are looked through for circles that nobody holds any more."""

# First: imports are most of what is looked through.
gc.set_threshold(YOUNG_OBJECTS)
atexit.register(gc.freeze)

from pbem.cli.main import main as main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
