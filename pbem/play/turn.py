"""Turns: from the file that is answered to an unsigned record, with a forecast.

Every step goes through a match, just as the reader's program will replay it, so that the record
always verifies. This module reads neither the disk nor the clock, and cannot sign.

If the other side has to answer in the middle of a turn, the turn continues in the next file of its
author, or within the answer, by orders that its author gave ahead. The *worlds* of a turn are the
positions to which the possible answers lead, as the player sees them. An order may be given if it
is legal in at least one world; unless it is legal in all of them, it may not be carried out.

See docs/protocol.md, The exchange and Follow-ups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, permutations
from pathlib import Path
from struct import pack as packed
from typing import NamedTuple, Self

from engine import game
from engine import game as rules
from engine.actions.action import IllegalOrderError, missing_from_hand
from engine.chance import Draw, Shuffle
from engine.choices import Choices
from engine.events import Event
from engine.foresight import states_after_reply
from engine.message import Message, Phrase, sentences
from engine.order import Order
from engine.orders import End, Lose, Refill, ShowHand
from engine.sides import Side, Slot
from engine.state import Decision, State
from pbem.errors import DamagedBoxError, UsageError
from pbem.foreign import display_address
from pbem.play.game_file import GameFile, pack, whose_move
from pbem.play.look import Look, Secrets, Spectator
from pbem.play.signing import Signable, SigningHistory
from pbem.protocol import steps
from pbem.protocol.deck import Deck, GrantStream, commit, open_lists, root_seed
from pbem.protocol.hand import HiddenCards, shuffle_seed
from pbem.protocol.identity import MAX_NOTES, NOTES, Identity
from pbem.protocol.match import NO_RECORD, Match
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import Record
from pbem.protocol.table import Move
from pbem.savefile.save_file import SaveFile

# --- forecasts


MAX_REORDERED = 5
"""The maximum number of orders that are reordered, because more would take too long."""
MAX_TRIES = 200
"""The maximum number of sequences that are tried."""
ONE_FILE = (1, 1)
"""The value of `TurnForecast.files` for a turn that needs one file after every answer."""


class TurnForecast(NamedTuple):
    """The forecast of a turn: the answers it needs, its risks and the position it leads to.

    `interruptions` are the orders that have to be answered. `position` is the last position of the
    turn if the answers change as little as possible. `ends` is true if the turn ends with them.
    """

    interruptions: tuple[Order, ...]
    risks: tuple[Risk, ...]
    position: State
    ends: bool

    @property
    def files(self) -> tuple[int, int]:
        """The minimum and maximum number of files that the author needs; 2 means two or more."""
        return (1 if self.ends else 2, 1 if self.ends and not self.risks else 2)


class Forecaster(NamedTuple):
    """A turn before its first order in a record: the author's `view`, `deck` and `cards`."""

    view: State
    deck: Deck
    cards: HiddenCards

    def forecast(self, orders: Sequence[Order]) -> TurnForecast:
        """Return the forecast of a turn with `orders`.

        Raises IllegalOrderError for an order that is legal in no world.
        """
        state, deck, foresight = self.view.copy(), self.deck.copy(), None
        for order in orders:
            if foresight is None:
                game.apply(state, order)
                self._draw_at_once(state, deck)
                if state.is_interrupted:
                    foresight = Foresight(state, order, opened=deck.opened_count)
            elif foresight.is_awaiting_orders:
                foresight.order(order)
            else:
                raise IllegalOrderError("your turn is over.")
        left = foresight.worlds[0] if foresight else state
        ends = not _has_decision(left, self.view.active)
        if foresight is None:
            return TurnForecast((), (), left, ends)
        return TurnForecast(tuple(foresight.interruptions), tuple(foresight.risks), left, ends)

    def find_better(self, orders: Sequence[Order]) -> tuple[Order, ...] | None:
        """Return the orders in a sequence that needs only one file after every answer, or None.

        Return None, too, if the present sequence needs only one file, or if there are more than
        `MAX_REORDERED` orders.
        """
        present = self.forecast(orders)
        ends = [number for number, order in enumerate(orders) if isinstance(order, End)]
        body = orders[: ends[0]] if ends else orders
        if present.files == ONE_FILE or len(body) > MAX_REORDERED:
            return None
        for other in islice(permutations(body), 1, MAX_TRIES):
            tried = (*other, *orders[len(body) :])
            try:
                course = self.forecast(tried)
            except IllegalOrderError:
                continue
            if course.files == ONE_FILE:
                return tried
        return None

    def _draw_at_once(self, state: State, deck: Deck) -> None:
        """Shuffle, and draw and reveal the cards that need no answer."""
        side = self.view.active
        while state.awaiting.side is side and state.awaiting.decision.is_chance:
            decision, _, _, amount, card, *_ = state.awaiting
            if decision is Decision.SHUFFLE:
                # The commitment does not matter here.
                deck.shuffle(deck.next_epoch, sorted(state.players[side].discard), b"")
                game.apply(state, Shuffle(side))
                continue
            slots = deck.draw(amount, from_ahead=card is not None)
            if not slots:
                return
            game.apply(state, Draw(side, tuple(slots)))
            self.cards.reveal(state)


