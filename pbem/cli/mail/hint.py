"""After a file was written: how it goes out, for a player whose mail account is set up."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.home import command_of, config_path, home_of
from pbem.cli.paths import quoted
from pbem.errors import AcresError


def say_how_to_send(context: typer.Context, file: Path, *, knows_whom: bool = True) -> None:
    """Print by which command a file is sent, if it can be; who only plays hears of no settings."""
    if not _can_send(context):
        return
    send = f"{command_of(context)} mail send {quoted(file)}"
    console.say_whole(
        Message("To send it from your account: {command}", command=send)
        if knows_whom
        else Message("To send it from your account: {command} --to ADDRESS", command=send)
    )


def _can_send(context: typer.Context) -> bool:
    try:
        if not config_path(home_of(context)).exists():
            return False
        from pbem.cli.mail.own_account import own_account

        return own_account(context).smtp is not None
    except (AcresError, OSError):
        # The answer is written: what is wrong with the settings is told to who sends.
        return False
