"""Asking for a line: with a menu of what it can become, or plainly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol

from engine.message import Said
from pbem.cli import answers, console
from pbem.words.ordering.suggestion import Suggestion

Suggest = Callable[[str], list[Suggestion]]
MAP_KEY, MAP_WORD = "f2", "map"
"""A key for a word of a led turn: what is being typed stays."""
MENU_ROWS = 6
"""So many rows are kept free below the line for what it can become."""


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
        self._left = ""

    @cached_property
    def _session(self) -> Any:
        """What asks, put together when it is first asked: the screen stands there before."""
        # Imported here because it takes as long as all the rest of the command.
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.document import Document
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.output import create_output
        from prompt_toolkit.styles import Style

        asked = self

        class MenuSession(PromptSession[str]):
            """A prompt that keeps rows free for its menu as the window is now."""

            @property
            def reserve_space_for_menu(self) -> int:
                """The rows to keep free below the line: fewer where the window is low.

                None before there is something that could be completed: they cost what stands above.
                """
                typed = self.default_buffer.text
                if not typed or typed.isdecimal():
                    return 0
                return max(0, min(MENU_ROWS, self.output.get_size().rows - 2))

            @reserve_space_for_menu.setter
            def reserve_space_for_menu(self, rows: int) -> None:
                """What the library wants to have kept does not count."""

        class Suggesting(Completer):
            """The suggestions for a line, as the library wants them."""

            def get_completions(self, document: Document, complete_event: Any) -> Iterator[Any]:
                """The suggestions for what stands before the cursor."""
                typed = document.text_before_cursor
                for line, part in asked._suggest(typed):
                    yield Completion(line, start_position=-len(typed), display=part)

        keys = KeyBindings()

        @keys.add(MAP_KEY)
        def look_at_map(event: Any) -> None:
            if asked._suggest is not nothing:
                asked._left = event.app.current_buffer.text
                event.app.exit(result=MAP_WORD)

        output = create_output()
        # Not every terminal answers where its cursor is, for which the library would wait.
        if hasattr(output, "enable_cpr"):
            output.enable_cpr = False
        return MenuSession(
            completer=Suggesting(),
            complete_while_typing=True,
            output=output,
            key_bindings=keys,
            style=Style.from_dict(
                {
                    "completion-menu": "noinherit",
                    "completion-menu.completion": "noinherit",
                    "completion-menu.completion.current": "noinherit reverse",
                    "scrollbar.background": "noinherit",
                    "scrollbar.button": "noinherit reverse",
                }
            ),
        )

    def ask(self, message: Said, suggest: Suggest = nothing) -> str:
        """A line, as `Prompt` says."""
        self._suggest = suggest
        console.flush()
        left, self._left = self._left, ""
        try:
            line: str = self._session.prompt(console.told(message), default=left)
            return line
        except EOFError:
            raise console.Cancelled from None
