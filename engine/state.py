"""The state of a game: the board, the cards and money of both sides, and the awaited decision.

A face-down card is a slot: a position in a shuffle whose card the state does not contain. Referees
see no hand, players see one, and simulations see both; they use the same kind of state, with
different slots revealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Self

from engine import ruleset as rules
from engine.events import CardGained, Event, Paid, Received
from engine.message import Message, mark_in
from engine.ruleset import Ruleset
from engine.sides import Side, Slot
from engine.value import Mutable, Value


class Settlement(NamedTuple):
    """The piece in a location: a village or a town, with or without a fortification disc.

    >>> new_game().board["boston"]
    Settlement(owner=<Side.BRITISH: 'british'>, town=True, fortified=False)
    """

    owner: Side
    town: bool = False
    fortified: bool = False


class Siege(Mutable):
    """A siege of `location`, with the cards that each side has played to it.

    `cost` is the card that the side about to lose has chosen to give back (ruling 3). `won` is true
    if the active side had won the siege when its turn began; it only has to be resolved. `beyond`
    is the strength that the besieger lost beyond the end of the track (ruling 5).

    >>> Siege("quebec").cards[Side.FRENCH]
    []
    """

    location: str
    cards: dict[Side, list[str]] = field(default_factory=lambda: {side: [] for side in Side})
    cost: str | None = None
    won: bool = False
    beyond: int = 0

    def copy(self) -> Self:
        """Return an independent copy."""
        copied = super().copy()
        copied.cards = {side: cards.copy() for side, cards in self.cards.items()}
        return copied


class PlayerState(Mutable):
    """The money, cards and captures of one side.

    `hand` contains the known cards, `hidden` the slots of the other cards in hand, and `draw_pile`
    the slots of the draw pile. `unseen[e]` lists the cards of epoch `e` that were not revealed in
    any slot. `locations` and `empire` are the available cards.

    >>> player = new_game().players[Side.BRITISH]
    >>> player.money, len(player.discard), player.empire["rangers"]
    (12, 7, 1)
    """

    money: int
    discard: list[str]
    locations: set[str]
    empire: dict[str, int]
    hand: list[str] = field(default_factory=list)
    hidden: list[Slot] = field(default_factory=list)
    reserve: list[str] = field(default_factory=list)
    draw_pile: list[Slot] = field(default_factory=list)
    unseen: list[list[str]] = field(default_factory=list)
    captured_villages: int = 0
    captured_towns: int = 0

    @property
    def hand_size(self) -> int:
        """The number of cards in hand, known or not."""
        return len(self.hand) + len(self.hidden)

    def copy(self) -> Self:
        """Return an independent copy."""
        copied = super().copy()
        copied.discard = self.discard.copy()
        copied.locations = self.locations.copy()
        copied.empire = self.empire.copy()
        copied.hand = self.hand.copy()
        copied.hidden = self.hidden.copy()
        copied.reserve = self.reserve.copy()
        copied.draw_pile = self.draw_pile.copy()
        copied.unseen = [epoch.copy() for epoch in self.unseen]
        return copied


class Decision(StrEnum):
    """The kinds of input that a state can wait for.

    >>> new_game().awaiting.decision
    <Decision.SHUFFLE: 'shuffle'>
    """

    TURN = mark_in("decision", "turn")
    SIEGE_SPOILS = mark_in("decision", "siege spoils")
    LOSERS_CARD = mark_in("decision", "loser's card")
    EXCHANGE = mark_in("decision", "exchange after a siege")
    FORFEIT = mark_in("decision", "cards for an unpaid shuffle")
    START_CARD = mark_in("decision", "start card")
    RAID_REPLY = mark_in("decision", "raid reply")
    AMBUSH_REPLY = mark_in("decision", "ambush reply")
    CONVERSION_REPLY = mark_in("decision", "conversion reply")
    WITHDRAWAL_SPOILS = mark_in("decision", "spoils after a withdrawal")
    SHUFFLE = mark_in("decision", "shuffle")
    DRAW = mark_in("decision", "draw")
    OVER = mark_in("decision", "over")

    @cached_property
    def is_chance(self) -> bool:
        """True if chance makes the decision and not a player."""
        return self in (Decision.SHUFFLE, Decision.DRAW)

    @property
    def label(self) -> Message:
        """The decision in a few words for players: `raid reply`."""
        return Message.within("decision", self.value)


class Awaiting(NamedTuple):
    """The input that a state waits for: a decision of `side`, or a chance event for its cards.

    `location` is the location of the raid, of the withdrawal, or of the siege that costs a card;
    `amount` is the number of cards to draw or to discard; `card` is a played card that is not
    discarded yet (Home Support). `resume` is the decision of the active side that follows a reply
    or a draw during its turn, or None for the refill; `more` is the number of cards to draw after
    this draw.

    >>> new_game().awaiting.side
    <Side.BRITISH: 'british'>
    """

    decision: Decision
    side: Side
    location: str | None = None
    amount: int = 0
    card: str | None = None
    resume: Decision | None = None
    more: int = 0


class EndReason(StrEnum):
    """The reasons why a game ends, in the order of the checks.

    >>> EndReason.CAPTURES.is_on_points, EndReason.HOME_SIEGE.is_on_points
    (True, False)
    """

    HOME_SIEGE = "home siege"
    TOWNS = "towns placed"
    VILLAGES = "villages placed"
    CAPTURES = "points captured"
    SETTLING = "settling"
    GIVING_UP = "giving up"
    RESIGNING = "resigning"

    @property
    def is_on_points(self) -> bool:
        """True if the victory points decide the winner."""
        return self in (EndReason.TOWNS, EndReason.VILLAGES, EndReason.CAPTURES)


class Outcome(Value):
    """The end of a game: the winner, and the reason as a clause.

    `cause` is the reason without the tie that the winner may owe the game to. `by` is the kind of
    end, `side` the side that caused it, and `location` its location, if there is one.

    >>> from engine.turn import outcome_of_resigning
    >>> outcome_of_resigning(Side.FRENCH).reason
    Message('the French resigned')
    """

    winner: Side
    reason: Message
    cause: Message
    by: EndReason
    side: Side
    location: str | None = None


class State(Mutable):
    """A position of a game, which `engine.apply` advances.

    `refilled` is true if the active side has refilled its hand before the end of its turn;
    `siege_resolved` if a siege was resolved at the start of the turn; `shuffle_unpaid` if a shuffle
    in this turn still has to be paid with cards; `french_besieged` if the French have opened a
    siege in this game (set only with a house rule).

    `pieces` (the number of pieces by owner and kind), `supplied_locations` and `raid_distances` (by
    side, from `engine.position`) are caches, which are emptied when a piece on the board changes.

    >>> state = new_game()
    >>> state.turn, state.active, sorted(state.players[Side.FRENCH].empire)[0]
    (0, <Side.BRITISH: 'british'>, 'coureurs-de-bois')
    """

    ruleset: Ruleset
    board: dict[str, Settlement]
    players: dict[Side, PlayerState]
    neutral: dict[str, int]
    sieges: dict[Side, Siege]
    active: Side
    awaiting: Awaiting
    turn: int = 0
    actions_left: int = 0
    setup: tuple[Side, ...] = ()
    outcome: Outcome | None = None
    refilled: bool = False
    siege_resolved: bool = False
    shuffle_unpaid: bool = False
    french_besieged: bool = False
    events: list[Event] = field(default_factory=list)
    pieces: Counter[tuple[Side, bool]] = field(default_factory=Counter)
    supplied_locations: dict[Side, frozenset[str]] = field(default_factory=dict)
    raid_distances: dict[tuple[object, ...], Mapping[str, int]] = field(default_factory=dict)

    def copy(self) -> Self:
        """Return an independent copy with the same ruleset.

        >>> state = new_game()
        >>> copy = state.copy()
        >>> copy.place("boston", None)
        >>> state.owner("boston"), copy.owner("boston")
        (<Side.BRITISH: 'british'>, None)
        """
        copied = super().copy()
        copied.board = self.board.copy()
        copied.players = {side: player.copy() for side, player in self.players.items()}
        copied.neutral = self.neutral.copy()
        copied.sieges = {side: siege.copy() for side, siege in self.sieges.items()}
        copied.events = self.events.copy()
        copied.pieces = self.pieces.copy()
        copied.supplied_locations = self.supplied_locations.copy()
        copied.raid_distances = self.raid_distances.copy()
        return copied

    def key(self) -> tuple[object, ...]:
        """Return a value that is equal for equal positions of a ruleset, and only for those.

        >>> new_game().key() == new_game().key()
        True
        """
        players = tuple(
            (
                player.money,
                tuple(sorted(player.discard)),
                tuple(sorted(player.locations)),
                tuple(sorted((c, n) for c, n in player.empire.items() if n)),
                tuple(sorted(player.hand)),
                tuple(sorted(player.hidden)),
                tuple(sorted(player.reserve)),
                tuple(sorted(player.draw_pile)),
                player.captured_villages,
                player.captured_towns,
                tuple(tuple(sorted(epoch)) for epoch in player.unseen),
            )
            for player in (self.players[side] for side in Side)
        )
        sieges = tuple(
            (
                (side, siege.location, siege.cost, siege.won, siege.beyond),
                *(tuple(sorted(siege.cards[s])) for s in Side),
            )
            for side, siege in sorted(self.sieges.items())
        )
        return (
            tuple(sorted(self.board.items())),
            players,
            tuple(sorted((c, n) for c, n in self.neutral.items() if n)),
            sieges,
            (self.active, self.turn, self.actions_left, self.awaiting, self.outcome),
            (self.refilled, self.siege_resolved, self.shuffle_unpaid, self.french_besieged),
        )

    @property
    def is_interrupted(self) -> bool:
        """True if a reply, or a draw of cards, interrupts the active side's turn."""
        return self.outcome is None and self.awaiting.resume is not None

    def can_decide(self, side: Side) -> bool:
        """Return True if `side` makes the next decision.

        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.can_decide(Side.BRITISH), state.can_decide(Side.FRENCH)
        (True, False)
        """
        decision, awaited, *_ = self.awaiting
        return awaited is side and not decision.is_chance and decision is not Decision.OVER

    # --- pieces

    def villages_left(self, side: Side) -> int:
        """Return the villages in stock: 18 less the placed and the captured villages (ruling 22).

        >>> new_game().villages_left(Side.BRITISH)
        13
        """
        count = self._count(side, town=False)
        return rules.VILLAGES - count - self.players[side.opponent].captured_villages

    def towns_left(self, side: Side) -> int:
        """Return the towns in stock: 12 British or 9 French, less the placed and captured towns.

        >>> new_game().towns_left(Side.FRENCH)
        8
        """
        count = self._count(side, town=True)
        return rules.TOWNS[side] - count - self.players[side.opponent].captured_towns

    def _count(self, side: Side, *, town: bool) -> int:
        """Return the number of villages, or of towns, of a side on the board."""
        self.pieces = self.pieces or Counter((s.owner, s.town) for s in self.board.values())
        return self.pieces[side, town]

    def fortifications_left(self) -> int:
        """Return the number of fortification discs in the common stock.

        >>> new_game().fortifications_left()
        12
        """
        return rules.FORTIFICATIONS - sum(s.fortified for s in self.board.values())

    def captured_points(self, side: Side) -> int:
        """Return the victory points of the pieces that `side` has captured.

        >>> new_game().captured_points(Side.FRENCH)
        0
        """
        player = self.players[side]
        villages = player.captured_villages * rules.VILLAGE_CAPTURED
        return villages + player.captured_towns * rules.TOWN_CAPTURED

    def keep_captured(self, side: Side, *, town: bool) -> int:
        """Count a piece that `side` has captured, and return its points.

        >>> new_game().keep_captured(Side.FRENCH, town=True)
        4
        """
        player = self.players[side]
        player.captured_towns += town
        player.captured_villages += not town
        return rules.TOWN_CAPTURED if town else rules.VILLAGE_CAPTURED

    def place(self, location: str, settlement: Settlement | None) -> None:
        """Put a settlement in a location, or remove the settlement there.

        >>> state = new_game()
        >>> state.place("deerfield", Settlement(Side.BRITISH))
        >>> state.villages_left(Side.BRITISH)
        12
        """
        if settlement is None:
            del self.board[location]
        else:
            self.board[location] = settlement
        for cache in (self.pieces, self.supplied_locations, self.raid_distances):
            cache.clear()

    def owner(self, location: str) -> Side | None:
        """Return the side that controls a location, or None.

        >>> new_game().owner("quebec"), new_game().owner("deerfield")
        (<Side.FRENCH: 'french'>, None)
        """
        settlement = self.board.get(location)
        return settlement.owner if settlement else None

    def besieger(self, location: str) -> Side | None:
        """Return the side that besieges a location, or None.

        >>> state = new_game()
        >>> state.sieges[Side.BRITISH] = Siege("quebec")
        >>> state.besieger("quebec")
        <Side.BRITISH: 'british'>
        """
        besiegers = (side for side, siege in self.sieges.items() if siege.location == location)
        return next(besiegers, None)

    # --- cards

    def discard(self, side: Side, cards: Iterable[str]) -> None:
        """Put cards into the discard pile of `side`.

        >>> state = new_game()
        >>> state.discard(Side.FRENCH, ["militia"])
        >>> state.players[Side.FRENCH].discard[-1]
        'militia'
        """
        self.players[side].discard.extend(cards)

    def play(self, side: Side, cards: Iterable[str]) -> None:
        """Move known cards from hand to the discard pile.

        >>> state = new_game()
        >>> state.players[Side.BRITISH].hand = ["boston", "boston"]
        >>> state.play(Side.BRITISH, ["boston"])
        >>> state.players[Side.BRITISH].hand
        ['boston']
        """
        cards = tuple(cards)
        self.take_from_hand(side, cards)
        self.discard(side, cards)

    def take_from_hand(self, side: Side, cards: Iterable[str]) -> None:
        """Remove known cards from a hand; the caller puts them somewhere else.

        >>> state = new_game()
        >>> state.players[Side.FRENCH].hand = ["quebec", "trader"]
        >>> state.take_from_hand(Side.FRENCH, ["trader"])
        >>> state.players[Side.FRENCH].hand
        ['quebec']
        """
        hand = self.players[side].hand
        for card in cards:
            hand.remove(card)

    def give_back(self, side: Side, card: str) -> None:
        """Return a card of `side` to the available cards: locations, empire or neutral.

        >>> state = new_game()
        >>> state.give_back(Side.BRITISH, "rangers")
        >>> state.players[Side.BRITISH].empire["rangers"]
        2
        """
        definition = self.ruleset.card(side, card)
        if definition.location:
            self.players[side].locations.add(card)
            return
        stock = self.neutral if definition.side is None else self.players[side].empire
        stock[card] = stock.get(card, 0) + 1

    def gain_location_card(self, side: Side, location: str) -> None:
        """Move a location's card to the discard pile if it is available.

        >>> state = new_game()
        >>> state.gain_location_card(Side.BRITISH, "albany")
        >>> state.players[Side.BRITISH].discard[-1]
        'albany'
        """
        player = self.players[side]
        if location in player.locations:
            player.locations.remove(location)
            player.discard.append(location)
            self.report(CardGained(side, location, card=location))

    # --- money and reports

    def pay(self, side: Side, amount: int) -> None:
        """Move money from `side` to the bank; the caller must check that the side has it.

        >>> state = new_game()
        >>> state.pay(Side.BRITISH, 5)
        >>> state.players[Side.BRITISH].money, state.events
        (7, [Paid(side=british, money=5)])
        """
        if amount:
            self.players[side].money -= amount
            self.report(Paid(side, amount))

    def receive(self, side: Side, amount: int) -> None:
        """Move money from the bank to `side`.

        >>> state = new_game()
        >>> state.receive(Side.FRENCH, 2)
        >>> state.players[Side.FRENCH].money
        7
        """
        self.players[side].money += amount
        self.report(Received(side, amount))

    def report(self, event: Event) -> None:
        """Add an event to the report of the current input.

        >>> state = new_game()
        >>> state.report(Paid(Side.FRENCH, 2))
        >>> state.events
        [Paid(side=french, money=2)]
        """
        self.events.append(event)


