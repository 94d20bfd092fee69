"""Files that had to be mended: what is said of it, and that damage is not called a forgery."""

from __future__ import annotations

import json
import quopri
import re
import subprocess
import textwrap
from base64 import encodebytes
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.mail.mend import Mend
from pbem.mail.search import restored_file, save_files
from pbem.savefile.document import MAX_SIZE
from pbem.savefile.save_file import SaveFile
from tests.cli.using import Result, acres, is_one_sentence
from tests.fuzz.games import game_named
from tests.mail.programs import PROGRAMS
from tests.sample import sample

GAME = game_named("second")
FILE = GAME.data
TEXT = FILE.decode()
HEAD = b"From: Bela <bela@example.org>\nSubject: Your turn\n"
SENDS_AS_IT_IS: dict[str, Callable[[bytes], bytes]] = {
    "attached": lambda data: HEAD + b"Content-Disposition: attachment; filename=a.toml\n\n" + data,
    "in base64": lambda data: HEAD + b"Content-Transfer-Encoding: base64\n\n" + encodebytes(data),
    "in quoted-printable": lambda data: (
        HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + quopri.encodestring(data)
    ),
    "with CRLF": lambda data: (HEAD + b"\n" + data).replace(b"\n", b"\r\n"),
    "in a text": lambda data: HEAD + b"\nHello!\n\n" + data + b"\n-- \nBela\n",
    "after dashes that are no file's": lambda data: HEAD + "\n– “Hi!” –\n".encode() + data,
}


def fold(data: bytes, width: int, *options: str) -> bytes:
    """What `fold` makes of it: it cuts where the width is full, in the middle of words too."""
    command = ["fold", *options, "-w", str(width)]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def quoted(data: bytes) -> bytes:
    return b"".join(b"> " + line + b"\n" for line in data.split(b"\n"))


def wrapped(data: bytes) -> bytes:
    lines = data.decode().split("\n")
    return "\n".join(
        "\n".join(textwrap.wrap(line, 50, break_on_hyphens=False)) for line in lines
    ).encode()


def curled(data: bytes) -> bytes:
    return data.decode().replace('"', "”").encode()


def run_on(data: bytes) -> bytes:
    """As web pages show it: all in one line."""
    return b" ".join(data.replace(b"\\\n  ", b"\\ ").split(b"\n"))


MENDED: dict[str, tuple[Callable[[bytes], bytes], set[Mend]]] = {
    "quoted": (quoted, {Mend.QUOTES}),
    "curled": (curled, {Mend.CHARACTERS}),
    "wrapped": (wrapped, {Mend.LINES}),
    "run on": (run_on, {Mend.LINES}),
    "cut at 72": (lambda data: fold(data, 72), {Mend.LINES}),
    "cut at spaces": (lambda data: fold(data, 60, "-s"), {Mend.LINES}),
    "quoted, and cut": (lambda data: fold(quoted(data), 72), {Mend.QUOTES, Mend.LINES}),
    "cut, and quoted": (lambda data: quoted(fold(data, 72)), {Mend.QUOTES, Mend.LINES}),
    "curled and quoted": (lambda data: quoted(curled(data)), {Mend.CHARACTERS, Mend.QUOTES}),
    "in UTF-16": (lambda data: data.decode().encode("utf-16"), {Mend.ENCODING}),
    "quoted, in UTF-16": (
        lambda data: quoted(data).decode().encode("utf-16"),
        {Mend.ENCODING, Mend.QUOTES},
    ),
}


def signed_part(data: bytes) -> object:
    """What of a file has to come back; nobody relies on the summary, which nobody signs."""
    save = SaveFile.read(data)
    return save.records, save.boxes


# --- what had to be undone


@pytest.mark.parametrize("name", SENDS_AS_IT_IS)
def test_what_mail_does_by_its_rules_is_no_mending(name: str) -> None:
    (found,) = save_files(SENDS_AS_IT_IS[name](FILE))
    assert (found.data, found.mends) == (FILE, frozenset())


@pytest.mark.parametrize("program", sample(PROGRAMS, every=4))
def test_nothing_is_mended_where_the_file_stands_in_the_message(program: str) -> None:
    """And the other way round: what is not to be found there as it is, was mended."""
    message = PROGRAMS[program](FILE)
    (found,) = save_files(message)
    readable = (message, quopri.decodestring(message))
    stands = any(FILE.strip() in each.replace(b"\r\n", b"\n") for each in readable)
    assert not (stands and found.mends - {Mend.PAGE})


@pytest.mark.parametrize("name", MENDED)
def test_what_was_undone_is_said_in_a_message(name: str) -> None:
    change, mends = MENDED[name]
    data = change(FILE)
    if Mend.ENCODING in mends:
        message = data
    else:
        message = HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + data
    (found,) = save_files(message)
    assert signed_part(found.data) == signed_part(FILE)
    assert found.mends == mends


@pytest.mark.parametrize("name", MENDED)
def test_what_was_undone_is_said_by_an_audit(name: str, tmp_path: Path) -> None:
    change, mends = MENDED[name]
    file = tmp_path / "game.toml"
    file.write_bytes(change(FILE))
    told = acres("audit", file)
    assert told.status == 0, told.err
    said = " ".join(told.out.split())
    assert "is proved, now that it has been mended: the signatures are valid." in said
    list_ = re.search(r"orders mended: (.*?)(?= recomputed: | Still unproved )", said)
    assert list_
    assert set(list_[1].split("; ")) == {str(mend.told()) for mend in mends}
    data = json.loads(acres("audit", "--json", file).out)
    assert (data["clean"], set(data["mended"])) == (True, {mend.value for mend in mends})
    other = tmp_path / "other.toml"
    other.write_bytes(FILE)
    two = json.loads(acres("audit", "--json", file, other).out)
    assert [set(each["mended"]) for each in two["files"]] == [set(data["mended"]), set()]


