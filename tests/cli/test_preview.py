"""The preview of an order is true when the order is given."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.choices import Choices
from engine.events import Paid
from engine.orders import End, Keep, Piracy, Raid, Refill
from engine.position import score, siege_strength
from engine.sides import Side
from pbem.play.turn import Turn
from pbem.text.ordering.preview import Preview, effects_text, preview, quick_preview, remark_on
from pbem.text.ordering.preview import preview_text as sentences_of
from pbem.text.phrases import names
from tests.cli.positions import random_answers
from tests.engine.positions import FRENCH, Seat, position
from tests.play.turns import find_risky_raids, find_turn

SEEDS = st.integers(min_value=0, max_value=2**32)
modest = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(modest, max_examples=150, derandomize=False)


def check_agrees(answer: Turn, foreseen: Preview) -> None:
    """Give the previewed order, compare, and take it back."""
    order, side = foreseen.order, foreseen.side
    was_ahead, cards_before, course = answer.may_follow_up, answer.cards_shown, answer.forecast
    done = len(answer.moves)
    answer.order(order)
    assert answer.cards_shown[len(cards_before) :] == list(foreseen.shown_cards)
    after = answer.forecast
    if after is not None:
        before = len(course.interruptions) if course else 0
        assert foreseen.interruption == (len(after.interruptions) > before)
        assert list(foreseen.risks) == list(after.risks[len(course.risks) if course else 0 :])
    if not was_ahead:
        move = answer.moves[done]
        assert move.order == order
        assert move.events == foreseen.events
        paid = sum(e.money for e in move.events if isinstance(e, Paid) and e.side is side)
        assert paid == foreseen.cost
    answer.undo()


def check_random_game(seed: int, records: int) -> None:
    random = Random(seed)
    for answer, ways in random_answers(seed, records):
        order = random.choice(list(ways.some_orders()))
        name = names(answer.match.state)
        before = answer.view().key()
        foreseen = preview(answer, order)
        check_words(answer, foreseen)
        assert remark_on(quick_preview(ways, order), name) == remark_on(foreseen, name)
        assert answer.view().key() == before, str(order.text(name))
        check_agrees(answer, foreseen)


def check_words(answer: Turn, foreseen: Preview) -> None:
    sentences = list(map(str, sentences_of(answer, foreseen, names(answer.match.state))))
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z“].*[.]", sentence, re.S), sentence
        assert "  " not in sentence
    text = " ".join(sentences)
    if foreseen.cost:
        assert f"{foreseen.cost} money" in text
    for side in Side:
        before, after = (score(s, side).total for s in (foreseen.before, foreseen.after))
        assert (f"victory points: {before}, then {after}." in text) or before == after
    for besieger in Side:
        if besieger in foreseen.after.sieges:
            strength = siege_strength(foreseen.after, besieger)
            earlier = foreseen.before.sieges.get(besieger)
            changed = earlier is None or siege_strength(foreseen.before, besieger) != strength
            marker = f"{strength:+}" if strength else "0"
            assert re.search(rf"(then|begins at) {re.escape(marker)}[;,]", text) or not changed
    check_piles(foreseen, sentences)


def check_piles(foreseen: Preview, sentences: list[str]) -> None:
    """Check that each card that moves is named with its new pile and the pile's owner."""
    name = foreseen.before.ruleset.catalogue.names
    for side in Side:
        whose = "your" if side is foreseen.side else "their"
        before, after = foreseen.before.players[side], foreseen.after.players[side]
        for pile in ("discard", "reserve"):
            last = f"{whose} {'discard pile' if pile == 'discard' else pile}."
            # Home Support lies aside while its cards are drawn, if there are any.
            ends = (last, "is discarded after the draw.")
            text = " ".join(sentence for sentence in sentences if sentence.endswith(ends))
            came = Counter(getattr(after, pile)) - Counter(getattr(before, pile))
            for card, number in came.items():
                assert name[card] in text
                assert (
                    number == 1 or f"{name[card]} x{number}" in text or text.count(name[card]) > 1
                )
        for besieger, siege in foreseen.after.sieges.items():
            there = foreseen.before.sieges.get(besieger)
            sent = Counter(siege.cards[side]) - Counter(there.cards[side] if there else ())
            for card in sent:
                stays = f"{name[card]} stays at the siege of {name[siege.location]}."
                assert stays in sentences
    if not isinstance(foreseen.order, End | Keep | Refill):
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
    foreseen = quick_preview(Choices([state]), Piracy(cards=("port-royal",)))
    assert (
        f"{stolen} money of it from the British" in str(remark_on(foreseen, names(state)))
    ) == bool(stolen)
    sentences = [*map(str, effects_text(foreseen, names(state)))]
    assert (f"The British lose {stolen} money to you." in sentences) == bool(stolen)


def test_risk_is_in_the_preview() -> None:
    turn, (first, second) = find_turn(find_risky_raids)
    answer = turn.answer
    answer.order(first)
    foreseen = preview(answer, second)
    assert not foreseen.is_certain
    assert isinstance(foreseen.order, Raid)
    text = " ".join(map(str, sentences_of(answer, foreseen, names(answer.match.state))))
    assert "is carried out only if the raid on" in text
    assert not answer.follow_ups
