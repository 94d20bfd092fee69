"""The practice player under every edition and house rule: games end by a rule, and it uses them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from engine.game import apply, is_legal, legal_orders
from engine.house_rules import InvalidRulesError, house_rules
from engine.orders import Govern, Occupy, Refill
from engine.players.practice import PracticePlayer, judge_orders
from engine.players.practice.judgements import JUDGEMENTS, WIN_VALUE
from engine.players.practice.viewpoint import CARD_VALUES, SYMBOL_VALUES
from engine.players.practice.viewpoint import Viewpoint as View
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import State, new_game
from tests.engine.house_rule_positions import random_rules
from tests.engine.positions import FRENCH, Seat, end_turn, position
from tests.engine.test_practice import LAST_TURN
from tests.sample import sample


def play(ruleset: Ruleset, seed: int) -> tuple[State, Counter[str]]:
    """Return the end of a game between two practice players, and the kinds of its orders."""
    state, dealer = new_game(ruleset), Dealer(Random(f"{seed} chance"))
    players = {side: PracticePlayer(Random(f"{seed} {side}")) for side in Side}
    verbs_given: Counter[str] = Counter()
    dealer.deal(state)
    while state.outcome is None and state.turn < LAST_TURN:
        order = players[state.awaiting.side].choose(state)
        verbs_given[order.verb] += 1
        apply(state, order)
        dealer.deal(state)
    return state, verbs_given


@cache
def rulesets() -> dict[str, Ruleset]:
    """Return every edition, plain and with each rule that changes something in it."""
    rulesets_by_name = {}
    for edition in editions():
        rulesets_by_name[edition] = Ruleset.of(edition)
        for rule in house_rules():
            try:
                rulesets_by_name[f"{edition} {rule}"] = Ruleset.of(edition, [rule])
            except InvalidRulesError:
                continue
    return rulesets_by_name


def rulesets_with_each_rule() -> list[str]:
    """Return the names of every edition's ruleset, and of a ruleset for every rule."""
    last = {name.partition(" ")[2]: name for name in rulesets()}
    return [*editions(), *(name for rule, name in last.items() if rule)]


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(rulesets_with_each_rule(), every=3))
def test_game_ends_by_a_rule(name: str) -> None:
    state, _ = play(rulesets()[name], 7)
    assert state.outcome is not None
    assert 10 < state.turn < LAST_TURN


@pytest.mark.parametrize("seed", sample(range(10), first=4))
def test_game_ends_with_many_rules_at_once(seed: int) -> None:
    state, _ = play(random_rules(Random(seed)), seed)
    assert state.outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(40), first=4))
def test_practice_player_judges_legal_orders_only(seed: int) -> None:
    """A search plays its orders without checking them."""
    random = Random(f"{seed} thoughts")
    state, dealer, player = new_game(random_rules(random)), Dealer(random), PracticePlayer(random)
    dealer.deal(state)
    while state.outcome is None and state.turn < LAST_TURN:
        assert [order for _, order in judge_orders(state) if not is_legal(state, order)] == []
        apply(state, player.choose(state))
        dealer.deal(state)


def test_every_card_of_every_box_has_a_value() -> None:
    for ruleset in rulesets().values():
        cards = [card for side in Side for card in ruleset.catalogue.cards[side].values()]
        assert {card.id for card in cards if not card.location} <= set(CARD_VALUES)
        assert {s for card in cards if card.location for s in card.symbols} <= set(SYMBOL_VALUES)


@pytest.mark.long
@pytest.mark.parametrize("name", rulesets())
def test_twenty_games_end_by_a_rule(name: str) -> None:
    for seed in range(20):
        state, _ = play(rulesets()[name], seed)
        assert state.outcome is not None


@pytest.mark.parametrize(
    ("edition", "rules", "verbs"),
    [
        ("first", [], {"refill"}),
        ("first-revised", [], {"refill"}),
        ("second", ["free-fur-money"], {"sell-fur"}),
        ("second", ["drop-lost-locations"], {"drop"}),
        ("second", ["french-siege-exchange"], {"exchange", "keep"}),
        ("second", ["paid-reshuffle"], {"forfeit"}),
        ("second", ["french-start-choice"], {"start"}),
        pytest.param(
            *("second", ["ambush-reaches-sieges"], {"give-from-siege"}), marks=pytest.mark.long
        ),
    ],
)
def test_practice_player_uses_the_orders_of_a_rule(
    edition: str, rules: list[str], verbs: set[str]
) -> None:
    """Within 40 games the player gives every order that the edition or the rule adds."""
    missing = set(verbs)
    for seed in range(40):
        missing -= set(play(Ruleset.of(edition, rules), seed)[1])
        if not missing:
            return
    assert not missing


# --- single judgements


def test_occupying_fort_duquesne_is_judged_as_a_win() -> None:
    """House rule duquesne-wins: the player also occupies the place after a siege."""
    state = position(
        Seat("boston new-haven norfolk philadelphia st-marys", villages="fort-duquesne"),
        Seat(
            "gaspe quebec montreal tadoussac louisbourg",
            siege="fort-duquesne: siege-artillery",
            villages="fort-frontenac fort-niagara fort-presquile fort-venango",
        ),
        actions=0,
        house_rules=["duquesne-wins"],
    )
    end_turn(state)
    occupy = next(order for order in legal_orders(state) if isinstance(order, Occupy))
    assert JUDGEMENTS[Occupy](View(state), occupy) == WIN_VALUE


def test_refill_counts_if_a_free_action_may_follow() -> None:
    """A refill gains something only if Home Support may be drawn or a reserve may follow."""
    for pile, reserve, expected in (
        ("home-support norfolk trader rangers", "", True),
        ("norfolk trader rangers pemaquid", "militia", True),
        ("norfolk trader rangers pemaquid", "", False),
    ):
        state = position(Seat("boston", pile=pile, reserve=reserve), actions=0, edition="first")
        assert (JUDGEMENTS[Refill](View(state), Refill()) > 0) is expected


def test_location_given_up_is_judged_by_its_points() -> None:
    """House rule govern-loses-location: a village's card costs its points, a lost place's none."""
    order = Govern(cards=("canso", "gaspe"))
    seats = []
    for rules in ((), ("govern-loses-location",)):
        french = Seat("governor canso gaspe", villages="canso", lost="gaspe")
        state = position(french=french, active=FRENCH, house_rules=rules)
        seats.append(View(state))
    without, with_rule = (JUDGEMENTS[Govern](seat, order) for seat in seats)
    assert without - with_rule >= 2
    lost = Govern(cards=("gaspe",))
    assert JUDGEMENTS[Govern](seats[0], lost) == JUDGEMENTS[Govern](seats[1], lost)
