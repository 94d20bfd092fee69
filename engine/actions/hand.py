"""The hand that a player orders with: what is worked out once for all kinds of order."""

from __future__ import annotations

from collections.abc import Container

from engine.catalogue import Card
from engine.geography import usable_ones
from engine.sides import Side
from engine.state import State


class Hand:
    """The known hand of `side` in a state, which must not change while this is asked.

    `held` has every card by its id, as often as it is there; `cards` each kind once, as printed and
    sorted by id, and `usable` those of them that may be used (ruling 7). `special` has the id of
    the card that carries out an action, by the action; `symbols` are all that are on usable ones.
    """

    __slots__ = ("cards", "held", "player", "side", "special", "state", "symbols", "usable")

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.player = state.players[side]
        self.held = self.player.hand
        printed = state.ruleset.catalogue.cards[side]
        self.cards = [printed[card] for card in sorted({*self.held})]
        self.usable = usable_ones(state, side, self.cards)
        self.symbols = frozenset().union(*[card.symbols for card in self.usable])
        self.special = {card.action: card.id for card in self.cards if card.action}

    def with_symbol(self, symbol: str) -> list[Card]:
        """The kinds that carry a symbol and may be used."""
        return [card for card in self.usable if symbol in card.symbols]

    def own_locations(self) -> list[str]:
        """One's own locations whose card is here and may be used."""
        return [card.location for card in self.usable if card.location]

    def all_of(self, kinds: Container[str]) -> list[str]:
        """The cards here that are of some kinds, each as often as it is there."""
        return [card for card in self.held if card in kinds]

    def without(self, card: str | None) -> list[str]:
        """The cards here without one of a kind; none at all if that is None."""
        if card is None:
            return []
        rest = self.held.copy()
        rest.remove(card)
        return rest

    def holds(self, *cards: str) -> bool:
        """Whether these are here, each as often as it is named; there is one of every kind."""
        return len({*cards}) == len(cards) or all(
            self.held.count(card) >= cards.count(card) for card in cards
        )
