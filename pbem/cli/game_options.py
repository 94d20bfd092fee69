"""The options of the commands that begin a game, and what they mean for both players."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.message import Message
from engine.players import STRENGTHS
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import new_game
from pbem.cli import answers, completion, console
from pbem.cli.numbers import number_option
from pbem.errors import WrongUse
from pbem.protocol.steps import MAX_LISTS
from pbem.words.ordering.reading import start_card as start_card_meant
from pbem.words.ordering.reading import start_cards

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


def start_card_chosen(ruleset: Ruleset, side: Side | None, named: str | None) -> str | None:
    """The id of the start card of `side`: the one `named`, or what the player answers.

    None where there is none to choose. Raises WrongUse where it has to be named, or is none.
    """
    if not ruleset.chooses_start_card(side):
        if named is not None:
            raise WrongUse("You have no card to choose before this game: leave --start-card out.")
        return None
    state, language = new_game(ruleset), console.language()
    if named is not None:
        return start_card_meant(language, named, state)
    cards = ", ".join(start_cards(language, state))
    if not console.is_terminal():
        raise WrongUse(
            "The French begin with a card of their choice: --start-card one of {cards}.",
            cards=cards,
        )
    console.say(
        Message("You begin with one more card in your deck. You can choose: {cards}.", cards=cards)
    )
    while True:
        try:
            return start_card_meant(language, answers.ask(Message("Which card? ")), state)
        except WrongUse as error:
            console.say(error.said, style="yellow")
