"""The ledger of a deck: valid steps change it, and invalid steps are refused without effect."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from engine.sides import Slot
from pbem.errors import DeckError
from pbem.protocol.deck import Deck, GrantStream, commit, derive_list, open_lists
from tests.requirements import require

LISTS = 8
SEEDS = [bytes([i]) * 32 for i in range(4)]
CARDS = ["bateaux", "boston", "boston", "new-york", "norfolk", "pemaquid", "ships"]


def shuffle(deck: Deck, cards: Sequence[str] = CARDS) -> int:
    epoch = deck.next_epoch
    deck.shuffle(epoch, cards, commit(SEEDS[epoch], cards, LISTS))
    return epoch


def open_owed_lists(deck: Deck, cards: Sequence[str] = CARDS) -> list[tuple[str, bytes]]:
    """Open the owed lists, and return the owner's list."""
    epoch, chosen = require(deck.epoch_to_open), 5
    deck.open_lists(epoch, open_lists(SEEDS[epoch], cards, LISTS, chosen))
    return derive_list(SEEDS[epoch], cards, LISTS, chosen)


def slots(epoch: int, *positions: int) -> list[Slot]:
    return [Slot(epoch, position) for position in positions]


Dealt = tuple[Deck, list[tuple[str, bytes]]]


@pytest.fixture
def dealt_deck() -> Dealt:
    """Return a deck of seven with slots 1 and 4 in hand, and the owner's list."""
    deck = Deck(LISTS)
    shuffle(deck)
    deck.draw(2)
    deck.grant(5, slots(0, 1, 4))
    return deck, open_owed_lists(deck)


def test_whole_deck_is_drawn_to_the_last_card() -> None:
    deck = Deck(LISTS)
    assert (deck.undrawn, deck.epoch_to_open) == ([], None)
    assert not deck.wants_list
    shuffle(deck)
    assert deck.wants_list
    assert deck.draw(3) == []
    assert deck.wanted_slot_count == 3
    grants = GrantStream(bytes(32), bytes(32))
    grants.pick_list(LISTS)
    granted = grants.pick_slots(deck.undrawn, 3)
    deck.grant(5, granted)
    assert (deck.wanted_slot_count, deck.epoch_to_open) == (0, 0)
    assert not deck.wants_list
    own_list = open_owed_lists(deck)
    assert deck.epoch_to_open is None
    assert deck.hidden == granted
    for slot in granted:
        deck.open(slot, *own_list[slot.position])
    assert deck.hidden == []
    rest = deck.undrawn
    assert deck.draw(4) == rest
    assert deck.wanted_slot_count == 0
    assert deck.unseen(0) == Counter(own_list[slot.position][0] for slot in rest)
    for slot in rest:
        deck.open(slot, *own_list[slot.position])
    assert not deck.unseen(0)


def test_rest_of_a_pile_and_new_cards_share_a_record(dealt_deck: Dealt) -> None:
    deck, own_list = dealt_deck
    assert deck.draw(5) == slots(0, 0, 2, 3, 5, 6)
    assert shuffle(deck, CARDS[:3]) == 1
    assert deck.draw(2) == []
    assert deck.wanted_slot_count == 2
    assert deck.wants_list
    deck.grant(0, slots(1, 0, 2))
    deck.open_lists(1, open_lists(SEEDS[1], CARDS[:3], LISTS, 0))
    deck.open(Slot(0, 3), *own_list[3])
    assert deck.undrawn == slots(1, 1)


def test_rest_of_an_unopened_pile_needs_a_grant() -> None:
    deck = Deck(LISTS)
    shuffle(deck)
    assert deck.draw(7) == []
    deck.grant(5, slots(0, *range(7)))
    assert deck.epoch_to_open == 0


def test_second_draw_before_the_grant_is_refused(dealt_deck: Dealt) -> None:
    deck, _ = dealt_deck
    deck.draw(2)
    for count in (1, 3, 5):
        with pytest.raises(DeckError):
            deck.draw(count)
    assert deck.wanted_slot_count == 2


def test_list_is_granted_without_a_draw() -> None:
    deck = Deck(LISTS)
    shuffle(deck)
    deck.grant(0, [])
    assert deck.epoch_to_open == 0


def test_copy_is_independent(dealt_deck: Dealt) -> None:
    deck, own_list = dealt_deck
    other = deck.copy()
    other.open(Slot(0, 1), *own_list[1])
    other.draw(1)
    other.grant(None, slots(0, 0))
    assert deck.hidden == slots(0, 1, 4)
    assert deck.unseen(0) == Counter(CARDS)
    assert len(deck.undrawn) == 5
    assert deck.wanted_slot_count == 0


def state(
    deck: Deck,
) -> tuple[tuple[list[Slot], list[Slot], bool, int, int | None], list[Counter[str]]]:
    epochs = range(deck.next_epoch)
    ledger = (
        deck.undrawn,
        deck.hidden,
        deck.wants_list,
        deck.wanted_slot_count,
        deck.epoch_to_open,
    )
    return ledger, [deck.unseen(epoch) for epoch in epochs]


NONCE = bytes(32)


@pytest.mark.parametrize(
    "step",
    [
        lambda deck, _: deck.shuffle(1, CARDS, NONCE),
        lambda deck, _: deck.draw(0),
        lambda deck, _: deck.draw(6),
        lambda deck, _: deck.grant(None, []),
        lambda deck, _: deck.grant(3, slots(0, 0)),
        lambda deck, _: deck.open_lists(0, open_lists(SEEDS[0], CARDS, LISTS, 5)),
        lambda deck, _: deck.open_lists(1, open_lists(SEEDS[1], CARDS, LISTS, 5)),
        lambda deck, own_list: deck.open(Slot(0, 0), *own_list[0]),
        lambda deck, own_list: deck.open(Slot(1, 1), *own_list[1]),
        lambda deck, own_list: deck.open(Slot(0, 7), *own_list[1]),
        lambda deck, own_list: deck.open(Slot(0, 1), *own_list[4]),
        lambda deck, own_list: deck.open(Slot(0, 1), own_list[1][0], NONCE),
        lambda deck, own_list: deck.open(Slot(0, 1), "siege-artillery", own_list[1][1]),
    ],
)
def test_invalid_step_is_refused_without_effect(
    dealt_deck: Dealt, step: Callable[..., object]
) -> None:
    deck, own_list = dealt_deck
    before = state(deck)
    with pytest.raises(DeckError, match=r"^[a-z0-9].*\.$"):
        step(deck, own_list)
    assert state(deck) == before


@pytest.mark.parametrize("cards", [CARDS[::-1], []])
def test_cards_of_a_shuffle_are_in_order(cards: list[str]) -> None:
    with pytest.raises(DeckError, match="canonical order"):
        Deck(LISTS).shuffle(0, cards, NONCE)
