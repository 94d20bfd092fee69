"""Reasons why an order, or a part of one, is not legal now, and the legal orders nearest to it.

The reasons come from the engine: the `objections` to an order, or the common objections to all
orders with the chosen parts. To find missing cards, the engine is asked which orders would be legal
with every card that the player owns.
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
from engine.actions.raids import RaidAction, raid_targets
from engine.catalogue import symbol_name
from engine.choices import Choices, Parts, Prefix, cards_of, extra_cards, hand_pile, piles_of
from engine.message import Message, Phrase, and_list, comma_list, message_of, or_list, sentences
from engine.order import UNLIMITED, Order, Source
from engine.orders import ORDERS, Besiege, Develop, Draft, End, Fortify, Lose, Raid, Settle
from engine.ruleset import ACTIONS_A_TURN
from engine.sides import Side
from engine.state import Awaiting, Decision, State
from engine.value import Value
from pbem.text.phrases import keys, row_text

ThingT = TypeVar("ThingT")

BUILDING_KINDS = (Settle, Besiege, Develop, Fortify)
"""The kinds of order for which missing cards are listed."""
MAX_NEAREST, MAX_KINDS = 3, 3
"""The maximum numbers of nearest legal orders, and of kinds of order, in an explanation."""
MAX_ATTEMPTS, MAX_PLACES, MAX_ADDED_CARDS = 200, 8, 24
"""The maximum number of orders with the chosen parts that are checked for objections.

MAX_PLACES is the maximum number of locations for them, MAX_ADDED_CARDS the maximum number of
alternatives for an added card, divided by the number of added cards.
"""


class Lack(NamedTuple):
    """The cards that are missing in hand for an order at a location.

    `number` is the minimum number of missing cards; `ways` are the different sets of so many cards,
    each with a message for each card.
    """

    location: str
    number: int
    ways: frozenset[tuple[Message, ...]]


class Explanation(Value):
    """The reasons why an order is not legal in the position `state`, as its player sees it.

    `prefix` is the order, which may have too few or too many cards. `is_premature` is true if
    something else has to be decided now; then a turn of the player is assumed, if orders of its
    kind belong to a turn. `nearest` are the most similar legal orders.

    For a partly known order the objections apply to every such order, unless `is_example` is true:
    then they apply to the order that is nearest to being legal, and other cards may help. `lacks`:
    the cards missing in hand for the location, or for any location if none is chosen.
    """

    prefix: Prefix
    state: State
    side: Side
    objections: tuple[Objection, ...]
    is_premature: bool = False
    nearest: tuple[Order, ...] = ()
    is_example: bool = False
    lacks: tuple[Lack, ...] = ()

    @property
    def order(self) -> Order | None:
        """The order; None with a wrong number of cards."""
        return self.prefix.to_order()

    @property
    def is_legal(self) -> bool:
        """True if the order can be given now."""
        return not self.objections and not self.is_premature

    @property
    def belongs_to_a_turn(self) -> bool:
        """True if orders of this kind are given in a turn, not as a reply."""
        return Decision.TURN in ACTIONS[self.prefix.kind].decisions

    @property
    def distance(self) -> int:
        """The order's distance from being legal, from 0 (only an action is missing) to 3."""
        topics = {objection.topic for objection in self.objections}
        if topics == {TURN} and not self.is_premature:
            return 0
        if self.lacks or self.is_example or topics == {MONEY}:
            return 1
        return 2 if topics in ({HAND}, {CONNECTIONS}) else 3

    def copies_elsewhere(self) -> dict[str, dict[Message, int]]:
        """Return the places, with numbers of copies, of each card missing in hand, by its id."""
        missing = {objection.missing for objection in self.objections} - {""}
        return {card: other_places(self.state, self.side, card) for card in missing}


# --- objections to an order


def explain_order(worlds: Sequence[State], side: Side, prefix: Prefix) -> Explanation:
    """Return the reasons against an order, in the world with the fewest objections."""

    def explain(state: State) -> Explanation:
        why = tuple(_objections(state, side, prefix))
        return Explanation(prefix, state, side, why, nearest=_nearest(state, prefix) if why else ())

    return _explain_best(worlds, side, prefix.kind, explain)


