"""The robot: it knows what a player knows, and writes what it signed before again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.errors import WrongUse
from pbem.play.game_file import GameFile
from pbem.play.robot.answering import Robot
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from tests.play.correspondents import Correspondents, answer, join
from tests.play.playing import TIME

NONCE = bytes(range(32))


def robot(seed: int = 0) -> Robot:
    identity = Identity("Robot", "", Random(seed).randbytes(32))
    return Robot(identity, PracticePlayer(Random(seed)).choose)


def invited(pair: Correspondents, **options: object) -> GameFile:
    return pair.invite(Side.BRITISH, lists=2, **options)  # type: ignore[arg-type]


def test_it_sees_of_the_other_hand_what_everybody_sees() -> None:
    pair, own = Correspondents(Random(5)), robot()
    seen: list[State] = []

    def choose(state: State) -> Order:
        seen.append(state)
        return own.choose(state)

    spying = replace(own, choose=choose)
    game = join(spying, invited(pair), nonce=NONCE, time=TIME, side=Side.FRENCH)
    slots = 0
    for _ in range(8):
        game = pair.answer(game)
        shown = game.match.state.players[Side.BRITISH].hand.copy()
        seen.clear()
        game = answer(spying, game, game.match.last.time)
        for state in seen:
            british, french = (state.players[side] for side in Side)
            assert (british.hand, french.hidden) == (shown, [])
            slots += len(british.hidden)
    assert slots


def test_an_answer_signed_before_is_written_from_its_record() -> None:
    """However the robot would choose today, the bytes are those that it sent."""
    pair = Correspondents(Random(6))
    invitation = invited(pair)
    joined = join(robot(), invitation, nonce=NONCE, time=TIME, side=Side.FRENCH)
    asked = pair.answer(joined)
    answered = answer(robot(), asked, asked.match.last.time)
    for before, after in ((invitation, joined), (asked, answered)):
        match = Match.replay([*before.match.records, after.match.last])
        again = before.followed_by(match, robot().identity)
        assert again.save.write() == after.save.write()


def test_it_does_not_answer_for_the_other_side() -> None:
    pair = Correspondents(Random(7))
    joined = join(robot(), invited(pair), nonce=NONCE, time=TIME, side=Side.FRENCH)
    with pytest.raises(WrongUse):
        answer(robot(), GameFile.read(joined.save.write()), TIME)
