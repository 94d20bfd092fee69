"""`acres rules`: the differences between editions, and the house rules."""

from __future__ import annotations

import json
from itertools import combinations

from engine.house_rules import InvalidRulesError, house_rules, rules_checked_by_id
from engine.ruleset import Ruleset, editions
from pbem.text.rules.editions import Row, edition_rows
from tests.cli.commands import acres

FLAGS = set(Ruleset.__annotations__) - {"edition", "house_rules", "catalogue"}


def test_every_difference_between_editions_has_a_line() -> None:
    rulesets = {edition: Ruleset.of(edition) for edition in editions()}
    for one, other in combinations(rulesets, 2):
        own, theirs = rulesets[one], rulesets[other]
        flags = {flag for flag in FLAGS if getattr(own, flag) != getattr(theirs, flag)}
        cards = rulesets[one].catalogue.cards != rulesets[other].catalogue.cards
        lines = [row for row in edition_rows() if _is_different(row, rulesets, one, other)]
        assert len(lines) == len(flags) + cards


def _is_different(row: Row, rulesets: dict[str, Ruleset], one: str, other: str) -> bool:
    return row.value(rulesets[one]) != row.value(rulesets[other])


def test_editions_as_data_have_every_difference() -> None:
    facts = json.loads(acres("rules", "editions", "--json").out)
    assert [fact["id"] for fact in facts] == list(editions())
    for fact in facts:
        ruleset = Ruleset.of(fact["id"])
        assert fact["flags"].items() >= ruleset.canonical()["flags"].items()
        by_question = {rule.flag for rule in rules_checked_by_id()}
        assert set(fact["flags"]) == FLAGS | by_question
        assert all(getattr(ruleset, flag) == fact["flags"][flag] for flag in FLAGS)
        assert not any(fact["flags"][flag] for flag in by_question)
    bateaux = [fact["french_bateaux"] for fact in facts]
    assert bateaux == ["not in the game", "in the initial deck", "in the initial deck"]


def test_house_rules_are_listed_with_their_exclusions() -> None:
    output = acres("rules", "house").out
    for rule in house_rules().values():
        assert f"\n{rule.name} ({rule.id})\n" in f"\n{output}"
    facts = {fact["id"]: fact for fact in json.loads(acres("rules", "house", "--json").out)}
    for id, fact in facts.items():
        assert [*fact["part_of"]] == [edition for edition in editions() if refusal(edition, id)]
    assert facts.keys() == house_rules().keys()
    for one, other in combinations(facts, 2):
        reason = facts[one]["excludes"].get(other)
        assert facts[other]["excludes"].get(one) == reason
        refused = refusal("second", one, other)
        assert (refused is None) == (reason is None)
        assert (reason or "") in (refused or "")


def refusal(edition: str, *rules: str) -> str | None:
    """Return the reason why an edition cannot be played with some house rules, if there is one."""
    try:
        Ruleset.of(edition, rules)
    except InvalidRulesError as error:
        return str(error)
    return None
