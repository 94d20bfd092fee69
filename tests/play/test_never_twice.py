"""Trying to sign twice through the door itself, as a front end would that asks nobody.

The ways are those of tests/attacks/test_forgotten.py and of the catalogue of attacks. Whatever the
caller does, `sign` makes no record that could be held against the player, and writes no file.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier, Thread

import pytest

from engine.sides import Side
from pbem.errors import WrongUse
from pbem.play.entry import Acceptance
from pbem.play.home import Home
from pbem.play.identity import keyfile
from pbem.play.practice_game import begin_library
from pbem.play.questions import (
    Closed,
    NewKey,
    NoLibrary,
    NotRemembered,
    NotToBeAgreed,
    OpensTwice,
    OtherKey,
    Question,
    SignedBefore,
    Standing,
    Unanswered,
)
from pbem.play.session import Session, Turn
from pbem.play.store import SignedMeanwhile
from pbem.protocol.identity import Identity
from pbem.protocol.record import Record
from pbem.protocol.steps import Grant, OpenLists
from pbem.text.ordering.reading import read
from tests.crash.state import signed_twice
from tests.play.homes import AT, ENGLISH, LAST, NAMES, agree, at_home, file, turn

ROOT = Path(__file__).parents[2]


def restored(folder: Path) -> Session:
    """Anna's key in a home that remembers nothing, as a recovery text brings it back."""
    identity = keyfile.load(folder / "anna" / "identity.toml", lambda: "")
    (folder / "restored").mkdir(exist_ok=True)
    if not (folder / "restored" / "identity.toml").exists():
        keyfile.save(identity, folder / "restored" / "identity.toml")
    return at_home(folder, "restored")


def cannot(signing: Turn | Acceptance, folder: Path, *kinds: type) -> Sequence[Question]:
    """Signing raises these questions, as often as it is tried, and leaves nothing behind."""
    before = {path: path.read_bytes() for path in folder.rglob("*.toml")}
    for path in (None, folder / "x.toml"):
        for replaces in (False, True):
            with pytest.raises(Unanswered) as refused:
                signing.sign(path, replaces=replaces)
    assert [type(each) for each in refused.value.questions] == [*kinds]
    assert {path: path.read_bytes() for path in folder.rglob("*.toml")} == before
    assert not signed_twice(folder)
    return refused.value.questions


# --- what is remembered


def test_an_older_file(table: Path) -> None:
    anna = at_home(table, "anna")
    other = turn(anna, file(table, 3), "draft rangers", "pass")
    (asked,) = cannot(other, table, SignedBefore)
    assert isinstance(asked, SignedBefore)
    assert asked.standing is Standing.ANSWERED
    turn(anna, file(table, LAST), "pass", "pass").sign()
    (asked,) = cannot(turn(anna, file(table, 3), "pass", "pass"), table, SignedBefore)
    assert isinstance(asked, SignedBefore)
    assert asked.standing is Standing.OLDER


def test_the_same_orders_give_the_same_file_and_others_none(table: Path) -> None:
    first = turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign()
    first.path.unlink()
    later = at_home(table, "anna", "2027-01-01T00:00:00Z")
    again = turn(later, file(table, LAST), "pass", "pass")
    assert again.is_again
    assert again.sign().data == first.data
    (asked,) = cannot(turn(later, file(table, LAST), "draft rangers", "pass"), table, SignedBefore)
    assert isinstance(asked, SignedBefore)
    assert (asked.file, asked.is_written) == (first.path.absolute(), True)


def test_an_order_after_signing_is_another_answer(table: Path) -> None:
    """The turn that was signed can be gone on with as an object, and not as a record."""
    going = turn(at_home(table, "anna"), file(table, LAST), "pass", "pass")
    going.sign()
    while going.undo() is not None:
        pass
    going.order(read(ENGLISH, "draft rangers", going.view()))
    going.order(read(ENGLISH, "pass", going.view()))
    going.end_turn()
    with pytest.raises(WrongUse):
        going.sign(table / "x.toml")
    assert not (table / "x.toml").exists()
    assert not signed_twice(table)


