"""Home Support ahead: a grant also names the next cards, which are drawn first.

docs/protocol.md, Home Support ahead.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side, Slot
from engine.state import PlayerState
from pbem.errors import DeckError
from pbem.protocol import steps
from pbem.protocol.deck import Deck, GrantAnswer, GrantStream, commit, open_lists
from pbem.protocol.match import Match
from tests.play.matches import begin, play

LISTS = 4
SEED = bytes(range(32))
CARDS = [f"card-{i:02}" for i in range(12)]


def slots(*positions: int) -> list[Slot]:
    return [Slot(0, position) for position in positions]


@pytest.fixture
def deck() -> Deck:
    """Twelve cards: 2 and 7 are in hand; 1, 5 and 9 are named ahead."""
    deck = Deck(LISTS)
    deck.shuffle(0, CARDS, commit(SEED, CARDS, LISTS))
    deck.draw(2)
    deck.grant(3, slots(2, 7), slots(1, 5, 9), wants_ahead=3)
    deck.open_lists(0, open_lists(SEED, CARDS, LISTS, 3))
    return deck


def test_named_slots_stay_in_the_pile(deck: Deck) -> None:
    assert deck.ahead == slots(1, 5, 9)
    assert set(deck.ahead) <= set(deck.undrawn)
    assert deck.hidden == slots(2, 7)


def test_home_support_draws_named_slots_at_once(deck: Deck) -> None:
    assert deck.draw(3, from_ahead=True) == slots(1, 5, 9)
    assert deck.ahead == []
    assert deck.hidden == slots(1, 2, 5, 7, 9)
    assert deck.wanted_slot_count == 0


def test_home_support_requests_a_grant_if_too_few_are_named(deck: Deck) -> None:
    assert deck.draw(4, from_ahead=True) == []
    assert deck.wanted_slot_count == 4


def test_refill_draws_lowest_named_slots_first(deck: Deck) -> None:
    assert deck.draw(2) == []
    request = deck.grant_request(ahead=2)
    assert (request.first, request.slot_count) == (tuple(slots(1, 5)), 2)
    for wrong in (slots(1, 9), slots(0, 1), slots(3, 4)):
        with pytest.raises(DeckError, match="ahead come first"):
            deck.grant(None, wrong)
    deck.grant(None, slots(1, 5), slots(0, 11), wants_ahead=2)
    assert deck.ahead == slots(0, 9, 11)


def test_large_refill_draws_all_named_slots_and_others(deck: Deck) -> None:
    deck.draw(5)
    for wrong in (slots(0, 1, 3, 4, 5), slots(0, 3, 4, 6, 8)):
        with pytest.raises(DeckError, match="ahead come first"):
            deck.grant(None, wrong)
    deck.grant(None, slots(0, 1, 5, 9, 11))
    assert deck.ahead == []


def test_rest_of_the_pile_is_drawn_at_once(deck: Deck) -> None:
    assert deck.draw(10) == slots(0, 1, 3, 4, 5, 6, 8, 9, 10, 11)
    assert (deck.ahead, deck.undrawn) == ([], [])


def test_drawn_and_named_slots_share_a_stream(deck: Deck) -> None:
    """The drawn slots come first, then the slots named ahead, and no slot comes twice."""
    deck.draw(4)
    request = deck.grant_request(ahead=3)
    first = GrantStream(SEED, bytes(32)).answer(request)
    grants = GrantStream(SEED, bytes(32))
    drawn = grants.pick_slots(request.remaining, 1)
    others = [slot for slot in request.remaining if slot not in drawn]
    assert first == GrantAnswer(
        None, tuple(sorted([*slots(1, 5, 9), *drawn])), (*grants.pick_slots(others, 3),)
    )
    deck.grant(*first, wants_ahead=3)


# --- whole games


def test_three_slots_are_named_while_home_support_may_be_in_hand() -> None:
    """The rule is checked after every grant of a game."""
    match = play(
        begin(2, home_support="ahead"), PracticePlayer(Random(2)).choose, turns=400, seed=2
    )
    match_so_far = Match()
    named, unnamed = 0, 0
    for record in match.records:
        match_so_far.add(record)
        grants = [step for step in record.steps if isinstance(step, steps.Grant)]
        if not grants or match_so_far.is_over:
            continue
        (grant,) = grants
        owner = Side(record.side).opponent
        deck, player = match_so_far.decks[owner], match_so_far.state.players[owner]
        if "home-support" in _may_hold(player):
            assert len(deck.ahead) == min(3, len(deck.undrawn))
            named += bool(grant.ahead)
        else:
            assert grant.ahead is None
            unnamed += 1
    assert named > 10
    assert unnamed > 10


def _may_hold(player: PlayerState) -> list[str]:
    """Return the cards that may be in a hand, by public information."""
    return [*player.hand, *(card for slot in player.hidden for card in player.unseen[slot.epoch])]
