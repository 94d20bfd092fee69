"""A file that was answered already, an older one, another one: nobody signs twice by mistake."""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from engine.message import Message
from pbem.protocol.record import Record
from pbem.protocol.steps import Grant
from pbem.savefile.save_file import SaveFile
from tests.cli.using import FILE, OTHER, PASSES, Result, acres, apply, do, is_one_sentence, snapshot
from tests.present import present

pytestmark = pytest.mark.usefixtures("in_the_game")


def records(name: str) -> Sequence[Record]:
    return SaveFile.read(Path(name).read_bytes()).records


def refused(result: Result, *words: str) -> None:
    assert (result.status, is_one_sentence(result.err)) == (2, True), result.err
    for word in words:
        assert word in result.err


def signing_at(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    """From now on it is that time for whoever signs."""
    monkeypatch.setattr("pbem.sources._system_clock", lambda: datetime.fromisoformat(time))


# --- the same file once more


def test_the_same_orders_write_the_same_answer(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signing_at(monkeypatch, "2030-01-01T00:00:00Z")
    assert apply(*PASSES).status == 0
    signing_at(monkeypatch, "2031-01-01T00:00:00Z")
    again = apply("PASS", "pass", "--output", "again.toml").succeeds_quietly()
    assert "You already signed this answer, on 1 Jan 00:00 UTC." in again.out
    assert (game / "again.toml").read_bytes() == (game / "game-018.toml").read_bytes()
    # --replace replaces nothing where there is nothing to replace.
    apply(*PASSES, "--replace", "--output", "third.toml").succeeds_quietly()
    assert records("third.toml") == records("game-018.toml")


def test_an_answer_that_is_not_where_it_was_written_is_not_told_to_be_sent(game: Path) -> None:
    assert apply(*PASSES).status == 0
    answer = game / "game-018.toml"
    for move in (lambda: answer.write_bytes((game / FILE).read_bytes()), answer.unlink):
        move()
        result = apply(*OTHER, "--output", "other.toml")
        refused(result, f"It is not in {answer}, where it was to be; the same orders write it")
        assert "Send that answer" not in result.err
    assert apply(*PASSES).status == 0


def test_with_replace_another_answer_counts(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert apply(*PASSES).status == 0
    signing_at(monkeypatch, "2031-01-01T00:00:00Z")
    done = apply(*OTHER, "--output", "other.toml", "--replace").succeeds()
    assert done.err.startswith("Note: ")
    assert done.err.count("\n") == 1
    assert "proof of cheating" in done.err
    assert "never left this computer" in done.err
    one, two = records("game-018.toml")[18], records("other.toml")[18]
    assert one.hash != two.hash
    assert two.time == "2031-01-01T00:00:00Z"
    # Now it is the second that can be written again, and the first that cannot.
    apply(*OTHER, "--output", "again.toml").succeeds()
    assert records("again.toml") == records("other.toml")
    refused(
        apply(*PASSES, "--output", "third.toml"), "on 1 Jan 00:00 UTC: draft Rangers; pass; end"
    )


def test_with_replace_only_the_file_of_the_first_answer_is_overwritten(game: Path) -> None:
    assert apply(*PASSES).status == 0
    first = (game / "game-018.toml").read_bytes()
    (game / "mine.toml").write_bytes(b"my letters")
    shutil.copy("game-018.toml", "copy.toml")
    before = snapshot(game)
    for output in ("game-017.toml", "game-016.toml", "mine.toml", "british/identity.toml", "."):
        refused(apply(*OTHER, "--replace", "--output", output))
        refused(acres("turn", "resign", FILE, "--yes", "--replace", "--output", output,
                      home="british"))  # fmt: skip
    assert snapshot(game) == before
    refused(apply(*OTHER), "There is already a file")
    apply(*OTHER, "--replace").succeeds()
    second = (game / "game-018.toml").read_bytes()
    assert records("game-018.toml")[18].hash != SaveFile.read(first).records[18].hash
    # What holds the first answer still is none that was replaced last.
    refused(
        apply("pass", "draft rangers", "--replace", "--output", "copy.toml"),
        "There is already a file",
    )
    assert (game / "game-018.toml").read_bytes() == second
    assert set(snapshot(game)) == set(before)


def test_looking_is_never_refused(game: Path) -> None:
    assert apply(*PASSES).status == 0
    for words in (["turn", "show"], ["turn", "legal"], ["audit"]):
        for file in (FILE, "game-003.toml"):
            acres(*words, file, home="british").succeeds_quietly()


def test_nobody_is_asked_for_refused_orders(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert apply(*PASSES).status == 0
    (game / "game-018.toml").unlink()
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.prompts.ask", lambda prompt: pytest.fail("asked"))
    refused(apply(), "already answered this file", "pass; pass; end")
    refused(apply(file="game-003.toml"), "older")


@pytest.mark.parametrize("orders", [[], OTHER])
def test_at_a_terminal_whoever_replaces_is_asked_before_the_orders(
    game: Path, monkeypatch: pytest.MonkeyPatch, orders: Sequence[str]
) -> None:
    assert apply(*PASSES).status == 0
    before = snapshot(game)
    told: list[Message | str] = []
    lines: list[str] = []

    def ask(prompt: Message | str) -> str:
        told.append(prompt)
        return lines.pop(0)

    # There every line is asked for in the same way.
    monkeypatch.setenv("ACRES_PLAIN", "1")
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.prompts.ask", ask)
    lines[:] = ["perhaps", "n"]
    stopped = apply(*orders, "--replace", "--output", "other.toml").succeeds_quietly()
    assert "y goes on to sign another, n stops here." in stopped.out
    assert stopped.out.endswith("Nothing was written.\n")
    assert (len(told), snapshot(game)) == (2, before)
    lines[:] = ["y", "draft rangers", "", "pass", "", "", "y"]
    done = apply(*orders, "--replace", "--output", "other.toml").succeeds_quietly()
    assert "proof of cheating" in done.out
    assert told[2] == "Sign another? [y/n] "
    assert records("other.toml")[18].hash != records("game-018.toml")[18].hash


# --- older files, and other ones


@pytest.mark.parametrize("number", [1, 3, 9, 13])
def test_an_older_file_is_refused_with_what_was_answered_since(game: Path, number: int) -> None:
    before = snapshot(game)
    for words in (["pass"], PASSES, []):
        result = apply(*words, "--output", "other.toml", file=f"game-{number:03}.toml")
        refused(result, "older than what you have already answered", "game-016.toml")
    assert snapshot(game) == before


def test_the_opponent_who_signed_another_turn_is_found_out(game: Path) -> None:
    """Émile's computer forgets what it signed, and he sends two different answers."""
    assert apply(*PASSES).status == 0
    shutil.copytree("french", "copy")
    for home, name in (("french", "one.toml"), ("copy", "two.toml")):
        words = {"french": PASSES, "copy": ["draft coureurs", "pass"]}[home]
        do("turn", "apply", "game-018.toml", *words, "--output", name, home=home)
    assert apply(*PASSES, "--output", "mine.toml", file="one.toml").status == 0
    before = snapshot(game)
    result = apply(*PASSES, "--output", "other.toml", file="two.toml")
    refused(
        result, "Your opponent signed a record 19 that differs", "your record 20", "acres audit"
    )
    assert snapshot(game) == before
    assert acres("audit", "one.toml", "two.toml").status == 1
    assert "a record 19 that differs" in apply(*PASSES, "--dry-run", file="two.toml").succeeds().err
    done = apply(*PASSES, "--output", "other.toml", "--replace", file="two.toml")
    assert (done.status, "a record 19 that differs" in done.err) == (0, True)
    assert records("other.toml")[19] == records("two.toml")[19]


def test_a_record_in_my_name_that_this_computer_did_not_sign(game: Path) -> None:
    """Anna's key was copied; what the copy signs is not what she signed."""
    shutil.copytree("british", "copy")
    assert apply(*PASSES).status == 0
    apply(*OTHER, "--output", "copy-018.toml", home="copy").succeeds()
    apply(*PASSES, file="copy-018.toml", home="french").succeeds()
    before = snapshot(game)
    result = apply(*PASSES, "--output", "x.toml", file="copy-019.toml")
    refused(result, "a record 18 in your name that differs", "somebody has your key")
    assert snapshot(game) == before
    # Whoever signed both knows, and can go on from the one that was sent.
    refused(apply(*PASSES, "--replace", file="copy-019.toml"), "not remember your part", "--newest")
    refused(
        apply(*PASSES, "--newest", file="copy-019.toml"), "a record 18 in your name that differs"
    )
    done = apply(*PASSES, "--replace", "--newest", file="copy-019.toml")
    assert (done.status, done.err.startswith("Note: ")) == (0, True)
    assert apply(*PASSES, file="copy-020.toml", home="french").status == 0
    apply(*PASSES, file="copy-021.toml").succeeds_quietly()


# --- what would show a whole hand


def chosen_list(name: str) -> int:
    return present(next(step for step in records(name)[1].steps if isinstance(step, Grant)).list)


def test_nobody_opens_both_lists_of_a_shuffle_because_the_opponent_asks_for_it(game: Path) -> None:
    """Béla accepts, is answered, accepts again, and says: take this file instead."""
    acres("init", "--name", "Béla", home="bela")
    acres("new", "--side", "british", "--lists", 16, "--output", "b-000.toml", home="british")
    for number in range(30):
        shutil.copytree("bela", f"bela-{number}")
        name = "two-001.toml" if number else "one-001.toml"
        Path(name).unlink(missing_ok=True)
        do("join", "b-000.toml", "--output", name, home=f"bela-{number}")
        if chosen_list(name) != chosen_list("one-001.toml"):
            break
    assert apply("pass", file="one-001.toml").status == 0
    before = snapshot(game)
    refused(apply("pass", file="two-001.toml"), "a different acceptance", "one guest")
    for words in (["pass"], []):
        result = apply(*words, "--replace", file="two-001.toml")
        refused(result, "your record 2", "whole hand and draw pile", "not even --replace")
    given_up = acres("turn", "resign", "two-001.toml", "--yes", "--replace", home="british")
    refused(given_up, "whole hand and draw pile")
    assert snapshot(game) == before
    trial = apply("pass", "--replace", "--dry-run", file="two-001.toml")
    assert (trial.status, "whole hand and draw pile" in trial.err) == (0, True)
    # The first game goes on.
    assert apply("pass", "--output", "again.toml", file="one-001.toml").status == 0
    assert records("again.toml") == records("one-002.toml")
