"""Unsigned turns are saved, and offered again when their file is next opened.

Damaged content raises no error, no other player can read a saved turn, and it is never offered at
another record than the one that it followed.
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
from tests.play.homes import ENGLISH, LAST, NOW, file, open_home, sign_answer
from tests.requirements import require

LATER = "2026-06-01T12:00:00Z"
NOTES = "Quebec first.\nThe bateaux stay in hand."


class OpenTurn(NamedTuple):
    turn: Turn
    autosave: Autosave


def begin_turn(folder: Path, *orders: str, number: int = LAST, home: str = "anna") -> OpenTurn:
    """Begin Anna's answer to a file with these orders, saving after each."""
    anna = open_home(folder, home, LATER)
    turn = anna.answer(anna.read(file(folder, number)))
    autosave = Autosave(anna.store, turn)
    for order in orders:
        turn.order(read(ENGLISH, order, turn.view()))
        assert autosave.save() is None
    return OpenTurn(turn, autosave)


def sign_turn(folder: Path, open_turn: OpenTurn) -> SignedFile:
    """Sign a turn of Anna's without questions."""
    anna = open_home(folder, "anna", LATER)
    return sign(open_turn.turn, anna.identity, anna.store)


def saved_rows(folder: Path, home: str = "anna") -> list[tuple[bytes, ...]]:
    """Return the rows of saved turns in a library."""
    with closing(sqlite3.connect(folder / home / "library.sqlite3")) as database:
        names = "SELECT name FROM sqlite_master WHERE name = 'kept_turns'"
        if not database.execute(names).fetchall():
            return []
        return database.execute("SELECT * FROM kept_turns").fetchall()


def execute(folder: Path, statement: str, *values: object, home: str = "anna") -> None:
    with closing(sqlite3.connect(folder / home / "library.sqlite3")) as database:
        database.execute(statement, values)
        database.commit()


def test_saved_turn_is_deleted_when_the_game_has_gone_on(folder: Path) -> None:
    """The answer was signed on another computer, and this one reads the next file."""
    shutil.copytree(folder / "anna", folder / "twin")
    begin_turn(folder, "draft rangers")
    sign_answer(folder, "twin", LAST, "pass", "pass")
    with open_home(folder, "anna") as anna:
        anna.read(file(folder, LAST + 1))
    assert saved_rows(folder) == []


def test_saved_turn_belongs_to_one_record(folder: Path) -> None:
    begin_turn(folder, "draft rangers")
    assert begin_turn(folder, number=3).autosave.saved is None
    # A moved row is not offered either, because its box belongs to its record.
    other = begin_turn(folder, number=3)
    execute(folder, "UPDATE kept_turns SET record = ?", other.turn.game.match.last.hash)
    saved = require(begin_turn(folder, number=3).autosave.saved)
    assert saved.damage
    assert saved.orders == ()


def test_reading_an_older_file_keeps_the_saved_turn(folder: Path) -> None:
    begin_turn(folder, "draft rangers")
    with open_home(folder, "anna") as anna:
        anna.read(file(folder, 3))
        anna.read(file(folder, LAST))
    assert require(begin_turn(folder).autosave.saved).orders == ("draft rangers",)


# --- attacks


def test_saved_turn_is_encrypted_for_its_player(folder: Path) -> None:
    """Bela cannot read it under his own key, and the stored bytes do not show it."""
    open_turn = begin_turn(folder, "draft rangers")
    open_turn.turn.new_notes = NOTES
    open_turn.autosave.save()
    sealed = saved_rows(folder)[0][3]
    library = (folder / "anna" / "library.sqlite3").read_bytes()
    for text in (b"rangers", b"Rangers", b"Quebec", b"bateaux"):
        assert text not in library
        assert text not in sealed
    bela = open_home(folder, "bela")
    signed_file = sign_answer(folder, "anna", LAST, "pass", "pass")
    bela_turn = bela.answer(bela.read(signed_file.path))
    bela_turn.order(read(ENGLISH, "pass", bela_turn.view()))
    Autosave(bela.store, bela_turn).save()
    execute(folder, "UPDATE kept_turns SET sealed = ?", sealed, home="bela")
    again = bela.answer(bela.read(signed_file.path))
    assert require(Autosave(bela.store, again).saved).damage


def test_saved_turn_hides_its_length(folder: Path) -> None:
    begin_turn(folder, "pass")
    one = len(saved_rows(folder)[0][3])
    begin_turn(folder, "draft rangers", "pass")
    assert len(saved_rows(folder)[0][3]) == one


