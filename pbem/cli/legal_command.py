"""`acres turn legal`: what can be ordered."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import completion
from pbem.cli.reading import File

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...",
        help="List only orders with these words; the beginning of a word will do.",
        autocompletion=completion.words,
    ),
]
After = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ORDER",
        help="List what can follow this order; may be given several times.",
        autocompletion=completion.orders,
    ),
]
Why = Annotated[
    str | None,
    typer.Option(
        metavar="ORDER",
        help="Explain what stands in the way of this order.",
        autocompletion=completion.orders,
    ),
]
All = Annotated[bool, typer.Option("--all", help="List each order, even where they are many.")]
Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]


def legal(
    context: typer.Context,
    file: File,
    word: Words = None,
    after: After = None,
    why: Why = None,
    all_: All = False,
    json: Json = False,
) -> None:
    """List the orders that you may give, or explain one with --why.

    Words choose among them: acres turn legal FILE settle, or acres turn legal FILE raid halifax.
    """
    from pbem.cli.legal import explain, say_legal

    if why is not None:
        explain(context, file, word or [], after or [], why, json=json)
    else:
        say_legal(context, file, word or [], after or [], in_full=all_, json=json)
