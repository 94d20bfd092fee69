"""Sending a player's files from an account, each once.

A file is noted before it may leave, and when it has: so nothing is sent again unless it certainly
did not leave, or the player wants it sent again.
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
from pbem.errors import AcresError, WrongUse
from pbem.foreign import mailbox, quoted
from pbem.mail.account import Account
from pbem.mail.draft import letter_of
from pbem.mail.exchange import Login, MailFailed, login_at_hand
from pbem.mail.imap import keep_copy
from pbem.mail.smtp import AddressRefused, LetterTooLarge, MayHaveArrived, Outgoing, outgoing
from pbem.play.game_file import GameFile
from pbem.play.signing import check_own
from pbem.play.store import Dispatch, DispatchedAlready, LibraryFailed, Sending, Store
from pbem.protocol.match import Match
from pbem.text.phrases import moment

SOON = 5
"""Seconds to wait for the server of the mailbox, to keep a copy."""
BY_HAND = ""
"""Stands for the address of what the player has sent: by which way, and to where, nobody knows."""


@dataclass(frozen=True, slots=True)
class WaysOut:
    """The ways in which the player of a front end sends a file, by its names for them."""

    command: str
    other_address: str
    again: str

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """Return the command that sends a file, to that address or the one in the game."""
        option = f" {self.again}" if again else ""
        return f"{self.command} mail send {quoted(file)}{self._to(to)}{option}"

    def draft(self, file: Path, to: str = "") -> str:
        """Return the command that writes a letter with a file for a mail program."""
        return f"{self.command} mail draft {quoted(file)}{self._to(to)}"

    def _to(self, address: str) -> str:
        return f" {self.other_address} {shlex.quote(address)}" if address else ""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file that is to be sent: the match in it, and the letter with it.

    `elsewhere` is the address that the player gave for it, empty if it goes to that in the game.
    """

    file: Path
    match: Match
    letter: EmailMessage
    elsewhere: str = ""

    @property
    def to(self) -> str:
        """The address it goes to."""
        return str(self.letter["To"].addresses[0].addr_spec)

    @property
    def called(self) -> Message:
        """Its name for the player, such as `game-012.toml (record 12 of game 34de8b95)`."""
        return file_called(self.file, self.match.id, self.match.last.index)

    def sent_before(self, store: Store) -> Dispatch | None:
        """Return when and where it was sent, or may have been."""
        return store.dispatch(self.match.id, self.match.last.hash)


class Sent(NamedTuple):
    """The outcome for a file: it was sent, or there is a failure.

    If it was sent, a `warning` says that this could not be noted, or that there is no copy of it in
    the player's mailbox.
    """

    parcel: Parcel
    failure: MailFailed | None = None
    warning: Message | None = None

    @property
    def sentence(self) -> Message:
        """The sentence that it was sent, and where to."""
        address = mailbox(self.parcel.to)
        return Message("Sent to {address}: {file}.", address=address, file=self.parcel.called)


Follow = Callable[[Parcel, Sending | None], None]
"""Is told of each file when it may have left, when it has, and when it has not after all."""


