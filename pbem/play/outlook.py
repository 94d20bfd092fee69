"""The course of a turn by its orders, before the other side has answered.

A turn that the other side has to answer in the middle goes on in the next file of its author, or
within the answer, as far as its author has ordered ahead. The worlds are the positions to which the
answers may lead, as the player sees them. An order is given if it is legal in one of them; where it
is not legal in all, it may come to nothing. docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations
from typing import NamedTuple

from engine import game
from engine.actions.action import IllegalOrder
from engine.chance import Draw, Shuffle
from engine.foresight import after_answer
from engine.order import Order
from engine.orders import End
from engine.sides import Side
from engine.state import Decision, State
from pbem.protocol.deck import Deck
from pbem.protocol.hand import HiddenCards

MOST_ORDERS = 5
"""How many orders are tried in other sequences; more are not worth the time."""
MOST_TRIES = 200
ONE_FILE = (1, 1)
"""`Course.files` of a turn that needs one file of its author, whatever the answers."""


class Course(NamedTuple):
    """The course of a turn by its orders.

    `interruptions` are those that have to be answered; `left` is the position in which the turn
    stops if the answers change as little as they can; `ends` says that nothing is left to decide.
    """

    interruptions: tuple[Order, ...]
    risks: tuple[Risk, ...]
    left: State
    ends: bool

    @property
    def files(self) -> tuple[int, int]:
        """How many files of its author the turn needs, at least and at most; 2 for more than 1."""
        return (1 if self.ends else 2, 1 if self.ends and not self.risks else 2)


def course_of(side: Side, state: State, foresight: Foresight | None) -> Course:
    """Return the course of a turn of `side` that stops in a state, or goes on as foreseen."""
    if foresight is None:
        return Course((), (), state, not _goes_on(state, side))
    left = foresight.worlds[0]
    ends = not _goes_on(left, side)
    return Course(tuple(foresight.interruptions), tuple(foresight.risks), left, ends)


class Outlook(NamedTuple):
    """A turn before its first order in a record: the author's `view`, own `deck` and `cards`."""

    view: State
    deck: Deck
    cards: HiddenCards

    def course(self, orders: Sequence[Order]) -> Course:
        """Return the course by these orders; raises IllegalOrder for one that is never legal."""
        state, deck, foresight = self.view.copy(), self.deck.copy(), None
        for order in orders:
            if foresight is None:
                game.apply(state, order)
                self._draw_at_once(state, deck)
                if state.is_interrupted:
                    foresight = Foresight(state, order, opened=deck.opened)
            elif foresight.is_awaiting_orders:
                foresight.order(order)
            else:
                raise IllegalOrder("your turn is over.")
        return course_of(self.view.active, state, foresight)

    def better(self, orders: Sequence[Order]) -> tuple[Order, ...] | None:
        """Return the orders in a sequence that needs one file whatever the answers, if any does.

        None, too, if they do so as they are, or there are too many to try.
        """
        given = self.course(orders)
        ends = [number for number, order in enumerate(orders) if isinstance(order, End)]
        body = orders[: ends[0]] if ends else orders
        if given.files == ONE_FILE or len(body) > MOST_ORDERS:
            return None
        for other in islice(permutations(body), 1, MOST_TRIES):
            tried = (*other, *orders[len(body) :])
            try:
                course = self.course(tried)
            except IllegalOrder:
                continue
            if course.files == ONE_FILE:
                return tried
        return None

    def _draw_at_once(self, state: State, deck: Deck) -> None:
        """Shuffle, and draw and look at what comes without an answer."""
        side = self.view.active
        while state.awaiting.side is side and state.awaiting.decision.is_chance:
            decision, _, _, amount, card, *_ = state.awaiting
            if decision is Decision.SHUFFLE:
                # Who shuffled does not matter here.
                deck.shuffle(deck.next_epoch, sorted(state.players[side].discard), b"")
                game.apply(state, Shuffle(side))
                continue
            slots = deck.ask(amount, from_ahead=card is not None)
            if not slots:
                return
            game.apply(state, Draw(side, tuple(slots)))
            self.cards.reveal(state)


def _goes_on(state: State, side: Side) -> bool:
    """Return True if a side's turn, which stops in a position, goes on there by that side.

    If it draws, once it has the cards: it may have to make good a shuffle then, or make another.
    """
    decision, awaited, _, amount, *_ = state.awaiting
    if awaited is side and decision is Decision.DRAW:
        state = state.copy()
        game.apply(state, Draw(side, tuple(state.players[side].draw_pile[:amount])))
    return state.outcome is None and state.active is side and state.awaiting.side is side


FOLLOWING = (Decision.TURN, Decision.LOSERS_CARD)
"""The decisions that can be made before the other side has answered."""


class ChanceStep(NamedTuple):
    """An event of chance in a turn: a draw of `amount` cards, or a shuffle of the discard pile."""

    decision: Decision
    amount: int
    discard: tuple[str, ...]


class Risk(NamedTuple):
    """A follow-up that comes to nothing after some of the answers.

    `interruption` is the order before it whose answer decides that, None if it takes more than one
    to tell; `if_least` says that the follow-up is carried out after the answer that changes least
    (a raid is blocked, no card given up). With `only_cards` the order itself is safe, but not what
    is shuffled or drawn after it.
    """

    order: Order
    interruption: Order | None
    if_least: bool
    only_cards: bool


