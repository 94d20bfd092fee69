"""Names as players type them: in any case, with or without accents, shortened, mistyped.

A thing is called by its name in the player's language, in all the forms it takes in sentences, and
by its English name, from its id.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from engine.message import NOTHING, Message, Said, joined_with_or
from pbem.text.language import Language

_RUSSIAN, _ASCII_LETTER = "[а-я]", "[a-z]"
CUSTOMARY = {"ft": "fort", "wm": "william", "saint": "st", "sainte": "st"}
"""Abbreviations that are not the beginning of a word."""
MOST_NEAR = 3
ALIKE, VERY_ALIKE = 0.66, 0.8
"""How similar what was typed and what may be meant have to be, 1 for the same."""


# The same few hundred names are compared with every word that is typed.
@lru_cache(maxsize=2048)
def normal(text: str) -> str:
    """Return a text as it is compared: lower case, no accents, hyphens as spaces, no other signs.

    A word in letters of two scripts is taken for one in the script that has them all.

    >>> normal("Fort Presqu'île"), normal("fort-presquile")
    ('fort presquile', 'fort presquile')
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = (" " if c in "-_" else c for c in plain if c.isalnum() or c.isspace() or c in "-_")
    return " ".join(map(_in_one_script, "".join(kept).split()))


_LATIN, _CYRILLIC = "aceopxykmtbh", "асеорхукмтвн"
"""Letters of two scripts that look alike, at least as capitals; typing both mixes them up."""
_TO_CYRILLIC, _TO_LATIN = str.maketrans(_LATIN, _CYRILLIC), str.maketrans(_CYRILLIC, _LATIN)


def _in_one_script(word: str) -> str:
    if word.isascii() or not re.search(_ASCII_LETTER, word) or not re.search(_RUSSIAN, word):
        return word
    cyrillic, latin = word.translate(_TO_CYRILLIC), word.translate(_TO_LATIN)
    if not re.search(_ASCII_LETTER, cyrillic):
        return cyrillic
    return word if re.search(_RUSSIAN, latin) else latin


Matches = Callable[[str, str], bool]
"""Whether a text, as it is compared, means a name, as it is compared."""


def abbreviates(short: str, name: str) -> bool:
    """Return True if each word of `short` begins a word of `name`, in order.

    >>> abbreviates("fort hen", "fort william henry"), abbreviates("hen fort", "fort henry")
    (True, False)
    """
    words = iter(name.split())
    parts = short.split()
    return bool(parts) and all(any(w.startswith(part) for w in words) for part in parts)


def _starts(short: str, name: str) -> bool:
    """Return True if the words of `short` begin the first words of `name`, one after the other.

    >>> _starts("native am", "native americans"), _starts("am", "native americans")
    (True, False)
    """
    parts, words = short.split(), name.split()
    pairs = zip(parts, words, strict=False)
    return len(parts) <= len(words) and all(word.startswith(part) for part, word in pairs)


def runs_together(short: str, name: str) -> bool:
    """Return True if `short` is `name` without spaces, with its words shortened at will.

    >>> [runs_together(short, "fort duquesne") for short in ("fortduquesne", "fduq", "duq")]
    [True, True, False]
    """
    return _runs("".join(short.split()), name.split())


def _runs(text: str, words: list[str]) -> bool:
    if not text or not words:
        return not text
    first, *rest = words
    same = _shared(text, first)
    return any(_runs(text[count:], rest) for count in range(same, 0, -1))


