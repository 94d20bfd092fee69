"""The base class of the rules of orders, and the hand of the player who orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import combinations
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from engine.catalogue import Card, load, symbol_name
from engine.events import Discarded
from engine.message import Message, Phrase, TranslatableError, mark
from engine.order import Order, Source
from engine.position import idle_reasons, usable_cards
from engine.sides import Side
from engine.state import Awaiting, Decision, PlayerState, State

# --- the hand


class Hand:
    """The known cards in the hand of `side`, in a state that must not change meanwhile.

    `card_ids` contains the id of every card, with duplicates; `cards` contains each kind once,
    sorted by id, and `usable` the kinds that can be used (ruling 7). `by_action` maps an action to
    the id of the card that carries it out; `symbols` are all symbols on usable cards.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> state.players[Side.BRITISH].hand = ["norfolk", "albany", "norfolk"]
    >>> hand = Hand(state, Side.BRITISH)
    >>> [card.id for card in hand.cards], [card.id for card in hand.usable]
    (['albany', 'norfolk'], ['norfolk'])
    """

    __slots__ = ("by_action", "card_ids", "cards", "player", "side", "state", "symbols", "usable")

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.player = state.players[side]
        self.card_ids = self.player.hand
        all_cards = state.ruleset.catalogue.cards[side]
        self.cards = [all_cards[card] for card in sorted({*self.card_ids})]
        self.usable = usable_cards(state, side, self.cards)
        self.symbols = frozenset().union(*[card.symbols for card in self.usable])
        self.by_action = {card.action: card.id for card in self.cards if card.action}

    def cards_with_symbol(self, symbol: str) -> list[Card]:
        """Return the usable kinds of card that carry a symbol."""
        return [card for card in self.usable if symbol in card.symbols]

    def own_locations(self) -> list[str]:
        """Return the side's own locations whose card is in hand and usable."""
        return [card.location for card in self.usable if card.location]

    def cards_of_kinds(self, kinds: Container[str]) -> list[str]:
        """Return the ids of the cards whose kind is in `kinds`, with duplicates."""
        return [card for card in self.card_ids if card in kinds]

    def cards_without(self, card: str | None) -> list[str]:
        """Return the hand without one copy of a card, or no cards if the card is None."""
        if card is None:
            return []
        cards = self.card_ids.copy()
        cards.remove(card)
        return cards

    def has_cards(self, *cards: str) -> bool:
        """Return True if the hand has enough copies of `cards`, whose kinds are all in hand."""
        return len({*cards}) == len(cards) or all(
            self.card_ids.count(card) >= cards.count(card) for card in cards
        )


# --- actions


OrderT = TypeVar("OrderT", bound=Order)

SUPPLY, MONEY, HAND, TURN = "supply", "money", "hand", "turn"
"""The topics of objections that apply to many kinds of order."""


class IllegalOrderError(TranslatableError, ValueError):
    """Raised if the rules do not allow an order now; the message states the rule for players.

    >>> from engine.game import apply
    >>> from engine.orders import Pass
    >>> from engine.state import new_game
    >>> apply(new_game(), Pass())
    Traceback (most recent call last):
    engine.actions.action.IllegalOrderError: Cards are being drawn; no order can be given now.
    """


class _Objection(NamedTuple):
    reason: Phrase
    topic: str
    missing: str


class Objection(_Objection):
    """A reason why an order is not legal: the rule as a sentence for players.

    `topic` is a part of the rules, for example "supply", or the id of a house rule; it is empty if
    the reason belongs to the order itself. `missing` is the id of the card that is not in hand, if
    that is the reason.

    >>> Objection("You do not control {place}.", SUPPLY, place="Boston").reason
    Message('You do not control Boston.')
    """

    __slots__ = ()

    def __new__(
        cls, reason: Phrase, /, topic: str = "", missing: str = "", **facts: object
    ) -> Objection:
        """Create an objection from a message, or from a text and its facts."""
        message = Message(reason, **facts) if isinstance(reason, str) else reason
        return super().__new__(cls, message, topic, missing)


class Action(Generic[OrderT]):
    """The rule of one kind of order.

    An order is legal if and only if its `decisions` include the awaited one, an action is left or
    the order is free, the player has its `cards_played` and can pay its `cost`, and there are no
    `objections`. `candidates` lists the orders that pass all checks except those of decisions,
    actions and cost. A subclass with a `kind` is the rule of that kind, and any other subclass is a
    base class of rules.

    >>> from engine.orders import Draft
    >>> from engine.state import new_game
    >>> RULES[Draft].cost(new_game(), Side.BRITISH, Draft.of("rangers"))
    5
    """

    decisions: ClassVar[frozenset[Decision]] = frozenset({Decision.TURN})
    may_be_free: ClassVar[bool] = False
    """True if some orders of this kind cost none of the actions of the turn."""

    def __init_subclass__(cls, kind: type[Order] | None = None) -> None:
        if kind is not None:
            RULES[kind] = cls()

    def candidates(self, hand: Hand) -> Iterator[OrderT]:
        """Yield every order of cards in hand without objections once.

        Called only if the kind can answer the awaited decision. Some of the orders may cost an
        action although none is left, or more money than the player has.
        """
        raise NotImplementedError

    def pool(self, hand: Hand) -> list[str]:
        """Return the cards in hand that an order of this kind may choose from.

        Cards with a fixed place in the order, such as the ship of a merchant, do not count.
        """
        return []

    def cards_played(self, state: State, side: Side, order: OrderT) -> tuple[str, ...]:
        """Return the cards that the order takes from hand."""
        return order.cards if order.source is Source.HAND else ()

    def is_free(self, state: State, side: Side, order: OrderT) -> bool:
        """Return True if the order costs none of the actions of the turn."""
        return self.may_be_free

    def cost(self, state: State, side: Side, order: OrderT) -> int:
        """Return the money that the order costs."""
        return 0

    def objections(self, state: State, side: Side, order: OrderT) -> Iterator[Objection]:
        """Yield the reasons why the rules forbid the order, the most serious first."""
        return iter(())

    def perform(self, state: State, side: Side, order: OrderT) -> None:
        """Change the state; the order is legal and its cost is paid."""
        raise NotImplementedError


