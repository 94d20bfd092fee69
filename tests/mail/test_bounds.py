"""Messages that were made to take long, and those at the limits that docs/save-format.md states."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.mail.header import LONGEST_FIELD, MOST_FIELDS, MOST_NESTED, MOST_PARAMETERS
from pbem.mail.messages import MAX_MAILBOX
from pbem.mail.parts import MAX_LINES, MAX_MESSAGE, MAX_NESTING, MAX_PARTS
from pbem.mail.search import (
    MAX_FILES,
    MAX_PASTED,
    MOST_BRACKETS,
    MOST_TOKENS,
    FileDamaged,
    save_files,
)
from pbem.savefile.document import MAX_SIZE
from pbem.savefile.save_file import SaveFile
from tests.fuzz.games import game_named
from tests.fuzz.judging import LONGEST, check_sentence, well_behaved
from tests.fuzz.reading import MOST_MEMORY
from tests.savefile.test_limits import each

FILE = game_named("joined").data
BEGINNING = b'format = "acres-save"\n'
TEXT = b"Content-Type: text/plain\n\n"
HTML = b"Content-Type: text/html\n\n" + BEGINNING


def filled(start: bytes, piece: bytes, size: int = MAX_MESSAGE) -> bytes:
    return (start + piece * ((size - len(start)) // len(piece)))[:size]


def nested(depth: int, last: bytes = b"") -> bytes:
    """The file, so deep in parts within parts."""
    heads = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    return heads + TEXT + FILE + last


def in_parts(count: int) -> bytes:
    part = b"--b\nContent-Type: text/plain\n\nx\n"
    head = b"Content-Type: multipart/mixed; boundary=b\n\n"
    return head + part * (count - 1) + b"--b\n" + TEXT + FILE


def parted(header: bytes) -> bytes:
    """As many parts as there may be, each with that header."""
    part = b"--b\n" + header + b"\n\nx\n"
    return b"Content-Type: multipart/mixed; boundary=b\n\n" + part * (MAX_PARTS - 1)


def encoded(kind: bytes, piece: bytes) -> bytes:
    """A file that begins, and then nothing but that piece, in base64."""
    wide = b"utf-16-le" in kind
    start = BEGINNING.decode().encode("utf-16-le") if wide else BEGINNING
    head = b"Content-Type: " + kind + b"\nContent-Transfer-Encoding: base64\n\n"
    return head + encodebytes(filled(start, piece, 6_100_000))


def within(message: bytes) -> bytes:
    """A message within another, in base64."""
    head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    return head + encodebytes(message)


def attached(content: str) -> bytes:
    """What would be a file, attached."""
    head = b"Content-Disposition: attachment; filename=a.toml\n\n"
    return head + (BEGINNING.decode() + content)[:MAX_SIZE].encode()


def refused_or_read(message: bytes) -> None:
    try:
        save_files(message)
    except Unreadable as error:
        check_sentence(str(error))


SLOW: dict[str, Callable[[], bytes]] = {
    "beginnings": lambda: filled(TEXT, BEGINNING),
    "beginnings on one line": lambda: filled(TEXT, BEGINNING.rstrip() + b" "),
    "beginnings, each of them quoted": lambda: filled(TEXT, b"> " * 30 + BEGINNING),
    "texts without end": lambda: filled(TEXT, BEGINNING + b'x = "\n'),
    "folded texts without end": lambda: filled(TEXT, BEGINNING + b'x = """\n'),
    "one text without end": lambda: filled(TEXT + BEGINNING + b'x = "', b"\\\\ \n"),
    "spaces": lambda: filled(TEXT + BEGINNING, b" "),
    "line ends": lambda: filled(TEXT + BEGINNING, b"\n", 2 * MAX_LINES),
    "lists": lambda: filled(TEXT + BEGINNING + b"x = ", b"["),
    "one long list": lambda: filled(TEXT + BEGINNING + b"x = [", b"1,"),
    "headers of records": lambda: filled(TEXT + BEGINNING, b"[[record]]\n"),
    "statements": lambda: filled(TEXT + BEGINNING, b"x = 1 "),
    "full stops": lambda: filled(TEXT + BEGINNING, b"[a.b.c.d.e.f]\n"),
    "tags": lambda: filled(HTML, b"<a "),
    "tags that end": lambda: filled(HTML, b"<a>"),
    "blocks": lambda: filled(HTML, b"<div><p>"),
    "ends": lambda: filled(HTML, b"</a>"),
    "comments": lambda: filled(HTML, b"<!--"),
    "declarations": lambda: filled(HTML, b"<!["),
    "entities": lambda: filled(HTML, b"&#"),
    "long entities": lambda: filled(HTML, b"&" + b"a" * 99),
    "attributes": lambda: filled(HTML + b"<p ", b"white-space:"),
    "headers": lambda: filled(b"", b"A: b\n"),
    "a long header": lambda: filled(b"Content-Type: text/plain", b';"', 100_000) + b"\n\nx",
    "a long header in lines": lambda: filled(b"Subject: x\n", b" =?utf-8?q?a?=\n", 1_000_000),
    "punycode": lambda: (
        b"Content-Type: text/plain; charset=punycode\n\n" + FILE[:99] + b"a-" * 10**6
    ),
    "punycode in a header": lambda: b"Subject: =?punycode?q?" + b"a" * 900 + b"?=\n\nx",
    "boundaries": lambda: filled(b"Content-Type: multipart/mixed; boundary=b\n\n", b"--b\n", 10**6),
    "base64 of base64": lambda: (
        b"Content-Transfer-Encoding: base64\n\n" + encodebytes(b"=" * 3 * 10**6)
    ),
    "attachments of many tables": lambda: (
        b"Content-Type: multipart/mixed; boundary=b\n\n"
        + b"".join(
            b"--b\n\n" + BEGINNING + b"".join(b"k%d.a={}\n" % n for n in range(15_000))
            for _ in range(20)
        )
    ),
    "semicolons in each of many parts": lambda: parted(b"Content-Type: a/b" + b";" * 16_000),
    "a quote that never closes": lambda: parted(b'Content-Type: a/b; c="' + b";" * 16_000),
    "a quote in another header": lambda: parted(b'Content-Disposition: a; b="' + b";" * 16_000),
    "quotes": lambda: parted(b"Content-Type: a/b; c=" + b'"\\' * 1300),
    "words in many names": lambda: parted(
        b'Content-Disposition: a; filename="' + b"=?cp%d?q?a?= " * 250 % (*range(250),) + b'"'
    ),
    "words without end": lambda: parted(b"Content-Type: a/b; name=" + b"=?a?q?" * 600),
    "pieces": lambda: parted(b"Content-Type: a/b" + b";name*%d*=%%41" * 99 % (*range(99),)),
    "comments in a sender": lambda: filled(b"From: ", b"("),
    "headers of one letter": lambda: b"A:\n" * 399_000,
    "a header of many lines": lambda: b"A:" + b"\n b" * 399_000,
    "parts within parts, gone through": lambda: filled(
        nested(MAX_NESTING), b"\r\n--x y", 3_000_000
    ),
    "parts within parts, of one line": lambda: filled(nested(MAX_NESTING), b"-"),
    "letters so wide": lambda: filled(HTML + "\U0001f600".encode(), b"<p>xxxxxx"),
    "many letters so wide": lambda: filled(HTML, b"a" + "\U0001f600".encode()),
    "a wide letter among others": lambda: filled(HTML + "\u0416<p>".encode(), b"x" * 40 + b" "),
    "words of HTML": lambda: filled(HTML + b"<p>", b"ab cd "),
    "spaces of HTML": lambda: filled(HTML + b"<p>", b"a  "),
    "short entities": lambda: filled(HTML, b"&a"),
    "an entity of many digits": lambda: filled(HTML + b"&#", b"9"),
    "links": lambda: filled(TEXT + BEGINNING, b"ab<mailto:>"),
    "lines within base64": lambda: encoded(b"text/plain; format=flowed; delsp=yes", b"xx \n"),
    "lines within base64, in HTML": lambda: encoded(b"text/html", b"xx\n"),
    "Unicode within base64": lambda: encoded(b"text/html; charset=utf-16-le", b"\x16\x04"),
    "seven bits": lambda: filled(b"Content-Type: text/html; charset=utf-7\n\n", b"+2D3eAA-"),
    "seven bits that never end": lambda: filled(
        b"Content-Type: text/plain; charset=utf-7\n\n" + BEGINNING, b"+AAAA"
    ),
    "shifts": lambda: filled(b"Content-Type: text/html; charset=iso-2022-jp\n\n", b"\x1b$B$$"),
    "decoded twice": lambda: filled(HTML + b'format =3D "acres-save"\n', b"=3Dab <p>"),
    "letters in letters": lambda: within(within(within(filled(HTML, b"ab cd <b>", 3_000_000)))),
    "lists in tables": lambda: attached(each(65_500, "@.a=[]")),
    "tables in tables": lambda: attached(each(65_500, "[@.a]")),
    "numbers in a list": lambda: attached("x=[\n" + ("1," * 59 + "\n") * 17_000 + "]"),
    "statements of a file": lambda: attached(each(200_000, "k@ = 1", letters=4)),
    "from lines": lambda: filled(b"From x\n", b"From \n", 10**6),
}


