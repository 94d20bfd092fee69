"""The fonts of the board, and estimates of the width of texts in them."""

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
"""The estimated widths of letters in em, rounded up."""


BOLD = 1.07
"""The factor between the widths of semibold and regular letters."""


class TextLines(NamedTuple):
    """A text in lines with its font size.

    `text_length` is the width into which the longest line is squeezed, or None if all lines fit.
    """

    lines: list[str]
    size: float
    text_length: int | None = None


def text_width(text: str, size: float) -> float:
    """Return the estimated width of a text at a font size.

    >>> round(text_width("Boston", 10), 1)
    28.9
    """
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


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break a text at spaces into lines no wider than `width`, unless a single word is wider.

    >>> wrap("Fort Beausejour and Halifax", 10, 70)
    ['Fort Beausejour', 'and Halifax']
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fit(
    text: str, sizes: tuple[float, ...], width: float, limit: int = 1, weight: float = 1
) -> TextLines:
    """Return a text in the largest of `sizes` at which it fits into `limit` lines of width `width`.

    If it fits at no size, return it at the last one, with its lines squeezed into `width`.
    `weight` is the factor between the widths of its letters and regular ones.
    """
    for size in sizes:
        lines = wrap(text, size * weight, width)
        if len(lines) <= limit and all(text_width(line, size * weight) <= width for line in lines):
            return TextLines(lines, size)
    if len(lines) > limit:
        lines = [*lines[: limit - 1], " ".join(lines[limit - 1 :])]
    return TextLines(lines, sizes[-1], int(width))


# --- fonts


_FOLDER = Path(__file__).parent / "fonts"
_FACES = {"regular": (400, "normal"), "italic": (400, "italic"), "semibold": (600, "normal")}
"""The CSS weight and style of each face."""
_CYRILLIC = {"ru"}
"""The codes of languages in Cyrillic script."""


def font_files() -> list[str]:
    """Return the paths of the font files with the letters of all languages."""
    return [str(_FOLDER / f"garamond-{face}.ttf") for face in _FACES]


def font_css(language: Language) -> str:
    """Return CSS with the fonts embedded, reduced to the letters of a language."""
    script = "cyrillic" if language.code in _CYRILLIC else "latin"
    # Names of players and cards are in Latin letters in every language, and never in italics.
    letters = {face: {script} if face == "italic" else {script, "latin"} for face in _FACES}
    return "".join(_rule(face, part) for face in _FACES for part in sorted(letters[face]))


def unicode_range(face: str, letters: str) -> str:
    """Return the letters of an embedded font as a CSS `unicode-range`."""
    kind = f"italic-{letters}" if face == "italic" else letters
    return ",".join(_FOLDER.joinpath(f"{kind}.txt").read_text(encoding="ascii").split())


@cache
def _rule(face: str, letters: str) -> str:
    weight, style = _FACES[face]
    data = b64encode(_FOLDER.joinpath(f"garamond-{face}-{letters}.woff2").read_bytes()).decode()
    return (
        f'@font-face{{font-family:"EB Garamond";font-weight:{weight};font-style:{style};'
        f"src:url(data:font/woff2;base64,{data})format('woff2');"
        f"unicode-range:{unicode_range(face, letters)}}}\n"
    )
