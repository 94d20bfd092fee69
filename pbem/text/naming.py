"""Names and verbs as players type them: in any case, without accents, shortened or mistyped.

A thing can be named in the player's language, in all inflected forms, in English, or by its id. A
lexicon lists other forms of each verb (`verbs`), words that suggest one or more kinds of order
(`words`), and words that are ignored (`small`): see docs/languages.md. The module also finds cards
and locations by name, and describes everything printed on them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from engine.catalogue import Card, Catalogue, Location, symbol_name
from engine.message import (
    NOTHING,
    AlphabeticalList,
    Concat,
    Message,
    Phrase,
    and_list,
    comma_list,
    mark,
    or_list,
    sort_key,
    with_label,
)
from engine.order import Order, UnreadableOrderError
from engine.orders import ORDERS
from engine.sides import Side
from pbem.text.language import SOURCE, Language
from pbem.text.phrases import keys, money_amount, piece_key, row_text

# --- names


_RUSSIAN, _ASCII_LETTER = "[а-я]", "[a-z]"
ABBREVIATIONS = {"ft": "fort", "wm": "william", "saint": "st", "sainte": "st"}
"""Abbreviations that are not the beginning of the word."""
MAX_SUGGESTIONS = 3
MIN_SIMILARITY, CLOSE_MATCH = 0.66, 0.8
"""The minimum similarity of a mistyped name, and of a close match; 1 means equal."""


# Cached, because every typed word is compared with the same few hundred names.
@lru_cache(maxsize=2048)
def normalize(text: str) -> str:
    """Return a text in the form used for comparison: lower case, no accents, hyphens as spaces.

    All other signs are removed. A word that mixes Latin and Cyrillic letters is converted to the
    script that has all of them.

    >>> normalize("Fort Presqu'île"), normalize("fort-presquile")
    ('fort presquile', 'fort presquile')
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    base = (" " if c in "-_" else c for c in plain if c.isalnum() or c.isspace() or c in "-_")
    return " ".join(map(_unify_script, "".join(base).split()))


_LATIN, _CYRILLIC = "aceopxykmtbh", "асеорхукмтвн"
"""Letters of two scripts that look alike, at least as capitals, and are easily mixed up."""
_TO_CYRILLIC, _TO_LATIN = str.maketrans(_LATIN, _CYRILLIC), str.maketrans(_CYRILLIC, _LATIN)


def _unify_script(word: str) -> str:
    if word.isascii() or not re.search(_ASCII_LETTER, word) or not re.search(_RUSSIAN, word):
        return word
    cyrillic, latin = word.translate(_TO_CYRILLIC), word.translate(_TO_LATIN)
    if not re.search(_ASCII_LETTER, cyrillic):
        return cyrillic
    return word if re.search(_RUSSIAN, latin) else latin


Matcher = Callable[[str, str], bool]
"""A predicate: True if a normalized text means a normalized name."""


def is_abbreviation(short: str, name: str) -> bool:
    """Return True if each word of `short` begins a word of `name`, in order.

    >>> is_abbreviation("fort hen", "fort william henry"), is_abbreviation("hen fort", "fort henry")
    (True, False)
    """
    words = iter(name.split())
    parts = short.split()
    return bool(parts) and all(any(w.startswith(part) for w in words) for part in parts)


def _is_beginning(short: str, name: str) -> bool:
    """Return True if the words of `short` begin the first words of `name`, one after the other.

    >>> _is_beginning("native am", "native americans"), _is_beginning("am", "native americans")
    (True, False)
    """
    parts, words = short.split(), name.split()
    pairs = zip(parts, words, strict=False)
    return len(parts) <= len(words) and all(word.startswith(part) for part, word in pairs)


def is_run_together(short: str, name: str) -> bool:
    """Return True if `short` is `name` without spaces, its words possibly shortened.

    >>> [is_run_together(short, "fort duquesne") for short in ("fortduquesne", "fduq", "duq")]
    [True, True, False]
    """
    return _is_run_together("".join(short.split()), name.split())


def _is_run_together(text: str, words: list[str]) -> bool:
    if not text or not words:
        return not text
    first, *rest = words
    same = _common_length(text, first)
    return any(_is_run_together(text[count:], rest) for count in range(same, 0, -1))


