"""The blind deck: shuffles that no player sees and both players can check.

Cards are plain strings and players do not occur: any card game could be shuffled this way.

The owner of a draw pile commits to K secret lists at once and later opens all but one of them.
From a root seed the owner grows a binary tree of seeds; each leaf gives one order of the cards and
a nonce for each card. The owner publishes one hash over all lists. The opponent then names a list.
The siblings on the path to this list let everybody recompute the other lists, and check that each
of them has the right cards. For the named list only the commitment to each card is published.

In this module `cards` are in canonical order (`sorted`) and `lists` is K, a power of two; the
callers have checked both. See docs/protocol.md, A shuffle; A grant; The ledger of a deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from importlib import import_module
from struct import Struct, unpack
from typing import Any, NamedTuple, Self, TypeVar

from engine.message import Message
from engine.sides import Slot
from engine.value import Mutable
from pbem.errors import DeckError
from pbem.errors.rule import Rule
from pbem.protocol.primitives import Tag, derive, hashes, tagged_hash, tagged_hashes, tagged_xof

# --- grants


T = TypeVar("T")


class GrantRequest(NamedTuple):
    """The demand that a grant has to meet (docs/protocol.md, A grant).

    `lists` is the number of lists to choose from, or 0 if no list is wanted. `first` are the slots
    named ahead, which are granted first, and `remaining` the other undrawn slots, both ascending.
    `slot_count` is the number of cards to draw, `ahead` the number of slots to name ahead.
    """

    lists: int
    first: tuple[Slot, ...]
    remaining: tuple[Slot, ...]
    slot_count: int
    ahead: int


class GrantAnswer(NamedTuple):
    """The content of a grant: the list number if one is wanted, slots drawn, slots named ahead."""

    list_number: int | None
    slots: tuple[Slot, ...]
    ahead: tuple[Slot, ...] = ()


class GrantStream:
    """The random numbers for all grants of a player in one record.

    They follow from the granter's game secret and the hash of the record that made the request, 32
    bytes each. See docs/protocol.md, A grant.

    >>> stream = GrantStream(bytes(32), bytes(32))
    >>> stream.pick_list(1024)
    381
    >>> stream.pick_slots("abcdefgh", 3)
    ['a', 'e', 'f']
    """

    def __init__(self, secret: bytes, previous: bytes) -> None:
        self._words = _words(secret, previous)

    def answer(self, request: GrantRequest) -> GrantAnswer:
        """Return the next grant: a list if one is wanted, then slots, then slots named ahead."""
        number = self.pick_list(request.lists) if request.lists else None
        drawn = self.pick_slots(request.remaining, request.slot_count - len(request.first))
        remaining = [slot for slot in request.remaining if slot not in drawn]
        ahead = self.pick_slots(remaining, request.ahead)
        return GrantAnswer(number, tuple(sorted([*request.first, *drawn])), tuple(ahead))

    def pick_list(self, lists: int) -> int:
        """Return the number, below `lists`, of the list that becomes the draw pile."""
        return self._uniform(lists)

    def pick_slots(self, undrawn: Sequence[T], count: int) -> Sequence[T]:
        """Return `count` of the undrawn slots; both lists ascend."""
        indices = [*range(len(undrawn))]
        drawn = [indices.pop(self._uniform(len(indices))) for _ in range(count)]
        return [undrawn[i] for i in sorted(drawn)]

    def _uniform(self, n: int) -> int:
        """Return a number below n, uniformly: words past the last multiple of n are skipped."""
        limit = 2**64 - 2**64 % n
        return next(word for word in self._words if word < limit) % n


def _words(secret: bytes, previous: bytes) -> Iterator[int]:
    """Yield the stream as 64-bit numbers, computed in blocks of doubling length."""
    used, length = 0, 64
    while True:
        stream = tagged_xof(Tag.GRANT, secret, previous, length=8 * length)
        yield from unpack(f">{length}Q", stream)[used:]
        used, length = length, 2 * length


# --- shuffles


SEED_LENGTH = 32
NONCE_LENGTH = 32


class Opening(NamedTuple):
    """The opening of all lists but the granted one (docs/protocol.md, Opening the lists).

    `siblings` are the seeds next to the path to the granted list, from the root downwards, 32 bytes
    each. `commitments` are the commitments of the granted list, one per position, 32 bytes each.
    """

    siblings: tuple[bytes, ...]
    commitments: tuple[bytes, ...]


def root_seed(secret: bytes, epoch: int, previous: bytes) -> bytes:
    """Return the root seed of a shuffle, 32 bytes (docs/protocol.md, A shuffle).

    `secret` is the owner's game secret. `previous` is the hash of the record before the one with
    the shuffle, or 32 zero bytes for a shuffle in record 0. So the owner has no choice of seed.
    """
    return derive(Tag.SHUFFLE, secret, salt=previous, context=epoch.to_bytes(4, "big"))


def slot_commitment(nonce: bytes, card: str) -> bytes:
    """Return the commitment to a card at one position, 32 bytes; the 32-byte nonce hides it."""
    return tagged_hash(Tag.SLOT, nonce, card.encode("ascii"))


def commit(seed: bytes, cards: Sequence[str], lists: int) -> bytes:
    """Return the commitment of a shuffle by its root seed, 32 bytes (docs/protocol.md, A shuffle).

    >>> cards = ["boston", "new-haven", "settlers"]
    >>> commitment = commit(bytes(32), cards, lists=8)
    >>> opening = open_lists(bytes(32), cards, 8, number=5)
    >>> len(opening.siblings), len(opening.commitments)
    (3, 3)
    >>> verify_opening(commitment, cards, 8, 5, opening)
    >>> verify_opening(commitment, cards, 8, 4, opening)
    Traceback (most recent call last):
    pbem.errors.DeckError: the lists that were opened are not the ones that were committed to.
    >>> pile = derive_list(bytes(32), cards, 8, number=5)
    >>> sorted(card for card, nonce in pile) == cards
    True
    >>> [slot_commitment(nonce, card) for card, nonce in pile] == [*opening.commitments]
    True
    """
    return _commitment(cards, _list_hashes(_leaves(seed, lists), cards))


def open_lists(seed: bytes, cards: Sequence[str], lists: int, number: int) -> Opening:
    """Return the opening of every list but list `number` (docs/protocol.md, Opening the lists)."""
    siblings, leaf = _path(seed, lists, number)
    commitments = next(_commitments([leaf], cards))
    return Opening(tuple(siblings), tuple(commitments))


def derive_list(
    seed: bytes, cards: Sequence[str], lists: int, number: int
) -> list[tuple[str, bytes]]:
    """Return list `number`, for its owner alone: the card and the nonce at each position."""
    _, leaf = _path(seed, lists, number)
    order, nonces = next(_orders([leaf], len(cards)))
    return [(cards[i], nonce) for i, nonce in zip(order, nonces, strict=True)]


def verify_opening(
    commitment: bytes, cards: Sequence[str], lists: int, number: int, opening: Opening
) -> None:
    """Raise DeckError unless an opening fits the commitment of its shuffle (R-6.8, R-6.9).

    If it fits, every list but `number` holds exactly `cards`, and the commitments belong to
    list `number`. See docs/protocol.md, Opening the lists.
    """
    siblings, commitments = opening
    if 1 << len(siblings) != lists or len(commitments) != len(cards):
        raise DeckError(
            "the opening does not have the right number of parts for this shuffle.",
            Rule.OPENING_PARTS,
        )
    hashes: tuple[bytes, ...] = (tagged_hash(Tag.LIST, *commitments),)
    for level, seed in zip(range(len(siblings)), reversed(siblings), strict=True):
        others = _subtree_hashes(seed, 1 << level, tuple(cards))
        hashes = others + hashes if number >> level & 1 else hashes + others
    if _commitment(cards, hashes) != commitment:
        raise DeckError(
            "the lists that were opened are not the ones that were committed to.", Rule.OPENING
        )


def are_all_lists_open(first: Sequence[bytes], second: Sequence[bytes]) -> bool:
    """Return True if two openings, given by their siblings, together open all lists of a shuffle.

    They do so if they are from one tree, for different lists. With only two lists the siblings do
    not show the tree; then both openings are assumed to be from the same tree.
    """
    levels = range(min(len(first), len(second)))
    fork = next((level for level in levels if first[level] != second[level]), None)
    if fork is None:
        return False
    # In one tree they share a sibling, or a sibling of one is the parent of a sibling of the other.
    return fork > 0 or len(levels) < 2 or second[1] in _children(first[0])


def _commitment(cards: Sequence[str], hashes: Sequence[bytes]) -> bytes:
    sizes = len(hashes).to_bytes(4, "big") + len(cards).to_bytes(4, "big")
    return tagged_hash(Tag.LISTS, sizes, *hashes)


def _children(seed: bytes) -> tuple[bytes, bytes]:
    both = tagged_xof(Tag.NODE, seed, length=2 * SEED_LENGTH)
    return both[:SEED_LENGTH], both[SEED_LENGTH:]


def _leaves(seed: bytes, count: int) -> list[bytes]:
    seeds = [seed]
    while len(seeds) < count:
        seeds = [child for parent in seeds for child in _children(parent)]
    return seeds


def _path(seed: bytes, lists: int, number: int) -> tuple[list[bytes], bytes]:
    """Return the siblings on the path from the root down to a leaf, and the leaf."""
    siblings = []
    for level in reversed(range(lists.bit_length() - 1)):
        left, right = _children(seed)
        seed, sibling = (right, left) if number >> level & 1 else (left, right)
        siblings.append(sibling)
    return siblings, seed


def _orders(leaves: Iterable[bytes], size: int) -> Iterator[tuple[list[int], tuple[bytes, ...]]]:
    """Yield, for each leaf, the canonical index of the card at each position, and the nonces."""
    layout = Struct(f">{size}Q" + f"{NONCE_LENGTH}s" * size)
    indices = range(size)
    for leaf in leaves:
        numbers = layout.unpack(tagged_xof(Tag.LEAF, leaf, length=layout.size))
        # The sort is stable: equal keys leave the cards in canonical order.
        yield sorted(indices, key=numbers.__getitem__), numbers[size:]


def _commitments(leaves: Iterable[bytes], cards: Sequence[str]) -> Iterator[list[bytes]]:
    """Yield, for each leaf, the commitment at each position."""
    encoded = [card.encode("ascii") for card in cards]
    for order, nonces in _orders(leaves, len(cards)):
        yield tagged_hashes(Tag.SLOT, nonces, [encoded[i] for i in order])


@lru_cache(maxsize=256)
def _subtree_hashes(seed: bytes, count: int, cards: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return the hashes of the lists below a seed; cached, because files of a game repeat them."""
    return tuple(_list_hashes(_leaves(seed, count), cards))