def _explain_best(
    worlds: Sequence[State], side: Side, kind: type[Order], explain: Callable[[State], Explanation]
) -> Explanation:
    """Return the explanation with the fewest objections, in worlds in which a kind can answer.

    If there is no such world, a turn of `side` is assumed.
    """
    answerable = _answerable_worlds(worlds, side, kind)
    assumed = () if answerable else [_suppose(world, side, kind) for world in worlds]
    best = min(map(explain, answerable or assumed), key=lambda result: len(result.objections))
    return best._replace(is_premature=not answerable)


def _answerable_worlds(worlds: Iterable[State], side: Side, kind: type[Order]) -> list[State]:
    """Return the worlds in which orders of a kind can answer the decision of `side`."""
    return [world for world in worlds if world.can_decide(side) and game.may_answer(world, kind)]


def _objections(state: State, side: Side, prefix: Prefix) -> list[Objection]:
    """Return the objections to an order; if it is incomplete, those that no cards can remove."""
    order = prefix.to_order()
    if order is not None:
        return game.objections(state, order)
    missing = prefix.kind.min_cards - len(prefix.cards)
    filled = (prefix.to_order(*[card] * missing) for card in state.ruleset.catalogue.cards[side])
    objection_lists = [game.objections(state, order) for order in filled if order]
    return [Objection(_needed_parts(prefix.kind)), *_common_objections(objection_lists)]


def _common_objections(objection_lists: Sequence[Sequence[Objection]]) -> list[Objection]:
    """Return the objections that occur in all of `objection_lists`."""
    first, *others = objection_lists or [[]]
    return [objection for objection in first if all(objection in other for other in others)]


def _needed_parts(kind: type[Order]) -> Message:
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
    """Return a position in which an order of a kind that cannot be given now would be given."""
    is_used_up = state.awaiting.decision is Decision.TURN and not state.actions_left
    if kind is not Lose or not is_used_up:
        return in_own_turn(state, side)
    # The loser's card is chosen after the end of the turn.
    after = state.copy()
    game.apply(after, End())
    return after


def in_own_turn(state: State, side: Side) -> State:
    """Return the position as if `side`, whose view it is, could act now; unchanged if it can."""
    if state.can_decide(side) and state.awaiting.decision is Decision.TURN and state.actions_left:
        return state
    result = state.copy()
    result.active, result.outcome, result.refilled = side, None, False
    result.awaiting, result.actions_left = Awaiting(Decision.TURN, side), ACTIONS_A_TURN
    return result


def _nearest(state: State, prefix: Prefix) -> tuple[Order, ...]:
    """Return the legal orders of the same kind that are most alike.

    They are at the same location if possible, otherwise they share the most cards.
    """
    cards = set(prefix.cards)

    def likeness(other: Order) -> tuple[int, int]:
        return len(cards & set(other.cards)), -len(other.cards)

    may_answer = game.may_answer(state, prefix.kind)
    legal = list(Choices([state]).some_orders(Prefix(prefix.kind))) if may_answer else []
    at_place = [other for other in legal if prefix.location and other.location == prefix.location]
    sharing = [other for other in legal if cards & set(other.cards)]
    return tuple(sorted(at_place or sharing or legal, key=likeness, reverse=True)[:MAX_NEAREST])


# --- objections to a part


def explain_part(choices: Choices, side: Side, selection: Parts, part: Parts) -> list[Explanation]:
    """Return the reasons why a part cannot be added, for each kind of order, nearest first.

    A location or kind in `part` replaces the one in `selection`.
    """
    rest = selection._replace(
        kind=None if part.kind else selection.kind,
        location=None if part.location else selection.location,
    )
    following = choices.next_parts(rest)
    if rest != selection and (part.kind in following.kinds or part.location in following.locations):
        return [_selection_conflict(choices.worlds[0], side, selection, part)]
    parts = Parts.of((*rest.keys, *part.keys))
    is_outside = any(pile != hand_pile(side) for pile in part.piles)
    if is_outside and not rest.kind and rest != Parts() and _is_next(choices, Parts(), part):
        return [_selection_conflict(choices.worlds[0], side, rest, part)]
    previous = following.kinds if rest.cards or rest.location else ()
    kinds = [parts.kind] if parts.kind else _kinds_for(choices.worlds, side, previous, part)
    reasons = [_explain_parts(choices, side, parts._replace(kind=kind)) for kind in kinds]
    min_distance = min(reason.distance for reason in reasons)
    nearest: list[Explanation] = []
    # At most a few nearest ones, without repetition.
    for reason in sorted(reasons, key=lambda reason: len(reason.objections)):
        is_new = not any({*earlier.objections} <= {*reason.objections} for earlier in nearest)
        if reason.distance == min_distance and is_new:
            nearest.append(reason)
    return nearest[:MAX_KINDS]


