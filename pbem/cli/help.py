"""How the help of commands is laid out: commands under headings, and examples below."""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand

from engine.message import Message, mark, with_colon
from pbem.cli import console
from pbem.cli.app import App
from pbem.cli.completion import remarks
from pbem.errors import WrongUse
from pbem.text.language import DOMAIN, LOCALE

BEGIN, PLAY, LEARN = mark("To begin"), mark("To play"), mark("To learn")
SAFE = mark("To be safe")
"""The headings of the commands, in their order."""
COMMANDS = mark("Commands")
"""The heading of commands that are all of a kind."""
HEADINGS = (BEGIN, PLAY, LEARN, SAFE, COMMANDS)


class Example(NamedTuple):
    """A command line that works, and what it is good for; one that is `typed` is translated too."""

    line: str
    purpose: str
    typed: str = ""


@cache
def examples() -> dict[str, list[Example]]:
    """Return the examples of each command, by its name."""
    # Imported here because a list of commands needs none of them.
    import tomllib

    read = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))
    return {command: [Example(*row) for row in rows] for command, rows in read.items()}


def name_of(context: typer.Context) -> str:
    """Return the name of a command without that of the program, such as `turn show`."""
    return context.command_path.partition(" ")[2]


_TEXTS = {
    "help": None,
    "short_help": None,
    "epilog": None,
    "metavar": "metavar",
    "options_metavar": "metavar",
    "subcommand_metavar": "metavar",
}
"""The attributes of commands and parameters that are texts of the help, each with its context."""


class HelpText(NamedTuple):
    """A text of the help: the `message` that is an attribute of its owner, and its context."""

    owner: Any
    attribute: str
    message: str
    context: str | None


def texts_of(command: Any) -> Iterator[HelpText]:
    """Yield all texts in the help of a command and of its options."""
    for owner in (command, *command.params):
        for attribute, context in _TEXTS.items():
            if message := getattr(owner, attribute, None):
                yield HelpText(owner, attribute, message, context)


def put_into_words(command: Any) -> Any:
    """Say the help of a command in the player's language, and return it."""
    if not console.language().is_english:
        for owner, attribute, message, context in texts_of(command):
            told = Message.within(context, message) if context else Message(message)
            setattr(owner, attribute, console.told(told))
    return command


def all_commands(command: Any) -> Iterator[Any]:
    """Yield a command and all commands in it."""
    yield command
    for name in getattr(command, "commands", ()):
        yield from all_commands(command.get_command(None, name))


_OF_TYPER = (
    mark("Commands"),
    mark("Options"),
    mark("Arguments"),
    mark("required"),
    mark("default: {default}"),
    mark("env var: {var}"),
    mark("(dynamic)"),
)
"""The words of typer in a help, which it takes from our catalogues."""


class Spoken:
    """The words of the parser in the help of a command, in the language that is spoken now."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands and options that begin as typed, and keep their help beside them."""
        found = super().shell_complete(ctx, incomplete)  # type: ignore[misc]
        remarks.update({item.value: item.help or "" for item in found})
        return found

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line that says how to use it."""
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(
            ctx.command_path, " ".join(pieces), prefix=console.told(Message("Usage: "))
        )

    def get_help(self, ctx: Any) -> str:
        """Return the whole help of a command."""
        formatter = ctx.make_formatter()
        # French has a space before the colon.
        formatter.write_heading = lambda heading: formatter.write(
            console.told(with_colon(heading)) + "\n"
        )
        with _words_of_typer():
            self.format_help(ctx, formatter)  # type: ignore[attr-defined]
        # French has a space before the semicolon, too.
        semicolon = console.told(Message("{first}; {second}", first="", second="")).rstrip()
        return _BETWEEN.sub(semicolon, str(formatter.getvalue()).rstrip("\n"))

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that asks for the help."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = console.told(Message("Show this message and exit."))
        return option


@contextmanager
def _words_of_typer() -> Iterator[None]:
    """Have gettext, which typer asks for its own words, look them up in our catalogues.

    It does so for the whole process, which is the command line that shows a help.
    """
    language, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    os.environ["LANGUAGE"] = console.language().code
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    try:
        yield
    finally:
        gettext.textdomain(domain)
        del os.environ["LANGUAGE"]
        if language is not None:
            os.environ["LANGUAGE"] = language


_BETWEEN = re.compile(r"(?<=\S);(?=\s[^\[\]]*\])")
"""The semicolon that typer sets between what it says of an option, in brackets."""


MAY_GET_SECRETS = {"allow_extra_args": True}
"""The settings of a command whose words the parser must not repeat: those it does not take."""


def too_many_words(command: str) -> WrongUse:
    """Return the refusal of words that may be secret."""
    return WrongUse(
        "This command takes nothing more. A passphrase or a recovery text is asked for, not typed "
        "into the command, where others could see it. See: {command} --help",
        command=command,
    )


class Command(Spoken, TyperCommand):
    """A command that is at hand while it runs, and whose help ends with examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what is given; the app has the context from then on."""
        # A line that is only completed has no app.
        if isinstance(ctx.obj, App):
            ctx.obj.context = ctx
        rest: list[str] = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise too_many_words(ctx.command_path)
        return rest

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the line of usage; required parts need no braces."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples: a line each, what it is good for in a second column."""
        found = examples().get(name_of(ctx))
        if not found:
            return
        heading = Message("Examples") if len(found) > 1 else Message("Example")
        with formatter.section(console.told(heading)):
            # Orders in them are said as the player would say them.
            lines = [[console.told(Message(text)) for text in row[:2]] for row in found]
            widest = max(len(line) for line, _ in lines)
            for line, purpose in lines:
                told = f"{line.ljust(widest)}  {purpose}".rstrip()
                fits = len(told) + 2 <= formatter.width
                formatter.write(f"  {told if fits else line}\n")
