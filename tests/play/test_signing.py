"""Signing by front ends that ask the player, and by those that cannot.

The cases are those of tests/attacks/test_forgotten.py and of the catalogue of attacks. No caller
can have a record signed or written that could be used against the player.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, NamedTuple

import pytest

from engine.sides import Side
from pbem.errors import UsageError
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.robot import begin_store
from pbem.play.session import Consent, Manner, Session
from pbem.play.signing import (
    Closed,
    ConflictKind,
    ForbiddenConsentError,
    NewKey,
    NoStore,
    NotRemembered,
    OpenQuestionsError,
    OpensTwice,
    OtherKey,
    PriorConsent,
    Question,
    Signable,
    SignedBefore,
    has_content,
    questions,
    sign,
)
from pbem.play.store import NewRecord, Store, StoreError
from pbem.play.store.entries import ConcurrentSigningError, Trust
from pbem.play.turn import Turn
from pbem.protocol.cache import VerifiedRecord
from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag
from pbem.protocol.record import UNSIGNED, Record
from pbem.protocol.steps import Grant
from pbem.savefile.disk import NewFile
from pbem.savefile.save_file import SaveFile
from pbem.text.ordering.reading import read
from tests.cli.commands import environment, make_library_read_only
from tests.crash.state import find_double_signatures
from tests.play.homes import ENGLISH, LAST, NAMES, NOW, begin_turn, file, open_home, sign_answer
from tests.requirements import require
from tests.signing import sign_agreed

ROOT = Path(__file__).parents[2]
PASS, OTHER = ("pass", "pass"), ("draft rangers", "pass")
LATER = "2031-01-01T00:00:00Z"


def open_restored_home(folder: Path) -> Session:
    """Open a home with Anna's key and no library, as a recovery text restores it."""
    path = folder / "restored" / "identity.toml"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        keyfile.save(keyfile.load(folder / "anna" / "identity.toml", lambda: ""), path)
    return open_home(folder, "restored")


def expect_questions(
    step: Callable[..., object], *arguments: object, **options: object
) -> list[Question]:
    """Return the open questions that prevent a step."""
    with pytest.raises(OpenQuestionsError) as raised:
        step(*arguments, **options)
    return [*raised.value.questions]


def begin_with_consent(consent: Consent, session: Session, game: GameFile) -> Turn:
    turn = consent.begin(game)
    consent.allow(turn, is_different=turn.signed is None)
    return turn


def check_not_signed(
    session: Session, draft: Signable, *agreed: Question, is_wronged: bool = False
) -> list[Question]:
    folder = session.home.folder.parent
    before = {path: path.read_bytes() for path in folder.rglob("*.toml")}
    for path in (None, folder / "x.toml"):
        for replace in (False, True):
            open_questions = expect_questions(
                sign, draft, session.identity, session.store, agreed, path, replace=replace
            )
    assert {path: path.read_bytes() for path in folder.rglob("*.toml")} == before
    with suppress(StoreError):
        assert not find_double_signatures(folder) or is_wronged
    return open_questions


# --- states of the library, and their questions


def keep_library(folder: Path) -> None:
    """Keep Anna's library, which has all her records."""


def answer_newest(folder: Path) -> None:
    sign_answer(folder, "anna", LAST, *PASS)


def close_game(folder: Path) -> None:
    sign_answer(folder, "anna", LAST, resigns=True)


def read_old_file(folder: Path) -> None:
    """Read an old file with the restored key, and sign in another game."""
    with open_restored_home(folder) as anna:
        anna.read(file(folder, 3))
    sign_agreed(anna, anna.invite(), folder / "any.toml")


def learn_close(folder: Path) -> None:
    close_game(folder)
    with open_restored_home(folder) as anna:
        begin_store(anna.store, anna.read(file(folder, 6)).match, file(folder, 6))


def remove_library(folder: Path) -> None:
    (folder / "anna" / "library.sqlite3").unlink()


def damage_library(folder: Path) -> None:
    (folder / "anna" / "library.sqlite3").write_bytes(b"garbage")


def continue_elsewhere(folder: Path) -> None:
    """Continue on another computer; this one has read the file, but not signed its records."""
    shutil.copytree(folder / "anna", folder / "twin")
    sign_answer(folder, "twin", LAST, *PASS)
    sign_answer(folder, "bela", LAST + 1, *PASS)
    with open_home(folder, "anna") as anna:
        anna.read(file(folder, LAST + 2))