def _has_decision(state: State, side: Side) -> bool:
    """Return True if the turn of a side continues in this position with a decision of `side`.

    A pending draw is carried out first: afterwards the side may have to pay for a shuffle, or
    shuffle again.
    """
    decision, awaited, _, amount, *_ = state.awaiting
    if awaited is side and decision is Decision.DRAW:
        state = state.copy()
        game.apply(state, Draw(side, tuple(state.players[side].draw_pile[:amount])))
    return state.outcome is None and state.active is side and state.awaiting.side is side


FOLLOW_UP_DECISIONS = (Decision.TURN, Decision.LOSERS_CARD)
"""The decisions that can be made before the other side has answered."""


class ChanceStep(NamedTuple):
    """A chance event in a turn: a draw of `amount` cards, or a shuffle of the discard pile."""

    decision: Decision
    amount: int
    discard: tuple[str, ...]


class Risk(NamedTuple):
    """A follow-up that will not be carried out after some of the answers.

    `interruption` is the earlier order whose answer decides this, None if it depends on several.
    `is_likely_safe` is true if the follow-up is carried out after the answer that changes least (a
    raid is blocked, no card is given up). With `only_cards` the order itself is safe, but not the
    shuffle or draw after it.
    """

    order: Order
    interruption: Order | None
    is_likely_safe: bool
    only_cards: bool


class _World(NamedTuple):
    """A position, and for each interruption the numbers of the answers that lead to it."""

    state: State
    answers: tuple[frozenset[int], ...] = ()

    def after_answers(self) -> Iterator[_World]:
        """Yield the worlds after each answer to the interruption, or this world without one."""
        states = states_after_reply(self.state) if self.state.is_interrupted else [self.state]
        for number, state in enumerate(states):
            yield _World(state, (*self.answers, frozenset([number])))


