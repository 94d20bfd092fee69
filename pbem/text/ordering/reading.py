"""A parser of typed orders, also for the start card if the house rules give a choice.

A text is split into a verb, names, and words that are ignored. The engine decides between several
readings: the only legal one is meant. Words may come in any sequence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, takewhile
from math import prod
from typing import Any, NamedTuple
from unicodedata import normalize

from engine.actions.action import IllegalOrderError, cards_for
from engine.choices import Choices, Parts
from engine.game import check, is_legal, legal_orders
from engine.message import NOTHING, Message, Phrase, message_of, sort_key
from engine.order import Order, UnreadableOrderError
from engine.orders import ORDERS, CardCountError, Draft, Settle, Take, from_notation
from engine.state import State
from pbem.errors import UsageError
from pbem.text.language import Language
from pbem.text.naming import (
    CLOSE_MATCH,
    Verb,
    ambiguity_notice,
    find_exact,
    first_word,
    is_named,
    likely_names,
    location_names,
    may_be_in,
    meanings,
    nearest,
    nearest_names,
    no_order_error,
    normal,
    small_words,
    spellings,
    suggestions,
    unknown_verb_error,
    verb_kinds,
    verbs_of,
    ways_to_say,
)
from pbem.text.narration import without_parts

MAX_TEXT_LENGTH = 2000
"""The most characters of a typed order; no possible order is longer."""
_SIGNS = ",;:&+/"
_WORDS = re.compile(rf"[{_SIGNS}]|\*\d|[^\s{_SIGNS}_-]+")
_TIMES = re.compile(r"(?<=\S)\s+[x×х]\s*(\d)(?!\w)", re.IGNORECASE)
_SHORT_WORD = 3
"""The most letters of an ignored word that may also be a name cut short."""
_MAX_WORDS, _MAX_TYPED = 16, 200
"""The most words of a name, even if spelled letter by letter, and of an order."""
_MAX_ROWS, _MAX_READINGS = 64, 2000
"""The most readings that are searched for a legal one; if there are more, the error lists names."""
_MAX_NAMES = 5
_WEIGHT, _LEAST = 60, 15
"""The weight of a word that suggests one kind of order, and the least total to assume a kind."""


def read(language: Language, text: str, state: State, *others: State) -> Order:
    """Return the order that the awaited player means by a text.

    It may be in notation, in the player's language or in English. Case, accents, punctuation and
    small words do not matter, and words may be shortened. Names of cards in hand come before all
    others, and full names before shortened ones. Of several readings, the only legal one in `state`
    or one of the `others` is returned; parts left out are added if there is only one way to do so.

    Raises UnreadableOrderError, with the nearest names if nothing fits, or with the legal readings
    if several do.
    """
    if len(text) > MAX_TEXT_LENGTH:
        raise UnreadableOrderError(
            Message.counted(
                "An order has at most {count} character; this one has more.",
                "An order has at most {count} characters; this one has more.",
                MAX_TEXT_LENGTH,
            )
        )
    return _in_notation(text.strip(), state) or _Reader(language, text, (state, *others)).order()


def other_readings(language: Language, text: str, order: Order, *worlds: State) -> list[Order]:
    """Return legal orders of other kinds that a text can mean if `order` is illegal.

    `take Militia` takes no money, but it may mean to draft the card.
    """
    if _is_legal(order, worlds):
        return []
    reader = _Reader(language, text, worlds)
    return reader.legal(reader.of_others(type(order))[0])


def verb_alone(language: Language, text: str) -> type[Order] | None:
    """Return the kind of order of which a text is only the verb, if such orders need more parts.

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
    return kind if kind.has_location or kind.min_cards else None


def _in_notation(text: str, state: State) -> Order | None:
    """Return the order with exactly this notation, if all its names are in the game."""
    try:
        order = from_notation(text)
    except UnreadableOrderError:
        return None
    catalogue = state.ruleset.catalogue
    is_known = order.location is None or order.location in catalogue.locations
    own_cards = catalogue.cards[state.awaiting.side].keys()
    return order if is_known and own_cards >= {*order.cards} else None


def _is_legal(order: Order, worlds: Iterable[State]) -> bool:
    return any(is_legal(world, order) for world in worlds)


