"""The practice player's value of each kind of order, in victory points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from engine import orders
from engine import ruleset as rules
from engine.actions.action import Hand
from engine.order import Order
from engine.players.practice.viewpoint import LOST_MARGIN, RAID_RANGE, Viewpoint, win_chance
from engine.position import can_reinforce, card_strength, defence
from engine.turn import can_win_by_settling

WIN_VALUE = 1000.0
"""The value of winning at once."""

FREE_ORDER_VALUE = 500.0
"""The value of a free order that should come first, because it can change the next order."""

# --- expansion


def settle(view: Viewpoint, order: Order) -> float:
    """Return the value of settling: the points, the routes from there, and the end of the game."""
    place = order.target
    if can_win_by_settling(view.state, view.side, place):
        return WIN_VALUE
    points = view.places[place].victory_points
    if view.state.owner(place) is view.side:
        # Only the card of the location is regained.
        return 0.5 * points if place in view.developable else -1.0
    routes = 0.4 * view.reachable_points(place) if place in view.cards else 0.0
    last = view.end_value(points) if view.state.villages_left(view.side) == 1 else 0.0
    return view.value_now(0.3 + 1.3 * points + routes + last)


def develop(view: Viewpoint, order: Order) -> float:
    """Return the value of a town: the points gained, and the end of the game if it is the last."""
    points = view.places[order.target].victory_points
    last = view.end_value(points) if view.state.towns_left(view.side) == 1 else 0.0
    return view.value_now(1.0 + points + last)


def fortify(view: Viewpoint, order: Order) -> float:
    """Return the value of a disc: a share of the location's value, larger if raiders are near."""
    is_exposed = view.raider_distances.get(order.target, RAID_RANGE + 1) <= RAID_RANGE
    return 0.5 + view.location_value(order.target) * (0.5 if is_exposed else 0.3)


# --- war


def besiege(view: Viewpoint, order: orders.Besiege) -> float:
    """Return the location's value times the chance to win the siege, or -5 for a weak start."""
    state, place = view.state, order.target
    rest = (Counter(view.me.hand) - Counter(order.cards)).elements()
    first = card_strength(state, view.side, order.siege_card, place)
    now = first + view.added_strength(place, rest, state.actions_left - 1) - defence(state, place)
    if now < 0 or not can_reinforce(state, view.side, place):
        return -5.0
    more = view.own_strength(place) - view.opponent_strength(place) - now - defence(state, place)
    balance = now + 0.4 * more
    return 2.0 * view.location_value(place) * win_chance(balance / 2) - 1.0


def reinforce(view: Viewpoint, order: orders.Reinforce) -> float:
    """Return the location's value times the gain in the chance to win, or 0 for a lost siege."""
    if view.is_siege_lost(order.target):
        return 0.0
    margin = view.margin(view.siege_at(order.target))
    strength = card_strength(view.state, view.side, order.card, order.target)
    value = view.location_value(order.target)
    saved = 1.5 * value if margin <= LOST_MARGIN else 0.0
    return 0.2 + saved + 2.2 * value * (win_chance(margin + strength) - win_chance(margin))


def withdraw(view: Viewpoint, order: Order) -> float:
    """Return the value of withdrawing: positive only for the besieger in a hopeless siege."""
    if not view.can_withdraw(order.target):
        return -50.0
    return (3.0 if view.is_hopeless(order.target) else -10.0) - view.lost_value(order)


def raid(view: Viewpoint, order: Order) -> float:
    """Return the value of a raid, less a little for each card."""
    return view.value_now(view.raid_value(order.target) - 0.3 * len(order.cards))


def ambush(view: Viewpoint, order: Order) -> float:
    """Return the value of an ambush, the same for all cards."""
    return view.ambush_gain


def convert(view: Viewpoint, order: Order) -> float:
    """Return the value of claiming Native Americans times the chance of success."""
    return 3.5 * view.chance_opponent_loses(lambda card: card.convertible)


# --- money


def take(view: Viewpoint, order: orders.Take) -> float:
    """Return the value of the money of the card."""
    return view.income(view.card(order.card).money)


def merchant(view: Viewpoint, order: orders.Merchant) -> float:
    """Return the value of the money of the cards that the ship carries."""
    return view.income(sum(view.card(card).money for card in order.carried))


