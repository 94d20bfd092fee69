"""Any signed record is refused with a finding, or can be answered."""

from __future__ import annotations

from random import Random

import pytest

from engine.sides import Side, Slot
from pbem.errors import VerificationError
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.protocol.steps import Step
from tests.play.matches import answer, any_order, begin, identities, resign, sign_as

ORDERS = (
    "pass", "end", "home-support", "allow", "show-hand", "take boston", "raid quebec: rangers",
    "settle nowhere: boston, boston", "develop quebec: bateaux", "intendant quebec",
    "lose quebec: ships", "withdraw quebec", "trade boston", "govern boston", "piracy ships",
    "besiege nowhere: ships, boston", "discard boston, boston", "block militia", "give boston",
)  # fmt: skip
RECORDS, VARIANTS = 50, 8
SLOT = Slot(0, 0)


def mutate(random: Random, honest: tuple[Step, ...], pool: list[Step]) -> tuple[Step, ...]:
    """Return the steps of a record with one to three changes."""
    result = list(honest)
    for _ in range(random.choice([1, 1, 2, 3])):
        result = result or [steps.OrderStep("pass")]
        at, to = random.randrange(len(result)), random.randrange(len(result) + 1)
        match random.randrange(6):
            case 0:
                del result[at]
            case 1:
                result.insert(to, result[at])
            case 2:
                result.insert(to - (to > at), result.pop(at))
            case 3 | 4:
                result.insert(to, random.choice(pool))
            case 5:
                result[at] = _change(random, result[at])
    return tuple(result) or (steps.OrderStep("pass"),)


def _change(random: Random, step: Step) -> Step:
    match step:
        case steps.DrawStep():
            return step._replace(count=max(1, step.count + random.choice([-1, 1])))
        case steps.ShuffleStep():
            subset = tuple(sorted(random.sample(step.cards, max(1, len(step.cards) - 1))))
            return step._replace(cards=random.choice([subset, step.cards]), epoch=step.epoch + 1)
        case steps.Grant():
            return step._replace(slots=step.slots[1:] or (SLOT,), ahead=step.slots[:1] or None)
        case steps.OpenLists():
            return step._replace(commitments=step.commitments[::-1])
    return step


# Grants that are asked for, and grants ahead; more games of both in the long run.
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))]
)
def test_record_is_refused_or_can_be_answered(seed: int) -> None:
    random = Random(seed)
    match = begin(seed, lists=2, home_support=("asked", "ahead")[seed % 2])
    secrets = [who.game_secret(match.entrants[Side.BRITISH].nonce) for who in identities(seed)]
    pool: list[Step] = [*map(steps.OrderStep, ORDERS), *map(steps.Close, secrets), steps.Resign()]
    pool += [steps.DrawStep(1), steps.DrawStep(3), steps.Grant((SLOT,)), steps.Grant((SLOT,), 0)]
    answers = 0
    while match.next_side is not None and len(match.records) < RECORDS:
        before = match
        match = answer(match, any_order(random), seed, lambda: random.random() < 0.9)
        pool += match.last.steps
        for _ in range(VARIANTS):
            forgery = mutate(random, match.last.steps, pool)
            author = identities(seed)[match.last.index % 2]
            record = sign_as(author, match.last, steps=forgery)
            hostile = before.copy()
            try:
                hostile.add(record)
            except VerificationError:
                continue
            answers += _is_answered(hostile, random, seed)
    assert answers > 10


def _is_answered(match: Match, random: Random, seed: int) -> bool:
    """Return whether the record can be answered; check that honest answers are valid."""
    if match.next_side is None:
        return False
    answered = answer(match, any_order(random), seed)
    match.copy().add(answered.last)
    if not match.is_over:
        match.copy().add(resign(match, seed).last)
    return True
