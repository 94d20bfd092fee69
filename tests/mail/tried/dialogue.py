"""Talking to a program at a terminal: a key is pressed when that is on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from tests.cli.screen import Terminal
from tests.mail.tried.bench import LONGEST, Bench


class Dialogue:
    """A program at a terminal; a context that ends it."""

    def __init__(self, bench: Bench, *command: str | Path) -> None:
        words = list(map(str, command))
        options: dict[str, Any] = dict(bench.environment)
        self._terminal = Terminal(words, folder=bench.folder, **options)

    def __enter__(self) -> Self:
        self._terminal.__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        self._terminal.__exit__(None, None, None)

    @property
    def shown(self) -> str:
        """What is on the screen now."""
        return "\n".join(self._terminal.lines)

    def answers(self, *turns: tuple[str, str]) -> None:
        """Press each key once its text is on the screen and the program waits."""
        for text, key in turns:
            self._wait_for(text)
            # What was typed ahead, many programs throw away.
            self._terminal.settle()
            self._terminal.press(key)

    def perhaps(self, text: str, key: str) -> None:
        """Press a key if that text is on the screen when the program waits."""
        self._terminal.settle()
        if text in self.shown:
            self._terminal.press(key)

    def _wait_for(self, text: str) -> None:
        def is_shown(_: Terminal) -> bool:
            return text in self.shown

        self._terminal.wait_for(is_shown, LONGEST)