def trade(view: Viewpoint, order: Order) -> float:
    """Return the value of the money for the furs."""
    return view.income(rules.FUR_VALUE * len(order.cards))


def piracy(view: Viewpoint, order: Order) -> float:
    """Return the value of the money, and a little for the loss of the British."""
    return view.income(rules.PIRACY_VALUE) + 0.5


def sell_fur(view: Viewpoint, order: orders.SellFur) -> float:
    """Return the value of the money less that of the card; -2 with an action left or a Trader."""
    has_trader = any(view.card(card).action == "trade" for card in view.me.hand)
    if view.state.actions_left or has_trader:
        return -2.0
    return view.income(rules.FREE_FUR_VALUE) - 0.6 * view.hand_value(order.card)


# --- cards


def draft(view: Viewpoint, order: orders.Draft) -> float:
    """Return the value of buying the card: less for each copy owned, in a large deck, and late."""
    card = view.card(order.card)
    value = view.ownership_value(card.id)
    if "settler" in card.symbols and view.needs_settlers:
        value += 3.0
    if card.military and view.state.sieges:
        value += 1.5
    return value / (1 + 0.5 * view.deck[card.id]) - view.burden - 3.0 * view.haste


def discard(view: Viewpoint, order: Order) -> float:
    """Return the value of replacing the cards: high for idle ones."""
    return 0.3 + sum(0.7 - 0.5 * view.hand_value(card) for card in order.cards)


def reserve(view: Viewpoint, order: orders.Reserve) -> float:
    """Return the value of reserving the card, which is positive for two kinds of card.

    These are soldiers if there is no siege, and the cards of lost locations.
    """
    card = view.card(order.card)
    if card.location and view.state.owner(card.id) is not view.side:
        return 0.6
    soldiers = card.military > 0 and not card.location
    return 1.3 if soldiers and not view.state.sieges and len(view.me.reserve) < 4 else -1.0


def retrieve(view: Viewpoint, order: Order) -> float:
    """Return the value of the reserve: high if it saves or opens a siege, else -5."""
    state, cards = view.state, view.me.reserve
    for siege in state.sieges.values():
        helps = view.strengths(view.side, cards, siege.location)
        needed = view.margin(siege) < -LOST_MARGIN and view.can_hold(siege, view.me.hand + cards)
        supply = can_reinforce(state, view.side, siege.location)
        if helps and needed and supply and state.actions_left:
            return 6.0
    if state.sieges or state.actions_left < rules.ACTIONS_A_TURN:
        return -5.0
    for place in _possible_targets(view):
        if view.added_strength(place, cards, rules.ACTIONS_A_TURN) > defence(state, place):
            return 5.0
    return -5.0


def _possible_targets(view: Viewpoint) -> Iterator[str]:
    """Yield the opponent's locations that a connection and a transport in hand reach."""
    hand = Hand(view.state, view.side)
    for connection in hand.usable:
        for place, means in connection.ways.items():
            if view.state.owner(place) is view.opponent and any(
                means & card.symbols and hand.has_cards(connection.id, card.id)
                for card in hand.cards
            ):
                yield place


def govern(view: Viewpoint, order: Order) -> float:
    """Return the value of losing the cards, less the points of their locations if given up."""
    loss = 0
    if view.state.ruleset.has_rule("govern-loses-location"):
        given_up = [card for card in order.cards if view.state.owner(card) is view.side]
        loss = sum(1 + view.places[place].victory_points for place in given_up)
    return sum(1.5 - 1.5 * view.ownership_value(card) for card in order.cards) - 1.5 * loss


def intendant(view: Viewpoint, order: orders.Intendant) -> float:
    """Return the value of taking the card back: high if it completes a settler and a village."""
    card = order.card
    if view.state.actions_left < rules.ACTIONS_A_TURN:
        return 0.0
    settlers = any("settler" in view.card(other).symbols for other in view.me.hand)
    villages = bool(view.developable.intersection(view.me.hand))
    completes = (
        villages and not settlers
        if "settler" in view.card(card).symbols
        else settlers and not villages and card in view.developable
    )
    return 5.0 if completes else 0.3 * view.ownership_value(card)


