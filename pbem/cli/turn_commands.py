"""`acres turn`: its commands put together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.late import Late, group_of

_COMMANDS = {
    "show": Late("show_command", "show"),
    "legal": Late("legal", "legal"),
    "apply": Late("apply_commands", "apply"),
    "resign": Late("apply_commands", "resign"),
}

app = typer.Typer(
    name="turn",
    cls=group_of(_COMMANDS),
    help="See where a game stands, what you can do, and answer.",
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
