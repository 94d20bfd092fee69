"""Options and arguments that several commands share, and functions that declare others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

from engine.message import Message
from pbem.cli import completion
from pbem.cli.app import DESCRIPTOR_VARIABLE, NEW_VARIABLE
from pbem.errors import UsageError


def flag(name: str, help: str) -> Any:
    """Return the option `name`, which takes no value."""
    return typer.Option(name, help=help)


def option(metavar: str, help: str, *names: str, **settings: Any) -> Any:
    """Return an option that takes a text or a path, named after its parameter or by `names`."""
    return typer.Option(*names, metavar=metavar, help=help, **settings)


def argument(
    metavar: str,
    help: str,
    completer: Callable[..., completion.Candidates] | None = None,
    **settings: Any,
) -> Any:
    """Return an argument, completed by the function `completer`."""
    return typer.Argument(metavar=metavar, help=help, autocompletion=completer, **settings)


# --- numbers

_UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
MAX_SECONDS = 24 * 3600


def number_parser(
    option: str, *, limit: int | None = None, may_be_secret: bool = False
) -> Callable[[str], int]:
    """Return a parser for whole numbers, from 1 to `limit` if it is given.

    The parser raises UsageError with `option`, the name of an option or the metavar of an argument,
    for any other text. If `may_be_secret` is true, the error does not repeat the text.
    """
    name = Message.within("metavar", option)

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            if may_be_secret:
                raise UsageError("{option} takes a whole number.", option=name) from None
            raise UsageError(
                "{option} takes a whole number, not “{text}”.", option=name, text=text
            ) from None
        if limit is not None and not 1 <= number <= limit:
            raise UsageError(
                "{option} takes a number from 1 to {most}, not {text}.",
                option=option,
                most=limit,
                text=text,
            )
        return number

    return read


def number_option(
    option: str,
    help: str,
    *,
    metavar: str = "N",
    limit: int | None = None,
    may_be_secret: bool = False,
    **settings: Any,
) -> Any:
    """Return an option that takes a number, parsed as by `number_parser`.

    `settings` are for the parser of the command line.
    """
    parser = number_parser(option, limit=limit, may_be_secret=may_be_secret)
    return typer.Option(option, metavar=metavar, parser=parser, help=help, **settings)


def time_option(option: str, help: str) -> Any:
    """Return an option that takes a duration such as 10s or 5m, from a second to a day."""

    def read(text: str) -> int:
        match = re.fullmatch(r"([0-9]{1,5}) ?([smh]?)", text.strip().lower())
        seconds = int(match[1]) * _UNIT_SECONDS[match[2]] if match else 0
        if not 1 <= seconds <= MAX_SECONDS:
            raise UsageError(
                "{option} takes a time from a second to a day, such as 10s, 5m or 1h, not "
                "“{text}”.",
                option=option,
                text=text,
            )
        return seconds

    return typer.Option(option, metavar="TIME", parser=read, help=help)


# --- shared options


Json = Annotated[bool, flag("--json", "As data, for other programs.")]
Output = Annotated[Path | None, option("FILE", "The file to write, which must not exist yet.")]
Yes = Annotated[bool, flag("--yes", "Do not ask whether you are sure.")]
DryRun = Annotated[bool, flag("--dry-run", "Only say what would happen; write nothing.")]
Note = Annotated[
    str | None, option("TEXT", "Private notes that travel sealed; they replace the old ones.")
]

Descriptor = Annotated[
    int | None,
    number_option(
        "--passphrase-fd",
        "Read your passphrase, one line, from this file descriptor.",
        may_be_secret=True,
        envvar=DESCRIPTOR_VARIABLE,
    ),
]
NewDescriptor = Annotated[
    int | None,
    number_option(
        "--new-passphrase-fd",
        f"Read the new one, one line, from this file descriptor; otherwise from {NEW_VARIABLE}.",
        may_be_secret=True,
    ),
]
Replace = Annotated[
    bool,
    flag(
        "--replace",
        "Sign again, although this computer has signed something else here; only if that "
        "never left it.",
    ),
]
Newest = Annotated[
    bool,
    flag(
        "--newest",
        "This file is the newest of its game: sign, though this computer does not remember "
        "your part in it.",
    ),
]
NewestToJoin = Annotated[
    bool,
    flag(
        "--newest",
        "You accept this invitation for the first time: join, though this computer does not "
        "remember what you have signed.",
    ),
]
NewestToServe = Annotated[
    bool,
    flag(
        "--newest",
        "Play on although its home has lost its library, because no file that it has answered "
        "before will come again.",
    ),
]
EditNotes = Annotated[bool, flag("--edit-notes", "Edit your private notes in your editor.")]

# --- mail

To = Annotated[str, option("ADDRESS", "Send it there, and not to the address given in the game.")]
Send = Annotated[bool, flag("--send", "Send it from your mail account, once it is written.")]
Mail = Annotated[
    bool, flag("--mail", "Write a message with it too, ready to be sent by your mail program.")
]
Armor = Annotated[
    bool, flag("--armor", "Print it as a block of text too, to be pasted into a message.")
]
Picture = Annotated[
    bool, flag("--picture", "Attach a picture of the board, showing only what is public.")
]
Word = Annotated[
    str, option("TEXT", "A word to your opponent, at the top of the message.", "--word")
]

# --- a new game


SideChoice: TypeAlias = Literal["british", "french", "any"]
HomeSupportChoice: TypeAlias = Literal["asked", "ahead"]
_DEMAND = "Join only if the invitation"


def _edition(help: str) -> Any:
    return option("EDITION", help, "--edition", autocompletion=completion.editions)


def _house_rules(help: str) -> Any:
    return option("ID", help, "--house-rule", autocompletion=completion.house_rules)


def lists_option(help: str, limit: int | None = None) -> Any:
    """Return the option `--lists N`, for numbers up to `limit`."""
    return number_option("--lists", help, limit=limit, autocompletion=completion.list_counts)


def strength_option(help: str) -> Any:
    """Return the option `--strength N`, for the strengths of the robot."""
    # Imported lazily: it imports all the rules.
    from engine.players import STRENGTHS

    return number_option(
        "--strength", help, limit=max(STRENGTHS), autocompletion=completion.strengths
    )


Edition = Annotated[str | None, _edition("The printed edition. Default: second.")]
HouseRules = Annotated[list[str] | None, _house_rules("A house rule; may be given several times.")]
Lists = Annotated[
    int | None,
    lists_option(
        "Lists per shuffle, a power of two: a deck with wrong cards passes one time in N. "
        "Default: 1024."
    ),
]
HomeSupport = Annotated[
    HomeSupportChoice | None,
    typer.Option(
        help="How the cards of Home Support come. asked: with an answer, which costs another file; "
        "ahead: at once, but whoever may hold the card sees up to three cards ahead. Default: "
        "asked."
    ),
]
StartCard = Annotated[
    str | None,
    option(
        "CARD",
        "The card you begin with, as the French with the house rule “French start card”.",
        autocompletion=completion.start_cards,
    ),
]

# Options with which a guest checks an invitation.
DemandedEdition = Annotated[str | None, _edition(f"{_DEMAND} names this edition.")]
DemandedHouseRules = Annotated[
    list[str] | None,
    _house_rules(f"{_DEMAND} names this house rule and no other; may be given several times."),
]
DemandedLists = Annotated[int | None, lists_option(f"{_DEMAND} has this many lists per shuffle.")]
DemandedHomeSupport = Annotated[
    HomeSupportChoice | None,
    typer.Option(
        help=f"{_DEMAND} has the cards of Home Support come this way: asked for, or named ahead."
    ),
]
