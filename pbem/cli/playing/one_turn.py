"""A turn that is shown, led and written, whoever waits for it."""

from __future__ import annotations

from pathlib import Path

import typer

from pbem.cli import console
from pbem.cli.answering import AnswerCommand, How
from pbem.cli.leading.lead import lead_through
from pbem.cli.own_games import end_library, own_library
from pbem.play.memory import Written

_HOW = How(
    output=None,
    note=None,
    dry_run=False,
    mail=False,
    send=False,
    picture=False,
    replace=False,
    newest=False,
    offers=True,
)


def turn_taken(context: typer.Context, file: Path, *, is_sent: bool = True) -> Written:
    """The answer to that file, written beside it: led, unless there is nothing to decide.

    One that was signed, and not written because the program was killed, is written as it is. It
    `is_sent` where the player wants that, or it is said how. Raises Cancelled where the player
    leaves it; and as `AnswerCommand`.
    """
    answering = AnswerCommand(context, file, _HOW)
    turn, clerk = answering.turn, answering.clerk
    found = turn.found_again
    if found is not None and found.is_signed:
        clerk.resume()
    is_led = not turn.is_complete
    if is_led:
        answering.allow_another()
        clerk.notes = lead_through(turn, clerk.path, dry_run=False, notes=clerk.notes)
    written = answering.write(told=is_led)
    assert written is not None
    if is_sent:
        answering.follow(written)
    own = own_library(context)
    if own is not None:
        # What is looked for next is looked up in it.
        end_library(own)
    console.flush()
    return written