def accept_invitation(folder: Path) -> None:
    """Accept an invitation of Bela's, as the French."""
    bela, anna = open_home(folder, "bela"), open_home(folder, "anna")
    sign_agreed(bela, bela.invite(lists=16), folder / "b-000.toml")
    joining = anna.join(anna.read(folder / "b-000.toml"))
    joining.choose(Side.FRENCH)
    sign_agreed(anna, joining)


class Case(NamedTuple):
    set_up: Callable[[Path], None]
    answers: tuple[int, Sequence[str]] | Side
    questions: tuple[type, ...]
    home: str = "anna"
    kind: ConflictKind | None = None


CASES = {
    "an older file": Case(keep_library, (3, OTHER), (SignedBefore,), kind=ConflictKind.ANSWERED),
    "a file older than two answers": Case(
        answer_newest, (3, PASS), (SignedBefore,), kind=ConflictKind.OLDER
    ),
    "other orders than before": Case(
        answer_newest, (LAST, OTHER), (SignedBefore,), kind=ConflictKind.ANSWERED
    ),
    "a restored key, an old file": Case(
        keep_library, (3, OTHER), (NewKey, NotRemembered), "restored"
    ),
    "a restored key, the newest": Case(
        keep_library, (LAST, OTHER), (NewKey, NotRemembered), "restored"
    ),
    "a restored key, an end": Case(keep_library, (3, ()), (NewKey, NotRemembered), "restored"),
    "learnt from an old file": Case(read_old_file, (3, OTHER), (NewKey, NotRemembered), "restored"),
    "a lost library, an old file": Case(remove_library, (3, OTHER), (NewKey, NotRemembered)),
    "a lost library, the newest": Case(remove_library, (LAST, OTHER), (NewKey, NotRemembered)),
    "garbage, an old file": Case(damage_library, (3, OTHER), (NoStore,)),
    "garbage, the newest": Case(damage_library, (LAST, OTHER), (NoStore,)),
    "gone on elsewhere": Case(continue_elsewhere, (LAST + 2, PASS), (NotRemembered,)),
    "gone on elsewhere, an old file": Case(
        continue_elsewhere, (LAST, OTHER), (SignedBefore, NotRemembered)
    ),
    "another acceptance": Case(accept_invitation, Side.BRITISH, (SignedBefore,)),
    "an acceptance by a restored key": Case(
        accept_invitation, Side.BRITISH, (NewKey, NotRemembered), "restored"
    ),
    "a turn in the place of a close": Case(close_game, (LAST, PASS), (SignedBefore, Closed)),
    "a turn before a close": Case(close_game, (3, OTHER), (SignedBefore, Closed)),
    "an end before a close": Case(close_game, (3, ()), (SignedBefore, Closed)),
    "beside a learnt close": Case(learn_close, (LAST, PASS), (SignedBefore, Closed), "restored"),
    "before a learnt close": Case(learn_close, (3, OTHER), (SignedBefore, Closed), "restored"),
    "an end before a learnt close": Case(learn_close, (3, ()), (SignedBefore, Closed), "restored"),
}


def draft_answer(session: Session, folder: Path, case: Case) -> Signable:
    if isinstance(case.answers, Side):
        joining = session.join(session.read(folder / "b-000.toml"))
        joining.choose(case.answers)
        return joining
    number, orders = case.answers
    return begin_turn(session, file(folder, number), *orders, resigns=not orders)


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_questions(folder: Path, name: str) -> None:
    case = CASES[name]
    case.set_up(folder)
    session = (
        open_restored_home(folder) if case.home == "restored" else open_home(folder, case.home)
    )
    draft = draft_answer(session, folder, case)
    open_questions = check_not_signed(session, draft)
    assert [type(q) for q in open_questions] == [*case.questions]
    if case.kind:
        assert [q.kind for q in open_questions if isinstance(q, SignedBefore)] == [case.kind]
    # Each question prevents signing, even with consent to all others.
    for question in open_questions:
        others = [q for q in open_questions if q != question]
        assert check_not_signed(session, draft, *others) == [
            q for q in open_questions if q == question or not q.may_be_agreed
        ]
    for_good = [q for q in open_questions if not q.may_be_agreed]
    assert [type(q) for q in for_good] == [q for q in case.questions if q is Closed]
    if for_good:
        assert check_not_signed(session, draft, *open_questions) == for_good
        with pytest.raises(ForbiddenConsentError):
            Consent(session).agree(for_good[0])
        return
    # Consent counts for an equal question from another object.
    again = draft_answer(session, folder, case)
    signed_file = sign(
        again, session.identity, session.store, open_questions, folder / "signed.toml", replace=True
    )
    assert signed_file.match.last.signature != UNSIGNED
    assert session.read(folder / "signed.toml").match.last.hash == signed_file.match.last.hash


