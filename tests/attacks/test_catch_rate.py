"""A wrong deck is found with probability 1 - 1/K when it is opened, and always by the close."""

from __future__ import annotations

from random import Random

import pytest

from pbem.errors import DeckError
from pbem.protocol.deck import (
    GrantStream,
    _commitment,
    _leaves,
    _list_hashes,
    derive_list,
    open_lists,
    root_seed,
    verify_opening,
)
from tests.attacks.catch_rate import CARDS, SHUFFLES, SIZES, measure
from tests.attacks.programs import duplicate_first_card


@pytest.mark.slow
@pytest.mark.parametrize("shuffles", [400, pytest.param(SHUFFLES, marks=pytest.mark.long)])
@pytest.mark.parametrize("lists", SIZES)
def test_wrong_deck_passes_once_in_k_openings(lists: int, shuffles: int) -> None:
    rate = measure(lists, shuffles)
    assert rate.deviations < 5
    assert rate.at_opening + rate.at_close == rate.shuffles


def test_two_doctored_lists_never_pass() -> None:
    """Only the granted list stays closed, so one doctored list is always opened."""
    lists, seed = 4, bytes(32)
    hashes = _list_hashes(_leaves(seed, lists), CARDS)
    doctored = _list_hashes(_leaves(seed, lists), duplicate_first_card(CARDS))
    hashes[1:3] = doctored[1:3]
    for chosen in range(lists):
        for held in (CARDS, duplicate_first_card(CARDS)):
            opening = open_lists(seed, held, lists, chosen)
            with pytest.raises(DeckError, match="not the ones that were committed to"):
                verify_opening(_commitment(CARDS, hashes), CARDS, lists, chosen, opening)


def test_stacked_list_draws_no_better_than_a_shuffled_one() -> None:
    """The owner puts the wanted card on top of list 0, but the opponent's grants are random.

    Five of ten cards are drawn, so that the card comes in half of the hands.
    """
    random, hands, hits = Random("stacked"), 2000, 0
    for trial in range(hands):
        secret, previous = random.randbytes(32), random.randbytes(32)
        lists = 2
        again = 0
        while True:
            seed = root_seed(secret, again, previous)
            if derive_list(seed, CARDS, lists, 0)[0][0] == CARDS[0]:
                break
            again += 1
        grants = GrantStream(random.randbytes(32), trial.to_bytes(32, "big"))
        cards = derive_list(seed, CARDS, lists, grants.pick_list(lists))
        hits += CARDS[0] in [cards[i][0] for i in grants.pick_slots(range(len(CARDS)), 5)]
    deviation = (hands * 0.25) ** 0.5
    assert abs(hits - hands / 2) < 5 * deviation
