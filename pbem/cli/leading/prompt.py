"""Asking for a line: with a menu of what it can become, or plainly."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from engine.message import Said
from pbem.cli import answers, console
from pbem.text.ordering.lists import Suggest, Suggestion

if TYPE_CHECKING:
    from pbem.cli.leading.menu_session import MenuSession

MAP_KEY, MAP_WORD = "f2", "map"
"""A key for a word of a led turn: what is being typed stays."""


def nothing(_: str) -> list[Suggestion]:
    """No suggestion: what is asked is no order."""
    return []


class Prompt(Protocol):
    """Asks for lines."""

    def ask(self, message: Said, suggest: Suggest = nothing) -> str:
        """A line typed by the player; `suggest` tells what the line so far can become.

        Raises console.Cancelled at the end of input, KeyboardInterrupt for Ctrl-C.
        """


def prompt_for_terminal() -> Prompt:
    """The prompt that suits the terminal: without a menu where it is plain."""
    return PlainPrompt() if console.is_plain() else MenuPrompt()


class PlainPrompt:
    """A line of input; where the platform has it, Tab completes and the arrows bring back lines."""

    def __init__(self) -> None:
        self._suggest: Suggest = nothing
        if sys.platform != "win32":
            with suppress(ImportError):
                import readline

                readline.set_completer(self._completed)
                # A whole line is completed, with its spaces and commas.
                readline.set_completer_delims("")
                readline.parse_and_bind("tab: complete")
                # What switches it on is a control sequence, and plain is to be plain.
                readline.parse_and_bind("set enable-bracketed-paste off")

    def ask(self, message: Said, suggest: Suggest = nothing) -> str:
        """A line, as `Prompt` says."""
        self._suggest = suggest
        return answers.ask(message)

    def _completed(self, text: str, number: int) -> str | None:
        found = self._suggest(text)
        return found[number].line if number < len(found) else None


class MenuPrompt:
    """A line below which stands what it can become; Tab and the arrows choose from that."""

    def __init__(self) -> None:
        self._suggest: Suggest = nothing

    @cached_property
    def _session(self) -> MenuSession:
        """What asks, put together when it is first asked: the screen stands there before."""
        from pbem.cli.leading.menu_session import MenuSession

        return MenuSession(
            lambda typed: self._suggest(typed),
            MAP_KEY,
            MAP_WORD,
            heeds=lambda: self._suggest is not nothing,
        )

    def ask(self, message: Said, suggest: Suggest = nothing) -> str:
        """A line, as `Prompt` says."""
        self._suggest = suggest
        console.flush()
        try:
            return self._session.ask(console.told(message))
        except EOFError:
            raise console.Cancelled from None
