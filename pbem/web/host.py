"""The host of the pages: whatever they need that is not the same everywhere.

On a computer it has threads, folders, mail and a robot (`pbem.web.server`); in a browser that runs
the pages itself it has none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from starlette.routing import BaseRoute

from engine.message import Said
from pbem.play.analysis import Analysis, analyse
from pbem.play.store import Listed, Store
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.web.events import Events
from pbem.web.guard import Doors

_T = TypeVar("_T")


class Robot(Protocol):
    """A robot that answers the player beside the pages.

    `folders` are those of its games, by its strength; `troubles` keep it from answering now, and
    `answered` are the ids of the games in which it has answered, and that was noted.
    """

    folders: Mapping[int, Path]
    troubles: Sequence[Said]
    answered: set[bytes]

    def wake(self) -> None:
        """Have it look at once, because a file was written."""


class Sendable(NamedTuple):
    """A file that can go by mail: to that address, empty if the game has none.

    `was_sent` says that it was sent, or may have been; empty if it was not.
    """

    to: str
    can_send: bool
    was_sent: Said


class Mail(Protocol):
    """The mail of the player: letters are made, sent and fetched."""

    def can_fetch(self) -> bool:
        """Return True if there is a mailbox, as far as the settings can be read."""

    def sendable(self, listed: Listed, path: Path, own: Store) -> Sendable:
        """Return the last file of a game as it can be sent; raises LibraryFailed."""

    def routes(self) -> list[BaseRoute]:
        """Return the addresses below which letters are made, sent and fetched."""


class Host(Protocol):
    """The surroundings of the pages.

    `doors` let browsers in, and `events` tell them what happens; `robot` and `mail` are None if the
    host has none.
    """

    doors: Doors
    events: Events
    robot: Robot | None = None
    mail: Mail | None = None

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        """Call a function behind all that was put into a queue of that name, and return its result.

        No queue waits for another, if the host can do several things at once.
        """

    def analyse(self, match: Match, known: Sequence[HiddenCards]) -> Analysis:
        """Look at a whole game, as far as hands are known; in any thread, and it takes a while."""
        return analyse(match, known)

    def put(self, queue: str, function: Callable[[], object]) -> None:
        """Have a function called that raises nothing, behind all that is in a queue already."""
