"""Honest matches: two programs read each other's records, and each shows only its own hand."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions.action import IllegalOrderError
from engine.orders import from_notation
from engine.sides import Side
from engine.state import Decision
from pbem.errors import DeckError, StepError, UsageError
from pbem.protocol import steps
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.table import rules_digest
from tests.play.matches import TIME, any_order, begin, identities, play, seat_to_write
from tests.seats import NextRecord, Seat
from tests.signing import accept, end, invite


@pytest.mark.parametrize(
    ("side", "guest"),
    [(Side.BRITISH, None), (Side.FRENCH, None), (None, Side.BRITISH), (None, Side.FRENCH)],
)
def test_british_take_the_first_turn(side: Side | None, guest: Side | None) -> None:
    match = begin(side=side, guest=guest)
    assert match.records[0].side == (side or "any")
    # Records before the first turn only shuffle and grant cards.
    draft = NextRecord(seat_to_write(match), TIME)
    while draft.is_complete:
        end(draft)
        draft = NextRecord(seat_to_write(draft.match), TIME)
    state = draft.match.state
    assert (state.turn, state.awaiting.decision, state.active) == (0, Decision.TURN, Side.BRITISH)
    # Only an inviter who left the choice and got the British waits for another file.
    assert len(draft.match.records) == (
        2 if side is Side.BRITISH else 4 if guest is Side.FRENCH else 3
    )
    assert all(state.players[side].hand_size == 5 for side in Side)


def test_players_have_the_data_of_their_entries() -> None:
    match = begin()
    for record, side in zip(match.records, (Side.BRITISH, Side.FRENCH), strict=True):
        entry, player = record.steps[0], match.entrants[side]
        assert isinstance(entry, steps.Invite | steps.Accept)
        assert player.email
        for field in player._fields:
            assert getattr(player, field) == getattr(entry, field)


def test_draft_is_checked_like_a_record() -> None:
    """A program does not sign an opening that the other side would refuse."""
    match = play(begin(), any_order(Random(6)), turns=1)
    place, opening = next(
        (record.index, step)
        for record in match.records
        for step in record.steps
        if isinstance(step, steps.OpenLists)
    )
    before = Match.replay(match.records[:place])
    before.begin(match.records[place].side)
    with pytest.raises(DeckError, match="committed to"):
        before.take(opening._replace(siblings=(bytes(32), *opening.siblings[1:])))
    before.take(opening)


def test_player_sees_no_hand_of_the_opponent() -> None:
    match = play(begin(), any_order(Random(3)), turns=12)
    for identity in identities():
        seat = Seat(match, identity)
        view = seat.view()
        assert not view.players[seat.side].hidden
        assert view.players[seat.side].hand_size == match.state.players[seat.side].hand_size
        opponent = view.players[seat.side.opponent]
        assert opponent.hidden == match.state.players[seat.side.opponent].hidden


def test_ordinary_turn_is_one_record() -> None:
    match = play(
        begin(),
        lambda state: from_notation("pass") if state.actions_left else from_notation("end"),
        turns=9,
    )
    assert [record.side for record in match.records[2:]] == ["british", "french"] * 4 + ["british"]


def test_refused_order_changes_nothing() -> None:
    draft = NextRecord(seat_to_write(begin()), TIME)
    before, count = draft.match.state.key(), len(draft.steps)
    with pytest.raises(IllegalOrderError, match="not in your hand"):
        draft.order(from_notation("ambush rangers"))
    assert draft.match.state.key() == before
    assert len(draft.steps) == count


def test_record_cannot_be_signed_in_the_middle_of_a_turn() -> None:
    draft = NextRecord(seat_to_write(begin()), TIME)
    with pytest.raises(StepError, match="still owes"):
        end(draft)


def test_late_clock_borrows_the_time_of_the_last_record() -> None:
    match = begin()
    draft = NextRecord(seat_to_write(match), "2001-01-01T00:00:00Z")
    draft.order(from_notation("pass"))
    draft.order(from_notation("end"))
    assert end(draft).time == match.last.time


def test_only_the_next_player_can_write() -> None:
    match = begin()
    waiting = next(Seat(match, who) for who in identities() if not Seat(match, who).must_write)
    with pytest.raises(UsageError, match="writes next: turn 1"):
        NextRecord(waiting, TIME)
    with pytest.raises(UsageError, match="not one of the players"):
        Seat(match, Identity.generate("Eve", ""))


def test_acceptance_that_contradicts_the_invitation_is_refused() -> None:
    anna, bela = identities()
    fixed = invite(anna, side=Side.FRENCH, nonce=bytes(32), time=TIME, lists=4)
    with pytest.raises(UsageError, match="your own invitation"):
        accept(fixed, anna, nonce=bytes(32), time=TIME)
    with pytest.raises(UsageError, match="only join as"):
        accept(fixed, bela, nonce=bytes([1] * 32), time=TIME, side=Side.FRENCH)
    open_to_choose = invite(anna, side=None, nonce=bytes(32), time=TIME, lists=4)
    with pytest.raises(UsageError, match="say which one"):
        accept(open_to_choose, bela, nonce=bytes([1] * 32), time=TIME)
    joined = accept(fixed, bela, nonce=bytes([1] * 32), time=TIME)
    with pytest.raises(UsageError, match="already joined this game"):
        accept(joined, bela, nonce=bytes([1] * 32), time=TIME)


def test_rules_digest_of_the_second_edition_is_stable() -> None:
    """A later program with more flags still has to read existing games."""
    digest = rules_digest(begin().state.ruleset)
    assert digest.hex() == "a2b8eea928c6f316a07ac9a6f05b06019cff4a1e361c66c0c0aa7674bdd61aaf"
