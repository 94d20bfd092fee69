"""How the headers of a letter are written down."""

from __future__ import annotations

import textwrap
from email.header import Header
from email.policy import EmailPolicy
from typing import Any

_LINE = 76
"""So long is a line with encoded words at most (RFC 2047)."""


class WholePhrases(EmailPolicy):
    """Writes what is not ASCII in a subject as one phrase, from its first such word to its last.

    Encoded word by word, as Python does it, it loses spaces: readers drop those between encoded
    words.
    """

    def fold(self, name: str, value: Any) -> str:
        """The header in lines, as text."""
        if name.lower() == "subject" and not str(value).isascii():
            return f"{self.linesep.join(_lines(name, str(value)))}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """The header in lines, as bytes."""
        return self.fold(name, value).encode("ascii")


def _lines(name: str, text: str) -> list[str]:
    words = text.split()
    foreign = [number for number, word in enumerate(words) if not word.isascii()]
    first, end = foreign[0], foreign[-1] + 1
    phrase = Header(" ".join(words[first:end]), "utf-8", _LINE, header_name=name)
    return textwrap.wrap(
        " ".join([*words[:first], *phrase.encode().split(), *words[end:]]),
        _LINE,
        initial_indent=f"{name}: ",
        subsequent_indent=" ",
        break_long_words=False,
        break_on_hyphens=False,
    )
