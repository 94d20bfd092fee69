"""`python -m tests.net.record NAME…` records the named scripts; it never records all."""

from __future__ import annotations

import sys

from tests.net.recordings import ARCHIVE, pack_recordings, recordings
from tests.net.replay import map_in_processes, record_by_name
from tests.net.scripts import scripts


def record(names: list[str]) -> str:
    """Record these scripts, and return an error message or an empty text."""
    known = scripts()
    if unknown := [name for name in names if name not in known]:
        return f"There is no script called {unknown[0]}."
    if not names or len(names) == len(known):
        return "Name the scripts to be recorded anew."
    # This also removes the recordings of removed scripts.
    others = {name: recording for name, recording in recordings().items() if name in known}
    new = zip(names, map_in_processes(record_by_name, names), strict=True)
    ARCHIVE.write_bytes(pack_recordings(others | dict(new)))
    return ""


if __name__ == "__main__":
    sys.exit(record(sys.argv[1:]) or None)
