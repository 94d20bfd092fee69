"""Topics of the rules, cards and locations in a position, as its viewer sees them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from typing import NamedTuple

from engine import game, position
from engine.actions import ACTIONS
from engine.actions.raids import raid_targets
from engine.catalogue import Location
from engine.choices import Choices, Prefix
from engine.message import (
    AlphabeticalList,
    Concat,
    Message,
    Phrase,
    Rewording,
    Speaker,
    comma_list,
    mark,
    semicolon_list,
    sentences,
    sort_key,
    with_label,
)
from engine.order import Order
from engine.orders import ORDERS, Retrieve, from_notation
from engine.position import idle_reasons, raid_distances, score, supplied_locations
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, State
from pbem.play.game_file import game_result
from pbem.text.facts.json_data import Facts
from pbem.text.facts.position_facts import position_facts
from pbem.text.facts.why_not import BUILDING_KINDS, Lack, card_places, in_own_turn, lacks
from pbem.text.naming import OwnedCard
from pbem.text.narration import detailed_order_text
from pbem.text.phrases import (
    Name,
    allow_wrap,
    capitalize,
    card_list,
    keys,
    money_amount,
    names,
    piece_key,
    piece_supply,
    point_count,
    row_text,
    with_sign,
)
from pbem.text.piles import stock_text
from pbem.text.position import endings_text, siege_side_text, siege_standing
from pbem.text.rules.editions import differences, edition_name, house_rule_names
from pbem.text.rules.topic import Topic, topics

MAX_IN_FULL = 8
"""The maximum number of orders, or of locations, that are listed in full."""


class View(NamedTuple):
    """A position as one viewer sees it: a side, or None for a spectator."""

    state: State
    viewer: Side | None

    @property
    def name(self) -> Name:
        """The function that returns the name of a card or location."""
        return names(self.state)

    @property
    def sides(self) -> tuple[Side, ...]:
        """Both sides, the viewer's first."""
        return tuple(Side) if self.viewer is None else (self.viewer, self.viewer.opponent)


def topic_text(speaker: Speaker, topic: Topic, view: View) -> list[Phrase]:
    """Return the lines about a topic in a position, if there are any."""
    lines = [*_TEXTS[topic.id](view)] if topic.id in _TEXTS else []
    if view.viewer is not None and view.state.outcome is None:
        lines += _order_lines(speaker, topic, view.state, view.viewer)
    return lines


def examples(topic: Topic, ruleset: Ruleset) -> list[Message]:
    """Return the examples of a topic as they are typed."""
    return [from_notation(text).text(ruleset.catalogue.name_of) for text in topic.examples]


def topic_facts(speaker: Speaker, topic: Topic, ruleset: Ruleset, view: View | None) -> Facts:
    """Return the facts of a topic by the rules `ruleset`, and in a position."""
    return {
        "id": topic.id,
        "title": topic.title,
        "group": topic.group,
        "text": list(topic.text),
        "orders": list(topic.verbs),
        "examples": [*map(speaker.say, examples(topic, ruleset))],
        "edition": ruleset.edition,
        "differences": [*map(speaker.say, differences(topic.flags, ruleset))],
        "house_rules": list(topic.house_rules),
        "related": list(topic.related),
        "present": [*map(speaker.say, topic_text(speaker, topic, view))] if view else [],
    }


# --- legal orders


def _order_lines(speaker: Speaker, topic: Topic, state: State, side: Side) -> Iterator[Phrase]:
    """Yield the legal orders that a topic explains, and the cards missing for others."""
    kinds = [ORDERS[verb] for verb in topic.verbs]
    now_kinds = [kind for kind in kinds if state.can_decide(side) and game.may_answer(state, kind)]
    turn_kinds = [kind for kind in kinds if Decision.TURN in ACTIONS[kind].decisions]
    if not now_kinds and not turn_kinds:
        return
    turn_state = state if now_kinds else in_own_turn(state, side)
    legal = list(_legal_orders(speaker, turn_state, now_kinds or turn_kinds))
    possible, impossible = _NOW_HEADINGS if now_kinds else _TURN_HEADINGS
    yield Message(possible if legal else impossible)
    yield from legal
    for kind in kinds:
        if kind in BUILDING_KINDS:
            yield from _missing_cards(speaker, lacks(turn_state, side, kind), names(state))


_NOW_HEADINGS = mark("Orders you can give now:"), mark("You can do nothing of the kind now.")
_TURN_HEADINGS = (
    mark("Orders for a turn of yours, with the cards that you hold:"),
    mark("You can do nothing of the kind in a turn of yours, with the cards that you hold."),
)


