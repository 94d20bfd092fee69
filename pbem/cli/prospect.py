"""What an answer does, before it is signed: what it shows, how many files it takes; and after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.orders import HomeSupport, Raid
from engine.state import Decision
from pbem.answer import DRAWING
from pbem.cli import console
from pbem.cli.paths import shown
from pbem.cli.report import say_deeds, say_dropped
from pbem.cli.words import address, counted, listed, names, orders_listed
from pbem.game_file import result
from pbem.hand import Cards

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.sides import Side
    from pbem.answer import Answer
    from pbem.foresight import Risk
    from pbem.match import Match
    from pbem.outlook import Course

TWO_FILES = "It needs two files of yours: this one, and one after the answer."
CLOSES = (
    "With this file your hand and all your draws in this game are open to anybody, and provable: "
    "it publishes the key to your cards in this game, and in no other."
)


def say_answer(answer: Answer, *, waits: bool = False) -> None:
    """Print what an answer does, what the other player learns by it, and the files it takes.

    `waits` says that its author wants to wait for the other player's answer, and needs no advice.
    """
    match, side = answer.match, answer.seat.side
    before = answer.game.match
    say_deeds(match, answer.deeds, side, Cards(match, side, answer.seat.secret))
    say_dropped(match, {len(before.records)}, side)
    if not before.is_over:
        money = match.state.players[side].money
        console.item(f"your money: {money} (before: {before.state.players[side].money})")
    _say_shown(answer)
    course = answer.course
    if course is not None:
        console.say(_files(answer, course), style="bold")
        for risk in course.risks:
            console.item(risk_told(answer, risk))
        for tip in () if waits else _tips(answer, course):
            console.item(f"Tip: {tip}")
    if match.state.outcome is not None:
        console.say(result(match, match.state.outcome), style="bold")
        console.say(CLOSES)
        if side.opponent not in match.secrets:
            other = console.named(match.entrants[side.opponent].name)
            console.say(f"What {other} then sends back closes the game for {other} too.")


def _say_shown(answer: Answer) -> None:
    """Print what the other player learns by an answer, beside the orders."""
    match, name = answer.match, names(answer.match.state)
    other = console.named(match.entrants[answer.seat.side.opponent].name)
    if answer.cards_shown:
        console.item(f"{other} sees from your hand: {listed(answer.cards_shown, name)}")
    if answer.announced:
        announced = orders_listed(answer.announced, name)
        console.item(f"{other} reads before answering what you do after it: {announced}")


# --- how many files


def cards_of(order: Order) -> str:
    """The cards that an order draws in the middle of a turn, in words."""
    return "The cards of Home Support" if isinstance(order, HomeSupport) else "Your cards"


def _files(answer: Answer, course: Course) -> str:
    """How many files the turn takes, in a sentence or two."""
    other = console.named(answer.match.entrants[answer.seat.side.opponent].name)
    if not course.interruptions and course.ends:
        return "This file finishes your turn."
    if not course.interruptions:
        return f"{other} has to deal your cards first; your turn ends after that. {TWO_FILES}"
    if not course.ends:
        first = f"{other} has to answer first"
        if all(isinstance(order, DRAWING) for order in course.interruptions):
            first = f"{cards_of(course.interruptions[-1])} come with the answer of {other}"
        return f"{first}; your turn goes on after that. {TWO_FILES}"
    if course.risks:
        return "This file finishes your turn, unless the answer is in the way of what follows it."
    return f"What follows the answer of {other} is said already: this file finishes your turn."


def risk_told(answer: Answer, risk: Risk) -> str:
    """What becomes of a follow-up that is not possible after every answer."""
    name = names(answer.match.state)
    order = risk.order.text(name)
    if risk.only_cards:
        return (
            "The cards drawn after it depend on the answer: where they are others than those "
            "announced, another file of yours draws them."
        )
    if risk.interruption is None:
        condition = f"Whether “{order}” can be carried out depends on the answers."
    elif isinstance(risk.interruption, Raid):
        assert risk.interruption.location is not None
        raided = name(risk.interruption.location)
        happens = f"the raid of {raided} {'is blocked' if risk.if_least else 'succeeds'}"
        condition = f"“{order}” is carried out only if {happens}."
    else:
        attack = risk.interruption.text(name)
        condition = f"Whether “{order}” can be carried out depends on the answer to “{attack}”."
    return (
        f"{condition} Else it and what stands behind it come to nothing: cards shown for them stay "
        "in your hand, known to both, and your turn goes on with your next file."
    )


def _tips(answer: Answer, course: Course) -> Iterator[str]:
    """How the turn could take fewer files, where it could."""
    name = names(answer.match.state)
    better = answer.better_sequence()
    if better is not None:
        yield (
            "in this order the turn would take one file, whatever the answer: "
            f"{orders_listed(better, name)}."
        )
    if course.ends or not course.interruptions:
        return
    left = course.left
    if left.awaiting.decision is Decision.LOSERS_CARD:
        yield "which card the lost siege costs can be said in this file too (lose)."
    elif left.actions_left and left.awaiting.decision is Decision.TURN:
        actions = counted(left.actions_left, "action")
        yield (
            f"{actions} left: what does not need the answer can be ordered in this file too, and "
            "is then carried out right after it."
        )
    elif isinstance(answer.orders[-1], DRAWING):
        yield "if you do not need the cards in this turn, the order end finishes it in this file."


# --- the report of a finished answer


def say_report(answer: Answer, *, waits: bool = False) -> None:
    """Print what an answer does under a heading; `waits` is as for `say_answer`."""
    console.say(_heading(answer), style="bold")
    say_answer(answer, waits=waits)


def say_written(path: Path) -> None:
    """Print where the answer is."""
    console.say("Written:")
    console.say_whole(f"  {shown(path)}")


def say_next(match: Match, side: Side) -> None:
    """Print where to send the file of `side` that ends such a match."""
    console.say(f"Next: send it to {address(match, side.opponent)}.")


def _heading(answer: Answer) -> str:
    if answer.resigns:
        return "You resign."
    if answer.game.match.is_over:
        return "Nothing is left to decide; this file closes the game."
    if answer.orders:
        return "What you did:"
    return "There was nothing for you to decide. What happened:"
