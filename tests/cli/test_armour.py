"""`--armor`: a printed block is read like a file, even if quoted or within other text."""

from __future__ import annotations

import io
import mailbox
import shutil
import sys
from base64 import encodebytes
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.savefile.armour import BEGIN, END, armour, find_blocks, unarmour
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import FILE, PASSES, acres, do

HOME = Path("british")


@pytest.fixture(autouse=True)
def known_game(in_game_folder: None) -> None:
    """Let the library of the copied game know the new paths of its files."""
    assert acres("games", "add", "game-016.toml", home=HOME).status == 0


def file(number: int) -> bytes:
    return Path(f"game-{number:03}.toml").read_bytes()


def wrap_armour(data: bytes) -> bytes:
    return armour(data).encode()


def quoted_armour(data: bytes) -> bytes:
    lines = "".join(f"> {line}\r\n" for line in armour(data).splitlines())
    return f"On Monday Béla wrote:\r\n{lines}\r\nI see.\r\n".encode()


def utf_16_armour(data: bytes) -> bytes:
    return armour(data).replace("\n", "\r\n").encode("utf-16")


def armour_in_message(data: bytes) -> bytes:
    """Return a message in UTF-8, with its text in base64 and an older turn quoted below."""
    text = f"Привет, Анна!\n\n{armour(data)}\nБела\n\n".encode() + quoted_armour(file(15))
    head = "From: bela@example.org\nContent-Type: text/plain; charset=utf-8\n"
    return f"{head}Content-Transfer-Encoding: base64\n\n".encode() + encodebytes(text)


def armour_attachment(data: bytes) -> bytes:
    message = EmailMessage()
    message["From"] = "bela@example.org"
    message.set_content("Here it is.")
    message.add_attachment(armour(data), filename="block.txt")
    return message.as_bytes()


FORMS = [wrap_armour, quoted_armour, utf_16_armour, armour_in_message, armour_attachment]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", [("turn", "show"), ("audit",)], ids=" ".join)
def test_file_is_read_in_armour(command: list[str], form: Callable[[bytes], bytes]) -> None:
    Path("block.txt").write_bytes(form(file(17)))
    one, other = (acres(*command, name, home=HOME) for name in ("block.txt", FILE))
    assert (one.status, other.status) == (0, 0)
    # The older turn is mentioned.
    assert bool(one.err) == (form is armour_in_message)
    assert one.out.replace("block.txt", FILE) == other.out


def test_block_is_read_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(armour_in_message(file(17)))))
    assert do("audit", "-", home=HOME).out == acres("audit", FILE).out


@pytest.mark.parametrize("name", ["block.toml", "block.eml", "block.txt"])
def test_library_is_rebuilt_from_armoured_files(name: str) -> None:
    (HOME / "library.sqlite3").unlink()
    folder = Path("came")
    folder.mkdir()
    (folder / name).write_bytes(wrap_armour(file(17)))
    result = acres(
        "games", "add", folder if name != "block.txt" else folder / name, home=HOME
    ).succeeds_quietly()
    assert "Found 1 game of yours" in result.out
    one, other = (acres("turn", "show", name, home=HOME).out for name in ("1", FILE))
    assert one.splitlines()[:20] == other.splitlines()[:20]


@pytest.mark.parametrize("name", ["block.toml", "block.eml"])
def test_armoured_file_is_found_in_a_watched_folder(name: str) -> None:
    folder, data = Path("watched"), file(17)
    folder.mkdir()
    for path in [*Path().glob("game-*.toml"), HOME / "library.sqlite3"]:
        if path.name > "game-016.toml":
            path.unlink()
    assert acres("games", "add", "game-016.toml", home=HOME).status == 0
    assert acres("games", "folders", "add", folder, home=HOME).status == 0
    (folder / name).write_bytes(wrap_armour(data))
    acres("turn", "show", home=HOME).succeeds()
    assert file(17) == data, "it is copied beside its game"


def test_armoured_file_in_base64_is_found_among_messages() -> None:
    # The block may begin at any offset of the base64.
    for number in range(3):
        box = mailbox.mbox(f"Inbox{number}")
        text = f"{'Привет! ' * 9}{'x' * number}\n{armour(file(17))}".encode()
        box.add(b"Content-Transfer-Encoding: base64\n\n" + encodebytes(text))
        box.add(b"Subject: lunch\n\nAt one?\n")
        box.close()
        assert acres("audit", f"Inbox{number}").status == 0


def test_damaged_block_is_refused() -> None:
    lines = armour(file(17)).splitlines()
    for block in ([*lines[:9], *lines[10:]], [f"{line} " for line in lines], lines[:9]):
        Path("block.txt").write_text("\n".join(block))
        acres("audit", "block.txt").fails()


def test_text_pasted_without_armour_is_refused_with_the_option() -> None:
    lines = file(17).decode().splitlines()
    for text in ("\n> ".join(lines), "\n".join(["Hello,", "", *lines])):
        Path("pasted.txt").write_text(text)
        assert "--armor" in acres("audit", "pasted.txt").fails().err


# --- printed blocks


def printed_block(out: str) -> bytes:
    (block,) = find_blocks(out.encode())
    return unarmour(block)


def test_answer_is_printed_in_armour() -> None:
    shutil.copytree(HOME, "twin")
    dry_run = do("turn", "apply", FILE, *PASSES, "--armor", "--dry-run", home=HOME)
    assert BEGIN not in dry_run.out
    resign = do("turn", "resign", FILE, "--yes", "--armor", "--output", "r.toml", home="twin")
    assert printed_block(resign.out) == Path("r.toml").read_bytes()
    result = do("turn", "apply", FILE, *PASSES, "--armor", home=HOME)
    assert printed_block(result.out) == file(18)
    # The next step is printed after the block.
    assert result.out.partition(END)[2].strip()


def test_invitation_and_acceptance_are_printed_in_armour() -> None:
    result = acres(
        "new", "--side", "any", "--output", "new-000.toml", "--armor", home=HOME
    ).succeeds_quietly()
    assert printed_block(result.out) == Path("new-000.toml").read_bytes()
    Path("block.txt").write_text(result.out)
    options = ("--side", "french", "--output", "new-001.toml", "--armor")
    joined = do("join", "block.txt", *options, home="french")
    assert printed_block(joined.out) == Path("new-001.toml").read_bytes()


def test_armour_of_an_existing_answer_is_printed_alone() -> None:
    result = do("mail", "draft", "game-016.toml", "--armor", home=HOME)
    assert result.out.startswith(f"{BEGIN}\n") and result.out.endswith(f"{END}\n")
    assert printed_block(result.out) == SaveFile.read(file(16)).write()
    assert not Path("game-016.eml").exists()


@pytest.mark.parametrize("other", [["--picture"], ["--output", "-"], ["--to", "a@example.org"]])
def test_armour_option_excludes_the_options_for_messages(other: list[str]) -> None:
    acres("mail", "draft", "game-016.toml", "--armor", *other, home=HOME).fails()