def _legal_orders(speaker: Speaker, state: State, kinds: Iterable[type[Order]]) -> Iterator[Phrase]:
    choices, name = Choices([state]), names(state)
    for kind in kinds:
        orders = choices.orders(Prefix(kind), MAX_IN_FULL)
        if orders is None:
            example, many = (
                detailed_order_text(Prefix.of(next(choices.some_orders(Prefix(kind)))), name),
                mark("{verb} in more than {number} ways, such as: {order}"),
            )
            text = Message(many, verb=kind.verb_label(), number=MAX_IN_FULL, order=example)
            yield Concat(("  ", text))
        for order in sorted(orders or (), key=lambda o: sort_key(speaker.say(o.text(name)))):
            price = game.cost(state, order)
            paid = Concat((" (", money_amount(price), ")")) if price else ""
            yield Concat(("  ", detailed_order_text(Prefix.of(order), name), paid))


def _missing_cards(speaker: Speaker, shortfalls: Iterable[Lack], name: Name) -> Iterator[Phrase]:
    single = [lack for lack in shortfalls if lack.number == 1]
    single.sort(key=lambda lack: sort_key(speaker.say(name(lack.location))))
    if single:
        yield Message("One card is missing in your hand for:")
    texts = lacks_text(speaker, single, name)
    yield from (Concat(("  ", with_label(*text))) for text in texts[:MAX_IN_FULL])
    if (omitted := len(texts) - MAX_IN_FULL) > 0:
        yield Concat(("  ", Message.counted("and {count} more", "and {count} more", omitted)))


def lacks_text(
    speaker: Speaker, shortfalls: Iterable[Lack], name: Name, limit: int | None = None
) -> list[tuple[Phrase, Phrase]]:
    """Return the locations with equal cards missing for an order, and the ways to get these.

    At most `limit` ways are listed.
    """
    places: dict[frozenset[tuple[Message, ...]], list[str]] = {}
    for lack in shortfalls:
        places.setdefault(lack.ways, []).append(lack.location)
    texts: list[tuple[Phrase, Phrase]] = []
    for ways, group in places.items():
        phrases = sorted(
            (reduce(_both, sorted(way, key=speaker.say)) for way in ways), key=speaker.say
        )
        texts.append((_place_names(group, name), reduce(_either, phrases[:limit])))
    return texts


def _both(first: Message, second: Message) -> Message:
    # Translators: two missing cards, for example “its card, in the reserve, and a settler card”.
    return Message("{first}, and {second}", first=first, second=second)


def _either(first: Message, second: Message) -> Message:
    # Translators: two alternatives, for example “its card, in the reserve; or a settler card”.
    return Message("{first}; or {second}", first=first, second=second)


# --- the board


def _supply(view: View) -> Iterator[Phrase]:
    state, name = view.state, view.name
    for side in Side:
        turn = {place for place, settlement in state.board.items() if settlement.owner is side}
        cut = _place_names(turn - supplied_locations(state, side), name)
        besieged = _place_names((place for place in turn if state.besieger(place)), name)
        how = "-".join(filter(None, ("cut-off" if cut else "", "besieged" if besieged else "")))
        yield row_text("supplied", how or "all", side=side.label, cut_off=cut, besieged=besieged)


def _place_names(places: Iterable[str], name: Name) -> Message:
    return AlphabeticalList(map(name, places), ", ")


def _sieges(view: View) -> Iterator[Phrase]:
    name = view.name
    sieges = position_facts(view.state, view.viewer).sieges
    if not sieges:
        yield Message("There is no siege.")
    for siege in sieges:
        besieger, defender = siege.besieger, siege.defender
        yield Message(
            "The {side} besiege {place}: {strength}.",
            side=besieger.label,
            place=name(siege.location),
            strength=with_sign(siege.marker),
        )
        for side in (besieger, defender):
            strength = Rewording(allow_wrap, siege_side_text(siege, side, name))
            yield Concat(("  ", side.label, " ", strength))
        yield Concat(("  ", siege_standing(siege)))


def _endings(view: View) -> Iterator[Phrase]:
    facts = position_facts(view.state, view.viewer)
    if view.state.outcome is not None:
        yield game_result(view.state)
    yield from endings_text(facts, view.name)


