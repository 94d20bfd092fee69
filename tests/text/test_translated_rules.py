"""Topics, cards and locations in another language: found by name, and told in messages."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import product

import pytest

from engine.message import Message
from engine.orders import from_notation
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.cli import console
from pbem.cli.console import translate, use_language
from pbem.text import language as languages
from pbem.text import naming
from pbem.text.language import NAMES, SOURCE, Language
from pbem.text.naming import find_cards, find_locations
from pbem.text.ordering.explanation import explain_typed_order, explanation_text
from pbem.text.ordering.reading import read
from pbem.text.phrases import translation
from pbem.text.rules.editions import edition_name, edition_rows
from pbem.text.rules.in_position import View, card_text, location_text
from pbem.text.rules.in_position import topic_text as topic_text
from pbem.text.rules.lookup import (
    Subject,
    card_page,
    differences_text,
    edition_list,
    house_rules_page,
    index_page,
    location_page,
    topic_page,
)
from pbem.text.rules.topic import Topic, find_topics, similar_topics, topics
from tests.cli.commands import acres
from tests.engine.positions import Seat, position
from tests.engine.starts import STARTS
from tests.sample import sample
from tests.text.test_translatable_texts import WORD, text_outside_messages, untranslated_pattern
from tests.text.throwaway import CODE, throwaway

RULESETS = [Ruleset.of(edition) for edition in editions()]
CATALOGUE = RULESETS[0].catalogue
IDS = set(editions()) | {rule for row in RULESETS for rule in row.house_rules}


@pytest.fixture(params=sorted(NAMES.keys() - {SOURCE}))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    try:
        with use_language(request.param):
            yield request.param
    except OSError:
        pytest.skip("its catalogue was not compiled")


def mixed(message: str) -> str:
    """Words of a language in which a siege is called a raid, and Boston has a name of its own."""
    words = {"siege": "raid", "raid": "Streifzug", "supply": "Nachschub", "Boston": "Bostonien"}
    return words.get(message, message)


# --- finding


@pytest.mark.slow
def test_topic_is_found_by_its_names_in_both_languages(language: str) -> None:
    for topic in topics().values():
        names: list[Message | str] = [topic.id, topic.word, topic.title, *topic.names]
        for name in names:
            assert topic in find_topics(Language(language), translate(name)), (language, name)


def test_topic_is_found_by_its_translated_name() -> None:
    with throwaway(mixed):
        made_up_language = console.language()
        assert [topic.id for topic in find_topics(made_up_language, "nachschub")] == ["supply"]
        assert [topic.id for topic in find_topics(made_up_language, "supply")] == ["supply"]
        assert [*map(translate, similar_topics(made_up_language, "nachshub"))] == ["Nachschub"]


def test_unknown_text_of_three_letters_gets_no_suggestion(language: str) -> None:
    assert similar_topics(Language(language), "foo") == []


def test_objection_is_explained_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    words = {"connections": "Verbindungen", "settle": "besiedeln"}
    with throwaway(lambda message: words.get(message, message)):
        state = position(Seat(hand="boston new-york"))
        text = "settle albany: boston, new york"
        matches = explain_typed_order(console.language(), [state], Side.BRITISH, text)
        console.say_lines(explanation_text(matches, None, "acres"))
    printed_text = capsys.readouterr().out
    assert "rules Verbindungen" in printed_text
    assert "rules besiedeln" in printed_text


def test_name_of_two_topics_in_two_languages_finds_both() -> None:
    with throwaway(mixed):
        matches = find_topics(console.language(), "raid")
        assert {topic.id for topic in matches} == {"raid", "siege"}
    assert [topic.id for topic in find_topics(Language(SOURCE), "raid")] == ["raid"]


def test_location_and_its_card_are_found_by_both_names() -> None:
    with throwaway(mixed):
        made_up_language = console.language()
        for name in ("Boston", "Bostonien", "bostoni"):
            assert [place.id for place in find_locations(made_up_language, name, CATALOGUE)] == [
                "boston"
            ]
            assert [owned.card.id for owned in find_cards(made_up_language, name, CATALOGUE)] == [
                "boston"
            ]


def test_card_is_found_by_its_name_in_the_rulebook(language: str) -> None:
    spoken = Language(language)
    cards = spoken.lexicon.get("cards", {})
    printed = {card.name for cards in CATALOGUE.cards.values() for card in cards.values()}
    for name in printed & cards.keys():
        assert name in {owned.card.name for owned in find_cards(spoken, cards[name], CATALOGUE)}
        assert {owned.card.name for owned in find_cards(spoken, name, CATALOGUE)} == {name}
        assert translation(spoken, name) == cards[name]


def test_page_of_a_card_has_its_name_in_the_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    rulebook = {"Rangers": "Waldläufer"}
    monkeypatch.setattr(languages, "_lexicon", cache(lambda _: {"cards": rulebook}))
    monkeypatch.setattr(naming, "spellings", naming.spellings.__wrapped__)
    with throwaway(mixed):
        assert acres("--lang", CODE, "card", "waldläufer").out.startswith("Rangers (Waldläufer), ")
    assert translation(console.language(), "Boston") == ""


# --- examples


@pytest.mark.parametrize("topic", topics().values(), ids=lambda topic: topic.id)
def test_examples_of_topics_can_be_typed(topic: Topic) -> None:
    for example in topic.examples:
        order = from_notation(example)
        assert order.verb in topic.verbs
        matches = set()
        for ruleset, side in product((*RULESETS, Ruleset.of("second", ["free-fur-money"])), Side):
            printed_text = str(order.text(ruleset.catalogue.name_of))
            with suppress(ValueError):
                matches.add(
                    read(Language(SOURCE), printed_text, position(active=side, ruleset=ruleset))
                )
        assert matches == {order}, example


# --- all of it is messages


NO_WORDS = untranslated_pattern()


def untranslated_words(printed: str) -> list[str]:
    """Return the printed words that are in no message, except ids of rules and editions."""
    remaining = " ".join(word for word in text_outside_messages(printed).split() if "-" not in word)
    return [word for word in WORD.findall(NO_WORDS.sub("", remaining)) if word not in IDS]


@pytest.mark.parametrize("ruleset", sample(RULESETS, first=1), ids=lambda ruleset: ruleset.edition)
def test_pages_are_made_of_messages(ruleset: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    with throwaway() as built:
        for page in (index_page, edition_list, house_rules_page):
            console.say_lines(page("acres"))
        console.say_lines(differences_text())
        for topic in topics().values():
            console.say_lines(topic_page(console.language(), topic, Subject(ruleset)))
        for place in ruleset.catalogue.locations.values():
            console.say_lines(location_page(place, Subject(ruleset)))
        for id in CATALOGUE.names.keys() & ruleset.catalogue.names.keys():
            for owned in find_cards(console.language(), id, ruleset.catalogue):
                console.say_lines(card_page(console.language(), owned, Subject(ruleset)))
    printed_text = capsys.readouterr().out.replace("docs/rules.md", "")
    sections = {topic.section for topic in topics().values()}
    for section in sorted(sections, key=len, reverse=True):
        printed_text = " ".join(printed_text.split()).replace(section, "")
    assert untranslated_words(printed_text) == []
    assert built.unknown == set()


@pytest.mark.parametrize("start", ["two sieges", "frontier", "ambush reply"])
def test_texts_on_a_position_are_made_of_messages(start: str) -> None:
    state = STARTS[start]()
    catalogue = state.ruleset.catalogue
    lines: list[str] = []
    with throwaway() as built:
        for viewer in (None, *Side):
            present = View(state, viewer)
            for topic in topics().values():
                lines += map(translate, topic_text(console.language(), topic, present))
            for place in catalogue.locations.values():
                lines += map(translate, location_text(place, present))
            for id in catalogue.names:
                for owned in find_cards(console.language(), id, catalogue):
                    lines += map(translate, card_text(owned, present))
    assert len(lines) > 100
    assert {line: untranslated_words(line) for line in lines if untranslated_words(line)} == {}
    assert built.unknown == set()


def test_each_edition_and_each_difference_has_words_of_its_own() -> None:
    with throwaway() as built:
        for edition, ruleset in zip(editions(), RULESETS, strict=True):
            assert translate(edition_name(edition)).count("⟦") == 1
            assert all(translate(row.value(ruleset)) for row in edition_rows())
    assert built.unknown == set()


def test_json_of_rules_is_the_same_in_every_language(language: str) -> None:
    for words in (["raid"], ["editions"], ["house"], []):
        english = acres("rules", *words, "--json").out
        assert acres("--lang", language, "rules", *words, "--json").out == english