def test_to_agree_is_not_to_be_held_for_another_question(table: Path) -> None:
    """What was shown is agreed to, and nothing else."""
    anna = at_home(table, "anna")
    going = turn(anna, file(table, 3), "draft rangers", "pass")
    (asked,) = going.questions()
    assert isinstance(asked, SignedBefore)
    for other in (NotRemembered(False), SignedBefore(asked.earlier, AT, None, False)):
        going.agree(other)
    cannot(going, table, SignedBefore)
    # The same by value, from another object.
    (same,) = turn(anna, file(table, 3), "draft rangers", "pass").questions()
    assert same == asked
    going.agree(same)
    assert going.questions() == []


# --- what is forgotten


def test_a_restored_key(table: Path) -> None:
    for number in (3, LAST):
        for _ in range(2):
            going = turn(restored(table), file(table, number), "draft rangers", "pass")
            cannot(going, table, NewKey, NotRemembered)
    given_up = turn(restored(table), file(table, 3), resigns=True)
    cannot(given_up, table, NewKey, NotRemembered)


def test_a_restored_key_whose_library_has_learnt_the_game(table: Path) -> None:
    with restored(table) as anna:
        anna.read(file(table, 3))
        anna.invite().sign(table / "any.toml")
    going = turn(restored(table), file(table, 3), "draft rangers", "pass")
    assert NotRemembered(is_invitation=False) in going.questions()
    with pytest.raises(Unanswered):
        going.sign()


@pytest.mark.parametrize("content", [b"garbage", b"SQLite format 3\0" + b"\xff" * 99])
def test_a_library_that_is_broken(table: Path, content: bytes) -> None:
    (table / "anna" / "library.sqlite3").write_bytes(content)
    for number in (3, LAST):
        going = turn(at_home(table, "anna"), file(table, number), "draft rangers", "pass")
        with pytest.raises(Unanswered) as refused:
            going.sign(table / "x.toml")
        assert [type(each) for each in refused.value.questions] == [NoLibrary]
        assert not (table / "x.toml").exists()


def test_a_library_that_was_lost(table: Path) -> None:
    (table / "anna" / "library.sqlite3").unlink()
    for number in (3, LAST):
        going = turn(at_home(table, "anna"), file(table, number), "draft rangers", "pass")
        cannot(going, table, NewKey, NotRemembered)


def test_a_library_that_is_lost_between_reading_and_signing(table: Path) -> None:
    """What was looked up is no longer so: nothing is signed."""
    going = turn(at_home(table, "anna"), file(table, LAST), "pass", "pass")
    (table / "anna" / "library.sqlite3").unlink()
    with pytest.raises(WrongUse):
        going.sign()
    assert not file(table, LAST + 1).exists()


def test_a_home_that_was_copied(table: Path) -> None:
    """Anna goes on on another computer; this one has seen the file, and not signed its part."""
    shutil.copytree(table / "anna", table / "twin")
    turn(at_home(table, "twin"), file(table, LAST), "pass", "pass").sign()
    on = turn(at_home(table, "bela"), file(table, 6), "pass", "pass")
    on.sign()
    with at_home(table, "anna") as anna:
        anna.read(file(table, 7))
    cannot(turn(at_home(table, "anna"), file(table, 7), "pass", "pass"), table, NotRemembered)
    other = turn(at_home(table, "anna"), file(table, LAST), "draft rangers", "pass")
    with pytest.raises(Unanswered):
        other.sign(table / "x.toml")


# --- invitations