def _list_hashes(leaves: Sequence[bytes], cards: Sequence[str]) -> list[bytes]:
    is_by_arrays = _numpy is not None and len(leaves) > 16
    commitments = (_commitments_by_arrays if is_by_arrays else _commitments)(leaves, cards)
    return [tagged_hash(Tag.LIST, b"".join(part)) for part in commitments]


_numpy: Any = None
_LEAVES_AT_ONCE = 512
"""The number of leaves in an array, which bounds its size."""


def load_numpy() -> None:
    """Hash lists in five sixths of the time from now on, if NumPy is installed.

    To load it takes longer than to read one game, so that it is for those who read many.
    """
    global _numpy
    with suppress(ImportError):
        _numpy = import_module("numpy")


def _commitments_by_arrays(leaves: Sequence[bytes], cards: Sequence[str]) -> Iterator[list[bytes]]:
    """Yield the same as `_commitments`, with NumPy."""
    numpy, size, prefix = _numpy, len(cards), len(Tag.SLOT)
    nonces = slice(prefix, prefix + NONCE_LENGTH)
    encoded = numpy.array([card.encode("ascii") for card in cards])
    width = encoded.itemsize
    length = nonces.stop + width
    for first in range(0, len(leaves), _LEAVES_AT_ONCE):
        streams = [
            tagged_xof(Tag.LEAF, leaf, length=(8 + NONCE_LENGTH) * size)
            for leaf in leaves[first : first + _LEAVES_AT_ONCE]
        ]
        data = numpy.frombuffer(b"".join(streams), numpy.uint8).reshape(len(streams), -1)
        numbers = numpy.ascontiguousarray(data[:, : 8 * size]).view(">u8")
        order = numbers.astype(numpy.uint64).argsort(axis=1, kind="stable")
        texts = numpy.empty((len(streams), size, length), numpy.uint8)
        texts[:, :, :prefix] = numpy.frombuffer(Tag.SLOT, numpy.uint8)
        texts[:, :, nonces] = data[:, 8 * size :].reshape(len(streams), size, NONCE_LENGTH)
        texts[:, :, nonces.stop :] = encoded[order].view(numpy.uint8).reshape(*order.shape, width)
        # Shorter cards are padded with zeros, which no list has.
        yield from map(hashes, texts.view(f"S{length}")[:, :, 0].tolist())