def _selection_conflict(state: State, side: Side, selection: Parts, part: Parts) -> Explanation:
    """Explain that `part` conflicts with a part that is already selected."""
    name, prefix = state.ruleset.catalogue.name_of, Prefix(selection.kind or Draft)
    if part.kind and selection.kind:
        verb = selection.kind.verb_label()
        reason = Message("“{verb}” is already chosen; an order does one thing.", verb=verb)
    elif part.cards:
        chosen = and_list(map(name, filter(None, (selection.location, *selection.cards))))
        reason = Message(
            "{chosen} is already chosen, and does not go with {card}: remove it first.",
            chosen=chosen,
            card=name(part.cards[0]),
        )
    else:
        assert selection.location is not None
        place = name(selection.location)
        reason = Message("{place} is already chosen; an order has one location.", place=place)
    return Explanation(prefix, state, side, (Objection(reason),))


def _is_next(choices: Choices, selection: Parts, part: Parts) -> bool:
    """Return True if a part, which is a card of a pile, can be added to a selection."""
    return not {*part.keys} - {*choices.next_parts(selection).keys}


def _kinds_for(
    worlds: Sequence[State], side: Side, previous: Iterable[type[Order]], part: Parts
) -> list[type[Order]]:
    """Return the kinds that an order with the part could have: continued, awaited, or any kinds."""
    all_kinds = [kind for kind in ORDERS.values() if kind.has_location or not part.location]
    all_kinds = [kind for kind in all_kinds if kind.max_cards or not part.cards]
    # The pile of a card outside the hand shows which kinds of order it is for.
    own_turn, piles = in_own_turn(worlds[0], side), {*part.piles}
    in_pile = [k for k in all_kinds if piles & {*piles_of(k, side)}]
    pile_kinds = [k for k in in_pile if not _card_objections(own_turn, k)]
    due_kinds = [kind for kind in all_kinds if _answerable_worlds(worlds, side, kind)]
    turn_kinds = [kind for kind in all_kinds if Decision.TURN in ACTIONS[kind].decisions]
    for kinds, allowed in product((previous, due_kinds, turn_kinds), (pile_kinds, all_kinds)):
        if fitting := [kind for kind in kinds if kind in allowed]:
            return fitting
    return []


def _card_objections(state: State, kind: type[Order]) -> tuple[Objection, ...]:
    """Return the objection to a kind whose card the side to decide lacks; empty otherwise."""
    try:
        extra_cards(state, kind)
    except IllegalOrderError as error:
        return (Objection(message_of(error)),)
    return ()


def _explain_parts(choices: Choices, side: Side, parts: Parts) -> Explanation:
    """Return the reasons why no order has `parts`, which include its kind."""
    kind = parts.kind
    assert kind is not None
    place = parts.location if kind.has_location else None
    prefix = Prefix(kind, place, tuple(sorted(parts.cards)))

    def explain(state: State) -> Explanation:
        objections = _card_objections(state, kind) or tuple(_part_faults(state, side, kind, parts))
        result = Explanation(prefix, state, side, objections)
        is_asked = game.may_answer(state, kind) and not result.objections
        return _explain_no_order(result, parts, choices) if is_asked else result

    return _explain_best(choices.worlds, side, kind, explain)


def _part_faults(state: State, side: Side, kind: type[Order], parts: Parts) -> Iterator[Objection]:
    """Yield objections to parts that no order of a kind has: a location, or a card of a pile."""
    if parts.location and not kind.has_location:
        yield Objection("“{verb}” names no location.", verb=kind.verb_label())
    for card, pile in zip(parts.cards, parts.piles, strict=False):
        is_besides = pile == hand_pile(side) and card in extra_cards(state, kind, card)
        is_own = card in state.ruleset.catalogue.cards[side]
        if not pile or pile in piles_of(kind, side) or is_besides or not is_own:
            continue
        if kind.source is not Source.HAND or card in state.players[side].hand:
            yield _wrong_pile(kind, pile, side)
        elif pile in piles_of(Draft, side) and _can_be_drafted(state, side, card):
            label = state.ruleset.catalogue.name_of(card)
            reason = Message("{card} is not in your hand.", card=label)
            yield Objection(sentences(reason, Message("It can be drafted.")))


