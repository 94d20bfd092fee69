"""Reading orders as players type them, and the start card where the house rules give the choice.

A text is taken apart into a verb, names, and words that say nothing. Which order that is, the rules
decide: of several readings the only legal one is meant. No order of the words is known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, takewhile
from math import prod
from typing import NamedTuple
from unicodedata import normalize

from engine.actions.action import IllegalOrder, cards_for
from engine.choices import Choices, Parts
from engine.game import check, is_legal, legal_orders
from engine.message import NOTHING, Message, Said, alphabetical, message_of
from engine.order import Order, UnreadableOrder
from engine.orders import Draft, Settle, Take, WrongNumber, from_notation
from engine.state import State
from pbem.errors import WrongUse
from pbem.text.components import location_names
from pbem.text.language import Language
from pbem.text.naming import (
    VERY_ALIKE,
    is_named,
    likelier,
    may_be_in,
    meanings,
    meant_by,
    named,
    nearest,
    nearest_named,
    normal,
    spellings,
)
from pbem.text.narration import without_parts
from pbem.text.ordering.verbs import (
    Verb,
    could_be,
    first_word,
    kinds_meant,
    no_order,
    small_words,
    unknown_verb,
    verbs_of,
    ways_to_say,
)

LONGEST = 2000
"""In characters, of an order as typed: no possible order is longer."""
_SIGNS = ",;:&+/"
_WORDS = re.compile(rf"[{_SIGNS}]|\*\d|[^\s{_SIGNS}_-]+")
_TIMES = re.compile(r"(?<=\S)\s+[x×х]\s*(\d)(?!\w)", re.IGNORECASE)
_SHORT = 3
"""How many letters a small word has at most that may be a name cut short."""
_MOST_WORDS, _MOST_TYPED = 16, 200
"""No name is said in more words, not even letter by letter; and no order."""
_MOST_ROWS, _MOST_READINGS = 64, 2000
"""With more readings than that the legal one is not searched for: the names are asked for."""
_MOST_NAMED = 5
_WEIGHT, _LEAST = 60, 15
"""What a word counts that speaks of one kind of order, and what is needed to take it for one."""


def read(language: Language, text: str, state: State, *others: State) -> Order:
    """Return the order that the awaited player means.

    It may be in notation, or in the player's language or English. Case, accents, punctuation and
    small words do not matter, and any word may be cut short. Names of cards the player holds come
    before all others, and full names before shortened ones. If more than one reading remains, it is
    the only one that is legal, in `state` or in one of the `others`; what is left out is added if
    there is only one way to do so. Raises UnreadableOrder, with the nearest names, where nothing
    fits, and with those that are legal where more than one thing does.
    """
    if len(text) > LONGEST:
        raise UnreadableOrder(
            Message.counted(
                "An order has at most {count} character; this one has more.",
                "An order has at most {count} characters; this one has more.",
                LONGEST,
            )
        )
    return _in_notation(text.strip(), state) or _Reader(language, text, (state, *others)).order()


def meant_instead(language: Language, text: str, order: Order, *worlds: State) -> list[Order]:
    """Return legal orders of other kinds that a text can mean, of which `order` is illegal.

    `take Militia` is not to take money, but may be to draft it.
    """
    if _is_legal(order, worlds):
        return []
    found, _ = _Reader(language, text, worlds).of_others(type(order))
    return [other for other in found if _is_legal(other, worlds)]


def verb_alone(language: Language, text: str) -> type[Order] | None:
    """Return the kind of order of which a text is the verb alone, although it needs more.

    >>> english = Language("en")
    >>> [verb_alone(english, text) for text in ("Sett", "settle Albany", "pass")]
    [<class 'engine.orders.Settle'>, None, None]
    """
    words = normal(text).split()
    verbs = verbs_of(language, words)
    is_clear = bool(verbs) and (len(verbs) == 1 or (verbs[0].is_whole and not verbs[1].is_whole))
    if not is_clear or verbs[0].used < len(words):
        return None
    kind = verbs[0].kind
    return kind if kind.has_location or kind.fewest else None


def _in_notation(text: str, state: State) -> Order | None:
    """Return the order with exactly this notation, of names that are in the game."""
    try:
        order = from_notation(text)
    except UnreadableOrder:
        return None
    catalogue = state.ruleset.catalogue
    is_known = order.location is None or order.location in catalogue.locations
    known = catalogue.cards[state.awaiting.side].keys()
    return order if is_known and known >= {*order.cards} else None


def _is_legal(order: Order, worlds: Iterable[State]) -> bool:
    return any(is_legal(world, order) for world in worlds)


# --- words and names


class Word(NamedTuple):
    """A word or sign as it was typed, and as it is compared.

    `is_small` says that it may be left out, `is_between` that it stands between names.
    """

    typed: str
    plain: str
    is_small: bool
    is_between: bool


def words_in(language: Language, text: str) -> list[Word]:
    """Return the words and signs of a text; `Militia x2` is a word and a sign that counts it."""
    known = small_words(language)
    plain_signs = re.sub("[’ʼ‘´`]", "'", normalize("NFC", text))
    counted = _TIMES.sub(r" *\1", without_parts(language, plain_signs))
    typed: list[str] = []
    for word in _WORDS.findall(counted):
        short, _, rest = word.partition("'")
        is_elided = bool(rest) and normal(short) in known.small | known.joining
        typed.append(rest if is_elided else word)
    words: list[Word] = []
    is_counted = False
    for word in reversed([word for word in typed if normal(word) or word in _SIGNS]):
        plain = word if word[0] == "*" else normal(word)
        is_between = word in _SIGNS or plain in known.joining
        is_number = is_counted and (plain in known.number or plain.isdigit())
        is_small = is_between or plain in known.small or is_number or word[0] == "*"
        is_counted = plain in known.counted or (is_counted and is_small and not is_between)
        is_last = not words or words[0].typed in _SIGNS
        is_cut_short = is_last and word not in _SIGNS and len(plain) <= _SHORT
        words.insert(0, Word(word, plain, is_small, is_between and not is_cut_short))
    return words


class Name(NamedTuple):
    """A name as it was typed, and the names of all that it may mean, by their ids."""

    typed: str
    places: Mapping[str, str]
    cards: Mapping[str, str]


class _SeveralLegal(UnreadableOrder):
    """More than one legal order of one kind is meant, of which `order` is one."""

    def __init__(self, message: Message, order: Order) -> None:
        super().__init__(message)
        self.order = order


class _Reader:
    """A text to be read in one of several positions, of which the first is as things stand."""

    def __init__(self, language: Language, text: str, worlds: tuple[State, ...]) -> None:
        self.language, self.text, self.worlds = language, text, worlds
        self.words = words_in(language, text)
        self.catalogue, self.side = worlds[0].ruleset.catalogue, worlds[0].awaiting.side
        cards = self.catalogue.cards[self.side].values()
        self.cards = {card.id: language.say(card.label) for card in cards}
        theirs = self.catalogue.cards[self.side.opponent].values()
        self.theirs = {card.id: language.say(card.label) for card in theirs}
        self.places = location_names(language, self.catalogue)
        self._likely_names: dict[str, set[str]] = {}
        self._spoken = Counter[type[Order]]()
        for word in self.words:
            kinds = kinds_meant(language, word.plain)
            self._spoken.update({kind: _WEIGHT // len(kinds) for kind in kinds})

    def order(self) -> Order:
        """Return the order that is meant; raises UnreadableOrder."""
        if not any(word.plain for word in self.words):
            raise UnreadableOrder(
                "An order begins with what to do, such as {verb}, {other} or {another}.",
                verb=Settle.words(),
                other=Draft.words(),
                another=Take.words(),
            )
        if len(self.words) > _MOST_TYPED:
            raise no_order(first_word(self.text), [])
        heads = self._verbs()
        at, verbs = next((each for each in heads if each[1] and each[1][0].is_whole), heads[0])
        if at and heads[0][0] == 0:
            # `d trader`: what is cut short may be a small word as well.
            orders, _ = self._tried(self._behind(heads[0]))
            if len(legal := [order for order in orders if _is_legal(order, self.worlds)]) == 1:
                return legal[0]
        kind: type[Order] | None = None
        said: Order | None = None
        refusal: UnreadableOrder | None = None
        if verbs and (verbs[0].is_whole or len(verbs) == 1):
            kind = verbs[0].kind
            try:
                end = at + verbs[0].used
                said = _Kind(self, kind).order(self.words[end:], verb=self.words[at:end])
            except _SeveralLegal:
                raise
            except UnreadableOrder as error:
                refusal = error
        if said and (_is_legal(said, self.worlds) or not self._likelier(kind)):
            return said
        orders, refusals = self.of_others(kind)
        likely_kinds = self._likelier(kind)
        legal = [order for order in orders if _is_legal(order, self.worlds)]
        if not legal and said:
            return said
        likely = legal or [o for o in orders if kind is None or type(o) in likely_kinds]
        likely = legal or [o for o in likely if self._count(o) == self._count(likely[0])]
        # With a colon it names a location and cards; without one it does so less plainly.
        is_divided = any(word.typed == ":" for word in self.words)
        plain = [o for o in likely if is_divided == bool(o.location and o.cards)]
        if len({*(plain or likely)}) == 1:
            order = (plain or likely)[0]
            if type(order) in refusals:
                raise refusals[type(order)]
            return order
        if likely:
            raise UnreadableOrder(could_be(first_word(self.text), (o.words() for o in likely)))
        raise refusal or self._refusal(verbs, refusals)

    def _likelier(self, kind: type[Order] | None) -> set[type[Order]]:
        """Return the kinds of which the words speak more than of one."""
        return {
            other
            for other in self._spoken
            if self._spoken[other] > (self._spoken[kind] if kind else 0)
        }

    def of_others(
        self, but: type[Order] | None
    ) -> tuple[list[Order], dict[type[Order], UnreadableOrder]]:
        """Return the orders of other kinds, likeliest first, and why others are none."""
        spoken = {k: self.words for k, count in self._spoken.most_common() if count >= _LEAST}
        orders: list[Order] = []
        refusals: dict[type[Order], UnreadableOrder] = {}
        for said in (*map(self._behind, self._verbs()), spoken):
            more, further = self._tried({k: words for k, words in said.items() if k is not but})
            orders, refusals = [*orders, *more], {**further, **refusals}
            if any(_is_legal(order, self.worlds) for order in orders):
                break
        if but:
            # `take` alone is not to take the reserve back.
            likely = self._likelier(but)
            orders = [o for o in orders if o.location or o.cards or type(o) in likely]
        return orders, refusals

    def _behind(self, head: tuple[int, list[Verb]]) -> dict[type[Order], list[Word]]:
        return {verb.kind: self.words[head[0] + verb.used :] for verb in head[1]}

    def _tried(
        self, said: Mapping[type[Order], list[Word]]
    ) -> tuple[list[Order], dict[type[Order], UnreadableOrder]]:
        orders: list[Order] = []
        refusals: dict[type[Order], UnreadableOrder] = {}
        for kind, words in said.items():
            try:
                orders.append(_Kind(self, kind).order(words))
            except UnreadableOrder as error:
                orders += [error.order] if isinstance(error, _SeveralLegal) else []
                refusals[kind] = error
        return orders, refusals

    def likely_names(self, run: Sequence[Word]) -> set[str]:
        """Return the ids of all names in which each of the words may be found."""
        for word in run:
            if word.plain not in self._likely_names:
                self._likely_names[word.plain] = {
                    id
                    for id, name in (self.theirs | self.places | self.cards).items()
                    if may_be_in(word.plain, spellings(self.language, id, name))
                }
        return set.intersection(*(self._likely_names[word.plain] for word in run))

    def _count(self, order: Order) -> int:
        return self._spoken[type(order)]

    def _verbs(self) -> list[tuple[int, list[Verb]]]:
        """Return where the verb may stand, at once or behind small words, and what it may be."""
        first = next((n for n, word in enumerate(self.words) if not word.is_small), 0)
        found = []
        for at in dict.fromkeys((0, first)):
            head = takewhile(lambda word: word.typed not in _SIGNS, self.words[at:])
            if verbs := verbs_of(self.language, [word.plain for word in head]):
                found.append((at, verbs))
        return found or [(0, [])]

    def _refusal(
        self, verbs: Sequence[Verb], refusals: Mapping[type[Order], UnreadableOrder]
    ) -> UnreadableOrder:
        """Return what is wrong with a text that is an order of none of the kinds that it may be."""
        word, most = first_word(self.text), max(self._spoken.values(), default=0)
        if kinds := [verb.kind for verb in verbs]:
            several = UnreadableOrder(could_be(word, (kind.words() for kind in kinds)))
            return refusals[kinds[0]] if len(kinds) == 1 else several
        kinds = [kind for kind in refusals if self._spoken[kind] == most]
        if len(kinds) == 1 and (most != _WEIGHT or self._names_verb(kinds[0])):
            return refusals[kinds[0]]
        if most:
            return no_order(word, [kinds[0].words()] if len(kinds) == 1 else [])
        return unknown_verb(self.language, self.text)

    def _names_verb(self, kind: type[Order]) -> bool:
        ways = ways_to_say(self.language, kind)
        return any(word.plain in ways for word in self.words)


class _Kind:
    """A text to be read as an order of one kind."""

    def __init__(self, reader: _Reader, kind: type[Order]) -> None:
        self.reader, self.kind = reader, kind
        self.language, self.worlds, self.verb = reader.language, reader.worlds, kind.words()
        self.everything = reader.cards
        near = cards_for(reader.worlds[0], reader.side, kind, reader.catalogue.locations)
        self.likely = {card: self.everything[card] for card in near}
        bare = ((card, name.partition(" (")[0]) for card, name in self.likely.items())
        # `Regular Infantry` is the one in hand that is printed `Regular Infantry (initial)`.
        self.shelves = (
            self.likely,
            {c: n for c, n in bare if n != self.likely[c]},
            self.everything,
        )
        self.places = reader.places if kind.has_location else {}
        self._stuck: tuple[int, bool] = (-1, False)
        self._dead: set[int] = set()
        self.verb_typed: set[str] = set()

    def order(self, words: Sequence[Word], *, verb: Sequence[Word] = ()) -> Order:
        """Return the order of this kind that the words are; raises UnreadableOrder.

        What is missing is added where that can be done in one legal way. Where no `verb` before
        them told the kind, they are an illegal order only with every name in full.
        """
        has_verb, self.verb_typed = bool(verb), {word.plain for word in verb}
        illegal: list[Order] = []
        refusals: list[UnreadableOrder] = []
        begun: list[tuple[Name | None, list[Name]]] = []
        no_roles: Sequence[Name] | None = None
        for row in islice(self._rows(words, 0), _MOST_ROWS):
            roles = [*self._roles(row, has_verb=has_verb)]
            no_roles = no_roles or (None if roles else row)
            for place, cards in roles:
                try:
                    order = self._meant(place, cards)
                except _SeveralLegal:
                    raise
                except UnreadableOrder as error:
                    refusals.append(error)
                    begun.append((place, cards))
                    continue
                if _is_legal(order, self.worlds):
                    return order
                begun.append((place, cards))
                if has_verb or all(map(self._is_full, filter(None, (place, *cards)))):
                    illegal.append(order)
        tried = [each for each in begun if has_verb or each[1]]
        if whole := self._completed(tried, adds=not illegal):
            return whole
        if illegal:
            return illegal[0]
        raise next(iter(refusals), None) or self._unknown(words, no_roles)

    # --- the names

    def _rows(
        self, words: Sequence[Word], at: int, *, is_first: bool = True
    ) -> Iterator[tuple[Name, ...]]:
        """Yield each way to take words from there on as names, likeliest first."""
        if at == len(words):
            yield ()
        elif at not in self._dead:
            rows = self._rows_from(words, at, is_first=is_first)
            first = next(rows, None)
            if first is None:
                self._dead.add(at)
            else:
                yield first
                yield from rows

    def _rows_from(
        self, words: Sequence[Word], at: int, *, is_first: bool
    ) -> Iterator[tuple[Name, ...]]:
        end, name, is_full = self._longest(words, at)
        is_last = at + 1 == len(words) or words[at + 1].typed in _SIGNS
        # What is short and stands before a sign is a name cut short, and no small word.
        is_cut_short = name and is_last and len(words[at].plain) <= _SHORT
        is_left_out = self._is_left_out(words[at]) and not is_cut_short
        if name and (end > at + 1 or is_full or not is_left_out):
            yield from self._with(name, words, end)
        if is_left_out and not (is_full and end > at + 1 and self.kind.most):
            yield from self._rows(words, at + 1, is_first=is_first)
            is_article = is_last or not self._is_left_out(words[at + 1])
            if name and end == at + 1 and not is_full and is_article and not words[at].is_between:
                yield from self._with(name, words, end)
        elif not name:
            self._stuck = max(self._stuck, (at, is_first))

    def _is_left_out(self, word: Word) -> bool:
        is_spoken = self.kind in kinds_meant(self.language, word.plain)
        # `pass pass` is no order.
        is_verb_again = word.plain in self.verb_typed
        return word.is_small or (is_spoken and not is_verb_again)

    def _with(self, name: Name, words: Sequence[Word], end: int) -> Iterator[tuple[Name, ...]]:
        is_counted = end < len(words) and words[end].plain[:1] == "*"
        times = int(words[end].plain[1]) if is_counted else 1
        for row in self._rows(words, end, is_first=False):
            yield (*[name] * times, *row)

    def _longest(self, words: Sequence[Word], at: int) -> tuple[int, Name | None, bool]:
        """Return where the name there ends, the name, and whether it is one in full."""
        further = islice(words[at + 1 :], _MOST_WORDS - 1)
        last = at + 1 + len([*takewhile(lambda word: word.typed not in _SIGNS, further)])
        for end in range(last, at, -1) if words[at].plain else ():
            run = words[at:end]
            name = self._name(run)
            is_one = not run[0].is_small and not run[-1].is_small
            if name is None and is_one and not any(word.is_between for word in run):
                name = self._name([word for word in run if not word.is_small])
            if name:
                return end, name, self._is_full(name)
        return at, None, False

    def _name(self, run: Sequence[Word]) -> Name | None:
        known = self.reader.likely_names(run)
        if not known:
            return None
        text = " ".join(word.typed for word in run)
        shelves = [
            {id: name for id, name in shelf.items() if id in known} for shelf in self.shelves
        ]
        cards = meanings(self.language, text, *shelves)
        if (
            cards
            and not self.likely.keys() & cards.keys()
            and not named(self.language, text, cards)
        ):
            # `milita` begins Military Leader, but who has a Militia in hand may have meant that.
            cards = {} if nearest_named(self.language, text, self.likely, VERY_ALIKE) else cards
        places = {id: name for id, name in self.places.items() if id in known}
        places = meanings(self.language, text, places)
        theirs = {id: name for id, name in self.reader.theirs.items() if id in known}
        is_name = cards or places or named(self.language, text, theirs)
        return Name(text, places, cards) if is_name else None

    def _is_full(self, name: Name) -> bool:
        known = {**name.places, **name.cards}
        return not known or is_named(self.language, name.typed, known)

    def _roles(
        self, row: Sequence[Name], *, has_verb: bool
    ) -> Iterator[tuple[Name | None, list[Name]]]:
        """Yield each way to take one of the names for the location: behind the verb, the first."""
        places = [at for at, name in enumerate(row) if name.places and self.places]
        for at in places[: 1 if has_verb else None]:
            cards = [*row[:at], *row[at + 1 :]]
            if all(card.cards for card in cards):
                yield row[at], cards
        if not places and all(name.cards for name in row):
            yield None, [*row]

    # --- the order

    def _meant(self, place: Name | None, cards: Sequence[Name]) -> Order:
        """Return the one order that names can mean; raises UnreadableOrder."""
        if self.kind.has_location and place is None:
            # Translators: PLACE and CARD stand for names that are to be typed.
            needs = Message("“{verb}” needs a location: {verb} PLACE: CARD, …", verb=self.verb)
            raise UnreadableOrder(needs)
        names = self._meanings(place, cards)
        likely = [likelier(self.language, text, ids) for text, ids in names]
        is_whole = self.kind.fewest <= len(cards) <= self.kind.most
        if not is_whole and prod(map(len, likely)) == 1:
            raise self._wrong_number(place, tuple(next(iter(ids)) for ids in likely))
        if not is_whole:
            raise UnreadableOrder(self.kind.takes(Message("“{word}”", word=self.verb)))
        is_few = prod(len(ids) for _, ids in names) <= _MOST_READINGS
        tried = product(*(ids for _, ids in names)) if is_few else ()
        orders = {ids: self.kind(*_parts(place, ids)) for ids in tried}
        legal = {ids: order for ids, order in orders.items() if _is_legal(order, self.worlds)}
        likelier_ones = {ids: legal[ids] for ids in product(*likely) if ids in legal}
        for found in (legal, likelier_ones):
            if len({*found.values()}) == 1:
                return next(iter(found.values()))
        for at, (text, ids) in enumerate(names):
            left = {each[at] for each in likelier_ones or legal} or {*likely[at]}
            if len(left) > 1:
                told = _some([name for id, name in ids.items() if id in left])
                asked = could_be(text, [told])
                for order in legal.values():
                    raise _SeveralLegal(asked, order)
                raise UnreadableOrder(asked)
        return self.kind(*_parts(place, tuple(next(iter(ids)) for ids in likely)))

    def _meanings(
        self, place: Name | None, cards: Sequence[Name]
    ) -> list[tuple[str, Mapping[str, str]]]:
        of_place = [(place.typed, place.places)] if place else []
        return [*of_place, *((card.typed, card.cards) for card in cards)]

    def _wrong_number(self, place: Name | None, ids: tuple[str, ...]) -> WrongNumber:
        location, cards = _parts(place, ids)
        if place is None or location is None:
            told = self.kind.takes(Message("“{word}”", word=self.verb))
        else:
            sentence = self.kind.takes(self.verb)
            told = Message("{place}: {sentence}", place=place.places[location], sentence=sentence)
        return WrongNumber(told, self.kind, location, cards)

    def _completed(
        self, begun: Sequence[tuple[Name | None, list[Name]]], *, adds: bool
    ) -> Order | None:
        """Return the only legal order of names in any sequence, or of more, if it `adds` them."""
        if not begun:
            return None
        choices, found = Choices(self.worlds), set[Order]()
        for place, cards in begun:
            names = (ids for _, ids in self._meanings(place, cards))
            for each in islice(product(*names), _MOST_ROWS):
                parts = Parts(self.kind, *_parts(place, each))
                orders = [*choices.whole(parts)] or (choices.having(parts, 1) if adds else [])
                if orders is None:
                    return None
                found.update(orders)
        return found.pop() if len(found) == 1 else None

    # --- what is wrong

    def _unknown(self, words: Sequence[Word], row: Sequence[Name] | None) -> UnreadableOrder:
        """Return the error that a name is none, with the nearest names."""
        if row is not None:
            names = [name for name in row if not name.cards]
            return self._no_card(next((n for n in names if not n.places), names[-1]).typed)
        at, is_first = self._stuck
        between = [number for number, word in enumerate(words) if word.is_between]
        begin = max((number + 1 for number in between if number < at), default=0)
        end = min((number for number in between if number > at), default=len(words))
        text = " ".join(word.typed for word in words[begin:end] if not self._is_left_out(word))
        if not self.kind.most and not self.kind.has_location:
            # `home suport`: there is nothing that could follow the verb.
            typed = " ".join(word.typed for word in self.reader.words)
            near = nearest(self.language, typed, ways_to_say(self.language, self.kind))
            return no_order(typed, [self.verb] if near else [])
        return self._no_location(text) if is_first and self.places else self._no_card(text)

    def _no_location(self, text: str) -> UnreadableOrder:
        said = text.split()
        beginnings = (" ".join(said[:count]) for count in range(len(said), 0, -1))
        near = (nearest_named(self.language, begun, self.places) for begun in beginnings)
        told = Message("There is no location “{name}”.", name=text)
        return UnreadableOrder(told + meant_by(next(filter(None, near), [])))

    def _no_card(self, text: str) -> UnreadableOrder:
        side, other = self.reader.side, self.reader.side.opponent
        told = Message("There is no card “{name}”.", name=text)
        is_theirs = len(meanings(self.language, text, self.reader.theirs)) == 1
        if is_theirs and not meanings(self.language, text, self.everything):
            told = Message(
                "There is no card “{name}” for the {side}: it is one of the {other}.",
                name=text,
                side=side.label,
                other=other.label,
            )
            return UnreadableOrder(told + _among(self.likely.values()))
        near = (nearest_named(self.language, text, n) for n in (self.likely, self.everything))
        hint = meant_by(next(filter(None, near), [])) or _among(self.likely.values())
        return UnreadableOrder(told + hint)


def _parts(place: Name | None, ids: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Return the location and the cards of an order."""
    return (ids[0], ids[1:]) if place else (None, ids)


