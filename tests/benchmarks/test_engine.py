"""Comparison of games between this engine and an engine in a separate process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import engine as measured
from benchmarks.engine import ROOT, Engine
from benchmarks.engine_worker import report, rules
from benchmarks.timing import Claim


@pytest.mark.slow
def test_number_determines_the_game() -> None:
    present_outcomes = report("drawn", 1, with_digest=True)
    with Engine(ROOT) as engine:
        older_outcome = engine.play("drawn", 1, with_digest=True)
    assert (older_outcome["digest"], older_outcome["orders"]) == (
        present_outcomes["digest"],
        present_outcomes["orders"],
    )
    assert present_outcomes["digest"] != report("drawn", 5, with_digest=True)["digest"]


def test_games_cycle_through_editions_and_house_rules() -> None:
    plain, house_rules = [rules(number) for number in range(3)], rules(3)
    assert len({ruleset.edition for ruleset in plain}) == 3
    assert not any(ruleset.house_rules for ruleset in plain)
    assert house_rules.house_rules


class Changed(Engine):
    """An engine whose older version played a kind of game differently."""

    changed = ""
    old_takes = 2.0

    def __init__(self, folder: Path) -> None:
        self.is_old = folder != ROOT

    def __exit__(self, *_: object) -> None:
        pass

    def play(self, kind: str, number: int, *, with_digest: bool = False) -> dict[str, Any]:
        digest = "old" if self.is_old and kind == self.changed else f"{kind} {number}"
        seconds = self.old_takes if self.is_old else 1.0
        return {"seconds": seconds, "orders": 10, "digest": digest}


def _claims(monkeypatch: pytest.MonkeyPatch, changed: str) -> list[Claim]:
    monkeypatch.setattr(Changed, "changed", changed)
    monkeypatch.setattr(measured, "Engine", Changed)
    monkeypatch.setattr(measured, "unpack", lambda commit, folder: None)
    return list(measured.compare_with(games=3))


def test_different_practice_games_are_compared_per_order(monkeypatch: pytest.MonkeyPatch) -> None:
    _, practice, _ = _claims(monkeypatch, "practice")
    assert practice.value == 0.5
    assert practice.detail.endswith("3 of 3 are other games")


def test_too_many_different_random_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="3 of 3 random games are other ones"):
        _claims(monkeypatch, "random")


@pytest.mark.parametrize(
    ("times", "holding"),
    [
        (2.49, []),
        (2.51, ["practice"]),
        (2.99, ["practice"]),
        (3.01, ["random", "practice"]),
        (4.99, ["random", "practice"]),
        (5.01, ["random", "practice", "drawn"]),
    ],
)
def test_speed_claims_hold_from_their_bounds_on(
    monkeypatch: pytest.MonkeyPatch, times: float, holding: list[str]
) -> None:
    monkeypatch.setattr(Changed, "old_takes", times)
    claims = dict(zip(measured.BOUNDS, _claims(monkeypatch, ""), strict=True))
    assert [kind for kind, claim in claims.items() if claim.holds] == holding
