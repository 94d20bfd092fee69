"""What the robot does with one file: it verifies it, and joins, answers or closes the game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple

import typer

from engine.message import Message, message_of, sentences
from engine.practice import PracticePlayer
from engine.sides import Side
from pbem.cli import console
from pbem.cli.findings import explaining
from pbem.cli.memory import Memory, NoMemory, Older
from pbem.cli.moment import new_nonce, now
from pbem.cli.newest import robot_forgot
from pbem.cli.output import check_writable
from pbem.cli.own_library import NotNow, library_of, own_games
from pbem.cli.paths import exists, shown
from pbem.cli.players.recognising import tell_keeper
from pbem.cli.robot.guests import Guests
from pbem.cli.robot.places import Asking, Table
from pbem.cli.robot.tidying import game_in, tidy
from pbem.errors import WrongUse
from pbem.library import LibraryFailed
from pbem.library.guests import Guest, GuestBook, TurnedAway
from pbem.play.game_file import GameFile, whose_move
from pbem.play.robot import Robot
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Invite
from pbem.savefile.files import next_name, read_file
from pbem.savefile.save_file import SaveFile


class NotWritten(WrongUse):
    """There is no room for the answer to a file, which is to be answered later."""


class Incoming(NamedTuple):
    """A save file that somebody sent: its content, the file or message in which it lies.

    `name` is what it is called to whoever looks on; its answer goes `beside` that path.
    By mail it came from the address `sender`; in a folder it lies since it `came`, by the clock.
    """

    data: bytes
    path: Path
    name: str
    beside: Path
    sender: str = ""
    came: str = ""


def incoming(path: Path, outbox: Path) -> list[Incoming]:
    """The save files in a file, or in a message, whose answers go into `outbox`.

    There is none in an ordinary letter; raises Unreadable for a file that is none, and where there
    is only a damaged one.
    """
    name = shown(Path(path.name))
    if path.suffix.lower() == ".toml":
        return [Incoming(read_file(path), path, name, outbox / path.name, came=_came(path))]
    # Imported here because a robot that plays by folder seldom sees a message.
    from pbem.mail.parts import MAX_MESSAGE
    from pbem.mail.search import save_files

    return [
        Incoming(
            each.data,
            path,
            f"{name}, {each.where}",
            outbox / (each.name or "acres.toml"),
            came=_came(path),
        )
        for each in save_files(read_file(path, MAX_MESSAGE))
    ]


def _came(path: Path) -> str:
    """Since when a file lies where it is; empty where that is no time."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return ""
    return changed.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


class Answered(NamedTuple):
    """What came of a file: the match with the robot's record in it, and where the answer lies."""

    match: Match
    path: Path

    def told(self, name: str) -> Message:
        """The same in a sentence or two; `name` is that of the file that was answered."""
        match, path, next_move = self.match, shown(self.path), whose_move(self.match)
        if len(match.records) > 2:
            told = Message("{file} is answered with {answer}.", file=name, answer=path)
        else:
            told = Message(
                "{file} is an invitation by {player}, taken up as the {side} with {answer}.",
                file=name,
                player=console.named(match.invite.name),
                side=Side(match.last.side).label,
                answer=path,
            )
        return sentences(told, next_move)