def _common_length(text: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = zip(text, other, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _is_customary_abbreviation(short: str, name: str) -> bool:
    return is_abbreviation(" ".join(ABBREVIATIONS.get(word, word) for word in short.split()), name)


def is_inflection(short: str, name: str) -> bool:
    """Return True if each word of `short` is a word of `name`, in order, with any Russian ending.

    >>> is_inflection("квебеке", "квебек"), is_inflection("б", "бостон")
    (True, False)
    """
    words = iter(name.split())
    return all(any(_is_inflected_word(part, word) for word in words) for part in short.split())


def is_russian_inflection(short: str, name: str) -> bool:
    """Return True if `is_inflection` does and the text is Russian."""
    return bool(re.search(_RUSSIAN, short)) and is_inflection(short, name)


def _is_inflected_word(part: str, word: str) -> bool:
    stem = _common_length(part, word)
    return stem >= max(_STEM, len(word) - _ENDING) and len(part) <= stem + _ENDING


_STEM, _ENDING = 3, 3
"""The minimum number of letters of a stem, and the maximum of an ending."""


def _is_whole_form(short: str, name: str) -> bool:
    return len(short.split()) == len(name.split()) and is_inflection(short, name)


def can_be_part_of(word: str, names: Iterable[str]) -> bool:
    """Return True if a word, shortened or run together, can be part of one of `names`."""
    full = ABBREVIATIONS.get(word, word)
    return any(
        part.startswith((word, full)) or (word[:2] == part[:2] and _is_inflected_word(word, part))
        for name in names
        for part in name.split()
    ) or any(word[:1] == name[:1] and is_run_together(word, name) for name in names)


MATCHERS: tuple[Matcher, ...] = (is_abbreviation, _is_customary_abbreviation, is_run_together)
"""The matchers for names that are not spelled out in full, the strictest first."""


@lru_cache(maxsize=1024)
def spellings(language: Language, id: str, name: str) -> frozenset[str]:
    """Return all normalized texts by which the thing with this id and name can be called."""
    names = (id, name, *_variants(language, name))
    # `l'artillerie d'assedio` is also compared without its elided articles.
    return frozenset(normalize(text) for n in names for text in (n, re.sub("['’]", " ", n)))


def _variants(language: Language, name: str) -> Iterator[str]:
    """Yield the forms, translations and typed variants of a name in a language."""
    lexicon = language.lexicon
    yield from lexicon.get("typed", {}).get(name, ())
    forms, card = lexicon.get("forms", {}), lexicon.get("cards", {}).get(name)
    yield from forms.get(name, {}).values()
    if card:
        yield card
        yield from forms.get(card, {}).values()


def find_exact(language: Language, text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return the names, by id, that a text spells out in full."""
    plain = normalize(text)
    return {id: name for id, name in names.items() if plain in spellings(language, id, name)}


def is_named(language: Language, text: str, names: Mapping[str, str]) -> bool:
    """Return True if a text spells out one of `names` in full, in any Russian case."""
    is_russian = bool(re.search(_RUSSIAN, normalize(text)))
    return bool(
        find_exact(language, text, names)
        or (is_russian and find_matches(language, text, names, _is_whole_form))
    )


def find_matches(
    language: Language, text: str, names: Mapping[str, str], matches: Matcher
) -> dict[str, str]:
    """Return the names, by id, that fit a text according to the predicate `matches`."""
    plain = normalize(text)
    return {
        id: name
        for id, name in names.items()
        if any(matches(plain, spelling) for spelling in spellings(language, id, name))
    }


def find_names(language: Language, text: str, *tiers: Mapping[str, str]) -> dict[str, str]:
    """Return all names, by id, that a text may mean.

    `tiers` are mappings of names by id. A full name in any tier takes precedence over shortened
    names; among these, the first tier with a match is used.
    """
    for shelf in tiers:
        if hits := find_exact(language, text, shelf):
            return hits
    is_russian = re.search(_RUSSIAN, normalize(text))
    matchers = (*MATCHERS, _is_whole_form, is_inflection) if is_russian else MATCHERS
    for shelf in tiers:
        for matches in matchers:
            if hits := find_matches(language, text, shelf, matches):
                return hits
    return {}


def likely_names(language: Language, text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return the names, by id, that begin with a text; all names if none does.

    >>> names = {"a": "Neutral Native Americans", "b": "Native Americans"}
    >>> likely_names(Language("en"), "native am", names)
    {'b': 'Native Americans'}
    """
    return find_matches(language, text, names, _is_beginning) or dict(names)


def nearest(language: Language, text: str, names: Iterable[str]) -> list[str]:
    """Return up to three names that a mistyped text may mean, likeliest first.

    >>> nearest(Language("en"), "Bsoton", ["Albany", "Boston"])
    ['Boston']
    >>> nearest(Language("en"), "regulars", ["Militia", "Regular Infantry"])
    ['Regular Infantry']
    """
    return nearest_names(language, text, {name: name for name in names})


def nearest_names(
    language: Language, text: str, names: Mapping[str, str], minimum: float = MIN_SIMILARITY
) -> list[str]:
    """Return up to three of `names`, which are mapped by id, that a mistyped text may mean.

    The likeliest comes first. The text is compared with all spellings of a name. A similarity of 1
    means that they are equal.
    """
    word = "".join(normalize(text).split())
    likely = {
        name: _similarity(word, spellings(language, id, name), minimum)
        for id, name in names.items()
    }
    close = sorted((name for name in likely if likely[name] >= minimum), key=lambda n: -likely[n])
    # Names much less similar than the best one are left out.
    return [name for name in close if likely[name] > likely[close[0]] - 0.15][:MAX_SUGGESTIONS]


def _similarity(word: str, names: Iterable[str], minimum: float) -> float:
    """Return the similarity of a text to a name, a word of one or its beginning, from 0 to 1.

    Results below `minimum` count as 0.
    """
    # Imported lazily: only mistyped names need it.
    from difflib import SequenceMatcher

    forms: set[str] = set()
    for name in names:
        words = name.split()
        whole = "".join(words)
        forms |= {whole, whole[: len(word) + 1], *(w for w in words if len(w) > 2)}
    # Lengths, and then unordered letters, exclude most names at little cost.
    as_long = (f for f in forms if 2 * min(len(f), len(word)) >= minimum * len(f + word))
    compared = (SequenceMatcher(None, word, form) for form in as_long)
    return max((match.ratio() for match in compared if match.quick_ratio() >= minimum), default=0)


def suggestions(names: Sequence[Phrase]) -> Message:
    """Return the question whether one of `names` was meant; empty without names."""
    text = " " + Message("Did you mean {names}?", names=or_list(names))
    return text if names else NOTHING


# --- verbs


class Verb(NamedTuple):
    """A verb that a text may begin with, and its kind of order.

    `word_count` is the number of words that were typed for it; `is_whole` is true if all its words
    are written out.
    """

    kind: type[Order]
    word_count: int
    is_whole: bool


def find_verbs(language: Language, words: Sequence[str]) -> list[Verb]:
    """Return the verbs with which normalized words begin, in the language or in English.

    A verb that is written out comes first, then longer verbs that begin with it: `give`, then
    `give from reserve`. If none is written out, all verbs that fit the abbreviation are
    returned.

    >>> [verb.kind.verb for verb in find_verbs(Language("en"), ["re", "militia"])]
    ['reinforce', 'reserve', 'retrieve', 'relieve', 'refill']
    """
    if not words:
        return []
    forms = [(kind, form) for verb, kind in ORDERS.items() for form in verb_forms(language)[verb]]
    matches = [_verb_match(kind, form, words, str.startswith) for kind, form in forms]
    max_words = max((verb.word_count for verb in matches if verb.is_whole), default=0)
    whole = [verb for verb in matches if verb.is_whole and verb.word_count == max_words]
    if verbs := _longest([*whole, *(verb for verb in matches if verb.word_count > max_words)]):
        return verbs
    if verbs := _longest(Verb(k, 1, False) for k, form in forms if is_run_together(words[0], form)):
        return verbs
    inflected = (
        _verb_match(*form, words, lambda form, word: is_russian_inflection(word, form))
        for form in forms
    )
    return _longest(verb for verb in inflected if verb.word_count)


def has_verb(language: Language, text: str) -> bool:
    """Return True if a text begins like an order.

    >>> english = Language("en")
    >>> [has_verb(english, text) for text in ("pass", "Sett", "Bela")]
    [True, True, False]
    """
    return bool(find_verbs(language, normalize(text).split()))


# Cached, because every typed order is compared with all verb forms.
@cache
def verb_forms(language: Language) -> dict[str, list[str]]:
    """Return all normalized forms of each verb, the displayed one first."""
    variants = language.lexicon.get("verbs", {})
    verb_table = {}
    for verb, kind in ORDERS.items():
        forms = (language.say(kind.verb_label()), *variants.get(verb, ()), kind.english_verb())
        verb_table[verb] = [*dict.fromkeys(map(normalize, forms))]
    return verb_table


def _verb_match(
    kind: type[Order], form: str, words: Sequence[str], fits: Callable[[str, str], bool]
) -> Verb:
    """Return the verb with the number of its words that the typed words match."""
    parts, word_count = form.split(), 0
    for part, word in zip(parts, words, strict=False):
        if not fits(part, word):
            break
        word_count += 1
    return Verb(kind, word_count, [*words[: len(parts)]] == parts)


def _longest(verbs: Iterable[Verb]) -> list[Verb]:
    """Return the verb with the most words for each kind of order."""
    longest: dict[type[Order], Verb] = {}
    for verb in verbs:
        if verb.kind not in longest or verb.word_count > longest[verb.kind].word_count:
            longest[verb.kind] = verb
    return [*longest.values()]


# --- the words of the tables


class SmallWords(NamedTuple):
    """The words that are ignored in an order, in a language and in English.

    Words in `separators` separate names. Words in `number_words` are ignored only before a word in
    `counted_words`.
    """

    ignored: frozenset[str]
    separators: frozenset[str]
    number_words: frozenset[str]
    counted_words: frozenset[str]


@cache
def small_words(language: Language) -> SmallWords:
    """Return the ignored words of a language."""
    lexicons = (language.lexicon, Language(SOURCE).lexicon)
    tables = [lexicon.get("small", {}) for lexicon in lexicons]
    kinds = ("left-out", "joining", "number", "counted")
    words = (" ".join(table.get(key, "") for table in tables).split() for key in kinds)
    return SmallWords(*(frozenset(map(normalize, group)) for group in words))


@cache
def verb_kinds(language: Language, word: str) -> frozenset[type[Order]]:
    """Return the kinds of order that a normalized word suggests, in any Russian inflection.

    >>> sorted(kind.verb for kind in verb_kinds(Language("en"), "attack"))
    ['besiege', 'raid']
    """
    local, english = _kinds_by_word(language), _kinds_by_word(Language(SOURCE))
    kinds = local.get(word, frozenset()) | english.get(word, frozenset())
    if language.is_english or len(word) < _MIN_LETTERS:
        return kinds
    return kinds.union(*(local[other] for other in local if is_inflection(word, other)))


@cache
def _kinds_by_word(language: Language) -> dict[str, frozenset[type[Order]]]:
    """Return the kinds of order by each word of a language that suggests them."""
    kinds_by_word: defaultdict[str, set[type[Order]]] = defaultdict(set)
    for words, verbs in language.lexicon.get("words", {}).items():
        for word in words.split():
            kinds_by_word[normalize(word)].update(ORDERS[verb] for verb in verbs.split())
    small = small_words(language)
    for kind in ORDERS.values():
        for word in {word for form in verb_forms(language)[kind.verb] for word in form.split()}:
            if word not in small.ignored | small.separators:
                kinds_by_word[word].add(kind)
    return {word: frozenset(kinds) for word, kinds in kinds_by_word.items()}


# --- errors


def no_order_error(word: str, names: Sequence[Phrase]) -> UnreadableOrderError:
    """Return the error for a word that is not an order, with suggestions."""
    refusal = Message("There is no order “{word}”.", word=word)
    return UnreadableOrderError(refusal + suggestions(names))


def unknown_verb_error(language: Language, text: str) -> UnreadableOrderError:
    """Return the error for a text that begins with no verb, with similar verbs."""
    word = first_word(text)
    forms = {form: kind for verb, kind in ORDERS.items() for form in verb_forms(language)[verb]}
    if len(word) < _MIN_LETTERS:
        return no_order_error(word, [])
    # `takeboston` lacks a space, but `trader` and `settlers` are mistyped.
    glued = [f for f in forms if word.startswith(f) and len(word) >= len(f) + _MIN_LETTERS]
    if glued:
        split = [Concat((forms[form].verb_label(), word[len(form) :]), " ") for form in glued]
        return no_order_error(word, split)
    # Different verbs have similar endings, but not similar beginnings.
    alike = {form: form for form in forms if form.startswith((word[0], word[1::-1]))}
    minimum = MIN_SIMILARITY if len(word) == _MIN_LETTERS else _VERB_SIMILARITY
    similar = nearest_names(language, word, alike, minimum)
    return no_order_error(word, [*dict.fromkeys(forms[form].verb_label() for form in similar)])


_MIN_LETTERS = 3
"""The minimum length of a mistyped word, and of a word run together with a verb."""
_VERB_SIMILARITY = 0.74
"""The minimum similarity of a mistyped verb: one wrong letter in four."""


def first_word(text: str) -> str:
    """Return the first word of a text in lower case, without signs."""
    words = ("".join(c for c in word if c.isalnum()) for word in re.split(r"[\s_-]+", text))
    return next(filter(None, words), "").casefold()


def ambiguity_notice(text: str, names: Iterable[Phrase]) -> Message:
    """Return a sentence with the names that a text could mean."""
    return Message("“{word}” could be {names}.", word=text, names=or_list([*names]))


# --- cards and locations


class OwnedCard(NamedTuple):
    """A card with the sides that can own it; both for a neutral one."""

    card: Card
    sides: tuple[Side, ...]


def names_text(ids: Iterable[str], catalogue: Catalogue) -> Message:
    """Return the names of cards or locations in alphabetical order."""
    return AlphabeticalList(map(catalogue.name_of, ids), ", ")


# --- cards


def card_kind(owned: OwnedCard) -> Message:
    """Return the owner and kind of a card as a phrase: `British location card`."""
    key = [owned.card.side or "neutral", *(["location"] if owned.card.location else [])]
    return row_text("card-kinds", "-".join(key))


def card_facts(card: Card, catalogue: Catalogue) -> list[Message]:
    """Return everything printed on a card, and its number of copies.

    Things that the card does not have are left out.
    """
    return [*_uses(card, catalogue), *_abilities(card), *_copies(card)]


def _uses(card: Card, catalogue: Catalogue) -> Iterator[Message]:
    if card.symbols:
        yield with_label(Message("symbols"), comma_list(map(symbol_name, sorted(card.symbols))))
    for transport, places in card.reaches.items():
        yield with_label(row_text("transports", transport), names_text(places, catalogue))
    if card.money:
        yield with_label(Message.within("label", "money"), str(card.money))
    if card.military:
        yield with_label(Message("strength in a siege"), str(card.military))
    if card.military_defending:
        label = Message("strength in a siege, for the defender")
        yield with_label(label, str(card.military_defending))
    if card.siege_cost:
        costs = Message.counted("costs {count} money", "costs {count} money", card.siege_cost)
        yield with_label(Message("each time it is played to a siege"), costs)


def _abilities(card: Card) -> Iterator[Message]:
    if card.action:
        action = row_text("card-actions", card.action)
        if card.play_cost:
            price = money_amount(card.play_cost)
            action = Message("{action}, for {price}", action=action, price=price)
        yield with_label(Message("action of its own"), action)
    if card.free_action:
        joining = Message("yes, when it joins a siege under way")
        yield with_label(Message("costs no action"), _yes_text(True) if card.action else joining)
    for label, can, cost in (
        (mark("raids"), card.raid, card.raid_cost),
        (mark("adds reach to a raid"), card.extends_raid, 0),
        (mark("ambushes"), card.ambush, card.ambush_cost),
        (mark("blocks raids"), card.blocks_raid, 0),
        (mark("blocks ambushes"), card.blocks_ambush, 0),
        (mark("can be lost to an ambush"), card.ambushable, 0),
        (mark("can be converted"), card.convertible, 0),
    ):
        if can:
            price = Message("yes, for {price}", price=money_amount(cost))
            yield with_label(Message(label), price if cost else _yes_text(True))


def _copies(card: Card) -> Iterator[Message]:
    if card.location is None:
        price = money_amount(card.cost) if card.cost else Message("nothing")
        yield with_label(Message.within("label", "price"), price)
        yield with_label(Message.within("label", "copies"), str(card.count))
        if card.initial_copies:
            yield with_label(Message("in the initial deck"), str(card.initial_copies))
    elif card.initial_copies:
        yield with_label(Message("in the initial deck"), _yes_text(True))
    else:
        yield with_label(Message("in the initial deck"), Message("no, gained by settling"))


# --- locations


def location_facts(place: Location, catalogue: Catalogue) -> list[Message]:
    """Return everything printed about a location, and the cards that lead there."""
    facts = [
        with_label(Message("victory points"), _points_text(place.victory_points)),
        with_label(Message("defence in a siege"), _strength_text(place.defence)),
        with_label(Message("settling it takes a settler card"), _yes_text(place.settler)),
        with_label(Message("ships count in a siege of it"), _yes_text(place.ships_in_siege)),
        with_label(Message("at the start"), _start_text(place)),
    ]
    for kind in keys("connections"):
        others = neighbours(place.id, kind, catalogue)
        if kind == "sea" and place.sea:
            by_sea = Message("yes, next to all other locations on it")
            facts.append(with_label(Message("on the sea"), by_sea))
        elif others:
            facts.append(with_label(row_text("connections", kind), names_text(others, catalogue)))
    if by_bateaux := catalogue.bateaux_on_cards(place.id):
        label = Message("by bateaux on cards only, not for supply or raids")
        facts.append(with_label(label, names_text(by_bateaux, catalogue)))
    for side in Side:
        label = Message("{side} cards that lead here", side=side.label)
        facts.append(with_label(label, _cards_to(place, side, catalogue)))
    cards = [side for side in Side if place.id in catalogue.cards[side]]
    owners = and_list(Message.within("owner", "the {side}", side=side.label) for side in cards)
    return [*facts, with_label(Message("has a card for"), owners)]


def neighbours(place: str, kind: str, catalogue: Catalogue) -> set[str]:
    """Return the locations connected to one by a kind of connection other than sea."""
    joined = (ends for other, *ends in catalogue.connections if other == kind)
    return {end for ends in joined if place in ends for end in ends if end != place}


def _yes_text(fact: bool) -> Message:
    # Translators: used after a label, for example “on the sea: yes”.
    return Message.within("fact", "yes") if fact else Message.within("fact", "no")


def _points_text(points: int) -> Message:
    if not points:
        return Message.within("points", "none")
    return Message("{points}, as a town {doubled}", points=points, doubled=2 * points)


def _strength_text(bonus: int) -> Phrase:
    """Return the strength of a location itself: 1 plus its `bonus`."""
    if not bonus:
        return "1"
    return Message("{strength}, including {own} of its own", strength=1 + bonus, own=bonus)


def _start_text(place: Location) -> Message:
    if place.start_owner is None:
        return Message.within("fact", "neutral")
    piece = piece_key(place.start_town, place.start_fortified)
    return row_text("start", piece, side=place.start_owner.label)


def _cards_to(place: Location, side: Side, catalogue: Catalogue) -> Phrase:
    cards = [
        Message(
            "{card} by {symbols}",
            card=catalogue.name_of(card.id),
            symbols=or_list(map(symbol_name, sorted(means))),
        )
        for card in catalogue.location_cards(side)
        if (means := card.transports_to(place.id))
    ]
    return AlphabeticalList(cards, ", ") or Message.within("cards", "none")


# --- search


def find_cards(language: Language, text: str, catalogue: Catalogue) -> list[OwnedCard]:
    """Return the cards that a text may mean, by printed or translated name, for all sides."""
    names = {id: language.say(catalogue.name_of(id)) for id in _printed_cards(catalogue)}
    return [owned for id in find_names(language, text, names) for owned in _cards_of(id, catalogue)]


def _printed_cards(catalogue: Catalogue) -> dict[str, str]:
    return {card.id: card.name for cards in catalogue.cards.values() for card in cards.values()}


def _cards_of(id: str, catalogue: Catalogue) -> list[OwnedCard]:
    """Return the cards with an id: one for each side that has it, or one neutral card."""
    cards = {side: catalogue.cards[side][id] for side in Side if id in catalogue.cards[side]}
    neutral = next((card for card in cards.values() if card.side is None), None)
    if neutral is not None:
        return [OwnedCard(neutral, tuple(cards))]
    return [OwnedCard(card, (side,)) for side, card in cards.items()]


def similar_cards(language: Language, text: str, catalogue: Catalogue) -> list[str]:
    """Return the names of the cards that a mistyped text may mean."""
    printed, translated = _printed_cards(catalogue), language.lexicon.get("cards", {})
    names = {language.say(catalogue.name_of(id)) for id in printed}
    names |= {translated[name] for name in printed.values() if name in translated}
    return nearest(language, text, sorted(names, key=sort_key))


def find_locations(language: Language, text: str, catalogue: Catalogue) -> list[Location]:
    """Return the locations that a text may mean."""
    ids = find_names(language, text, location_names(language, catalogue))
    return [catalogue.locations[id] for id in ids]


def location_names(language: Language, catalogue: Catalogue) -> dict[str, str]:
    """Return the name of each location by its id."""
    return {place.id: language.say(place.label) for place in catalogue.locations.values()}
