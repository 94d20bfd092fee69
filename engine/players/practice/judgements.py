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
from engine.players.practice.viewpoint import LOST, RAID_RANGE, Viewpoint, chance
from engine.position import can_reinforce, card_strength, defence
from engine.turn import wins_by_settling

WON = 1000.0
"""The value of winning at once."""

FIRST = 500.0
"""The value of a free order that should come first, because it can change the next one."""

# --- expansion


def settle(view: Viewpoint, order: Order) -> float:
    """Return the points, the routes opened and the card; a burden if it leads nowhere."""
    place = order.place
    if wins_by_settling(view.state, view.side, place):
        return WON
    points = view.places[place].victory_points
    if view.state.owner(place) is view.side:
        # Only the card of the location is regained.
        return 0.5 * points if place in view.to_develop else -1.0
    way_on = 0.4 * view.opens_up(place) if place in view.cards else 0.0
    last = view.ending(points) if view.state.villages_left(view.side) == 1 else 0.0
    return view.in_time(0.3 + 1.3 * points + way_on + last)


def develop(view: Viewpoint, order: Order) -> float:
    """Return the points doubled, and one town less to the end."""
    points = view.places[order.place].victory_points
    last = view.ending(points) if view.state.towns_left(view.side) == 1 else 0.0
    return view.in_time(1.0 + points + last)


def fortify(view: Viewpoint, order: Order) -> float:
    """Return the possible loss to a raid or siege there; much more if raiders are near."""
    near = view.exposed.get(order.place, RAID_RANGE + 1) <= RAID_RANGE
    return 0.5 + view.stake(order.place) * (0.5 if near else 0.3)


# --- war


def besiege(view: Viewpoint, order: orders.Besiege) -> float:
    """Return the stake times the chance that all own strength beats the walls and likely relief."""
    state, place = view.state, order.place
    rest = (Counter(view.me.hand) - Counter(order.cards)).elements()
    first = card_strength(state, view.side, order.first, place)
    now = first + view.within_reach(place, rest, state.actions_left - 1) - defence(state, place)
    if now < 0 or not can_reinforce(state, view.side, place):
        return -5.0
    more = view.means(place) - view.relief(place) - now - defence(state, place)
    balance = now + 0.4 * more
    return 2.0 * view.stake(place) * chance(balance / 2) - 1.0


def reinforce(view: Viewpoint, order: orders.Reinforce) -> float:
    """Return the change of the chance to win by the card, times the stake; 0 if all is lost."""
    if view.siege_is_lost(order.place):
        return 0.0
    margin = view.margin(view.siege_at(order.place))
    strength = card_strength(view.state, view.side, order.card, order.place)
    stake = view.stake(order.place)
    saved = 1.5 * stake if margin <= LOST else 0.0
    return 0.2 + saved + 2.2 * stake * (chance(margin + strength) - chance(margin))


def withdraw(view: Viewpoint, order: Order) -> float:
    """Return a gain only for a besieger whose siege is lost or hopeless."""
    if not view.could_leave(order.place):
        return -50.0
    return (3.0 if view.is_hopeless(order.place) else -10.0) - view.loss(order)


def raid(view: Viewpoint, order: Order) -> float:
    """Return the spoils times the chance that no card blocks the raid; less for each card."""
    return view.in_time(view.spoils(order.place) - 0.3 * len(order.cards))


def ambush(view: Viewpoint, order: Order) -> float:
    """Return the worth of a good card of the opponent, times the chance that it can be hit."""
    return view.ambush_gain


def convert(view: Viewpoint, order: Order) -> float:
    """Return the worth of a neutral Native Americans card times the chance to claim one."""
    return 3.5 * view.enemy_can_lose(lambda card: card.convertible)


# --- money


def take(view: Viewpoint, order: orders.Take) -> float:
    """Return the money of the card."""
    return view.income(view.card(order.card).money)


def merchant(view: Viewpoint, order: orders.Merchant) -> float:
    """Return the money of the cards that the ship carries."""
    return view.income(sum(view.card(card).money for card in order.carried))


def trade(view: Viewpoint, order: Order) -> float:
    """Return the money for the furs."""
    return view.income(rules.FUR_VALUE * len(order.cards))


def piracy(view: Viewpoint, order: Order) -> float:
    """Return the money, and the loss of the British."""
    return view.income(rules.PIRACY_VALUE) + 0.5


def sell_fur(view: Viewpoint, order: orders.SellFur) -> float:
    """Return the money for a fur without another use for which no Trader waits."""
    waits = any(view.card(card).action == "trade" for card in view.me.hand)
    if view.state.actions_left or waits:
        return -2.0
    return view.income(rules.FREE_FUR_VALUE) - 0.6 * view.need(order.card)


# --- cards


def draft(view: Viewpoint, order: orders.Draft) -> float:
    """Return the worth of the card; less for copies owned, for a large deck, and in haste."""
    card = view.card(order.card)
    liking = view.worth(card.id)
    if "settler" in card.symbols and view.lacks_settlers:
        liking += 3.0
    if card.military and view.state.sieges:
        liking += 1.5
    return liking / (1 + 0.5 * view.deck[card.id]) - view.burden - 3.0 * view.haste


