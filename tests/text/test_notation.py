"""Typed orders in English: abbreviations, ambiguous texts, and unreadable ones."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings

from engine.actions.action import cards_for
from engine.game import legal_orders
from engine.order import Order, UnreadableOrderError
from engine.orders import GiveFromReserve, Raid, Settle, from_notation
from engine.state import State
from pbem.text.language import SOURCE, Language
from pbem.text.naming import normalize
from pbem.text.ordering.reading import read, verb_alone
from tests.engine.arbitrary import arbitrary_order, random_game
from tests.engine.cases import position_of
from tests.engine.positions import FRENCH, Seat, position, refusal
from tests.engine.starts import SEEDS, START_NAMES, STARTS, modest, thorough

ENGLISH = Language(SOURCE)
TYPED = tomllib.loads(Path(__file__).with_name("typed.toml").read_text(encoding="utf-8"))
BRITISH_TURN = position(
    Seat(hand="boston new-haven st-marys rangers home-support", villages="deerfield")
)
FRENCH_TURN = position(french=Seat(hand="gaspe tadoussac trader regular-infantry"), active=FRENCH)


@pytest.mark.parametrize(("typed", "order"), TYPED["british"].items())
def test_british_orders_are_read(typed: str, order: str) -> None:
    assert read(ENGLISH, typed, BRITISH_TURN).notation() == order


@pytest.mark.parametrize(("typed", "order"), TYPED["french"].items())
def test_french_orders_are_read(typed: str, order: str) -> None:
    assert read(ENGLISH, typed, FRENCH_TURN).notation() == order


@pytest.mark.parametrize(("typed", "complaint"), TYPED["unreadable"].items())
def test_unreadable_order_is_refused_with_its_fault(typed: str, complaint: str) -> None:
    with pytest.raises(UnreadableOrderError, match=complaint):
        read(ENGLISH, typed, BRITISH_TURN)


# --- several readings: the legal one is meant, and nobody guesses between two


@pytest.mark.parametrize("case", TYPED["meant"], ids=lambda case: case["typed"])
def test_only_legal_reading_is_chosen(case: dict[str, Any]) -> None:
    assert read(ENGLISH, case["typed"], position_of(case)).notation() == case["order"]


@pytest.mark.parametrize("case", TYPED["asked"], ids=lambda case: case["typed"])
def test_ambiguous_order_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(UnreadableOrderError, match=case["error"]):
        read(ENGLISH, case["typed"], position_of(case))


def test_order_that_an_answer_may_allow_is_read() -> None:
    worlds = position(Seat(money=0)), position(Seat(hand="boston", money=2))
    assert read(ENGLISH, "draft mil", *worlds).notation() == "draft militia"
    refused = refusal(position(Seat(hand="fortification boston")), "draft Fortification")
    assert "No Fortification card is available" in refused


def test_cards_of_an_order_are_no_verbs_of_another() -> None:
    state = position(Seat(hand="governor fort-halifax neutral-settlers"))
    order = Settle("fort-halifax", ("governor", "governor"))
    assert read(ENGLISH, "settle Fort Halifax: Governor, Governor", state) == order


@pytest.mark.parametrize(
    ("typed", "kind"),
    [("raid", Raid), ("SETTLE ", Settle), ("sett", Settle), ("GIVE from-reserve", GiveFromReserve)],
)
def test_verb_alone_is_known(typed: str, kind: type[Order]) -> None:
    assert verb_alone(ENGLISH, typed) is kind


@pytest.mark.parametrize(
    "typed", ["", "fly", "re", "raid Boston", "take Boston", "pass", "retrieve"]
)
def test_text_with_more_than_a_verb_is_no_verb_alone(typed: str) -> None:
    assert verb_alone(ENGLISH, typed) is None


@pytest.mark.parametrize(
    "written", ["", "Pass", "pass ", "settle deerfield", "discard b, a", "settle: a, b", "end: "]
)
def test_record_has_one_form_only(written: str) -> None:
    with pytest.raises(UnreadableOrderError):
        from_notation(written)


# --- mistyped orders


@pytest.mark.parametrize(("typed", "expected"), TYPED["mistyped"].items())
def test_mistyped_order_gets_the_nearest_names(typed: str, expected: str) -> None:
    with pytest.raises(UnreadableOrderError) as refused:
        read(ENGLISH, typed, BRITISH_TURN)
    assert str(refused.value).endswith(f"Did you mean {expected}?")


# --- every legal order, cut short


def shorten(random: Random, text: str) -> str:
    """Return the text with each word cut to a random beginning."""
    return " ".join(word[: random.randint(1, len(word))] for word in text.split())


def abbreviate(random: Random, order: Order, state: State) -> tuple[str, list[str]]:
    """Return an abbreviated order as typed, and its parts: the head, then the cards."""
    name = state.ruleset.catalogue.name_of
    place = [str(name(order.target))] if order.location else []
    head, *rest = normalize(str(order.verb_label())), *place
    first = " ".join(shorten(random, normalize(part)) for part in (head, *rest))
    cards = [shorten(random, normalize(str(name(card)))) for card in order.cards]
    if order.location is None:
        return f"{first} {', '.join(cards)}".strip(), [
            f"{first} {', '.join(cards[:1])}",
            *cards[1:],
        ]
    return f"{first}: {', '.join(cards)}" if cards else first, [first, *cards]


def can_mean(parts: list[str], order: Order, state: State) -> bool:
    """Return True if typed words begin words of the order, in sequence: the loosest reading."""
    name = state.ruleset.catalogue.name_of
    texts = [normalize(str(name(card))) for card in order.cards]
    head = normalize(str(order.verb_label())).split()
    words, others = parts[0].split(), parts[1:]
    if order.location is not None or not texts:
        place = [normalize(str(name(order.target)))] if order.location else []
        return _matches_head(words, head, place) and _can_be_paired(others, texts)
    return any(
        _matches_head(words, head, [text]) and _can_be_paired(others, texts[:i] + texts[i + 1 :])
        for i, text in enumerate(texts)
    )


def _matches_head(words: list[str], verb: list[str], start: list[str]) -> bool:
    used = 0
    for word, part in zip(words, verb, strict=False):
        if not part.startswith(word):
            break
        used += 1
    rest = words[used:]
    return used > 0 and (_matches_words(rest, start[0].split()) if start else not rest)


def _matches_words(short: list[str], words: list[str]) -> bool:
    left = iter(words)
    return bool(short) and all(any(w.startswith(s) for w in left) for s in short)


def _can_be_paired(parts: list[str], places: list[str]) -> bool:
    """Return True if the parts can mean these names, in any sequence."""
    if not parts:
        return not places
    return any(
        _matches_words(parts[0].split(), places[i].split())
        and _can_be_paired(parts[1:], places[:i] + places[i + 1 :])
        for i in range(len(places))
    )


@pytest.mark.slow
@modest
@given(seed=SEEDS, start=START_NAMES)
@example(seed=474656, start="unpaid shuffle")
def test_unambiguous_abbreviations_are_read_back(seed: int, start: str) -> None:
    """An ambiguous abbreviation is never read as an order that it does not abbreviate."""
    random = Random(seed)
    for state in random_game(random, 40, STARTS[start]()):
        legal = legal_orders(state)
        for order in random.sample(legal, min(5, len(legal))):
            typed, parts = abbreviate(random, order, state)
            possible = {other for other in legal if can_mean(parts, other, state)}
            assert order in possible
            try:
                expected = read(ENGLISH, typed, state)
            except UnreadableOrderError as error:
                assert len(possible) > 1, f"“{typed}” for {order}: {error!s}"
            else:
                assert expected in possible, f"“{typed}” is taken for {expected}, not {order}"


# --- any position


def without_accents(text: str) -> str:
    """Return a text in lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def is_sayable(order: Order, state: State) -> bool:
    """Return True if an order names only existing places, and cards the side can own.

    `Regular Infantry` is no such name if only `Regular Infantry (initial)` is at hand, as it means
    that card then.
    """
    catalogue, side = state.ruleset.catalogue, state.awaiting.side
    known, near = catalogue.cards[side], cards_for(state, side, type(order), catalogue.locations)
    place = order.location is None or order.location in catalogue.locations
    is_other = any(f"{card}-initial" in near and card not in near for card in order.cards)
    return place and not is_other and all(card in known for card in order.cards)


