"""Every command that reads a file also reads it from a saved message or a mailbox."""

from __future__ import annotations

import mailbox
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.savefile.save_file import SaveFile
from tests.cli.commands import (
    FILE,
    OTHER_ORDERS,
    PASSES,
    acres,
    acres_process,
    do,
    play_practice_files,
    snapshot,
)
from tests.mail.programs import PLAIN, PROGRAMS, multipart, of_kind

HOME = Path("british")
ATTACHED = PROGRAMS["Mailman: a footer behind it"]
SHOW = ["turn", "show"]


@pytest.fixture(autouse=True)
def known_game(in_game_folder: None) -> None:
    """Let the library of the copied game know the new paths of its files."""
    assert acres("games", "add", "game-016.toml", home=HOME).status == 0


def save_message(
    data: bytes, name: str = "mail.eml", program: Callable[[bytes], bytes] = ATTACHED
) -> Path:
    path = Path(name)
    path.write_bytes(program(data))
    return path


def read_file(number: int) -> bytes:
    return Path(f"game-{number:03}.toml").read_bytes()


def make_mbox(*messages: bytes) -> Path:
    box = mailbox.mbox("Inbox")
    for message in messages:
        box.add(message)
    box.close()
    return Path("Inbox")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["turn", "show", "{}"],
        ["turn", "show", "{}", "--json"],
        ["turn", "legal", "{}"],
        ["turn", "apply", "{}", "pass", "pass", "--dry-run"],
        ["log", "{}"],
        ["audit", "{}"],
        ["audit", "{}", FILE],
        ["rules", "supply", "{}"],
        ["card", "rangers", "{}"],
        ["location", "albany", "{}"],
    ],
    ids=" ".join,
)
def test_message_and_its_file_give_the_same_output(command: list[str]) -> None:
    path = save_message(read_file(17))
    one = acres(*(word.format(path) for word in command), home=HOME).succeeds_quietly()
    other = acres(*(word.format(FILE) for word in command), home=HOME).succeeds_quietly()
    assert one.out.replace("mail.eml", FILE) == other.out


def test_standard_input_may_be_a_file_a_message_or_a_mailbox() -> None:
    data = read_file(17)
    box = make_mbox(ATTACHED(read_file(16)), ATTACHED(data)).read_bytes()
    acres_process(*SHOW, "-", home="british", stdin=ATTACHED(data)).succeeds_quietly()
    for stdin in (data.replace(b"\n", b"\r\n"), box):
        (HOME / "library.sqlite3").unlink(missing_ok=True)
        acres_process("games", "add", "-", home="british", stdin=stdin).succeeds_quietly()
        assert (HOME / "library.sqlite3").exists()
    for words in (["turn", "apply", "-", "--orders", "-"], ["audit", "-", "-"], [*SHOW, "british"]):
        acres(*words, home=HOME).fails()


# --- the file of the answer


def test_answer_is_written_beside_the_last_file_of_the_game() -> None:
    Path("elsewhere").mkdir()
    mail = save_message(read_file(17), "elsewhere/mail.eml")
    do("turn", "apply", mail, *PASSES, home=HOME)
    before = read_file(18)
    assert SaveFile.read(before).records[:18] == SaveFile.read(read_file(17)).records
    assert [path.name for path in Path("elsewhere").iterdir()] == ["mail.eml"]
    # The same orders write the same file again.
    Path("game-018.toml").unlink()
    do("turn", "apply", mail, *PASSES, home=HOME)
    assert read_file(18) == before


@pytest.mark.parametrize(
    ("program", "name"),
    [
        (ATTACHED, "emile-018.toml"),
        (of_kind("text/plain", name="../../mit anna-017.toml"), "mit anna-018.toml"),
    ],
)
def test_first_answer_is_named_after_the_attachment_or_the_opponent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Callable[[bytes], bytes], name: str
) -> None:
    home, data = HOME.absolute(), read_file(17)
    (home / "library.sqlite3").unlink()
    monkeypatch.chdir(tmp_path)
    mail = save_message(data, program=program)
    do("turn", "apply", mail, *PASSES, "--newest", home=home)
    assert Path(name).exists()


# --- several files


