"""Invitations that the robot does not take up, and what whoever sent them is told: the reason.

It is told in the language of the robot's keeper and in English, and holds no word of the sender's:
anybody can send an invitation in the name of somebody else, who then gets the answer.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli import console
from pbem.errors import Unreadable, WrongUse
from pbem.words.language import SOURCE

if TYPE_CHECKING:
    from pbem.mail.letter import Report

MOST_NOTES = 100
"""No more notes than these lie in an outbox."""
_LONGEST_NOTE = 4096


class NotWelcome(WrongUse):
    """Somebody with whom the robot does not play, and who is told nothing."""


class TurnedDown(NotWelcome):
    """Whoever sent a file can do something about its refusal, and is told why."""

    def reports(self) -> list[Report]:
        """What is told, in each language that it is told in."""
        from pbem.mail.letter import Paragraph, Report

        languages = dict.fromkeys((console.language().code, SOURCE))
        return [Report(language, [Paragraph(self.said)]) for language in languages]

    def text(self) -> str:
        """The same as plain text."""
        from pbem.mail.letter import as_text

        first, *others = self.reports()
        return as_text(first.blocks, first.language, others)


class NoPlace(TurnedDown):
    """There is no place for another game: there may be one later."""


class Note:
    """A note beside the place for an answer, which says why there is none."""

    def __init__(self, beside: Path) -> None:
        self.path = beside.with_name(f"{beside.stem}-refused.txt")
        self._head = f"acres serve-robot: {beside.name}\n\n"

    def leave(self, reason: TurnedDown) -> None:
        """Write it, unless there are too many, something else is in its place, or no room."""
        from pbem.savefile.files import is_there, write_new

        data = (self._head + reason.text()).encode()
        if is_there(self.path):
            if self._text() in (data.decode(), ""):
                return
            self.take_away()
        elif sum(1 for _ in self.path.parent.glob("*-refused.txt")) >= MOST_NOTES:
            return
        with suppress(WrongUse):
            write_new(self.path, data)

    def take_away(self) -> None:
        """Remove it, because it is true no more."""
        if self._text():
            with suppress(OSError):
                self.path.unlink()

    def _text(self) -> str:
        """What it says; empty where it is none of the robot's."""
        from pbem.savefile.files import read_file

        try:
            text = read_file(self.path, _LONGEST_NOTE).decode("utf-8", "replace")
        except Unreadable:
            return ""
        return text if text.startswith(self._head) else ""
