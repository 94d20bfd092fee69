"""A turn that is not signed yet: kept, and found by whoever comes next.

Whatever lies in the library in its place, nothing raises, nobody else can read it, and it is never
offered at another record than the one that it was to follow.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.play.autosave import Autosave, SavedTurn
from pbem.play.signing import NotRemembered, SignedFile, questions, sign
from pbem.play.store import StoreError
from pbem.play.turn import Turn
from pbem.protocol.identity import BoxContents, seal
from pbem.text.ordering.reading import read
from tests.cli.commands import make_library_read_only
from tests.play.homes import AT, ENGLISH, LAST, at_home, file, sign_answer
from tests.requirements import require

LATER = "2026-06-01T12:00:00Z"
NOTES = "Quebec first.\nThe bateaux stay in hand."


class Going(NamedTuple):
    turn: Turn
    autosave: Autosave


def begun(table: Path, *orders: str, number: int = LAST, home: str = "anna") -> Going:
    """Begin Anna's answer to a file with these orders, saving after each."""
    anna = at_home(table, home, LATER)
    turn = anna.answer(anna.read(file(table, number)))
    autosave = Autosave(anna.store, turn)
    for order in orders:
        turn.order(read(ENGLISH, order, turn.view()))
        assert autosave.save() is None
    return Going(turn, autosave)


def signed(table: Path, going: Going) -> SignedFile:
    """Sign a turn of Anna's before which nothing is asked."""
    anna = at_home(table, "anna", LATER)
    return sign(going.turn, anna.identity, anna.store)


def saved_rows(table: Path, home: str = "anna") -> list[tuple[bytes, ...]]:
    """Return the rows of saved turns in a library."""
    with closing(sqlite3.connect(table / home / "library.sqlite3")) as database:
        names = "SELECT name FROM sqlite_master WHERE name = 'kept_turns'"
        if not database.execute(names).fetchall():
            return []
        return database.execute("SELECT * FROM kept_turns").fetchall()


def change(table: Path, statement: str, *values: object, home: str = "anna") -> None:
    with closing(sqlite3.connect(table / home / "library.sqlite3")) as database:
        database.execute(statement, values)
        database.commit()


def test_saved_turn_is_deleted_when_the_game_has_gone_on(table: Path) -> None:
    """The answer was signed on another computer, and the next file is read on this one."""
    shutil.copytree(table / "anna", table / "twin")
    begun(table, "draft rangers")
    sign_answer(table, "twin", LAST, "pass", "pass")
    with at_home(table, "anna") as anna:
        anna.read(file(table, LAST + 1))
    assert saved_rows(table) == []


def test_saved_turn_belongs_to_one_record(table: Path) -> None:
    begun(table, "draft rangers")
    assert begun(table, number=3).autosave.saved is None
    # Nor where somebody moves it there: its box is bound to its record.
    other = begun(table, number=3)
    change(table, "UPDATE kept_turns SET record = ?", other.turn.game.match.last.hash)
    saved = require(begun(table, number=3).autosave.saved)
    assert saved.damage
    assert saved.orders == ()


def test_reading_an_older_file_keeps_the_saved_turn(table: Path) -> None:
    begun(table, "draft rangers")
    with at_home(table, "anna") as anna:
        anna.read(file(table, 3))
        anna.read(file(table, LAST))
    assert require(begun(table).autosave.saved).orders == ("draft rangers",)


# --- attacks


def test_saved_turn_is_encrypted_for_its_player(table: Path) -> None:
    """Neither Bela, in whose library it is put under his own key, nor whoever reads the bytes."""
    going = begun(table, "draft rangers")
    going.turn.new_notes = NOTES
    going.autosave.save()
    sealed = saved_rows(table)[0][3]
    library = (table / "anna" / "library.sqlite3").read_bytes()
    for text in (b"rangers", b"Rangers", b"Quebec", b"bateaux"):
        assert text not in library
        assert text not in sealed
    bela = at_home(table, "bela")
    written = sign_answer(table, "anna", LAST, "pass", "pass")
    theirs = bela.answer(bela.read(written.path))
    theirs.order(read(ENGLISH, "pass", theirs.view()))
    Autosave(bela.store, theirs).save()
    change(table, "UPDATE kept_turns SET sealed = ?", sealed, home="bela")
    again = bela.answer(bela.read(written.path))
    assert require(Autosave(bela.store, again).saved).damage


def test_saved_turn_hides_its_length(table: Path) -> None:
    begun(table, "pass")
    one = len(saved_rows(table)[0][3])
    begun(table, "draft rangers", "pass")
    assert len(saved_rows(table)[0][3]) == one


