"""`acres rules`, `acres card` and `acres location`: looking things up, with or without a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import completion, console
from pbem.cli.game_options import Edition, HouseRules
from pbem.cli.given import names_file
from pbem.cli.reading import Spectator, begun, read_game, who_looks
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.learning.pages import Ground

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
Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]

LISTS = {"editions": "editions", "edition": "editions", "house": "house", "house rules": "house"}
"""What can be asked for beside the topics, by its words."""


def rules(
    context: typer.Context,
    topic: TopicWords = None,
    edition: Edition = None,
    house_rule: HouseRules = None,
    json: Json = False,
) -> None:
    """Explain an action or another topic of the rules."""
    words, file = _words_and_file(topic or [])
    if words.lower() in LISTS:
        _say_list(LISTS[words.lower()], json=json)
        return
    ground = _ground(context, file, edition, house_rule)
    if words:
        _say_topic(words, ground, json=json)
        return
    from pbem.cli.learning.pages import index_facts, say_index

    if json:
        _print(index_facts())
    else:
        say_index()


def card(
    context: typer.Context, name: CardWords, edition: Edition = None, house_rule: HouseRules = None
) -> None:
    """Tell what is printed on a card, and where its copies are."""
    from pbem.cli.learning.index import cards_near, find_cards
    from pbem.cli.learning.pages import say_card

    words, file = _words_and_file(name)
    ground = _ground(context, file, edition, house_rule)
    catalogue = ground.ruleset.catalogue
    found = find_cards(words, catalogue)
    names = sorted({owned.card.name for owned in found})
    if not names and (others := _not_in_the_game(words)):
        raise WrongUse(f"There is no {others} by these rules: {ground.label}.")
    if len(names) != 1:
        _say_several("card", words, names, cards_near(words, catalogue))
        return
    viewer = ground.present.viewer if ground.present else None
    for number, owned in enumerate(sorted(found, key=lambda one: viewer not in one.sides)):
        if number:
            console.say()
        say_card(owned, ground)


def location(
    context: typer.Context,
    name: LocationWords,
    edition: Edition = None,
    house_rule: HouseRules = None,
) -> None:
    """Tell what the map says of a location, and how it stands there."""
    from pbem.cli.learning.index import find_locations, locations_near
    from pbem.cli.learning.pages import say_location

    words, file = _words_and_file(name)
    ground = _ground(context, file, edition, house_rule)
    found = find_locations(words, ground.ruleset.catalogue)
    if len(found) == 1:
        say_location(found[0], ground)
        return
    near = locations_near(words, ground.ruleset.catalogue)
    _say_several("location", words, sorted(place.name for place in found), near)


def _not_in_the_game(words: str) -> str:
    """The name of the card that a text means in another edition or without house rules, if any."""
    from engine.ruleset import Ruleset, editions
    from pbem.cli.learning.index import find_cards

    boxes = (Ruleset.of(edition).catalogue for edition in editions())
    return next((found[0].card.name for box in boxes if (found := find_cards(words, box))), "")


def _words_and_file(typed: Sequence[str]) -> tuple[str, Path | None]:
    """What was asked for, and the file behind it, where the last word is one."""
    *words, last = typed or [""]
    return (" ".join(words), Path(last)) if names_file(last) else (" ".join(typed), None)


def _ground(
    context: typer.Context, file: Path | None, edition: str | None, rules: list[str] | None
) -> Ground:
    """The rules to be explained, and the position as whoever asks may see it."""
    from engine.ruleset import DEFAULT_EDITION, Ruleset
    from pbem.cli.learning.pages import Ground

    if file is None:
        return Ground(Ruleset.of(edition or DEFAULT_EDITION, rules or ()))
    if edition or rules:
        raise WrongUse("A game has its own rules: leave out --edition and --house-rule, or FILE.")
    game = read_game(context, file)
    if not game.match.is_joined:
        invitation = game.match.invite
        return Ground(Ruleset.of(invitation.edition, invitation.house_rules))
    from pbem.cli.learning.present import Present

    who = who_looks(context, game)
    if isinstance(who, Spectator):
        state = game.match.state.copy()
        return Ground(state.ruleset, Present(state, None), who.reason)
    answer = begun(game, who)
    state = answer.view() if answer else who.view()
    return Ground(state.ruleset, Present(state, who.side))


def _say_list(which: str, *, json: bool) -> None:
    from pbem.cli.learning import lists

    if which == "editions":
        lists.print_editions() if json else lists.say_editions()
    else:
        lists.print_house_rules() if json else lists.say_house_rules()


def _say_topic(words: str, ground: Ground, *, json: bool) -> None:
    from engine.house_rules import house_rules
    from engine.naming import meanings, named
    from pbem.cli.learning.index import find_topics, topics_near
    from pbem.cli.learning.pages import say_rule, say_topic, topic_facts

    known = {rule: rule for rule in house_rules()}
    found = [] if named(words, known) else find_topics(words)
    if len(found) == 1:
        if json:
            _print(topic_facts(found[0], ground))
        else:
            say_topic(found[0], ground)
        return
    if not found and len(chosen := meanings(words, known)) == 1:
        say_rule(house_rules()[next(iter(chosen))])
        return
    near = topics_near(words)
    _say_several("topic", words, [topic.id for topic in found], near, _elsewhere(words, ground))


def _elsewhere(words: str, ground: Ground) -> str:
    """That what is no topic is the name of a card or a location, as a sentence."""
    from pbem.cli.home import program
    from pbem.cli.learning.index import find_cards, find_locations

    catalogue = ground.ruleset.catalogue
    if len(places := find_locations(words, catalogue)) == 1:
        return f" To read about {places[0].name}: {program()} location {words}"
    if cards := find_cards(words, catalogue):
        return f" To read about {cards[0].card.name}: {program()} card {words}"
    return ""


def _say_several(
    what: str, words: str, names: list[str], near: list[str], elsewhere: str = ""
) -> None:
    """Print what a name may mean; raises WrongUse, with what is near, where it means nothing."""
    if names:
        console.say(f"“{console.clean(words)}” can be more than one {what}:")
        for name in names:
            console.item(name)
        return
    meant = f" Do you mean {' or '.join(near)}?" if near and not elsewhere else ""
    listing = " All topics: acres rules" if what == "topic" and not (meant or elsewhere) else ""
    raise WrongUse(f"There is no {what} “{words}”.{meant}{elsewhere}{listing}")


def _print(facts: Any) -> None:
    from json import dumps

    console.say_whole(dumps(facts, indent=2))
