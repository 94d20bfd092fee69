"""What a topic of the rules means in a position, as its viewer may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from engine import game
from engine.geography import raid_distances, supplied
from engine.orders import ORDERS, Besiege, Develop, Fortify, Order, Settle
from engine.scoring import score
from engine.sides import Side
from engine.state import Decision, State
from engine.ways import Begun, Ways
from pbem.cli.learning.missing import lacks
from pbem.cli.learning.topics import Topic
from pbem.cli.learning.whereabouts import whereabouts
from pbem.cli.supposing import in_own_turn
from pbem.cli.words import Name, counted, listed, names, signed

MOST_LISTED = 8
"""So many orders, or locations, are listed in full."""


class Present(NamedTuple):
    """A position as somebody sees it: one of the sides, or nobody's for a spectator."""

    state: State
    viewer: Side | None

    @property
    def name(self) -> Name:
        """The function that gives printed names."""
        return names(self.state)

    @property
    def sides(self) -> tuple[Side, ...]:
        """Both sides, the viewer's first."""
        return tuple(Side) if self.viewer is None else (self.viewer, self.viewer.opponent)


def told(topic: Topic, present: Present) -> list[str]:
    """What is to be said of a topic in a position, in lines; empty where there is nothing."""
    lines = [*_TOLD[topic.id](present)] if topic.id in _TOLD else []
    if present.viewer is not None and present.state.outcome is None:
        lines += _orders(topic, present.state, present.viewer, present.name)
    return lines


# --- what can be ordered


def _orders(topic: Topic, state: State, side: Side, name: Name) -> Iterator[str]:
    """The legal orders that a topic explains, and what is missing for others."""
    kinds = [ORDERS[verb] for verb in topic.verbs]
    now = [kind for kind in kinds if state.decides(side) and game.may_answer(state, kind)]
    in_turn = [kind for kind in kinds if Decision.TURN in game.ACTIONS[kind].decisions]
    if not now and not in_turn:
        return
    supposed = state if now else in_own_turn(state, side)
    moment = "now" if now else "in a turn of yours, with the cards that you hold"
    legal = list(_legal(supposed, now or in_turn, name))
    if legal:
        yield f"You can {moment}:"
        yield from legal
    else:
        yield f"You can do nothing of the kind {moment}."
    for kind in kinds:
        if kind in _BUILDING:
            yield from _lacking(supposed, side, kind, name)


def _legal(state: State, kinds: Iterable[type[Order]], name: Name) -> Iterator[str]:
    ways = Ways([state])
    for kind in kinds:
        orders = ways.orders(Begun(kind), MOST_LISTED)
        if orders is None:
            such = next(ways.some(Begun(kind))).text(name)
            yield f"  {kind.words()} in more than {MOST_LISTED} ways, such as: {such}"
            continue
        for order in sorted(orders, key=lambda order: order.text(name)):
            price = game.cost(state, order)
            yield f"  {order.text(name)}" + (f" ({price} money)" if price else "")


_BUILDING = (Settle, Develop, Fortify, Besiege)
"""The kinds of order for which it is told what is missing."""


def _lacking(state: State, side: Side, kind: type[Order], name: Name) -> Iterator[str]:
    near = [lack for lack in lacks(state, side, kind) if lack.number == 1]
    if near:
        yield "One card is missing in your hand for:"
    for lack in near[:MOST_LISTED]:
        yield f"  {name(lack.location)}: {'; or '.join(way[0] for way in lack.ways)}"
    if len(near) > MOST_LISTED:
        yield f"  and {len(near) - MOST_LISTED} more"


# --- the board


def _supply(present: Present) -> Iterator[str]:
    state, name = present.state, present.name
    for side in Side:
        own = {place for place, settlement in state.board.items() if settlement.owner is side}
        cut = sorted(name(place) for place in own - supplied(state, side))
        besieged = sorted(name(place) for place in own if state.besieger(place))
        idle = f"without supply: {', '.join(cut)}" if cut else "all in supply"
        under = f"; under siege: {', '.join(besieged)}" if besieged else ""
        yield f"{side.label} locations, {idle}{under}"


def _sieges(present: Present) -> Iterator[str]:
    from pbem.cli.position.facts import position_facts
    from pbem.cli.position.layout import loose
    from pbem.cli.position.words import siege_side_told, siege_standing

    name = present.name
    sieges = position_facts(present.state, present.viewer)["sieges"]
    if not sieges:
        yield "There is no siege."
    for siege in sieges:
        besieger, defender = Side(siege["besieger"]), Side(siege["defender"])
        yield f"The {besieger.label} besiege {name(siege['location'])}: {signed(siege['marker'])}."
        for side in (besieger, defender):
            yield f"  {side.label} {loose(siege_side_told(siege, side, name))}"
        yield f"  {siege_standing(siege)}"


