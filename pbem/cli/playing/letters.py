"""The player's mailbox, where one is set up: looked into before a turn, and sent from after it.

Nothing of mail is imported where there is none.
"""

from __future__ import annotations

import typer

from engine.message import Message, mark
from pbem.cli import answers, console
from pbem.cli.mail.at_once import Posting
from pbem.cli.own_home import at_home
from pbem.errors import AcresError
from pbem.play.memory import Written
from pbem.words.phrases import address


def fetch_letters(context: typer.Context) -> None:
    """Take in what came by mail; where that fails it is told, and keeps nobody from playing."""
    settings = at_home(context).config_path
    if not settings.exists():
        return
    from pbem.mail.account import can_fetch

    if not can_fetch(settings):
        return
    from pbem.cli.mail.fetch_command import fetch_new

    try:
        fetch_new(context)
    except AcresError as error:
        console.warn(error.said)


def send_or_tell(context: typer.Context, written: Written) -> None:
    """Send a file by mail if the player wants that; else say that it is to be sent."""
    match = written.match
    own = match.last.side
    opponent = next(side for side in match.entrants if side.value != own)
    to = address(match, opponent)
    if _can_send(context):
        from pbem.cli.mail.send_command import send_written

        question = Message("Send it to {address} now?", address=to)
        if answers.ask_yes(
            question, mark("{yes} sends it from your account, {no} leaves it here.")
        ):
            send_written(context, written.path, picture=False)
            return
    Posting(context).follow(written, Message("Next: send it to {address}.", address=to))


def _can_send(context: typer.Context) -> bool:
    settings = at_home(context).config_path
    if not settings.exists():
        return False
    from pbem.mail.account import can_send

    return can_send(settings)