def _some(names: Sequence[str]) -> Said:
    """Return names, or the first few of many."""
    if len(names) <= _MOST_NAMED + 1:
        return ", ".join(names)
    # Translators: there are always at least two others.
    return Message.counted(
        "{names} or {count} other",
        "{names} or {count} others",
        len(names) - _MOST_NAMED,
        names=", ".join(names[:_MOST_NAMED]),
    )


def _among(names: Iterable[str]) -> Message:
    """Return what there is to choose from, as a sentence."""
    listed = ", ".join(sorted({*names}, key=alphabetical))
    return " " + Message("You can choose from {names}.", names=listed) if listed else NOTHING


# --- the card that the French begin with


def start_cards(language: Language, state: State) -> list[str]:
    """Return the printed names of the cards that can be chosen."""
    name = state.ruleset.catalogue.name_of
    cards = (language.say(name(order.cards[0])) for order in legal_orders(state))
    return sorted(cards, key=alphabetical)


def start_card(language: Language, text: str, state: State) -> str:
    """Return the id of the card that is meant; raises WrongUse where it cannot be chosen."""
    try:
        order = read(language, f"start {text}", state)
        check(state, order)
    except (UnreadableOrder, IllegalOrder) as error:
        raise WrongUse(
            "“{text}” cannot be the start card. {reason}", text=text, reason=message_of(error)
        ) from None
    return order.cards[0]
