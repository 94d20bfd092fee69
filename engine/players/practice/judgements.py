"""The practice player's judgement on each kind of order, in victory points as it feels them."""

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
"""What it is worth to win at once."""

FIRST = 500.0
"""What comes before everything but a win, because it is free and what is done next may change."""

# --- expansion


def settle(seat: Viewpoint, order: Order) -> float:
    """Points, a way on, and a card; a burden where it leads nowhere."""
    place = order.place
    if wins_by_settling(seat.state, seat.side, place):
        return WON
    points = seat.places[place].victory_points
    if seat.state.owner(place) is seat.side:
        # Only the card of the location is regained.
        return 0.5 * points if place in seat.to_develop else -1.0
    way_on = 0.4 * seat.opens_up(place) if place in seat.cards else 0.0
    last = seat.ending(points) if seat.state.villages_left(seat.side) == 1 else 0.0
    return seat.in_time(0.3 + 1.3 * points + way_on + last)


def develop(seat: Viewpoint, order: Order) -> float:
    """The points again, and one town nearer to the end."""
    points = seat.places[order.place].victory_points
    last = seat.ending(points) if seat.state.towns_left(seat.side) == 1 else 0.0
    return seat.in_time(1.0 + points + last)


def fortify(seat: Viewpoint, order: Order) -> float:
    """What a raid or a siege could take from there; much more where raiders are near."""
    near = seat.exposed.get(order.place, RAID_RANGE + 1) <= RAID_RANGE
    return 0.5 + seat.stake(order.place) * (0.5 if near else 0.3)


# --- war


def besiege(seat: Viewpoint, order: orders.Besiege) -> float:
    """The stake times the chance that all own strength beats the walls and likely relief."""
    state, place = seat.state, order.place
    rest = (Counter(seat.me.hand) - Counter(order.cards)).elements()
    first = card_strength(state, seat.side, order.first, place)
    now = first + seat.within_reach(place, rest, state.actions_left - 1) - defence(state, place)
    if now < 0 or not can_reinforce(state, seat.side, place):
        return -5.0
    more = seat.means(place) - seat.relief(place) - now - defence(state, place)
    balance = now + 0.4 * more
    return 2.0 * seat.stake(place) * chance(balance / 2) - 1.0


def reinforce(seat: Viewpoint, order: orders.Reinforce) -> float:
    """How much the card moves the chance to win, times the stake; nothing if all is lost."""
    if seat.siege_is_lost(order.place):
        return 0.0
    margin = seat.margin(seat.siege_at(order.place))
    strength = card_strength(seat.state, seat.side, order.card, order.place)
    stake = seat.stake(order.place)
    saved = 1.5 * stake if margin <= LOST else 0.0
    return 0.2 + saved + 2.2 * stake * (chance(margin + strength) - chance(margin))


def withdraw(seat: Viewpoint, order: Order) -> float:
    """Only a besieger leaves: when the siege is lost anyway, or nothing is left to win it."""
    if not seat.could_leave(order.place):
        return -50.0
    return (3.0 if seat.is_hopeless(order.place) else -10.0) - seat.given_up(order)


def raid(seat: Viewpoint, order: Order) -> float:
    """What may be won, times the chance that nobody is at home to block; less for each card."""
    return seat.in_time(seat.spoils(order.place) - 0.3 * len(order.cards))


def ambush(seat: Viewpoint, order: Order) -> float:
    """A good card of the opponent's, times the chance that it can be hit."""
    return seat.ambush_gain


def convert(seat: Viewpoint, order: Order) -> float:
    """A neutral Native Americans card, if the opponent can have one."""
    return 3.5 * seat.enemy_can_lose(lambda card: card.convertible)


# --- money


def take(seat: Viewpoint, order: orders.Take) -> float:
    """The money of the card."""
    return seat.income(seat.card(order.card).money)


def merchant(seat: Viewpoint, order: orders.Merchant) -> float:
    """The money of the cards that the ship carries."""
    return seat.income(sum(seat.card(card).money for card in order.carried))


def trade(seat: Viewpoint, order: Order) -> float:
    """The money for the furs."""
    return seat.income(rules.FUR_VALUE * len(order.cards))


def piracy(seat: Viewpoint, order: Order) -> float:
    """The money, and that the British miss it."""
    return seat.income(rules.PIRACY_VALUE) + 0.5


def sell_fur(seat: Viewpoint, order: orders.SellFur) -> float:
    """The money for a fur that nothing else is done with, and that no Trader waits for."""
    waits = any(seat.card(card).action == "trade" for card in seat.me.hand)
    if seat.state.actions_left or waits:
        return -2.0
    return seat.income(rules.FREE_FUR_VALUE) - 0.6 * seat.need(order.card)


# --- cards


def draft(seat: Viewpoint, order: orders.Draft) -> float:
    """How much the card is liked; less for each one owned, for a thick deck, and in haste."""
    card = seat.card(order.card)
    liking = seat.worth(card.id)
    if "settler" in card.symbols and seat.lacks_settlers:
        liking += 3.0
    if card.military and seat.state.sieges:
        liking += 1.5
    return liking / (1 + 0.5 * seat.deck[card.id]) - seat.burden - 3.0 * seat.haste


def discard(seat: Viewpoint, order: Order) -> float:
    """Fresh cards for idle ones."""
    return 0.3 + sum(0.7 - 0.5 * seat.need(card) for card in order.cards)


