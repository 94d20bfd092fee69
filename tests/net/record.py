"""`python -m tests.net.record NAME…` records scripts anew, by name; never all of them at once."""

from __future__ import annotations

import sys

from tests.net.recordings import ARCHIVE, packed, recordings
from tests.net.replay import all_of, recorded_by_name
from tests.net.scripts import scripts


def record(names: list[str]) -> str:
    """Record these scripts; return why not, or an empty text."""
    known = scripts()
    if unknown := [name for name in names if name not in known]:
        return f"There is no script called {unknown[0]}."
    if not names or len(names) == len(known):
        return "Name the scripts to be recorded anew."
    # Those of scripts that are no more go with it.
    kept = {name: each for name, each in recordings().items() if name in known}
    new = zip(names, all_of(recorded_by_name, names), strict=True)
    ARCHIVE.write_bytes(packed(kept | dict(new)))
    return ""


if __name__ == "__main__":
    sys.exit(record(sys.argv[1:]) or None)
