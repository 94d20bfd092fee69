"""`acres play`: a command that leads from the shell to a written turn."""

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
from tests.cli.commands import acres
from tests.cli.screen import Terminal
from tests.play.robot_setup import answer_as_keeper, invite_robot, keeper_at, poll_robot
from tests.signing import sign_agreed

MOVE = "Your move against"
SIGN = "[y/n] "
MAX_PASSES = 4
"""The maximum number of orders in a turn of passes."""


def open_play(home: Path, *words: str, **variables: str) -> Terminal:
    """Return a terminal that runs `acres play` for the player of `home`."""
    return Terminal.acres("--home", home, "play", *words, folder=home.parent, **variables)


def friends(folder: Path) -> tuple[Session, Path]:
    """Return Anna's session and the file with which Émile accepted her invitation."""
    anna, emile = (
        Session.create(Home(folder / name), Identity.generate(name, ""))
        for name in ("Anna", "Émile")
    )
    with anna, emile:
        invitation = anna.invite(Side.BRITISH, lists=2)
        signed_file = sign_agreed(anna, invitation, folder / "game-000.toml")
        return anna, sign_agreed(emile, emile.join(emile.read(signed_file.path))).path


def test_robot_needs_no_mail() -> None:
    assert "--mail is for people" in acres("play", "robot", "--mail").fails().err


def pass_turn(terminal: Terminal) -> None:
    """Pass in a turn, and sign it."""
    terminal.wait_at("> ")
    for _ in range(MAX_PASSES):
        terminal.type("pass")
        terminal.settle()
        if terminal.before_cursor.endswith(SIGN):
            break
    terminal.type("y")


def begin_with_robot(anna: Session) -> Path:
    """Let the robot accept an invitation, and return the file for Anna to answer."""
    invite_robot(anna)
    (joined,) = poll_robot(anna)
    note_robot_file(anna.store, joined.path, anna.home)
    return joined.path


def newest_index(home: Path) -> int:
    """Return the number of the last record in a home's game with its robot."""
    files = folder_of_robot(Home(home)).glob("*.toml")
    return max(int(path.stem[-3:]) for path in files)


@pytest.mark.slow
def test_play_begins_a_game_against_the_robot_from_an_empty_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_play(home, "robot") as terminal:
        terminal.wait_at("opponents see it: ")
        terminal.type("Zoé")
        assert MOVE in terminal.wait_at("> ")
        before = newest_index(home)
        pass_turn(terminal)
        # The robot answers at once, and the next turn begins.
        terminal.wait_for(lambda t: t.text.count(MOVE) == 2)
        assert newest_index(home) >= before + 2
        terminal.wait_at("> ")
        terminal.quit()
    session = Session.open(Home(home))
    assert session.identity.name == "Zoé"
    (entry,) = session.store.games()
    assert entry.game.waits_for == "you"
    # The same game is found without a name or with another side.
    for words in (["robot", "--side", "french"], []):
        with open_play(home, *words) as terminal:
            assert f"game {entry.id.hex()[:8]}" in terminal.wait_at("> ")
    with open_play(home, "robot", "--new", "--side", "french", "--strength", "1") as terminal:
        terminal.wait_at("> ")
    assert len(session.store.games()) == 2


@pytest.mark.slow
def test_simultaneous_windows_share_the_robots_answer(tmp_path: Path) -> None:
    """The second window continues with the robot's answer to the first."""
    anna = keeper_at(tmp_path / "anna")
    begin_with_robot(anna)
    for seed in range(2):
        (entry,) = anna.store.games()
        assert entry.file_in
        answer_as_keeper(anna, entry.file_in, PracticePlayer(Random(seed)))
        home = anna.home.folder
        with open_play(home, "robot") as one, open_play(home) as other:
            for terminal in (one, other):
                assert f"{MOVE} Robot (French)" in terminal.wait_at("> ")
        files = folder_of_robot(anna.home).glob("*.toml")
        ends = [GameFile.read(path.read_bytes()).match.last for path in files]
        assert len({last.hash for last in ends}) == len({last.index for last in ends})


