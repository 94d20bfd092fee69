"""Catalogues: open messages are found, and no translation loses a part of its message.

An open message fails no test, because it is shown in English: `catalogues open` lists it, and no
release is made with one.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pbem.cli.console import use_language
from pbem.text.language import DOMAIN, FORM_RULES, LOCALE, NAMES, SOURCE, InflectedName, Language
from pbem.text.narration import THEY, THEY_TO_YOU, YOU
from tests.requirements import require
from tools import extraction
from tools.catalogues import main

Translations = Mapping[str | tuple[str, str], str | tuple[str, str]]
WriteTranslations = Callable[..., None]
OTHERS = [language for language in NAMES if language != SOURCE]
OF_PERSONS = {"They", "they", "their", "foe"}
"""The placeholders that a translation for one person may omit."""

_RUSSIAN = "2011122222" + "2222222222" + "2011122222" * 8
PLURAL_FORMS = {
    "fr": ("00" + "1" * 98, "1" * 100),
    "it": ("10" + "1" * 98, "1" * 100),
    "ru": (_RUSSIAN, _RUSSIAN),
}
"""The plural form of each number from 0 to 99, and from each later hundred, according to CLDR.

The form of French and Italian for whole millions is left out, since no number is so large.
"""


@pytest.fixture(params=OTHERS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=language)


def empty_catalogue(language: str) -> Catalog:
    """Return a catalogue without messages that has the plural forms of ours."""
    empty = Catalog(locale=language, domain=DOMAIN)
    empty.mime_headers = [("Plural-Forms", catalogue(language).plural_forms)]
    return empty


def compile_catalogue(written: Catalog) -> GNUTranslations:
    """Compile a catalogue, and return it as gettext reads it."""
    file = BytesIO()
    write_mo(file, written)
    return GNUTranslations(BytesIO(file.getvalue()))


def messages(language: str) -> list[Message]:
    """Return the translated messages of a language."""
    return [message for message in catalogue(language) if message.id and is_translated(message)]


def translations(language: str) -> Iterator[tuple[Message, str]]:
    """Yield each message with each form of its translation."""
    return ((message, text) for message in messages(language) for text in texts(message.string))


def is_translated(message: Message) -> bool:
    return all(texts(message.string)) and not message.fuzzy


def texts(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(require(text))


def placeholders(text: str) -> list[tuple[str, str]]:
    """Return the placeholders of a text, each with its grammatical form."""
    parsed = string.Formatter().parse(text)
    return [(name, form or "") for _, name, form, _ in parsed if name is not None]


@pytest.fixture
def write_translations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> WriteTranslations:
    """Write a French catalogue with these translations."""

    def write(translations: Translations, flags: Sequence[str] = ()) -> None:
        path = tmp_path / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        written = empty_catalogue("fr")
        for message, translation in translations.items():
            written.add(message, translation, flags=flags)
        with path.open("wb") as file:
            write_po(file, written)

    monkeypatch.setattr(extraction, "LOCALE", tmp_path)
    return write


@pytest.fixture
def template() -> Catalog:
    all_said = Catalog(domain=DOMAIN)
    all_said.add("The game is over.")
    all_said.add(("{count} card", "{count} cards"))
    return all_said


WHOLE = {"The game is over.": "Fini.", ("{count} card", "{count} cards"): ("carte", "cartes")}


@pytest.mark.parametrize(
    ("change", "output"),
    [
        ({}, []),
        ({"The game is over.": ""}, ["not translated: The game is over."]),
        ({("{count} card", "{count} cards"): ("carte", "")}, ["not translated: {count} card"]),
        ({"The game is lost.": "Perdu."}, ["said no more: The game is lost."]),
    ],
)
def test_open_messages_are_named(
    write_translations: WriteTranslations,
    template: Catalog,
    change: Translations,
    output: list[str],
) -> None:
    write_translations({**WHOLE, **change})
    assert list(extraction.untranslated("fr", template)) == output
    write_translations(WHOLE, flags=["fuzzy"])
    assert len(list(extraction.untranslated("fr", template))) == 2


def test_new_messages_are_open_with_their_context_and_plural(
    write_translations: WriteTranslations, template: Catalog
) -> None:
    write_translations(WHOLE)
    template.add("raid", context="verb")
    template.add("{count} card", context="pile")
    new = ["new: verb: raid", "new: pile: {count} card"]
    assert list(extraction.untranslated("fr", template)) == new
    template.add(("The game is over.", "The games are over."))
    assert list(extraction.untranslated("fr", template)) == ["new: The game is over.", *new]


@pytest.mark.slow
def test_command_lists_open_messages_of_every_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for matches in ([], ["new: x"]):
        monkeypatch.setattr(extraction, "untranslated", lambda *_, matches=matches: matches)
        assert main(["open"]) == len(matches)
        output = capsys.readouterr().out
        for language in OTHERS:
            assert f"{NAMES[language]}: {len(matches)} open" in output
        assert ("new: x" in output) is bool(matches)
        # Extraction takes seconds, so it runs only once.
        monkeypatch.setattr("tools.catalogues.all_messages", lambda: iter(()))


def test_translations_have_the_placeholders_of_the_message(language: str) -> None:
    wrong = []
    for message in messages(language):
        names = {name for text in texts(message.id) for name, _ in placeholders(text)}
        needed = set(names)
        if message.context in (YOU, THEY, THEY_TO_YOU):
            needed -= OF_PERSONS
        if not isinstance(message.id, str):
            # “One card” needs no number; so a single form may do without.
            needed -= {"count"}
        for text in texts(message.string):
            remaining = {name for name, _ in placeholders(text)}
            if remaining - names or needed - remaining:
                wrong.append((message.id, text))
    assert wrong == []


def test_number_is_only_omitted_in_forms_for_one_number(language: str) -> None:
    """The first Russian form is used for 21 too, for example."""
    alone = {"it": {0}, "fr": {0}, "ru": set()}[language]
    wrong = []
    for message in messages(language):
        if isinstance(message.id, str) or "{count}" not in message.id[1]:
            continue
        for number, text in enumerate(texts(message.string)):
            if ("count", "") not in placeholders(text) and number not in alone:
                wrong.append((message.id, text))
    assert wrong == []


def test_plurals_are_those_of_the_language(language: str) -> None:
    """The rule of the catalogue is evaluated by gettext."""
    written = empty_catalogue(language)
    forms = [str(form) for form in range(written.num_plurals)]
    written.add(("one", "many"), forms)
    compiled = compile_catalogue(written)
    hundred, later = PLURAL_FORMS[language]
    assert {*hundred} == {*forms}
    orders_given = "".join(compiled.ngettext("one", "many", number) for number in range(10_000))
    assert orders_given == hundred + later * 99


def test_blanks_at_the_ends_are_kept(language: str) -> None:
    """Narrow spaces are not used, because many terminals cannot display them."""
    for message, text in translations(language):
        english = texts(message.id)[0]
        ends = (text[:1] == " ", text[-1:] == " ", text.endswith("\n"))
        assert ends == (english[:1] == " ", english[-1:] == " ", english.endswith("\n")), text
        assert "\u202f" not in text, message.id


def test_no_sentence_was_left_in_english(language: str) -> None:
    """A word may be the same in both languages; a sentence is not."""
    same = [
        message.id
        for message, text in translations(language)
        if text in texts(message.id)
        and message.context != "location"
        and sum(word.isalpha() and len(word) > 1 for word in text.split()) > 2
    ]
    assert same == []


def test_every_requested_form_exists(language: str) -> None:
    known = {form for forms in Language(language).lexicon["forms"].values() for form in forms}
    known |= FORM_RULES.get(language, {}).keys()
    for message, text in translations(language):
        english = {form for one in texts(message.id) for _, form in placeholders(one)}
        for _, form in placeholders(text):
            wanted = form[:1].lower() + form[1:]
            assert form in english or wanted in known, (message.id, text)


def test_every_location_has_the_requested_forms(language: str) -> None:
    forms, regular = Language(language).lexicon["forms"], FORM_RULES.get(language, {})
    prompts = {
        form[:1].lower() + form[1:]
        for _, text in translations(language)
        for name, form in placeholders(text)
        if name == "place" and form
    }
    places = [m.string for m in messages(language) if m.context == "location"]
    assert places
    for place in places:
        for form in prompts - regular.keys():
            assert form in forms.get(place, {}), place


def test_lexicons_name_existing_things(language: str) -> None:
    from engine.catalogue import load
    from engine.orders import ORDERS
    from engine.ruleset import editions

    words = Language(language).lexicon
    assert words.keys() <= {"forms", "cards", "verbs", "words", "small", "typed"}
    printed = {
        card.name for edition in editions() for side in load(edition).cards.values()
        for card in side.values() if not card.location
    }  # fmt: skip
    assert words["cards"].keys() <= printed
    places = {
        Language(language).say(place.label)
        for edition in editions() for place in load(edition).locations.values()
    }  # fmt: skip
    assert words["typed"].keys() <= printed | places
    assert words["verbs"].keys() <= ORDERS.keys()


def test_verbs_and_words_of_a_turn_are_distinct(language: str) -> None:
    """A word typed in a turn means one thing."""
    from pbem.text.naming import normalize, verb_forms
    from pbem.text.ordering.guided_turn import WORDS, parse_words, word_label

    with use_language(language):
        verbs = [
            template for forms in verb_forms(Language(language)).values() for template in forms
        ]
        assert len(verbs) == len({*verbs})
        spoken_words = {word: Language(language).say(word_label(word)) for word in WORDS}
        assert not {*map(normalize, spoken_words.values())} & {*verbs}
        for word, template in spoken_words.items():
            assert (
                parse_words(Language(language), word)
                == parse_words(Language(language), template)
                == [word]
            )


def test_russian_typed_words_are_quoted_at_most_once() -> None:
    settle, passes = (InflectedName(text, Language("ru").form) for text in ("заселить", "«пас»"))
    assert f"{settle:quoted} {passes:quoted}" == "«заселить» «пас»"


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("Albany", "d’Albany"),
        ("Home Support", "de Home Support"),
        ("Halifax", "de Halifax"),
        ("Harry", "de Harry"),
        ("Hélène", "d’Hélène"),
        ("Hubert Aquin", "d’Hubert Aquin"),
        ("Élise", "d’Élise"),
    ],
)
def test_in_french_no_vowel_is_dropped_before_an_h_that_is_not_silent(name: str, of: str) -> None:
    assert f"{InflectedName(name, Language('fr').form):de}" == of
