"""`acres turn legal`: the list of orders, the choice by words, and long lists."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from engine.choices import Choices
from engine.orders import Discard, Take
from pbem.cli import console
from pbem.text.language import SOURCE, Language
from pbem.text.naming import normalize
from pbem.text.ordering.menu import Menus, overview
from tests.cli.commands import acres, do
from tests.engine.positions import FRENCH, Seat, position

ENGLISH = Language(SOURCE)
FILE = "game-017.toml"


def list_orders(*words: str) -> list[dict[str, Any]]:
    """Return the orders of the British with these words, as data."""
    result = do("turn", "legal", FILE, *words, "--json", home="british")
    orders: list[dict[str, Any]] = json.loads(result.out)["orders"]
    return orders


@pytest.mark.usefixtures("in_game_folder")
class TestWords:
    def test_every_search_word_begins_a_word_of_the_order(self) -> None:
        everything = list_orders()
        for words in (["draft"], ["dra"], ["DISC", "bost"], ["draft", "mil"], ["home"], ["pass"]):
            prefixes = [normalize(word) for word in words]
            expected = [
                entry["order"]
                for entry in everything
                if all(
                    any(part.startswith(word) for part in normalize(str(entry["text"])).split())
                    for word in prefixes
                )
            ]
            assert sorted(entry["order"] for entry in list_orders(*words)) == sorted(expected)
        assert list_orders("draft")
        assert list_orders("disc bost") == list_orders("disc", "bost")
        assert list_orders("reinforce") == []

    def test_long_list_is_cut_without_the_option(self) -> None:
        everything = list_orders()
        short = acres("turn", "legal", FILE, home="british").out
        full = acres("turn", "legal", FILE, "--all", home="british").out
        parts = r" (as (connection|transport|settler|ship|gold)|to stay there)\b"
        text = re.sub(parts, "", " ".join(full.split()))
        assert [entry["text"] for entry in everything if entry["text"] not in text] == []
        assert len(short.splitlines()) < len(full.splitlines())
        discards = [e for e in everything if str(e["order"]).startswith("discard ")]
        assert f"discard ({len(discards)} orders" in short


HUGE = (
    "montreal quebec louisbourg gaspe port-royal tadoussac trois-rivieres trader governor "
    "intendant priest native-americans militia regular-infantry regular-infantry-initial "
    "fortification neutral-native-americans home-support"
)


def test_endless_list_is_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    state = position(french=Seat(hand=HUGE), active=FRENCH, edition="first")
    console.say_lines(overview(Menus(ENGLISH, Choices([state])), "acres FILE", "--all"))
    text = capsys.readouterr().out
    assert "discard (many orders" in text
    assert "acres FILE settle" in text


@pytest.mark.slow
def test_list_of_all_orders_marks_the_shortened_kinds() -> None:
    state = position(french=Seat(hand=HUGE), active=FRENCH, edition="first")
    orders = Menus(ENGLISH, Choices([state])).legal()
    assert Discard in orders.shortened
    assert Take not in orders.shortened
    lengths = {len(order.cards) for order in orders.by_kind[Discard]}
    assert lengths == set(range(1, max(lengths) + 1))
    name = state.ruleset.catalogue.name_of
    with_trader = Menus(ENGLISH, Choices([state])).legal(["discard trader"])
    assert all("Trader" in str(order.text(name)) for order in with_trader.by_kind[Discard])
    assert with_trader.by_kind.keys() == {Discard}