def damages(table: Path) -> Iterator[object]:
    yield from (b"", b"\0" * 15, b"x" * 2000, "text", 7, 1.5)
    going = begun(table)
    ((game, _, record, sealed),) = saved_rows(table)
    yield seal(BoxContents((), "pass"), going.turn.secrets.box_key, game, record)
    for at in range(0, len(sealed), 37):
        yield sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]


def test_damaged_saved_turn_is_reported(table: Path) -> None:
    begun(table, "pass")
    for value in [*damages(table)]:
        change(table, "UPDATE kept_turns SET sealed = ?", value)
        again = begun(table)
        assert require(again.autosave.saved).damage
        resumed = again.autosave.resume()
        assert (resumed.orders, resumed.remaining) == ((), ())
    # The next order takes its place.
    again.turn.order(read(ENGLISH, "pass", again.turn.view()))
    assert again.autosave.save() is None
    assert require(begun(table).autosave.saved).orders == ("pass",)


@pytest.mark.parametrize("wrong", ["settle quebec: boston", "fly boston", "pass now"])
def test_illegal_saved_orders_and_those_after_them_are_left_out(
    table: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """As if another version of the rules had kept it."""
    going = begun(table, "draft rangers", "pass")
    going.turn.undo()
    saved = SavedTurn(("draft rangers", wrong, "pass"), ("pass",), None, AT)
    monkeypatch.setattr("pbem.play.autosave.Autosave._unseal", lambda *_: saved)
    again = begun(table)
    resumed = again.autosave.resume()
    assert [order.notation() for order in resumed.orders] == ["draft rangers"]
    assert resumed.remaining == (wrong, "pass")
    assert resumed.why
    assert again.turn.undo_stack == resumed.orders
    # What was taken back stood behind orders that are not there.
    assert not again.turn.redo_stack
    again.turn.order(read(ENGLISH, "pass", again.turn.view()))


# --- the library


@pytest.mark.parametrize("is_broken", [True, False])
def test_failure_of_the_library_is_reported_once(
    table: Path, monkeypatch: pytest.MonkeyPatch, *, is_broken: bool
) -> None:
    begun(table, "draft rangers")
    if is_broken:
        (table / "anna" / "library.sqlite3").write_bytes(b"garbage")
    else:
        make_library_read_only(monkeypatch)
    going = begun(table)
    saved = going.autosave.saved
    assert saved is None if is_broken else require(saved).orders == ("draft rangers",)
    going.turn.new_notes = NOTES
    failure = going.autosave.save()
    assert isinstance(failure, StoreError)
    assert is_broken or str(failure) == os.strerror(errno.EROFS)
    assert going.autosave.save() is None


def test_busy_library_loses_nothing(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has the library for longer than anybody waits."""
    going = begun(table, "draft rangers")

    def busy(*_: object) -> None:
        raise StoreError("it is busy")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.play.store.Store.saved_turn", busy)
        assert not going.autosave.is_changed
        assert begun(table).autosave.saved is None
    assert not going.autosave.is_changed
    assert require(begun(table).autosave.saved).orders == ("draft rangers",)


def test_change_by_another_window_is_noticed(table: Path) -> None:
    one, other = begun(table), begun(table)
    assert not one.autosave.is_changed
    other.turn.order(read(ENGLISH, "pass", other.turn.view()))
    other.autosave.save()
    assert one.autosave.is_changed
    assert not other.autosave.is_changed
    # Whoever is behind begins again with what is kept now.
    one = begun(table)
    one.autosave.resume()
    one.turn.order(read(ENGLISH, "pass", one.turn.view()))
    one.autosave.save()
    assert not one.autosave.is_changed
    assert other.autosave.is_changed


def test_published_key_saves_turns_only_in_an_existing_library(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look around in a practice game leaves no trace; to play it goes by the same rules."""
    monkeypatch.setattr("pbem.play.autosave.is_published", lambda _: True)
    begun(table, "pass")
    assert require(begun(table).autosave.saved).orders == ("pass",)
    (table / "anna" / "library.sqlite3").unlink()
    begun(table, "pass")
    assert not (table / "anna" / "library.sqlite3").exists()


def test_lost_library_is_created_again(table: Path) -> None:
    (table / "anna" / "library.sqlite3").unlink()
    begun(table, "pass")
    again = begun(table)
    assert require(again.autosave.saved).orders == ("pass",)
    # It says no more than before that all is remembered.
    own = at_home(table, "anna").store
    assert not own.is_complete()
    assert NotRemembered(is_invitation=False) in questions(again.turn, own)
