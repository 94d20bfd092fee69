"""Random draws by name: one more name, or house rule, moves no other."""

from __future__ import annotations

from random import Random

import pytest

from engine.house_rules import house_rules
from tests.draws import choose_name, shuffle_names
from tests.engine import house_rule_positions
from tests.engine.house_rule_positions import random_rules

NAMES = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("share", [0.5, 1])
@pytest.mark.parametrize("seed", range(20))
def test_one_more_name_moves_no_other(seed: int, share: float) -> None:
    with_it, without = Random(seed), Random(seed)
    drawn = shuffle_names(with_it, NAMES, share)
    others = shuffle_names(without, NAMES.replace("k", ""), share)
    assert [name for name in drawn if name != "k"] == others
    assert with_it.random() == without.random(), "no draw more was made"


def test_names_come_in_any_order_and_as_often_as_asked_for() -> None:
    random = Random(1)
    assert {choose_name(random, "abc") for _ in range(50)} == {*"abc"}
    assert sorted(shuffle_names(random, NAMES)) == [*NAMES]
    assert shuffle_names(random, NAMES, 0) == []
    drawn = sum(len(shuffle_names(random, NAMES, 0.5)) for _ in range(200))
    assert 0.45 < drawn / 200 / len(NAMES) < 0.55


@pytest.mark.parametrize("seed", range(20))
def test_one_more_house_rule_moves_no_other(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it excludes none."""
    new = "louisbourg-fortified"
    with_it = random_rules(Random(seed))
    others = {id: rule for id, rule in house_rules().items() if id != new}
    monkeypatch.setattr(house_rule_positions, "house_rules", lambda: others)
    without = random_rules(Random(seed))
    assert new in with_it.house_rules
    assert (with_it.edition, {*with_it.house_rules} - {new}) == (
        without.edition,
        {*without.house_rules},
    )
