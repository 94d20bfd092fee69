"""The faces in which the board is written: as CSS that carries them, and as files."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path

from pbem.text.language import Language

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