def attach_all(*files: bytes) -> Path:
    """Write a message with these files attached."""
    parts = (f"{PLAIN}; name=turn.toml\n\n{data.decode()}" for data in files)
    Path("mail.eml").write_bytes(multipart("mixed", *parts))
    return Path("mail.eml")


def test_newest_file_of_a_mailbox_is_used_and_the_others_are_listed() -> None:
    mail = attach_all(read_file(17), read_file(16))
    result = do(*SHOW, mail, home=HOME)
    assert "turn.toml by bela@example.org (up to record 16)" in " ".join(result.err.split())
    assert result.out.replace("mail.eml", FILE) == acres(*SHOW, FILE, home=HOME).out
    mail.write_bytes(mail.read_bytes().replace(b"<bela@example.org>", b"<>", 1))
    no_sender = acres(*SHOW, mail, home=HOME).err
    assert "turn.toml (up to record 16)" in " ".join(no_sender.split())


def test_mailbox_with_several_games_uses_the_waiting_game_or_lists_all(tmp_path: Path) -> None:
    other = play_practice_files(tmp_path / "other", 4)[-1]
    box = make_mbox(ATTACHED(Path(other.path).read_bytes()), ATTACHED(read_file(17)))
    assert do(*SHOW, box, home=HOME).err
    number = SaveFile.read(Path(other.path).read_bytes()).records[0].hash.hex()[:8]
    assert f"game {number}" in acres(*SHOW, f"{box}#{number}", home=HOME).succeeds().out
    assert "Inbox#" in acres(*SHOW, box, home=tmp_path / "nobody").fails().err
    acres(*SHOW, f"{box}#zzz", home=HOME).fails()


def test_forked_files_in_a_mailbox_are_refused_and_compared() -> None:
    assert acres("turn", "apply", FILE, *PASSES, home=HOME).status == 0
    do("turn", "apply", FILE, *OTHER_ORDERS, "--replace", "--output", "o.toml", home=HOME)
    box = make_mbox(ATTACHED(read_file(18)), ATTACHED(Path("o.toml").read_bytes()))
    acres(*SHOW, box, home=Path("french")).fails(1)
    assert "A fork: Anna" in acres("audit", box, home=Path("french")).out
    # The audit mentions evidence next to a valid game.
    (proof,) = Path().glob("fork-*.toml")
    assert acres("audit", attach_all(proof.read_bytes(), read_file(17)), home=HOME).err


# --- damage


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda data: data[: len(data) // 2], 2),
        (lambda data: data.replace(b"\n", b"\n> "), 2),
        (lambda data: b"Nothing today.\n", 2),
        (lambda data: data.replace(b'order = "pass"', b'order = "draft rangers"'), 1),
    ],
)
def test_faulty_message_is_refused_with_one_sentence(
    change: Callable[[bytes], bytes], status: int
) -> None:
    mail = save_message(change(read_file(17)))
    before = snapshot(Path())
    for command in (["turn", "show"], ["turn", "apply"], ["log"]):
        acres(*command, mail, home=HOME).fails(status)
    assert snapshot(Path()) == before


@pytest.mark.parametrize("program", [ATTACHED, PROGRAMS["as the whole text"]])
def test_cut_between_records_is_mentioned(program: Callable[[bytes], bytes]) -> None:
    """The part before the cut is a valid, older file."""
    whole = read_file(17).decode()
    assert acres(*SHOW, save_message(whole.encode(), program=program), home=HOME).err == ""
    cut = whole[: whole.rindex("[[record]]\n")]
    result = do(*SHOW, save_message(cut.encode(), program=program), home=HOME)
    assert "record 16" in " ".join(result.err.split())


# --- the list of games


def test_games_are_found_in_mail() -> None:
    Path("post").mkdir()
    save_message(read_file(17), "post/mail.eml")
    (HOME / "library.sqlite3").unlink()
    assert "Found 1 game of yours in 1 file." in acres("games", "add", "post", home=HOME).out
    make_mbox(ATTACHED(read_file(16)), ATTACHED(read_file(17))).rename("post/Inbox")
    mailbox.Maildir("post/Mail").add(ATTACHED(read_file(15)))
    assert "in 4 files." in acres("games", "add", "post", home=HOME).out
