"""`acres players`: who was met by which key, what they are called, and whom to forget."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.play.store import LibraryFailed, Store
from pbem.text.phrases import fingerprint
from tests.cli.using import ROOT, Result, acres, public_key_in

pytestmark = pytest.mark.usefixtures("in_the_game")

BRITISH = Path("british")


def key_of(home: str = "french") -> bytes:
    return public_key_in(Path(home))


def players(*words: str, home: Path = BRITISH) -> Result:
    return acres("players", *words, home=home)


def told(*words: str, home: Path = BRITISH) -> str:
    done = players(*words, home=home).succeeds_quietly()
    return " ".join(done.out.split())


def listed(home: Path = BRITISH) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(players("--json", home=home).out)
    return found


def test_the_same_as_data(game: Path) -> None:
    (facts,) = listed()
    assert facts["key"] == key_of().hex()
    assert facts["people"] == [{"name": "Émile", "email": "french@example.org"}]
    assert (facts["nickname"], facts["games"], facts["passes_for"]) == (None, 1, None)
    told("name", "Émile", "Coach")
    assert listed()[0]["nickname"] == "Coach"
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `acres players --json`"))
    assert [key for key in facts if f"`{key}`" not in row] == []


@pytest.mark.parametrize("by", ["digits", "spaced", "words", "fingerprint", "name", "address"])
def test_a_player_is_named_by_the_key_or_the_name(game: Path, by: str) -> None:
    digits = key_of().hex()
    meant = {
        "digits": [digits[:6]],
        "spaced": [f"{digits[:4]} {digits[4:8].upper()}"],
        "words": [digits[:4], digits[4:8], digits[8:12]],
        "fingerprint": str(fingerprint(key_of())).split(),
        "name": ["emile"],
        "address": ["French@example.org"],
    }[by]
    said = f"You call Émile <french@example.org>, {fingerprint(key_of())!s}, Coach from now on."
    assert told("name", *meant, "Coach") == said
    assert told().startswith("Coach: Émile <french@example.org>")
    assert "You call Émile Coach." in acres("turn", "show", "game-017.toml", home=BRITISH).out
    assert told("forget", *meant).startswith("The key of Coach: Émile")
    assert told().startswith("You have met nobody yet")


def test_players_of_other_identities_are_none_of_ones_own(game: Path) -> None:
    """A key that was replaced in a home leaves its library behind."""
    assert Store(game / "british" / "library.sqlite3", bytes(32)).known_players() == []


def test_a_library_that_is_damaged_is_told(game: Path) -> None:
    import sqlite3

    with sqlite3.connect("british/library.sqlite3") as database:
        database.execute("UPDATE met SET name = x'00'")
    with pytest.raises(LibraryFailed):
        Store(game / "british" / "library.sqlite3", key_of("british")).known_players()
    players().fails()
    assert acres("turn", "show", "game-017.toml", home=BRITISH).status == 0
