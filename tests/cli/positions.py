"""Positions during answers, in games by any edition and house rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.choices import Choices
from engine.players.practice import PracticePlayer
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from tests.engine.house_rule_positions import A_FEW, random_rules
from tests.play.matches import begin
from tests.play.turns import begin_record
from tests.signing import finish


def random_answers(seed: int, records: int = 30) -> Iterator[tuple[Turn, Choices]]:
    """Yield the answers of a game by random rules, before each order, with the choices.

    The orders are sometimes sensible and sometimes random, including follow-ups.
    """
    random = Random(seed)
    match = random_match(random, seed)
    sensible = PracticePlayer(random)
    for _ in range(records):
        if match.is_over:
            return
        answer = begin_record(match, seed)
        while not answer.is_complete or (answer.may_follow_up and random.random() < 0.7):
            ways = answer.choices
            yield answer, ways
            if random.random() < 0.6:
                answer.order(sensible.choose(answer.view()))
            else:
                answer.order(random.choice(list(ways.some_orders())))
        match, _ = finish(answer, answer.identity)


def random_match(random: Random, seed: int) -> Match:
    """Return a new match by a random edition and house rules."""
    home_support = random.choice(["asked", "ahead"])
    drawn = random_rules(random, random.random() * A_FEW)
    # The French choose their first card before there is a file to answer.
    rules = [rule for rule in drawn.house_rules if rule != "french-start-choice"]
    return begin(seed, lists=2, edition=drawn.edition, house_rules=rules, home_support=home_support)
