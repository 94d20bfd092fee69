"""`--armor`: what is printed is read wherever a file is, also quoted and with text around it."""

from __future__ import annotations

import io
import mailbox
import sys
from base64 import encodebytes
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.savefile.armour import BEGIN, END, armour, find_blocks, unarmour
from pbem.savefile.save_file import SaveFile
from tests.cli.using import FILE, PASSES, acres, do

HOME = Path("british")


@pytest.fixture(autouse=True)
def at_home(in_the_game: None) -> None:
    """The library of the copied game knows its files where the first ones lie."""
    assert acres("games", "add", "game-016.toml", home=HOME).status == 0


def file(number: int) -> bytes:
    return Path(f"game-{number:03}.toml").read_bytes()


def alone(data: bytes) -> bytes:
    return armour(data).encode()


def quoted(data: bytes) -> bytes:
    lines = "".join(f"> {line}\r\n" for line in armour(data).splitlines())
    return f"On Monday Béla wrote:\r\n{lines}\r\nI see.\r\n".encode()


def in_utf_16(data: bytes) -> bytes:
    return armour(data).replace("\n", "\r\n").encode("utf-16")


def in_text(data: bytes) -> bytes:
    """A message in UTF-8, so that its text is in base64; an older turn is quoted below."""
    text = f"Привет, Анна!\n\n{armour(data)}\nБела\n\n".encode() + quoted(file(15))
    head = "From: bela@example.org\nContent-Type: text/plain; charset=utf-8\n"
    return f"{head}Content-Transfer-Encoding: base64\n\n".encode() + encodebytes(text)


def attached(data: bytes) -> bytes:
    message = EmailMessage()
    message["From"] = "bela@example.org"
    message.set_content("Here it is.")
    message.add_attachment(armour(data), filename="block.txt")
    return message.as_bytes()


FORMS = [alone, quoted, in_utf_16, in_text, attached]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "command", [("turn", "show"), ("turn", "legal"), ("audit",), ("log",)], ids=" ".join
)
def test_a_file_is_read_in_armour(command: list[str], form: Callable[[bytes], bytes]) -> None:
    Path("block.txt").write_bytes(form(file(17)))
    one, other = (acres(*command, name, home=HOME) for name in ("block.txt", FILE))
    assert (one.status, other.status) == (0, 0)
    left = "Note: The newest file of the game was taken" if form is in_text else ""
    assert one.err.startswith(left) and bool(one.err) == bool(left)
    assert one.out.replace("block.txt", FILE) == other.out


@pytest.mark.parametrize("form", FORMS)
def test_read_from_a_pipe(form: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(form(file(17)))))
    assert do("audit", "-", home=HOME).out == acres("audit", FILE).out


@pytest.mark.parametrize("name", ["block.toml", "block.eml", "block.txt"])
def test_a_library_is_rebuilt_from_it(name: str) -> None:
    (HOME / "library.sqlite3").unlink()
    folder = Path("came")
    folder.mkdir()
    (folder / name).write_bytes(alone(file(17)))
    done = acres(
        "games", "add", folder if name != "block.txt" else folder / name, home=HOME
    ).succeeds_quietly()
    assert "Found 1 game of yours" in done.out
    shown, other = (acres("turn", "show", each, home=HOME).out for each in ("1", FILE))
    assert shown.splitlines()[:20] == other.splitlines()[:20]


@pytest.mark.parametrize("name", ["block.toml", "block.eml"])
def test_it_is_found_in_a_folder_that_is_watched(name: str) -> None:
    folder, data = Path("watched"), file(17)
    folder.mkdir()
    for path in [*Path().glob("game-*.toml"), HOME / "library.sqlite3"]:
        if path.name > "game-016.toml":
            path.unlink()
    assert acres("games", "add", "game-016.toml", home=HOME).status == 0
    assert acres("games", "folders", "add", folder, home=HOME).status == 0
    (folder / name).write_bytes(alone(data))
    assert "It is your move." in acres("turn", "show", home=HOME).succeeds().out
    assert file(17) == data, "it is put with its game"


