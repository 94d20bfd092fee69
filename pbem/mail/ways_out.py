"""How a player sends a file by the front end, which has its own names for that."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from engine.value import Value
from pbem.foreign import quoted


class WayOut(Enum):
    """What helps where a letter did not arrive; every front end has its own name for it."""

    OTHER_ADDRESS = "it goes to another address than the one in the game"
    AGAIN = "it goes although it was sent, or may have been"


class WaysOut(Value):
    """By which commands a file is sent: the program is called by `command`, and has `options`."""

    command: str
    options: Mapping[WayOut, str]

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """The command that sends a file, to that address or the one in the game."""
        option = f" {self.options[WayOut.AGAIN]}" if again else ""
        return f"{self.command} mail send {quoted(file)}{self._to(to)}{option}"

    def draft(self, file: Path, to: str = "") -> str:
        """The command that writes a letter with a file for a mail program."""
        return f"{self.command} mail draft {quoted(file)}{self._to(to)}"

    def _to(self, address: str) -> str:
        return f" {self.options[WayOut.OTHER_ADDRESS]} {shlex.quote(address)}" if address else ""
