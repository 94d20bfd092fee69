"""The list of house rules, the pairs that exclude each other, and games with any of the others.

The effects of each are cases of `rules/house_rules.toml`.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from engine.catalogue import Change, load
from engine.house_rules import HouseRule, InvalidRulesError, house_rules
from engine.ruleset import Ruleset, editions
from engine.state import Decision, new_game
from tests.engine.arbitrary import random_game
from tests.engine.cases import cases
from tests.engine.house_rule_positions import random_rules
from tests.engine.invariants import check_invariants

ROOT = Path(__file__).parents[2]
EDITIONS = list(editions())
RULES = sorted(house_rules())
PAIRS = list(combinations(RULES, 2))
EXCLUDED = {
    (one, other): str(reason)
    for one, other in PAIRS
    if (reason := house_rules()[one].conflict(house_rules()[other])) is not None
}
"""The pairs that contradict each other or make no sense, with the reason."""


def changes_nothing(rule: HouseRule, edition: str) -> bool:
    """Return True if an edition is printed with a rule, or with one that allows more."""
    facts = {name: getattr(Ruleset.of(edition), name) for name in Ruleset.fields}
    changed = facts | dict(rule.flags) | {"catalogue": load(edition, rule.changes)}
    is_covered = any(facts[flag] == value for flag, value in rule.covered_by.items())
    return not rule.is_checked_by_id and (is_covered or changed == facts)


PRINTED = {
    edition: {id for id, rule in house_rules().items() if changes_nothing(rule, edition)}
    for edition in EDITIONS
}
ORDERS_A_GAME = 40


def test_data_exclude_and_repeat_known_rules() -> None:
    assert "only one Bateaux" in EXCLUDED["french-bateaux-available", "french-bateaux-initial"]
    assert "no card is ever returned" in EXCLUDED["govern-loses-location", "no-governors"]
    assert {"short-raids", "locations-in-reserve"} <= PRINTED["first"]
    assert not PRINTED["second"]


SHORT_OR_LONG = [8, pytest.param(ORDERS_A_GAME, marks=pytest.mark.long)]
"""Orders in the game of each of some hundred pairs."""


@cache
def rules_in_calls() -> frozenset[str]:
    """Return the house rules in calls of `Ruleset.has_rule` in the engine."""
    sources = (ROOT / "engine").rglob("*.py")
    calls = (node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    checks = [
        call
        for call in calls
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".has_rule")
    ]
    words = (word for call in checks for argument in call.args for word in ast.walk(argument))
    constants = (word.value for word in words if isinstance(word, ast.Constant))
    return frozenset(value for value in constants if isinstance(value, str))


@pytest.mark.parametrize("rule", RULES)
def test_house_rule_does_something(rule: str) -> None:
    assert not house_rules()[rule].is_checked_by_id or rule in rules_in_calls(), (
        f"{rule} of engine/data/house-rules.toml sets no flag and changes no fact of the box, and "
        f'nothing in engine checks it: ruleset.has_rule("{rule}")'
    )


@pytest.mark.parametrize("rule", RULES)
def test_house_rule_is_shown_by_a_case(rule: str) -> None:
    assert any(rule in case.table.get("house_rules", ()) for case in cases()), (
        f"no case of tests/engine/rules plays {rule}: add one to house_rules.toml"
    )


def test_engine_checks_existing_house_rules_only() -> None:
    unknown = rules_in_calls() - {r for r in RULES if house_rules()[r].is_checked_by_id}
    assert not unknown, f"engine/data/house-rules.toml has no rule {unknown} that sets no flag"


def test_house_rules_are_checked_in_the_engine_only() -> None:
    sources = (ROOT / "pbem").rglob("*.py")
    assert not [path for path in sources if '.has_rule("' in path.read_text("utf-8")]


@pytest.mark.parametrize("rule", RULES)
def test_house_rule_has_a_summary_of_one_sentence(rule: str) -> None:
    assert re.fullmatch(r"[A-Z].*\.", house_rules()[rule].summary)


def test_every_reason_names_a_pair_that_is_excluded() -> None:
    for rule in house_rules().values():
        for other, reason in rule.excludes.items():
            one, two = sorted((rule.id, other))
            assert EXCLUDED[one, two] == reason


def invented_rule(id: str, value: int = 0, count: int = 0) -> HouseRule:
    """Return a made-up rule that sets a flag and the number of British Ships, if they are not 0."""
    change = Change.of("card", {"side": "british", "id": "ships", "count": count})
    flags = {"reserve_limit": value} if value else {}
    return HouseRule(id, "Name", "What.", flags, (change,) if count else (), {}, {})


@pytest.mark.parametrize(
    ("one", "other", "part"),
    [
        (invented_rule("a", value=3), invented_rule("b", value=4), "contradict each other"),
        (invented_rule("a", count=3), invented_rule("b", count=4), "contradict each other"),
        (
            invented_rule("a", value=3, count=3),
            invented_rule("b", value=3, count=4),
            "contradict each other",
        ),
        (invented_rule("a", value=3), invented_rule("b", value=3), "say the same"),
        (invented_rule("a", count=3), invented_rule("b", count=3), "say the same"),
        (invented_rule("a", value=3), invented_rule("b", value=3, count=3), None),
        (invented_rule("a", value=3), invented_rule("b", count=3), None),
    ],
)
def test_rules_about_the_same_fact_contradict_or_repeat_each_other(
    one: HouseRule, other: HouseRule, part: str | None
) -> None:
    """Two values for one flag or card contradict each other; equal changes repeat a rule."""
    for reason in (one.conflict(other), other.conflict(one)):
        assert (reason is None) == (part is None)
        assert (part or "") in str(reason or "")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("rule", RULES)
def test_rule_that_an_edition_is_printed_with_is_refused(rule: str, edition: str) -> None:
    """Every other rule makes a ruleset that differs from the plain edition."""
    if rule in PRINTED[edition]:
        with pytest.raises(
            InvalidRulesError, match=f"“{house_rules()[rule].name}” changes nothing"
        ):
            Ruleset.of(edition, [rule])
        return
    plain, changed = Ruleset.of(edition), Ruleset.of(edition, [rule])
    assert changed.house_rules == (rule,)
    facts = [
        {k: v for k, v in ruleset.canonical().items() if k != "house_rules"}
        for ruleset in (plain, changed)
    ]
    assert facts[0] != facts[1]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("pair", EXCLUDED, ids="+".join)
def test_pair_that_contradicts_itself_is_refused_with_the_reason(
    pair: tuple[str, str], edition: str
) -> None:
    """The refusal does not depend on the edition or on the sequence of the two rules."""
    for rules in (pair, pair[::-1], (*pair, "free-discards")):
        with pytest.raises(InvalidRulesError, match="cannot be played together") as refused:
            Ruleset.of(edition, rules)
        assert EXCLUDED[pair] in str(refused.value)
        assert all(house_rules()[rule].name in str(refused.value) for rule in pair)


def edition_for(pair: tuple[str, str]) -> str:
    """Return an edition in which both rules change something."""
    possible = [edition for edition in EDITIONS if not PRINTED[edition] & set(pair)]
    return possible[PAIRS.index(pair) % len(possible)]


@pytest.mark.slow
@pytest.mark.parametrize("max_orders", SHORT_OR_LONG)
@pytest.mark.parametrize("rule", RULES[:-1])
def test_compatible_pairs_can_be_played(rule: str, max_orders: int) -> None:
    """In games of any legal orders a player can always answer, and no card or piece is lost."""
    for pair in PAIRS:
        if pair[0] == rule and pair not in EXCLUDED:
            try:
                check_playable(pair, max_orders)
            except Exception as error:
                error.add_note(f"the house rules {' and '.join(pair)}")
                raise


def check_playable(pair: tuple[str, str], max_orders: int) -> None:
    random = Random("+".join(pair))
    start = new_game(Ruleset.of(edition_for(pair), pair))
    orders = 0
    state = start
    for state in random_game(random, max_orders, start):
        check_invariants(state)
        orders += 1
    assert orders > max_orders or state.awaiting.decision is Decision.OVER


@pytest.mark.parametrize("seed", range(6))
def test_compatible_rules_can_be_played_all_at_once(seed: int) -> None:
    random = Random(seed)
    ruleset = random_rules(random)
    assert len(ruleset.house_rules) >= len(RULES) - len(EXCLUDED) - len(PRINTED["first"])
    for state in random_game(random, 3 * ORDERS_A_GAME, new_game(ruleset)):
        check_invariants(state)


def test_rules_page_decides_about_existing_house_rules_only() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    section = page[page.index("## House rules") :]
    gone = {*re.findall(r"`([a-z]+(?:-[a-z]+)+)`", section)} - {*RULES}
    assert not gone, f"docs/rules.md, House rules, tells of {gone}, which there is not"
