"""Plans and their steps.

A step yields orders, best first. It does not list legal orders, but constructs orders from the
player's view of the position; its caller skips illegal orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import itemgetter

from engine import orders
from engine import ruleset as rules
from engine.actions.action import Hand
from engine.actions.economy import routes
from engine.catalogue import Card
from engine.order import Order
from engine.position import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    can_reinforce,
    card_strength,
    card_strengths,
    defence,
    is_usable,
    owned_cards,
    raid_distances,
    raid_reach,
    siege_strength,
    usable_locations,
)
from engine.state import Siege, State
from engine.value import Value

# --- the view of a plan


class PlanView:
    """The view of the awaited side on a state, which must not change meanwhile."""

    __slots__ = ("cards", "me", "opponent", "places", "side", "state", "usable_locations")

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = state.awaiting.side
        self.opponent = self.side.opponent
        self.me = state.players[self.side]
        catalogue = state.ruleset.catalogue
        self.cards = catalogue.cards[self.side]
        self.places = catalogue.locations
        self.usable_locations = usable_locations(state, self.side)

    # --- cards

    def deck(self) -> Counter[str]:
        """Return all cards of the side, in any place."""
        return owned_cards(self.state, self.side)

    def cards_with(self, symbol: str) -> list[str]:
        """Return the usable cards in hand that carry a symbol."""
        return [c for c in self.me.hand if symbol in self.cards[c].symbols and self.is_usable(c)]

    def is_usable(self, card: str) -> bool:
        """Return True if a card in hand can be used."""
        return is_usable(self.cards[card], self.usable_locations)

    def is_lost(self, card: str) -> bool:
        """Return True if a card belongs to a location that the side does not control."""
        place = self.cards[card].location
        return place is not None and self.state.owner(place) is not self.side

    def is_soldier(self, card: str) -> bool:
        """Return True if a card is an empire card with military strength."""
        definition = self.cards[card]
        return definition.military > 0 and not definition.location

    def sort_key(self, card: str) -> tuple[int, str]:
        """Return the sort key of a card, by which the least useful cards come first."""
        return (self._usefulness(self.cards[card]), card)

    def _usefulness(self, card: Card) -> int:
        if card.location:
            if self.is_lost(card.id):
                return -1
            return 2 * card.money + 3 * card.military + len(card.symbols) + 2 * len(card.reaches)
        return 5 + card.cost + 4 * card.military

    # --- sieges

    def strength(self, card: str, place: str) -> int:
        """Return the strength of a card in a siege, or 0 if it cannot be used or paid now."""
        if self.cards[card].siege_cost > self.me.money or not self.is_usable(card):
            return 0
        return card_strength(self.state, self.side, card, place)

    def max_strength(self, cards: Iterable[str], place: str, actions: int) -> int:
        """Return the maximum strength that `cards` can add to a siege with `actions` actions."""
        slow, free = [], 0
        for card in cards:
            if self.cards[card].free_action:
                free += self.strength(card, place)
            else:
                slow.append(self.strength(card, place))
        slow.sort(reverse=True)
        return sum(slow[:actions]) + free

    def max_opponent_strength(self, place: str, actions: int) -> int:
        """Return the maximum strength that the opponent may add to a siege with `actions` actions.

        Counts the reserve and the cards that may be in hand.
        """
        opponent = self.state.players[self.opponent]
        cards = chain(opponent.reserve, opponent.hand, *opponent.unseen)
        strengths = map(card_strengths(self.state, self.opponent, place).__getitem__, cards)
        return sum(sorted(strengths, reverse=True)[:actions])


# --- a plan


class Plan(Value):
    """The aims of one side; its player gives the first legal order that a step yields.

    - `steps`: the steps that use an action, in order of preference.
    - `drafts`: the empire cards to own, in the order of purchase; a card listed twice is bought
      twice.
    - `sites`: the locations to settle, in order of preference.
    - `to_fortify`: the locations to fortify.
    - `targets`: the locations to besiege, in order of preference.
    - `min_strength`: the strength that a siege must have at the end of the turn that opens it.
    - `reserve_money`: the money that must remain after a draft.
    - `enough_money`: the money at which the plan stops earning.
    - `min_town_points`: the victory points that a village must have to be developed.
    """

    steps: tuple[Step, ...]
    drafts: tuple[str, ...]
    sites: tuple[str, ...] = ()
    to_fortify: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    min_strength: int = 0
    reserve_money: int = 0
    enough_money: int = 15
    min_town_points: int = 2


Step = Callable[[PlanView, Plan], Iterator[Order]]
"""A function that yields the orders of a step in a turn with an action left, best first."""


# --- war


def fight(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Reinforce undecided sieges, except those of the opponent that are lost in any case."""
    for besieger, siege in view.state.sieges.items():
        if siege.won or not _is_undecided(view, siege) or not _is_supplied(view, siege):
            continue
        place, actions = siege.location, view.state.actions_left
        strength = siege_strength(view.state, besieger)
        if besieger is view.opponent and strength >= BESIEGER_WINS_AT:
            hand, all_cards = view.me.hand, view.me.hand + view.me.reserve
            if strength - view.max_strength(hand, place, actions) >= BESIEGER_WINS_AT:
                can_pay = len(view.me.reserve) <= view.me.money
                defence_strength = view.max_strength(all_cards, place, actions) if can_pay else 0
                if strength - defence_strength < BESIEGER_WINS_AT:
                    yield orders.Retrieve()
                continue
        yield from _reinforcements(view, place)
        if view.max_strength(view.me.reserve, place, actions):
            yield orders.Retrieve()