def test_question_about_an_earlier_signature_names_its_files(folder: Path) -> None:
    first = sign_answer(folder, "anna", LAST, *PASS)
    for number, is_written in ((3, True), (LAST, False)):
        anna = open_home(folder, "anna", LATER)
        (question,) = questions(begin_turn(anna, file(folder, number), *OTHER), anna.store)
        assert isinstance(question, SignedBefore)
        assert (question.file, question.is_written) == (first.path.absolute(), is_written)
        assert (question.when, question.newest) == (
            NOW,
            first.path.absolute() if is_written else None,
        )
        first.path.unlink(missing_ok=True)


def test_invitation_is_signed_without_a_library_and_says_so(folder: Path) -> None:
    damage_library(folder)
    anna = open_home(folder, "anna")
    signed_file = sign(anna.invite(), anna.identity, anna.store, path=folder / "b-000.toml")
    assert isinstance(signed_file.unremembered, NoStore)
    assert signed_file.path.read_bytes() == signed_file.data
    assert not signed_file.is_repeat


def test_borrowed_date_is_not_the_time_of_signing(folder: Path) -> None:
    early = "2026-01-01T00:00:00Z"
    anna = open_home(folder, "anna", early)
    signed_file = sign_agreed(anna, begin_turn(anna, file(folder, LAST), *PASS))
    assert signed_file.match.last.time == NOW
    (question,) = questions(begin_turn(anna, file(folder, LAST), *OTHER), anna.store)
    assert isinstance(question, SignedBefore)
    assert question.when == early


def test_signing_without_a_library_needs_consent(folder: Path) -> None:
    damage_library(folder)
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, file(folder, LAST), *PASS)
    (failure,) = questions(turn, anna.store)
    assert isinstance(failure, NoStore)
    assert anna.store.failure is not None
    assert failure.path == anna.store.path
    assert not failure.is_readable
    assert not failure.may_pass
    with pytest.raises(OpenQuestionsError):
        sign(turn, anna.identity, anna.store, write_file=False)
    signed_file = sign(turn, anna.identity, anna.store, [failure], write_file=False)
    assert signed_file.unremembered == failure
    assert not signed_file.is_repeat
    assert not signed_file.path.exists()
    assert anna.read(signed_file.data).match.last == signed_file.match.last


@pytest.mark.parametrize("method", ["signed_hashes", "shuffle_records"])
def test_library_failure_between_questions_needs_consent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    anna = open_home(folder, "anna")
    monkeypatch.setattr(Store, method, failing)
    turn = begin_turn(anna, file(folder, 1), "pass")
    open_questions = [
        question for question in questions(turn, anna.store) if isinstance(question, NoStore)
    ]
    assert open_questions == [NoStore(anna.store.path, StoreError("it is damaged").message)]
    assert (anna.store.failure is not None) == (method == "signed_hashes")


def test_signing_with_a_read_only_library_needs_consent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_library_read_only(monkeypatch)
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, file(folder, LAST), *PASS)
    (failure,) = questions(turn, anna.store)
    assert isinstance(failure, NoStore)
    assert failure.is_readable
    assert sign(turn, anna.identity, anna.store, [failure]).unremembered == failure
    assert [
        type(question)
        for question in questions(begin_turn(anna, file(folder, 3), *OTHER), anna.store)
    ] == [NoStore, SignedBefore]


