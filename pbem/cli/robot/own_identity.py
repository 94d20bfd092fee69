"""Who the robot is: somebody with a home and a key of its own, and the name of a robot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from engine.message import Message, message_of, sentences
from pbem.cli import console
from pbem.cli.listed_games import add_all
from pbem.cli.own_games import own_games, warn_of_library
from pbem.cli.own_home import at_home, home_of, load_identity
from pbem.errors import WrongUse, exists
from pbem.foreign import shown
from pbem.play.robot.robot_home import (
    OtherHome,
    check_robot,
    home_of_robot,
    is_vacant,
    make_robot,
)
from pbem.protocol.identity import Identity
from pbem.words.phrases import fingerprint


def go_home(context: typer.Context) -> None:
    """Let the command run in the home of the robot: a folder in the usual one, if none is named."""
    root = context.find_root()
    if root.obj is None:
        root.obj = home_of_robot(home_of(context))


def robot_identity(context: typer.Context, email: str = "") -> Identity:
    """Who the robot is at home there; made, with that address, where nobody is.

    Raises WrongUse where it is the home of a person, and as `load_identity`.
    """
    home = at_home(context)
    if is_vacant(home):
        return _made(context, email)
    identity = load_identity(context)
    try:
        check_robot(identity, email)
    except OtherHome as error:
        name = Message("Name another home, such as {option}.", option=f"--home {error.such_as}")
        raise WrongUse(sentences(message_of(error), name)) from None
    return identity


def begin_anew(context: typer.Context, folders: Sequence[Path]) -> None:
    """Take it from the keeper that nothing will come that was answered before.

    What lies in these folders is learnt first. Does nothing where all is remembered. Raises
    WrongUse where the library cannot be used.
    """
    with own_games(context) as own:
        library = own.open()
        if not library.is_complete():
            add_all(library, [folder for folder in dict.fromkeys(folders) if exists(folder)])
            library.complete(with_games=True)


def _made(context: typer.Context, email: str) -> Identity:
    session = make_robot(at_home(context), email)
    warn_of_library(session.library)
    identity, path = session.identity, session.home.identity_path
    key = fingerprint(identity.public_key)
    console.say(Message("A robot was made, with a key of its own ({key}):", key=key))
    console.say_whole(f"  {shown(path)}")
    return identity
