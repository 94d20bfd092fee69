"""Two windows, a second computer and crashes lead to one signature without consent to more."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple

import pytest
from hypothesis import Phase, settings, strategies
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from engine.orders import from_notation
from pbem.errors import UsageError
from pbem.play.autosave import Autosave, SavedTurn
from pbem.play.session import Session
from pbem.play.signing import OpenQuestionsError, SignedBefore, questions, sign
from pbem.play.store import NewRecord
from pbem.play.store.entries import ConcurrentSigningError
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from pbem.protocol.record import Record
from pbem.protocol.steps import OrderStep
from pbem.savefile.disk import NewFile
from pbem.savefile.save_file import SaveFile
from tests.play.homes import LAST, NOW, begin_turn, file, open_home

WINDOWS = strategies.sampled_from(["first", "second"])
COMPLETE = [("pass", "pass"), ("draft rangers", "pass")]
CRASHES = strategies.sampled_from(["none", "none", "none", "killed", "file", "signature"])
NOTES = "Quebec first."


class StoppedError(Exception):
    """Raised in place of the end of the program."""


def stop(*_: object) -> None:
    raise StoppedError


@contextmanager
def stop_at(place: str) -> Iterator[None]:
    """Stop before the signature, before the file (and undo the signature), or as a kill would."""
    with pytest.MonkeyPatch.context() as patch:
        if place == "signature":
            patch.setattr(Identity, "sign", stop)
        if place in ("file", "killed"):
            patch.setattr(NewFile, "commit", stop)
        if place == "killed":
            patch.setattr(NewRecord, "take_back", stop)
        yield


class Window(NamedTuple):
    session: Session
    turn: Turn
    autosave: Autosave


def notations(turn: Turn) -> tuple[tuple[str, ...], tuple[str, ...]]:
    undo, redo = ([order.notation() for order in o] for o in (turn.undo_stack, turn.redo_stack))
    return tuple(undo), tuple(redo)


class SigningMachine(RuleBasedStateMachine):
    """Anna answers one file; `current` is the counting record, and `signed` are all records."""

    base_game: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.temporary = TemporaryDirectory()
        self.folder = Path(self.temporary.name) / "table"
        self.path = file(self.folder, LAST + 1)
        self.windows: dict[str, Window] = {}
        self.signed: list[Record] = []
        self.current: Record | None = None
        self.saved: SavedTurn | None = None

    @initialize()
    def copy_game(self) -> None:
        shutil.copytree(self.base_game, self.folder)
        shutil.copytree(self.folder / "anna", self.folder / "twin")
        for name in ("first", "second"):
            self.open(name, resume=False)

    def teardown(self) -> None:
        self.temporary.cleanup()

    # --- windows

    def begin_window(self) -> Window:
        anna = open_home(self.folder, "anna")
        turn = anna.answer(anna.read(file(self.folder, LAST)))
        return Window(anna, turn, Autosave(anna.store, turn))

    @rule(name=WINDOWS, resume=strategies.booleans())
    def open(self, name: str, *, resume: bool) -> None:
        window = self.windows[name] = self.begin_window()
        if resume:
            saved = window.autosave.saved
            assert window.autosave.resume().remaining == ()
            expected = (saved.orders, saved.redo_stack) if saved else ((), ())
            if not (saved and saved.is_signed):
                assert notations(window.turn) == expected

    @rule(name=WINDOWS, edit=strategies.sampled_from(["pass", "undo", "redo", "notes"]))
    def edit(self, name: str, edit: str) -> None:
        turn = self.windows[name].turn
        before = notations(turn)
        if edit == "pass":
            self.order(name, ("pass",))
        elif edit == "notes":
            turn.new_notes = NOTES
        elif (undone := turn.undo()) and edit == "redo":
            assert turn.redo() == undone
            assert notations(turn) == before
        self.save(name)

    def order(self, name: str, orders: tuple[str, ...]) -> None:
        turn = self.windows[name].turn
        turn.begin_again()
        for notation in orders:
            turn.order(from_notation(notation))
        turn.end_turn()
        self.save(name)

    def save(self, name: str) -> None:
        window = self.windows[name]
        assert window.autosave.save() is None
        saved = SavedTurn(*notations(window.turn), window.turn.new_notes, NOW)
        self.saved = saved if saved.orders or saved.notes else None
        assert not window.autosave.is_changed

    # --- signing

    @rule(
        name=WINDOWS,
        reopen=strategies.booleans(),
        orders=strategies.sampled_from([*COMPLETE, *COMPLETE, None]),
        agree=strategies.booleans(),
        replace=strategies.booleans(),
        crash=CRASHES,
    )
    def sign(
        self,
        name: str,
        orders: tuple[str, ...] | None,
        crash: str,
        *,
        reopen: bool,
        agree: bool,
        replace: bool,
    ) -> None:
        if reopen:
            self.open(name, resume=orders is None)
        if orders is not None:
            self.order(name, orders)
        anna, turn, _ = self.windows[name]
        open_questions, was_complete = questions(turn, anna.store), turn.is_complete
        is_repeat = turn.is_repeat
        try:
            with stop_at(crash):
                result = sign(
                    turn,
                    anna.identity,
                    anna.store,
                    open_questions if agree else (),
                    replace=replace,
                )
        except StoppedError:
            if crash == "killed":
                self.count(turn.match.last, open_questions if agree else ())
            # Only deleting the record restores the saved turn.
            if crash == "killed" or (crash == "file" and is_repeat):
                self.saved = None
        except OpenQuestionsError as error:
            assert error.questions and not agree
        except ConcurrentSigningError:
            assert self.current is not None
            known = turn.history.hashes.get(LAST + 1)
            assert known != self.current.hash
        except UsageError:
            assert not was_complete or self.path.exists()
        else:
            assert was_complete
            self.count(result.match.last, open_questions if agree else ())
            assert self.path.read_bytes() == result.data
            assert SaveFile.read(result.data).records[-1] == self.current
            self.saved = None

    def count(self, record: Record, agreed: object) -> None:
        """Add a signed record; one that differs from the current record needs consent."""
        assert record.verify(open_home(self.folder, "anna").identity.public_key)
        if self.current is not None and record.hash != self.current.hash:
            assert isinstance(agreed, list)
            assert any(isinstance(question, SignedBefore) for question in agreed)
        self.current = record
        self.signed.append(record)

    @rule()
    def remove_file(self) -> None:
        self.path.unlink(missing_ok=True)

    @rule(orders=strategies.sampled_from(COMPLETE))
    def answer_on_second_computer(self, orders: tuple[str, ...]) -> None:
        """Answer with a copy of the library that knows the newest record only from its file."""
        if not self.path.exists():
            return
        with open_home(self.folder, "twin") as twin:
            twin.read(self.path)
        with open_home(self.folder, "twin") as twin:
            other = begin_turn(twin, file(self.folder, LAST), *orders)
            if not other.is_repeat:
                with pytest.raises(OpenQuestionsError) as refused:
                    sign(other, twin.identity, twin.store, path=self.folder / "x.toml")
                assert any(isinstance(q, SignedBefore) for q in refused.value.questions)

    # --- invariants

    @invariant()
    def file_holds_a_signed_record(self) -> None:
        if self.path.exists():
            assert SaveFile.read(self.path.read_bytes()).records[-1] in self.signed

    @invariant()
    def library_resumes(self) -> None:
        if not self.windows:
            return
        anna, turn, autosave = self.begin_window()
        hashes = anna.store.signed_hashes(turn.match.id)
        assert hashes.get(LAST + 1) == (self.current and self.current.hash)
        assert turn.signed == self.current
        saved = self.saved
        if self.current is not None and not self.is_written():
            steps = self.current.steps
            orders = tuple(step.order for step in steps if isinstance(step, OrderStep))
            saved = SavedTurn(orders, (), None, NOW, is_signed=True)
        assert autosave.saved == saved
        assert not (self.folder / "x.toml").exists()

    def is_written(self) -> bool:
        if not self.path.exists():
            return False
        return SaveFile.read(self.path.read_bytes()).records[-1] == self.current


@pytest.mark.parametrize("examples", [10, pytest.param(50, marks=pytest.mark.slow)])
def test_turn_is_signed_once_or_anew_with_consent(base_game: Path, examples: int) -> None:
    SigningMachine.base_game = base_game
    run_state_machine_as_test(
        SigningMachine,
        settings=settings(max_examples=examples, stateful_step_count=20, phases=[Phase.generate]),
    )
