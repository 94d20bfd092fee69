"""`acres players`: opponents by their keys, their nicknames, and forgetting them."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pbem.play.store import Store, StoreError
from pbem.text.phrases import fingerprint
from tests.cli.commands import Result, acres, public_key_in

pytestmark = pytest.mark.usefixtures("in_game_folder")

BRITISH = Path("british")


def key_of(home: str = "french") -> bytes:
    return public_key_in(Path(home))


def players(*words: str, home: Path = BRITISH) -> Result:
    return acres("players", *words, home=home)


def list_players(home: Path = BRITISH) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = json.loads(players("--json", home=home).out)
    return facts


def test_opponents_are_listed_with_keys_and_games(game: Path) -> None:
    (facts,) = list_players()
    assert facts["key"] == key_of().hex()
    assert facts["people"] == [{"name": "Émile", "email": "french@example.org"}]
    assert (facts["nickname"], facts["games"], facts["passes_for"]) == (None, 1, None)


@pytest.mark.parametrize("by", ["digits", "spaced", "words", "fingerprint", "name", "address"])
def test_player_is_named_by_the_key_or_the_name(game: Path, by: str) -> None:
    digits = key_of().hex()
    words = {
        "digits": [digits[:6]],
        "spaced": [f"{digits[:4]} {digits[4:8].upper()}"],
        "words": [digits[:4], digits[4:8], digits[8:12]],
        "fingerprint": str(fingerprint(key_of())).split(),
        "name": ["emile"],
        "address": ["French@example.org"],
    }[by]
    players("name", *words, "Coach").succeeds()
    assert list_players()[0]["nickname"] == "Coach"
    assert "Coach" in acres("turn", "show", "game-017.toml", home=BRITISH).out
    players("forget", *words).succeeds()
    assert list_players() == []


def test_opponents_of_another_key_are_not_listed(game: Path) -> None:
    # The library of a replaced key is still in the home.
    assert Store(game / "british" / "library.sqlite3", bytes(32)).known_players() == []


def test_damaged_library_is_reported(game: Path) -> None:
    with sqlite3.connect("british/library.sqlite3") as database:
        database.execute("UPDATE met SET name = x'00'")
    with pytest.raises(StoreError):
        Store(game / "british" / "library.sqlite3", key_of("british")).known_players()
    players().fails()
    assert acres("turn", "show", "game-017.toml", home=BRITISH).status == 0
