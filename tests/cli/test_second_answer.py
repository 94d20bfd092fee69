"""Second answers to an answered, an older, or a replaced file."""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from engine.message import Message
from pbem.protocol.record import Record
from pbem.protocol.steps import Grant
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import FILE, OTHER_ORDERS, PASSES, acres, apply, do, snapshot
from tests.requirements import require

pytestmark = pytest.mark.usefixtures("in_game_folder")


def records_in(name: str) -> Sequence[Record]:
    return SaveFile.read(Path(name).read_bytes()).records


def set_clock(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setattr("pbem.sources._system_clock", lambda: datetime.fromisoformat(time))


# --- answered files


def test_repeated_orders_write_the_same_answer(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2030-01-01T00:00:00Z")
    assert apply(*PASSES).status == 0
    set_clock(monkeypatch, "2031-01-01T00:00:00Z")
    apply("PASS", "pass", "--output", "again.toml").succeeds_quietly()
    assert (game / "again.toml").read_bytes() == (game / "game-018.toml").read_bytes()
    # --replace does the same if there is nothing to replace.
    apply(*PASSES, "--replace", "--output", "third.toml").succeeds_quietly()
    assert records_in("third.toml") == records_in("game-018.toml")


def test_moved_answer_is_reported_as_missing(game: Path) -> None:
    assert apply(*PASSES).status == 0
    answer = game / "game-018.toml"
    for move in (lambda: answer.write_bytes((game / FILE).read_bytes()), answer.unlink):
        move()
        assert f"not in {answer}" in apply(*OTHER_ORDERS, "--output", "other.toml").fails().err
    assert apply(*PASSES).status == 0


def test_replaced_answer_becomes_the_valid_one(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert apply(*PASSES).status == 0
    set_clock(monkeypatch, "2031-01-01T00:00:00Z")
    apply(*OTHER_ORDERS, "--output", "other.toml", "--replace").succeeds()
    one, two = records_in("game-018.toml")[18], records_in("other.toml")[18]
    assert one.hash != two.hash
    assert two.time == "2031-01-01T00:00:00Z"
    # Only the second answer can be written again.
    apply(*OTHER_ORDERS, "--output", "again.toml").succeeds()
    assert records_in("again.toml") == records_in("other.toml")
    apply(*PASSES, "--output", "third.toml").fails()


def test_replace_overwrites_the_first_answer_only(game: Path) -> None:
    assert apply(*PASSES).status == 0
    first = records_in("game-018.toml")[18]
    (game / "mine.toml").write_bytes(b"my letters")
    shutil.copy("game-018.toml", "copy.toml")
    before = snapshot(game)
    for output in ("game-017.toml", "game-016.toml", "mine.toml", "british/identity.toml"):
        apply(*OTHER_ORDERS, "--replace", "--output", output).fails()
        resign = ("turn", "resign", FILE, "--yes", "--replace", "--output", output)
        acres(*resign, home="british").fails()
    apply(*OTHER_ORDERS).fails()
    assert snapshot(game) == before
    apply(*OTHER_ORDERS, "--replace").succeeds()
    second = (game / "game-018.toml").read_bytes()
    assert records_in("game-018.toml")[18].hash != first.hash
    # A copy of the first answer is not replaced.
    apply("pass", "draft rangers", "--replace", "--output", "copy.toml").fails()
    assert (game / "game-018.toml").read_bytes() == second
    assert set(snapshot(game)) == set(before)


def test_reading_commands_work_on_answered_files(game: Path) -> None:
    assert apply(*PASSES).status == 0
    for words in (["turn", "show"], ["turn", "legal"], ["audit"]):
        for file in (FILE, "game-003.toml"):
            acres(*words, file, home="british").succeeds_quietly()


def test_orders_of_an_answered_file_are_not_asked_for(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert apply(*PASSES).status == 0
    (game / "game-018.toml").unlink()
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.prompts.ask", lambda prompt: pytest.fail("asked"))
    apply().fails()
    apply(file="game-003.toml").fails()


@pytest.mark.parametrize("orders", [[], OTHER_ORDERS])
def test_terminal_asks_about_replacing_before_the_orders(
    game: Path, monkeypatch: pytest.MonkeyPatch, orders: Sequence[str]
) -> None:
    assert apply(*PASSES).status == 0
    before = snapshot(game)
    prompts: list[Message | str] = []
    lines: list[str] = []

    def ask(prompt: Message | str) -> str:
        prompts.append(prompt)
        return lines.pop(0)

    # In plain mode this function reads every line.
    monkeypatch.setenv("ACRES_PLAIN", "1")
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.prompts.ask", ask)
    lines[:] = ["perhaps", "n"]
    apply(*orders, "--replace", "--output", "other.toml").succeeds_quietly()
    assert (len(prompts), snapshot(game)) == (2, before)
    lines[:] = ["y", "draft rangers", "", "pass", "", "", "y"]
    apply(*orders, "--replace", "--output", "other.toml").succeeds_quietly()
    assert prompts[2] == "Sign another? [y/n] "
    assert records_in("other.toml")[18].hash != records_in("game-018.toml")[18].hash


# --- older and forked files


@pytest.mark.parametrize("number", [1, 13])
def test_older_file_is_refused_with_the_newest_answer(game: Path, number: int) -> None:
    before = snapshot(game)
    for words in (["pass"], PASSES, []):
        refusal = apply(*words, "--output", "other.toml", file=f"game-{number:03}.toml").fails()
        assert "game-016.toml" in refusal.err
    assert snapshot(game) == before


def test_opponents_second_answer_is_detected(game: Path) -> None:
    assert apply(*PASSES).status == 0
    shutil.copytree("french", "copy")
    for home, name, words in (
        ("french", "one.toml", PASSES),
        ("copy", "two.toml", ["draft coureurs", "pass"]),
    ):
        do("turn", "apply", "game-018.toml", *words, "--output", name, home=home)
    assert apply(*PASSES, "--output", "mine.toml", file="one.toml").status == 0
    before = snapshot(game)
    apply(*PASSES, "--output", "other.toml", file="two.toml").fails()
    assert snapshot(game) == before
    assert acres("audit", "one.toml", "two.toml").status == 1
    assert "record 19" in apply(*PASSES, "--dry-run", file="two.toml").succeeds().err
    replaced = apply(*PASSES, "--output", "other.toml", "--replace", file="two.toml").succeeds()
    assert "record 19" in replaced.err
    assert records_in("other.toml")[19] == records_in("two.toml")[19]


def test_record_signed_by_a_copied_key_needs_replace_and_newest(game: Path) -> None:
    shutil.copytree("british", "copy")
    assert apply(*PASSES).status == 0
    apply(*OTHER_ORDERS, "--output", "copy-018.toml", home="copy").succeeds()
    apply(*PASSES, file="copy-018.toml", home="french").succeeds()
    before = snapshot(game)
    apply(*PASSES, "--output", "x.toml", file="copy-019.toml").fails()
    assert snapshot(game) == before
    # A player who signed both can continue from the sent one.
    for option in ("--replace", "--newest"):
        apply(*PASSES, option, file="copy-019.toml").fails()
    apply(*PASSES, "--replace", "--newest", file="copy-019.toml").succeeds()
    assert apply(*PASSES, file="copy-020.toml", home="french").status == 0
    apply(*PASSES, file="copy-021.toml").succeeds_quietly()


# --- answers that would reveal a hand


def granted_list(name: str) -> int:
    steps = records_in(name)[1].steps
    return require(next(step for step in steps if isinstance(step, Grant)).list)


def test_no_option_opens_both_lists_of_a_shuffle(game: Path) -> None:
    """Béla accepts, gets an answer, accepts again, and sends Anna the second acceptance."""
    acres("init", "--name", "Béla", home="bela")
    acres("new", "--side", "british", "--lists", 16, "--output", "b-000.toml", home="british")
    for number in range(30):
        shutil.copytree("bela", f"bela-{number}")
        name = "two-001.toml" if number else "one-001.toml"
        Path(name).unlink(missing_ok=True)
        do("join", "b-000.toml", "--output", name, home=f"bela-{number}")
        if granted_list(name) != granted_list("one-001.toml"):
            break
    assert apply("pass", file="one-001.toml").status == 0
    before = snapshot(game)
    apply("pass", file="two-001.toml").fails()
    for words in (["pass"], []):
        assert "not even --replace" in apply(*words, "--replace", file="two-001.toml").fails().err
    acres("turn", "resign", "two-001.toml", "--yes", "--replace", home="british").fails()
    assert snapshot(game) == before
    assert apply("pass", "--replace", "--dry-run", file="two-001.toml").succeeds().err
    # The first game continues.
    assert apply("pass", "--output", "again.toml", file="one-001.toml").status == 0
    assert records_in("again.toml") == records_in("one-002.toml")