def new_game(ruleset: Ruleset | None = None, sets_up_first: Side = Side.BRITISH) -> State:
    """Return the position before the first shuffle, with each initial deck as a discard pile.

    `sets_up_first` is the side whose deck is shuffled and drawn from first, if the rules leave it
    open; the British always play first.

    >>> state = new_game(Ruleset.of("first"), Side.FRENCH)
    >>> state.awaiting.decision, state.awaiting.side, state.active
    (<Decision.SHUFFLE: 'shuffle'>, <Side.FRENCH: 'french'>, <Side.BRITISH: 'british'>)
    """
    ruleset = ruleset or Ruleset.of()
    chooser = next(filter(ruleset.has_start_choice, Side), None)
    first_side = chooser or sets_up_first
    catalogue = ruleset.catalogue
    board = {
        place.id: Settlement(place.start_owner, place.start_town, place.start_fortified)
        for place in catalogue.locations.values()
        if place.start_owner
    }
    players = {}
    for side in Side:
        cards = catalogue.cards[side].values()
        players[side] = PlayerState(
            money=rules.START_MONEY[side],
            discard=[card.id for card in cards for _ in range(card.initial_copies)],
            locations={c.id for c in catalogue.location_cards(side) if not c.initial_copies},
            empire={c.id: c.count - c.initial_copies for c in catalogue.empire_cards(side)},
        )
    return State(
        ruleset=ruleset,
        board=board,
        players=players,
        neutral={card.id: card.count for card in catalogue.neutral_cards()},
        sieges={},
        active=Side.BRITISH,
        awaiting=Awaiting(Decision.START_CARD if chooser else Decision.SHUFFLE, first_side),
        setup=(first_side, first_side.opponent),
    )
