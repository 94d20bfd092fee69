"""A game turn by turn: which records have a turn, and the position after it as a player saw it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.sides import Side
from engine.state import State
from pbem.errors import UsageError
from pbem.play.look import Look, Spectator
from pbem.protocol.hand import match_at
from pbem.protocol.match import Match
from pbem.protocol.steps import Accept
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.game_facts import turn_facts
from tests.play.matches import TIME, answer, any_order, begin, identities, play
from tests.protocol.test_hindsight import closed_match, hide_shown_cards
from tests.sample import sample
from tests.seats import NextRecord, Seat


def played(seed: int) -> Match:
    random = Random(seed)
    return play(
        begin(seed, lists=2, home_support="ahead" if seed % 2 else "asked"),
        any_order(random),
        turns=16,
        seed=seed,
        follows_up=lambda: random.random() < 0.3,
    )


def hands(state: State) -> dict[Side, tuple[list[str], int]]:
    """Return the known cards and the number of unknown ones of each hand."""
    return {side: (sorted(one.hand), len(one.hidden)) for side, one in state.players.items()}


@pytest.mark.parametrize("seed", range(6))
def test_every_move_is_in_one_turn_and_every_turn_at_its_number(seed: int) -> None:
    match = played(seed)
    chronicle = Chronicle(Look(match))
    turns = chronicle.turns
    assert [turn.number for turn in turns] == list(range(chronicle.last + 1))
    assert [turn.side for turn in turns[:3]] == [None, Side.BRITISH, Side.FRENCH]
    assert [move for turn in turns for move in turn.moves] == match.moves
    for turn in turns[1:]:
        assert {move.turn + 1 for move in turn.moves} == {turn.number}
        assert {move.record for move in turn.moves} <= set(turn.records)
        assert turn.moves[0].record == turn.records[0]
        assert turn.moves[-1].record == turn.records[-1]
    for turn, following in pairwise(turns):
        # The last cards of a turn may be dealt in a record of the next turn.
        assert following.records[0] - turn.records[-1] in (0, 1)
        assert turn.state.turn == turn.number
        assert turn.state.active is following.side
    assert isinstance(match.records[1].steps[0], Accept)
    assert turns[0].records[:2] == range(2)


@pytest.mark.parametrize("seed", sample(range(6), first=3))
def test_view_after_a_turn_is_the_next_players_view(seed: int) -> None:
    match, compared = played(seed), 0
    for who in identities(seed):
        seat = Seat(match, who)
        chronicle = Chronicle(seat.look)
        assert hands(chronicle.view(chronicle.last)) == hands(seat.view())
        for turn in chronicle.turns[1:]:
            if turn.side is not seat.side:
                continue
            own = next(move for move in turn.moves if move.order and move.side is seat.side)
            matches = NextRecord(Seat(match_at(match, own.record - 1), who), TIME).view()
            if matches.turn != turn.number - 1:
                continue  # Its record answers an attack first.
            before = chronicle.view(turn.number - 1)
            assert hide_shown_cards(before) == hide_shown_cards(matches)
            assert hands(before) == hands(matches)
            compared += 1
    assert compared > 10


def test_all_hands_of_a_closed_game_are_open_after_every_turn() -> None:
    chronicle = Chronicle(Look(closed_match(0), Spectator.NO_KEY))
    assert set(chronicle.look.open_sides) == set(Side)
    for number in range(chronicle.last + 1):
        assert all(not hidden for _, hidden in hands(chronicle.view(number)).values())
    # The public position is unchanged by later knowledge.
    assert any(one.hidden for one in chronicle.turns[1].state.players.values())


@pytest.mark.parametrize("seed", range(4))
def test_next_record_is_in_the_announced_turn(seed: int) -> None:
    match, compared = played(seed), 0
    for record in match.records[2:]:
        orders = [move for move in match.moves if move.record == record.index and move.order]
        own = [move for move in orders if move.side == record.side]
        if own:
            assert match_at(match, record.index - 1).turn == own[0].turn + 1
            compared += 1
    assert compared > 10
    assert match_at(match, 0).turn == 0


def test_only_an_unfinished_turn_is_under_way() -> None:
    match = begin(3)
    assert not Chronicle(Look(match)).is_under_way
    for _ in range(8):
        match = answer(match, any_order(Random(3)), 3)
        chronicle = Chronicle(Look(match))
        assert chronicle.is_under_way == (match.state.turn < chronicle.last)
        assert chronicle.last <= match.turn
    assert not Chronicle(Look(closed_match(0))).is_under_way


@pytest.mark.parametrize("number", [-1, 999])
def test_turn_that_has_not_begun_is_refused(number: int) -> None:
    chronicle = Chronicle(Look(played(0)))
    for ask in (chronicle.turn, chronicle.view, lambda n: turn_facts(chronicle, n)):
        with pytest.raises(UsageError, match=f"no turn {number} in this file"):
            ask(number)
