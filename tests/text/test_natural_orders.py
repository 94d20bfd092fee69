"""Orders in the words of players who have only read a rulebook, in each language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from unicodedata import normalize

import pytest

from engine.game import is_legal
from engine.message import message_of
from engine.order import UnreadableOrderError
from engine.sides import Side
from engine.state import State, new_game
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.explanation import explain_typed_order
from pbem.text.ordering.reading import other_readings, read
from tests.engine.cases import load_positions
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.text.test_typed_orders import SPOKEN

ENGLISH = Language(SOURCE)
POSITIONS = load_positions(Path(__file__).with_name("natural_positions.toml"))
ORDERS = Path(__file__).parent / "natural_orders"
"""The folder with a file for each language: in each line a position, a text, and its order."""


@cache
def position_of(letters: str) -> State:
    return POSITIONS[letters]()


def spoken_orders(code: str) -> Iterator[list[str]]:
    for line in (ORDERS / f"{code}.txt").read_text(encoding="utf-8").splitlines():
        yield line.split(" | ")


def error_text(code: str, typed: str, state: State) -> str:
    language = Language(code)
    with pytest.raises(UnreadableOrderError) as error:
        read(language, typed, state)
    return language.say(message_of(error.value))


@pytest.mark.slow
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("code", SPOKEN)
def test_spoken_orders_mean_a_legal_order(code: str, step: int) -> None:
    wrong = []
    for letters, typed, expected in islice(spoken_orders(code), 0, None, step):
        state = position_of(letters)
        try:
            order = read(Language(code), typed, state)
        except UnreadableOrderError as error:
            wrong.append((letters, typed, str(error)))
            continue
        if order.notation() != expected or not is_legal(state, order):
            wrong.append((letters, typed, order.notation()))
    assert wrong == []


# --- and where it is not legal


SAID = tomllib.loads((ORDERS / "said.toml").read_text(encoding="utf-8"))
BY_SIDE = [
    (code, typed, order, side)
    for side in Side
    for code in SPOKEN
    for typed, order in SAID[side.value][code].items()
]


@pytest.mark.parametrize(("code", "typed", "order", "side"), BY_SIDE)
def test_spoken_orders_are_read_without_a_position(
    code: str, typed: str, order: str, side: Side
) -> None:
    state = new_game()
    state.awaiting = state.awaiting._replace(side=side)
    assert read(Language(code), typed, state).notation() == order


@pytest.mark.parametrize(("code", "typed"), SAID["told"]["lifts"])
def test_lifting_a_siege_does_not_mean_withdrawing_as_its_defender(code: str, typed: str) -> None:
    defended = position_of("FD")
    assert is_legal(defended, read(ENGLISH, "withdraw Louisbourg: Militia", defended))
    error_text(code, typed, defended)


@pytest.mark.parametrize(("code", "typed"), SAID["told"]["ends"])
def test_passing_the_turn_means_end_not_pass(code: str, typed: str) -> None:
    for letters, can_end in (("BE", True), ("BT", False)):
        order = read(Language(code), typed, position_of(letters))
        assert order.notation() == "end"
        assert is_legal(position_of(letters), order) is can_end


@pytest.mark.parametrize(("code", "typed"), SAID["told"]["matters"])
def test_text_with_a_meaningful_extra_word_is_refused(code: str, typed: str) -> None:
    error_text(code, typed, position_of("B5"))


@pytest.mark.parametrize(("code", "typed"), SAID["told"]["cut_short"])
def test_abbreviations_are_not_ignored_as_small_words(code: str, typed: str) -> None:
    """For example, `for` means Fort Halifax, and `d` means discard."""
    state = position(Seat(hand="rangers militia fort-halifax", money=5))
    cards = "fort-halifax, militia" if " for " in typed else "militia, rangers"
    assert read(Language(code), typed, state).notation() == f"discard {cards}"


# --- refused texts

OFFER = {"en": "Did you mean", "fr": "Vouliez-vous dire", "it": "Intendi", "ru": "Вы имели в виду"}


@pytest.mark.parametrize(("code", "words"), SAID["told"]["no_verbs"])
def test_words_that_end_like_a_verb_get_no_suggestion(code: str, words: str) -> None:
    for word in words.split():
        output = error_text(code, f"{word} 7years", position_of("B5"))
        assert OFFER[code] not in output, output


@pytest.mark.parametrize(("code", "typed"), SAID["told"]["without_money"])
def test_taking_a_card_without_money_means_drafting_it(code: str, typed: str) -> None:
    state, language = position_of("B5"), Language(code)
    order = read(language, typed, state)
    assert order.notation() == "take militia"
    expected = [one.notation() for one in other_readings(language, typed, order, state)]
    assert expected == ["draft militia"]
    matches = explain_typed_order(language, [state], BRITISH, typed)
    assert [near.notation() for near in matches.nearest][:1] == expected


@pytest.mark.parametrize(("code", "typed", "absurd"), SAID["told"]["absurd"])
def test_suggestions_are_similar_to_the_typed_text(code: str, typed: str, absurd: str) -> None:
    assert absurd.casefold() not in error_text(code, typed, position_of("FB")).casefold()


@pytest.mark.parametrize(("code", "typed", "wrong"), SAID["told"]["mistyped"])
def test_unknown_name_in_a_known_phrase_is_reported(code: str, typed: str, wrong: str) -> None:
    assert wrong in error_text(code, typed, position_of("B5")).partition(".")[0]


@pytest.mark.parametrize(("code", "typed", "expected"), SAID["told"]["encoded"])
def test_encodings_make_no_difference(code: str, typed: str, expected: str) -> None:
    state = position_of("BS" if "assedio" in typed else "BT")
    for apostrophe in "'’ʼ‘´`":
        for form in ("NFC", "NFD"):
            text = normalize(form, f"« {typed.replace(chr(39), apostrophe)} ! »")
            assert read(Language(code), text, state).notation() == expected, text


# --- missing parts


@pytest.mark.parametrize(
    ("letters", "typed", "expected"),
    [
        ("BO", "leave", "leave louisbourg"),
        ("BS", "withdraw: Militia", "withdraw louisbourg: militia"),
        ("BT", "merchant Boston, New York, Ships", "merchant ships, boston, new-york"),
        ("BE", "e", "end"),
    ],
)
def test_unambiguous_missing_parts_are_added(letters: str, typed: str, expected: str) -> None:
    assert read(ENGLISH, typed, position_of(letters)).notation() == expected


@pytest.mark.parametrize("typed", ["take", "siege Louisbourg: Militia", "siege", "settle Ohio"])
def test_ambiguous_missing_parts_are_not_added(typed: str) -> None:
    error_text("en", typed, position_of("BS"))


def test_verb_alone_is_the_only_order_of_its_kind() -> None:
    state = position(Seat(money=5), Seat(hand="louisbourg ships"), active=FRENCH)
    assert read(ENGLISH, "piracy", state).notation() == "piracy ships"


def test_card_is_typed_as_it_is_printed() -> None:
    for hand, expected in (
        ("regular-infantry-initial", "reserve regular-infantry-initial"),
        ("regular-infantry regular-infantry-initial", "reserve regular-infantry"),
        ("quebec", "reserve regular-infantry"),
    ):
        state = position(french=Seat(hand=hand), active=FRENCH)
        assert read(ENGLISH, "reserve Regular Infantry", state).notation() == expected
        assert read(Language("fr"), "réserver Infanterie régulière", state).notation() == expected


@pytest.mark.slow
@pytest.mark.parametrize("code", SPOKEN)
def test_suggested_orders_are_legal(code: str) -> None:
    language = Language(code)
    for letters, typed, _ in islice(spoken_orders(code), 0, None, 9):
        for other in ("BT", "FT", "BS", "BR"):
            state = position_of(other if other[0] == letters[0] else letters)
            try:
                order = read(language, typed, state)
            except UnreadableOrderError:
                continue
            assert all(
                is_legal(state, one) for one in other_readings(language, typed, order, state)
            )
