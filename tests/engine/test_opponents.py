"""The plans that a search supposes of an opponent, by open cards and past sieges."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.game import apply
from engine.players import Player
from engine.players.practice import PracticePlayer
from engine.players.search.opponents import CAMPAIGN, PRACTICE, STYLES, Opponent, SiegeLog
from engine.players.search.opponents import likelihood as fits_what_was_seen
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import State, new_game


def play_plan(
    plan: str, side: Side, turns: int, visible_sides: tuple[Side, ...] = tuple(Side)
) -> State:
    """Return a game between a follower of a plan and the practice player, after some turns."""
    state, dealer = new_game(), Dealer(Random(4), visible_sides)
    players: dict[Side, Player] = {
        side: STYLES[plan](Random(4)),
        side.opponent: PracticePlayer(Random(4)),
    }
    dealer.deal(state)
    while state.turn < turns:
        for sighted in Side:
            dealer.reveal(state, sighted)
        apply(state, players[state.awaiting.side].choose(state))
        dealer.deal(state)
    return state


def likelihood(state: State, side: Side, style: str) -> float:
    """Return the likelihood of a plan for a player who sees this position alone."""
    return fits_what_was_seen(state, side, style, SiegeLog().count_turns(state, side))


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("plan", ["lakes", "raiders", "settlers"])
def test_drafts_and_settlements_reveal_a_plan(plan: str, side: Side) -> None:
    state = play_plan(plan, side, 16)
    likelihoods = {style: likelihood(state, side, style) for style in STYLES}
    assert max(likelihoods, key=lambda style: likelihoods[style]) == plan


@pytest.mark.parametrize("side", Side)
def test_practice_player_is_recognised_after_few_turns(side: Side) -> None:
    """The practice player does not follow a plan for long."""
    state = play_plan(PRACTICE, side, 40)
    likelihoods = {style: likelihood(state, side, style) for style in STYLES}
    assert likelihoods[PRACTICE] == likelihoods[CAMPAIGN] > 0.3 * sum(likelihoods.values())


def test_drafted_soldiers_reveal_a_military_plan() -> None:
    """Soldiers show that an attack is planned, but not which of the attacks."""
    state = play_plan("hammer", Side.BRITISH, 16)
    likelihoods = {style: likelihood(state, Side.BRITISH, style) for style in STYLES}
    assert likelihoods["hammer"] == max(likelihoods.values())
    assert likelihoods["hammer"] > 3 * likelihoods["settlers"]


def test_early_siege_is_a_sign_of_the_hammer() -> None:
    """An early siege suggests the hammer; no siege suggests an army."""
    besieged, quiet = play_plan("hammer", Side.BRITISH, 5), play_plan("settlers", Side.BRITISH, 5)
    assert Side.BRITISH in besieged.sieges
    assert Side.BRITISH not in quiet.sieges
    for state, likelier, other in ((besieged, "hammer", "army"), (quiet, "army", "hammer")):
        assert likelihood(state, Side.BRITISH, likelier) > 1.5 * likelihood(
            state, Side.BRITISH, other
        )
    assert likelihood(besieged, Side.BRITISH, "army") > 3 * likelihood(
        besieged, Side.BRITISH, "settlers"
    )


def test_plans_are_equally_likely_at_first() -> None:
    assert len({likelihood(new_game(), side, style) for style in STYLES for side in Side}) == 1


def test_frequency_of_sieges_reveals_the_plan() -> None:
    """Drafts say little; every further turn with a siege says more."""
    state = play_plan("hammer", Side.BRITISH, 16)
    observations = [Counter({True: n, False: n}) for n in range(1, 6)]
    ratios = [
        fits_what_was_seen(state, Side.BRITISH, "hammer", observation)
        / fits_what_was_seen(state, Side.BRITISH, CAMPAIGN, observation)
        for observation in observations
    ]
    assert ratios == sorted(set(ratios))


def test_sieges_are_remembered_for_one_game() -> None:
    sieges, state = SiegeLog(), play_plan("hammer", Side.BRITISH, 5)
    assert sieges.count_turns(new_game(), Side.BRITISH).total() == 0
    for _ in range(2):
        assert sieges.count_turns(state, Side.BRITISH) == {True: 1}, "a turn counts once"
    later = play_plan("settlers", Side.BRITISH, 8)
    assert sieges.count_turns(later, Side.BRITISH) == {True: 1, False: 1}
    assert sieges.count_turns(state, Side.BRITISH) == {True: 1}, "that is another game"


def test_likelihood_ignores_hidden_cards() -> None:
    state = play_plan("raiders", Side.FRENCH, 12)
    hidden = play_plan("raiders", Side.FRENCH, 12, visible_sides=())
    assert hidden.players[Side.FRENCH].hidden
    for style in STYLES:
        assert likelihood(state, Side.FRENCH, style) == likelihood(hidden, Side.FRENCH, style)


def test_styles_are_sampled_by_their_likelihood() -> None:
    state, tries = play_plan("settlers", Side.BRITISH, 16), 400
    replies = Opponent(state, Side.BRITISH, [*STYLES])
    weights = {style: likelihood(state, Side.BRITISH, style) for style in STYLES}
    likelihoods = Counter(replies.style_for_playout(n) for n in range(tries))
    for style in STYLES:
        share = weights[style] / sum(weights.values())
        assert likelihoods[style] / tries == pytest.approx(share, abs=0.01)


def test_few_tries_sample_several_plans_early_in_a_game() -> None:
    replies = Opponent(play_plan("settlers", Side.BRITISH, 3), Side.BRITISH, [*STYLES])
    assert len({replies.style_for_playout(n) for n in range(8)}) > 3
