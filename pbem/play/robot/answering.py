"""What the robot does with one file: it verifies it, and joins, answers or closes the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from engine.message import Said, message_of
from engine.sides import Side
from pbem.errors import WrongUse, exists
from pbem.library import LibraryFailed, Recognised
from pbem.library.guest_book import Guest, GuestBook, TurnedAway, Waiting
from pbem.play.entry import Acceptance
from pbem.play.game_file import GameFile
from pbem.play.memory import Memory
from pbem.play.questions import (
    Closed,
    NewKey,
    NoLibrary,
    NotRemembered,
    OtherKey,
    Question,
    SignedBefore,
    Standing,
    Unanswered,
)
from pbem.play.robot.claims import Claims
from pbem.play.robot.guests import Guests
from pbem.play.robot.places import TIMES_A_DAY, Applicant, Seating
from pbem.play.robot.player import Players, Robot
from pbem.play.robot.queue import in_order, may_wait
from pbem.play.robot.refusals import NotWritten
from pbem.play.robot.tidying import game_in, tidy
from pbem.play.session import Session, Turn
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Invite
from pbem.savefile.disk import next_name
from pbem.savefile.save_file import SaveFile
from pbem.sources import random_bytes


class Incoming(NamedTuple):
    """A save file that somebody sent: its content, the file or message in which it lies.

    `name` is what it is called in reports; its answer goes `beside` that path. By mail it came from
    the address `sender`, and in a letter of that `letter_id`; in a folder it lies since it `came`,
    by the clock. An invitation that `has_waited` is in the queue.
    """

    data: bytes
    path: Path
    name: Said
    beside: Path
    sender: str = ""
    came: str = ""
    letter_id: str = ""
    has_waited: bool = False


class Answered(NamedTuple):
    """What came of a file: the match with the robot's record in it, and where the answer lies.

    `changed` is the player whose key is doubted, and with whom the robot begins to play all the
    same: its keeper is to be told.
    """

    match: Match
    path: Path
    changed: Recognised | None


class Correspondence:
    """The robot of one home: whom it answers are its `guests`, what it signs its library knows.

    Its orders are those of the `players`, one for each game. With `newest` its keeper has said that
    no file that it has answered will come again.
    """

    def __init__(
        self,
        session: Session,
        guests: Guests,
        players: Players,
        *,
        newest: bool = False,
    ) -> None:
        self.session = session
        self.book = GuestBook(session.library.path, session.identity.public_key)
        self.claims = Claims(session.home.folder / "claims")
        self._players = players
        self._guests = guests
        self._newest = newest

    def check_memory(self) -> None:
        """Raise Unanswered where the robot has signed more than it remembers, or may have."""
        # Looking something up in it will say what is wrong with it.
        with suppress(LibraryFailed):
            if not self.session.library.open().is_complete():
                raise Unanswered([NotRemembered(is_invitation=False)])

    def answer(self, incoming: Incoming) -> Answered | None:
        """Answer a file; None where that was done before, or nothing is due.

        Raises AcresError or UnknownRules for a file that is left alone; of these Unanswered where
        something stands before it, which may pass, and NotWritten where it is to be tried again.
        Where another process of the robot answers at once, its answer is the one.
        """
        self.check_memory()
        save = SaveFile.read(incoming.data)
        with self.claims.game(save.records[0].hash):
            try:
                return self._answer(save, incoming)
            except NotWritten:
                if not self._has_signed(save):
                    raise
                return self._answer(save, incoming)

    def _has_signed(self, save: SaveFile) -> bool:
        """Whether a file is answered by now, though perhaps without a file."""
        memory = self.session.memory(save.records)
        return any(isinstance(each, SignedBefore) for each in memory.questions())

    def _answer(self, save: SaveFile, incoming: Incoming) -> Answered | None:
        self._check_is_own(save.records)
        if self._is_mine(save.records):
            return None
        memory = self.session.memory(save.records)
        signed = memory.signed
        for question in memory.questions(another=signed is None):
            if isinstance(question, SignedBefore) and question.standing is not Standing.OLDER:
                # It speaks of what somebody signed, and the file has yet to prove that.
                self._verified(save, incoming)
            elif isinstance(question, Closed) and signed is not None:
                self._verified(save, incoming)
            elif not isinstance(question, SignedBefore | NoLibrary):
                continue
            raise Unanswered([question])
        if signed and memory.written():
            return None
        game = self._verified(save, incoming)
        self.session.library.keep(game.match, incoming.path)
        # Nobody else can come between finding a free place and giving it away.
        with nullcontext() if game.match.is_joined else self.claims.table():
            return self._answered(game, incoming, memory)

    def _check_is_own(self, records: Sequence[Record]) -> None:
        """Refuse, before its proofs are checked, a game in which the robot does not play."""
        entries = [step for record in records[:2] for step in record.steps[:1]]
        keys = [step.key for step in entries if isinstance(step, Invite | Accept)]
        if len(records) > 1 and self._key not in keys:
            raise WrongUse("The robot does not play in this game: it accepts invitations.")

    def _is_mine(self, records: Sequence[Record]) -> bool:
        """Whether a file is one that it has written, which may lie where others come."""
        last = records[-1]
        with suppress(LibraryFailed):
            hashes = self.session.library.open().hashes(records[0].hash)
            return hashes.get(last.index) == last.hash
        return False

    def _verified(self, save: SaveFile, incoming: Incoming) -> GameFile:
        known = self.session.library.known(save.records[0].hash)
        return GameFile(save, Match.replay(save.records, known), incoming.path)

    def _answered(self, game: GameFile, incoming: Incoming, memory: Memory) -> Answered | None:
        is_again = memory.signed is not None
        made = None if is_again else self._made(game, incoming, memory)
        if made is None and not is_again:
            return None
        match = made.match if made else game.match
        assert match is not None
        changed = self._settle(memory, memory.questions(another=not is_again))
        try:
            path = _place(incoming.beside, match.id, len(game.match.records))
            memory.check_room(path)
            if made is not None:
                written = made.sign(path)
            else:
                written = self.session.repeat(game, memory, path)
        except Unanswered:
            raise
        except WrongUse as error:
            if is_again and memory.written():
                # Another process, which signed it, has just written it.
                return None
            raise NotWritten(message_of(error)) from None
        if not is_again:
            self._note(written.match, Side(written.match.last.side).opponent, incoming)
        return Answered(written.match, written.path, changed)

    def _settle(self, memory: Memory, questions: Iterable[Question]) -> Recognised | None:
        """Agree to what the robot may agree to; returns whose key is doubted, if anybody's."""
        changed = None
        for question in questions:
            self._check_agreeable(question)
            memory.agree(question)
            if isinstance(question, OtherKey):
                recognised = question.recognised
                changed = recognised if recognised.is_doubted and not recognised.is_met else None
        return changed

    def _made(self, game: GameFile, incoming: Incoming, memory: Memory) -> Turn | Acceptance | None:
        """What it answers, ready to be signed; None where nothing is due."""
        match = game.match
        if not match.is_joined:
            return self._joined(game, incoming, memory)
        side = next(side for side, who in match.entrants.items() if who.key == self._key)
        if match.next_side is not side:
            return None
        self._check(memory)
        guest = match.entrants[side.opponent]
        self._guests.check_player(guest.email, guest.key)
        with suppress(LibraryFailed), self.claims.table():
            table, places = self.table(), self._guests.places
            places.check_back(table, match.id, guest.key)
            if not any(each.game == match.id and each.has_moved for each in places.seated(table)):
                # While the robot thinks, nobody else gets it.
                self._note(match, side.opponent, incoming)
        turn = self.session.answer(game, memory)
        self._robot(match).play(turn)
        return turn

    def _joined(self, game: GameFile, incoming: Incoming, memory: Memory) -> Acceptance | None:
        invitation = game.match.invite
        if invitation.key == self._key:
            return None
        self._check(memory)
        sender = _sender(incoming, invitation.email)
        self._guests.check_invitation(invitation, sender)
        with suppress(LibraryFailed):
            table = self.table()
            is_again = _was_turned_away(table, game.match.id, incoming)
            by_mail, waited = self._guests.by_mail, incoming.has_waited
            applicant = Applicant(invitation.key, sender, is_again, by_mail, waited)
            self._guests.places.check_new(table, applicant)
        acceptance = self.session.join(game, memory)
        offered = invitation.side
        if offered == "any":
            (drawn,) = random_bytes(1, f"side of the robot in game {game.match.id.hex()}")
            side = list(Side)[drawn % len(Side)]
        else:
            side = Side(offered).opponent
        robot = self._robot(game.match)
        acceptance.choose(side, robot.start_card(ruleset_of(invitation), side))
        return acceptance

    def _robot(self, match: Match) -> Robot:
        record = f"record {len(match.records)} of game {match.id.hex()}"
        seed = random_bytes(32, f"whims of the robot in {record}")
        return Robot(self.session.identity, self._players(match.id, seed))

    def _check(self, memory: Memory) -> None:
        """Raise Unanswered if something has to be settled first, whoever is welcome."""
        for question in memory.questions():
            self._check_agreeable(question)

    def _check_agreeable(self, question: Question) -> None:
        """It plays with anybody; its keeper alone can say that a file is the newest one."""
        is_vouched = isinstance(question, NotRemembered) and self._newest
        if not is_vouched and not isinstance(question, NewKey | OtherKey):
            raise Unanswered([question])

    @property
    def _key(self) -> bytes:
        return self.session.identity.public_key

    # --- the table

    def table(self) -> Seating:
        """Who plays with the robot now; raises LibraryFailed."""
        games = self.session.library.open().games()
        guests, turned_away = self.book.guests(), self.book.turned_away()
        waiting, now = self.book.waiting(), self.session.home.clock()
        return Seating.of(guests, turned_away, waiting, games, now)

    def tidy(self, folder: Path | None = None) -> None:
        """Let go of games that were given up or are long over, and of their files in the folder."""
        with suppress(LibraryFailed), self.claims.table():
            tidy(self.table(), self.book, self.session.library.open(), folder)

    def turn_away(self, incoming: Incoming) -> None:
        """Note that an invitation found no place."""
        game = SaveFile.read(incoming.data).records[0].hash
        with suppress(LibraryFailed):
            if not _was_turned_away(self.table(), game, incoming):
                time = self.session.home.clock()
                self.book.turn_away(TurnedAway(game, incoming.sender, time))

    def wait(self, incoming: Incoming, *, is_to_be_told: bool) -> bool:
        """Have an invitation that found no place wait for one; whether it does, or did.

        Raises LibraryFailed.
        """
        match = Match.replay(SaveFile.read(incoming.data).records)
        key, sender = match.invite.key, _sender(incoming, match.invite.email)
        with self.claims.table():
            waiting, now = self.book.waiting(), self.session.home.clock()
            if any(each.game == match.id for each in waiting):
                return True
            if not may_wait(waiting, key, sender, self._guests.places.each):
                return False
            file, letter = incoming.path.name, incoming.letter_id
            told = "" if is_to_be_told else now
            self.book.wait(Waiting(match.id, key, sender, now, file, letter, told))
        return True

    def queue(self) -> list[Waiting]:
        """Who waits for a place, the next one first; raises LibraryFailed."""
        table = self.table()
        return in_order(table.waiting, self._guests.places.seated(table))

    @property
    def most_told(self) -> int:
        """How many are told in a day that they wait: as many as can be told that they play."""
        return TIMES_A_DAY * self._guests.places.most

    def _note(self, match: Match, side: Side, incoming: Incoming) -> None:
        """Note with whom the robot plays, on which side, when it answers or has answered."""
        guest, now = match.entrants[side], self.session.home.clock()
        with suppress(LibraryFailed):
            before = next((each for each in self.book.guests() if each.game == match.id), None)
            self.book.note(
                Guest(
                    game=match.id,
                    key=guest.key,
                    sender=before.sender if before else _sender(incoming, guest.email),
                    taken=before.taken if before else now,
                    last=now,
                    has_moved=len(match.records) > 2,
                    is_over=match.is_over,
                )
            )


def _sender(incoming: Incoming, email: str) -> str:
    """From which address a file came, in small letters: that of its letter, else by its word."""
    return (incoming.sender or email).casefold()


def _was_turned_away(table: Seating, game: bytes, incoming: Incoming) -> bool:
    """Whether that invitation found no place before, and did not come again since."""
    return any(each.game == game and each.time >= incoming.came > "" for each in table.turned_away)


def _place(beside: Path, game: bytes, index: int) -> Path:
    """Where an answer goes: beside that file, under a name that tells games apart if need be."""
    path = next_name(beside, index)
    if exists(path) and game_in(path) != game:
        return next_name(beside.with_stem(f"acres-{game.hex()[:8]}"), index)
    return path
