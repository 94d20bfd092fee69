"""The small words of an order as people say it, by what they do in it, and what they stand between.

Each language has its own in its lexicon: docs/languages.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise

from engine.value import Value
from pbem.words.language import Language
from pbem.words.naming import normal


class Role(StrEnum):
    """What a small word does between the names of an order."""

    AND = "and"
    WITH = "with"
    IN = "in"
    FROM = "from"
    AS = "as"


SIGNS = ",;:&+/"
"""What stands between names as small words do, each a word of its own."""
_WORDS = re.compile(rf"[{SIGNS}]|[^\s{SIGNS}]+")


class SmallWords(Value):
    """Those of one language, as they are compared.

    `left_out` say nothing, and neither does a `number` before a word that is `counted`; `play` are
    the verbs for playing a card.
    """

    left_out: frozenset[str]
    number: frozenset[str]
    counted: frozenset[str]
    play: frozenset[str]
    roles: Mapping[str, Role]

    def role(self, word: str) -> Role | None:
        """What a word does between names; None for a sign, and for one that does nothing there."""
        return self.roles.get(normal(word))

    def joins(self, word: str) -> bool:
        """Whether a word stands between names and is none."""
        return word in SIGNS or self.role(word) is not None

    def words_of(self, text: str) -> list[str]:
        """The words and signs of a text, but for what is left out."""
        kept: list[str] = []
        is_counted, following = False, ","
        for word in reversed(self.parted(text)):
            plain, behind = normal(word), following
            is_name, following = _is_cut_short(word, behind), word
            if is_name:
                kept.append(word)
                is_counted = False
                continue
            if is_counted and (plain in self.number or plain.isdigit()):
                continue
            if self.role(word) and behind not in SIGNS and kept and kept[-1] in SIGNS:
                # `with two cards: Rangers`: what it joins has been left out.
                continue
            is_small = plain in self.left_out
            is_counted = plain in self.counted or (is_counted and is_small)
            if not is_small and (plain or word in SIGNS):
                kept.append(word)
        return kept[::-1]

    def parted(self, text: str) -> list[str]:
        """The words and signs; a small word that is elided is parted from the next one."""
        return [part for word in _WORDS.findall(text) for part in self._unelided(word)]

    def with_signs(self, words: Sequence[str]) -> Iterator[list[str]]:
        """What follows a verb with a comma for each `and`, and a colon for one `with`, if any."""
        pairs = [*pairwise([*words, ","])]
        roles = [None if _is_cut_short(*pair) else self.role(pair[0]) for pair in pairs]
        begins = 1 if roles[:1] == [Role.IN] else 0
        told = ["," if role is Role.AND else word for word, role in zip(words, roles, strict=True)]
        parting = [at for at, role in enumerate(roles) if role is Role.WITH and ":" not in words]
        for at in parting:
            yield [*told[begins:at], ":", *told[at + 1 :]]
        if not parting:
            yield told[begins:]

    def _unelided(self, word: str) -> tuple[str, ...]:
        short, _, rest = word.partition("'")
        is_small = normal(short) in self.left_out or self.role(short) is not None
        return (short, rest) if rest and is_small else (word,)

    def names(self, words: Sequence[str], *, without_from: bool = False) -> str:
        """What stands between signs and small words, as a list; without what a name serves as."""
        parts: list[list[str]] = [[]]
        roles: list[set[Role]] = [set()]
        for word, following in pairwise([*words, ","]):
            if not self.joins(word) or _is_cut_short(word, following):
                parts[-1].append(word)
                continue
            if parts[-1]:
                parts.append([])
                roles.append(set())
            if role := self.role(word):
                roles[-1].add(role)
        left_out = {Role.AS, Role.FROM} if without_from else {Role.AS}
        told = zip(parts, roles, strict=True)
        return ", ".join(" ".join(part) for part, role in told if part and not role & left_out)


def _is_cut_short(word: str, following: str) -> bool:
    """Whether a word with nothing or a sign behind it is a name cut short, and no small word."""
    return 0 < len(normal(word)) <= _SHORT and following in SIGNS


_SHORT = 3
"""Longer small words, such as `card`, may stand behind a name."""


# Every typed order is parsed with them.
@cache
def small_words(language: Language) -> SmallWords:
    """Those of a language."""
    table: Mapping[str, str] = language.lexicon.get("phrasing", {})
    left_out, number, counted, play = (
        frozenset(map(normal, table.get(each, "").split()))
        for each in ("small", "number", "counted", "play")
    )
    roles = {normal(word): role for role in Role for word in table.get(role, "").split()}
    return SmallWords(left_out, number, counted, play, roles)
