"""Play-outs: some turns played on in a world, and how the game stands then."""

from __future__ import annotations

from collections.abc import Mapping

from engine.order import Order
from engine.players.player import Player
from engine.players.search.evaluation import chance
from engine.players.search.worlds import World
from engine.sides import Side


def play_out(
    world: World, side: Side, first: Order | None, players: Mapping[Side, Player], turns: int
) -> float:
    """The chance of `side` to win after `first`, as it looks when the players have gone on so far.

    They play the turn that was begun to its end, and that many `turns` after it, each of one side.
    """
    line = world.line()
    state = line.state
    last = state.turn + turns
    line.deal()
    if first is not None:
        line.play(first)
    while state.outcome is None and state.turn <= last:
        line.play(players[state.awaiting.side].choose(state))
    return chance(state, side)
