"""The clerk: what is checked before a signature, in which order, for whoever drives it.

It is driven as a page drives it: a step raises what stands before it, a later request agrees to
that by its name, and takes the step again. Nothing of it waits for anybody.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest

from engine.sides import Side
from pbem.errors import WrongUse
from pbem.play.clerk import Answering, Clerk, Joining, Manner, OverAlready
from pbem.play.home import Home
from pbem.play.questions import (
    Beforehand,
    Closed,
    NewKey,
    NoLibrary,
    NotRemembered,
    NotToBeAgreed,
    OtherKey,
    Question,
    SignedBefore,
    Unanswered,
)
from pbem.play.session import Session
from pbem.play.store import SignedMeanwhile, Trust
from pbem.protocol.identity import Identity
from pbem.text.ordering.reading import read
from tests.cli.using import COMMAND, environment
from tests.crash.state import signed_twice
from tests.play.homes import AT, ENGLISH, LAST, at_home, file, turn
from tests.present import present

OTHER = ("draft rangers", "pass")


def answering(table: Path, number: int = LAST, home: str = "anna", **options: object) -> Answering:
    session = at_home(table, home)
    return Answering(session, session.read(file(table, number)), **options)  # type: ignore[arg-type]


def give(clerk: Answering, *orders: str) -> None:
    for order in orders:
        clerk.turn.order(read(ENGLISH, order, clerk.turn.view()))
    clerk.turn.end_turn()


def refused(step: Callable[[], object]) -> list[Question]:
    """The questions that stand before a step."""
    with pytest.raises(Unanswered) as raised:
        step()
    return [*raised.value.questions]


def forgotten(table: Path) -> None:
    """Anna's home has lost its library."""
    (table / "anna" / "library.sqlite3").unlink()


# --- from a file to the next


def test_a_turn_from_reading_to_writing(table: Path) -> None:
    clerk = answering(table)
    assert clerk.begin() is clerk.turn
    give(clerk, *OTHER)
    clerk.check()
    written = clerk.sign()
    assert written.path == file(table, LAST + 1)
    assert [order.notation() for order in clerk.turn.orders] == [*OTHER, "end"]


def test_a_page_agrees_by_name_in_a_later_request(table: Path) -> None:
    forgotten(table)
    (question,) = refused(answering(table).begin)
    assert question == NotRemembered(is_invitation=False)
    later = answering(table)
    assert refused(later.begin) == [question]
    later.agree(question.id)
    later.begin()
    give(later, *OTHER)
    (told,) = refused(later.sign)
    assert (type(told), later.manner(told)) == (NewKey, Manner.TOLD)
    assert later.questions() == [told]
    later.agree(told.id)
    assert later.questions() == []
    assert later.sign().path.exists()


def test_what_is_not_asked_cannot_be_agreed_to_by_name(table: Path) -> None:
    clerk = answering(table)
    with pytest.raises(WrongUse):
        clerk.agree(NotRemembered(is_invitation=False).id)


