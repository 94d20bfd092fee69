"""`acres turn show`: where a game stands."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.numbers import number_for
from pbem.cli.reading import File


def show(
    context: typer.Context,
    file: File,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_for("--at"),
            help="Look back: the position after record N, 0 the first.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """Show the position as you may see it, and what happened last.

    Your own hand is shown, and that of a player who has closed the game.
    """
    from pbem.cli.standing import say_standing

    say_standing(context, file, at, json=json)
