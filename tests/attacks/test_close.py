"""The end: false secrets, early and late closes, and resignations for the opponent.

docs/protocol.md, The close.
"""

from __future__ import annotations

import pytest

from engine.sides import Side, Slot
from pbem.protocol import steps
from pbem.protocol.match import Match
from tests.attacks.cheats import add_record, check_refused, forge
from tests.attacks.positions import find_ended, find_owed_steps, find_record_with, play_passes
from tests.play.matches import begin, close, identities, resign, seat_to_write, sign_as

OVER = "order of steps"


def secret_of_writer(match: Match) -> bytes:
    """Return the game secret of the player whose turn it is to write."""
    return seat_to_write(match).secret


def test_false_game_secret_is_refused() -> None:
    match = resign(play_passes())
    for secret in (bytes(32), identities()[0].game_secret(bytes(32))):
        records = add_record(match, [steps.Close(secret)])
        check_refused(records, "game secret", "not the one that its author entered with")


def test_opponents_game_secret_is_refused() -> None:
    """The player who closes second knows the opponent's secret."""
    match = resign(play_passes())
    stolen = match.secrets[Side(match.last.side)]
    check_refused(add_record(match, [steps.Close(stolen)]), "game secret", "not the one")


def test_close_before_the_end_is_refused() -> None:
    """A player who publishes the secret early would show the hand."""
    match = play_passes()
    secret = secret_of_writer(Match.replay(match.records[:-1]))
    for at in (0, 1, len(match.last.steps)):
        records = forge(match, lambda t, i=at: [*t[:i], steps.Close(secret), *t[i:]])  # type: ignore[misc]
        check_refused(records, OVER, "when the game is over, and not before")


def test_second_close_is_refused() -> None:
    match = resign(play_passes())
    twice = close(match).last.steps * 2
    check_refused(add_record(match, twice), OVER, "nothing follows its author's close")


def test_record_after_both_closes_is_refused() -> None:
    match = resign(play_passes())
    records = add_record(close(match), [steps.Close(bytes(32))])
    check_refused(records, OVER, "the game is over")


def test_order_after_the_end_is_refused() -> None:
    match = find_ended()
    pay = [s for s in find_owed_steps(match) if isinstance(s, steps.OpenLists)]
    for more in (steps.OrderStep("pass"), steps.DrawStep(1), steps.Resign()):
        records = add_record(match, [*pay, more])
        check_refused(records, OVER, "the game is over|not due")


def test_order_after_the_authors_close_is_refused() -> None:
    match = find_ended()
    for more in (steps.OrderStep("pass"), steps.DrawStep(1), steps.Resign()):
        records = forge(match, lambda t, m=more: [*t, m])  # type: ignore[misc]
        check_refused(records, OVER, "nothing follows its author's close")


def test_record_after_the_end_without_a_close_is_refused() -> None:
    """The loser answers with a grant so that the game never closes."""
    match = find_ended()
    grant = steps.Grant((Slot(0, 0),))
    check_refused(add_record(match, [grant]), OVER, "the game is over")


def test_order_between_the_end_and_the_close_is_refused() -> None:
    """The turn that ends the game is followed by a turn that would undo it."""
    match = find_ended()
    assert match.last.steps[-1].kind == "close"
    records = forge(match, lambda t: [*t[:-1], steps.OrderStep("pass"), t[-1]])
    check_refused(records, OVER, "the game is over")


def test_resigning_in_the_opponents_name_is_refused() -> None:
    match = play_passes()
    record = add_record(match, [steps.Resign()])[-1]
    forger = identities()[match.last.index % 2]
    check_refused([*match.records, sign_as(forger, record)], "signature", "somebody else wrote it")


def test_resigning_after_the_turn_loses_the_authors_game() -> None:
    """A resignation at the end of a record is its author's, although the turn has passed."""
    match = play_passes()
    author = Side(match.last.side)
    records = forge(match, lambda t: [*t, steps.Resign()])
    state = Match.replay(records).state
    assert state.outcome is not None
    assert state.outcome.winner is author.opponent


def test_resigning_instead_of_opening_the_lists_is_refused() -> None:
    """A player with a wrong deck resigns, but still has to open the lists."""
    match = find_record_with(6, steps.OpenLists)
    check_refused(forge(match, lambda _: [steps.Resign()]), OVER, "opened first")
    match = find_record_with(6, steps.Grant)
    check_refused(forge(match, lambda t: [steps.Resign()]), OVER, "opened first|granted first")


def test_closing_instead_of_opening_the_lists_is_refused() -> None:
    """A player with a wrong deck has to open the lists before the secret."""
    # The inviter resigns before record 3, in which the guest has to open a shuffle.
    over = resign(begin())
    opening, last = close(over).last.steps
    check_refused(add_record(over, [last]), OVER, "opened first")
    check_refused(add_record(over, [opening]), OVER, "all that can follow is a close")
    assert Match.replay(add_record(over, [opening, last])).next_side is None


@pytest.mark.parametrize("kind", [steps.Close(bytes(32)), steps.DrawStep(1)])
def test_misplaced_steps_are_refused(kind: steps.Step) -> None:
    check_refused(forge(play_passes(), lambda t: [kind, *t]), OVER, "not before|due")
