"""Both implementations agree on random chains with follow-ups, up to both closes.

Two of three chains use a random edition and a few house rules.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.ruleset import Ruleset
from engine.sides import Side
from pbem.protocol.match import Match
from tests.engine.house_rule_positions import random_rules
from tests.play.matches import TIME, any_order, begin, play, seat_to_write
from tests.sample import sample
from tests.seats import NextRecord
from tests.signing import end
from tests.vectors import naive_chain

START_CARD = "regular-infantry"


def chooses_when_entering(rules: Ruleset, side: Side | None, guest: Side) -> bool:
    """Return whether the French choose their start card by inviting or joining."""
    return rules.has_rule("french-start-choice") and Side.FRENCH in (side, guest)


def closed_match(seed: int) -> Match:
    """Return a closed match of random legal orders, which ends early by resignation."""
    random = Random(seed)
    rules = random_rules(random, 0.25) if seed % 3 else Ruleset.of()
    side = random.choice([None, *Side])
    guest = side.opponent if side else random.choice(list(Side))
    match = begin(
        seed,
        side=side,
        guest=guest,
        lists=random.choice([1, 2, 4]),
        home_support=random.choice(["asked", "ahead"]),
        edition=rules.edition,
        house_rules=rules.house_rules,
        start_card=START_CARD if chooses_when_entering(rules, side, guest) else None,
    )
    eagerness = random.choice([0.3, 0.9])
    match = play(
        match,
        any_order(random),
        turns=random.randint(2, 30),
        seed=seed,
        follows_up=lambda: random.random() < eagerness,
    )
    while match.next_side is not None:
        draft = NextRecord(seat_to_write(match, seed), TIME, resigns=not match.is_over)
        end(draft)
        match = draft.match
    return match


def slots_after_each_record(match: Match) -> list[dict[str, Any]]:
    """Return the public slots after each record, according to the program."""
    again, history = Match(), []
    for record in match.records:
        again.add(record)
        decks = again.decks if again.has_table else {}
        history.append({side.value: slots(decks.get(side)) for side in Side})
    return history


def slots(deck: Any) -> dict[str, list[str]]:
    if deck is None:
        return {"hidden": [], "draw_pile": [], "ahead": []}
    return {
        "hidden": list(map(str, deck.hidden)),
        "draw_pile": list(map(str, deck.undrawn)),
        "ahead": list(map(str, deck.ahead)),
    }


@pytest.mark.parametrize("seed", sample(range(24), every=3))
def test_naive_reader_agrees_on_random_chains(seed: int) -> None:
    match = closed_match(seed)
    worlds = naive_chain.check([record.to_plain() for record in match.records])
    assert slots_after_each_record(match) in [world["history"] for world in worlds]
    assert len(worlds) < 50
