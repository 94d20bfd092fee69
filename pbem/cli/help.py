"""How the help of commands is laid out: commands under headings, and examples below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import typer.core
from typer.core import TyperCommand, TyperGroup

from engine.message import Message, mark, with_colon
from pbem.cli import console

BEGIN, PLAY, LEARN = mark("To begin"), mark("To play"), mark("To learn")
SAFE = mark("To be safe")
"""The headings of the commands, in their order."""
COMMANDS = mark("Commands")
"""The heading of commands that are all of a kind."""
HEADINGS = (BEGIN, PLAY, LEARN, SAFE, COMMANDS)

EXAMPLES = {
    "init": (
        ("acres init", "asks for your name and address"),
        ("acres init --passphrase", "seals your key under a passphrase"),
    ),
    "new": (
        ("acres new --side british", "you play the British"),
        ("acres new --side any --edition first", "by the first edition"),
    ),
    "lang": (("acres lang fr", "from now on in French"), ("acres lang", "which there are")),
    "join": (("acres join acres-1f0c66d2-000.toml", "writes acres-1f0c66d2-001.toml"),),
    "log": (
        ("acres log game.toml | less", "page by page"),
        ("acres log game.toml --markdown > game.md", "for a forum"),
    ),
    "audit": (
        ("acres audit game.toml", "needs no key: anybody can do it"),
        ("acres audit one.toml other.toml", "did somebody sign two turns?"),
    ),
    "demo": (("acres demo --seed 1759", "the game that lies in saves/practice"),),
    "serve-robot": (
        ("acres serve-robot --inbox . --outbox .", "in your folder"),
        ("acres serve-robot --inbox in --outbox out --once", "for scripts"),
    ),
    "turn show": (
        ("acres turn show game.toml", "where the game stands"),
        ("acres turn show game.toml --at 12", "where it stood"),
    ),
    "turn legal": (
        ("acres turn legal game.toml", "all that you can do"),
        (mark("acres turn legal game.toml settle bost"), "with Boston, to settle"),
        (mark('acres turn legal game.toml --after "take Boston"'), "and then?"),
        (mark('acres turn legal game.toml --why "settle Albany"'), "why not?"),
    ),
    "turn apply": (
        ("acres turn apply game.toml", "leads you through your turn"),
        (mark('acres turn apply game.toml "take Boston" pass'), "a turn by hand"),
        (mark("acres turn apply game.toml pass pass --dry-run"), "only to see"),
    ),
    "turn resign": (("acres turn resign game.toml", "asks whether you are sure"),),
    "rules": (
        ("acres rules", "all that can be asked for"),
        (mark("acres rules settle"), "what it takes to settle"),
        (mark("acres rules supply game.toml"), "and how it stands in a game"),
        (mark("acres rules editions"), "in what they differ"),
    ),
    "card": (
        ("acres card rangers", "what Rangers are good for"),
        ("acres card neutral settlers game.toml", "and where they are"),
    ),
    "location": (
        ("acres location albany", "how it is reached"),
        ("acres location fort duquesne game.toml", "and how it stands there"),
    ),
    "mail draft": (
        ("acres mail draft game-004.toml", "writes game-004.eml"),
        ("acres mail draft game-000.toml --to bela@example.org", "an invitation"),
    ),
    "mail send": (
        ("acres mail send", "all that is unsent"),
        ("acres mail send game-004.toml", "that file"),
        ("acres mail send game-000.toml --to bela@example.org", "an invitation"),
    ),
    "mail fetch": (
        ("acres mail fetch", "what is new"),
        ("acres mail fetch --days 90", "looks further back"),
    ),
    "mail watch": (("acres mail watch --every 10m", "six times an hour"),),
    "mail setup": (
        ("acres mail setup", "asks for what it needs"),
        ("acres mail setup --address anna@example.org", "asks for less"),
    ),
    "games add": (("acres games add . ~/Mail", "your games, wherever their files are"),),
    "games pace": (("acres games pace 34de8b95 3", "three days for a move"),),
    "games forget": (("acres games forget 34de8b95", "it is listed no more"),),
    "players name": (("acres players name 8f1a07c2 Béla", "by the beginning of the key"),),
    "players forget": (("acres players forget 8f1a07c2", "as if you had never met"),),
    "key backup": (("acres key backup", "to be written down, or printed"),),
    "key passphrase": (("acres key passphrase --remove", "no passphrase any more"),),
}
"""Command lines that work, each with what it is good for, by command."""


def name_of(context: typer.Context) -> str:
    """The name of a command without that of the program, such as `turn show`."""
    return context.command_path.partition(" ")[2]


class HelpText(NamedTuple):
    """A text of the help: the `message` that is an attribute of its owner, and its context."""

    owner: Any
    attribute: str
    message: str
    context: str | None


def texts_of(command: Any, *, is_whole: bool = True) -> Iterator[HelpText]:
    """All texts in the help of a command, of its options, and of the commands in it.

    Unless it `is_whole`, without those of commands that are put together late.
    """
    told: list[tuple[Any, str, str | None]] = []
    told += [(command, name, None) for name in ("help", "short_help", "epilog")]
    told += [(command, name, "metavar") for name in ("options_metavar", "subcommand_metavar")]
    told += [(parameter, "help", None) for parameter in command.params]
    told += [(parameter, "metavar", "metavar") for parameter in command.params]
    for owner, attribute, context in told:
        message = getattr(owner, attribute, None)
        if message:
            yield HelpText(owner, attribute, message, context)
    inner = getattr(command, "commands", {})
    if is_whole or isinstance(inner, dict):
        for within in inner.values():
            yield from texts_of(within, is_whole=is_whole)


def put_into_words(command: Any) -> None:
    """Say the help of a command, and of all in it, in the player's language.

    What is put together late is so in that language.
    """
    for owner, attribute, message, context in texts_of(command, is_whole=False):
        told = Message.within(context, message) if context else Message(message)
        setattr(owner, attribute, console.told(told))


# What typer itself says in a help, it says by this function, which it took from gettext.
setattr(typer.core, "_", lambda said: console.told(Message(said)))  # noqa: B010


class _Spoken:
    """What the help of every command has of the parser, in the language that is spoken now."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line that says how to use it."""
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(
            ctx.command_path, " ".join(pieces), prefix=console.told(Message("Usage: "))
        )

    def get_help(self, ctx: Any) -> str:
        """The whole help of a command."""
        formatter = ctx.make_formatter()
        # French has a space before the colon.
        formatter.write_heading = lambda heading: formatter.write(
            console.told(with_colon(heading)) + "\n"
        )
        self.format_help(ctx, formatter)  # type: ignore[attr-defined]
        return str(formatter.getvalue()).rstrip("\n")

    def get_help_option(self, ctx: Any) -> Any:
        """The option that asks for the help."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = console.told(Message("Show this message and exit."))
        return option


class Command(_Spoken, TyperCommand):
    """A command whose help ends with examples."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the line that says how to use it; what has to be given needs no braces."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples: a line each, what it is good for in a second column."""
        examples = EXAMPLES.get(name_of(ctx))
        if not examples:
            return
        heading = Message("Examples") if len(examples) > 1 else Message("Example")
        with formatter.section(console.told(heading)):
            # Orders in them are said as the player would say them.
            lines = [tuple(console.told(Message(text)) for text in row) for row in examples]
            widest = max(len(line) for line, _ in lines)
            for line, purpose in lines:
                told = f"{line.ljust(widest)}  {purpose}".rstrip()
                fits = len(told) + 2 <= formatter.width
                formatter.write(f"  {told if fits else line}\n")


class Group(_Spoken, TyperGroup):
    """Commands under the headings that they were given (`rich_help_panel`), groups first."""

    def outlines(self) -> Mapping[str, Any]:
        """The commands in it, by name, with what a list of them tells of each."""
        return self.commands

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings."""
        listed = self.outlines()
        widest = max(map(len, listed))
        under: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for name, command in sorted(listed.items(), key=lambda item: _is_single(item[1])):
            row = name.ljust(widest), command.get_short_help_str(_ROOM)
            under[getattr(command, "rich_help_panel", None) or COMMANDS].append(row)
        for heading, rows in under.items():
            if rows:
                with formatter.section(console.told(Message(heading))):
                    formatter.write_dl(rows)


_ROOM = 2 * console.WIDTH
"""What a command is good for is told in so many characters: the first sentence of its help."""


def _is_single(command: object) -> bool:
    return not isinstance(command, TyperGroup)
