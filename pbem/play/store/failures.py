"""Errors of the library, and SQLite, which some Pythons come without."""

from __future__ import annotations

from typing import TypeAlias

from engine.message import Failure, Message, Said, mark, message_of

try:
    import sqlite3 as sqlite3
    from sqlite3 import Connection as Connection
except ImportError:
    sqlite3 = Connection = None  # type: ignore[assignment, misc]

Statement: TypeAlias = tuple[str, tuple[object, ...]]
"""A statement of SQL, and its values."""
MAKE_ROOM = mark("Make room on the disk, and run this again.")


class LibraryFailed(Failure):
    """The library cannot be used; the message says why, in a phrase."""

    remedy: Said = ""
    """The way to use it again if it only fails for now: nothing is to be signed before that."""


class LibraryBlocked(LibraryFailed):
    """The library cannot be used for now."""

    def __init__(self, what: Said, /, remedy: Said, **facts: object) -> None:
        super().__init__(what, **facts)
        self.remedy = remedy


def failure_of(error: sqlite3.Error) -> LibraryFailed:
    """Return the failure that an error of SQLite is to a player."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryBlocked(
            "another acres has it locked", Message("Let that one finish, and run this again.")
        )
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return LibraryBlocked("the disk is full", Message(MAKE_ROOM))
    if code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC):
        return LibraryBlocked("the disk cannot be written to", Message(MAKE_ROOM))
    return LibraryFailed(message_of(error))