class Foresight:
    """The worlds of a player whose turn is interrupted, and the orders given for them.

    `view` is the position as that player sees it after `interruption`, an order that has to be
    answered. `public` are the publicly known cards in the hand; `opened` is the number of the
    player's shuffles whose lists have been opened. `worlds` are those in which all follow-ups are
    carried out, likeliest first; `risks` are the follow-ups that are not legal in all worlds;
    `interruptions` are all orders that have to be answered.
    """

    def __init__(
        self, view: State, interruption: Order, public: Iterable[str] = (), *, opened: int
    ) -> None:
        self.side = view.active
        self._opened = opened
        self._worlds = list(_World(view).after_answers())
        self.interruptions = [interruption]
        self.risks: list[Risk] = []
        # Without the cards that earlier follow-ups play.
        self._public = Counter(public)

    @property
    def worlds(self) -> list[State]:
        """The positions in which all follow-ups are carried out, likeliest first."""
        return [world.state for world in self._worlds]

    @property
    def is_awaiting_orders(self) -> bool:
        """True if a follow-up can make the next decision in the likeliest world."""
        decision, side, *_ = self.worlds[0].awaiting
        return side is self.side and decision in FOLLOW_UP_DECISIONS

    def unknown_cards(self, order: Order) -> Counter[str]:
        """Return the cards that the order plays and that are not publicly known.

        Raises IllegalOrderError if the order is legal in no world.
        """
        world = self._legal_in(order)[0].state
        return Counter(game.cards_played(world, order)) - self._public

    def order(self, order: Order) -> list[ChanceStep]:
        """Carry out an order in every world that allows it, and return the chance steps after it.

        Raises IllegalOrderError, with nothing changed, if the order is legal in no world.
        """
        before, legal = self._worlds, self._legal_in(order)
        likeliest = legal[0].state
        played = Counter(game.cards_played(likeliest, order))
        remaining = Counter(likeliest.players[self.side].hand) - played
        for world in legal:
            game.apply(world.state, order)
        drawn = Counter(likeliest.players[self.side].hand) - remaining
        self._public = self._public - played + drawn
        self._worlds = legal
        requests = [list(self._ask(world.state)) for world in legal]
        alike = [w for w, cards in zip(legal, requests, strict=True) if cards == requests[0]]
        if len(legal) < len(before):
            self._note_risk(order, legal, before, only_cards=False)
        elif len(alike) < len(legal):
            self._note_risk(order, alike, before, only_cards=True)
        if likeliest.is_interrupted and likeliest.awaiting.decision is not Decision.SHUFFLE:
            self.interruptions.append(order)
            self._worlds = _distinct(after for world in legal for after in world.after_answers())
        return requests[0]

    def _note_risk(
        self, order: Order, safe: list[_World], worlds: list[_World], *, only_cards: bool
    ) -> None:
        """Note that an order, or its draw, is carried out as expected only in the `safe` worlds."""
        others = [world for world in worlds if not any(world is one for one in safe)]
        decisive = [
            place
            for place in range(len(self.interruptions))
            if not _answers(safe, place) & _answers(others, place)
        ]
        if len(decisive) == 1:
            (place,) = decisive
            is_likely_safe = 0 in _answers(safe, place)
            risk = Risk(order, self.interruptions[place], is_likely_safe, only_cards)
        else:
            risk = Risk(order, None, safe[0] is worlds[0], only_cards)
        self.risks.append(risk)

    def _legal_in(self, order: Order) -> list[_World]:
        """Return the worlds that allow an order. Raises IllegalOrderError if there is none."""
        legal, refusal = [], IllegalOrderError("your turn is over.")
        for world in self._worlds:
            try:
                game.check(world.state, order)
            except IllegalOrderError as error:
                refusal = error
            else:
                legal.append(world)
        if not legal:
            raise refusal
        return legal

    def _ask(self, world: State) -> Iterator[ChanceStep]:
        """Yield the chance steps of a world, up to a draw that has to be answered."""
        while world.awaiting.side is self.side and world.awaiting.decision.is_chance:
            decision, _, _, amount, _, resume, _ = world.awaiting
            player = world.players[self.side]
            is_open = len(player.unseen) <= self._opened
            if decision is Decision.SHUFFLE:
                if not is_open:
                    # The lists of the pile that has run out have to be opened first.
                    return
                yield ChanceStep(decision, 0, tuple(sorted(player.discard)))
                game.apply(world, Shuffle(self.side))
                continue
            yield ChanceStep(decision, amount, ())
            at_once = is_open and amount == len(player.draw_pile)
            if not at_once and (resume is not None or not is_open):
                return
            game.apply(world, Draw(self.side, tuple(player.draw_pile[:amount])))
            if not at_once:
                return


def _distinct(worlds: Iterable[_World]) -> list[_World]:
    """Return each position once, in the original order, with all answers that lead to it."""
    distinct: dict[tuple[object, ...], _World] = {}
    for world in worlds:
        first = distinct.setdefault(world.state.key(), world)
        both = tuple(one | other for one, other in zip(first.answers, world.answers, strict=True))
        distinct[world.state.key()] = first._replace(answers=both)
    return list(distinct.values())


