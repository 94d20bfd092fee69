"""What the robot did with a file, and why it left one alone, told to its keeper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import typer

from engine.message import Message, Said, message_of, sentences
from engine.sides import Side
from pbem.cli import console
from pbem.cli.home import command_of, program
from pbem.cli.own_library import end_library, warn_of_library
from pbem.cli.players import warn_of_key
from pbem.cli.reading import explaining
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.play.game_file import whose_move
from pbem.play.questions import Unanswered
from pbem.play.robot.answering import Answered, Correspondence, Incoming
from pbem.play.robot.guests import Welcome
from pbem.play.robot.refusals import NotWelcome, TurnedDown
from pbem.words.proof.questions import Told

_KEY, _FINGERPRINT = 64, 16
"""Hexadecimal digits of a whole key, and of the beginning of one that players compare."""


def answered(context: typer.Context, robot: Correspondence, incoming: Incoming) -> Answered | None:
    """Have a file answered; raises what is to be told of it, as `Correspondence.answer` does."""
    own = robot.session.library
    try:
        with explaining(incoming.data, own.key), refusing(context):
            found = robot.answer(incoming)
    finally:
        warn_of_library(own)
        end_library(own)
    if found and found.changed:
        warn_of_key(found.changed, command_of(context))
    return found


@contextmanager
def refusing(context: typer.Context) -> Iterator[None]:
    """Tell the robot's keeper of what stands before a signature."""
    try:
        yield
    except Unanswered as error:
        raise Told(command_of(context), program(), is_unattended=True).refused(error) from None


def done(answered: Answered, name: Said) -> Message:
    """What came of the file of that name, in a sentence or two."""
    match, path, next_move = answered.match, shown(answered.path), whose_move(answered.match)
    if len(match.records) > 2:
        told = Message("{file} is answered with {answer}.", file=name, answer=path)
    else:
        told = Message(
            "{file} is an invitation by {player}, taken up as the {side} with {answer}.",
            file=name,
            player=console.named(match.invite.name),
            side=Side(match.last.side).label,
            answer=path,
        )
    return sentences(told, next_move)


def reason(error: Exception) -> Said:
    """Why a file was left alone."""
    if not isinstance(error, NotWelcome) or isinstance(error, TurnedDown):
        return message_of(error)
    if not error.address:
        return Message(
            "The robot does not play with just anybody: it was told with --only whom to answer."
        )
    return Message(
        "The robot does not play with {address}: it was told with --only whom to answer.",
        address=console.mailbox(error.address),
    )


def welcome_to(given: Iterable[str]) -> Welcome:
    """Who is meant by addresses and keys, as players write them; raises WrongUse for others."""
    addresses, keys = set[str](), set[bytes]()
    for text in given:
        digits = re.sub(r"\s", "", text.lower())
        if "@" in text:
            addresses.add(text.strip().casefold())
        elif re.fullmatch(r"[0-9a-f]+", digits) and len(digits) in (_KEY, _FINGERPRINT):
            keys.add(bytes.fromhex(digits))
        else:
            raise WrongUse(_neither(text))
    return Welcome(frozenset(addresses), frozenset(keys))


def _neither(text: str) -> Message:
    return Message(
        "--only takes an address, or the digits of a key as its player sees them with {command}: "
        "16, or better all 64; not “{text}”.",
        command="acres key show",
        text=text,
    )
