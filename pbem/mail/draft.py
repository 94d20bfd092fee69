"""The draft of a letter: a message in a file, which mail programs open ready to be sent."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from pbem.errors import NOT_WRITTEN, Unreadable, WrongUse, exists, reaching
from pbem.mail.parts import envelope_of
from pbem.mail.thread import place_id
from pbem.play.memory import is_there
from pbem.savefile.disk import AlreadyThere, check_room, read_file, room_for

_MOST_HEADERS = 65536
"""So many bytes of a message are looked at for what it is called."""


def as_draft(letter: EmailMessage) -> EmailMessage:
    """The letter, so that a mail program takes it for one that is still to be sent."""
    letter["X-Unsent"] = "1"
    return letter


@dataclass(frozen=True)
class DraftFile:
    """The draft of a letter in the file at `path`.

    A file that is there already stays, but for the draft of an answer that was replaced since: who
    sends both proves to have cheated.
    """

    path: Path

    @classmethod
    def beside(cls, file: Path) -> DraftFile:
        """The draft that goes with the file of a game."""
        return cls(file.with_suffix(".eml"))

    def check_free(self, game: bytes, index: int) -> None:
        """Raise WrongUse where no letter with the record of that index can be written.

        AlreadyThere where something else is in its place. That is before the record is signed, and
        before anybody is asked anything.
        """
        if exists(self.path) and not self._id().startswith(place_id(game, index)):
            raise AlreadyThere(
                "There is a file {file} already; it was not touched.", file=self.path
            )
        with reaching(self.path, NOT_WRITTEN):
            check_room(self.path)

    def write(self, letter: EmailMessage) -> bool:
        """Write the letter; False where it is there already, as it is.

        Raises WrongUse where that fails, or another file is there.
        """
        data, found, name = as_draft(letter).as_bytes(), self._id(), str(letter["Message-ID"])
        if is_there(self.path, data):
            return False
        if exists(self.path) and found == name:
            raise WrongUse(
                "{file} is a draft of this letter already, in other words, to another address or "
                "with another picture; it was not touched. Move it away to have it written again.",
                file=self.path,
            )
        # Names begin with the game and the place of the record in it.
        is_replaced = found.split(".")[:2] == name.split(".")[:2]
        with room_for(self.path, data, replaces=is_replaced) as file:
            file.appear()
        return True

    def _id(self) -> str:
        """What the message in the file is called; empty without one."""
        try:
            return envelope_of(read_file(self.path, _MOST_HEADERS)).message_id
        except Unreadable:
            return ""
