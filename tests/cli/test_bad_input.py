"""Bad input of every kind: one sentence, the right exit status, and no file changed."""

import errno
import os
import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.play import keyfile
from pbem.play.game_file import GameFile, pack
from pbem.protocol import steps
from pbem.protocol.identity import Identity
from pbem.savefile.save_file import SaveFile
from tests.cli.using import acres, acres_process, do, is_one_sentence, snapshot
from tests.signing import make_record

WITH_FILE = [["turn", "show"], ["turn", "legal"], ["turn", "apply"], ["audit"], ["join"]]


Steps = Sequence[steps.Step]


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(8 * 25))
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


NOT_A_SAVE_FILE: dict[str, Callable[[bytes], bytes]] = {
    "picture": lambda data: png(),
    "zeroes": lambda data: bytes(1000),
    "twice": lambda data: data + data,
    "huge": lambda data: data + b"#" * 70 + b"\n" * (5 * 2**20),
    "nested": lambda data: b"a = " + b"[" * 100_000,
    "one long line": lambda data: b"a" * 10_000,
    "utf-16, cut in a character": lambda data: data.decode().encode("utf-16")[:-1],
    "escapes": lambda data: b"\x1b[31mred\x1b[0m = 1\n",
}


@pytest.mark.parametrize(
    ("command", "kind"),
    # In every run each kind by two or three of the commands.
    [
        pytest.param(command, kind, marks=() if (at + of) % 2 else pytest.mark.long)
        for of, kind in enumerate(NOT_A_SAVE_FILE)
        for at, command in enumerate(WITH_FILE)
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each),
)
def test_what_is_no_save_file_is_unreadable(game: Path, command: Sequence[str], kind: str) -> None:
    file = game / "bad.toml"
    file.write_bytes(NOT_A_SAVE_FILE[kind]((game / "game-017.toml").read_bytes()))
    before = snapshot(game)
    assert "\x1b" not in acres(*command, file, home=game / "british").fails().err
    assert snapshot(game) == before


@pytest.mark.parametrize("command", WITH_FILE, ids=" ".join)
def test_no_file_and_a_folder(game: Path, command: Sequence[str]) -> None:
    before = snapshot(game)
    for path in (game / "missing.toml", game, game / "no" / "folder.toml", "\x1b[31m", "a" * 5000):
        assert "\x1b" not in acres(*command, path, home=game / "british").fails().err
    assert snapshot(game) == before


def identity_of(game: Path, side: str) -> Identity:
    return keyfile.load(game / side / "identity.toml", lambda: "")


def resigned(game: Path, data: bytes, change: Callable[[Steps], Steps]) -> bytes:
    """The file with its last record, of the French, changed and signed again by them."""
    save, french = SaveFile.read(data), identity_of(game, "french")
    *before, last = save.records
    kept = {"index": last.index, "previous": last.previous, "time": last.time}
    forged = make_record(french, side="french", steps=change(last.steps), **kept)
    return SaveFile((*before, forged), save.boxes).write()


def doctored_value(data: bytes, game: Path) -> bytes:
    """A shuffle's commitment, the record's content, changed in a text editor."""
    before, after = data.split(b'commitment = "', 1)
    letter = b"B" if after[:1] == b"A" else b"A"
    return before + b'commitment = "' + letter + after[1:]


def record_left_out(data: bytes, game: Path) -> bytes:
    save = SaveFile.read(data)
    return SaveFile((*save.records[:5], *save.records[6:])).write()


def in_my_name(data: bytes, game: Path) -> bytes:
    """The French player writes a turn for the British."""
    *_, last = records = SaveFile.read(data).records
    orders = [steps.OrderStep(order) for order in ("pass", "pass", "end")]
    follows = {"index": last.index + 1, "previous": last.hash, "time": last.time}
    forged = make_record(identity_of(game, "french"), side="british", steps=orders, **follows)
    return SaveFile((*records, forged)).write()


