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


def number_for(
    option: str, *, most: int | None = None, may_be_secret: bool = False
) -> Callable[[str], int]:
    """Return a reader of whole numbers, from 1 to `most` if that is given.

    It raises WrongUse, which names the option, for anything else; text that `may_be_secret` is not
    repeated. An argument is named by its metavar.
    """
    named = Message.within("metavar", option)

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            if may_be_secret:
                raise WrongUse("{option} takes a whole number.", option=named) from None
            raise WrongUse(
                "{option} takes a whole number, not “{text}”.", option=named, text=text
            ) from None
        if most is not None and not 1 <= number <= most:
            raise WrongUse(
                "{option} takes a number from 1 to {most}, not {text}.",
                option=option,
                most=most,
                text=text,
            )
        return number

    return read


def number_option(
    option: str,
    help: str,
    *,
    metavar: str = "N",
    most: int | None = None,
    may_be_secret: bool = False,
    **settings: Any,
) -> Any:
    """Return an option that takes a number as `number_for` reads it.

    `settings` are for the parser.
    """
    parser = number_for(option, most=most, may_be_secret=may_be_secret)
    return typer.Option(option, metavar=metavar, parser=parser, help=help, **settings)


def time_option(option: str, help: str) -> Any:
    """Return an option that takes a span of time, such as 10s or 5m: from a second to a day."""

    def read(text: str) -> int:
        found = re.fullmatch(r"([0-9]{1,5}) ?([smh]?)", text.strip().lower())
        seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
        if not 1 <= seconds <= LONGEST:
            raise WrongUse(
                "{option} takes a time from a second to a day, such as 10s, 5m or 1h, not "
                "“{text}”.",
                option=option,
                text=text,
            )
        return seconds

    return typer.Option(option, metavar="TIME", parser=read, help=help)
