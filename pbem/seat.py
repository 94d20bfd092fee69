"""A seat: one player's place in a match, with what only that player knows.

docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections import Counter

from engine import game
from engine.actions.action import missing_from_hand
from engine.chance import Reveal
from engine.orders import Order, ShowHand
from engine.sides import Side
from engine.state import Decision, Event, Slot, State
from pbem import steps
from pbem.deck import Slot as DeckSlot
from pbem.deck import chosen_list
from pbem.errors import WrongUse
from pbem.identity import Identity, secret_hash
from pbem.match import Match
from pbem.record import Record
from pbem.writer import Writer, shuffle_seed


class Seat:
    """The place of `identity` in a match: its side, its game secret, its hidden cards.

    Raises WrongUse where that identity is not one of the players.
    """

    def __init__(self, match: Match, identity: Identity) -> None:
        self.match = match
        self.identity = identity
        self.side = _side_of(match, identity)
        self.secret = identity.game_secret(self.nonce)
        if secret_hash(self.secret) != match.entrants[self.side].secret_hash:
            raise WrongUse("This game was entered with another key under your name.")
        self._lists: dict[int, list[tuple[str, bytes]]] = {}

    @property
    def nonce(self) -> bytes:
        """What this player's game secret was salted with."""
        return self.match.entrants[self.side].nonce

    @property
    def box_key(self) -> bytes:
        """What this player's sealed boxes in this game open with."""
        return self.identity.box_key(self.nonce)

    @property
    def is_to_write(self) -> bool:
        """Whether the next record is this player's."""
        return self.match.next_side is self.side

    def hidden_cards(self) -> dict[Slot, tuple[str, bytes]]:
        """The cards that this player holds and has not shown: card and nonce by slot, ascending."""
        slots = self.match.state.players[self.side].hidden
        return {slot: self._look_up(slot) for slot in sorted(slots)}

    def view(self) -> State:
        """The position as this player sees it: the referee's, with the own hand known."""
        state = self.match.state.copy()
        for slot, (card, _) in self.hidden_cards().items():
            game.apply(state, Reveal(self.side, slot, card))
        return state

    def _look_up(self, slot: Slot) -> tuple[str, bytes]:
        epoch = slot.epoch
        if epoch not in self._lists:
            deck = self.match.decks[self.side]
            chosen = deck.chosen(epoch)
            assert chosen is not None
            seed = shuffle_seed(self.match, self.side, self.secret, epoch)
            self._lists[epoch] = chosen_list(seed, deck.cards(epoch), deck.lists, chosen)
        return self._lists[epoch][slot.position]


class NextRecord:
    """The next record of a seat, order by order; what it owes is done when it is begun.

    Raises WrongUse where the next record is not that player's.
    """

    def __init__(self, seat: Seat, time: str) -> None:
        if not seat.is_to_write:
            raise WrongUse("It is the other player's turn to write.")
        self._writer = Writer(seat.match, seat.identity, seat.side.value, seat.nonce, time)
        self.seat = Seat(self._writer.match, seat.identity)
        self._writer.pay_what_is_owed()
        self._writer.ask()

    @property
    def match(self) -> Match:
        """The match with what was ordered; `sign` puts the record into it."""
        return self._writer.match

    @property
    def is_awaiting_orders(self) -> bool:
        """Whether the author has a decision to make."""
        decision, side, *_ = self.match.state.awaiting
        return side is self.seat.side and not decision.is_chance and decision is not Decision.OVER

    def view(self) -> State:
        """The position in the middle of the record, as its author sees it."""
        return self.seat.view()

    def order(self, order: Order) -> list[Event]:
        """Give an order: open the cards it needs, carry it out, ask for what must be drawn.

        Raises IllegalOrder, with nothing changed, where the rules forbid it.
        """
        game.check(self.view(), order)
        hidden = self.seat.hidden_cards()
        for slot in self._to_open(order):
            self._writer.take(steps.Open(DeckSlot(*slot), *hidden[slot]))
        events = self._writer.take(steps.Order(order.notation()))
        self._writer.ask()
        return events

    def sign(self) -> Record:
        """Sign the record; raises StepError where its author still has something to decide."""
        return self._writer.sign()

    def _to_open(self, order: Order) -> list[Slot]:
        """The hidden slots that an order needs opened, in ascending order."""
        hidden = self.seat.hidden_cards()
        if isinstance(order, ShowHand):
            return list(hidden)
        state = self.match.state
        missing = Counter(
            missing_from_hand(state.players[self.seat.side], game.plays(state, order))
        )
        needed = []
        for slot, (card, _) in hidden.items():
            if missing[card]:
                missing[card] -= 1
                needed.append(slot)
        return needed


def _side_of(match: Match, identity: Identity) -> Side:
    for side, entrant in match.entrants.items():
        if entrant.key == identity.public_key:
            return side
    raise WrongUse("You are not one of the players of this game: your key is not in it.")
