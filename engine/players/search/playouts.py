"""Play-outs: sampled worlds, turns played on in them, and the evaluation of the final position.

Face-down cards are dealt again: the unseen cards of each shuffle to the slots of that shuffle, in
hand and in the draw pile, as `engine.foresight` counts them. Cards known in a position stay in
place, because its player may know them. So the position should be as the side sees it
(`Dealer.view_of`); if it knows both hands, neither is dealt again.

The value of a position is the chance of a side to win by a formula that uses both hands. The
`features` summarize each side in a few numbers: its possessions, its distance from the ends of the
game, the power of its soldiers and its dangers. A logistic model with a weight for each feature and
side gives the chance. The weights were fitted to the winners of a few thousand games: `python -m
benchmarks.evaluation` plays such games and prints new weights.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import chain
from math import exp, sqrt, tanh
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine import ruleset as rules
from engine.chance import Draw, Reveal, Shuffle
from engine.game import apply
from engine.order import Order
from engine.players.player import Player
from engine.position import (
    can_reinforce,
    card_strength,
    cards_outside_sieges,
    defence,
    raid_distances,
    score,
    siege_strength,
)
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, PlayerState, Siege, State

# --- worlds


Pile = list[str]
"""The cards of a draw pile, the next one first."""


class World:
    """One possible arrangement of the hidden cards, and of all chance that follows.

    In every play-out of a world a pile gives the same cards in the same sequence, and a shuffle of
    the same cards gives the same pile: play-outs differ only by their orders.
    """

    def __init__(self, state: State, piles: Mapping[Side, Pile], seed: int) -> None:
        self.state = state
        self.piles = piles
        self.seed = seed
        self._ranks: dict[tuple[Side, int], dict[tuple[str, int], float]] = {}

    def playout(self) -> Playout:
        """Return a new play-out of this world."""
        return Playout(self)

    def draw_pile(self, side: Side, epoch: int, cards: list[str]) -> Pile:
        """Return the draw pile that a later shuffle of `cards` makes."""
        ranks = self._ranks.get((side, epoch))
        if ranks is None:
            random = Random(f"{self.seed} {side} {epoch}")
            ruleset = self.state.ruleset
            copies = _copies(ruleset.edition, ruleset.house_rules, side)
            ranks = {copy: random.random() for copy in copies}
            self._ranks[side, epoch] = ranks
        ranked, previous, copy = [], "", 0
        for card in sorted(cards):
            copy = copy + 1 if card == previous else 0
            ranked.append((ranks[card, copy], card))
            previous = card
        return [card for _, card in sorted(ranked)]


class Playout:
    """A line of play in a world: its position, which orders advance, and the draw piles."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.state = world.state.copy()
        self.piles = {side: pile.copy() for side, pile in world.piles.items()}

    def play(self, order: Order) -> None:
        """Apply a legal order, which is not checked, and the chance that follows."""
        apply(self.state, order, known_legal=True)
        self.deal()

    def deal(self) -> None:
        """Carry out events of chance until a player must decide or the game is over."""
        state = self.state
        while state.awaiting.decision.is_chance:
            side, player = state.awaiting.side, state.players[state.awaiting.side]
            if state.awaiting.decision is Decision.SHUFFLE:
                epoch = len(player.unseen)
                self.piles[side] = self.world.draw_pile(side, epoch, player.discard)
                apply(state, Shuffle(side))
                continue
            pile, count = self.piles[side], state.awaiting.amount
            # Any slots are fine, because the pile determines the cards.
            slots = tuple(player.draw_pile[:count])
            apply(state, Draw(side, slots))
            for slot, card in zip(slots, pile[:count], strict=True):
                apply(state, Reveal(side, slot, card))
            del pile[:count]


@cache
def _copies(edition: str, house_rules: tuple[str, ...], side: Side) -> list[tuple[str, int]]:
    """Return every copy of every card that a side can own."""
    cards = sorted(Ruleset.of(edition, house_rules).catalogue.cards[side].items())
    return [(id, copy) for id, card in cards for copy in range(card.count)]


def sample_world(state: State, random: Random) -> World:
    """Return a random world that fits the position; all deals of hidden cards are equally likely.

    Unknown hands of both sides are dealt.
    """
    world = state.copy()
    world.events.clear()
    piles = {side: _deal(world.players[side], random) for side in Side}
    return World(world, piles, random.getrandbits(64))


def _deal(player: PlayerState, random: Random) -> Pile:
    """Deal the unseen cards of each shuffle to the slots of a player; return the draw pile."""
    for epoch, cards in enumerate(player.unseen):
        cards.sort()
        random.shuffle(cards)
        in_hand = sum(slot.epoch == epoch for slot in player.hidden)
        player.hand += cards[:in_hand]
        del cards[:in_hand]
    player.hidden = []
    draw_cards = [iter(cards) for cards in player.unseen]
    return [next(draw_cards[slot.epoch]) for slot in player.draw_pile]