def _shared(one: str, other: str) -> int:
    """Return with how many letters both texts begin."""
    pairs = zip(one, other, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _customary(short: str, name: str) -> bool:
    return abbreviates(" ".join(CUSTOMARY.get(word, word) for word in short.split()), name)


def inflects(short: str, name: str) -> bool:
    """Return True if each word of `short` is one of `name`, in order, with any Russian ending.

    >>> inflects("квебеке", "квебек"), inflects("ополчением", "ополчение"), inflects("б", "бостон")
    (True, True, False)
    """
    words = iter(name.split())
    return all(any(_inflects(part, word) for word in words) for part in short.split())


def inflects_in_russian(short: str, name: str) -> bool:
    """Return True if `inflects` does, for Russian words only."""
    return bool(re.search(_RUSSIAN, short)) and inflects(short, name)


def _inflects(part: str, word: str) -> bool:
    stem = _shared(part, word)
    return stem >= max(_STEM, len(word) - _ENDING) and len(part) <= stem + _ENDING


_STEM, _ENDING = 3, 3
"""How many letters a stem has at least, and an ending at most."""


def _inflects_in_full(short: str, name: str) -> bool:
    return len(short.split()) == len(name.split()) and inflects(short, name)


def may_be_in(word: str, names: Iterable[str]) -> bool:
    """Return True if a word, cut short or run together, can be part of one of these names."""
    known = CUSTOMARY.get(word, word)
    return any(
        part.startswith((word, known)) or (word[:2] == part[:2] and _inflects(word, part))
        for name in names
        for part in name.split()
    ) or any(word[:1] == name[:1] and runs_together(word, name) for name in names)


LOOSE: tuple[Matches, ...] = (abbreviates, _customary, runs_together)
"""How a text may mean a name that it does not give in full; each where those before do not."""


@lru_cache(maxsize=1024)
def spellings(language: Language, id: str, name: str) -> frozenset[str]:
    """Return everything that a thing with that id and name is called, normalized."""
    called = (id, name, *_in_other_words(language, name))
    # `l'artillerie d'assedio` is compared in words, whatever is elided before them.
    return frozenset(normal(text) for each in called for text in (each, re.sub("['’]", " ", each)))


def _in_other_words(language: Language, name: str) -> Iterator[str]:
    """Yield what else a language has for a name: its forms, its meaning, what is typed for it."""
    known = language.lexicon
    yield from known.get("typed", {}).get(name, ())
    forms, meant = known.get("forms", {}), known.get("cards", {}).get(name)
    yield from forms.get(name, {}).values()
    if meant:
        yield meant
        yield from forms.get(meant, {}).values()


def named(language: Language, text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return what a text names in full, of these ids and names."""
    wanted = normal(text)
    return {id: name for id, name in names.items() if wanted in spellings(language, id, name)}


def is_named(language: Language, text: str, names: Mapping[str, str]) -> bool:
    """Return True if a text names one of these in full, in whatever case of Russian."""
    is_russian = bool(re.search(_RUSSIAN, normal(text)))
    return bool(
        named(language, text, names)
        or (is_russian and matching(language, text, names, _inflects_in_full))
    )


def matching(
    language: Language, text: str, names: Mapping[str, str], matches: Matches
) -> dict[str, str]:
    """Return all that a text may mean in one way of matching, of these ids and names."""
    wanted = normal(text)
    return {
        id: name
        for id, name in names.items()
        if any(matches(wanted, known) for known in spellings(language, id, name))
    }


def meanings(language: Language, text: str, *shelves: Mapping[str, str]) -> dict[str, str]:
    """Return all that a text may mean, by id; empty where it means nothing.

    A full name comes before a shortened one, wherever it is; then the first of the `shelves`, of
    ids and names, before the others.
    """
    for shelf in shelves:
        if found := named(language, text, shelf):
            return found
    loose = (*LOOSE, _inflects_in_full, inflects) if re.search(_RUSSIAN, normal(text)) else LOOSE
    for shelf in shelves:
        for matches in loose:
            if found := matching(language, text, shelf, matches):
                return found
    return {}


def likelier(language: Language, text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return those of some ids and names that begin with a text; all if none does.

    >>> names = {"a": "Neutral Native Americans", "b": "Native Americans"}
    >>> likelier(Language("en"), "native am", names)
    {'b': 'Native Americans'}
    """
    return matching(language, text, names, _starts) or dict(names)


def nearest(language: Language, text: str, names: Iterable[str]) -> list[str]:
    """Return up to three of the names that a text may be meant for, the likeliest first.

    >>> nearest(Language("en"), "Bsoton", ["Albany", "Boston"])
    ['Boston']
    >>> nearest(Language("en"), "regulars", ["Militia", "Regular Infantry"])
    ['Regular Infantry']
    """
    return nearest_named(language, text, {name: name for name in names})


def nearest_named(
    language: Language, text: str, names: Mapping[str, str], least: float = ALIKE
) -> list[str]:
    """Return up to three of the names, by id, that a text may be meant for, the likeliest first.

    A text may be like anything by which each is called.

    `least` is how alike they have to be, 1 for the same.
    """
    wanted = "".join(normal(text).split())
    likely = {
        name: _likeness(wanted, spellings(language, id, name), least) for id, name in names.items()
    }
    close = sorted((name for name in likely if likely[name] >= least), key=lambda n: -likely[n])
    # A name much less similar than the best is not meant.
    return [name for name in close if likely[name] > likely[close[0]] - 0.15][:MOST_NEAR]


def _likeness(wanted: str, names: Iterable[str], least: float) -> float:
    """Return how similar a text is to a name, to a word or the beginning of one: 0 to 1.

    Anything below `least` counts as 0.
    """
    # Imported here: only mistyped names need it.
    from difflib import SequenceMatcher

    forms: set[str] = set()
    for name in names:
        words = name.split()
        whole = "".join(words)
        forms |= {whole, whole[: len(wanted) + 1], *(word for word in words if len(word) > 2)}
    # Lengths, and then the letters regardless of order, distinguish most names.
    as_long = (f for f in forms if 2 * min(len(f), len(wanted)) >= least * len(f + wanted))
    compared = (SequenceMatcher(None, wanted, form) for form in as_long)
    return max((each.ratio() for each in compared if each.quick_ratio() >= least), default=0)


def meant_by(names: Sequence[Said]) -> Message:
    """Return the question if one of these names is meant, after a sentence; empty without any."""
    asked = " " + Message("Did you mean {names}?", names=joined_with_or(names))
    return asked if names else NOTHING
