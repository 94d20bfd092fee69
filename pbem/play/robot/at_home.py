"""The robot on this computer: it plays with its user, and with nobody else.

It has a home, a key and a session of its own: its own library decides what it signs, as any
player's does. Its games lie in a folder of their own, whichever front end they were begun with, in
which it answers each file that it has to answer. Each strength has a folder of its own there, so
that a game goes on at the strength at which it was begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from engine.house_rules import UnknownRules
from engine.message import NOTHING, Said, labelled, message_of
from engine.order import Order
from engine.players import QUICK
from engine.state import State
from engine.value import Value
from pbem.errors import AcresError, Unreadable, reaching
from pbem.foreign import shown
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.own_library import OwnLibrary
from pbem.play.questions import NoLibrary, SignedBefore, Standing, Unanswered
from pbem.play.robot.answering import Correspondence, Incoming
from pbem.play.robot.game_folders import folder_of_robot
from pbem.play.robot.guests import Guests, Welcome
from pbem.play.robot.inbox import Arrived, Inbox
from pbem.play.robot.places import Places
from pbem.play.robot.player import Players, one_for_each_game
from pbem.play.robot.refusals import NotWritten
from pbem.play.robot.robot_home import check_robot, home_of_robot, is_vacant, make_robot
from pbem.play.session import Session
from pbem.savefile.disk import AlreadyThere, clear_away, read_file

SUFFIX = ".toml"
MOST = 10_000
"""Games at once: the computer's owner may begin as many as there is room for."""

Refused = Callable[[Unanswered], AcresError]
"""Words why the robot signs nothing, and what its keeper can do about it."""


class Answered(Value):
    """A file that the robot wrote in the game of that id."""

    game: bytes
    path: Path


def key_of_robot(home: Home) -> bytes | None:
    """The public key of the robot in the home of its keeper; None where there is none yet."""
    return Home(home_of_robot(home.folder)).own_key


def take_note(own: OwnLibrary, path: Path, key: bytes | None) -> None:
    """Note in the library of its keeper a file that the robot with that key has written.

    Nobody needs to be asked by telephone whose key it is. Raises AcresError or LibraryFailed.
    """
    records = own.read(read_file(path), path).match.records
    recognised = own.recognise(records)
    if recognised is not None and recognised.person.key == key:
        own.vouch(recognised.person)
    own.end()


# --- the robot


_players = cache(one_for_each_game)
"""By their strength, those that think in a process of their own."""


def _choose(strength: int, game: bytes, seed: bytes, state: State) -> Order:
    return _players(strength)(game, seed)(state)


def _thinking_beside(helper: Helper, strength: int) -> Players:
    """Players of a strength that think in the process of a helper."""
    return lambda game, seed: lambda state: helper.call(_choose, strength, game, seed, state)


class RobotAtHome:
    """The robot at home with the player of that key: one look answers what waits in its folder.

    That is the folder of its `strength`. Questions before a signature are `refused` in words of the
    front end. The `helper` does the long thinking.
    """

    def __init__(
        self,
        keeper: Home,
        key: bytes,
        refused: Refused,
        strength: int = QUICK,
        helper: Helper | None = None,
    ) -> None:
        self.folder = folder_of_robot(keeper, strength)
        self._players = one_for_each_game(strength)
        if strength != QUICK and helper is not None:
            self._players = _thinking_beside(helper, strength)
        self._home = Home(home_of_robot(keeper.folder), clock=keeper.clock)
        self._guests = Guests(Welcome(keys=frozenset({key})), Places(MOST, MOST, MOST), lists=1)
        self._refused = refused
        self._robot: Correspondence | None = None
        self._inbox = Inbox(self.folder)
        self._left: dict[Path, Said] = {}

    @property
    def troubles(self) -> tuple[Said, ...]:
        """Why files were left alone that still lie there, in sentences."""
        return tuple(labelled(shown(path), said) for path, said in self._left.items())

    def look(self) -> Iterator[Answered]:
        """Answer what is new in its folder, file by file.

        Raises AcresError or LibraryFailed where the robot cannot play at all.
        """
        if not self.folder.is_dir():
            return
        robot = self._robot or self._sat_down()
        self._left = {path: said for path, said in self._left.items() if path.exists()}
        for arrived in self._inbox.arrived():
            try:
                answered = self._answered(robot, arrived)
            finally:
                robot.session.library.end()
            if answered is not None:
                yield answered

    def answer(self, path: Path) -> Answered | None:
        """Answer that file, whoever waits for it; None if it was answered before.

        Raises AcresError, UnknownRules or LibraryFailed where it cannot; of these Unanswered with
        what stands before it.
        """
        robot = self._robot or self._sat_down()
        try:
            found = robot.answer(_incoming(path))
        finally:
            robot.session.library.end()
        return Answered(found.match.id, found.path) if found else None

    def _sat_down(self) -> Correspondence:
        if is_vacant(self._home):
            # Another program may make it just now.
            with suppress(AlreadyThere):
                make_robot(self._home, "")
        session = Session.open(self._home)
        check_robot(session.identity)
        clear_away(self.folder)
        self._robot = Correspondence(session, self._guests, self._players)
        return self._robot

    def _answered(self, robot: Correspondence, arrived: Arrived) -> Answered | None:
        """What comes of a file, which is left for the next look where it has to wait."""
        path, is_done, found = arrived.path, True, None
        why: Said = NOTHING
        try:
            if path.suffix.lower() == SUFFIX:
                found = robot.answer(_incoming(path))
        except NotWritten as error:
            is_done, why = False, message_of(error)
        except Unanswered as error:
            question = error.questions[0]
            is_older = isinstance(question, SignedBefore) and question.standing is Standing.OLDER
            # What was answered before is not reported.
            why = NOTHING if is_older else message_of(self._refused(error))
            is_done = not (isinstance(question, NoLibrary) and question.may_pass)
        except Unreadable as error:
            # A file being copied there may not be complete yet.
            is_done, why = arrived.is_settled, message_of(error)
        except (AcresError, UnknownRules) as error:
            why = message_of(error)
        self._left.pop(path, None)
        if why:
            self._left[path] = why
        if is_done:
            self._inbox.done(path)
        return Answered(found.match.id, found.path) if found else None


def _incoming(path: Path) -> Incoming:
    return Incoming(read_file(path), path, shown(path), path, came=_came(path))


def _came(path: Path) -> str:
    """Since when a file has been there."""
    with reaching(path):
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return changed.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
