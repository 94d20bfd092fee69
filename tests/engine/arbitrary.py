"""Orders and random play for property tests: sensible, silly and impossible alike."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

from engine.actions.action import cards_for
from engine.game import apply, legal_orders
from engine.order import Order
from engine.orders import ORDERS
from engine.state import State, new_game
from tests.draws import choose_name
from tests.engine.positions import deal


def choose_lively(random: Random, choices: list[Order]) -> Order:
    """Return a random order of a random kind, so that rare kinds are played.

    Orders of war are preferred, and surrender and passing avoided, so that games develop.
    """
    kinds = {order.verb for order in choices}
    war = {"besiege", "reinforce", "raid", "ambush"} & kinds
    if war and random.random() < 0.4:
        kinds = war
    dull = {"pass", "withdraw", "discard", "reserve", "govern"} & kinds
    if kinds - dull and random.random() < 0.8:
        kinds -= dull
    kind = random.choice(sorted(kinds))
    return random.choice([order for order in choices if order.verb == kind])


def random_game(random: Random, orders: int, start: State | None = None) -> Iterator[State]:
    """Yield the state before each order of a lively game; both hands are known.

    The same state object is handed out every time; copy it before changing it.
    """
    for state, _ in random_choices(random, orders, start):
        yield state


def random_choices(
    random: Random, orders: int, start: State | None = None
) -> Iterator[tuple[State, list[Order]]]:
    """Yield the state before each order of a lively game, and the legal orders in it."""
    state = start or new_game()
    for _ in range(orders):
        deal(state, random)
        choices = legal_orders(state)
        yield state, choices
        if not choices:
            return
        apply(state, choose_lively(random, choices))
    deal(state, random)
    yield state, legal_orders(state)


def arbitrary_order(random: Random, state: State) -> Order:
    """Return an order of any kind, most often of cards and locations at hand."""
    kind = ORDERS[choose_name(random, ORDERS)]
    location = _place(random, state) if kind.has_location else None
    most = min(kind.max_cards, len(state.players[state.awaiting.side].hand) + 1)
    count = random.randint(kind.min_cards, max(kind.min_cards, most))
    pool = _pool(random, state, kind)
    if random.random() < 0.2 or len(pool) < count:
        cards = random.choices(pool or ["boston"], k=count)
    else:
        cards = random.sample(pool, count)
    return kind(location, tuple(cards))


def _place(random: Random, state: State) -> str:
    busy = [siege.location for siege in state.sieges.values()]
    if state.awaiting.location is not None:
        busy.append(state.awaiting.location)
    if busy and random.random() < 0.3:
        return random.choice(busy)
    if random.random() < 0.01:
        return "nowhere"
    return random.choice(list(state.ruleset.catalogue.locations))


def _pool(random: Random, state: State, kind: type[Order]) -> list[str]:
    side = state.awaiting.side
    chance = random.random()
    if chance < 0.02:
        return list(state.ruleset.catalogue.cards[side.opponent])
    if chance < 0.15:
        return list(state.ruleset.catalogue.cards[side])
    return list(cards_for(state, side, kind, state.board))


def every_order(state: State) -> Iterator[Order]:
    """Yield every order of up to three cards that a player could write in a position.

    It names cards in hand in every sequence, any card of the side if it names one, and any
    location. No order names a card twice that is held once.
    """
    side = state.awaiting.side
    cards = list(state.ruleset.catalogue.cards[side])
    hand = state.players[side].hand
    for kind in ORDERS.values():
        places = list(state.ruleset.catalogue.locations) if kind.has_location else [None]
        hands: set[tuple[str, ...]] = set()
        for count in range(kind.min_cards, min(kind.max_cards, 3) + 1):
            if count == 1:
                hands.update((card,) for card in cards)
            else:
                hands.update(permutations(hand, count))
        for place in places:
            for choice in sorted(hands):
                yield kind(place, choice)
