"""How a line that is being typed can go on, with legal orders only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.message import Message, Said, alphabetical
from engine.orders import UnreadableOrder
from engine.ways import Begun, Ways
from pbem.cli.leading.typed import begun_so
from pbem.cli.words import Name
from pbem.words.naming import abbreviates, matching, meanings, normal
from pbem.words.verbs import verbs_of


class Suggestion(NamedTuple):
    """A whole line that the typed one can become, and the part of it that is new."""

    line: Said
    part: Said


class _Typed(NamedTuple):
    """A line taken apart: what it says for certain, and the name that is still being typed."""

    begun: Begun
    rest: str


def suggestions(ways: Ways, text: str) -> list[Suggestion]:
    """What a text can become: a verb, or an order with one part more.

    Case, accents and punctuation do not matter, and names may be cut short.
    """
    name = ways.worlds[0].ruleset.catalogue.name_of
    typed = _taken_apart(ways, text, name)
    verbs = list(_verbs(ways, text, name))
    if typed is None:
        return verbs
    begun = typed.begun
    grown = [(name(part), begun.and_then(part)) for part in _fitting(ways, begun, typed.rest)]
    grown.sort(key=lambda each: alphabetical(each[0]))
    found = [Suggestion(_line(ways, longer, name), part) for part, longer in grown]
    # `give f` may become `give Fortification`, or `give from reserve`.
    return found + [verb for verb in verbs if normal(verb.part) != normal(text)]


def word_suggestions(text: str, words: Iterable[str]) -> list[Suggestion]:
    """The words of a led turn that a text is the beginning of; `words` are all, in English."""
    return [Suggestion(word, word) for word in begun_so(text, words)]


def part_suggestions(ways: Ways, begun: Begun, text: str) -> list[Suggestion]:
    """The places or cards, one of which comes next in what is begun, that a text is short for."""
    name = ways.worlds[0].ruleset.catalogue.name_of
    found = sorted((name(part) for part in _fitting(ways, begun, text)), key=alphabetical)
    return [Suggestion(part, part) for part in found]


def begun_by(ways: Ways, text: str) -> Begun | None:
    """What a text says of an order that is not finished; None if it says none that is legal."""
    name = ways.worlds[0].ruleset.catalogue.name_of
    typed = _taken_apart(ways, f"{text} ", name)
    if typed is None:
        return None
    return _grown(ways, typed.begun, [typed.rest] if typed.rest else [], name)


def begun_with(ways: Ways, begun: Begun, text: str) -> Begun | None:
    """An order as far as it is said, with the next place or card by its name."""
    return _grown(ways, begun, [normal(text)], ways.worlds[0].ruleset.catalogue.name_of)


def _verbs(ways: Ways, text: str, name: Name) -> Iterator[Suggestion]:
    wanted = normal(text)
    for kind in ways.kinds():
        if any(normal(verb).startswith(wanted) for verb in (kind.words(), kind.verb)):
            yield Suggestion(_line(ways, Begun(kind), name), kind.words())


def _taken_apart(ways: Ways, text: str, name: Name) -> _Typed | None:
    """A line taken apart; None while the verb is being typed, and where a name fits nothing."""
    head, colon, tail = text.partition(":")
    said = _verb(ways, head, is_finished=bool(colon) or text[-1:].isspace() or "," in head)
    if said is None:
        return None
    if said.kind.has_location:
        pieces = [said.rest, *tail.split(",")] if colon else [said.rest]
    else:
        pieces = f"{said.rest} {tail}".split(",")
    *certain, rest = map(normal, pieces)
    begun = _grown(ways, Begun(said.kind), certain, name)
    return None if begun is None else _Typed(begun, rest)


def _verb(ways: Ways, head: str, *, is_finished: bool) -> Said | None:
    """The verb that a text begins with; None while it is being typed, or may be several."""
    try:
        possible = verbs_of(head)
    except UnreadableOrder:
        return None
    said = [verb for verb in possible if verb.kind in ways.kinds()]
    if not said or not (is_finished or said[0].rest):
        return None
    return said[0] if said[0].is_whole or len(said) == 1 else None


def _fitting(ways: Ways, begun: Begun, text: str) -> list[str]:
    """The places or cards that can come next and that a text may mean; all for an empty one."""
    name = ways.worlds[0].ruleset.catalogue.name_of
    parts = {part: name(part) for part in ways.parts(begun)}
    if not text.strip():
        return list(parts)
    # While a name is typed, one that is there in full may still become a longer one.
    return list(matching(text, parts, abbreviates) or meanings(text, parts))


def _grown(ways: Ways, begun: Begun, said: Sequence[str], name: Name) -> Begun | None:
    """A beginning with the parts of these names; None where one means nothing, or several."""
    for text in said:
        meant = meanings(text, {part: name(part) for part in ways.parts(begun)}) if text else {}
        if len(meant) != 1:
            return None
        begun = begun.and_then(next(iter(meant)))
    return begun


def _line(ways: Ways, begun: Begun, name: Name) -> Message:
    """A beginning as it is typed, with the sign behind which it goes on where it has to."""
    text = begun.text(name)
    if ways.order(begun) is not None:
        return text
    if not begun.cards:
        return f"{text}: " if begun.location else f"{text} "
    return f"{text}, "
