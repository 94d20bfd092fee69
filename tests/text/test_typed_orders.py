"""Orders as players type them in their own language or in English, and the questions they get."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.choices import Prefix
from engine.game import legal_orders
from engine.message import message_of
from engine.order import Order, UnreadableOrderError
from engine.orders import ORDERS, Settle, from_notation
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.text.language import LOCALE, NAMES, SOURCE, Language
from pbem.text.naming import find_names, find_verbs, normalize
from pbem.text.narration import detailed_order_text
from pbem.text.ordering.reading import read, verb_alone
from pbem.text.rules.topic import find_topics, similar_topics
from tests.engine.arbitrary import random_game
from tests.engine.positions import FRENCH, Seat, do, position
from tests.text.made_up import install_language

SPOKEN = [code for code in NAMES if code == SOURCE or (LOCALE / code).exists()]
OTHERS = [code for code in SPOKEN if code != SOURCE]
ENGLISH = Language(SOURCE)
TURN = position(Seat(hand="boston new-haven st-marys rangers home-support", villages="deerfield"))
ORDER = "settle deerfield: new-haven, st-marys, boston"
CATALOGUE = Ruleset.of().catalogue
FORMS = tomllib.loads(Path(__file__).with_name("verb_forms.toml").read_text(encoding="utf-8"))
TYPED = tomllib.loads(Path(__file__).with_name("typed_in.toml").read_text(encoding="utf-8"))


def orders_of_each_kind(random: Random, side: Side) -> Iterator[Order]:
    """Yield an order of each kind, with random location and cards."""
    cards, places = sorted(CATALOGUE.cards[side]), sorted(CATALOGUE.locations)
    for kind in ORDERS.values():
        number = random.randint(kind.min_cards, min(kind.max_cards, kind.min_cards + 2))
        place = random.choice(places) if kind.has_location else None
        yield kind(place, tuple(random.choices(cards, k=number)))


def lexicon(language: Language) -> dict[str, Any]:
    return {"cards": {}, "forms": {}, "verbs": {}, **language.lexicon}


def verb_spellings(language: Language, kind: type[Order]) -> set[str]:
    """Return all normalized forms of the verb of a kind."""
    further = [
        text
        for verb, forms in lexicon(language)["verbs"].items()
        if normalize(verb) == kind.english_verb()
        for text in forms
    ]
    return {
        normalize(text) for text in (language.say(kind.verb_label()), kind.english_verb(), *further)
    }


# --- displayed orders can be typed


# Each language for one side; the long run has the other side, and more orders.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "side", "rounds"),
    [
        *((code, list(Side)[at % 2], 4) for at, code in enumerate(SPOKEN)),
        *(pytest.param(*part, 30, marks=pytest.mark.long) for part in product(SPOKEN, Side)),
    ],
)
def test_every_kind_of_order_is_read_back(code: str, side: Side, rounds: int) -> None:
    state, random = new_game(), Random(1759)
    state.awaiting = state.awaiting._replace(side=side)
    language = Language(code)
    for _ in range(rounds):
        for order in orders_of_each_kind(random, side):
            assert read(language, language.say(order.text(CATALOGUE.name_of)), state) == order
            with_parts = language.say(detailed_order_text(Prefix.of(order), CATALOGUE.name_of))
            assert read(language, with_parts, state) == order


@pytest.mark.parametrize("code", OTHERS)
def test_every_kind_of_order_is_read_in_english_in_every_language(code: str) -> None:
    state, random = new_game(), Random(1763)
    for order in orders_of_each_kind(random, state.awaiting.side):
        language, english = Language(code), str(order.text(CATALOGUE.name_of))
        assert read(language, english, state) == order
        assert read(language, order.notation(), state) == order


@pytest.mark.slow
@pytest.mark.parametrize("code", SPOKEN)
def test_every_legal_order_of_a_game_is_read_back(code: str) -> None:
    random = Random(1760)
    language = Language(code)
    for state in random_game(random, 60):
        legal = legal_orders(state)
        for order in random.sample(legal, min(8, len(legal))):
            output = language.say(order.text(state.ruleset.catalogue.name_of))
            assert read(language, output, state) == order


@pytest.mark.parametrize("code", OTHERS)
def test_case_accents_and_punctuation_make_no_difference(code: str) -> None:
    language = Language(code)
    state = new_game()
    state.awaiting = state.awaiting._replace(side=FRENCH)
    order = from_notation("settle st-marys: quebec, trois-rivieres, gaspe")
    output = language.say(order.text(CATALOGUE.name_of))
    for typed in (
        output.upper(),
        output.replace(":", "\u00a0:").replace(",", " ,"),
        output.replace(":", "\u202f: "),
        output.replace("’", "'"),
        output.replace("'", "’"),
        output.replace("ё", "е").replace("é", "e").replace("è", "e"),
    ):
        assert read(language, typed, state) == order, typed


@pytest.mark.parametrize(
    ("code", "typed"), [(code, typed) for code in ("it", "ru") for typed in TYPED[code]]
)
def test_orders_are_read_as_people_say_them(code: str, typed: str) -> None:
    assert read(Language(code), typed, TURN).notation() == TYPED[code][typed]


# --- the words that the languages have


@pytest.mark.parametrize("code", FORMS)
def test_verbs_are_known_in_every_usual_form_as_orders_and_as_topics(code: str) -> None:
    language = Language(code)
    for kind, forms in FORMS[code].items():
        for form in forms.split():
            verbs = find_verbs(language, [normalize(form)])
            assert [(verb.kind.verb, verb.is_whole) for verb in verbs[:1]] == [(kind, True)], form
            assert find_topics(language, form), form


@pytest.mark.parametrize(
    ("code", "word", "topics"),
    [
        ("en", "attack", {"besiege", "raid"}),
        ("en", "buy", {"draft"}),
        ("fr", "acheter", {"draft"}),
        ("it", "costruire", {"fortify"}),
        ("ru", "атаковать", {"besiege", "raid"}),
    ],
)
def test_a_word_that_suggests_orders_suggests_their_topics(
    code: str, word: str, topics: set[str]
) -> None:
    assert topics <= {message.text for message in similar_topics(Language(code), word)}


@pytest.mark.parametrize("code", OTHERS)
def test_no_verb_in_full_is_the_verb_of_another_order(code: str) -> None:
    """Displayed verbs can be typed in the language and in English, without ambiguity."""
    language = Language(code)
    for one, other in combinations(ORDERS.values(), 2):
        assert not verb_spellings(language, one) & verb_spellings(language, other), (
            one.verb,
            other.verb,
        )


@pytest.mark.parametrize("code", OTHERS)
def test_no_name_in_full_is_the_name_of_something_else(code: str) -> None:
    language = Language(code)
    known = language.lexicon
    assert known["cards"].keys() <= set(CATALOGUE.names.values())
    called = {
        id: {
            normalize(text)
            for name in (language.say(CATALOGUE.name_of(id)), known["cards"].get(printed, printed))
            for text in (name, printed, *known["forms"].get(name, {}).values())
        }
        for id, printed in CATALOGUE.names.items()
    }
    for one, other in combinations(called, 2):
        assert not called[one] & called[other], (one, other)


@pytest.mark.parametrize("code", SPOKEN)
def test_tables_name_kinds_of_order_and_no_word_twice(code: str) -> None:
    tables = Language(code).lexicon
    assert {verb for verbs in tables["words"].values() for verb in verbs.split()} <= ORDERS.keys()
    assert set(tables.get("verbs", ())) <= ORDERS.keys()
    spoken = [normalize(word) for words in tables["words"] for word in words.split()]
    assert len(spoken) == len({*spoken})
    assert tables["small"].keys() == {"left-out", "joining", "number", "counted"}
    small, joining = (tables["small"][part].split() for part in ("left-out", "joining"))
    assert len(small + joining) == len({*map(normalize, small + joining)})


@pytest.mark.parametrize("code", OTHERS)
def test_cards_are_found_by_the_names_of_the_rulebook(code: str) -> None:
    language = Language(code)
    for side in Side:
        names = {card.id: language.say(card.label) for card in CATALOGUE.cards[side].values()}
        for id, name in names.items():
            if name in language.lexicon["cards"]:
                assert list(find_names(language, language.lexicon["cards"][name], names)) == [id]


def test_unknown_russian_name_is_reported() -> None:
    with pytest.raises(UnreadableOrderError, match="рейтаров"):
        read(Language("ru"), "осадить Квебека: бостона, рейтаров, rangers", TURN)


# --- words with different meanings in two languages


@pytest.fixture
def strange(tmp_path: Path) -> Iterator[Language]:
    """A made-up language, some of whose words are English words of other things."""
    with install_language(tmp_path) as language:
        yield language


def error_text(language: Language, typed: str, state: State = TURN) -> str:
    with pytest.raises(UnreadableOrderError) as refused:
        read(language, typed, state)
    return language.say(message_of(refused.value))


@pytest.mark.parametrize("typed", TYPED["made_up"])
def test_orders_are_read_by_the_words_of_both_languages(strange: Language, typed: str) -> None:
    assert read(strange, typed, TURN).notation() == TYPED["made_up"][typed]


@pytest.mark.parametrize(
    ("typed", "output"),
    [
        ("siedeln deerfield: boston", "Deerfield: siedeln takes 2 to 3 cards."),
        ("setlte boston", "Did you mean siedeln?"),
        ("wrefen boston", "Did you mean werfen?"),
        ("raid Abany: rangers", "Did you mean Weiß’burg?"),
        ("take Quebec", "for the Briten"),
    ],
)
def test_errors_are_reported_in_the_language(strange: Language, typed: str, output: str) -> None:
    assert output in error_text(strange, typed)


def test_verb_of_several_words_is_cut_short(strange: Language) -> None:
    state = position(
        Seat(hand="boston", reserve="militia"), Seat(hand="coureurs-de-bois"), active=FRENCH
    )
    do(state, from_notation("ambush coureurs-de-bois").notation())
    for typed in ("geben aus vorrat landwehr", "geb aus v landw", "give f r landw"):
        assert read(strange, typed, state).notation() == "give-from-reserve militia", typed
    assert verb_alone(strange, "besiedelt") is Settle


@pytest.mark.parametrize(
    "code, hand, text, expected",
    [
        ("en", "new-haven new-york", "discard new the haven", "discard new-haven"),
        ("fr", "boston new-haven", "défausser new des haven", "discard new-haven"),
        ("it", "new-york new-haven", "scartare new dei york", "discard new-york"),
    ],
)
def test_small_word_inside_a_name_makes_no_other_name(
    code: str, hand: str, text: str, expected: str
) -> None:
    """If the words made two names, a second card would be discarded and revealed."""
    assert read(Language(code), text, position(Seat(hand=hand))).notation() == expected


@pytest.mark.parametrize(
    ("code", "words", "verb"),
    [
        ("fr", "recruter recrutez recrute", "draft"),
        ("fr", "vends vendez vendre", "sell-fur"),
        ("it", "reclutare recluta recluto", "draft"),
        ("it", "incursione", "raid"),
        ("ru", "рейд", "raid"),
        ("ru", "нанять купи", "draft"),
    ],
)
def test_words_of_the_rulebooks_are_verbs_and_topics(code: str, words: str, verb: str) -> None:
    language = Language(code)
    for word in words.split():
        assert [found.kind.verb for found in find_verbs(language, [normalize(word)])] == [verb]
        assert verb in {verb for topic in find_topics(language, word) for verb in topic.verbs}
