"""Completion: the values that the TAB key suggests for the arguments and options of a command.

typer calls these functions while a line is being typed (`autocompletion=`). Each returns values
that begin with the typed text, with a remark for shells that show remarks. Nothing is printed,
asked or written, and an error has no result but an empty list. All commands refer to these
functions, so the functions that need the rules, a file or the library are imported only when a
shell asks: see `shells`.

Called by commands of `cli`; calls modules of `cli`, `text` and below.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import typer

from engine.message import Phrase
from pbem.cli import console
from pbem.cli.app import App
from pbem.play.home import expand
from pbem.text.language import NAMES, adapt_prefix, has_prefix

Candidates = list[tuple[str, str]]
"""Suggested values, each with a remark that may be empty."""
Completer = Callable[[str], Candidates]
"""A function that returns the values for a word with a given beginning."""
VARIABLE = "_ACRES_COMPLETE"
"""The environment variable with the name of the shell."""
LINE = "_TYPER_COMPLETE_ARGS"
"""The environment variable with the typed line, for all shells but bash."""
remarks: dict[str, str] = {}
"""The remarks on suggested values, for shells that show them."""

_FILE_HEAD = b'format = "acres-'
_FORMATS = (b"save", b"fork")
_LIST_EXPONENTS = range(6, 13)
"""The useful numbers of lists in a shuffle, as powers of two."""


def languages(incomplete: str) -> Candidates:
    """Return the codes of the languages."""
    remarks.update(NAMES)
    return match(incomplete, NAMES.items())


def list_counts(incomplete: str) -> Candidates:
    """Return useful numbers of lists for a shuffle."""
    return match(incomplete, ((str(2**power), "") for power in _LIST_EXPONENTS))


def save_files(incomplete: str) -> Candidates:
    """Return files of games, messages, and folders next to them; none if there is no such file.

    Folders alone are not suggested, because the shell then completes paths itself.
    """
    folder, beginning = os.path.split(incomplete)
    parent = incomplete[: len(incomplete) - len(beginning)]
    try:
        entries = sorted(expand(folder or ".").iterdir())
    except OSError:
        return []
    matches = [path for path in entries if path.name.startswith(beginning) and _is_plain(path.name)]
    files = [(parent + path.name, "") for path in matches if _is_save(path)]
    folders = [(f"{parent}{path.name}/", "") for path in matches if path.is_dir()]
    return files + folders if files else []


def _is_plain(name: str) -> bool:
    """Return True if a shell accepts a name without quotes."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set("*?[]\\")


def _is_save(path: Path) -> bool:
    try:
        # Opening a pipe would make the shell wait.
        if path.suffix not in (".toml", ".eml") or not path.is_file():
            return False
        if path.suffix == ".eml":
            # Reading all messages in a folder would take too long.
            return True
        with path.open("rb") as file:
            head = file.read(len(_FILE_HEAD) + 4)
    except OSError:
        return False
    return head.startswith(_FILE_HEAD) and head.endswith(_FORMATS)


def match(incomplete: str, values: Iterable[tuple[str, Phrase]]) -> Candidates:
    """Return the values that begin with the typed text, each with its remark."""
    return [
        (adapt_prefix(value, incomplete), console.translate(remark))
        for value, remark in values
        if has_prefix(value, incomplete)
    ]


def _lazy(name: str, before_file: str = "") -> Callable[[typer.Context, str], Candidates]:
    """Return the function `name` of `completion_values`, imported when a shell asks for it.

    After a value of the parameter `before_file`, the file of a game may follow.
    """

    def offer(context: typer.Context, incomplete: str) -> Candidates:
        home: str | None = context.find_root().params.get("home")
        with App(context, expand(home) if home else None):
            candidates: Candidates = context.obj(name)(incomplete)
        remarks.update(candidates)
        return candidates or (save_files(incomplete) if context.params.get(before_file) else [])

    return offer


editions, house_rules, start_cards = map(_lazy, ("editions", "house_rules", "start_cards"))
strengths, own_games = map(_lazy, ("strengths", "own_games"))
topics, cards, locations = map(_lazy, ("topics", "cards", "locations"), ("topic", "name", "name"))
orders, words, players, turns = map(_lazy, ("orders", "words", "players", "turns"))
_instead_of_file = _lazy("instead_of_file")


def files(context: typer.Context, incomplete: str) -> Candidates:
    """Return the result of `save_files`, or else opponents and other words for FILE."""
    return save_files(incomplete) or _instead_of_file(context, incomplete)


def line_words() -> list[str]:
    """Return the words of the typed line, split at blanks, without the program's name."""
    return (os.environ.get("COMP_WORDS") or os.environ.get(LINE, "")).split()[1:]