def test_an_invitation_twice(table: Path) -> None:
    at_home(table, "bela").invite(lists=16).sign(table / "b-000.toml")
    anna = at_home(table, "anna")
    first = anna.join(anna.read(table / "b-000.toml"))
    first.choose(Side.FRENCH)
    agree(first)
    written = first.sign()
    for side in Side:
        again = anna.join(anna.read(table / "b-000.toml"))
        again.choose(side)
        assert again.is_again is (side is Side.FRENCH)
        if not again.is_again:
            cannot(again, table, SignedBefore)
    elsewhere = restored(table)
    other = elsewhere.join(elsewhere.read(table / "b-000.toml"))
    other.choose(Side.BRITISH)
    cannot(other, table, NewKey, NotRemembered)
    written.path.unlink()
    repeated = anna.join(anna.read(table / "b-000.toml"))
    repeated.choose(Side.FRENCH)
    assert repeated.sign().data == written.data


# --- beside the own close


@pytest.fixture
def closed(table: Path) -> Path:
    turn(at_home(table, "anna"), file(table, LAST), resigns=True).sign()
    return table


CLOSED = {
    "a turn in its place": (LAST, ["pass", "pass"], False),
    "an older turn": (3, ["draft rangers", "pass"], False),
    "an older end": (3, [], True),
}


@pytest.mark.parametrize("way", CLOSED)
@pytest.mark.parametrize("home", ["anna", "restored"])
def test_a_record_beside_ones_own_close(closed: Path, way: str, home: str) -> None:
    """Whatever its player agrees to."""
    number, orders, resigns = CLOSED[way]
    with restored(closed) as anna:
        begin_library(anna.library, anna.read(file(closed, 6)).match, file(closed, 6))
    going = turn(at_home(closed, home), file(closed, number), *orders, resigns=resigns)
    agree(going)
    (asked,) = cannot(going, closed, Closed)
    with pytest.raises(NotToBeAgreed):
        going.agree(asked)
    cannot(going, closed, Closed)


def test_the_very_close_is_written_again(closed: Path) -> None:
    content = file(closed, 6).read_bytes()
    file(closed, 6).unlink()
    assert turn(at_home(closed, "anna"), file(closed, LAST), resigns=True).sign().data == content


def test_a_close_that_comes_in_between(table: Path) -> None:
    """Another window closes the game after the turn was looked up."""
    anna = at_home(table, "anna")
    going = turn(anna, file(table, LAST), "pass", "pass")
    turn(at_home(table, "anna"), file(table, LAST), resigns=True).sign()
    with pytest.raises(WrongUse):
        going.sign(table / "x.toml")
    assert not (table / "x.toml").exists()


# --- what would show a whole pile


def lists_of(records: Sequence[Record]) -> list[int | None]:
    return [step.list for step in records[1].steps if isinstance(step, Grant)]


def test_both_lists_of_a_shuffle_for_two_acceptances(table: Path) -> None:
    """Bela accepts, is answered, accepts again, and says: take this file instead."""
    anna = at_home(table, "anna")
    anna.invite(Side.BRITISH, lists=16).sign(table / "b-000.toml")
    accepted: dict[str, list[int | None]] = {}
    while len(accepted) < 2:
        shutil.copytree(table / "bela", table / f"bela{len(accepted)}", dirs_exist_ok=True)
        bela = at_home(table, f"bela{len(accepted)}")
        joining = bela.join(bela.read(table / "b-000.toml"))
        chosen = lists_of(joining.choose().records)
        if chosen not in accepted.values():
            agree(joining)
            name = f"{len(accepted)}-001.toml"
            joining.sign(table / name)
            accepted[name] = chosen
    one, two = (table / name for name in accepted)
    first = turn(anna, one, "pass")
    agree(first)
    first.sign()
    for resigns in (False, True):
        going = turn(anna, two, *([] if resigns else ["pass"]), resigns=resigns)
        agree(going)
        (asked,) = [q for q in going.questions() if not q.may_be_agreed]
        assert isinstance(asked, OpensTwice)
        with pytest.raises(NotToBeAgreed):
            going.agree(asked)
        with pytest.raises(Unanswered):
            going.sign(table / "x.toml")
        assert not (table / "x.toml").exists()