def test_orders_in_a_closed_window_are_offered_again(tmp_path: Path) -> None:
    anna = keeper_at(tmp_path / "anna")
    begin_with_robot(anna)
    with open_play(anna.home.folder, "robot") as terminal:
        terminal.wait_at("> ")
        terminal.type("take")
        terminal.wait_for("1  take")
        terminal.type("1")
        terminal.wait_for("You took")
        terminal.child.kill(signal.SIGHUP)
        terminal.wait_for_exit()
    with open_play(anna.home.folder, "robot") as terminal:
        terminal.wait_for(lambda t: t.before_cursor.endswith(("> ", SIGN)))
        assert "take" in terminal.text.partition(MOVE)[2]
        terminal.interrupt()


@pytest.mark.parametrize("orders", [pytest.param(1, marks=pytest.mark.long), 2])
def test_turn_is_resumed_after_a_kill(tmp_path: Path, orders: int) -> None:
    """The program is killed after one order of two, or before the signature."""
    anna, answer = friends(tmp_path)
    home = anna.home.folder
    path = answer.with_name("game-002.toml")
    with open_play(home) as terminal:
        for _ in range(2):
            terminal.wait_at("> ")
            terminal.type("pass")
            terminal.settle()
            if terminal.before_cursor.endswith(SIGN) or orders == 1:
                break
        passes = terminal.text.count("You passed")
        terminal.child.kill(signal.SIGKILL)
    assert not path.exists()
    with open_play(home) as terminal:
        terminal.wait_for("You began this turn on")
        terminal.settle()
        assert terminal.text.count("pass") >= passes > 0
        if not terminal.before_cursor.endswith(SIGN):
            pass_turn(terminal)
        else:
            terminal.type("y")
        assert terminal.wait_for_exit() == 0
    assert anna.read(path).match.last.index == 2


def test_signed_turn_is_written_next_time(tmp_path: Path) -> None:
    # After a kill in between, the library has the record, but the file is missing.
    anna, answer = friends(tmp_path)
    path = answer.with_name("game-002.toml")
    with open_play(anna.home.folder) as terminal:
        pass_turn(terminal)
        assert terminal.wait_for_exit() == 0
    before = path.read_bytes()
    path.unlink()
    with open_play(anna.home.folder, "1") as terminal:
        terminal.settle()
        assert "Traceback" not in terminal.text
    assert path.read_bytes() == before


def test_play_prefers_a_game_with_a_person_to_the_robot(tmp_path: Path) -> None:
    anna, answer = friends(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    aside = answer.rename(tmp_path / "elsewhere" / "held")
    begin_with_robot(anna)
    time.sleep(1.1)
    aside.rename(answer)
    with open_play(anna.home.folder) as terminal:
        terminal.wait_at("> ")
        assert f"{MOVE} Émile" in terminal.text
        terminal.quit()
        assert "play 2" in terminal.text


def test_play_waits_for_the_answer(tmp_path: Path) -> None:
    anna, answer = friends(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    aside = answer.rename(tmp_path / "elsewhere" / "held")
    with open_play(anna.home.folder, "1", "--wait") as terminal:
        terminal.wait_for("Waiting for your opponent's answer")
        aside.rename(answer)
        assert f"{MOVE} Émile" in terminal.wait_at("> ")


def test_play_opens_a_file_and_an_invitation(tmp_path: Path) -> None:
    _, answer = friends(tmp_path)
    invitation = answer.with_name("game-000.toml")
    aside = tmp_path / "elsewhere"
    aside.mkdir()
    bela = Session.create(Home(tmp_path / "Béla"), Identity.generate("Béla", ""))
    bela.store.close()
    with open_play(
        tmp_path / "Anna", str(answer.rename(aside / answer.name)), "--mail"
    ) as terminal:
        pass_turn(terminal)
        assert terminal.wait_for_exit() == 0
    assert {path.suffix for path in aside.iterdir()} == {".toml", ".eml"}
    with open_play(tmp_path / "Béla", str(invitation.rename(aside / "inv.toml"))) as terminal:
        assert "an invitation from Anna" in terminal.wait_at(SIGN)
        terminal.type("y")
        assert terminal.wait_for_exit() == 0
        assert "You play the French" in terminal.text
    with open_play(tmp_path / "Béla", str(aside / answer.name)) as terminal:
        assert terminal.wait_for_exit() == 2
    (tmp_path / "Anna" / "library.sqlite3").unlink()
    with open_play(tmp_path / "Anna", str(aside / answer.name)) as terminal:
        assert "does not remember" in terminal.wait_for("does not remember")
    with open_play(tmp_path / "Anna", str(aside / "no.toml")) as terminal:
        assert "There is no file" in terminal.wait_for("There is no file")
