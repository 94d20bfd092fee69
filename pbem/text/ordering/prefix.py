"""What was typed against what is offered: case, accents and kinds of apostrophe do not matter."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache


def begins(text: str, typed: str) -> bool:
    """Return True if a text begins as what was typed does.

    >>> begins("take Québec", "TAKE que"), begins("take Québec", "quebec")
    (True, False)
    """
    return folded(text).startswith(folded(typed))


def as_typed(text: str, typed: str) -> str:
    """Return the text with its beginning as it was typed: shells keep only what begins so.

    >>> as_typed("take Québec", "TAKE que")
    'TAKE quebec'
    """
    return typed + text[len(unicodedata.normalize("NFC", typed)) :]


def folded(text: str) -> str:
    """Return a text without case and accents, with as many characters as the composed text has."""
    return "".join(map(_folded, unicodedata.normalize("NFC", text)))


@cache
def _folded(character: str) -> str:
    if character == "’":
        return "'"
    plain = unicodedata.normalize("NFD", character)[0].casefold()
    return plain if len(plain) == 1 else character


def rests(named: Mapping[str, str], words: Iterable[str], typed: str) -> list[tuple[str, str]]:
    """Return how these names, each with a remark, go on after the words before and what is typed.

    >>> rests({"Fort Presqu'île": "", "Fort Duquesne": ""}, ["fort"], "P")
    [("Presqu'île", '')]
    """
    before = "".join(f"{word} " for word in words)
    found = {
        name[len(before) :]: remark
        for name, remark in sorted(named.items())
        if begins(name, before + typed)
    }
    return [(as_typed(rest, typed), remark) for rest, remark in found.items() if rest]
