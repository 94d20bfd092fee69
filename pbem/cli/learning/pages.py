"""The pages of topics, cards and locations, printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len, set_cell_size

from engine.house_rules import house_rules
from engine.message import Message, Run, Said, commas
from engine.orders import from_notation
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.learning.differences import differences
from pbem.cli.learning.printed import card_facts, location_facts, whose
from pbem.cli.learning.topics import Group, Topic, topics
from pbem.cli.words import edition_named, joined_with_semicolons, rules_named, with_beside

if TYPE_CHECKING:
    from engine.catalogue import Location
    from engine.house_rules import HouseRule
    from engine.ruleset import Ruleset
    from pbem.cli.learning.index import OwnedCard
    from pbem.cli.learning.present import Present


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
    for group in Group:
        console.heading(Message(group))
        for topic in topics().values():
            if topic.group is group:
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
            Run((Message("Typed so:"), " ")), joined_with_semicolons(_examples(topic, ground))
        )
    told = differences(topic.flags, ground.ruleset)
    if told:
        console.heading(_differing(ground.ruleset))
        _say_items(told)
    _say_house_rules(topic, ground.ruleset)
    _say_present(topic, ground)
    console.say()
    references: tuple[tuple[str, Said], ...] = (
        (console.told(Message("See also:")), _read_on(topics()[id] for id in topic.related)),
        (console.told(Message("Rulings:")), f"docs/rules.md, {topic.section}"),
    )
    margin = max(cell_len(label) for label, _ in references) + 1
    for label, reference in references:
        console.say_hanging(set_cell_size(label, margin), reference)


def _examples(topic: Topic, ground: Ground) -> list[Message]:
    """The examples of a topic as they are typed."""
    name = ground.ruleset.catalogue.name_of
    return [from_notation(example).text(name) for example in topic.examples]


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


def _say_house_rules(topic: Topic, ruleset: Ruleset) -> None:
    played = [rule for rule in topic.house_rules if rule in ruleset.house_rules]
    others = [rule for rule in topic.house_rules if rule not in played]
    if played:
        console.heading(Message("House rules of this game"))
        _say_items(Message(house_rules()[rule].what) for rule in played)
    if others:
        console.say()
        console.say_hanging(Run((Message("House rules that change it:"), " ")), ", ".join(others))


def _say_present(topic: Topic, ground: Ground) -> None:
    if ground.present is None:
        return
    from pbem.cli.learning.present import told

    _say_lines(told(topic, ground.present), ground)


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


def topic_facts(topic: Topic, ground: Ground) -> dict[str, Any]:
    """The same as plain data."""
    from pbem.cli.learning.present import told

    return {
        "id": topic.id,
        "title": topic.title,
        "group": topic.group.value,
        "text": list(topic.text),
        "orders": list(topic.verbs),
        "examples": [*map(console.told, _examples(topic, ground))],
        "edition": ground.ruleset.edition,
        "differences": [*map(console.told, differences(topic.flags, ground.ruleset))],
        "house_rules": list(topic.house_rules),
        "related": list(topic.related),
        "present": [*map(console.told, told(topic, ground.present))] if ground.present else [],
    }


def index_facts() -> list[dict[str, Any]]:
    """All topics as plain data."""
    return [
        {"id": topic.id, "title": topic.title, "group": topic.group.value}
        for topic in topics().values()
    ]


def say_rule(rule: HouseRule) -> None:
    """Print a house rule, and the topics that it changes."""
    from pbem.cli.learning.lists import say_house_rule

    say_house_rule(rule)
    changed = (topic for topic in topics().values() if rule.id in topic.house_rules)
    console.say()
    console.say_hanging(Run((Message("See also:"), " ")), _read_on(changed))


# --- cards and locations


def say_card(owned: OwnedCard, ground: Ground) -> None:
    """Print what is on a card, and where its copies are."""
    name = ground.ruleset.catalogue.name_of(owned.card.id)
    console.say(Run((with_beside(name), whose(owned), ground.label), ", "), style="bold")
    for fact in card_facts(owned.card, ground.ruleset.catalogue):
        console.item(fact.line)
    if ground.present is not None:
        from pbem.cli.learning.things import card_told

        _say_lines(card_told(owned, ground.present), ground)


def say_location(place: Location, ground: Ground) -> None:
    """Print what is on the map, and how it stands there."""
    name = ground.ruleset.catalogue.name_of(place.id)
    console.say(Run((name, ground.label), ", "), style="bold")
    for fact in location_facts(place, ground.ruleset.catalogue):
        console.item(fact.line)
    if ground.present is not None:
        from pbem.cli.learning.things import location_told

        _say_lines(location_told(place, ground.present), ground)
