"""A robot's home, and its identity there: a key of its own, and a robot's name."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message
from pbem.errors import AcresError, WrongUse
from pbem.foreign import named
from pbem.keys import keyfile
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity

NAME = "Robot"
"""Whoever has it in the name is not a person."""


class OtherHome(WrongUse):
    """An identity as which no robot can play there; in another home it can, `such_as` this."""

    def __init__(self, why: Message, such_as: str) -> None:
        super().__init__(why)
        self.such_as = such_as


def check_robot(identity: Identity, email: str = "") -> None:
    """Raise OtherHome where it is a person's, or has no address although it needs one."""
    if NAME.casefold() not in identity.name.casefold():
        why = Message(
            "This home belongs to {player}; a robot plays under a name of its own, with a key of "
            "its own.",
            player=named(identity.name),
        )
        raise OtherHome(why, "robot")
    if email and not identity.email:
        why = Message(
            "{player} has no address in its games, because it was made without one: to play by "
            "mail, make a robot in another home.",
            player=named(identity.name),
        )
        raise OtherHome(why, "mail-robot")


def home_of_robot(usual: Path) -> Path:
    """The folder in which a robot lives where none is named: one in the `usual` one."""
    return usual / NAME.lower()


def is_robot_of(usual: Path, key: bytes) -> bool:
    """Whether it is the key of the robot that lives in that home: its secret half lies there, too.

    Of a robot that lives elsewhere, nobody can know that it is one.
    """
    try:
        kept = keyfile.read(Home(home_of_robot(usual)).identity_path)
        return not kept.is_sealed and kept.open(lambda: "").public_key == key
    except (AcresError, OSError):
        return False


def is_vacant(home: Home) -> bool:
    """Whether nobody has ever lived there, so that a robot can be made."""
    return not home.has_identity and not home.has_played


def make_robot(home: Home, email: str) -> Session:
    """Make a robot, with that address in its games, at a home that is vacant."""
    return Session.create(home, Identity.generate(NAME, email))
