"""Bad input of every kind ends with a sentence and the right exit status, and changes no file."""

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.play.game_file import GameFile, pack
from tests.cli.commands import acres, do, snapshot

WITH_FILE = [["turn", "show"], ["turn", "legal"], ["turn", "apply"], ["audit"], ["join"]]


NOT_A_SAVE_FILE: dict[str, Callable[[bytes], bytes]] = {
    "picture": lambda data: b"\x89PNG\r\n\x1a\n\x00",
    "zeroes": lambda data: bytes(1000),
    "twice": lambda data: data + data,
    "nested": lambda data: b"a = " + b"[" * 100_000,
    "one long line": lambda data: b"a" * 10_000,
    "utf-16, cut in a character": lambda data: data.decode().encode("utf-16")[:-1],
    "escapes": lambda data: b"\x1b[31mred\x1b[0m = 1\n",
}


UNREADABLE = ["missing.toml", "no/folder.toml", "\x1b[31m", "a" * 5000]


@pytest.mark.parametrize(
    ("command", "kind"),
    # The short run tries each kind with two or three commands.
    [
        pytest.param(command, kind, marks=() if not of or (at + of) % 2 else pytest.mark.long)
        for of, kind in enumerate(NOT_A_SAVE_FILE)
        for at, command in enumerate(WITH_FILE)
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_other_files_than_saves_are_refused_as_unreadable(
    game: Path, command: Sequence[str], kind: str
) -> None:
    file = game / "bad.toml"
    file.write_bytes(NOT_A_SAVE_FILE[kind]((game / "game-017.toml").read_bytes()))
    before = snapshot(game)
    for path in (file, *([*UNREADABLE, game] if kind == "picture" else ())):
        assert "\x1b" not in acres(*command, path, home=game / "british").fails().err
    assert snapshot(game) == before


def test_crlf_and_byte_order_mark_are_accepted(game: Path) -> None:
    data = (game / "game-017.toml").read_bytes()
    file = game / "mailed.toml"
    file.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    do("turn", "apply", file, "pass", "pass", "--dry-run", home=game / "british")


def test_damaged_box_costs_only_the_notes(game: Path) -> None:
    game_file = GameFile.read((game / "game-017.toml").read_bytes())
    boxes = game_file.save.boxes
    swapped = {"british": boxes["french"], "french": boxes["british"]}
    file = game / "box.toml"
    file.write_bytes(pack(game_file.match, None, swapped, "").write())
    for command in (["turn", "show", file], ["turn", "apply", file, "pass", "pass"]):
        assert do(*command, home=game / "british").err.startswith("Note: ")


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\x00", b"seed = 1\n"])
def test_damaged_identity_is_refused(game: Path, content: bytes) -> None:
    (game / "british" / "identity.toml").write_bytes(content)
    before = snapshot(game)
    for command in (["turn", "apply"], ["turn", "show"], ["turn", "legal"]):
        acres(*command, game / "game-017.toml", home=game / "british").fails()
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n\x00", b"\xff\xfe", b"pass\n" * 100_000, b""]
)
def test_bad_orders_files_are_refused(game: Path, content: bytes) -> None:
    orders = game / "orders"
    orders.write_bytes(content)
    before = snapshot(game)
    for path in (orders, game, game / "missing"):
        acres(
            "turn", "apply", game / "game-017.toml", "--orders", path, home=game / "british"
        ).fails()
    assert snapshot(game) == before


def test_unwritable_places_are_refused(game: Path) -> None:
    before = snapshot(game)
    for output in (game / "game-017.toml", game / "game-017.toml" / "x.toml", "/proc/x.toml"):
        acres(
            "turn", "apply", game / "game-017.toml", "pass", "pass", "--output", output,
            home=game / "british",
        ).fails()  # fmt: skip
    acres("demo", "--out", game).fails()
    assert acres("demo", "--out", game / "game-017.toml").status == 2
    assert acres("init", "--name", "A", home=game / "game-017.toml").status == 2
    assert snapshot(game) == before


APPLY = ["turn", "apply", "game-017.toml", "pass", "pass"]


LONG = "x" * 300
# A name of 250 characters fits, but not its temporary file.
WORDS = [
    *(["--home", "british", *APPLY, "--output", name] for name in (LONG, "x" * 250, f"new/{LONG}")),
    ["--home", "british", *APPLY[:3], "--orders", LONG],
    ["--home", LONG, *APPLY],
    ["--home", LONG, "turn", "show", "game-017.toml"],
    ["--home", LONG, "init", "--name", "A"],
    ["--home", "british", "new", "--side", "any", "--output", LONG],
    ["--home", "british", "join", "game-000.toml", "--output", LONG],
    ["demo", "--out", LONG],
    ["--home", "british", *APPLY, "--output", "locked/a.toml"],
    ["--home", "locked", *APPLY],
    ["--home", "locked", "turn", "show", "game-017.toml"],
    ["--home", "locked", "init", "--name", "A"],
    ["demo", "--out", "locked"],
]


def guard(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of paths that fails in the folder `locked`."""

    def call(path: Path, *arguments: str, **options: object) -> Any:
        if "locked" in path.parts:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return function(path, *arguments, **options)

    return call


@pytest.mark.parametrize("words", WORDS, ids=lambda words: " ".join(words).replace("x" * 250, "x"))
@pytest.mark.usefixtures("in_game_folder")
def test_long_names_and_locked_folders_are_refused(
    game: Path, monkeypatch: pytest.MonkeyPatch, words: Sequence[str]
) -> None:
    before = snapshot(game)
    # The tests may run as root, so the refusal is simulated.
    with monkeypatch.context() as locked:
        for name in ("stat", "open"):
            locked.setattr(Path, name, guard(getattr(Path, name)))
        refused = acres(*words).fails()
    is_locked = any("locked" in word for word in words)
    assert os.strerror(errno.EACCES if is_locked else errno.ENAMETOOLONG) in refused.err
    assert snapshot(game) == before


@pytest.mark.usefixtures("in_game_folder")
def test_output_that_cannot_be_written_is_refused_before_any_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
