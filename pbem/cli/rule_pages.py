"""The pages of topics, house rules, editions, cards and locations, printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.table import Table

from engine.catalogue import Location
from engine.house_rules import HouseRule, house_rules
from engine.message import Message, Run, Said, commas, joined_with_semicolons, labelled
from engine.ruleset import Ruleset, editions
from pbem.cli import console
from pbem.cli.home import program
from pbem.words.box import Fact, OwnedCard, card_facts, location_facts, whose
from pbem.words.phrases import with_beside
from pbem.words.present import Present, examples, told
from pbem.words.rules.editions import (
    differences,
    differing,
    edition_named,
    edition_told,
    excluded_by,
    part_of,
    rules_named,
)
from pbem.words.rules.topic import Topic, topics
from pbem.words.situation import card_told, location_told


class Ground(NamedTuple):
    """What a page is about: the rules of a game or an edition, and a position, where there is one.

    `who` says of a spectator why he is one.
    """

    ruleset: Ruleset
    present: Present | None = None
    who: Said = ""

    @property
    def label(self) -> Said:
        """These rules, in a phrase."""
        return rules_named(self.ruleset.edition, self.ruleset.house_rules)


# --- topics


def say_index() -> None:
    """Print all topics by their groups."""
    choices = {
        Message.within("topic", "editions"): Message("The printed editions side by side"),
        Message.within("topic", "house"): Message("The house rules"),
    }
    words = (*choices, *(each.word for each in topics().values()))
    width = max(cell_len(console.told(word)) for word in words)
    group = ""
    for topic in topics().values():
        if topic.group != group:
            group = topic.group
            console.heading(Message(group))
        _say_row(topic.word, Message(topic.title), width)
    console.heading(Message("Rules to choose from"))
    for word, meaning in choices.items():
        _say_row(word, meaning, width)
    console.say()
    console.say(
        Message(
            "To read one: {program} rules TOPIC. With a file behind it, also what it means in that "
            "game. About a card: {program} card NAME; about a location: {program} location NAME.",
            program=program(),
        )
    )


def _say_row(word: Said, meaning: Said, width: int) -> None:
    console.say_hanging(f"  {set_cell_size(console.told(word), width)}  ", meaning)


def say_topic(topic: Topic, ground: Ground) -> None:
    """Print what there is to know of a topic by these rules and in this position."""
    console.say(Message(topic.title), style="bold")
    for paragraph in topic.text:
        console.say()
        console.say(Message(paragraph))
    if topic.examples:
        console.say()
        console.say_hanging(
            Run((Message("Typed so:"), " ")),
            joined_with_semicolons(examples(topic, ground.ruleset)),
        )
    if apart := differences(topic.flags, ground.ruleset):
        console.heading(_differing(ground.ruleset))
        _say_items(apart)
    _say_rules_about(topic, ground.ruleset)
    if ground.present is not None:
        _say_lines(told(console.language(), topic, ground.present), ground)
    console.say()
    references: tuple[tuple[str, Said], ...] = (
        (console.told(Message("See also:")), _read_on(topics()[id] for id in topic.related)),
        (console.told(Message("Rulings:")), f"docs/rules.md, {topic.section}"),
    )
    margin = max(cell_len(label) for label, _ in references) + 1
    for label, reference in references:
        console.say_hanging(set_cell_size(label, margin), reference)


def _differing(ruleset: Ruleset) -> Message:
    """The heading of what differs between these rules and others."""
    edition, rules = edition_named(ruleset.edition), ", ".join(ruleset.house_rules)
    if rules:
        return Message("In the {edition} with {rules}", edition=edition, rules=rules)
    return Message("In the {edition}", edition=edition)


def _read_on(others: Iterable[Topic]) -> Message:
    """The command to read other topics with."""
    words = commas(topic.word for topic in others)
    return Message("{program} rules TOPIC, with {topics}", program=program(), topics=words)


def _say_items(lines: Iterable[Said]) -> None:
    for line in lines:
        console.say_hanging("  - ", line)


def _say_rules_about(topic: Topic, ruleset: Ruleset) -> None:
    played = [rule for rule in topic.house_rules if rule in ruleset.house_rules]
    others = [rule for rule in topic.house_rules if rule not in played]
    if played:
        console.heading(Message("House rules of this game"))
        _say_items(Message(house_rules()[rule].what) for rule in played)
    if others:
        console.say()
        console.say_hanging(Run((Message("House rules that change it:"), " ")), ", ".join(others))


def _say_lines(lines: list[Said], ground: Ground) -> None:
    """Print what is to be said of a position."""
    if not lines:
        return
    console.heading(Message("In this game"))
    if ground.who:
        console.item(
            Message("You see what everybody may see, because {reason}.", reason=ground.who)
        )
    for line in map(console.told, lines):
        console.item(line.lstrip(), indent=4 if line.startswith(" ") else 2)


# --- editions and house rules


def say_rule(rule: HouseRule) -> None:
    """Print a house rule, and the topics that it changes."""
    _say_house_rule(rule)
    changed = (topic for topic in topics().values() if topic.id in rule.topics)
    console.say()
    console.say_hanging(Run((Message("See also:"), " ")), _read_on(changed))


def say_house_rules() -> None:
    """Print the house rules: what each does, and what it excludes."""
    for rule in house_rules().values():
        _say_house_rule(rule)
    console.say()
    console.say(
        Message(
            "To play with some: {program} new --house-rule ID, once for each.", program=program()
        )
    )


def _say_house_rule(rule: HouseRule) -> None:
    """Print what a house rule does, what it excludes, and in which editions it is played anyway."""
    console.say(rule.id, style="bold")
    console.item(Message(rule.what))
    excluded, already = excluded_by(rule), part_of(rule.id)
    if excluded:
        console.item(Message("Not together with: {rules}.", rules=", ".join(excluded)))
    if already:
        console.item(Message("Part of: {editions}.", editions=", ".join(already)))


def say_editions() -> None:
    """Print in what the editions differ."""
    rulesets = [Ruleset.of(edition) for edition in editions()]
    if console.is_plain():
        for row in differing():
            values = (labelled(each.edition, row.value(each)) for each in rulesets)
            console.say_hanging("", Run((row.named, ". ", joined_with_semicolons(values), ".")))
    else:
        table = Table("", *editions(), box=None, pad_edge=False, header_style="bold")
        table.width = console.width()
        for row in differing():
            table.add_row(*map(console.told, (row.named, *map(row.value, rulesets))))
        console.show(table)
    console.say()
    for id in editions():
        console.item(edition_told(id))
    console.say(
        Message(
            "All else is the same. To play one: {program} new --edition EDITION", program=program()
        )
    )


# --- cards and locations


def say_card(owned: OwnedCard, ground: Ground) -> None:
    """Print what is on a card, and where its copies are."""
    name = with_beside(console.language(), ground.ruleset.catalogue.name_of(owned.card.id))
    facts = card_facts(owned.card, ground.ruleset.catalogue)
    _say_thing(Run((name, whose(owned), ground.label), ", "), facts)
    if ground.present is not None:
        _say_lines(card_told(owned, ground.present), ground)


def say_location(place: Location, ground: Ground) -> None:
    """Print what is on the map, and how it stands there."""
    facts = location_facts(place, ground.ruleset.catalogue)
    _say_thing(Run((place.label, ground.label), ", "), facts)
    if ground.present is not None:
        _say_lines(location_told(place, ground.present), ground)


def _say_thing(heading: Message, facts: Iterable[Fact]) -> None:
    console.say(heading, style="bold")
    for fact in facts:
        console.item(fact.line)
