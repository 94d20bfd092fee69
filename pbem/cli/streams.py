"""The streams to which the command prints: how they fail, and what they do about lacking signs."""

from __future__ import annotations

import codecs
from typing import Any

from rich.console import Console

from pbem.errors import system_says

LIKE = "acres-like"
"""How an output deals with signs that it lacks (`errors=`): it writes what is most like them."""
_LIKE = {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "..."}


def _most_like(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_LIKE.get(c, "?") for c in lacking), error.end


codecs.register_error(LIKE, _most_like)


class OutputFailed(Exception):
    """The output cannot be written; the message says why."""


class OutputClosed(OutputFailed):
    """Whoever read the output has stopped reading."""


class PlayerConsole(Console):
    """What the player reads: an error of its stream is taken for none of a file."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; an OSError becomes OutputFailed, so that none is taken for that of a file."""
        try:
            super().print(*objects, **options)
        except OSError as error:
            raise OutputFailed(system_says(error)) from None

    def on_broken_pipe(self) -> None:
        """Leave it to `main` how the program ends."""
        raise OutputClosed
