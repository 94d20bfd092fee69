"""A bounded sample for the readers of foreign bytes; atheris tries more."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import pytest

from tests.fuzz.__main__ import READERS
from tests.fuzz.judging import check_behaviour
from tests.fuzz.mutants import Mutator
from tests.fuzz.targets import TARGETS

MUTANTS = 40


def test_every_target_is_offered() -> None:
    assert tuple(TARGETS) == READERS


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_accepted(name: str) -> None:
    """A fuzzer begins with the seeds, and would try little if they were refused."""
    target = TARGETS[name]
    for seed in target.seeds():
        assert target.run(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_altered_seeds_are_read_or_refused(name: str) -> None:
    target, random = TARGETS[name], Random(name)
    seeds, mutator = target.seeds(), Mutator([], name)
    for _ in range(MUTANTS):
        data = mutator.alter_bytes(random.choice(seeds), random.choice((1, 1, 2, 8)))
        # The target "identity" writes the file that it reads.
        with nullcontext() if name == "identity" else check_behaviour():
            target.run(data)