# --- evaluation


RAID_RANGE = 3
"""The number of connections within which a piece is exposed to raids."""

UNREACHABLE = 6
"""A number of steps above all distances, which means that the opponent's home has no route."""


class Features(NamedTuple):
    """The strengths and dangers of one side, in numbers about 1 in the middle of a game.

    - `points`, `captured`, `much_captured` (squared), `towns`, `villages`: its points and pieces;
      `weighted_lead`: its lead in points, weighted by its nearness to an end of the game.
    - `money`; and of its cards: `deck` their number, `idle` those of lost locations, `income` the
      money per card, `settlers` the share of settler symbols, `support` 1 with Home Support.
    - `soldiers` in the deck, and `ready` in hand or reserve; `raiders`, and `guards` against
      raiders.
    - `exposed`: its points within reach of raiders; `walls`: its fortifications, those of a home
      thrice.
    - `nearness`: 1 / the number of conquests needed to reach the opponent's home; `assault`:
      `nearness` times the odds in an assault on it.
    - `siege`, `home_siege`: the chance of its siege, times the points at stake.
    - `to_move`: 1 if it is its turn.
    """

    points: float
    captured: float
    much_captured: float
    towns: float
    villages: float
    weighted_lead: float
    money: float
    soldiers: float
    ready: float
    deck: float
    idle: float
    income: float
    settlers: float
    support: float
    raiders: float
    guards: float
    exposed: float
    nearness: float
    assault: float
    siege: float
    home_siege: float
    walls: float
    to_move: float


def chance(state: State, side: Side) -> float:
    """Return the chance of `side` to win, from 0 to 1, by the evaluation of the position."""
    if state.outcome is not None:
        return float(state.outcome.winner is side)
    weights = _weights()
    balance = weights.base
    for owner, sign in ((Side.BRITISH, 1), (Side.FRENCH, -1)):
        numbers = zip(features(state, owner), weights.by_side[owner], strict=True)
        balance += sign * sum(number * weight for number, weight in numbers)
    british = _probability(balance)
    return british if side is Side.BRITISH else 1 - british


def _probability(log_odds: float) -> float:
    """Return the probability with odds of e to the power of `log_odds`."""
    return 1 / (1 + exp(-log_odds))


class _Weights(NamedTuple):
    """The constant term for the British, and the weights of the features of both sides."""

    base: float
    by_side: Mapping[Side, tuple[float, ...]]


@cache
def _weights() -> _Weights:
    text = (Path(__file__).parent / "weights.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return _Weights(
        table["base"],
        {side: tuple(table[side.value][name] for name in Features._fields) for side in Side},
    )


def features(state: State, side: Side) -> Features:
    """Return the features of one side; both hands must be known."""
    player, opponent = state.players[side], side.opponent
    forces, opponent_forces = _forces(state, side), _forces(state, opponent)
    captured = state.captured_points(side) / rules.CAPTURE_GOAL
    towns, villages = state.towns_left(side), state.villages_left(side)
    points = score(state, side).total
    lead = points - score(state, opponent).total
    distance = min(towns, villages, max(0, rules.CAPTURE_GOAL * (1 - captured)) / 2)
    home = rules.SUPPLY_HOME[opponent]
    fallen = state.owner(home) is not opponent
    walls = 0 if fallen else defence(state, home)
    siege = state.sieges.get(side)
    prospects = _prospects(state, side, siege) if siege else 0.0
    is_home = siege is not None and siege.location in rules.HOMES[opponent]
    nearness = 0.0 if fallen or forces.steps >= UNREACHABLE else 1 / forces.steps
    return Features(
        points=points / 20,
        captured=captured,
        much_captured=captured**2,
        towns=1 - towns / rules.TOWNS[side],
        villages=1 - villages / rules.VILLAGES,
        weighted_lead=tanh(lead / 8) / (1 + max(0, distance)),
        money=sqrt(player.money) / 3,
        soldiers=forces.military / 10,
        ready=forces.ready / 5,
        deck=forces.cards / 15,
        idle=forces.idle / 5,
        income=forces.money / max(forces.cards, 1),
        settlers=5 * forces.settlers / max(forces.cards, 1),
        support=float(forces.support),
        raiders=forces.raiders / 4,
        guards=forces.guards / 4,
        exposed=_exposed(state, side) / 10 * (opponent_forces.raiders > 0),
        nearness=nearness,
        assault=nearness * _probability((forces.attack - opponent_forces.defence - walls) / 4),
        siege=0.0 if siege is None or is_home else prospects * _stake(state, siege.location) / 10,
        home_siege=prospects if is_home else 0.0,
        walls=sum(
            piece.fortified * (1 + 2 * (place in rules.HOMES[side]))
            for place, piece in state.board.items()
            if piece.owner is side
        )
        / 3,
        to_move=float(state.active is side),
    )