def test_locked_library_cannot_be_consented_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.store.BUSY_SECONDS", 0.0)
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, file(folder, LAST), *PASS)
    with closing(sqlite3.connect(anna.store.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for draft in (turn, begin_turn(anna, file(folder, LAST), *OTHER)):
            (failure,) = expect_questions(sign, draft, anna.identity, anna.store)
            assert isinstance(failure, NoStore)
            assert failure.may_pass
            assert not failure.may_be_agreed
            assert "Let that one finish" in str(failure.remedy)
            expect_questions(sign, draft, anna.identity, anna.store, [failure])
    assert not file(folder, LAST + 1).exists()


# --- failures while writing


class StoppedError(Exception):
    """Raised in place of the end of the program."""


def stop(*_: object) -> None:
    raise StoppedError


def failing(*_: object) -> None:
    raise StoreError("it is damaged")


def test_interrupted_replacement_is_completed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sign_answer(folder, "anna", LAST, *PASS)
    shutil.copy(first.path, folder / "copy.toml")
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, file(folder, LAST), *OTHER)
    open_questions = questions(turn, anna.store)
    with monkeypatch.context() as patch:
        patch.setattr(NewFile, "commit", stop)
        patch.setattr(NewRecord, "take_back", stop)
        with pytest.raises(StoppedError):
            sign(turn, anna.identity, anna.store, open_questions, replace=True)
    assert first.path.read_bytes() == first.data
    again = begin_turn(anna, file(folder, LAST), *OTHER)
    copy = folder / "copy.toml"
    with pytest.raises(UsageError):
        again.history.check_room(copy, replace=False)
    with pytest.raises(UsageError):
        sign(again, anna.identity, anna.store, path=copy)
    again.history.check_room(first.path, replace=False)
    assert sign(again, anna.identity, anna.store, path=first.path).is_repeat
    assert SaveFile.read(first.path.read_bytes()).records[-1] == again.match.last


def test_identical_existing_file_is_kept(folder: Path) -> None:
    """A removed draft can be written again beside the unchanged file."""
    first = sign_answer(folder, "anna", LAST, *PASS)
    anna = open_home(folder, "anna")
    again = begin_turn(anna, file(folder, LAST), *PASS)
    with pytest.raises(UsageError):
        sign(again, anna.identity, anna.store)
    with pytest.raises(UsageError):
        again.history.check_room(first.path, replace=False)
    again.history.check_room(first.path, replace=False, may_exist=True)
    assert sign(again, anna.identity, anna.store, may_exist=True) == first._replace(
        match=again.match, is_repeat=True
    )


def test_consent_to_one_question_answers_no_other(folder: Path) -> None:
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, file(folder, 3), *OTHER)
    (question,) = questions(turn, anna.store)
    assert isinstance(question, SignedBefore)
    others = (NotRemembered(False), SignedBefore(question.conflict, NOW, None, False))
    assert check_not_signed(anna, turn, *others) == [question]


def test_nothing_is_signed_if_the_library_is_lost_meanwhile(folder: Path) -> None:
    """Nothing is signed if the library has changed since the questions were looked up."""
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, file(folder, LAST), *PASS)
    remove_library(folder)
    with pytest.raises(UsageError):
        sign_agreed(anna, turn)
    assert not file(folder, LAST + 1).exists()


# --- repeated signing


def test_signed_close_and_acceptance_are_written_again(folder: Path) -> None:
    first = sign_answer(folder, "anna", LAST, resigns=True)
    first.path.unlink()
    assert sign_answer(folder, "anna", LAST, resigns=True).data == first.data
    accept_invitation(folder)
    content = (folder / "b-001.toml").read_bytes()
    (folder / "b-001.toml").unlink()
    anna = open_home(folder, "anna")
    again = anna.join(anna.read(folder / "b-000.toml"))
    again.choose(Side.FRENCH)
    assert again.is_repeat
    assert sign(again, anna.identity, anna.store).data == content


# --- the signature


