"""A parser of typed orders, and of the start card if the house rules give a choice.

A text is split into a verb, names, and words that are ignored. The engine decides between several
readings: if only one of them is legal, it is chosen. Words may come in any sequence.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, takewhile
from math import prod
from typing import Any, NamedTuple

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
    can_be_part_of,
    find_exact,
    find_names,
    find_verbs,
    first_word,
    is_named,
    likely_names,
    location_names,
    nearest,
    nearest_names,
    no_order_error,
    normalize,
    small_words,
    spellings,
    suggestions,
    unknown_verb_error,
    verb_forms,
    verb_kinds,
)
from pbem.text.narration import without_parts

MAX_TEXT_LENGTH = 2000
"""The maximum length of a typed order, in characters; no possible order is longer."""
_SIGNS = ",;:&+/"
_WORD_PATTERN = re.compile(rf"[{_SIGNS}]|\*\d|[^\s{_SIGNS}_-]+")
_MULTIPLIER = re.compile(r"(?<=\S)\s+[x×х]\s*(\d)(?!\w)", re.IGNORECASE)
_MAX_SHORT_WORD = 3
"""The maximum length of an ignored word that may also be an abbreviated name."""
_MAX_WORDS, _MAX_ORDER_WORDS = 16, 200
"""The maximum number of words in a name, even if spelled letter by letter, and in an order."""
_MAX_ROWS, _MAX_READINGS = 64, 2000
"""The most readings that are searched for a legal one; if there are more, the error lists names."""
_MAX_NAMES = 5
_WORD_WEIGHT, _MIN_WEIGHT = 60, 15
"""The weight of a word that suggests one kind of order, and the minimum total for a kind."""


def read(language: Language, text: str, state: State, *others: State) -> Order:
    """Return the order that the player to decide means by a text.

    It may be in notation, in the player's language or in English. Case, accents, punctuation and
    small words do not matter, and words may be shortened. Names of cards in hand come before all
    others, and full names before shortened ones. Of several readings, the only legal one in `state`
    or one of the `others` is returned; parts left out are added if there is only one way to do so.

    Raises UnreadableOrderError, with the nearest names if nothing fits, or with the legal readings
    if there are several.
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
    return reader.legal(reader.other_orders(type(order))[0])


