"""Mail beside the pages: the mailbox is looked through, and letters are made and sent.

The mailbox of an account is fetched every few minutes, and when asked; no page waits for a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message, Phrase, message_of, sentences, with_label
from pbem.board.picture import picture_of
from pbem.errors import AcresError, Unreadable, WrongUse, bug_message
from pbem.foreign import display_path
from pbem.mail.account import Account, can_send, check_address
from pbem.mail.connection import MailFailed
from pbem.mail.draft import SUFFIX, encode_draft
from pbem.mail.fetching import fetch_mail
from pbem.mail.login import get_login
from pbem.mail.sending import SendCommands, Sender, describe_dispatch, file_label, mark_sent_by_hand
from pbem.play.config import Config
from pbem.play.inbox import Arrival, ArrivalKind
from pbem.play.incoming import Pauses
from pbem.play.store import Listed, Store
from pbem.text.games import game_title, standing
from pbem.text.proof.arrivals import Digest, arrival_text, warnings
from pbem.web.game_service import game_with_id
from pbem.web.host import Mail, Sendable
from pbem.web.outgoing import LABELS, download, file_name, outgoing_part, own_file
from pbem.web.pages import Pages, answer, read_json

EVERY = 5 * 60
"""In seconds: how often the mailbox is looked through."""


class PasswordNeeded(Exception):
    """A server wants a password that is kept nowhere; `what` says which."""

    def __init__(self, what: Phrase) -> None:
        super().__init__()
        self.what = what


@dataclass(frozen=True, slots=True)
class _Buttons(SendCommands):
    """The buttons of a page, whose labels stand in the place of commands."""

    first: str
    letter: str

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """Return the button that sends the file."""
        return self.again_option if again else self.first

    def draft(self, file: Path, to: str = "") -> str:
        """Return the button that gives the letter."""
        return self.letter


class MailService(Mail):
    """The mail of the player, by the account in the settings."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._service = pages.service

    async def run(self) -> None:
        """Fetch every few minutes; report once why it fails."""
        pauses = Pauses(EVERY)
        while True:
            try:
                if await self._pages.run(self.account) is not None:
                    await self.fetch()
                pauses.goes_well()
            except AcresError as error:
                # That a password is kept nowhere is told to whoever asks for letters.
                if pauses.fails(error) and isinstance(error, MailFailed | Unreadable):
                    self._pages.tell(message_of(error))
            except Exception as error:
                # The next letters are to come all the same.
                if pauses.fails(bug_message(error)):
                    self._pages.tell(bug_message(error))
            await asyncio.sleep(pauses.seconds)

    # --- fetching

    def account(self) -> Account | None:
        """Return the account to fetch from; None if none is set up. Raises Unreadable."""
        account = Account.from_config(Config.read(self._service.home.config_path))
        return account if account is not None and account.imap is not None else None

    def can_fetch(self) -> bool:
        """Return True if there is a mailbox, as far as the settings can be read."""
        with suppress(AcresError):
            return self.account() is not None
        return False

    async def fetch(self) -> bool:
        """Fetch what came, tell it, and return whether there was anything.

        Raises MailFailed, and WrongUse if no account is set up or its password is kept nowhere.
        """
        return await self._pages.run_beside("mailbox", self._fetched)

    def _fetched(self) -> bool:
        account, own = self.account(), self._service.open_store()
        if account is None or account.imap is None:
            raise WrongUse(
                "No mail account is set up. To set one up: {command} mail setup",
                command=self._service.command,
            )
        login = get_login(account.imap, self._service.command)
        assert login is not None
        inbox = self._service.inbox(own)
        told = Digest(self._say, self._stand)
        try:
            with own, closing(fetch_mail(inbox, account, login)) as letters:
                for letter in letters:
                    told.tell(letter.arrivals)
                    if letter.is_last:
                        told.settle()
        finally:
            # What came before the server went away has come.
            told.settle()
        return told.has_any

    def _say(self, arrival: Arrival) -> None:
        said, kind = arrival_text(arrival, self._service.command), arrival.kind
        # How a game stands is told when all of it has come.
        if not (kind.is_awaited and arrival.listed is not None):
            if kind in (ArrivalKind.OTHER, ArrivalKind.INVITATION) and arrival.path is not None:
                said = sentences(said, display_path(arrival.path))
            self._pages.tell(said)
        for warning in warnings(arrival, self._service.home.clock()):
            self._pages.tell(warning)

    def _stand(self, listed: Listed) -> None:
        stands = standing(listed, self._service.home.clock())
        self._pages.tell(with_label(game_title(listed), stands))

    # --- sending

    def routes(self) -> list[BaseRoute]:
        """Return the addresses below which letters are made, sent and fetched."""
        return [
            Route("/fetch", self._fetch, methods=["POST"]),
            Route("/games/{id}/letter", self._letter),
            Route("/games/{id}/send", self._send, methods=["POST"]),
            Route("/games/{id}/by-hand", self._send_by_hand, methods=["POST"]),
        ]

    async def _fetch(self, request: Request) -> Response:
        said = NOTHING if await self.fetch() else Message("No turn has arrived.")
        return answer(self._pages.language, said=said)

    async def _letter(self, request: Request) -> Response:
        game, picture = request.path_params["id"], request.query_params.get("picture")
        # Nobody's order waits for a picture, which takes a while.
        made = await self._pages.run_beside("letter", self._made, game, picture)
        return download(*made, "message/rfc822")

    async def _send(self, request: Request) -> Response:
        game, given = request.path_params["id"], await read_json(request)
        language = self._pages.language
        try:
            parts, told = await self._pages.run_beside("post", self._sent, game, given)
        except PasswordNeeded as needed:
            return answer(language, asks=language.say(needed.what))
        return answer(language, parts, told)

    async def _send_by_hand(self, request: Request) -> Response:
        parts = await self._pages.run(self._sent_by_hand, request.path_params["id"])
        return answer(self._pages.language, parts)

    def sendable(self, listed: Listed, path: Path, own: Store) -> Sendable:
        """Return the last file of a game as it can be sent; raises LibraryFailed."""
        before = own.dispatch(listed.id, listed.game.last)
        file = file_label(path, listed.id, listed.game.records - 1)
        was_sent = NOTHING if before is None else describe_dispatch(file, before)
        return Sendable(listed.game.email, can_send(self._service.home.config_path), was_sent)

    def _made(self, game: str, picture: str | None) -> tuple[bytes, str]:
        """Return the letter with a file as mail programs open it, and its name."""
        with self._service.open_store() as own:
            game_file = own_file(own, game)
            name = file_name(game_file)
            writer = self._sender(own, None, draws=picture == "1")
            letter = writer.compose(game_file.match, game_file.save.write(), Path(name), name)
        return encode_draft(letter), f"{name.removesuffix('.toml')}{SUFFIX}"

    def _sent(self, game: str, given: Mapping[str, Any]) -> tuple[Mapping[str, Markup], Phrase]:
        """Send a file; return the parts that change, and what to say.

        Raises WrongUse if no account is set up, MailFailed, which says what to do, and
        PasswordNeeded.
        """
        to, again = str(given.get("to", "")).strip(), given.get("again") is True
        password, command = str(given.get("password", "")), self._service.command
        if to:
            check_address(to)

        def ask(what: Phrase) -> str:
            if not password:
                raise PasswordNeeded(what)
            return password

        with self._service.open_store() as own:
            game_file = own_file(own, game)
            account = Account.load(self._service.home.config_path, command, "smtp")
            smtp, name = account.smtp, file_name(game_file)
            assert smtp is not None
            sender = self._sender(own, account, draws=given.get("picture") is True)
            outgoing = sender.prepare(game_file, game_file.path or Path(name), name, to)
            sent = sender.send_one(outgoing, lambda: get_login(smtp, command, ask), again=again)
            listed = game_with_id(own.games(), game)
            part = outgoing_part(self._pages, listed, own)
        return {"posting": part}, sentences(sent.sentence, sent.warning or NOTHING)

    def _sent_by_hand(self, game: str) -> Mapping[str, Markup]:
        """Note that the player has sent a file; return the parts that change."""
        own, listed = self._service.store(), self._service.listed(game)
        # If the game has gone on meanwhile, there is nothing left to be sent.
        if self._service.newest_own_file(listed) is not None:
            mark_sent_by_hand(own, listed.id, listed.game.last, self._service.home.clock())
        return {"posting": outgoing_part(self._pages, listed, own)}

    def _sender(self, own: Store, account: Account | None, *, draws: bool) -> Sender:
        language = self._pages.language
        names = ("to", "again", "send", "letter")
        labels = (f"“{language.say(LABELS[name])}”" for name in names)
        commands = _Buttons(self._service.command, *labels)
        draw = partial(picture_of, language=language) if draws else None
        return Sender(own, language.code, commands, account, draw)
