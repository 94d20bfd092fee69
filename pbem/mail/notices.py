"""What the robot tells the sender of what it does not accept, or not yet: by letter or note.

It is told in the language of the robot's keeper and in English. Letters go to the address that the
invitation came from, which anybody can have written there. So no more than one goes to an address
in a day, and few in all; none answers a letter that no person sent; and in none there is a word of
whoever wrote the invitation. That an invitation waits for a place is told once, and in a day as
often as games are begun at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, Said
from pbem.errors import Unreadable, WrongUse
from pbem.foreign import mailbox
from pbem.library.guest_book import TurnedAway, Waiting
from pbem.mail.account import Account
from pbem.mail.address import is_address
from pbem.mail.arrivals import Filed
from pbem.mail.letter import Correspondent, Paragraph, as_text, headed, in_languages
from pbem.mail.login import Login
from pbem.mail.outbox import MayHaveArrived, Outgoing, outgoing
from pbem.mail.thread import DOMAIN, message_id
from pbem.mail.wire import MailFailed
from pbem.play.robot.answering import Correspondence
from pbem.play.robot.places import A_DAY
from pbem.play.robot.refusals import TurnedDown
from pbem.savefile.disk import is_there, read_file, write_new

MOST_A_DAY = 50
"""How many letters of this kind are sent in a day, to whomever."""
MOST_NOTES = 100
"""No more notes than these lie in an outbox."""
_LONGEST_NOTE = 4096
_NAME = re.compile(r"<[!-;=?-~]{1,200}>")
"""A Message-ID that can be repeated as it is."""


def told(said: Said, language: str) -> str:
    """That in the language of that code and in English."""
    return as_text(in_languages(language, [Paragraph(said)]))


class Asker(NamedTuple):
    """Who sent a file of that game: the address that its letter names, in small letters; or empty.

    The letter has that `letter_id`, empty where it cannot be repeated; `record_id` is what the
    letter with its record is called. What `is_automatic`, no person sent.
    """

    game: bytes
    address: str
    letter_id: str
    record_id: str
    is_automatic: bool

    @classmethod
    def of(cls, filed: Filed) -> Asker:
        """Who sent this one."""
        envelope, match = filed.found.envelope, filed.match
        name = envelope.message_id if _NAME.fullmatch(envelope.message_id) else ""
        record = message_id(match.id, match.last)
        address = envelope.address.casefold()
        return cls(match.id, address, name, record, envelope.is_automatic)


class _Letter(NamedTuple):
    """What is to be said to whoever sent a file, and the names of the letters that it answers.

    `matter` stands in the subject, in English, and `word` in the name of the letter. It is noted by
    `begins` right before it may leave; `stays` is called where it surely has not left, with whether
    it may later. `told` is for the robot's keeper.
    """

    game: bytes
    to: str
    matter: str
    word: str
    text: str
    answers: tuple[str, ...]
    begins: Callable[[str], None]
    stays: Callable[[str, bool], None]
    told: Message


class Answers:
    """The letters that are still to be sent, from an account, in the robot's name."""

    def __init__(
        self,
        account: Account,
        login: Login | None,
        robot: Correspondence,
        clock: Callable[[], str],
        language: str,
    ) -> None:
        self._language = language
        self._clock = clock
        self._account = account
        self._login = login
        self._robot = robot
        self._refusals: list[_Letter] = []

    def keep(self, asker: Asker, reason: TurnedDown) -> None:
        """Have whoever sent a file told why it is refused, unless nobody is to be told by mail."""
        if not self.may_tell(asker):
            return
        if len(self._refusals) < MOST_A_DAY and all(e.to != asker.address for e in self._refusals):
            text = told(reason.said, self._language)
            self._refusals.append(self._refusal(asker, text))

    def may_tell(self, asker: Asker) -> bool:
        """Whether somebody sent a file who can be told something by mail."""
        is_own = asker.address == self._account.address.casefold()
        return not asker.is_automatic and not is_own and is_address(asker.address)

    def send(self) -> Iterator[tuple[Message, str, MailFailed | None]]:
        """Send them, one after the other, and tell those who wait that they do.

        Each with what it told, to which address, and how it failed, if it did. Raises MailFailed
        where there is no connection for it, LibraryFailed where it cannot be noted.
        """
        self._refusals = list(self._allowed(self._refusals))
        letters = [*self._refusals, *self._places()]
        if not letters:
            return
        with outgoing(self._account, self._login) as connection:
            for letter in letters:
                failure = self._sent(connection, letter)
                is_done = failure is None or not failure.may_pass
                if letter in self._refusals and (is_done or isinstance(failure, MayHaveArrived)):
                    self._refusals.remove(letter)
                yield letter.told, letter.to, failure

    def _allowed(self, refusals: Iterable[_Letter]) -> Iterable[_Letter]:
        """Those that are not too many in a day."""
        table = self._robot.table()
        today = [each.sender for each in table.turned_away if table.idle(each.time) <= A_DAY]
        for refusal in refusals:
            if refusal.to not in today and len(today) < MOST_A_DAY:
                today.append(refusal.to)
                yield refusal

    def _places(self) -> Iterator[_Letter]:
        """For who waits and was not told yet: at which place in the queue."""
        table, queue = self._robot.table(), self._robot.queue()
        today = sum(table.idle(each.told) <= A_DAY for each in queue if each.told)
        places = [(place, each) for place, each in enumerate(queue, 1) if not each.told]
        for place, each in places[: max(0, self._robot.most_told - today)]:
            yield self._place(place, each)

    def _place(self, place: int, waiting: Waiting) -> _Letter:
        book, game = self._robot.book, waiting.game
        return _Letter(
            game,
            waiting.sender,
            "waits for a place",
            "waits",
            told(_waits(place), self._language),
            _names(waiting.letter),
            lambda time: book.tell(game, time),
            lambda time, may_pass: book.tell(game, "" if may_pass else time),
            Message(
                "Told {address} that game {game} is number {place} in the queue.",
                address=mailbox(waiting.sender),
                game=game.hex()[:8],
                place=place,
            ),
        )

    def _refusal(self, asker: Asker, text: str) -> _Letter:
        book, game, to = self._robot.book, asker.game, asker.address
        return _Letter(
            game,
            to,
            "not accepted",
            "refused",
            text,
            _names(asker.record_id, asker.letter_id),
            lambda time: book.turn_away(TurnedAway(game, to, time)),
            lambda time, may_pass: book.take_back(TurnedAway(game, to, time)),
            Message(
                "Told {address} why game {game} is not accepted.",
                address=mailbox(to),
                game=game.hex()[:8],
            ),
        )

    def _sent(self, connection: Outgoing, letter: _Letter) -> MailFailed | None:
        """Send one, and note that; why it was not sent, if it was not."""
        time = self._clock()
        try:
            connection.send(self._written(letter), letter.to, lambda: letter.begins(time))
        except MailFailed as error:
            if not isinstance(error, MayHaveArrived):
                letter.stays(time, error.may_pass)
            return error
        return None

    def _written(self, letter: _Letter) -> EmailMessage:
        game = letter.game.hex()[:8]
        message = headed(
            Correspondent(self._robot.session.identity.name, self._account.address),
            Correspondent("", letter.to),
            # In English, as the subjects of all letters.
            f"A Few Acres of Snow, game {game}: {letter.matter}",
            self._clock(),
            f"<{game}.{letter.word}.{self._clock()[:10]}@{DOMAIN}>",
            letter.answers,
        )
        message["Auto-Submitted"] = "auto-replied"
        message.set_content(letter.text)
        return message


