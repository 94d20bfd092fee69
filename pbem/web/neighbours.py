"""Who holds the other end of a connection, where a computer has several users.

An address that opens a browser stands in the list of processes for a moment, where others can read
it; and a cookie goes to every port of this computer. So nobody else is answered at all, where the
system tells who it is: Linux does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The connections of this computer, as Linux lists them."""
_ROOT = 0
"""Who may read everything anyway, and passes on what comes from another system on this computer."""
_ESTABLISHED = "01"
"""The state of a connection that has both ends; root is said to own one that was left."""


def is_stranger(port: int, own_port: int, tables: Iterable[Path] = TABLES) -> bool:
    """Whether another user has the connection from that port to our own.

    It is none where nobody can tell.
    """
    if not hasattr(os, "geteuid"):
        return False
    owner, is_there = next(_owners(port, own_port, tables), (None, False))
    return owner not in (None, os.geteuid()) and not (owner == _ROOT and is_there)


def _owners(port: int, own_port: int, tables: Iterable[Path]) -> Iterator[tuple[int, bool]]:
    """Whose the ends are of connections between these two ports, and whether they are there yet."""
    ends = f":{port:04X}", f":{own_port:04X}"
    for table in tables:
        with suppress(OSError, UnicodeError, ValueError):
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                # sl local_address rem_address st queues tr:tm->when retrnsmt uid …
                fields = line.split()
                if len(fields) > 7 and fields[1].endswith(ends[0]) and fields[2].endswith(ends[1]):
                    yield int(fields[7]), fields[3] == _ESTABLISHED
