"""Plans as data, and the steps of which they consist: each yields orders, the best first.

A step does not list legal orders: it constructs the orders that it would give from the player's
view of the position. Those that turn out to be illegal are skipped.
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
    usable_places,
)
from engine.state import Siege, State
from engine.value import Value

# --- the view of a plan


class Seat:
    """The view of the awaited side on a state, which must not change meanwhile."""

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
        """Return all cards of the side, in any place."""
        return owned_cards(self.state, self.side)

    def in_hand(self, symbol: str) -> list[str]:
        """Return the usable cards in hand that carry a symbol."""
        return [c for c in self.me.hand if symbol in self.cards[c].symbols and self.usable(c)]

    def usable(self, card: str) -> bool:
        """Return True if a card in hand can be used."""
        return is_usable(self.cards[card], self.usable_places)

    def is_lost(self, card: str) -> bool:
        """Return True if a card belongs to a location that the side does not control."""
        place = self.cards[card].location
        return place is not None and self.state.owner(place) is not self.side

    def is_soldier(self, card: str) -> bool:
        """Return True if a card is an empire card with military strength."""
        facts = self.cards[card]
        return facts.military > 0 and not facts.location

    def rank(self, card: str) -> tuple[int, str]:
        """Return the sort key of a card: the least useful cards come first."""
        return (self._use(self.cards[card]), card)

    def _use(self, card: Card) -> int:
        if card.location:
            if self.is_lost(card.id):
                return -1
            return 2 * card.money + 3 * card.military + len(card.symbols) + 2 * len(card.reaches)
        return 5 + card.cost + 4 * card.military

    # --- sieges

    def strength(self, card: str, place: str) -> int:
        """Return the strength of a card in a siege now: 0 if it cannot be used or paid."""
        if self.cards[card].siege_cost > self.me.money or not self.usable(card):
            return 0
        return card_strength(self.state, self.side, card, place)

    def force(self, cards: Iterable[str], place: str, actions: int) -> int:
        """Return the strength that cards can add to a siege with that many actions."""
        slow, free = [], 0
        for card in cards:
            if self.cards[card].free_action:
                free += self.strength(card, place)
            else:
                slow.append(self.strength(card, place))
        slow.sort(reverse=True)
        return sum(slow[:actions]) + free

    def relief(self, place: str, actions: int) -> int:
        """Return the strength that the opponent may add to a siege with that many actions.

        It counts the open reserve and the cards that may be in hand.
        """
        enemy = self.state.players[self.enemy]
        cards = chain(enemy.reserve, enemy.hand, *enemy.unseen)
        strengths = map(card_strengths(self.state, self.enemy, place).__getitem__, cards)
        return sum(sorted(strengths, reverse=True)[:actions])


# --- a plan


class Plan(Value):
    """The aims of one side; its player takes the first legal order that a step yields.

    - `wishes`: the steps that use an action, in order of preference.
    - `drafts`: the empire cards to own, in the order of purchase; a card named twice is bought
      twice.
    - `sites`: the locations to settle, in order of preference; `walls`: those to fortify.
    - `targets`: the locations to besiege, in order of preference; `force`: the strength that a
      siege must have at the end of the turn in which it is opened.
    - `purse`: the money that remains after a draft; `rich`: the money from which no more is earned.
    - `towns`: the fewest victory points of a village that is developed.
    """

    wishes: tuple[Wish, ...]
    drafts: tuple[str, ...]
    sites: tuple[str, ...] = ()
    walls: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    force: int = 0
    purse: int = 0
    rich: int = 15
    towns: int = 2


Wish = Callable[[Seat, Plan], Iterator[Order]]
"""A step of a plan: the orders that it gives in a turn with an action left, the best first."""


# --- steps


# --- war


def fight(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Reinforce the sieges that are undecided, and as defender those that can still be held."""
    for besieger, siege in seat.state.sieges.items():
        if siege.won or not _in_doubt(seat, siege) or not _is_supplied(seat, siege):
            continue
        place, actions = siege.location, seat.state.actions_left
        stands = siege_strength(seat.state, besieger)
        if besieger is seat.enemy and stands >= BESIEGER_WINS_AT:
            cards, free = [*seat.me.hand], len(seat.me.reserve) <= seat.me.money
            if stands - seat.force(cards, place, actions) >= BESIEGER_WINS_AT:
                waiting = seat.force(cards + seat.me.reserve, place, actions) if free else 0
                if stands - waiting < BESIEGER_WINS_AT:
                    yield orders.Retrieve()
                continue
        yield from _reinforcements(seat, place)
        if seat.me.reserve:
            yield from _recall(seat, place)


def _reinforcements(seat: Seat, place: str) -> Iterator[Order]:
    """Yield every card in hand with strength there: soldiers first, the strongest first."""
    strong = [(seat.strength(card, place), card) for card in set(seat.me.hand)]
    for strength, card in sorted(strong, key=lambda s: (seat.is_soldier(s[1]), *s), reverse=True):
        if strength > 0:
            yield orders.Reinforce(place, (card,))


