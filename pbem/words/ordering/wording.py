"""What a typed order says: its verb, its location and its cards, each with all that it may mean.

Which order that is, `reading` finds out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from engine.actions.action import cards_for
from engine.catalogue import Catalogue
from engine.message import NOTHING, Message, Said, alphabetical, joined_with_or
from engine.order import Order, UnreadableOrder
from engine.sides import Side
from engine.state import State
from engine.value import Value
from pbem.words.box import location_names
from pbem.words.language import Language
from pbem.words.naming import (
    VERY_ALIKE,
    abbreviates,
    inflects_in_russian,
    likelier,
    matching,
    meanings,
    meant_by,
    named,
    named_in_english,
    nearest,
    nearest_named,
    normal,
)
from pbem.words.ordering.verbs import Verb, could_be, in_both, ways_to_say
from pbem.words.parts import without_part


class NothingFits(UnreadableOrder):
    """A text with a name in it that means nothing in this game."""


class NoLocation(NothingFits):
    """A text without a location, where one has to be."""


class TypedName(Value):
    """A name in an order, as it was typed, and the names of all that it may mean, by their ids.

    `nearer` are names at hand which it is like, where what it may mean is not at hand.
    """

    language: Language
    text: str
    meant: dict[str, str]
    nearer: tuple[str, ...] = ()

    @cached_property
    def likely(self) -> dict[str, str]:
        """Of all that it may mean, the likelier: what begins with it goes before what has it."""
        return likelier(self.language, self.text, self.meant)

    @cached_property
    def is_loose(self) -> bool:
        """Whether its words are not beginnings of the words that it may mean."""
        return not matching(self.language, self.text, self.meant, abbreviates)


class Wording(Value):
    """What was typed, taken apart: a verb, the location where it has one, and the cards.

    `is_divided` says that nothing but its words tells where the location ends and the cards begin.
    """

    kind: type[Order]
    place: TypedName | None
    cards: list[TypedName]
    is_divided: bool = False

    @property
    def is_loose(self) -> bool:
        """Whether it was read in a way that is tried only if no exact one works."""
        return self.is_divided or any(part.is_loose for part in self.parts)

    @property
    def parts(self) -> list[TypedName]:
        """All names, in order."""
        return [self.place, *self.cards] if self.place else self.cards

    def orders(self) -> Iterator[tuple[tuple[str, ...], Order]]:
        """What each way to read the names makes of it, where it makes an order."""
        ways = product(*(part.meant for part in self.parts))
        for ids in ways if prod(len(part.meant) for part in self.parts) <= _MOST_READINGS else ():
            location, cards = (ids[0], ids[1:]) if self.place else (None, ids)
            try:
                yield ids, self.kind(location, cards)
            except ValueError:
                continue


_MOST_READINGS = 2000
"""With more than that the legal one is not searched for: the names are asked for."""


def taken_apart(
    language: Language, said: Verb, colon: str, tail: str, state: State, *, in_a_row: bool = False
) -> Wording:
    """Take apart what follows a verb; raises UnreadableOrder where something is not in the game.

    With `in_a_row` cards in full may stand one after the other with nothing between them.
    """
    kind, rest = said.kind, said.rest
    side, catalogue = state.awaiting.side, state.ruleset.catalogue
    place: TypedName | None = None
    if kind.has_location:
        if not rest:
            # Translators: PLACE and CARD stand for names that are to be typed.
            needs = Message("“{verb}” needs a location: {verb} PLACE: CARD, …", verb=kind.words())
            raise NoLocation(needs)
        place, rest = (
            (_location(language, rest, catalogue), tail)
            if colon
            else _split(language, rest, catalogue)
        )
    elif rest and not kind.most and not said.is_whole:
        # `home suport`: there is nothing that could follow the verb.
        meant = [kind.words()] if nearest(language, said.text, ways_to_say(language, kind)) else []
        told = Message("There is no order “{word}”.", word=said.text)
        raise UnreadableOrder(told + meant_by(meant))
    elif colon:
        # `trade: Gaspé` is as good as without, `merchant Boston: Norfolk` as with a comma.
        rest = f"{rest}, {tail}"
    near = cards_for(state, side, kind, place.meant if place else {})
    parts = [*_parts(language, rest)]
    if in_a_row:
        names = {card.id: language.say(card.label) for card in catalogue.cards[side].values()}
        parts = [each for part in parts for each in _names_in_a_row(language, part, names)]
    named = {part: _card(language, part, catalogue, side, near) for part in dict.fromkeys(parts)}
    cards = [named[part] for part in parts]
    return Wording(kind, place, cards, bool(place and cards and not colon))


def _parts(language: Language, text: str) -> Iterator[str]:
    """The names in a list; `Militia x2` is the name twice, as lists of cards are printed.

    What a card is for is left out: `Boston as settler` is the name.
    """
    for part in re.split("[,;&+]", text):
        named = without_part(language, part.rstrip())
        several = _TIMES.fullmatch(named)
        name, times = (several[1], int(several[2])) if several else (named, 1)
        if normal(name):
            yield from [name.strip()] * times


def _names_in_a_row(language: Language, text: str, names: Mapping[str, str]) -> list[str]:
    """The names in a text that stand in full with nothing between them; else the text alone.

    Russian needs nothing there: `Бостоном кораблями` is with the one, and with the other.
    """
    words = text.split()
    if not 1 < len(words) <= _MOST_WORDS or meanings(language, text, names):
        return [text]
    rows: list[list[str] | None] = [[]]
    for first in range(len(words) - 1, -1, -1):
        heads = ((end, " ".join(words[first:end])) for end in range(len(words), first, -1))
        fitting = (
            [head, *row]
            for end, head in heads
            if (row := rows[len(words) - end]) is not None and _is_in_full(language, head, names)
        )
        rows.append(next(fitting, None))
    return rows[-1] or [text]


def _is_in_full(language: Language, text: str, names: Mapping[str, str]) -> bool:
    return bool(
        named(language, text, names) or matching(language, text, names, inflects_in_russian)
    )


_TIMES = re.compile(r"(.*\S)\s+[x×х]\s*(\d)\s*", re.IGNORECASE)


_MOST_WORDS = 16
"""No location is said in more, not even letter by letter."""


def _split(language: Language, text: str, catalogue: Catalogue) -> tuple[TypedName, str]:
    """The location with which a text begins, and the cards after it, where no colon parts them.

    Raises UnreadableOrder where it begins with none.
    """
    names = location_names(language, catalogue)
    first, comma, others = text.partition(",")
    words = first.split()
    counts = range(min(len(words), _MOST_WORDS), 0, -1)
    for count in counts:
        place = " ".join(words[:count])
        if found := _meanings(language, place, catalogue, names):
            cards = " ".join(words[count:])
            return TypedName(language, place, found), f"{cards}{comma}{others}"
    beginnings = (" ".join(words[:count]) for count in counts)
    near = next(filter(None, (nearest_named(language, begun, names) for begun in beginnings)), [])
    raise NoLocation(Message("There is no location “{name}”.", name=first) + meant_by(near))


def _location(language: Language, text: str, catalogue: Catalogue) -> TypedName:
    names = location_names(language, catalogue)
    if found := _meanings(language, text, catalogue, names):
        return TypedName(language, text, found)
    near = meant_by(nearest_named(language, text, names))
    raise NoLocation(Message("There is no location “{name}”.", name=text) + near)


def _meanings(
    language: Language, text: str, catalogue: Catalogue, *shelves: Mapping[str, str]
) -> dict[str, str]:
    """All that a text may mean; empty where it means nothing.

    Raises UnreadableOrder for a name in full of one thing in English and of another in the
    player's language.
    """
    found = meanings(language, text, *shelves)
    if found and not language.is_english:
        everything = {id: name for shelf in shelves for id, name in shelf.items()}
        whole = named(language, text, everything)
        if named_in_english(text, everything) not in (set(), whole.keys()):
            told = (in_both(name, catalogue.names[id]) for id, name in whole.items())
            raise UnreadableOrder(could_be(text, joined_with_or(told)))
    return found


def _card(
    language: Language, text: str, catalogue: Catalogue, side: Side, near: list[str]
) -> TypedName:
    everything = {card.id: language.say(card.label) for card in catalogue.cards[side].values()}
    likely = {card: everything[card] for card in near}
    if found := _meanings(language, text, catalogue, likely, everything):
        # `milita` begins Military Leader, but who has a Militia in hand may have meant that.
        is_elsewhere = not likely.keys() & found.keys() and not named(language, text, everything)
        close = nearest_named(language, text, likely, VERY_ALIKE) if is_elsewhere else ()
        return TypedName(language, text, found, tuple(close))
    near_hand, anywhere = (nearest_named(language, text, names) for names in (likely, everything))
    hint = meant_by(near_hand or anywhere) or _among(likely.values())
    raise NothingFits(_no_card(language, text, catalogue, side) + hint)


def _no_card(language: Language, text: str, catalogue: Catalogue, side: Side) -> Message:
    """That there is no such card, or that it is the opponent's."""
    theirs = {card.id: language.say(card.label) for card in catalogue.cards[side.opponent].values()}
    if len(meanings(language, text, theirs)) != 1:
        return Message("There is no card “{name}”.", name=text)
    return Message(
        "There is no card “{name}” for the {side}: it is one of the {other}.",
        name=text,
        side=side.label,
        other=side.opponent.label,
    )


def some(names: Sequence[str]) -> Said:
    """Names, or the first few of many."""
    if len(names) <= _MOST_NAMED + 1:
        return ", ".join(names)
    # Translators: there are always at least two others.
    return Message.counted(
        "{names} or {count} other",
        "{names} or {count} others",
        len(names) - _MOST_NAMED,
        names=", ".join(names[:_MOST_NAMED]),
    )


_MOST_NAMED = 5


def _among(names: Iterable[str]) -> Message:
    """What there is to choose from, as a sentence."""
    listed = ", ".join(sorted({*names}, key=alphabetical))
    return " " + Message("You can choose from {names}.", names=listed) if listed else NOTHING
