"""Which players can be named on the command line: those whom the player has met."""

from __future__ import annotations

import typer

from pbem.cli.own_library import own_library


def players_met(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """The beginning of each key that goes on as what is typed, and whose it is."""
    from pbem.cli.players.listing import described
    from pbem.cli.players.recognising import digits

    own = own_library(context)
    met = own.players().all() if own and not context.params.get("key") else []
    return [(digits(one.key), described(one)) for one in met if one.key.hex().startswith(typed)]
