"""Reading orders: strictly, as records store them, and forgivingly, as players type them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from engine.catalogue import Catalogue
from engine.game import IllegalOrder, check
from engine.naming import VERY_ALIKE, abbreviates, meanings, named, nearest, normal
from engine.orders import (
    ORDERS,
    Draft,
    GiveFromReserve,
    GiveFromSiege,
    Intendant,
    Lose,
    Order,
    Start,
    Withdraw,
)
from engine.sides import Side
from engine.state import State
from engine.verbs import Said, meant_by, verbs_of
from engine.verbs import UnreadableOrder as UnreadableOrder
from language import alphabetical, joined_with_or, phrase, plural


class WrongNumber(UnreadableOrder):
    """An order with too few cards for its kind, or with too many: of that `kind`, with these."""

    def __init__(
        self, message: str, kind: type[Order], location: str | None, cards: tuple[str, ...]
    ) -> None:
        super().__init__(message)
        self.kind, self.location, self.cards = kind, location, cards


class _NothingFits(UnreadableOrder):
    """A text with a name in it that means nothing in this game."""


LONGEST = 2000
"""In characters, of an order as it is typed: no order that can be given is longer."""


def from_notation(notation: str) -> Order:
    """The order whose notation this is, to the letter; raises UnreadableOrder for anything else.

    >>> from_notation("settle deerfield: new-haven, st-marys, boston").cards
    ('new-haven', 'st-marys', 'boston')
    """
    verb, _, rest = notation.partition(" ")
    kind = ORDERS.get(verb)
    if kind is None:
        raise UnreadableOrder(phrase("There is no order “{word}”.", word=verb))
    location: str | None = None
    if kind.has_location:
        location, _, rest = rest.partition(": ")
    order = _made(kind, location, tuple(rest.split(", ")) if rest else ())
    if order.notation() != notation:
        raise UnreadableOrder(
            phrase(
                "“{order}” is not written as “{notation}”.",
                order=notation,
                notation=order.notation(),
            )
        )
    return order


def read(text: str, state: State, *others: State) -> Order:
    """The order that the awaited player means.

    Case, accents and punctuation do not matter, and any word may be cut short. Names of cards the
    player holds go before all others. Where more than one reading is left, it is the only one that
    is legal, in `state` or in one of the `others`. Raises UnreadableOrder, with the nearest names,
    where nothing fits, and with those that are legal where more than one thing does.
    """
    if len(text) > LONGEST:
        raise UnreadableOrder(
            plural(
                "An order has at most {count} character; this one has more.",
                "An order has at most {count} characters; this one has more.",
                LONGEST,
            )
        )
    head, colon, tail = text.strip().partition(":")
    worlds = (state, *others)
    full, *longer = kinds = verbs_of(head)
    if not full.is_whole and longer:
        return _only_legal(kinds, colon, tail, worlds)
    try:
        return _meant(_wording(full, colon, tail, state), worlds)
    except _NothingFits:
        if not longer:
            raise
        # `give f r militia`: what follows a verb may go on to a longer one.
        legal = _legal_readings(longer, colon, tail, worlds)
        if [len(orders) for orders in legal.values()] != [1]:
            raise
        return next(iter(legal.values())).pop()


def _only_legal(kinds: Sequence[Said], colon: str, tail: str, worlds: tuple[State, ...]) -> Order:
    """The only legal order among several verbs; raises UnreadableOrder unless there is one."""
    legal = _legal_readings(kinds, colon, tail, worlds)
    if [len(orders) for orders in legal.values()] == [1]:
        return next(iter(legal.values())).pop()
    word = normal(kinds[0].text).split()[0]
    meant = joined_with_or(kind.words() for kind in legal or [said.kind for said in kinds])
    raise UnreadableOrder(could_be(word, meant))


def verb_alone(text: str) -> str:
    """The verb, as it is read, that a text is and nothing else, although it needs more.

    Empty for any other text.

    >>> verb_alone("Sett"), verb_alone("settle Albany"), verb_alone("pass")
    ('settle', '', '')
    """
    try:
        kinds = verbs_of(text)
    except UnreadableOrder:
        return ""
    kind, rest = kinds[0].kind, kinds[0].rest
    is_clear = kinds[0].is_whole or len(kinds) == 1
    needs_more = kind.has_location or kind.fewest > 0
    return kind.words() if is_clear and not rest and needs_more else ""


def card_name(catalogue: Catalogue) -> Callable[[str], str]:
    """A function that gives the name of a location or card, as players are told it, by id."""
    return catalogue.name_of


def _made(kind: type[Order], location: str | None, cards: tuple[str, ...]) -> Order:
    try:
        return kind(location, cards)
    except ValueError as error:
        raise WrongNumber(str(error), kind, location, cards) from None


class _Part(NamedTuple):
    """A name in an order, as it was typed, and the names of all that it may mean, by their ids.

    `nearer` are names at hand which it is like, where what it may mean is not at hand.
    """

    text: str
    meant: dict[str, str]
    nearer: tuple[str, ...] = ()

    @property
    def is_loose(self) -> bool:
        """Whether its words are not beginnings of the words that it may mean."""
        typed = normal(self.text)
        return not any(abbreviates(typed, normal(name)) for name in self.meant.values())


class _Wording(NamedTuple):
    """What was typed, taken apart: a verb, the location where it has one, and the cards.

    `is_divided` says that nothing but its words tells where the location ends and the cards begin.
    """

    kind: type[Order]
    place: _Part | None
    cards: list[_Part]
    is_divided: bool = False

    @property
    def is_loose(self) -> bool:
        """Whether it was read in a way that is tried only where none to the letter leads on."""
        return self.is_divided or any(part.is_loose for part in self.parts)

    @property
    def parts(self) -> list[_Part]:
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
"""With more than that nobody looks for the one that is legal: the names are asked for."""


def _wording(said: Said, colon: str, tail: str, state: State) -> _Wording:
    """Take apart what follows a verb; raises UnreadableOrder where something is not in the game."""
    kind, rest = said.kind, said.rest
    side, catalogue = state.awaiting.side, state.ruleset.catalogue
    place: _Part | None = None
    if kind.has_location:
        if not rest:
            # Translators: PLACE and CARD stand for names that are to be typed.
            needs = phrase("“{verb}” needs a location: {verb} PLACE: CARD, …", verb=kind.words())
            raise UnreadableOrder(needs)
        place, rest = (_location(rest, catalogue), tail) if colon else _split(rest, catalogue)
    elif rest and not kind.most and not said.is_whole:
        # `home suport`: there is nothing that could follow the verb.
        meant = meant_by(nearest(said.text, [kind.words()]))
        raise UnreadableOrder(phrase("There is no order “{word}”.", word=said.text) + meant)
    elif colon:
        # `trade: Gaspé` is as good as without, `merchant Boston: Norfolk` as with a comma.
        rest = f"{rest}, {tail}"
    near = _near(state, side, kind, place.meant if place else {})
    cards = [_card(part, catalogue, side, near) for part in _parts(rest)]
    return _Wording(kind, place, cards, bool(place and cards and not colon))


def _parts(text: str) -> Iterator[str]:
    """The names in a list; `Militia x2` is the name twice, as lists of cards are printed."""
    for part in _BETWEEN.split(text):
        several = _TIMES.fullmatch(part)
        name, times = (several[1], int(several[2])) if several else (part, 1)
        if normal(name):
            yield from [name.strip()] * times


_BETWEEN = re.compile(r"[,;&+]|\band\b", re.IGNORECASE)
_TIMES = re.compile(r"(.*\S)\s+[x×](\d)\s*", re.IGNORECASE)


_MOST_WORDS = 16
"""No location is said in more, not even letter by letter."""


def _split(text: str, catalogue: Catalogue) -> tuple[_Part, str]:
    """The location with which a text begins, and the cards after it, where no colon parts them.

    Raises UnreadableOrder where it begins with none.
    """
    names = _places(catalogue)
    first, comma, others = text.partition(",")
    words = first.split()
    counts = range(min(len(words), _MOST_WORDS), 0, -1)
    for count in counts:
        place = " ".join(words[:count])
        if found := meanings(place, names):
            cards = " ".join(words[count:]).removeprefix("with ")
            return _Part(place, found), f"{cards}{comma}{others}"
    beginnings = (" ".join(words[:count]) for count in counts)
    near = next(filter(None, (nearest(begun, names.values()) for begun in beginnings)), [])
    raise _NothingFits(phrase("There is no location “{name}”.", name=first) + meant_by(near))


def _meant(wording: _Wording, worlds: tuple[State, ...]) -> Order:
    """The one order that a wording can mean; raises UnreadableOrder where there are several."""
    if all(len(part.meant) == 1 for part in wording.parts):
        order = _whole(wording)
        mistyped = next((part for part in wording.parts if part.nearer), None)
        if mistyped and not _is_legal(order, worlds):
            only = _some([*mistyped.meant.values()])
            raise UnreadableOrder(could_be(mistyped.text, only) + meant_by(mistyped.nearer))
        return order
    legal = {ids: order for ids, order in wording.orders() if _is_legal(order, worlds)}
    if len(set(legal.values())) == 1:
        return next(iter(legal.values()))
    for number, part in enumerate(wording.parts):
        left = {ids[number] for ids in legal} or set(part.meant)
        if len(left) > 1:
            names = [name for id, name in part.meant.items() if id in left]
            raise UnreadableOrder(could_be(part.text, _some(names)))
    return _whole(wording)


def _whole(wording: _Wording) -> Order:
    """The order of a wording in which every name means one thing."""
    ids = tuple(next(iter(part.meant)) for part in wording.parts)
    if wording.place is None:
        return _made(wording.kind, None, ids)
    try:
        return wording.kind(ids[0], ids[1:])
    except ValueError:
        kind, place = wording.kind, wording.place.meant[ids[0]]
        message = phrase("{place}: {sentence}", place=place, sentence=kind.takes(kind.words()))
        raise WrongNumber(message, kind, ids[0], ids[1:]) from None


def _legal_readings(
    kinds: Sequence[Said], colon: str, tail: str, worlds: tuple[State, ...]
) -> dict[type[Order], set[Order]]:
    """The legal orders that a text can mean with each of the verbs.

    Where one reads it word by word, the others do not read it more loosely.
    """
    plain: dict[type[Order], set[Order]] = {}
    loose: dict[type[Order], set[Order]] = {}
    for said in kinds:
        try:
            wording = _wording(said, colon, tail, worlds[0])
        except UnreadableOrder:
            continue
        legal = {order for _, order in wording.orders() if _is_legal(order, worlds)}
        if legal:
            (loose if wording.is_loose else plain)[said.kind] = legal
    return plain or loose


def _is_legal(order: Order, worlds: tuple[State, ...]) -> bool:
    for world in worlds:
        try:
            check(world, order)
        except IllegalOrder:
            continue
        return True
    return False


def _places(catalogue: Catalogue) -> dict[str, str]:
    return {place.id: place.label for place in catalogue.locations.values()}


def _location(text: str, catalogue: Catalogue) -> _Part:
    names = _places(catalogue)
    if found := meanings(text, names):
        return _Part(text.strip(), found)
    near = meant_by(nearest(text, names.values()))
    raise _NothingFits(phrase("There is no location “{name}”.", name=text.strip()) + near)


def _near(state: State, side: Side, kind: type[Order], places: Container[str]) -> list[str]:
    """The cards an order of that kind is likely to name, which go before all others.

    `places` are those that it may name.
    """
    player = state.players[side]
    if kind is Intendant:
        return player.discard
    if kind is GiveFromReserve:
        return player.reserve
    if kind in (Draft, Start):
        stocks = (player.empire, state.neutral if kind is Draft else {})
        return [card for stock in stocks for card, left in stock.items() if left]
    if kind in (Withdraw, Lose, GiveFromSiege):
        return [c for s in state.sieges.values() if s.location in places for c in s.cards[side]]
    return player.hand


def _card(text: str, catalogue: Catalogue, side: Side, near: list[str]) -> _Part:
    everything = {card.id: card.label for card in catalogue.cards[side].values()}
    likely = {card: everything[card] for card in near}
    if found := meanings(text, likely, everything):
        # `milita` begins Military Leader, but who has a Militia in hand may have meant that.
        is_elsewhere = not likely.keys() & found.keys() and not named(text, everything)
        close = nearest(text, likely.values(), VERY_ALIKE) if is_elsewhere else ()
        return _Part(text, found, tuple(close))
    near_hand, anywhere = (nearest(text, names.values()) for names in (likely, everything))
    hint = meant_by(near_hand or anywhere) or _among(likely.values())
    raise _NothingFits(_no_card(text, catalogue, side) + hint)


def _no_card(text: str, catalogue: Catalogue, side: Side) -> str:
    """That there is no such card, or that it is the opponent's."""
    theirs = {card.id: card.label for card in catalogue.cards[side.opponent].values()}
    if len(meanings(text, theirs)) != 1:
        return phrase("There is no card “{name}”.", name=text)
    return phrase(
        "There is no card “{name}” for the {side}: it is one of the {other}.",
        name=text,
        side=side.label,
        other=side.opponent.label,
    )


def could_be(text: str, meant: str) -> str:
    """That a text could be one thing or another, as a sentence."""
    return phrase("“{word}” could be {names}.", word=text, names=meant)


def _some(names: Sequence[str]) -> str:
    """Names, or the first few of many."""
    if len(names) <= _MOST_NAMED + 1:
        return ", ".join(names)
    # Translators: there are always at least two others.
    return plural(
        "{names} or {count} other",
        "{names} or {count} others",
        len(names) - _MOST_NAMED,
        names=", ".join(names[:_MOST_NAMED]),
    )


_MOST_NAMED = 5


def _among(names: Iterable[str]) -> str:
    """What there is to choose from, as a sentence."""
    listed = ", ".join(sorted({*names}, key=alphabetical))
    return " " + phrase("You can choose from {names}.", names=listed) if listed else ""
