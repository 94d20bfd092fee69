"""Positions as they would be, to explain orders that are for another moment."""

from __future__ import annotations

from engine.ruleset import ACTIONS_A_TURN
from engine.sides import Side
from engine.state import Awaiting, Decision, State


def in_own_turn(state: State, side: Side) -> State:
    """The position if `side`, whose view it is, could act now; itself where that is so."""
    if state.decides(side) and state.awaiting.decision is Decision.TURN and state.actions_left:
        return state
    supposed = state.copy()
    supposed.active, supposed.outcome, supposed.refilled = side, None, False
    supposed.awaiting, supposed.actions_left = Awaiting(Decision.TURN, side), ACTIONS_A_TURN
    return supposed
