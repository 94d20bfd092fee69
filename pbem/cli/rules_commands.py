"""`acres rules`, `acres card` and `acres location`: looking things up, with or without a game."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import completion
from pbem.cli.game_options import Edition, HouseRules

TopicWords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TOPIC] [FILE]",
        help="What to read about; with a file, also in that game.",
        autocompletion=completion.topics,
    ),
]
CardWords = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME [FILE]",
        help="Its name; with a file, in that game.",
        autocompletion=completion.cards,
    ),
]
LocationWords = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME [FILE]",
        help="Its name; with a file, in that game.",
        autocompletion=completion.locations,
    ),
]


def rules(
    context: typer.Context,
    topic: TopicWords = None,
    edition: Edition = None,
    house_rule: HouseRules = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """Explain an action or another topic of the rules."""
    from pbem.cli.index import look_up_rules

    look_up_rules(context, topic or [], edition, house_rule, json=json)


def card(
    context: typer.Context, name: CardWords, edition: Edition = None, house_rule: HouseRules = None
) -> None:
    """Tell what is printed on a card, and where its copies are."""
    from pbem.cli.index import look_up_card

    look_up_card(context, name, edition, house_rule)


def location(
    context: typer.Context,
    name: LocationWords,
    edition: Edition = None,
    house_rule: HouseRules = None,
) -> None:
    """Tell what the map says of a location, and how it stands there."""
    from pbem.cli.index import look_up_location

    look_up_location(context, name, edition, house_rule)
