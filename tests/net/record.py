"""`python -m tests.net.record NAME…` records scripts anew, by name; never all of them at once.

Where there is no archive, `python -m tests.net.record --first` makes one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from tests.net.recordings import ARCHIVE, packed, recordings
from tests.net.replay import all_of, recorded_by_name
from tests.net.scripts import scripts
from tests.net.world import Recording


def record(names: list[str]) -> str:
    """Record these scripts; return why not, or an empty text."""
    known = scripts()
    if names == ["--first"]:
        if ARCHIVE.exists():
            return "There is an archive: name the scripts to be recorded anew."
        _write({}, known)
        return ""
    if unknown := [name for name in names if name not in known]:
        return f"There is no script called {unknown[0]}."
    if not names or len(names) == len(known):
        return "Name the scripts to be recorded anew."
    # Those of scripts that are no more go with it.
    _write({name: each for name, each in recordings().items() if name in known}, names)
    return ""


def _write(kept: Mapping[str, Recording], names: Iterable[str]) -> None:
    names = list(names)
    new = zip(names, all_of(recorded_by_name, names), strict=True)
    ARCHIVE.write_bytes(packed({**kept, **dict(new)}))


if __name__ == "__main__":
    sys.exit(record(sys.argv[1:]) or None)
