"""The state of a game: what lies where, and whose decision is awaited.

Hidden cards are slots: positions in a shuffle whose card this state does not know. The same state
serves a referee who sees no hand, a player who sees one, and a simulation that sees both; they
differ only in which slots were revealed.
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
    """The piece in a location: a village or a town, with or without a fortification disc."""

    owner: Side
    town: bool = False
    fortified: bool = False


class Siege(Mutable):
    """A siege of `location`: the cards each side played to it.

    `cost` is the card that the side about to lose has chosen to give back (ruling 3). `won` says
    that the active side had won it when its turn began: then it only has to be resolved. `beyond`
    is the strength that the besieger has lost beyond the end of the track (ruling 5).
    """

    location: str
    cards: dict[Side, list[str]] = field(default_factory=lambda: {side: [] for side in Side})
    cost: str | None = None
    won: bool = False
    beyond: int = 0

    def copy(self) -> Self:
        """An independent copy."""
        copied = super().copy()
        copied.cards = {side: cards.copy() for side, cards in self.cards.items()}
        return copied


class PlayerState(Mutable):
    """One side's money, cards and captures.

    `hand` holds the cards known in this state and `hidden` the slots of the others; `draw_pile` the
    slots not drawn. `unseen[e]` lists the cards of epoch `e` that no slot has been revealed to be.
    `locations` and `empire` are the available cards.
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
        """How many cards are in hand, known or not."""
        return len(self.hand) + len(self.hidden)

    def copy(self) -> Self:
        """An independent copy."""
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
    """The kinds of input a state may await."""

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
        """Whether chance, not a player, makes the decision."""
        return self in (Decision.SHUFFLE, Decision.DRAW)

    @property
    def label(self) -> Message:
        """What is decided, in a few words: `raid reply`."""
        return Message.within("decision", self.value)


class Awaiting(NamedTuple):
    """What the state awaits: a decision of `side`, or a chance event for its cards.

    `location` is the one raided, or given up by a withdrawal, or whose siege costs a card; `amount`
    the number of cards to draw or to discard; `card` a card played but not yet discarded (Home
    Support). `resume` is the active side's decision that comes after a reply or a draw in the
    middle of its turn, None for the refill; `more` is how many cards are drawn after this.
    """

    decision: Decision
    side: Side
    location: str | None = None
    amount: int = 0
    card: str | None = None
    resume: Decision | None = None
    more: int = 0


class EndReason(StrEnum):
    """What ends the game for or by a side: first what is checked for, in that order."""

    HOME_SIEGE = "home siege"
    TOWNS = "towns placed"
    VILLAGES = "villages placed"
    CAPTURES = "points captured"
    SETTLING = "settling"
    GIVING_UP = "giving up"
    RESIGNING = "resigning"

    @property
    def is_on_points(self) -> bool:
        """Whether the points say who has won."""
        return self in (EndReason.TOWNS, EndReason.VILLAGES, EndReason.CAPTURES)


class Outcome(Value):
    """How a game ended: who has won, why, as a clause, and the facts behind it.

    `reason` names every side; `because` is about the winner, who is “they” in it. It ended `by`
    what `side` did, or what happened to it, at a `location` if there is one.
    """

    winner: Side
    reason: Message
    because: Message
    by: EndReason
    side: Side
    location: str | None = None


