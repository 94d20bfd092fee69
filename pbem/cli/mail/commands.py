"""`acres mail`: its commands put together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.help import Command, Group
from pbem.cli.mail.draft_command import draft

app = typer.Typer(
    name="mail",
    cls=Group,
    help="Send your turns by e-mail.",
    rich_markup_mode=None,
)
app.command(cls=Command)(draft)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
