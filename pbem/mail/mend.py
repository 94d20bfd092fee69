"""The ways in which a file that went through mail was mended. docs/save-format.md, Mended."""

from __future__ import annotations

from enum import Enum

from engine.message import Message, joined_with_semicolons, mark


class Mend(Enum):
    """A way in which a file was mended; the value names it in data.

    What mail does by its own rules (base64, quoted-printable, line ends, format=flowed) is none.
    """

    ENCODING = "encoding"
    PAGE = "page"
    QUOTES = "quotes"
    CHARACTERS = "characters"
    LINKS = "links"
    LINES = "lines"

    def told(self) -> Message:
        """What was done, in a clause."""
        return Message(_TOLD[self])


_TOLD = {
    # Translators: what was done to mend a file; each stands in a list behind “mended:”.
    Mend.ENCODING: mark("it was read as UTF-16"),
    Mend.PAGE: mark("it was taken out of a web page"),
    Mend.QUOTES: mark("quote marks were removed"),
    Mend.CHARACTERS: mark("characters that had been replaced were restored"),
    Mend.LINKS: mark("links that had been added were removed"),
    Mend.LINES: mark("lines that had been broken or joined were restored"),
}


def names_of(mends: frozenset[Mend]) -> list[str]:
    """What data call them."""
    return [mend.value for mend in Mend if mend in mends]


def told(mends: frozenset[Mend]) -> Message:
    """What was done, in clauses; empty if nothing was."""
    return joined_with_semicolons(mend.told() for mend in Mend if mend in mends)
