"""`acres turn`: its commands put together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.apply_commands import apply, resign
from pbem.cli.help import Command, Group
from pbem.cli.legal_command import legal
from pbem.cli.show_commands import show

app = typer.Typer(
    name="turn",
    cls=Group,
    help="See where a game stands, what you can do, and answer.",
    rich_markup_mode=None,
)
app.command(cls=Command)(show)
app.command(cls=Command)(legal)
app.command(cls=Command)(apply)
app.command(cls=Command)(resign)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
