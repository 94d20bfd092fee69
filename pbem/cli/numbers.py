"""Numbers as players give them with an option."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import typer

from engine.message import Message
from pbem.errors import WrongUse

_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
LONGEST = 24 * 3600


def number_for(option: str, *, may_be_secret: bool = False) -> Callable[[str], int]:
    """Return a reader of whole numbers; raises WrongUse, which names the option, for anything else.

    What `may_be_secret` is not repeated. What is no option is named by its metavar.
    """

    def read(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            pass
        named = Message.within("metavar", option)
        if may_be_secret:
            raise WrongUse("{option} takes a whole number.", option=named)
        raise WrongUse("{option} takes a whole number, not “{text}”.", option=named, text=text)

    return read


def number_up_to(most: int, option: str) -> Callable[[str], int]:
    """Return a reader of whole numbers from 1 to `most`; raises WrongUse as `number_for`."""
    wrong = Message("{option} takes a number from 1 to {most}, not {text}.", most=most)
    return _within(number_for(option), most, wrong.about(option=option))


def number_option(
    option: str,
    help: str,
    *,
    metavar: str = "N",
    most: int | None = None,
    may_be_secret: bool = False,
    **settings: Any,
) -> Any:
    """Return an option that takes a whole number, from 1 to `most` if that is given.

    `may_be_secret` is as for `number_for`; `settings` are for the parser.
    """
    parser = number_up_to(most, option) if most else number_for(option, may_be_secret=may_be_secret)
    return typer.Option(option, metavar=metavar, parser=parser, help=help, **settings)


def time_option(option: str, help: str) -> Any:
    """Return an option that takes a span of time."""
    return typer.Option(option, metavar="TIME", parser=_seconds_for(option), help=help)


def _seconds_for(option: str) -> Callable[[str], int]:
    """Return a reader of spans of time, such as 10s or 5m, in seconds: from one to a day.

    Raises WrongUse, which names the option, for anything else.
    """
    wrong = Message(
        "{option} takes a time from a second to a day, such as 10s, 5m or 1h, not “{text}”."
    )
    return _within(_seconds, LONGEST, wrong.about(option=option))


def _seconds(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,5}) ?([smh]?)", text.strip().lower())
    return int(found[1]) * _SECONDS[found[2]] if found else 0


def _within(read: Callable[[str], int], most: int, wrong: Message) -> Callable[[str], int]:
    def read_within(text: str) -> int:
        number = read(text)
        if not 1 <= number <= most:
            raise WrongUse(wrong.about(text=text))
        return number

    return read_within
