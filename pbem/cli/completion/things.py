"""How the name of a topic, a card or a location goes on that is being typed on the command line.

A name of several words may be typed in quotes, or word by word as a person would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.completion.typed import as_typed, begins

if TYPE_CHECKING:
    from engine.catalogue import Card, Catalogue, Location


def topics_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """The topics, and the lists that can be asked for like one."""
    from pbem.words.topic import LISTS, topics

    every, words = topics().values(), context.params.get("topic") or ()
    english = {topic.id: console.told(Message(topic.title)) for topic in every}
    english |= dict.fromkeys(LISTS, "")
    spoken = {console.told(Message.within("topic", word)): title for word, title in english.items()}
    return _going_on(spoken, words, typed) or _going_on(english, words, typed)


def cards_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """All cards of the edition."""
    cards = [card for side in _catalogue(context).cards.values() for card in side.values()]
    return _named(context, cards, typed)


def locations_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """All locations."""
    return _named(context, _catalogue(context).locations.values(), typed)


def _named(
    context: typer.Context, things: Iterable[Card | Location], typed: str
) -> list[tuple[str, str]]:
    """How the names of things go on: as they are called now, or else as they are in English."""
    words, every = context.params.get("name") or (), list(things)
    spoken = dict.fromkeys((console.told(thing.label) for thing in every), "")
    printed = dict.fromkeys((thing.name for thing in every), "")
    return _going_on(spoken, words, typed) or _going_on(printed, words, typed)


def _catalogue(context: typer.Context) -> Catalogue:
    from engine.ruleset import DEFAULT_EDITION, Ruleset

    rules = context.params.get("house_rule") or ()
    return Ruleset.of(context.params.get("edition") or DEFAULT_EDITION, rules).catalogue


def _going_on(named: Mapping[str, str], words: Iterable[str], typed: str) -> list[tuple[str, str]]:
    """How these names, each with a remark, go on after the words before and what is typed."""
    before = "".join(f"{word} " for word in words)
    rests = {
        name[len(before) :]: remark
        for name, remark in sorted(named.items())
        if begins(name, before + typed)
    }
    return [(as_typed(rest, typed), remark) for rest, remark in rests.items() if rest]
