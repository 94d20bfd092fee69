"""A prompt with a completion menu below it, by prompt_toolkit."""

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
"""The number of rows below the prompt for the menu."""

_STYLE = {
    "completion-menu": "noinherit",
    "completion-menu.completion": "noinherit",
    "completion-menu.completion.current": "noinherit reverse",
    "scrollbar.background": "noinherit",
    "scrollbar.button": "noinherit reverse",
}


class MenuSession(PromptSession[str], Completer):
    """A prompt with a completion menu; Tab and the arrow keys choose from it.

    The number of rows for the menu depends on the height of the window. If the prompt has a menu,
    `map_key` enters the word for the map, and the typed text appears again at the next prompt.
    """

    def __init__(self, map_key: str) -> None:
        self._suggest: Suggest | None = None
        self._typed_text = ""
        keys = KeyBindings()

        @keys.add(map_key)
        def show_map(event: Any) -> None:
            if self._suggest is not None:
                self._typed_text = event.app.current_buffer.text
                event.app.exit(result="map")

        output = create_output()
        # Some terminals never report the cursor position.
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
        """Return a line, as `Prompt.ask` does."""
        self._suggest = suggest
        default, self._typed_text = self._typed_text, ""
        console.flush()
        try:
            return self.prompt(console.translate(message), default=default)
        except EOFError:
            raise console.CancelledError from None

    def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
        """Yield the completions of the text before the cursor."""
        typed = document.text_before_cursor
        for suggestion in self._suggest(typed) if self._suggest else ():
            yield Completion(suggestion.line, start_position=-len(typed), display=suggestion.part)

    @property
    def reserve_space_for_menu(self) -> int:
        """The number of rows to reserve below the prompt, which is smaller in a low window.

        It is 0 if there is nothing to complete, because the rows push text off the screen.
        """
        typed = self.default_buffer.text
        if not typed or typed.isdecimal():
            return 0
        return max(0, min(MENU_ROWS, self.output.get_size().rows - 2))

    @reserve_space_for_menu.setter
    def reserve_space_for_menu(self, rows: int) -> None:
        """Ignore the number of rows that the library would reserve."""
