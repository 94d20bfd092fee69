"""`acres mail`: its commands put together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.help import Command, Group
from pbem.cli.mail.draft_command import draft
from pbem.cli.mail.fetch_command import fetch, watch
from pbem.cli.mail.send_command import send
from pbem.cli.mail.setup_command import check, setup

app = typer.Typer(
    name="mail",
    cls=Group,
    help="Send your turns by e-mail, and fetch your opponent's.",
    rich_markup_mode=None,
)
app.command(cls=Command)(draft)
app.command(cls=Command)(send)
app.command(cls=Command)(fetch)
app.command(cls=Command)(watch)
app.command(cls=Command)(setup)
app.command(cls=Command)(check)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
