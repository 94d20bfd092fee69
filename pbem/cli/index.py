"""What `acres rules`, `card` and `location` are asked about: found by its name, and printed."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from pathlib import Path
from typing import Any

import typer

from engine.house_rules import house_rules
from engine.message import Message, Said, alphabetical, sentences
from engine.ruleset import DEFAULT_EDITION, Ruleset, editions
from pbem.cli import console, rule_pages
from pbem.cli.home import command_of, program
from pbem.cli.reading import names_file, read_game, who_looks
from pbem.cli.rule_pages import Ground
from pbem.errors import WrongUse
from pbem.play.look import Spectator, begun
from pbem.words.box import cards_near, find_cards, find_locations, locations_near
from pbem.words.orders.naming import meanings, named
from pbem.words.orders.verbs import meant_by
from pbem.words.phrases import with_beside
from pbem.words.present import Present, topic_facts
from pbem.words.proof.keys import why_spectator
from pbem.words.rules.editions import edition_facts, house_rule_facts
from pbem.words.rules.tables import entry
from pbem.words.rules.topic import find_topics, index_facts, list_named, topics_near

Rules = list[str] | None


def look_up_rules(
    context: typer.Context, typed: Sequence[str], edition: str | None, rules: Rules, *, json: bool
) -> None:
    """Print the topic, house rule or list that was asked for; without words all topics."""
    words, file = _words_and_file(typed)
    if which := list_named(console.language(), words):
        _say_list(which, json=json)
        return
    ground = _ground(context, file, edition, rules)
    if words:
        _say_topic(words, ground, json=json)
    elif json:
        _print(index_facts())
    else:
        rule_pages.say_index()


def look_up_card(
    context: typer.Context, typed: Sequence[str], edition: str | None, rules: Rules
) -> None:
    """Print the card that was asked for, or which cards it may be."""
    words, file = _words_and_file(typed)
    ground, language = _ground(context, file, edition, rules), console.language()
    catalogue = ground.ruleset.catalogue
    found = find_cards(language, words, catalogue)
    names = {console.told(catalogue.name_of(owned.card.id)) for owned in found}
    if not names and (other := _not_in_the_game(words)):
        raise WrongUse(
            "There is no {card} by these rules: {rules}.", card=other, rules=ground.label
        )
    if len(names) != 1:
        several = [with_beside(language, name) for name in sorted(names, key=alphabetical)]
        _say_several("card", words, several, cards_near(language, words, catalogue))
        return
    viewer = ground.present.viewer if ground.present else None
    for number, owned in enumerate(sorted(found, key=lambda one: viewer not in one.sides)):
        if number:
            console.say()
        rule_pages.say_card(owned, ground)


def look_up_location(
    context: typer.Context, typed: Sequence[str], edition: str | None, rules: Rules
) -> None:
    """Print the location that was asked for, or which locations it may be."""
    words, file = _words_and_file(typed)
    ground, language = _ground(context, file, edition, rules), console.language()
    catalogue = ground.ruleset.catalogue
    found = find_locations(language, words, catalogue)
    if len(found) == 1:
        rule_pages.say_location(found[0], ground)
        return
    names = sorted((console.told(place.label) for place in found), key=alphabetical)
    _say_several(
        "location", words, names, locations_near(language, words, ground.ruleset.catalogue)
    )


def _not_in_the_game(words: str) -> Said:
    """The name of the card that a text means in another edition or without house rules, if any."""
    for edition in editions():
        box = Ruleset.of(edition).catalogue
        if found := find_cards(console.language(), words, box):
            return box.name_of(found[0].card.id)
    return ""


def _words_and_file(typed: Sequence[str]) -> tuple[str, Path | None]:
    """What was asked for, and the file behind it, where the last word is one."""
    *words, last = typed or [""]
    return (" ".join(words), Path(last)) if names_file(last) else (" ".join(typed), None)


def _ground(context: typer.Context, file: Path | None, edition: str | None, rules: Rules) -> Ground:
    """The rules to be explained, and the position as whoever asks may see it."""
    if file is None:
        return Ground(Ruleset.of(edition or DEFAULT_EDITION, rules or ()))
    if edition or rules:
        raise WrongUse("A game has its own rules: leave out --edition and --house-rule, or FILE.")
    game = read_game(context, file)
    if not game.match.is_joined:
        invitation = game.match.invite
        return Ground(Ruleset.of(invitation.edition, invitation.house_rules))
    who = who_looks(context, game)
    if isinstance(who, Spectator):
        state = game.match.state.copy()
        return Ground(state.ruleset, Present(state, None), why_spectator(who, command_of(context)))
    answer = begun(game, who)
    state = answer.view() if answer else who.view()
    return Ground(state.ruleset, Present(state, who.side))


def _say_list(which: str, *, json: bool) -> None:
    language = console.language()
    if which == "editions":
        _print(edition_facts(language)) if json else rule_pages.say_editions()
    else:
        _print(house_rule_facts(language)) if json else rule_pages.say_house_rules()


def _say_topic(words: str, ground: Ground, *, json: bool) -> None:
    language, known = console.language(), {rule: rule for rule in house_rules()}
    found = [] if named(language, words, known) else find_topics(language, words)
    if len(found) == 1 and json:
        _print(topic_facts(language, found[0], ground.ruleset, ground.present))
    elif len(found) == 1:
        rule_pages.say_topic(found[0], ground)
    elif not found and len(chosen := meanings(language, words, known)) == 1:
        rule_pages.say_rule(house_rules()[next(iter(chosen))])
    else:
        names = [topic.word for topic in found]
        near = topics_near(language, words)
        _say_several("topic", words, names, near, _elsewhere(words, ground))


def _elsewhere(words: str, ground: Ground) -> Said:
    """That what is no topic is the name of a card or a location, as a sentence."""
    catalogue, language = ground.ruleset.catalogue, console.language()
    if len(places := find_locations(language, words, catalogue)) == 1:
        name, command = catalogue.name_of(places[0].id), f"{program()} location {words}"
    elif cards := find_cards(language, words, catalogue):
        name, command = catalogue.name_of(cards[0].card.id), f"{program()} card {words}"
    else:
        return ""
    return Message("To read about {thing}: {command}", thing=name, command=command)


def _say_several(
    kind: str, words: str, names: Sequence[Said], near: Sequence[Said], elsewhere: Said = ""
) -> None:
    """Print what a name may mean; raises WrongUse, with what is near, where it means nothing."""
    if names:
        console.say(entry("several", kind, words=console.clean(words)))
        for name in names:
            console.item(name)
        return
    refusal = entry("unknown", kind, words=words)
    if elsewhere:
        raise WrongUse(sentences(refusal, elsewhere))
    if kind == "topic" and not near:
        raise WrongUse(sentences(refusal, Message("All topics: acres rules")))
    raise WrongUse(refusal + meant_by(near))


def _print(facts: Any) -> None:
    console.say_whole(dumps(facts, indent=2))
