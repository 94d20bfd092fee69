"""Reading what players type: the forms of the design, abbreviations, and what is unreadable."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings

from engine.game import legal_orders
from engine.order import Order, UnreadableOrder
from engine.orders import GiveFromReserve, Raid, Settle, from_notation
from engine.state import State
from pbem.text.language import SOURCE, Language
from pbem.text.naming import normal
from pbem.text.ordering.reading import read, verb_alone
from tests.engine.arbitrary import arbitrary_order, random_game
from tests.engine.positions import FRENCH, Seat, do, position, refusal
from tests.engine.starts import SEEDS, START_NAMES, STARTS, modest, thorough

ENGLISH = Language(SOURCE)
TYPED = tomllib.loads(Path(__file__).with_name("typed.toml").read_text(encoding="utf-8"))
BRITISH_TURN = position(
    Seat(hand="boston new-haven st-marys rangers home-support", villages="deerfield")
)
FRENCH_TURN = position(french=Seat(hand="gaspe tadoussac trader regular-infantry"), active=FRENCH)


def test_a_settlement_is_read_in_many_forms() -> None:
    for typed in (
        "settle Deerfield: New Haven, St. Mary's, Boston",
        "SETTLE deerfield:new haven,st marys,boston",
        "settle deer: new h, st m, bos",
    ):
        order = read(ENGLISH, typed, BRITISH_TURN).notation()
        assert order == "settle deerfield: new-haven, st-marys, boston"


@pytest.mark.parametrize(("typed", "notation"), TYPED["british"].items())
def test_british_orders_are_read(typed: str, notation: str) -> None:
    assert read(ENGLISH, typed, BRITISH_TURN).notation() == notation


@pytest.mark.parametrize(("typed", "notation"), TYPED["french"].items())
def test_french_orders_are_read(typed: str, notation: str) -> None:
    assert read(ENGLISH, typed, FRENCH_TURN).notation() == notation


@pytest.mark.parametrize(("typed", "complaint"), TYPED["unreadable"].items())
def test_an_unreadable_order_is_named_with_what_is_wrong(typed: str, complaint: str) -> None:
    with pytest.raises(UnreadableOrder, match=complaint):
        read(ENGLISH, typed, BRITISH_TURN)


# --- several readings: the legal one is meant, and nobody guesses between two


def british(hand: str, **more: Any) -> State:
    return position(Seat(hand=hand, **more))


def french(hand: str) -> State:
    return position(french=Seat(hand=hand), active=FRENCH)


TWO_MIL = british("militia military-leader boston")
NEUTRALS = british("militia neutral-settlers")
BOTH_NATIVES = french("native-americans neutral-native-americans")
BESIEGED = position(
    Seat(villages="halifax", besieged="fortification", hand="boston"),
    french=Seat(siege="regular-infantry"),
    besieging={FRENCH: "halifax"},
)
RAID = "raid Deerfield: "
MEANT = [
    # A name in full is never taken for another card: one's own Fortification is in hand and cannot
    # be drafted; the neutral one costs 3 money.
    (british("fortification boston"), "draft Fortification", "draft fortification"),
    (british("fortification boston"), "draft fort", "draft neutral-fortification"),
    (french("neutral-native-americans"), f"{RAID}Native Americans", f"{RAID}native-americans"),
    (french("neutral-native-americans"), f"{RAID}nat", f"{RAID}neutral-native-americans"),
    # A name that begins as typed goes before one that has it in its middle, where both are legal,
    # or neither is; what alone is legal is meant in any case.
    (french("priest"), "reserve native", "reserve native-americans"),
    (BOTH_NATIVES, "reserve native am", "reserve native-americans"),
    (BOTH_NATIVES, "reserve neutral", "reserve neutral-native-americans"),
    (french("neutral-native-americans"), "reserve native", "reserve neutral-native-americans"),
    # What can be had or done now, or in one way only; a Military Leader costs more than a Militia.
    (british("boston", money=2), "draft mil", "draft militia"),
    (BESIEGED, "withdraw hal: fort", "withdraw halifax: fortification"),
    (TWO_MIL, "discard mil, mil", "discard military-leader, militia"),
    (british("militia boston new-haven"), "re mil", "reserve militia"),
    (british("militia boston new-haven", reserve="rangers"), "re", "retrieve"),
    # Nowhere: what begins as typed is meant rather than Fort Halifax.
    (BESIEGED, "develop hal: boston", "develop halifax: boston"),
    # Cards are counted as lists count them.
    (british("militia militia boston"), "discard Militia x2, Boston",
     "discard boston, militia, militia"),
    (FRENCH_TURN, "home s", "home-support"),
]  # fmt: skip
ASKED = [
    (BOTH_NATIVES, "reserve am", "could be"),
    (british("boston", money=20), "draft mil", "“mil” could be Military Leader, Militia"),
    (british("boston", money=0), "draft mil", "“mil” could be Military Leader, Militia"),
    (BESIEGED, "develop fort: boston", "“fort” could be .*Fort Halifax"),
    (TWO_MIL, "discard mil", "“mil” could be Mil[a-z ]*, Mil[a-z ]*"),
    (british("militia boston new-haven"), "d mil", "“d” could be draft or discard"),
    (BRITISH_TURN, "settle deer: boston", r"^Deerfield: settle takes 2 to 3 cards\.$"),
    # “milita” begins Military Leader; who has a Militia in hand is not told about that.
    (NEUTRALS, "reserve milita", r"no card “milita”\. Did you mean Militia\?$"),
    (NEUTRALS, "reserve setlers", r"Did you mean Neutral Settlers\?$"),
    (NEUTRALS, "draft setlers", r"Did you mean Settlers or Neutral Settlers\?$"),
    # Where nothing is near, what there is is listed.
    (NEUTRALS, "discard 7years", r"choose from Militia, Neutral Settlers\.$"),
    (BRITISH_TURN, "take Quebec", "“Quebec” for the British: it is one of the French"),
    (french("coureurs-de-bois"), "give f r mil", "“give” takes 1 card"),
]


@pytest.mark.parametrize(("state", "typed", "notation"), MEANT, ids=range(len(MEANT)))
def test_the_legal_one_is_meant(state: State, typed: str, notation: str) -> None:
    assert read(ENGLISH, typed, state).notation() == notation.lower()


@pytest.mark.parametrize(("state", "typed", "told"), ASKED, ids=range(len(ASKED)))
def test_nobody_guesses(state: State, typed: str, told: str) -> None:
    with pytest.raises(UnreadableOrder, match=told):
        read(ENGLISH, typed, state)


def test_what_may_be_possible_after_an_answer_is_meant() -> None:
    worlds = position(Seat(money=0)), british("boston", money=2)
    assert read(ENGLISH, "draft mil", *worlds).notation() == "draft militia"
    refused = refusal(british("fortification boston"), "draft Fortification")
    assert "No Fortification card is available" in refused


def test_a_verb_of_several_words_is_cut_short_too() -> None:
    state = position(
        Seat(hand="boston", reserve="militia"), Seat(hand="coureurs-de-bois"), active=FRENCH
    )
    do(state, "ambush coureurs")
    for typed in ("give f r mil", "giv from res mil"):
        assert read(ENGLISH, typed, state).notation() == "give-from-reserve militia"


@pytest.mark.parametrize(
    ("typed", "kind"),
    [("raid", Raid), ("SETTLE ", Settle), ("sett", Settle), ("GIVE from-reserve", GiveFromReserve)],
)
def test_a_verb_alone_is_known(typed: str, kind: type[Order]) -> None:
    assert verb_alone(ENGLISH, typed) is kind


@pytest.mark.parametrize(
    "typed", ["", "fly", "re", "raid Boston", "take Boston", "pass", "retrieve"]
)
def test_anything_else_is_no_verb_alone(typed: str) -> None:
    assert verb_alone(ENGLISH, typed) is None


@pytest.mark.parametrize(
    "written", ["", "Pass", "pass ", "settle deerfield", "discard b, a", "settle: a, b", "end: "]
)
def test_a_record_has_one_form_only(written: str) -> None:
    with pytest.raises(UnreadableOrder):
        from_notation(written)


# --- what is typed in a hurry


@pytest.mark.parametrize(("typed", "notation"), TYPED["left_out"].items())
def test_what_is_left_out_is_understood(typed: str, notation: str) -> None:
    assert read(ENGLISH, typed, BRITISH_TURN).notation() == notation


@pytest.mark.parametrize(("typed", "meant"), TYPED["mistyped"].items())
def test_a_mistyped_order_gets_the_nearest_names(typed: str, meant: str) -> None:
    with pytest.raises(UnreadableOrder) as refused:
        read(ENGLISH, typed, BRITISH_TURN)
    assert str(refused.value).endswith(f"Did you mean {meant}?")


# --- every legal order, cut short


def cut_short(random: Random, text: str) -> str:
    """The text with each word cut to a beginning of it."""
    return " ".join(word[: random.randint(1, len(word))] for word in text.split())


def typed_at_random(random: Random, order: Order, state: State) -> tuple[str, list[str]]:
    """An order cut short: how it is typed, and its parts: the head, then the cards."""
    name = state.ruleset.catalogue.name_of
    place = [str(name(order.place))] if order.location else []
    head, *rest = normal(str(order.words())), *place
    first = " ".join(cut_short(random, normal(part)) for part in (head, *rest))
    cards = [cut_short(random, normal(str(name(card)))) for card in order.cards]
    if order.location is None:
        return f"{first} {', '.join(cards)}".strip(), [
            f"{first} {', '.join(cards[:1])}",
            *cards[1:],
        ]
    return f"{first}: {', '.join(cards)}" if cards else first, [first, *cards]


def may_mean(parts: list[str], order: Order, state: State) -> bool:
    """Whether each typed word begins a word of the order, in sequence: the loosest reading."""
    name = state.ruleset.catalogue.name_of
    texts = [normal(str(name(card))) for card in order.cards]
    head = normal(str(order.words())).split()
    words, others = parts[0].split(), parts[1:]
    if order.location is not None or not texts:
        place = [normal(str(name(order.place)))] if order.location else []
        return _begins(words, head, place) and _paired(others, texts)
    return any(
        _begins(words, head, [text]) and _paired(others, texts[:i] + texts[i + 1 :])
        for i, text in enumerate(texts)
    )


def _begins(words: list[str], verb: list[str], start: list[str]) -> bool:
    used = 0
    for word, part in zip(words, verb, strict=False):
        if not part.startswith(word):
            break
        used += 1
    rest = words[used:]
    return used > 0 and (_word_by_word(rest, start[0].split()) if start else not rest)


def _word_by_word(short: list[str], words: list[str]) -> bool:
    left = iter(words)
    return bool(short) and all(any(w.startswith(s) for w in left) for s in short)


def _paired(parts: list[str], places: list[str]) -> bool:
    """Whether the parts can mean these names, in any sequence."""
    if not parts:
        return not places
    return any(
        _word_by_word(parts[0].split(), places[i].split())
        and _paired(parts[1:], places[:i] + places[i + 1 :])
        for i in range(len(places))
    )


@modest
@given(seed=SEEDS, start=START_NAMES)
@example(seed=474656, start="unpaid shuffle")
def test_every_legal_order_reads_back_from_what_abbreviates_it_alone(seed: int, start: str) -> None:
    """And what abbreviates several legal orders is never taken for one that it does not."""
    random = Random(seed)
    for state in random_game(random, 40, STARTS[start]()):
        legal = legal_orders(state)
        for order in random.sample(legal, min(5, len(legal))):
            typed, parts = typed_at_random(random, order, state)
            possible = {other for other in legal if may_mean(parts, other, state)}
            assert order in possible
            try:
                meant = read(ENGLISH, typed, state)
            except UnreadableOrder as error:
                assert len(possible) > 1, f"“{typed}” for {order}: {error!s}"
            else:
                assert meant in possible, f"“{typed}” is taken for {meant}, not {order}"


# --- whatever the position


def plain(text: str) -> str:
    """A text as a lazy player types it: lower case, no accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def sayable(order: Order, state: State) -> bool:
    """Whether an order names only places there are and cards the awaited side can ever own."""
    catalogue = state.ruleset.catalogue
    known = catalogue.cards[state.awaiting.side]
    place = order.location is None or order.location in catalogue.locations
    return place and all(card in known for card in order.cards)


