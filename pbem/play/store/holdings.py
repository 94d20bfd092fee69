"""The library of one player, as other modules use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from engine.value import Value
from pbem.errors import WrongUse
from pbem.play.store.database import Connection, Database, LibraryFailed
from pbem.play.store.destinations import (
    PLACE,
    RECORD,
    Destination,
    destination_of,
    direct,
    was_only_writer,
)
from pbem.play.store.entries import (
    Listed,
    Seen,
    arrival,
    as_time,
    is_ahead,
    note_arrival,
    with_arrivals,
)
from pbem.play.store.kept_turns import put_back, taken_out
from pbem.play.store.news import (
    known_of,
    learns,
    listed_game,
    listed_games,
    listing,
    news,
    signed_hashes,
    signing,
)
from pbem.play.store.own_part import (
    GameClosed,
    closing,
    is_complete,
    is_complete_since,
    is_in_doubt,
    own_part,
)
from pbem.protocol.known import Known
from pbem.protocol.record import Record

NOTING_SECONDS = 0.5
"""How long another process is waited for where what is noted would only save time."""


class SignedMeanwhile(WrongUse):
    """Another process has just signed another record in this game."""


class Signing(Value):
    """A record that is remembered, and whose file is still to be written.

    `replaced` are the records whose place it took, by their indexes; `is_first` says that it was
    not remembered before; `listed` is how the game was listed before, and is now; `kept` are the
    turns that were kept in it.
    """

    library: Library
    game: bytes
    record: Record
    replaced: Mapping[int, bytes]
    is_first: bool
    listed: tuple[Listed | None, Listed | None]
    kept: Sequence[tuple[object, ...]] = ()

    def take_back(self) -> None:
        """Forget the record, because its file never came to be.

        It stays where another process has come to remember it too, and may have written it. Raises
        LibraryFailed.
        """
        if self.is_first:
            self.library._forget(self)


class Library:
    """What this computer knows of the games of the owner of `key`, in the database at `path`.

    A database that is not there yet is empty; it is made, for its owner alone, when something is
    first written to it. All methods raise LibraryFailed where it cannot be used. By the `clock`,
    which tells the time in UTC as records have it, it keeps when records came, and since when
    players are known; without one, not.
    """

    def __init__(self, path: Path, key: bytes, clock: Callable[[], str] | None = None) -> None:
        self.path = path
        self.key = key
        self.clock = clock
        self._database = Database(path)

    @property
    def is_there(self) -> bool:
        """Whether it has been made."""
        return self._database.is_there

    def check_writable(self) -> None:
        """Raise LibraryFailed where nothing can be remembered, as far as that shows before."""
        self._database.check_writable()

    # --- whether all is remembered

    def is_complete(self) -> bool:
        """Whether it knows all that its owner has ever signed on this computer."""
        with self._database.reading() as database:
            return is_complete(database, self.key)

    def complete(self, *, with_games: bool = False) -> None:
        """Note that it knows all that was signed: the key is new, or its owner says so.

        `with_games` says so of all games, too, in which its owner's part was learnt from files.
        """
        with self._database.writing() as database:
            is_known = "EXISTS (SELECT 1 FROM complete WHERE key = ?1)"
            database.execute(f"INSERT INTO complete SELECT ?1 WHERE NOT {is_known}", (self.key,))
            if with_games:
                database.execute("DELETE FROM learnt WHERE key = ?", (self.key,))

    def complete_from_now_on(self) -> None:
        """Note that it knows all that is signed from now on, if it does not know all anyway."""
        with self._database.writing() as database:
            row = (self.key, self._time())
            database.execute("INSERT OR IGNORE INTO complete_since VALUES (?, ?)", row)

    def knows_whether_joined(self, invitation: Record) -> bool:
        """Whether an invitation that its owner had accepted here would be remembered.

        That holds for one dated after the memory became complete, and for none dated ahead.
        """
        with self._database.reading() as database:
            return is_complete(database, self.key) or (
                self.clock is not None
                and is_complete_since(database, self.key, invitation)
                and not is_ahead(invitation.time, self.clock())
            )

    def is_in_doubt(self, records: Sequence[Record]) -> bool:
        """Whether its owner may have signed more in the game with these records than is known.

        They are those of a file that holds.
        """
        with self._database.reading() as database:
            game = records[0].hash
            signed = {} if database is None else signed_hashes(database, game, self.key)
            return is_in_doubt(database, self.key, signed, records)

    # --- what was signed

    def hashes(self, game: bytes) -> dict[int, bytes]:
        """The hash of each record signed in a game, by its index, in ascending order."""
        with self._database.reading() as database:
            return {} if database is None else signed_hashes(database, game, self.key)

    def signed(self, game: bytes, index: int) -> Record | None:
        """The record signed in that place of a game; None if none was."""
        query = f"SELECT record, hash FROM signed {PLACE}"
        found = self._database.read(query, (game, self.key, index))
        return self._read(found[0][0], found[0][1], index) if found else None

    def shuffling(self, game: bytes) -> list[Record]:
        """All records signed in a game that shuffle or open a shuffle, replaced ones too."""
        with self._database.reading() as database:
            return self._with_steps(database, game, "open-lists", "shuffle")

    def closing(self, game: bytes) -> Record | None:
        """The record signed in a game that closed it, replaced or not; None where none did."""
        with self._database.reading() as database:
            return self._closing(database, game)

    def _closing(self, database: Connection | None, game: bytes) -> Record | None:
        return closing(self._with_steps(database, game, "close"))

    def _with_steps(self, database: Connection | None, game: bytes, *kinds: str) -> list[Record]:
        """The records signed in a game, replaced ones too, in which one of these words stands."""
        if database is None:
            return []
        places = [f'%"{kind}"%' for kind in kinds]
        stands = " OR ".join("record LIKE ?" for _ in kinds)
        found = [
            row
            for table in ("signed", "replaced")
            for row in database.execute(
                f'SELECT record, hash, "index" FROM {table} WHERE game = ? AND key = ? '
                f"AND ({stands})",
                (game, self.key, *places),
            )
        ]
        return [self._read(*row) for row in found]

    def destination(self, game: bytes, record: Record) -> Destination | None:
        """Where a signed record was to be written last; None where nobody remembers."""
        with self._database.reading() as database:
            return None if database is None else destination_of(database, game, self.key, record)

    def remember(
        self,
        game: bytes,
        record: Record,
        *,
        looked_up: Mapping[int, bytes] | None = None,
        replacing: Collection[int] = (),
        destination: Destination | None = None,
        seen: Iterable[Seen] = (),
    ) -> Signing:
        """Remember a record that was signed, before it is written: for good when this returns.

        It takes the place of the records with the indexes `replacing`. Of processes that sign at
        once one gets through: raises SignedMeanwhile where another record has its place, or where
        other hashes are remembered in the game than when it was `looked_up`. Files that were `seen`
        are noted with it, the new one too; the last of them decides how the game goes on. In a game
        that its owner has closed nothing new is signed: raises GameClosed.
        """
        files = list(seen)
        with self._database.writing() as database:
            found = signed_hashes(database, game, self.key)
            is_first = found.get(record.index) != record.hash
            if is_first:
                is_taken = record.index in found and record.index not in replacing
                if is_taken or looked_up not in (None, found):
                    raise SignedMeanwhile(
                        "You have just signed another answer in this game, in another window: "
                        "send that one, not two. Nothing was written."
                    )
                self._check_open(database, game, record, files)
                for index in replacing:
                    place = (game, self.key, index)
                    database.execute(f"INSERT INTO replaced SELECT * FROM signed {PLACE}", place)
                    database.execute(f"DELETE FROM signed {PLACE}", place)
                database.execute(*signing(game, self.key, record))
            direct(database, game, self.key, record, destination)
            before = listed_game(database, game, self.key)
            kept = taken_out(database, game, self.key)
            for each in files:
                self._date(database, each)
                for statement in news(database, self.key, each, decides=True, time=self._time()):
                    database.execute(*statement)
            after = listed_game(database, game, self.key)
        replaced = {index: found[index] for index in replacing if index in found}
        return Signing(self, game, record, replaced, is_first, (before, after), kept)

    def _check_open(
        self, database: Connection, game: bytes, record: Record, seen: Iterable[Seen]
    ) -> None:
        """Raise GameClosed where another record than this one closed the game, anywhere."""
        # Nothing follows the close of its author.
        own = [r for each in seen for r in own_part(each.records, self.key)[-1:]]
        in_files = [each for each in own if each.hash != record.hash]
        closed = self._closing(database, game) or closing(in_files)
        if closed is not None:
            raise GameClosed(closed)

    def _forget(self, signing: Signing) -> None:
        """Undo `remember`, unless somebody came after it."""
        with self._database.writing() as database:
            game, record = signing.game, signing.record
            if not was_only_writer(database, game, self.key, record):
                return
            place = (game, self.key, record.index, record.hash)
            if database.execute(f"DELETE FROM signed {RECORD}", place).rowcount:
                for index, hash_ in signing.replaced.items():
                    old = (game, self.key, index, hash_)
                    back = f"INSERT OR IGNORE INTO signed SELECT * FROM replaced {RECORD}"
                    database.execute(back, old)
                    database.execute(f"DELETE FROM replaced {RECORD}", old)
                if max(signed_hashes(database, game, self.key), default=0) == 0:
                    # Nobody was met in a game where nothing was signed after the invitation.
                    database.execute("DELETE FROM met WHERE game = ? AND key = ?", (game, self.key))
            put_back(database, signing.kept)
            before, after = signing.listed
            if listed_game(database, game, self.key) == after:
                database.execute(*listing(game, self.key, before))

    def _read(self, text: object, hash_: object, index: int) -> Record:
        """A record as it was signed: nobody is refused anything for a damaged one."""
        try:
            record = Record.from_plain(json.loads(str(text)))
        except (ValueError, RecursionError):
            raise _damaged(index) from None
        if (record.index, record.hash) != (index, hash_) or not record.verify(self.key):
            raise _damaged(index)
        return record

    # --- what was verified, and which games there are

    def known(self, game: bytes) -> Known:
        """What was verified and replayed of a game; nothing where others may say so."""
        with self._database.reading() as database:
            if database is None or not self._database.is_private:
                return Known(frozenset())
            return known_of(database, game)

    def note(self, seen: Seen, *, begins: bool = False) -> bool:
        """Note a file that was read: own records in it, what was verified, how the game stands.

        Returns whether it was learnt from it what was signed: by another computer, or by this one,
        which has forgotten it. Nothing is written where all is known already; nor, unless this
        `begins` a library, where there is none.
        """
        if not begins and not self.is_there:
            return False
        learnt = True
        with self._database.reading() as database:
            if database is not None:
                is_known = next(news(database, self.key, seen), None) is None
                if is_known:
                    return False
                learnt = learns(database, self.key, seen)
        # All else is found out again by reading the file again.
        with self._database.writing(NOTING_SECONDS, lasts=learnt) as database:
            before = signed_hashes(database, seen.id, self.key)
            self._date(database, seen)
            for statement in news(database, self.key, seen, time=self._time()):
                database.execute(*statement)
            return signed_hashes(database, seen.id, self.key) != before

    def _time(self) -> str:
        return self.clock() if self.clock else ""

    def games(self) -> list[Listed]:
        """All own games that are known, in the order in which their last records came."""
        with self._database.reading() as database:
            if database is None:
                return []
            return with_arrivals(database, self.key, listed_games(database, self.key))

    def listed(self, game: bytes) -> Listed | None:
        """The own game of that id as it is known; None where it is not."""
        return next((each for each in self.games() if each.id == game), None)

    def beginnings(self) -> dict[bytes, str]:
        """Return when the owner signed first in each listed game, by its id, if that is known."""
        rows = self._database.read(
            "SELECT game, record FROM signed JOIN games USING (game, key) "
            'WHERE key = ? AND "index" < 2',
            (self.key,),
        )
        found: dict[bytes, str] = {}
        for game, text in rows:
            with suppress(ValueError, TypeError, KeyError, RecursionError):
                found[game] = as_time(json.loads(text)["time"])
        return {game: time for game, time in found.items() if time}

    def arrival(self, game: bytes, record: bytes) -> str:
        """When the record of that hash came, by the clock of this computer; empty if unknown."""
        with self._database.reading() as database:
            return "" if database is None else arrival(database, game, self.key, record)

    def _date(self, database: Connection, seen: Seen) -> None:
        if self.clock is not None:
            note_arrival(database, self.key, seen, self.clock())

    def set_pace(self, game: bytes, days: int | None) -> None:
        """Say how many days a move may take in a game that is listed."""
        with self._database.writing() as database:
            database.execute(
                "UPDATE games SET pace = ? WHERE game = ? AND key = ?", (days, game, self.key)
            )

    def forget(self, game: bytes) -> None:
        """Take a game from the list. What was signed in it stays."""
        with self._database.writing() as database:
            database.execute("DELETE FROM games WHERE game = ? AND key = ?", (game, self.key))
            taken_out(database, game, self.key)
            for table in ("verified", "snapshots"):
                database.execute(f"DELETE FROM {table} WHERE game = ?", (game,))


def _damaged(index: int) -> LibraryFailed:
    # Translators: it is the library of the player.
    return LibraryFailed("its record {number} is damaged", number=index)
