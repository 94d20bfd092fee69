"""The reasons why a part cannot be chosen agree with the rules of the engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings

from engine.actions.action import HAND, MONEY, TURN, Hand, IllegalOrderError, cards_for
from engine.actions.raids import RaidAction, raid_targets
from engine.choices import Choices, Parts
from engine.foresight import states_after_reply
from engine.game import apply, is_legal, legal_orders, may_answer, objections
from engine.order import Order
from engine.orders import ORDERS, Draft, Raid
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

WRONG_PILE = re.compile("takes (?:no card|cards) from (?:there|your hand)")
"""The reasons against a card of a pile from which such orders take none."""


ENGLISH = Language("en")
RAID_SHORTFALLS = (
    "You hold no card that can raid.",
    "No raid can reach an enemy location now.",
    "Nothing is in reach: ",
)
COMPLETIONS = 60
"""The number of orders with the chosen parts that are tried for each reason."""


def has_parts(state: State, order: Order, parts: Parts) -> bool:
    """Return True if an order has these parts."""
    try:
        cards = Counter([*order.cards, *cards_besides(state, order)])
    except IllegalOrderError:
        cards = Counter(order.cards)
    is_there = parts.location in (None, order.location)
    return is_there and type(order) is parts.kind and Counter(parts.cards) <= cards


def completions(random: Random, state: State, parts: Parts) -> Iterator[Order]:
    """Yield orders with these parts, and cards that are there, in any sequence."""
    kind, side = parts.kind, state.awaiting.side
    assert kind is not None
    for _ in range(COMPLETIONS):
        place = parts.location or random.choice([*state.ruleset.catalogue.locations])
        available_cards = Counter(cards_for(state, side, kind, {place})) - Counter(parts.cards)
        cards = [card for card in parts.cards if random.random() < 0.8]
        supposed = random.randint(0, max(0, min(kind.max_cards, 5) - len(cards)))
        cards += random.sample(
            [*available_cards.elements()], min(supposed, available_cards.total())
        )
        random.shuffle(cards)
        if kind.min_cards <= len(cards) <= kind.max_cards:
            order = kind(place if kind.has_location else None, tuple(cards))
            if has_parts(state, order, parts):
                yield order


def without_obstacle(state: State, objection: str, missing: str) -> State:
    """Return a position in which an objection about that part of the rules does not hold."""
    mended = state.copy()
    if objection == TURN:
        mended.actions_left = 0 if state.actions_left else 2
    if objection == MONEY:
        mended.players[state.awaiting.side].money += 50
    if objection == HAND:
        mended.players[state.awaiting.side].hand += [missing] * 5
    return mended


def check_explanation(
    random: Random, worlds: Sequence[State], explanation: Explanation, parts: Parts
) -> None:
    """Compare an explanation with the engine's objections to its orders."""
    state, side, kind = explanation.state, explanation.side, explanation.prefix.kind
    parts, reasons = (
        parts._replace(kind=kind),
        [str(objection.reason) for objection in explanation.objections],
    )
    is_awaited = any(world.can_decide(side) and may_answer(world, kind) for world in worlds)
    assert explanation.is_premature is not is_awaited
    if explanation.is_premature and not explanation.belongs_to_a_turn:
        return
    for objection in explanation.objections:
        # A card that is said to be missing is not in hand as often as the order names it.
        named = max(1, explanation.prefix.cards.count(objection.missing))
        named += "no other" in str(objection.reason)
        assert not objection.missing or state.players[side].hand.count(objection.missing) < named
    with_all = Choices([with_every_card(state, side)])
    is_legal_now = any(has_parts(state, order, parts) for order in legal_orders(state))
    assert is_legal_now != bool(reasons) or any(WRONG_PILE.search(reason) for reason in reasons)
    if explanation.is_example:
        assert explanation.order is not None
        assert has_parts(state, explanation.order, parts)
        assert [*explanation.objections] == objections(state, explanation.order)
        is_dear = {objection.topic for objection in explanation.objections} == {MONEY}
        assert not is_dear or is_legal(without_obstacle(state, MONEY, ""), explanation.order)
    elif kind is Raid and reasons and reasons[0].startswith(RAID_SHORTFALLS):
        check_reach(state, side, reasons)
    elif any(" is possible " in reason for reason in reasons):
        is_held = "with the cards that you hold" in reasons[0]
        assert with_all.has_order(parts._replace(piles=())) is is_held
        for lack in (lack for lack in explanation.lacks if lack.number == 1):
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
            if to == parts.location
        ]
        assert not any(
            means & other.symbols for card, means in ways for other in usable if other is not card
        )
    elif any(WRONG_PILE.search(reason) for reason in reasons):
        assert not Choices([state]).has_order(parts)
    elif any("can be drafted" in reason for reason in reasons):
        assert {*parts.cards} & {*cards_for(state, side, Draft, ())} - {*state.players[side].hand}
    elif any("names" in reason or "takes no cards" in reason for reason in reasons):
        is_shaped = kind.has_location or not parts.location
        assert not is_shaped or not any(True for _ in completions(random, state, parts))
    elif reasons:
        check_always(random, state, explanation, parts)