def _wrong_pile(kind: type[Order], pile: str, side: Side) -> Objection:
    verb = kind.verb_label()
    if kind.source is Source.HAND:
        return Objection(Message("“{verb}” takes cards from your hand only.", verb=verb))
    if pile == hand_pile(side):
        return Objection(Message("“{verb}” takes no card from your hand.", verb=verb))
    return Objection(Message("“{verb}” takes no card from there.", verb=verb))


class _Attempt(NamedTuple):
    """An order with the chosen parts, the cards added to them, and the objections to it."""

    order: Order
    added: tuple[str, ...]
    objections: tuple[Objection, ...]


def _explain_no_order(result: Explanation, parts: Parts, all_choices: Choices) -> Explanation:
    """Return the reasons why no order has `parts`, which include its kind; else `result`.

    The reasons are the objections to all such orders, or to an order that is too expensive or that
    other cards would not help, or the cards that are missing in hand.
    """
    state, side, kind = result.state, result.side, result.prefix.kind
    choices, ideal_choices = Choices([state]), Choices([with_every_card(state, side)])
    if choices.has_order(parts):
        return result
    if choices.has_order(parts._replace(piles=())):
        pile = next(filter(None, parts.piles), "")
        return result._replace(objections=(_wrong_pile(kind, pile, side),))
    places = choices.parts(Prefix(kind)) or ideal_choices.parts(Prefix(kind))
    trials = list(_attempts(state, side, parts, places))
    if not trials:
        return result._replace(objections=(Objection(_needed_parts(kind)),))
    common = _common_objections([trial.objections for trial in trials])
    if common := _unavoidable_objections(state, trials[0], common, parts):
        # If no actions are left, other objections do not matter.
        turn_objections = [objection for objection in common if objection.topic == TURN]
        return result._replace(objections=tuple(turn_objections or common))
    if kind is Raid and (reason := _raid_shortfall(state, side, parts)):
        return result._replace(objections=(Objection(reason),))
    trials.sort(key=lambda t: (not _lacks_money(t), len(t.objections), -len(t.added)))
    for trial in trials[:MAX_PLACES] if parts.location or places else ():
        unavoidable = _unavoidable_objections(state, trial, trial.objections)
        if _lacks_money(trial) or len(unavoidable) == len(trial.objections):
            return _with_trial(result, trial)
    text: Phrase = kind.verb_label()
    if kind in choices.kinds() or kind in all_choices.kinds():
        text = result.prefix.text(state.ruleset.catalogue.name_of)
    if ideal_choices.has_order(parts._replace(piles=())):
        shortfalls = lacks(state, side, kind) if kind in BUILDING_KINDS else []
        shortfalls = [lack for lack in shortfalls if parts.location in (None, lack.location)]
        min_number = min((lack.number for lack in shortfalls), default=0)
        missing = tuple(lack for lack in shortfalls if lack.number == min_number > 0)
        held = (t for t in trials if not Counter(t.order.cards) - Counter(state.players[side].hand))
        common = [] if kind.has_location else _common_objections([t.objections for t in held])
        vague = Message("No “{verb}” is possible with the cards that you hold.", verb=text)
        objection = Objection(sentences(vague, *(against.reason for against in common)), HAND)
        return result._replace(objections=(objection,), lacks=missing)
    if parts.location and all(map(_lacks_connection, trials)):
        objection = Objection(
            "None of the location cards that you can use leads to {place}.",
            CONNECTIONS,
            place=state.ruleset.catalogue.name_of(parts.location),
        )
        return result._replace(objections=(objection,))
    if parts.cards:
        return _with_trial(result, trials[0])
    objection = Objection("No “{verb}” is possible now.", verb=text)
    return result._replace(objections=(objection,))


