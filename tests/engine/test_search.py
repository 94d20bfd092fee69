"""The players that search: legal, repeatable, blind to secrets, and awake to wins and losses."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from engine.chance import Chance
from engine.events import Event
from engine.game import apply, cards_played, legal_orders
from engine.order import Order
from engine.orders import from_notation
from engine.players import STRENGTHS, player_of
from engine.players.plans import planner_of
from engine.players.search import LONG, Budget, SearchPlayer, candidates, playouts
from engine.players.search.opponents import CAMPAIGN, PRACTICE, STYLES, WAR, follow
from engine.position import score
from engine.ruleset import Ruleset, editions
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.hash_seeds import outputs_of
from tests.engine.house_rule_positions import random_rules
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position
from tests.sample import sample

LITTLE = Budget(orders=3, tries=3)
"""A small budget, which is enough to check the rules."""


BY_PLANS = LONG._replace(orders=2, tries=4, plan_tries=4, turns=2)
"""A small budget for the player that follows plans."""


def small_player(seed: int, budget: Budget = LITTLE) -> SearchPlayer:
    return SearchPlayer(Random(seed), budget)


def play(
    ruleset: Ruleset, seed: int, turns: int, budget: Budget = LITTLE
) -> tuple[State, list[Order]]:
    """Play some turns of a game against itself, and return the state and the orders."""
    state, dealer, player = new_game(ruleset), Dealer(Random(seed)), small_player(seed, budget)
    orders_given = []
    dealer.deal(state)
    while state.outcome is None and state.turn < turns:
        before = state.copy()
        order = player.choose(state)
        assert order in legal_orders(state)
        assert state.key() == before.key(), "to choose changes nothing"
        orders_given.append(order)
        apply(state, order)
        dealer.deal(state)
    return state, orders_given


@pytest.mark.parametrize(
    ("edition", "budget"),
    [
        pytest.param(edition, budget, marks=() if number % 2 else pytest.mark.long)
        for number, (edition, budget) in enumerate(product(editions(), [LITTLE, BY_PLANS]), 1)
    ],
)
def test_search_player_plays_every_edition(edition: str, budget: Budget) -> None:
    state, orders_given = play(Ruleset.of(edition), 3, 8, budget)
    assert state.turn == 8
    assert len(orders_given) > 12


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "turns"), [(LITTLE, 4), (BY_PLANS, 1)])
@pytest.mark.parametrize("seed", sample(range(8), first=2))
def test_playouts_use_legal_orders_only(
    seed: int, budget: Budget, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A play-out applies its orders without a check; here they are checked."""
    orders = 0

    def checked(state: State, step: Order | Chance, *, known_legal: bool = False) -> list[Event]:
        nonlocal orders
        orders += known_legal
        return apply(state, step)

    monkeypatch.setattr(playouts, "apply", checked)
    play(random_rules(Random(seed)), seed, turns, budget)
    assert orders > 100


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "turns"), [(LITTLE, 5), (BY_PLANS, 3)])
@pytest.mark.parametrize("seed", sample(range(3), first=1))
def test_search_player_plays_with_many_house_rules(seed: int, budget: Budget, turns: int) -> None:
    state, _ = play(random_rules(Random(seed)), seed, turns, budget)
    assert state.turn == turns


@pytest.mark.long
@pytest.mark.parametrize("budget", [LITTLE, BY_PLANS])
@pytest.mark.parametrize("seed", range(6))
def test_games_end_by_a_rule(seed: int, budget: Budget) -> None:
    state, _ = play(random_rules(Random(seed)), seed, 250, budget)
    assert state.outcome is not None


def test_same_seed_plays_the_same_game() -> None:
    first, repetition, different = (play(Ruleset.of(), seed, turns=4)[1] for seed in (7, 7, 8))
    assert first == repetition
    assert first != different


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["LITTLE", "BY_PLANS"])
def test_same_seed_plays_the_same_game_in_another_process(budget: str) -> None:
    """A measured game can be played again."""
    code = (
        "from engine.ruleset import Ruleset\n"
        f"from tests.engine.test_search import {budget}, play\n"
        f"orders = play(Ruleset.of(), 7, turns=4, budget={budget})[1]\n"
        "print(*(order.notation() for order in orders), sep='\\n')"
    )
    assert len(outputs_of(code)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "seed", "turns"), [(LITTLE, 0, 5), (BY_PLANS, 1, 3)])
def test_search_player_plays_with_the_other_hand_face_down(
    budget: Budget, seed: int, turns: int
) -> None:
    """Only the shown cards of the other hand are known."""
    state, dealer, player = (
        new_game(),
        Dealer(Random(seed), visible_sides=()),
        small_player(seed, budget),
    )
    dealer.deal(state)
    while state.outcome is None and state.turn < turns:
        side = state.awaiting.side
        view = dealer.view_of(state, side)
        order = player.choose(view)
        assert order in legal_orders(view)
        dealer.show(state, side, order)
        apply(state, order)
        dealer.deal(state)
    assert state.turn == turns


