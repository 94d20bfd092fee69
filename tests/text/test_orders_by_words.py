"""Orders chosen by words, and completed by the TAB key, in the player's language and in English."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.choices import Choices
from engine.order import Order
from engine.orders import ORDERS
from pbem.cli import console
from pbem.errors import UsageError
from pbem.text.language import LOCALE, NAMES, SOURCE, adapt_prefix, has_prefix
from pbem.text.ordering.lists import complete_orders
from pbem.text.ordering.menu import Menus
from pbem.text.ordering.reading import read
from tests.engine.positions import Seat, position
from tests.sample import sample
from tests.text.made_up import install_language
from tests.text.test_typed_orders import CATALOGUE, TURN

OTHERS = [code for code in NAMES if code != SOURCE and (LOCALE / code).exists()]
MONEY = position(Seat(hand="boston new-haven st-marys rangers home-support", money=12))
WAYS = Choices([MONEY])


def matching_orders(words: str) -> set[Order]:
    listed = Menus(console.language(), Choices([TURN])).legal([words]).by_kind.values()
    return {order for orders in listed for order in orders}


@pytest.fixture
def strange(tmp_path: Path) -> Iterator[None]:
    """A made-up language is spoken."""
    with install_language(tmp_path) as language, console.use_language(language.code):
        yield


# --- words that choose


@pytest.mark.slow
@pytest.mark.parametrize("language", sample(OTHERS, first=1))
def test_words_filter_alike_in_english_and_in_the_language(language: str) -> None:
    plain = {kind: matching_orders(str(kind.verb_label())) for kind in ORDERS.values()}
    places = {
        id: matching_orders(CATALOGUE.names[id]) for id in ("new-haven", "st-marys", "boston")
    }
    assert all(places.values())
    console.set_language(language)
    for kind, orders in plain.items():
        assert matching_orders(kind.english_verb()) >= orders
        assert {
            o for o in matching_orders(console.translate(kind.verb_label())) if type(o) is kind
        } == {o for o in orders if type(o) is kind}
    for id, orders in places.items():
        assert (
            matching_orders(CATALOGUE.names[id])
            == matching_orders(console.translate(CATALOGUE.name_of(id)))
            == orders
        )


@pytest.mark.usefixtures("strange")
def test_words_filter_by_every_form_of_a_name() -> None:
    home = {order for order in matching_orders("") if "home-support" in order.notation()}
    assert (
        matching_orders("hilfe")
        == matching_orders("heimat support")
        == matching_orders("home support")
        == home
    )
    assert matching_orders("wegwerfen new") == matching_orders("discard new") != set()
    with pytest.raises(UsageError, match=r"“wrefen”\. Did you mean werfen\?"):
        Menus(console.language(), Choices([TURN])).legal(["wrefen"])


# --- the TAB key


def completions(typed: str) -> list[str]:
    return [text for text, _ in complete_orders(console.language(), WAYS, typed)]


@pytest.mark.parametrize("language", [SOURCE, *OTHERS])
def test_completions_begin_as_typed_and_are_legal(language: str) -> None:
    console.set_language(language)
    visible = set()
    for order in WAYS.some_orders():
        output = console.translate(order.text(CATALOGUE.name_of))
        for length in range(0, len(output) + 1, 8):
            matches = completions(output[:length])
            assert matches, output[:length]
            assert all(has_prefix(text, output[:length]) for text in matches)
        assert output in completions(output)
        visible.add(type(order))
    assert len(visible) > 5


@pytest.mark.parametrize("language", OTHERS)
def test_order_in_english_is_completed_in_english(language: str) -> None:
    order = read(console.language(), "draft regular infantry", MONEY)
    english = str(order.text(CATALOGUE.name_of))
    plain = {length: completions(english[:length]) for length in range(5, len(english) + 1)}
    console.set_language(language)
    for length, matches in plain.items():
        assert completions(english[:length]) == matches
    (last,) = completions(english)
    assert read(console.language(), last, MONEY) == order


@pytest.mark.usefixtures("strange")
def test_english_words_are_offered_only_if_no_others_match() -> None:
    assert all(text.startswith(("werfen", "hilfe", "wei")) for text in completions("w"))
    assert completions("sett") and all(text.startswith("settle") for text in completions("sett"))
    assert all(text.startswith("siedeln") for text in completions("sie"))


def test_kinds_of_apostrophe_make_no_difference() -> None:
    assert has_prefix("take St. Mary’s", "take st. mary's")
    assert adapt_prefix("take St. Mary’s, Boston", "take st. mary's") == "take st. mary's, Boston"
