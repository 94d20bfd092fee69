"""`acres rules`, `acres card` and `acres location`: looking things up, with or without a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from engine.message import Message, Said, alphabetical, mark, mark_in, sentences
from pbem.cli import completion, console
from pbem.cli.game_options import Edition, HouseRules
from pbem.cli.given import names_file
from pbem.cli.reading import read_game, who_looks, why_spectator
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

LISTS = {
    mark_in("topic", "editions"): "editions",
    mark_in("topic", "edition"): "editions",
    mark_in("topic", "house"): "house",
    mark_in("topic", "house rules"): "house",
}
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
    if which := _list_asked_for(words):
        _say_list(which, json=json)
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
    language = console.language()
    found = find_cards(language, words, catalogue)
    names = {console.told(catalogue.name_of(owned.card.id)) for owned in found}
    if not names and (other := _not_in_the_game(words)):
        raise WrongUse(
            Message("There is no {card} by these rules: {rules}.", card=other, rules=ground.label)
        )
    if len(names) != 1:
        from pbem.cli.words import with_beside

        several = [with_beside(name) for name in sorted(names, key=alphabetical)]
        _say_several(_CARD, words, several, cards_near(language, words, catalogue))
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
    catalogue, language = ground.ruleset.catalogue, console.language()
    found = find_locations(language, words, catalogue)
    if len(found) == 1:
        say_location(found[0], ground)
        return
    names = sorted((console.told(place.label) for place in found), key=alphabetical)
    _say_several(_LOCATION, words, names, locations_near(language, words, catalogue))


def _not_in_the_game(words: str) -> Said:
    """The name of the card that a text means in another edition or without house rules, if any."""
    from engine.ruleset import Ruleset, editions
    from pbem.cli.learning.index import find_cards

    for edition in editions():
        box = Ruleset.of(edition).catalogue
        if found := find_cards(console.language(), words, box):
            return box.name_of(found[0].card.id)
    return ""


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
        raise WrongUse(
            Message("A game has its own rules: leave out --edition and --house-rule, or FILE.")
        )
    game = read_game(context, file)
    if not game.match.is_joined:
        invitation = game.match.invite
        return Ground(Ruleset.of(invitation.edition, invitation.house_rules))
    from pbem.cli.learning.present import Present
    from pbem.play.look import Spectator, begun

    who = who_looks(context, game)
    if isinstance(who, Spectator):
        state = game.match.state.copy()
        return Ground(state.ruleset, Present(state, None), why_spectator(context, who))
    answer = begun(game, who)
    state = answer.view() if answer else who.view()
    return Ground(state.ruleset, Present(state, who.side))


def _list_asked_for(words: str) -> str:
    """Which of the lists is asked for, in English or as the player speaks; empty for none."""
    from pbem.words.naming import normal

    wanted = normal(words)
    forms = ((word, normal(console.told(Message.within("topic", word)))) for word in LISTS)
    return next((LISTS[word] for word, spoken in forms if wanted in (word, spoken)), "")


def _say_list(which: str, *, json: bool) -> None:
    from pbem.cli.learning import lists

    if which == "editions":
        lists.print_editions() if json else lists.say_editions()
    else:
        lists.print_house_rules() if json else lists.say_house_rules()


def _say_topic(words: str, ground: Ground, *, json: bool) -> None:
    from engine.house_rules import house_rules
    from pbem.cli.learning.index import find_topics, topics_near
    from pbem.cli.learning.pages import say_rule, say_topic, topic_facts
    from pbem.words.naming import meanings, named

    language = console.language()
    known = {rule: rule for rule in house_rules()}
    found = [] if named(language, words, known) else find_topics(language, words)
    if len(found) == 1:
        if json:
            _print(topic_facts(found[0], ground))
        else:
            say_topic(found[0], ground)
        return
    if not found and len(chosen := meanings(language, words, known)) == 1:
        say_rule(house_rules()[next(iter(chosen))])
        return
    near = topics_near(language, words)
    names = [topic.word for topic in found]
    _say_several(_TOPIC, words, names, near, _elsewhere(words, ground))


def _elsewhere(words: str, ground: Ground) -> Said:
    """That what is no topic is the name of a card or a location, as a sentence."""
    from pbem.cli.home import program
    from pbem.cli.learning.index import find_cards, find_locations

    catalogue, language = ground.ruleset.catalogue, console.language()
    if len(places := find_locations(language, words, catalogue)) == 1:
        name, command = catalogue.name_of(places[0].id), f"{program()} location {words}"
    elif cards := find_cards(language, words, catalogue):
        name, command = catalogue.name_of(cards[0].card.id), f"{program()} card {words}"
    else:
        return ""
    return Message("To read about {thing}: {command}", thing=name, command=command)


class _Asked(NamedTuple):
    """What is said of a thing that was asked for, in marked messages."""

    several: str
    none: str


_TOPIC = _Asked(mark("“{words}” can be more than one topic:"), mark("There is no topic “{words}”."))
_CARD = _Asked(mark("“{words}” can be more than one card:"), mark("There is no card “{words}”."))
_LOCATION = _Asked(
    mark("“{words}” can be more than one location:"), mark("There is no location “{words}”.")
)


def _say_several(
    asked: _Asked, words: str, names: Sequence[Said], near: Sequence[Said], elsewhere: Said = ""
) -> None:
    """Print what a name may mean; raises WrongUse, with what is near, where it means nothing."""
    from pbem.words.verbs import meant_by

    if names:
        console.say(Message(asked.several, words=console.clean(words)))
        for name in names:
            console.item(name)
        return
    refusal = Message(asked.none, words=words)
    if elsewhere:
        raise WrongUse(sentences(refusal, elsewhere))
    if asked is _TOPIC and not near:
        raise WrongUse(sentences(refusal, Message("All topics: acres rules")))
    raise WrongUse(refusal + meant_by(near))


def _print(facts: Any) -> None:
    from json import dumps

    console.say_whole(dumps(facts, indent=2))
