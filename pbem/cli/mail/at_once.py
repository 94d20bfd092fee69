"""What becomes of a file as soon as it is written: `--mail`, `--send`, or how to send it.

Nothing of mail is imported for who wants neither.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.home import at_home, command_of
from pbem.foreign import quoted

if TYPE_CHECKING:
    from pbem.mail.draft import DraftFile
    from pbem.protocol.match import Match

Send = Annotated[
    bool, typer.Option("--send", help="Send it from your mail account, once it is written.")
]
Mail = Annotated[
    bool,
    typer.Option("--mail", help="Write the letter too, ready to be sent by your mail program."),
]


def draft_beside(file: Path) -> DraftFile:
    """The draft of a letter that goes with the file of a game."""
    from pbem.mail.draft import DraftFile

    return DraftFile.beside(file)


def write_draft(
    context: typer.Context, draft: DraftFile, file: Path, match: Match, data: bytes
) -> None:
    """Write the letter with a file that was written just now; else say how to make it."""
    from pbem.cli.mail.drafts import write_beside

    write_beside(context, draft, file, match, data)


def check_can_send(context: typer.Context) -> None:
    """Raise WrongUse or Unreadable where no account to send by is set up: before anything is."""
    from pbem.cli.mail.account import own_account

    own_account(context, "smtp")


def send_at_once(context: typer.Context, file: Path) -> None:
    """Send a file that was written just now; else say that it is written, and how to send it."""
    from pbem.cli.mail.sending import send_written

    send_written(context, file)


def say_how_to_send(context: typer.Context, file: Path, *, knows_whom: bool = True) -> None:
    """Print by which command a file is sent, if it can be; who only plays hears of no settings."""
    settings = at_home(context).config_path
    if not os.path.exists(settings):  # noqa: PTH110 - which may raise
        return
    from pbem.mail.account import can_send

    if not can_send(settings):
        return
    send = f"{command_of(context)} mail send {quoted(file)}"
    console.say_whole(
        Message("To send it from your account: {command}", command=send)
        if knows_whom
        else Message("To send it from your account: {command} --to ADDRESS", command=send)
    )
