"""What a player has to decide, and what the orders are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine import game
from engine.actions.action import IllegalOrder
from engine.naming import normal
from engine.state import Decision, State
from pbem.cli import console
from pbem.cli.report import counted, names

if TYPE_CHECKING:
    from engine.orders import Order
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
            return f"{turn}: no action is left; end it, or take free actions."
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


def _possible(state: State, situation: str) -> str:
    """A situation, and what can be done in it, as a sentence."""
    legal = game.legal_orders(state)
    if len(legal) == 1:
        return f"{situation}: all you can do is “{legal[0].text(names(state))}”."
    verbs = {order.words() for order in legal}
    ways = [told for verb, told in _WAYS[state.awaiting.decision].items() if verb in verbs]
    *others, last = ways
    return f"{situation}: {', '.join(others)}{', or ' if others else ''}{last}."


class Choice(NamedTuple):
    """A legal order with its price; `is_certain` unless it depends on an answer to come."""

    order: Order
    cost: int
    is_free: bool
    is_certain: bool

    @property
    def remark(self) -> str:
        """What to say of it beside the order; empty where there is nothing."""
        parts = [f"{self.cost} money"] if self.cost else []
        parts += ["free action"] if self.is_free else []
        parts += [] if self.is_certain else ["depends on the answer"]
        return ", ".join(parts)


def legal_in(worlds: Sequence[State]) -> list[Choice]:
    """Every order that is legal in one of the worlds; those of the first come first."""
    found: dict[Order, Choice] = {}
    for world in worlds:
        in_turn = world.awaiting.decision is Decision.TURN
        for order in game.legal_orders(world):
            if order not in found:
                is_free = in_turn and game.is_free(world, order)
                is_certain = all(_is_legal(other, order) for other in worlds if other is not world)
                found[order] = Choice(order, game.cost(world, order), is_free, is_certain)
    return list(found.values())


def _is_legal(state: State, order: Order) -> bool:
    try:
        game.check(state, order)
    except IllegalOrder:
        return False
    return True


def choices(worlds: Sequence[State], wanted: str = "") -> dict[str, list[Choice]]:
    """The orders that are legal in one of the worlds, by verb.

    `wanted` keeps those in which each of its words begins one.
    """
    name = names(worlds[0])
    found: dict[str, list[Choice]] = {}
    for choice in legal_in(worlds):
        words = normal(choice.order.text(name)).split()
        if all(any(w.startswith(part) for w in words) for part in normal(wanted).split()):
            found.setdefault(choice.order.words(), []).append(choice)
    for orders in found.values():
        orders.sort(key=lambda choice: (len(choice.order.cards), choice.order.text(name)))
    return found


def say_choices(worlds: Sequence[State], wanted: str = "", most: int = 0) -> None:
    """Print the legal orders grouped by verb; with `most` only so many of each."""
    found = choices(worlds, wanted)
    if not found:
        console.say("No such order is legal now." if wanted else NOTHING_TO_DECIDE)
    say_found(worlds, found, most)


def say_found(worlds: Sequence[State], found: dict[str, list[Choice]], most: int = 0) -> None:
    """Print these orders, by verb; with `most` only so many of each."""
    name = names(worlds[0])
    for verb, orders in found.items():
        console.say(verb, style="bold")
        shown = orders[:most] if most and len(orders) > most + 2 else orders
        for choice in shown:
            text, remark = choice.order.text(name), choice.remark
            console.item(f"{text} ({remark})" if remark else text)
        if len(shown) < len(orders):
            console.item(f"... and {len(orders) - len(shown)} more; to see them: ? {verb}")