# --- sieges and raids


def _prospects(state: State, side: Side, siege: Siege) -> float:
    """Return the chance that a siege of `side` succeeds with the cards there and in hand."""
    place = siege.location
    balance = siege_strength(state, side) - 0.5
    for owner, sign in ((side, 1), (side.opponent, -1)):
        player = state.players[owner]
        if can_reinforce(state, owner, place):
            cards = chain(player.hand, player.reserve)
            more = sum(card_strength(state, owner, card, place) for card in cards)
            balance += sign * 0.6 * min(more, 6)
    return _probability(balance / 1.5)


def _stake(state: State, place: str) -> float:
    """Return the points of a settled location, and those of capturing its piece."""
    town = state.board[place].town
    points = state.ruleset.catalogue.locations[place].victory_points * (2 if town else 1)
    return points + (rules.TOWN_CAPTURED if town else rules.VILLAGE_CAPTURED)


def _exposed(state: State, side: Side) -> float:
    """Return the points of all pieces that raiders of the opponent could reach."""
    distances = raid_distances(state, side.opponent)
    return sum(
        _stake(state, place)
        for place, piece in state.board.items()
        if piece.owner is side and distances.get(place, UNREACHABLE) <= RAID_RANGE
    )


# --- cards


class _Traits(NamedTuple):
    """The uses of a card."""

    location: bool
    money: int
    military: int
    attack: int
    defence: int
    settlers: int
    support: bool
    raids: bool
    guards: bool
    steps: int


class _Forces(NamedTuple):
    """The total uses of all usable cards of a side."""

    cards: int
    idle: int
    money: int
    military: int
    ready: int
    attack: int
    defence: int
    settlers: int
    support: bool
    raiders: int
    guards: int
    steps: int


def _forces(state: State, side: Side) -> _Forces:
    player, ruleset = state.players[side], state.ruleset
    traits = _traits(ruleset.edition, ruleset.house_rules, side)
    board = state.board
    cards = idle = money = military = attack = wall = settlers = raiders = guards = 0
    support, steps = False, UNREACHABLE
    for card in cards_outside_sieges(player):
        trait = traits[card]
        cards += 1
        if trait.location:
            piece = board.get(card)
            if piece is None or piece.owner is not side:
                idle += 1
                continue
            steps = min(steps, trait.steps)
        money += trait.money
        military += trait.military
        attack += trait.attack
        wall += trait.defence
        settlers += trait.settlers
        raiders += trait.raids
        guards += trait.guards
        support = support or trait.support
    ready = sum(traits[card].military for card in chain(player.hand, player.reserve))
    return _Forces(
        cards, idle, money, military, ready, attack, wall, settlers, support, raiders, guards, steps
    )


@cache
def _traits(edition: str, house_rules: tuple[str, ...], side: Side) -> dict[str, _Traits]:
    """Return the traits of every card that a side can own, by id."""
    ruleset = Ruleset.of(edition, house_rules)
    opponent_home, own_home = (
        ruleset.catalogue.locations[rules.SUPPLY_HOME[owner]] for owner in (side.opponent, side)
    )
    steps = _steps(ruleset, side)
    traits = {}
    for card in ruleset.catalogue.cards[side].values():
        ship = "ship" in card.symbols
        traits[card.id] = _Traits(
            location=card.location is not None,
            money=card.money,
            military=card.military,
            attack=max(card.military, ship * opponent_home.ships_in_siege),
            defence=max(card.military + card.military_defending, ship * own_home.ships_in_siege),
            settlers="settler" in card.symbols,
            support=card.action == "home-support",
            raids=card.raid,
            guards=card.blocks_raid,
            steps=steps.get(card.id, UNREACHABLE),
        )
    return traits


def _steps(ruleset: Ruleset, side: Side) -> dict[str, int]:
    """Return the number of conquests from each location to a home of the opponent."""
    reaches = {
        card.id: set(chain(*card.reaches.values()))
        for card in ruleset.catalogue.location_cards(side)
    }
    steps = dict.fromkeys(rules.HOMES[side.opponent], 0)
    for step in range(1, UNREACHABLE):
        for place in sorted(reaches):
            is_near = any(steps.get(end, UNREACHABLE) == step - 1 for end in reaches[place])
            if place not in steps and is_near:
                steps[place] = step
    return steps


# --- play-outs


def play_out(
    world: World, side: Side, order: Order | None, players: Mapping[Side, Player], turns: int
) -> float:
    """Return the chance of `side` to win after `order`, evaluated after some more turns.

    The players finish the current turn and play `turns` more turns, each of one side.
    """
    playout = world.playout()
    state = playout.state
    last_turn = state.turn + turns
    playout.deal()
    if order is not None:
        playout.play(order)
    while state.outcome is None and state.turn <= last_turn:
        playout.play(players[state.awaiting.side].choose(state))
    return chance(state, side)
