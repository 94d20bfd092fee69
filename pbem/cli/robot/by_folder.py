"""The robot by folder: what comes into one is answered into another, or the same."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import typer

from engine.house_rules import UnknownRules
from engine.message import Run, Said, labelled, message_of
from pbem.cli import console
from pbem.cli.robot.telling import answered, done, reason
from pbem.errors import AcresError, Unreadable
from pbem.foreign import shown
from pbem.mail.refusals import Note
from pbem.play.robot.answering import Correspondence, Incoming
from pbem.play.robot.inbox import Arrived, Inbox
from pbem.play.robot.refusals import NoPlace, NotWritten, TurnedDown
from pbem.savefile.disk import read_file
from pbem.words.proof.memory import NotNow
from pbem.words.proof.questions import NoMemory, Older

MOST_TOLD = 10_000
"""Of so many files it is remembered what was said of them."""


def incoming(path: Path, outbox: Path) -> list[Incoming]:
    """The save files in a file, or in a message, whose answers go into `outbox`.

    There is none in an ordinary letter; raises Unreadable for a file that is none, and where there
    is only a damaged one.
    """
    name = shown(Path(path.name))
    if path.suffix.lower() == ".toml":
        return [Incoming(read_file(path), path, name, outbox / path.name, came=_came(path))]
    # Imported here because a robot that plays by folder seldom sees a message.
    from pbem.mail.parts import MAX_MESSAGE
    from pbem.mail.search import save_files

    return [
        Incoming(
            each.data,
            path,
            Run((name, ", ", each.where)),
            outbox / (each.name or "acres.toml"),
            came=_came(path),
        )
        for each in save_files(read_file(path, MAX_MESSAGE))
    ]


def _came(path: Path) -> str:
    """Since when a file lies where it is; empty where that is no time."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return ""
    return changed.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


class Folders:
    """An inbox, and an outbox for what is answered; `is_last` if there is one look and no other."""

    def __init__(
        self,
        context: typer.Context,
        robot: Correspondence,
        inbox: Path,
        outbox: Path,
        *,
        is_last: bool,
    ) -> None:
        self._context = context
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
            found = answered(self._context, self._robot, file)
        except (NoMemory, Unreadable):
            raise
        except (NotNow, NotWritten) as error:
            self._tell(file.name, message_of(error))
            return False
        except TurnedDown as error:
            self._tell(file.name, message_of(error))
            if isinstance(error, NoPlace):
                self._robot.turn_away(file)
            Note(file.beside).leave(error, console.language().code)
            return True
        except (AcresError, UnknownRules) as error:
            # What was answered before it started was told then.
            if not (arrived.was_there and isinstance(error, Older)):
                self._tell(file.name, reason(error))
            return True
        if found:
            Note(file.beside).take_away()
            console.say_whole(done(found, file.name))
        return True

    def _tell(self, name: Said, sentence: Said) -> None:
        """Say why a file is not answered, unless that was said of it the last time."""
        if self._told.get(name) != sentence:
            console.say_whole(labelled(name, sentence))
        if len(self._told) >= MOST_TOLD:
            self._told.clear()
        self._told[name] = sentence