def test_turn_is_signed_once_after_consent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counting key shows that no step before or after signing makes a signature."""
    signatures: list[Tag] = []
    plain = Identity.sign

    def count(identity: Identity, tag: Tag, message: bytes) -> bytes:
        signatures.append(tag)
        return plain(identity, tag, message)

    monkeypatch.setattr(Identity, "sign", count)
    remove_library(folder)
    anna = open_home(folder, "anna")
    consent = Consent(anna)
    game = anna.read(file(folder, LAST))
    for question in expect_questions(begin_with_consent, consent, anna, game):
        consent.agree(question)
    turn = begin_with_consent(consent, anna, game)
    give_orders(turn, *OTHER)
    turn.undo()
    turn.redo()
    turn.file()
    consent.check(turn)
    assert (turn.finish().signature, signatures) == (UNSIGNED, [])
    assert not turn.is_repeat
    expect_questions(sign, turn, anna.identity, anna.store, path=folder / "x.toml")
    assert signatures == []
    first = consent.sign(turn)
    assert signatures == [Tag.SIGNATURE]
    # A signed record is written again without another signature.
    first.path.unlink()
    again = begin_turn(anna, file(folder, LAST), *OTHER)
    assert sign(again, anna.identity, anna.store).data == first.data
    for draft in (anna.invite(), anna.invite(Side.FRENCH)):
        assert signatures == [Tag.SIGNATURE]
        assert draft.match.last.signature == UNSIGNED
    sign(anna.invite(), anna.identity, anna.store, path=folder / "i.toml")
    assert signatures == [Tag.SIGNATURE] * 2


# --- revealed piles


def lists_of(records: Sequence[Record]) -> list[int | None]:
    return [step.list for step in records[1].steps if isinstance(step, Grant)]


def test_two_acceptances_never_open_both_lists_of_a_shuffle(folder: Path) -> None:
    """Bela accepts, gets an answer, accepts again, and asks Anna to use the second file."""
    anna = open_home(folder, "anna")
    sign(anna.invite(Side.BRITISH, lists=16), anna.identity, anna.store, path=folder / "b-000.toml")
    chosen: dict[str, list[int | None]] = {}
    while len(chosen) < 2:
        shutil.copytree(folder / "bela", folder / f"bela{len(chosen)}", dirs_exist_ok=True)
        bela = open_home(folder, f"bela{len(chosen)}")
        joining = bela.join(bela.read(folder / "b-000.toml"))
        lists = lists_of(joining.choose().records)
        if lists not in chosen.values():
            name = f"{len(chosen)}-001.toml"
            sign_agreed(bela, joining, folder / name)
            chosen[name] = lists
    one, two = (folder / name for name in chosen)
    first = sign_agreed(anna, begin_turn(anna, one, "pass")).match.last
    for resigns in (False, True):
        turn = begin_turn(anna, two, *([] if resigns else ["pass"]), resigns=resigns)
        open_questions = questions(turn, anna.store)
        (twice,) = [question for question in open_questions if not question.may_be_agreed]
        assert twice == OpensTwice(first)
        assert check_not_signed(anna, turn, *open_questions, is_wronged=True) == [twice]


@pytest.mark.parametrize("lists", [1, 16])
@pytest.mark.parametrize("is_attended", [True, False])
def test_opening_is_a_question_of_its_own_in_doubt(
    folder: Path, lists: int, is_attended: bool
) -> None:
    """Consent to the file does not cover it; one list shows nothing that is not known."""
    anna, bela = (open_home(folder, name) for name in ("anna", "bela"))
    one, opening = folder / "b-001.toml", NotRemembered(is_invitation=False, is_opening=True)
    sign_agreed(anna, anna.invite(Side.BRITISH, lists=lists), folder / "b-000.toml")
    joining = bela.join(bela.read(folder / "b-000.toml"))
    joining.choose()
    sign_agreed(bela, joining, one)
    assert opening not in questions(begin_turn(anna, one, "pass"), anna.store)
    remove_library(folder)
    anna = open_home(folder, "anna")
    turn = begin_turn(anna, one, "pass")
    assert (opening in questions(turn, anna.store)) is (lists > 1)
    consent = Consent(anna, prior_consent=[PriorConsent.NEWEST], is_attended=is_attended)
    assert consent.manner(NotRemembered(is_invitation=False)) is Manner.PASSED
    assert consent.manner(opening) is (Manner.ASKED if is_attended else Manner.REFUSED)


# --- concurrent signers


def test_only_one_of_two_concurrent_signers_succeeds(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signatures: list[bytes] = []
    plain = Identity.sign
    monkeypatch.setattr(
        Identity,
        "sign",
        lambda *arguments: signatures.append(arguments[2]) or plain(*arguments),  # type: ignore[func-returns-value]
    )
    sessions = [open_home(folder, "anna") for _ in range(2)]
    turns = [
        begin_turn(session, file(folder, LAST), *orders)
        for session, orders in zip(sessions, (PASS, OTHER), strict=True)
    ]
    meet, lost = Barrier(2), []

    def race(number: int) -> None:
        meet.wait()
        try:
            sign(
                turns[number],
                sessions[number].identity,
                sessions[number].store,
                path=folder / f"x{number}.toml",
            )
        except ConcurrentSigningError as error:
            lost.append(str(error))

    threads = [Thread(target=race, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ["in another window" in question for question in lost] == [True]
    assert len(signatures) == 1
    assert len([*folder.glob("x*.toml")]) == 1
    assert not find_double_signatures(folder)


def test_two_signers_of_one_record_note_it_signed(folder: Path) -> None:
    sessions = [open_home(folder, "anna") for _ in range(2)]
    turns = [begin_turn(session, file(folder, LAST), *PASS) for session in sessions]
    files = []
    for number, (session, turn) in enumerate(zip(sessions, turns, strict=True)):
        signed_file = sign(turn, session.identity, session.store, path=folder / f"x{number}.toml")
        files.append(signed_file.data)
        session.read(signed_file.path)
    assert files[0] == files[1]
    set_up = sessions[0].store.load_cache(turns[0].match.id).verified
    assert VerifiedRecord(turns[1].match.last.hash, UNSIGNED) not in set_up


# --- manners of questions


def find_questions(
    folder: Path, set_up: Callable[[Path], None], number: int
) -> dict[type, Question]:
    set_up(folder)
    with open_home(folder, "anna") as anna:
        open_questions = questions(begin_turn(anna, file(folder, number), *OTHER), anna.store)
    return {type(question): question for question in open_questions}


ANOTHER, NEWEST = PriorConsent.ANOTHER, PriorConsent.NEWEST
TOLD, ASKED, REFUSED, PASSED = Manner.TOLD, Manner.ASKED, Manner.REFUSED, Manner.PASSED
MANNERS: list[tuple[type, set[PriorConsent], tuple[Manner, Manner]]] = [
    # The first manner is for an attended front end, the second for an unattended one.
    (NewKey, set(), (TOLD, TOLD)),
    (SignedBefore, set(), (REFUSED, REFUSED)),
    (SignedBefore, {ANOTHER}, (ASKED, TOLD)),
    (SignedBefore, {NEWEST}, (REFUSED, REFUSED)),
    (NotRemembered, set(), (ASKED, REFUSED)),
    (NotRemembered, {ANOTHER}, (ASKED, REFUSED)),
    (NotRemembered, {NEWEST}, (PASSED, PASSED)),
    (NoStore, set(), (REFUSED, REFUSED)),
    (NoStore, {NEWEST}, (TOLD, TOLD)),
    (Closed, {ANOTHER, NEWEST}, (REFUSED, REFUSED)),
]


def test_each_question_has_its_manner(folder: Path) -> None:
    closed = shutil.copytree(folder, folder.parent / "closed")
    broken = shutil.copytree(folder, folder.parent / "broken")
    open_questions = find_questions(closed, close_game, LAST) | find_questions(
        broken, damage_library, LAST
    )
    open_questions |= find_questions(folder, remove_library, LAST)
    anna = open_home(folder, "anna")
    for kind, consents, manners in MANNERS:
        question = open_questions[kind]
        for is_attended, manner in zip((True, False), manners, strict=True):
            consent = Consent(anna, prior_consent=consents, is_attended=is_attended)
            assert consent.manner(question) is manner, (kind, consents, is_attended)
        trial = Consent(anna, prior_consent=consents, is_trial=True)
        assert trial.manner(question) is (PASSED if PASSED in manners else TOLD) or (
            kind is NotRemembered and trial.manner(question) is TOLD
        )
    passing = open_questions[NoStore]._replace(may_pass=True)
    assert Consent(anna, prior_consent=[NEWEST]).manner(passing) is REFUSED


def test_refused_questions_cannot_be_agreed_to_by_id(folder: Path) -> None:
    answer_newest(folder)
    file(folder, LAST + 1).unlink()
    anna = open_home(folder, "anna")
    consent = Consent(anna)
    with pytest.raises(UsageError):
        consent.agree(NotRemembered(is_invitation=False).id)
    turn = begin_with_consent(consent, anna, anna.read(file(folder, LAST)))
    give_orders(turn, *OTHER)
    (before,) = expect_questions(consent.check, turn)
    with pytest.raises(ForbiddenConsentError):
        consent.agree(before.id)
    assert not consent.may_replace
    assert before in expect_questions(consent.sign, turn)
    assert not find_double_signatures(folder)


def test_consent_by_id_in_a_later_request(folder: Path) -> None:
    remove_library(folder)
    anna = open_home(folder, "anna")
    game = anna.read(file(folder, LAST))
    (question,) = expect_questions(begin_with_consent, Consent(anna), anna, game)
    assert question == NotRemembered(is_invitation=False)
    later = Consent(anna)
    assert expect_questions(begin_with_consent, later, anna, game) == [question]
    later.agree(question.id)
    turn = begin_with_consent(later, anna, game)
    give_orders(turn, *OTHER)
    signed_file = later.sign(turn)
    assert [type(q) for q in later.agreed] == [NotRemembered, NewKey]
    assert signed_file.path.exists()


def test_question_has_one_id_in_all_processes(folder: Path) -> None:
    answer_newest(folder)
    script = (
        "from pathlib import Path; from pbem.play.home import Home;"
        "from pbem.play.session import Session; from pbem.play.signing import questions;"
        f"anna = Session.open(Home(Path('anna'), clock=lambda: {NOW!r}));"
        f"turn = anna.answer(anna.read(Path({file(folder, 3).name!r})));"
        "print(*(question.id for question in questions(turn, anna.store, is_different=True)))"
    )
    other = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment(PYTHONHASHSEED="7"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    anna, bela = (open_home(folder, name) for name in NAMES)
    turn = anna.answer(anna.read(file(folder, 3)))
    open_questions = questions(turn, anna.store, is_different=True)
    assert other.stdout.split() == [question.id for question in open_questions] != []
    bela_turn = bela.answer(bela.read(file(folder, 2)))
    open_questions += questions(bela_turn, bela.store, is_different=True)
    open_questions += [NotRemembered(False), NotRemembered(True)]
    assert {type(question) for question in open_questions} == {SignedBefore, NotRemembered}
    assert len({question.id for question in open_questions}) == len({*open_questions})


def test_only_asked_consent_vouches_for_a_doubted_key(folder: Path) -> None:
    impostor = Session.create(Home(folder / "eve"), Identity.generate("Bela", "bela@a.b"))
    for number, (is_attended, trust) in enumerate(((False, Trust.CHANGED), (True, Trust.KNOWN))):
        path = folder / f"e{number}-000.toml"
        sign_agreed(impostor, impostor.invite(Side.BRITISH, lists=16), path)
        anna = open_home(folder, "anna")
        game = anna.read(path)
        acceptance = anna.join(game)
        (question,) = check_not_signed(anna, acceptance)
        assert isinstance(question, OtherKey)
        assert question.recognised.person.key == impostor.identity.public_key
        consent = Consent(anna, is_attended=is_attended)
        consent.begin_joining(acceptance)
        if is_attended:
            assert expect_questions(consent.allow_joining, acceptance) == [question]
            consent.agree(question)
        else:
            consent.allow_joining(acceptance)
        assert require(anna.store.recognise(game.match.records)).trust is trust


# --- the order of the checks


def give_orders(turn: Turn, *orders: str) -> None:
    for order in orders:
        turn.order(read(ENGLISH, order, turn.view()))
    turn.end_turn()


def test_refused_questions_come_before_the_turn_order(folder: Path) -> None:
    """An old file asks about the earlier answer before it complains about the turn."""
    anna = open_home(folder, "anna")

    def begin(number: int, **options: Any) -> Turn:
        return begin_with_consent(Consent(anna, **options), anna, anna.read(file(folder, number)))

    assert [type(question) for question in expect_questions(begin, 2)] == [SignedBefore]
    with pytest.raises(UsageError, match="writes next"):
        begin(4)
    with pytest.raises(UsageError, match="writes next"):
        begin(2, prior_consent=[ANOTHER])
    assert begin(LAST).history.signed is None


def test_question_about_another_answer_comes_last(folder: Path) -> None:
    continue_elsewhere(folder)
    anna = open_home(folder, "anna")
    put: list[type] = []

    class RecordingConsent(Consent):
        def put(self, question: Question, manner: Manner) -> bool:
            put.append(type(question))
            return True

    consent = RecordingConsent(anna, prior_consent=[ANOTHER])
    begin_with_consent(consent, anna, anna.read(file(folder, 3)))
    assert put == [NotRemembered, SignedBefore]


def test_another_answer_is_allowed_before_orders_are_asked_for(folder: Path) -> None:
    answer_newest(folder)
    file(folder, LAST + 1).unlink()
    anna = open_home(folder, "anna")
    consent = Consent(anna)
    # A turn may begin, because the same orders write the same file.
    turn = begin_with_consent(consent, anna, anna.read(file(folder, LAST)))
    (question,) = expect_questions(consent.allow, turn, is_different=True)
    assert isinstance(question, SignedBefore)
    give_orders(turn, *PASS)
    assert consent.sign(turn).is_repeat
    assert not find_double_signatures(folder)


def test_existing_file_is_kept_unless_its_answer_is_replaced(folder: Path) -> None:
    answer_newest(folder)
    anna = open_home(folder, "anna")
    game = anna.read(file(folder, LAST))
    consent = Consent(anna)
    turn = begin_with_consent(consent, anna, game)
    with pytest.raises(UsageError, match="There is already a file"):
        turn.history.check_room(turn.path, replace=consent.may_replace)
    consent = Consent(anna, prior_consent=[ANOTHER])
    turn = begin_with_consent(consent, anna, game)
    turn.history.check_room(turn.path, replace=consent.may_replace)
    (question,) = expect_questions(consent.allow, turn, is_different=True)
    consent.agree(question.id)
    consent.allow(turn, is_different=True)
    give_orders(turn, *OTHER)
    assert not consent.sign(turn).is_repeat
    assert [order.notation() for order in turn.orders] == [*OTHER, "end"]


def test_notes_and_pending_decisions_are_checked_before_signing(folder: Path) -> None:
    anna = open_home(folder, "anna")
    consent = Consent(anna)
    turn = begin_with_consent(consent, anna, anna.read(file(folder, LAST)))
    for text in ("to decide", "Notes"):
        for step in (consent.check, consent.sign):
            with pytest.raises(UsageError, match=text):
                step(turn)
        if text == "to decide":
            give_orders(turn, *OTHER)
            turn.new_notes = "x" * 5000
    assert not file(folder, LAST + 1).exists()


def test_dry_run_signs_nothing(folder: Path) -> None:
    close_game(folder)
    anna = open_home(folder, "anna")
    trial = Consent(anna, is_trial=True)
    turn = begin_with_consent(trial, anna, anna.read(file(folder, 3)))
    give_orders(turn, *PASS)
    trial.check(turn)
    assert {type(question) for question in trial.agreed} == {SignedBefore, Closed}
    with pytest.raises(UsageError, match="trial"):
        trial.sign(turn)
    assert not (folder / "x.toml").exists()


def test_resigned_game_is_closed_by_the_opponent(folder: Path) -> None:
    signed_file = sign_answer(folder, "anna", LAST, resigns=True)
    assert signed_file.match.is_over
    with open_home(folder, "bela") as bela:
        over = bela.read(signed_file.path)
        consent = Consent(bela)
        with pytest.raises(UsageError, match="already over"):
            consent.begin(over, resigns=True)
        assert consent.sign(begin_with_consent(consent, bela, over)).match.next_side is None


def test_joining_an_own_invitation_is_refused(folder: Path) -> None:
    anna = open_home(folder, "anna")
    sign(anna.invite(lists=16), anna.identity, anna.store, path=folder / "b-000.toml")
    consent, acceptance = Consent(anna), anna.join(anna.read(folder / "b-000.toml"))
    consent.begin_joining(acceptance)
    consent.allow_joining(acceptance)
    with pytest.raises(UsageError, match="your own invitation"):
        consent.choose(acceptance, Side.FRENCH)
    assert consent.agreed == []


# --- other places that could sign


def test_signing_is_done_in_one_place() -> None:
    """Only one module signs and remembers records, and no front end makes one."""
    signing, front_ends = ROOT / "pbem" / "play" / "signing.py", {"cli", "mail", "web", "text"}
    signs, makes = re.compile(r"sign_record\(|\.remember\(|identity\.sign\("), "unsigned("
    for path in (ROOT / "pbem").rglob("*.py"):
        source = path.read_text()
        assert bool(signs.search(source)) == (path == signing), path
        is_front_end = path.relative_to(ROOT / "pbem").parts[0] in front_ends
        assert not (is_front_end and (makes in source or "Draft(" in source)), path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_signing_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not has_content(tmp_path / "pipe", b"")
