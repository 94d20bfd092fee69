"""Completion: what the TAB key offers for the values of a command.

typer asks the functions here while a line is being typed (`autocompletion=`). Each gives values
that begin as what was typed, with a remark for shells that show one. Nothing is printed, asked
or written; what goes wrong offers nothing. What it takes is imported only then: the functions are
named by every command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr
from pathlib import Path

import typer

from engine.message import Said
from pbem.cli import console
from pbem.words.language import NAMES
from pbem.words.prefix import as_typed, begins

Offer = list[tuple[str, str]]
"""Values, each with a remark that may be empty."""
VARIABLE = "_ACRES_COMPLETE"
"""In it the shell's script says which shell asks."""

_BEGINNING = b'format = "acres-'
_FORMATS = (b"save", b"fork")
_LISTS = range(6, 13)
"""The powers of two that make sense for the lists of a shuffle."""


def languages(incomplete: str) -> Offer:
    """The languages, by code."""
    return beginning(incomplete, NAMES.items())


def editions(incomplete: str) -> Offer:
    """The printed editions."""
    from pbem.cli.completion import values

    return values.editions(incomplete)


def house_rules(incomplete: str) -> Offer:
    """The house rules, by id."""
    from pbem.cli.completion import values

    return values.house_rules(incomplete)


def start_cards(incomplete: str) -> Offer:
    """The cards that the French can begin with by the house rule."""
    from pbem.cli.completion import values

    return values.start_cards(incomplete)


def numbers_of_lists(incomplete: str) -> Offer:
    """Numbers of lists for a shuffle."""
    return beginning(incomplete, ((str(2**power), "") for power in _LISTS))


def saves(incomplete: str) -> Offer:
    """Files of games, messages, and the folders beside them; none where there is no such file.

    Nothing is offered for a folder alone either: the shell then completes paths, as it is used to.
    """
    folder, begun = os.path.split(incomplete)
    before = incomplete[: len(incomplete) - len(begun)]
    try:
        beside = sorted(Path(folder or ".").expanduser().iterdir())
    except OSError:
        return []
    fitting = [path for path in beside if path.name.startswith(begun) and _is_usual(path.name)]
    files = [(before + path.name, "") for path in fitting if _is_save(path)]
    folders = [(f"{before}{path.name}/", "") for path in fitting if path.is_dir()]
    return files + folders if files else []


def _is_usual(name: str) -> bool:
    """Whether a shell takes a name as it is offered."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set("*?[]\\")


def _is_save(path: Path) -> bool:
    try:
        # What is no file might make the shell wait.
        if path.suffix not in (".toml", ".eml") or not path.is_file():
            return False
        if path.suffix == ".eml":
            # Nobody waits for a folder of messages to be looked through.
            return True
        with path.open("rb") as file:
            head = file.read(len(_BEGINNING) + 4)
    except OSError:
        return False
    return head.startswith(_BEGINNING) and head.endswith(_FORMATS)


def orders(context: typer.Context, incomplete: str) -> Offer:
    """The orders that the player can give in the file that the line names, after those before."""
    from pbem.cli.completion import games

    return games.orders(context, incomplete)


def words(context: typer.Context, incomplete: str) -> Offer:
    """The words by which orders can be chosen from the list of legal ones."""
    from pbem.cli.completion import games

    return games.words(context, incomplete)


def topics(context: typer.Context, incomplete: str) -> Offer:
    """The topics of the rules; after one, the file of a game."""
    from pbem.cli.completion import values

    return values.topics(context, incomplete) or _saves_after(context, "topic", incomplete)


def cards(context: typer.Context, incomplete: str) -> Offer:
    """The cards by name, in one word or in several; after one, the file of a game."""
    from pbem.cli.completion import values

    return values.cards(context, incomplete) or _saves_after(context, "name", incomplete)


def locations(context: typer.Context, incomplete: str) -> Offer:
    """The locations by name, in one word or in several; after one, the file of a game."""
    from pbem.cli.completion import values

    return values.locations(context, incomplete) or _saves_after(context, "name", incomplete)


def players(context: typer.Context, incomplete: str) -> Offer:
    """The keys of the players who were met, each with their names."""
    from pbem.cli.completion import games

    return games.players(context, incomplete)


def _saves_after(context: typer.Context, parameter: str, incomplete: str) -> Offer:
    return saves(incomplete) if context.params.get(parameter) else []


def beginning(incomplete: str, offered: Iterable[tuple[str, Said]]) -> Offer:
    """Of these values, each with its remark, those that begin as typed."""
    return [
        (as_typed(value, incomplete), console.told(remark))
        for value, remark in offered
        if begins(value, incomplete)
    ]


def line_words() -> list[str]:
    """The words of the line that is being typed, after the program, as far as blanks part them."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:]


def answer_shell(run: Callable[[], object]) -> int:
    """Answer the shell that asks what to offer, in silence; return the exit status."""
    usual = sys.stdin
    # Whatever goes wrong: the shell is just about to show a line that somebody is typing.
    with Path(os.devnull).open() as nothing, Path(os.devnull).open("w") as nowhere:
        try:
            sys.stdin = nothing
            with redirect_stderr(nowhere):
                run()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        except Exception:
            return 1
        finally:
            sys.stdin = usual
        return 0
