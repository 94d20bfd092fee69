"""The table of a robot, which strangers try to fill: by folder, where anybody may lay files."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.keys import keyfile
from pbem.play.entry import invite
from pbem.play.game_file import GameFile, pack
from pbem.protocol.identity import Identity
from tests.attacks.clocks import FAR, at
from tests.cli.using import acres, is_one_sentence, remember
from tests.sample import sample

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TABLE = Path("table")
FRIEND = "anna@example.org"
KIB = 1024
FEW, USUAL = 8, 256
"""Lists of a shuffle: as many as do for most of this, in less time; and what the robot wants."""


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which files arrive, and the friend's home; it is noon."""
    monkeypatch.chdir(tmp_path)
    TABLE.mkdir()
    with at(NOW):
        made = acres("init", "--name", "Anna", "--email", FRIEND, home=Path("anna"))
        assert made.status == 0, made.err
        yield tmp_path


def friend() -> Identity:
    return keyfile.load(Path("anna/identity.toml"), lambda: "")


def stranger(name: str = "Mallory", email: str = "mallory@example.org") -> Identity:
    return Identity.generate(name, email)


def invited(
    name: str, by: Identity, *, lists: int = FEW, time: str = f"{NOW:%Y-%m-%dT%H:%M:%SZ}"
) -> None:
    """Lay an invitation into the inbox."""
    nonce = name.encode().ljust(32)
    match = invite(by, side=Side.BRITISH, nonce=nonce, time=time, lists=lists)
    path = TABLE / f"{name}.toml"
    path.write_bytes(pack(match, None, {}, "").write())
    if by.public_key == friend().public_key:
        remember(Path("anna"), path)
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))


def serve(*options: object, days: float = 0, lists: int = FEW) -> list[str]:
    """Let the robot look once, some days later; what it tells."""
    with at(NOW + timedelta(days=days)):
        served = acres(
            "serve-robot", "--inbox", TABLE, "--outbox", TABLE, "--once",
            *(() if lists == USUAL else ("--lists", lists)), *options,
            home=Path("robot"),
        )  # fmt: skip
    assert served.status == 0
    # Of whoever comes in a friend's name the keeper is told, and of nothing else.
    before, *notes = served.err.split("Note: ")
    assert (before, [n for n in notes if not n.startswith("Not the same key as before")]) == (
        "",
        [],
    )
    return served.out.splitlines()


def is_taken(name: str) -> bool:
    path = TABLE / f"{name}-001.toml"
    return path.exists() and GameFile.read(path.read_bytes()).match.is_joined


def taken() -> int:
    return len(list(TABLE.glob("*-001.toml")))


def moved(name: str, days: float = 0) -> None:
    """The friend answers the robot in that game."""
    with at(NOW + timedelta(days=days)):
        done = acres("turn", "apply", TABLE / f"{name}-001.toml", "pass", home=Path("anna"))
    assert done.status == 0, done.err


def note_of(name: str) -> str:
    path = TABLE / f"{name}-refused.txt"
    return " ".join(path.read_text("utf-8").split()) if path.exists() else ""


# --- who fills it


def test_one_stranger_gets_a_few_places_and_all_others_are_told_why() -> None:
    mallory = stranger()
    for number in range(12):
        invited(f"m{number:03}", mallory, time=FAR)
    told = serve()
    assert taken() == 3
    assert len([line for line in told if "no more than that with one player" in line]) == 9
    assert len([n for n in range(12) if "with one player" in note_of(f"m{n:03}")]) == 9
    invited("anna", friend())
    serve()
    assert is_taken("anna")


def test_strangers_in_the_friends_name_keep_no_friend_out() -> None:
    """With a key each, under her name and address."""
    for number in range(24):
        invited(f"m{number:03}", stranger("Anna", FRIEND), time=FAR)
    serve()
    invited("anna", friend())
    serve()
    assert is_taken("anna")
    # Nor do those who come behind her: her game goes on when she moves.
    for number in range(5):
        invited(f"n{number:03}", stranger("Anna", FRIEND), time=FAR)
    serve()
    moved("anna")
    assert any("anna-002.toml is answered" in line for line in serve())


def test_many_strangers_fill_it_for_days_but_not_for_ever() -> None:
    for number in range(26):
        invited(f"m{number:03}", stranger(email=f"m{number}@example.org"), time=FAR)
    told = serve()
    assert taken() == 20
    assert len([line for line in told if "has no room for another" in line]) == 6
    assert all(note_of(f"m{n:03}") for n in range(26) if not is_taken(f"m{n:03}"))
    invited("anna", friend())
    assert any("already plays 20 games" in line for line in serve(days=2))
    assert "already plays 20 games" in note_of("anna")
    # What was turned away takes no more than half of what is free by then.
    invited("again", friend())
    serve(days=3.1)
    assert is_taken("again")
    assert taken() <= 31


