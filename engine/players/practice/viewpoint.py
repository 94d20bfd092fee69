"""The practice player's view of a position, with the values that all judgements share.

All values are roughly in victory points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, wraps
from itertools import chain
from math import exp
from typing import Any, TypeVar

from engine import ruleset as rules
from engine.actions.action import find_card
from engine.actions.raids import ambushed_at_sieges
from engine.catalogue import Card
from engine.order import Order
from engine.position import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    can_reinforce,
    card_strengths,
    cards_outside_sieges,
    is_usable,
    raid_distances,
    score,
    siege_strength,
    usable_locations,
)
from engine.sides import Side
from engine.state import Siege, State
from engine.turn import can_win_by_settling

CARD_VALUES = {
    "home-support": 7.0,
    "siege-artillery": 6.5,
    "neutral-settlers": 6.0,
    "regular-infantry": 6.0,
    "settlers": 6.0,
    "regular-infantry-initial": 5.0,
    "coureurs-de-bois": 4.5,
    "military-leader": 4.5,
    "rangers": 4.5,
    "ships": 4.0,
    "bateaux": 3.0,
    "governor": 1.0,
    "intendant": 1.5,
    "native-americans": 4.0,
    "trader": 2.4,
    "fortification": 2.0,
    "priest": 3.0,
    "militia": 1.8,
    "indian-leader": 2.5,
    "neutral-native-americans": 2.5,
    "neutral-fortification": 1.0,
}
"""The values of owning empire cards."""

SYMBOL_VALUES = {"settler": 3.0, "ship": 0.8, "bateaux": 0.8, "fur": 0.6, "wagon": 0.3}
"""The values of symbols on location cards."""

RAID_RANGE = 3
"""The number of connections within which the opponent's raiders are a danger."""

MAX_LIGHT_DECK = 11
"""The largest deck size that carries no penalty."""

HASTE_TOWNS = 8
"""The number of British towns in stock below which the French haste begins."""

END_ANYWAY_TURN = 100
"""The first turn in which the player ends the game even if it is behind."""


T = TypeVar("T", float, bool)


def cached_value(function: Callable[[Viewpoint, str], T]) -> Callable[[Viewpoint, str], T]:
    """Cache the value of a card or location, by its id, in the viewpoint."""

    @wraps(function)
    def lookup(view: Viewpoint, id: str) -> T:
        value: T | None = view.cache.get((function, id))
        if value is None:
            value = view.cache[function, id] = function(view, id)
        return value

    return lookup


