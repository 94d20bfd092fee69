"""Send a player's files from an account, each only once.

The library notes a file before it may leave, and again when it was accepted: a file is sent again
only if it certainly did not leave, or if the player asks for it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from engine.message import NOTHING, Message, message_of, sentences, with_label
from pbem.errors import AcresError, UsageError
from pbem.foreign import display_address, shell_quote
from pbem.mail.account import Account
from pbem.mail.connection import MailError
from pbem.mail.draft import compose_email
from pbem.mail.imap import save_copy
from pbem.mail.login import Login, find_login
from pbem.mail.smtp import (
    MessageTooLargeError,
    RecipientRefusedError,
    SmtpClient,
    UncertainSendError,
    connect_smtp,
)
from pbem.play.game_file import GameFile
from pbem.play.signing import check_own
from pbem.play.store import AlreadyDispatchedError, Dispatch, Sending, Store, StoreError
from pbem.protocol.match import Match
from pbem.text.phrases import moment

COPY_TIMEOUT = 5
"""The longest timeout, in seconds, of the IMAP server when a copy of a sent message is saved."""
BY_HAND = ""
"""The recorded address of a file that the player sent without this program."""


@dataclass(frozen=True, slots=True)
class SendCommands:
    """The commands with which a player sends a file or writes a draft, for use in messages.

    `program` is the name of the program, `to_option` and `again_option` the names of two options.
    """

    program: str
    to_option: str
    again_option: str

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """Return the command that sends a file to the address `to`, else to that in the game.

        >>> SendCommands("acres", "--to", "--again").send(Path("game-001.toml"), again=True)
        'acres mail send game-001.toml --again'
        """
        option = f" {self.again_option}" if again else ""
        return f"{self.program} mail send {shell_quote(file)}{self._recipient_option(to)}{option}"

    def draft(self, file: Path, to: str = "") -> str:
        """Return the command that writes a draft with a file for a mail program."""
        return f"{self.program} mail draft {shell_quote(file)}{self._recipient_option(to)}"

    def _recipient_option(self, address: str) -> str:
        return f" {self.to_option} {shlex.quote(address)}" if address else ""


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A save file to be sent: its path, the match in it and the message that carries it.

    `other_address` is the address that the player asked for; it is empty if the message goes to
    the address in the game.
    """

    path: Path
    match: Match
    email: EmailMessage
    other_address: str = ""

    @property
    def to(self) -> str:
        """The address of the recipient."""
        return str(self.email["To"].addresses[0].addr_spec)

    @property
    def label(self) -> Message:
        """Its name in messages, such as `game-012.toml (record 12 of game 34de8b95)`."""
        return file_label(self.path, self.match.id, self.match.last.index)

    def find_dispatch(self, store: Store) -> Dispatch | None:
        """Return the note that it was sent, or may have been; None if it was not."""
        return store.dispatch(self.match.id, self.match.last.hash)


class SendResult(NamedTuple):
    """The result of sending one file: the failure, or None if it was sent.

    A file that was sent may have a `warning`: this could not be noted in the library, or no copy
    could be saved in the player's mailbox.
    """

    file: OutgoingFile
    failure: MailError | None = None
    warning: Message | None = None

    @property
    def sentence(self) -> Message:
        """The sentence that tells the player that the file was sent, and the address."""
        address = display_address(self.file.to)
        return Message("Sent to {address}: {file}.", address=address, file=self.file.label)


ProgressCallback = Callable[[OutgoingFile, Sending | None], None]
"""Called with each file when it may have left, when it was sent, and (with None) if it was not."""


