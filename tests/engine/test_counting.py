"""The numbers of `docs/counting.md`: orders and states after a first and a second order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engine.counting import POSITIONS, Count, count, orders_by_verb
from tests.engine.invariants import check_invariants

PAGE = (Path(__file__).parents[2] / "docs" / "counting.md").read_text(encoding="utf-8")
COUNTS = {
    "british deal": Count(99, 95, 101, 96),
    "french deal": Count(58, 58, 60, 59),
    "frontier": Count(33, 33, 533, 296),
    "two sieges": Count(62, 62, 2284, 1208),
    "raid reply": Count(4, 4, 64, 64),
    "ambush reply": Count(4, 4, 36, 36),
    "two sieges won": Count(7, 7, 315, 227),
    "loser's card": Count(2, 2, 0, 0),
    "withdrawal": Count(4, 4, 100, 100),
    "french officers": Count(63, 63, 1728, 901),
    "conversion reply": Count(2, 2, 62, 62),
}


def table() -> dict[str, Count]:
    """Return the table of the page."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    return {name: Count(*(int(number) for number in numbers)) for name, *numbers in rows}


def hand_counts() -> dict[str, tuple[int, dict[str, int]]]:
    """Return the positions that the page counts by hand: the total, and the count of each verb."""
    sections = re.findall(r"^### ([^:\n]+): (\d+)\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return {
        name: (
            int(total),
            {verb: int(n) for verb, n in re.findall(r"^\| ([a-z-]+) \| (\d+) \|", text, re.M)},
        )
        for name, total, text in sections
    }


def test_page_has_the_numbers_tested_here() -> None:
    assert table() == COUNTS
    assert list(COUNTS) == list(POSITIONS)


@pytest.mark.parametrize("name", POSITIONS)
def test_position_has_as_many_orders_and_states_as_counted(name: str) -> None:
    state = POSITIONS[name]()
    check_invariants(state)
    assert count(state) == COUNTS[name]


@pytest.mark.parametrize("name", hand_counts())
def test_engine_lists_the_orders_counted_by_hand(name: str) -> None:
    total, verbs = hand_counts()[name]
    assert total == sum(verbs.values()) == COUNTS[name].orders
    assert orders_by_verb(POSITIONS[name]()) == verbs


def test_at_least_three_positions_are_counted_by_hand() -> None:
    assert len(hand_counts()) >= 3
