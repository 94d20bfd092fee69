"""The reason why something cannot be chosen is true: by the rules alone, not by how it is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings

from engine.actions.action import HAND, MONEY, TURN, Hand, IllegalOrderError, cards_for
from engine.choices import Choices, Parts
from engine.foresight import states_after_reply
from engine.game import apply, is_legal, legal_orders, may_answer, objections
from engine.order import Order
from engine.orders import ORDERS, Draft
from engine.sides import Side
from engine.state import Decision, State, new_game
from pbem.text.facts.why_not import MAX_KINDS, Explanation, explain_part, with_every_card
from pbem.text.language import Language
from pbem.text.ordering.explanation import missing_order_text
from pbem.text.ordering.menu import next_parts_text
from pbem.text.phrases import names
from tests.engine.arbitrary import random_choices
from tests.engine.clicks import cards_besides, random_keys
from tests.engine.house_rule_positions import random_rules
from tests.engine.starts import SEEDS, START_NAMES, STARTS, modest, thorough

ENGLISH = Language("en")
COMPLETIONS = 60
"""How many orders with what is chosen are tried for each reason."""


def has(state: State, order: Order, wanted: Parts) -> bool:
    """Return True if an order has these parts."""
    try:
        cards = Counter([*order.cards, *cards_besides(state, order)])
    except IllegalOrderError:
        cards = Counter(order.cards)
    is_there = wanted.location in (None, order.location)
    return is_there and type(order) is wanted.kind and Counter(wanted.cards) <= cards


def completions(random: Random, state: State, wanted: Parts) -> Iterator[Order]:
    """Yield orders with these parts, and cards that are there, in any sequence."""
    kind, side = wanted.kind, state.awaiting.side
    assert kind is not None
    for _ in range(COMPLETIONS):
        place = wanted.location or random.choice([*state.ruleset.catalogue.locations])
        there = Counter(cards_for(state, side, kind, {place})) - Counter(wanted.cards)
        cards = [card for card in wanted.cards if random.random() < 0.8]
        more = random.randint(0, max(0, min(kind.max_cards, 5) - len(cards)))
        cards += random.sample([*there.elements()], min(more, there.total()))
        random.shuffle(cards)
        if kind.min_cards <= len(cards) <= kind.max_cards:
            order = kind(place if kind.has_location else None, tuple(cards))
            if has(state, order, wanted):
                yield order


def without(state: State, objection: str, missing: str) -> State:
    """Return a position in which an objection about that part of the rules does not hold."""
    mended = state.copy()
    if objection == TURN:
        mended.actions_left = 0 if state.actions_left else 2
    if objection == MONEY:
        mended.players[state.awaiting.side].money += 50
    if objection == HAND:
        mended.players[state.awaiting.side].hand += [missing] * 5
    return mended


def check_one(random: Random, worlds: Sequence[State], one: Explanation, wanted: Parts) -> None:
    """Compare an explanation with the engine's objections to its orders."""
    state, side, kind = one.state, one.side, one.prefix.kind
    wanted, reasons = wanted._replace(kind=kind), [str(part.reason) for part in one.objections]
    is_awaited = any(world.can_decide(side) and may_answer(world, kind) for world in worlds)
    assert one.is_for_later is not is_awaited
    if one.is_for_later and not one.belongs_to_a_turn:
        return
    with_all = Choices([with_every_card(state, side)])
    is_legal_now = any(has(state, order, wanted) for order in legal_orders(state))
    assert is_legal_now != bool(reasons) or any("from there" in reason for reason in reasons)
    if one.is_for_some:
        assert one.order is not None
        assert has(state, one.order, wanted)
        assert [*one.objections] == objections(state, one.order)
        is_dear = {part.topic for part in one.objections} == {MONEY}
        assert not is_dear or is_legal(without(state, MONEY, ""), one.order)
    elif any(" is possible " in reason for reason in reasons):
        is_held = "with the cards that you hold" in reasons[0]
        assert with_all.has_order(wanted._replace(piles=())) is is_held
        for lack in (lack for lack in one.lacks if lack.number == 1):
            assert [can_be_made_up(state, side, kind, lack.location, n) for n in (0, 1)] == [
                False,
                True,
            ]
    elif any("that you can use leads to" in reason for reason in reasons):
        usable = Hand(state, side).usable
        ways = [
            (card, means)
            for card in usable
            for to, means in card.ways.items()
            if to == wanted.location
        ]
        assert not any(
            means & other.symbols for card, means in ways for other in usable if other is not card
        )
    elif any("from there" in reason for reason in reasons):
        assert not Choices([state]).has_order(wanted)
    elif any("can be drafted" in reason for reason in reasons):
        assert {*wanted.cards} & {*cards_for(state, side, Draft, ())} - {*state.players[side].hand}
    elif any("names" in reason or "takes no cards" in reason for reason in reasons):
        is_shaped = kind.has_location or not wanted.location
        assert not is_shaped or not any(True for _ in completions(random, state, wanted))
    elif reasons:
        check_always(random, state, one, wanted)


