"""Reasons why an order, or a part of one, is not legal now, and the legal orders nearest to it.

No rule is stated here. The reasons against an order are its `objections`; against a partly known
order, the objections that all orders with these parts share. Missing cards are found by asking the
engine which orders would be legal with every card that the player owns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement, islice, permutations, product, starmap
from random import Random
from typing import NamedTuple, TypeVar

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import (
    HAND,
    MONEY,
    SUPPLY,
    TURN,
    Hand,
    IllegalOrderError,
    Objection,
    cards_for,
    find_card,
)
from engine.actions.economy import CONNECTIONS
from engine.catalogue import symbol_name
from engine.choices import Choices, Parts, Prefix, cards_of, extras, hand_pile, piles_of
from engine.message import Message, Phrase, comma_list, message_of, or_list, sentences
from engine.order import UNLIMITED, Order, Source
from engine.orders import ORDERS, Besiege, Develop, Draft, End, Fortify, Lose, Settle
from engine.ruleset import ACTIONS_A_TURN
from engine.sides import Side
from engine.state import Awaiting, Decision, State
from engine.value import Value
from pbem.text.phrases import keys, row_text

ThingT = TypeVar("ThingT")

BUILDING = (Settle, Besiege, Develop, Fortify)
"""The kinds of order for which missing cards are listed."""
MAX_NEAR, MAX_KINDS = 3, 3
"""The most legal orders, and the most kinds of order, that are given as the nearest."""
MAX_ATTEMPTS, MAX_PLACES, MAX_ADDED = 200, 8, 24
"""The most orders with the chosen parts that are checked for objections.

MAX_PLACES is the most locations for them; MAX_ADDED the most cards tried as one added card,
fewer if two are added.
"""


class Lack(NamedTuple):
    """The cards that are missing in hand for an order at a location.

    `number` is the least number of cards; `ways` are the different sets of that many that would do,
    each with a message for each card.
    """

    location: str
    number: int
    ways: frozenset[tuple[Message, ...]]


class Explanation(Value):
    """The reasons why an order is not legal in the position `state`, as its player sees it.

    `prefix` is the order, which may have too few or too many cards. `is_for_later` is true if
    something else has to be decided now; then a turn of the player is assumed, if orders of that
    kind belong to a turn. `nearest` are the legal orders that are most alike.

    For a partly known order the objections are those to every such order, or else to the one that
    is nearest to being legal. `is_for_some`: the latter; other cards may help. `lacks`: the cards
    missing in hand at the location, or without a location, anywhere.
    """

    prefix: Prefix
    state: State
    side: Side
    objections: tuple[Objection, ...]
    is_for_later: bool = False
    nearest: tuple[Order, ...] = ()
    is_for_some: bool = False
    lacks: tuple[Lack, ...] = ()

    @property
    def order(self) -> Order | None:
        """The order; None with a wrong number of cards."""
        return self.prefix.to_order()

    @property
    def is_legal(self) -> bool:
        """True if the order can be given now."""
        return not self.objections and not self.is_for_later

    @property
    def belongs_to_a_turn(self) -> bool:
        """True if orders of this kind are given in a turn, not as a reply."""
        return Decision.TURN in ACTIONS[self.prefix.kind].decisions

    @property
    def distance(self) -> int:
        """The order's distance from being legal, from 0 (only the turn is missing) to 3."""
        about = {objection.topic for objection in self.objections}
        if about == {TURN} and not self.is_for_later:
            return 0
        if self.lacks or self.is_for_some or about == {MONEY}:
            return 1
        return 2 if about in ({HAND}, {CONNECTIONS}) else 3

    def copies_elsewhere(self) -> dict[str, dict[Message, int]]:
        """Return the places, with numbers of copies, of each card missing in hand, by its id."""
        missing = {objection.missing for objection in self.objections} - {""}
        return {card: elsewhere(self.state, self.side, card) for card in missing}


# --- of one order


def explain_order(worlds: Sequence[State], side: Side, prefix: Prefix) -> Explanation:
    """Return the reasons against an order, in the likeliest of the worlds."""

    def explain(state: State) -> Explanation:
        why = tuple(_objections(state, side, prefix))
        return Explanation(prefix, state, side, why, nearest=_nearest(state, prefix) if why else ())

    return _in_likeliest(worlds, side, prefix.kind, explain)


