"""What is answered first, and what then becomes of the orders that follow it."""

from __future__ import annotations

from engine.message import Message, mark, sentences
from engine.order import Order
from engine.orders import HomeSupport, Raid
from pbem.foreign import named
from pbem.play.turn import Risk, Turn
from pbem.text.phrases import Name, names


def other_player(answer: Turn) -> Message:
    """Return the name of the player to whom an answer goes."""
    return named(answer.match.entrants[answer.side.opponent].name)


def answered_first(answer: Turn, order: Order) -> Message:
    """Return that an order has to be answered first, or that its cards come with the answer."""
    other = other_player(answer)
    if isinstance(order, HomeSupport):
        return Message("The cards of Home Support come with the answer of {player}.", player=other)
    if order.draws:
        return Message("Your cards come with the answer of {player}.", player=other)
    return Message("{player} has to answer first.", player=other)


def risk_told(answer: Turn, risk: Risk) -> Message:
    """Return what becomes of a follow-up that is not possible after every answer."""
    if risk.only_cards:
        return Message(
            "The cards drawn after it depend on the answer: if they are not the ones announced, "
            "another file of yours draws them."
        )
    otherwise = Message(
        "Otherwise it and what follows it come to nothing: cards shown for them stay in your hand, "
        "known to both, and your turn goes on with your next file."
    )
    return sentences(_condition(risk, names(answer.match.state)), otherwise)


def _condition(risk: Risk, name: Name) -> Message:
    """On what it depends whether a follow-up is carried out, as a sentence."""
    order, before = risk.order.text(name), risk.interruption
    if before is None:
        return Message("Whether “{order}” can be carried out depends on the answers.", order=order)
    if not isinstance(before, Raid):
        return Message(
            "Whether “{order}” can be carried out depends on the answer to “{attack}”.",
            order=order,
            attack=before.text(name),
        )
    sentence = mark("“{order}” is carried out only if the raid on {place} succeeds.")
    if risk.if_least:
        sentence = mark("“{order}” is carried out only if the raid on {place} is blocked.")
    return Message(sentence, order=order, place=name(before.place))