PART = 4
"""How many times shorter each of these is in every run, and in half the time to be read."""
LIKE_OTHERS = {
    "beginnings on one line",
    "beginnings, each of them quoted",
    "one long list",
    "tags that end",
    "ends",
    "declarations",
    "long entities",
    "short entities",
    "an entity of many digits",
    "many letters so wide",
    "a wide letter among others",
    "blocks",
    "words of HTML",
    "spaces of HTML",
    "lines within base64, in HTML",
    "seven bits",
}
"""What goes the same way as another of these: they are tried in the long run alone."""


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        # What is decoded twice costs as much at any length.
        ("decoded twice", 1),
        *((kind, PART) for kind in SLOW if kind not in {"decoded twice", *LIKE_OTHERS}),
        *(pytest.param(kind, 1, marks=pytest.mark.long) for kind in SLOW),
    ],
)
def test_no_message_takes_long(kind: str, part: int) -> None:
    message = SLOW[kind]()
    with well_behaved(LONGEST if part == 1 else LONGEST / 2, MOST_MEMORY):
        refused_or_read(message[: len(message) // part])


def test_the_files_of_a_message_do_not_take_long() -> None:
    """Each of them, and all together."""
    record = FILE[FILE.index(b"[[record]]") : FILE.rindex(b"[[record]]")]
    start = FILE[: FILE.index(b"[[record]]")]
    many = start + record * (MAX_PASTED // 4 // len(record))
    message = TEXT + (many + b"Bye!\n") * 12
    with well_behaved():
        refused_or_read(message)


@pytest.mark.parametrize("head", [b"Content-Disposition: attachment\n\n", TEXT + b"Hi!\n> "])
def test_a_file_is_read_once(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """As large as it may be, that takes half of what a message may cost."""
    read, times = SaveFile.read.__func__, []  # type: ignore[attr-defined]

    def counted(cls: type[SaveFile], data: bytes) -> SaveFile:
        found: SaveFile = read(cls, data)
        times.append(data)
        return found

    monkeypatch.setattr(SaveFile, "read", classmethod(counted))
    (found,) = save_files(head + FILE)
    assert found.records[0].index == 0
    assert len(times) == 1


def test_a_file_is_taken_out_of_a_text_up_to_its_size() -> None:
    spaces = b" " * ((MAX_PASTED * 19 // 20 - len(FILE)) // FILE.count(b"\n"))
    within = FILE.replace(b"\n", spaces + b"\n")
    assert len(within) > MAX_PASTED * 9 // 10
    assert save_files(TEXT + b"Hi!\n" + within)[0].data == FILE
    with pytest.raises(Unreadable, match="too long to be taken out of a text"):
        save_files(TEXT + b"Hi!\n" + within.replace(b"[[record]]", b" " * 200_000 + b"[[record]]"))


# --- limits


def test_a_message_is_read_up_to_its_size() -> None:
    start = TEXT + FILE
    within = start + (b"\n" + b"x" * 99) * ((MAX_MESSAGE - len(start)) // 100)
    assert save_files(within)[0].data == FILE
    with pytest.raises(Unreadable, match="larger than 8 MiB"):
        save_files(within + b"x" * 100)


def test_a_message_is_read_up_to_so_many_lines() -> None:
    start = TEXT + FILE
    within = start + b"\n" * (MAX_LINES - start.count(b"\n"))
    assert save_files(within)[0].data == FILE
    with pytest.raises(Unreadable, match="more lines"):
        save_files(within + b"\n")


def test_a_message_is_read_up_to_so_many_parts() -> None:
    assert save_files(in_parts(MAX_PARTS))[0].data == FILE
    with pytest.raises(Unreadable, match=f"more than {MAX_PARTS} parts"):
        save_files(in_parts(MAX_PARTS + 1))


def test_a_message_is_read_up_to_so_many_parts_within_parts() -> None:
    assert save_files(nested(MAX_NESTING))[0].data == FILE
    with pytest.raises(Unreadable, match=f"more than {MAX_NESTING} deep"):
        save_files(nested(MAX_NESTING + 1))


def test_so_many_files_of_a_message_are_read() -> None:
    game = game_named("joined").save
    files = [SaveFile(game.records, {}, (f"File {n}",)).write() for n in range(MAX_FILES + 5)]
    assert len(save_files(TEXT + b"Bye!\n".join(files))) == MAX_FILES


def test_of_more_files_than_are_read_the_newest_is_read() -> None:
    """Somebody attaches the whole folder, of which the newest file stands last."""
    game = game_named("second").save
    files = [
        file
        for length in range(2, len(game.records) + 1)
        for file in [SaveFile(game.records[:length], game.boxes, ("x " * 99,) * 150).write()] * 8
    ]
    assert sum(map(len, files)) > MAX_SIZE
    part = b"--b\nContent-Type: text/plain; name=game.toml\n\n"
    message = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"".join(
        part + file + b"# %d\n" % number for number, file in enumerate(files)
    )
    assert max(len(found.records) for found in save_files(message)) == len(game.records)


def test_a_newer_file_that_is_too_long_is_told_and_no_older_one_taken() -> None:
    longer = FILE + b"[[record]]\n" * 3 + b" " * MAX_PASTED + b"[[record]]\n"
    with pytest.raises(FileDamaged, match="too long to be taken out of a text"):
        save_files(TEXT + FILE + b"\nBye!\n" + longer)


def test_the_document_states_them() -> None:
    text = (Path(__file__).parents[2] / "docs" / "save-format.md").read_text(encoding="utf-8")
    table = text.partition("## Limits")[2].partition("\n## ")[0].replace(";", " ").replace(",", " ")
    for number in (
        MAX_MESSAGE, MAX_LINES, MAX_PARTS, MAX_NESTING, MAX_FILES, MAX_PASTED, MAX_MAILBOX,
        LONGEST_FIELD, MOST_FIELDS, MOST_NESTED, MOST_PARAMETERS, MOST_BRACKETS, MOST_TOKENS,
    ):  # fmt: skip
        assert f" {number} " in table, number