def verb_alone(language: Language, text: str) -> type[Order] | None:
    """Return the kind of order if a text is only its verb and such orders need more parts.

    >>> english = Language("en")
    >>> [verb_alone(english, text) for text in ("Sett", "settle Albany", "pass")]
    [<class 'engine.orders.Settle'>, None, None]
    """
    words = normalize(text).split()
    verbs = find_verbs(language, words)
    is_clear = bool(verbs) and (len(verbs) == 1 or (verbs[0].is_whole and not verbs[1].is_whole))
    if not is_clear or verbs[0].word_count < len(words):
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

    `is_small` is true if it may be ignored, `is_break` if it separates names.
    """

    text: str
    plain: str
    is_small: bool
    is_break: bool


def split_words(language: Language, text: str) -> list[Word]:
    """Return the words and signs of a text; `Militia x2` is a word and the sign `*2`."""
    ignored = small_words(language)
    plain_signs = re.sub("[’ʼ‘´`]", "'", unicodedata.normalize("NFC", text))
    counted = _MULTIPLIER.sub(r" *\1", without_parts(language, plain_signs))
    typed: list[str] = []
    for word in _WORD_PATTERN.findall(counted):
        short, _, rest = word.partition("'")
        is_elided = bool(rest) and normalize(short) in ignored.ignored | ignored.separators
        typed.append(rest if is_elided else word)
    words: list[Word] = []
    is_counted = False
    for word in reversed([word for word in typed if normalize(word) or word in _SIGNS]):
        plain = word if word[0] == "*" else normalize(word)
        is_break = word in _SIGNS or plain in ignored.separators
        is_number = is_counted and (plain in ignored.number_words or plain.isdigit())
        is_small = is_break or plain in ignored.ignored or is_number or word[0] == "*"
        is_counted = plain in ignored.counted_words or (is_counted and is_small and not is_break)
        is_last = not words or words[0].text in _SIGNS
        is_cut_short = is_last and word not in _SIGNS and len(plain) <= _MAX_SHORT_WORD
        words.insert(0, Word(word, plain, is_small, is_break and not is_cut_short))
    return words


class TypedName(NamedTuple):
    """A name as typed, and the places and cards that it may mean, by id.

    `is_full` is true if it spells out one of them, or a card of the other side, in full.
    """

    text: str
    places: Mapping[str, str]
    cards: Mapping[str, str]
    is_full: bool


Meanings = tuple[str, Mapping[Any, str]]
"""A name as typed, and the names that it may mean, by id; the key None means no location."""


class _AmbiguousOrderError(UnreadableOrderError):
    """Raised if a text may mean several legal orders of a kind, for example `order`."""

    def __init__(self, message: Message, order: Order) -> None:
        super().__init__(message)
        self.order = order


class _Reader:
    """A reader of a text in one or more possible positions; the first is the current one."""

    def __init__(self, language: Language, text: str, worlds: tuple[State, ...]) -> None:
        self.language, self.text, self.worlds = language, text, worlds
        self.words = split_words(language, text)
        self.catalogue, self.side = worlds[0].ruleset.catalogue, worlds[0].awaiting.side
        cards = self.catalogue.cards[self.side].values()
        self.cards = {card.id: language.say(card.label) for card in cards}
        foreign_cards = self.catalogue.cards[self.side.opponent].values()
        self.foreign_cards = {card.id: language.say(card.label) for card in foreign_cards}
        self.places = location_names(language, self.catalogue)
        self._candidate_ids: dict[str, set[str]] = {}
        self._weights = self._weigh(set())

    def order(self) -> Order:
        """Return the order that the text means. Raises UnreadableOrderError."""
        if not any(word.plain for word in self.words):
            raise UnreadableOrderError(
                "An order begins with what to do, such as {verb}, {other} or {another}.",
                verb=Settle.verb_label(),
                other=Draft.verb_label(),
                another=Take.verb_label(),
            )
        if len(self.words) > _MAX_ORDER_WORDS:
            raise no_order_error(first_word(self.text), [])
        heads = self._verb_positions()
        index, verbs = next((head for head in heads if head[1] and head[1][0].is_whole), heads[0])
        kind: type[Order] | None = None
        order: Order | None = None
        refusal: UnreadableOrderError | None = None
        if verbs and (verbs[0].is_whole or len(verbs) == 1):
            kind = verbs[0].kind
            end = index + verbs[0].word_count
            try:
                order = _KindReader(self, kind, self.words[end:], self.words[index:end]).order()
            except _AmbiguousOrderError:
                raise
            except UnreadableOrderError as error:
                refusal = error
        if order:
            # `settle Albany: Governor` names a card, and nothing that could be governed.
            ids = filter(None, (order.location, *order.cards))
            names = " ".join(self.language.say(self.catalogue.name_of(id)) for id in ids)
            self._weights = self._weigh({*normalize(names).split()})
        if order and (_is_legal(order, self.worlds) or not self._likelier(kind)):
            return order
        orders, refusals = self.other_orders(kind)
        candidates = self.legal(orders)
        if order and not candidates:
            return order
        if not candidates:
            orders = [o for o in orders if kind is None or type(o) in self._likelier(kind)]
            counts = [self._weights[type(order)] for order in orders]
            candidates = [o for o, count in zip(orders, counts, strict=True) if count == counts[0]]
        # A colon suggests an order with a location and cards, and its absence other orders.
        is_divided = any(word.text == ":" for word in self.words)
        fitting = [o for o in candidates if is_divided == bool(o.location and o.cards)]
        matches = fitting or candidates
        if len({*matches}) == 1:
            if type(matches[0]) in refusals:
                raise refusals[type(matches[0])]
            return matches[0]
        if candidates:
            labels = (order.verb_label() for order in candidates)
            raise UnreadableOrderError(ambiguity_notice(first_word(self.text), labels))
        raise refusal or self._best_refusal(verbs, refusals)

    def _weigh(self, names: set[str]) -> Counter[type[Order] | None]:
        """Return how much the words, except those of `names`, suggest each kind of order."""
        weights = Counter[type[Order] | None]()
        for word in {word.plain: None for word in self.words if word.plain not in names}:
            kinds = verb_kinds(self.language, word)
            # In the sequence of ORDERS, so that alternatives are always listed in one sequence.
            spoken = [kind for kind in ORDERS.values() if kind in kinds]
            weights.update(dict.fromkeys(spoken, _WORD_WEIGHT // max(1, len(kinds))))
        return weights

    def legal(self, orders: Iterable[Order]) -> list[Order]:
        """Return the orders that are legal in one of the positions."""
        return [order for order in orders if _is_legal(order, self.worlds)]

    def _likelier(self, kind: type[Order] | None) -> set[type[Order] | None]:
        """Return the kinds that the words suggest more than `kind`."""
        return {other for other, count in self._weights.items() if count > self._weights[kind]}

    def other_orders(
        self, without: type[Order] | None
    ) -> tuple[list[Order], dict[type[Order], UnreadableOrderError]]:
        """Return the orders of other kinds, likeliest first, and errors by kind."""
        counted = self._weights.most_common()
        spoken = [Verb(kind, 0, False) for kind, count in counted if kind and count >= _MIN_WEIGHT]
        orders: list[Order] = []
        refusals: dict[type[Order], UnreadableOrderError] = {}
        for index, verbs in (*self._verb_positions(), (0, spoken)):
            others, errors = self._read_as(index, [v for v in verbs if v.kind is not without])
            orders, refusals = [*orders, *others], {**errors, **refusals}
            if self.legal(orders):
                break
        if without:
            # `take` alone does not mean to take the reserve back.
            likelier = self._likelier(without)
            orders = [o for o in orders if o.location or o.cards or type(o) in likelier]
        return orders, refusals

    def _read_as(
        self, index: int, verbs: Iterable[Verb]
    ) -> tuple[list[Order], dict[type[Order], UnreadableOrderError]]:
        """Return the orders with one of `verbs`, and the errors of the other verbs."""
        orders: list[Order] = []
        refusals: dict[type[Order], UnreadableOrderError] = {}
        for verb in verbs:
            try:
                words = self.words[index + verb.word_count :]
                orders.append(_KindReader(self, verb.kind, words).order())
            except UnreadableOrderError as error:
                orders += [error.order] if isinstance(error, _AmbiguousOrderError) else []
                refusals[verb.kind] = error
        return orders, refusals

    def candidate_ids(self, run: Sequence[Word]) -> set[str]:
        """Return the ids of all names that may contain each of the words."""
        for word in run:
            if word.plain not in self._candidate_ids:
                self._candidate_ids[word.plain] = {
                    id
                    for id, name in (self.foreign_cards | self.places | self.cards).items()
                    if can_be_part_of(word.plain, spellings(self.language, id, name))
                }
        return set.intersection(*(self._candidate_ids[word.plain] for word in run))

    def _verb_positions(self) -> list[tuple[int, list[Verb]]]:
        """Return the possible positions of the verb, with the verbs that it may be there.

        The verb is the first word, or the first one that is not ignored.
        """
        first = next((n for n, word in enumerate(self.words) if not word.is_small), 0)
        heads = []
        for index in dict.fromkeys((0, first)):
            head = takewhile(lambda word: word.text not in _SIGNS, self.words[index:])
            if verbs := find_verbs(self.language, [word.plain for word in head]):
                heads.append((index, verbs))
        return heads or [(0, [])]

    def _best_refusal(
        self, verbs: Sequence[Verb], refusals: Mapping[type[Order], UnreadableOrderError]
    ) -> UnreadableOrderError:
        """Return the error for a text that is not an order of any likely kind."""
        word, limit = first_word(self.text), max(self._weights.values(), default=0)
        if kinds := [verb.kind for verb in verbs]:
            several = UnreadableOrderError(ambiguity_notice(word, (k.verb_label() for k in kinds)))
            return refusals[kinds[0]] if len(kinds) == 1 else several
        if not limit:
            return unknown_verb_error(self.language, self.text)
        kinds = [kind for kind in refusals if self._weights[kind] == limit]
        if len(kinds) != 1:
            return no_order_error(word, [])
        ways, plain = verb_forms(self.language)[kinds[0].verb], {word.plain for word in self.words}
        is_named = limit != _WORD_WEIGHT or plain & {*ways}
        return refusals[kinds[0]] if is_named else no_order_error(word, [kinds[0].verb_label()])


class _KindReader:
    """A reader of words as an order of one kind; `verb` holds the words of the verb, if any.

    Missing parts are added if there is only one legal way. An order without a verb is only returned
    if it is legal, or if all its names are in full.
    """

    def __init__(
        self, reader: _Reader, kind: type[Order], words: Sequence[Word], verb: Sequence[Word] = ()
    ) -> None:
        self.reader, self.kind, self.words = reader, kind, words
        self.language, self.worlds, self.verb = reader.language, reader.worlds, kind.verb_label()
        self.own_cards = reader.cards
        near = cards_for(reader.worlds[0], reader.side, kind, reader.catalogue.locations)
        self.usable = {card: self.own_cards[card] for card in near}
        bare = ((card, name.partition(" (")[0]) for card, name in self.usable.items())
        # `Regular Infantry` may mean the card `Regular Infantry (initial)` in hand.
        self.tiers = (self.usable, {c: n for c, n in bare if n != self.usable[c]}, self.own_cards)
        self.places = reader.places if kind.has_location else {}
        self._failure_position: tuple[int, bool] = (-1, False)
        self._unreadable: set[int] = set()
        self.verb_words = {word.plain for word in verb}
        self.has_verb = bool(verb)

    def order(self) -> Order:
        """Return the order of this kind that the words mean. Raises UnreadableOrderError."""
        illegal: list[Order] = []
        refusals: list[UnreadableOrderError] = []
        row_meanings: list[list[Meanings]] = []
        no_roles: Sequence[TypedName] | None = None
        for row in islice(self._name_rows(0), _MAX_ROWS):
            roles = [*self._assign_roles(row)]
            no_roles = no_roles or (None if roles else row)
            for names in roles:
                row_meanings.append(names)
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
        attempts = [names for names in row_meanings if self.has_verb or len(names) > 1]
        if whole := self._complete(attempts, may_add=not illegal):
            return whole
        if illegal:
            return illegal[0]
        raise next(iter(refusals), None) or self._name_error(no_roles)

    # --- the names

    def _name_rows(self, index: int, *, is_first: bool = True) -> Iterator[tuple[TypedName, ...]]:
        """Yield the ways to split the words from `index` on into names, likeliest first."""
        if index == len(self.words):
            yield ()
        elif index not in self._unreadable:
            rows = self._name_rows_from(index, is_first=is_first)
            first = next(rows, None)
            if first is None:
                self._unreadable.add(index)
            else:
                yield first
                yield from rows

    def _name_rows_from(self, index: int, *, is_first: bool) -> Iterator[tuple[TypedName, ...]]:
        words, word = self.words, self.words[index]
        end, name = self._longest_name(index)
        is_full = name is not None and name.is_full
        is_last = index + 1 == len(words) or words[index + 1].text in _SIGNS
        # A short word before a sign is an abbreviated name, not an ignored word.
        is_cut_short = name and is_last and len(word.plain) <= _MAX_SHORT_WORD
        is_ignored = self._is_ignored(word) and not is_cut_short
        if name and (end > index + 1 or is_full or not is_ignored):
            yield from self._rows_with(name, end)
        if is_ignored and not (is_full and end > index + 1 and self.kind.max_cards):
            yield from self._name_rows(index + 1, is_first=is_first)
            is_article = is_last or not self._is_ignored(words[index + 1])
            if name and end == index + 1 and not is_full and is_article and not word.is_break:
                yield from self._rows_with(name, end)
        elif not name:
            self._failure_position = max(self._failure_position, (index, is_first))

    def _is_ignored(self, word: Word) -> bool:
        is_spoken = self.kind in verb_kinds(self.language, word.plain)
        # A repeated verb is not ignored: `pass pass` is not an order.
        is_verb_again = word.plain in self.verb_words
        return word.is_small or (is_spoken and not is_verb_again)

    def _rows_with(self, name: TypedName, end: int) -> Iterator[tuple[TypedName, ...]]:
        words = self.words
        is_counted = end < len(words) and words[end].plain[:1] == "*"
        copies = int(words[end].plain[1]) if is_counted else 1
        for row in self._name_rows(end, is_first=False):
            yield (*[name] * copies, *row)

    def _longest_name(self, index: int) -> tuple[int, TypedName | None]:
        """Return the end of the longest name that begins at `index`, and the name."""
        words = self.words
        next_words = islice(words[index + 1 :], _MAX_WORDS - 1)
        last = index + 1 + len([*takewhile(lambda word: word.text not in _SIGNS, next_words)])
        for end in range(last, index, -1) if words[index].plain else ():
            run = words[index:end]
            name = self._match_name(run)
            is_one = not run[0].is_small and not run[-1].is_small
            if name is None and is_one and not any(word.is_break for word in run):
                name = self._match_name([word for word in run if not word.is_small])
            if name:
                return end, name
        return index, None

    def _match_name(self, run: Sequence[Word]) -> TypedName | None:
        ids = self.reader.candidate_ids(run)
        if not ids:
            return None
        text = " ".join(word.text for word in run)
        tiers = [{id: name for id, name in tier.items() if id in ids} for tier in self.tiers]
        cards = find_names(self.language, text, *tiers)
        if (
            cards
            and not self.usable.keys() & cards.keys()
            and not find_exact(self.language, text, cards)
        ):
            # `milita` abbreviates Military Leader, but may be a misspelling of a Militia in hand.
            cards = {} if nearest_names(self.language, text, self.usable, CLOSE_MATCH) else cards
        places = {id: name for id, name in self.places.items() if id in ids}
        places = find_names(self.language, text, places)
        foreign_cards = {id: name for id, name in self.reader.foreign_cards.items() if id in ids}
        if not cards and not places and not find_exact(self.language, text, foreign_cards):
            return None
        either = {**places, **cards}
        return TypedName(text, places, cards, not either or is_named(self.language, text, either))

    def _assign_roles(self, row: Sequence[TypedName]) -> Iterator[list[Meanings]]:
        """Yield the ways to choose a name for the location, and the others for cards.

        After a verb, the first possible name is the location. The location is the first element,
        even if there is none.
        """
        places = [index for index, name in enumerate(row) if name.places and self.places]
        for index in places[: 1 if self.has_verb else None] or ([] if places else [len(row)]):
            cards = [*row[:index], *row[index + 1 :]]
            if all(card.cards for card in cards):
                place = [(name.text, name.places) for name in row[index : index + 1]]
                none: list[Meanings] = [("", {None: ""})]
                yield [*(place or none), *((card.text, card.cards) for card in cards)]

    # --- the order

    def _order_for(self, names: Sequence[Meanings]) -> Order:
        """Return the only order that the names can mean. Raises UnreadableOrderError."""
        if self.kind.has_location and None in names[0][1]:
            # Translators: PLACE and CARD are replaced by names when players type the order.
            needs = Message("“{verb}” needs a location: {verb} PLACE: CARD, …", verb=self.verb)
            raise UnreadableOrderError(needs)
        likely = [likely_names(self.language, text, ids) if text else ids for text, ids in names]
        is_whole = self.kind.min_cards < len(names) <= self.kind.max_cards + 1
        location, *cards = (next(iter(ids)) for ids in likely)
        if not is_whole and prod(map(len, likely)) == 1:
            raise self._count_error(names[0][1], location, tuple(cards))
        if not is_whole:
            word = Message("“{word}”", word=self.verb)
            raise UnreadableOrderError(self.kind.card_count_text(word))
        is_few = prod(len(ids) for _, ids in names) <= _MAX_READINGS
        attempts = product(*(ids for _, ids in names)) if is_few else ()
        orders = {ids: self.kind(ids[0], ids[1:]) for ids in attempts}
        legal = {ids: order for ids, order in orders.items() if _is_legal(order, self.worlds)}
        likelier_ones = {ids: legal[ids] for ids in product(*likely) if ids in legal}
        for readings in (legal, likelier_ones):
            if len({*readings.values()}) == 1:
                return next(iter(readings.values()))
        for index, (text, ids) in enumerate(names):
            possible = {row[index] for row in likelier_ones or legal} or {*likely[index]}
            if len(possible) > 1:
                options = [ids[id] for id in ids if id in possible]
                error = ambiguity_notice(text, [_shortened(options)])
                for order in legal.values():
                    raise _AmbiguousOrderError(error, order)
                raise UnreadableOrderError(error)
        return self.kind(location, tuple(cards))

    def _count_error(
        self, places: Mapping[Any, str], location: str | None, cards: tuple[str, ...]
    ) -> CardCountError:
        text = self.kind.card_count_text(Message("“{word}”", word=self.verb))
        if location is not None:
            sentence = self.kind.card_count_text(self.verb)
            text = Message("{place}: {sentence}", place=places[location], sentence=sentence)
        return CardCountError(text, self.kind, location, cards)

    def _complete(self, name_rows: Sequence[Sequence[Meanings]], *, may_add: bool) -> Order | None:
        """Return the only legal order with the names of one of `name_rows`, cards in any sequence.

        If `may_add` is true, it may have more parts. Returns None if there are several such orders.
        """
        if not name_rows:
            return None
        choices, orders = Choices(self.worlds), set[Order]()
        for names in name_rows:
            for row in islice(product(*(ids for _, ids in names)), _MAX_ROWS):
                parts = Parts(self.kind, row[0], row[1:])
                matches: list[Order] | None = [*choices.exact_orders(parts)]
                matches = choices.orders_with(parts, 1) if may_add and not matches else matches
                if matches is None:
                    return None
                orders.update(matches)
        return orders.pop() if len(orders) == 1 else None

    # --- errors

    def _name_error(self, row: Sequence[TypedName] | None) -> UnreadableOrderError:
        """Return the error for an unknown name, with the nearest names."""
        if row is not None:
            names = [name for name in row if not name.cards]
            return self._card_error(next((n for n in names if not n.places), names[-1]).text)
        words = self.words
        index, is_first = self._failure_position
        between = [number for number, word in enumerate(words) if word.is_break]
        begin = max((number + 1 for number in between if number < index), default=0)
        end = min((number for number in between if number > index), default=len(words))
        text = " ".join(word.text for word in words[begin:end] if not self._is_ignored(word))
        if not self.kind.max_cards and not self.kind.has_location:
            # `home suport`: no name can follow the verb, so the verb is mistyped.
            typed = " ".join(word.text for word in self.reader.words)
            near = nearest(self.language, typed, verb_forms(self.language)[self.kind.verb])
            return no_order_error(typed, [self.verb] if near else [])
        return self._location_error(text) if is_first and self.places else self._card_error(text)

    def _location_error(self, text: str) -> UnreadableOrderError:
        words = text.split()
        beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        near = (nearest_names(self.language, beginning, self.places) for beginning in beginnings)
        error = Message("There is no location “{name}”.", name=text)
        return UnreadableOrderError(error + suggestions(next(filter(None, near), [])))

    def _card_error(self, text: str) -> UnreadableOrderError:
        side, other = self.reader.side, self.reader.side.opponent
        error = Message("There is no card “{name}”.", name=text)
        is_theirs = len(find_names(self.language, text, self.reader.foreign_cards)) == 1
        if is_theirs and not find_names(self.language, text, self.own_cards):
            error = Message(
                "There is no card “{name}” for the {side}: it is one of the {other}.",
                name=text,
                side=side.label,
                other=other.label,
            )
            return UnreadableOrderError(error + _choices_text(self.usable.values()))
        near = (nearest_names(self.language, text, n) for n in (self.usable, self.own_cards))
        hint = suggestions(next(filter(None, near), [])) or _choices_text(self.usable.values())
        return UnreadableOrderError(error + hint)


def _shortened(names: Sequence[str]) -> Phrase:
    """Return names as a list, or the first few of many."""
    if len(names) <= _MAX_NAMES + 1:
        return ", ".join(names)
    # Translators: {count} is always at least 2.
    return Message.counted(
        "{names} or {count} other",
        "{names} or {count} others",
        len(names) - _MAX_NAMES,
        names=", ".join(names[:_MAX_NAMES]),
    )


def _choices_text(names: Iterable[str]) -> Message:
    """Return the names to choose from, as a sentence."""
    choices = ", ".join(sorted({*names}, key=sort_key))
    return " " + Message("You can choose from {names}.", names=choices) if choices else NOTHING


# --- the start card


def start_cards(language: Language, state: State) -> list[str]:
    """Return the printed names of the cards that the game can begin with."""
    name = state.ruleset.catalogue.name_of
    cards = (language.say(name(order.cards[0])) for order in legal_orders(state))
    return sorted(cards, key=sort_key)


def start_card(language: Language, text: str, state: State) -> str:
    """Return the id of the start card that a text names. Raises UsageError if it is not allowed."""
    try:
        order = read(language, f"start {text}", state)
        check(state, order)
    except (UnreadableOrderError, IllegalOrderError) as error:
        raise UsageError(
            "“{text}” cannot be the start card. {reason}", text=text, reason=message_of(error)
        ) from None
    return order.cards[0]