def test_campaign_player_gives_orders_of_war_or_practice() -> None:
    """An order is the army's if it is one of war, and otherwise the practice player's."""
    state, dealer, player = new_game(), Dealer(Random(8)), STYLES[CAMPAIGN](Random(8))
    army, verbs = STYLES["army"](Random(8)), set[str]()
    dealer.deal(state)
    while state.turn < 24:
        liked = candidates(state, 1, 1)[0]
        own = follow(CAMPAIGN, state, liked)
        assert own in (liked, army.choose(state))
        assert isinstance(own, WAR) or own == liked
        order = player.choose(state)
        assert order in legal_orders(state)
        assert order == own or own == liked
        verbs.add(order.verb)
        apply(state, order)
        dealer.deal(state)
    assert verbs >= {"besiege", "reinforce", "draft", "settle", "develop"}


@pytest.mark.slow
@pytest.mark.parametrize("turns", [3, pytest.param(6, marks=pytest.mark.long)])
@pytest.mark.parametrize("style", ["army", PRACTICE])
def test_boundless_margin_plays_the_order_of_the_first_plan(style: str, turns: int) -> None:
    state, dealer = new_game(), Dealer(Random(5))
    styles = (style, *(other for other in BY_PLANS.plans if other != style))
    player = small_player(5, BY_PLANS._replace(plans=styles, margin=1e9, plan_margin=1e9))
    dealer.deal(state)
    followed = 0
    while state.turn < turns:
        order = player.choose(state)
        if state.awaiting.decision is Decision.TURN and state.actions_left:
            liked = candidates(state, 1, 1)[0]
            assert order == (liked if style == PRACTICE else planner_of(style).choose(state))
            followed += 1
        apply(state, order)
        dealer.deal(state)
    assert followed > turns


def test_player_refuses_to_choose_for_chance() -> None:
    with pytest.raises(ValueError, match="no player decides"):
        small_player(0).choose(new_game())


def test_chosen_order_has_the_best_judgement() -> None:
    """The budget sets the number of judgements; the best of them is the order that it chooses."""
    state = besieged_home()
    thoughts, player = small_player(5).judge(state), small_player(5)
    assert [thought.chance for thought in thoughts[:1]] == [max(t.chance for t in thoughts)]
    assert all(0 <= thought.chance <= 1 for thought in thoughts)
    assert player.choose(state) == thoughts[0].order
    assert len(thoughts) == LITTLE.orders


def test_chance_of_either_side_can_be_computed() -> None:
    state = besieged_home(relief="")
    british, french = small_player(1).chance(state, BRITISH), small_player(1).chance(state, FRENCH)
    assert british > 0.9
    assert french < 0.1
    assert small_player(1).chance(state) == small_player(1).chance(state, FRENCH)
    assert 0.2 < small_player(1).chance(new_game(), BRITISH) < 0.8, "before a card is dealt"


@pytest.mark.parametrize("budget", [LITTLE, BY_PLANS])
def test_compare_judges_the_orders_of_the_caller(budget: Budget) -> None:
    state = besieged_home(relief="regular-infantry siege-artillery")
    relief, none = (
        from_notation(notation) for notation in ("reinforce quebec: siege-artillery", "pass")
    )
    closer = budget._replace(tries=24)
    one, second = (
        small_player(1, closer).compare(state, orders) for orders in ([none, relief], [relief])
    )
    assert [thought.order for thought in one] == [relief, none]
    assert one[0].chance > one[1].chance
    assert [thought.order for thought in second] == [relief]
    same = small_player(1, budget).compare(state, [relief, relief])
    assert same[0].chance == same[1].chance


# --- wins and losses


def besieged_home(relief: str = "regular-infantry militia") -> State:
    """Return a position in which Quebec falls unless the French send their soldiers."""
    return position(
        Seat(
            siege="quebec: regular-infantry regular-infantry siege-artillery",
            hand="boston norfolk st-marys",
        ),
        Seat(f"gaspe tadoussac {relief}", money=9),
        active=FRENCH,
    )


def strong_players() -> Iterable[int]:
    return [strength for strength in STRENGTHS if strength > 1]


@pytest.mark.slow
@pytest.mark.parametrize("strength", strong_players())
def test_loss_is_prevented(strength: int) -> None:
    """The siege needs both cards at once, because a single card is not enough."""
    state = besieged_home()
    for _ in range(2):
        order = player_of(strength, Random(2)).choose(state)
        assert order.verb == "reinforce"
        apply(state, order)


@pytest.mark.parametrize("strength", strong_players())
def test_win_is_taken(strength: int) -> None:
    """Two captured points are missing, and the Rangers can raid one village."""
    state = position(
        Seat(
            "rangers boston norfolk philadelphia new-york",
            towns="new-haven pemaquid norfolk philadelphia",
            captured=(5, 0),
            money=5,
        ),
        Seat("louisbourg quebec montreal gaspe", villages="kennebec", pile="port-royal"),
        actions=1,
    )
    assert score(state, BRITISH).total > score(state, FRENCH).total
    order = player_of(strength, Random(3)).choose(state)
    assert order.verb == "raid"
    assert cards_played(state, order) == ("rangers",)


@pytest.mark.parametrize("strength", strong_players())
def test_last_soldier_wins_the_siege(strength: int) -> None:
    """With the infantry the siege of Quebec is at +2, and the French have no card to send."""
    state = position(
        Seat(
            siege="quebec: regular-infantry ships", hand="boston norfolk st-marys regular-infantry"
        ),
        Seat("gaspe tadoussac trader governor", pile="intendant native-americans"),
    )
    order = player_of(strength, Random(4)).choose(state)
    assert order.notation() == "reinforce quebec: regular-infantry"
    do(state, "reinforce Quebec: Regular Infantry")
