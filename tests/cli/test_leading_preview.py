"""What is said of an order before it is given is what then happens."""

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
from engine.state import State
from pbem.play.turn import Turn
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.preview import Preview, effects_text, preview, quick_preview, remark_on
from pbem.text.ordering.preview import preview_text as told_of
from pbem.text.ordering.reading import read
from pbem.text.phrases import names
from tests.cli.positions import random_answers
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.play.turns import find, raid_and_risk

SEEDS = st.integers(min_value=0, max_value=2**32)
modest = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(modest, max_examples=150, derandomize=False)


def check_agrees(answer: Turn, seen: Preview) -> None:
    """Give the order that was looked at, compare, and take it back."""
    order, side = seen.order, seen.side
    was_ahead, shown, course = answer.may_follow_up, answer.cards_shown, answer.course
    done = len(answer.deeds)
    answer.order(order)
    assert answer.cards_shown[len(shown) :] == list(seen.shown_cards)
    after = answer.course
    if after is not None:
        before = len(course.interruptions) if course else 0
        assert seen.interruption == (len(after.interruptions) > before)
        assert list(seen.risks) == list(after.risks[len(course.risks) if course else 0 :])
    if not was_ahead:
        deed = answer.deeds[done]
        assert deed.order == order
        assert deed.events == seen.events
        paid = sum(e.money for e in deed.events if isinstance(e, Paid) and e.side is side)
        assert paid == seen.cost
    answer.undo()


def check_random_game(seed: int, records: int) -> None:
    random = Random(seed)
    for answer, ways in random_answers(seed, records):
        order = random.choice(list(ways.some_orders()))
        name = names(answer.match.state)
        before = answer.view().key()
        seen = preview(answer, order)
        check_words(answer, seen)
        assert remark_on(quick_preview(ways, order), name) == remark_on(seen, name)
        assert answer.view().key() == before, str(order.text(name))
        check_agrees(answer, seen)


def check_words(answer: Turn, seen: Preview) -> None:
    sentences = list(map(str, told_of(answer, seen, names(answer.match.state))))
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z“].*[.]", sentence, re.S), sentence
        assert "  " not in sentence
    text = " ".join(sentences)
    if seen.cost:
        assert f"{seen.cost} money" in text
    for side in Side:
        before, after = (score(s, side).total for s in (seen.before, seen.after))
        assert (f"victory points: {before}, then {after}." in text) or before == after
    for besieger in Side:
        if besieger in seen.after.sieges:
            strength = siege_strength(seen.after, besieger)
            was = seen.before.sieges.get(besieger)
            changed = was is None or siege_strength(seen.before, besieger) != strength
            shown = f"{strength:+}" if strength else "0"
            assert re.search(rf"(then|begins at) {re.escape(shown)}[;,]", text) or not changed
    check_piles(seen, sentences)


def check_piles(seen: Preview, sentences: list[str]) -> None:
    """Each card that changes its place is told with the pile to which it comes, and whose it is."""
    name = seen.before.ruleset.catalogue.names
    for side in Side:
        whose = "your" if side is seen.side else "their"
        before, after = seen.before.players[side], seen.after.players[side]
        for pile in ("discard", "reserve"):
            last = f"{whose} {'discard pile' if pile == 'discard' else pile}."
            # Home Support lies aside while its cards are drawn, if there are any.
            ends = (last, "is discarded after the draw.")
            told = " ".join(sentence for sentence in sentences if sentence.endswith(ends))
            came = Counter(getattr(after, pile)) - Counter(getattr(before, pile))
            for card, number in came.items():
                assert name[card] in told
                assert (
                    number == 1 or f"{name[card]} x{number}" in told or told.count(name[card]) > 1
                )
        for besieger, siege in seen.after.sieges.items():
            there = seen.before.sieges.get(besieger)
            sent = Counter(siege.cards[side]) - Counter(there.cards[side] if there else ())
            for card in sent:
                stays = f"{name[card]} stays at the siege of {name[siege.location]}."
                assert stays in sentences
    if not isinstance(seen.order, End | Keep | Refill):
        assert [s for s in sentences if not s.startswith(("It takes", "It costs", "It is a free"))]


