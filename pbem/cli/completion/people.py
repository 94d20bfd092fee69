"""Whose line it is that is being typed, and which players can be named on it."""

from __future__ import annotations

from pathlib import Path

import typer

from pbem.cli import console
from pbem.cli.own_library import own_library


def go_home(context: typer.Context) -> None:
    """Take note of the home that the line names: no command has run that would have done it."""
    root = context.find_root()
    home: str | None = root.params.get("home")
    root.obj = Path(home) if home else None


def players_met(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """The beginning of each key that goes on as what is typed, and whose it is."""
    from pbem.cli.players.listing import described
    from pbem.cli.players.recognising import digits

    go_home(context)
    own = own_library(context)
    met = own.players().all() if own and not context.params.get("key") else []
    fitting = ((digits(one.key), one) for one in met)
    return [(key, console.told(described(one))) for key, one in fitting if key.startswith(typed)]
