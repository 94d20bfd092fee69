"""Games of an engine in a process of its own are those of the engine here."""

from __future__ import annotations

from benchmarks.engine import ROOT, Engine
from benchmarks.played import answer, rules


def test_a_number_says_which_game_is_played() -> None:
    here = answer("drawn", 1, digested=True)
    with Engine(ROOT) as engine:
        there = engine.play("drawn", 1, digested=True)
    assert (there["digest"], there["orders"]) == (here["digest"], here["orders"])
    assert here["digest"] != answer("drawn", 5, digested=True)["digest"]


def test_games_go_round_all_editions_and_house_rules() -> None:
    plain, housed = [rules(number) for number in range(3)], rules(3)
    assert len({each.edition for each in plain}) == 3
    assert not any(each.house_rules for each in plain)
    assert housed.house_rules