def reserve(seat: Viewpoint, order: orders.Reserve) -> float:
    """Soldiers wait in reserve until there is a siege; anything else is better played.

    Cards of lost locations are out of the way there.
    """
    card = seat.card(order.card)
    if card.location and seat.state.owner(card.id) is not seat.side:
        return 0.6
    soldiers = card.military > 0 and not card.location
    return 1.3 if soldiers and not seat.state.sieges and len(seat.me.reserve) < 4 else -1.0


def retrieve(seat: Viewpoint, order: Order) -> float:
    """The reserve marches when a siege needs it, or when one could be opened."""
    state, waiting = seat.state, seat.me.reserve
    for siege in state.sieges.values():
        helps = seat.strengths(seat.side, waiting, siege.location)
        needed = seat.margin(siege) < -LOST and seat.holds(siege, seat.me.hand + waiting)
        supply = can_reinforce(state, seat.side, siege.location)
        if helps and needed and supply and state.actions_left:
            return 6.0
    if state.sieges or state.actions_left < rules.ACTIONS_A_TURN:
        return -5.0
    for place in _could_besiege(seat):
        if seat.within_reach(place, waiting, rules.ACTIONS_A_TURN) > defence(state, place):
            return 5.0
    return -5.0


def _could_besiege(seat: Viewpoint) -> Iterator[str]:
    """The enemy locations to which cards in hand lead, a transport that lies idle among them."""
    hand = Hand(seat.state, seat.side)
    for connection in hand.usable:
        for place, means in connection.ways.items():
            if seat.state.owner(place) is seat.enemy and any(
                means & card.symbols and hand.holds(connection.id, card.id) for card in hand.cards
            ):
                yield place


def govern(seat: Viewpoint, order: Order) -> float:
    """What the player would rather be rid of, less the points of a location given up with it."""
    given_up = 0
    if seat.state.ruleset.plays("govern-loses-location"):
        own = [card for card in order.cards if seat.state.owner(card) is seat.side]
        given_up = sum(1 + seat.places[place].victory_points for place in own)
    return sum(1.5 - 1.5 * seat.worth(card) for card in order.cards) - 1.5 * given_up


def intendant(seat: Viewpoint, order: orders.Intendant) -> float:
    """A card that the hand waits for: a settler for a village, or a village for a settler."""
    card = order.card
    if seat.state.actions_left < rules.ACTIONS_A_TURN:
        return 0.0
    settlers = any("settler" in seat.card(held).symbols for held in seat.me.hand)
    villages = bool(seat.to_develop.intersection(seat.me.hand))
    completes = (
        villages and not settlers
        if "settler" in seat.card(card).symbols
        else settlers and not villages and card in seat.to_develop
    )
    return 5.0 if completes else 0.3 * seat.worth(card)


def home_support(seat: Viewpoint, order: Order) -> float:
    """More cards, as long as there is an action left to use them, or a refill is not spoilt."""
    cards = len(seat.me.draw_pile)
    if seat.state.ruleset.home_support_reshuffles:
        cards += len(seat.me.discard)
    in_time = seat.state.actions_left or seat.state.refilled
    return FIRST if in_time and cards else -5.0


def refill(seat: Viewpoint, order: Order) -> float:
    """A little, where a free action may follow: what is drawn before the end can still be used."""
    in_reach = {*seat.me.hand, *chain(*seat.me.unseen)}
    catalogue = seat.state.ruleset.catalogue
    support = catalogue.card_for(seat.side, "home-support")
    leads = any(seat.card(card).military and seat.card(card).free_action for card in in_reach)
    may_follow = (
        (support is not None and support.id in in_reach)
        or (leads and bool(seat.state.sieges))
        or 0 < len(seat.me.reserve) <= seat.me.money
    )
    return 0.1 if may_follow else -1.0


def drop(seat: Viewpoint, order: orders.Drop) -> float:
    """A fresh card for an idle one."""
    return 0.5 - seat.need(order.card)


# --- answers


def occupy(seat: Viewpoint, order: Order) -> float:
    """The points of the location won, or all of the game."""
    if wins_by_settling(seat.state, seat.side, order.place):
        return WON
    return 1.0 + seat.places[order.place].victory_points


def lose(seat: Viewpoint, order: Order) -> float:
    """The card least worth is given up."""
    return -seat.given_up(order)


def give_from_siege(seat: Viewpoint, order: orders.GiveFromSiege) -> float:
    """The card, and what the siege is worse off without it."""
    siege, place = seat.siege_at(order.place), order.place
    margin = seat.margin(siege)
    strength = card_strength(seat.state, seat.side, order.card, place)
    worse = chance(margin) - chance(margin - strength)
    return lose(seat, order) - 2.2 * seat.stake(place) * worse


def exchange(seat: Viewpoint, order: orders.Exchange) -> float:
    """A card that lies idle makes room for another."""
    return 1.0 - seat.need(order.card)


def forfeit(seat: Viewpoint, order: Order) -> float:
    """The cards least needed."""
    return -sum(seat.need(card) for card in order.cards)


def start(seat: Viewpoint, order: orders.Start) -> float:
    """The card that is liked most."""
    return seat.worth(order.card)


def block(seat: Viewpoint, order: orders.Block) -> float:
    """Always welcome; with the card least needed."""
    return 6.0 - 0.5 * seat.need(order.card)


def always(value: float) -> Callable[[Viewpoint, Order], float]:
    """The same judgement in all positions."""
    return lambda seat, order: value


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
"""The judgement on each kind of order."""
