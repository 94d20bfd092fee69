"""How a line that is being typed can go on, with legal orders only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.choices import Begun, Choices
from engine.message import alphabetical
from pbem.text.language import Language
from pbem.text.naming import abbreviates, likelier, matching, meanings, normal
from pbem.text.ordering.menu import names_in
from pbem.text.ordering.verbs import verbs_of


class Suggestion(NamedTuple):
    """A whole line that the typed one can become, and the part of it that is new."""

    line: str
    part: str


Suggest = Callable[[str], list[Suggestion]]
"""Finds the lines that a typed one can become."""


class _Typed(NamedTuple):
    """A line taken apart: what it says for certain, and the name that is still being typed."""

    begun: Begun
    rest: str


def suggestions(language: Language, choices: Choices, text: str) -> list[Suggestion]:
    """What a text can become: a verb, or an order with one part more.

    Case, accents and punctuation do not matter, and names may be cut short.
    """
    typed = _taken_apart(language, choices, text)
    verbs = list(_verbs(language, choices, text))
    if typed is None:
        return verbs
    begun, name = typed.begun, names_in(language, choices)
    fitting = _fitting(language, choices, begun, typed.rest)
    grown = [(name(part), begun.and_then(part)) for part in fitting]
    grown.sort(key=lambda each: alphabetical(each[0]))
    found = [Suggestion(_line(language, choices, longer), part) for part, longer in grown]
    # `give f` may become `give Fortification`, or `give from reserve`.
    return found + [verb for verb in verbs if normal(verb.part) != normal(text)]


def part_suggestions(
    language: Language, choices: Choices, begun: Begun, text: str
) -> list[Suggestion]:
    """The places or cards, one of which comes next in what is begun, that a text is short for."""
    name, fitting = names_in(language, choices), _fitting(language, choices, begun, text)
    found = sorted(map(name, fitting), key=alphabetical)
    return [Suggestion(part, part) for part in found]


def begun_by(language: Language, choices: Choices, text: str) -> Begun | None:
    """What a text says of an order that is not finished; None if it says none that is legal."""
    typed = _taken_apart(language, choices, f"{text} ")
    if typed is None:
        return None
    return _grown(language, choices, typed.begun, [typed.rest] if typed.rest else [])


def begun_with(language: Language, choices: Choices, begun: Begun, text: str) -> Begun | None:
    """An order as far as it is said, with the next place or card by its name."""
    return _grown(language, choices, begun, [normal(text)])


def _verbs(language: Language, choices: Choices, text: str) -> Iterator[Suggestion]:
    wanted = normal(text)
    for kind in choices.kinds():
        verb = language.say(kind.words())
        if any(normal(form).startswith(wanted) for form in (verb, kind.verb)):
            yield Suggestion(_line(language, choices, Begun(kind)), verb)


def _taken_apart(language: Language, choices: Choices, text: str) -> _Typed | None:
    """A line taken apart; None while the verb is being typed, and where a name fits nothing."""
    head, colon, tail = text.partition(":")
    said = [
        verb for verb in verbs_of(language, normal(head).split()) if verb.kind in choices.kinds()
    ]
    if not said or not (said[0].is_whole or len(said) == 1):
        return None
    kind, rest = said[0].kind, _behind(head, said[0].used)
    if not (colon or rest or text[-1:].isspace() or "," in head):
        return None
    if kind.has_location:
        pieces = [rest, *tail.split(",")] if colon else [rest]
    else:
        pieces = f"{rest} {tail}".split(",")
    *certain, last = map(normal, pieces)
    begun = _grown(language, choices, Begun(kind), certain)
    return None if begun is None else _Typed(begun, last)


def _behind(head: str, used: int) -> str:
    """What stands behind that many words of a text."""
    ends = [word.end() for word in re.finditer(r"[^\s_-]+", head) if normal(word[0])]
    return head[ends[used - 1] :].strip(" \t-_")


def _fitting(language: Language, choices: Choices, begun: Begun, text: str) -> list[str]:
    """The places or cards that can come next and that a text may mean; all for an empty one."""
    parts = _names(language, choices, begun)
    if not text.strip():
        return list(parts)
    # While a name is typed, one that is there in full may still become a longer one.
    found = matching(language, text, parts, abbreviates) or meanings(language, text, parts)
    return list(likelier(language, text, found))


def _names(language: Language, choices: Choices, begun: Begun) -> dict[str, str]:
    """The places or cards that can come next, by id."""
    name = names_in(language, choices)
    return {part: name(part) for part in choices.parts(begun)}


def _grown(language: Language, choices: Choices, begun: Begun, said: Sequence[str]) -> Begun | None:
    """A beginning with the parts of these names; None where one means nothing, or several."""
    for text in said:
        meant = meanings(language, text, _names(language, choices, begun)) if text else {}
        meant = likelier(language, text, meant)
        if len(meant) != 1:
            return None
        begun = begun.and_then(next(iter(meant)))
    return begun


def _line(language: Language, choices: Choices, begun: Begun) -> str:
    """A beginning as it is typed, with the sign behind which it goes on where it has to."""
    text = language.say(begun.text(names_in(language, choices)))
    if choices.order(begun) is not None:
        return text
    if not begun.cards:
        return f"{text}: " if begun.location else f"{text} "
    return f"{text}, "
