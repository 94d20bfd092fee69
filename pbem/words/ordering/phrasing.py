"""Orders in whole phrases, put into the words that are read: “place the Rangers in reserve”.

Only what cannot be read as it is gets rephrased, so that nobody's order changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import dropwhile

from engine.order import Order, UnreadableOrder
from engine.orders import ORDERS, Raid
from engine.value import Value
from pbem.words.language import SOURCE, Language
from pbem.words.naming import inflects, inflects_in_russian, normal
from pbem.words.ordering.small_words import SmallWords, small_words
from pbem.words.ordering.verbs import begins_with_verb, first_word, verbs_of


class Rephrased(Value):
    """One way to rephrase an order: all the texts that it may then be.

    `is_certain` says that its verb is known, and what is wrong is what follows it; `kinds` are
    those that it may be, where there are several.
    """

    texts: tuple[str, ...]
    is_certain: bool
    kinds: tuple[type[Order], ...] = ()


class _Phrase(Value):
    """The words around the names of an order, each in all its forms, and the verbs they stand for.

    Names may stand between `head` and `tail`, where there is a tail, and behind.
    """

    head: tuple[frozenset[str], ...]
    tail: tuple[frozenset[str], ...]
    verbs: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.head + self.tail)


class _Found(Value):
    """A phrase in a text: what stands within it, and behind it."""

    phrase: _Phrase
    within: list[str]
    behind: list[str]


def rephrased(language: Language, text: str) -> Iterator[Rephrased]:
    """What a text says in other words, likeliest first; nothing where it cannot be said so."""
    for spoken in _spoken_with(language):
        yield from _with_signs(language, small_words(spoken), text)
    for small, phrases, words in _taken_apart(language, text, "phrases"):
        is_played = bool(words) and _is_one_of(words[0], small.play)
        for said in (words, words[1:]) if is_played else (words,):
            for found in _all_found(small, phrases, said):
                is_certain = len(found.phrase) > 1 or not begins_with_verb(language, said[0])
                verbs = found.phrase.verbs
                kinds = tuple(ORDERS[verb] for verb in verbs if len(verbs) > 1 and verb in ORDERS)
                yield Rephrased(tuple(dict.fromkeys(_texts(small, found))), is_certain, kinds)
            yield from _without_small(language, small, text, said)
        if is_played:
            yield from _used_for(language, small, words[1:])


def _with_signs(language: Language, small: SmallWords, text: str) -> Iterator[Rephrased]:
    """The text with signs for the small words that part its names, and all else as it is."""
    try:
        said = verbs_of(language, text.partition(":")[0])[0]
    except UnreadableOrder:
        return
    verb = said.text.removesuffix(said.rest)
    words = small.parted(text.removeprefix(verb))
    told = [each for each in small.with_signs(words) if each != words]
    if told:
        yield Rephrased(tuple(f"{verb} {' '.join(each)}" for each in told), is_certain=True)


def _used_for(language: Language, small: SmallWords, words: list[str]) -> Iterator[Rephrased]:
    """`use Boston to develop Albany`: the order is named behind its cards."""
    for at in range(2, len(words)):
        order = [word for word in words[at:] if not small.joins(word)]
        if order and small.joins(words[at - 1]) and begins_with_verb(language, order[0]):
            cards = small.names(words[: at - 1])
            # `play Boston and Fortification to fortify Boston`: its own card goes without saying.
            others = small.names([word for word in words[: at - 1] if word not in order])
            said = " ".join(order)
            yield Rephrased((f"{said}: {cards}", f"{said}: {others}"), is_certain=True)


def is_phrase(language: Language, text: str) -> bool:
    """Whether a text begins as a phrase does."""
    return next(rephrased(language, text), None) is not None


def offered(language: Language, text: str) -> list[type[Order]] | None:
    """The kinds of order that are offered for words that are none; None for unknown words.

    Nothing is offered for what begins a phrase and does not go on as one.
    """
    for small, phrases, words in _taken_apart(language, text, "words"):
        for found in _all_found(small, phrases, words):
            return [ORDERS[verb] for verb in found.phrase.verbs]
    is_known = any(
        words and any(normal(words[0]) in phrase.head[0] for phrase in phrases)
        for _, phrases, words in _taken_apart(language, text, "phrases")
    )
    return [] if is_known and not begins_with_verb(language, text) else None


def _taken_apart(
    language: Language, text: str, table: str
) -> Iterator[tuple[SmallWords, tuple[_Phrase, ...], list[str]]]:
    """The words of a text and the phrases of a table, in the player's language and in English."""
    for spoken in _spoken_with(language):
        small = small_words(spoken)
        words = [*dropwhile(small.joins, small.words_of(text))]
        yield small, _phrases(spoken, table), words


