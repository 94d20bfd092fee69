"""What a player has to decide, and what can be done."""

from __future__ import annotations

from engine import game
from engine.message import Message, Said, commas, mark
from engine.orders import ORDERS, End, Forfeit, Lose, Start
from engine.sides import Side
from engine.state import Decision, State
from pbem.foreign import named
from pbem.play.turn import Turn
from pbem.text.phrases import actions_counted, names
from pbem.text.tables import entry, keys

NOTHING_TO_DECIDE = mark(
    "There is nothing to decide: your answer only deals the cards that your opponent draws."
)
ONLY_TO_DRAW = mark("There is nothing to decide: this file only draws your cards.")


def awaited(state: State, side: Side, *, after_answer: bool = False) -> Message:
    """Return what `side`, whose view this is, has to decide if it is its decision, as a sentence.

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
                "The siege of {place} is lost: choose the card that it costs ({verb}).",
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
        case _ if decision in keys("situations"):
            situation = entry("situations", decision, place=place, side=side.opponent.label)
            return _possible(state, situation)
    return Message(NOTHING_TO_DECIDE)


def _turn(state: State, *, after_answer: bool) -> Message:
    """Return that it is time for a turn, and what is left of it."""
    number = state.turn + 1
    turn = Message("Turn {number}", number=number)
    if after_answer:
        turn = Message("Turn {number}, after the answer", number=number)
    if state.refilled:
        return Message("{turn}: your hand is refilled; take free actions, or end it.", turn=turn)
    if state.actions_left:
        actions = actions_counted(state.actions_left)
        return Message("{turn}: {actions} to take.", turn=turn, actions=actions)
    if any(not isinstance(order, End) for order in game.legal_orders(state)):
        return Message("{turn}: no actions are left; end it, or take free actions.", turn=turn)
    return Message("{turn}: no actions are left; end it.", turn=turn)


def _possible(state: State, situation: Said) -> Message:
    """Return a situation, and what can be done in it, as a sentence."""
    legal = game.legal_orders(state)
    if len(legal) == 1:
        only = legal[0].text(names(state))
        return Message("{situation}: all you can do is “{order}”.", situation=situation, order=only)
    verbs = {order.verb for order in legal}
    *others, last = (
        entry("replies", f"{state.awaiting.decision}: {verb}", verb=ORDERS[verb].words())
        for verb in replies(state.awaiting.decision)
        if verb in verbs
    )
    if not others:
        return Message("{situation}: {way}.", situation=situation, way=last)
    ways = commas(others)
    return Message("{situation}: {ways}, or {last}.", situation=situation, ways=ways, last=last)


def replies(decision: Decision) -> list[str]:
    """Return the verbs of what can be done in that situation, in the order to be told in."""
    each = (key.split(": ") for key in keys("replies"))
    return [verb for situation, verb in each if situation == decision]


def to_decide(answer: Turn) -> Message:
    """Return what has to be decided next in an answer, as a sentence."""
    return awaited(answer.view(), answer.side, after_answer=answer.may_follow_up)


def nothing_more(answer: Turn) -> Message:
    """Why no order can follow those that were given, as a sentence."""
    match = answer.match
    if answer.game.match.is_over:
        return Message("The game is over: the next file closes it, and takes no orders.")
    if not answer.orders:
        return Message("There is nothing for you to decide: this file takes no orders.")
    last = answer.orders[-1].text(names(match.state))
    if match.is_over:
        return Message("With “{order}” the game is over: nothing more can be ordered.", order=last)
    if answer.course is None:
        # All that was ordered answers the other player, whose turn it still is.
        return Message(
            "After “{order}” the turn goes back to {player}: "
            "nothing more can be ordered in this file.",
            order=last,
            player=named(match.entrants[answer.side.opponent].name),
        )
    return Message(
        "After “{order}” your turn is over: nothing more can be ordered in this file.", order=last
    )
