"""The mailbox of an account, fetched every few minutes while pages are open, and when asked."""

from __future__ import annotations

import asyncio
from contextlib import closing

from engine.message import Said, labelled, message_of, sentences
from pbem.errors import AcresError, Unreadable, WrongUse, unexpected
from pbem.foreign import shown
from pbem.mail.account import Account
from pbem.mail.exchange import MailFailed
from pbem.mail.fetching import fetched
from pbem.mail.password import login_for
from pbem.play.config import Config
from pbem.play.inbox.filing import Filed, Kind, News
from pbem.play.pauses import Pauses
from pbem.play.store import LibraryFailed
from pbem.text.games.listing import game_called, standing
from pbem.text.proof.arrivals import Telling, arrived, newest, news_told, warnings
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
        told = Telling(lambda news: self._say(told.new_in(news)), self._stand)
        try:
            with own, closing(fetched(own, account, login)) as letters:
                for letter in letters:
                    told.tell(letter.news)
                    if letter.is_last:
                        told.settle()
        except LibraryFailed as error:
            raise no_games(own.path, error, self._desk.command) from None
        finally:
            # What came before the server went away has come.
            told.settle()
        return told.has_any

    def _say(self, news: list[News]) -> None:
        for filed in newest(news):
            for said in self._of_file(filed):
                self._watch.tell(said)
        for each in news:
            if not isinstance(each, Filed):
                self._watch.tell(news_told(each, self._desk.command))

    def _of_file(self, filed: Filed) -> list[Said]:
        said: Said = arrived(filed)
        if filed.kind in (Kind.OTHER, Kind.INVITATION) and filed.path is not None:
            said = sentences(said, shown(filed.path))
        # How a game stands is told when all of it has come.
        is_told = filed.kind in (Kind.NEW, Kind.AGAIN) and filed.listed is not None
        return [*([] if is_told else [said]), *warnings(filed, self._desk.home.clock())]

    def _stand(self, news: list[Filed]) -> None:
        for each in newest(news):
            if each.kind in (Kind.NEW, Kind.AGAIN) and each.listed is not None:
                stands = standing(each.listed, self._desk.home.clock())
                self._watch.tell(labelled(game_called(each.listed), stands))