class Viewpoint:
    """The view of the awaited side on a state, which must not change meanwhile."""

    def __init__(self, state: State) -> None:
        self.cache: dict[tuple[Callable[[Viewpoint, str], Any], str], Any] = {}
        self.state = state
        self.side = state.awaiting.side
        self.opponent = self.side.opponent
        self.me = state.players[self.side]
        self.places = state.ruleset.catalogue.locations
        self.cards = state.ruleset.catalogue.cards[self.side]
        self.usable_locations = usable_locations(state, self.side)

    def card(self, card: str) -> Card:
        """Return a card of the side, as printed."""
        return self.cards[card]

    def is_usable(self, card: str) -> bool:
        """Return True if a card of the side can be used."""
        return is_usable(self.cards[card], self.usable_locations)

    # --- money and cards

    @staticmethod
    @cache
    def wealth(money: int) -> float:
        """Return the value of money, which grows less than in proportion."""
        return 1.4 * float(max(money, 0) ** 0.75)

    def income(self, money: int) -> float:
        """Return the value of receiving money."""
        return self.wealth(self.me.money + money) - self.wealth(self.me.money)

    @cached_property
    def deck(self) -> Counter[str]:
        """All cards of the side except those at sieges."""
        return Counter(cards_outside_sieges(self.me))

    @cached_property
    def burden(self) -> float:
        """The penalty for one more card in the deck."""
        return 0.2 * max(0, self.deck.total() - MAX_LIGHT_DECK)

    @cached_property
    def needs_settlers(self) -> bool:
        """True if fewer than three kinds of card in the deck carry a settler."""
        return sum("settler" in self.card(card).symbols for card in self.deck) < 3

    @cached_property
    def developable(self) -> set[str]:
        """The side's villages that could become towns."""
        if not self.state.towns_left(self.side):
            return set()
        board = self.state.board.items()
        own = {place for place, piece in board if piece.owner is self.side and not piece.town}
        return {place for place in own if self.places[place].victory_points}

    @cached_value
    def ownership_value(self, card: str) -> float:
        """Return the value of owning a card, which is negative if losing it is better."""
        definition = self.card(card)
        if not definition.location:
            if "settler" in definition.symbols and not self.developable:
                return 1.0
            return CARD_VALUES[card] + (0.5 * self.danger if definition.blocks_raid else 0.0)
        if self.state.owner(card) is not self.side:
            return -2.0
        use = 0.7 * definition.money + definition.military + 0.4 * self.reachable_points(card)
        use += _symbol_value(definition.symbols)
        return use - 1.0 + (definition.action is not None) + 2.0 * (card in self.developable)

    @cached_value
    def hand_value(self, card: str) -> float:
        """Return the value of a card in hand in this turn or the next; below 1 it is idle."""
        definition = self.card(card)
        if definition.location:
            if not self.is_usable(card):
                return -1.0
            return max(0.4 * self.ownership_value(card), 0.8 + 0.4 * definition.money)
        if definition.blocks_raid:
            return 0.9 if self.has_spare_guards else 0.9 + 0.4 * self.danger
        if definition.military and not self.state.sieges:
            return 1.2
        return 0.5 * CARD_VALUES[card]

    @cached_value
    def reachable_points(self, card: str) -> float:
        """Return the victory points of the best free location that a location card leads to."""
        board, places = self.state.board, self.places
        ends = self.cards[card].ways
        return max([places[end].victory_points for end in ends if end not in board], default=0)

    def can_sell(self, card: str) -> bool:
        """Return True if a Trader can sell the card."""
        definition = self.card(card)
        return definition.location in self.usable_locations and "fur" in definition.symbols

    def lost_value(self, order: Order) -> float:
        """Return the value of the cards that an order loses permanently."""
        return sum(self.ownership_value(card) for card in order.cards)

    # --- the race

    @cached_property
    def lead(self) -> int:
        """The lead of this side in victory points."""
        return score(self.state, self.side).total - score(self.state, self.opponent).total

    def end_value(self, gain: float) -> float:
        """Return the value of ending the game after a gain of points."""
        if self.lead + gain > 0:
            return 8.0
        return -8.0 if self.state.turn < END_ANYWAY_TURN else 2.0

    @cached_property
    def haste(self) -> float:
        """The haste of the French, from 0 to 1: high if the British can soon end it by towns.

        Cards bought late are rarely played. The British play better without haste, because raids
        delay them.
        """
        if self.side is Side.BRITISH:
            return 0.0
        return max(0.0, 1 - self.state.towns_left(self.opponent) / HASTE_TOWNS)

    def value_now(self, points: float) -> float:
        """Return the value of gaining points now, which is higher if the game may end soon."""
        return points * (1 + self.haste) if points > 0 else points

    # --- the opponent

    @cached_property
    def opponent_pool(self) -> list[str]:
        """The cards in the opponent's hand and draw pile together."""
        player = self.state.players[self.opponent]
        return [*player.hand, *chain(*player.unseen)]

    @cached_property
    def _opponent_cards(self) -> list[Card]:
        cards = self.state.ruleset.catalogue.cards[self.opponent]
        return [cards[card] for card in self.opponent_pool]

    def chance_opponent_holds(self, is_suitable: Callable[[Card], bool]) -> float:
        """Return the chance that the opponent holds a suitable card in hand."""
        count = len([*filter(is_suitable, self._opponent_cards)])
        share = count / max(len(self._opponent_cards), 1)
        return 1.0 - float((1 - share) ** self.state.players[self.opponent].hand_size)

    @cached_value
    def raid_value(self, place: str) -> float:
        """Return the value of raiding a location, times the chance that no card blocks the raid."""
        piece = self.state.board[place]
        captured = rules.TOWN_CAPTURED if piece.town else rules.VILLAGE_CAPTURED
        prize: float = captured + self.places[place].victory_points
        prize += 2.0 if place in rules.HOMES[self.opponent] else 0.0
        if self.state.captured_points(self.side) + captured >= rules.CAPTURE_GOAL:
            prize += self.end_value(prize)
        risk = self.chance_opponent_holds(lambda card: card.blocks_raid or card.location == place)
        return 1.6 * prize * (1 - risk)

    @cached_property
    def ambush_gain(self) -> float:
        """The value of a good card of the opponent, times the chance that an ambush hits one."""
        blocked = self.chance_opponent_holds(lambda card: card.blocks_ambush)
        hit = self.chance_opponent_loses(lambda card: card.ambushable)
        if ambushed_at_sieges(self.state, self.opponent):
            hit = 1.0
        return 4.5 * hit * (1 - blocked)

    def chance_opponent_loses(self, is_suitable: Callable[[Card], bool]) -> float:
        """Return the chance that the opponent has a suitable card in hand or reserve."""
        reserve = self.state.players[self.opponent].reserve
        is_open = any(is_suitable(find_card(self.state, self.opponent, card)) for card in reserve)
        return 1.0 if is_open else self.chance_opponent_holds(is_suitable)

    @cached_property
    def raider_distances(self) -> Mapping[str, int]:
        """The number of connections between each location and the opponent's raiders."""
        return raid_distances(self.state, self.opponent)

    @cached_property
    def danger(self) -> int:
        """The number of the side's pieces that a small raid could reach, at most four."""
        board, far = self.state.board.items(), RAID_RANGE + 1
        own = [place for place, piece in board if piece.owner is self.side]
        near = [place for place in own if self.raider_distances.get(place, far) <= RAID_RANGE]
        return min(len(near), 4)

    @cached_property
    def has_spare_guards(self) -> bool:
        """True if more than one card in hand can block a raid."""
        return sum(self.card(card).blocks_raid for card in self.me.hand) > 1

    # --- sieges

    @cached_value
    def location_value(self, place: str) -> float:
        """Return the value of a settled location: its points and the points for its piece."""
        piece = self.state.board[place]
        points = self.places[place].victory_points * (2 if piece.town else 1)
        home = 40.0 if self._is_home(place, piece.owner) else 0.0
        return points + home + (rules.TOWN_CAPTURED if piece.town else rules.VILLAGE_CAPTURED)

    def _is_home(self, place: str, owner: Side) -> bool:
        """Return True if losing a location loses the game."""
        return place in rules.HOMES[owner] or can_win_by_settling(self.state, owner.opponent, place)

    def siege_at(self, place: str) -> Siege:
        """Return the siege of a location."""
        return next(siege for siege in self.state.sieges.values() if siege.location == place)

    def margin(self, siege: Siege) -> float:
        """Return the strength of the side in a siege, counted from halfway between both ends."""
        halfway = (BESIEGER_WINS_AT + DEFENDER_WINS_AT) / 2
        if self.state.owner(siege.location) is self.opponent:
            return siege_strength(self.state, self.side) - halfway
        return halfway - siege_strength(self.state, self.opponent)

    def strengths(self, side: Side, cards: Iterable[str], place: str) -> list[int]:
        """Return the siege strengths of the cards that have any, highest first."""
        strengths = map(card_strengths(self.state, side, place).__getitem__, cards)
        return sorted(filter(None, strengths), reverse=True)

    @cached_value
    def own_strength(self, place: str) -> float:
        """Return the strength in a siege of all cards of the side together."""
        return sum(self.strengths(self.side, self.deck.elements(), place))

    @cached_value
    def opponent_strength(self, place: str) -> float:
        """Return the strength in a siege of all cards of the opponent together."""
        opponent = self.state.players[self.opponent]
        cards = chain(self.opponent_pool, opponent.discard, opponent.reserve)
        return sum(self.strengths(self.opponent, cards, place))

    @cached_value
    def is_siege_lost(self, place: str) -> bool:
        """Return True if a siege is lost at the end of this turn with any cards from hand."""
        return not self.can_hold(self.siege_at(place), self.me.hand)

    @cached_value
    def can_withdraw(self, place: str) -> bool:
        """Return True if this side besieges a location and would not win if it were checked now."""
        besieges = self.state.owner(place) is self.opponent
        return besieges and self.margin(self.siege_at(place)) < -LOST_MARGIN

    @cached_value
    def is_hopeless(self, place: str) -> bool:
        """Return True if the siege is lost even with the reserve, or no card could win it."""
        reserve = self.me.reserve if len(self.me.reserve) <= self.me.money else []
        is_lost = not self.can_hold(self.siege_at(place), self.me.hand + reserve)
        return is_lost or not self.strengths(self.side, self.deck, place)

    def added_strength(self, place: str, cards: Iterable[str], actions: int) -> int:
        """Return the maximum strength that `cards` can add to a siege with `actions` actions."""
        playable = [
            card
            for card in cards
            if self.is_usable(card) and self.card(card).siege_cost <= self.me.money
        ]
        free = [card for card in playable if self.card(card).free_action]
        other_cards = [card for card in playable if not self.card(card).free_action]
        strengths = self.strengths(self.side, other_cards, place)[:actions]
        return sum(strengths) + sum(self.strengths(self.side, free, place))

    def can_hold(self, siege: Siege, cards: Iterable[str]) -> bool:
        """Return True if `cards` keep the siege from being lost at the end of the turn."""
        strength = 0
        if can_reinforce(self.state, self.side, siege.location):
            strength = self.added_strength(siege.location, cards, self.state.actions_left)
        return self.margin(siege) + strength > LOST_MARGIN


@cache
def _symbol_value(symbols: frozenset[str]) -> float:
    # Sorted, because the sum of floats depends on their order in the last digit.
    return sum(SYMBOL_VALUES[symbol] for symbol in sorted(symbols))


LOST_MARGIN = (DEFENDER_WINS_AT - BESIEGER_WINS_AT) / 2
"""The margin at which a siege would be lost if checked now; its negative is a won siege."""


def win_chance(balance: float) -> float:
    """Return the chance to win with a balance of strength: half for 0."""
    return 1 / (1 + exp(-balance))
