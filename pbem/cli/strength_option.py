"""The option that says how strong a robot plays."""

from __future__ import annotations

from typing import Any

import typer

from engine.players import STRENGTHS
from pbem.cli import completion
from pbem.cli.numbers import number_up_to


def strength_option(help: str) -> Any:
    """`--strength N`, for the strengths that there are."""
    return typer.Option(
        "--strength",
        metavar="N",
        parser=number_up_to(max(STRENGTHS), "--strength"),
        help=help,
        autocompletion=completion.strengths,
    )