def _answers(worlds: Sequence[_World], place: int) -> frozenset[int]:
    """Return the answers to the interruption at a place that lead to any of `worlds`."""
    return frozenset[int]().union(*(world.answers[place] for world in worlds))


# --- the turn


class Draft:
    """The next record of a match, by one author, before it is signed.

    `match` is a copy to which each step is added; `end` adds the record. `author` is the author's
    side, or "any" for an invitation that leaves the choice. `secret` is the author's game secret,
    32 bytes; `time` is the time of signing in UTC.
    """

    def __init__(self, match: Match, author: str, secret: bytes, time: str) -> None:
        self.match = match.copy()
        self.author = author
        self.steps: list[steps.Step] = []
        self.secret = secret
        self.previous = match.last.hash if match.records else NO_RECORD
        # If the author's clock is behind, the record has the time of the record before it.
        self.time = max(time, match.last.time) if match.records else time
        self._grants = GrantStream(secret, self.previous)
        self.match.begin(author)

    def take(self, step: steps.Step) -> list[Event]:
        """Add a step and return its events. Raises the same errors as `Match.take`."""
        events = self.match.take(step)
        self.steps.append(step)
        return events

    def open_and_grant(self) -> None:
        """Open the author's lists if due, and grant the cards that the opponent requested."""
        side = Side(self.author)
        own = self.match.decks[side]
        epoch = own.epoch_to_open
        if epoch is not None:
            seed = shuffle_seed(self.match, side, self.secret, epoch)
            index = own.list_number(epoch)
            assert index is not None
            self.take(steps.OpenLists(epoch, *open_lists(seed, own.cards(epoch), own.lists, index)))
        # A grant may lead to another one, because the opponent's follow-ups may draw again.
        while not self.match.is_over and (wanted := self.match.table.grant_request(side.opponent)):
            chosen, slots, ahead = self._grants.answer(wanted)
            self.take(steps.Grant(slots, chosen, ahead or None))

    def shuffle_and_draw(self) -> None:
        """Shuffle and draw as the game requires, up to a draw that has to be granted."""
        side = Side(self.author)
        deck = self.match.decks[side]
        while not deck.wanted_slot_count:
            awaiting = self.match.state.awaiting
            if awaiting.side is not side or not awaiting.decision.is_chance:
                return
            if awaiting.decision is Decision.DRAW:
                self.take(steps.DrawStep(awaiting.amount))
            else:
                self.shuffle(self.match.state.players[side].discard)

    def shuffle(self, discard: Iterable[str]) -> None:
        """Shuffle the cards of `discard` into a new draw pile."""
        deck = self.match.decks[Side(self.author)]
        cards = tuple(sorted(discard))
        seed = root_seed(self.secret, deck.next_epoch, self.previous)
        self.take(steps.ShuffleStep(deck.next_epoch, cards, commit(seed, cards, deck.lists)))

    def end(self) -> Record:
        """Add the record, unsigned, to the match. Raises StepError if it is not complete."""
        self.match.end()
        records = self.match.records
        record = Record.unsigned(
            index=len(records),
            side=self.author,
            previous=self.previous if records else b"",
            time=self.time,
            steps=self.steps,
        )
        records.append(record)
        return record


class Notes(NamedTuple):
    """A player's private notes in a file; `damage` is the reason if their box does not open."""

    text: str
    damage: Phrase = ""


def read_notes(game: GameFile, secrets: Secrets) -> Notes:
    """Return the notes of a player; they are empty if the box is damaged."""
    try:
        return Notes(game.notes(secrets))
    except DamagedBoxError as error:
        lost = Message("Your hand is not affected, but your notes are lost.")
        return Notes("", sentences(error.message, lost))


class NotYourTurnError(UsageError):
    """Raised if another player, or no player, writes the next record of a game."""


