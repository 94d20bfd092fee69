"""The blind deck: shuffles that nobody sees and everybody can check.

Cards are only strings here and players not known at all: it could shuffle any game.

A shuffle is K secret lists committed to at once, all but one of them opened later. The owner grows
a binary tree of seeds from one root; each leaf gives one order of the cards and a nonce per card.
What is published is one hash over all lists. When the opponent has named a list, the siblings on
the path to it let everybody recompute the others, and see that each of them was made from the right
cards. For the named list only the commitments are published, card by card. `cards` are always in
canonical order (`sorted`), `lists` is K, a power of two; callers have checked both.

docs/protocol.md, A shuffle; A grant; The ledger of a deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from struct import Struct, unpack
from typing import NamedTuple, Self, TypeVar

from engine.message import Message
from engine.sides import Slot
from engine.value import Mutable
from pbem.errors import DeckError
from pbem.errors.rule import Rule
from pbem.protocol.primitives import Tag, derive, tagged_hash, tagged_hashes, tagged_xof

# --- grants


T = TypeVar("T")


class GrantRequest(NamedTuple):
    """The demand that a grant has to meet (docs/protocol.md, A grant).

    `lists` is the number of lists to choose from, 0 if no list is wanted. `first` are the slots
    named ahead, which are granted first, and `remaining` the other undrawn slots, both ascending.
    `slots` is the number of cards to be drawn in all, `ahead` the number of slots to name ahead.
    """

    lists: int
    first: tuple[Slot, ...]
    remaining: tuple[Slot, ...]
    slots: int
    ahead: int


class GrantAnswer(NamedTuple):
    """The content of a grant: a list if one is wanted, slots to be drawn, slots named ahead."""

    list_number: int | None
    slots: tuple[Slot, ...]
    ahead: tuple[Slot, ...] = ()


class GrantStream:
    """The answers that one player owes to what one record asked for.

    They follow from the granter's game secret and the hash of the record that asked, and come
    from one stream of numbers, in the order in which they are given.
    """

    def __init__(self, secret: bytes, asked_in: bytes) -> None:
        self._words = _words(secret, asked_in)

    def answer(self, request: GrantRequest) -> GrantAnswer:
        """The next grant: the list first (if one is wanted), then the slots, then those ahead."""
        number = self.pick_list(request.lists) if request.lists else None
        drawn = self.pick_slots(request.remaining, request.slots - len(request.first))
        left = [slot for slot in request.remaining if slot not in drawn]
        ahead = self.pick_slots(left, request.ahead)
        return GrantAnswer(number, tuple(sorted([*request.first, *drawn])), tuple(ahead))

    def pick_list(self, lists: int) -> int:
        """Which of the lists becomes the draw pile."""
        return self._uniform(lists)

    def pick_slots(self, undrawn: Sequence[T], count: int) -> Sequence[T]:
        """`count` of the slots not yet drawn, which are given and returned in ascending order."""
        left = [*range(len(undrawn))]
        drawn = [left.pop(self._uniform(len(left))) for _ in range(count)]
        return [undrawn[i] for i in sorted(drawn)]

    def _uniform(self, n: int) -> int:
        """A number below n, each equally likely: words past the last multiple of n do not count."""
        limit = 2**64 - 2**64 % n
        return next(word for word in self._words if word < limit) % n


def _words(secret: bytes, asked_in: bytes) -> Iterator[int]:
    """The stream as 64-bit numbers; it is regenerated at twice the length whenever it runs out."""
    used, length = 0, 64
    while True:
        stream = tagged_xof(Tag.GRANT, secret, asked_in, length=8 * length)
        yield from unpack(f">{length}Q", stream)[used:]
        used, length = length, 2 * length


# --- shuffles


SEED_LENGTH = 32
NONCE_LENGTH = 32


class Opening(NamedTuple):
    """An opening of all lists but one.

    `siblings`: the seeds beside the path to the list kept, from the root downwards, 32 bytes each.
    `commitments`: those of the list kept, one for each position, 32 bytes each.
    """

    siblings: tuple[bytes, ...]
    commitments: tuple[bytes, ...]


def root_seed(secret: bytes, epoch: int, previous: bytes) -> bytes:
    """The seed of a shuffle: its owner has no choice once the record before is signed.

    `secret` is the owner's game secret, `previous` the hash of the record that precedes the one
    with the shuffle, or 32 zero bytes if that is the first.
    """
    return derive(Tag.SHUFFLE, secret, salt=previous, context=epoch.to_bytes(4, "big"))


def slot_commitment(nonce: bytes, card: str) -> bytes:
    """The commitment to one card at one position; the 32-byte nonce hides the card."""
    return tagged_hash(Tag.SLOT, nonce, card.encode("ascii"))


def commit(seed: bytes, cards: Sequence[str], lists: int) -> bytes:
    """The commitment of a shuffle, 32 bytes."""
    return _commitment(cards, _list_hashes(_leaves(seed, lists), cards))


def open_lists(seed: bytes, cards: Sequence[str], lists: int, number: int) -> Opening:
    """Return the opening of every list but list `number`."""
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
    """Check an opening against the commitment of the shuffle.

    All lists but list `number` are shown to hold exactly `cards`, and the commitments to be those
    of that list. Raises DeckError if anything differs.
    """
    siblings, commitments = opening
    if 1 << len(siblings) != lists or len(commitments) != len(cards):
        raise DeckError(
            "the opening does not have the right number of parts for this shuffle.",
            Rule.OPENING_PARTS,
        )
    hashes: tuple[bytes, ...] = (tagged_hash(Tag.LIST, *commitments),)
    for level, seed in zip(range(len(siblings)), reversed(siblings), strict=True):
        beside = _opened(seed, 1 << level, tuple(cards))
        hashes = beside + hashes if number >> level & 1 else hashes + beside
    if _commitment(cards, hashes) != commitment:
        raise DeckError(
            "the lists that were opened are not the ones that were committed to.", Rule.OPENING
        )


def show_every_list(one: Sequence[bytes], other: Sequence[bytes]) -> bool:
    """Return True if two openings, by their siblings, leave no list of one shuffle hidden.

    They do if they come from one tree and keep different lists. With two lists the siblings cannot
    show which tree it is, and it is taken for the same.
    """
    levels = range(min(len(one), len(other)))
    parting = next((level for level in levels if one[level] != other[level]), None)
    if parting is None:
        return False
    # What both have above is of one tree; so is what hangs on a seed that the other one shows.
    return parting > 0 or len(levels) < 2 or other[1] in _children(one[0])


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
    """The siblings on the way from the root down to a leaf, and the leaf."""
    siblings = []
    for level in reversed(range(lists.bit_length() - 1)):
        left, right = _children(seed)
        seed, sibling = (right, left) if number >> level & 1 else (left, right)
        siblings.append(sibling)
    return siblings, seed


def _orders(leaves: Iterable[bytes], size: int) -> Iterator[tuple[list[int], tuple[bytes, ...]]]:
    """For each leaf the canonical index of the card at each position, and the nonces."""
    layout = Struct(f">{size}Q" + f"{NONCE_LENGTH}s" * size)
    indices = range(size)
    for leaf in leaves:
        numbers = layout.unpack(tagged_xof(Tag.LEAF, leaf, length=layout.size))
        # The sort is stable: equal keys leave the cards in canonical order.
        yield sorted(indices, key=numbers.__getitem__), numbers[size:]


def _commitments(leaves: Iterable[bytes], cards: Sequence[str]) -> Iterator[list[bytes]]:
    """For each leaf the commitment at each position."""
    encoded = [card.encode("ascii") for card in cards]
    for order, nonces in _orders(leaves, len(cards)):
        yield tagged_hashes(Tag.SLOT, nonces, [encoded[i] for i in order])


@lru_cache(maxsize=256)
def _opened(seed: bytes, count: int, cards: tuple[str, ...]) -> tuple[bytes, ...]:
    """The hashes of the lists below a seed that is open: many files of one game open the same."""
    return tuple(_list_hashes(_leaves(seed, count), cards))


def _list_hashes(leaves: Iterable[bytes], cards: Sequence[str]) -> list[bytes]:
    return [tagged_hash(Tag.LIST, *commitments) for commitments in _commitments(leaves, cards)]


# --- the ledger


class Epoch(Mutable):
    """One shuffle: the pile that it made, and what became of each position."""

    cards: tuple[str, ...]
    commitment: bytes
    undrawn: list[int]
    unseen: Counter[str]
    list_number: int | None = None
    opening: Opening | None = None
    hidden: set[int] = field(default_factory=set)
    ahead: list[int] = field(default_factory=list)

    def draw(self, positions: Sequence[int]) -> None:
        """Take these positions from the pile to the hand."""
        self.hidden.update(positions)
        self.undrawn = [position for position in self.undrawn if position not in self.hidden]
        self.ahead = [position for position in self.ahead if position not in self.hidden]

    def copy(self) -> Self:
        """An independent epoch in the same state."""
        # The lists of positions are only ever replaced, so that copies may share them.
        copied = super().copy()
        copied.unseen = self.unseen.copy()
        copied.hidden = self.hidden.copy()
        return copied


class Deck:
    """One player's draw pile and hidden cards, as the public sees them.

    Every method is one step of a record. It raises DeckError, and changes nothing, if the step is
    not valid. `lists` is the game's K; `epochs` are the shuffles so far.
    """

    def __init__(self, lists: int, epochs: Iterable[Epoch] = (), wants_slots: int = 0) -> None:
        self.lists = lists
        self.epochs = list(epochs)
        self._wants_slots = wants_slots

    def copy(self) -> Deck:
        """An independent deck in the same state."""
        return Deck(self.lists, (epoch.copy() for epoch in self.epochs), self._wants_slots)

    @property
    def undrawn(self) -> list[Slot]:
        """The draw pile: the slots of the last shuffle not yet drawn, in ascending order."""
        if not self.epochs:
            return []
        epoch = len(self.epochs) - 1
        return [Slot(epoch, position) for position in self.epochs[epoch].undrawn]

    @property
    def ahead(self) -> list[Slot]:
        """The slots of the draw pile already named as the next, in ascending order."""
        if not self.epochs:
            return []
        epoch = len(self.epochs) - 1
        return [Slot(epoch, position) for position in self.epochs[epoch].ahead]

    @property
    def hidden(self) -> list[Slot]:
        """The slots drawn and not opened, in ascending order."""
        return [
            Slot(number, position)
            for number, epoch in enumerate(self.epochs)
            for position in sorted(epoch.hidden)
        ]

    @property
    def drawn_count(self) -> int:
        """How many cards were drawn so far, from all shuffles."""
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
    def wants_slots(self) -> int:
        """How many slots the opponent has to name."""
        return self._wants_slots

    @property
    def owes_opening(self) -> int | None:
        """The epoch of which the owner has to open the other lists, if any."""
        if self.epochs and not self.wants_list and self.epochs[-1].opening is None:
            return len(self.epochs) - 1
        return None

    @property
    def opened_count(self) -> int:
        """How many shuffles there are whose lists have been opened."""
        is_open = bool(self.epochs) and self.epochs[-1].opening is not None
        return len(self.epochs) - (bool(self.epochs) and not is_open)

    def grant_request(self, ahead: int) -> GrantRequest:
        """Return what the opponent has to name, with `ahead` slots to be set aside as the next."""
        named = self.ahead
        left = [slot for slot in self.undrawn if slot not in named]
        return GrantRequest(
            self.lists if self.wants_list else 0,
            tuple(named[: self._wants_slots]),
            tuple(left),
            self._wants_slots,
            ahead,
        )

    def cards(self, epoch: int) -> tuple[str, ...]:
        """All cards of a shuffle, in canonical order."""
        return self.epochs[epoch].cards

    def commitment(self, epoch: int) -> bytes:
        """Return what the owner committed to in a shuffle."""
        return self.epochs[epoch].commitment

    def list_number(self, epoch: int) -> int | None:
        """The list that the opponent named for a shuffle; None before that."""
        return self.epochs[epoch].list_number

    def opening(self, epoch: int) -> Opening | None:
        """Return what opened the other lists of a shuffle; None before that."""
        return self.epochs[epoch].opening

    def unseen(self, epoch: int) -> Counter[str]:
        """The cards of a shuffle that have not been opened: in the draw pile or hidden in hand."""
        return self.epochs[epoch].unseen.copy()

    def check_run_out(self) -> None:
        """Check that a new draw pile may be made; raises DeckError."""
        if self.undrawn or self.owes_opening is not None:
            raise DeckError(
                "cards may be shuffled only when the draw pile has run out.", Rule.PILE_LEFT
            )

    def check_holds(self, count: int) -> None:
        """Check that this many cards can be drawn from the draw pile; raises DeckError."""
        if count < 1 or self._wants_slots or count > len(self.undrawn):
            raise DeckError(
                Message.counted(
                    "{count} cards cannot be drawn from this draw pile.",
                    "{count} cards cannot be drawn from this draw pile.",
                    count,
                ),
                Rule.DRAWN,
            )

    def shuffle(self, epoch: int, cards: Sequence[str], commitment: bytes) -> None:
        """The owner commits to shuffled cards, which become the draw pile."""
        if epoch != self.next_epoch:
            raise DeckError(
                "this should be shuffle {due}, not {number}.",
                Rule.EPOCH,
                due=self.next_epoch,
                number=epoch,
            )
        self.check_run_out()
        if not cards or list(cards) != sorted(cards):
            raise DeckError(
                "the cards of a shuffle have to be listed in canonical order.", Rule.ASCENDING
            )
        self.epochs.append(Epoch(tuple(cards), commitment, list(range(len(cards))), Counter(cards)))

    def ask(self, count: int, *, from_ahead: bool = False) -> list[Slot]:
        """The owner asks for cards; returns those that come without an answer.

        These are the whole rest of a pile whose lists have been opened, where there is nothing to
        choose, and with `from_ahead` the slots named ahead. In every other case the opponent has to
        grant the slots, and nothing is returned; until then no more can be asked for.
        """
        rest = self.undrawn
        self.check_holds(count)
        epoch = self.epochs[-1]
        named = self.ahead if from_ahead else []
        come = rest if count == len(rest) else named[:count]
        if epoch.opening is not None and count == len(come):
            epoch.draw([slot.position for slot in come])
            return come
        self._wants_slots = count
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
        """The opponent answers all that was asked, and nothing else.

        `ahead` are the slots named as the next; there must be `wants_ahead` of them, and none in a
        game that `names_ahead` none.
        """
        if not self.wants_list and not self.wants_slots:
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
        if len(slots) != self.wants_slots:
            raise DeckError(
                Message.counted(
                    "{count} cards were asked for, {granted} granted.",
                    "{count} cards were asked for, {granted} granted.",
                    self.wants_slots,
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
        self._wants_slots = 0

    def open_lists(self, epoch: int, opening: Opening, *, is_verified: bool = False) -> None:
        """The owner opens all lists but the one granted.

        One that `is_verified` was checked against the commitment before, and is not recomputed.
        """
        if epoch != self.owes_opening:
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
        """The owner shows the card in a slot that was drawn."""
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
