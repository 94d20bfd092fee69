"""A match: the chain of records, replayed into a state of the game.

This is the one place where the rules engine and the blind deck meet. Everything a record claims is
checked on the way: the chain, the signature, every opening, grant and order. What a match has
accepted is proved.

docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine import game
from engine.actions.action import IllegalOrder
from engine.chance import Draw, ImpossibleChance, Reveal, Shuffle
from engine.notation import UnreadableOrder, from_notation
from engine.orders import Order, ShowHand
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, Event, Slot, State, new_game
from pbem import steps
from pbem.chain import check_link, check_signature, check_time, not_proved
from pbem.deck import Deck
from pbem.errors import DeckError, StepError
from pbem.record import Record
from pbem.rules_data import rules_digest, ruleset_of

NO_RECORD = bytes(32)
"""What stands for the hash of the record before the first one."""


class Entrant(NamedTuple):
    """A player of this game, as the invitation or the acceptance names them."""

    name: str
    email: str
    key: bytes
    nonce: bytes
    secret_hash: bytes


class Deed(NamedTuple):
    """One thing that was done for `side`, in which record and turn, and what came of it.

    `order` is None for a shuffle and a draw, which may begin the next turn or end the game.
    """

    record: int
    turn: int
    side: Side
    order: Order | None
    events: tuple[Event, ...]


@dataclass
class _Progress:
    """How far the record that is being replayed has come; `opened` since its last order."""

    side: Side | None
    index: int
    previous: bytes
    opened: tuple[steps.Open, ...] = ()


class Match:
    """A game as its records prove it.

    `state` knows no hidden card of either side: it is what a referee sees. `decks` are the public
    ledgers of both draw piles, `entrants` the players by side, `deeds` all that was done so far.
    A match that raised NotProved is not to be used further.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.deeds: list[Deed] = []
        self.entrants: dict[Side, Entrant] = {}
        self.decks: dict[Side, Deck] = {}
        self.shuffled_after: dict[Side, list[bytes]] = {side: [] for side in Side}
        self._invite: steps.Invite | None = None
        self._state: State | None = None
        self._at: _Progress | None = None

    @classmethod
    def replay(cls, records: Iterable[Record]) -> Match:
        """The match that these records prove; raises NotProved at the first that does not hold."""
        match = cls()
        for record in records:
            match.add(record)
        return match

    def copy(self) -> Match:
        """An independent match in the same state."""
        other = Match()
        other.records = self.records.copy()
        other.deeds = self.deeds.copy()
        other.entrants = self.entrants.copy()
        other.decks = {side: deck.copy() for side, deck in self.decks.items()}
        other.shuffled_after = {side: h.copy() for side, h in self.shuffled_after.items()}
        other._invite = self._invite
        other._state = self._state.copy() if self._state else None
        other._at = replace(self._at) if self._at else None
        return other

    # --- what is known

    @property
    def id(self) -> bytes:
        """The hash of the invitation, which names the game."""
        return self.records[0].hash

    @property
    def invite(self) -> steps.Invite:
        """The rules and options of the game."""
        assert self._invite is not None
        return self._invite

    @property
    def is_joined(self) -> bool:
        """Whether both players have entered."""
        return len(self.entrants) == len(Side)

    @property
    def state(self) -> State:
        """The position as a referee sees it."""
        assert self._state is not None
        return self._state

    @property
    def last(self) -> Record:
        """The last record."""
        return self.records[-1]

    @property
    def next_side(self) -> Side | None:
        """Who signs the next record: None when the game is over, or nobody has taken that side."""
        if self._invite is None or (self._state and self._state.outcome):
            return None
        if not self.is_joined:
            return None if self._invite.side == "any" else Side(self._invite.side).opponent
        return Side(self.last.side).opponent

    # --- replaying records

    def add(self, record: Record) -> None:
        """Check a record and carry it out; raises NotProved."""
        check_link(record, self.records)
        check_signature(record, self._author_key(record))
        check_time(record, self.records)
        self.begin(record.side)
        try:
            for step in record.steps:
                self.take(step)
            self.end()
        except (DeckError, IllegalOrder, ImpossibleChance, UnreadableOrder, StepError) as error:
            raise not_proved(record, _rule(error), str(error)) from error
        self.records.append(record)

    def _author_key(self, record: Record) -> bytes:
        """The public key of the player whose turn it is to write; raises NotProved."""
        entry = record.steps[0]
        if record.index == 0:
            if not isinstance(entry, steps.Invite):
                raise not_proved(record, "invitation", "a game begins with an invitation.")
            if record.side != entry.side:
                raise not_proved(record, "invitation", "it names two different sides.")
            return entry.key
        if record.index == 1:
            if not isinstance(entry, steps.Accept):
                raise not_proved(record, "acceptance", "the second record accepts the game.")
            return entry.key
        if self.state.outcome is not None:
            raise not_proved(record, "turn", "the game is over.")
        if record.side != self.next_side:
            raise not_proved(record, "turn", "it is the other player's turn to write.")
        return self.entrants[Side(record.side)].key

    # --- the steps of one record

    def begin(self, side: str) -> None:
        """Begin the next record, by its author's side; `take` its steps, then `end` it."""
        self._at = _Progress(
            None if side == "any" else Side(side),
            len(self.records),
            self.last.hash if self.records else NO_RECORD,
        )

    def take(self, step: steps.Step) -> list[Event]:
        """Check one step of the record begun and carry it out.

        Raises StepError, DeckError, IllegalOrder, ImpossibleChance or UnreadableOrder.
        """
        at = self._progress
        match step:
            case steps.Invite():
                return self._take_invite(step, at)
            case steps.Accept():
                return self._take_accept(step, at)
        side = self._seated(at)
        if self.decks[side].wants_slots:
            raise StepError("nothing follows a draw that the other player has to answer.")
        match step:
            case steps.OpenLists():
                self.decks[side].open_lists(step.epoch, step.opening)
                return []
            case steps.Grant():
                self._check_owed(side, openings_only=True)
                return self._take_grant(step, side)
        self._check_owed(side)
        match step:
            case steps.Shuffle():
                return self._take_shuffle(step, side, at)
            case steps.Draw():
                return self._take_draw(step, side)
            case steps.Open():
                return self._take_open(step, side, at)
            case steps.Order():
                return self._take_order(step, side, at)
        raise StepError(f"a step of kind “{step.kind}” has no place here.")

    def end(self) -> None:
        """End the record begun; raises StepError where its author still has something to do."""
        at = self._progress
        if at.opened:
            raise StepError("it shows a card that no order plays.", "shown cards")
        if at.side is not None:
            self._check_owed(at.side)
            awaiting = self.state.awaiting
            asked = bool(self.decks[at.side].wants_slots)
            if awaiting.side is at.side and awaiting.decision is not Decision.OVER and not asked:
                raise StepError(f"it stops although its author still owes: {awaiting.decision}.")
        self._at = None

    @property
    def _progress(self) -> _Progress:
        assert self._at is not None
        return self._at

    def _seated(self, at: _Progress) -> Side:
        if at.side is None or self._state is None or at.side not in self.entrants:
            raise StepError("it does more than the invitation or acceptance allows.")
        return at.side

    def _check_owed(self, side: Side, *, openings_only: bool = False) -> None:
        """What the other player is waiting for comes before anything else."""
        if self.decks[side].owes_opening is not None:
            raise StepError("the lists of the own shuffle have to be opened first.")
        other = self.decks[side.opponent]
        if not openings_only and (other.wants_list or other.wants_slots):
            raise StepError("the cards that the other player asked for have to be granted first.")

    # --- entering the game

    def _take_invite(self, step: steps.Invite, at: _Progress) -> list[Event]:
        if at.index != 0 or self._invite is not None:
            raise StepError("a game has one invitation, at its beginning.")
        ruleset = ruleset_of(step)
        if step.home_support != "asked":
            raise StepError(
                "it is about an option that this program does not know: home support.", "options"
            )
        if step.rules_digest != rules_digest(ruleset):
            raise StepError(
                f"it was made with other rules data for “{step.edition}” than this program has: "
                "one of the two was changed, or is of another version.",
                "rules data",
            )
        self._invite = step
        if at.side is not None:
            self._enter(at.side, step)
            self._set_up(ruleset, at.side)
        return []

    def _take_accept(self, step: steps.Accept, at: _Progress) -> list[Event]:
        invite = self._invite
        if at.index != 1 or invite is None or self.is_joined or at.side in self.entrants:
            raise StepError(
                "an invitation is accepted once, by the side that it leaves.", "acceptance"
            )
        if at.side is None or step.side != at.side:
            raise StepError("it names two different sides.", "acceptance")
        if step.key == invite.key:
            raise StepError("inviter and guest are the same player.", "acceptance")
        if step.nonce == invite.nonce or step.secret_hash == invite.secret_hash:
            raise StepError("it repeats the inviter's entry.", "acceptance")
        self._enter(at.side, step)
        if self._state is None:
            self._enter(at.side.opponent, invite)
            self._set_up(ruleset_of(invite), at.side)
        return []

    def _enter(self, side: Side, entry: steps.Invite | steps.Accept) -> None:
        self.entrants[side] = Entrant(
            entry.name, entry.email, entry.key, entry.nonce, entry.secret_hash
        )

    def _set_up(self, ruleset: Ruleset, first: Side) -> None:
        self._state = new_game(ruleset, sets_up_first=first)
        self.decks = {side: Deck(self.invite.lists) for side in Side}

    # --- the blind deck

    def _take_grant(self, step: steps.Grant, side: Side) -> list[Event]:
        owner = side.opponent
        self.decks[owner].grant(step.list, step.slots)
        return self._carry_out(owner, Draw(owner, tuple(Slot(*slot) for slot in step.slots)))

    def _take_shuffle(self, step: steps.Shuffle, side: Side, at: _Progress) -> list[Event]:
        if step.cards != tuple(sorted(self.state.players[side].discard)):
            raise StepError(
                "the cards that it shuffles are not those of the discard pile.", "shuffled cards"
            )
        events = self._carry_out(side, Shuffle(side))
        self.decks[side].shuffle(step.epoch, step.cards, step.commitment)
        self.shuffled_after[side].append(at.previous)
        return events

    def _take_draw(self, step: steps.Draw, side: Side) -> list[Event]:
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.DRAW or awaiting.side is not side:
            raise StepError("it draws cards that are not due.")
        if step.count != awaiting.amount:
            raise StepError(f"it draws {step.count} cards where {awaiting.amount} are due.")
        slots = self.decks[side].ask(step.count)
        if not slots:
            return []
        return self._carry_out(side, Draw(side, tuple(Slot(*slot) for slot in slots)))

    def _take_open(self, step: steps.Open, side: Side, at: _Progress) -> list[Event]:
        self._check_decides(side)
        self.decks[side].open(step.slot, step.card, step.nonce)
        if at.opened and step.slot < at.opened[-1].slot:
            raise StepError(
                "the cards shown for one order stand in ascending order of their slots.",
                "shown cards",
            )
        at.opened += (step,)
        return game.apply(self.state, Reveal(side, Slot(*step.slot), step.card))

    # --- orders

    def _check_decides(self, side: Side) -> None:
        awaiting = self.state.awaiting
        if awaiting.decision is Decision.OVER:
            raise StepError("the game is over.")
        if awaiting.side is not side or awaiting.decision.is_chance:
            raise StepError("the decision is not its author's.")

    def _take_order(self, step: steps.Order, side: Side, at: _Progress) -> list[Event]:
        self._check_decides(side)
        order = from_notation(step.order)
        needless = self._needless(order, side, [step.card for step in at.opened])
        try:
            events = self._carry_out(side, order)
        except IllegalOrder as error:
            raise IllegalOrder(f"“{step.order}” is not legal: {error}") from error
        if needless:
            raise StepError("it shows a card that the order does not need.", "shown cards")
        at.opened = ()
        return events

    def _carry_out(self, side: Side, given: Order | Draw | Shuffle) -> list[Event]:
        turn = self.state.turn
        events = game.apply(self.state, given)
        order = given if isinstance(given, Order) else None
        self.deeds.append(Deed(self._progress.index, turn, side, order, tuple(events)))
        return events

    def _needless(self, order: Order, side: Side, opened: list[str]) -> Counter[str]:
        """The cards opened for an order that it does not play, or that were known already.

        Only so is there one way to write a turn. A hand that is shown is shown whole.
        """
        if not opened or isinstance(order, ShowHand):
            return Counter()
        public = Counter(self.state.players[side].hand) - Counter(opened)
        return Counter(opened) - (Counter(game.plays(self.state, order)) - public)


def _rule(error: Exception) -> str:
    if isinstance(error, DeckError):
        return "blind deck"
    if isinstance(error, StepError):
        return error.rule
    return "rules of the game"
