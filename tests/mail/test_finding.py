"""Save files in messages: what is found, what is said of damage, and that nothing else is taken."""

from __future__ import annotations

import re

import pytest

from pbem.errors import Unreadable
from pbem.mail.search import save_files
from pbem.savefile.save_file import SaveFile
from tests.fuzz.games import game_named

GAME = game_named("second")
FILE = GAME.data.decode()
LINES = FILE.split("\n")
HEAD = "From: Bela <bela@example.org>\nSubject: Your turn\n\n"


def only(message: str) -> str:
    """The one file in a message."""
    (found,) = save_files(message.encode())
    return found.data.decode()


def damage(message: str) -> str:
    with pytest.raises(Unreadable) as refused:
        save_files(message.encode())
    return str(refused.value)


# --- pasted


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "> > ", "| ", ">|> ", "    ", "Anna> "])
def test_a_file_that_is_quoted_is_found(mark: str) -> None:
    quoted = "".join(f"{mark}{line}".rstrip() + "\n" for line in LINES)
    assert only(f"{HEAD}You wrote:\n{quoted}\nBye\n-- \nBela\n") == FILE


def test_what_stands_before_and_behind_is_left_out() -> None:
    footer = "_______________\nlist mailing list\nhttps://lists.example.org/list\n"
    assert only(f"{HEAD}Hello Anna: [here] it is = good\n\n{FILE}{footer}") == FILE


def test_what_looks_like_a_mark_of_quoting_stays_where_it_belongs_to_the_file() -> None:
    file = SaveFile(GAME.save.records, GAME.save.boxes, (">" * 150, "| >" * 50)).write().decode()
    assert "\n  >>>" in file
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in file.split("\n"))
    assert only(HEAD + quoted) == only(HEAD + file) == file


@pytest.mark.parametrize(
    "header",
    [
        b"Subject: =?ut\xff-8?q?x?=",
        b"Subject: =?x-unknown?q?=ff?=",
        b"From: =?utf-8?b?=====?= <a@b>",
        b"Content-Type: text/plain; charset=\xff\xfe",
        b"Content-Type: text/plain; charset*=x'y'%FF%00; name*0=a; name*2=b",
        b"Content-Type: multipart/mixed",
        b"Content-Type: multipart/mixed; boundary=",
        b"Content-Type: ;;;=",
        b"Content-Disposition: attachment; filename*=utf-9''%C3%28",
        b"Content-Transfer-Encoding: nonsense",
        b"Content-Transfer-Encoding: x-uuencode",
        b"Message-ID: \x00\x1b[2J",
    ],
)
def test_headers_that_say_nothing_do_not_matter(header: bytes) -> None:
    (found,) = save_files(b"From: Bela\n" + header + b"\n\n" + FILE.encode())
    assert found.data == FILE.encode()


# --- damage


def test_a_message_without_a_file_has_none() -> None:
    assert save_files(f"{HEAD}Nothing today.\n".encode()) == []


def test_where_it_breaks_off_is_told() -> None:
    end = len(LINES) // 2
    head = HEAD.count("\n")
    message = HEAD + "Hi\n" + "\n".join(LINES[:end])
    assert message.count("\n") == head + end
    said = damage(message)
    record = FILE[: len("\n".join(LINES[:end]))].count("[[record]]") - 1
    # Line 1 of the text is the greeting.
    assert re.search(
        rf"text of the message breaks off at line {end + 1}, in record {record}:", said
    )


FOOTER = "\n\n_________________\nGames mailing list\nGames@lists.example.org\n"
BEGINS = [number for number, line in enumerate(LINES, 1) if line == "[[record]]"]
FOLDED = next(n for n, line in enumerate(LINES, 1) if n > BEGINS[1] and line.endswith('"""\\'))


@pytest.mark.parametrize("behind", ["", "\n\n", FOOTER, "\n\nBest wishes\n-- \nBela\n"])
@pytest.mark.parametrize(
    "last", [1, 2, BEGINS[1], BEGINS[1] + 2, FOLDED, FOLDED + 1, len(LINES) - 4]
)
def test_where_it_breaks_off_is_told_whatever_stands_behind(last: int, behind: str) -> None:
    """A list server puts its footer behind what another one has cut."""
    said = damage(f"{HEAD}" + "\n".join(LINES[:last]) + behind)
    assert re.search(rf"breaks off at line {last}[,:]", said), said


def test_where_it_breaks_off_within_a_line_is_told() -> None:
    cut = [*LINES[:FOLDED], LINES[FOLDED][:20]]
    for behind in ("", FOOTER):
        assert f"breaks off at line {FOLDED + 1}, in" in damage(HEAD + "\n".join(cut) + behind)


def test_a_newer_file_that_is_damaged_is_told_and_no_older_one_taken() -> None:
    """A turn that lost a line, above the one that it answers."""
    older = SaveFile(GAME.save.records[:4], GAME.save.boxes).write().decode()
    quoted = "".join(f"> {line}\n" for line in older.split("\n"))
    lines = [*LINES[:FOLDED], *LINES[FOLDED + 1 :]]
    said = damage(HEAD + "\n".join(lines) + f"\nYou wrote:\n{quoted}")
    # The value begins on the line above the one that is gone.
    assert f"is damaged from line {FOLDED} on, in record 1" in said
    assert only(HEAD + FILE + "\n> " + "\n> ".join(LINES[: BEGINS[3]])) == FILE


def test_where_a_line_lacks_something_is_told() -> None:
    number, line = next(
        (n, line) for n, line in enumerate(LINES) if n > 100 and line.endswith("\\")
    )
    lines = [*LINES[:number], line[:10] + line[11:], *LINES[number + 1 :]]
    record = sum(each == "[[record]]" for each in LINES[:number]) - 1
    said = damage(HEAD + "\n".join(lines))
    assert f"is damaged from line {number + 1} on, in record {record}: ask" in said


def test_where_a_line_is_no_line_of_a_file_is_told() -> None:
    lines = [*LINES[:50], "[image: logo.png]", *LINES[50:]]
    assert "is damaged from line 51 on, in record" in damage(HEAD + "\n".join(lines))


@pytest.mark.parametrize(
    "records",
    [
        "record = 3\n",
        "record = [3]\n",
        "[record]\nindex = 0\n",
        "[record.a]\n[[record.b]]\n",
        '[[recrd]]\nindex = 0\n[[record.steps]]\nkind = "draw"\n',
    ],
)
@pytest.mark.parametrize("end", ["", "[sealed.british]\nat = 2\n"])
def test_records_that_are_none_are_damage(records: str, end: str) -> None:
    beginning = f"{HEAD}{LINES[0]}\n{LINES[1]}\n"
    assert "damaged from line 3 on" in damage(f"{beginning}{records}{end}\nBye\n")