class Correspondence:
    """The robot of one home: whom it answers are its `guests`, what it signs its library knows.

    With `newest` its keeper has said that nothing will come that it answered before.
    """

    def __init__(
        self, context: typer.Context, identity: Identity, guests: Guests, *, newest: bool = False
    ) -> None:
        self._context = context
        self._robot = Robot(identity, PracticePlayer(SystemRandom()).choose)
        self._key = identity.public_key
        self._own = library_of(context, identity.public_key)
        self._guests = guests
        self._newest = newest
        self.name = identity.name
        self.book = GuestBook(self._own.path, identity.public_key)

    def begin_anew(self, folders: Sequence[Path]) -> None:
        """Take it from the keeper that nothing will come that was answered before.

        What lies in these folders is learnt first. Does nothing where all is remembered. Raises
        WrongUse where the library cannot be used.
        """
        with own_games(self._context) as own:
            library = own.open()
            if library.is_complete():
                return
            from pbem.cli.games.finding import add_all

            add_all(library, [folder for folder in dict.fromkeys(folders) if exists(folder)])
            library.complete(with_games=True)

    def check_memory(self) -> None:
        """Raise NoMemory where the robot has signed more than it remembers, or may have."""
        try:
            is_complete = self._own.open().is_complete()
        except LibraryFailed:
            # Whoever looks something up in it will say what is wrong with it.
            return
        if not is_complete:
            raise NoMemory(robot_forgot())

    def answer(self, incoming: Incoming) -> Answered | None:
        """Answer a file; None where that was done before, or nothing is due.

        Raises AcresError or UnknownRules for a file that is left alone; of these NotNow and
        NotWritten where it is to be tried again, Older where it is known, NoMemory where no file
        can be answered.
        """
        self.check_memory()
        memory = Memory(
            self._context, self._robot.identity, newest=self._newest, is_unattended=True
        )
        with explaining(incoming.data, self._key):
            save = SaveFile.read(incoming.data)
            self._check_is_own(save.records)
            try:
                signed = memory.look_up(save.records)
            except (NotNow, NoMemory, Older):
                raise
            except WrongUse:
                # It speaks of what somebody signed, and the file has yet to prove that.
                self._verified(save)
                raise
            if signed and memory.written():
                return None
            game = self._verified(save)
        self._own.keep(game.match, incoming.path)
        try:
            return self._answered(game, incoming, memory, signed)
        finally:
            self._own.end()

    def _check_is_own(self, records: Sequence[Record]) -> None:
        """Refuse, before its proofs are checked, a game in which the robot does not play."""
        entries = [step for record in records[:2] for step in record.steps[:1]]
        keys = [step.key for step in entries if isinstance(step, Invite | Accept)]
        if len(records) > 1 and self._key not in keys:
            raise WrongUse(
                Message("The robot does not play in this game: it takes up invitations.")
            )

    def _verified(self, save: SaveFile) -> GameFile:
        known = self._own.known(save.records[0].hash)
        return GameFile(save, Match.replay(save.records, known))

    def _answered(
        self, game: GameFile, incoming: Incoming, memory: Memory, signed: Record | None
    ) -> Answered | None:
        if signed:
            answer: GameFile | None = self._robot.again(game, signed)
        else:
            answer = self._new_answer(game, incoming, memory)
        if answer is None:
            return None
        match, data = answer.match, answer.save.write()
        tell_keeper(self._context, game.match.records)
        try:
            path = _place(incoming.beside, match)
            check_writable(path, instead_of=memory.may_overwrite(path))
            memory.write(path, data, match)
        except (NotNow, NoMemory):
            raise
        except WrongUse as error:
            raise NotWritten(message_of(error)) from None
        if not signed:
            self._note(match, incoming)
        return Answered(match, path)

    def _new_answer(self, game: GameFile, incoming: Incoming, memory: Memory) -> GameFile | None:
        match = game.match
        if not match.is_joined:
            return self._joined(game, incoming, memory)
        side = next(side for side, who in match.entrants.items() if who.key == self._key)
        if match.next_side is not side:
            return None
        memory.allow_another()
        guest = match.entrants[side.opponent]
        self._guests.check_player(guest.email, guest.key)
        with suppress(LibraryFailed):
            self._guests.places.check_back(self.table(), match.id, guest.key)
        answer = self._robot.answer(game, now())
        last = answer.match.last
        memory.check_shuffles(match.id, last.previous, last.steps)
        return answer

    def _joined(self, game: GameFile, incoming: Incoming, memory: Memory) -> GameFile | None:
        invitation = game.match.invite
        if invitation.key == self._key:
            return None
        memory.allow_another()
        sender = _sender(incoming, invitation.email)
        self._guests.check_invitation(invitation, sender)
        with suppress(LibraryFailed):
            table = self.table()
            is_again = _was_turned_away(table, game.match.id, incoming)
            asking = Asking(invitation.key, sender, is_again, self._guests.by_mail)
            self._guests.places.check_new(table, asking)
        offered = invitation.side
        side = SystemRandom().choice(list(Side)) if offered == "any" else Side(offered).opponent
        return self._robot.join(game, nonce=new_nonce(), time=now(), side=side)

    # --- the table

    def table(self) -> Table:
        """Who plays with the robot now; raises LibraryFailed."""
        games = self._own.open().games()
        return Table.of(self.book.guests(), self.book.turned_away(), games, now())

    def tidy(self, folder: Path | None = None) -> None:
        """Let go of games that were given up or are long over, and of their files in the folder."""
        with suppress(LibraryFailed):
            tidy(self.table(), self.book, self._own.open(), folder)

    def turn_away(self, incoming: Incoming) -> None:
        """Note that an invitation found no place."""
        game = SaveFile.read(incoming.data).records[0].hash
        with suppress(LibraryFailed):
            if not _was_turned_away(self.table(), game, incoming):
                self.book.turn_away(TurnedAway(game, incoming.sender, now()))

    def _note(self, match: Match, incoming: Incoming) -> None:
        """Note with whom the robot plays, after it has signed a record."""
        guest = match.entrants[Side(match.last.side).opponent]
        with suppress(LibraryFailed):
            before = next((each for each in self.book.guests() if each.game == match.id), None)
            self.book.note(
                Guest(
                    game=match.id,
                    key=guest.key,
                    sender=before.sender if before else _sender(incoming, guest.email),
                    taken=before.taken if before else now(),
                    last=now(),
                    has_moved=len(match.records) > 2,
                    is_over=match.is_over,
                )
            )


def _sender(incoming: Incoming, email: str) -> str:
    """From which address a file came, in small letters: that of its letter, else by its word."""
    return (incoming.sender or email).casefold()


def _was_turned_away(table: Table, game: bytes, incoming: Incoming) -> bool:
    """Whether that invitation found no place before, and did not come anew since."""
    return any(each.game == game and each.time >= incoming.came > "" for each in table.turned_away)


def _place(beside: Path, match: Match) -> Path:
    """Where an answer goes: beside that file, under a name that tells games apart if need be."""
    path, index = next_name(beside, match.last.index), match.last.index
    if exists(path) and game_in(path) != match.id:
        return next_name(beside.with_stem(f"acres-{match.id.hex()[:8]}"), index)
    return path