def check_always(random: Random, state: State, one: Explanation, wanted: Parts) -> None:
    """Check that at least one objection holds for all orders with the parts, the others for most.

    If the parts are a whole order, it is the only order. Removing the reason removes the objection.
    """
    whole = one.prefix.to_order()
    orders = [whole] if whole else [*completions(random, state, wanted)]
    against = [objections(state, order) for order in orders]
    shares = [sum(part in matches for matches in against) for part in one.objections]
    assert len(orders) in shares, orders
    assert min(shares) * 2 >= len(orders), orders
    in_turn = state.awaiting.decision is Decision.TURN
    for part in one.objections if in_turn else ():
        if part.topic in (TURN, MONEY, HAND):
            mended = without(state, part.topic, part.missing)
            assert not any(part in objections(mended, order) for order in orders), part


def can_be_made_up(state: State, side: Side, kind: type[Order], place: str, number: int) -> bool:
    """Return True if that many cards more let an order be given at a place, money apart."""
    every = [*state.ruleset.catalogue.cards[side]]
    for cards in combinations(every, number):
        more = without(state, MONEY, "")
        more.players[side].hand += cards
        if any(order.location == place for order in legal_of(more, kind)):
            return True
    return False


def legal_of(state: State, kind: type[Order]) -> list[Order]:
    """Return the legal orders of a kind."""
    return legal_orders(state, ignoring={*ORDERS.values()} - {kind})


def selections(random: Random, state: State, legal: Sequence[Order]) -> Iterator[tuple[Parts, str]]:
    """Yield chosen parts and the next part clicked: of each kind, and on the way to an order.

    A card may be clicked in any pile.
    """
    catalogue, side = state.ruleset.catalogue, state.awaiting.side
    piles = [
        "",
        *(f"@{part.value}-{pile}" for part in Side for pile in ("hand", "reserve", "discard")),
    ]
    piles += [f"@{side.value}-draft", "@neutral", f"@{side.value}-siege"]

    def clicks() -> str:
        if random.random() < 0.4:
            return f"location:{random.choice([*catalogue.locations])}"
        held = state.players[side].hand or [*catalogue.cards[side]]
        card = random.choice(held if random.random() < 0.6 else [*catalogue.cards[side]])
        return f"card:{card}{random.choice(piles) if random.random() < 0.5 else ''}"

    for verb in random.sample([*ORDERS], 12):
        yield Parts(), f"kind:{verb}"
        yield Parts(ORDERS[verb]), clicks()
    keys = random_keys(random, state, random.choice(legal))
    yield Parts.of(keys[: random.randint(0, len(keys))]), clicks()


def check_reasons(random: Random, worlds: Sequence[State], legal: Sequence[Order]) -> None:
    """Of parts that cannot be chosen it is told truly why."""
    choices, side = Choices(worlds), worlds[0].awaiting.side
    name = names(worlds[0])
    for chosen, key in selections(random, worlds[0], legal):
        prompts = Parts.of([key])
        following = choices.next_parts(chosen)
        assert ENGLISH.say(next_parts_text(chosen, following, name)).endswith(".")
        if key in {lit if "@" in key else lit.partition("@")[0] for lit in following.keys}:
            continue
        matches = explain_part(choices, side, chosen, prompts)
        assert 0 < len(matches) <= MAX_KINDS
        output = [
            ENGLISH.say(line.text)
            for line in missing_order_text(ENGLISH, choices, side, chosen, prompts)
        ]
        assert output and all(output), (chosen, key)
        if "is already chosen" in output[0]:
            continue
        rest = chosen.keys if not prompts.location else chosen._replace(location=None).keys
        for one in matches:
            assert not one.is_legal, (chosen, key)
            check_one(random, worlds, one, Parts.of((*rest, key)))


@pytest.mark.slow
@settings(modest, max_examples=4)
@given(seed=SEEDS, start=START_NAMES)
def test_refused_orders_have_true_reasons(seed: int, start: str) -> None:
    random = Random(seed)
    for state, legal in random_choices(random, 12, STARTS[start]()):
        if legal and random.random() < 0.2:
            check_reasons(random, [state], legal)


@settings(modest, max_examples=2)
@given(seed=SEEDS, start=START_NAMES)
def test_reasons_are_true_after_any_answer(seed: int, start: str) -> None:
    check_worlds(Random(seed), STARTS[start](), 25)


@pytest.mark.long
@settings(thorough, max_examples=12)
@given(seed=SEEDS)
def test_reasons_are_true_under_all_rules(seed: int) -> None:
    random = Random(seed)
    rules = random_rules(random)
    for state, legal in random_choices(random, 100, new_game(rules)):
        if legal and random.random() < 0.1:
            check_reasons(random, [state], legal)
    check_worlds(random, new_game(rules), 100)


def check_worlds(random: Random, start: State, orders: int) -> None:
    """Check explanations for orders that have to be legal after every reply."""
    for state, legal in random_choices(random, orders, start):
        attacks = [order for order in legal if order.verb in ("raid", "ambush", "convert")]
        if attacks and random.random() < 0.2:
            after = state.copy()
            apply(after, random.choice(attacks))
            worlds = [
                one for one in states_after_reply(after) if not one.awaiting.decision.is_chance
            ]
            if worlds and (orders_then := legal_orders(worlds[0])):
                check_reasons(random, worlds, orders_then)
