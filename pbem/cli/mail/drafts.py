"""The draft of a letter: a message in a file, which mail programs open ready to be sent."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.message import Message, sentences
from pbem.cli import console
from pbem.cli.clocks import letter_time
from pbem.cli.given import take
from pbem.cli.home import command_of
from pbem.cli.mail.drafting import drafted, receiver
from pbem.cli.mail.own_file import check_own, check_to, path_of
from pbem.cli.paths import note_written, quoted, shown
from pbem.cli.reading import read_given
from pbem.errors import AcresError, Unreadable, WrongUse
from pbem.mail.letter import Correspondent
from pbem.mail.parts import envelope_of
from pbem.mail.thread import message_id, place_id
from pbem.play.output import is_there
from pbem.protocol.match import Match
from pbem.savefile.files import check_room, read_file, room_for
from pbem.savefile.reaching import NOT_WRITTEN, exists, reaching

_MOST_HEADERS = 65536
"""So many bytes of a message are looked at for what it is called."""


def draft_given(context: typer.Context, file: Path, output: Path | None, to: str) -> None:
    """Write the letter with a file that the player has given."""
    check_to(to)
    given = take(context, file)
    game = read_given(context, given)
    check_own(context, file, game.match)
    path = path_of(context, file, given, game)
    made = Draft(output) if output else Draft.beside(path)
    made.write(context, game.match, game.save.write(), path.name, to)


class Draft:
    """The draft of a letter in the file at `path`.

    A file that is there already stays, but for the draft of an answer that was replaced since: who
    sends both proves to have cheated.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, file: Path) -> Draft:
        """The draft that goes with the file of a game."""
        return cls(file.with_suffix(".eml"))

    def check_free(self, game: bytes, index: int) -> None:
        """Raise WrongUse where no letter with the record of that index can be written.

        That is before the record is signed, and before anybody is asked anything.
        """
        if exists(self.path) and not self._id().startswith(place_id(game, index)):
            raise WrongUse(
                Message(
                    "There is a file {file} already, where the draft of your letter would be: move "
                    "it away, or leave --mail out. Nothing was written.",
                    file=self.path,
                )
            )
        with reaching(self.path, NOT_WRITTEN):
            check_room(self.path)

    def write(
        self, context: typer.Context, match: Match, data: bytes, name: str, to: str = ""
    ) -> None:
        """Write the letter with the file `data`, called `name`, and say how to send it.

        Raises WrongUse where that fails, or another file is there.
        """
        message = drafted(match, data, name, to, time=letter_time(context, match))
        # So that a mail program takes it for one that is still to be sent.
        message["X-Unsent"] = "1"
        draft = message.as_bytes()
        if is_there(self.path, draft):
            console.say(Message("The draft of this letter is there already:"))
        elif exists(self.path) and self._id() == message["Message-ID"]:
            raise WrongUse(
                Message(
                    "{file} is a draft of this letter already, in other words or to another "
                    "address; it was not touched. Move it away to have it written again.",
                    file=self.path,
                )
            )
        else:
            with room_for(self.path, draft, replaces=self._is_replaced_by(match)) as file:
                file.appear()
            if not console.written():
                note_written(self.path)
            console.say(Message("The draft of your letter is written:"))
        console.say_whole(f"  {shown(self.path)}")
        _say_next(match, receiver(match, to), has_receiver="To" in message)

    def write_beside(self, context: typer.Context, file: Path, match: Match, data: bytes) -> None:
        """Write the letter with a file that was written just now; else say how to make it."""
        try:
            self.write(context, match, data, file.name)
        except AcresError as error:
            # Translators: {reason} is a whole sentence.
            failed = Message(
                "Your file {file} is written, but not the draft of the letter: {reason}",
                file=file,
                reason=error,
            )
            how_to_make_it = Message(
                "To make it from that file: {command}",
                command=f"{command_of(context)} mail draft {quoted(file)}",
            )
            raise WrongUse(sentences(failed, how_to_make_it)) from None

    def _is_replaced_by(self, match: Match) -> bool:
        """Whether the file is the draft of an answer in whose place there is another now."""
        found = self._id()
        is_in_place = found.startswith(place_id(match.id, match.last.index))
        return is_in_place and found != message_id(match.id, match.last)

    def _id(self) -> str:
        """What the message in the file is called; empty without one."""
        try:
            return envelope_of(read_file(self.path, _MOST_HEADERS)).message_id
        except Unreadable:
            return ""


def _say_next(match: Match, to: Correspondent, *, has_receiver: bool) -> None:
    address, name = console.mailbox(to.address), console.named(to.name)
    if has_receiver:
        console.say(
            Message(
                "Next: open it with your mail program, which sends it to {address}.",
                address=address,
            )
        )
        return
    if to.address:
        console.warn(
            Message(
                "Mail takes no address like {address}, which {player} gave in the game.",
                address=address,
                player=name,
            )
        )
    console.say(
        Message("Next: open it with your mail program, and send it to {player}.", player=name)
        if match.is_joined
        else Message(
            "Next: open it with your mail program, and send it to the player you want to play."
        )
    )
