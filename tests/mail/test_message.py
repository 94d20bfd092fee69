"""Messages by anybody: none takes long to read, breaks the reader or hides a file."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Callable
from email.parser import BytesParser

import pytest

from pbem.errors import InputError
from pbem.play import message as module
from pbem.play.incoming import MAX_MESSAGE, DamagedFileError, IncomingFile, UnreadableMessageError
from pbem.play.message import MAX_LINES, MAX_PART_HEADER, MAX_PARTS, extract_files, read_envelope
from pbem.savefile.document import MAX_SIZE
from pbem.savefile.save_file import SaveFile
from tests.fuzz.games import find_game
from tests.fuzz.judging import MAX_SECONDS, check_behaviour, check_sentence
from tests.mail.programs import PLAIN, multipart
from tests.sample import sample

GAME = find_game("second")
FILE = GAME.data
HEAD = b"From: Bela <bela@example.org>\nSubject: Your turn\n"
TEXT = b"Content-Type: text/plain\n\n"
MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"
BEGINNING = b'format = "acres-save"\n'
WORK = module._MAX_WORK
MAX_MEGABYTES = 100
"""The maximum memory for a message, in megabytes."""


def single_file(message: bytes) -> IncomingFile:
    (results,) = extract_files(message)
    return results


def refusal_of(message: bytes) -> str:
    with pytest.raises(InputError) as error:
        extract_files(message)
    check_sentence(str(error.value))
    return str(error.value)


# --- bounds


def in_parts(count: int, lines: int = 0) -> bytes:
    """Return a message with the file in the last of `count` parts, padded to `lines` lines."""
    whole = MIXED + b"--b\n\nx\n" * (count - 2) + b"--b\n" + TEXT + FILE
    return whole + b"\n" * (lines - whole.count(b"\n"))


def attach(parameters: bytes, file: bytes = FILE) -> bytes:
    return b"Content-Disposition: attachment%s; filename=game.toml\n\n%s" % (parameters, file)


def pad(size: int) -> bytes:
    """Return the file, padded to `size` bytes with comments."""
    piece = b"#" * 79 + b"\n"
    count, rest = divmod(size - len(FILE), len(piece))
    end = b"#" * 39 + b"\n" + b"#" * (39 + rest)
    return FILE + piece * (count - 1) + end + b"\n"


def with_value_count(count: int) -> bytes:
    """Return the file, with comments that raise its number of marks of values to `count`."""
    return FILE + b"#=\n" * (count - sum(map(FILE.count, (b"=", b",", *[b"[", b"{"] * 4))))


FIELD = MAX_PART_HEADER - len(b'attachment; x=""; filename=game.toml')
BOUNDS: dict[str, Callable[[int], bytes]] = {
    "bytes": lambda more: (
        attach(b"") + (b"\n" + b"x" * 99) * 20_000 + b"x" * MAX_MESSAGE
    )[: MAX_MESSAGE + more].replace(b"\nx", b"\n#"),
    "lines": lambda more: TEXT + FILE + b"\n" * (MAX_LINES - FILE.count(b"\n") - 2 + more),
    # The parser makes one part to try that out.
    "parts": lambda more: in_parts(MAX_PARTS - 1 + more),
    "lines times parts": lambda more: in_parts(49 + more, WORK // 50),
    "the size of a file": lambda more: TEXT + pad(MAX_SIZE + more),
    "the size of all files": lambda more: (
        MIXED
        + b"--b\n\n" + pad(MAX_SIZE // 2) + b"\n--b\n\n" + pad(MAX_SIZE // 2 + more)
    ),
    "values": lambda more: TEXT + with_value_count(module._MAX_VALUES + more),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("bound", [name for name in BOUNDS if name != "bytes"])
def test_message_at_its_bounds_is_read(bound: str) -> None:
    with check_behaviour(MAX_SECONDS, MAX_MEGABYTES):
        assert extract_files(BOUNDS[bound](0))[0].records == tuple(GAME.save.records)


@pytest.mark.parametrize("bound", BOUNDS)
def test_message_beyond_a_bound_is_refused_quickly(bound: str) -> None:
    message = BOUNDS[bound](1)
    with (
        check_behaviour(MAX_SECONDS / 2, MAX_MEGABYTES),
        pytest.raises(UnreadableMessageError, match="takes too long to read: save the file"),
    ):
        extract_files(message)


@pytest.mark.parametrize("start", [b"", b"x" * 99 + b"\n "])
def test_overlong_part_header_is_ignored(start: bytes) -> None:
    for more, name in ((0, "game.toml"), (1, "")):
        header = b'; x="%s"' % (start + b"x" * (FIELD - len(start) + more))
        (results,) = extract_files(attach(header))
        assert (results.name, results.data) == (name, FILE)


# --- what takes long


def fill(start: bytes, piece: bytes, size: int = MAX_MESSAGE) -> bytes:
    return (start + piece * ((size - len(start)) // len(piece)))[:size]


def nest(depth: int) -> bytes:
    """Return a message with the file inside `depth` nested parts."""
    heads = (
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    return b"".join(heads) + TEXT + FILE


def max_parts(header: bytes) -> bytes:
    """Return a message with the maximum number of parts, each with a header."""
    return MIXED + (b"--b\n" + header + b"\n\nx\n") * (MAX_PARTS - 1)


def encode(data: bytes) -> bytes:
    return b"Content-Transfer-Encoding: base64\n\n" + encodebytes(data)


def as_eml(message: bytes) -> bytes:
    """Return a message as a file attached to another one."""
    return b"Content-Type: a/b; name=a.eml\n" + encode(message)


def toml(line: str, count: int) -> bytes:
    """Return an attachment with a line repeated `count` times, each with another number."""
    return attach(b"", BEGINNING + b"".join(line.encode() % n for n in range(count)))


SLOW: dict[str, Callable[[], bytes]] = {
    "beginnings": lambda: fill(TEXT, BEGINNING, MAX_SIZE),
    "line ends": lambda: fill(TEXT + BEGINNING, b"\n", MAX_LINES),
    "line ends of old": lambda: fill(TEXT + BEGINNING, b"\r", MAX_LINES),
    "one line": lambda: fill(TEXT, b"x"),
    "a text without end": lambda: attach(b"", BEGINNING + b'x = "' + b"\\\\" * 1_000_000),
    "brackets": lambda: attach(b"", BEGINNING + b"x = " + b"[" * 39_000),
    "numbers": lambda: attach(b"", BEGINNING + b"x = [" + b"1,\n" * 150_000),
    "full stops": lambda: attach(b"", BEGINNING + b"a." * 900_000 + b"a = 1"),
    "lists in tables": lambda: toml("k%d.a=[]\n", 19_900),
    "tables": lambda: toml("[k%d.a]\n", 39_900),
    "statements": lambda: toml("k%d = 1\n", 159_000),
    "boundaries": lambda: fill(MIXED, b"--b\n", 4 * MAX_LINES),
    "parts within parts": lambda: fill(nest(98), b"\n--x", 4 * WORK // 100),
    "messages within messages": lambda: b"Content-Type: message/rfc822\n\n" * 5000 + TEXT + FILE,
    "files within files": lambda: as_eml(as_eml(as_eml(as_eml(bytes(2_000_000))))),
    "headers": lambda: b"A: b\n" * (MAX_LINES - 9),
    "a header of many lines": lambda: b"A:" + b"\n b" * (MAX_LINES - 9),
    "a long subject": lambda: fill(b"Subject: ", b"=?utf-8?q?a?= "),
    "comments in a sender": lambda: fill(b"From: ", b"("),
    "many references": lambda: fill(b"References: ", b"<a@b> "),
    "semicolons": lambda: max_parts(b"Content-Type: a/b" + b";" * 1500),
    "a quote that never closes": lambda: max_parts(b'Content-Disposition: a; b="' + b";" * 1500),
    "quotes": lambda: max_parts(b"Content-Type: a/b; c=" + b'"\\' * 750),
    "words in names": lambda: max_parts(b'Content-Type: a/b; name="' + b"=?cp437?q?a?= " * 100),
    "words without end": lambda: max_parts(b'Content-Type: a/b; name="' + b"=?a?q?" * 240),
    "pieces of a name": lambda: max_parts(
        b"Content-Type: a/b" + b"".join(b";name*%d*=%%41" % n for n in range(90))
    ),
    "punycode": lambda: max_parts(b'Content-Type: a/b; name="=?punycode?q?' + b"a" * 1400 + b'?="'),
    "idna": lambda: max_parts(b"Content-Disposition: a; filename*=idna''" + b"a." * 700),
    "base64": lambda: encode(bytes(6_000_000)),
    "base64 of base64": lambda: encode(b"=" * 3_000_000),
    "quoted-printable": lambda: fill(b"Content-Transfer-Encoding: quoted-printable\n\n", b"=0a"),
    "uuencode": lambda: fill(
        b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n", b"M" + b"#" * 60 + b"\n"
    ),
    "UTF-16": lambda: encode((BEGINNING.decode() * 130_000).encode("utf-16")),
    "from lines": lambda: fill(b"From x\n", b"From \n", 6 * MAX_LINES),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", sample(SLOW, every=2))
def test_slow_messages_stay_within_time_and_memory(kind: str) -> None:
    message = SLOW[kind]()
    assert len(message) <= MAX_MESSAGE
    with check_behaviour(MAX_SECONDS, MAX_MEGABYTES):
        try:
            extract_files(message)
            read_envelope(message)
        except InputError as error:
            check_sentence(str(error))


# --- headers that say nothing

PARAMETERS = {
    "a codec that is none": b"*=undefined''x",
    "a NUL": b"*=utf-8\0''x",
    "a NUL in a value": b"*=utf-8''%00x\0",
    "a huge index": b"*99999999999999999999*=x",
    "a superscript digit": b"*\xc2\xb2*=x",
    "digits of another alphabet": b"*\xd9\xa1*=x",
    "a long idna": b"*=idna''" + b"a" * 1400,
    "punycode": b"*=punycode''" + b"a-" * 700,
    "bytes to bytes": b"*=zlib_codec''x",
    "no language": b"*=utf-8'x",
    "pieces that are missing": b"*7=a; filename*3*=utf-8''b",
    "an escape": b"*=unicode_escape''%5CN",
    "bytes": b"=\xff\xfe\xf0",
    "an open quote": b'="' + b"\\" * 1400,
    "a path that is a codec": b"*=../../x''y",
}
NESTED = b"From: " + b"(" * 3000 + b"mallory@example.org"
HEADERS = {
    **{f"name, {kind}": b"Content-Disposition: a; filename" + v for kind, v in PARAMETERS.items()},
    **{f"charset, {kind}": b"Content-Type: text/a; charset" + v for kind, v in PARAMETERS.items()},
    "nested comments": NESTED,
    "nested quotes": b'From: "' + b'\\"' * 1500 + b"<a@b>",
    "nested groups": b"From: " + b"a:" * 1500 + b";",
    "nested routes": b"From: <" + b"@a," * 1000 + b":b@c>",
    "words": b"Subject: " + b"=?undefined?q?=ff?= =?idna?b?QQ?= " * 99,
    "a word that is none": b"From: =?utf-8?b?" + b"=" * 500 + b"?= <a@b>",
    "a codec of no name": b"Subject: =?ut\xff-8?q?x?=",
    "multipart without a boundary": b"Content-Type: multipart/mixed",
    "an empty boundary": b"Content-Type: multipart/mixed; boundary=",
    "no kind": b"Content-Type: ;;;=",
    "no encoding": b"Content-Transfer-Encoding: nonsense",
    "what steers a terminal": b"Message-ID: \x00\x1b[2J",
}
HOSTILE = {kind: header + b"\nSubject: Hello\n\nHi Anna!\n" for kind, header in HEADERS.items()}


@pytest.mark.parametrize("kind", HEADERS)
def test_file_behind_a_hostile_header_is_found(kind: str) -> None:
    """A player must not lose a turn because a mail program writes nonsense."""
    file = single_file(HEADERS[kind] + b"\n\n" + FILE)
    assert file.data == FILE
    assert str(file.envelope.sender_text).isprintable()


@pytest.mark.parametrize("header", [b"From: ", b"Subject: ", b"Message-ID: ", b"References: "])
@pytest.mark.parametrize("piece", [b"(", b'"', b"<", b"\\", b"=?a?q?", b"@a,", b"<a@b>", b"\n "])
def test_envelope_fields_are_bounded(header: bytes, piece: bytes) -> None:
    envelope = read_envelope(header + piece * 9000 + b"\nTo: a@b\n\n")
    references = envelope.references
    assert len(references) <= 8000
    rest = [output for output in envelope if isinstance(output, str) and output is not references]
    assert all(len(output) <= 1000 for output in rest)


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("<zoe@example.org>", "zoe@example.org"),
        ("Zoe <zoe@example.org>, Ida <ida@example.org>", "zoe@example.org"),
        ('"Ida <ida@example.org>" <zoe@example.org>', "zoe@example.org"),
        ("Zoe (<ida@example.org>) <zoe@example.org>", "zoe@example.org"),
        ("=?utf-8?q?=3Cida=40example.org=3E?= <zoe@example.org>", "zoe@example.org"),
        ("=?utf-8?q?Zoe=2C_the_first?= <zoe@example.org>", "zoe@example.org"),
        ("<@old.example.org:zoe@example.org>", "zoe@example.org"),
        ("", ""),
        ("<>", ""),
    ],
)
def test_address_is_parsed_from_the_from_header(header: str, address: str) -> None:
    assert read_envelope(f"From: {header}\n\n".encode()).address == address


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        (b"; filename=plain.toml", "plain.toml"),
        (b"; filename*0*=utf-8''z%C3%BCg; filename*1=.toml", "züg.toml"),
        (b'; filename="=?utf-8?q?z=C3=BCg.toml?="', "züg.toml"),
        (rb'; filename="C:\games\a.toml"', "a.toml"),
        (b'; filename="../../../.bashrc"', "bashrc"),
        (rb'; filename="a\"b.toml"', "a_b.toml"),
        (b'; filename="a\x1b[2J.toml"', "a__2J.toml"),
    ],
)
def test_attachment_name_is_decoded_and_holds_no_path(parameters: bytes, name: str) -> None:
    assert (
        single_file(b"Content-Disposition: attachment" + parameters + b"\n\n" + FILE).name == name
    )


# --- what cannot be read


@pytest.mark.parametrize("error", [RecursionError, MemoryError, LookupError, OSError, Exception])
def test_internal_error_is_a_refusal(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error("secret")

    monkeypatch.setattr(BytesParser, "parse", fails)
    with pytest.raises(UnreadableMessageError, match=rf"cannot be read \({error.__name__}\)\."):
        extract_files(HEAD + b"\n" + FILE)
    assert read_envelope(b"\xff" * 9).address == ""


def test_boundary_in_an_unknown_codec_is_refused() -> None:
    text = refusal_of(
        b"Content-Type: multipart/mixed; boundary*=undefined''x\n\n--x\n" + TEXT + FILE
    )
    assert "This message cannot be read (UnicodeError)." in text


def test_attached_messages_are_opened_three_deep() -> None:
    assert single_file(as_eml(as_eml(as_eml(TEXT + FILE)))).data == FILE
    refusal_of(as_eml(as_eml(as_eml(as_eml(TEXT + FILE)))))


CUT = FILE[: FILE.rindex(b"[[record]]") + 100]
OLDER = SaveFile(GAME.save.records[:4], GAME.save.boxes).write()
QUOTED = b"".join(b"> " + line for line in FILE.splitlines(keepends=True))


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ([CUT], "in the attachment 0.toml is damaged: ask for it to be sent again"),
        ([QUOTED], "in the attachment 0.toml was quoted or wrapped by a mail program"),
        # A turn that was damaged, above the one that it answers.
        ([CUT, OLDER], "in the attachment 0.toml is damaged"),
        ([OLDER, CUT], "in the attachment 1.toml is damaged"),
        ([FILE, OLDER[:-400]], ""),
        ([OLDER[:-400], FILE], ""),
    ],
)
def test_newest_of_several_files_has_to_be_sound(files: list[bytes], text: str) -> None:
    """Otherwise a player could continue from an older turn."""
    parts = [
        f'{PLAIN}; name="{number}.toml"\n\n{file.decode()}' for number, file in enumerate(files)
    ]
    message = multipart("mixed", f"{PLAIN}\n\nMy turn.\n", *parts)
    if not text:
        assert [results.data for results in extract_files(message)] == [FILE]
        return
    with pytest.raises(DamagedFileError):
        extract_files(message)
    assert text in refusal_of(message)


@pytest.mark.parametrize("cut", [FILE.rindex(b"[[record]]"), FILE.index(b"[sealed")])
def test_file_perhaps_cut_between_records_is_warned_of(cut: int) -> None:
    assert not single_file(TEXT + FILE).truncation_warning
    assert "no sealed box after it" in str(single_file(TEXT + FILE[:cut]).truncation_warning)


@pytest.mark.parametrize(
    "records",
    [
        "record = 3\n",
        "[record]\nindex = 0\n",
        "[record.a]\n[[record.b]]\n",
        "[[recrd]]\nindex = 0\n",
    ],
)
def test_invalid_records_are_damage(records: str) -> None:
    assert "is damaged" in refusal_of(TEXT + BEGINNING + b"version = 1\n" + records.encode())


def test_message_without_a_file_yields_none() -> None:
    for body in (b"Nothing today.\n", b"acres\n", b"\xff\x00", b""):
        assert extract_files(HEAD + b"\n" + body) == []
