"""Sentences of the parser on a command line that it cannot read, in the player's language.

It says so in English alone; here are its sentences as messages.
"""

from __future__ import annotations

import re
import string

from engine.message import Message, mark
from pbem.cli import console

_SAID = (
    mark("No such option: {option} (Possible options: {options})"),
    mark("No such option: {option} Did you mean {options}?"),
    mark("No such option: {option}"),
    mark("No such command {command}. Did you mean {commands}?"),
    mark("No such command {command}."),
    mark("Missing command."),
    mark("Missing argument {argument}."),
    mark("Missing option {option}. Choose from: {values}"),
    mark("Missing option {option}."),
    mark("Got unexpected extra argument ({arguments})"),
    mark("Got unexpected extra arguments ({arguments})"),
    mark("Got unexpected extra argument(s) ({arguments})"),
    mark("Option {option} requires an argument."),
    mark("Option {option} does not take a value."),
    mark("Invalid value for {option}: {reason}"),
    mark("Invalid value: {reason}"),
    mark("{value} is not a valid integer."),
    mark("{value} is not a valid boolean."),
    mark("{value} is not one of {values}."),
    mark("{value} is not in the range {range}."),
)
"""The sentences of the parser; the first that fits is meant."""
_OF_TYPER = (
    mark("Commands"),
    mark("Options"),
    mark("Arguments"),
    mark("required"),
    mark("default: {default}"),
    mark("env var: {var}"),
    mark("(dynamic)"),
)
"""The words of typer in a help, which it takes from our catalogues (`pbem.cli.help`).

That there is no such command is not among them: typer glues a question to it, and `in_words` says
both.
"""
_VARIABLE = r"\(env var: '([^']*)'\)"
_QUOTED = r"'([^']*)'"


def in_words(said: str) -> str:
    """A sentence of the parser in the player's language; as it is where it is unknown.

    >>> in_words("No such option: --mpa (Possible options: --map)")
    'No such option: --mpa (Possible options: --map)'
    """
    if console.language().is_english:
        return said
    # What there is to choose from stands below each other, in lines that begin with a tab.
    line = " ".join(said.split())
    for message in _SAID:
        if found := _pattern(message).fullmatch(line):
            values = {name: _with_our_quotes(value) for name, value in found.groupdict().items()}
            if "reason" in values:
                values["reason"] = in_words(found["reason"])
            return console.told(Message(message, **values))
    return said


def _with_our_quotes(value: str) -> str:
    """What the parser names, in the quotes of the player's language."""
    told = re.sub(
        _VARIABLE, lambda said: f"({console.told(Message('env var: {var}', var=said[1]))})", value
    )
    return re.sub(_QUOTED, lambda said: console.told(Message("“{word}”", word=said[1])), told)


def _pattern(message: str) -> re.Pattern[str]:
    parts = string.Formatter().parse(message)
    named = (re.escape(text) + (f"(?P<{name}>.+)" if name else "") for text, name, _, _ in parts)
    return re.compile("".join(named), re.DOTALL)
