"""The options that several commands have, and what they mean; and options in fewer words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

from engine.players import STRENGTHS
from pbem.cli import completion
from pbem.cli.numbers import number_option
from pbem.protocol.steps import MAX_LISTS


def flag(name: str, help: str) -> Any:
    """Return an option of that name that takes no value."""
    return typer.Option(name, help=help)


def option(metavar: str, help: str, *names: str, **settings: Any) -> Any:
    """Return an option that takes a text or a path, called as its parameter or by these names."""
    return typer.Option(*names, metavar=metavar, help=help, **settings)


Output = Annotated[Path | None, option("FILE", "The file to write, which must not exist yet.")]
DryRun = Annotated[bool, flag("--dry-run", "Only say what would happen; write nothing.")]
Note = Annotated[
    str | None, option("TEXT", "Private notes that travel sealed; they replace the old ones.")
]

# --- mail

To = Annotated[str, option("ADDRESS", "Send it there, and not to the address given in the game.")]
Send = Annotated[bool, flag("--send", "Send it from your mail account, once it is written.")]
Mail = Annotated[
    bool, flag("--mail", "Write a message with it too, ready to be sent by your mail program.")
]
Armor = Annotated[
    bool, flag("--armor", "Print it as a block of text too, to be pasted into a message.")
]
Picture = Annotated[
    bool, flag("--picture", "Attach a picture of the board, showing only what is public.")
]

# --- a new game


SideChoice: TypeAlias = Literal["british", "french", "any"]
HomeSupportChoice: TypeAlias = Literal["asked", "ahead"]
_ONLY_IF = "Join only if the invitation"


def _edition(help: str) -> Any:
    return option("EDITION", help, "--edition", autocompletion=completion.editions)


def _house_rules(help: str) -> Any:
    return option("ID", help, "--house-rule", autocompletion=completion.house_rules)


def _lists(help: str, most: int | None = None) -> Any:
    return number_option("--lists", help, most=most, autocompletion=completion.numbers_of_lists)


def strength_option(help: str) -> Any:
    """`--strength N`, for the strengths that there are."""
    return number_option(
        "--strength", help, most=max(STRENGTHS), autocompletion=completion.strengths
    )


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
    int | None, _lists("How many lists a shuffle must have at least. Default: 256.", MAX_LISTS)
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
    option(
        "CARD",
        "The card you begin with, as the French with the house rule “French start card”.",
        autocompletion=completion.start_cards,
    ),
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
