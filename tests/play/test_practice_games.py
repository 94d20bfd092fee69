"""Practice games by every edition and house rule end by a rule, and pass the audit.

The short run has a few games with several house rules each, and the long run hundreds with one or
none. A seed repeats its game.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from engine.house_rules import InvalidRulesError, house_rules
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from engine.state import State
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from tests.play.correspondents import Correspondents
from tests.sample import sample

EDITIONS, RULES = list(editions()), list(house_rules())
PER_EDITION, PER_RULE, CHUNK = 500, 20, 20
MAX_RECORDS = 1000
"""The maximum number of records; no game reaches it."""


def group_rules(rules: Iterable[str]) -> list[list[str]]:
    """Group house rules into compatible sets of at most five."""
    groups: list[list[str]] = []
    for rule in rules:
        for group in groups:
            if len(group) < 5 and _editions_with(*group, rule):
                group.append(rule)
                break
        else:
            groups.append([rule])
    return groups


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, PER_EDITION, CHUNK))
@pytest.mark.parametrize("edition", EDITIONS)
def test_games_by_an_edition_end_and_are_proved(edition: str, first: int) -> None:
    for seed in range(first, first + CHUNK):
        practice_game(edition, [], seed)


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_games_by_a_house_rule_end_and_are_proved(rule: str) -> None:
    """The edition changes with the seed, among those in which the rule has an effect."""
    fitting = _editions_with(rule)
    for seed in range(PER_RULE):
        practice_game(fitting[seed % len(fitting)], [rule], seed)


def _editions_with(*rules: str) -> list[str]:
    return [edition for edition in EDITIONS if _can_be_played(edition, rules)]


def _can_be_played(edition: str, rules: tuple[str, ...]) -> bool:
    try:
        Ruleset.of(edition, rules)
    except InvalidRulesError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(range(len(group_rules(RULES))), every=2))
def test_game_by_house_rules_ends_and_is_proved(number: int) -> None:
    """The edition changes with the number of the group."""
    rules = group_rules(RULES)[number]
    fitting = _editions_with(*rules)
    practice_game(fitting[number % len(fitting)], rules, 0)


def practice_game(edition: str, rules: list[str], seed: int) -> None:
    """Play a game to both closes, and check its file."""
    try:
        file = _play_game(edition, rules, seed)
        report = audit(file.save.write())
        assert report.is_clean, report.finding
        assert report.closed.keys() == set(Side)
        _assert_ended_by_a_rule(report.match.state)
    except Exception as error:
        error.add_note(f"the practice game with seed {seed}, {edition}, {rules}")
        raise


def _play_game(edition: str, rules: list[str], seed: int) -> GameFile:
    random = Random(f"practice game {edition} {rules} {seed}")
    pair = Correspondents(random)
    game = pair.invite(
        random.choice(list(Side)),
        leaves_choice=random.random() < 0.3,
        lists=random.choice([1, 2, 4]),
        home_support=random.choice(["asked", "ahead"]),
        edition=edition,
        house_rules=rules,
    )
    game = pair.join(game)
    while game.match.next_side is not None:
        assert len(game.match.records) < MAX_RECORDS
        game = pair.answer(game)
    return game


def _assert_ended_by_a_rule(state: State) -> None:
    assert state.outcome is not None
    assert "resigned" not in str(state.outcome.reason)