def check_notation(seed: int, start: str, length: int) -> None:
    """What is written for an order is read as that order, however it is typed."""
    random = Random(seed)
    for state in random_game(random, length, STARTS[start]()):
        choices = legal_orders(state)
        name = state.ruleset.catalogue.name_of
        for order in random.sample(choices, min(8, len(choices))):
            assert from_notation(order.notation()) == order
            text = str(order.text(name))
            assert read(ENGLISH, text, state) == order
            assert read(ENGLISH, plain(text), state) == order
            assert read(ENGLISH, f"  {text.upper()} ", state) == order
            assert read(ENGLISH, order.notation(), state) == order
        for order in (arbitrary_order(random, state) for _ in range(12)):
            if sayable(order, state):
                # What the order means does not hang on its being legal, or on what is in hand.
                assert read(ENGLISH, str(order.text(name)), state) == order
                assert read(ENGLISH, order.notation(), state) == order


@pytest.mark.parametrize("start", list(STARTS)[::6])
@settings(modest, max_examples=1)
@given(seed=SEEDS)
def test_orders_read_back_as_they_were_written(start: str, seed: int) -> None:
    check_notation(seed, start, 12)


@pytest.mark.long
@thorough
@given(seed=SEEDS, start=START_NAMES)
def test_orders_of_many_games_read_back_long(seed: int, start: str) -> None:
    check_notation(seed, start, 100)
