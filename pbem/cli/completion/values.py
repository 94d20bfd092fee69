"""Values that are offered from the rules and the box.

A name of several words may be typed in quotes, or word by word as a person would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import typer

from engine.catalogue import Card, Catalogue, Location
from engine.house_rules import house_rules as known_house_rules
from engine.message import Message
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.ruleset import editions as printed
from pbem.cli import console
from pbem.cli.completion import Offer, beginning
from pbem.words.orders.prefix import as_typed, begins
from pbem.words.rules.topic import LISTS
from pbem.words.rules.topic import topics as known_topics


def editions(_: typer.Context, typed: str) -> Offer:
    """The printed editions."""
    return beginning(typed, ((id, Message(row["name"])) for id, row in printed().items()))


def house_rules(_: typer.Context, typed: str) -> Offer:
    """The house rules, by id."""
    return beginning(
        typed, ((rule.id, Message(rule.what)) for rule in known_house_rules().values())
    )


def topics(context: typer.Context, typed: str) -> Offer:
    """The topics, and the lists that can be asked for like one."""
    every, before = known_topics().values(), context.params.get("topic") or ()
    english = {topic.id: console.told(Message(topic.title)) for topic in every}
    english |= dict.fromkeys(LISTS, "")
    spoken = {console.told(Message.within("topic", word)): title for word, title in english.items()}
    return _going_on(spoken, before, typed) or _going_on(english, before, typed)


def cards(context: typer.Context, typed: str) -> Offer:
    """All cards of the edition."""
    every = [card for side in _catalogue(context).cards.values() for card in side.values()]
    return _named(context, every, typed)


def locations(context: typer.Context, typed: str) -> Offer:
    """All locations."""
    return _named(context, _catalogue(context).locations.values(), typed)


def _catalogue(context: typer.Context) -> Catalogue:
    rules = context.params.get("house_rule") or ()
    return Ruleset.of(context.params.get("edition") or DEFAULT_EDITION, rules).catalogue


def _named(context: typer.Context, things: Iterable[Card | Location], typed: str) -> Offer:
    """How the names of things go on: as they are called now, or else as they are in English."""
    before, every = context.params.get("name") or (), list(things)
    spoken = dict.fromkeys((console.told(thing.label) for thing in every), "")
    english = dict.fromkeys((thing.name for thing in every), "")
    return _going_on(spoken, before, typed) or _going_on(english, before, typed)


def _going_on(named: Mapping[str, str], words: Iterable[str], typed: str) -> Offer:
    """How these names, each with a remark, go on after the words before and what is typed."""
    before = "".join(f"{word} " for word in words)
    rests = {
        name[len(before) :]: remark
        for name, remark in sorted(named.items())
        if begins(name, before + typed)
    }
    return [(as_typed(rest, typed), remark) for rest, remark in rests.items() if rest]