def _spoken_with(language: Language) -> Iterable[Language]:
    return dict.fromkeys((language, Language(SOURCE)))


def _texts(small: SmallWords, found: _Found) -> Iterator[str]:
    for verb in found.phrase.verbs:
        for names in ([*found.within, ",", *found.behind], [*found.behind, ",", *found.within]):
            yield from _with_names(small, ORDERS.get(verb), verb, names)


def _with_names(
    small: SmallWords, kind: type[Order] | None, verb: str, names: Sequence[str]
) -> Iterator[str]:
    yield f"{verb} {small.names(names)}"
    if kind is Raid:
        # Where a raid comes from is not part of the order.
        yield f"{verb} {small.names(names, without_from=True)}"


def _without_small(
    language: Language, small: SmallWords, text: str, words: list[str]
) -> Iterator[Rephrased]:
    """The text with a verb that is one, but without small words."""
    plain = " ".join(words)
    try:
        said = verbs_of(language, plain)[0]
    except UnreadableOrder:
        return
    if first_word(plain) != first_word(text) and not said.is_whole and len(first_word(plain)) < 4:
        # `me g`: neither is a small word, both are cut short.
        return
    verb, names = plain.removesuffix(said.rest), small.words_of(said.rest)
    texts = [*_with_names(small, said.kind, verb.rstrip(), names)]
    if normal(texts[0]) != normal(text):
        yield Rephrased(tuple(texts), is_certain=True)


# --- which phrase a text is


@cache
def _phrases(language: Language, table: str) -> tuple[_Phrase, ...]:
    """The phrases of a language, those of most words first."""
    small = small_words(language)
    found = []
    for key, verbs in language.lexicon.get(table, {}).items():
        head, _, tail = key.partition("*")
        found.append(_Phrase(_parts(small, head), _parts(small, tail), tuple(verbs.split(", "))))
    return tuple(sorted(found, key=len, reverse=True))


def _parts(small: SmallWords, text: str) -> tuple[frozenset[str], ...]:
    """The words of a part of a phrase, each with those that may stand for it."""
    return tuple(frozenset(_alike(small, word)) for word in text.split())


def _alike(small: SmallWords, words: str) -> Iterator[str]:
    for word in map(normal, words.split("/")):
        role = small.roles.get(word)
        yield from (each for each, its in small.roles.items() if its is role) if role else (word,)
        if word in small.play:
            yield from small.play


def _all_found(
    small: SmallWords, phrases: Sequence[_Phrase], words: Sequence[str]
) -> Iterator[_Found]:
    """All phrases that a text begins with."""
    for phrase in phrases:
        at = _end(small, phrase.head, words, 0)
        is_one_word = len(phrase) == 1
        if at is None or (is_one_word and not _is_word_of(words[0], phrase.head[0])):
            continue
        if not phrase.tail:
            yield _Found(phrase, [], [*words[at:]])
            continue
        for start in range(at, len(words)):
            is_there = _is_one_of(words[start], phrase.tail[0])
            end = _end(small, phrase.tail, words, start) if is_there else None
            if end is not None:
                last = start - 1 if start > at and small.joins(words[start - 1]) else start
                yield _Found(phrase, [*words[at:last]], [*words[end:]])
                break


def _end(
    small: SmallWords, parts: Sequence[frozenset[str]], words: Sequence[str], at: int
) -> int | None:
    """Where the words end that are these parts, from there on; what joins words is passed over."""
    for part in parts:
        while at < len(words) and not _is_one_of(words[at], part) and small.joins(words[at]):
            at += 1
        if at == len(words) or not _is_one_of(words[at], part):
            return None
        at += 1
    return at


def _is_word_of(word: str, known: frozenset[str]) -> bool:
    """Whether a word is one of these, or one of them in another case of Russian."""
    plain = normal(word)
    return plain in known or any(inflects_in_russian(plain, each) for each in known)


def _is_one_of(word: str, known: frozenset[str]) -> bool:
    """Whether a word is one of these, or one of them with another ending."""
    plain = normal(word)
    return plain in known or (bool(plain) and any(inflects(plain, each) for each in known))
