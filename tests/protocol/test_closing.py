"""The close: after the end each side publishes its game secret, and everything is recomputed.

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
from pbem.errors import WrongUse
from pbem.play.next_record import NextRecord
from pbem.play.seat import Seat
from pbem.protocol import steps
from pbem.protocol.deck import commit
from pbem.protocol.hand import HiddenCards
from pbem.protocol.identity import secret_hash
from pbem.protocol.match import Match
from tests.play.playing import TIME, any_order, begin, identities, play, seat_to_write, signed_by
from tests.signing import end


def resigned(match: Match) -> Match:
    draft = NextRecord(seat_to_write(match), TIME, resigns=True)
    end(draft)
    return draft.match


def closed(match: Match) -> Match:
    """The match with the record that closes it for the side whose turn it is to write."""
    draft = NextRecord(seat_to_write(match), TIME)
    assert not draft.is_awaiting_orders
    end(draft)
    return draft.match


def test_a_game_played_to_its_end_is_closed_by_both() -> None:
    player = PracticePlayer(Random(1))
    match = play(begin(1), player.choose, turns=1000, seed=1, follows_up=lambda: True)
    assert match.is_over
    assert match.next_side is None
    assert {side: secret_hash(secret) for side, secret in match.secrets.items()} == {
        side: entrant.secret_hash for side, entrant in match.entrants.items()
    }
    # The record that ended the game closes it for its author, the next for the other side.
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
    match = resigned(match)
    outcome = match.state.outcome
    assert outcome is not None
    assert outcome.winner is loser.opponent
    assert "resigned" in str(outcome.reason)
    assert set(match.secrets) == {loser}
    with pytest.raises(WrongUse, match="already over"):
        resigned(match)
    match = closed(match)
    assert set(match.secrets) == set(Side)
    assert match.next_side is None
    assert Match.replay(match.records).state.key() == match.state.key()


@pytest.mark.parametrize("attack", [Raid, Ambush, Convert])
def test_resigning_instead_of_an_answer_voids_what_was_to_follow(
    attack: type[Raid | Ambush | Convert],
) -> None:
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
    match = resigned(match)
    assert match.follow_ups == ()
    assert closed(match).next_side is None


def test_a_game_that_ended_without_a_close_is_still_closed_by_both() -> None:
    """So files of the first version end."""
    match = resigned(play(begin(), any_order(Random(6)), turns=9))
    last = match.last
    author = next(who for who in identities() if last.verify(who.public_key))
    assert isinstance(last.steps[-1], steps.Close)
    ended = Match.replay([*match.records[:-1], signed_by(author, last, steps=last.steps[:-1])])
    assert ended.secrets == {}
    first = closed(ended)
    second = closed(first)
    assert set(first.secrets) == {Side(last.side).opponent}
    assert set(second.secrets) == set(Side)
    assert second.next_side is None


@pytest.mark.parametrize("home_support", ["asked", "ahead"])
def test_the_published_secrets_give_every_hand_as_its_owner_saw_it(home_support: str) -> None:
    match, choose = begin(home_support=home_support), any_order(Random(8))
    seen: list[tuple[int, Side, list[str]]] = []
    while match.next_side is not None and match.state.turn < 24:
        match = play(match, choose, turns=match.state.turn + 1, follows_up=lambda: True)
        for seat in (Seat(match, who) for who in identities()):
            hand = seat.view().players[seat.side].hand
            seen.append((len(match.records), seat.side, sorted(hand)))
    end = match if match.is_over else closed(resigned(match))
    for records, side, hand in seen:
        state = Match.replay(end.records[:records]).state
        HiddenCards(end, side, end.secrets[side]).reveal(state)
        assert sorted(state.players[side].hand) == hand


def test_what_was_opened_is_not_committed_to_once_more() -> None:
    """A million slot hashes for each shuffle at the largest K: the opening tells as much."""
    match = closed(resigned(play(begin(), any_order(Random(5)), turns=12)))
    decks = match.decks
    unopened = [
        (side, epoch)
        for side in Side
        for epoch in range(decks[side].next_epoch)
        if decks[side].opening(epoch) is None
    ]
    with patch("pbem.protocol.closing.commit", wraps=commit) as recommitted:
        Match.replay(match.records)
    assert recommitted.call_count == len(unopened)
    assert sum(decks[side].next_epoch for side in Side) >= len(unopened) + 4
