"""The practice player: an opponent that plays sensibly, in a plain style, and brings games to an end.

It gives every legal order a value, in victory points as it feels them, and takes the best. The
values are small judgements, one for each kind of order; what they share is `worth` (how much it
likes to own a card), `wealth` (what money is good for) and `stake` (what a location is worth
fighting for). It looks one order ahead and remembers nothing.

It uses what its seat knows and nothing else. Of the opponent that is all that lies open, the number
of cards in hand, and which cards must be in hand or draw pile together: it plays the same in a
state that happens to know the opponent's hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from math import exp
from random import Random
from typing import Any

from engine import orders
from engine import ruleset as rules
from engine.actions.action import printed
from engine.actions.expansion import routes
from engine.actions.sieges import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    card_strength,
    defence,
    losable,
    siege_strength,
)
from engine.catalogue import Card
from engine.game import IllegalOrder, check, cost, legal_orders, plays
from engine.geography import can_reinforce, raid_distances, usable
from engine.orders import Order
from engine.scoring import score
from engine.sides import Side
from engine.state import Decision, Siege, State

WORTH = {
    "home-support": 7.0,
    "settlers": 6.0,
    "neutral-settlers": 6.0,
    "siege-artillery": 6.5,
    "rangers": 4.5,
    "coureurs-de-bois": 4.5,
    "regular-infantry": 6.0,
    "regular-infantry-initial": 5.0,
    "native-americans": 3.0,
    "military-leader": 4.5,
    "trader": 3.0,
    "governor": 3.0,
    "intendant": 3.0,
    "bateaux": 3.0,
    "ships": 4.0,
    "neutral-native-americans": 1.5,
    "militia": 1.8,
    "priest": 2.0,
    "fortification": 2.0,
    "indian-leader": 1.5,
    "neutral-fortification": 1.0,
}
"""How much the player likes to own an empire card, in victory points."""

WHIM = 0.8
"""How far chance can move a value, so that no two games are alike."""

SLIM_DECK = 14
"""The number of cards beyond which each further one is felt as a burden."""

RAID_RANGE = 3
"""The number of connections from which the opponent's raiders are felt as a danger."""

PATIENCE = 100
"""The turn after which the player brings the game to its end even if it is behind."""


class PracticePlayer:
    """Chooses orders for whichever side is awaited; the same `random` gives the same game."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, state: State) -> Order:
        """One legal order for the awaited player, whose own hand must be known.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        seat = Seat(state)
        values = [(seat.value(o) + self.random.uniform(0, WHIM), o) for o in seat.options()]
        if not values:
            raise ValueError(f"no player decides now: {state.awaiting.decision}")
        return max(values, key=lambda pair: pair[0])[1]


