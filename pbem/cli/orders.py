"""Orders that are given in advance, on the command line or in a file."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.message import Message, Said, commas, sentences
from engine.ways import Ways
from pbem.cli import console
from pbem.errors import Unreadable, WrongUse, system_says
from pbem.play.answer import Answer
from pbem.savefile.disk import read_file
from pbem.words.led_turn import meant
from pbem.words.orders.decision import OutOfPlace, give_order, to_decide

MAX_ORDERS_SIZE = 64 * 1024


def given_orders(arguments: list[str] | None, file: Path | None) -> list[str]:
    """The orders as they were typed, from the command line or from a file ("-" for input).

    Raises WrongUse for both or an empty file, Unreadable for what is no file with orders.
    """
    if arguments and file:
        raise WrongUse("Give the orders either one by one or with --orders, not both.")
    if file is None:
        return arguments or []
    try:
        if str(file) == "-":
            text = typer.get_text_stream("stdin").read(MAX_ORDERS_SIZE + 1)
        else:
            text = read_file(file, MAX_ORDERS_SIZE).decode("utf-8-sig")
    except OSError as error:
        reason = system_says(error)
        told = Message("{file} cannot be read: {reason}.", file=file, reason=reason)
        raise Unreadable(told) from None
    except UnicodeDecodeError:
        raise Unreadable("{file} is not a text file with orders.", file=file) from None
    if len(text) > MAX_ORDERS_SIZE:
        raise Unreadable("{file} is too long for a file with orders.", file=file)
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    found = [line for line in lines if line]
    if not found:
        raise WrongUse("There is no order in {file}.", file=file)
    return found


def give(answer: Answer, texts: list[str]) -> None:
    """Give these orders, all of them; raises WrongUse at the first that cannot be given."""
    for number, text in enumerate(texts, start=1):
        try:
            give_order(console.language(), answer, text)
        except WrongUse as error:
            more: Said = to_decide(answer) if isinstance(error, OutOfPlace) else ""
            if "wait" in meant(console.language(), text):
                more = Message("To leave the rest of the turn for after the answer, say --wait.")
            told = Message(
                "Order {number}, “{order}”: {sentence}",
                number=number,
                order=text,
                sentence=error.said,
            )
            raise WrongUse(sentences(told, more)) from None


def give_all(answer: Answer, texts: list[str], *, waits: bool, listing: str) -> None:
    """Give the orders of a whole answer, and end its turn if they used it up.

    With `waits` the turn is not ended, but goes on after the other player's answer. Raises WrongUse
    where the orders are not enough; `listing` is the command that lists what can be ordered.
    """
    give(answer, texts)
    if not waits:
        answer.end_turn()
    if answer.is_complete:
        return
    told = Message("An order is needed, so nothing was written.")
    if texts:
        told = Message("More orders are needed, so nothing was written.")
    verbs = commas(kind.words() for kind in Ways(answer.worlds).kinds())
    raise WrongUse(
        sentences(
            told,
            Message("There is no answer for --wait to wait for.") if waits else "",
            to_decide(answer),
            Message("You can: {verbs}.", verbs=verbs),
            Message("Without any order, at a terminal, you are asked for them."),
            Message("To see all that is possible: {command}", command=listing),
        )
    )