def test_who_has_moved_before_goes_before_them() -> None:
    invited("anna", friend())
    serve()
    moved("anna")
    serve()
    for number in range(24):
        invited(f"m{number:03}", stranger(email=f"m{number}@example.org"), time=FAR)
    serve()
    assert taken() == 20
    invited("again", friend())
    serve()
    assert is_taken("again")


def test_a_player_who_moves_keeps_the_place_for_a_month() -> None:
    invited("anna", friend())
    serve()
    moved("anna")
    serve()
    for number in range(2):
        invited(f"m{number}", stranger(email=f"m{number}@example.org"))
        # Days pass, and nobody writes.
        serve("--games", 1, days=29 + 2 * number)
        assert is_taken("m0") is bool(number)


def test_a_game_that_comes_back_is_played_on_if_there_is_a_place() -> None:
    invited("anna", friend())
    serve()
    invited("m", stranger())
    serve("--games", 1, days=4)
    assert is_taken("m")
    # Nobody moved in the other one: she goes before it.
    moved("anna", days=5)
    assert any("anna-002.toml is answered" in line for line in serve("--games", 1, days=5))


def test_a_game_that_comes_back_and_finds_no_place_is_told() -> None:
    with at(NOW):
        made = acres("init", "--name", "Bela", "--email", "bela@example.org", home=Path("bela"))
    assert made.status == 0
    invited("anna", friend())
    serve()
    invited("bela", keyfile.load(Path("bela/identity.toml"), lambda: ""))
    remember(Path("bela"), TABLE / "bela.toml")
    serve("--games", 1, days=4)
    with at(NOW + timedelta(days=4)):
        done = acres("turn", "apply", TABLE / "bela-001.toml", "pass", home=Path("bela"))
    assert done.status == 0
    serve("--games", 1, days=4)
    moved("anna", days=5)
    assert any(
        "lost its place at the robot's table" in line for line in serve("--games", 1, days=5)
    )
    assert "send the file again in a few days" in note_of("anna-002")
    # Once there is one, the same file is answered, and the note is gone.
    assert any("anna-002.toml is answered" in line for line in serve("--games", 1, days=40))
    assert not note_of("anna-002")


@pytest.mark.parametrize("wrong", sample([FAR, "0001-01-01T00:00:00Z"], first=1))
def test_a_clock_that_was_wrong_blocks_nothing(wrong: str) -> None:
    with at(wrong):
        served = None
        for number in range(25):
            invited(f"m{number:03}", stranger(email=f"m{number}@example.org"))
        served = acres(
            "serve-robot", "--inbox", TABLE, "--outbox", TABLE, "--once", "--lists", FEW,
            home=Path("robot"),
        )  # fmt: skip
        assert (served.status, served.err) == (0, "")
    assert taken() == 20
    invited("anna", friend())
    serve()
    assert is_taken("anna")


@pytest.mark.parametrize("hours", sample([1, 0.001, 47], first=1))
def test_a_clock_that_was_put_back_takes_nobody_from_the_table(hours: float) -> None:
    """As time servers put it back by seconds, and winter by an hour."""
    invited("anna", friend())
    serve()
    moved("anna")
    serve()
    invited("m", stranger())
    assert any("already plays 1 game" in line for line in serve("--games", 1, days=-hours / 24))
    listed = json.loads(acres("games", "--json", home=Path("robot")).out)
    assert [game["records"] for game in listed if game["due"] != "join"] == [4]


def test_files_in_one_folder_for_all_are_counted_once() -> None:
    invited("anna", friend())
    serve()
    Path("robot/library.sqlite3").unlink()
    assert "Found 1 game of yours in 2 files." in serve("--newest")


def test_games_of_earlier_programs_have_a_place_each() -> None:
    for number in range(2):
        invited(f"a{number}", friend())
    serve()
    with closing(sqlite3.connect("robot/library.sqlite3")) as database:
        for table in ("guests", "arrivals"):
            database.execute(f"DROP TABLE {table}")
        database.commit()
    invited("m", stranger())
    assert any("already plays 2 games" in line for line in serve("--games", 2))
    moved("a0")
    assert any("a0-002.toml is answered" in line for line in serve("--games", 2))


def test_a_damaged_book_stops_nobody() -> None:
    invited("anna", friend())
    serve()
    moved("anna")
    for column, rubbish in (("last", "soon"), ("taken", b"\xff"), ("has_moved", "yes")):
        with closing(sqlite3.connect("robot/library.sqlite3")) as database:
            database.execute(f"UPDATE guests SET {column} = ?", (rubbish,))
            database.commit()
        serve()
    assert (TABLE / "anna-003.toml").exists()