def _raids(view: View) -> Iterator[Phrase]:
    """Yield the locations that each side can raid, by the number of cards needed."""
    state, name = view.state, view.name
    for side in view.sides:
        by_cards = defaultdict[int, set[str]](set)
        for place, cards in raid_targets(state, side).items():
            by_cards[cards].add(place)
        reach = semicolon_list(
            Message.counted(
                "with {count} card: {places}",
                "with {count} cards: {places}",
                cards,
                places=_place_names(by_cards[cards], name),
            )
            for cards in sorted(by_cards)
        )
        if reach:
            # Translators: {places} is “with 1 card: Albany, Boston; with 2 cards: Norfolk”.
            yield Message("The {side} reach {places}.", side=side.label, places=reach)
        else:
            yield Message("The {side} reach nothing.", side=side.label)


# --- possessions of the sides


def _by_side(line: Callable[[State, Side, Name], Phrase], view: View) -> Iterator[Phrase]:
    """Yield a line for each side, the viewer's first."""
    for side in view.sides:
        yield with_label(capitalize(side.label), line(view.state, side, view.name))


def _points(state: State, side: Side, name: Name) -> Message:
    result = score(state, side)
    counting = {place: points for place, points in result.locations.items() if points}
    counted = (sentences(name(place), str(points)) for place, points in counting.items())
    captured = Message("captured {number}", number=result.captured_points)
    return Message.counted(
        "{count} point: {places}",
        "{count} points: {places}",
        result.total,
        places=comma_list((AlphabeticalList(counted, ", "), captured)),
    )


def _pieces(view: View) -> Iterator[Phrase]:
    state = view.state
    for side in view.sides:
        pieces = piece_supply(state.villages_left(side), state.towns_left(side))
        yield with_label(capitalize(side.label), pieces)
    discs = state.fortifications_left()
    yield Message("Fortification discs left for both: {number}", number=discs)


def _reserve(state: State, side: Side, name: Name) -> Message:
    reserve = state.players[side].reserve
    cards = card_list(reserve, name)
    if reserve:
        price = money_amount(ACTIONS[Retrieve].cost(state, side, Retrieve()))
        return Message("in reserve {cards}, {price} to retrieve", cards=cards, price=price)
    return Message("in reserve {cards}", cards=cards)


def _deck(state: State, side: Side, name: Name) -> Message:
    player = state.players[side]
    return Message.counted(
        "{count} card in hand, {drawn} in the draw pile, {discarded} in the discard pile: {cards}",
        "{count} cards in hand, {drawn} in the draw pile, {discarded} in the discard pile: {cards}",
        player.hand_size,
        drawn=len(player.draw_pile),
        discarded=len(player.discard),
        cards=card_list(player.discard, name),
    )


def _stock(view: View) -> Iterator[Phrase]:
    facts, name = position_facts(view.state, view.viewer), view.name
    for side in view.sides:
        stock = facts.sides[side].available
        cards = Rewording(allow_wrap, stock_text(stock, name))
        yield Message("{side} cards: {cards}", side=side.label, cards=cards)
    cards = Rewording(allow_wrap, stock_text(facts.neutral, name))
    yield Message("Neutral cards: {cards}", cards=cards)


def _card_with(action: str, view: View) -> Iterator[Phrase]:
    """Yield the places of the cards with an action of their own."""
    state = view.state
    for side in Side:
        card = state.ruleset.catalogue.card_for(side, action)
        if card is not None:
            yield Message(
                "{side} {card}: {places}",
                side=side.label,
                card=view.name(card.id),
                places=_copies(state, side, card.id) or Message("not in the deck"),
            )


def _rules(view: View) -> list[Phrase]:
    ruleset = view.state.ruleset
    edition, rules = edition_name(ruleset.edition), house_rule_names(ruleset.house_rules)
    template = mark("This game is played by the {edition}.")
    if rules:
        template = mark("This game is played by the {edition} with {rules}.")
    return [Message(template, edition=edition, rules=rules)]


_TEXTS: dict[str, Callable[[View], Iterable[Phrase]]] = {
    "setup": _rules,
    "supply": _supply,
    "siege": _sieges,
    "strength": _sieges,
    "endings": _endings,
    "raid": _raids,
    "scoring": partial(_by_side, _points),
    "pieces": _pieces,
    "money": partial(_by_side, lambda state, side, name: money_amount(state.players[side].money)),
    "reserve": partial(_by_side, _reserve),
    "deck": partial(_by_side, _deck),
    "hand": partial(_by_side, _deck),
    "draft": _stock,
    "cards": _stock,
    **{action.replace("-", " "): partial(_card_with, action) for action in keys("card-actions")},
}
"""The functions that describe topics in a position, except orders, by id."""


# --- cards and locations


