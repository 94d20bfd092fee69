"""Orders in whole phrases, put into the words that are read: “place the Rangers in reserve”.

Only what cannot be read as it stands is put otherwise, so that nobody's order changes its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.words.language import Language
from pbem.words.naming import normal

ENGLISH: Mapping[str, Any] = {
    "phrasing": {
        "small": "a an the my your card cards location",
        "joining": "with using from returning on for via by",
    },
    "phrases": {
        "begin siege of": "besiege", "block ambush": "block", "block raid": "block",
        "build town at": "develop", "draft empire": "draft", "end of turn": "end",
        "end turn": "end", "fill hand": "refill", "indian leader": "convert indian-leader",
        "launch ambush": "ambush", "launch raid": "raid", "launch raid on": "raid",
        "lay siege to": "besiege", "make raid on": "raid", "pick up reserve": "retrieve",
        "place * in reserve": "reserve", "play governor": "govern",
        "play home support": "home-support", "play indian leader": "convert indian-leader",
        "play intendant": "intendant", "play priest": "convert priest", "play trader": "trade",
        "priest": "convert priest", "put * in reserve": "reserve",
        "put * into reserve": "reserve", "raid on": "raid", "reinforce siege": "reinforce",
        "reinforce siege at": "reinforce", "reinforce siege of": "reinforce",
        "retrieve reserve": "retrieve", "take coins": "take", "take money": "take",
        "take money from": "take", "take money with": "take", "take reserve": "retrieve",
        "use governor": "govern", "use intendant": "intendant", "use priest": "convert priest",
        "withdraw from": "withdraw", "withdraw from siege at": "withdraw",
        "withdraw from siege of": "withdraw",
    },
}  # fmt: skip
"""What the lexicon of each other language has, for English: see docs/languages.md."""


def rephrased(language: Language, text: str) -> Iterator[str]:
    """The text in other words that mean the same, likeliest first; nothing where it has none."""
    tables = [ENGLISH] if language.is_english else [language.lexicon, ENGLISH]
    seen = {" ".join(text.split())}
    for table in tables:
        phrases = {tuple(key.split()): plain for key, plain in table.get("phrases", {}).items()}
        phrasing = table.get("phrasing", {})
        small, joining = (
            {*map(normal, phrasing.get(each, "").split())} for each in ("small", "joining")
        )
        elided = tuple(phrasing.get("elided", "").split())
        for short in (elided, ()):
            words = [*_without_small(text, small, short)]
            told = " ".join(_joined(_plain(words, phrases), joining))
            if told not in seen:
                seen.add(told)
                yield told


def _without_small(text: str, small: set[str], elided: tuple[str, ...]) -> Iterator[str]:
    """The words of a text but for articles and the like; signs are words of their own."""
    for word in re.findall(r"[,;:&+]|[^\s,;:&+]+", text.replace("’", "'")):
        begins = word.casefold()
        short = next((each for each in elided if begins.startswith(each)), "")
        left = word[len(short) :]
        if left and normal(left) not in small:
            yield left


def _plain(words: Sequence[str], phrases: Mapping[tuple[str, ...], str]) -> list[str]:
    """The words with the longest phrase that they are in the words that stand for it.

    A phrase is what they begin with; or, where it has a star, what stands around the others.
    """
    said = [normal(word) for word in words]
    for phrase in sorted(phrases, key=len, reverse=True):
        at = phrase.index("*") if "*" in phrase else len(phrase)
        head, tail = ([*map(normal, part)] for part in (phrase[:at], phrase[at + 1 :]))
        ends = len(said) - len(tail)
        if said[:at] == head and ends >= at and said[ends:] == tail:
            return [*phrases[phrase].split(), *words[at:ends]]
    return [*words]


def _joined(words: Sequence[str], joining: set[str]) -> Iterator[str]:
    """The words, of which the first that joins names is `with`, and any later one a comma."""
    before = False
    for number, word in enumerate(words):
        if number and normal(word) in joining:
            if words[number - 1] not in ",;:&+":
                yield "," if before else "with"
            before = True
        else:
            yield word
