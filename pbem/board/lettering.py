"""Letters: the fonts in which the board is written, and about how wide a text is in them."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import category, east_asian_width

from pbem.text.language import Language

# --- widths


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


# --- fonts


_FOLDER = Path(__file__).parent / "fonts"
_FACES = {"regular": (400, "normal"), "italic": (400, "italic"), "semibold": (600, "normal")}
"""The weight and the style of each."""
_CYRILLIC = {"ru"}
"""Languages that are written in Cyrillic letters."""


def face_files() -> list[str]:
    """The faces as files that a program can load, with the letters of all languages."""
    return [str(_FOLDER / f"garamond-{face}.ttf") for face in _FACES]


def face_css(language: Language) -> str:
    """CSS that has the faces in itself, with the letters of that language."""
    written = "cyrillic" if language.code in _CYRILLIC else "latin"
    # Names of players and cards are in Latin letters everywhere; none of them is in italics.
    letters = {face: {written} if face == "italic" else {written, "latin"} for face in _FACES}
    return "".join(_rule(face, part) for face in _FACES for part in sorted(letters[face]))


def letters_of(face: str, letters: str) -> str:
    """The letters that a page has of a face, as CSS tells a range of them."""
    kind = f"italic-{letters}" if face == "italic" else letters
    return ",".join(_FOLDER.joinpath(f"{kind}.txt").read_text(encoding="ascii").split())


@cache
def _rule(face: str, letters: str) -> str:
    weight, style = _FACES[face]
    data = b64encode(_FOLDER.joinpath(f"garamond-{face}-{letters}.woff2").read_bytes()).decode()
    return (
        f'@font-face{{font-family:"EB Garamond";font-weight:{weight};font-style:{style};'
        f"src:url(data:font/woff2;base64,{data})format('woff2');"
        f"unicode-range:{letters_of(face, letters)}}}\n"
    )
