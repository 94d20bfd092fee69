"""Orders that are given in advance, on the command line or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pbem.errors import Unreadable, WrongUse

if TYPE_CHECKING:
    from pbem.answer import Answer

MAX_ORDERS_SIZE = 64 * 1024


def given_orders(arguments: list[str] | None, file: Path | None) -> list[str]:
    """The orders as they were typed, from the command line or from a file ("-" for input).

    Raises WrongUse for both or an empty file, Unreadable for what is no file with orders.
    """
    if arguments and file:
        raise WrongUse("Give the orders either one by one or with --orders, not both.")
    if file is None:
        return arguments or []
    from pbem.files import read_file

    try:
        if str(file) == "-":
            text = typer.get_text_stream("stdin").read(MAX_ORDERS_SIZE + 1)
        else:
            text = read_file(file, MAX_ORDERS_SIZE).decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{file} is not a text file with orders.") from None
    if len(text) > MAX_ORDERS_SIZE:
        raise Unreadable(f"{file} is too long for a file with orders.")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    found = [line for line in lines if line]
    if not found:
        raise WrongUse(f"There is no order in {file}.")
    return found


def give(answer: Answer, texts: list[str]) -> None:
    """Give these orders, all of them; raises WrongUse at the first that cannot be given."""
    from pbem.cli.refusal import OutOfPlace, give_order, to_decide

    for number, text in enumerate(texts, start=1):
        try:
            give_order(answer, text)
        except WrongUse as error:
            more = f" {to_decide(answer)}" if isinstance(error, OutOfPlace) else ""
            if text.strip().casefold() == "wait":
                more = " To leave the rest of the turn for after the answer, say --wait."
            raise WrongUse(f"Order {number}, “{text}”: {error}{more}") from None


def give_all(answer: Answer, texts: list[str], *, waits: bool, listing: str) -> None:
    """Give the orders of a whole answer, and end its turn if they used it up.

    With `waits` the turn is not ended, but goes on after the other player's answer. Raises WrongUse
    where the orders are not enough; `listing` is the command that lists what can be ordered.
    """
    give(answer, texts)
    if not waits:
        answer.end_turn()
    if not answer.is_complete:
        raise WrongUse(_missing(answer, listing, is_begun=bool(texts), waits=waits))


def _missing(answer: Answer, listing: str, *, is_begun: bool, waits: bool) -> str:
    from engine.ways import Ways
    from pbem.cli.refusal import to_decide

    verbs = ", ".join(kind.words() for kind in Ways(answer.worlds).kinds())
    no_answer = " There is no answer for --wait to wait for." if waits else ""
    return (
        f"{'More orders are' if is_begun else 'An order is'} needed, so nothing was written."
        f"{no_answer} {to_decide(answer)} You can: {verbs}. Without any order, at a terminal, you "
        f"are asked for them. To see all that is possible: {listing}"
    )
