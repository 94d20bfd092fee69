"""What the robot did, and what it left alone, told to its keeper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import typer

from pbem.cli import console
from pbem.cli.asking import OPTIONS
from pbem.cli.mail.incoming import say_arrivals
from pbem.cli.mail.send_command import say_sent
from pbem.cli.opponent import warn_of_key
from pbem.cli.own_games import end_library, warn_of_library
from pbem.cli.own_home import command_of, program
from pbem.cli.progress import checking_records
from pbem.mail.given_file import explaining
from pbem.mail.robot import Event, Failed
from pbem.mail.sending import Sent
from pbem.play.questions import Unanswered
from pbem.play.robot.answering import Answered, Correspondence, Incoming
from pbem.sources import now
from pbem.words.lines import Line
from pbem.words.proof.signature import Told


def answered(context: typer.Context, robot: Correspondence, incoming: Incoming) -> Answered | None:
    """Have a file answered; raises what is to be told of it, as `Correspondence.answer` does."""
    own = robot.session.library
    try:
        with explaining(incoming.data, own.key, checking=checking_records), refusing(context):
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
        words = Told(command_of(context), program(), OPTIONS, is_unattended=True)
        raise words.refused(error) from None


def tell(context: typer.Context, events: Iterable[Event]) -> None:
    """Print what happens, as it does."""
    for event in events:
        match event:
            case Line():
                console.say_lines([event])
            case Failed(said):
                console.warn(said)
            case Sent(_, failure):
                if failure is None:
                    say_sent(event)
                else:
                    console.warn(failure.said)
            case news:
                say_arrivals(news, now(), command_of(context))
        console.flush()
