"""The list of games, which shows each by its newest file."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from random import Random

import pytest

from engine.sides import Side
from pbem.play.store import Game, GameEntry, Store, StoreError
from pbem.protocol.cache import GameCache
from pbem.protocol.match import Match
from tests.play.matches import (
    TIME,
    answer,
    any_order,
    begin,
    close,
    identities,
    play,
    resign,
    sign_as,
)
from tests.play.store.players import ANNA, BELA, first_records, known_file_of
from tests.requirements import require
from tests.signing import accept, invite

KEYS = {"anna": ANNA.public_key, "bela": BELA.public_key}


def game_of(match: Match, player: str) -> Game:
    return require(Game.of(match, KEYS[player]))


def note(library: Store, match: Match, name: str) -> None:
    library.note(known_file_of(match, library.key, Path(name)), create=True)


def only(library: Store) -> GameEntry:
    (entry,) = library.games()
    return entry


# --- states of a game


def test_invitation_waits_for_a_guest() -> None:
    open_to_all = invite(ANNA, side=None, nonce=bytes(32), time=TIME)
    for match, side in ((open_to_all, "any"), (first_records(begin(), 1), "british")):
        game = game_of(match, "anna")
        assert (game.side, game.waits_for, game.due) == (side, "opponent", "join")
        assert (game.opponent, game.turn, game.winner) == ("", 0, "")
        assert Game.of(match, KEYS["bela"]) is None


def test_game_waits_for_one_of_its_players(match: Match) -> None:
    due = {}
    for number in range(2, len(match.records) + 1):
        then = first_records(match, number)
        is_opening_due = then.decks[require(then.next_side)].epoch_to_open is not None
        due[game_of(then, "anna").due] = is_opening_due
        writer = "anna" if number % 2 == 0 else "bela"
        reader = "bela" if writer == "anna" else "anna"
        assert game_of(then, writer).waits_for == "you"
        assert game_of(then, reader).waits_for == "opponent"
    assert due == {"play": False, "opening": True}
    anna, bela = game_of(match, "anna"), game_of(match, "bela")
    assert (anna.side, bela.side) == ("british", "french")
    assert (anna.opponent, bela.opponent) == ("Béla", "Anna")
    assert (anna.email, bela.email) == ("bela@example.org", "anna@example.org")
    assert anna.turn == match.turn
    assert (anna.records, anna.last, anna.since) == (
        len(match.records),
        match.last.hash,
        match.last.time,
    )


def test_game_that_is_over_is_to_be_closed_and_then_finished(match: Match) -> None:
    ending = resign(match)
    loser, winner = ("anna", "bela") if len(match.records) % 2 == 0 else ("bela", "anna")
    won = game_of(match, winner).side
    side = require(ending.next_side)
    # The shuffle comes first, because a long wait after it would mean more.
    due = "opening" if ending.decks[side].epoch_to_open is not None else "close"
    for player, waits_for in ((loser, "opponent"), (winner, "you")):
        game = game_of(ending, player)
        assert (game.waits_for, game.due, game.winner) == (waits_for, due, won)
    for player in KEYS:
        game = game_of(close(ending), player)
        assert (game.waits_for, game.due, game.winner) == ("nobody", "", won)


def test_rules_are_listed() -> None:
    rules = ["duquesne-wins", "paid-reshuffle"]
    game = game_of(begin(edition="first", house_rules=rules), "anna")
    assert (game.edition, game.house_rules.split()) == ("first", rules)


# --- files of a game


def test_last_files_in_and_out_are_listed(library: Store, match: Match) -> None:
    for number in range(1, 7):
        note(library, first_records(match, number), f"game-{number - 1}.toml")
    entry = only(library)
    folder = Path.cwd()
    assert (entry.file_in, entry.file_out) == (folder / "game-5.toml", folder / "game-4.toml")
    assert (entry.id, entry.game.records, entry.own_side) == (match.id, 6, Side.BRITISH)
    for number in range(1, 6):
        note(library, first_records(match, number), "old.toml")
    assert only(library) == entry


def test_last_path_of_a_file_is_listed(library: Store, match: Match) -> None:
    for name in ("mail/game.toml", "games/game (1).toml"):
        note(library, first_records(match, 4), name)
    assert only(library).file_in == Path.cwd() / "games" / "game (1).toml"


def test_fork_does_not_count_until_it_is_answered(library: Store, match: Match) -> None:
    note(library, first_records(match, 6), "first.toml")
    before = only(library)
    later = match.records[3]._replace(time="2026-11-21T11:00:00Z")
    forked = Match.replay([*match.records[:3], sign_as(BELA, later)])
    forked = play(forked, any_order(Random(2)), turns=forked.state.turn + 4)
    assert len(forked.records) > 6
    note(library, forked, "other.toml")
    assert only(library) == before
    answered = answer(forked, any_order(Random(3)))
    mine = answered if answered.last.index % 2 == 0 else answer(answered, any_order(Random(3)))
    library.remember(mine.id, mine.last, files=[known_file_of(mine, path=Path("mine.toml"))])
    assert only(library).game.last == mine.last.hash
    assert only(library).file_out == Path.cwd() / "mine.toml"


def test_acceptance_that_was_not_the_first_is_not_listed(library: Store, match: Match) -> None:
    note(library, first_records(match, 2), "bela.toml")
    clara = identities(5)[0]
    other = accept(first_records(match, 1), clara, nonce=bytes(32), time=TIME)
    note(library, other, "clara.toml")
    assert only(library).game.opponent == "Béla"


def test_any_path_can_be_stored(library: Store, match: Match) -> None:
    name = os.fsdecode(b"\xff\xfe games\n.toml")
    note(library, match, name)
    assert Path.cwd() / name in (only(library).file_in, only(library).file_out)


# --- the list


def test_each_player_has_a_list_of_games(library: Store, match: Match) -> None:
    other = play(begin(1, lists=4), any_order(Random(2)), turns=3, seed=1)
    note(library, match, "one.toml")
    of_others = Store(library.path, identities(1)[0].public_key)
    note(of_others, other, "two.toml")
    assert [entry.id for entry in library.games()] == [match.id]
    assert [entry.id for entry in of_others.games()] == [other.id]


def test_games_are_listed_by_waiting_time(library: Store, match: Match) -> None:
    for day in (3, 1, 2):
        invitation = invite(
            ANNA, side=None, nonce=bytes([day]) * 32, time=f"2026-11-0{day}T10:00:00Z"
        )
        note(library, invitation, f"{day}.toml")
    assert [entry.game.since[9] for entry in library.games()] == ["1", "2", "3"]


def test_pace_survives_new_records(library: Store, match: Match) -> None:
    note(library, first_records(match, 4), "game.toml")
    assert only(library).pace is None
    library.set_pace(match.id, 3)
    note(library, first_records(match, 5), "game.toml")
    assert only(library).pace == 3
    library.set_pace(match.id, None)
    assert only(library).pace is None


def test_forgetting_a_game_keeps_its_signed_records(library: Store, match: Match) -> None:
    note(library, match, "game.toml")
    signed = library.signed_hashes(match.id)
    library.forget_game(match.id)
    assert (library.games(), library.load_cache(match.id)) == ([], GameCache(frozenset()))
    assert library.signed_hashes(match.id) == signed != {}
    note(library, match, "game.toml")
    assert len(library.games()) == 1


def test_record_taken_back_leaves_the_list_as_it_was(library: Store, match: Match) -> None:
    library.remember(
        match.id, match.records[0], files=[known_file_of(first_records(match, 1))]
    ).take_back()
    assert library.games() == []
    note(library, first_records(match, 4), "game-003.toml")
    library.set_pace(match.id, 3)
    before = only(library)
    library.remember(
        match.id, match.records[4], files=[known_file_of(first_records(match, 5))]
    ).take_back()
    assert only(library) == before
    assert 4 not in library.signed_hashes(match.id)


@pytest.mark.parametrize(
    "damage", ["records = 'many'", "last = 7", "opponent = x'00'", "pace = 'slow'", "game = 'x'"]
)
def test_damaged_row_is_reported(library: Store, match: Match, damage: str) -> None:
    note(library, match, "game.toml")
    with sqlite3.connect(library.path) as database:
        database.execute(f"UPDATE games SET {damage}")
    database.close()
    with pytest.raises(StoreError, match="damaged"):
        library.games()