def _reinforcements(view: PlanView, place: str) -> Iterator[Order]:
    """Yield a reinforcement with each strong card in hand: soldiers first, by strength."""
    strong = [(view.strength(card, place), card) for card in set(view.me.hand)]
    for strength, card in sorted(strong, key=lambda s: (view.is_soldier(s[1]), *s), reverse=True):
        if strength > 0:
            yield orders.Reinforce(place, (card,))


def _is_supplied(view: PlanView, siege: Siege) -> bool:
    """Return True if supply reaches a siege."""
    return can_reinforce(view.state, view.side, siege.location)


def _is_undecided(view: PlanView, siege: Siege) -> bool:
    """Return True if the opponent may still decide a siege with the cards that may be in hand."""
    place, state = siege.location, view.state
    relief = view.max_opponent_strength(place, rules.ACTIONS_A_TURN)
    if state.owner(place) is view.side:
        return siege_strength(state, view.opponent) + min(relief, 3) > DEFENDER_WINS_AT
    return siege_strength(state, view.side) - relief < BESIEGER_WINS_AT


def besiege(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Besiege the first target that has a route and enough strength."""
    state = view.state
    if view.side in state.sieges:
        return
    targets = [place for place in plan.targets if state.owner(place) is view.opponent]
    ways = list(routes(Hand(state, view.side), targets.__contains__)) if targets else []
    ways.sort(key=lambda way: targets.index(way[0]))
    for cards, with_reserve in ((view.me.hand, False), (view.me.hand + view.me.reserve, True)):
        if with_reserve and not 0 < len(view.me.reserve) <= view.me.money:
            return
        order = _opening(view, plan, ways, cards, len(view.me.reserve) if with_reserve else 0)
        if order is not None:
            yield orders.Retrieve() if with_reserve else order
            return


def _opening(
    view: PlanView, plan: Plan, ways: list[tuple[str, str, str]], cards: list[str], price: int
) -> Order | None:
    """Return the opening of the siege that is strongest at the end of this turn.

    Considers only the most preferred target in reach. `price` is the money already spent on it.
    """
    openings: list[tuple[int, tuple[int, str], Order]] = []
    for place, connection, transport in ways:
        if openings and openings[0][2].location != place:
            break
        remaining = cards.copy()
        remaining.remove(connection)
        remaining.remove(transport)
        strengths = {card: view.strength(card, place) for card in remaining}
        siege_card = max(sorted(strengths), key=lambda card: strengths[card], default=None)
        if siege_card is None or not strengths[siege_card]:
            continue
        if view.cards[siege_card].siege_cost + price > view.me.money:
            continue
        remaining.remove(siege_card)
        support = view.max_strength(remaining, place, view.state.actions_left - 1)
        strength = strengths[siege_card] + support - defence(view.state, place)
        if strength >= plan.min_strength:
            order = orders.Besiege(place, (connection, transport, siege_card))
            openings.append((-strength, view.sort_key(transport), order))
    return min(openings, key=itemgetter(0, 1))[2] if openings else None


def raid(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Raid the most valuable location, with as few cards as possible."""
    raiders = [card for card in view.me.hand if view.cards[card].raid]
    if not raiders:
        return
    raiders.sort(key=lambda card: (view.cards[card].raid_cost > view.me.money, view.sort_key(card)))
    raiders += [card for card in view.me.hand if view.cards[card].extends_raid]
    state, raids = view.state, []
    for place, distance in raid_distances(state, view.side).items():
        piece = state.board.get(place)
        if piece is None or piece.owner is not view.opponent:
            continue
        needed = max(1, distance - raid_reach(state, 0))
        if needed <= len(raiders):
            points = view.places[place].victory_points
            home = place in rules.HOMES[view.opponent]
            prize = points + (rules.TOWN_CAPTURED if piece.town else rules.VILLAGE_CAPTURED)
            raids.append((needed - prize - 3 * home, place, needed))
    for _, place, needed in sorted(raids):
        yield orders.Raid(place, tuple(raiders[:needed]))


def ambush(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Ambush the opponent if it may have soldiers."""
    opponent = view.state.players[view.opponent]
    opponent_cards = view.state.ruleset.catalogue.cards[view.opponent]
    hits = sum(opponent_cards[card].ambushable for card in opponent.reserve) * 5
    for cards in (opponent.hand, *opponent.unseen):
        hits += sum(opponent_cards[card].ambushable for card in cards)
    if hits < 3:
        return
    for card in sorted(set(view.me.hand), key=view.sort_key):
        if view.cards[card].ambush:
            yield orders.Ambush(cards=(card,))


def convert(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Claim Native Americans that the opponent may have."""
    opponent = view.state.players[view.opponent]
    opponent_cards = view.state.ruleset.catalogue.cards[view.opponent]
    for cards in (opponent.reserve, opponent.hand, *opponent.unseen):
        if any(opponent_cards[card].convertible for card in cards):
            for card in view.me.hand:
                if view.cards[card].action == "convert":
                    yield orders.Convert(cards=(card,))
            return


# --- expansion


def settle(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Settle the most preferred site that the cards in hand reach."""
    board = view.state.board
    open_sites = [place for place in plan.sites if place not in board]
    if not open_sites:
        return
    ways = list(routes(Hand(view.state, view.side), open_sites.__contains__))
    ways.sort(key=lambda way: (open_sites.index(way[0]), view.sort_key(way[2]), way[1]))
    settlers = sorted(set(view.cards_with("settler")), key=view.sort_key) if ways else []
    for place, *cards in ways:
        if not view.places[place].settler:
            yield orders.Settle(place, tuple(cards))
            continue
        for settler in settlers:
            yield orders.Settle(place, (*cards, settler))


def develop(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Turn the village with the most points into a town."""
    board = view.state.board
    villages = [
        place
        for place in set(view.me.hand)
        if place in board
        and not board[place].town
        and view.places[place].victory_points >= plan.min_town_points
    ]
    if not villages:
        return
    settlers = sorted(set(view.cards_with("settler")), key=view.sort_key)
    for place in sorted(villages, key=lambda p: (-view.places[p].victory_points, p)):
        for settler in settlers:
            yield orders.Develop(place, (settler,))


def fortify(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Fortify a location of the plan."""
    cards = [card for card in view.me.hand if view.cards[card].military_defending]
    for place in plan.to_fortify if cards else ():
        if place in view.me.hand and place in view.state.board:
            yield orders.Fortify(place, (cards[0],))


# --- money


def earn(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Earn as much money as one action can, unless there is enough."""
    if view.me.money >= plan.enough_money:
        return
    options: list[tuple[int, int, Order]] = []
    gold = [c for c in view.me.hand if view.cards[c].money and view.is_usable(c)]
    gold.sort(key=lambda card: (-view.cards[card].money, card))
    if gold:
        options.append((view.cards[gold[0]].money, 1, orders.Take(cards=(gold[0],))))
    for ship in sorted(set(view.cards_with("ship"))):
        carried = gold.copy()
        if ship in carried:
            carried.remove(ship)
        carried = carried[: view.state.ruleset.merchant_gold_cards or len(carried)]
        if carried:
            money = sum(view.cards[card].money for card in carried)
            options.append((money, 1 + len(carried), orders.Merchant(cards=(ship, *carried))))
        if "louisbourg" in view.me.hand and ship != "louisbourg":
            options.append((rules.PIRACY_VALUE, 2, orders.Piracy(cards=(ship,))))
    if "trader" in view.me.hand:
        furs = tuple(card for card in view.cards_with("fur") if view.cards[card].location)
        if furs:
            options.append((rules.FUR_VALUE * len(furs), 1, orders.Trade(cards=furs)))
    for _, _, order in sorted(options, key=lambda o: (-o[0], o[1], o[2].notation())):
        yield order


def draft(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Buy the next card of the plan, or nothing if there is too little money for it."""
    deck, state = view.deck(), view.state
    for card in plan.drafts:
        if deck[card]:
            deck[card] -= 1
            continue
        if view.me.empire.get(card) or state.neutral.get(card):
            price = view.cards[card].cost
            if price and price + plan.reserve_money > view.me.money:
                return
            yield orders.Draft(cards=(card,))
            return


# --- cards


def reserve(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Reserve soldiers until there is a siege."""
    if view.side in view.state.sieges:
        return
    soldiers = {card for card in view.me.hand if view.is_soldier(card)}
    for card in sorted(soldiers, key=lambda c: (-view.cards[c].military, c)):
        if not view.cards[card].free_action:
            yield orders.Reserve(cards=(card,))


def govern(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Return the cards of lost locations with the Governor."""
    lost = sorted(card for card in set(view.me.hand) if view.is_lost(card))
    if "governor" in view.me.hand and lost:
        yield orders.Govern(cards=tuple(lost[:2]))


def discard(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Discard idle cards, but not soldiers and money."""
    idle = [
        card
        for card in view.me.hand
        if not view.is_soldier(card) and not (view.cards[card].money and view.is_usable(card))
    ]
    idle.sort(key=view.sort_key)
    for number in range(min(len(idle), 1 + view.me.money // 4), 0, -1):
        yield orders.Discard(cards=tuple(idle[:number]))


# --- free actions


def send_leader(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Send a Military Leader to an undecided siege; this costs no action."""
    leaders = [c for c in view.me.hand if view.cards[c].free_action and view.cards[c].military]
    for siege in view.state.sieges.values() if leaders else ():
        if not siege.won and _is_undecided(view, siege):
            yield orders.Reinforce(siege.location, (leaders[0],))


def play_home_support(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Draw with Home Support, if there is anything to draw."""
    reshuffles = view.state.ruleset.home_support_reshuffles and view.me.discard
    if "home-support" in view.me.hand and (view.me.draw_pile or reshuffles):
        yield orders.HomeSupport()
