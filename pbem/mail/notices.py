"""What the robot tells whoever sent what it does not take up: by letter, or by a note in a folder.

It is told in the language of the robot's keeper and in English. Letters go to the address that the
invitation came from, which anybody can have written there. So no more than one goes to an address
in a day, and few in all; none answers a letter that no person sent; and in none there is a word of
whoever wrote the invitation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Unreadable, WrongUse
from pbem.library.guest_book import TurnedAway
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
"""So many letters of this kind are sent in a day, to whomever."""
MOST_NOTES = 100
"""No more notes than these lie in an outbox."""
_LONGEST_NOTE = 4096
_NAME = re.compile(r"<[!-;=?-~]{1,200}>")
"""A Message-ID that can be repeated as it is."""


def told(reason: TurnedDown, language: str) -> str:
    """Why a file is refused, in the language of that code and in English."""
    return as_text(in_languages(language, [Paragraph(reason.said)]))


class _Refusal(NamedTuple):
    """What is to be said to whoever sent a file, and the names of the letters that it answers."""

    game: bytes
    to: str
    text: str
    answers: tuple[str, ...]


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
        self._waiting: list[_Refusal] = []

    def keep(self, filed: Filed, reason: TurnedDown) -> None:
        """Have whoever sent a file told why it is refused, unless nobody is to be told by mail."""
        to = sender_of(filed)
        is_own = to == self._account.address.casefold()
        if filed.found.envelope.is_automatic or is_own or not is_address(to):
            return
        if len(self._waiting) < MOST_A_DAY and all(each.to != to for each in self._waiting):
            names = (message_id(filed.match.id, filed.match.last), filed.found.envelope.message_id)
            answered = tuple(dict.fromkeys(filter(_NAME.fullmatch, names)))
            refusal = _Refusal(filed.match.id, to, told(reason, self._language), answered)
            self._waiting.append(refusal)

    def send(self) -> Iterator[tuple[TurnedAway, MailFailed | None]]:
        """Send them, one after the other, each with how it failed, if it did.

        Raises MailFailed where there is no connection for it, LibraryFailed where it cannot be
        noted.
        """
        self._waiting = list(self._allowed(self._waiting))
        if not self._waiting:
            return
        with outgoing(self._account, self._login) as connection:
            for refusal in list(self._waiting):
                turned = TurnedAway(refusal.game, refusal.to, self._clock())
                failure = self._sent(connection, refusal, turned)
                if failure is None or not failure.may_pass or isinstance(failure, MayHaveArrived):
                    self._waiting.remove(refusal)
                yield turned, failure

    def _allowed(self, refusals: Iterable[_Refusal]) -> Iterable[_Refusal]:
        """Those that are not too many in a day."""
        table = self._robot.table()
        today = [each.sender for each in table.turned_away if table.idle(each.time) <= A_DAY]
        for refusal in refusals:
            if refusal.to not in today and len(today) < MOST_A_DAY:
                today.append(refusal.to)
                yield refusal

    def _sent(
        self, connection: Outgoing, refusal: _Refusal, turned: TurnedAway
    ) -> MailFailed | None:
        """Send one, and note that; why it was not sent, if it was not."""
        book = self._robot.book
        try:
            connection.send(self._letter(refusal), refusal.to, lambda: book.turn_away(turned))
        except MailFailed as error:
            if not isinstance(error, MayHaveArrived):
                book.take_back(turned)
            return error
        return None

    def _letter(self, refusal: _Refusal) -> EmailMessage:
        game = refusal.game.hex()[:8]
        message = headed(
            Correspondent(self._robot.session.identity.name, self._account.address),
            Correspondent("", refusal.to),
            # In English, as the subjects of all letters.
            f"A Few Acres of Snow, game {game}: not accepted",
            self._clock(),
            f"<{game}.refused.{self._clock()[:10]}@{DOMAIN}>",
            refusal.answers,
        )
        message["Auto-Submitted"] = "auto-replied"
        message.set_content(refusal.text)
        return message


def sender_of(filed: Filed) -> str:
    """The address from which a file came, as its letter says, in small letters; or empty."""
    return filed.found.envelope.address.casefold()


class Note:
    """A note beside the place for an answer, which says why there is none."""

    def __init__(self, beside: Path) -> None:
        self.path = beside.with_name(f"{beside.stem}-refused.txt")
        self._head = f"acres serve-robot: {beside.name}\n\n"

    def leave(self, reason: TurnedDown, language: str) -> None:
        """Write it in that language, unless there are too many, or no room."""
        data = (self._head + told(reason, language)).encode()
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