def home_support(view: Viewpoint, order: Order) -> float:
    """Return the value of drawing: high if an action is left or the refill is over, else -5."""
    cards = len(view.me.draw_pile)
    if view.state.ruleset.home_support_reshuffles:
        cards += len(view.me.discard)
    in_time = view.state.actions_left or view.state.refilled
    return FREE_ORDER_VALUE if in_time and cards else -5.0


def refill(view: Viewpoint, order: Order) -> float:
    """Return the value of refilling early: 0.1 if a free action may use the cards, else -1."""
    in_reach = {*view.me.hand, *chain(*view.me.unseen)}
    catalogue = view.state.ruleset.catalogue
    support = catalogue.card_for(view.side, "home-support")
    leads = any(view.card(card).military and view.card(card).free_action for card in in_reach)
    may_follow = (
        (support is not None and support.id in in_reach)
        or (leads and bool(view.state.sieges))
        or 0 < len(view.me.reserve) <= view.me.money
    )
    return 0.1 if may_follow else -1.0


def drop(view: Viewpoint, order: orders.Drop) -> float:
    """Return the value of replacing the card: high for an idle one."""
    return 0.5 - view.hand_value(order.card)


# --- answers


def occupy(view: Viewpoint, order: Order) -> float:
    """Return the value of the location won, or of winning the game by it."""
    if can_win_by_settling(view.state, view.side, order.target):
        return WIN_VALUE
    return 1.0 + view.places[order.target].victory_points


def lose(view: Viewpoint, order: Order) -> float:
    """Return the negative value of the cards lost."""
    return -view.lost_value(order)


def give_from_siege(view: Viewpoint, order: orders.GiveFromSiege) -> float:
    """Return the negative value of the card and of its strength in the siege."""
    siege, place = view.siege_at(order.target), order.target
    margin = view.margin(siege)
    strength = card_strength(view.state, view.side, order.card, place)
    worse = win_chance(margin) - win_chance(margin - strength)
    return lose(view, order) - 2.2 * view.location_value(place) * worse


def exchange(view: Viewpoint, order: orders.Exchange) -> float:
    """Return the value of replacing the card: high for an idle one."""
    return 1.0 - view.hand_value(order.card)


def forfeit(view: Viewpoint, order: Order) -> float:
    """Return the negative value of the cards in hand."""
    return -sum(view.hand_value(card) for card in order.cards)


def start(view: Viewpoint, order: orders.Start) -> float:
    """Return the value of owning the card."""
    return view.ownership_value(order.card)


def block(view: Viewpoint, order: orders.Block) -> float:
    """Return the value of blocking: high, less the value of the card in hand."""
    return 6.0 - 0.5 * view.hand_value(order.card)


def always(value: float) -> Callable[[Viewpoint, Order], float]:
    """Return a judgement with the same value in all positions."""
    return lambda view, order: value


JUDGEMENTS: dict[type[Order], Callable[[Viewpoint, Any], float]] = {
    orders.Settle: settle,
    orders.Develop: develop,
    orders.Fortify: fortify,
    orders.Besiege: besiege,
    orders.Reinforce: reinforce,
    orders.Raid: raid,
    orders.Ambush: ambush,
    orders.Convert: convert,
    orders.Take: take,
    orders.Merchant: merchant,
    orders.Trade: trade,
    orders.Piracy: piracy,
    orders.Draft: draft,
    orders.Discard: discard,
    orders.Reserve: reserve,
    orders.Retrieve: retrieve,
    orders.Govern: govern,
    orders.Intendant: intendant,
    orders.HomeSupport: home_support,
    orders.Withdraw: withdraw,
    orders.Pass: always(-1.0),
    orders.End: always(0.0),
    orders.Occupy: occupy,
    orders.Leave: always(0.0),
    orders.Relieve: always(10.0),
    orders.Lose: lose,
    orders.Block: block,
    orders.Allow: always(0.0),
    orders.Give: lose,
    orders.GiveFromReserve: lose,
    orders.ShowHand: always(0.0),
    orders.Refill: refill,
    orders.Exchange: exchange,
    orders.Keep: always(0.0),
    orders.Forfeit: forfeit,
    orders.Start: start,
    orders.SellFur: sell_fur,
    orders.Drop: drop,
    orders.GiveFromSiege: give_from_siege,
}
"""The judgement of each kind of order."""
