"""The robot by folder: what comes into one is answered into another, or the same."""

from __future__ import annotations

from pathlib import Path

from engine.house_rules import UnknownRules
from engine.message import Said, labelled, message_of
from pbem.cli import console
from pbem.cli.memory import NoMemory, Older
from pbem.cli.own_library import NotNow
from pbem.cli.paths import shown
from pbem.cli.robot.answering import Correspondence, Incoming, NotWritten, incoming
from pbem.cli.robot.inbox import Arrived, Inbox
from pbem.cli.robot.turning_away import NoPlace, Note, TurnedDown
from pbem.errors import AcresError, Unreadable

MOST_TOLD = 10_000
"""Of so many files it is remembered what was said of them."""


class Folders:
    """An inbox, and an outbox for what is answered; `is_last` if there is one look and no other."""

    def __init__(self, robot: Correspondence, inbox: Path, outbox: Path, *, is_last: bool) -> None:
        self._robot = robot
        self._inbox = Inbox(inbox)
        self._outbox = outbox
        self._is_last = is_last
        self._told: dict[Said, Said] = {}

    def look(self) -> None:
        """Look once, and answer all that is new.

        Raises WrongUse where the inbox cannot be read, and NoMemory as `Correspondence` does.
        """
        self._robot.tidy()
        for arrived in self._inbox.arrived():
            path = arrived.path
            try:
                done = [self._is_done(each, arrived) for each in incoming(path, self._outbox)]
                is_done = all(done)
            except Unreadable as error:
                is_done = arrived.is_settled or self._is_last
                if is_done:
                    self._tell(shown(Path(path.name)), message_of(error))
            if is_done:
                self._inbox.done(path)

    def _is_done(self, file: Incoming, arrived: Arrived) -> bool:
        """Answer a file; whether nothing is left to do about it. Raises Unreadable and NoMemory."""
        try:
            answered = self._robot.answer(file)
        except (NoMemory, Unreadable):
            raise
        except (NotNow, NotWritten) as error:
            self._tell(file.name, message_of(error))
            return False
        except TurnedDown as error:
            self._tell(file.name, message_of(error))
            if isinstance(error, NoPlace):
                self._robot.turn_away(file)
            Note(file.beside).leave(error)
            return True
        except (AcresError, UnknownRules) as error:
            # What was answered before it started was told then.
            if not (arrived.was_there and isinstance(error, Older)):
                self._tell(file.name, message_of(error))
            return True
        if answered:
            Note(file.beside).take_away()
            console.say_whole(answered.told(file.name))
        return True

    def _tell(self, name: Said, sentence: Said) -> None:
        """Say why a file is not answered, unless that was said of it the last time."""
        if self._told.get(name) != sentence:
            console.say_whole(labelled(name, sentence))
        if len(self._told) >= MOST_TOLD:
            self._told.clear()
        self._told[name] = sentence