@dataclass(frozen=True, slots=True)
class Mailer:
    """A sender: it composes messages with a player's files and sends them from an account.

    `store` is the player's library, `language` the code of the language of the messages, and
    `commands` are named in errors. `draw` returns the PNG of the public position that is attached
    to each message; None attaches none. `on_progress` is called at each stage of each file.
    """

    store: Store
    language: str
    commands: SendCommands
    account: Account | None = None
    draw: Callable[[Match], bytes] | None = None
    on_progress: ProgressCallback = lambda file, sending: None

    def compose(
        self, match: Match, data: bytes, file: Path, name: str, to: str = ""
    ) -> EmailMessage:
        """Return the message that carries the player's save file with the bytes `data`.

        `file` is its path in errors, and `name` its name as an attachment. The message goes to the
        address `to`, else to the one in the game. Raises UsageError as `check_own` does, and the
        errors of `draw`.
        """
        check_own(match, self.store, file, self.commands.program)
        # Mail servers take messages from the address of the account alone.
        sent_from = self.account.address if self.account else ""
        # The earliest of three times, never ahead of now: a record may bear a later time than the
        # moment it was signed here. Both are stored, so the same message can be made again.
        signed = match.last.time
        arrived = self.store.arrival_time(match.id, match.last.hash)
        time = min(signed, arrived or signed, self.store.time())
        picture = self.draw(match) if self.draw else None
        return compose_email(match, data, name, to, sent_from, time, self.language, picture)

    def prepare(self, game: GameFile, path: Path, name: str, to: str = "") -> OutgoingFile:
        """Return a file ready to be sent.

        Raises UsageError as `compose` does, and if neither `to` nor the game has an address.
        """
        email = self.compose(game.match, game.save.write(), path, name, to)
        if "To" not in email:
            raise UsageError(
                "The game gives no address to which {file} can be mailed. To send it to one: "
                "{command} {option} ADDRESS",
                file=path,
                command=self.commands.send(path),
                option=self.commands.to_option,
            )
        return OutgoingFile(path, game.match, email, to)

    def send_one(
        self, file: OutgoingFile, login: Callable[[], Login | None], *, again: bool = False
    ) -> SendResult:
        """Send one file and return the result; `login` is called right before connecting.

        Raises MailError if it is not sent, and UsageError if it was sent, or may have been, before;
        `again` sends it all the same.
        """
        dispatch = None if again else file.find_dispatch(self.store)
        if dispatch is not None:
            repeat = Message("To send it again: {option}", option=self.commands.again_option)
            raise UsageError(sentences(describe_dispatch(file.label, dispatch), repeat))
        (result,) = self.send(login(), [file], again=again)
        if result.failure is not None:
            raise result.failure
        return result

    def send(
        self, login: Login | None, files: Iterable[OutgoingFile], *, again: bool = False
    ) -> Iterator[SendResult]:
        """Send files over one connection and yield the result of each, one at a time.

        Raises MailError if there is no connection.
        """
        assert self.account is not None
        copy_warning: Message | None = None
        with connect_smtp(self.account, login) as connection:
            for file in files:
                try:
                    note_warning = self._send(connection, file, again=again)
                except MailError as error:
                    yield SendResult(file, self._explain(file, error))
                except AlreadyDispatchedError as error:
                    failure = MailError(describe_dispatch(file.label, error.dispatch))
                    yield SendResult(file, self._explain(file, failure))
                else:
                    self.on_progress(file, Sending.SENT)
                    # After a first failure no other message waits for the mailbox.
                    copy_warning = copy_warning or self._save_copy(self.account, file)
                    yield SendResult(file, warning=note_warning or copy_warning)

    def _send(self, connection: SmtpClient, file: OutgoingFile, *, again: bool) -> Message | None:
        """Send one file; return a warning if the library could not note that it was sent.

        Raises MailError, and AlreadyDispatchedError if another process is sending it.
        """
        game, record, store = file.match.id, file.match.last.hash, self.store
        dispatches: list[Dispatch | None] = []

        def begin() -> None:
            dispatches.append(store.begin_sending(game, record, store.time(), file.to, again=again))
            self.on_progress(file, Sending.BEGUN)

        try:
            connection.send(file.email, file.to, begin)
        except UncertainSendError:
            raise
        except MailError:
            if dispatches:
                self.on_progress(file, None)
                # If this fails, the player is only told that it may have been sent.
                with suppress(StoreError):
                    store.take_back_sending(game, record, dispatches[0])
            raise
        try:
            store.end_sending(game, record)
        except StoreError as error:
            return Message(
                "It could not be noted that {file} was sent: {reason}. You will be told that it "
                "may have been sent.",
                file=file.label,
                reason=error,
            )
        return None

    def _explain(self, file: OutgoingFile, error: MailError) -> MailError:
        """Return an error of the same class that names the file and the next step."""
        message = sentences(message_of(error), self._next_step(file, error))
        if isinstance(error, UncertainSendError):
            message = with_label(file.label, message)
        else:
            message = sentences(Message("{file} was not sent.", file=file.label), message)
        return type(error)(message, may_pass=error.may_pass)

    def _next_step(self, file: OutgoingFile, error: MailError) -> Message:
        """Return the next step for the player, or NOTHING if the error says it."""
        commands, path, to = self.commands, file.path, file.other_address
        if isinstance(error, UncertainSendError):
            return Message(
                "Ask your opponent; if it did not arrive, send it again with: {command}",
                command=commands.send(path, to, again=True),
            )
        if isinstance(error, RecipientRefusedError):
            return Message(
                "Ask your opponent for another address; it is given with {option}.",
                option=commands.to_option,
            )
        if isinstance(error, MessageTooLargeError) and self.draw:
            return Message(
                "To send it without the picture: {command}", command=commands.send(path, to)
            )
        if isinstance(error, MessageTooLargeError):
            return Message(
                "To have it written for your mail program: {command}",
                command=commands.draft(path, to),
            )
        return NOTHING

    def _save_copy(self, account: Account, file: OutgoingFile) -> Message | None:
        """Save a copy of a sent message in the mailbox; return a warning if that failed."""
        login = find_login(account.imap, self.commands.program) if account.imap else None
        if login is None:
            return None
        account = replace(account, timeout=min(account.timeout, COPY_TIMEOUT))
        try:
            save_copy(account, login, file.email.as_bytes(), str(file.email["Message-ID"]))
        except AcresError as error:
            # No failure here may stop the other messages.
            # Translators: {reason} is a whole sentence.
            return Message(
                "It was sent, but there is no copy of it in your mailbox. {reason}", reason=error
            )
        return None


def mark_sent_by_hand(store: Store, game: bytes, record: bytes, time: str) -> None:
    """Note in the library that the player sent the file with `record` by other means."""
    store.begin_sending(game, record, time, BY_HAND, again=True)
    store.end_sending(game, record)


def file_label(file: Path, game: bytes, record: int) -> Message:
    """Return the name of a file in messages: `game-012.toml (record 12 of game 34de8b95)`."""
    return Message(
        "{file} (record {record} of game {game})",
        file=file.name,
        record=record,
        game=game.hex()[:8],
    )


def describe_dispatch(file: Message, dispatch: Dispatch) -> Message:
    """Return the sentence that a file was sent, or may have been, at a time to an address.

    `file` is its label.
    """
    facts = {"file": file, "time": moment(dispatch.time), "address": display_address(dispatch.to)}
    if dispatch.to == BY_HAND:
        return Message("You sent {file} yourself, as you said on {time}.", **facts)
    if dispatch.sending is Sending.SENT:
        return Message("{file} was already sent, on {time} to {address}.", **facts)
    return Message(
        "{file} may already have been sent, on {time} to {address}: the program was stopped, or "
        "the server did not say whether it accepted it. Ask your opponent.",
        **facts,
    )
