"""Games, players and pages of rules are told to whoever asks, without a command line."""

from __future__ import annotations

from pathlib import Path

from pbem.play.store import Game, GameEntry
from pbem.play.store.entries import KnownPlayer, Person, Recognition, Trust
from pbem.text import games
from pbem.text.games import find_players, identity_warning
from pbem.text.language import SOURCE, Language

ENGLISH = Language(SOURCE)
NOW = "2026-11-22T12:00:00Z"
ANNA = Person(bytes([1] * 32), "Anna", "anna@example.org")
BELA = Person(bytes([2] * 32), "Béla", "")


def game(since: str = "2026-11-18T12:00:00Z", pace: int | None = 3) -> GameEntry:
    """Return a game that waits for its player, the British."""
    known = Game(
        records=5, last=bytes(32), edition="second", house_rules="", side="british",
        opponent="Béla", email="", turn=2, waits_for="you", due="turn", since=since, winner="",
    )  # fmt: skip
    return GameEntry(bytes([0x34, 0xDE] * 16), known, Path("nowhere.toml"), None, pace)


def test_status_of_a_game_as_text_and_as_data() -> None:
    listed = game()
    assert str(games.game_title(listed)) == "Game 34de34de against Béla (French)"
    stands = "It has been your move since 18 Nov 2026 (4 days ago): turn 2."
    assert str(games.state_text(listed, NOW)) == stands
    assert str(games.overdue_text(listed, NOW)) == "Overdue by 1 day: 3 days per move."
    assert (
        str(games.last_file_hint(listed, "acres")) == "Its last file is no longer in nowhere.toml"
    )
    assert games.game_entry_facts(listed, NOW)["overdue_days"] == 1


def test_game_with_a_future_date_has_no_waiting_time() -> None:
    ahead = game("2026-12-24T12:00:00Z")
    assert "more than 48 hours ahead" in str(games.date_warning(ahead, NOW))
    assert games.overdue_time(ahead, NOW) is None
    assert not games.date_warning(game(), NOW)


def test_key_selects_a_player_before_a_name() -> None:
    met = [
        KnownPlayer(person.key, (person,), nickname, "", 1, None)
        for person, nickname in ((ANNA, "01"), (BELA, ""))
    ]
    assert [one.people for one in find_players(met, "0202")] == [(BELA,)]
    assert [one.people for one in find_players(met, "bela")] == [(BELA,)]
    assert [one.people for one in find_players(met, "anna@example.org")] == [(ANNA,)]
    assert find_players(met, "Zoé") == []


def test_changed_key_gets_a_warning() -> None:
    output = str(identity_warning(Recognition(ANNA, Trust.CHANGED, BELA)))
    assert output.startswith("Not the same key as before: you know Béla by key 0202")
