"""`acres mail`: its commands put together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.late import Late, group_of

_COMMANDS = {
    "draft": Late("mail.draft_command", "draft"),
    "send": Late("mail.send_command", "send"),
    "fetch": Late("mail.fetch_command", "fetch"),
    "watch": Late("mail.fetch_command", "watch"),
    "setup": Late("mail.setup_command", "setup"),
    "check": Late("mail.setup_command", "check"),
}

app = typer.Typer(
    name="mail",
    cls=group_of(_COMMANDS),
    help="Send your turns by e-mail, and fetch your opponent's.",
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
