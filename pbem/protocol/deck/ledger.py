"""The ledger of one player's deck: what everybody can verify about it from the records alone.

docs/protocol.md, The ledger of a deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Self

from engine.message import Message
from engine.sides import Slot
from engine.value import Mutable
from pbem.errors import DeckError
from pbem.errors.rule import Rule
from pbem.protocol.deck.grant import Wanted
from pbem.protocol.deck.shuffle import Opening, slot_commitment, verify_opening


class Epoch(Mutable):
    """One shuffle: the pile that it made, and what became of each position."""

    cards: tuple[str, ...]
    commitment: bytes
    undrawn: list[int]
    unseen: Counter[str]
    chosen: int | None = None
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
    def drawn(self) -> int:
        """How many cards were drawn so far, from all shuffles."""
        return sum(len(epoch.cards) - len(epoch.undrawn) for epoch in self.epochs)

    @property
    def next_epoch(self) -> int:
        """The number that the next shuffle must have."""
        return len(self.epochs)

    @property
    def wants_list(self) -> bool:
        """Whether the opponent has to name a list."""
        return bool(self.epochs) and self.epochs[-1].chosen is None

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
    def opened(self) -> int:
        """How many shuffles there are whose lists have been opened."""
        is_open = bool(self.epochs) and self.epochs[-1].opening is not None
        return len(self.epochs) - (bool(self.epochs) and not is_open)

    def wanted(self, ahead: int) -> Wanted:
        """What the opponent has to name, with `ahead` slots to be set aside as the next."""
        named = self.ahead
        left = [slot for slot in self.undrawn if slot not in named]
        return Wanted(
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
        """What the owner committed to in a shuffle."""
        return self.epochs[epoch].commitment

    def chosen(self, epoch: int) -> int | None:
        """The list that the opponent named for a shuffle; None before that."""
        return self.epochs[epoch].chosen

    def opening(self, epoch: int) -> Opening | None:
        """What opened the other lists of a shuffle; None before that."""
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
        chosen: int | None,
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
        if (chosen is not None) != self.wants_list:
            raise DeckError(
                "a grant names a list when, and only when, the cards were shuffled.",
                Rule.LIST_WANTED,
            )
        if chosen is not None and not 0 <= chosen < self.lists:
            raise DeckError(
                "there is no list {number}: this game has {lists}.",
                Rule.LIST_NUMBER,
                number=chosen,
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
        if chosen is not None:
            epoch.chosen = chosen
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
        assert pile.chosen is not None
        if not is_verified:
            verify_opening(pile.commitment, pile.cards, self.lists, pile.chosen, opening)
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
