"""The shape that all actions share, and the hand that a player orders with."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import combinations
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from engine.catalogue import Card, load, symbol_name
from engine.events import Discarded
from engine.message import Failure, Message, Phrase, mark
from engine.order import Order, Source
from engine.position import usable_cards, why_idle
from engine.sides import Side
from engine.state import Awaiting, Decision, PlayerState, State

# --- the hand


class Hand:
    """The known hand of `side` in a state, which must not change while this is asked.

    `held` has every card by its id, as often as it is there; `cards` each kind once, as printed and
    sorted by id, and `usable` those of them that may be used (ruling 7). `special` has the id of
    the card that carries out an action, by the action; `symbols` are all that are on usable ones.
    """

    __slots__ = ("by_action", "card_ids", "cards", "player", "side", "state", "symbols", "usable")

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.player = state.players[side]
        self.card_ids = self.player.hand
        find_card = state.ruleset.catalogue.cards[side]
        self.cards = [find_card[card] for card in sorted({*self.card_ids})]
        self.usable = usable_cards(state, side, self.cards)
        self.symbols = frozenset().union(*[card.symbols for card in self.usable])
        self.by_action = {card.action: card.id for card in self.cards if card.action}

    def with_symbol(self, symbol: str) -> list[Card]:
        """The kinds that carry a symbol and may be used."""
        return [card for card in self.usable if symbol in card.symbols]

    def own_locations(self) -> list[str]:
        """One's own locations whose card is here and may be used."""
        return [card.location for card in self.usable if card.location]

    def all_of(self, kinds: Container[str]) -> list[str]:
        """The cards here that are of some kinds, each as often as it is there."""
        return [card for card in self.card_ids if card in kinds]

    def without(self, card: str | None) -> list[str]:
        """The cards here without one of a kind; none at all if that is None."""
        if card is None:
            return []
        rest = self.card_ids.copy()
        rest.remove(card)
        return rest

    def holds(self, *cards: str) -> bool:
        """Return True if these are here, each as often as named; there is one of every kind."""
        return len({*cards}) == len(cards) or all(
            self.card_ids.count(card) >= cards.count(card) for card in cards
        )


# --- actions


OrderT = TypeVar("OrderT", bound=Order)

SUPPLY, MONEY, HAND, TURN = "supply", "money", "hand", "turn"
"""The parts of the rules that objections to orders of many kinds are about."""


class IllegalOrder(Failure, ValueError):
    """An order that the rules do not allow now; the message names the rule in a player's words."""


class _Objection(NamedTuple):
    reason: Phrase
    about: str
    missing: str


class Objection(_Objection):
    """One reason why an order is not legal: the rule in a player's words, as a sentence.

    `about` is the part of the rules that it belongs to, such as "supply", or the id of a house
    rule; empty where it belongs to the order itself. `missing` is the id of the card that is not
    in hand, where that is the reason.
    """

    __slots__ = ()

    def __new__(
        cls, reason: Phrase, /, about: str = "", missing: str = "", **facts: object
    ) -> Objection:
        """Made from a message, or from the text of one and its facts."""
        told = Message(reason, **facts) if isinstance(reason, str) else reason
        return super().__new__(cls, told, about, missing)


