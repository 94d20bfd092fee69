"""What becomes of a file as soon as it is written: `--mail`, `--send`, or how to send it.

Nothing of mail is imported for who wants neither.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.home import at_home, command_of
from pbem.errors import AcresError
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
    from pbem.cli.mail.account import own_account, server_to

    server_to(context, own_account(context), "smtp")


def send_at_once(context: typer.Context, file: Path) -> None:
    """Send a file that was written just now; else say that it is written, and how to send it."""
    from pbem.cli.mail.sending import send_written

    send_written(context, file)


def say_how_to_send(context: typer.Context, file: Path, *, knows_whom: bool = True) -> None:
    """Print by which command a file is sent, if it can be; who only plays hears of no settings."""
    if not _can_send(at_home(context).config_path):
        return
    send = f"{command_of(context)} mail send {quoted(file)}"
    console.say_whole(
        Message("To send it from your account: {command}", command=send)
        if knows_whom
        else Message("To send it from your account: {command} --to ADDRESS", command=send)
    )


def _can_send(settings: Path) -> bool:
    try:
        if not settings.exists():
            return False
        from pbem.mail.account import Account
        from pbem.play.config import Config

        account = Account.of(Config.read(settings))
    except (AcresError, OSError):
        # The answer is written: what is wrong with the settings is told to who sends.
        return False
    return account is not None and account.smtp is not None