class State(Mutable):
    """A position. `engine.game` advances it; this class only holds it and answers about it.

    `refilled`: the active side has refilled its hand before the end of its turn; `siege_resolved`:
    a siege was resolved at its start; `shuffle_unpaid`: a shuffle in it still has to be made good;
    `french_besieged`: the French have opened a siege in this game, where a house rule asks.

    Until a piece on the board changes, `placed` counts pieces by owner and whether they are towns;
    `supplied` and `raids` have what `engine.position` found out, the latter by side and sieges.
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
    placed: Counter[tuple[Side, bool]] = field(default_factory=Counter)
    supplied: dict[Side, frozenset[str]] = field(default_factory=dict)
    raids: dict[tuple[object, ...], Mapping[str, int]] = field(default_factory=dict)

    def copy(self) -> Self:
        """An independent copy; the ruleset is shared."""
        copied = super().copy()
        copied.board = self.board.copy()
        copied.players = {side: player.copy() for side, player in self.players.items()}
        copied.neutral = self.neutral.copy()
        copied.sieges = {side: siege.copy() for side, siege in self.sieges.items()}
        copied.events = self.events.copy()
        copied.placed = self.placed.copy()
        copied.supplied = self.supplied.copy()
        copied.raids = self.raids.copy()
        return copied

    def key(self) -> tuple[object, ...]:
        """A value equal for two states of one ruleset exactly when nothing distinguishes them."""
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
        """Whether the active side's turn goes on only after something it does not decide.

        That is the other side's reply, or cards that it draws in the middle of the turn.
        """
        return self.outcome is None and self.awaiting.resume is not None

    def decides(self, side: Side) -> bool:
        """Whether it is for `side` to decide now, not for the other, for chance, or for nobody."""
        decision, awaited, *_ = self.awaiting
        return awaited is side and not decision.is_chance and decision is not Decision.OVER

    # --- pieces

    def villages_left(self, side: Side) -> int:
        """The villages in stock: 18 less those on the board and those captured (ruling 22)."""
        placed = self._count(side, town=False)
        return rules.VILLAGES - placed - self.players[side.opponent].captured_villages

    def towns_left(self, side: Side) -> int:
        """The towns in stock: 12 British or 9 French, less those placed or captured."""
        placed = self._count(side, town=True)
        return rules.TOWNS[side] - placed - self.players[side.opponent].captured_towns

    def _count(self, side: Side, *, town: bool) -> int:
        """The villages of a side on the board, or its towns."""
        self.placed = self.placed or Counter((s.owner, s.town) for s in self.board.values())
        return self.placed[side, town]

    def fortifications_left(self) -> int:
        """The fortification discs in the common stock."""
        return rules.FORTIFICATIONS - sum(s.fortified for s in self.board.values())

    def captured_points(self, side: Side) -> int:
        """The victory points of the pieces that `side` has captured."""
        player = self.players[side]
        villages = player.captured_villages * rules.VILLAGE_CAPTURED
        return villages + player.captured_towns * rules.TOWN_CAPTURED

    def keep_captured(self, side: Side, *, town: bool) -> int:
        """Count a piece that `side` has captured and keeps; return the points it is worth."""
        player = self.players[side]
        player.captured_towns += town
        player.captured_villages += not town
        return rules.TOWN_CAPTURED if town else rules.VILLAGE_CAPTURED

    def place(self, location: str, settlement: Settlement | None) -> None:
        """Put a settlement on the board, or remove the one there."""
        if settlement is None:
            del self.board[location]
        else:
            self.board[location] = settlement
        for found in (self.placed, self.supplied, self.raids):
            found.clear()

    def owner(self, location: str) -> Side | None:
        """Who controls a location; None where nobody does."""
        settlement = self.board.get(location)
        return settlement.owner if settlement else None

    def besieger(self, location: str) -> Side | None:
        """Who besieges a location; None where nobody does."""
        found = (side for side, siege in self.sieges.items() if siege.location == location)
        return next(found, None)

    # --- cards

    def discard(self, side: Side, cards: Iterable[str]) -> None:
        """Put cards in the discard pile of `side`."""
        self.players[side].discard.extend(cards)

    def play(self, side: Side, cards: Iterable[str]) -> None:
        """Play known cards from hand to the discard pile."""
        cards = tuple(cards)
        self.take_from_hand(side, cards)
        self.discard(side, cards)

    def take_from_hand(self, side: Side, cards: Iterable[str]) -> None:
        """Take known cards out of a hand; the caller says where they go."""
        hand = self.players[side].hand
        for card in cards:
            hand.remove(card)

    def give_back(self, side: Side, card: str) -> None:
        """Return a card of `side` to where it can be gained again (locations, empire, neutral)."""
        printed = self.ruleset.card(side, card)
        if printed.location:
            self.players[side].locations.add(card)
            return
        stock = self.neutral if printed.side is None else self.players[side].empire
        stock[card] = stock.get(card, 0) + 1

    def gain_location_card(self, side: Side, location: str) -> None:
        """Take the card of a location to the discard pile, where it is available (rule: settle)."""
        player = self.players[side]
        if location in player.locations:
            player.locations.remove(location)
            player.discard.append(location)
            self.report(CardGained(side, location, card=location))

    # --- money and reports

    def pay(self, side: Side, amount: int) -> None:
        """Move money from `side` to the bank; the caller has checked that it is there."""
        if amount:
            self.players[side].money -= amount
            self.report(Paid(side, amount))

    def receive(self, side: Side, amount: int) -> None:
        """Move money from the bank to `side`."""
        self.players[side].money += amount
        self.report(Received(side, amount))

    def report(self, event: Event) -> None:
        """Note what happened, for the report of the input that caused it."""
        self.events.append(event)


def new_game(ruleset: Ruleset | None = None, sets_up_first: Side = Side.BRITISH) -> State:
    """The position before the first shuffle: each initial deck waits, face up, to be shuffled.

    `sets_up_first` says whose deck is shuffled and drawn from first, where the rules leave it open;
    the British always play first.
    """
    ruleset = ruleset or Ruleset.of()
    chooser = next(filter(ruleset.chooses_start_card, Side), None)
    first = chooser or sets_up_first
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
        awaiting=Awaiting(Decision.START_CARD if chooser else Decision.SHUFFLE, first),
        setup=(first, first.opponent),
    )