def _in_likeliest(
    worlds: Sequence[State], side: Side, kind: type[Order], explain: Callable[[State], Explanation]
) -> Explanation:
    """Return the explanation with fewest objections, of the worlds in which a kind can answer.

    If there is none, a turn of `side` is assumed.
    """
    answered = _answering(worlds, side, kind)
    supposed = () if answered else [_suppose(world, side, kind) for world in worlds]
    best = min(map(explain, answered or supposed), key=lambda one: len(one.objections))
    return best._replace(is_for_later=not answered)


def _answering(worlds: Iterable[State], side: Side, kind: type[Order]) -> list[State]:
    """Return the worlds in which orders of a kind can answer the decision of `side`."""
    return [world for world in worlds if world.can_decide(side) and game.may_answer(world, kind)]


def _objections(state: State, side: Side, prefix: Prefix) -> list[Objection]:
    """Return the objections to an order; for an incomplete one, those that no cards can remove."""
    order = prefix.to_order()
    if order is not None:
        return game.objections(state, order)
    missing = prefix.kind.min_cards - len(prefix.cards)
    filled = (prefix.to_order(*[card] * missing) for card in state.ruleset.catalogue.cards[side])
    tried = [game.objections(state, order) for order in filled if order]
    return [Objection(_takes(prefix.kind)), *_in_all(tried)]


def _in_all(objection_lists: Sequence[Sequence[Objection]]) -> list[Objection]:
    """Return the objections that occur in each of these lists."""
    first, *others = objection_lists or [[]]
    return [objection for objection in first if all(objection in other for other in others)]


def _takes(kind: type[Order]) -> Message:
    """Return the parts that an order of a kind has to name, as a sentence."""
    verb = kind.verb_label()
    if kind.verb in keys("names"):
        return row_text("names", kind.verb, verb=verb)
    if kind.max_cards == 0:
        return kind.card_count_text(Message("“{word}”", word=verb))
    if kind.max_cards == UNLIMITED:
        return Message.counted(
            "“{verb}” names {count} card or more.",
            "“{verb}” names {count} cards or more.",
            kind.min_cards,
            verb=verb,
        )
    if kind.min_cards < kind.max_cards:
        return Message.counted(
            "“{verb}” names {fewest} or {count} card.",
            "“{verb}” names {fewest} or {count} cards.",
            kind.max_cards,
            fewest=kind.min_cards,
            verb=verb,
        )
    return Message.counted(
        "“{verb}” names {count} card.", "“{verb}” names {count} cards.", kind.max_cards, verb=verb
    )


def _suppose(state: State, side: Side, kind: type[Order]) -> State:
    """Return the position in which an order of a kind that is not for now would be given."""
    is_used_up = state.awaiting.decision is Decision.TURN and not state.actions_left
    if kind is not Lose or not is_used_up:
        return in_own_turn(state, side)
    # The loser's card is chosen after the end of the turn.
    after = state.copy()
    game.apply(after, End())
    return after


def in_own_turn(state: State, side: Side) -> State:
    """Return the position if `side`, whose view it is, could act now; the same one if it can."""
    if state.can_decide(side) and state.awaiting.decision is Decision.TURN and state.actions_left:
        return state
    supposed = state.copy()
    supposed.active, supposed.outcome, supposed.refilled = side, None, False
    supposed.awaiting, supposed.actions_left = Awaiting(Decision.TURN, side), ACTIONS_A_TURN
    return supposed


def _nearest(state: State, prefix: Prefix) -> tuple[Order, ...]:
    """Return the legal orders of the same kind that are most alike.

    Those at the same location; if there are none, those that share most cards; or else some.
    """
    wanted = set(prefix.cards)

    def likeness(other: Order) -> tuple[int, int]:
        return len(wanted & set(other.cards)), -len(other.cards)

    may_answer = game.may_answer(state, prefix.kind)
    legal = list(Choices([state]).some_orders(Prefix(prefix.kind))) if may_answer else []
    there = [other for other in legal if prefix.location and other.location == prefix.location]
    sharing = [other for other in legal if wanted & set(other.cards)]
    return tuple(sorted(there or sharing or legal, key=likeness, reverse=True)[:MAX_NEAR])


