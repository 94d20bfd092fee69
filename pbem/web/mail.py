"""Mail for the pages: fetching the mailbox, and composing and sending messages.

The mailbox is fetched every few minutes and on request; no page waits for a mail server.
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
from pbem.board.picture import render_email_picture
from pbem.errors import AcresError, InputError, UsageError, bug_message
from pbem.foreign import display_path
from pbem.mail.account import Account, can_send, check_address
from pbem.mail.connection import MailError
from pbem.mail.draft import SUFFIX, encode_draft
from pbem.mail.fetching import fetch_mail
from pbem.mail.login import get_login
from pbem.mail.sending import Mailer, SendCommands, describe_dispatch, file_label, mark_sent_by_hand
from pbem.play.config import Config
from pbem.play.inbox import Arrival, ArrivalKind
from pbem.play.incoming import Backoff
from pbem.play.store import GameEntry, Store
from pbem.text.games import game_title, state_text
from pbem.text.history.email_text import read_word
from pbem.text.proof.arrivals import Digest, arrival_text, arrival_warnings
from pbem.web.game_service import game_with_id
from pbem.web.host import Mail, Sendable
from pbem.web.outgoing import LABELS, download, file_name, outgoing_part, own_file
from pbem.web.pages import Pages, make_response, read_json

FETCH_SECONDS = 5 * 60
"""The seconds between two fetches of the mailbox."""


class PasswordNeededError(Exception):
    """Raised if a mail server needs a password that is not stored; `prompt` asks for it."""

    def __init__(self, prompt: Phrase) -> None:
        super().__init__()
        self.prompt = prompt


@dataclass(frozen=True, slots=True)
class _Buttons(SendCommands):
    """The labels of buttons, which replace commands in hints on pages."""

    first: str
    letter: str

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """Return the button that sends the file."""
        return self.again_option if again else self.first

    def draft(self, file: Path, to: str = "") -> str:
        """Return the button that downloads the message."""
        return self.letter


class MailService(Mail):
    """The player's mail, through the account in the settings."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._service = pages.service

    async def run(self) -> None:
        """Fetch mail every few minutes until cancelled, and report each failure once."""
        backoff = Backoff(FETCH_SECONDS)
        while True:
            try:
                if await self._pages.run(self.account) is not None:
                    await self.fetch()
                backoff.note_success()
            except AcresError as error:
                # A missing password is reported only to a player who fetches mail.
                if backoff.note_failure(error) and isinstance(error, MailError | InputError):
                    self._pages.announce(message_of(error))
            except Exception as error:
                # Later mail must not be lost by a bug.
                if backoff.note_failure(bug_message(error)):
                    self._pages.announce(bug_message(error))
            await asyncio.sleep(backoff.seconds)

    # --- fetching

    def account(self) -> Account | None:
        """Return the account to fetch from, or None if there is none. Raises InputError."""
        account = Account.from_config(Config.read(self._service.home.config_path))
        return account if account is not None and account.imap is not None else None

    def can_fetch(self) -> bool:
        """Return True if the settings, as far as they can be read, name a mailbox."""
        with suppress(AcresError):
            return self.account() is not None
        return False

    async def fetch(self) -> bool:
        """Fetch new mail and announce it to the player. Return True if there was any.

        Raises MailError, and UsageError if no account is set up or its password is not stored.
        """
        return await self._pages.run_in_queue("mailbox", self._fetch_mail)

    def _fetch_mail(self) -> bool:
        account, store = self.account(), self._service.open_store()
        if account is None or account.imap is None:
            raise UsageError(
                "No mail account is set up. To set one up: {command} mail setup",
                command=self._service.command,
            )
        login = get_login(account.imap, self._service.command)
        assert login is not None
        inbox = self._service.inbox(store)
        digest = Digest(self._announce, self._announce_state)
        try:
            with store, closing(fetch_mail(inbox, account, login)) as messages:
                for message in messages:
                    digest.report(message.arrivals)
                    if message.is_last:
                        digest.report_states()
        finally:
            # Report earlier messages after a lost connection too: they have been added.
            digest.report_states()
        return digest.has_any

    def _announce(self, arrival: Arrival) -> None:
        message, kind = arrival_text(arrival, self._service.command), arrival.kind
        # The state of a game is reported after all of its turns.
        if not (kind.is_awaited and arrival.entry is not None):
            if kind in (ArrivalKind.OTHER, ArrivalKind.INVITATION) and arrival.path is not None:
                message = sentences(message, display_path(arrival.path))
            self._pages.announce(message)
        for warning in arrival_warnings(arrival, self._service.home.clock()):
            self._pages.announce(warning)

    def _announce_state(self, entry: GameEntry) -> None:
        state = state_text(entry, self._service.home.clock())
        self._pages.announce(with_label(game_title(entry), state), entry.id)

    # --- sending

    def routes(self) -> list[BaseRoute]:
        """Return the routes that compose, send and fetch messages."""
        return [
            Route("/fetch", self._fetch, methods=["POST"]),
            Route("/games/{id}/letter", self._letter),
            Route("/games/{id}/send", self._send, methods=["POST"]),
            Route("/games/{id}/by-hand", self._send_by_hand, methods=["POST"]),
        ]

    async def _fetch(self, request: Request) -> Response:
        message = NOTHING if await self.fetch() else Message("No turn has arrived.")
        return make_response(self._pages.language, message=message)

    async def _letter(self, request: Request) -> Response:
        game, query = request.path_params["id"], request.query_params
        # Drawing a picture takes a while, and must not delay orders.
        data_and_name = await self._pages.run_in_queue("letter", self._make_draft, game, query)
        return download(*data_and_name, "message/rfc822")

    async def _send(self, request: Request) -> Response:
        game, data = request.path_params["id"], await read_json(request)
        language = self._pages.language
        try:
            parts, message = await self._pages.run_in_queue("post", self._send_file, game, data)
        except PasswordNeededError as needed:
            return make_response(language, asks=language.say(needed.prompt))
        return make_response(language, parts, message)

    async def _send_by_hand(self, request: Request) -> Response:
        parts = await self._pages.run(self._note_sent_by_hand, request.path_params["id"])
        return make_response(self._pages.language, parts)

    def sendable(self, entry: GameEntry, path: Path, store: Store) -> Sendable:
        """Return the address and state of the last file of a game. Raises StoreError."""
        dispatch = store.dispatch(entry.id, entry.game.last)
        file = file_label(path, entry.id, entry.game.records - 1)
        sent_notice = NOTHING if dispatch is None else describe_dispatch(file, dispatch)
        address = entry.game.email or store.guest(entry.id)[1]
        return Sendable(address, can_send(self._service.home.config_path), sent_notice)

    def _make_draft(self, game: str, query: Mapping[str, str]) -> tuple[bytes, str]:
        """Return the draft of a message with a game's file, and the draft's file name."""
        with self._service.open_store() as store:
            game_file = own_file(store, game)
            name = file_name(game_file)
            writer = self._sender(
                store, None, query.get("word", ""), has_picture="picture" in query
            )
            to, data = store.guest(game_file.match.id)[1], game_file.save.write()
            message = writer.compose(game_file.match, data, Path(name), name, to)
        return encode_draft(message), f"{name.removesuffix('.toml')}{SUFFIX}"

    def _send_file(self, game: str, data: Mapping[str, Any]) -> tuple[Mapping[str, Markup], Phrase]:
        """Send a file. Return the changed elements and a sentence for the player.

        Raises UsageError if no account is set up, MailError with advice, and PasswordNeededError.
        """
        address, again = str(data.get("to", "")).strip(), data.get("again") is True
        password, command = str(data.get("password", "")), self._service.command

        def ask(prompt: Phrase) -> str:
            if not password:
                raise PasswordNeededError(prompt)
            return password

        with self._service.open_store() as store:
            game_file = own_file(store, game)
            address = address or store.guest(game_file.match.id)[1]
            if address:
                check_address(address)
            account = Account.load(self._service.home.config_path, command, "smtp")
            smtp, name = account.smtp, file_name(game_file)
            assert smtp is not None
            word, has_picture = str(data.get("word", "")), data.get("picture") is True
            sender = self._sender(store, account, word, has_picture=has_picture)
            outgoing = sender.prepare(game_file, game_file.path or Path(name), name, address)
            dispatch = sender.send_one(outgoing, lambda: get_login(smtp, command, ask), again=again)
            entry = game_with_id(store.games(), game)
            part = outgoing_part(self._pages, entry, store)
        return {"posting": part}, sentences(dispatch.sentence, dispatch.warning or NOTHING)

    def _note_sent_by_hand(self, game: str) -> Mapping[str, Markup]:
        """Record that the player sent a file by hand. Return the changed elements."""
        store, entry = self._service.store(), self._service.entry(game)
        # If the game has continued meanwhile, nothing is left to send.
        if self._service.newest_own_file(entry) is not None:
            mark_sent_by_hand(store, entry.id, entry.game.last, self._service.home.clock())
        return {"posting": outgoing_part(self._pages, entry, store)}

    def _sender(
        self, store: Store, account: Account | None, word: str, *, has_picture: bool
    ) -> Mailer:
        language = self._pages.language
        labels = (f"“{language.say(LABELS[name])}”" for name in ("to", "again", "send", "letter"))
        commands = _Buttons(self._service.command, *labels)
        draw = partial(render_email_picture, language=language) if has_picture else None
        word, site = read_word(word), self._pages.site()
        return Mailer(store, language.code, commands, account, draw, word=word, site=site)
