"""What came of an order that was given in a led turn, and why another cannot be, printed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.message import Message, Said, sentences
from engine.order import Order
from engine.orders import End
from pbem.cli import console
from pbem.play.answer import Answer
from pbem.protocol.hand import HiddenCards
from pbem.protocol.table import Deed
from pbem.view.hindrances import why_not
from pbem.view.selection import Selection
from pbem.view.trial import Preview
from pbem.words.history.report import Teller, report
from pbem.words.ordering.lists import NotPossible
from pbem.words.ordering.preview import consequences, told
from pbem.words.ordering.selecting import why_not_told
from pbem.words.phrases import names


def say_given(
    answer: Answer, order: Order, deeds: Sequence[Deed], seen: Preview | None = None
) -> None:
    """Print what came of an order, and what the other player had announced to follow it.

    `seen` is what it was to do. Without deeds it waits for an answer.
    """
    match, side, name = answer.match, answer.seat.side, names(answer.match.state)
    if not deeds:
        after = Message("{order}: after the answer", order=order.text(name))
        console.item(after, style="green")
        if seen and (does := told(answer, seen, name)):
            console.item(sentences(*does))
        return
    own_cards = HiddenCards(match, side, answer.seat.secret)
    own = [deed for deed in deeds if deed.side is side]
    done: list[Said] = [*Teller(match.state, side, [own_cards]).lines(own)]
    if seen and not isinstance(order, End):
        done += consequences(answer, seen)
    console.item(sentences(*done), style="green")
    theirs = [deed for deed in deeds if deed.side is not side]
    happened = report(match, theirs, side, records=[len(match.records)])
    console.say_lines(happened.lines())


def say_why_not(answer: Answer, error: NotPossible) -> None:
    """Print that no order of a kind is possible, and why."""
    found = why_not(answer.worlds, answer.seat.side, Selection(), f"kind:{error.kind.verb}")
    lines = list(why_not_told(console.language(), found))
    if len(lines) == 1:
        console.say(lines[0].text, style="yellow")
        return
    console.say(error.said, style="yellow")
    for line in lines:
        console.item(line.text, indent=2 + line.indent)
