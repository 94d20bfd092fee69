"""`acres play`: from the shell to a turn that is written, in one command."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.robot import folder_of_robot, note_robot_file
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.cli.screen import Terminal
from tests.play.keeping_a_robot import invited, keeper_at, move, robot_answers
from tests.signing import sign_agreed

MOVE = "Your move against"
SIGN = "[y/n] "
MOST = 4
"""How many orders a turn takes at most in which nothing is done."""


def at_play(home: Path, *words: str, **variables: str) -> Terminal:
    """The command in a terminal, for the player of that home."""
    return Terminal.acres("--home", home, "play", *words, folder=home.parent, **variables)


def friends(folder: Path) -> tuple[Session, Path]:
    """Anna at home there, and the file with which Émile has taken up her invitation."""
    anna, emile = (
        Session.create(Home(folder / name), Identity.generate(name, ""))
        for name in ("Anna", "Émile")
    )
    with anna, emile:
        invitation = anna.invite(Side.BRITISH, lists=2)
        written = sign_agreed(anna, invitation, folder / "game-000.toml")
        return anna, sign_agreed(emile, emile.join(emile.read(written.path))).path


def pass_turn(terminal: Terminal) -> None:
    """Do nothing in a turn, and sign that."""
    terminal.wait_at("> ")
    for _ in range(MOST):
        terminal.type("pass")
        terminal.settle()
        if terminal.before_cursor.endswith(SIGN):
            break
    terminal.type("y")


def begin_with_robot(anna: Session) -> Path:
    """Have the robot take up an invitation; the file that Anna is to answer."""
    invited(anna)
    (joined,) = robot_answers(anna)
    note_robot_file(anna.store, joined.path, anna.home)
    return joined.path


def newest(home: Path) -> int:
    """The number of the last record in the one game with the robot at that home."""
    files = folder_of_robot(Home(home)).glob("*.toml")
    return max(int(path.stem[-3:]) for path in files)


def test_from_nothing_to_the_first_turn_against_the_robot_in_one_command(tmp_path: Path) -> None:
    """Three commands with installing and all: this is the one behind that."""
    home = tmp_path / "home"
    with at_play(home, "robot") as terminal:
        terminal.wait_at("opponents see it: ")
        terminal.type("Zoé")
        assert MOVE in terminal.wait_at("> ")
        before = newest(home)
        pass_turn(terminal)
        # Its answer comes at once, and with it the next turn.
        terminal.wait_for(lambda t: t.text.count(MOVE) == 2)
        assert newest(home) >= before + 2
        terminal.wait_at("> ")
        terminal.quit()
        assert "Nothing was written." not in terminal.text
        assert "".join(terminal.text.split()).endswith(f"-{before + 1:03}.tomlwaswritten.")
    session = Session.open(Home(home))
    assert session.identity.name == "Zoé"
    (listed,) = session.store.games()
    assert listed.game.waits_for == "you"
    # It is found again, also without a word, and no other one is begun.
    for words in (["robot"], []):
        with at_play(home, *words) as terminal:
            assert f"game {listed.id.hex()[:8]}" in terminal.wait_at("> ")
    with at_play(home, "robot", "--new", "--side", "french", "--strength", "1") as terminal:
        terminal.wait_at("> ")
        assert "Your move against Robot (British)" in terminal.text
    assert len(session.store.games()) == 2


def test_a_game_of_the_board_goes_on_here_and_back(tmp_path: Path) -> None:
    anna, choose = keeper_at(tmp_path / "anna"), PracticePlayer(Random(3))
    # The page that signed this was closed before the robot had answered.
    move(anna, begin_with_robot(anna), choose)
    with at_play(anna.home.folder) as terminal:
        assert "Your move against Robot (French)" in terminal.wait_at("> ")
        before = newest(anna.home.folder)
        pass_turn(terminal)
        terminal.wait_for(lambda t: t.text.count(MOVE) == 2)
    assert newest(anna.home.folder) >= before + 2
    assert robot_answers(anna) == []


def test_two_windows_at_once_have_one_answer_of_the_robot(tmp_path: Path) -> None:
    """Each has the robot answer the same file; whoever comes second goes on with the other's."""
    anna = keeper_at(tmp_path / "anna")
    begin_with_robot(anna)
    for seed in range(2):
        (listed,) = anna.store.games()
        assert listed.file_in
        move(anna, listed.file_in, PracticePlayer(Random(seed)))
        home = anna.home.folder
        with at_play(home, "robot") as one, at_play(home) as other:
            for terminal in (one, other):
                assert f"{MOVE} Robot (French)" in terminal.wait_at("> ")
        files = folder_of_robot(anna.home).glob("*.toml")
        ends = [GameFile.read(path.read_bytes()).match.last for path in files]
        assert len({each.hash for each in ends}) == len({each.index for each in ends})