@modest
@given(seed=SEEDS)
def test_what_is_foreseen_happens(seed: int) -> None:
    check_random_game(seed, 12)


@pytest.mark.long
@many
@given(seed=SEEDS)
def test_what_is_foreseen_happens_in_many_games(seed: int) -> None:
    check_random_game(seed, 50)


def told(state: State, text: str) -> tuple[Preview, str]:
    seen = quick_preview(Choices([state]), read(Language(SOURCE), text, state))
    return seen, str(remark_on(seen, names(state)))


def test_points_of_a_town_are_told() -> None:
    state = position(Seat(hand="boston settlers norfolk"))
    place = state.ruleset.catalogue.locations["norfolk"]
    seen, remark = told(state, "develop norfolk: settlers")
    assert seen.points(BRITISH).after - seen.points(BRITISH).before == place.victory_points
    assert remark == f"+{place.victory_points} points, plays Norfolk too"


def test_a_siege_is_told_with_what_it_stands_at_and_who_wins_it() -> None:
    state = position(
        Seat(hand="siege-artillery", siege="regular-infantry militia"),
        Seat(),
        besieging={BRITISH: "louisbourg"},
    )
    before = siege_strength(state, BRITISH)
    seen, remark = told(state, "reinforce louisbourg: siege artillery")
    change = seen.sieges[0]
    assert (change.location, change.before) == ("louisbourg", before)
    assert change.after == before + state.ruleset.card(BRITISH, "siege-artillery").military
    assert f"from {change.before:+} to {change.after:+}" in remark
    assert change.winner == (BRITISH if change.after >= 2 else None)


def test_a_raid_tells_what_it_brings_if_it_succeeds() -> None:
    state = position(
        Seat(villages="deerfield"),
        Seat(hand="native-americans", villages="kennebec"),
        active=FRENCH,
    )
    seen, remark = told(state, "raid deerfield: native")
    assert seen.points(FRENCH).after == seen.points(FRENCH).before
    assert seen.points_at_best == 2
    assert remark == "costs 1 money, up to +2 points"


def test_the_money_that_an_order_earns_and_costs() -> None:
    state = position(Seat(hand="boston"))
    money = state.ruleset.card(BRITISH, "boston").money
    assert told(state, "take boston")[1] == f"brings {money} money"
    assert told(state, "pass")[1] == ""
    assert told(state, "draft rangers")[1] == "costs 5 money"
    assert told(state, "draft fortification")[1] == "costs nothing"
    assert told(position(Seat(hand="home-support")), "home")[1] == "free action, draws 3 cards"


@pytest.mark.parametrize("purse", [0, 1, 9])
def test_piracy_tells_whose_money_it_is(purse: int) -> None:
    """Of the British as far as they have it."""
    state = position(Seat(money=purse), Seat(hand="louisbourg port-royal"), active=FRENCH)
    _, remark = told(state, "piracy port royal")
    stolen = min(purse, 2)
    assert "brings 2 money" in remark
    assert (f"{stolen} money of it from the British" in remark) == bool(stolen)
    assert "plays Louisbourg too" in remark
    turn = state.copy()
    sentences = [
        *map(
            str,
            effects_text(
                quick_preview(Choices([turn]), Piracy(cards=("port-royal",))), names(turn)
            ),
        )
    ]
    assert (f"The British lose {stolen} money to you." in sentences) == bool(stolen)


def test_a_risk_is_told_before_the_order_is_given() -> None:
    turn, (one, two) = find(raid_and_risk)
    answer = turn.answer
    answer.order(one)
    seen = preview(answer, two)
    assert not seen.is_certain
    assert isinstance(seen.order, Raid)
    text = " ".join(map(str, told_of(answer, seen, names(answer.match.state))))
    assert "is carried out only if the raid on" in text
    assert not answer.announced
