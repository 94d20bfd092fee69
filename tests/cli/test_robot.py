"""The robot answers each valid file in its folder once."""

import shutil
import signal
import sqlite3
import time
from pathlib import Path
from random import Random

import pytest

from engine.sides import Side
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import ROOT, Result, acres, do, snapshot, start
from tests.crash.state import find_double_signatures
from tests.play.correspondents import Correspondents
from tests.play.robot_setup import choose_quickly
from tests.play.store.players import records_in


@pytest.fixture
def folder(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which Anna and the robot play; commands run in its parent."""
    choose_quickly(monkeypatch)
    do("init", "--name", "Anna", "--email", "anna@example.org", home="anna")
    (cwd / "table").mkdir()
    return cwd / "table"


def serve(
    *options: str, home: str | None = "robot", inbox: str = "table", outbox: str = "table"
) -> Result:
    folders = ["--inbox", inbox, "--outbox", outbox, "--once"]
    return acres("serve-robot", *folders, *options, home=home)


def invite(file: str = "table/game-000.toml", *more: str) -> None:
    options = ["--side", "british", "--lists", "256", *more]
    do("new", *options, "--output", file, home="anna")


def answer(file: str, *orders: str) -> None:
    do("turn", "apply", f"table/{file}", *orders, home="anna")


def begin(answers: int = 1) -> None:
    """Begin a game in which Anna passes first; the robot answers once or twice."""
    invite()
    serve()
    answer("game-001.toml", "pass")
    if answers > 1:
        serve()


def match_in(file: Path) -> Match:
    return GameFile.read(file.read_bytes()).match


def count_signed(home: str) -> int:
    return len(records_in(Path(home) / "library.sqlite3"))


def test_newcomer_plays_and_both_close_the_game(folder: Path) -> None:
    invite()
    serve().succeeds_quietly()
    assert match_in(folder / "game-001.toml").entrants[Side.FRENCH].name == "Robot"
    for number in (1, 3, 5):
        answer(f"game-{number:03}.toml", *["pass"] * (1 if number == 1 else 2))
        assert serve().out.count("\n") == 1
        assert (folder / f"game-{number + 2:03}.toml").exists()
    do("turn", "resign", "--yes", "table/game-007.toml", home="anna")
    serve().succeeds()
    closed = audit((folder / "game-009.toml").read_bytes())
    assert closed.is_clean
    assert closed.match.secrets.keys() == set(Side)
    before = snapshot(folder.parent)
    assert serve().out == ""
    assert snapshot(folder.parent) == before


def test_robot_refuses_the_key_of_a_person(folder: Path) -> None:
    invite()
    before = snapshot(folder.parent)
    serve(home="anna").fails()
    assert snapshot(folder.parent) == before
    do("init", "--name", "Anna’s robot", "--email", "", home="other")
    assert serve(home="other").status == 0
    assert match_in(folder / "game-001.toml").entrants[Side.FRENCH].name == "Anna’s robot"


def test_robot_chooses_its_side_and_start_card(folder: Path) -> None:
    pair = Correspondents(Random(2))
    rule = "french-start-choice"
    offers = {
        "any.toml": pair.invite(Side.BRITISH, lists=2, leaves_choice=True),
        "card.toml": pair.invite(Side.BRITISH, lists=2, house_rules=[rule]),
    }
    for name, game in offers.items():
        (folder / name).write_bytes(game.save.write())
    serve("--lists", "2").succeeds()
    for name in ("any-001.toml", "card-001.toml"):
        assert match_in(folder / name).is_joined


# --- repeated files


def test_robot_rewrites_a_removed_answer_unchanged(folder: Path) -> None:
    begin(answers=2)
    content = (folder / "game-003.toml").read_bytes()
    (folder / "game-003.toml").unlink()
    serve().succeeds()
    assert (folder / "game-003.toml").read_bytes() == content
    assert count_signed("robot") == 2


def test_robot_answers_a_copied_file_alike_and_ignores_an_older_copy(folder: Path) -> None:
    begin(answers=2)
    for name in ("game-000", "game-002"):
        shutil.copy(folder / f"{name}.toml", folder / f"{name}-copy.toml")
    assert serve().out.count("\n") == 1
    again = folder / "game-002-copy-003.toml"
    assert again.read_bytes() == (folder / "game-003.toml").read_bytes()
    assert serve().out == ""
    assert count_signed("robot") == 2


def test_robot_refuses_a_changed_file_under_an_answered_name(folder: Path) -> None:
    invite()
    serve()
    shutil.copytree("anna", "twin")
    answer("game-001.toml", "pass")
    serve()
    do(
        "turn", "apply", "table/game-001.toml", "draft rangers", "--output", "table/twin.toml",
        home="twin",
    )  # fmt: skip
    assert "twin.toml: " in serve().out
    assert not (folder / "twin-003.toml").exists()
    assert count_signed("robot") == 2


@pytest.mark.parametrize("content", [b"garbage", b"SQLite format 3\0" + b"\xff" * 99])
def test_robot_with_a_broken_library_signs_nothing(folder: Path, content: bytes) -> None:
    begin()
    (folder.parent / "robot" / "library.sqlite3").write_bytes(content)
    before = snapshot(folder)
    serve().fails()
    assert snapshot(folder) == before


def test_robot_that_lost_its_library_stops(folder: Path) -> None:
    """The robot cannot know which files it has answered."""
    begin()
    (folder.parent / "sent").mkdir()
    serve(outbox="sent")
    (folder.parent / "robot" / "library.sqlite3").unlink()
    for _ in range(2):
        assert "--newest" in serve().fails().err
    assert not (folder / "game-003.toml").exists()
    # With its answers learnt and its keeper's consent, it writes the same answers.
    assert acres("games", "add", "sent", home="robot").status == 0
    serve().fails()
    serve("--newest").succeeds()
    sent = folder.parent / "sent" / "game-003.toml"
    assert (folder / "game-003.toml").read_bytes() == sent.read_bytes()
    answer("game-003.toml", "pass", "pass")
    serve().succeeds()
    assert (folder / "game-005.toml").exists()
    assert not find_double_signatures(folder.parent)


def test_robot_answers_later_after_a_full_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    begin()
    with monkeypatch.context() as full:
        full.setattr("os.fsync", fail)
        assert "No space left on device" in serve().out
    assert not (folder / "game-003.toml").exists()
    serve().succeeds()
    assert (folder / "game-003.toml").exists()
    assert count_signed("robot") == 2


# --- unanswered files


def test_invalid_files_are_named_and_the_others_answered(folder: Path) -> None:
    invite()
    invite("table/other-000.toml")
    serve()
    answer("game-001.toml", "pass")
    answer("other-001.toml", "pass")
    save = SaveFile.read((folder / "game-002.toml").read_bytes())
    text = (folder / "game-002.toml").read_text()
    time_of_last = save.records[-1].time
    other = time_of_last[:-3] + ("58Z" if time_of_last.endswith("59Z") else "59Z")
    changed = text.replace(time_of_last, other)
    (folder / "game-002.toml").write_text(changed)
    (folder / "half.toml").write_text(text[: len(text) // 2])
    (folder / "letter.toml").write_text("Dear robot")
    pair = Correspondents(Random(3))
    foreign = pair.join(pair.invite(Side.BRITISH, lists=2))
    (folder / "foreign.toml").write_bytes(foreign.save.write())
    (folder / "notes.txt").write_text("not for the robot")
    result = serve().succeeds()
    output = dict(line.split(" ", 1) for line in result.out.splitlines())
    assert output.keys() == {
        "game-002.toml:", "half.toml:", "letter.toml:", "foreign.toml:", "other-002.toml",
    }  # fmt: skip
    assert match_in(folder / "other-003.toml").last.side == "french"
    assert not (folder / "game-003.toml").exists()


# --- messages


def test_robot_answers_messages_in_folders_and_maildirs(folder: Path) -> None:
    invite("game-000.toml", "--mail")
    shutil.move("game-000.eml", folder / "letter.eml")
    serve(outbox="out").succeeds()
    do(
        "turn", "apply", "out/game-001.toml", "pass", "--output", "game-002.toml", "--mail",
        home="anna",
    )  # fmt: skip
    for name in ("new", "cur", "tmp"):
        (folder.parent / "Maildir" / name).mkdir(parents=True)
    shutil.move("game-002.eml", "Maildir/new/1700000000.M1P1.host")
    (folder.parent / "Maildir" / "cur" / "1700000001.M1P1.host:2,S").write_text("Hello\n\nBye")
    result = serve(inbox="Maildir", outbox="out")
    assert match_in(folder.parent / "out" / "game-003.toml").last.side == "french"
    assert result.out.count("\n") == 1, result.out
    assert serve(inbox="table", outbox="out").out == ""


# --- the robot of an earlier version


@pytest.fixture
def old_robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of an old robot with a mail account, and playing, refused and waiting guests."""
    choose_quickly(monkeypatch)
    shutil.copytree(ROOT / "tests" / "old_files" / "robot-for-guests", tmp_path / "earlier")
    monkeypatch.chdir(tmp_path / "earlier")
    for path in (Path("anna/identity.toml"), *Path("robot").iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return Path("robot")


def rows(sql_table: str) -> list[object]:
    with sqlite3.connect("robot/library.sqlite3") as database:
        return database.execute(f"SELECT * FROM {sql_table}").fetchall()


def test_robot_of_an_older_version_goes_on_in_a_folder(old_robot: Path) -> None:
    before = {name: rows(name) for name in ("guests", "turned_away", "waiting")}
    assert all(before.values())
    # The old robot had no free place for this invitation.
    assert serve("--lists", "2").succeeds_quietly().out.count("\n") == 2
    assert match_in(Path("table/game-005.toml")).entrants[Side.FRENCH].email == "robot@example.org"
    assert {name: rows(name) for name in before} == before
    assert not find_double_signatures(Path())
    assert serve("--lists", "2").out == ""


def test_robot_rewrites_its_signed_answers_unchanged(old_robot: Path) -> None:
    before = Path("table/game-003.toml").read_bytes()
    for name in ("game-003.toml", "game-004.toml"):
        Path("table", name).unlink()
    serve("--lists", "2").succeeds()
    assert Path("table/game-003.toml").read_bytes() == before


# --- a running robot


def test_robot_waits_until_a_file_is_complete(folder: Path) -> None:
    invite()
    folders = ("--inbox", "table", "--outbox", "out")
    robot = start("serve-robot", *folders, "--every", "1s", home="robot")
    try:
        out = folder.parent / "out"
        wait_for(out / "game-001.toml")
        do("turn", "apply", out / "game-001.toml", "pass", "--output", "whole.toml", home="anna")
        whole = (folder.parent / "whole.toml").read_bytes()
        with (folder / "game-002.toml").open("wb") as file:
            file.write(whole[: len(whole) // 2])
            file.flush()
            time.sleep(1.1)
            file.write(whole[len(whole) // 2 :])
        wait_for(out / "game-003.toml")
    finally:
        robot.send_signal(signal.SIGINT)
        output, err = robot.communicate(timeout=60)
    assert robot.returncode == 130
    assert "Traceback" not in err
    assert "breaks off" not in output


def wait_for(path: Path, seconds: int = 60) -> None:
    ends = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < ends, f"no {path}"
        time.sleep(0.05)
