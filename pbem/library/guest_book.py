"""With whom a robot plays, and since when, by its own clock; and whom it has turned away.

A person's program keeps no such book. What it says is believed for places at the table and nothing
else: what was signed, the library knows without it.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from pbem.library.database import Database, has_table, make_tables

MOST_TURNED_AWAY = 1000
"""How many that were turned away are remembered, the last ones."""

_TABLES = {
    "guests": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        guest BLOB NOT NULL,
        sender TEXT NOT NULL,
        taken TEXT NOT NULL,
        last TEXT NOT NULL,
        has_moved INTEGER NOT NULL,
        is_over INTEGER NOT NULL,
        PRIMARY KEY (game, key)
    ) WITHOUT ROWID""",
    "waiting": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        guest BLOB NOT NULL,
        sender TEXT NOT NULL,
        since TEXT NOT NULL,
        file TEXT NOT NULL,
        letter TEXT NOT NULL,
        told TEXT NOT NULL,
        PRIMARY KEY (game, key)
    )""",
    "turned_away": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        sender TEXT NOT NULL,
        time TEXT NOT NULL,
        PRIMARY KEY (game, key)
    )""",
}


class Guest(NamedTuple):
    """Who plays a game with the robot.

    `key` is the guest's public key, empty where nobody knows; `sender` the address from which the
    invitation came, in small letters. It was `taken` up then, and the robot signed its `last`
    record then, both by its own clock. `has_moved` says that the guest has written after that.
    """

    game: bytes
    key: bytes
    sender: str
    taken: str
    last: str
    has_moved: bool = False
    is_over: bool = False


class TurnedAway(NamedTuple):
    """An invitation that was not accepted: its game, the address it came from, and when it was."""

    game: bytes
    sender: str
    time: str


class Waiting(NamedTuple):
    """An invitation that waits for a place, and has `since` then: its game and where it came from.

    `guest` is the public key of its sender, `file` the name of it in the robot's folder. `letter`
    is the Message-ID that it came with, empty where nobody knows; `told` is when its sender was
    told of it, empty where that is still to be.
    """

    game: bytes
    guest: bytes
    sender: str
    since: str
    file: str
    letter: str
    told: str


class GuestBook:
    """The guests of the robot with that `key`, in the library at `path`.

    All methods raise LibraryFailed where it cannot be used.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.key = key
        self._database = Database(path)

    def guests(self) -> list[Guest]:
        """All that were ever noted."""
        rows = self._rows("guests", "guest, sender, taken, last, has_moved, is_over")
        kinds = _kinds(Guest)
        return [Guest(*row) for row in rows if _is_sound(row, kinds) and _are_times(*row[3:5])]

    def note(self, guest: Guest) -> None:
        """Note how a game with a guest stands."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            row = (guest.game, self.key, *guest[1:])
            database.execute("INSERT OR REPLACE INTO guests VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def turned_away(self) -> list[TurnedAway]:
        """The last that were turned away."""
        rows = self._rows("turned_away", "sender, time")
        kinds = _kinds(TurnedAway)
        return [TurnedAway(*row) for row in rows if _is_sound(row, kinds) and _are_times(row[2])]

    def turn_away(self, turned: TurnedAway) -> None:
        """Note that an invitation is not accepted."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            row = (turned.game, self.key, turned.sender, turned.time)
            database.execute("INSERT OR REPLACE INTO turned_away VALUES (?, ?, ?, ?)", row)
            database.execute(
                "DELETE FROM turned_away WHERE key = ? AND rowid NOT IN (SELECT rowid FROM "
                "turned_away WHERE key = ? ORDER BY rowid DESC LIMIT ?)",
                (self.key, self.key, MOST_TURNED_AWAY),
            )

    def waiting(self) -> list[Waiting]:
        """Who waits for a place, in the order in which they came."""
        rows = self._rows("waiting", "guest, sender, since, file, letter, told", "ORDER BY rowid")
        kinds = _kinds(Waiting)
        return [Waiting(*row) for row in rows if _is_sound(row, kinds) and _are_times(row[3])]

    def wait(self, waiting: Waiting) -> None:
        """Note that an invitation waits, if it does not yet."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            row = (waiting.game, self.key, *waiting[1:])
            database.execute("INSERT OR IGNORE INTO waiting VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def tell(self, game: bytes, time: str) -> None:
        """Note when somebody was told that an invitation waits; empty where they were not."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            row = (time, game, self.key)
            database.execute("UPDATE waiting SET told = ? WHERE game = ? AND key = ?", row)

    def stop_waiting(self, game: bytes) -> None:
        """Forget that an invitation waits."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            database.execute("DELETE FROM waiting WHERE game = ? AND key = ?", (game, self.key))

    def take_back(self, turned: TurnedAway) -> None:
        """Forget that an invitation was turned away, for nobody was told."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            row = (turned.game, self.key, turned.time)
            database.execute("DELETE FROM turned_away WHERE game = ? AND key = ? AND time = ?", row)

    def forget(self, game: bytes) -> None:
        """Forget who played a game."""
        with self._database.writing() as database:
            make_tables(database, _TABLES)
            database.execute("DELETE FROM guests WHERE game = ? AND key = ?", (game, self.key))

    def _rows(self, table: str, columns: str, order: str = "") -> list[tuple[Any, ...]]:
        with self._database.reading() as database:
            if database is None or not has_table(database, table):
                return []
            rows = f"SELECT game, {columns} FROM {table} WHERE key = ? {order}"
            return database.execute(rows, (self.key,)).fetchall()


def _kinds(of: type[Guest | TurnedAway | Waiting]) -> list[type]:
    """Of which kind each column is, as the database gives it."""
    return [int if each is bool else each for each in get_type_hints(of).values()]


def _is_sound(row: tuple[Any, ...], kinds: list[type]) -> bool:
    """Whether a row is of these kinds: what is damaged is left out, and stops nobody."""
    return [type(value) for value in row] == kinds


def _are_times(*stored: str) -> bool:
    try:
        return all(datetime.fromisoformat(time).tzinfo is not None for time in stored)
    except ValueError:
        return False