def test_one_of_several_messages_with_it_in_base64_is_found() -> None:
    """Wherever in its text the block begins, of which base64 knows nothing."""
    for number in range(3):
        box = mailbox.mbox(f"Inbox{number}")
        text = f"{'Привет! ' * 9}{'x' * number}\n{armour(file(17))}".encode()
        box.add(b"Content-Transfer-Encoding: base64\n\n" + encodebytes(text))
        box.add(b"Subject: lunch\n\nAt one?\n")
        box.close()
        assert acres("audit", f"Inbox{number}").status == 0


def test_a_damaged_block_is_told() -> None:
    lines = armour(file(17)).splitlines()
    for block, why in (
        ([*lines[:9], *lines[10:]], "changed on the way, or is not complete"),
        ([f"{line} " for line in lines], "changed on the way, or is not complete"),
        (lines[:9], f"ends before the line {END}"),
    ):
        Path("block.txt").write_text("\n".join(block))
        refused = acres("audit", "block.txt").fails()
        assert "is damaged: ask for it to be sent again" in refused.err
        assert why in refused.err


@pytest.mark.parametrize("how", ["quoted", "with a greeting", "wrapped"])
def test_what_was_pasted_without_it_is_told_of_it(how: str) -> None:
    lines = file(17).decode().splitlines()
    texts = {
        "quoted": "".join(f"> {line}\n" for line in lines),
        "with a greeting": "\n".join(["Hello,", "", *lines]),
        "wrapped": "\n".join(part for line in lines for part in (line[:50], line[50:])),
    }
    Path("pasted.txt").write_text(texts[how])
    assert "--armor" in acres("audit", "pasted.txt").fails().err


# --- written


def only_block(out: str) -> bytes:
    (block,) = find_blocks(out.encode())
    return unarmour(block)


def test_an_answer_is_printed_in_armour_too() -> None:
    done = do("turn", "apply", FILE, *PASSES, "--armor", home=HOME)
    assert only_block(done.out) == file(18)
    assert "Next: send it to" in done.out.partition(END)[2]
    assert "many chats take no more than 4000 in a message" in " ".join(done.err.split())


def test_a_trial_prints_none() -> None:
    done = acres("turn", "apply", FILE, *PASSES, "--armor", "--dry-run", home=HOME)
    assert (done.status, BEGIN in done.out) == (0, False)


def test_an_invitation_and_its_acceptance_are_printed_in_armour_too() -> None:
    made = acres(
        "new", "--side", "any", "--output", "new-000.toml", "--armor", home=HOME
    ).succeeds_quietly()
    assert only_block(made.out) == Path("new-000.toml").read_bytes()
    Path("block.txt").write_text(made.out)
    options = ("--side", "french", "--output", "new-001.toml", "--armor")
    joined = do("join", "block.txt", *options, home="french")
    assert only_block(joined.out) == Path("new-001.toml").read_bytes()


def test_a_resignation_is_printed_in_armour_too() -> None:
    assert only_block(do("turn", "resign", FILE, "--yes", "--armor", home=HOME).out) == file(18)


def test_a_file_that_is_written_already_is_printed_alone() -> None:
    done = do("mail", "draft", "game-016.toml", "--armor", home=HOME)
    assert done.out.startswith(f"{BEGIN}\n") and done.out.endswith(f"{END}\n")
    assert only_block(done.out) == SaveFile.read(file(16)).write()
    assert not Path("game-016.eml").exists()


@pytest.mark.parametrize("other", [["--picture"], ["--output", "-"], ["--to", "a@example.org"]])
def test_it_goes_without_what_is_of_a_message(other: list[str]) -> None:
    refused = acres("mail", "draft", "game-016.toml", "--armor", *other, home=HOME).fails()
    assert "--armor prints the file alone" in refused.err
