"""Shuffles follow the specification, are fair, and have one opening."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from pbem.errors import DeckError
from pbem.protocol import deck
from pbem.protocol.deck import (
    Opening,
    are_all_lists_open,
    commit,
    derive_list,
    open_lists,
    slot_commitment,
    verify_opening,
)
from tests.vectors import naive

SEED = bytes(range(32))
CARDS = ["bateaux", "boston", "boston", "new-york", "ships"]


def seeds(count: int, label: bytes = b"") -> list[bytes]:
    return [naive.sha(b"test", label + str(i).encode()) for i in range(count)]


def test_opened_commitments_are_those_of_the_list() -> None:
    opening = open_lists(SEED, CARDS, 8, 5)
    owned = derive_list(SEED, CARDS, 8, 5)
    assert opening.commitments == tuple(slot_commitment(nonce, card) for card, nonce in owned)
    assert sorted(card for card, _ in owned) == CARDS


def test_every_order_is_equally_likely() -> None:
    cards, rounds = ["a", "b", "c", "d"], 24 * 400
    counts = Counter(
        tuple(card for card, _ in derive_list(seed, cards, 1, 0)) for seed in seeds(rounds)
    )
    assert set(counts) == set(itertools.permutations(cards))
    chi_square = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert chi_square < 49.7  # 23 degrees of freedom, 1 in 1000; the seeds are fixed


def test_equal_cards_have_different_commitments() -> None:
    """Two copies of a card have different commitments, and no nonce comes twice."""
    cards = [item for j in range(64) for item in derive_list(SEED, ["a"] * 8, 64, j)]
    assert len({nonce for _, nonce in cards}) == len(cards)
    assert len({slot_commitment(nonce, card) for card, nonce in cards}) == len(cards)


@pytest.mark.parametrize("chosen", range(8))
def test_opening_does_not_reveal_the_chosen_list(chosen: int) -> None:
    """The siblings contain neither the chosen leaf nor a node on its path."""
    opening = open_lists(SEED, CARDS, 8, chosen)
    path = naive.path(chosen, 3)
    on_path = {naive.leaf(SEED, path[:level]) for level in range(4)}
    assert not on_path & set(opening.siblings)
    assert len(set(opening.siblings)) == 3
    secrets = {nonce for _, nonce in derive_list(SEED, CARDS, 8, chosen)}
    grown = {
        nonce
        for level, sibling in enumerate(opening.siblings)
        for j in range(2 ** (2 - level))
        for _, nonce in naive.the_list(naive.leaf(sibling, naive.path(j, 2 - level)), CARDS)
    }
    assert not secrets & grown


def flip_bits(data: bytes) -> Iterator[bytes]:
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def test_every_changed_bit_of_an_opening_is_detected() -> None:
    cards, lists, chosen = CARDS[:3], 4, 2
    commitment = commit(SEED, cards, lists)
    opening = open_lists(SEED, cards, lists, chosen)
    for part in range(2):
        for i, data in enumerate(opening[part]):
            for changed in flip_bits(data):
                forged = list(opening)
                forged[part] = (*opening[part][:i], changed, *opening[part][i + 1 :])
                with pytest.raises(DeckError):
                    verify_opening(commitment, cards, lists, chosen, Opening(*forged))
    for changed in flip_bits(commitment):
        with pytest.raises(DeckError):
            verify_opening(changed, cards, lists, chosen, opening)


@pytest.mark.parametrize(
    ("cards", "lists", "chosen"),
    [
        (CARDS[:4], 8, 3),
        ([*CARDS[:4], "taunton"], 8, 3),
        (CARDS, 8, 2),
        (CARDS, 4, 3),
        (CARDS, 16, 3),
        (CARDS, 1, 0),
    ],
)
def test_opening_verifies_only_its_commitment(
    cards: Sequence[str], lists: int, chosen: int
) -> None:
    commitment, opening = commit(SEED, CARDS, 8), open_lists(SEED, CARDS, 8, 3)
    with pytest.raises(DeckError):
        verify_opening(commitment, cards, lists, chosen, opening)


def cheat(seed: bytes, wrong: Sequence[str], depth: int, doctored: int) -> bytes:
    """Return a commitment with wrong cards in one list; the other lists are honest."""
    leaves = [naive.leaf(seed, naive.path(i, depth)) for i in range(2**depth)]
    hashes = [
        naive.of_leaf(leaf, wrong if i == doctored else CARDS) for i, leaf in enumerate(leaves)
    ]
    return naive.of_lists(hashes, len(CARDS))


def test_wrong_deck_is_detected_unless_its_list_is_chosen() -> None:
    wrong = sorted([*CARDS[1:], "siege-artillery"])
    commitment = cheat(SEED, wrong, 3, doctored=6)
    for chosen in range(8):
        owner = wrong if chosen == 6 else CARDS
        opening = open_lists(SEED, owner, 8, chosen)
        if chosen == 6:
            verify_opening(commitment, CARDS, 8, chosen, opening)
        else:
            with pytest.raises(DeckError):
                verify_opening(commitment, CARDS, 8, chosen, opening)


@pytest.mark.parametrize("lists", [2, 4, 8, 16])
def test_two_openings_of_one_shuffle_show_every_list(lists: int) -> None:
    """Two different openings of one shuffle leave no list hidden."""
    cards = ["a", "b", "c"]
    openings = [open_lists(SEED, cards, lists, chosen).siblings for chosen in range(lists)]
    for one, other in itertools.product(openings, repeat=2):
        assert are_all_lists_open(one, other) == (one != other)
    if lists > 2:
        for chosen in range(lists):
            of_another = open_lists(bytes(32), cards, lists, chosen).siblings
            assert not any(are_all_lists_open(one, of_another) for one in openings)
            assert not any(are_all_lists_open(of_another, one) for one in openings)
    assert not are_all_lists_open((), ())


@pytest.mark.parametrize(
    "cards", [["a"], ["boston"] * 3, [f"card-{i * 7919:x}" for i in range(60)]]
)
def test_arrays_give_the_same_commitments(
    cards: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy")
    cards.sort()
    leaves = seeds(700)
    monkeypatch.setattr(deck, "_numpy", None)
    plain = deck._list_hashes(leaves, cards)
    deck.load_numpy()
    assert deck._list_hashes(leaves, cards) == plain
    assert deck._list_hashes(leaves[:3], cards) == plain[:3]
