"""Orders as they are typed, on their way to the rules."""

from random import Random

import pytest

from engine.choices import Prefix
from engine.orders import Fortify, Raid
from pbem.errors import UsageError
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.submit import give_order
from tests.cli.positions import random_match
from tests.play.turns import begin_record


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_order_that_no_card_can_complete_is_refused_with_a_reason(seed: int) -> None:
    answer, language = begin_record(random_match(Random(seed), seed), seed), Language(SOURCE)
    board, complete = answer.view().board, answer.choices
    output = {}
    for kind in (Raid, Fortify):
        for place in [*board, "louisbourg"]:
            with pytest.raises(UsageError) as refused:
                give_order(language, answer, f"{kind.verb} {place}")
            if not complete.parts(Prefix(kind, place)):
                output[kind, place] = str(refused.value)
    own = next(place for place, piece in board.items() if piece.owner is answer.side)
    assert output[Raid, own].endswith("does not belong to the enemy.")
    assert output
    assert not [sentence for sentence in output.values() if "takes 1" in sentence]