def a_card_i_lack(data: bytes, game: Path) -> bytes:
    to_pass, card = steps.OrderStep("pass"), steps.OrderStep("discard quebec")
    return resigned(game, data, lambda old: [card if step == to_pass else step for step in old])


def a_turn_cut_short(data: bytes, game: Path) -> bytes:
    return resigned(game, data, lambda old: old[:-2])


@pytest.mark.parametrize("command", WITH_FILE, ids=" ".join)
@pytest.mark.parametrize(
    ("cheat", "author"),
    [
        (doctored_value, None),
        (record_left_out, None),
        (in_my_name, "british"),
        (a_card_i_lack, "french"),
        (a_turn_cut_short, "french"),
    ],
)
def test_what_does_not_verify_is_told_with_record_and_author(
    game: Path, command: Sequence[str], cheat: Callable[..., bytes], author: str | None
) -> None:
    file = game / "bad.toml"
    file.write_bytes(cheat((game / "game-017.toml").read_bytes(), game))
    before = snapshot(game)
    refused = acres(*command, file, home=game / "british")
    assert refused.status == 1
    told = refused.out if command == ["audit"] else refused.err
    assert "record" in told.lower()
    # Who looks is British: nobody is told of themselves by name.
    own = author == "british" and command != ["audit"]
    assert author is None or ("in your name" if own else author) in told.lower()
    if command == ["audit"]:
        assert "This file is not valid." in told
    else:
        assert is_one_sentence(refused.err)
    assert snapshot(game) == before


def test_line_ends_and_a_byte_order_mark_do_no_harm(game: Path) -> None:
    data = (game / "game-017.toml").read_bytes()
    file = game / "mailed.toml"
    file.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    do("turn", "apply", file, "pass", "pass", "--dry-run", home=game / "british")


def test_a_damaged_box_costs_the_notes_and_a_word_of_warning(game: Path) -> None:
    game_file = GameFile.read((game / "game-017.toml").read_bytes())
    boxes = game_file.save.boxes
    swapped = {"british": boxes["french"], "french": boxes["british"]}
    file = game / "box.toml"
    file.write_bytes(pack(game_file.match, None, swapped, "").write())
    for command in (["turn", "show", file], ["turn", "apply", file, "pass", "pass"]):
        done = do(*command, home=game / "british")
        assert done.err.startswith("Note: ")
        assert "notes are lost" in done.err


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\x00", b"seed = 1\n", b"[" * 5000])
def test_a_damaged_identity(game: Path, content: bytes) -> None:
    (game / "british" / "identity.toml").write_bytes(content)
    before = snapshot(game)
    for command in (["turn", "apply"], ["turn", "show"], ["turn", "legal"]):
        acres(*command, game / "game-017.toml", home=game / "british").fails()
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n\x00", b"\xff\xfe", b"pass\n" * 100_000, b""]
)
def test_bad_orders_files(game: Path, content: bytes) -> None:
    orders = game / "orders"
    orders.write_bytes(content)
    before = snapshot(game)
    for path in (orders, game, game / "missing"):
        acres(
            "turn", "apply", game / "game-017.toml", "--orders", path, home=game / "british"
        ).fails()
    assert snapshot(game) == before


def test_places_that_cannot_be_written(game: Path) -> None:
    before = snapshot(game)
    for output in (game / "game-017.toml", game / "game-017.toml" / "x.toml", game, "/proc/x.toml"):
        acres(
            "turn", "apply", game / "game-017.toml", "pass", "pass", "--output", output,
            home=game / "british",
        ).fails()  # fmt: skip
    acres("demo", "--out", game).fails()
    assert acres("demo", "--out", game / "game-017.toml").status == 2
    assert acres("init", "--name", "A", home=game / "game-017.toml").status == 2
    assert snapshot(game) == before


APPLY = ["turn", "apply", "game-017.toml", "pass", "pass"]


