"""Where this computer does not remember, nothing is signed before the player vouches for the file.

To whoever has forgotten the answer to it, an older file of a game looks like the newest one, and an
invitation that was taken up like one that was not.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from engine.message import Message, Said, mark, sentences
from pbem.cli import console
from pbem.errors import WrongUse

OPTION = "--newest"
Newest = Annotated[
    bool,
    typer.Option(
        OPTION,
        help="This file is the newest of its game: sign, though this computer does not remember "
        "your part in it.",
    ),
]
NewestToJoin = Annotated[
    bool,
    typer.Option(
        OPTION,
        help="You take this invitation up for the first time: join, though this computer does not "
        "remember what you have signed.",
    ),
]
NewestToServe = Annotated[
    bool,
    typer.Option(
        OPTION,
        help="Nothing will come that it has answered before: play on, though its home has lost its "
        "library.",
    ),
]


class Forgotten(WrongUse):
    """It is not remembered what was signed, and nobody has vouched for the file."""


class Doubt(NamedTuple):
    """What is told to whoever would sign without remembering, and asked.

    `way_out` says how to find out what was signed, `vouching` how to say that the file is right;
    `hint` is a marked message, as for `console.ask_yes`.
    """

    risk: Said
    way_out: Said
    vouching: Said
    question: Said
    hint: str

    def check_vouched(self) -> None:
        """Ask the player. Raises Cancelled, and Forgotten where there is nobody to be asked."""
        if not console.is_terminal():
            written = Message("Nothing was written.")
            raise Forgotten(sentences(str(self.risk), self.way_out, self.vouching, written))
        console.say(sentences(str(self.risk), self.way_out))
        if not console.ask_yes(self.question, self.hint):
            raise console.Cancelled


def of_game(command: str) -> Doubt:
    """A file of a game in which more may have been signed.

    `command` is how the program is called.
    """
    forgotten = Message("This computer does not remember your part in this game.")
    risk = Message(
        "If you have answered this file before, or a later one, another answer is proof of "
        "cheating, and can show your opponent your hand and draw pile."
    )
    return Doubt(
        sentences(forgotten, risk),
        Message(
            "Look for the newest file, also among those you have sent: {command} games add FOLDER "
            "finds your games. Or ask your opponent for the last one.",
            command=command,
        ),
        Message("If it is this one, say so with {option}.", option=OPTION),
        Message("Is this the newest file of the game?"),
        mark("{yes} goes on to your answer, {no} stops here."),
    )


def of_invitation(command: str) -> Doubt:
    """An invitation that may have been taken up before."""
    forgotten = Message("This computer does not remember what you have signed before.")
    risk = Message(
        "If you have taken up this invitation already, to do so again is proof of cheating, and "
        "lets the inviter choose your first hand."
    )
    return Doubt(
        sentences(forgotten, risk),
        Message(
            "Look among the files you have sent: {command} games add FOLDER finds your games.",
            command=command,
        ),
        Message("If it is the first time, say so with {option}.", option=OPTION),
        Message("Do you take it up for the first time?"),
        mark("{yes} takes it up, {no} stops here."),
    )


def robot_forgot() -> Message:
    """Why a robot signs nothing in a game, or a home, of which it does not remember its part."""
    forgotten = Message(
        "This computer does not remember what the robot signed, so that it might answer a file "
        "twice."
    )
    vouching = Message(
        "If nothing will come that it has answered before, say so with {option}.", option=OPTION
    )
    return sentences(forgotten, vouching)
