"""The mailbox of an account, fetched every few minutes while pages are open, and when asked."""

from __future__ import annotations

import asyncio
from contextlib import closing

from engine.message import labelled, message_of, sentences
from pbem.errors import AcresError, Unreadable, WrongUse, unexpected
from pbem.foreign import shown
from pbem.mail.account import Account
from pbem.mail.exchange import MailFailed
from pbem.mail.fetching import fetched
from pbem.mail.password import login_for
from pbem.play.config import Config
from pbem.play.inbox.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.pauses import Pauses
from pbem.play.store import LibraryFailed, Listed
from pbem.text.games.listing import game_called, standing
from pbem.text.proof.arrivals import Telling, arrived, warnings
from pbem.text.proof.library_warnings import no_games
from pbem.web.desk import Desk
from pbem.web.watch import Watch
from pbem.web.worker import Worker

EVERY = 5 * 60
"""In seconds: how often the mailbox is looked through."""


class Letters:
    """The mailbox of the player at a desk, in a thread of its own; `watch` tells what came."""

    def __init__(self, desk: Desk, watch: Watch) -> None:
        self._desk = desk
        self._watch = watch
        self._worker = Worker("mailbox")

    async def go_on(self) -> None:
        """Fetch every few minutes; report once why it fails."""
        pauses = Pauses(EVERY)
        while True:
            try:
                if await self._desk.run(self.account) is not None:
                    await self.fetch()
                pauses.goes_well()
            except AcresError as error:
                # That a password is kept nowhere is told to whoever asks for letters.
                if pauses.fails(error) and isinstance(error, MailFailed | Unreadable):
                    self._watch.tell(message_of(error))
            except Exception as error:
                # The next letters are to come all the same.
                if pauses.fails(unexpected(error)):
                    self._watch.tell(unexpected(error))
            await asyncio.sleep(pauses.seconds)

    def account(self) -> Account | None:
        """The account to fetch from; None where none is set up. Raises Unreadable."""
        account = Account.of(Config.read(self._desk.home.config_path))
        return account if account is not None and account.imap is not None else None

    async def fetch(self) -> bool:
        """Fetch what came, tell it, and return whether there was anything.

        Raises MailFailed, and WrongUse where no account is set up or its password is kept nowhere.
        """
        return await self._worker.run(self._fetched)

    def _fetched(self) -> bool:
        account, own = self.account(), self._desk.library()
        if account is None or account.imap is None:
            raise WrongUse(
                "No mail account is set up. To set one up: {command} mail setup",
                command=self._desk.command,
            )
        login = login_for(account.imap, self._desk.command)
        assert login is not None
        inbox = Inbox(own, self._desk.home.games, self._desk.invitations)
        told = Telling(self._say, self._stand)
        try:
            with own, closing(fetched(inbox, account, login)) as letters:
                for letter in letters:
                    told.tell(letter.arrivals)
                    if letter.is_last:
                        told.settle()
        except LibraryFailed as error:
            raise no_games(own.path, error, self._desk.command) from None
        finally:
            # What came before the server went away has come.
            told.settle()
        return told.has_any

    def _say(self, arrival: Arrival) -> None:
        said, kind = arrived(arrival, self._desk.command), arrival.kind
        # How a game stands is told when all of it has come.
        if not (kind.is_awaited and arrival.listed is not None):
            if kind in (ArrivalKind.OTHER, ArrivalKind.INVITATION) and arrival.path is not None:
                said = sentences(said, shown(arrival.path))
            self._watch.tell(said)
        for warning in warnings(arrival, self._desk.home.clock()):
            self._watch.tell(warning)

    def _stand(self, listed: Listed) -> None:
        stands = standing(listed, self._desk.home.clock())
        self._watch.tell(labelled(game_called(listed), stands))