class _World(NamedTuple):
    """A position, and by which answers it is reached: for each interruption some, by number."""

    state: State
    answers: tuple[frozenset[int], ...] = ()

    def answered(self) -> Iterator[_World]:
        """Yield the worlds to which the answers to its interruption lead; itself if it has none."""
        states = after_answer(self.state) if self.state.is_interrupted else [self.state]
        for number, state in enumerate(states):
            yield _World(state, (*self.answers, frozenset([number])))


class Foresight:
    """The worlds of a player whose turn is interrupted, and what is ordered for them.

    `view` is the position as that player sees it after `interruption`, an order that has to be
    answered; `public` are the cards of the hand that everybody knows, `opened` says of how many own
    shuffles the lists have been opened. `worlds` are those in which all that was ordered is carried
    out, the likeliest first; `risks` tell of the orders that are not in all worlds, `interruptions`
    are all that have to be answered.
    """

    def __init__(
        self, view: State, interruption: Order, public: Iterable[str] = (), *, opened: int
    ) -> None:
        self.side = view.active
        self._opened = opened
        self._worlds = list(_World(view).answered())
        self.interruptions = [interruption]
        self.risks: list[Risk] = []
        # Without those that an earlier follow-up has spoken for.
        self._public = Counter(public)

    @property
    def worlds(self) -> list[State]:
        """The positions in which all that was ordered is carried out, the likeliest first."""
        return [world.state for world in self._worlds]

    @property
    def is_awaiting_orders(self) -> bool:
        """True if the turn goes on in the first world, by a decision that can be a follow-up."""
        decision, side, *_ = self.worlds[0].awaiting
        return side is self.side and decision in FOLLOWING

    def missing(self, order: Order) -> Counter[str]:
        """Return the cards that the order plays and the public does not know to be in hand.

        Raises IllegalOrder if the order is legal in no world.
        """
        world = self._legal_in(order)[0].state
        return Counter(game.plays(world, order)) - self._public

    def order(self, order: Order) -> list[ChanceStep]:
        """Carry an order out in every world that allows it; return what must then be asked.

        Raises IllegalOrder, with nothing changed, if the order is legal in no world.
        """
        before, legal = self._worlds, self._legal_in(order)
        likeliest = legal[0].state
        played = Counter(game.plays(likeliest, order))
        kept = Counter(likeliest.players[self.side].hand) - played
        for world in legal:
            game.apply(world.state, order)
        came = Counter(likeliest.players[self.side].hand) - kept
        self._public = self._public - played + came
        self._worlds = legal
        asked = [list(self._ask(world.state)) for world in legal]
        alike = [world for world, cards in zip(legal, asked, strict=True) if cards == asked[0]]
        if len(legal) < len(before):
            self._note_risk(order, legal, before, only_cards=False)
        elif len(alike) < len(legal):
            self._note_risk(order, alike, before, only_cards=True)
        if likeliest.is_interrupted and likeliest.awaiting.decision is not Decision.SHUFFLE:
            self.interruptions.append(order)
            self._worlds = _distinct(after for world in legal for after in world.answered())
        return asked[0]

    def _note_risk(
        self, order: Order, safe: list[_World], worlds: list[_World], *, only_cards: bool
    ) -> None:
        """Note that an order, or what it draws, is as foreseen in the `safe` worlds only."""
        others = [world for world in worlds if not any(world is one for one in safe)]
        decisive = [
            place
            for place in range(len(self.interruptions))
            if not _answers(safe, place) & _answers(others, place)
        ]
        if len(decisive) == 1:
            (place,) = decisive
            if_least = 0 in _answers(safe, place)
            risk = Risk(order, self.interruptions[place], if_least, only_cards)
        else:
            risk = Risk(order, None, safe[0] is worlds[0], only_cards)
        self.risks.append(risk)

    def _legal_in(self, order: Order) -> list[_World]:
        """Return the worlds that allow an order; raises IllegalOrder if there is none."""
        legal, refusal = [], IllegalOrder("your turn is over.")
        for world in self._worlds:
            try:
                game.check(world.state, order)
            except IllegalOrder as error:
                refusal = error
            else:
                legal.append(world)
        if not legal:
            raise refusal
        return legal

    def _ask(self, world: State) -> Iterator[ChanceStep]:
        """Yield what a world asks of chance now, up to a draw that has to be answered."""
        while world.awaiting.side is self.side and world.awaiting.decision.is_chance:
            decision, _, _, amount, _, resume, _ = world.awaiting
            player = world.players[self.side]
            is_open = len(player.unseen) <= self._opened
            if decision is Decision.SHUFFLE:
                if not is_open:
                    # The pile that has run out was shuffled not long ago: its lists come first.
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
    """Return each position once, at its first place, with all answers that lead to it."""
    found: dict[tuple[object, ...], _World] = {}
    for world in worlds:
        first = found.setdefault(world.state.key(), world)
        both = tuple(one | other for one, other in zip(first.answers, world.answers, strict=True))
        found[world.state.key()] = first._replace(answers=both)
    return list(found.values())


def _answers(worlds: Sequence[_World], place: int) -> frozenset[int]:
    """Return the answers to the interruption at a place by which some worlds are reached."""
    return frozenset[int]().union(*(world.answers[place] for world in worlds))
