"""A file with a player's turn on its way to the opponent: sent once, and noted.

It is noted before it may leave, and when it has: so nothing is sent again unless it certainly did
not leave, or the player wants it sent again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from engine.message import NOTHING, Message, labelled, message_of, sentences
from pbem.errors import WrongUse
from pbem.foreign import mailbox
from pbem.library import Dispatch, LibraryFailed, Post, Sending
from pbem.mail.outbox import AddressRefused, LetterTooLarge, MayHaveArrived, Outgoing
from pbem.mail.ways_out import WayOut, WaysOut
from pbem.mail.wire import MailFailed
from pbem.protocol.match import Match
from pbem.words.dates import moment

BY_HAND = ""
"""Stands for the address of what the player has sent: by which way, and to where, nobody knows."""


@dataclass(frozen=True)
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
        """What it is to the player, such as `game-012.toml (record 12 of game 34de8b95)`."""
        return file_called(self.file, self.match.id, self.match.last.index)

    def sent_before(self, post: Post) -> Dispatch | None:
        """When and where it was sent, or may have been."""
        return post.dispatch(self.match.id, self.match.last.hash)

    @property
    def has_picture(self) -> bool:
        """Whether a picture goes with the file."""
        parts = self.letter.iter_attachments()
        return any(part.get_content_maintype() == "image" for part in parts)

    def failed(self, error: MailFailed, ways: WaysOut) -> MailFailed:
        """The error that says of it what went wrong, and what to do in these ways."""
        told = sentences(message_of(error), self._way_out(error, ways))
        if isinstance(error, MayHaveArrived):
            told = labelled(self.called, told)
        else:
            told = sentences(Message("{file} was not sent.", file=self.called), told)
        return type(error)(told, may_pass=error.may_pass)

    def _way_out(self, error: MailFailed, ways: WaysOut) -> Message:
        """What to do where the error itself does not say it."""
        if isinstance(error, MayHaveArrived):
            return Message(
                "Ask your opponent; if it did not arrive, send it again with: {command}",
                command=ways.send(self.file, self.elsewhere, again=True),
            )
        if isinstance(error, AddressRefused):
            return Message(
                "Ask your opponent for another address; it is given with {option}.",
                option=ways.options[WayOut.OTHER_ADDRESS],
            )
        if isinstance(error, LetterTooLarge) and self.has_picture:
            return Message(
                "To send it without the picture: {command}",
                command=ways.send(self.file, self.elsewhere),
            )
        if isinstance(error, LetterTooLarge):
            return Message(
                "To have it written for your mail program: {command}",
                command=ways.draft(self.file, self.elsewhere),
            )
        return NOTHING

    def check_unsent(self, post: Post, ways: WaysOut) -> None:
        """Raise WrongUse where it was sent, or may have been; it says how to send it again."""
        before = self.sent_before(post)
        if before is not None:
            again = ways.options[WayOut.AGAIN]
            how_to_repeat = Message("To send it again: {option}", option=again)
            raise WrongUse(sentences(self.sent_already(before), how_to_repeat))

    def sent_already(self, dispatch: Dispatch) -> Message:
        """That it was sent, or may have been, and when."""
        return sent_already(self.called, dispatch)

    def send(
        self,
        connection: Outgoing,
        post: Post,
        time: str,
        may_have_left: Callable[[bool], None],
        *,
        again: bool,
    ) -> LibraryFailed | None:
        """Send it; why that could not be noted, if it could not.

        `may_have_left` is told as soon as it may have left, and if it has not after all. Raises
        MailFailed, and DispatchedAlready where another process sends it just now.
        """
        game, record = self.match.id, self.match.last.hash
        before: list[Dispatch | None] = []

        def begin() -> None:
            before.append(post.begin(game, record, time, self.to, again=again))
            may_have_left(True)

        try:
            connection.send(self.letter, self.to, begin)
        except MayHaveArrived:
            raise
        except MailFailed:
            if before:
                may_have_left(False)
                # What cannot be forgotten does no harm: it is told as perhaps sent.
                with suppress(LibraryFailed):
                    post.take_back(game, record, before[0])
            raise
        try:
            post.end(game, record)
        except LibraryFailed as error:
            return error
        return None


def file_called(file: Path, game: bytes, record: int) -> Message:
    """What a file is to the player, such as `game-012.toml (record 12 of game 34de8b95)`."""
    return Message(
        "{file} (record {record} of game {game})",
        file=file.name,
        record=record,
        game=game.hex()[:8],
    )


def sent_already(file: Message, dispatch: Dispatch) -> Message:
    """That the file which is so `called` was sent, or may have been, and when."""
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


def note_by_hand(post: Post, game: bytes, record: bytes, time: str) -> None:
    """Note that the player has sent the file with that record."""
    post.begin(game, record, time, BY_HAND, again=True)
    post.end(game, record)
