"""How wide letters are, about: enough to break a text into lines, and to make a long one fit."""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import category, east_asian_width

_NARROW, _WIDE = "fijlrtI.,:;'’()|! -", "mwMWЖШЩЮФжшщюмф@%"
_EM = {"none": 0.0, "narrow": 0.28, "letter": 0.48, "capital": 0.69, "wide": 0.86, "square": 1.0}
"""The width of a letter of the face in which the board is written, in its size; rather too much."""


BOLD = 1.07
"""How much wider the letters of names are, which are heavier."""


class TextLines(NamedTuple):
    """A text in lines, with the size that its letters can have; maybe to be made `narrower`.

    `narrower` is the width to which the longest line is to be pressed; None where it has room.
    """

    lines: list[str]
    size: float
    narrower: int | None = None


def width(text: str, size: float) -> float:
    """How wide a text is in letters of that size, about."""
    return size * sum(_EM[_kind(letter)] for letter in text)


def _kind(letter: str) -> str:
    if category(letter) in ("Mn", "Me", "Cf"):
        return "none"
    if east_asian_width(letter) in "WF":
        return "square"
    if letter in _NARROW:
        return "narrow"
    if letter in _WIDE:
        return "wide"
    return "capital" if letter.isupper() else "letter"


def wrapped(text: str, size: float, room: float) -> list[str]:
    """A text in lines that are at most as wide as `room`, if no single word is wider.

    A space that is not to be broken is none.
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fitted(
    text: str, sizes: tuple[float, ...], room: float, most: int = 1, weight: float = 1
) -> TextLines:
    """A text in the largest of `sizes` in which it takes at most that many lines of that room.

    The last size is taken where none is small enough, and the lines are pressed into the room;
    `weight` says how much wider the letters are than plain ones.
    """
    for size in sizes:
        lines = wrapped(text, size * weight, room)
        if len(lines) <= most and all(width(line, size * weight) <= room for line in lines):
            return TextLines(lines, size)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return TextLines(lines, sizes[-1], int(room))
