"""Steps without a decision, which the player lets be signed against the robot only."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from time import sleep

import pytest
from playwright.sync_api import Browser

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.robot import note_robot_file
from pbem.web.active_game import ActiveGame
from pbem.web.game_service import GameService
from tests.play.robot_setup import answer_as_keeper, invite_robot, keeper_at, poll_robot
from tests.web.hands import open_game_page, press
from tests.web.inline import Visitor
from tests.web.serving import serving
from tests.web.tables import Pair


class RobotGame:
    """A game of Anna, the French, with the robot; her first file needs no decision."""

    def __init__(self, folder: Path) -> None:
        self.anna = keeper_at(folder / "anna")
        self.player = PracticePlayer(Random(1))
        self.game = invite_robot(self.anna, Side.FRENCH).match.id
        self.visitor = Visitor(self.anna.home.folder)
        self.path = f"/games/{self.game.hex()}"
        self.file = Path()
        self.let_robot_answer()

    def let_robot_answer(self) -> None:
        """Let the robot answer, and note its file."""
        (answered,) = poll_robot(self.anna)
        self.file = answered.path
        note_robot_file(self.anna.store, self.file, self.anna.home)

    @property
    def active(self) -> ActiveGame:
        """The game as a page opens it."""
        service = GameService(self.anna.home)
        return ActiveGame(service.session(), service.open(self.game.hex()), lambda path: None)

    @property
    def records(self) -> dict[int, bytes]:
        """The hashes of the records that Anna signed, by index."""
        return self.anna.store.signed_hashes(self.game)

    def look(self) -> str:
        """Open the page, and return the parts about the signature."""
        answer = self.visitor.get(f"{self.path}/parts")
        assert answer.status == 200
        parts = answer.data["parts"]
        return str(parts.get("signing", "") + parts.get("allowing", ""))

    def allow(self, *, allows: bool) -> int:
        """Agree or withdraw, and return the status."""
        return self.visitor.post(f"{self.path}/allow", allows=allows).status

    def play_to_step(self) -> None:
        """Play until a file needs no decision."""
        while not self.active.is_step_due:
            answer_as_keeper(self.anna, self.file, self.player)
            self.let_robot_answer()


@pytest.fixture
def played(tmp_path: Path) -> RobotGame:
    return RobotGame(tmp_path)


def test_step_is_signed_only_after_the_player_has_agreed(played: RobotGame) -> None:
    before = played.records
    assert 'id="allow"' in played.look()
    assert played.active.is_step_due and not played.active.sign_step()
    assert played.records == before
    assert played.allow(allows=True) == 200
    assert len(played.records) == len(before) + 1
    assert 'id="forbid"' in played.look() and len(played.records) == len(before) + 1
    # Agreed to once: the next step is signed as soon as its page is opened, and announced.
    played.let_robot_answer()
    played.play_to_step()
    before = played.records
    assert 'id="forbid"' in played.look()
    assert len(played.records) == len(before) + 1 == len({*played.records})
    assert "Signed for you, as you asked." in str(played.visitor.pages.news[0][0])
    # Withdrawn: the player is asked again.
    assert played.allow(allows=False) == 200
    played.let_robot_answer()
    played.play_to_step()
    before = played.records
    assert 'id="allow"' in played.look()
    assert played.records == before


def test_decision_is_never_made_for_the_player(played: RobotGame) -> None:
    played.look()
    assert played.allow(allows=True) == 200
    played.let_robot_answer()
    while played.active.is_step_due:
        played.look()
        played.let_robot_answer()
    before = played.records
    assert played.active.turn is not None
    assert not played.active.sign_step()
    played.look()
    assert played.records == before


def test_open_question_keeps_a_step_from_being_signed(played: RobotGame) -> None:
    played.anna.store.allow_steps(played.game, is_allowed=True)
    library = played.anna.home.library_path
    # The library no longer knows all that was signed.
    with closing(sqlite3.connect(library)) as database:
        database.execute("DELETE FROM keys")
        database.execute("DELETE FROM records")
        database.commit()
    assert played.active.questions
    assert not played.active.sign_step()
    played.look()
    # The invitation was learnt from the file.
    assert list(played.records) == [0]


def test_lost_file_of_a_step_is_written_again_with_the_same_record(played: RobotGame) -> None:
    played.anna.store.allow_steps(played.game, is_allowed=True)
    active = played.active
    assert active.turn is not None
    path = active.turn.path
    assert active.sign_step()
    before, data = played.records, path.read_bytes()
    path.unlink()
    played.look()
    assert (played.records, path.read_bytes()) == (before, data)


def test_nothing_is_signed_against_people(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "pair").begin()

    def is_step(pair: Pair) -> bool:
        side = pair.next_side
        return side is not None and pair.next_turn(pair.sessions[side]).needs_no_decision

    pair.play(is_step)
    assert pair.written is not None and pair.next_side is not None
    pair.note(pair.next_side)
    session, game = pair.sessions[pair.next_side], pair.written.match.id
    visitor = Visitor(session.home.folder)
    before = session.store.signed_hashes(game)
    parts = visitor.get(f"/games/{pair.game}/parts").data["parts"]
    assert 'id="allow"' not in parts["signing"] + parts["allowing"]
    assert visitor.post(f"/games/{pair.game}/allow", allows=True).status == 409
    # Not even if the library says so.
    session.store.allow_steps(game, is_allowed=True)
    visitor.get(f"/games/{pair.game}/parts")
    assert session.store.signed_hashes(game) == before


@pytest.mark.parametrize("is_allowed", [True, False])
def test_step_is_signed_when_the_answer_arrives_if_allowed(
    tmp_path: Path, is_allowed: bool
) -> None:
    """No page of the game is open."""
    anna = keeper_at(tmp_path / "anna")
    game = invite_robot(anna, Side.FRENCH).match.id
    anna.store.allow_steps(game, is_allowed=is_allowed)
    # The robot accepts, and plays its turn after the step.
    last = 3 if is_allowed else 1
    with serving(anna.home.folder) as table:
        for _ in range(300):
            entry = anna.store.game(game)
            if entry is not None and entry.game.records > last:
                break
            sleep(0.1)
        news = [str(message) for message, _ in table.pages.news]
    assert entry is not None and entry.game.records == last + 1
    assert list(anna.store.signed_hashes(game)) == ([0, 2] if is_allowed else [0])
    assert any("Signed for you, as you asked." in text for text in news) is is_allowed


@pytest.mark.slow
def test_button_agrees_and_withdraws_and_the_robot_plays_on(
    browser: Browser, played: RobotGame
) -> None:
    game = played.game.hex()
    with serving(played.anna.home.folder) as table, open_game_page(browser, table, game) as page:
        signed = len(played.records)
        press(page, "#allow")
        page.wait_for_selector("#forbid")
        # The robot answers until something is left to decide.
        page.wait_for_selector("#play-page.choosing")
        assert len(played.records) > signed
        press(page, "#forbid")
        page.wait_for_function("() => !document.querySelector('#forbid')")
        assert not played.anna.store.allows_steps(played.game)