def discard(view: Viewpoint, order: Order) -> float:
    """Return the gain of fresh cards for idle ones."""
    return 0.3 + sum(0.7 - 0.5 * view.need(card) for card in order.cards)


def reserve(view: Viewpoint, order: orders.Reserve) -> float:
    """Return a gain for soldiers while there is no siege; other cards should be played.

    Cards of lost locations are out of the way there.
    """
    card = view.card(order.card)
    if card.location and view.state.owner(card.id) is not view.side:
        return 0.6
    soldiers = card.military > 0 and not card.location
    return 1.3 if soldiers and not view.state.sieges and len(view.me.reserve) < 4 else -1.0


def retrieve(view: Viewpoint, order: Order) -> float:
    """Return a gain if a siege needs the reserve, or if one could be opened with it."""
    state, waiting = view.state, view.me.reserve
    for siege in state.sieges.values():
        helps = view.strengths(view.side, waiting, siege.location)
        needed = view.margin(siege) < -LOST and view.holds(siege, view.me.hand + waiting)
        supply = can_reinforce(state, view.side, siege.location)
        if helps and needed and supply and state.actions_left:
            return 6.0
    if state.sieges or state.actions_left < rules.ACTIONS_A_TURN:
        return -5.0
    for place in _could_besiege(view):
        if view.within_reach(place, waiting, rules.ACTIONS_A_TURN) > defence(state, place):
            return 5.0
    return -5.0


def _could_besiege(view: Viewpoint) -> Iterator[str]:
    """Yield the enemy locations to which cards in hand lead, with a transport in hand."""
    hand = Hand(view.state, view.side)
    for connection in hand.usable:
        for place, means in connection.ways.items():
            if view.state.owner(place) is view.enemy and any(
                means & card.symbols and hand.holds(connection.id, card.id) for card in hand.cards
            ):
                yield place


def govern(view: Viewpoint, order: Order) -> float:
    """Return the gain of losing bad cards, less the points of locations given up with them."""
    loss = 0
    if view.state.ruleset.plays("govern-loses-location"):
        own = [card for card in order.cards if view.state.owner(card) is view.side]
        loss = sum(1 + view.places[place].victory_points for place in own)
    return sum(1.5 - 1.5 * view.worth(card) for card in order.cards) - 1.5 * loss


def intendant(view: Viewpoint, order: orders.Intendant) -> float:
    """Return the worth of a card that completes the hand: a settler, or a village for one."""
    card = order.card
    if view.state.actions_left < rules.ACTIONS_A_TURN:
        return 0.0
    settlers = any("settler" in view.card(other).symbols for other in view.me.hand)
    villages = bool(view.to_develop.intersection(view.me.hand))
    completes = (
        villages and not settlers
        if "settler" in view.card(card).symbols
        else settlers and not villages and card in view.to_develop
    )
    return 5.0 if completes else 0.3 * view.worth(card)


def home_support(view: Viewpoint, order: Order) -> float:
    """Return a gain if an action is left to use the cards, or the refill is over."""
    cards = len(view.me.draw_pile)
    if view.state.ruleset.home_support_reshuffles:
        cards += len(view.me.discard)
    in_time = view.state.actions_left or view.state.refilled
    return FIRST if in_time and cards else -5.0


def refill(view: Viewpoint, order: Order) -> float:
    """Return a little if a free action may follow that uses the cards drawn."""
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
    """Return the gain of a fresh card for an idle one."""
    return 0.5 - view.need(order.card)


# --- answers


def occupy(view: Viewpoint, order: Order) -> float:
    """Return the points of the location won, or the win of the game."""
    if wins_by_settling(view.state, view.side, order.place):
        return WON
    return 1.0 + view.places[order.place].victory_points


def lose(view: Viewpoint, order: Order) -> float:
    """Return the worth of the card lost, as a loss."""
    return -view.loss(order)


def give_from_siege(view: Viewpoint, order: orders.GiveFromSiege) -> float:
    """Return the loss of the card, and of the strength of the siege."""
    siege, place = view.siege_at(order.place), order.place
    margin = view.margin(siege)
    strength = card_strength(view.state, view.side, order.card, place)
    worse = chance(margin) - chance(margin - strength)
    return lose(view, order) - 2.2 * view.stake(place) * worse


def exchange(view: Viewpoint, order: orders.Exchange) -> float:
    """Return the gain of a fresh card for an idle one."""
    return 1.0 - view.need(order.card)


def forfeit(view: Viewpoint, order: Order) -> float:
    """Return the need of the cards, as a loss."""
    return -sum(view.need(card) for card in order.cards)


def start(view: Viewpoint, order: orders.Start) -> float:
    """Return the worth of the card."""
    return view.worth(order.card)


def block(view: Viewpoint, order: orders.Block) -> float:
    """Return a large gain, less the need of the card."""
    return 6.0 - 0.5 * view.need(order.card)


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