# --- of a part that cannot be added


def why_not(choices: Choices, side: Side, chosen: Parts, part: Parts) -> tuple[Explanation, ...]:
    """Return the reasons why a part cannot be added, for each kind of order, the nearest first.

    A requested location replaces the chosen one, and so does a kind.
    """
    rest = chosen._replace(
        kind=None if part.kind else chosen.kind, location=None if part.location else chosen.location
    )
    lit = choices.next_parts(rest)
    if rest != chosen and (part.kind in lit.kinds or part.location in lit.locations):
        return (_already_chosen(choices.worlds[0], side, chosen, part),)
    wanted = Parts.of((*rest.keys, *part.keys))
    begun = lit.kinds if rest.cards or rest.location else ()
    kinds = [wanted.kind] if wanted.kind else _in_question(choices.worlds, side, begun, part)
    reasons = [_explain_parts(choices, side, wanted._replace(kind=kind)) for kind in kinds]
    near = min(one.distance for one in reasons)
    nearest: list[Explanation] = []
    # The nearest few, and no reason twice.
    for one in sorted(reasons, key=lambda one: len(one.objections)):
        is_new = not any({*earlier.objections} <= {*one.objections} for earlier in nearest)
        if one.distance == near and is_new:
            nearest.append(one)
    return tuple(nearest[:MAX_KINDS])


def _already_chosen(state: State, side: Side, chosen: Parts, part: Parts) -> Explanation:
    """Return the objection that another chosen part rules a part out."""
    if part.kind and chosen.kind:
        prefix = Prefix(chosen.kind)
        reason = Message(
            "“{verb}” is already chosen; an order does one thing.", verb=chosen.kind.verb_label()
        )
    else:
        assert chosen.location is not None
        prefix = Prefix(chosen.kind or next(k for k in ORDERS.values() if k.has_location))
        place = state.ruleset.catalogue.name_of(chosen.location)
        reason = Message("{place} is already chosen; an order has one location.", place=place)
    return Explanation(prefix, state, side, (Objection(reason),))


def _in_question(
    worlds: Sequence[State], side: Side, begun: Iterable[type[Order]], part: Parts
) -> list[type[Order]]:
    """Return the kinds that an order with the part could have: those begun, or those awaited."""
    every = [kind for kind in ORDERS.values() if kind.has_location or not part.location]
    every = [kind for kind in every if kind.max_cards or not part.cards]
    # A card that lies elsewhere than in hand says itself what is to be done with it.
    own_turn, piles = in_own_turn(worlds[0], side), {*part.piles}
    there = [k for k in every if piles & {*piles_of(k, side)} and not _not_in_game(own_turn, k)]
    awaited = [kind for kind in every if _answering(worlds, side, kind)]
    in_turn = [kind for kind in every if Decision.TURN in ACTIONS[kind].decisions]
    for kinds, allowed in product((begun, awaited, in_turn), (there, every)):
        if fitting := [kind for kind in kinds if kind in allowed]:
            return fitting
    return []


def _not_in_game(state: State, kind: type[Order]) -> tuple[Objection, ...]:
    """Return the objection that the awaited side lacks the card for such orders; empty if not."""
    try:
        extras(state, kind)
    except IllegalOrderError as error:
        return (Objection(message_of(error)),)
    return ()


def _explain_parts(choices: Choices, side: Side, wanted: Parts) -> Explanation:
    """Return the reasons why no order has the wanted parts, one of which is its kind."""
    kind = wanted.kind
    assert kind is not None
    place = wanted.location if kind.has_location else None
    prefix = Prefix(kind, place, tuple(sorted(wanted.cards)))

    def explain(state: State) -> Explanation:
        objections = _not_in_game(state, kind) or tuple(_misshapen(state, side, kind, wanted))
        blank = Explanation(prefix, state, side, objections)
        is_asked = game.may_answer(state, kind) and not blank.objections
        return _reason(blank, wanted, choices) if is_asked else blank

    return _in_likeliest(choices.worlds, side, kind, explain)


