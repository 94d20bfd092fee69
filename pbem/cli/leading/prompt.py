"""Asking for a line: with a menu of what it can become, or plainly."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Protocol

from engine.message import Said
from pbem.cli import answers, console
from pbem.text.ordering.lists import Suggest

MAP_KEY = "f2"
"""A key that shows the map: what is being typed stays."""


class Prompt(Protocol):
    """Asks for lines."""

    def ask(self, message: Said, suggest: Suggest | None = None) -> str:
        """Return a line typed by the player; `suggest` tells what the line so far can become.

        Raises console.Cancelled at the end of input, KeyboardInterrupt for Ctrl-C.
        """


def prompt_for_terminal() -> Prompt:
    """Return the prompt that suits the terminal: without a menu if it is plain."""
    if console.is_plain():
        return PlainPrompt()
    # Imported when a line is asked for: that takes as long as all the rest of the command.
    from pbem.cli.leading.menu_session import MenuSession

    return MenuSession(MAP_KEY)


class PlainPrompt:
    """A line of input; where the platform has it, Tab completes and the arrows bring back lines."""

    def __init__(self) -> None:
        self._suggest: Suggest | None = None
        if sys.platform != "win32":
            with suppress(ImportError):
                import readline

                readline.set_completer(self._completed)
                # A whole line is completed, with its spaces and commas.
                readline.set_completer_delims("")
                readline.parse_and_bind("tab: complete")
                # What switches it on is a control sequence, and plain is to be plain.
                readline.parse_and_bind("set enable-bracketed-paste off")

    def ask(self, message: Said, suggest: Suggest | None = None) -> str:
        """Return a line, as `Prompt` says."""
        self._suggest = suggest
        return answers.ask(message)

    def _completed(self, text: str, number: int) -> str | None:
        found = self._suggest(text) if self._suggest else []
        return found[number].line if number < len(found) else None
