"""Whose an identity file says it is: for hints alone, and without what it takes to open one."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pbem.errors import Unreadable
from pbem.protocol.encoding import decode_bytes
from pbem.savefile.disk import read_file


def public_key_in(path: Path) -> bytes | None:
    """The public key of whoever the file belongs to, sealed or not; None where none can be read.

    Nothing is proved by it.
    """
    try:
        return decode_bytes(tomllib.loads(read_file(path).decode())["key"])
    except (Unreadable, ValueError, KeyError, TypeError, RecursionError):
        return None