def _misshapen(state: State, side: Side, kind: type[Order], wanted: Parts) -> Iterator[Objection]:
    """Yield objections to parts that no order of a kind has: a location, or a card in that pile."""
    if wanted.location and not kind.has_location:
        yield Objection("“{verb}” names no location.", verb=kind.verb_label())
    for card, pile in zip(wanted.cards, wanted.piles, strict=False):
        is_besides = pile == hand_pile(side) and card in extras(state, kind, card)
        is_own = card in state.ruleset.catalogue.cards[side]
        if not pile or pile in piles_of(kind, side) or is_besides or not is_own:
            continue
        if kind.source is not Source.HAND or card in state.players[side].hand:
            yield _FROM_ELSEWHERE
        elif pile in piles_of(Draft, side) and _can_be_drafted(state, side, card):
            label = state.ruleset.catalogue.name_of(card)
            reason = Message("{card} is not in your hand.", card=label)
            yield Objection(sentences(reason, Message("It can be drafted.")))


_FROM_ELSEWHERE = Objection("No such order takes a card from there.")


class _Attempt(NamedTuple):
    """An order with the wanted parts, the cards added to them, and the objections to it."""

    order: Order
    added: tuple[str, ...]
    objections: tuple[Objection, ...]


def _reason(blank: Explanation, wanted: Parts, anywhere: Choices) -> Explanation:
    """Return why no order has the wanted parts, one of which is its kind; else `blank`.

    The reasons are the objections to all such orders; or to one that is too dear or not possible
    with other cards either; or the cards that are missing in hand.
    """
    state, side, kind = blank.state, blank.side, blank.prefix.kind
    choices, with_all = Choices([state]), Choices([with_every_card(state, side)])
    if choices.has_order(wanted):
        return blank
    if choices.has_order(wanted._replace(piles=())):
        return blank._replace(objections=(_FROM_ELSEWHERE,))
    places = choices.parts(Prefix(kind)) or with_all.parts(Prefix(kind))
    tried = list(_attempts(state, side, wanted, places))
    if not tried:
        return blank._replace(objections=(Objection(_takes(kind)),))
    always = _in_all([one.objections for one in tried])
    if always := _standing(state, tried[0], always, wanted):
        # A player without an action left needs to know nothing else.
        in_turn = [objection for objection in always if objection.topic == TURN]
        return blank._replace(objections=tuple(in_turn or always))
    tried.sort(key=lambda one: (not _is_too_dear(one), len(one.objections), -len(one.added)))
    for one in tried[:MAX_PLACES] if wanted.location or places else ():
        if _is_too_dear(one) or len(_standing(state, one, one.objections)) == len(one.objections):
            return _against(blank, one)
    text: Phrase = kind.verb_label()
    if kind in choices.kinds() or kind in anywhere.kinds():
        text = blank.prefix.text(state.ruleset.catalogue.name_of)
    if with_all.has_order(wanted._replace(piles=())):
        missing_cards = lacks(state, side, kind) if kind in BUILDING else []
        missing_cards = [lack for lack in missing_cards if wanted.location in (None, lack.location)]
        least = min((lack.number for lack in missing_cards), default=0)
        missing = tuple(lack for lack in missing_cards if lack.number == least > 0)
        none = Objection("No “{verb}” is possible with the cards that you hold.", HAND, verb=text)
        return blank._replace(objections=(none,), lacks=missing)
    if wanted.location and all(map(_leads_nowhere, tried)):
        none = Objection(
            "None of the location cards that you can use leads to {place}.",
            CONNECTIONS,
            place=state.ruleset.catalogue.name_of(wanted.location),
        )
        return blank._replace(objections=(none,))
    if wanted.cards:
        return _against(blank, tried[0])
    none = Objection("No “{verb}” is possible now.", verb=text)
    return blank._replace(objections=(none,))


def _against(blank: Explanation, attempt: _Attempt) -> Explanation:
    """Return the objections to that order, as one of several."""
    prefix = Prefix.of(attempt.order)
    return blank._replace(prefix=prefix, objections=attempt.objections, is_for_some=True)


def _is_too_dear(attempt: _Attempt) -> bool:
    return {objection.topic for objection in attempt.objections} == {MONEY}