@pytest.mark.parametrize("change", [bytes, lambda data: data.replace(b"\n", b"\r\n")])
def test_a_file_as_it_was_written_is_not_said_to_be_mended(
    change: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    file = tmp_path / "game.toml"
    file.write_bytes(change(FILE))
    told = acres("audit", file)
    assert "Everything in this file is proved.\n" in told.out
    assert "mended" not in told.out
    assert json.loads(acres("audit", "--json", file).out)["mended"] == []


# --- cut anywhere


@pytest.mark.parametrize("width", sample([24, 31, 40, 47, 56, 64, 71, 72, 73, 75], every=3))
def test_a_file_that_was_cut_at_one_width_is_restored(width: int) -> None:
    """In the middle of words, orders and numbers; and quoted before or after that."""
    cut = fold(FILE, width)
    restored = restored_file(cut)
    assert restored is not None
    assert signed_part(restored.data) == signed_part(FILE)
    for text in (cut, quoted(cut), fold(quoted(FILE), width)):
        (found,) = save_files(HEAD + b"\nHi!\n\n" + text + b"\n-- \nBela\n")
        assert signed_part(found.data) == signed_part(FILE)


def spoilt(data: bytes) -> bytes:
    """A letter of an order is lost."""
    return data.replace(b'order = "draft ', b'order = "drat ', 1)


DAMAGED = {
    "cut": lambda data: fold(data, 72),
    "cut at spaces": lambda data: fold(data, 72, "-s"),
    "cut and trimmed": lambda data: b"\n".join(
        line.strip() for line in fold(data, 38).split(b"\n")
    ),
    "quoted": quoted,
    "wrapped": wrapped,
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("command", [["audit"], ["turn", "show"]], ids=" ".join)
@pytest.mark.parametrize("in_message", [False, True])
def test_what_mail_damaged_is_not_said_to_be_forged(
    name: str, command: list[str], in_message: bool, tmp_path: Path
) -> None:
    assert spoilt(FILE) != FILE
    data = DAMAGED[name](spoilt(FILE))
    file = tmp_path / ("mail.eml" if in_message else "game.toml")
    file.write_bytes((HEAD + b"\n" if in_message else b"") + data)
    refused = acres(*command, file)
    assert refused.status in (1, 2)
    said = " ".join((refused.out + refused.err).split())
    assert "damaged" in said
    assert not re.search("somebody else|changed after|may have changed|cheated", said), said


def test_a_record_that_does_not_fit_a_file_of_this_program_may_still_be_a_forgery(
    tmp_path: Path,
) -> None:
    """Nothing but the record is strange: mail changes more than that."""
    file = tmp_path / "game.toml"
    save = SaveFile.read(FILE)
    other = SaveFile.read(spoilt(FILE))
    assert other != save
    file.write_bytes(other.write())
    refused = acres("turn", "show", file)
    assert "was changed after it was signed, or somebody else wrote it" in refused.err


# --- UTF-16


ENCODINGS = ("utf-16-le", "utf-16-be")


def wide(data: bytes, encoding: str) -> bytes:
    """As Windows saves a text as Unicode."""
    return ("\ufeff" + data.decode().replace("\n", "\r\n")).encode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "command",
    [["turn", "show"], ["turn", "legal"], ["log"], ["audit"], ["rules", "supply"]],
    ids=" ".join,
)
def test_a_file_of_utf_16_is_read_by_every_command(
    command: list[str], encoding: str, tmp_path: Path
) -> None:
    plain, file = tmp_path / "plain.toml", tmp_path / "game.toml"
    plain.write_bytes(FILE)
    file.write_bytes(wide(FILE, encoding))
    one, other = acres(*command, plain), acres(*command, file)
    assert (other.status, other.err) == (one.status, one.err)
    if command != ["audit"]:
        assert other.out.replace("game.toml", "plain.toml") == one.out


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_attachment_of_utf_16_is_read(encoding: str) -> None:
    head = HEAD + b"Content-Disposition: attachment; filename=a.toml\n"
    body = encodebytes(wide(FILE, encoding))
    (found,) = save_files(head + b"Content-Transfer-Encoding: base64\n\n" + body)
    assert (found.data, found.mends) == (FILE, frozenset({Mend.ENCODING}))


def refused(data: bytes, tmp_path: Path) -> Result:
    file = tmp_path / "game.toml"
    file.write_bytes(data)
    done = acres("audit", file)
    assert (done.status, is_one_sentence(done.err)) == (2, True)
    return done


def test_the_limits_hold_for_utf_16_before_and_after(tmp_path: Path) -> None:
    long = FILE + b"# \n" * ((MAX_SIZE // 2 - len(FILE)) // 3)
    fits = b"\xff\xfe" + long.decode().encode("utf-16-le")[: MAX_SIZE - 2]
    file = tmp_path / "fits.toml"
    file.write_bytes(fits)
    assert acres("audit", file).status == 0
    refused(fits + "# \n".encode("utf-16-le") * 9, tmp_path)
    # Three bytes each in UTF-8: more than half a file of them is more than one.
    dots = ("#" + "…" * 100 + "\n").encode("utf-16-le")
    refused(fits[: 4 * len(FILE)] + dots * (MAX_SIZE // len(dots) * 9 // 10), tmp_path)
    refused(fits[: 2 * len(FILE)] + b"\n", tmp_path)
    refused(b"\xff\xfe" + b"\x00\xd8" * 100, tmp_path)
