"""What a player has to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import game
from engine.message import Message, Said, commas, mark, mark_in
from engine.orders import (
    Allow,
    Block,
    End,
    Exchange,
    Forfeit,
    Give,
    GiveFromReserve,
    GiveFromSiege,
    Keep,
    Leave,
    Lose,
    Occupy,
    Order,
    Relieve,
    ShowHand,
    Start,
)
from engine.state import Decision, State
from pbem.cli.words import actions_counted, names

if TYPE_CHECKING:
    from engine.sides import Side

NOTHING_TO_DECIDE = mark(
    "There is nothing to decide: your answer only deals the cards that your opponent draws."
)
ONLY_TO_DRAW = mark("There is nothing to decide: this file only draws your cards.")

_SITUATIONS = {
    Decision.SIEGE_SPOILS: mark_in("situation", "You won the siege of {place}"),
    Decision.RAID_REPLY: mark_in("situation", "The {side} raid {place}"),
    Decision.AMBUSH_REPLY: mark_in("situation", "The {side} ambush you"),
    Decision.CONVERSION_REPLY: mark_in("situation", "The {side} convert"),
    Decision.WITHDRAWAL_SPOILS: mark_in("situation", "The {side} gave {place} up"),
    Decision.EXCHANGE: mark_in("situation", "A siege was resolved"),
}
"""What has happened where something depends on it that a player has to decide."""

_BLOCK = mark_in("can", "block with a card")
_OCCUPY = mark_in("can", "occupy it")
_LEAVE = mark_in("can", "leave it neutral")
_SHOW = mark_in("can", "show your hand")
_WAYS: dict[Decision, dict[type[Order], str]] = {
    Decision.RAID_REPLY: {Block: _BLOCK, Allow: mark_in("can", "allow it")},
    Decision.AMBUSH_REPLY: {
        Block: _BLOCK,
        Give: mark_in("can", "give up a card"),
        GiveFromReserve: mark_in("can", "give up a card from your reserve"),
        GiveFromSiege: mark_in("can", "give up a card at a siege"),
        ShowHand: _SHOW,
    },
    Decision.CONVERSION_REPLY: {
        Give: mark_in("can", "give up Native Americans"),
        GiveFromReserve: mark_in("can", "give up Native Americans from your reserve"),
        ShowHand: _SHOW,
    },
    Decision.SIEGE_SPOILS: {
        Occupy: _OCCUPY,
        Leave: _LEAVE,
        Relieve: mark_in("can", "take back your cards from the siege you withstood first ({verb})"),
    },
    Decision.WITHDRAWAL_SPOILS: {Occupy: _OCCUPY, Leave: _LEAVE},
    Decision.EXCHANGE: {
        Exchange: mark_in("can", "exchange a card for another"),
        Keep: mark_in("can", "keep what you have"),
    },
}
"""What can be done where it depends on the position, by kind of order."""


def awaited(state: State, side: Side, *, after_answer: bool = False) -> Message:
    """What `side`, whose view this is, has to decide if it is its decision, as a sentence.

    `after_answer` says that it waits for the other player's answer.
    """
    decision, awaited_side, location, amount, *_ = state.awaiting
    if awaited_side is not side:
        return Message(NOTHING_TO_DECIDE)
    if decision.is_chance:
        return Message(ONLY_TO_DRAW)
    place = names(state)(location) if location else ""
    match decision:
        case Decision.TURN:
            return _turn(state, after_answer=after_answer)
        case Decision.LOSERS_CARD:
            return Message(
                "The siege of {place} stands lost: choose the card that it costs ({verb}).",
                place=place,
                verb=Lose.words(),
            )
        case Decision.FORFEIT:
            return Message.counted(
                "You could not pay for the shuffle: {verb} {count} card.",
                "You could not pay for the shuffle: {verb} {count} cards.",
                amount,
                verb=Forfeit.words(),
            )
        case Decision.START_CARD:
            return Message("Choose the card that you begin with ({verb}).", verb=Start.words())
        case _ if decision in _SITUATIONS:
            situation = Message.within(
                "situation", _SITUATIONS[decision], place=place, side=side.opponent.label
            )
            return _possible(state, situation)
    return Message(NOTHING_TO_DECIDE)


def _turn(state: State, *, after_answer: bool) -> Message:
    """That a turn is to be taken, and what is left of it."""
    if after_answer:
        turn = Message("Turn {number}, after the answer", number=state.turn + 1)
    else:
        turn = Message("Turn {number}", number=state.turn + 1)
    if state.refilled:
        return Message("{turn}: your hand is refilled; take free actions, or end it.", turn=turn)
    if state.actions_left:
        return Message(
            "{turn}: {actions} to take.", turn=turn, actions=actions_counted(state.actions_left)
        )
    if _has_free_actions(state):
        return Message("{turn}: no action is left; end it, or take free actions.", turn=turn)
    return Message("{turn}: no action is left; end it.", turn=turn)


def _has_free_actions(state: State) -> bool:
    """Whether more is possible in a turn that is used up than to end it."""
    return any(not isinstance(order, End) for order in game.legal_orders(state))


def _possible(state: State, situation: Said) -> Message:
    """A situation, and what can be done in it, as a sentence."""
    legal = game.legal_orders(state)
    if len(legal) == 1:
        return Message(
            "{situation}: all you can do is “{order}”.",
            situation=situation,
            order=legal[0].text(names(state)),
        )
    kinds = {type(order) for order in legal}
    ways = [
        Message.within("can", way, verb=kind.words())
        for kind, way in _WAYS[state.awaiting.decision].items()
        if kind in kinds
    ]
    *others, last = ways
    if not others:
        return Message("{situation}: {way}.", situation=situation, way=last)
    return Message(
        "{situation}: {ways}, or {last}.", situation=situation, ways=commas(others), last=last
    )
