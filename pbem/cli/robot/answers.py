"""The letters in which the robot says by mail why it does not take a game up.

They go to the address that the invitation came from, which anybody can have written there. So no
more than one goes to an address in a day, and few in all; none answers a letter that no person
sent; and in none there is a word of whoever wrote the invitation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import TYPE_CHECKING, NamedTuple

from engine.message import Message, labelled, message_of
from pbem.cli import console
from pbem.cli.moment import now
from pbem.cli.robot.places import A_DAY
from pbem.library.guests import TurnedAway
from pbem.mail.address import is_address
from pbem.mail.letter import WholePhrases
from pbem.mail.outbox import MayHaveArrived, Outgoing, outgoing
from pbem.mail.thread import DOMAIN, message_id
from pbem.mail.wire import MailFailed

if TYPE_CHECKING:
    from pbem.cli.robot.answering import Correspondence
    from pbem.cli.robot.turning_away import TurnedDown
    from pbem.mail.account import Account
    from pbem.mail.arrivals import Filed
    from pbem.mail.login import Login

MOST_A_DAY = 50
"""So many of them are sent in a day, to whomever."""
_NAME = re.compile(r"<[!-;=?-~]{1,200}>")
"""A Message-ID that can be repeated as it is."""
_POLICY = WholePhrases(linesep="\r\n", cte_type="7bit")


class _Refusal(NamedTuple):
    """What is to be said to whoever sent a file, and the names of the letters that it answers."""

    game: bytes
    to: str
    text: str
    answers: tuple[str, ...]


class Answers:
    """The letters of this kind that are still to be sent, from an account, in the robot's name."""

    def __init__(self, account: Account, login: Login | None, robot: Correspondence) -> None:
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
            refusal = _Refusal(filed.match.id, to, reason.text(), answered)
            self._waiting.append(refusal)

    def send(self) -> None:
        """Send them, and say so of each.

        Raises MailFailed where there is no connection for it, LibraryFailed where it cannot be
        noted.
        """
        if not self._waiting:
            return
        self._waiting = list(self._allowed(self._waiting))
        if not self._waiting:
            return
        with outgoing(self._account, self._login) as connection:
            self._waiting = [each for each in self._waiting if not self._is_done(connection, each)]

    def _allowed(self, refusals: Iterable[_Refusal]) -> Iterable[_Refusal]:
        """Those that are not too many in a day."""
        table = self._robot.table()
        today = [each.sender for each in table.turned_away if table.idle(each.time) <= A_DAY]
        for refusal in refusals:
            if refusal.to not in today and len(today) < MOST_A_DAY:
                today.append(refusal.to)
                yield refusal

    def _is_done(self, connection: Outgoing, refusal: _Refusal) -> bool:
        """Send one; whether it is not to be tried again."""
        turned = TurnedAway(refusal.game, refusal.to, now())
        book, address = self._robot.book, console.mailbox(refusal.to)
        try:
            connection.send(self._letter(refusal), refusal.to, lambda: book.turn_away(turned))
        except MailFailed as error:
            console.warn(labelled(address, message_of(error)))
            if isinstance(error, MayHaveArrived):
                return True
            book.take_back(turned)
            return not error.may_pass
        game = refusal.game.hex()[:8]
        console.say(
            Message("Told {address} why game {game} is not taken up.", address=address, game=game)
        )
        return True

    def _letter(self, refusal: _Refusal) -> EmailMessage:
        game = refusal.game.hex()[:8]
        message = EmailMessage(_POLICY)
        message["From"] = Address(self._robot.name, addr_spec=self._account.address)
        message["To"] = Address(addr_spec=refusal.to)
        # In English, as the subjects of all letters.
        message["Subject"] = f"A Few Acres of Snow, game {game}: not taken up"
        message["Date"] = datetime.fromisoformat(now())
        message["Message-ID"] = f"<{game}.refused.{now()[:10]}@{DOMAIN}>"
        message["Auto-Submitted"] = "auto-replied"
        if refusal.answers:
            message["In-Reply-To"] = refusal.answers[-1]
            message["References"] = " ".join(refusal.answers)
        message.set_content(refusal.text)
        return message


def sender_of(filed: Filed) -> str:
    """The address from which a file came, as its letter says, in small letters; or empty."""
    return filed.found.envelope.address.casefold()