RULES: dict[type[Order], Action[Any]] = {}
"""The rule of each kind of order; `engine.actions` has them in the order of `ORDERS`."""


def cards_for(state: State, side: Side, kind: type[Order], places: Container[str]) -> list[str]:
    """Return the cards that an order of a kind can name; for sieges, those at `places`.

    >>> from engine.orders import Draft
    >>> from engine.state import new_game
    >>> "rangers" in cards_for(new_game(), Side.BRITISH, Draft, ())
    True
    """
    player = state.players[side]
    match kind.source:
        case Source.RESERVE:
            return player.reserve
        case Source.DISCARD_PILE:
            return player.discard
        case Source.SIEGE:
            sieges = [siege for siege in state.sieges.values() if siege.location in places]
            return [card for siege in sieges for card in siege.cards[side]]
        case Source.OWN_STOCK:
            return [card for card, count in player.empire.items() if count]
        case Source.STOCK:
            stock = (*player.empire.items(), *state.neutral.items())
            return [card for card, count in stock if count]
    return player.hand


def reply_awaited(state: State, reply: Decision, location: str | None = None) -> Awaiting:
    """Return the awaited reply of the opponent, after which the turn continues.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> reply_awaited(state, Decision.RAID_REPLY, "quebec").side
    <Side.FRENCH: 'french'>
    """
    resume = state.awaiting.decision
    return Awaiting(reply, state.active.opponent, location, resume=resume)


def name(state: State, part: str) -> Phrase:
    """Return the name of a card or location for players.

    >>> from engine.state import new_game
    >>> name(new_game(), "st-marys")
    Message("St. Mary's")
    """
    return state.ruleset.catalogue.name_of(part)


def find_card(state: State, side: Side, card: str) -> Card:
    """Return the card of `side` with the id `card`.

    >>> from engine.state import new_game
    >>> find_card(new_game(), Side.BRITISH, "boston").money
    3
    """
    return state.ruleset.card(side, card)


def card_for_action(state: State, side: Side, action: str) -> str:
    """Return the id of the card of `side` for `action`. Raises IllegalOrderError if there is none.

    >>> from engine.state import new_game
    >>> card_for_action(new_game(), Side.FRENCH, "piracy")
    'louisbourg'
    """
    card = state.ruleset.catalogue.card_for(side, action)
    if card is None:
        removed = load(state.ruleset.edition).card_for(side, action)
        if removed is not None:
            raise IllegalOrderError("There is no {card} in this game.", card=removed.label)
        raise IllegalOrderError("The {side} have no card for that.", side=side.label)
    return card.id


def idle_objections(state: State, side: Side, card: str) -> Iterator[Objection]:
    """Yield an objection if a location card cannot be used (ruling 7).

    >>> from engine.state import new_game
    >>> [objection.reason for objection in idle_objections(new_game(), Side.BRITISH, "albany")]
    [Message('You do not control Albany, so its card is idle.')]
    """
    for reason in idle_reasons(state, side, card):
        yield Objection(_IDLE[reason], SUPPLY, place=name(state, card))


_IDLE = {
    "lost": mark("You do not control {place}, so its card is idle."),
    "besieged": mark("{place} is under siege, so its card is idle."),
    "without supply": mark("{place} has no supply from home, so its card is idle."),
}


def symbol_objections(state: State, side: Side, card: str, symbol: str) -> Iterator[Objection]:
    """Yield objections if a card lacks a symbol or cannot be used.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> [objection.reason for objection in symbol_objections(state, Side.BRITISH, "boston", "fur")]
    [Message('Boston has no fur symbol.')]
    """
    if symbol not in find_card(state, side, card).symbols:
        yield Objection(
            "{card} has no {symbol} symbol.", card=name(state, card), symbol=symbol_name(symbol)
        )
    yield from idle_objections(state, side, card)


def discard(state: State, side: Side, cards: tuple[str, ...]) -> None:
    """Move known cards from hand to the discard pile, and report the discard.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> state.players[Side.BRITISH].hand = ["boston"]
    >>> discard(state, Side.BRITISH, ("boston",))
    >>> state.events
    [Discarded(side=british, cards=('boston',))]
    """
    state.play(side, cards)
    state.report(Discarded(side, cards))


def subsets(cards: Iterable[str], min_cards: int, max_cards: int) -> Iterator[tuple[str, ...]]:
    """Yield each choice of `min_cards` to `max_cards` of the cards once, sorted.

    >>> list(subsets(["militia", "boston", "militia"], 2, 2))
    [('boston', 'militia'), ('militia', 'militia')]
    """
    pool = sorted(cards)
    for size in range(min_cards, min(max_cards, len(pool)) + 1):
        yield from dict.fromkeys(combinations(pool, size))


def missing_from_hand(player: PlayerState, cards: Iterable[str]) -> list[str]:
    """Return the cards that are not in the known part of a hand, with duplicates.

    >>> from engine.state import new_game
    >>> player = new_game().players[Side.BRITISH]
    >>> player.hand = ["boston"]
    >>> missing_from_hand(player, ["boston", "boston"])
    ['boston']
    """
    return sorted((Counter(cards) - Counter(player.hand)).elements())