class Action(Generic[OrderT]):
    """The rule behind one kind of order.

    An order is legal exactly when its `decisions` include the one awaited, an action is left or
    it is free, the player holds the cards it `plays`, can pay its `cost`, and there are no
    `objections`. `candidates` lists what is legal but for decisions, actions and cost: by the same
    predicates, part by part, so that nothing is listed only to be refused; that the two agree is
    what the tests of legality prove. A rule names its `kind` of order where its class is declared;
    a class without one is what several rules share.
    """

    decisions: ClassVar[frozenset[Decision]] = frozenset({Decision.TURN})
    may_be_free: ClassVar[bool] = False
    """Whether orders of this kind can cost none of the turn's actions."""

    def __init_subclass__(cls, kind: type[Order] | None = None) -> None:
        if kind is not None:
            RULES[kind] = cls()

    def candidates(self, hand: Hand) -> Iterator[OrderT]:
        """Every order of cards in hand to which there are no objections, each once.

        It is asked for where the kind may answer what is awaited. Orders that cost an action where
        none is left, or more money than there is, may be among them.
        """
        raise NotImplementedError

    def pool(self, hand: Hand) -> list[str]:
        """The cards in hand from which an order takes any choice, where it is of such a kind.

        Those that have a place of their own in the order (the ship of a merchant) are not meant.
        """
        return []

    def plays(self, state: State, side: Side, order: OrderT) -> tuple[str, ...]:
        """The cards that the order takes from hand."""
        return order.cards if order.source is Source.HAND else ()

    def is_free(self, state: State, side: Side, order: OrderT) -> bool:
        """Whether the order costs none of the turn's actions."""
        return self.may_be_free

    def cost(self, state: State, side: Side, order: OrderT) -> int:
        """The money the order costs."""
        return 0

    def objections(self, state: State, side: Side, order: OrderT) -> Iterator[Objection]:
        """Why the rules forbid the order: all that would have to change, the gravest first."""
        return iter(())

    def perform(self, state: State, side: Side, order: OrderT) -> None:
        """Change the state; the order was verified and its cost paid."""
        raise NotImplementedError


RULES: dict[type[Order], Action[Any]] = {}
"""What `engine.actions` has in order: the rule behind each kind."""


def cards_for(state: State, side: Side, kind: type[Order], places: Container[str]) -> list[str]:
    """The cards that an order of a kind may name; of those at sieges, the ones at these places."""
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
            return [card for card, left in player.empire.items() if left]
        case Source.STOCK:
            stock = (*player.empire.items(), *state.neutral.items())
            return [card for card, left in stock if left]
    return player.hand


def reply_awaited(state: State, reply: Decision, location: str | None = None) -> Awaiting:
    """That the opponent of the active side has to reply before its turn goes on."""
    resume = state.awaiting.decision
    return Awaiting(reply, state.active.opponent, location, resume=resume)


def name(state: State, part: str) -> Phrase:
    """The name of a card or location, as players see it."""
    return state.ruleset.catalogue.name_of(part)


def find_card(state: State, side: Side, card: str) -> Card:
    """The card of `side` with that id."""
    return state.ruleset.card(side, card)


def card_for_action(state: State, side: Side, action: str) -> str:
    """The id of the card of `side` that carries out `action`; raises IllegalOrder without one."""
    card = state.ruleset.catalogue.card_for(side, action)
    if card is None:
        removed = load(state.ruleset.edition).card_for(side, action)
        if removed is not None:
            raise IllegalOrder("There is no {card} in this game.", card=removed.label)
        raise IllegalOrder("The {side} have no card for that.", side=side.label)
    return card.id


def idle_objections(state: State, side: Side, card: str) -> Iterator[Objection]:
    """Why a location card may not be used (ruling 7)."""
    for reason in why_idle(state, side, card):
        yield Objection(_IDLE[reason], SUPPLY, place=name(state, card))


_IDLE = {
    "lost": mark("You do not control {place}, so its card is idle."),
    "besieged": mark("{place} is under siege, so its card is idle."),
    "without supply": mark("{place} has no supply from home, so its card is idle."),
}


def symbol_objections(state: State, side: Side, card: str, symbol: str) -> Iterator[Objection]:
    """Why a card does not serve as a symbol: it does not carry it, or may not be used."""
    if symbol not in find_card(state, side, card).symbols:
        yield Objection(
            "{card} has no {symbol} symbol.", card=name(state, card), symbol=symbol_name(symbol)
        )
    yield from idle_objections(state, side, card)


def discard(state: State, side: Side, cards: tuple[str, ...]) -> None:
    """Move known cards from hand to the discard pile, if nothing else is done with them."""
    state.play(side, cards)
    state.report(Discarded(side, cards))


def subsets(cards: Iterable[str], fewest: int, most: int) -> Iterator[tuple[str, ...]]:
    """The different choices of `fewest` to `most` of the cards, each sorted, each once."""
    pool = sorted(cards)
    for size in range(fewest, min(most, len(pool)) + 1):
        yield from dict.fromkeys(combinations(pool, size))


def missing_from_hand(player: PlayerState, cards: Iterable[str]) -> list[str]:
    """Those of the cards that are not in the known part of a hand, counting duplicates."""
    left = player.hand.copy()
    missing = []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    return sorted(missing)
