"""Orders as they are typed, on their way to the rules."""

from random import Random
from traceback import extract_stack

import pytest

from engine.actions.course import PassAction
from pbem.words.language import SOURCE, Language
from pbem.words.ordering.giving import give_order
from tests.cli.positions import random_match
from tests.play.turns import answer_to


def test_from_an_order_to_its_rule_it_is_at_most_ten_frames(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = []

    def perform(*_: object) -> None:
        ways.append([frame.name for frame in extract_stack()])

    monkeypatch.setattr(PassAction, "perform", perform)
    give_order(Language(SOURCE), answer_to(random_match(Random(3), 3), 3), "pass")
    (frames,) = ways
    assert len(frames[frames.index("give_order") :]) <= 10