def _leads_nowhere(attempt: _Attempt) -> bool:
    return any(objection.topic in (CONNECTIONS, SUPPLY) for objection in attempt.objections)


def _standing(
    state: State, attempt: _Attempt, objections: Sequence[Objection], wanted: Parts | None = None
) -> list[Objection]:
    """Return the objections that remain if any added card is replaced by any other.

    With `wanted`, they also have to remain with a card more, and at any other location.
    """
    kind, place, cards = type(attempt.order), attempt.order.location, attempt.order.cards
    catalogue, remaining = state.ruleset.catalogue, [*objections]
    others = [(place, cards)]
    if wanted and place and not wanted.location:
        others = [(location, cards) for location in catalogue.locations]
    for card in catalogue.cards[state.awaiting.side] if attempt.added else ():
        at_each = map(cards.index, {*attempt.added})
        others += [(place, (*cards[:at], card, *cards[at + 1 :])) for at in at_each]
        others += [(place, (*cards, card))] if wanted and len(cards) < kind.max_cards else []
    for other in starmap(kind, others if remaining else ()):
        against = game.objections(state, other)
        remaining = [objection for objection in remaining if objection in against]
    return remaining


def _attempts(state: State, side: Side, wanted: Parts, legal: Sequence[str]) -> Iterator[_Attempt]:
    """Yield orders with the wanted parts: at `legal` locations, and with available cards.

    Orders that lack only money come first. Others are added if these are too few.
    """
    kind = wanted.kind
    assert kind is not None
    places: list[str | None] = [wanted.location]
    if kind.has_location and not wanted.location:
        every = state.ruleset.catalogue.locations
        own_cards = filter(every.__contains__, wanted.cards)
        places = [*dict.fromkeys((*own_cards, *_sample(legal or [*every], MAX_PLACES)))]
    near = ACTIONS[kind].candidates(Hand(state, side)) if not kind.has_choice else ()
    there = (order for order in near if wanted.location in (None, order.location))
    with_cards = ((order, cards_of(state, order)) for order in there)
    fitting = (o for o, (explicit, also) in with_cards if Counter(wanted.cards) <= explicit + also)
    orders = list(islice(fitting, MAX_PLACES))
    every_card = Counter(state.ruleset.catalogue.cards[side].keys())
    of_held = chain.from_iterable(_complete(state, side, wanted, p, None) for p in places)
    of_all = chain.from_iterable(_complete(state, side, wanted, p, every_card) for p in places)
    orders += _sample(list(of_held) or list(of_all), MAX_ATTEMPTS)
    for order in orders:
        added = (Counter(order.cards) - Counter(wanted.cards)).elements()
        yield _Attempt(order, tuple(added), tuple(game.objections(state, order)))


def _complete(
    state: State, side: Side, wanted: Parts, place: str | None, stock: Counter[str] | None
) -> Iterator[Order]:
    """Yield orders of a kind at a location with the wanted cards and some of the `stock`.

    If that is None, the stock are the cards that such an order can name.
    """
    kind = wanted.kind
    assert kind is not None
    chosen = Counter(wanted.cards) - extras(state, kind, place)
    if stock is None:
        stock = Counter(cards_for(state, side, kind, {place} if place else state.board)) - chosen
    filled = _fill(state, side, kind, sorted(chosen.elements()), stock)
    yield from filter(None, (Prefix(kind, place, cards).to_order() for cards in filled))


def _fill(
    state: State, side: Side, kind: type[Order], cards: list[str], stock: Counter[str]
) -> Iterator[tuple[str, ...]]:
    """Yield card lists for an order of a kind: `cards` with some of the `stock`."""
    if kind.has_choice:
        for first in dict.fromkeys(permutations((*cards, *stock), kind.fixed_count)):
            rest, free = (
                Counter(cards) - Counter(first),
                stock - (Counter(first) - Counter(cards)),
            )
            pool = Counter(ACTIONS[kind].pool(Hand(state, side))) & free
            pool = pool or (free if len(cards) < kind.min_cards else pool)
            more = sorted(pool.elements(), key=lambda card: find_card(state, side, card).raid_cost)
            for further in (*((card,) for card in pool), *(more[:n] for n in range(len(more) + 1))):
                yield (*first, *rest.elements(), *further)
        return
    for number in range(max(kind.min_cards, len(cards)), kind.max_cards + 1):
        most = MAX_ADDED // (number - len(cards) or 1)
        added = combinations_with_replacement(_sample(sorted(stock), most), number - len(cards))
        for fill in added:
            if not Counter(fill) - stock:
                yield from dict.fromkeys(permutations((*cards, *fill)))


