"""`acres serve-robot`: a practice player as an opponent, by folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.home import (
    has_identity,
    has_library,
    home_of,
    identity_path,
    load_identity,
)
from pbem.cli.numbers import number_for, seconds_for
from pbem.cli.paths import reaching, shown
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.cli.robot.answering import Correspondence, Incoming
    from pbem.cli.robot.inbox import Arrived, Inbox
    from pbem.identity import Identity

NAME = "Robot"
EVERY = 10
MOST_GAMES = 20


def serve_robot(
    context: typer.Context,
    inbox: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder in which your files arrive.")
    ] = None,
    outbox: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder for its answers; it may be the same one."),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(
            metavar="TIME",
            parser=seconds_for("--every"),
            help="How often it looks, such as 30s or 5m. Usual: 10s.",
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Answer what is there, and stop.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play with this address alone; may be given several times.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_for("--games"),
            help="How many games it plays at once. Usual: 20.",
        ),
    ] = None,
) -> None:
    """Let a practice player be your opponent.

    It joins the games to which it is invited, answers every file that is its to answer, and closes
    games that are over, until Ctrl-C stops it. It plays with a key of its own, which it makes in
    the folder robot of your home, or in another --home, and sees its own cards only.
    """
    from pbem.cli.robot.answering import Correspondence
    from pbem.cli.robot.guests import Guests
    from pbem.cli.robot.inbox import Inbox

    if inbox is None or outbox is None:
        raise WrongUse("Say where your files arrive and where its answers go: --inbox, --outbox.")
    if games is not None and games < 1:
        raise WrongUse(f"--games takes a number from 1 on, not {games}.")
    for folder in (inbox, outbox):
        with reaching(folder, "cannot be made a folder"):
            folder.mkdir(parents=True, exist_ok=True)
    identity = _identity(context)
    guests = Guests(frozenset(map(str.casefold, only or ())), games or MOST_GAMES)
    robot = Correspondence(context, identity, guests)
    if once:
        _Round(robot, Inbox(inbox), outbox, is_last=True).go()
        return
    console.say(f"{console.named(identity.name)} answers what arrives in this folder:")
    console.say_whole(f"  {shown(inbox)}")
    console.say("To stop it, press Ctrl-C.")
    attend = _Round(robot, Inbox(inbox), outbox, is_last=False)
    while True:
        attend.go()
        console.flush()
        time.sleep(every or EVERY)


def _identity(context: typer.Context) -> Identity:
    """Who the robot is: as it is at home there, or made now. WrongUse for the home of a person."""
    root = context.find_root()
    if root.obj is None:
        root.obj = home_of(context) / "robot"
    if not has_identity(context) and not has_library(context):
        return _made(context)
    identity = load_identity(context)
    if NAME.casefold() not in identity.name.casefold():
        raise WrongUse(
            f"This home is that of {console.named(identity.name)}, and a robot plays in the name "
            f"of a robot, with a key of its own: name another home, such as --home robot."
        )
    return identity


def _made(context: typer.Context) -> Identity:
    from pbem import keyfile
    from pbem.cli.words import fingerprint
    from pbem.identity import Identity

    identity, path = Identity.generate(NAME, ""), identity_path(home_of(context))
    with reaching(path, "cannot be written"):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        keyfile.save(identity, path)
    console.say(f"A robot was made, with a key of its own ({fingerprint(identity.public_key)}):")
    console.say_whole(f"  {shown(path)}")
    return identity


class _Round:
    """A look into the inbox, and an answer to all that is new; `is_last` if no other is taken."""

    def __init__(self, robot: Correspondence, inbox: Inbox, outbox: Path, *, is_last: bool) -> None:
        self._robot = robot
        self._inbox = inbox
        self._outbox = outbox
        self._is_last = is_last
        self._told: dict[str, str] = {}

    def go(self) -> None:
        """Do it once. Raises WrongUse where the inbox cannot be read, NoMemory as `Memory` does."""
        from pbem.cli.robot.answering import incoming
        from pbem.errors import Unreadable

        for arrived in self._inbox.arrived():
            path = arrived.path
            try:
                done = [self._is_done(each, arrived) for each in incoming(path, self._outbox)]
                is_done = all(done)
            except Unreadable as error:
                is_done = arrived.is_settled or self._is_last
                if is_done:
                    self._tell(shown(Path(path.name)), str(error))
            if is_done:
                self._inbox.done(path)

    def _is_done(self, incoming: Incoming, arrived: Arrived) -> bool:
        """Answer a file; whether nothing is left to do about it. Raises Unreadable and NoMemory."""
        from engine.house_rules import UnknownRules
        from pbem.cli.memory import NoMemory, NotNow, Older
        from pbem.cli.robot.answering import NotWritten
        from pbem.errors import AcresError, Unreadable

        try:
            answered = self._robot.answer(incoming)
        except (NoMemory, Unreadable):
            raise
        except (NotNow, NotWritten) as error:
            self._tell(incoming.name, str(error))
            return False
        except (AcresError, UnknownRules) as error:
            # What was answered before it started was told then.
            if not (arrived.was_there and isinstance(error, Older)):
                self._tell(incoming.name, str(error))
            return True
        if answered:
            console.say_whole(answered.told(incoming.name))
        return True

    def _tell(self, name: str, sentence: str) -> None:
        """Say why a file is not answered, unless that was said of it the last time."""
        if self._told.get(name) != sentence:
            console.say_whole(f"{name}: {sentence}")
        self._told[name] = sentence