def names_of(order: Order) -> set[str]:
    """Return the cards of an order, by the names that a player may write."""
    return {card.removesuffix("-initial") for card in order.cards}


def check_notation(seed: int, start: str, length: int) -> None:
    """Check that orders are read back from notation and text, in any case, without accents."""
    random = Random(seed)
    for state in random_game(random, length, STARTS[start]()):
        choices = legal_orders(state)
        name = state.ruleset.catalogue.name_of
        for order in random.sample(choices, min(8, len(choices))):
            assert from_notation(order.notation()) == order
            text = str(order.text(name))
            assert read(ENGLISH, text, state) == order
            assert read(ENGLISH, without_accents(text), state) == order
            assert read(ENGLISH, f"  {text.upper()} ", state) == order
            assert read(ENGLISH, order.notation(), state) == order
        for order in (arbitrary_order(random, state) for _ in range(12)):
            if is_sayable(order, state):
                # Another order is meant only if it is legal, this one is not, and it has no other
                # cards: `take Militia` may draft it, and `trade Quebec, Trader` names the seller.
                meaning = read(ENGLISH, str(order.text(name)), state)
                is_other = order not in choices and meaning in choices
                assert meaning == order or (is_other and names_of(meaning) <= names_of(order))
                assert read(ENGLISH, order.notation(), state) == order


@pytest.mark.parametrize("start", list(STARTS)[::6])
@settings(modest, max_examples=1)
@given(seed=SEEDS)
def test_orders_read_back_as_they_were_written(start: str, seed: int) -> None:
    check_notation(seed, start, 12)


@pytest.mark.long
@thorough
@given(seed=SEEDS, start=START_NAMES)
@example(seed=51315051, start="raid reply")
def test_orders_of_many_games_read_back(seed: int, start: str) -> None:
    check_notation(seed, start, 100)
