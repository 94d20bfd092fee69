"""A line below which stands what it can become, by prompt_toolkit.

Imported where a line is asked for: that takes as long as all the rest of the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output import create_output
from prompt_toolkit.styles import Style

from pbem.text.ordering.lists import Suggest

MENU_ROWS = 6
"""How many rows are kept free below the line for what it can become."""

_STYLE = {
    "completion-menu": "noinherit",
    "completion-menu.completion": "noinherit",
    "completion-menu.completion.current": "noinherit reverse",
    "scrollbar.background": "noinherit",
    "scrollbar.button": "noinherit reverse",
}


class MenuSession(PromptSession[str]):
    """A prompt that keeps rows free for its menu as the window is now.

    A `key` answers it with a `word` while `heeds` says so; what was typed is then `left` to go on
    with.
    """

    def __init__(self, suggest: Suggest, key: str, word: str, heeds: Callable[[], bool]) -> None:
        self.left = ""
        keys = KeyBindings()

        @keys.add(key)
        def answer(event: Any) -> None:
            if heeds():
                self.left = event.app.current_buffer.text
                event.app.exit(result=word)

        output = create_output()
        # Not every terminal answers where its cursor is, for which the library would wait.
        if hasattr(output, "enable_cpr"):
            output.enable_cpr = False
        super().__init__(
            completer=_Suggesting(suggest),
            complete_while_typing=True,
            output=output,
            key_bindings=keys,
            style=Style.from_dict(_STYLE),
        )

    def ask(self, message: str) -> str:
        """A line; raises EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""
        left, self.left = self.left, ""
        return self.prompt(message, default=left)

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


class _Suggesting(Completer):
    """The suggestions for a line, as the library wants them."""

    def __init__(self, suggest: Suggest) -> None:
        self._suggest = suggest

    def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
        """The suggestions for what stands before the cursor."""
        typed = document.text_before_cursor
        for found in self._suggest(typed):
            yield Completion(found.line, start_position=-len(typed), display=found.part)
