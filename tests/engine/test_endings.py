"""The distance of each side from each ending (docs/rules.md, The end), in every edition."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from engine.game import apply, resign
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, EndReason, Settlement, State, new_game
from engine.turn import (
    Ending,
    due_ending,
    endings,
    outcome,
    outcome_of_resigning,
    outcome_of_withdrawal,
)
from pbem.cli import console
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.engine.arbitrary import random_game
from tests.engine.editions import EDITIONS, FIRST, REVISED, SECOND
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, do, end_turn, position, winner
from tests.text.throwaway import OPEN, bracketed, throwaway

ENGLISH = Language("en")

TOWNS = {BRITISH: 12, FRENCH: 9}


def ending_of(state: State, by: EndReason, side: Side, location: str | None = None) -> Ending:
    """Return the only ending of a kind."""
    (ending,) = (e for e in endings(state, side) if e.by is by and e.location in (location, None))
    return ending


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("edition", EDITIONS)
def test_new_game_is_far_from_every_ending(edition: str, side: Side) -> None:
    state = new_game(Ruleset.of(edition))
    distances = {e.by: e.remaining for e in endings(state, side) if e.location is None}
    # Rulebook: 18 villages and 12 or 9 towns a side, of which 5 and 2 or 6 and 1 are placed.
    villages, towns = (13, 10) if side is BRITISH else (12, 8)
    assert distances == {
        EndReason.TOWNS: towns,
        EndReason.VILLAGES: villages,
        EndReason.CAPTURES: 12,
    }
    homes = {e.location: e.remaining for e in endings(state, side) if e.by is EndReason.HOME_SIEGE}
    assert homes == dict.fromkeys(("quebec",) if side is BRITISH else ("boston", "new-york"))
    assert due_ending(state, side) is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_locations_that_win_when_settled_depend_on_the_rules(edition: str) -> None:
    """The flag `settling_home_wins` and the house rule `duquesne-wins` decide."""
    for rules in ((), ("duquesne-wins",)):
        state = position(edition=edition, house_rules=rules)
        winning = {
            side: {e.location for e in endings(state, side) if e.by is EndReason.SETTLING}
            for side in Side
        }
        homes = edition == SECOND
        assert winning[BRITISH] == ({"quebec"} if homes else set())
        french = ({"boston", "new-york"} if homes else set()) | (
            {"fort-duquesne"} if rules else set()
        )
        assert winning[FRENCH] == french


def test_empty_home_is_one_village_away() -> None:
    state = position(Seat(lost="new-york"), Seat(villages="fort-duquesne"))
    assert ending_of(state, EndReason.SETTLING, FRENCH, "new-york").remaining == 1
    assert ending_of(state, EndReason.SETTLING, FRENCH, "boston").remaining is None
    # It cannot be besieged, and is no home siege.
    assert [e.location for e in endings(state, FRENCH) if e.by is EndReason.HOME_SIEGE] == [
        "boston"
    ]


def pieces_short_of(side: Side, kind: EndReason, remaining: int) -> State:
    """Return a position in the turn of the other side with that many pieces of `side` to place."""
    state = position(active=side.opponent)
    towns = kind is EndReason.TOWNS
    placed = sum(s.owner is side and s.town is towns for s in state.board.values())
    pieces = (TOWNS[side] if towns else 18) - remaining
    # The opponent captured the pieces that do not fit on the board.
    for location in state.ruleset.catalogue.locations:
        if placed < pieces and location not in state.board:
            state.place(location, Settlement(side, towns))
            placed += 1
    player = state.players[side.opponent]
    if towns:
        player.captured_towns += pieces - placed
    else:
        player.captured_villages += pieces - placed
    return state


@pytest.mark.parametrize("remaining", [2, 1, 0])
@pytest.mark.parametrize("kind", [EndReason.TOWNS, EndReason.VILLAGES])
@pytest.mark.parametrize("side", Side)
def test_last_piece_ends_the_game(side: Side, kind: EndReason, remaining: int) -> None:
    state = pieces_short_of(side, kind, remaining)
    ending = ending_of(state, kind, side)
    assert (ending.remaining, ending.is_due) == (remaining, remaining == 0)
    foretold = outcome(state, ending)
    end_turn(state)
    assert (state.outcome == foretold) == (remaining == 0)
    assert (state.awaiting.decision is Decision.OVER) == (remaining == 0)


@pytest.mark.parametrize(
    ("captured", "remaining"),
    [((0, 0), 12), ((1, 0), 10), ((1, 1), 6), ((5, 0), 2), ((4, 1), 0), ((0, 3), 0), ((6, 3), 0)],
)
def test_missing_capture_points_are_counted(captured: tuple[int, int], remaining: int) -> None:
    state = position(Seat(captured=captured), active=FRENCH)
    assert ending_of(state, EndReason.CAPTURES, BRITISH).remaining == remaining
    assert (due_ending(state, BRITISH) is not None) == (remaining == 0)
    end_turn(state)
    assert (state.outcome is not None) == (remaining == 0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_endings_wait_for_a_siege(edition: str) -> None:
    state = position(Seat(siege="louisbourg: regular-infantry"), edition=edition)
    waiting = {e.by for e in endings(state, FRENCH) if e.is_delayed}
    on_points = {EndReason.CAPTURES}
    if edition in (SECOND, FIRST):
        on_points |= {EndReason.TOWNS, EndReason.VILLAGES}
    else:
        assert edition == REVISED
    assert waiting == on_points


@pytest.mark.parametrize(
    ("cards", "fortified", "remaining"),
    # Infantry is worth 2; Quebec defends itself with 1 and 2 more, and 2 if it is fortified.
    [
        ("regular-infantry", "", 3),
        ("regular-infantry regular-infantry", "", 1),
        ("regular-infantry regular-infantry regular-infantry", "", 0),
        ("regular-infantry regular-infantry regular-infantry", "quebec", 1),
    ],
)
def test_missing_siege_strength_is_counted(cards: str, fortified: str, remaining: int) -> None:
    state = position(Seat(siege=f"quebec: {cards}"), Seat(fortified=fortified), active=FRENCH)
    ending = ending_of(state, EndReason.HOME_SIEGE, BRITISH, "quebec")
    assert (ending.remaining, ending.is_due) == (remaining, remaining == 0)
    end_turn(state)
    assert (state.outcome is not None) == (remaining == 0)
    if state.outcome:
        assert (state.outcome.winner, str(state.outcome.reason)) == (
            BRITISH,
            "Quebec fell to a siege",
        )


def test_points_decide_and_the_french_win_a_tie() -> None:
    state = position(Seat(captured=(6, 0)))
    ending = ending_of(state, EndReason.CAPTURES, BRITISH)
    # 17 for the British locations and 12 captured, against 29 for the French ones.
    tied = outcome(state, ending)
    assert tied.winner is FRENCH
    assert str(tied.reason).endswith("; with 29 points each the French win the tie")
    state.players[BRITISH].captured_villages += 1
    won = outcome(state, ending)
    assert won.winner is BRITISH
    assert "tie" not in str(won.reason)
    assert str(won.reason) == str(won.cause) == "the British captured pieces worth 12 points"
    assert str(tied.cause) == str(won.cause)


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_game_ends_by_the_ending_that_is_due(edition: str) -> None:
    """In games that begin near their end, every due ending ends the game, and no other does."""
    ended = 0
    for seed in range(12):
        random, start = Random(seed), new_game(Ruleset.of(edition))
        for side in Side:
            start.players[side].captured_villages = random.choice((0, 3, 5))
            start.players[side].captured_towns = random.choice((0, 1))
        for state in random_game(random, 120, start):
            in_turn = state.awaiting.decision is Decision.TURN and not state.actions_left
            if not in_turn or state.refilled:
                continue
            ending = due_ending(state, state.active.opponent)
            expected = outcome(state, ending) if ending else None
            after = state.copy()
            apply(after, read(ENGLISH, "end", after))
            while after.awaiting.decision is Decision.LOSERS_CARD:
                do(after, f"lose {after.awaiting.location}: {_any_loss(after)}")
            deal(after, random)
            assert after.outcome == expected
            ended += expected is not None
    assert ended


def _any_loss(state: State) -> str:
    side = state.awaiting.side
    siege = next(s for s in state.sieges.values() if s.location == state.awaiting.location)
    return next(c for c in siege.cards[side] if not state.ruleset.card(side, c).location)


def test_reason_of_an_ending_is_english_in_the_state_and_translated_for_players() -> None:
    """The position is that of both players, however different their languages are."""
    state = new_game(Ruleset.of(SECOND))
    siege = Ending(EndReason.HOME_SIEGE, BRITISH, 0, "quebec")
    for ending in (siege, Ending(EndReason.CAPTURES, FRENCH, 0)):
        usual = outcome(state, ending)
        with throwaway():
            translation = console.translate(usual.reason)
        assert outcome(state, ending) == usual == deepcopy(usual)
        assert translation != str(usual.reason)
        assert translation.startswith(OPEN)


@pytest.mark.parametrize("side", Side)
def test_reason_of_giving_up_is_translated(side: Side) -> None:
    home = {BRITISH: "boston", FRENCH: "quebec"}[side]
    ruleset = Ruleset.of(SECOND)
    lost, resigns = outcome_of_withdrawal(new_game(ruleset), side, home), outcome_of_resigning(side)
    assert lost is not None
    with throwaway():
        assert (
            outcome_of_withdrawal(new_game(ruleset), side, home),
            outcome_of_resigning(side),
        ) == (lost, resigns)
        assert console.translate(lost.reason) == bracketed(
            f"{bracketed(home.title())} was given up"
        )
        assert console.translate(resigns.reason) == bracketed(
            f"the {bracketed(side.value.title())} resigned"
        )


def test_player_resigns_once() -> None:
    """The opponent wins, however many points either side has."""
    state = position()
    resign(state, BRITISH)
    assert winner(state) is FRENCH
    with pytest.raises(ValueError, match="over"):
        resign(state, FRENCH)
