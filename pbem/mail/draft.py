"""The draft of a letter: a message in a file, which mail programs open ready to be sent.

Some recognize it by its name, `.eml`, and by a mark within it; others are given it by a command,
and would send the mark along. docs/mail.md has which.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from pbem.errors import NOT_WRITTEN, Unreadable, WrongUse, exists, reaching
from pbem.mail.parts import envelope_of
from pbem.mail.thread import place_id
from pbem.play.memory import is_there
from pbem.savefile.disk import AlreadyThere, check_room, read_file, room_for

SUFFIX = ".eml"
"""What files are called that mail programs open."""
_MOST_HEADERS = 65536
"""How many bytes of a message are looked at for what it is called."""


def as_marked(letter: EmailMessage) -> bytes:
    """The letter for a program that opens messages: marked as one that is still to be sent."""
    marked = deepcopy(letter)
    marked["X-Unsent"] = "1"
    return marked.as_bytes()


def as_handed_over(letter: EmailMessage) -> bytes:
    """The letter for a program that is to send it as it is: without a mark, its lines ended by LF.

    So such programs expect them; an attached file would keep other ends.
    """
    return letter.as_bytes().replace(b"\r\n", b"\n")


@dataclass(frozen=True)
class DraftFile:
    """The draft of a letter in the file at `path`: marked as one, where it is an `.eml`.

    A file that is there already stays, but for the draft of an answer that was replaced since: who
    sends both proves to have cheated.
    """

    path: Path

    @classmethod
    def beside(cls, file: Path) -> DraftFile:
        """The draft that goes with the file of a game."""
        return cls(file.with_suffix(SUFFIX))

    def check_free(self, game: bytes, index: int) -> None:
        """Raise WrongUse where no letter with the record of that index can be written.

        AlreadyThere where something else is in its place. That is before the record is signed, and
        before anybody is asked anything.
        """
        if exists(self.path) and not self._id().startswith(place_id(game, index)):
            raise AlreadyThere(
                "There is already a file {file}; it was not touched.", file=self.path
            )
        with reaching(self.path, NOT_WRITTEN):
            check_room(self.path)

    def write(self, letter: EmailMessage) -> bool:
        """Write the letter; False where it is there already, as it is.

        Raises WrongUse where that fails, or another file is there.
        """
        is_opened = self.path.suffix.lower() == SUFFIX
        data = as_marked(letter) if is_opened else as_handed_over(letter)
        found, name = self._id(), str(letter["Message-ID"])
        if is_there(self.path, data):
            return False
        if exists(self.path) and found == name:
            raise WrongUse(
                "{file} is already a draft of this message, but with different wording, another "
                "address or another picture; it was not touched. Move it away to have it written "
                "again.",
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