def _raid_shortfall(state: State, side: Side, parts: Parts) -> Message | None:
    """Return the reason why the cards in hand reach no location; None if that is not the reason."""
    hand = Hand(state, side)
    pool = RaidAction().pool(hand)
    if not {*parts.cards} <= {*pool}:
        return None
    if not any(card.raid for card in hand.cards):
        return Message("You hold no card that can raid.")
    if parts.location:
        return None
    targets, count = raid_targets(state, side), len(pool)
    nearest = min(targets, key=targets.__getitem__, default=None)
    if nearest is None:
        return Message("No raid can reach an enemy location now.")
    if targets[nearest] <= count:
        return None
    return Message.counted(
        "Nothing is in reach: the nearest location, {place}, takes {count} card that can raid, "
        "and you hold {held}.",
        "Nothing is in reach: the nearest location, {place}, takes {count} cards that can raid, "
        "and you hold {held}.",
        targets[nearest],
        place=state.ruleset.catalogue.name_of(nearest),
        held=count,
    )


def _with_trial(result: Explanation, trial: _Attempt) -> Explanation:
    """Return the explanation with the objections to one of several possible orders."""
    prefix = Prefix.of(trial.order)
    return result._replace(prefix=prefix, objections=trial.objections, is_example=True)


def _lacks_money(trial: _Attempt) -> bool:
    return {objection.topic for objection in trial.objections} == {MONEY}


def _lacks_connection(trial: _Attempt) -> bool:
    return any(objection.topic in (CONNECTIONS, SUPPLY) for objection in trial.objections)


def _unavoidable_objections(
    state: State, trial: _Attempt, objections: Sequence[Objection], parts: Parts | None = None
) -> list[Objection]:
    """Return the objections that remain if any added card is replaced by any other.

    If `parts` are given, the objections also have to remain with one more card, and at any other
    location unless `parts` has one.
    """
    kind, place, cards = type(trial.order), trial.order.location, trial.order.cards
    catalogue, remaining = state.ruleset.catalogue, [*objections]
    others = [(place, cards)]
    if parts and place and not parts.location:
        others = [(location, cards) for location in catalogue.locations]
    for card in catalogue.cards[state.awaiting.side] if trial.added else ():
        at_each = map(cards.index, {*trial.added})
        others += [(place, (*cards[:at], card, *cards[at + 1 :])) for at in at_each]
        others += [(place, (*cards, card))] if parts and len(cards) < kind.max_cards else []
    for other in starmap(kind, others if remaining else ()):
        against = game.objections(state, other)
        remaining = [objection for objection in remaining if objection in against]
    return remaining


def _attempts(state: State, side: Side, parts: Parts, legal: Sequence[str]) -> Iterator[_Attempt]:
    """Yield orders with `parts`, at `legal` locations and with available cards.

    Orders that the cards in hand allow come first.
    """
    kind = parts.kind
    assert kind is not None
    places: list[str | None] = [parts.location]
    if kind.has_location and not parts.location:
        locations = state.ruleset.catalogue.locations
        own_cards = filter(locations.__contains__, parts.cards)
        places = [*dict.fromkeys((*own_cards, *_sample(legal or [*locations], MAX_PLACES)))]
    candidates = ACTIONS[kind].candidates(Hand(state, side)) if not kind.has_choice else ()
    at_place = (order for order in candidates if parts.location in (None, order.location))
    with_cards = ((order, cards_of(state, order)) for order in at_place)
    fitting = (o for o, (explicit, also) in with_cards if Counter(parts.cards) <= explicit + also)
    orders = list(islice(fitting, MAX_PLACES))
    every_card = Counter(state.ruleset.catalogue.cards[side].keys())
    from_hand = chain.from_iterable(_complete(state, side, parts, p, None) for p in places)
    from_all = chain.from_iterable(_complete(state, side, parts, p, every_card) for p in places)
    orders += _sample(list(from_hand) or list(from_all), MAX_ATTEMPTS)
    for order in orders:
        added = (Counter(order.cards) - Counter(parts.cards)).elements()
        yield _Attempt(order, tuple(added), tuple(game.objections(state, order)))


def _complete(
    state: State, side: Side, parts: Parts, place: str | None, stock: Counter[str] | None
) -> Iterator[Order]:
    """Yield orders at a location with `parts` and some cards of the `stock`.

    If `stock` is None, it consists of the cards that such an order can name.
    """
    kind = parts.kind
    assert kind is not None
    selection = Counter(parts.cards) - extra_cards(state, kind, place)
    if stock is None:
        stock = Counter(cards_for(state, side, kind, {place} if place else state.board)) - selection
    filled = _fill(state, side, kind, sorted(selection.elements()), stock)
    yield from filter(None, (Prefix(kind, place, cards).to_order() for cards in filled))


