"""`acres mail draft`: the letter with a turn, as a file that a mail program opens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.completion import saves
from pbem.cli.given import take
from pbem.cli.mail.draft_file import Draft
from pbem.cli.mail.own_file import check_own, path_of
from pbem.cli.reading import read_given
from pbem.errors import WrongUse


def draft(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The file that you have written.", autocompletion=saves
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The draft to write; usual: beside FILE, as .eml."),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Send it there, and not to the address given in the game."
        ),
    ] = "",
) -> None:
    """Write the letter with your file, ready to be sent by your mail program.

    It tells what happened as everybody may see it, and how to answer; the file is attached. The
    letters of a game form a thread.
    """
    check_to(to)
    given = take(context, file)
    game = read_given(context, given)
    check_own(context, file, game.match)
    path = path_of(context, file, given, game)
    made = Draft(output) if output else Draft.beside(path)
    made.write(context, game.match, game.save.write(), path.name, to)


def check_to(to: str) -> None:
    """Raise WrongUse where an address is none that mail takes."""
    if not to:
        return
    from pbem.mail.address import is_address

    if not is_address(to):
        raise WrongUse(no_address(to))


def no_address(text: str) -> Message:
    """That a text is no address that mail takes, and how one is written."""
    return Message(
        "Mail takes no address like {address}: it is written as in anna@example.org, without a "
        "name.",
        address=console.mailbox(text),
    )
