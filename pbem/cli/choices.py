"""What a player has to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import game
from engine.orders import End
from engine.state import Decision, State
from pbem.cli.words import counted, names

if TYPE_CHECKING:
    from engine.sides import Side


NOTHING_TO_DECIDE = (
    "There is nothing to decide: your answer only deals the cards that your opponent draws."
)
ONLY_TO_DRAW = "There is nothing to decide: this file only draws your cards."


_WAYS: dict[Decision, dict[str, str]] = {
    Decision.RAID_REPLY: {"block": "block with a card", "allow": "allow it"},
    Decision.AMBUSH_REPLY: {
        "block": "block with a card",
        "give": "give up a card",
        "give from reserve": "give up a card from your reserve",
        "give from siege": "give up a card at a siege",
        "show hand": "show your hand",
    },
    Decision.CONVERSION_REPLY: {
        "give": "give up Native Americans",
        "give from reserve": "give up Native Americans from your reserve",
        "show hand": "show your hand",
    },
    Decision.SIEGE_SPOILS: {
        "occupy": "occupy it",
        "leave": "leave it neutral",
        "relieve": "take back your cards from the siege you withstood first (relieve)",
    },
    Decision.WITHDRAWAL_SPOILS: {"occupy": "occupy it", "leave": "leave it neutral"},
    Decision.EXCHANGE: {
        "exchange": "exchange a card for another",
        "keep": "keep what you have",
    },
}
"""What can be done where it depends on the position, by verb."""


def awaited(state: State, side: Side, after: str = "") -> str:
    """What `side`, whose view this is, has to decide if it is its decision, as a sentence.

    `after` says on what it has to wait, such as `, after the answer`.
    """
    decision, awaited_side, location, amount, *_ = state.awaiting
    if awaited_side is not side:
        return NOTHING_TO_DECIDE
    if decision.is_chance:
        return ONLY_TO_DRAW
    place = names(state)(location) if location else ""
    enemy, turn = side.opponent.label, f"Turn {state.turn + 1}{after}"
    match decision:
        case Decision.TURN if state.refilled:
            return f"{turn}: your hand is refilled; take free actions, or end it."
        case Decision.TURN if state.actions_left == 0:
            free = ", or take free actions" if _has_free_actions(state) else ""
            return f"{turn}: no action is left; end it{free}."
        case Decision.TURN:
            return f"{turn}: {counted(state.actions_left, 'action')} to take."
        case Decision.SIEGE_SPOILS:
            return _possible(state, f"You won the siege of {place}")
        case Decision.LOSERS_CARD:
            return f"The siege of {place} stands lost: choose the card that it costs (lose)."
        case Decision.RAID_REPLY:
            return _possible(state, f"The {enemy} raid {place}")
        case Decision.AMBUSH_REPLY:
            return _possible(state, f"The {enemy} ambush you")
        case Decision.CONVERSION_REPLY:
            return _possible(state, f"The {enemy} convert")
        case Decision.WITHDRAWAL_SPOILS:
            return _possible(state, f"The {enemy} gave {place} up")
        case Decision.EXCHANGE:
            return _possible(state, "A siege was resolved")
        case Decision.FORFEIT:
            return f"You could not pay for the shuffle: forfeit {counted(amount, 'card')}."
        case Decision.START_CARD:
            return "Choose the card that you begin with (start)."
    return NOTHING_TO_DECIDE


def _has_free_actions(state: State) -> bool:
    """Whether more is possible in a turn that is used up than to end it."""
    return any(not isinstance(order, End) for order in game.legal_orders(state))


def _possible(state: State, situation: str) -> str:
    """A situation, and what can be done in it, as a sentence."""
    legal = game.legal_orders(state)
    if len(legal) == 1:
        return f"{situation}: all you can do is “{legal[0].text(names(state))}”."
    verbs = {order.words() for order in legal}
    ways = [told for verb, told in _WAYS[state.awaiting.decision].items() if verb in verbs]
    *others, last = ways
    return f"{situation}: {', '.join(others)}{', or ' if others else ''}{last}."
