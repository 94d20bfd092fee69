"""How the name of a topic, a card or a location goes on that is being typed on the command line.

A name of several words may be typed in quotes, or word by word as a person would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import typer

from language import phrase
from pbem.cli.completion.typed import as_typed, begins

if TYPE_CHECKING:
    from engine.catalogue import Catalogue


def topics_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """The topics, and the lists that can be asked for like one."""
    from pbem.cli.learning.topics import topics
    from pbem.cli.rules_commands import LISTS

    titles = {topic.id: phrase(topic.title) for topic in topics().values()} | dict.fromkeys(
        LISTS, ""
    )
    return _going_on(titles, context.params.get("topic") or (), typed)


def cards_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """All cards of the edition."""
    sides = _catalogue(context).cards.values()
    cards = {card.name: "" for side in sides for card in side.values()}
    return _going_on(cards, context.params.get("name") or (), typed)


def locations_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """All locations."""
    places = {place.name: "" for place in _catalogue(context).locations.values()}
    return _going_on(places, context.params.get("name") or (), typed)


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
