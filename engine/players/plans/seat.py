"""What a plan sees of a position: its own cards by what they are for, and strength at sieges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from engine.catalogue import Card
from engine.geography import is_usable, usable_places
from engine.players.owned import owned
from engine.siege import card_strength, card_strengths
from engine.state import State


class Seat:
    """The awaited side's view of a state, which must not change while it is asked."""

    __slots__ = ("cards", "enemy", "me", "places", "side", "state", "usable_places")

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = state.awaiting.side
        self.enemy = self.side.opponent
        self.me = state.players[self.side]
        catalogue = state.ruleset.catalogue
        self.cards = catalogue.cards[self.side]
        self.places = catalogue.locations
        self.usable_places = usable_places(state, self.side)

    # --- cards

    def deck(self) -> Counter[str]:
        """All own cards, wherever they lie."""
        return owned(self.state, self.side)

    def in_hand(self, symbol: str) -> list[str]:
        """The cards in hand that carry a symbol and may be used."""
        return [c for c in self.me.hand if symbol in self.cards[c].symbols and self.usable(c)]

    def usable(self, card: str) -> bool:
        """Whether a card in hand may be used."""
        return is_usable(self.cards[card], self.usable_places)

    def is_lost(self, card: str) -> bool:
        """Whether it is the card of a location that the side does not control."""
        place = self.cards[card].location
        return place is not None and self.state.owner(place) is not self.side

    def is_soldier(self, card: str) -> bool:
        """Whether it is an empire card that serves in sieges first of all."""
        printed = self.cards[card]
        return printed.military > 0 and not printed.location

    def spared(self, card: str) -> tuple[int, str]:
        """A key by which cards are sorted: first those that are missed least."""
        return (self._use(self.cards[card]), card)

    def _use(self, card: Card) -> int:
        if card.location:
            if self.is_lost(card.id):
                return -1
            return 2 * card.money + 3 * card.military + len(card.symbols) + 2 * len(card.reaches)
        return 5 + card.cost + 4 * card.military

    # --- sieges

    def strength(self, card: str, place: str) -> int:
        """What a card of its own is worth at a siege now: nothing if it cannot be used or paid."""
        if self.cards[card].siege_cost > self.me.money or not self.usable(card):
            return 0
        return card_strength(self.state, self.side, card, place)

    def force(self, cards: Iterable[str], place: str, actions: int) -> int:
        """The strength that cards can bring to a siege with that many actions."""
        slow, free = [], 0
        for card in cards:
            if self.cards[card].free_action:
                free += self.strength(card, place)
            else:
                slow.append(self.strength(card, place))
        slow.sort(reverse=True)
        return sum(slow[:actions]) + free

    def relief(self, place: str, actions: int) -> int:
        """The strength that the opponent may bring to a siege with that many actions.

        What can be known of it: the open reserve, and what may be in hand.
        """
        enemy = self.state.players[self.enemy]
        cards = chain(enemy.reserve, enemy.hand, *enemy.unseen)
        found = map(card_strengths(self.state, self.enemy, place).__getitem__, cards)
        return sum(sorted(found, reverse=True)[:actions])
