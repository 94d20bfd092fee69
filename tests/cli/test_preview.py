"""The preview of an order agrees with its result."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.choices import Choices
from engine.events import Paid
from engine.orders import End, Give, Keep, Piracy, Raid, Refill
from engine.position import score, siege_strength
from engine.sides import Side
from pbem.play.turn import Turn
from pbem.text.ordering.preview import Preview, effects_text, preview, quick_preview, remark_on
from pbem.text.ordering.preview import preview_text as sentences_of
from pbem.text.phrases import names
from tests.cli.positions import random_answers
from tests.engine.positions import FRENCH, Seat, carry_out, position
from tests.play.turns import find_risky_raids, find_turn

SEEDS = st.integers(min_value=0, max_value=2**32)
modest = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(modest, max_examples=150, derandomize=False)


def check_agrees(answer: Turn, expected: Preview) -> None:
    """Give the previewed order, compare the result, and undo it."""
    order, side = expected.order, expected.side
    was_ahead, cards_before, course = answer.may_follow_up, answer.cards_shown, answer.forecast
    move_count = len(answer.moves)
    answer.order(order)
    assert answer.cards_shown[len(cards_before) :] == list(expected.shown_cards)
    after = answer.forecast
    if after is not None:
        before = len(course.interruptions) if course else 0
        assert expected.is_interrupted == (len(after.interruptions) > before)
        assert list(expected.risks) == list(after.risks[len(course.risks) if course else 0 :])
    if not was_ahead:
        move = answer.moves[move_count]
        assert move.order == order
        assert move.events == expected.events
        paid = sum(e.money for e in move.events if isinstance(e, Paid) and e.side is side)
        assert paid == expected.cost
    answer.undo()


def check_random_game(seed: int, records: int) -> None:
    random = Random(seed)
    for answer, ways in random_answers(seed, records):
        order = random.choice(list(ways.some_orders()))
        name = names(answer.match.state)
        before = answer.view().key()
        expected = preview(answer, order)
        check_words(answer, expected)
        assert remark_on(quick_preview(ways, order), name) == remark_on(expected, name)
        assert answer.view().key() == before, str(order.text(name))
        check_agrees(answer, expected)


def check_words(answer: Turn, expected: Preview) -> None:
    sentences = list(map(str, sentences_of(answer, expected, names(answer.match.state))))
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z“].*[.]", sentence, re.S), sentence
        assert "  " not in sentence
    text = " ".join(sentences)
    if expected.cost:
        assert f"{expected.cost} money" in text
    for side in Side:
        before, after = (score(s, side).total for s in (expected.before, expected.after))
        assert (f"victory points: {before}, then {after}." in text) or before == after
    for besieger in Side:
        if besieger in expected.after.sieges:
            strength = siege_strength(expected.after, besieger)
            earlier = expected.before.sieges.get(besieger)
            changed = earlier is None or siege_strength(expected.before, besieger) != strength
            marker = f"{strength:+}" if strength else "0"
            assert re.search(rf"(then|begins at) {re.escape(marker)}[;,]", text) or not changed
    check_piles(expected, sentences)


def check_piles(expected: Preview, sentences: list[str]) -> None:
    """Check that each moving card is named with its new pile and owner."""
    name = expected.before.ruleset.catalogue.names
    for side in Side:
        whose = "your" if side is expected.side else "their"
        before, after = expected.before.players[side], expected.after.players[side]
        for pile in ("discard", "reserve"):
            last = f"{whose} {'discard pile' if pile == 'discard' else pile}."
            # Home Support is set aside while its cards are drawn.
            # A conversion gives the card to the other side.
            ends = (last, "is discarded after the draw.", f"to the {side.label!s}.")
            text = " ".join(sentence for sentence in sentences if sentence.endswith(ends))
            new_cards = Counter(getattr(after, pile)) - Counter(getattr(before, pile))
            for card, number in new_cards.items():
                assert name[card] in text
                assert (
                    number == 1 or f"{name[card]} x{number}" in text or text.count(name[card]) > 1
                )
        for besieger, siege in expected.after.sieges.items():
            siege_before = expected.before.sieges.get(besieger)
            sent = Counter(siege.cards[side]) - Counter(
                siege_before.cards[side] if siege_before else ()
            )
            for card in sent:
                stays = f"{name[card]} stays at the siege of {name[siege.location]}."
                assert stays in sentences
    if not isinstance(expected.order, End | Keep | Refill):
        assert [s for s in sentences if not s.startswith(("It takes", "It costs", "It is a free"))]


@modest
@given(seed=SEEDS)
def test_preview_agrees_with_the_result(seed: int) -> None:
    check_random_game(seed, 12)


@pytest.mark.long
@many
@given(seed=SEEDS)
def test_preview_agrees_with_the_result_in_many_games(seed: int) -> None:
    check_random_game(seed, 50)


@pytest.mark.parametrize("purse", [0, 1, 9])
def test_piracy_takes_only_money_that_the_british_have(purse: int) -> None:
    state = position(Seat(money=purse), Seat(hand="louisbourg port-royal"), active=FRENCH)
    stolen = min(purse, 2)
    expected = quick_preview(Choices([state]), Piracy(cards=("port-royal",)))
    assert (
        f"{stolen} money of it from the British" in str(remark_on(expected, names(state)))
    ) == bool(stolen)
    sentences = [*map(str, effects_text(expected, names(state)))]
    assert (f"The British lose {stolen} money to you." in sentences) == bool(stolen)


def test_preview_names_the_player_who_gets_a_card() -> None:
    state = position(Seat(hand="neutral-native-americans"), Seat(hand="priest"), active=FRENCH)
    carry_out(state, "convert Priest")
    expected = quick_preview(Choices([state]), Give(cards=("neutral-native-americans",)))
    lost = "You lose the card Neutral Native Americans to the French."
    assert [*map(str, effects_text(expected, names(state)))] == [lost]


def test_risk_is_in_the_preview() -> None:
    turn, (first, second) = find_turn(find_risky_raids)
    answer = turn.answer
    answer.order(first)
    expected = preview(answer, second)
    assert not expected.is_certain
    assert isinstance(expected.order, Raid)
    text = " ".join(map(str, sentences_of(answer, expected, names(answer.match.state))))
    assert "is carried out only if the raid on" in text
    assert not answer.follow_ups