# --- words and names


class Word(NamedTuple):
    """A word or sign as typed, and in its normalized form.

    `is_small` is true if it may be ignored, `is_between` if it separates names.
    """

    typed: str
    plain: str
    is_small: bool
    is_between: bool


def words_in(language: Language, text: str) -> list[Word]:
    """Return the words and signs of a text; `Militia x2` is a word and a sign that counts it."""
    ignored = small_words(language)
    plain_signs = re.sub("[’ʼ‘´`]", "'", normalize("NFC", text))
    counted = _TIMES.sub(r" *\1", without_parts(language, plain_signs))
    typed: list[str] = []
    for word in _WORDS.findall(counted):
        short, _, rest = word.partition("'")
        is_elided = bool(rest) and normal(short) in ignored.small | ignored.joining
        typed.append(rest if is_elided else word)
    words: list[Word] = []
    is_counted = False
    for word in reversed([word for word in typed if normal(word) or word in _SIGNS]):
        plain = word if word[0] == "*" else normal(word)
        is_between = word in _SIGNS or plain in ignored.joining
        is_number = is_counted and (plain in ignored.number or plain.isdigit())
        is_small = is_between or plain in ignored.small or is_number or word[0] == "*"
        is_counted = plain in ignored.counted or (is_counted and is_small and not is_between)
        is_last = not words or words[0].typed in _SIGNS
        is_cut_short = is_last and word not in _SIGNS and len(plain) <= _SHORT_WORD
        words.insert(0, Word(word, plain, is_small, is_between and not is_cut_short))
    return words


class Name(NamedTuple):
    """A name as typed, and the places and cards that it may mean, by id.

    `is_full` is true if it gives one of them in full, or a card of the other side.
    """

    typed: str
    places: Mapping[str, str]
    cards: Mapping[str, str]
    is_full: bool


Meanings = tuple[str, Mapping[Any, str]]
"""A name as typed, and all that it may mean there, by id; None stands for no place."""


class _AmbiguousOrderError(UnreadableOrderError):
    """The error that several legal orders of one kind are meant, of which `order` is one."""

    def __init__(self, message: Message, order: Order) -> None:
        super().__init__(message)
        self.order = order


