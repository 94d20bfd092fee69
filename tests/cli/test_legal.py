"""`acres turn legal`: what is listed, what the words choose, and how long lists are told."""

from __future__ import annotations

import json
import re
from time import perf_counter
from typing import Any

import pytest

from engine.choices import Choices
from engine.orders import Discard, Take
from pbem.cli import console
from pbem.text.language import SOURCE, Language
from pbem.text.naming import normal
from pbem.text.ordering.menu import Menus, overview
from tests.cli.using import acres, do
from tests.engine.positions import FRENCH, Seat, position

ENGLISH = Language(SOURCE)
FILE = "game-017.toml"


def listed(*words: str) -> list[dict[str, Any]]:
    """The orders of the British with these words, as data."""
    result = do("turn", "legal", FILE, *words, "--json", home="british")
    orders: list[dict[str, Any]] = json.loads(result.out)["orders"]
    return orders


@pytest.mark.usefixtures("in_the_game")
class TestWords:
    def test_each_word_has_to_begin_one_of_the_order(self) -> None:
        everything = listed()
        for words in (["draft"], ["dra"], ["DISC", "bost"], ["draft", "mil"], ["home"], ["pass"]):
            wanted = [normal(word) for word in words]
            expected = [
                entry["order"]
                for entry in everything
                if all(
                    any(part.startswith(word) for part in normal(str(entry["text"])).split())
                    for word in wanted
                )
            ]
            assert sorted(entry["order"] for entry in listed(*words)) == sorted(expected)
        assert listed("draft")

    def test_words_in_one_argument_are_as_good(self) -> None:
        assert listed("disc bost") == listed("disc", "bost")
        assert listed("DRAFT: Neutral-Settlers") == listed("draft", "neutral", "settlers")

    def test_a_word_of_the_game_that_no_legal_order_has_lists_nothing(self) -> None:
        assert listed("reinforce") == []
        told = do("turn", "legal", FILE, "reinforce", "bos", home="british")
        assert "No order that is legal now contains the words “reinforce” and “bos”." in told.out

    def test_long_lists_are_told_by_their_parts_unless_asked_for(self) -> None:
        """However it is cut: every order that the data has is on the screen with --all."""
        everything = listed()
        short = acres("turn", "legal", FILE, home="british").out
        full = acres("turn", "legal", FILE, "--all", home="british").out
        parts = r" (as (connection|transport|settler|ship|gold)|to stay there)\b"
        told = re.sub(parts, "", " ".join(full.split()))
        assert [entry["text"] for entry in everything if entry["text"] not in told] == []
        assert len(short.splitlines()) < len(full.splitlines())
        discards = [e for e in everything if str(e["order"]).startswith("discard ")]
        assert f"discard ({len(discards)} orders" in short
        # A word lists the parts one by one.
        assert len(acres("turn", "legal", FILE, "disc", home="british").out.splitlines()) >= len(
            discards
        )


HUGE = (
    "montreal quebec louisbourg gaspe port-royal tadoussac trois-rivieres trader governor "
    "intendant priest native-americans militia regular-infantry regular-infantry-initial "
    "fortification neutral-native-americans home-support"
)


def test_an_endless_list_is_told_without_listing_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A quarter of a million discards: nobody waits for them to be counted."""
    state = position(french=Seat(hand=HUGE), active=FRENCH, edition="first")
    began = perf_counter()
    console.say_lines(overview(Menus(ENGLISH, Choices([state])), "acres FILE", "--all"))
    assert perf_counter() - began < 5
    shown = capsys.readouterr().out
    assert "discard (many orders" in shown
    assert "acres FILE settle" in shown


def test_the_whole_list_never_takes_long_and_says_where_it_is_not_whole() -> None:
    state = position(french=Seat(hand=HUGE), active=FRENCH, edition="first")
    began = perf_counter()
    found = Menus(ENGLISH, Choices([state])).legal()
    assert perf_counter() - began < 10
    assert Discard in found.shortened
    assert Take not in found.shortened
    lengths = {len(order.cards) for order in found.by_kind[Discard]}
    assert lengths == set(range(1, max(lengths) + 1))
    name = state.ruleset.catalogue.name_of
    with_trader = Menus(ENGLISH, Choices([state])).legal(["discard trader"])
    assert all("Trader" in str(order.text(name)) for order in with_trader.by_kind[Discard])
    assert with_trader.by_kind.keys() == {Discard}
