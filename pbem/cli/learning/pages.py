"""The pages of topics, cards and locations, printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.house_rules import house_rules
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.learning.differences import differences
from pbem.cli.learning.printed import card_facts, location_facts, whose
from pbem.cli.learning.topics import Group, Topic, topics

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
    who: str = ""

    @property
    def label(self) -> str:
        """These rules, in a phrase."""
        edition = f"{self.ruleset.edition} edition"
        chosen = self.ruleset.house_rules
        return f"{edition} with {', '.join(chosen)}" if chosen else edition


# --- topics


def say_index() -> None:
    """Print all topics by their groups."""
    width = max(len(id) for id in topics())
    for group in Group:
        console.heading(group)
        for topic in topics().values():
            if topic.group is group:
                console.say_hanging(f"  {topic.id.ljust(width)}  ", topic.title)
    console.heading("Rules to choose from")
    console.say_hanging(f"  {'editions'.ljust(width)}  ", "The printed editions side by side")
    console.say_hanging(f"  {'house'.ljust(width)}  ", "The house rules")
    console.say()
    console.say(
        f"To read one: {program()} rules TOPIC. With a file behind it, also what it means in that "
        f"game. About a card: {program()} card NAME; about a location: {program()} location NAME."
    )


def say_topic(topic: Topic, ground: Ground) -> None:
    """Print what there is to know of a topic by these rules and in this position."""
    console.say(topic.title, style="bold")
    for paragraph in topic.text:
        console.say()
        console.say(paragraph)
    if topic.examples:
        console.say()
        console.say_hanging("Typed so: ", "; ".join(topic.examples))
    told = differences(topic.flags, ground.ruleset)
    if told:
        console.heading(f"In the {ground.label}")
        _say_items(told)
    _say_house_rules(topic, ground.ruleset)
    _say_present(topic, ground)
    console.say()
    related = ", ".join(topic.related)
    console.say_hanging("See also: ", f"{program()} rules TOPIC, with {related}")
    console.say_hanging("Rulings:  ", f"docs/rules.md, {topic.section}")


def _say_items(lines: Iterable[str]) -> None:
    for line in lines:
        console.say_hanging("  - ", line)


def _say_house_rules(topic: Topic, ruleset: Ruleset) -> None:
    played = [rule for rule in topic.house_rules if rule in ruleset.house_rules]
    others = [rule for rule in topic.house_rules if rule not in played]
    if played:
        console.heading("House rules of this game")
        _say_items(house_rules()[rule].what for rule in played)
    if others:
        console.say()
        console.say_hanging("House rules that change it: ", ", ".join(others))


def _say_present(topic: Topic, ground: Ground) -> None:
    if ground.present is None:
        return
    from pbem.cli.learning.present import told

    _say_lines(told(topic, ground.present), ground)


def _say_lines(lines: list[str], ground: Ground) -> None:
    """Print what is to be said of a position."""
    if not lines:
        return
    console.heading("In this game")
    if ground.who:
        console.item(f"You see what everybody may see, because {ground.who}.")
    for line in lines:
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
        "examples": list(topic.examples),
        "edition": ground.ruleset.edition,
        "differences": differences(topic.flags, ground.ruleset),
        "house_rules": list(topic.house_rules),
        "related": list(topic.related),
        "present": told(topic, ground.present) if ground.present else [],
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
    changed = [topic.id for topic in topics().values() if rule.id in topic.house_rules]
    console.say()
    console.say_hanging("See also: ", f"{program()} rules TOPIC, with {', '.join(changed)}")


# --- cards and locations


def say_card(owned: OwnedCard, ground: Ground) -> None:
    """Print what is on a card, and where its copies are."""
    console.say(f"{owned.card.name}, {whose(owned)}, {ground.label}", style="bold")
    for fact in card_facts(owned.card, ground.ruleset.catalogue):
        console.item(str(fact))
    if ground.present is not None:
        from pbem.cli.learning.things import card_told

        _say_lines(card_told(owned, ground.present), ground)


def say_location(place: Location, ground: Ground) -> None:
    """Print what is on the map, and how it stands there."""
    console.say(f"{place.name}, {ground.label}", style="bold")
    for fact in location_facts(place, ground.ruleset.catalogue):
        console.item(str(fact))
    if ground.present is not None:
        from pbem.cli.learning.things import location_told

        _say_lines(location_told(place, ground.present), ground)
