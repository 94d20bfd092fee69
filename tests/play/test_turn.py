"""A turn needs no disk, clock, randomness or signing key."""

from __future__ import annotations

import builtins
import os
import sqlite3
import time
from itertools import islice
from random import Random
from typing import NoReturn

import pytest

from engine.actions.action import IllegalOrderError
from engine.game import cards_played
from engine.orders import Ambush, End, Pass, Raid, Refill
from engine.players.practice import PracticePlayer
from pbem import sources
from pbem.errors import UsageError
from pbem.play.game_file import GameFile
from pbem.play.look import Look, Secrets
from pbem.play.turn import Notes, Turn, look_now, read_notes
from pbem.protocol.identity import MAX_NOTES, Identity, unseal
from pbem.protocol.steps import Grant
from tests.play.correspondents import Correspondents
from tests.play.turns import first_legal_order, practice_turns

MOMENT = "2026-12-01T00:00:00Z"

OUTSIDE = [
    (builtins, "open"),
    (os, "open"),
    (os, "urandom"),
    (os, "stat"),
    (sqlite3, "connect"),
    (time, "time"),
    (time, "time_ns"),
    (sources, "_system_bytes"),
    (Identity, "sign"),
    (Identity, "game_secret"),
    (Identity, "box_key"),
]


def play_turn(turn: Turn, seed: int) -> list[str]:
    """Play a turn to its end, use its properties, and undo and redo all orders."""
    choose = PracticePlayer(Random(seed)).choose
    answers = []
    while not turn.is_complete or (turn.may_follow_up and len(turn.orders) < 6):
        order = choose(turn.view())
        answers.append(f"{turn.would_show(order)} {turn.forecast_with(order)}")
        turn.order(order)
    answers.append(f"{turn.forecast} {turn.better_sequence()} {turn.follow_ups} {turn.moves}")
    while turn.undo():
        assert turn.worlds
    while turn.redo():
        assert turn.look.state
    return answers


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.long)])
def test_turn_needs_only_values(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Correspondents(Random(seed))
    game = pair.join(pair.invite(list(pair.identities)[seed % 2], lists=2))
    for number in range(30):
        side = game.match.next_side
        if side is None:
            return
        secrets, moment = Secrets.of(game.match, pair.identities[side]), pair.advance_clock()
        resigns = number == 28 and not game.match.is_over

        def refuse(*arguments: object, **options: object) -> NoReturn:
            raise AssertionError("a turn reaches outside")

        with monkeypatch.context() as patched:
            one, other = (Turn(game, secrets, moment, resigns=resigns) for _ in range(2))
            # Data of the package are read before, because they are cached.
            answers = play_turn(one, number)
            for module, name in OUTSIDE:
                patched.setattr(module, name, refuse)
            assert play_turn(other, number) == answers
            other.new_notes = "Quebec first."
            saves = [turn.file() for turn in (one, other)]
        assert saves[0].records == saves[1].records
        assert saves[0].records[-1].signature == bytes(64)
        game = pair.answer(game, resigns=resigns)
    assert game.match.is_over


# --- files


def find_open_turn(home_support: str = "asked") -> tuple[Turn, GameFile]:
    """Return a turn with two actions, and the file that it answers."""
    turn = next(practice_turns(home_support)).answer
    return turn, turn.game


def test_file_holds_notes_and_hand_for_the_player_alone() -> None:
    turn, _ = find_open_turn()
    while not turn.is_complete:
        turn.order(turn.legal_orders()[-1])
    turn.new_notes = "Quebec first.\r\nThen Boston."
    save = turn.file()
    game = GameFile(save, turn.match)
    assert read_notes(game, turn.secrets) == Notes("Quebec first.\nThen Boston.")
    assert set(save.boxes) == {turn.side.value}
    box = save.boxes[turn.side.value]
    hand = unseal(box.sealed, turn.secrets.box_key, turn.match.id, turn.match.last.hash).hand
    assert sorted(hand) == sorted(turn.look.state.players[turn.side].hand)
    broken = save._replace(boxes={turn.side.value: box._replace(sealed=box.sealed[:-1])})
    lost = read_notes(GameFile(broken, turn.match), turn.secrets)
    assert lost.text == ""
    assert "your notes are lost" in str(lost.damage)
    turn.new_notes = "x" * (MAX_NOTES + 1)
    with pytest.raises(UsageError, match=f"at most {MAX_NOTES} characters"):
        turn.file()


# --- shown cards


def test_choice_among_equal_cards_depends_on_the_secret() -> None:
    turn, _ = find_open_turn()
    slots = sorted(turn.match.state.players[turn.side].hidden)
    ranks = [turn._rank(slot) for slot in slots]
    turn.secret = bytes(32)
    assert not {*ranks} & {turn._rank(slot) for slot in slots}


def test_follow_up_shows_no_known_card() -> None:
    """A follow-up with a known card does not show it again."""
    for case in practice_turns(games=40):
        turn = case.answer
        known = turn.match.state.players[turn.side].hand
        attack = first_legal_order(turn, Raid, Ambush)
        if not known or attack is None:
            continue
        turn.order(attack)
        for order in turn.legal_orders() if turn.may_follow_up else ():
            played = cards_played(turn.view(), order)
            if len(played) == 1 and played[0] in known:
                assert turn.would_show(order) == []
                before = len(turn.cards_shown)
                turn.order(order)
                assert len(turn.cards_shown) == before
                return
    raise AssertionError("no such turn in these games")


@pytest.mark.parametrize("home_support", ["asked", "ahead"])
def test_cards_that_come_next_are_named_ahead_if_that_was_agreed(home_support: str) -> None:
    steps = [
        step for case in islice(practice_turns(home_support), 60) for step in case.answer.steps
    ]
    is_named_ahead = any(step.ahead for step in steps if isinstance(step, Grant))
    assert is_named_ahead == (home_support == "ahead")


# --- refused orders


def test_turn_that_is_over_takes_no_order() -> None:
    turn, game = find_open_turn()
    waiting = Look(game.match, turn.secrets)
    assert look_now(game, waiting, MOMENT).match is not game.match
    turn.order(Pass())
    turn.order(Pass())
    turn.order(End())
    assert turn.legal_orders() == []
    with pytest.raises(IllegalOrderError, match=r"the other player has to answer first \(turn\)\."):
        turn.order(Pass())
    over = GameFile(turn.file(), turn.match)
    with pytest.raises(UsageError, match=r"writes next: turn \d+\. Send them this file"):
        Turn(over, turn.secrets, MOMENT)


def test_refill_ends_no_turn_by_itself() -> None:
    """In the first edition free actions may follow a refill whose cards come at once."""
    for case in practice_turns(games=60, edition="first"):
        turn = case.answer
        turn.order(Pass())
        turn.order(Pass())
        turn.order(Refill())
        if not turn.is_complete and turn.is_turn_used_up:
            turn.end_turn()
            assert turn.orders[-1] == Refill()
            turn.order(End())
            return
    raise AssertionError("no such turn in these games")
