"""Positions in games by file, to which an answer is being made, by any edition and house rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.house_rules import UnknownRules, house_rules
from engine.players.practice import PracticePlayer
from engine.ruleset import Ruleset, editions
from engine.ways import Ways
from pbem.play.answer import Answer
from pbem.protocol.match import Match
from tests.play.playing import begin
from tests.play.turns import answer_to


def random_answers(seed: int, records: int = 30) -> Iterator[tuple[Answer, Ways]]:
    """Answers in a game by random rules, before each order, and the ways to go on with them.

    What is ordered is now sensible, now anything legal, also before the other side has answered.
    """
    random = Random(seed)
    match = random_match(random, seed)
    sensible = PracticePlayer(random)
    for _ in range(records):
        if match.is_over:
            return
        answer = answer_to(match, seed)
        while not answer.is_complete or (answer.may_follow_up and random.random() < 0.7):
            ways = Ways(answer.worlds)
            yield answer, ways
            if random.random() < 0.6:
                answer.order(sensible.choose(answer.view()))
            else:
                answer.order(random.choice(list(ways.some())))
        match = answer.finish().match


def random_match(random: Random, seed: int) -> Match:
    """A match just begun, by any edition and house rules."""
    edition = random.choice(list(editions()))
    home_support = random.choice(["asked", "ahead"])
    rules = _rules(random, edition)
    return begin(seed, lists=2, edition=edition, house_rules=rules, home_support=home_support)


def _rules(random: Random, edition: str) -> list[str]:
    chosen: list[str] = []
    # The card that the French begin with is chosen before there is a file to answer.
    names = sorted(name for name in house_rules() if not _asks_for_start_card(edition, name))
    for name in random.sample(names, random.randint(0, 8)):
        try:
            Ruleset.of(edition, [*chosen, name])
        except UnknownRules:
            continue
        chosen.append(name)
    return chosen


def _asks_for_start_card(edition: str, rule: str) -> bool:
    try:
        return Ruleset.of(edition, [rule]).plays("french-start-choice")
    except UnknownRules:
        return False