class Turn(Draft, Signable):
    """A player's answer to a file: a turn, a reply or the close, until it is signed.

    The lists and grants that the player owes are added at the beginning. Then the turn takes orders
    until it `is_complete`, and `finish` returns the record. `time` is the time of signing, in UTC.
    If the `history` shows that the file was answered before, the same orders give exactly the
    same record. A turn that `resigns` gives up the game. `new_notes` replace the notes that came
    with the file; None keeps them. Raises NotYourTurnError if another player writes next.

    >>> from engine.orders import from_notation
    >>> turn = Turn.of(game, anna, time)  # A game that Anna and Bela have just joined.
    >>> len(turn.legal_orders()), turn.view().players[turn.side].hand
    (80, ['new-haven', 'philadelphia', 'norfolk', 'st-marys', 'pemaquid'])
    >>> [turn.order(from_notation(notation)) for notation in ("pass", "end")]
    [[Passed(side=british)], [TurnEnded(side=british)]]
    >>> turn.is_complete, turn.finish().index
    (True, 2)
    >>> turn.undo().notation(), turn.is_complete, turn.redo().notation()
    ('end', False, 'end')
    """

    def __init__(
        self,
        game: GameFile,
        secrets: Secrets,
        time: str,
        history: SigningHistory | None = None,
        *,
        resigns: bool = False,
    ) -> None:
        _check_to_write(game.match, secrets.side)
        self.game = game
        self.secrets = secrets
        self.side = secrets.side
        self.resigns = resigns
        self.history = history or SigningHistory()
        self.new_notes: str | None = None
        self._now = time
        self.redo_stack: tuple[Order, ...] = ()
        """The orders that `redo` can give again; the last one is next."""
        self._begin()

    def _begin(self, time: str | None = None) -> None:
        """Start without orders, at that `time` or at the time of the record signed before."""
        time = time or (self.signed.time if self.signed else self._now)
        super().__init__(self.game.match, self.side.value, self.secrets.secret, time)
        self.cards = HiddenCards(self.match, self.side, self.secrets.secret)
        self.orders: list[Order] = []
        self.foresight: Foresight | None = None
        """The worlds in which the turn may continue after an answer; None without interruption."""
        self._record: Record | None = None
        self._choices: Choices | None = None
        self.undo_stack: tuple[Order, ...] = ()
        """The orders given one by one, each of which `undo` takes back."""
        self._forecaster: Forecaster | None = None
        self._turn_orders: list[Order] = []
        self.open_and_grant()
        if self.resigns and self.match.is_over:
            raise UsageError("The game is already over: all that is left is to close it.")
        if self.resigns:
            self.take(steps.Resign())
        self.shuffle_and_draw()

    def _repeat(self, orders: Sequence[Order], time: str | None = None) -> None:
        """Start again with `orders`; the redo stack stays."""
        taken_back = self.redo_stack
        self._begin(time)
        for order in orders:
            self.order(order)
        self.redo_stack = taken_back

    @classmethod
    def of(
        cls,
        game: GameFile,
        identity: Identity,
        time: str,
        history: SigningHistory | None = None,
        *,
        resigns: bool = False,
    ) -> Self:
        """Return the turn of the player with `identity`.

        Raises UsageError for an invitation, and for an identity that does not play in the game;
        NotYourTurnError if another player writes next.
        """
        match = game.match
        if not match.is_joined and match.invite.key == identity.public_key:
            raise UsageError(
                "Nobody has joined yet: send this invitation to the player you want to play."
            )
        if not match.is_joined:
            raise UsageError("This is an invitation, which has to be accepted first.")
        return cls(game, Secrets.of(match, identity), time, history, resigns=resigns)

    # --- state

    @property
    def moves(self) -> list[Move]:
        """The moves of this answer so far."""
        return self.match.moves_since(len(self.game.match.records))

    @cached_property
    def notes(self) -> Notes:
        """The private notes that came with the file."""
        return read_notes(self.game, self.secrets)

    @property
    def notes_to_send(self) -> str:
        """The private notes that will be written into the file."""
        return self.notes.text if self.new_notes is None else self.new_notes

    @property
    def is_complete(self) -> bool:
        """True if the author has nothing to decide before the other side answers."""
        return not self.match.state.can_decide(self.side)

    @property
    def may_follow_up(self) -> bool:
        """True if the author may give orders that follow the other side's answer."""
        return self.foresight is not None and self.foresight.is_awaiting_orders

    @property
    def takes_no_order(self) -> bool:
        """True if no order, or no further order, can be given."""
        return self.is_complete and not self.may_follow_up

    @property
    def needs_no_decision(self) -> bool:
        """True if this file only deals or draws cards: its author has nothing to decide."""
        is_game_on = not self.game.match.is_over and not self.resigns
        return is_game_on and self.takes_no_order and not self.orders

    @property
    def is_turn_used_up(self) -> bool:
        """True if it is the author's turn and no actions are left in it."""
        state = self.view()
        in_turn = state.awaiting.decision is Decision.TURN and state.active is self.side
        return in_turn and not state.actions_left

    @property
    def waits_for_cards(self) -> bool:
        """True if the last order draws cards in mid-turn that have not been granted yet."""
        return bool(self.orders) and self.orders[-1].can_draw and self.is_complete

    @property
    def look(self) -> Look:
        """The game as the player sees it, with all orders so far."""
        return Look(self.match, self.secrets, self.game.match, self.cards, self.view())

    def view(self) -> State:
        """Return the present position as the author sees it.

        Among several worlds it is the likeliest: the other side's answer changes least.
        """
        return self.worlds[0]

    @property
    def worlds(self) -> list[State]:
        """The positions for which an order can be given now, likeliest first.

        There are several if the other side answers before the order is carried out.
        """
        if self.foresight is not None and self.foresight.is_awaiting_orders:
            return [world.copy() for world in self.foresight.worlds]
        state = self.match.state.copy()
        self.cards.reveal(state)
        return [state]

    @property
    def choices(self) -> Choices:
        """The orders that can be given now, part by part."""
        if self._choices is None:
            self._choices = Choices(self.worlds)
        return self._choices

    def legal_orders(self) -> list[Order]:
        """Return all orders that may be given now, after an interruption in the likeliest world."""
        return [] if self.takes_no_order else list(rules.legal_orders(self.view()))

    @property
    def cards_shown(self) -> list[str]:
        """The cards that were hidden until this record shows them."""
        return [step.card for step in self.steps if isinstance(step, steps.Open)]

    @property
    def follow_ups(self) -> tuple[Order, ...]:
        """The orders of this answer that are carried out after the other side's answer."""
        return () if self.foresight is None else self.match.follow_ups

    # --- forecasts

    @property
    def forecast(self) -> TurnForecast | None:
        """The forecast of the player's turn with the orders so far; None without orders."""
        if self._forecaster is None or self.match.is_over:
            return None
        return self._forecaster.forecast(self._turn_orders)

    def forecast_with(self, order: Order) -> TurnForecast | None:
        """Return the forecast with this legal order added; None if it is not the player's turn."""
        forecaster = self._forecaster or self._turn_to_begin()
        return forecaster.forecast((*self._turn_orders, order)) if forecaster else None

    def better_sequence(self) -> tuple[Order, ...] | None:
        """Return the orders of the turn in a sequence that needs only one file, or None."""
        return self._forecaster.find_better(self._turn_orders) if self._forecaster else None

    def would_show(self, order: Order) -> list[str]:
        """Return the hidden cards that a legal order would show."""
        return [self.cards.lookup(slot)[0] for slot in self._slots_to_open(order)]

    # --- orders

    def order(self, order: Order) -> list[Event]:
        """Give an order: show the cards that it needs, carry it out, and draw as it requires.

        After an order that the other side has to answer, further orders are follow-ups and change
        nothing yet. `Lose` ends the turn first if necessary. A new order clears the redo stack.
        Returns the events. Raises IllegalOrderError, with nothing changed, if the rules forbid the
        order.
        """
        if self.takes_no_order:
            raise IllegalOrderError(self._no_order_reason())
        if self._record is not None:
            self._repeat(self.undo_stack)
        ended: list[Event] = []
        if isinstance(order, Lose) and self.is_turn_used_up:
            self._check_lost(order)
            ended = self.order(End())
            self.undo_stack = self.undo_stack[:-1]
        begins = self._turn_to_begin()
        if self.foresight is None:
            rules.check(self.view(), order)
        for slot in self._slots_to_open(order):
            self.take(steps.Open(slot, *self.cards.lookup(slot)))
        events = self.take(steps.OrderStep(order.notation()))
        if self.foresight is not None:
            self._follow_up(order, self.foresight)
        else:
            self._draw_as_required(order)
        self._choices = None
        self.orders.append(order)
        self.undo_stack = (*self.undo_stack, order)
        self.redo_stack = ()
        self._forecaster = self._forecaster or begins
        if self._forecaster:
            self._turn_orders.append(order)
        return ended + events

    def _draw_as_required(self, order: Order) -> None:
        """Draw as an order requires, and build the foresight if the order has to be answered."""
        self.open_and_grant()
        self.shuffle_and_draw()
        if self.match.is_interrupted(self.side):
            public = self.match.state.players[self.side].hand
            opened = self.match.decks[self.side].opened_count
            self.foresight = Foresight(self.view(), order, public, opened=opened)

    def _follow_up(self, order: Order, foresight: Foresight) -> None:
        """Shuffle and draw as a follow-up requires."""
        for decision, amount, discard in foresight.order(order):
            if decision is Decision.DRAW:
                self.take(steps.DrawStep(amount))
            else:
                self.shuffle(discard)

    def _turn_to_begin(self) -> Forecaster | None:
        """Return a forecaster if the next order is the first of the player's turn here."""
        state = self.match.state
        if self._forecaster or state.awaiting.decision is not Decision.TURN:
            return None
        return Forecaster(self.view(), self.match.decks[self.side].copy(), self.cards)

    def _check_lost(self, order: Lose) -> None:
        """Raise IllegalOrderError unless the end of the turn leads to the choice in `order`."""
        after = self.view()
        rules.apply(after, End())
        if after.awaiting.decision is not Decision.LOSERS_CARD:
            raise IllegalOrderError("You have lost no siege with a card to choose.")
        rules.check(after, order)

    def _no_order_reason(self) -> Message:
        state = self.match.state
        if state.outcome is not None:
            return Message("the game is over.")
        if self.foresight is not None:
            return Message("your turn is over.")
        decision, resume = state.awaiting.decision, state.awaiting.resume
        if decision.is_chance and resume is not None:
            return Message("the cards come with the other player's answer.")
        if not self.orders:
            return Message("there is nothing for you to decide.")
        if decision.is_chance:
            return Message("your turn is over.")
        # Translators: {decision} is, for example, “raid reply”.
        return Message(
            "the other player has to answer first ({decision}).", decision=decision.label
        )

    def end_turn(self) -> None:
        """End the turn if no actions are left, and no cards were drawn or are still to come."""
        refilled = bool(self.orders) and isinstance(self.orders[-1], Refill)
        if self.is_turn_used_up and not self.waits_for_cards and not refilled:
            self.order(End())

    def with_order(self, order: Order) -> Turn:
        """Return a copy of the turn with one more order, without its redo stack."""
        copy = Turn(self.game, self.secrets, self._now, self.history)
        copy._repeat((*self.undo_stack, order))
        return copy

    def undo(self) -> Order | None:
        """Take back the last order and return it, or None if there is none."""
        if not self.undo_stack:
            return None
        *earlier, last = self.undo_stack
        self._repeat(earlier)
        self.redo_stack = (*self.redo_stack, last)
        return last

    def redo(self) -> Order | None:
        """Give the last undone order again and return it, or None if there is none.

        Raises IllegalOrderError, with nothing changed, if it cannot be given.
        """
        if not self.redo_stack:
            return None
        *left, order = self.redo_stack
        self.order(order)
        self.redo_stack = tuple(left)
        return order

    def begin_again(self) -> None:
        """Drop all orders, and clear the redo stack."""
        self._begin()
        self.redo_stack = ()

    # --- the cards that an order shows

    def _slots_to_open(self, order: Order) -> list[Slot]:
        """Return the hidden slots to open for a legal order, ascending.

        Raises IllegalOrderError for a follow-up that is legal after no answer.
        """
        player = self.match.state.players[self.side]
        if self.foresight is not None:
            return self._find_slots(self.foresight.unknown_cards(order))
        if isinstance(order, ShowHand):
            return sorted(player.hidden)
        needed = rules.cards_played(self.match.state, order)
        return self._find_slots(Counter(missing_from_hand(player, needed)))

    def _find_slots(self, cards: Counter[str]) -> list[Slot]:
        """Return the hidden slots to show for `cards`, ascending.

        The choice among equal cards is unpredictable, and reveals nothing about the others.
        """
        slots = []
        slots_by_card: dict[str, list[Slot]] = {}
        for slot in sorted(self.match.state.players[self.side].hidden):
            slots_by_card.setdefault(self.cards.lookup(slot)[0], []).append(slot)
        for card, count in cards.items():
            equal = slots_by_card.get(card, [])
            # Called often: ranks are computed only if there is a choice.
            slots += equal if len(equal) <= count else sorted(equal, key=self._rank)[:count]
        return sorted(slots)

    def _rank(self, slot: Slot) -> bytes:
        """Return the rank of a hidden card among equal cards, random to everybody else.

        It is the same in all drafts after one record, so that a record signed in place of another
        shows the same cards. It changes with each draw: otherwise the choice would reveal whether
        a shown card is an old or a new one.
        """
        drawn = self.match.decks[self.side].drawn_count
        place = packed(">3L", drawn, *slot)
        return tagged_hash(Tag.SHOWN_CARD, self.secret, self.previous, place)

    # --- the signed file

    @property
    def path(self) -> Path:
        """The default path of its file, next to the file that it answers."""
        return self.game.next_path

    def finish(self) -> Record:
        """Return the unsigned record, now the last of the match.

        The record closes a game that is over. Raises UsageError if something is left to decide.
        """
        if not self.is_complete:
            raise UsageError("There is still something to decide this turn.")
        if self._record is None:
            record, signed = self._end_record(), self.signed
            if signed is not None and record.hash != signed.hash:
                self._repeat(self.undo_stack, self._now)
                record = self._end_record()
            self._record = record
        return self._record

    def _end_record(self) -> Record:
        if self.match.is_over and self.side not in self.match.secrets:
            self.take(steps.Close(self.secret))
        return self.end()

    def file(self) -> SaveFile:
        """Return the file with the unsigned record.

        Raises UsageError if something is left to decide, and for invalid notes.
        """
        self.finish()
        notes = check_notes(self.notes_to_send)
        return pack(self.match, self.secrets, self.game.save.boxes, notes)


