"""The table of a game: the position, and the decks with what is hidden in them.

This is the one place where the rules engine and the blind deck meet. Every method carries out one
step, in both of them or in neither. docs/protocol.md, The exchange.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from engine import game
from engine.chance import Draw, Reveal, Shuffle
from engine.events import Event
from engine.message import Message
from engine.order import Order
from engine.ruleset import HOME_SUPPORT_DRAW, Ruleset
from engine.sides import Side, Slot
from engine.state import Decision, State, new_game
from pbem.errors import DeckError, StepError
from pbem.errors.rule import Rule
from pbem.protocol import steps
from pbem.protocol.deck import Deck, Granted, Wanted


class Deed(NamedTuple):
    """One thing that was done for `side`, in which record and turn, and what came of it.

    `order` is None for a shuffle and a draw, which may begin the next turn or end the game, and for
    a resignation; `drawn` are the slots of a draw.
    """

    record: int
    turn: int
    side: Side
    order: Order | None
    events: tuple[Event, ...]
    drawn: tuple[Slot, ...] = ()

    def caused(self, kind: type[Event]) -> bool:
        """Whether an event of that kind came of it."""
        return any(isinstance(event, kind) for event in self.events)


class ShuffleMade(NamedTuple):
    """Where a shuffle was signed: the record, and the hash of the record before it."""

    record: int
    previous: bytes


class GrantMade(NamedTuple):
    """A grant that was made: in which record, what was wanted of it, and what it named."""

    record: int
    wanted: Wanted
    granted: Granted


class Table:
    """The position and both decks, as everybody sees them.

    `state` knows no hidden card of either side: it is what a referee sees. `decks` are the public
    ledgers of both draw piles; `deeds`, `shuffles` and `grants` (by the side that made them) tell
    all that was done. Methods raise StepError, DeckError, IllegalOrder or ImpossibleChance, with
    nothing changed, if a step is not valid; `record` is the one in which it is carried out.
    """

    def __init__(
        self, ruleset: Ruleset, *, sets_up_first: Side, lists: int, draws_ahead: bool
    ) -> None:
        self.state: State = new_game(ruleset, sets_up_first)
        self.decks = {side: Deck(lists) for side in Side}
        self.draws_ahead = draws_ahead
        self.deeds: list[Deed] = []
        self.shuffles: dict[Side, list[ShuffleMade]] = {side: [] for side in Side}
        self.grants: dict[Side, list[GrantMade]] = {side: [] for side in Side}

    def copy(self) -> Table:
        """An independent table in the same state."""
        other = copy(self)
        other.state = self.state.copy()
        other.decks = {side: deck.copy() for side, deck in self.decks.items()}
        other.deeds = self.deeds.copy()
        other.shuffles = {side: done.copy() for side, done in self.shuffles.items()}
        other.grants = {side: made.copy() for side, made in self.grants.items()}
        return other

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome is not None

    def check_decides(self, side: Side) -> None:
        """Raise StepError unless `side` has a decision to make."""
        if self.is_over:
            raise StepError("the game is over.", Rule.AFTER_END)
        if not self.state.decides(side):
            raise StepError("the decision is not its author's.", Rule.DECISION)

    def order(self, record: int, side: Side, order: Order) -> list[Event]:
        """Carry out an order of `side`."""
        self.check_decides(side)
        turn, events = self.state.turn, game.apply(self.state, order)
        self.deeds.append(Deed(record, turn, side, order, tuple(events)))
        return events

    def open(self, side: Side, step: steps.Open) -> list[Event]:
        """Show a hidden card of `side`: from now on everybody knows it."""
        self.decks[side].open(step.slot, step.card, step.nonce)
        return game.apply(self.state, Reveal(side, step.slot, step.card))

    def shuffle(
        self, record: int, side: Side, step: steps.ShuffleStep, signed: ShuffleMade
    ) -> list[Event]:
        """Shuffle the discard pile of `side` into a new draw pile."""
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.SHUFFLE or awaiting.side is not side:
            raise StepError("it shuffles cards that are not due to be shuffled.", Rule.SHUFFLE_DUE)
        if step.cards != tuple(sorted(self.state.players[side].discard)):
            raise StepError(
                "the cards that it shuffles are not those of the discard pile.",
                Rule.SHUFFLED_CARDS,
            )
        self.decks[side].shuffle(step.epoch, step.cards, step.commitment)
        self.shuffles[side].append(signed)
        return self._chance(record, side, Shuffle(side))

    def draw(self, record: int, side: Side, count: int) -> list[Event]:
        """Draw what is due to `side`, or ask for it if the other side has to name the slots."""
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.DRAW or awaiting.side is not side:
            raise StepError("it draws cards that are not due.", Rule.DRAW_DUE)
        if count != awaiting.amount:
            due = awaiting.amount
            raise StepError(
                Message.counted(
                    "it draws {count} cards where {due} are due.",
                    "it draws {count} cards where {due} are due.",
                    count,
                    due=due,
                ),
                Rule.DRAW_DUE,
            )
        slots = self.decks[side].ask(count, from_ahead=awaiting.card is not None)
        if not slots:
            return []
        return self._chance(record, side, Draw(side, tuple(slots)))

    def wanted(self, owner: Side) -> Wanted | None:
        """What the other side has to grant to the owner of a deck.

        None for nothing. A shuffle alone asks for nothing yet: the draw after it may have been
        dropped.
        """
        deck = self.decks[owner]
        if self.is_over or not deck.wants_slots:
            return None
        return deck.wanted(self._wants_ahead(owner))

    def grant(self, record: int, owner: Side, granted: Granted) -> list[Event]:
        """Answer what the owner of a deck asked for."""
        wanted = self.wanted(owner)
        if wanted is None:
            raise DeckError("nothing was asked that could be granted.", Rule.GRANT_NOT_DUE)
        deck, agreed = self.decks[owner], self.draws_ahead
        deck.grant(*granted, wants_ahead=wanted.ahead, names_ahead=agreed)
        self.grants[owner.opponent].append(GrantMade(record, wanted, granted))
        return self._chance(record, owner, Draw(owner, granted.slots))

    def _wants_ahead(self, owner: Side) -> int:
        """How many slots have to be named ahead: up to three while Home Support may be in hand."""
        if not self.draws_ahead or not self._may_hold_home_support(owner):
            return 0
        deck = self.decks[owner]
        left = len(deck.undrawn) - deck.wants_slots
        still_named = max(0, len(deck.ahead) - deck.wants_slots)
        return max(0, min(HOME_SUPPORT_DRAW, left) - still_named)

    def _may_hold_home_support(self, owner: Side) -> bool:
        """Whether Home Support may be in hand after the draw, as far as everybody knows."""
        card = self.state.ruleset.catalogue.card_for(owner, "home-support")
        if card is None:
            return False
        player, deck = self.state.players[owner], self.decks[owner]
        epochs = {slot.epoch for slot in player.hidden}
        if deck.wants_slots:
            epochs.add(deck.next_epoch - 1)
        return card.id in player.hand or any(card.id in player.unseen[e] for e in epochs)

    def resign(self, record: int, side: Side) -> list[Event]:
        """End the game: `side` gives it up."""
        if self.is_over:
            raise StepError("the game is over.", Rule.AFTER_END)
        turn = self.state.turn
        events = game.resign(self.state, side)
        self.deeds.append(Deed(record, turn, side, None, tuple(events)))
        return events

    def _chance(self, record: int, side: Side, given: Draw | Shuffle) -> list[Event]:
        turn, events = self.state.turn, game.apply(self.state, given)
        drawn = given.slots if isinstance(given, Draw) else ()
        self.deeds.append(Deed(record, turn, side, None, tuple(events), drawn))
        return events