def card_text(owned: OwnedCard, view: View) -> list[Phrase]:
    """Return the places of a card's copies, whether it can be used, and the orders for it."""
    state, viewer, card = view.state, view.viewer, owned.card
    sides = sorted(owned.sides, key=lambda side: side is not viewer)
    none = Message.within("cards", "none")
    lines: list[Phrase] = [
        with_label(capitalize(side.label), _copies(state, side, card.id) or none) for side in sides
    ]
    copies = available_copies(state, sides[0], card.id)
    if card.location is None:
        lines.append(Message("to draft: {number}", number=copies or none))
    elif copies:
        lines.append(Message("You gain it by settling the location."))
    if card.location is not None:
        reasons = idle_reasons(state, sides[0], card.id)
        lines.append(row_text("usable", reasons[0] if reasons else "usable", side=sides[0].label))
    if viewer in owned.sides and viewer is not None:
        lines += _uses_text(state, viewer, card.id)
    return lines


def _copies(state: State, side: Side, card: str) -> Phrase:
    """Return the copies by place: `1 in hand, 2 in the discard pile`; empty for none."""
    places = card_places(state, side, card)
    return comma_list(sentences(str(number), place) for place, number in places.items())


def _uses_text(state: State, side: Side, card: str) -> Iterator[Phrase]:
    """Yield the orders that a card in hand can be used for in its owner's turn."""
    if card not in state.players[side].hand or state.outcome is not None:
        return
    turn = in_own_turn(state, side)
    # Some orders play cards that they do not name, for example a Governor.
    orders = (o for o in Choices([turn]).some_orders() if card in game.cards_played(turn, o))
    uses = [
        kind.verb_label() if kind.has_choice else _use_count(kind, number)
        for kind, number in Counter[type[Order]](map(type, orders)).items()
    ]
    yield Message("In your hand it can be used for: {verbs}.", verbs=comma_list(uses))


def _use_count(kind: type[Order], number: int) -> Message:
    verb = kind.verb_label()
    # Translators: an order for which a card is used, for example “settle (2 ways)”.
    return Message.counted("{verb} ({count} way)", "{verb} ({count} ways)", number, verb=verb)


def location_text(place: Location, view: View) -> list[Phrase]:
    """Return a location's owner, supply, defence, and the sides that can reach it."""
    return [*_owner_text(place, view), *_defence_text(place, view), *_reach_text(place, view)]


def _owner_text(place: Location, view: View) -> Iterator[Phrase]:
    state = view.state
    settlement = state.board.get(place.id)
    if settlement is None:
        yield Message("It is neutral.")
        return
    owner = settlement.owner
    points = score(state, owner).locations[place.id]
    piece = piece_key(settlement.town, settlement.fortified)
    key = f"{piece}-counting" if points else piece
    yield row_text("stands", key, side=owner.label, points=point_count(points))
    if place.id not in supplied_locations(state, owner):
        yield Message("It has no supply from the {side} home.", side=owner.label)


def _defence_text(place: Location, view: View) -> Iterator[Phrase]:
    state = view.state
    besieger = state.besieger(place.id)
    if besieger is not None:
        yield Message(
            "The {side} besiege it: see the topic {topic}.",
            side=besieger.label,
            topic=topics()["siege"].word,
        )
    elif place.id in state.board:
        needed = position.defence(state, place.id) + position.BESIEGER_WINS_AT
        yield Message(
            "To win a siege of it, the besieger's cards need {strength} more strength than the "
            "defender's.",
            strength=needed,
        )


def _reach_text(place: Location, view: View) -> Iterator[Phrase]:
    state = view.state
    for side in view.sides:
        if state.owner(place.id) is not side:
            distance = _distance_text(raid_distances(state, side).get(place.id))
            yield Message("{side} raids: {distance}", side=side.label, distance=distance)
        if place.id in state.ruleset.catalogue.cards[side]:
            places = _copies(state, side, place.id) or Message.within("cards", "none")
            if available_copies(state, side, place.id):
                places = Message("to be gained by settling")
            yield Message("{side} card: {places}", side=side.label, places=places)


def _distance_text(distance: int | None) -> Message:
    """Return the distance of a location for a raid."""
    if distance is None:
        return Message("out of reach")
    return Message.counted("{count} connection away", "{count} connections away", distance)


def available_copies(state: State, side: Side, card: str) -> int:
    """Return the number of copies that `side` could still gain, by settling or drafting."""
    player = state.players[side]
    if state.ruleset.card(side, card).location:
        return int(card in player.locations)
    return player.empire.get(card, 0) + state.neutral.get(card, 0)