def test_a_question_has_the_same_name_wherever_it_is_asked(table: Path) -> None:
    """In another process, where hashes of texts are others, and not in another question."""
    turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign()
    clerk = answering(table, 3)
    told = answering(table, 3, home="bela", is_trial=True).questions()
    asked = [*clerk.questions(), *told, NotRemembered(False), NotRemembered(True)]
    assert {type(each) for each in asked} == {SignedBefore, NotRemembered}
    names = {each.id for each in asked}
    assert len(names) == len({*asked})
    script = (
        "from pathlib import Path; from pbem.play.clerk import Answering;"
        "from pbem.play.home import Home; from pbem.play.session import Session;"
        f"anna = Session.open(Home(Path('anna'), clock=lambda: {AT!r}));"
        f"clerk = Answering(anna, anna.read(Path({file(table, 3).name!r})));"
        "print(*(question.id for question in clerk.questions()))"
    )
    other = subprocess.run(
        [sys.executable, "-c", script], cwd=table, env=environment(PYTHONHASHSEED="7"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert other.stdout.split() == [each.id for each in clerk.questions()] != []


def test_notes_are_checked_before_anything_is_signed(table: Path) -> None:
    clerk = answering(table)
    clerk.begin()
    give(clerk, *OTHER)
    with pytest.raises(WrongUse, match="Notes"):
        clerk.edit("x" * 5000)
    clerk.notes = "x" * 5000
    for step in (clerk.check, clerk.sign):
        with pytest.raises(WrongUse, match="Notes"):
            step()
    assert not file(table, LAST + 1).exists()


def test_a_turn_that_is_not_complete_is_neither_checked_nor_signed(table: Path) -> None:
    clerk = answering(table)
    with pytest.raises(WrongUse):
        _ = clerk.turn
    clerk.begin()
    for step in (clerk.check, clerk.sign):
        with pytest.raises(WrongUse, match="to decide"):
            step()


# --- the order of the checks


class Letter:
    """What is written beside a file, where there is no room for it, or there is."""

    has_draft = True

    def __init__(self, *, is_full: bool = False) -> None:
        self.is_full = is_full
        self.asked: list[Path] = []

    def make_room(self, path: Path, game: bytes, index: int) -> None:
        self.asked.append(path)
        if self.is_full:
            raise WrongUse("There is a letter already.")


def test_what_is_refused_comes_before_what_is_asked_and_that_before_room(table: Path) -> None:
    turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign()
    letter = Letter(is_full=True)
    clerk = answering(table, 3, enclosure=letter)
    (question,) = refused(clerk.begin)
    assert isinstance(question, SignedBefore)
    assert clerk.manner(question) is Manner.REFUSED
    assert letter.asked == []
    # Who wants that all the same is asked it last, and there is no room then.
    clerk = answering(table, 3, enclosure=letter, beforehand=[Beforehand.ANOTHER])
    asked = refused(clerk.begin)
    assert isinstance(asked[-1], SignedBefore)
    assert [clerk.manner(each) for each in asked][-1] is Manner.ASKED
    for each in asked:
        clerk.agree(each)
    with pytest.raises(WrongUse, match="letter"):
        clerk.begin()
    assert letter.asked == [file(table, 4)]


def test_a_file_that_is_there_is_told_before_orders_are_asked_for(table: Path) -> None:
    file(table, LAST + 1).write_bytes(file(table, LAST).read_bytes())
    with pytest.raises(WrongUse, match="There is already a file"):
        answering(table).begin()
    # A trial needs none.
    answering(table, is_trial=True).begin()


def test_whose_turn_it_is_not_learns_that_and_nothing_else(table: Path) -> None:
    with pytest.raises(WrongUse, match="writes next"):
        answering(table, 4).begin()


def test_another_answer_is_allowed_before_orders_are_asked_for(table: Path) -> None:
    turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign().path.unlink()
    clerk = answering(table)
    # The same orders write it again, so that it may be begun.
    clerk.begin()
    (question,) = refused(clerk.allow_another)
    assert isinstance(question, SignedBefore)
    give(clerk, "pass", "pass")
    assert clerk.sign().is_again
    assert not signed_twice(table)


def test_who_says_so_and_agrees_replaces_the_answer(table: Path) -> None:
    turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign()
    with pytest.raises(WrongUse, match="There is already a file"):
        answering(table).begin()
    clerk = answering(table, beforehand=[Beforehand.ANOTHER])
    clerk.begin()
    (question,) = refused(clerk.allow_another)
    assert clerk.manner(question) is Manner.ASKED
    clerk.agree(question.id)
    clerk.allow_another()
    give(clerk, *OTHER)
    assert not clerk.sign().is_again
    assert [order.notation() for order in clerk.turn.orders] == [*OTHER, "end"]


# --- how a question is put


def test_who_cannot_be_asked_has_to_say_it_beforehand(table: Path) -> None:
    forgotten(table)
    question = NotRemembered(is_invitation=False)
    ways = {
        Manner.REFUSED: answering(table, is_attended=False),
        Manner.PASSED: answering(table, is_attended=False, beforehand=[Beforehand.NEWEST]),
        Manner.ASKED: answering(table),
        Manner.TOLD: answering(table, is_trial=True),
    }
    for manner, clerk in ways.items():
        assert refused(clerk.begin) == [question]
        assert clerk.manner(question) is manner


def test_without_a_library_nothing_is_signed_unless_that_is_said(table: Path) -> None:
    (table / "anna" / "library.sqlite3").write_bytes(b"garbage")
    (question,) = refused(answering(table).begin)
    assert isinstance(question, NoLibrary)
    assert answering(table).manner(question) is Manner.REFUSED
    assert answering(table, beforehand=[Beforehand.NEWEST]).manner(question) is Manner.TOLD
    passing = question._replace(may_pass=True)
    assert answering(table, beforehand=[Beforehand.NEWEST]).manner(passing) is Manner.REFUSED


def test_a_trial_is_told_everything_and_signs_nothing(table: Path) -> None:
    turn(at_home(table, "anna"), file(table, LAST), resigns=True).sign()
    clerk = answering(table, 3, is_trial=True)
    kinds = []
    while True:
        try:
            clerk.begin()
            break
        except Unanswered as error:
            for question in error.questions:
                kinds.append(type(question))
                assert clerk.manner(question) is Manner.TOLD
                clerk.agree(question)
    assert {SignedBefore, Closed} <= {*kinds}
    give(clerk, "pass", "pass")
    clerk.check()
    with pytest.raises(WrongUse, match="trial"):
        clerk.sign()
    assert clerk.keep() is None
    assert answering(table, 3, is_trial=True).memory.own.kept_turn(
        clerk.game.match.id, clerk.game.match.last.hash
    ) is None  # fmt: skip


def test_nobody_agrees_to_what_cannot_be_agreed_to(table: Path) -> None:
    turn(at_home(table, "anna"), file(table, LAST), resigns=True).sign()
    clerk = answering(table, 3, beforehand=[Beforehand.ANOTHER])
    asked = refused(clerk.begin)
    (closed,) = [each for each in asked if isinstance(each, Closed)]
    assert clerk.manner(closed) is Manner.REFUSED
    with pytest.raises(NotToBeAgreed):
        clerk.agree(closed.id)
    assert closed in refused(clerk.begin)


def test_what_is_refused_cannot_be_agreed_to_by_name(table: Path) -> None:
    """A page that was not asked says yes: what was signed before stays the only answer."""
    turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign().path.unlink()
    clerk = answering(table)
    clerk.begin()
    give(clerk, *OTHER)
    asked = refused(clerk.check)
    (before,) = [each for each in asked if isinstance(each, SignedBefore)]
    assert clerk.manner(before) is Manner.REFUSED
    with pytest.raises(NotToBeAgreed):
        clerk.agree(before.id)
    assert not clerk.replaces
    assert before in refused(clerk.sign)
    assert not signed_twice(table)


def test_who_agrees_to_a_doubted_key_vouches_for_it_only_if_asked(table: Path) -> None:
    impostor = Session.create(Home(table / "eve"), Identity.generate("Bela", "bela@a.b"))
    for number, (is_attended, trust) in enumerate(((False, Trust.CHANGED), (True, Trust.KNOWN))):
        path = table / f"e{number}-000.toml"
        impostor.invite(Side.BRITISH, lists=16).sign(path)
        anna = at_home(table, "anna")
        game = anna.read(path)
        clerk = Joining(anna, game, is_attended=is_attended)
        clerk.begin()
        (question,) = refused(clerk.allow)
        assert isinstance(question, OtherKey)
        assert clerk.manner(question) is (Manner.ASKED if is_attended else Manner.TOLD)
        clerk.agree(question)
        assert present(anna.library.recognise(game.match.records)).trust is trust


# --- other things that are signed


def test_the_game_is_given_up_and_closed_by_the_other(table: Path) -> None:
    clerk = answering(table, resigns=True)
    assert clerk.begin().is_complete
    clerk.allow_another()
    written = clerk.sign()
    assert written.match.is_over
    again = at_home(table, "bela")
    over = again.read(written.path)
    with pytest.raises(OverAlready):
        Answering(again, over, resigns=True)
    closing = Answering(again, over)
    closing.begin()
    assert closing.sign().match.next_side is None


def test_an_invitation_is_taken_up(table: Path) -> None:
    at_home(table, "bela").invite(lists=16).sign(table / "b-000.toml")
    anna = at_home(table, "anna")
    clerk = Joining(anna, anna.read(table / "b-000.toml"))
    clerk.begin()
    clerk.allow(Side.FRENCH)
    clerk.choose(Side.FRENCH)
    written = clerk.sign()
    # Once more: it is known which side was taken, and another is not.
    written.path.unlink()
    again = Joining(anna, anna.read(table / "b-000.toml"))
    again.begin()
    assert again.side_before is Side.FRENCH
    again.choose(Side.FRENCH)
    assert again.sign().data == written.data
    other = Joining(anna, anna.read(table / "b-000.toml"), path=table / "x.toml")
    other.begin()
    assert [type(each) for each in refused(lambda: other.choose(Side.BRITISH))] == [SignedBefore]
    assert not signed_twice(table)


def test_ones_own_invitation_is_refused_and_nothing_asked(table: Path) -> None:
    anna = at_home(table, "anna")
    anna.invite(lists=16).sign(table / "b-000.toml")
    clerk = Joining(anna, anna.read(table / "b-000.toml"))
    clerk.begin()
    clerk.allow()
    with pytest.raises(WrongUse, match="your own invitation"):
        clerk.choose(Side.FRENCH)


def test_a_clerk_of_whatever_has_a_memory(table: Path) -> None:
    (table / "anna" / "library.sqlite3").write_bytes(b"garbage")
    invitation = at_home(table, "anna").invite(lists=16)
    clerk = Clerk(invitation.memory)
    clerk.put(invitation.memory.questions())
    with pytest.raises(WrongUse):
        clerk.agree("0" * 16)


# --- a turn that was left


def test_the_notes_go_on_with_the_turn_unless_there_are_others(table: Path) -> None:
    clerk = answering(table)
    clerk.begin()
    clerk.turn.order(read(ENGLISH, "pass", clerk.turn.view()))
    clerk.edit("Quebec first.")
    assert clerk.keep() is None
    again = answering(table)
    again.begin()
    assert len(again.resume().orders) == 1
    assert again.notes == "Quebec first."
    named = answering(table)
    named.begin()
    named.notes = "Albany."
    named.resume()
    assert named.notes == "Albany."


# --- at once


def test_of_two_pages_that_sign_at_once_one_is_told(table: Path) -> None:
    clerks = [answering(table, path=table / f"x{number}.toml") for number in range(2)]
    for clerk, orders in zip(clerks, (("pass", "pass"), OTHER), strict=True):
        clerk.begin()
        give(clerk, *orders)
    meet, lost = Barrier(2), []

    def sign(clerk: Answering) -> None:
        meet.wait()
        try:
            clerk.sign()
        except SignedMeanwhile as error:
            lost.append(error)

    threads = [Thread(target=sign, args=(clerk,)) for clerk in clerks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lost) == 1
    assert "in another window" in str(lost[0])
    assert len([*table.glob("x*.toml")]) == 1
    assert not signed_twice(table)


def test_of_a_page_and_a_command_that_sign_at_once_one_is_told(table: Path) -> None:
    """The command is a process of its own, and may be first or second."""
    clerk = answering(table, path=table / "x.toml")
    clerk.begin()
    give(clerk, *OTHER)
    words = ("--home", "anna", "turn", "apply", file(table, LAST).name, "pass", "pass")
    command = subprocess.Popen(
        [*COMMAND, *words], cwd=table, env=environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        clerk.sign()
        is_lost = False
    except WrongUse:
        is_lost = True
    told = command.communicate(timeout=60)[1]
    assert (command.returncode == 0) == is_lost, told
    assert not signed_twice(table)


def test_a_page_that_is_behind_is_told_and_signs_nothing(table: Path) -> None:
    """Its turn was begun before the other window signed."""
    behind = answering(table, path=table / "x.toml")
    behind.begin()
    give(behind, *OTHER)
    turn(at_home(table, "anna"), file(table, LAST), "pass", "pass").sign()
    with pytest.raises(SignedMeanwhile):
        behind.sign()
    assert not (table / "x.toml").exists()
    assert not signed_twice(table)