class Seat:
    """The awaited side's view of a state, and what it thinks of its options."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = state.awaiting.side
        self.enemy = self.side.opponent
        self.me = state.players[self.side]
        self.places = state.ruleset.catalogue.locations

    def options(self) -> list[Order]:
        """The legal orders worth a thought.

        Of the many ways to discard and to trade only the sensible ones are among them.
        """
        few = (orders.Discard, orders.Trade)
        found = legal_orders(self.state, but=few)
        if self.state.awaiting.decision is not Decision.TURN or not self.state.actions_left:
            return found
        useless = sorted(self.me.hand, key=self.use_now)
        idle = [card for card in useless if self.use_now(card) < 1]
        furs = [card for card in useless if self.sells(card)]
        proposals: list[Order] = [orders.Discard(cards=tuple(useless[:1]))] if useless else []
        proposals += [orders.Discard(cards=tuple(idle[:n])) for n in range(2, len(idle) + 1)]
        proposals += [orders.Trade(cards=tuple(furs))] if furs else []
        return found + [order for order in proposals if self.is_legal(order)]

    def is_legal(self, order: Order) -> bool:
        """Whether the rules allow the order now."""
        try:
            check(self.state, order)
        except IllegalOrder:
            return False
        return True

    def value(self, order: Order) -> float:
        """What the order is felt to be worth: its own value less what it uses up."""
        money = self.me.money
        spent = self.wealth(money) - self.wealth(money - cost(self.state, order))
        tied = 0.03 * sum(self.worth(card) for card in plays(self.state, order))
        return VALUES[type(order)](self, order) - spent - tied

    # --- what the judgements share

    def card(self, card: str) -> Card:
        """An own card as printed."""
        return printed(self.state, self.side, card)

    @staticmethod
    def wealth(money: int) -> float:
        """What money is worth: every further piece less than the one before."""
        return 1.1 * float(max(money, 0) ** 0.75)

    def income(self, money: int) -> float:
        """What it is worth to receive money."""
        return self.wealth(self.me.money + money) - self.wealth(self.me.money)

    @cached_property
    def deck(self) -> Counter[str]:
        """All own cards but those at sieges."""
        return Counter(self.me.hand + self.me.discard + self.me.reserve + sum(self.me.unseen, []))

    @cached_property
    def enemy_pool(self) -> list[str]:
        """The cards that the opponent's hand was drawn from: hand and draw pile together."""
        player = self.state.players[self.enemy]
        return player.hand + sum(player.unseen, [])

    def enemy_has(self, wanted: Callable[[Card], bool]) -> float:
        """The chance that the opponent holds at least one such card in hand."""
        pool = self.enemy_pool
        fitting = sum(wanted(printed(self.state, self.enemy, card)) for card in pool)
        share = fitting / max(len(pool), 1)
        return 1.0 - float((1 - share) ** self.state.players[self.enemy].hand_size)

    @cached_property
    def lead(self) -> int:
        """By how many points the own side is ahead."""
        return score(self.state, self.side).total - score(self.state, self.enemy).total

    def ending(self, gain: float) -> float:
        """What it is worth to bring about the end of the game, with a gain of points."""
        if self.lead + gain > 0:
            return 8.0
        return -8.0 if self.state.turn < PATIENCE else 2.0

    @cached_property
    def to_develop(self) -> set[str]:
        """The own villages that could be towns."""
        if not self.state.towns_left(self.side):
            return set()
        board = self.state.board.items()
        own = {place for place, piece in board if piece.owner is self.side and not piece.town}
        return {place for place in own if self.places[place].victory_points}

    @cached_property
    def exposed(self) -> dict[str, int]:
        """How many connections each location is from the opponent's raiders."""
        return raid_distances(self.state, self.enemy)

    @cached_property
    def danger(self) -> float:
        """How many own pieces a raid of one or two cards could reach, up to four."""
        near = sum(
            piece.owner is self.side and self.exposed.get(place, 9) <= RAID_RANGE
            for place, piece in self.state.board.items()
        )
        return min(near, 4)

    def opens_up(self, card: Card) -> float:
        """The best victory points of a free location that a location card leads to."""
        ends = (end for places in card.reaches.values() for end in places)
        return max((self.places[e].victory_points for e in ends if not self.state.owner(e)), default=0)

    def worth(self, card: str) -> float:
        """How much the player likes to own a card; below 0 it would rather be rid of it."""
        kind = self.card(card)
        if not kind.location:
            if "settler" in kind.symbols and not self.to_develop:
                return 1.0
            return WORTH[card] + (0.5 * self.danger if kind.blocks_raid else 0.0)
        if self.state.owner(card) is not self.side:
            return -2.0
        symbols = {"settler": 3.0, "ship": 0.8, "bateaux": 0.8, "wagon": 0.3, "fur": 0.6}
        use = sum(symbols[symbol] for symbol in kind.symbols) + kind.money * 0.7 + kind.military
        use += 0.4 * self.opens_up(kind) + 1.0 * (kind.action is not None)
        return use - 1 + (2.0 if card in self.to_develop else 0.0)

    @cached_property
    def spare_guards(self) -> bool:
        """Whether more than one card in hand could block a raid."""
        return sum(self.card(card).blocks_raid for card in self.me.hand) > 1

    def use_now(self, card: str) -> float:
        """How much a card in hand is needed in this turn or the next."""
        kind = self.card(card)
        if not kind.location:
            if kind.blocks_raid:
                return 0.9 + (0.0 if self.spare_guards else 0.4 * self.danger)
            if kind.military and not self.state.sieges:
                return 1.2
            return WORTH[card] * 0.5
        if not usable(self.state, self.side, card):
            return -1.0
        return self.worth(card) * 0.4

    def sells(self, card: str) -> bool:
        """Whether a Trader can sell the card."""
        kind = self.card(card)
        return bool(kind.location and "fur" in kind.symbols and usable(self.state, self.side, card))

    # --- expansion

    def settle(self, order: Order) -> float:
        """Points, a way on, and a card; a burden where it leads nowhere."""
        if order.place in rules.HOMES[self.enemy]:
            return 1000.0
        points = self.places[order.place].victory_points
        if self.state.owner(order.place) is self.side:
            return 0.5 * points if order.place in self.to_develop else -1.0
        known = self.state.ruleset.catalogue.cards[self.side].get(order.place)
        way_on = 0.4 * self.opens_up(known) if known else 0.0
        last = self.ending(points) if self.state.villages_left(self.side) == 1 else 0.0
        return 1.3 * points + way_on + last + 0.3

    def develop(self, order: Order) -> float:
        """The points once more, and one town nearer to the end."""
        points = self.places[order.place].victory_points
        last = self.ending(points) if self.state.towns_left(self.side) == 1 else 0.0
        return points + 1.0 + last

    def fortify(self, order: Order) -> float:
        """What a raid or a siege could take from there, the more the nearer the enemy is."""
        distance = self.exposed.get(order.place, 9)
        return self.stake(order.place, self.side) * (0.5 if distance <= RAID_RANGE else 0.15) + 0.5

    # --- war

    def stake(self, place: str, owner: Side) -> float:
        """What a location of `owner` is worth fighting for: its points and those of the piece."""
        town = self.state.board[place].town
        points = self.places[place].victory_points * (2 if town else 1)
        home = 40.0 if place in rules.HOMES[owner] else 0.0
        return points + (rules.TOWN_CAPTURED if town else rules.VILLAGE_CAPTURED) + home

    def strengths(self, side: Side, cards: Iterable[str], place: str) -> list[int]:
        """The siege strengths of those of the cards that have any, the highest first."""
        found = (card_strength(self.state, side, card, place) for card in cards)
        return sorted((strength for strength in found if strength > 0), reverse=True)

    def margin(self, siege: Siege) -> float:
        """By how much the own side stands better in a siege than halfway between two ends."""
        besieging = self.state.owner(siege.location) is self.enemy
        halfway = (BESIEGER_WINS_AT + DEFENDER_WINS_AT) / 2
        strength = siege_strength(self.state, self.side if besieging else self.enemy)
        return (strength - halfway) * (1 if besieging else -1)

    def within_reach(self, place: str, hand: Iterable[str], actions: int) -> int:
        """The strength that a hand can bring to a siege with so many actions."""
        able = [c for c in hand if usable(self.state, self.side, c)]
        able = [c for c in able if self.card(c).siege_cost <= self.me.money]
        free = [c for c in able if self.card(c).free_action]
        rest = [c for c in able if not self.card(c).free_action]
        strong = self.strengths(self.side, rest, place)[:actions]
        return sum(strong) + sum(self.strengths(self.side, free, place))

    def holds(self, siege: Siege, hand: Iterable[str]) -> bool:
        """Whether the siege is not lost at the end of this turn, if the hand is used for it."""
        more = 0
        if can_reinforce(self.state, self.side, siege.location):
            more = self.within_reach(siege.location, hand, self.state.actions_left)
        return self.margin(siege) + more > -1.5

    def besiege(self, order: Order) -> float:
        """The stake times the chance that all own strength beats walls and likely relief."""
        place = order.place
        hand = list((Counter(self.me.hand) - Counter(order.cards)).elements())
        first = card_strength(self.state, self.side, order.cards[2], place)
        walls = defence(self.state, place)
        if not can_reinforce(self.state, self.side, place):
            return -5.0
        now = first + self.within_reach(place, hand, self.state.actions_left - 1)
        if now < walls:
            return -5.0
        all_own = sum(self.strengths(self.side, self.deck.elements(), place))
        player = self.state.players[self.enemy]
        theirs = self.enemy_pool + player.discard + player.reserve
        relief = sum(self.strengths(self.enemy, theirs, place))
        balance = now - walls + 0.4 * (all_own - now) - 0.4 * relief
        return self.stake(place, self.enemy) * 1.6 * _chance(balance / 2) - 1.0

    def reinforce(self, order: Order) -> float:
        """How much the card moves the chance to win, times the stake; little if all is lost."""
        siege = self.siege_at(order.place)
        owner = self.state.board[order.place].owner
        margin = self.margin(siege)
        strength = card_strength(self.state, self.side, order.cards[0], order.place)
        gain = self.stake(order.place, owner) * (_chance(margin + strength) - _chance(margin))
        return gain * 1.3 + 0.2 if self.holds(siege, self.me.hand) else 0.0

    def withdraw(self, order: Order) -> float:
        """Only a besieger leaves, when the siege is lost anyway or nothing is left to win it."""
        siege = self.siege_at(order.place)
        if self.state.owner(order.place) is self.side or self.margin(siege) >= 1.5:
            return -50.0
        reserve = self.me.reserve if len(self.me.reserve) <= self.me.money else []
        doomed = not self.holds(siege, self.me.hand + reserve)
        spent = not self.strengths(self.side, self.deck, order.place)
        return (3.0 if doomed or spent else -10.0) - self.given_up(order)

    def siege_at(self, place: str) -> Siege:
        """The siege of a location."""
        return next(siege for siege in self.state.sieges.values() if siege.location == place)

    def raid(self, order: Order) -> float:
        """The piece and its points, times the chance that nobody is at home to block."""
        piece = self.state.board[order.place]
        points = self.places[order.place].victory_points
        prize = (rules.TOWN_CAPTURED if piece.town else rules.VILLAGE_CAPTURED) + points
        prize += 2.0 if order.place in rules.HOMES[self.enemy] else 0.0
        blocked = self.enemy_has(lambda card: card.blocks_raid or card.location == order.place)
        captured = self.state.captured_points(self.side)
        last = captured + (4 if piece.town else 2) >= rules.CAPTURE_GOAL
        prize += self.ending(prize) if last else 0.0
        return 0.7 * prize * (1 - blocked) - 0.3 * len(order.cards)

    def ambush(self, order: Order) -> float:
        """What the opponent would lose, times the chance that it can be hit."""
        reserve = self.state.players[self.enemy].reserve
        waiting = any(printed(self.state, self.enemy, card).ambushable for card in reserve)
        hit = 1.0 if waiting else self.enemy_has(lambda card: card.ambushable)
        return 4.5 * hit * (1 - self.enemy_has(lambda card: card.blocks_ambush))

    def convert(self, order: Order) -> float:
        """A neutral Native Americans card, if the opponent can have one."""
        reserve = self.state.players[self.enemy].reserve
        waiting = any(printed(self.state, self.enemy, card).convertible for card in reserve)
        return 3.5 * (1.0 if waiting else self.enemy_has(lambda card: card.convertible))

    # --- money

    def take(self, order: Order) -> float:
        """The money of the cards: of one, or of those that a merchant's ship carries."""
        gold = order.cards if isinstance(order, orders.Take) else order.cards[1:]
        return self.income(sum(self.card(card).money for card in gold))

    def trade(self, order: Order) -> float:
        """The money for the furs."""
        return self.income(rules.FUR_VALUE * len(order.cards))

    def piracy(self, order: Order) -> float:
        """The money, and that the British miss it."""
        return self.income(rules.PIRACY_VALUE) + 0.5

    # --- cards

    def draft(self, order: Order) -> float:
        """How much the card is liked, less for each one owned, for a thick deck and for haste."""
        card = self.card(order.cards[0])
        liking = self.worth(card.id)
        if "settler" in card.symbols:
            sources = [c for c in self.deck if "settler" in self.card(c).symbols]
            liking += 3.0 if len(sources) < 3 else 0.0
        if self.state.sieges and card.military:
            liking += 1.5
        burden = 0.12 * max(0, self.deck.total() - SLIM_DECK)
        return liking / (1 + 0.5 * self.deck[card.id]) - burden

    def discard(self, order: Order) -> float:
        """Fresh cards for idle ones."""
        return 0.3 + sum(0.7 - 0.5 * self.use_now(card) for card in order.cards)

    def reserve(self, order: Order) -> float:
        """Soldiers wait in reserve until there is a siege; anything else is better played."""
        soldiers = self.card(order.cards[0]).military > 0
        if not soldiers or self.state.sieges or len(self.me.reserve) >= 4:
            return -1.0
        return 1.3

    def retrieve(self, order: Order) -> float:
        """The reserve marches when a siege needs it, or when one could be opened."""
        if not self.state.actions_left:
            return -5.0
        for siege in self.state.sieges.values():
            strength = sum(self.strengths(self.side, self.me.reserve, siege.location))
            needed = self.margin(siege) < 1.5 and self.holds(siege, self.me.hand + self.me.reserve)
            if strength and needed and can_reinforce(self.state, self.side, siege.location):
                return 6.0
        if self.state.sieges or self.state.actions_left < rules.ACTIONS_A_TURN:
            return -5.0
        board = self.state.board.items()
        enemies = {place for place, piece in board if piece.owner is self.enemy}
        for place, *_ in routes(self.state, self.side, enemies):
            strong = self.within_reach(place, self.me.reserve, rules.ACTIONS_A_TURN)
            if strong > defence(self.state, place):
                return 5.0
        return -5.0

    def govern(self, order: Order) -> float:
        """What the player would rather be rid of."""
        return sum(1.5 - 1.5 * self.worth(card) for card in order.cards)

    def intendant(self, order: Order) -> float:
        """A card that the hand waits for: a settler for a village, or a village for a settler."""
        card = order.cards[0]
        settlers = [c for c in self.me.hand if "settler" in self.card(c).symbols]
        villages = self.to_develop & set(self.me.hand)
        if self.state.actions_left < rules.ACTIONS_A_TURN:
            return 0.0
        if "settler" in self.card(card).symbols and villages and not settlers:
            return 5.0
        if card in self.to_develop and settlers and not villages:
            return 5.0
        return 0.3 * self.worth(card)

    def home_support(self, order: Order) -> float:
        """More cards, as long as there is an action left to use them."""
        return 4.0 * len(self.me.draw_pile) - 3.0 if self.state.actions_left else -5.0

    # --- answers

    def given_up(self, order: Order) -> float:
        """The card that an order gives up for good."""
        return sum(self.worth(card) for card in order.cards)

    def block(self, order: Order) -> float:
        """Always welcome; with the card least needed."""
        return 6.0 - 0.5 * self.use_now(order.cards[0])

    def occupy(self, order: Order) -> float:
        """The points of the location won."""
        return 1.0 + self.places[order.place].victory_points