# --- the ledger


class Epoch(Mutable):
    """One shuffle: its cards and commitment, and the state of each position of its pile.

    Positions count from 0. `undrawn`, `hidden` and `ahead` are positions as docs/protocol.md, The
    ledger of a deck, defines them; `unseen` counts the cards that have not been opened.
    """

    cards: tuple[str, ...]
    commitment: bytes
    undrawn: list[int]
    unseen: Counter[str]
    list_number: int | None = None
    opening: Opening | None = None
    hidden: set[int] = field(default_factory=set)
    ahead: list[int] = field(default_factory=list)

    def draw(self, positions: Sequence[int]) -> None:
        """Move these positions from the pile to the hand."""
        self.hidden.update(positions)
        self.undrawn = [position for position in self.undrawn if position not in self.hidden]
        self.ahead = [position for position in self.ahead if position not in self.hidden]

    def copy(self) -> Self:
        """Return an independent copy."""
        # Lists of positions are replaced, never changed: copies may share them.
        copied = super().copy()
        copied.unseen = self.unseen.copy()
        copied.hidden = self.hidden.copy()
        return copied


class Deck:
    """The public ledger of one player's draw pile and hidden cards.

    Each method that changes it carries out one step of a record; it raises DeckError, and changes
    nothing, if the step is not valid. `lists` is the game's K; `epochs` are the shuffles so far.
    See docs/protocol.md, The ledger of a deck.

    >>> cards, seed = ["boston", "boston", "new-haven", "settlers"], bytes(32)
    >>> deck = Deck(lists=8)
    >>> deck.shuffle(0, cards, commit(seed, cards, lists=8))
    >>> deck.draw(2)
    []
    >>> deck.wants_list, deck.wanted_slot_count
    (True, 2)
    >>> answer = GrantStream(bytes(32), bytes(32)).answer(deck.grant_request(ahead=0))
    >>> deck.grant(*answer)
    >>> [str(slot) for slot in deck.hidden], [str(slot) for slot in deck.undrawn]
    (['0:1', '0:2'], ['0:0', '0:3'])
    >>> deck.open_lists(0, open_lists(seed, cards, 8, answer.list_number))
    >>> slot, pile = deck.hidden[0], derive_list(seed, cards, 8, answer.list_number)
    >>> deck.open(slot, *pile[slot.position])
    >>> [str(slot) for slot in deck.hidden]
    ['0:2']
    """

    def __init__(self, lists: int, epochs: Iterable[Epoch] = (), wanted_slots: int = 0) -> None:
        self.lists = lists
        self.epochs = list(epochs)
        self._wanted_slots = wanted_slots

    def copy(self) -> Deck:
        """Return an independent copy."""
        return Deck(self.lists, (epoch.copy() for epoch in self.epochs), self._wanted_slots)

    @property
    def undrawn(self) -> list[Slot]:
        """The draw pile: the undrawn slots of the last shuffle, ascending."""
        if not self.epochs:
            return []
        epoch = len(self.epochs) - 1
        return [Slot(epoch, position) for position in self.epochs[epoch].undrawn]

    @property
    def ahead(self) -> list[Slot]:
        """The slots of the draw pile that are named ahead, ascending."""
        if not self.epochs:
            return []
        epoch = len(self.epochs) - 1
        return [Slot(epoch, position) for position in self.epochs[epoch].ahead]

    @property
    def hidden(self) -> list[Slot]:
        """The slots drawn and not opened, ascending."""
        return [
            Slot(number, position)
            for number, epoch in enumerate(self.epochs)
            for position in sorted(epoch.hidden)
        ]

    @property
    def drawn_count(self) -> int:
        """The number of cards drawn so far, from all shuffles."""
        return sum(len(epoch.cards) - len(epoch.undrawn) for epoch in self.epochs)

    @property
    def next_epoch(self) -> int:
        """The number that the next shuffle must have."""
        return len(self.epochs)

    @property
    def wants_list(self) -> bool:
        """True if the opponent has to name a list."""
        return bool(self.epochs) and self.epochs[-1].list_number is None

    @property
    def wanted_slot_count(self) -> int:
        """The number of slots that the opponent has to name."""
        return self._wanted_slots

    @property
    def epoch_to_open(self) -> int | None:
        """The epoch that the owner has to open, or None if no opening is due."""
        if self.epochs and not self.wants_list and self.epochs[-1].opening is None:
            return len(self.epochs) - 1
        return None

    @property
    def opened_count(self) -> int:
        """The number of shuffles whose lists have been opened."""
        is_open = bool(self.epochs) and self.epochs[-1].opening is not None
        return len(self.epochs) - (bool(self.epochs) and not is_open)

    def grant_request(self, ahead: int) -> GrantRequest:
        """Return the request for the next grant, which has to name `ahead` more slots ahead."""
        named_ahead = self.ahead
        remaining = [slot for slot in self.undrawn if slot not in named_ahead]
        return GrantRequest(
            self.lists if self.wants_list else 0,
            tuple(named_ahead[: self._wanted_slots]),
            tuple(remaining),
            self._wanted_slots,
            ahead,
        )

    def cards(self, epoch: int) -> tuple[str, ...]:
        """Return all cards of a shuffle, in canonical order."""
        return self.epochs[epoch].cards

    def commitment(self, epoch: int) -> bytes:
        """Return the commitment of a shuffle, 32 bytes."""
        return self.epochs[epoch].commitment

    def list_number(self, epoch: int) -> int | None:
        """Return the number of the list granted for a shuffle; None before the grant."""
        return self.epochs[epoch].list_number

    def opening(self, epoch: int) -> Opening | None:
        """Return the opening of a shuffle; None before it is opened."""
        return self.epochs[epoch].opening

    def unseen(self, epoch: int) -> Counter[str]:
        """Return the cards of a shuffle not yet opened: in the draw pile or hidden in hand."""
        return self.epochs[epoch].unseen.copy()

    def check_can_shuffle(self) -> None:
        """Raise DeckError unless the pile has run out and no opening is due (R-6.2, R-5.2)."""
        if self.undrawn or self.epoch_to_open is not None:
            raise DeckError(
                "cards may be shuffled only when the draw pile has run out.", Rule.PILE_LEFT
            )

    def check_can_draw(self, count: int) -> None:
        """Raise DeckError unless `count` cards can be drawn from the draw pile (R-6.3)."""
        if count < 1 or self._wanted_slots or count > len(self.undrawn):
            raise DeckError(
                Message.counted(
                    "{count} cards cannot be drawn from this draw pile.",
                    "{count} cards cannot be drawn from this draw pile.",
                    count,
                ),
                Rule.DRAWN,
            )

    def shuffle(self, epoch: int, cards: Sequence[str], commitment: bytes) -> None:
        """Make shuffled cards the draw pile: the owner's `shuffle` step (R-6.1, R-6.2)."""
        if epoch != self.next_epoch:
            raise DeckError(
                "this should be shuffle {due}, not {number}.",
                Rule.EPOCH,
                due=self.next_epoch,
                number=epoch,
            )
        self.check_can_shuffle()
        if not cards or list(cards) != sorted(cards):
            raise DeckError(
                "the cards of a shuffle have to be listed in canonical order.", Rule.ASCENDING
            )
        self.epochs.append(Epoch(tuple(cards), commitment, list(range(len(cards))), Counter(cards)))

    def draw(self, count: int, *, from_ahead: bool = False) -> list[Slot]:
        """Draw `count` cards, the owner's `draw` step, and return the slots that come at once.

        If the lists have been opened, all remaining slots of the pile, or with `from_ahead` the
        slots named ahead, come at once. Otherwise the list returned is empty, and nothing more can
        be drawn until the opponent grants the slots. See docs/protocol.md, The ledger of a deck.
        """
        rest = self.undrawn
        self.check_can_draw(count)
        epoch = self.epochs[-1]
        slots = rest if count == len(rest) else self.ahead[:count] if from_ahead else []
        if epoch.opening is not None and count == len(slots):
            epoch.draw([slot.position for slot in slots])
            return slots
        self._wanted_slots = count
        return []

    def grant(
        self,
        number: int | None,
        slots: Sequence[Slot],
        ahead: Sequence[Slot] = (),
        wants_ahead: int = 0,
        *,
        names_ahead: bool = True,
    ) -> None:
        """Grant the wanted list and slots: the opponent's `grant` step (R-6.4 to R-6.7).

        - `number`: the number of the list, or None if only slots are wanted.
        - `ahead`: the slots named ahead; there must be `wants_ahead` of them (R-9).
        - `names_ahead`: True if the game has slots named ahead; otherwise there are none.
        """
        if not self.wants_list and not self.wanted_slot_count:
            raise DeckError("nothing was asked that could be granted.", Rule.GRANT_NOT_DUE)
        if (number is not None) != self.wants_list:
            raise DeckError(
                "a grant names a list when, and only when, the cards were shuffled.",
                Rule.LIST_WANTED,
            )
        if number is not None and not 0 <= number < self.lists:
            raise DeckError(
                "there is no list {number}: this game has {lists}.",
                Rule.LIST_NUMBER,
                number=number,
                lists=self.lists,
            )
        if len(slots) != self.wanted_slot_count:
            raise DeckError(
                Message.counted(
                    "{count} cards were asked for, {granted} granted.",
                    "{count} cards were asked for, {granted} granted.",
                    self.wanted_slot_count,
                    granted=len(slots),
                ),
                Rule.SLOTS_WANTED,
            )
        undrawn = set(self.undrawn)
        _check_from(slots, undrawn, Rule.SLOTS_OF_PILE)
        if not set(self.ahead[: len(slots)]) <= set(slots):
            raise DeckError("the slots that were named ahead come first.", Rule.AHEAD_FIRST)
        if len(ahead) != wants_ahead:
            rule = Rule.AHEAD_COUNT if ahead and wants_ahead else Rule.AHEAD_DUE
            rule = rule if names_ahead else Rule.AHEAD_AGREED
            raise DeckError(
                Message.counted(
                    "{count} cards have to be named ahead, not {named}.",
                    "{count} cards have to be named ahead, not {named}.",
                    wants_ahead,
                    named=len(ahead),
                ),
                rule,
            )
        _check_from(ahead, undrawn.difference(slots, self.ahead), Rule.AHEAD_OF_PILE)
        epoch = self.epochs[-1]
        if number is not None:
            epoch.list_number = number
        epoch.draw([slot.position for slot in slots])
        epoch.ahead = sorted([*epoch.ahead, *(slot.position for slot in ahead)])
        self._wanted_slots = 0

    def open_lists(self, epoch: int, opening: Opening, *, is_verified: bool = False) -> None:
        """Open all lists but the granted one: the owner's `open-lists` step (R-6.8, R-6.9).

        With `is_verified` the opening is not checked again against the commitment.
        """
        if epoch != self.epoch_to_open:
            raise DeckError(
                "the lists of shuffle {number} are not due to be opened now.",
                Rule.OPENING_NOT_DUE,
                number=epoch,
            )
        pile = self.epochs[epoch]
        assert pile.list_number is not None
        if not is_verified:
            verify_opening(pile.commitment, pile.cards, self.lists, pile.list_number, opening)
        pile.opening = opening

    def open(self, slot: Slot, card: str, nonce: bytes) -> None:
        """Show the card in a hidden slot: the owner's `open` step (R-6.10 to R-6.12)."""
        if not 0 <= slot.epoch < len(self.epochs):
            raise DeckError("slot {slot} does not exist.", Rule.HIDDEN, slot=slot)
        pile = self.epochs[slot.epoch]
        if slot.position not in pile.hidden:
            raise DeckError(
                "slot {slot} is not a hidden card in this player's hand.", Rule.HIDDEN, slot=slot
            )
        if pile.opening is None:
            raise DeckError(
                "slot {slot} cannot be opened before its shuffle has been.",
                Rule.OPENING_FIRST,
                slot=slot,
            )
        if slot_commitment(nonce, card) != pile.opening.commitments[slot.position]:
            raise DeckError(
                "the card in slot {slot} is not the one that was committed to.",
                Rule.COMMITTED,
                slot=slot,
            )
        if not pile.unseen[card]:
            raise DeckError(
                "all copies of {card} in shuffle {number} have already been seen.",
                Rule.COPIES,
                card=card,
                number=slot.epoch,
            )
        pile.hidden.remove(slot.position)
        pile.unseen -= Counter([card])


def _check_from(slots: Sequence[Slot], pile: set[Slot], rule: Rule) -> None:
    if list(slots) != sorted(set(slots)) or not pile.issuperset(slots):
        raise DeckError(
            "a grant names slots of the draw pile, each once, in ascending order.", rule
        )
