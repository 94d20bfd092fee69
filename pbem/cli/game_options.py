"""The options of the commands that begin a game, and what they mean for both players."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.players import STRENGTHS
from pbem.cli import completion
from pbem.cli.numbers import number_option
from pbem.protocol.steps import MAX_LISTS

_ONLY_IF = "Join only if the invitation"


class SideChoice(StrEnum):
    """A side to play, or any."""

    british = "british"
    french = "french"
    any = "any"


class HomeSupportChoice(StrEnum):
    """How the cards of Home Support come."""

    asked = "asked"
    ahead = "ahead"


def _edition(help: str) -> Any:
    return typer.Option(
        "--edition", metavar="EDITION", help=help, autocompletion=completion.editions
    )


def _house_rules(help: str) -> Any:
    return typer.Option(
        "--house-rule", metavar="ID", help=help, autocompletion=completion.house_rules
    )


def _lists(help: str, most: int | None = None) -> Any:
    return number_option("--lists", help, most=most, autocompletion=completion.numbers_of_lists)


Edition = Annotated[str | None, _edition("The printed edition. Default: second.")]
HouseRules = Annotated[list[str] | None, _house_rules("A house rule; may be given several times.")]
Lists = Annotated[
    int | None,
    _lists(
        "Lists per shuffle, a power of two: a deck with wrong cards passes one time in N. "
        "Default: 1024."
    ),
]
FewestLists = Annotated[
    int | None,
    _lists("How many lists a shuffle must have at least. Default: 256.", MAX_LISTS),
]
HomeSupport = Annotated[
    HomeSupportChoice | None,
    typer.Option(
        help="How the cards of Home Support come. asked: with an answer, which costs another file; "
        "ahead: at once, but whoever may hold the card sees up to three cards ahead. Default: "
        "asked."
    ),
]
StartCard = Annotated[
    str | None,
    typer.Option(
        metavar="CARD",
        help="The card you begin with, as the French with the house rule “French start card”.",
        autocompletion=completion.start_cards,
    ),
]
Output = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The file to write, which must not exist yet.")
]

# What a guest demands of an invitation.
DemandedEdition = Annotated[str | None, _edition(f"{_ONLY_IF} names this edition.")]
DemandedHouseRules = Annotated[
    list[str] | None,
    _house_rules(f"{_ONLY_IF} names this house rule and no other; may be given several times."),
]
DemandedLists = Annotated[int | None, _lists(f"{_ONLY_IF} has this many lists per shuffle.")]
DemandedHomeSupport = Annotated[
    HomeSupportChoice | None,
    typer.Option(
        help=f"{_ONLY_IF} has the cards of Home Support come this way: asked for, or named ahead."
    ),
]


def strength_option(help: str) -> Any:
    """`--strength N`, for the strengths that there are."""
    return number_option(
        "--strength", help, most=max(STRENGTHS), autocompletion=completion.strengths
    )
