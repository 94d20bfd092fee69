"""The robot: it knows what a player knows."""

from __future__ import annotations

from random import Random

from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.play.robot.answering import Robot
from pbem.protocol.identity import Identity
from tests.play.correspondents import Correspondents, answer, join
from tests.play.playing import TIME


def test_it_sees_of_the_other_hand_what_everybody_sees() -> None:
    pair, choose_one = Correspondents(Random(5)), PracticePlayer(Random(0)).choose
    seen: list[State] = []

    def choose(state: State) -> Order:
        seen.append(state)
        return choose_one(state)

    spying = Robot(Identity("Robot", "", Random(0).randbytes(32)), choose)
    invitation = pair.invite(Side.BRITISH, lists=2)
    game = join(spying, invitation, nonce=bytes(range(32)), time=TIME, side=Side.FRENCH)
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