def damages(folder: Path) -> Iterator[object]:
    yield from (b"", b"\0" * 15, b"x" * 2000, "text", 7, 1.5)
    open_turn = begin_turn(folder)
    ((game, _, record, sealed),) = saved_rows(folder)
    yield seal(BoxContents((), "pass"), open_turn.turn.secrets.box_key, game, record)
    for at in range(0, len(sealed), 37):
        yield sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]


def test_damaged_saved_turn_is_reported(folder: Path) -> None:
    begin_turn(folder, "pass")
    for value in [*damages(folder)]:
        execute(folder, "UPDATE kept_turns SET sealed = ?", value)
        again = begin_turn(folder)
        assert require(again.autosave.saved).damage
        resumed = again.autosave.resume()
        assert (resumed.orders, resumed.remaining) == ((), ())
    # The next order replaces it.
    again.turn.order(read(ENGLISH, "pass", again.turn.view()))
    assert again.autosave.save() is None
    assert require(begin_turn(folder).autosave.saved).orders == ("pass",)


@pytest.mark.parametrize("wrong", ["settle quebec: boston", "fly boston", "pass now"])
def test_illegal_saved_orders_and_those_after_them_are_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """Another version of the rules may have saved them."""
    open_turn = begin_turn(folder, "draft rangers", "pass")
    open_turn.turn.undo()
    saved = SavedTurn(("draft rangers", wrong, "pass"), ("pass",), None, NOW)
    monkeypatch.setattr("pbem.play.autosave.Autosave._unseal", lambda *_: saved)
    again = begin_turn(folder)
    resumed = again.autosave.resume()
    assert [order.notation() for order in resumed.orders] == ["draft rangers"]
    assert resumed.remaining == (wrong, "pass")
    assert resumed.reason
    assert again.turn.undo_stack == resumed.orders
    # The orders to redo followed orders that are missing.
    assert not again.turn.redo_stack
    again.turn.order(read(ENGLISH, "pass", again.turn.view()))


# --- the library


@pytest.mark.parametrize("is_broken", [True, False])
def test_failure_of_the_library_is_reported_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_broken: bool
) -> None:
    begin_turn(folder, "draft rangers")
    if is_broken:
        (folder / "anna" / "library.sqlite3").write_bytes(b"garbage")
    else:
        make_library_read_only(monkeypatch)
    open_turn = begin_turn(folder)
    saved = open_turn.autosave.saved
    assert saved is None if is_broken else require(saved).orders == ("draft rangers",)
    open_turn.turn.new_notes = NOTES
    failure = open_turn.autosave.save()
    assert isinstance(failure, StoreError)
    assert is_broken or str(failure) == os.strerror(errno.EROFS)
    assert open_turn.autosave.save() is None


def test_busy_library_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process locks the library for longer than the program waits."""
    open_turn = begin_turn(folder, "draft rangers")

    def busy(*_: object) -> None:
        raise StoreError("it is busy")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.play.store.Store.saved_turn", busy)
        assert not open_turn.autosave.is_changed
        assert begin_turn(folder).autosave.saved is None
    assert not open_turn.autosave.is_changed
    assert require(begin_turn(folder).autosave.saved).orders == ("draft rangers",)


def test_change_by_another_window_is_noticed(folder: Path) -> None:
    one, other = begin_turn(folder), begin_turn(folder)
    assert not one.autosave.is_changed
    other.turn.order(read(ENGLISH, "pass", other.turn.view()))
    other.autosave.save()
    assert one.autosave.is_changed
    assert not other.autosave.is_changed
    # The older window begins again with the saved turn.
    one = begin_turn(folder)
    one.autosave.resume()
    one.turn.order(read(ENGLISH, "pass", one.turn.view()))
    one.autosave.save()
    assert not one.autosave.is_changed
    assert other.autosave.is_changed


def test_published_key_saves_turns_only_in_an_existing_library(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking at a practice game leaves no trace, but playing it saves turns as usual."""
    monkeypatch.setattr("pbem.play.autosave.is_published", lambda _: True)
    begin_turn(folder, "pass")
    assert require(begin_turn(folder).autosave.saved).orders == ("pass",)
    (folder / "anna" / "library.sqlite3").unlink()
    begin_turn(folder, "pass")
    assert not (folder / "anna" / "library.sqlite3").exists()


def test_lost_library_is_created_again(folder: Path) -> None:
    (folder / "anna" / "library.sqlite3").unlink()
    begin_turn(folder, "pass")
    again = begin_turn(folder)
    assert require(again.autosave.saved).orders == ("pass",)
    # The new library is still not complete.
    own = open_home(folder, "anna").store
    assert not own.is_complete()
    assert NotRemembered(is_invitation=False) in questions(again.turn, own)