def _recall(seat: Seat, place: str) -> Iterator[Order]:
    if seat.force(seat.me.reserve, place, seat.state.actions_left):
        yield orders.Retrieve()


def _is_supplied(seat: Seat, siege: Siege) -> bool:
    """Return True if supply reaches a siege."""
    return can_reinforce(seat.state, seat.side, siege.location)


def _in_doubt(seat: Seat, siege: Siege) -> bool:
    """Return True if the opponent may still turn a siege with the cards that may be in hand."""
    place, state = siege.location, seat.state
    relief = seat.relief(place, rules.ACTIONS_A_TURN)
    if state.owner(place) is seat.side:
        return siege_strength(state, seat.enemy) + min(relief, 3) > DEFENDER_WINS_AT
    return siege_strength(state, seat.side) - relief < BESIEGER_WINS_AT


def besiege(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Open the first siege of the plan for which there are a route and enough strength."""
    state = seat.state
    if seat.side in state.sieges:
        return
    targets = [place for place in plan.targets if state.owner(place) is seat.enemy]
    ways = list(routes(Hand(state, seat.side), targets.__contains__)) if targets else []
    ways.sort(key=lambda way: targets.index(way[0]))
    for cards, recalled in ((seat.me.hand, False), (seat.me.hand + seat.me.reserve, True)):
        if recalled and not 0 < len(seat.me.reserve) <= seat.me.money:
            return
        best = _opening(seat, plan, ways, cards, len(seat.me.reserve) if recalled else 0)
        if best is not None:
            yield orders.Retrieve() if recalled else best
            return


def _opening(
    seat: Seat, plan: Plan, ways: list[tuple[str, str, str]], cards: list[str], price: int
) -> Order | None:
    """Return the strongest siege at the end of this turn, of the most preferred target."""
    openings: list[tuple[int, tuple[int, str], Order]] = []
    for place, connection, transport in ways:
        if openings and openings[0][2].location != place:
            break
        rest = cards.copy()
        rest.remove(connection)
        rest.remove(transport)
        firsts = {card: seat.strength(card, place) for card in rest}
        first = max(sorted(firsts), key=lambda card: firsts[card], default=None)
        if first is None or not firsts[first]:
            continue
        if seat.cards[first].siege_cost + price > seat.me.money:
            continue
        rest.remove(first)
        more = seat.force(rest, place, seat.state.actions_left - 1)
        stands = firsts[first] + more - defence(seat.state, place)
        if stands >= plan.force:
            order = orders.Besiege(place, (connection, transport, first))
            openings.append((-stands, seat.rank(transport), order))
    return min(openings, key=itemgetter(0, 1))[2] if openings else None


def raid(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Raid the most valuable location, with as few cards as possible."""
    raiders = [card for card in seat.me.hand if seat.cards[card].raid]
    if not raiders:
        return
    raiders.sort(key=lambda card: (seat.cards[card].raid_cost > seat.me.money, seat.rank(card)))
    raiders += [card for card in seat.me.hand if seat.cards[card].extends_raid]
    state, raids = seat.state, []
    for place, distance in raid_distances(state, seat.side).items():
        piece = state.board.get(place)
        if piece is None or piece.owner is not seat.enemy:
            continue
        needed = max(1, distance - raid_reach(state, 0))
        if needed <= len(raiders):
            points = seat.places[place].victory_points
            home = place in rules.HOMES[seat.enemy]
            prize = points + (rules.TOWN_CAPTURED if piece.town else rules.VILLAGE_CAPTURED)
            raids.append((needed - prize - 3 * home, place, needed))
    for _, place, needed in sorted(raids):
        yield orders.Raid(place, tuple(raiders[:needed]))


def ambush(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Ambush an opponent with soldiers to lose."""
    enemy = seat.state.players[seat.enemy]
    cards_of_enemy = seat.state.ruleset.catalogue.cards[seat.enemy]
    hits = sum(cards_of_enemy[card].ambushable for card in enemy.reserve) * 5
    for cards in (enemy.hand, *enemy.unseen):
        hits += sum(cards_of_enemy[card].ambushable for card in cards)
    if hits < 3:
        return
    for card in sorted(set(seat.me.hand), key=seat.rank):
        if seat.cards[card].ambush:
            yield orders.Ambush(cards=(card,))


def convert(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Claim Native Americans that the opponent may have."""
    enemy = seat.state.players[seat.enemy]
    cards_of_enemy = seat.state.ruleset.catalogue.cards[seat.enemy]
    for cards in (enemy.reserve, enemy.hand, *enemy.unseen):
        if any(cards_of_enemy[card].convertible for card in cards):
            for card in seat.me.hand:
                if seat.cards[card].action == "convert":
                    yield orders.Convert(cards=(card,))
            return


# --- expansion


def settle(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Settle the most preferred site to which cards lead."""
    board = seat.state.board
    free = [place for place in plan.sites if place not in board]
    if not free:
        return
    ways = list(routes(Hand(seat.state, seat.side), free.__contains__))
    ways.sort(key=lambda way: (free.index(way[0]), seat.rank(way[2]), way[1]))
    settlers = sorted(set(seat.in_hand("settler")), key=seat.rank) if ways else []
    for place, *cards in ways:
        if not seat.places[place].settler:
            yield orders.Settle(place, tuple(cards))
            continue
        for settler in settlers:
            yield orders.Settle(place, (*cards, settler))


def develop(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Turn the village with the most points into a town."""
    board = seat.state.board
    villages = [
        place
        for place in set(seat.me.hand)
        if place in board
        and not board[place].town
        and seat.places[place].victory_points >= plan.towns
    ]
    if not villages:
        return
    settlers = sorted(set(seat.in_hand("settler")), key=seat.rank)
    for place in sorted(villages, key=lambda p: (-seat.places[p].victory_points, p)):
        for settler in settlers:
            yield orders.Develop(place, (settler,))


def fortify(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Fortify a location of the plan."""
    cards = [card for card in seat.me.hand if seat.cards[card].military_defending]
    for place in plan.walls if cards else ():
        if place in seat.me.hand and place in seat.state.board:
            yield orders.Fortify(place, (cards[0],))


# --- money


def earn(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Take the most money that one action gives, unless there is enough."""
    if seat.me.money >= plan.rich:
        return
    options: list[tuple[int, int, Order]] = []
    gold = [c for c in seat.me.hand if seat.cards[c].money and seat.usable(c)]
    gold.sort(key=lambda card: (-seat.cards[card].money, card))
    if gold:
        options.append((seat.cards[gold[0]].money, 1, orders.Take(cards=(gold[0],))))
    for ship in sorted(set(seat.in_hand("ship"))):
        carried = gold.copy()
        if ship in carried:
            carried.remove(ship)
        carried = carried[: seat.state.ruleset.merchant_gold_cards or len(carried)]
        if carried:
            money = sum(seat.cards[card].money for card in carried)
            options.append((money, 1 + len(carried), orders.Merchant(cards=(ship, *carried))))
        if "louisbourg" in seat.me.hand and ship != "louisbourg":
            options.append((rules.PIRACY_VALUE, 2, orders.Piracy(cards=(ship,))))
    if "trader" in seat.me.hand:
        furs = tuple(card for card in seat.in_hand("fur") if seat.cards[card].location)
        if furs:
            options.append((rules.FUR_VALUE * len(furs), 1, orders.Trade(cards=furs)))
    for _, _, order in sorted(options, key=lambda o: (-o[0], o[1], o[2].notation())):
        yield order


def draft(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Buy the next card of the plan, or nothing if there is too little money for it."""
    deck, state = seat.deck(), seat.state
    for card in plan.drafts:
        if deck[card]:
            deck[card] -= 1
            continue
        if seat.me.empire.get(card) or state.neutral.get(card):
            price = seat.cards[card].cost
            if price and price + plan.purse > seat.me.money:
                return
            yield orders.Draft(cards=(card,))
            return


# --- cards


def store(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Reserve soldiers until there is a siege."""
    if seat.side in seat.state.sieges:
        return
    soldiers = {card for card in seat.me.hand if seat.is_soldier(card)}
    for card in sorted(soldiers, key=lambda c: (-seat.cards[c].military, c)):
        if not seat.cards[card].free_action:
            yield orders.Reserve(cards=(card,))


def govern(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Return the cards of lost locations with the Governor."""
    lost = sorted(card for card in set(seat.me.hand) if seat.is_lost(card))
    if "governor" in seat.me.hand and lost:
        yield orders.Govern(cards=tuple(lost[:2]))


def discard(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Discard idle cards, but not soldiers and money."""
    idle = [
        card
        for card in seat.me.hand
        if not seat.is_soldier(card) and not (seat.cards[card].money and seat.usable(card))
    ]
    idle.sort(key=seat.rank)
    for number in range(min(len(idle), 1 + seat.me.money // 4), 0, -1):
        yield orders.Discard(cards=tuple(idle[:number]))


# --- free actions


def lead(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Send a Military Leader to an undecided siege, which costs no action."""
    leaders = [c for c in seat.me.hand if seat.cards[c].free_action and seat.cards[c].military]
    for siege in seat.state.sieges.values() if leaders else ():
        if not siege.won and _in_doubt(seat, siege):
            yield orders.Reinforce(siege.location, (leaders[0],))


def support(seat: Seat, plan: Plan) -> Iterator[Order]:
    """Draw with Home Support, if there is anything to draw."""
    more = seat.state.ruleset.home_support_reshuffles and seat.me.discard
    if "home-support" in seat.me.hand and (seat.me.draw_pile or more):
        yield orders.HomeSupport()