def _fill(
    state: State, side: Side, kind: type[Order], cards: list[str], stock: Counter[str]
) -> Iterator[tuple[str, ...]]:
    """Yield card lists for an order of a kind: `cards`, and some cards of the `stock`."""
    if kind.has_choice:
        for first in dict.fromkeys(permutations((*cards, *stock), kind.fixed_count)):
            rest = Counter(cards) - Counter(first)
            free = stock - (Counter(first) - Counter(cards))
            pool = Counter(ACTIONS[kind].pool(Hand(state, side))) & free
            pool = pool or (free if len(cards) < kind.min_cards else pool)
            spare = sorted(pool.elements(), key=lambda card: find_card(state, side, card).raid_cost)
            for extra in (*((card,) for card in pool), *(spare[:n] for n in range(len(spare) + 1))):
                yield (*first, *rest.elements(), *extra)
        return
    for number in range(max(kind.min_cards, len(cards)), kind.max_cards + 1):
        limit = MAX_ADDED_CARDS // (number - len(cards) or 1)
        added = combinations_with_replacement(_sample(sorted(stock), limit), number - len(cards))
        for fill in added:
            if not Counter(fill) - stock:
                yield from dict.fromkeys(permutations((*cards, *fill)))


def _sample(things: Sequence[ThingT], limit: int) -> list[ThingT]:
    """Return at most `limit` of some things, sampled evenly with a fixed seed."""
    return [*things] if len(things) <= limit else Random(0).sample(things, limit)


# --- missing cards


def lacks(state: State, side: Side, kind: type[Order]) -> list[Lack]:
    """Return the missing cards for an order of a kind, at each location that allows one.

    Only cards that `side` owns or can draft are considered, and no other rule.
    """
    ways: defaultdict[str, set[tuple[Message, ...]]] = defaultdict(set)
    for order in ACTIONS[kind].candidates(Hand(with_every_card(state, side), side)):
        ways[order.target].add(tuple(_missing_cards(state, side, order)))
    result = []
    for place in filter(ways.__contains__, state.ruleset.catalogue.locations):
        number = min(map(len, ways[place]))
        result.append(Lack(place, number, frozenset(w for w in ways[place] if len(w) == number)))
    return result


def with_every_card(state: State, side: Side) -> State:
    """Return the position if `side` held every card that it owns or can draft."""
    result = state.copy()
    result.players[side].hand += [
        card
        for card in state.ruleset.catalogue.cards[side]
        if other_places(state, side, card) or _can_be_drafted(state, side, card)
    ]
    return result


def _can_be_drafted(state: State, side: Side, card: str) -> bool:
    """Return True if a copy of a card is left to draft, at any price."""
    return card in cards_for(state, side, Draft, ())


def _missing_cards(state: State, side: Side, order: Order) -> Iterator[Message]:
    """Yield a phrase for each card of an order that is not in hand, by its purpose."""
    in_hand, plays = Counter(state.players[side].hand), game.cards_played(state, order, side)
    for at, card in enumerate(plays, len(order.cards) - len(plays)):
        if not in_hand[card]:
            yield _lack_text(state, side, order, card, order.part_name(at) if at >= 0 else "")
        in_hand[card] -= 1


def _lack_text(state: State, side: Side, order: Order, card: str, part: str) -> Message:
    key = part or "location"
    if key in keys("lacking"):
        where = comma_list(card_places(state, side, card))
        return row_text("lacking", key, card=state.ruleset.catalogue.name_of(card), where=where)
    reaches = find_card(state, side, order.cards[0]).transports_to(order.target)
    symbols = sorted(reaches) if part == "transport" else [part]
    # Translators: a card with one of these symbols, for example “a bateaux or wagon card”.
    return Message("a {symbols} card", symbols=or_list(map(symbol_name, symbols)))


# --- places of a card's copies


def card_places(state: State, side: Side, card: str) -> dict[Message, int]:
    """Return the places of the copies that `side` owns, with their numbers, in this view of a game.

    All face-down places are combined, so that nothing hidden is revealed.
    """
    in_hand = state.players[side].hand.count(card)
    places = {Message("in hand"): in_hand} if in_hand else {}
    return places | other_places(state, side, card)


def other_places(state: State, side: Side, card: str) -> dict[Message, int]:
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
