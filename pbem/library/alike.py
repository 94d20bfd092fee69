"""Names and addresses that a person takes for the same, whatever characters stand in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from pbem.foreign import INVISIBLE

_PAIRS = (
    # Cyrillic
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ԚQ ԜW Ӏl "
    "аa еe оo рp сc уy хx ѕs іi јj кk һh ԁd ԛq ԝw ѵv ӏl "
    # Greek
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy ιi κk νv οo ρp υu χx ωw ϲc "
    # Latin, and what looks like it
    "ɑa ɡg ıi øo łl ØO 0O 1l |l Il"
)
"""A character, and the one that it looks like. Capitals come first: `I` looks like `l`."""
_LOOK = {ord(character): like for character, like in map(tuple, _PAIRS.split())}
_SEVERAL = (("rn", "m"), ("vv", "w"))


def are_names_alike(one: str, other: str) -> bool:
    """Whether two names are the same to a reader: capitals, accents and spaces aside.

    >>> are_names_alike("Béla K.", "bela  k"), are_names_alike("Anna", "Ann\u0430")
    (True, True)
    >>> are_names_alike("BeIa", "Bela"), are_names_alike("Lila", "Ilia")
    (True, False)
    """
    return _are_alike(one, other, _letters)


def are_addresses_alike(one: str, other: str) -> bool:
    """Whether two e-mail addresses are the same to a reader, and neither is empty.

    >>> are_addresses_alike("Bela@example.org", "bel\u0430@example.org")
    True
    """
    return bool(one and other) and _are_alike(one, other, str.strip)


def _are_alike(one: str, other: str, kept: Callable[[str], str]) -> bool:
    plain, plain_other = map(_plain, (one, other))
    if kept(plain.casefold()) == kept(plain_other.casefold()):
        return True
    return kept(_look(plain)) == kept(_look(plain_other))


def _letters(text: str) -> str:
    """The letters and digits of a name; all of it where it has none."""
    return "".join(filter(str.isalnum, text)) or text.strip()


def _plain(text: str) -> str:
    """A text in its simplest characters, without accents and what shows nothing."""
    simple = unicodedata.normalize("NFKD", text)
    return "".join(c for c in simple if not unicodedata.combining(c) and c not in INVISIBLE)


def _look(text: str) -> str:
    """What a text looks like, in Latin letters where it looks like these."""
    look = text.translate(_LOOK).translate(_LOOK).casefold()
    for letters, like in _SEVERAL:
        look = look.replace(letters, like)
    return look
