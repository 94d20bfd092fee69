"""What went by mail: which records were sent, and how far a mailbox was looked through.

A record is sent once. That it is about to leave is noted before it may, so that whoever comes after
a crash knows that it may have arrived.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import NamedTuple

from engine.message import Message
from pbem.errors import WrongUse
from pbem.play.store.database import Connection, Database

_RECORD = "WHERE game = ? AND key = ? AND hash = ?"
_MAILBOX = "WHERE key = ? AND mailbox = ?"


class Sending(Enum):
    """How far the sending of a record has come."""

    BEGUN = "begun"
    SENT = "sent"


class Dispatch(NamedTuple):
    """That a record was sent, or was about to be, at a time (in UTC) to an address."""

    sending: Sending
    time: str
    to: str


class Looked(NamedTuple):
    """How far a mailbox was looked through: up to a UID, which holds while `validity` is this."""

    validity: int
    uid: int


class DispatchedAlready(WrongUse):
    """A record was sent, or may have been; `dispatch` says when."""

    def __init__(self, dispatch: Dispatch) -> None:
        super().__init__(Message("This has already been sent."))
        self.dispatch = dispatch


class Post:
    """What the owner of `key` sent and fetched, in the library at `path`.

    All methods raise LibraryFailed where it cannot be used.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.key = key
        self._database = Database(path)

    def dispatch(self, game: bytes, record: bytes) -> Dispatch | None:
        """How the record of that hash was sent; None if it was not."""
        with self._database.reading() as database:
            return None if database is None else self._dispatch(database, game, record)

    def begin(
        self, game: bytes, record: bytes, time: str, to: str, *, again: bool
    ) -> Dispatch | None:
        """Note that a record is about to be sent, and return how it was before.

        Raises DispatchedAlready where it was, or may have been, unless it is to be sent `again`.
        """
        with self._database.writing() as database:
            before = self._dispatch(database, game, record)
            if before is not None and not again:
                raise DispatchedAlready(before)
            self._note(database, game, record, Dispatch(Sending.BEGUN, time, to))
        return before

    def end(self, game: bytes, record: bytes) -> None:
        """Note that a record, whose sending was begun, was sent."""
        with self._database.writing() as database:
            database.execute(
                f"UPDATE dispatched SET state = ? {_RECORD}",
                (Sending.SENT.value, game, self.key, record),
            )

    def take_back(self, game: bytes, record: bytes, before: Dispatch | None) -> None:
        """Forget that the sending of a record was begun, because it surely did not leave.

        `before` is what `begin` returned.
        """
        with self._database.writing() as database:
            if before is None:
                database.execute(f"DELETE FROM dispatched {_RECORD}", (game, self.key, record))
            else:
                self._note(database, game, record, before)

    def _dispatch(self, database: Connection, game: bytes, record: bytes) -> Dispatch | None:
        found = database.execute(
            f'SELECT state, time, "to" FROM dispatched {_RECORD}', (game, self.key, record)
        ).fetchone()
        if found is None:
            return None
        state, time, to = map(str, found)
        # What nobody knows how to read may have been sent.
        return Dispatch(Sending.SENT if state == Sending.SENT.value else Sending.BEGUN, time, to)

    def _note(self, database: Connection, game: bytes, record: bytes, dispatch: Dispatch) -> None:
        row = (game, self.key, record, dispatch.sending.value, dispatch.time, dispatch.to)
        database.execute("INSERT OR REPLACE INTO dispatched VALUES (?, ?, ?, ?, ?, ?)", row)

    def looked(self, mailbox: str) -> Looked | None:
        """How far a mailbox was looked through; None if it never was."""
        query = f"SELECT validity, uid FROM mailboxes {_MAILBOX}"
        found = self._database.read(query, (self.key, mailbox))
        return Looked(*map(int, found[0])) if found else None

    def look(self, mailbox: str, looked: Looked) -> None:
        """Note how far a mailbox was looked through, if nobody has come further."""
        with self._database.writing() as database:
            database.execute(
                "INSERT INTO mailboxes VALUES (?, ?, ?, ?) ON CONFLICT (key, mailbox) DO UPDATE "
                "SET uid = CASE validity WHEN excluded.validity THEN max(uid, excluded.uid) "
                "ELSE excluded.uid END, validity = excluded.validity",
                (self.key, mailbox, *looked),
            )
