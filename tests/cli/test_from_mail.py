"""Every command that takes a file takes it out of what mail programs save, too."""

from __future__ import annotations

import mailbox
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.savefile.save_file import SaveFile
from tests.cli.using import (
    FILE,
    OTHER,
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
SHOWN = ["turn", "show"]


@pytest.fixture(autouse=True)
def at_home(in_the_game: None) -> None:
    """The library of the copied game knows its files where the first ones lie."""
    assert acres("games", "add", "game-016.toml", home=HOME).status == 0


def saved(
    data: bytes, name: str = "mail.eml", program: Callable[[bytes], bytes] = ATTACHED
) -> Path:
    path = Path(name)
    path.write_bytes(program(data))
    return path


def file(number: int) -> bytes:
    return Path(f"game-{number:03}.toml").read_bytes()


def in_mbox(*messages: bytes) -> Path:
    box = mailbox.mbox("Inbox")
    for message in messages:
        box.add(message)
    box.close()
    return Path("Inbox")


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "command",
    [
        ["turn", "show", "{}"],
        ["turn", "show", "{}", "--json"],
        ["turn", "legal", "{}"],
        ["turn", "legal", "{}", "--json"],
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
def test_what_is_said_of_a_message_is_said_of_its_file(command: list[str]) -> None:
    path = saved(file(17))
    one = acres(*(word.format(path) for word in command), home=HOME)
    other = acres(*(word.format(FILE) for word in command), home=HOME)
    assert (one.status, one.err) == (other.status, other.err) == (0, "")
    assert one.out.replace("mail.eml", FILE) == other.out


def test_standard_input_is_taken_as_a_file_a_message_or_a_text() -> None:
    for data in (file(17), ATTACHED(file(17)), file(17).replace(b"\n", b"\r\n")):
        done = acres_process(*SHOWN, "-", home="british", reads=data).succeeds_quietly()
        assert "It is your move." in done.out


def test_games_are_found_on_standard_input() -> None:
    for data in (
        file(17),
        ATTACHED(file(17)),
        in_mbox(ATTACHED(file(16)), ATTACHED(file(17))).read_bytes(),
    ):
        (HOME / "library.sqlite3").unlink(missing_ok=True)
        done = acres_process("games", "add", "-", home="british", reads=data).succeeds_quietly()
        assert "Found 1 game of yours" in done.out


def test_standard_input_is_one_thing() -> None:
    for words in (["turn", "apply", "-", "--orders", "-"], ["audit", "-", "-"]):
        assert "not both" in acres(*words, home=HOME).fails().err


def test_a_folder_that_is_no_maildir_is_none() -> None:
    assert "not a file or a mailbox" in acres(*SHOWN, "british", home=HOME).fails().err


# --- where the answer goes


def test_an_answer_is_written_beside_the_last_file_of_the_game() -> None:
    """The library knows it, because the player has written it."""
    Path("elsewhere").mkdir()
    do("turn", "apply", saved(file(17), "elsewhere/mail.eml"), *PASSES, home=HOME)
    assert SaveFile.read(file(18)).records[:18] == SaveFile.read(file(17)).records
    assert [path.name for path in Path("elsewhere").iterdir()] == ["mail.eml"]


def test_a_first_answer_bears_the_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, data = Path("british").absolute(), file(17)
    (home / "library.sqlite3").unlink()
    monkeypatch.chdir(tmp_path)
    do("turn", "apply", saved(data), *PASSES, "--newest", home=home)
    assert Path("emile-018.toml").exists()


def test_the_name_of_a_part_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, data = Path("british").absolute(), file(17)
    (home / "library.sqlite3").unlink()
    monkeypatch.chdir(tmp_path)
    mail = saved(data, program=of_kind("text/plain", name="../../mit anna-017.toml"))
    assert acres("turn", "apply", mail, *PASSES, "--newest", home=home).status == 0
    assert Path("mit anna-018.toml").exists()


def test_the_same_answer_to_the_same_message_is_the_same_file() -> None:
    mail = saved(file(17))
    assert acres("turn", "apply", mail, *PASSES, home=HOME).status == 0
    before = file(18)
    Path("game-018.toml").unlink()
    do("turn", "apply", mail, *PASSES, home=HOME)
    assert file(18) == before


# --- several


def several(*files: bytes) -> Path:
    """A message with these attached."""
    parts = (f"{PLAIN}; name=turn.toml\n\n{data.decode()}" for data in files)
    Path("mail.eml").write_bytes(multipart("mixed", *parts))
    return Path("mail.eml")


def test_the_newest_counts_and_the_others_are_named() -> None:
    done = do(*SHOWN, several(file(17), file(16)), home=HOME)
    older = "left aside as older: the attachment turn.toml by bela@example.org (up to record 16)."
    assert older in words(done.err)
    plain = acres(*SHOWN, FILE, home=HOME).out
    assert done.out.replace("mail.eml", FILE) == plain


def test_a_sender_that_is_no_address_is_left_out() -> None:
    mail = several(file(17), file(16))
    mail.write_bytes(mail.read_bytes().replace(b"<bela@example.org>", b"<>", 1))
    told = acres(*SHOWN, mail, home=HOME).err
    assert "left aside as older: the attachment turn.toml (up to record 16)." in words(told)


def test_of_several_games_the_one_that_waits_for_the_player_counts(tmp_path: Path) -> None:
    other = play_practice_files(tmp_path / "other", 4)[-1]
    box = in_mbox(ATTACHED(Path(other.path).read_bytes()), ATTACHED(file(17)))
    assert "Files of other games were left aside: " in words(do(*SHOWN, box, home=HOME).err)
    number = SaveFile.read(Path(other.path).read_bytes()).records[0].hash.hex()[:8]
    assert f"game {number}" in acres(*SHOWN, f"{box}#{number}", home=HOME).succeeds().out


def test_where_it_is_not_clear_which_game_is_meant_all_are_named(tmp_path: Path) -> None:
    other = play_practice_files(tmp_path / "other", 4)[-1]
    box = in_mbox(ATTACHED(Path(other.path).read_bytes()), ATTACHED(file(17)))
    refused = acres(*SHOWN, box, home=tmp_path / "nobody").fails()
    assert "There are files of 2 games in Inbox: " in refused.err
    assert "Inbox#" in refused.err
    acres(*SHOWN, f"{box}#zzz", home=HOME).fails()


def test_two_that_go_on_in_different_ways_are_told_and_compared() -> None:
    assert acres("turn", "apply", FILE, *PASSES, home=HOME).status == 0
    do("turn", "apply", FILE, "draft Rangers", "pass", "--replace", "--output", "o.toml", home=HOME)
    box = in_mbox(ATTACHED(file(18)), ATTACHED(Path("o.toml").read_bytes()))
    assert "go on differently" in acres(*SHOWN, box, home=Path("french")).fails(1).err
    audit = acres("audit", box, home=Path("french"))
    assert audit.status == 1
    assert "A fork: Anna" in words(audit.out)


def test_evidence_beside_a_game_is_told_of() -> None:
    """Or who audits a message with both is told only that all is well."""
    do("turn", "apply", FILE, *PASSES, "--output", "one.toml", home=HOME)
    do("turn", "apply", FILE, *OTHER, "--replace", "--output", "two.toml", home=HOME)
    assert acres("audit", "one.toml", "two.toml", "--output", "fork.toml", home=HOME).status == 1
    audit = acres("audit", several(Path("fork.toml").read_bytes(), file(17)), home=HOME)
    assert "There is evidence of a fork too, the attachment turn.toml" in words(audit.err)


# --- damage, and nothing


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (lambda data: data[: len(data) // 2], 2, "is damaged: ask for it to be sent again"),
        (lambda data: data.replace(b"\n", b"\n> "), 2, "is damaged|quoted or wrapped"),
        (lambda data: b"Nothing today.\n", 2, "There is no save file in mail.eml."),
        (
            lambda data: data.replace(b'order = "pass"', b'order = "draft rangers"'),
            1,
            "was changed after it was signed",
        ),
    ],
)
def test_a_fault_is_one_sentence(change: Callable[[bytes], bytes], status: int, said: str) -> None:
    mail = saved(change(file(17)))
    before = snapshot(Path())
    for command in (["turn", "show"], ["turn", "apply"], ["log"]):
        refused = acres(*command, mail, home=HOME).fails(status)
        assert re.search(said, refused.err), refused.err
    assert snapshot(Path()) == before


@pytest.mark.parametrize("program", [ATTACHED, PROGRAMS["as the whole text"]])
def test_what_may_be_cut_between_records_is_told(program: Callable[[bytes], bytes]) -> None:
    """What is left of it holds, and is an older file."""
    whole = file(17).decode()
    assert acres(*SHOWN, saved(whole.encode(), program=program), home=HOME).err == ""
    cut = whole[: whole.rindex("[[record]]\n")]
    done = do(*SHOWN, saved(cut.encode(), program=program), home=HOME)
    assert "ends with record 16, with no sealed box after it" in words(done.err)


# --- the list of games


def test_games_are_found_in_mail() -> None:
    Path("post").mkdir()
    saved(file(17), "post/mail.eml")
    (HOME / "library.sqlite3").unlink()
    assert "Found 1 game of yours in 1 file." in acres("games", "add", "post", home=HOME).out
    in_mbox(ATTACHED(file(16)), ATTACHED(file(17))).rename("post/Inbox")
    mailbox.Maildir("post/Mail").add(ATTACHED(file(15)))
    assert "in 4 files." in acres("games", "add", "post", home=HOME).out