def _chance(balance: float) -> float:
    """The chance to win with a balance of strength: half for none."""
    return 1 / (1 + exp(-balance))


def _fixed(value: float) -> Callable[[Seat, Any], float]:
    return lambda seat, order: value


VALUES: dict[type[Order], Callable[[Seat, Any], float]] = {
    orders.Settle: Seat.settle,
    orders.Develop: Seat.develop,
    orders.Fortify: Seat.fortify,
    orders.Besiege: Seat.besiege,
    orders.Reinforce: Seat.reinforce,
    orders.Withdraw: Seat.withdraw,
    orders.Raid: Seat.raid,
    orders.Ambush: Seat.ambush,
    orders.Convert: Seat.convert,
    orders.Take: Seat.take,
    orders.Merchant: Seat.take,
    orders.Trade: Seat.trade,
    orders.Piracy: Seat.piracy,
    orders.Draft: Seat.draft,
    orders.Discard: Seat.discard,
    orders.Reserve: Seat.reserve,
    orders.Retrieve: Seat.retrieve,
    orders.Govern: Seat.govern,
    orders.Intendant: Seat.intendant,
    orders.HomeSupport: Seat.home_support,
    orders.Pass: _fixed(-1.0),
    orders.End: _fixed(0.0),
    orders.Occupy: Seat.occupy,
    orders.Leave: _fixed(0.0),
    orders.Relieve: _fixed(10.0),
    orders.Lose: lambda seat, order: -seat.given_up(order),
    orders.Block: Seat.block,
    orders.Allow: _fixed(0.0),
    orders.Give: lambda seat, order: -seat.given_up(order),
    orders.GiveFromReserve: lambda seat, order: -seat.given_up(order),
    orders.ShowHand: _fixed(0.0),
}
"""The judgement on each kind of order."""