def begin_turn(game: GameFile, look: Look, time: str) -> Turn | None:
    """Return the viewer's turn without orders, or None if the viewer does not write next."""
    if isinstance(look.access, Spectator) or not look.must_write:
        return None
    return Turn(game, look.access, time)


def look_now(game: GameFile, look: Look, time: str) -> Look:
    """Return the look at a game after the automatic steps of the viewer's turn."""
    turn = begin_turn(game, look, time)
    return turn.look if turn else look


def check_notes(notes: str) -> str:
    """Return notes with line feeds only. Raises UsageError for long notes and control characters.

    >>> check_notes("First Quebec, then Boston.")
    'First Quebec, then Boston.'
    """
    try:
        return NOTES.read(notes.replace("\r\n", "\n"))
    except ValueError:
        raise UsageError(
            "Notes must be at most {most} characters, with line feeds but no other control "
            "characters.",
            most=MAX_NOTES,
        ) from None


def _check_to_write(match: Match, side: Side) -> None:
    """Raise NotYourTurnError unless `side` writes the next record of a match."""
    if match.next_side is side:
        return
    if match.next_side is None:
        raise NotYourTurnError(whose_move(match))
    other = match.entrants[side.opponent]
    send = Message("Send them this file if you have not yet.")
    if other.email:
        to = display_address(other.email)
        send = Message("Send them this file at {address} if you have not yet.", address=to)
    raise NotYourTurnError(sentences(whose_move(match), send))
