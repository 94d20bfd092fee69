"""The library of one player while a program runs: used as far as it can be, and noted in.

docs/protocol.md, What a player's program has to take care of: Go by your own clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from pbem.foreign import in_safe_letters
from pbem.play.game_file import GameFile
from pbem.play.new_files import is_called_save, stamps_in
from pbem.play.store import (
    KeptTurns,
    Library,
    LibraryBlocked,
    LibraryFailed,
    Listed,
    Person,
    Players,
    Post,
    Recognised,
    Seen,
    Stamps,
    credible,
)
from pbem.protocol.known import Known
from pbem.protocol.match import Match, Passing
from pbem.protocol.record import Record
from pbem.savefile.disk import next_name


class OwnLibrary:
    """The library at `path` of the player with that key.

    One that cannot be used is left alone from then on; `failure` is why. `seen` is the file that
    was read last, which `end` notes, or whatever is signed before that.
    """

    def __init__(self, path: Path, key: bytes, clock: Callable[[], str]) -> None:
        self.path = path
        self.key = key
        self.clock = clock
        self.failure: LibraryFailed | None = None
        self.seen: Seen | None = None
        self._is_told = False

    @property
    def is_usable(self) -> bool:
        """Whether it has not failed so far."""
        return self.failure is None

    def take_failure(self) -> LibraryFailed | None:
        """Why it cannot be used, to be reported once; None from then on."""
        failure = None if self._is_told else self.failure
        self._is_told = self.failure is not None
        return failure

    def open(self, *, is_learning: bool = False) -> Library:
        """The library itself, whose methods raise LibraryFailed.

        With `is_learning` of old games the present does not count as the time when their records
        came.
        """
        return Library(self.path, self.key, None if is_learning else self.clock)

    def post(self) -> Post:
        """What went by mail, whose methods raise LibraryFailed."""
        return Post(self.path, self.key)

    def kept_turns(self) -> KeptTurns:
        """The turns that are not signed yet, whose methods raise LibraryFailed."""
        return KeptTurns(self.path, self.key)

    def stamps(self) -> Stamps:
        """Which files in folders were looked through, whose methods raise LibraryFailed."""
        return Stamps(self.path, self.key)

    def players(self) -> Players:
        """Who is who, whose methods raise LibraryFailed."""
        return Players(self.path, self.key)

    def listed(self) -> dict[bytes, Listed]:
        """The games that it knows, by id; none where it cannot be used."""
        with suppress(LibraryFailed):
            return {game.id: game for game in self.open().games()}
        return {}

    def answer_path(
        self, match: Match, index: int, path: Path | None = None, name: str = ""
    ) -> Path:
        """Where the answer to a file goes, whose last record will be `index`.

        It is written beside a save file at that `path`. One that came in a message has no place of
        its own, and maybe a `name`: its answer is written beside the last file of the game that is
        known, else in the current folder.
        """
        if path is not None:
            return next_name(path, index)
        listed = self.listed().get(match.id)
        known = (listed.file_out, listed.file_in) if listed else ()
        last = next((path for path in known if path and is_called_save(path)), None)
        if not name.endswith(".toml"):
            others = [who.name for who in match.entrants.values() if who.key != self.key]
            safe = in_safe_letters(others[0] if others else match.invite.name)
            name = last.name if last else f"{safe}.toml"
        folder = last.parent if last and last.parent.is_dir() else Path()
        return next_name(folder / name, index)

    def arrival(self, game: bytes, record: bytes) -> str:
        """When the record of that hash came here, by the clock here; empty if nobody knows."""
        # What is not known follows from the signed times.
        with suppress(LibraryFailed):
            return self.open().arrival(game, record)
        return ""

    def known(self, game: bytes) -> Known:
        """The records of a game that were verified before."""
        try:
            return self.open().known(game)
        except LibraryBlocked:
            # Signing reports it; looking at a game only takes longer without it.
            return Known()
        except LibraryFailed as error:
            self.failure = self.failure or error
            return Known()

    def recognise(self, records: Sequence[Record]) -> Recognised | None:
        """What is known of the opponent; None where there is none, or it cannot be looked up."""
        if self.is_usable:
            # Signing reports it.
            with suppress(LibraryFailed):
                return self.players().recognise(records)
        return None

    def vouch(self, person: Person) -> None:
        """Note that the key does belong to the player it names."""
        # What cannot be noted will be asked again.
        with suppress(LibraryFailed):
            self.players().vouch(person)

    def read(self, data: bytes, path: Path | None, passing: Passing = iter) -> GameFile:
        """Read and verify the file at that path, but for what is known of it, and keep it.

        `passing` and what it raises as for `GameFile.read`.
        """
        game = GameFile.read(data, self.known, passing, path)
        self.keep(game.match, path)
        return game

    def keep(self, match: Match, path: Path | None) -> None:
        """Have the file at that path, which holds this match, noted at the end.

        There is no path to what came out of a mailbox.
        """
        self.seen = Seen.of(match, self.key, path)

    def complete(self) -> None:
        """Note that it has all that its key signed, because that key is new."""
        try:
            self.open().complete()
        except LibraryFailed as error:
            self.failure = self.failure or error

    def begin(self, match: Match, path: Path) -> None:
        """Note the file at that path, up to which its player has played here and nowhere else.

        What else lies beside it is known, too, and not to be found as if it had come since.
        """
        seen, beside = Seen.of(match, self.key, path), path.absolute().parent
        # Without it there is a note too many when somebody tries a turn.
        with suppress(LibraryFailed):
            if seen is not None:
                self.open(is_learning=True).note(seen, begins=True)
                self.open().complete(with_games=True)
                self.stamps().note(beside, stamps_in(beside))

    def end(self) -> bool:
        """Note what is still to be noted; whether it told of a part that nobody remembered.

        Where a file lists a game again, its folder is looked through again, too.
        """
        seen, self.seen = self.seen, None
        if seen is None or not self.is_usable:
            return False
        # A folder that is read-only, a command that signs: what is not noted costs time only.
        with suppress(LibraryFailed):
            if seen.path is not None and seen.id not in self.listed():
                self.stamps().forget(seen.path.absolute().parent)
            return self.open().note(seen) and not seen.game.is_finished
        return False


# --- by the clock of this computer


def since_when(own: OwnLibrary | None, match: Match, now: str) -> str | None:
    """Since when a match waits, by the clock here if that is known; None if nobody can say."""
    return credible(_arrival(own, match), match.last.time, now)


def letter_time(own: OwnLibrary | None, match: Match, now: str) -> str:
    """How the letter with the last record of a match is dated: as the record, but never ahead.

    A date that the record has borrowed is not repeated: then it is when the record was signed here,
    which is kept, so that the same letter can be made again.
    """
    signed = match.last.time
    return min(signed, _arrival(own, match) or signed, now)


def _arrival(own: OwnLibrary | None, match: Match) -> str:
    """When the last record of a match came here; empty where nobody knows."""
    return own.arrival(match.id, match.last.hash) if own else ""