@dataclass(frozen=True, slots=True)
class Sender:
    """A player who writes letters in the language of that code, and sends them from an account.

    `own` is what was signed and sent before; the player sends in these `ways`. `draw` makes a PNG
    of what everybody may see, which goes with each letter. `follow` is told how far each has come.
    """

    own: Store
    language: str
    ways: WaysOut
    account: Account | None = None
    draw: Callable[[Match], bytes] | None = None
    follow: Follow = lambda parcel, sending: None

    def letter(
        self, match: Match, data: bytes, file: Path, name: str, to: str = ""
    ) -> EmailMessage:
        """Return the letter with the player's file of that content and name.

        It is for that address, else for the one in the game. Raises WrongUse as `check_own`, and
        what `draw` does.
        """
        check_own(match, self.own, file, self.ways.command)
        # Mail servers take letters from the address of the account alone.
        sent_from = self.account.address if self.account else ""
        # As the record, never ahead. A date that it has borrowed is not repeated: then it is when
        # it was signed here, which is kept, so that the same letter can be made again.
        signed = match.last.time
        came = self.own.arrival(match.id, match.last.hash)
        time = min(signed, came or signed, self.own.time())
        picture = self.draw(match) if self.draw else None
        return letter_of(match, data, name, to, sent_from, time, self.language, picture)

    def parcel(self, game: GameFile, file: Path, name: str, to: str = "") -> Parcel:
        """Return a file that is to be sent; raises WrongUse as `letter`, and if it goes nowhere."""
        letter = self.letter(game.match, game.save.write(), file, name, to)
        if "To" not in letter:
            raise WrongUse(
                "The game gives no address to which {file} can be mailed. To send it to one: "
                "{command} {option} ADDRESS",
                file=file,
                command=self.ways.send(file),
                option=self.ways.other_address,
            )
        return Parcel(file, game.match, letter, to)

    def send_one(
        self, parcel: Parcel, login: Callable[[], Login | None], *, again: bool = False
    ) -> Sent:
        """Send one file; if it was sent, or may have been, only `again`; raises MailFailed.

        Raises WrongUse if it was, which says how to send it again, before the `login` is asked for.
        """
        before = None if again else parcel.sent_before(self.own)
        if before is not None:
            repeat = Message("To send it again: {option}", option=self.ways.again)
            raise WrongUse(sentences(sent_already(parcel.called, before), repeat))
        (sent,) = self.send(login(), [parcel], again=again)
        if sent.failure is not None:
            raise sent.failure
        return sent

    def send(
        self, login: Login | None, parcels: Iterable[Parcel], *, again: bool = False
    ) -> Iterator[Sent]:
        """Send these, each when it is asked for; raises MailFailed without a connection."""
        assert self.account is not None
        not_kept: Message | None = None
        with outgoing(self.account, login) as connection:
            for parcel in parcels:
                try:
                    not_noted = self._send(connection, parcel, again=again)
                except MailFailed as error:
                    yield Sent(parcel, self._failed(parcel, error))
                except DispatchedAlready as error:
                    failed = MailFailed(sent_already(parcel.called, error.dispatch))
                    yield Sent(parcel, self._failed(parcel, failed))
                else:
                    self.follow(parcel, Sending.SENT)
                    # If that failed once, no other letter waits for it.
                    not_kept = not_kept or self._keep_copy(self.account, parcel)
                    yield Sent(parcel, warning=not_noted or not_kept)

    def _send(self, connection: Outgoing, parcel: Parcel, *, again: bool) -> Message | None:
        """Send one, and return the warning that this could not be noted, if it could not.

        Raises MailFailed, and DispatchedAlready if another process sends it just now.
        """
        game, record, own = parcel.match.id, parcel.match.last.hash, self.own
        before: list[Dispatch | None] = []

        def begin() -> None:
            before.append(own.begin_sending(game, record, self.own.time(), parcel.to, again=again))
            self.follow(parcel, Sending.BEGUN)

        try:
            connection.send(parcel.letter, parcel.to, begin)
        except MayHaveArrived:
            raise
        except MailFailed:
            if before:
                self.follow(parcel, None)
                # What cannot be forgotten does no harm: it is told as perhaps sent.
                with suppress(LibraryFailed):
                    own.take_back_sending(game, record, before[0])
            raise
        try:
            own.end_sending(game, record)
        except LibraryFailed as error:
            return Message(
                "It could not be noted that {file} was sent: {reason}. You will be told that it "
                "may have been sent.",
                file=parcel.called,
                reason=error,
            )
        return None

    def _failed(self, parcel: Parcel, error: MailFailed) -> MailFailed:
        """Return the error that says what went wrong with a file, and what to do."""
        told = sentences(message_of(error), self._way_out(parcel, error))
        if isinstance(error, MayHaveArrived):
            told = with_label(parcel.called, told)
        else:
            told = sentences(Message("{file} was not sent.", file=parcel.called), told)
        return type(error)(told, may_pass=error.may_pass)

    def _way_out(self, parcel: Parcel, error: MailFailed) -> Message:
        """Return what to do if the error itself does not say it."""
        ways, file, to = self.ways, parcel.file, parcel.elsewhere
        if isinstance(error, MayHaveArrived):
            return Message(
                "Ask your opponent; if it did not arrive, send it again with: {command}",
                command=ways.send(file, to, again=True),
            )
        if isinstance(error, AddressRefused):
            return Message(
                "Ask your opponent for another address; it is given with {option}.",
                option=ways.other_address,
            )
        if isinstance(error, LetterTooLarge) and self.draw:
            return Message("To send it without the picture: {command}", command=ways.send(file, to))
        if isinstance(error, LetterTooLarge):
            return Message(
                "To have it written for your mail program: {command}", command=ways.draft(file, to)
            )
        return NOTHING

    def _keep_copy(self, account: Account, parcel: Parcel) -> Message | None:
        """Keep a copy of what was sent; return the warning that there is none, if that failed."""
        login = login_at_hand(account.imap, self.ways.command) if account.imap else None
        if login is None:
            return None
        account = replace(account, timeout=min(account.timeout, SOON))
        name = str(parcel.letter["Message-ID"])
        try:
            keep_copy(account, login, parcel.letter.as_bytes(), name)
        except AcresError as error:
            # Whatever it is, the other letters are to leave.
            # Translators: {reason} is a whole sentence.
            return Message(
                "It was sent, but there is no copy of it in your mailbox. {reason}", reason=error
            )
        return None


def note_by_hand(store: Store, game: bytes, record: bytes, time: str) -> None:
    """Note that the player has sent the file with that record."""
    store.begin_sending(game, record, time, BY_HAND, again=True)
    store.end_sending(game, record)


def file_called(file: Path, game: bytes, record: int) -> Message:
    """Return the name of a file for the player: `game-012.toml (record 12 of game 34de8b95)`."""
    return Message(
        "{file} (record {record} of game {game})",
        file=file.name,
        record=record,
        game=game.hex()[:8],
    )


def sent_already(file: Message, dispatch: Dispatch) -> Message:
    """Return the sentence that a file of that name was sent, or may have been, and when."""
    facts = {"file": file, "time": moment(dispatch.time), "address": mailbox(dispatch.to)}
    if dispatch.to == BY_HAND:
        return Message("You sent {file} yourself, as you said on {time}.", **facts)
    if dispatch.sending is Sending.SENT:
        return Message("{file} was already sent, on {time} to {address}.", **facts)
    return Message(
        "{file} may already have been sent, on {time} to {address}: the program was stopped, or "
        "the server did not say whether it accepted it. Ask your opponent.",
        **facts,
    )
