"""Send a player's files from an account, each only once.

The library records each file before it may leave, and again after the server has accepted it. A
file is sent again only if it certainly did not leave, or if the player requests it.
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
from pbem.mail import smtp
from pbem.mail.account import Account
from pbem.mail.connection import MailError
from pbem.mail.draft import compose_email
from pbem.mail.imap import save_copy
from pbem.mail.login import Login, find_login
from pbem.mail.smtp import SmtpClient, UncertainSendError, connect_smtp
from pbem.play.game_file import GameFile
from pbem.play.signing import check_own
from pbem.play.store import AlreadyDispatchedError, Dispatch, Sending, Store, StoreError
from pbem.protocol.match import Match
from pbem.text.phrases import moment

COPY_TIMEOUT = 5
"""The maximum timeout of the IMAP server for saving a copy of a sent message, in seconds."""
BY_HAND = ""
"""The recorded address of a file that the player sent without this program."""


@dataclass(frozen=True, slots=True)
class SendCommands:
    """The commands that send a file or write a draft, for use in messages.

    `program` is the name of the program. `to_option` and `again_option` are the names of two of its
    options.
    """

    program: str
    to_option: str
    again_option: str

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """Return the command that sends a file to the address `to`, or else to the one in the game.

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
    """A save file ready for sending: its path, its match and the message that carries it.

    `other_address` is an address that the player named, or empty if the message goes to the address
    in the game.
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
        """The file's name in messages, such as `game-012.toml (record 12 of game 34de8b95)`."""
        return file_label(self.path, self.match.id, self.match.last.index)

    def find_dispatch(self, store: Store) -> Dispatch | None:
        """Return the note that the file was sent, or may have been; None if it was not sent."""
        return store.dispatch(self.match.id, self.match.last.hash)


class SendResult(NamedTuple):
    """The result of sending one file.

    `failure` is None if the file was sent. In this case there may be a `warning`: the library could
    not record it, or no copy could be saved in the player's mailbox.
    """

    file: OutgoingFile
    failure: MailError | None = None
    warning: Message | None = None

    @property
    def sentence(self) -> Message:
        """A sentence for the player: the file was sent, with its address."""
        address = display_address(self.file.to)
        return Message("Sent to {address}: {file}.", address=address, file=self.file.label)


ProgressCallback = Callable[[OutgoingFile, Sending | None], None]
"""A callback for a file that may have left or was sent, or, with None, was not sent."""


@dataclass(frozen=True, slots=True)
class Mailer:
    """A mailer, which composes messages with a player's files and sends them from an account.

    `store` is the player's library, `language` is the code of the language of the messages, and
    `commands` are used in errors. `draw` returns a PNG of the public position, which is attached to
    each message; there is no picture if it is None. `on_progress` is called at each stage of each
    file. `word` is the player's own text at the top of each message, and `site` the address of a
    site on which it can be answered, or empty.
    """

    store: Store
    language: str
    commands: SendCommands
    account: Account | None = None
    draw: Callable[[Match], bytes] | None = None
    on_progress: ProgressCallback = lambda file, sending: None
    word: str = ""
    site: str = ""

    def compose(
        self, match: Match, data: bytes, file: Path, name: str, to: str = ""
    ) -> EmailMessage:
        """Return the message that carries the player's save file with the bytes `data`.

        `file` is the path in errors, and `name` the name of the attachment. The message goes to the
        address `to`, or else to the one in the game. Raises the same errors as `check_own` and
        `draw`.
        """
        check_own(match, self.store, file, self.commands.program)
        # Mail servers accept only the address of the account as the sender.
        sent_from = self.account.address if self.account else ""
        # The earliest of three times, never later than now, because a record may have a later time
        # than its signature here. Both times are stored, so the message can be made again.
        signed = match.last.time
        arrived = self.store.arrival_time(match.id, match.last.hash)
        time = min(signed, arrived or signed, self.store.time())
        picture = self.draw(match) if self.draw else None
        return compose_email(
            match, data, name, to, sent_from, time, self.language, picture, self.word, self.site
        )

    def prepare(self, game: GameFile, path: Path, name: str, to: str = "") -> OutgoingFile:
        """Return a file ready for sending.

        Raises the same errors as `compose`, and UsageError if neither `to` nor the game has an
        address.
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

        Raises MailError if the file was not sent, and UsageError if it was sent before, or may have
        been, unless `again` is true.
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
        """Send files over one connection, and yield the result of each file after it.

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
                    # After a first failure no more copies are tried, because each may take long.
                    copy_warning = copy_warning or self._save_copy(self.account, file)
                    yield SendResult(file, warning=note_warning or copy_warning)

    def _send(self, connection: SmtpClient, file: OutgoingFile, *, again: bool) -> Message | None:
        """Send one file; return a warning if the library could not record that it was sent.

        Raises MailError, and AlreadyDispatchedError if another process is sending the file.
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
                # If this fails, the library says only that the file may have been sent.
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
        """Return the next step for the player, or NOTHING if the error has it already."""
        commands, path, to = self.commands, file.path, file.other_address
        if isinstance(error, UncertainSendError):
            return Message(
                "Ask your opponent; if it did not arrive, send it again with: {command}",
                command=commands.send(path, to, again=True),
            )
        if isinstance(error, smtp.RecipientRefusedError):
            return Message(
                "Ask your opponent for another address; it is given with {option}.",
                option=commands.to_option,
            )
        if isinstance(error, smtp.MessageTooLargeError) and self.draw:
            command = commands.send(path, to)
            return Message("To send it without the picture: {command}", command=command)
        if isinstance(error, smtp.MessageTooLargeError):
            command = commands.draft(path, to)
            return Message("To have it written for your mail program: {command}", command=command)
        return NOTHING

    def _save_copy(self, account: Account, file: OutgoingFile) -> Message | None:
        """Save a copy of a sent message in the mailbox; return a warning if that failed."""
        account = replace(account, timeout=min(account.timeout, COPY_TIMEOUT))
        try:
            if account.imap and (login := find_login(account.imap, self.commands.program)):
                save_copy(account, login, file.email.as_bytes(), str(file.email["Message-ID"]))
        except AcresError as error:
            # A failure here must not stop the other messages.
            # Translators: {reason} is a whole sentence.
            return Message(
                "It was sent, but there is no copy of it in your mailbox. {reason}", reason=error
            )
        return None


def mark_sent_by_hand(store: Store, game: bytes, record: bytes, time: str) -> None:
    """Record in the library that the player sent the file with `record` by other means."""
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
    """Return a sentence with the time and the address at which a file was or may have been sent.

    `file` is the label of the file.
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
