"""The catalogues: nothing is left out of them, and no translation loses a part of its message."""

from __future__ import annotations

import string
from functools import cache

import pytest
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from pbem.cli.catalogues import AGAINST_READER, PERSONS, template
from pbem.cli.console import spoken
from pbem.words.forms import _REGULAR, Word
from pbem.words.language import DOMAIN, LOCALE, NAMES, SOURCE, Language

OTHERS = [language for language in NAMES if language != SOURCE]
OF_PERSONS = {"They", "they", "their", "foe"}
"""What a sentence that is told of one person may say without a placeholder."""


@cache
def catalogue(language):
    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def said():
    """Every message of the program, with its context."""
    return {(texts(message.id)[0], message.context or None) for message in template() if message.id}


def messages(language):
    return [message for message in catalogue(language) if message.id]


def texts(text):
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text):
    """The names in braces of a text, each with the form that is asked for."""
    return [(name, form) for _, name, form, _ in string.Formatter().parse(text) if name is not None]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_there_and_no_other(language):
    """`python -m pbem.cli.catalogues update` brings a catalogue up to what the program says."""
    there = {(texts(message.id)[0], message.context or None) for message in messages(language)}
    assert said() - there == set()
    assert there - said() == set()


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated(language):
    missing = [m.id for m in messages(language) if not all(texts(m.string)) or m.fuzzy]
    assert missing == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_placeholder_is_kept_and_none_is_made_up(language):
    wrong = []
    for message in messages(language):
        names = {name for text in texts(message.id) for name, _ in placeholders(text)}
        needed = set(names)
        if message.context in (*PERSONS, AGAINST_READER):
            needed -= OF_PERSONS
        if not isinstance(message.id, str):
            # “One card” needs no number; so a single form may do without.
            needed -= {"count"}
        for text in texts(message.string):
            kept = {name for name, _ in placeholders(text)}
            if kept - names or needed - kept:
                wrong.append((message.id, text))
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_number_is_only_left_out_where_the_form_means_one_number_alone(language):
    """The first form of Russian is for 21 as well."""
    alone = {"it": {0}, "fr": {0}, "ru": set()}[language]
    wrong = []
    for message in messages(language):
        if isinstance(message.id, str) or "{count}" not in message.id[1]:
            continue
        for number, text in enumerate(texts(message.string)):
            if ("count", "") not in placeholders(text) and number not in alone:
                wrong.append((message.id, text))
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_plurals_are_those_of_the_language(language):
    usual = get_plural(language)
    assert catalogue(language).num_plurals == usual.num_plurals
    assert catalogue(language).plural_expr == usual.plural_expr


@pytest.mark.parametrize("language", OTHERS)
def test_blanks_at_the_ends_are_kept(language):
    for message in messages(language):
        for text in texts(message.string):
            english = texts(message.id)[0]
            ends = (text[:1] == " ", text[-1:] == " ", text.endswith("\n"))
            assert ends == (english[:1] == " ", english[-1:] == " ", english.endswith("\n")), text


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_was_left_in_english(language):
    """A word may be the same in both languages; a sentence is not."""
    same = [
        message.id
        for message in messages(language)
        for text in texts(message.string)
        if text in texts(message.id)
        and message.context != "location"
        and sum(word.isalpha() and len(word) > 1 for word in text.split()) > 2
    ]
    assert same == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_form_that_is_asked_for_is_one_that_names_have(language):
    known = {form for forms in Language(language).lexicon["forms"].values() for form in forms}
    known |= _REGULAR.get(language, {}).keys()
    for message in messages(language):
        english = {form for text in texts(message.id) for _, form in placeholders(text)}
        for text in texts(message.string):
            for _, form in placeholders(text):
                wanted = form[:1].lower() + form[1:]
                assert form in english or wanted in known, (message.id, text)


@pytest.mark.parametrize("language", OTHERS)
def test_every_location_has_the_forms_that_sentences_ask_for(language):
    forms, regular = Language(language).lexicon["forms"], _REGULAR.get(language, {})
    asked = {
        form[:1].lower() + form[1:]
        for message in messages(language)
        for text in texts(message.string)
        for name, form in placeholders(text)
        if name == "place" and form
    }
    places = [m.string for m in messages(language) if m.context == "location"]
    assert places
    for place in places:
        for form in asked - regular.keys():
            assert form in forms.get(place, {}), place


@pytest.mark.parametrize("language", OTHERS)
def test_lexicons_speak_of_what_there_is(language):
    from engine.catalogue import load
    from engine.orders import ORDERS
    from engine.ruleset import editions

    words = Language(language).lexicon
    assert words.keys() <= {"forms", "cards", "verbs", "words"}
    printed = {
        card.name for edition in editions() for side in load(edition).cards.values()
        for card in side.values() if not card.location
    }  # fmt: skip
    assert words["cards"].keys() <= printed
    assert words["verbs"].keys() <= ORDERS.keys()
    assert set(words["words"].values()) <= ORDERS.keys()


@pytest.mark.parametrize("language", OTHERS)
def test_no_character_is_written_that_terminals_lack(language):
    """A narrow space that does not break is one of them; the usual one does as well."""
    for message in messages(language):
        assert "\u202f" not in "".join(texts(message.string)), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_no_two_kinds_of_orders_are_said_alike_and_none_as_another_word_of_a_turn(language):
    """Who types a word in a turn means one thing by it."""
    from engine.orders import ORDERS
    from pbem.words.led_turn import WORDS, meant, spoken_word
    from pbem.words.naming import normal
    from pbem.words.verbs import ways_to_say

    with spoken(language):
        verbs = [said for kind in ORDERS.values() for said in ways_to_say(kind)]
        assert len(verbs) == len({*verbs})
        assert not {normal(spoken_word(word)) for word in WORDS} & {*verbs}
        for word in WORDS:
            assert meant(word) == meant(spoken_word(word)) == [word]


def test_in_russian_a_word_to_be_typed_can_be_set_in_quotes_and_never_twice():
    with spoken("ru"):
        assert f"{Word('заселить'):quoted} {Word('«пас»'):quoted}" == "«заселить» «пас»"
