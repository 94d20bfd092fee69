"""The cards in both hands of a match, after any record, in public view or with a game secret.

The holder of a game secret can compute the cards of that side. See docs/protocol.md, A shuffle and
The close.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import game
from engine.chance import Draw, Reveal, Shuffle
from engine.events import GameOver, Shuffled
from engine.message import Message
from engine.orders import Start
from engine.sides import Side, Slot
from engine.state import State, new_game
from pbem.errors import UsageError
from pbem.protocol import steps
from pbem.protocol.cache import VerifiedRecord
from pbem.protocol.deck import derive_list, root_seed
from pbem.protocol.match import Match
from pbem.protocol.table import Move


class HiddenCards:
    """The cards of `side` in all shuffles of a match, computed from its game secret.

    They are also the cards at any earlier record of the match.
    """

    def __init__(self, match: Match, side: Side, secret: bytes) -> None:
        self.match = match
        self.side = side
        self._secret = secret
        self._lists: dict[int, list[tuple[str, bytes]]] = {}

    def lookup(self, slot: Slot) -> tuple[str, bytes]:
        """Return the card in a slot, and its nonce of 32 bytes; a list must have been granted."""
        epoch = slot.epoch
        if epoch not in self._lists:
            deck = self.match.decks[self.side]
            number = deck.list_number(epoch)
            assert number is not None
            seed = shuffle_seed(self.match, self.side, self._secret, epoch)
            self._lists[epoch] = derive_list(seed, deck.cards(epoch), deck.lists, number)
        return self._lists[epoch][slot.position]

    def reveal(self, state: State) -> None:
        """Reveal the hidden hand of the side in a state of the match."""
        for slot in sorted(state.players[self.side].hidden):
            game.apply(state, Reveal(self.side, slot, self.lookup(slot)[0]))

    def names(self, slots: Iterable[Slot]) -> list[str]:
        """Return the cards in `slots`."""
        return [self.lookup(slot)[0] for slot in slots]


def shuffle_seed(match: Match, side: Side, secret: bytes, epoch: int) -> bytes:
    """Return the root seed, 32 bytes, of a shuffle of `side`, from its game secret."""
    return root_seed(secret, epoch, match.table.shuffles[side][epoch].previous)


class PublicHand(NamedTuple):
    """A hand in public view: the cards known to everybody, and the slots of the hidden cards."""

    known_cards: tuple[str, ...]
    hidden_slots: tuple[Slot, ...]


def public_hands(match: Match) -> dict[Side, PublicHand]:
    """Return both hands in public view after the last record; empty before both have entered."""
    if not match.is_joined:
        return {}
    players = match.state.players
    return {
        side: PublicHand(tuple(sorted(players[side].hand)), tuple(sorted(players[side].hidden)))
        for side in Side
    }


def match_at(match: Match, index: int) -> Match:
    """Return the match after the record with `index`. Raises UsageError if there is none."""
    last = len(match.records) - 1
    if not 0 <= index <= last:
        if not last:
            only = Message(
                "There is no record {number} in this file: it has record 0 only.", number=index
            )
            raise UsageError(only)
        raise UsageError(
            "There is no record {number} in this file: it has records 0 to {last}.",
            number=index,
            last=last,
        )
    return Match.replay(
        match.records[: index + 1], {VerifiedRecord.of(record) for record in match.records}
    )


def start_position(match: Match) -> State:
    """Return the position at the beginning of a game, before the setup."""
    # The inviter's deck is shuffled first, unless the guest chooses the sides.
    first = next(Side(record.side) for record in match.records if record.side != "any")
    return new_game(match.state.ruleset, first)


class _ShownCard(NamedTuple):
    """A card that `side` shows for order `number`, from 0, of a record."""

    record: int
    number: int
    side: Side
    step: steps.Open


def positions(match: Match) -> Iterator[tuple[Move, State]]:
    """Yield each move, and the public position right after it, always in the same object.

    A card is public from the order for which it was shown, or, if that was a follow-up, from the
    answer before it. Nothing is verified again, because the match has proved each step.
    """
    state = start_position(match)
    waiting = list(_shown_cards(match))
    orders = Counter[int]()
    for move in match.moves:
        if is_direct_order(match, move):
            orders[move.record] += 1
        later = []
        for card in waiting:
            is_public = (card.record, card.number) < (move.record, orders[move.record])
            if is_public and card.step.slot in state.players[card.side].hidden:
                game.apply(state, Reveal(card.side, card.step.slot, card.step.card))
            else:
                later.append(card)
        waiting = later
        _do(state, move)
        yield move, state


def _shown_cards(match: Match) -> Iterator[_ShownCard]:
    for record in match.records:
        orders = 0
        for step in record.steps:
            if isinstance(step, steps.Open):
                yield _ShownCard(record.index, orders, Side(record.side), step)
            orders += isinstance(step, steps.OrderStep)


def is_direct_order(match: Match, move: Move) -> bool:
    """Return True if a move is an order written in its own record, not a follow-up of the last."""
    return move.order is not None and match.records[move.record].side == move.side


def _do(state: State, move: Move) -> None:
    if move.order is not None:
        game.apply(state, move.order)
    elif move.drawn:
        game.apply(state, Draw(move.side, move.drawn))
    elif move.has_event(Shuffled):
        game.apply(state, Shuffle(move.side))
    else:
        game.resign(state, move.side)


def is_setup(move: Move) -> bool:
    """Return True if a move belongs to the setup, provided that all moves before it do."""
    by_chance = move.order is None and not move.has_event(GameOver)
    return by_chance or isinstance(move.order, Start)
