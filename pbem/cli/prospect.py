"""What an answer does, printed before it is signed, and after."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message
from engine.sides import Side
from pbem.cli import console
from pbem.cli.report import say_happened
from pbem.foreign import shown
from pbem.play.answer import Answer
from pbem.play.game_file import result
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.words import prospect
from pbem.words.history.report import report
from pbem.words.phrases import address


def say_answer(answer: Answer, *, waits: bool = False) -> None:
    """Print what an answer does, what the other player learns by it, and the files it takes.

    `waits` says that its author wants to wait for the other player's answer, and needs no advice.
    """
    match, side, before = answer.match, answer.seat.side, answer.game.match
    own = HiddenCards(match, side, answer.seat.secret)
    say_happened(report(match, answer.deeds, side, own, [len(before.records)]))
    if not before.is_over:
        money, had = (state.players[side].money for state in (match.state, before.state))
        console.item(Message("your money: {money} (before: {before})", money=money, before=had))
    for told in prospect.shown(answer):
        console.item(told)
    course = answer.course
    if course is not None:
        console.say(prospect.files(answer, course), style="bold")
        for risk in course.risks:
            console.item(prospect.risk_told(answer, risk))
        for tip in () if waits else prospect.tips(answer, course):
            console.item(Message("Tip: {tip}", tip=tip))
    if match.state.outcome is not None:
        console.say(result(match, match.state.outcome), style="bold")
        for told in prospect.closing(answer):
            console.say(told)


def say_report(answer: Answer, *, waits: bool = False) -> None:
    """Print what an answer does under a heading; `waits` is as for `say_answer`."""
    console.say(prospect.heading(answer), style="bold")
    say_answer(answer, waits=waits)


def say_written(path: Path) -> None:
    """Print where the answer is."""
    console.say(Message("Written:"))
    console.say_whole(f"  {shown(path)}")


def say_next(match: Match, side: Side) -> None:
    """Print where to send the file of `side` that ends such a match."""
    console.say(Message("Next: send it to {address}.", address=address(match, side.opponent)))