@pytest.mark.parametrize(
    "closes",
    [pytest.param(False, id="Ctrl-C", marks=pytest.mark.long), pytest.param(True, id="closed")],
)
def test_orders_that_were_interrupted_are_offered_again(tmp_path: Path, closes: bool) -> None:
    anna = keeper_at(tmp_path / "anna")
    begin_with_robot(anna)
    with at_play(anna.home.folder, "robot") as terminal:
        terminal.wait_at("> ")
        terminal.type("take")
        terminal.wait_for("1  take")
        terminal.type("1")
        terminal.wait_for("You took")
        if closes:
            terminal.child.kill(signal.SIGHUP)
            terminal.ended()
        else:
            terminal.interrupt()
            assert terminal.ended() == 130
    with at_play(anna.home.folder, "robot") as terminal:
        terminal.wait_for(lambda t: t.before_cursor.endswith(("> ", SIGN)))
        assert "take" in terminal.text.partition(MOVE)[2]
        assert "Your answer:" in terminal.text or "unsigned" in terminal.text
        terminal.interrupt()


@pytest.mark.parametrize("orders", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_turn_is_found_again_wherever_it_was_killed(tmp_path: Path, orders: int) -> None:
    """After one order of two, and before the signature: power fails, nobody says good-bye."""
    anna, answer = friends(tmp_path)
    home = anna.home.folder
    written = answer.with_name("game-002.toml")
    with at_play(home) as terminal:
        for _ in range(2):
            terminal.wait_at("> ")
            terminal.type("pass")
            terminal.settle()
            if terminal.before_cursor.endswith(SIGN) or orders == 1:
                break
        given = terminal.text.count("You passed, leaving an action unused.")
        terminal.child.kill(signal.SIGKILL)
    assert not written.exists()
    with at_play(home) as terminal:
        terminal.wait_for("You began this turn on")
        terminal.settle()
        assert terminal.text.count("pass") >= given > 0
        if not terminal.before_cursor.endswith(SIGN):
            pass_turn(terminal)
        else:
            terminal.type("y")
        assert terminal.ended() == 0
    assert anna.read(written).match.last.index == 2


def test_what_was_signed_and_not_written_is_written_next_time(tmp_path: Path) -> None:
    """As where the program was killed in between: its file is gone, its record is remembered."""
    anna, answer = friends(tmp_path)
    written = answer.with_name("game-002.toml")
    with at_play(anna.home.folder) as terminal:
        pass_turn(terminal)
        assert terminal.ended() == 0
    before = written.read_bytes()
    written.unlink()
    with at_play(anna.home.folder, "1") as terminal:
        terminal.settle()
        assert "Traceback" not in terminal.text
    assert written.read_bytes() == before


def test_the_game_that_waits_longest_comes_first_and_the_others_are_named(tmp_path: Path) -> None:
    anna, _ = friends(tmp_path)
    with at_play(anna.home.folder) as terminal:
        terminal.wait_at("> ")
    # What waits since the same second waits as long.
    time.sleep(1.1)
    begin_with_robot(anna)
    with at_play(anna.home.folder) as terminal:
        terminal.wait_at("> ")
        assert f"{MOVE} Émile" in terminal.text
        terminal.quit()
        assert "Also waiting for you:" in terminal.text
        assert "against Robot (French)" in terminal.text
        assert "play 2" in terminal.text
    with at_play(anna.home.folder, "2") as terminal:
        assert f"{MOVE} Robot" in terminal.wait_at("> ")


def test_a_person_comes_before_the_robot_however_long_that_has_waited(tmp_path: Path) -> None:
    anna, answer = friends(tmp_path)
    held = answer.rename(tmp_path / "held")
    begin_with_robot(anna)
    time.sleep(1.1)
    held.rename(answer)
    with at_play(anna.home.folder) as terminal:
        terminal.wait_at("> ")
        assert f"{MOVE} Émile" in terminal.text


def test_the_answer_is_waited_for(tmp_path: Path) -> None:
    anna, answer = friends(tmp_path)
    held = answer.rename(tmp_path / "held")
    with at_play(anna.home.folder, "1", "--wait") as terminal:
        terminal.wait_for("Waiting for your opponent's answer")
        held.rename(answer)
        assert f"{MOVE} Émile" in terminal.wait_at("> ")


def test_the_side_of_the_board_stays_what_it_was(tmp_path: Path) -> None:
    """Wishes for a new game change none that is on, and that is said."""
    anna = keeper_at(tmp_path / "anna")
    invited(anna)
    with at_play(anna.home.folder, "robot", "--side", "french") as terminal:
        assert "Your move against Robot (French)" in terminal.wait_at("> ")
        assert "add --new" in " ".join(terminal.text.split())
    listed = Session.open(anna.home).store.games()
    assert [each.own_side for each in listed] == [Side.BRITISH]
