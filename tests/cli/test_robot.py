"""The robot by folder: it answers what arrives, once, and nothing that does not hold."""

import shutil
import signal
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from engine.sides import Side
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.cli.using import ROOT, Result, acres, do, snapshot, start
from tests.crash.state import signed_twice
from tests.play.correspondents import Correspondents
from tests.play.keeping_a_robot import choose_quickly
from tests.play.store.players import records_in


@pytest.fixture
def table(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which Anna and the robot play, where the commands are run."""
    choose_quickly(monkeypatch)
    do("init", "--name", "Anna", "--email", "anna@example.org", home="anna")
    (here / "table").mkdir()
    return here / "table"


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
    """Have a game begin, and Anna pass in her first turn; the robot answers once or twice."""
    invite()
    serve()
    answer("game-001.toml", "pass")
    if answers > 1:
        serve()


def match_in(file: Path) -> Match:
    return GameFile.read(file.read_bytes()).match


def signed(home: str) -> int:
    return len(records_in(Path(home) / "library.sqlite3"))


def test_a_newcomer_plays_and_both_close_the_game(table: Path) -> None:
    invite()
    joined = serve().succeeds_quietly()
    assert "A robot was made, with a key of its own" in joined.out
    assert (
        "game-000.toml is an invitation from Anna, accepted as the French with "
        "table/game-001.toml. Anna (British) writes next: turn 1.\n"
    ) in joined.out
    assert match_in(table / "game-001.toml").entrants[Side.FRENCH].name == "Robot"
    for number in (1, 3, 5):
        answer(f"game-{number:03}.toml", *["pass"] * (1 if number == 1 else 2))
        done = serve()
        assert done.out.startswith(f"game-{number + 1:03}.toml is answered with "), done.out
        assert done.out.count("\n") == 1
    do("turn", "resign", "--yes", "table/game-007.toml", home="anna")
    assert "The game is over: Robot (French) won" in serve().out
    closed = audit((table / "game-009.toml").read_bytes())
    assert closed.is_clean
    assert closed.match.secrets.keys() == set(Side)
    before = snapshot(table.parent)
    assert serve().out == ""
    assert snapshot(table.parent) == before


def test_it_has_a_folder_in_the_usual_home(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACRES_HOME")
    monkeypatch.setenv("HOME", str(table.parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(table.parent / "config"))
    invite()
    assert acres("init", "--name", "Anna").status == 0
    assert serve(home=None).status == 0
    found = [path.relative_to(table.parent) for path in table.parent.rglob("robot/identity.toml")]
    assert len(found) == 1
    assert match_in(table / "game-001.toml").is_joined


def test_it_does_not_play_in_the_name_of_a_person(table: Path) -> None:
    invite()
    before = snapshot(table.parent)
    assert "Anna" in serve(home="anna").fails().err
    assert snapshot(table.parent) == before
    do("init", "--name", "Anna’s robot", "--email", "", home="other")
    assert serve(home="other").status == 0
    assert match_in(table / "game-001.toml").entrants[Side.FRENCH].name == "Anna’s robot"


def test_it_takes_a_side_where_the_choice_is_left_and_a_card_to_begin_with(table: Path) -> None:
    pair = Correspondents(Random(2))
    rule = "french-start-choice"
    offers = {
        "any.toml": pair.invite(Side.BRITISH, lists=2, leaves_choice=True),
        "card.toml": pair.invite(Side.BRITISH, lists=2, house_rules=[rule]),
    }
    for name, game in offers.items():
        (table / name).write_bytes(game.save.write())
    serve("--lists", "2").succeeds()
    for name in ("any-001.toml", "card-001.toml"):
        assert match_in(table / name).is_joined


def test_two_games_under_one_name_have_an_answer_each(table: Path) -> None:
    invite("in/game-000.toml")
    serve(inbox="in")
    (table.parent / "in" / "game-000.toml").unlink()
    invite("in/game-000.toml")
    serve(inbox="in")
    answers = sorted(table.iterdir())
    assert len(answers) == 2
    assert len({match_in(path).id for path in answers}) == 2
    assert answers[1].name == "game-001.toml"
    assert answers[0].name == f"acres-{match_in(answers[0]).id.hex()[:8]}-001.toml"


# --- once


def test_an_answer_that_was_taken_away_is_written_again_the_same(table: Path) -> None:
    begin(answers=2)
    content = (table / "game-003.toml").read_bytes()
    (table / "game-003.toml").unlink()
    assert "game-002.toml is answered with" in serve().out
    assert (table / "game-003.toml").read_bytes() == content
    assert signed("robot") == 2


def test_a_copy_of_a_file_gets_the_same_answer_and_one_of_an_older_file_none(table: Path) -> None:
    begin(answers=2)
    for name in ("game-000", "game-002"):
        shutil.copy(table / f"{name}.toml", table / f"{name}-copy.toml")
    told = serve().out
    assert told.startswith("game-002-copy.toml is answered with ")
    assert told.count("\n") == 1
    again = table / "game-002-copy-003.toml"
    assert again.read_bytes() == (table / "game-003.toml").read_bytes()
    assert serve().out == ""
    assert signed("robot") == 2


def test_another_file_in_the_place_of_an_answered_one_is_refused(table: Path) -> None:
    """Anna has signed two turns: the robot keeps to the first that it saw."""
    invite()
    serve()
    shutil.copytree("anna", "twin")
    answer("game-001.toml", "pass")
    serve()
    do(
        "turn", "apply", "table/game-001.toml", "draft rangers", "--output", "table/twin.toml",
        home="twin",
    )  # fmt: skip
    assert "twin.toml: Your opponent signed a record 2 that differs" in serve().out
    assert not (table / "twin-003.toml").exists()
    assert signed("robot") == 2


@pytest.mark.parametrize("content", [b"garbage", b"SQLite format 3\0" + b"\xff" * 99])
def test_without_a_memory_it_signs_nothing(table: Path, content: bytes) -> None:
    begin()
    (table.parent / "robot" / "library.sqlite3").write_bytes(content)
    before = snapshot(table)
    assert "might be answered twice" in serve().fails().err
    assert snapshot(table) == before


def test_what_it_signed_and_does_not_remember_it_stopped_early_with(table: Path) -> None:
    """Its library was lost, and nobody is there who knows whether the file was answered."""
    begin()
    (table.parent / "sent").mkdir()
    serve(outbox="sent")
    (table.parent / "robot" / "library.sqlite3").unlink()
    for _ in range(2):
        refused = serve().fails()
        assert "does not remember what the robot signed" in refused.err
        assert "--newest" in refused.err
    assert not (table / "game-003.toml").exists()
    # Learnt from its answers it gives the very same, once its keeper vouches for all else.
    assert acres("games", "add", "sent", home="robot").status == 0
    assert "does not remember what the robot signed" in serve().err
    assert "game-002.toml is answered" in serve("--newest").out
    sent = table.parent / "sent" / "game-003.toml"
    assert (table / "game-003.toml").read_bytes() == sent.read_bytes()
    answer("game-003.toml", "pass", "pass")
    assert "game-004.toml is answered" in serve().out
    assert not signed_twice(table.parent)


def test_answers_without_room_come_later(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    begin()
    with monkeypatch.context() as full:
        full.setattr("os.fsync", fail)
        assert "cannot be written: No space left on device." in serve().out
    assert not (table / "game-003.toml").exists()
    assert "is answered with" in serve().out
    assert signed("robot") == 2


# --- whom it answers


def test_files_that_do_not_hold_are_named_and_the_others_answered(table: Path) -> None:
    invite()
    invite("table/other-000.toml")
    serve()
    answer("game-001.toml", "pass")
    answer("other-001.toml", "pass")
    save = SaveFile.read((table / "game-002.toml").read_bytes())
    text = (table / "game-002.toml").read_text()
    time_of_last = save.records[-1].time
    other = time_of_last[:-3] + ("58Z" if time_of_last.endswith("59Z") else "59Z")
    changed = text.replace(time_of_last, other)
    (table / "game-002.toml").write_text(changed)
    (table / "half.toml").write_text(text[: len(text) // 2])
    (table / "letter.toml").write_text("Dear robot")
    pair = Correspondents(Random(3))
    foreign = pair.join(pair.invite(Side.BRITISH, lists=2))
    (table / "foreign.toml").write_bytes(foreign.save.write())
    (table / "notes.txt").write_text("not for the robot")
    done = serve().succeeds()
    told = dict(line.split(" ", 1) for line in done.out.splitlines())
    assert told.keys() == {
        "game-002.toml:", "half.toml:", "letter.toml:", "foreign.toml:", "other-002.toml",
    }  # fmt: skip
    assert "was changed after it was signed" in told["game-002.toml:"]
    assert "breaks off" in told["half.toml:"]
    assert "does not play in this game" in told["foreign.toml:"]
    assert match_in(table / "other-003.toml").last.side == "french"
    assert not (table / "game-003.toml").exists()


def test_games_with_few_lists_are_not_joined(table: Path) -> None:
    do("new", "--side", "any", "--lists", "128", "--output", "table/a.toml", home="anna")
    told = serve().out.splitlines()[-1]
    assert told.startswith("a.toml: A shuffle of this game has 128 lists, so")
    assert told.endswith("The robot plays with 256 lists or more: invite it again with as many.")
    assert "accepted" in serve("--lists", "128").out


def test_wrong_use_is_one_sentence(table: Path) -> None:
    before = snapshot(table.parent)
    for options in ("--lists 0", "--lists 4097", "--every soon", "--every 0s", "--strength 0",
                    "--only anna@example.org", "--inbox anna/identity.toml"):  # fmt: skip
        folders = ["--inbox", "table", "--outbox", "table"]
        acres("serve-robot", *folders, *options.split(), home="robot").fails()
    assert snapshot(table.parent) == before


@pytest.mark.parametrize("options", [[], ["--inbox", "table"], ["--outbox", "table", "--once"]])
def test_without_folders_it_says_that_it_has_no_mail(table: Path, options: Sequence[str]) -> None:
    refused = acres("serve-robot", *options, home="robot").fails()
    for word in ("no longer play by mail", "--inbox", "--outbox"):
        assert word in refused.err
    assert not Path("robot").exists()


def test_what_strangers_wrote_steers_no_terminal(table: Path) -> None:
    invite()
    serve()
    shutil.copy(table / "game-001.toml", table / "a\x1b[2Jb\n.toml")
    (table / "c\x1b[2Jd.toml").write_text("\x1b[31m")
    done = serve()
    assert "\x1b" not in done.out + done.err
    assert done.out.count("\n") == 1


# --- messages


def test_it_answers_letters_in_a_folder_and_in_a_maildir(table: Path) -> None:
    """As `--mail` writes them, and as a mail program delivers them."""
    invite("game-000.toml", "--mail")
    shutil.move("game-000.eml", table / "letter.eml")
    joined = serve(outbox="out").succeeds()
    assert joined.out.splitlines()[-1].startswith("letter.eml, the attachment game-000.toml is an ")
    do(
        "turn", "apply", "out/game-001.toml", "pass", "--output", "game-002.toml", "--mail",
        home="anna",
    )  # fmt: skip
    for name in ("new", "cur", "tmp"):
        (table.parent / "Maildir" / name).mkdir(parents=True)
    shutil.move("game-002.eml", "Maildir/new/1700000000.M1P1.host")
    (table.parent / "Maildir" / "cur" / "1700000001.M1P1.host:2,S").write_text("Hello\n\nBye")
    done = serve(inbox="Maildir", outbox="out")
    assert match_in(table.parent / "out" / "game-003.toml").last.side == "french"
    assert done.out.count("\n") == 1, done.out
    assert serve(inbox="table", outbox="out").out == ""


# --- what an earlier version had set up


@pytest.fixture
def earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A robot with an account for mail, a guest, one turned away, and one who waits."""
    choose_quickly(monkeypatch)
    shutil.copytree(ROOT / "tests" / "old_files" / "robot-for-guests", tmp_path / "earlier")
    monkeypatch.chdir(tmp_path / "earlier")
    for path in (Path("anna/identity.toml"), *Path("robot").iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return Path("robot")


def rows(table: str) -> list[object]:
    with sqlite3.connect("robot/library.sqlite3") as database:
        return database.execute(f"SELECT * FROM {table}").fetchall()


def test_a_robot_that_had_guests_goes_on_in_a_folder(earlier: Path) -> None:
    before = {name: rows(name) for name in ("guests", "turned_away", "waiting")}
    assert all(before.values())
    told = sorted(serve("--lists", "2").succeeds_quietly().out.splitlines())
    assert told[0].startswith("game-004.toml is answered with ")
    # It found no place at the table then.
    assert told[1].startswith("other-000.toml is an invitation from Anna, accepted")
    assert match_in(Path("table/game-005.toml")).entrants[Side.FRENCH].email == "robot@example.org"
    assert {name: rows(name) for name in before} == before
    assert not signed_twice(Path())
    assert serve("--lists", "2").out == ""


def test_its_answers_are_written_again_as_it_signed_them(earlier: Path) -> None:
    Path("table/game-004.toml").unlink()
    answer_before = Path("table/game-003.toml").read_bytes()
    Path("table/game-003.toml").unlink()
    assert "game-002.toml is answered" in serve("--lists", "2").out
    assert Path("table/game-003.toml").read_bytes() == answer_before


def test_its_commands_fail_in_no_other_way_than_in_a_sentence(earlier: Path) -> None:
    for words in (["games"], ["players"], ["stats"], ["games", "add", "table"]):
        assert "Traceback" not in acres(*words, home=earlier).succeeds().err
    acres("serve-robot", "--once", home=earlier).fails()


# --- while it runs


def test_it_waits_for_files_and_takes_none_that_is_half_written(table: Path) -> None:
    invite()
    folders = ("--inbox", "table", "--outbox", "out")
    robot = start("serve-robot", *folders, "--every", "1s", home="robot")
    try:
        out = table.parent / "out"
        wait_for(out / "game-001.toml")
        do("turn", "apply", out / "game-001.toml", "pass", "--output", "whole.toml", home="anna")
        whole = (table.parent / "whole.toml").read_bytes()
        with (table / "game-002.toml").open("wb") as file:
            file.write(whole[: len(whole) // 2])
            file.flush()
            time.sleep(1.1)
            file.write(whole[len(whole) // 2 :])
        wait_for(out / "game-003.toml")
    finally:
        robot.send_signal(signal.SIGINT)
        told, err = robot.communicate(timeout=60)
    assert robot.returncode == 130
    assert err.startswith("\nacres: Stopped. ")
    # It may have been stopped before it could say so.
    assert "game-003.toml" in told + err
    assert "breaks off" not in told


def wait_for(path: Path, seconds: int = 60) -> None:
    ends = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < ends, f"no {path}"
        time.sleep(0.05)
