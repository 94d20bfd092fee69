"""The process of a command: `acres`, and `python -m pbem.cli`.

A command is short. Full garbage collections, during the run and at its end, would take a fifth of
its time, so they are avoided.
"""

from __future__ import annotations

import atexit
import gc
import sys

YOUNG_OBJECTS = 100_000
"""The number of new objects that triggers a garbage collection."""

# This precedes the imports, which create most objects.
gc.set_threshold(YOUNG_OBJECTS)
atexit.register(gc.freeze)

from pbem.cli.main import main as main  # noqa: E402
from pbem.sources import take_secrets  # noqa: E402

take_secrets()

if __name__ == "__main__":
    sys.exit(main())
