"""Every kind of event has a sentence, a forecast and facts; exceptions are named here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.events import EVENTS, Event
from engine.ruleset import Ruleset
from engine.sides import Side
from pbem.text.facts.game_facts import AMOUNTS, event_facts
from pbem.text.history.report import event_text, patterns
from pbem.text.narration import Phrasebook
from pbem.text.ordering.preview import OBVIOUS_EVENTS, effect_text

FACTS: dict[str, Any] = {
    "side": Side.BRITISH,
    "location": "boston",
    "card": "rangers",
    "cards": ("militia", "rangers"),
    "is_town": True,
    **dict.fromkeys(AMOUNTS, 7),
}
PLAIN = {"side", "location", "card", "cards", *AMOUNTS}
"""The facts that other programs are given; that of a town follows from its points."""
WITH_ORDERS = {name for one in patterns().values() for way in one for name in way.reported_events}
WORDS = Phrasebook(Ruleset.of().catalogue.name_of, None, None)


def event(kind: type[Event]) -> Event:
    unknown = set(kind.fields) - FACTS.keys()
    assert not unknown, f"{kind.__name__} has {unknown}: say in FACTS here what they may be"
    return kind(*(FACTS[field] for field in kind.fields))


def is_said(say: Callable[[], object]) -> bool:
    try:
        return bool(str(say()))
    except KeyError:
        return False


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_has_a_sentence(kind: type[Event]) -> None:
    phrase = is_said(lambda: event_text(WORDS, event(kind)))
    assert phrase or kind.__name__ in WITH_ORDERS, (
        f"{kind.__name__} of engine/events.py has no sentence: give it one among those "
        "that `happened` in pbem/text/narration.toml, or have an order tell it in a way there"
    )


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_has_a_preview_or_is_obvious(kind: type[Event]) -> None:
    phrase = is_said(lambda: effect_text(event(kind), WORDS))
    assert phrase != (kind in OBVIOUS_EVENTS), (
        f"{kind.__name__} of engine/events.py is not said before it happens: give it a sentence "
        "among those `foreseen` in pbem/text/narration.toml or the changes of tables.toml, or name "
        f"it in UNSAID of {effect_text.__module__}"
    )


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_is_data_for_other_programs(kind: type[Event]) -> None:
    """Each fact of it has its place there."""
    unknown = set(kind.fields) - PLAIN - {"is_town"}
    assert not unknown, f"{unknown} of {kind.__name__} are not among what event_facts gives"
    assert event_facts(event(kind))
    amounts = set(kind.fields) & set(AMOUNTS)
    assert len(amounts) <= 1, f"{kind.__name__} has {amounts}, of which event_facts gives one"
