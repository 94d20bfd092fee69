"""The close: each side publishes its game secret, and everything is recomputed.

docs/protocol.md, The close.
"""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest

from engine.orders import Ambush, Convert, Raid
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import Decision
from pbem.errors import UsageError
from pbem.protocol import steps
from pbem.protocol.deck import commit
from pbem.protocol.identity import secret_hash
from pbem.protocol.match import Match
from tests.play.matches import any_order, begin, close, identities, play, resign, sign_as


def test_finished_game_is_closed_by_both() -> None:
    player = PracticePlayer(Random(1))
    match = play(begin(1), player.choose, turns=1000, seed=1, follows_up=lambda: True)
    assert match.is_over
    assert match.next_side is None
    assert {side: secret_hash(secret) for side, secret in match.secrets.items()} == {
        side: entrant.secret_hash for side, entrant in match.entrants.items()
    }
    # The ending record closes the game for its author, the next record for the other side.
    ending, closing = match.records[-2:]
    assert isinstance(ending.steps[-1], steps.Close)
    assert isinstance(closing.steps[-1], steps.Close)
    assert Match.replay(match.records[:-1]).next_side == closing.side
    Match.replay(match.records)


@pytest.mark.parametrize("turns", [0, 1, 2, 7, 20])
def test_resigning_ends_the_game_for_the_other_side(turns: int) -> None:
    match = play(begin(), any_order(Random(turns)), turns=turns)
    loser = match.next_side
    assert loser is not None
    match = resign(match)
    outcome = match.state.outcome
    assert outcome is not None
    assert outcome.winner is loser.opponent
    assert "resigned" in str(outcome.reason)
    assert set(match.secrets) == {loser}
    with pytest.raises(UsageError, match="already over"):
        resign(match)
    match = close(match)
    assert set(match.secrets) == set(Side)
    assert match.next_side is None
    assert Match.replay(match.records).state.key() == match.state.key()


@pytest.mark.parametrize("attack", [Raid, Ambush, Convert])
def test_resigning_to_an_attack_voids_follow_ups(attack: type[Raid | Ambush | Convert]) -> None:
    random = Random(3)
    choose, match = any_order(random), begin()
    decision = {
        Raid: Decision.RAID_REPLY,
        Ambush: Decision.AMBUSH_REPLY,
        Convert: Decision.CONVERSION_REPLY,
    }[attack]
    while match.is_over or match.state.awaiting.decision is not decision or not match.follow_ups:
        match = begin() if match.next_side is None else match
        match = play(
            match, choose, turns=match.state.turn + 1, follows_up=lambda: random.random() < 0.9
        )
    match = resign(match)
    assert match.follow_ups == ()
    assert close(match).next_side is None


def test_game_that_ended_without_a_close_can_be_closed() -> None:
    """Files of the first version end without a close."""
    match = resign(play(begin(), any_order(Random(6)), turns=9))
    last = match.last
    author = next(who for who in identities() if last.verify(who.public_key))
    assert isinstance(last.steps[-1], steps.Close)
    ended = Match.replay([*match.records[:-1], sign_as(author, last, steps=last.steps[:-1])])
    assert ended.secrets == {}
    first = close(ended)
    second = close(first)
    assert set(first.secrets) == {Side(last.side).opponent}
    assert set(second.secrets) == set(Side)
    assert second.next_side is None


def test_close_recomputes_only_unopened_shuffles() -> None:
    """At the largest K a shuffle has a million slot hashes, which an opening makes needless."""
    match = close(resign(play(begin(), any_order(Random(5)), turns=12)))
    decks = match.decks
    unopened = [
        (side, epoch)
        for side in Side
        for epoch in range(decks[side].next_epoch)
        if decks[side].opening(epoch) is None
    ]
    with patch("pbem.protocol.match.commit", wraps=commit) as recommitted:
        Match.replay(match.records)
    assert recommitted.call_count == len(unopened)
    assert sum(decks[side].next_epoch for side in Side) >= len(unopened) + 4
