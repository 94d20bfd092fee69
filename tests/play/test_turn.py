"""A turn is made of values: without a disk, a clock, randomness or a key that signs."""

from __future__ import annotations

import builtins
import os
import sqlite3
import time
from random import Random
from typing import NoReturn

import pytest

from engine.players.practice import PracticePlayer
from pbem import sources
from pbem.play.look import Secrets
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from tests.play.correspondents import Correspondents

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


def ordered(turn: Turn, seed: int) -> list[str]:
    """Play a turn to its end, with everything asked on the way, and take all back and again."""
    choose = PracticePlayer(Random(seed)).choose
    asked = []
    while not turn.is_complete or (turn.may_follow_up and len(turn.orders) < 6):
        order = choose(turn.view())
        asked.append(f"{turn.would_show(order)} {turn.course_with(order)}")
        turn.order(order)
    asked.append(f"{turn.course} {turn.better_sequence()} {turn.announced} {turn.deeds}")
    while turn.undo():
        assert turn.worlds
    while turn.redo():
        assert turn.look.state
    return asked


@pytest.mark.parametrize("seed", range(3))
def test_a_turn_needs_only_values(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Correspondents(Random(seed))
    game = pair.join(pair.invite(list(pair.identities)[seed % 2], lists=2))
    for number in range(30):
        side = game.match.next_side
        if side is None:
            return
        secrets, moment = Secrets.of(game.match, pair.identities[side]), pair.wait()
        resigns = number == 28 and not game.match.is_over

        def refuse(*given: object, **options: object) -> NoReturn:
            raise AssertionError("a turn reaches outside")

        with monkeypatch.context() as patched:
            one, other = (Turn(game, secrets, moment, resigns=resigns) for _ in range(2))
            # What is read once from the package is no part of a turn.
            asked = ordered(one, number)
            for module, name in OUTSIDE:
                patched.setattr(module, name, refuse)
            assert ordered(other, number) == asked
            other.new_notes = "Quebec first."
            saves = [turn.file() for turn in (one, other)]
        assert saves[0].records == saves[1].records
        assert saves[0].records[-1].signature == bytes(64)
        game = pair.answer(game, resigns=resigns)
    assert game.match.is_over