def test_games_are_begun_so_often_in_a_day_and_no_more() -> None:
    """Else who leaves each game at once, or writes in one name, would never be too many."""
    for number in range(12):
        invited(f"m{number:02}", stranger("Anna", FRIEND))
        told = serve("--games", 1, "--each", 1)
    assert any("has begun enough games for today" in line for line in told)
    assert taken() == 10
    # Whom the robot knows by a move is another matter.
    moved_before()
    invited("again", friend())
    serve("--games", 1, "--each", 1)
    assert is_taken("again")


def moved_before() -> None:
    """The friend has moved in a game that is over."""
    with closing(sqlite3.connect("robot/library.sqlite3")) as database:
        (key,) = database.execute("SELECT key FROM guests").fetchone()
        time = "2026-10-01T12:00:00Z"
        row = (bytes(32), key, friend().public_key, FRIEND, time, time, 1, 1)
        database.execute("INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        database.commit()


# --- whom it plays with


def test_a_key_cannot_be_forged_as_an_address_can() -> None:
    forger = stranger("Anna", FRIEND)
    key = friend().public_key.hex()
    spaced = " ".join(key[n : n + 4].upper() for n in range(0, 16, 4))
    for number, given in enumerate((key, key.upper(), spaced, spaced.replace(" ", ""))):
        invited(f"m{number}", forger)
        invited(f"a{number}", friend())
        told = serve("--only", given, "--each", 9)
        assert is_taken(f"a{number}")
        assert not is_taken(f"m{number}")
        assert any("does not play with anna@example.org" in line for line in told)
        # Strangers are told nothing.
        assert not note_of(f"m{number}")
    invited("m", forger)
    serve("--only", FRIEND)
    assert is_taken("m"), "an address is the word of whoever writes it"


def test_the_key_is_told_as_it_can_be_given() -> None:
    shown = acres("key", "show", home=Path("anna")).out
    key = friend().public_key.hex()
    assert f"\n    {key}\n" in shown
    digits = shown.partition("key ")[2].partition(":")[0]
    assert key.startswith(digits.replace(" ", ""))
    invited("anna", friend())
    serve("--only", digits)
    assert is_taken("anna")


@pytest.mark.parametrize("given", ["anna", "0123", "key", "", "f" * 63, "g" * 64, "f" * 65])
def test_what_is_neither_address_nor_key_is_refused(given: str) -> None:
    done = acres(
        "serve-robot", "--inbox", TABLE, "--outbox", TABLE, "--once", "--only", given,
        home=Path("robot"),
    )  # fmt: skip
    assert (done.status, is_one_sentence(done.err)) == (2, True)
    assert "acres key show" in done.err


@pytest.mark.parametrize("lists", [1, 128])
def test_few_lists_are_refused_with_a_reason(lists: int) -> None:
    invited("anna", friend(), lists=lists)
    told = serve(lists=USUAL)
    assert any("The robot plays with 256 lists or more" in line for line in told)
    assert f"A shuffle of this game has {lists} list" in note_of("anna")
    assert not is_taken("anna")
    serve(lists=lists)
    assert is_taken("anna")
    assert not note_of("anna")


@pytest.mark.parametrize(
    "option", [("--lists", 0), ("--lists", 4097), ("--each", 0), ("--games", 0), ("--each", "x")]
)
def test_numbers_are_within_bounds(option: tuple[object, object]) -> None:
    done = acres("serve-robot", "--once", *option, home=Path("robot"))
    assert (done.status, is_one_sentence(done.err)) == (2, True)


# --- what is left of it


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("count", [36, pytest.param(200, marks=pytest.mark.long)])
def test_hundreds_of_invitations_leave_little_behind(count: int) -> None:
    for number in range(count):
        invited(f"m{number:03}", stranger(email=f"m{number}@example.org"), lists=USUAL)
    sent = size(TABLE)
    serve(lists=USUAL)
    assert len(list(TABLE.glob("*-refused.txt"))) == min(count - 20, 100)
    # Its answers are as large as what they answer, and a little more; a note is one block.
    assert size(TABLE) - sent < 20 * 16 * KIB + 100 * KIB
    assert size(Path("robot")) < 400 * KIB
    library = size(Path("robot"))
    serve(days=4, lists=USUAL)
    # What was turned away takes half of the places, once these are free.
    assert taken() == 30
    assert size(Path("robot")) - library < 10 * 8 * KIB


def test_a_note_of_somebody_else_stays_as_it_is() -> None:
    (TABLE / "anna-refused.txt").write_text("mine")
    invited("anna", friend(), lists=1)
    serve()
    serve(lists=1)
    assert is_taken("anna")
    assert note_of("anna") == "mine"


def test_a_refused_invitation_is_noted_once() -> None:
    invited("anna", friend(), lists=1)
    serve()
    before = (TABLE / "anna-refused.txt").stat().st_mtime_ns
    serve()
    assert (TABLE / "anna-refused.txt").stat().st_mtime_ns == before