def check_reach(state: State, side: Side, reasons: Sequence[str]) -> None:
    """Compare a reason why nothing can be raided with the hand and the map."""
    hand = Hand(state, side)
    raiders, targets = [card for card in hand.cards if card.raid], raid_targets(state, side)
    no_raider, no_target, _ = RAID_SHORTFALLS
    assert (reasons == [no_raider]) is not bool(raiders)
    if reasons == [no_target]:
        assert not targets
    elif raiders:
        nearest, held = min(targets.values()), len(RaidAction().pool(hand))
        assert nearest > held
        assert f" takes {nearest} card" in reasons[0]
        assert reasons[0].endswith(f"and you hold {held}.")


def check_always(random: Random, state: State, explanation: Explanation, parts: Parts) -> None:
    """Check that at least one objection holds for all orders with the parts, the others for most.

    If the parts are a whole order, it is the only order. Removing the reason removes the objection.
    """
    whole = explanation.prefix.to_order()
    orders = [whole] if whole else [*completions(random, state, parts)]
    against = [objections(state, order) for order in orders]
    shares = [
        sum(objection in explanations for explanations in against)
        for objection in explanation.objections
    ]
    assert len(orders) in shares, orders
    assert min(shares) * 2 >= len(orders), orders
    in_turn = state.awaiting.decision is Decision.TURN
    for part in explanation.objections if in_turn else ():
        if part.topic in (TURN, MONEY, HAND):
            mended = without_obstacle(state, part.topic, part.missing)
            assert not any(part in objections(mended, order) for order in orders), part


def can_be_made_up(state: State, side: Side, kind: type[Order], place: str, number: int) -> bool:
    """Return True if that many cards more let an order be given at a place, money apart."""
    every = [*state.ruleset.catalogue.cards[side]]
    for cards in combinations(every, number):
        supposed = without_obstacle(state, MONEY, "")
        supposed.players[side].hand += cards
        if any(order.location == place for order in legal_orders_of_kind(supposed, kind)):
            return True
    return False


def legal_orders_of_kind(state: State, kind: type[Order]) -> list[Order]:
    """Return the legal orders of a kind."""
    return legal_orders(state, ignoring={*ORDERS.values()} - {kind})


def selections(random: Random, state: State, legal: Sequence[Order]) -> Iterator[tuple[Parts, str]]:
    """Yield chosen parts and the next part clicked: of each kind, and on the way to an order.

    A card may be clicked in any pile.
    """
    catalogue, side = state.ruleset.catalogue, state.awaiting.side
    piles = [
        "",
        *(f"@{side.value}-{pile}" for side in Side for pile in ("hand", "reserve", "discard")),
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
    """Check the reasons why parts cannot be chosen."""
    choices, side = Choices(worlds), worlds[0].awaiting.side
    name = names(worlds[0])
    for selection, key in selections(random, worlds[0], legal):
        part = Parts.of([key])
        following = choices.next_parts(selection)
        assert ENGLISH.say(next_parts_text(selection, following, name)).endswith(".")
        if key in {
            key_on_page if "@" in key else key_on_page.partition("@")[0]
            for key_on_page in following.keys
        }:
            continue
        explanations = explain_part(choices, side, selection, part)
        assert 0 < len(explanations) <= MAX_KINDS
        output = [
            ENGLISH.say(line.text)
            for line in missing_order_text(ENGLISH, choices, side, selection, part)
        ]
        assert output and all(output), (selection, key)
        if "is already chosen" in output[0]:
            is_conflict = "does not go with" in output[0]
            assert not is_conflict or key in choices.next_parts(Parts()).keys
            assert not choices.has_order(Parts.of((*selection.keys, key))) or not is_conflict
            continue
        rest = selection.keys if not part.location else selection._replace(location=None).keys
        for explanation in explanations:
            assert not explanation.is_legal, (selection, key)
            check_explanation(random, worlds, explanation, Parts.of((*rest, key)))


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
                world
                for world in states_after_reply(after)
                if not world.awaiting.decision.is_chance
            ]
            if worlds and (orders_then := legal_orders(worlds[0])):
                check_reasons(random, worlds, orders_then)
