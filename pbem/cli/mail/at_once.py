"""`--send`: a file goes to the opponent as soon as it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, message_of, sentences
from pbem.cli.home import command_of
from pbem.cli.mail.own_account import own_account, server_to
from pbem.cli.paths import quoted
from pbem.errors import AcresError, WrongUse

Send = Annotated[
    bool, typer.Option("--send", help="Send it from your mail account, once it is written.")
]


def check_can_send(context: typer.Context) -> None:
    """Raise WrongUse or Unreadable where no account to send by is set up: before anything is."""
    server_to(context, own_account(context), "smtp")


def send_at_once(context: typer.Context, file: Path) -> None:
    """Send a file that was written just now; else say that it is written, and how to send it."""
    from pbem.cli.mail.send_command import send_file
    from pbem.mail.sending import MayHaveArrived

    try:
        send_file(context, file)
    except MayHaveArrived as error:
        raise WrongUse(sentences(_written(file), message_of(error))) from None
    except AcresError as error:
        how_to_send = Message(
            "To send it: {command}", command=f"{command_of(context)} mail send {quoted(file)}"
        )
        raise WrongUse(sentences(_written(file), error.said, how_to_send)) from None


def _written(file: Path) -> Message:
    return Message("Your file {file} is written.", file=file)