@pytest.mark.parametrize(
    "words",
    [
        ["--home", "british", *APPLY, "--output", "x" * 300 + ".toml"],
        # The name fits, but not the one under which it is written before it is whole.
        ["--home", "british", *APPLY, "--output", "x" * 250],
        ["--home", "british", *APPLY, "--output", "new/" + "x" * 300 + ".toml"],
        ["--home", "british", *APPLY[:3], "--orders", "x" * 300],
        ["--home", "x" * 300, *APPLY],
        ["--home", "x" * 300, "turn", "show", "game-017.toml"],
        ["--home", "x" * 300, "turn", "legal", "game-017.toml"],
        ["--home", "x" * 300, "new", "--side", "any"],
        ["--home", "x" * 300, "init", "--name", "A"],
        ["--home", "british", "new", "--side", "any", "--output", "x" * 300],
        ["--home", "british", "join", "game-000.toml", "--output", "x" * 300],
        ["demo", "--out", "x" * 300],
    ],
    ids=lambda words: " ".join(words).replace("x" * 250, "x"),
)
@pytest.mark.usefixtures("in_the_game")
def test_names_that_are_too_long(game: Path, words: Sequence[str]) -> None:
    before = snapshot(game)
    refused = acres(*words).fails()
    assert os.strerror(errno.ENAMETOOLONG) in refused.err
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "words",
    [
        ["--home", "british", *APPLY, "--output", "locked/a.toml"],
        ["--home", "locked", *APPLY],
        ["--home", "locked", "turn", "show", "game-017.toml"],
        ["--home", "locked", "init", "--name", "A"],
        ["demo", "--out", "locked"],
    ],
    ids=" ".join,
)
def test_places_that_may_not_be_looked_into(
    game: Path, monkeypatch: pytest.MonkeyPatch, words: Sequence[str]
) -> None:
    """As whoever runs the tests may be allowed everything, the refusal is made up."""
    from pathlib import Path

    def guarded(plain: Callable[..., Any]) -> Callable[..., Any]:
        def guard(path: Path, *arguments: str, **options: object) -> Any:
            if "locked" in path.parts:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return plain(path, *arguments, **options)

        return guard

    monkeypatch.chdir(game)
    before = snapshot(game)
    with monkeypatch.context() as locked:
        for name in ("stat", "open"):
            locked.setattr(Path, name, guarded(getattr(Path, name)))
        refused = acres(*words)
    assert (refused.status, is_one_sentence(refused.err)) == (2, True), refused.err
    assert os.strerror(errno.EACCES) in refused.err
    assert snapshot(game) == before


@pytest.mark.usefixtures("in_the_game")
def test_no_room_is_said_before_any_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.file_argument.own_session", lambda: pytest.fail("asked"))
    for options in (
        ["--output", "game-017.toml"],
        ["--output", "game-017.toml/a.toml"],
        ["--output", "/proc/a.toml"],
        ["--note", "n" * 4001],
        ["--note", "a\x1bb"],
        ["--note", "n" * 4001, "--dry-run"],
    ):
        acres("turn", "apply", "game-017.toml", *options, home="british").fails()


def test_real_processes_end_with_the_right_status(game: Path) -> None:
    (game / "picture.png").write_bytes(png())
    (game / "doctored.toml").write_bytes(
        doctored_value((game / "game-017.toml").read_bytes(), game)
    )
    before = snapshot(game)
    for words, status in (
        (["turn", "show", "picture.png"], 2),
        (["turn", "apply", "missing.toml", "pass"], 2),
        (["turn", "apply", "doctored.toml", "pass", "pass"], 1),
        (["audit", "doctored.toml"], 1),
        (["turn", "apply", "game-017.toml"], 2),
        (["nonsense"], 2),
    ):
        ended = acres_process(*words, home="british", folder=game)
        assert ended.status == status, words
        assert "Traceback" not in ended.err
        if words[0] != "audit":
            assert is_one_sentence(ended.err)
    assert snapshot(game) == before
