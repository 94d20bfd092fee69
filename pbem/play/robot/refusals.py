"""What the robot does not accept, and why: told to its keeper, or to the sender as well."""

from __future__ import annotations

from engine.message import Message, Said
from pbem.errors import WrongUse


class NotWelcome(WrongUse):
    """Somebody with whom the robot does not play, and who is told nothing.

    `address` is that in the game, empty where there is none.
    """

    def __init__(self, address: str = "", told: Said = "") -> None:
        super().__init__(told or Message("The robot does not play with just anybody."))
        self.address = address


class TurnedDown(NotWelcome):
    """The sender of a file can do something about its refusal, and is told why.

    That holds no word of the sender's: anybody can send an invitation in the name of somebody else,
    who then gets the answer.
    """

    def __init__(self, why: Said) -> None:
        super().__init__(told=why)


class NoPlace(TurnedDown):
    """There is no place for another game: there may be one later."""


class NoRoom(NoPlace):
    """All places are taken, by whomever: by mail the invitation can wait for one."""


class NotWritten(WrongUse):
    """There is no room for the answer to a file, which is to be answered later."""