def _names(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))


def _waits(place: int) -> Message:
    return Message(
        "All places at the robot's table are taken. Your invitation is number {place} in the "
        "queue. You do not have to do anything: the game begins on its own when a place is free.",
        place=place,
    )


class Note:
    """A note beside the place for an answer, which says why there is none."""

    def __init__(self, beside: Path) -> None:
        self.path = beside.with_name(f"{beside.stem}-refused.txt")
        self._head = f"acres serve-robot: {beside.name}\n\n"

    def leave(self, reason: TurnedDown, language: str) -> None:
        """Write it in that language, unless there are too many, or no room."""
        data = (self._head + told(reason.said, language)).encode()
        if is_there(self.path):
            if self._text() in (data.decode(), ""):
                return
            self.take_away()
        elif sum(1 for _ in self.path.parent.glob("*-refused.txt")) >= MOST_NOTES:
            return
        with suppress(WrongUse):
            write_new(self.path, data)

    def take_away(self) -> None:
        """Remove it, because it is true no more."""
        if self._text():
            with suppress(OSError):
                self.path.unlink()

    def _text(self) -> str:
        """What it says; empty where it is none of the robot's."""
        try:
            text = read_file(self.path, _LONGEST_NOTE).decode("utf-8", "replace")
        except Unreadable:
            return ""
        return text if text.startswith(self._head) else ""