def _endings(present: Present) -> Iterator[str]:
    from pbem.cli.position.facts import position_facts
    from pbem.cli.position.words import endings_told

    facts = position_facts(present.state, present.viewer)
    if present.state.outcome is not None:
        yield f"The game is over: {present.state.outcome.reason.told()}."
    yield from endings_told(facts, present.name)


def _raids(present: Present) -> Iterator[str]:
    """Which enemy locations are how many connections away, and how many cards that takes."""
    state, name = present.state, present.name
    for side in present.sides:
        distances = raid_distances(state, side)
        by_cards: dict[int, list[str]] = {}
        for place, settlement in state.board.items():
            if settlement.owner is side.opponent and place in distances:
                cards = max(1, distances[place] - state.ruleset.raid_bonus)
                by_cards.setdefault(cards, []).append(name(place))
        reach = [
            f"with {counted(cards, 'card')} {', '.join(sorted(by_cards[cards]))}"
            for cards in sorted(by_cards)
        ]
        yield f"The {side.label} reach {'; '.join(reach) or 'nothing'}."


# --- what the sides have


def _each(line: Callable[[State, Side, Name], str]) -> Callable[[Present], Iterator[str]]:
    """A line for each side, the viewer's first."""

    def lines(present: Present) -> Iterator[str]:
        for side in present.sides:
            yield f"{side.label}: {line(present.state, side, present.name)}"

    return lines


def _points(state: State, side: Side, name: Name) -> str:
    found = score(state, side)
    counting = {place: points for place, points in found.locations.items() if points}
    parts = [f"{name(place)} {counting[place]}" for place in sorted(counting, key=name)]
    return f"{found.total} points: {', '.join([*parts, f'captured {found.captured}'])}"


def _pieces(state: State, side: Side, name: Name) -> str:
    villages, towns = state.villages_left(side), state.towns_left(side)
    return f"{counted(villages, 'village')} and {counted(towns, 'town')} left"


def _discs(present: Present) -> Iterator[str]:
    yield f"Fortification discs left for both: {present.state.fortifications_left()}"


def _money(state: State, side: Side, name: Name) -> str:
    return f"{state.players[side].money} money"


def _reserve(state: State, side: Side, name: Name) -> str:
    reserve = state.players[side].reserve
    price = f", {len(reserve)} money to retrieve" if reserve else ""
    return f"in reserve {listed(reserve, name)}{price}"


def _deck(state: State, side: Side, name: Name) -> str:
    player = state.players[side]
    return (
        f"{counted(player.hand_size, 'card')} in hand, {len(player.draw_pile)} in the draw pile, "
        f"{len(player.discard)} on the discard pile: {listed(player.discard, name)}"
    )


def _stock(present: Present) -> Iterator[str]:
    from pbem.cli.position.facts import position_facts
    from pbem.cli.position.layout import loose
    from pbem.cli.position.words import stock_told

    facts, name = position_facts(present.state, present.viewer), present.name
    for side in present.sides:
        stock = facts["sides"][side.value]["available"]
        yield f"{side.label} cards: {loose(stock_told(stock, name))}"
    yield f"Neutral cards: {loose(stock_told(facts['neutral'], name))}"


def _card_with(action: str) -> Callable[[Present], Iterator[str]]:
    """Where the cards are that carry out an action of their own."""

    def lines(present: Present) -> Iterator[str]:
        state = present.state
        for side in Side:
            card = state.ruleset.catalogue.card_for(side, action)
            if card is not None:
                places = whereabouts(state, side, card.id)
                told = [f"{number} {place}" for place, number in places.items()]
                yield f"{side.label} {card.name}: {', '.join(told) or 'not in the deck'}"

    return lines


def _rules(present: Present) -> Iterator[str]:
    ruleset = present.state.ruleset
    chosen = ", ".join(ruleset.house_rules)
    yield f"This game is played by the {ruleset.edition} edition" + (
        f" with {chosen}." if chosen else "."
    )


_TOLD: dict[str, Callable[[Present], Iterable[str]]] = {
    "setup": _rules,
    "supply": _supply,
    "siege": _sieges,
    "strength": _sieges,
    "endings": _endings,
    "raid": _raids,
    "scoring": _each(_points),
    "pieces": lambda present: [*_each(_pieces)(present), *_discs(present)],
    "money": _each(_money),
    "reserve": _each(_reserve),
    "deck": _each(_deck),
    "hand": _each(_deck),
    "draft": _stock,
    "cards": _stock,
    "govern": _card_with("govern"),
    "intendant": _card_with("intendant"),
    "home support": _card_with("home-support"),
    "trade": _card_with("trade"),
    "convert": _card_with("convert"),
    "piracy": _card_with("piracy"),
}
"""What to tell of a topic beyond the orders that it explains."""