def test_a_shuffle_that_was_opened_is_not_made_again(table: Path) -> None:
    anna, bela = (at_home(table, name) for name in NAMES)
    anna.invite(lists=16).sign(table / "b-000.toml")
    joining = bela.join(bela.read(table / "b-000.toml"))
    joining.choose(Side.FRENCH)
    joining.sign()
    for number in range(1, 4):
        player = anna if number % 2 else bela
        going = turn(player, table / f"b-{number:03}.toml", *["pass"] * (number == 3))
        agree(going)
        match = going.sign().match
    assert isinstance(match.last.steps[0], OpenLists)
    again = turn(at_home(table, "anna", "2031-01-01T00:00:00Z"), table / "b-001.toml")
    again.redate("2031-01-01T00:00:00Z")
    agree(again)
    with pytest.raises(Unanswered) as refused:
        again.sign(table / "x.toml", replaces=True)
    assert [type(each) for each in refused.value.questions] == [OpensTwice]
    assert not (table / "x.toml").exists()


# --- at once


def test_two_processes_of_which_one_gets_through(table: Path) -> None:
    orders = (["pass", "pass"], ["draft rangers", "pass"])
    turns = [turn(at_home(table, "anna"), file(table, LAST), *each) for each in orders]
    meet, refused = Barrier(len(turns)), []

    def sign(number: int) -> None:
        meet.wait()
        try:
            turns[number].sign(table / f"x{number}.toml")
        except SignedMeanwhile as error:
            refused.append(error)

    threads = [Thread(target=sign, args=(number,)) for number in range(len(turns))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert len(list(table.glob("x*.toml"))) == 1
    assert not signed_twice(table)


# --- keys


def test_nobody_signs_with_a_key_that_was_not_shown(table: Path) -> None:
    """A first one, or one by which somebody else is known by then."""
    impostor = Session.create(Home(table / "eve"), Identity.generate("Bela", "bela@a.b"))
    stranger = Session.create(Home(table / "cleo"), Identity.generate("Cleo", "cleo@a.b"))
    anna = at_home(table, "anna")
    for session, kind in ((impostor, OtherKey), (stranger, NewKey)):
        path = table / f"{session.identity.name}-{kind.__name__}.toml"
        session.invite(Side.BRITISH, lists=16).sign(path)
        (asked,) = cannot(anna.join(anna.read(path)), table, kind)
        assert isinstance(asked, NewKey | OtherKey)
        assert asked.recognised.person.key == session.identity.public_key


# --- whoever else could sign

MAKING = {"pbem.play.next_record"}


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """What a module imports to use it, and not only as a type."""
    tree = ast.parse(path.read_text())
    used = {node.id for node in ast.walk(_WithoutTypes().visit(tree)) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [(each.name, each.asname or each.name) for each in node.names]
            yield from ((node.module, name) for name, here in names if here in used)


class _WithoutTypes(ast.NodeTransformer):
    """A module without its annotations."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


@pytest.mark.parametrize("room", ["cli", "mail", "web"])
def test_no_front_end_has_another_way_to_sign(room: str) -> None:
    """Neither to make a record, nor to remember one."""

    def makes(module: str, name: str) -> bool:
        return (
            module in MAKING
            or (module == "pbem.play.entry" and name in ("accept", "invite"))
            or (module == "pbem.play.memory" and name == "Memory")
        )

    found = [
        (path.name, module, name)
        for path in (ROOT / "pbem" / room).rglob("*.py")
        for module, name in imports(path)
        if makes(module, name)
    ]
    assert found == []
    for path in (ROOT / "pbem" / room).rglob("*.py"):
        calls = {
            node.func.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        assert not calls & {"remember", "finish"}, path
