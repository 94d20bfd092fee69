"""The robot by mail: what comes into its mailbox is answered, and each answer is sent once."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

import typer

from engine.house_rules import UnknownRules
from engine.message import Message, labelled
from pbem.cli import console
from pbem.cli.home import command_of, home_of
from pbem.cli.mail.account import login_at, own_account, server_to
from pbem.cli.mail.arrivals import say_arrivals
from pbem.cli.mail.sending import each_sent, unsent
from pbem.cli.own_library import own_games
from pbem.cli.robot.telling import answered, done, reason, refusing
from pbem.errors import AcresError
from pbem.foreign import shown
from pbem.mail.arrivals import Filed, Kind, newest
from pbem.mail.fetching import fetched
from pbem.mail.refusals import Answers, sender_of
from pbem.play.home import now
from pbem.play.robot.answering import Correspondence, Incoming
from pbem.play.robot.refusals import NotWritten, TurnedDown
from pbem.play.robot.tidying import remove
from pbem.savefile.disk import clear_away
from pbem.words.proof.memory import NotNow
from pbem.words.proof.questions import NoMemory

if TYPE_CHECKING:
    from pbem.library.guest_book import TurnedAway
    from pbem.mail.account import Account
    from pbem.mail.arrivals import News
    from pbem.mail.wire import MailFailed

ANSWERED = (Kind.NEW, Kind.AGAIN, Kind.INVITATION)
"""What may be due to be answered: what came again may have been filed and no more."""


def robot_account(context: typer.Context) -> Account:
    """The robot's mail account, whose files lie in its home; raises as `own_account`."""
    account = own_account(context)
    return replace(account, folder=account.folder or home_of(context) / "games")


class Postbox:
    """A mailbox that the robot empties, so to say: it looks, answers, and sends.

    Raises WrongUse where there is no way to send or to fetch.
    """

    def __init__(self, context: typer.Context, account: Account, robot: Correspondence) -> None:
        self._context = context
        self._account = account
        self._robot = robot
        login = login_at(context, server_to(context, account, "imap"))
        assert login is not None
        self._imap_login = login
        self._smtp_login = login_at(context, server_to(context, account, "smtp"))
        self._answers = Answers(account, self._smtp_login, robot, now, console.language().code)
        self._given_up: set[bytes] = set()
        self._due: list[News] = []
        if account.folder:
            clear_away(account.folder)

    def look(self) -> None:
        """Do it once.

        Raises MailFailed where a server cannot be used, NotNow and NotWritten where an answer has
        to wait: then it is found again the next time. NoMemory as `Correspondence` does.
        """
        with refusing(self._context):
            self._robot.check_memory()
        self._robot.tidy(self._folder)
        self._due = []
        with (
            own_games(self._context) as own,
            closing(fetched(own, self._account, self._imap_login)) as letters,
        ):
            for letter in letters:
                self._tell(letter.news)
                if letter.is_last:
                    self._settle()
        self._send_turns()
        with own_games(self._context):
            for turned, failure in self._answers.send():
                _tell_refused(turned, failure)

    @property
    def _folder(self) -> Path:
        assert self._account.folder is not None
        return self._account.folder

    def _send_turns(self) -> None:
        with own_games(self._context) as own:
            parcels = [
                parcel
                for parcel in unsent(self._context, own, self._account)
                if parcel.match.last.hash not in self._given_up
            ]
            if not parcels:
                return
            sent = each_sent(self._context, own, self._account, self._smtp_login, parcels)
            for parcel, failure in sent:
                if failure is None:
                    continue
                console.warn(failure.said)
                if not failure.may_pass:
                    self._given_up.add(parcel.match.last.hash)

    def _tell(self, news: list[News]) -> None:
        others: list[News] = [each for each in news if not _may_be_due(each)]
        say_arrivals([e for e in others if not _contradicts(e)], now(), command_of(self._context))
        for each in others:
            if _contradicts(each):
                self._leave_out(each)
        console.flush()
        self._due += news

    def _settle(self) -> None:
        """Answer what came, of each game the newest file: answers to others may be signed."""
        due, self._due = self._due, []
        for filed in newest(due):
            if _may_be_due(filed):
                self._answer(filed)
        console.flush()

    def _answer(self, filed: Filed) -> None:
        assert filed.path is not None
        name = shown(filed.path)
        incoming = Incoming(filed.found.data, filed.path, name, filed.path, sender=sender_of(filed))
        try:
            found = answered(self._context, self._robot, incoming)
        except (NoMemory, NotNow, NotWritten):
            raise
        except (AcresError, UnknownRules) as error:
            console.say_whole(labelled(name, reason(error)))
            if isinstance(error, TurnedDown):
                self._answers.keep(filed, error)
            if filed.kind is Kind.INVITATION:
                remove(self._folder, filed.match.id)
            return
        if found:
            console.say_whole(done(found, name))
            self._keep_the_last(filed.match.id)

    def _keep_the_last(self, game: bytes) -> None:
        """Remove the files of a game that others have followed."""
        with own_games(self._context) as own:
            listed = next((each for each in own.open().games() if each.id == game), None)
        if listed is not None:
            kept = [path for path in (listed.file_in, listed.file_out) if path]
            remove(self._folder, game, kept)

    def _leave_out(self, filed: Filed) -> None:
        """Say of a file that it contradicts what is known of its game; it is not kept."""
        console.say_whole(
            Message(
                "What came of game {game} is not as the robot knows it, and is left in the "
                "mailbox.",
                game=filed.match.id.hex()[:8],
            )
        )
        if filed.path is not None and filed.path.parent == self._folder:
            with suppress(OSError):
                filed.path.unlink()


def _tell_refused(turned: TurnedAway, failure: MailFailed | None) -> None:
    """Say of a letter that it was sent, or why not."""
    address = console.mailbox(turned.sender)
    if failure is not None:
        console.warn(labelled(address, failure.said))
        return
    game = turned.game.hex()[:8]
    console.say(
        Message("Told {address} why game {game} is not taken up.", address=address, game=game)
    )


def _contradicts(news: News) -> TypeGuard[Filed]:
    return isinstance(news, Filed) and news.kind is Kind.OTHER


def _may_be_due(news: News) -> TypeGuard[Filed]:
    return isinstance(news, Filed) and news.kind in ANSWERED and news.path is not None