class _Reader:
    """A text to be read in one of several positions, the first of which is the current one."""

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
        self._spoken = Counter[type[Order] | None]()
        for word in self.words:
            kinds = verb_kinds(language, word.plain)
            # In the sequence of the kinds, so that alternatives are always told in the same.
            spoken = [kind for kind in ORDERS.values() if kind in kinds]
            self._spoken.update(dict.fromkeys(spoken, _WEIGHT // max(1, len(kinds))))

    def order(self) -> Order:
        """Return the order that is meant; raises UnreadableOrderError."""
        if not any(word.plain for word in self.words):
            raise UnreadableOrderError(
                "An order begins with what to do, such as {verb}, {other} or {another}.",
                verb=Settle.verb_label(),
                other=Draft.verb_label(),
                another=Take.verb_label(),
            )
        if len(self.words) > _MAX_TYPED:
            raise no_order_error(first_word(self.text), [])
        heads = self._verbs()
        at, verbs = next((head for head in heads if head[1] and head[1][0].is_whole), heads[0])
        kind: type[Order] | None = None
        order: Order | None = None
        refusal: UnreadableOrderError | None = None
        if verbs and (verbs[0].is_whole or len(verbs) == 1):
            kind = verbs[0].kind
            end = at + verbs[0].used
            try:
                order = _Kind(self, kind, self.words[end:], self.words[at:end]).order()
            except _AmbiguousOrderError:
                raise
            except UnreadableOrderError as error:
                refusal = error
        if order and (_is_legal(order, self.worlds) or not self._likelier(kind)):
            return order
        orders, refusals = self.of_others(kind)
        likely = self.legal(orders)
        if order and not likely:
            return order
        if not likely:
            orders = [o for o in orders if kind is None or type(o) in self._likelier(kind)]
            counts = [self._spoken[type(order)] for order in orders]
            likely = [o for o, count in zip(orders, counts, strict=True) if count == counts[0]]
        # With a colon it names a location and cards; without one it does so less plainly.
        is_divided = any(word.typed == ":" for word in self.words)
        plain = [o for o in likely if is_divided == bool(o.location and o.cards)] or likely
        if len({*plain}) == 1:
            if type(plain[0]) in refusals:
                raise refusals[type(plain[0])]
            return plain[0]
        if likely:
            labels = (kind.verb_label() for kind in likely)
            raise UnreadableOrderError(ambiguity_notice(first_word(self.text), labels))
        raise refusal or self._refusal(verbs, refusals)

    def legal(self, orders: Iterable[Order]) -> list[Order]:
        """Return the orders that are legal in one of the positions."""
        return [order for order in orders if _is_legal(order, self.worlds)]

    def _likelier(self, kind: type[Order] | None) -> set[type[Order] | None]:
        """Return the kinds that the words suggest more than `kind`."""
        return {other for other, count in self._spoken.items() if count > self._spoken[kind]}

    def of_others(
        self, but: type[Order] | None
    ) -> tuple[list[Order], dict[type[Order], UnreadableOrderError]]:
        """Return the orders of other kinds, likeliest first, and errors of kinds without one."""
        counted = self._spoken.most_common()
        spoken = [Verb(kind, 0, False) for kind, count in counted if kind and count >= _LEAST]
        orders: list[Order] = []
        refusals: dict[type[Order], UnreadableOrderError] = {}
        for at, verbs in (*self._verbs(), (0, spoken)):
            more, further = self._tried(at, [verb for verb in verbs if verb.kind is not but])
            orders, refusals = [*orders, *more], {**further, **refusals}
            if self.legal(orders):
                break
        if but:
            # `take` alone is not to take the reserve back.
            likely = self._likelier(but)
            orders = [o for o in orders if o.location or o.cards or type(o) in likely]
        return orders, refusals

    def _tried(
        self, index: int, verbs: Iterable[Verb]
    ) -> tuple[list[Order], dict[type[Order], UnreadableOrderError]]:
        """Return the orders with one of these verbs, and the errors of verbs without one."""
        orders: list[Order] = []
        refusals: dict[type[Order], UnreadableOrderError] = {}
        for verb in verbs:
            try:
                orders.append(_Kind(self, verb.kind, self.words[index + verb.used :]).order())
            except UnreadableOrderError as error:
                orders += [error.order] if isinstance(error, _AmbiguousOrderError) else []
                refusals[verb.kind] = error
        return orders, refusals

    def likely_names(self, run: Sequence[Word]) -> set[str]:
        """Return the ids of all names that may contain each of the words."""
        for word in run:
            if word.plain not in self._likely_names:
                self._likely_names[word.plain] = {
                    id
                    for id, name in (self.theirs | self.places | self.cards).items()
                    if may_be_in(word.plain, spellings(self.language, id, name))
                }
        return set.intersection(*(self._likely_names[word.plain] for word in run))

    def _verbs(self) -> list[tuple[int, list[Verb]]]:
        """Return the possible positions of the verb, and the verbs that it may be there.

        It stands at the beginning or behind small words.
        """
        first = next((n for n, word in enumerate(self.words) if not word.is_small), 0)
        heads = []
        for at in dict.fromkeys((0, first)):
            head = takewhile(lambda word: word.typed not in _SIGNS, self.words[at:])
            if verbs := verbs_of(self.language, [word.plain for word in head]):
                heads.append((at, verbs))
        return heads or [(0, [])]

    def _refusal(
        self, verbs: Sequence[Verb], refusals: Mapping[type[Order], UnreadableOrderError]
    ) -> UnreadableOrderError:
        """Return the error for a text that is no order of any kind that it may be."""
        word, most = first_word(self.text), max(self._spoken.values(), default=0)
        if kinds := [verb.kind for verb in verbs]:
            several = UnreadableOrderError(
                ambiguity_notice(word, (kind.verb_label() for kind in kinds))
            )
            return refusals[kinds[0]] if len(kinds) == 1 else several
        if not most:
            return unknown_verb_error(self.language, self.text)
        kinds = [kind for kind in refusals if self._spoken[kind] == most]
        if len(kinds) != 1:
            return no_order_error(word, [])
        ways, plain = ways_to_say(self.language)[kinds[0].verb], {word.plain for word in self.words}
        is_named = most != _WEIGHT or plain & {*ways}
        return refusals[kinds[0]] if is_named else no_order_error(word, [kinds[0].verb_label()])


class _Kind:
    """A reader of words as an order of one kind; `verb` holds the words of the verb, if any.

    Missing parts are added if there is only one legal way. Without a verb, an illegal order needs
    all names in full.
    """

    def __init__(
        self, reader: _Reader, kind: type[Order], words: Sequence[Word], verb: Sequence[Word] = ()
    ) -> None:
        self.reader, self.kind, self.words = reader, kind, words
        self.language, self.worlds, self.verb = reader.language, reader.worlds, kind.verb_label()
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
        self.verb_typed = {word.plain for word in verb}
        self.has_verb = bool(verb)

    def order(self) -> Order:
        """Return the order of this kind that the words mean; raises UnreadableOrderError."""
        illegal: list[Order] = []
        refusals: list[UnreadableOrderError] = []
        begun: list[list[Meanings]] = []
        no_roles: Sequence[Name] | None = None
        for row in islice(self._rows(0), _MAX_ROWS):
            roles = [*self._roles(row)]
            no_roles = no_roles or (None if roles else row)
            for names in roles:
                begun.append(names)
                try:
                    order = self._order_for(names)
                except _AmbiguousOrderError:
                    raise
                except UnreadableOrderError as error:
                    refusals.append(error)
                    continue
                if _is_legal(order, self.worlds):
                    return order
                if self.has_verb or all(name.is_full for name in row):
                    illegal.append(order)
        tried = [names for names in begun if self.has_verb or len(names) > 1]
        if whole := self._completed(tried, adds=not illegal):
            return whole
        if illegal:
            return illegal[0]
        raise next(iter(refusals), None) or self._unknown(no_roles)

    # --- the names

    def _rows(self, index: int, *, is_first: bool = True) -> Iterator[tuple[Name, ...]]:
        """Yield the ways to split the words from there on into names, likeliest first."""
        if index == len(self.words):
            yield ()
        elif index not in self._dead:
            rows = self._rows_from(index, is_first=is_first)
            first = next(rows, None)
            if first is None:
                self._dead.add(index)
            else:
                yield first
                yield from rows

    def _rows_from(self, index: int, *, is_first: bool) -> Iterator[tuple[Name, ...]]:
        words, word = self.words, self.words[index]
        end, name = self._longest(index)
        is_full = name is not None and name.is_full
        is_last = index + 1 == len(words) or words[index + 1].typed in _SIGNS
        # What is short and stands before a sign is a name cut short, and no small word.
        is_cut_short = name and is_last and len(word.plain) <= _SHORT_WORD
        is_left_out = self._is_left_out(word) and not is_cut_short
        if name and (end > index + 1 or is_full or not is_left_out):
            yield from self._with(name, end)
        if is_left_out and not (is_full and end > index + 1 and self.kind.max_cards):
            yield from self._rows(index + 1, is_first=is_first)
            is_article = is_last or not self._is_left_out(words[index + 1])
            if name and end == index + 1 and not is_full and is_article and not word.is_between:
                yield from self._with(name, end)
        elif not name:
            self._stuck = max(self._stuck, (index, is_first))

    def _is_left_out(self, word: Word) -> bool:
        is_spoken = self.kind in verb_kinds(self.language, word.plain)
        # `pass pass` is no order.
        is_verb_again = word.plain in self.verb_typed
        return word.is_small or (is_spoken and not is_verb_again)

    def _with(self, name: Name, end: int) -> Iterator[tuple[Name, ...]]:
        words = self.words
        is_counted = end < len(words) and words[end].plain[:1] == "*"
        times = int(words[end].plain[1]) if is_counted else 1
        for row in self._rows(end, is_first=False):
            yield (*[name] * times, *row)

    def _longest(self, index: int) -> tuple[int, Name | None]:
        """Return the end of the longest name there, and the name."""
        words = self.words
        further = islice(words[index + 1 :], _MAX_WORDS - 1)
        last = index + 1 + len([*takewhile(lambda word: word.typed not in _SIGNS, further)])
        for end in range(last, index, -1) if words[index].plain else ():
            run = words[index:end]
            name = self._name(run)
            is_one = not run[0].is_small and not run[-1].is_small
            if name is None and is_one and not any(word.is_between for word in run):
                name = self._name([word for word in run if not word.is_small])
            if name:
                return end, name
        return index, None

    def _name(self, run: Sequence[Word]) -> Name | None:
        likely = self.reader.likely_names(run)
        if not likely:
            return None
        text = " ".join(word.typed for word in run)
        shelves = [
            {id: name for id, name in shelf.items() if id in likely} for shelf in self.shelves
        ]
        cards = meanings(self.language, text, *shelves)
        if (
            cards
            and not self.likely.keys() & cards.keys()
            and not find_exact(self.language, text, cards)
        ):
            # `milita` begins Military Leader, but who has a Militia in hand may have meant that.
            cards = {} if nearest_names(self.language, text, self.likely, CLOSE_MATCH) else cards
        places = {id: name for id, name in self.places.items() if id in likely}
        places = meanings(self.language, text, places)
        theirs = {id: name for id, name in self.reader.theirs.items() if id in likely}
        if not cards and not places and not find_exact(self.language, text, theirs):
            return None
        either = {**places, **cards}
        return Name(text, places, cards, not either or is_named(self.language, text, either))

    def _roles(self, row: Sequence[Name]) -> Iterator[list[Meanings]]:
        """Yield the ways to choose a name for the location; behind the verb, the first one.

        The location comes first, also if there is none, and then the cards.
        """
        places = [at for at, name in enumerate(row) if name.places and self.places]
        for at in places[: 1 if self.has_verb else None] or ([] if places else [len(row)]):
            cards = [*row[:at], *row[at + 1 :]]
            if all(card.cards for card in cards):
                place = [(name.typed, name.places) for name in row[at : at + 1]]
                none: list[Meanings] = [("", {None: ""})]
                yield [*(place or none), *((card.typed, card.cards) for card in cards)]

    # --- the order

    def _order_for(self, names: Sequence[Meanings]) -> Order:
        """Return the one order that the names can mean; raises UnreadableOrderError."""
        if self.kind.has_location and None in names[0][1]:
            # Translators: PLACE and CARD stand for names that are to be typed.
            needs = Message("“{verb}” needs a location: {verb} PLACE: CARD, …", verb=self.verb)
            raise UnreadableOrderError(needs)
        likely = [likely_names(self.language, text, ids) if text else ids for text, ids in names]
        is_whole = self.kind.min_cards < len(names) <= self.kind.max_cards + 1
        location, *cards = (next(iter(ids)) for ids in likely)
        if not is_whole and prod(map(len, likely)) == 1:
            raise self._wrong_number(names[0][1], location, tuple(cards))
        if not is_whole:
            raise UnreadableOrderError(
                self.kind.card_count_text(Message("“{word}”", word=self.verb))
            )
        is_few = prod(len(ids) for _, ids in names) <= _MAX_READINGS
        tried = product(*(ids for _, ids in names)) if is_few else ()
        orders = {ids: self.kind(ids[0], ids[1:]) for ids in tried}
        legal = {ids: order for ids, order in orders.items() if _is_legal(order, self.worlds)}
        likelier_ones = {ids: legal[ids] for ids in product(*likely) if ids in legal}
        for some in (legal, likelier_ones):
            if len({*some.values()}) == 1:
                return next(iter(some.values()))
        for at, (text, ids) in enumerate(names):
            possible = {row[at] for row in likelier_ones or legal} or {*likely[at]}
            if len(possible) > 1:
                error = ambiguity_notice(text, [_some([ids[id] for id in ids if id in possible])])
                for order in legal.values():
                    raise _AmbiguousOrderError(error, order)
                raise UnreadableOrderError(error)
        return self.kind(location, tuple(cards))

    def _wrong_number(
        self, places: Mapping[Any, str], location: str | None, cards: tuple[str, ...]
    ) -> CardCountError:
        text = self.kind.card_count_text(Message("“{word}”", word=self.verb))
        if location is not None:
            sentence = self.kind.card_count_text(self.verb)
            text = Message("{place}: {sentence}", place=places[location], sentence=sentence)
        return CardCountError(text, self.kind, location, cards)

    def _completed(self, begun: Sequence[Sequence[Meanings]], *, adds: bool) -> Order | None:
        """Return the only legal order of names in any sequence, or of more if it `adds` some."""
        if not begun:
            return None
        choices, orders = Choices(self.worlds), set[Order]()
        for names in begun:
            for row in islice(product(*(ids for _, ids in names)), _MAX_ROWS):
                parts = Parts(self.kind, row[0], row[1:])
                more: list[Order] | None = [*choices.exact_orders(parts)]
                more = choices.orders_with(parts, 1) if adds and not more else more
                if more is None:
                    return None
                orders.update(more)
        return orders.pop() if len(orders) == 1 else None

    # --- what is wrong

    def _unknown(self, row: Sequence[Name] | None) -> UnreadableOrderError:
        """Return the error for an unknown name, with the nearest names."""
        if row is not None:
            names = [name for name in row if not name.cards]
            return self._no_card(next((n for n in names if not n.places), names[-1]).typed)
        words = self.words
        at, is_first = self._stuck
        between = [number for number, word in enumerate(words) if word.is_between]
        begin = max((number + 1 for number in between if number < at), default=0)
        end = min((number for number in between if number > at), default=len(words))
        text = " ".join(word.typed for word in words[begin:end] if not self._is_left_out(word))
        if not self.kind.max_cards and not self.kind.has_location:
            # `home suport`: there is nothing that could follow the verb.
            typed = " ".join(word.typed for word in self.reader.words)
            near = nearest(self.language, typed, ways_to_say(self.language)[self.kind.verb])
            return no_order_error(typed, [self.verb] if near else [])
        return self._no_location(text) if is_first and self.places else self._no_card(text)

    def _no_location(self, text: str) -> UnreadableOrderError:
        words = text.split()
        beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        near = (nearest_names(self.language, begun, self.places) for begun in beginnings)
        error = Message("There is no location “{name}”.", name=text)
        return UnreadableOrderError(error + suggestions(next(filter(None, near), [])))

    def _no_card(self, text: str) -> UnreadableOrderError:
        side, other = self.reader.side, self.reader.side.opponent
        error = Message("There is no card “{name}”.", name=text)
        is_theirs = len(meanings(self.language, text, self.reader.theirs)) == 1
        if is_theirs and not meanings(self.language, text, self.everything):
            error = Message(
                "There is no card “{name}” for the {side}: it is one of the {other}.",
                name=text,
                side=side.label,
                other=other.label,
            )
            return UnreadableOrderError(error + _among(self.likely.values()))
        near = (nearest_names(self.language, text, n) for n in (self.likely, self.everything))
        hint = suggestions(next(filter(None, near), [])) or _among(self.likely.values())
        return UnreadableOrderError(error + hint)


def _some(names: Sequence[str]) -> Phrase:
    """Return names, or the first few of many."""
    if len(names) <= _MAX_NAMES + 1:
        return ", ".join(names)
    # Translators: there are always at least two others.
    return Message.counted(
        "{names} or {count} other",
        "{names} or {count} others",
        len(names) - _MAX_NAMES,
        names=", ".join(names[:_MAX_NAMES]),
    )


def _among(names: Iterable[str]) -> Message:
    """Return the names to choose from, as a sentence."""
    choices = ", ".join(sorted({*names}, key=sort_key))
    return " " + Message("You can choose from {names}.", names=choices) if choices else NOTHING


# --- the card that the French begin with


def start_cards(language: Language, state: State) -> list[str]:
    """Return the printed names of the cards that the game can begin with."""
    name = state.ruleset.catalogue.name_of
    cards = (language.say(name(order.cards[0])) for order in legal_orders(state))
    return sorted(cards, key=sort_key)


def start_card(language: Language, text: str, state: State) -> str:
    """Return the id of the start card that a text names; raises UsageError if it is not allowed."""
    try:
        order = read(language, f"start {text}", state)
        check(state, order)
    except (UnreadableOrderError, IllegalOrderError) as error:
        raise UsageError(
            "“{text}” cannot be the start card. {reason}", text=text, reason=message_of(error)
        ) from None
    return order.cards[0]