def _sample(things: Sequence[ThingT], most: int) -> list[ThingT]:
    """Return at most `most` of some things, spread evenly over the list, without randomness."""
    return [*things] if len(things) <= most else Random(0).sample(things, most)


# --- what is missing in hand


def lacks(state: State, side: Side, kind: type[Order]) -> list[Lack]:
    """Return the fewest missing cards for each location at which cards allow `side` such an order.

    Only cards are considered, and only those that `side` owns or can draft.
    """
    ways: defaultdict[str, set[tuple[Message, ...]]] = defaultdict(set)
    for order in ACTIONS[kind].candidates(Hand(with_every_card(state, side), side)):
        ways[order.place].add(tuple(_missing(state, side, order)))
    result = []
    for place in filter(ways.__contains__, state.ruleset.catalogue.locations):
        number = min(map(len, ways[place]))
        result.append(Lack(place, number, frozenset(w for w in ways[place] if len(w) == number)))
    return result


def with_every_card(state: State, side: Side) -> State:
    """Return the position if `side` held every card that it owns or can draft."""
    supposed = state.copy()
    supposed.players[side].hand += [
        card
        for card in state.ruleset.catalogue.cards[side]
        if elsewhere(state, side, card) or _can_be_drafted(state, side, card)
    ]
    return supposed


def _can_be_drafted(state: State, side: Side, card: str) -> bool:
    """Return True if a copy of a card is left to draft, at any price."""
    return card in cards_for(state, side, Draft, ())


def _missing(state: State, side: Side, order: Order) -> Iterator[Message]:
    """Yield a phrase for each card of an order that is not in hand, by its purpose."""
    in_hand, plays = Counter(state.players[side].hand), game.cards_played(state, order, side)
    for at, card in enumerate(plays, len(order.cards) - len(plays)):
        if not in_hand[card]:
            yield _lack(state, side, order, card, order.part_name(at) if at >= 0 else "")
        in_hand[card] -= 1


def _lack(state: State, side: Side, order: Order, card: str, part: str) -> Message:
    key = part or "location"
    if key in keys("lacking"):
        where = comma_list(whereabouts(state, side, card))
        return row_text("lacking", key, card=state.ruleset.catalogue.name_of(card), where=where)
    reaches = find_card(state, side, order.cards[0]).transports_to(order.place)
    symbols = sorted(reaches) if part == "transport" else [part]
    # Translators: a card with one of these symbols, such as: a bateaux or wagon card.
    return Message("a {symbols} card", symbols=or_list(map(symbol_name, symbols)))


# --- where the copies of a card are, as far as one may know


def whereabouts(state: State, side: Side, card: str) -> dict[Message, int]:
    """Return the places of the copies that `side` owns, with their number, in this view of a game.

    All face-down places are given as one, so that nothing hidden is revealed.
    """
    in_hand = state.players[side].hand.count(card)
    places = {Message("in hand"): in_hand} if in_hand else {}
    return places | elsewhere(state, side, card)


def elsewhere(state: State, side: Side, card: str) -> dict[Message, int]:
    """Return the places of the copies that are not among the visible cards in hand."""
    player = state.players[side]
    face_down = Message("in the draw pile")
    if player.hidden:
        face_down = Message("face down in hand")
        if player.draw_pile:
            face_down = Message("in the draw pile or face down in hand")
    places = {
        Message("in the reserve"): player.reserve.count(card),
        Message("in the discard pile"): player.discard.count(card),
        face_down: sum(epoch.count(card) for epoch in player.unseen),
    }
    for siege in state.sieges.values():
        place = state.ruleset.catalogue.name_of(siege.location)
        places[Message("at the siege of {place}", place=place)] = siege.cards[side].count(card)
    if state.awaiting.side is side and state.awaiting.card == card:
        places[Message("just played")] = 1
    return {place: number for place, number in places.items() if number}
