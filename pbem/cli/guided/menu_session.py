"""A line below which stands what it can become, by prompt_toolkit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output import create_output
from prompt_toolkit.styles import Style

from engine.message import Phrase
from pbem.cli import console
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


class MenuSession(PromptSession[str], Completer):
    """A line below which stands what it can become; Tab and the arrows choose from that.

    Rows are kept free for the menu as the window is now. `map_key` answers a line that has a menu
    with the word for the map; what was typed is then left to go on with.
    """

    def __init__(self, map_key: str) -> None:
        self._suggest: Suggest | None = None
        self._left = ""
        keys = KeyBindings()

        @keys.add(map_key)
        def show_map(event: Any) -> None:
            if self._suggest is not None:
                self._left = event.app.current_buffer.text
                event.app.exit(result="map")

        output = create_output()
        # Not every terminal answers where its cursor is, for which the library would wait.
        if hasattr(output, "enable_cpr"):
            output.enable_cpr = False
        super().__init__(
            completer=self,
            complete_while_typing=True,
            output=output,
            key_bindings=keys,
            style=Style.from_dict(_STYLE),
        )

    def ask(self, message: Phrase, suggest: Suggest | None = None) -> str:
        """Return a line, as `Prompt` says."""
        self._suggest = suggest
        left, self._left = self._left, ""
        console.flush()
        try:
            return self.prompt(console.translate(message), default=left)
        except EOFError:
            raise console.Cancelled from None

    def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
        """Yield what stands before the cursor can become."""
        typed = document.text_before_cursor
        for found in self._suggest(typed) if self._suggest else ():
            yield Completion(found.line, start_position=-len(typed), display=found.part)

    @property
    def reserve_space_for_menu(self) -> int:
        """The rows to keep free below the line: fewer if the window is low.

        None before there is something that could be completed: they cost what stands above.
        """
        typed = self.default_buffer.text
        if not typed or typed.isdecimal():
            return 0
        return max(0, min(MENU_ROWS, self.output.get_size().rows - 2))

    @reserve_space_for_menu.setter
    def reserve_space_for_menu(self, rows: int) -> None:
        """Ignore the number of rows that the library would keep."""
