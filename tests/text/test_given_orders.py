"""Orders as they are typed, on their way to the rules."""

from random import Random
from traceback import extract_stack

import pytest

from engine.actions.cards import PassAction
from engine.choices import Prefix
from engine.orders import Fortify, Raid
from pbem.errors import WrongUse
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.submit import give_order
from tests.cli.positions import random_match
from tests.play.playing import begin
from tests.play.turns import begun


def test_from_an_order_to_its_rule_are_ten_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = []

    def perform(*_: object) -> None:
        ways.append([frame.name for frame in extract_stack()])

    monkeypatch.setattr(PassAction, "perform", perform)
    give_order(Language(SOURCE), begun(begin(3, lists=2), 3), "pass")
    (frames,) = ways
    assert len(frames[frames.index("give_order") :]) <= 10


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_an_order_that_no_card_can_complete_says_what_stands_in_its_way(seed: int) -> None:
    answer, language = begun(random_match(Random(seed), seed), seed), Language(SOURCE)
    board, complete = answer.view().board, answer.choices
    told = {}
    for kind in (Raid, Fortify):
        for place in [*board, "louisbourg"]:
            with pytest.raises(WrongUse) as refused:
                give_order(language, answer, f"{kind.verb} {place}")
            if not complete.parts(Prefix(kind, place)):
                told[kind, place] = str(refused.value)
    own = next(place for place, piece in board.items() if piece.owner is answer.side)
    assert told[Raid, own].endswith("does not belong to the enemy.")
    assert told
    assert not [sentence for sentence in told.values() if "takes 1" in sentence]
