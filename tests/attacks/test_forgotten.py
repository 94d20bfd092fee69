"""Attempts to make a player sign twice after losing the library or closing the game."""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.play.store import Store, StoreError
from pbem.savefile import disk
from pbem.savefile.save_file import SaveFile
from tests.attacks.clocks import clock_at
from tests.cli.commands import acres, do, is_one_sentence, sit_at_computer
from tests.crash.state import find_double_signatures

LAST = 5
"""The number of the last file, which Anna answers like all odd ones."""
OLD = "game-003.toml"
NEWEST = f"game-00{LAST}.toml"


@pytest.fixture(scope="module")
def base_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Anna and Bela, with Anna's key on paper; do not write into it."""
    folder = tmp_path_factory.mktemp("begun")
    for name in ("anna", "bela"):
        do("init", "--name", name.title(), home=folder / name)
    file = folder / "game-000.toml"
    do("new", "--side", "british", "--lists", 16, "--output", file, home=folder / "anna")
    do("join", file, home=folder / "bela")
    for number in range(1, LAST):
        orders = ["pass"] * (1 if number < 3 else 2)
        home = folder / ("anna" if number % 2 else "bela")
        do("turn", "apply", folder / f"game-00{number}.toml", *orders, home=home)
    do("key", "backup", "--unsealed", "--output", folder / "paper.txt", home=folder / "anna")
    return folder


@pytest.fixture
def folder(base_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the game, in which Anna has restored her key into the home `restored`."""
    folder = tmp_path / "table"
    shutil.copytree(base_game, folder)
    monkeypatch.chdir(folder)
    do("key", "restore", "paper.txt", home=Path("restored"))
    return folder


def check_refused(folder: Path, *words: object, home: str = "restored") -> str:
    """Return the error of a command, after checking that it wrote no file."""
    before = {*folder.iterdir(), *folder.rglob("*.toml")}
    refused = acres(*words, home=Path(home))
    lines = refused.err.splitlines(keepends=True)
    # A note about a damaged library may precede it.
    sentence = "".join(line for line in lines if not line.startswith("Note: "))
    assert refused.status == 2, refused
    assert is_one_sentence(sentence), refused
    assert {*folder.iterdir(), *folder.rglob("*.toml")} == before
    with suppress(StoreError):
        assert not find_double_signatures(folder)
    return refused.err


# --- lost libraries

SIGNING = {
    "orders": ("turn", "apply", OLD, "draft rangers", "pass"),
    "orders, replacing": ("turn", "apply", OLD, "draft rangers", "pass", "--replace"),
    "another file": ("turn", "apply", OLD, "pass", "pass", "--output", "x.toml"),
    "a letter": ("turn", "apply", OLD, "pass", "pass", "--mail", "--output", "x.toml"),
    "giving up": ("turn", "resign", OLD, "--yes"),
    "giving up, replacing": ("turn", "resign", OLD, "--yes", "--replace"),
}


KNOWN: dict[str, list[tuple[object, ...]] | bytes] = {
    "looking": [("turn", "show", OLD)],
    "listing": [("turn", "legal", OLD)],
    "a log": [("log", OLD)],
    "adding": [("games", "add", OLD)],
    "adding a folder": [("games", "add", "old")],
    "a trial": [("turn", "apply", OLD, "pass", "pass", "--dry-run")],
    "all of it": [("games", "add", OLD), ("turn", "show", OLD), ("games", "forget", OLD)],
    "garbage": b"garbage",
    "a torn library": b"SQLite format 3\0" + b"\xff" * 99,
}
"""Earlier uses of an old file, or the content of a damaged library."""


def test_old_file_is_not_answered_without_the_library(folder: Path) -> None:
    for words in SIGNING.values():
        for _ in range(2):
            output = check_refused(folder, *words)
            assert "does not remember your part in this game" in output and "--newest" in output
        (Path("restored") / "library.sqlite3").unlink(missing_ok=True)
        assert "hand and draw pile" in check_refused(folder, *words)


@pytest.mark.parametrize("learnt", ["nothing", "an old file", "a broken library"])
def test_newest_file_alone_opens_no_shuffle_again(folder: Path, learnt: str) -> None:
    """With two grants of one shuffle, the opponent would read the hand and the pile."""
    if learnt == "an old file":
        do("games", "add", "game-001.toml", home="restored")
    elif learnt == "a broken library":
        (Path("restored") / "library.sqlite3").write_bytes(b"garbage")
    words = ("turn", "apply", "game-001.toml", "pass", "--output", "x.toml", "--newest")
    for options in ([], ["--replace"]):
        output = check_refused(folder, *words, *options)
        assert "opens a shuffle of yours" in output and "--newest is not enough" in output
    trial = do(*words[:4], "--dry-run", home="restored")
    assert "opens a shuffle of yours" in trial.err


@pytest.mark.parametrize("use", KNOWN)
def test_old_file_is_not_answered_with_another_library(folder: Path, use: str) -> None:
    """Reading a player's records from a file does not replace the lost library."""
    Path("old").mkdir()
    shutil.copy(OLD, "old")
    # This makes a library with another game.
    do("new", "--side", "any", "--output", "any.toml", home="restored")
    if isinstance(learnt := KNOWN[use], bytes):
        (Path("restored") / "library.sqlite3").write_bytes(learnt)
    else:
        for words in learnt:
            do(*words, home="restored")
    for words in SIGNING.values():
        assert "--newest" in check_refused(folder, *words)


def test_records_of_a_read_only_library_prevent_a_second_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Consent to sign without a library does not cover remembered records."""
    do("turn", "apply", NEWEST, "pass", "pass", home=Path("anna"))

    def refuse(_: Store) -> None:
        raise StoreError("Permission denied")

    monkeypatch.setattr(Store, "_make", refuse)
    other = ("draft rangers", "pass", "--output", "x.toml")
    output = check_refused(folder, "turn", "apply", NEWEST, *other, "--newest", home="anna")
    assert "already answered this file" in output
    output = check_refused(folder, "turn", "apply", OLD, *other, "--newest", home="anna")
    assert "older than what you have already answered" in output


def test_file_is_not_answered_after_turns_on_another_computer(folder: Path) -> None:
    """Anna has continued on another computer, and this one knows only the file."""
    do("turn", "apply", NEWEST, "pass", "pass", "--newest", home=Path("restored"))
    do("turn", "apply", "game-006.toml", "pass", "pass", home=Path("bela"))
    output = check_refused(folder, "turn", "apply", "game-007.toml", "pass", "pass", home="anna")
    assert "does not remember your part" in output


def test_home_copied_to_a_second_computer_asks_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both computers have the whole library, and each could sign another answer."""

    def ask(*words: object) -> None:
        for _ in range(2):
            output = check_refused(folder, *words, home="twin")
            assert "another computer" in output and "--newest" in output

    do("new", "--side", "any", "--output", "bela-000.toml", home=Path("bela"))
    shutil.copytree("anna", "twin")
    do("turn", "apply", NEWEST, "pass", "pass", home=Path("anna"))
    do("turn", "apply", "game-006.toml", "pass", "pass", home=Path("bela"))
    Path("game-006.toml").rename("sent.toml")
    sit_at_computer(monkeypatch, 2)
    answer, join = ("turn", "apply", NEWEST, "draft rangers", "pass"), ("join", "bela-000.toml")
    for _ in range(2):
        ask(*answer)
        ask(*join)
        do("games", "add", NEWEST, home=Path("twin"))
    ask("turn", "apply", "game-007.toml", "pass", "pass")
    do("turn", "apply", "game-007.toml", "pass", "pass", "--newest", home=Path("twin"))
    # From then on the library lives here, until the home is back on the first computer.
    do("turn", "apply", "game-007.toml", "pass", "pass", "--replace", home=Path("twin"))
    sit_at_computer(monkeypatch, disk.computer_id())
    do("turn", "apply", "game-008.toml", "pass", "pass", home=Path("bela"))
    answer = ("turn", "apply", "game-009.toml", "pass", "pass")
    ask(*answer)
    ask(*join)
    sit_at_computer(monkeypatch, 2)
    assert do(*answer, "--dry-run", home=Path("twin")).err == ""
    sit_at_computer(monkeypatch, disk.computer_id())
    do(*answer, "--newest", home=Path("twin"))


def test_vouching_once_is_enough(folder: Path) -> None:
    home = Path("restored")
    trial = do("turn", "apply", NEWEST, "pass", "pass", "--dry-run", home=home)
    assert "does not remember your part" in trial.err
    assert trial.err.endswith("This is only a trial.\n")
    first = do("turn", "apply", NEWEST, "pass", "pass", "--newest", home=home)
    do("turn", "apply", "game-006.toml", "pass", "pass", home=Path("bela"))
    assert "older than what you have already answered" in check_refused(
        folder, *SIGNING["another file"]
    )
    second = do("turn", "apply", "game-007.toml", "pass", "pass", home=home)
    assert first.err == second.err == ""


def test_learnt_answer_is_written_again_unchanged(folder: Path) -> None:
    answer = Path("game-004.toml").read_bytes()
    do("games", "add", "game-004.toml", home=Path("restored"))
    Path("game-004.toml").unlink()
    assert "already answered this file" in check_refused(folder, *SIGNING["orders"])
    output = check_refused(folder, *SIGNING["orders, replacing"])
    assert "does not remember your part" in output
    do("turn", "apply", OLD, "pass", "pass", home=Path("restored"))
    assert Path("game-004.toml").read_bytes() == answer


def test_invitation_is_not_accepted_again_without_the_library(folder: Path) -> None:
    do("new", "--side", "any", "--output", "bela-000.toml", home=Path("bela"))
    join = ("join", "bela-000.toml", "--side", "french")
    do(*join, home=Path("anna"))
    Path("bela-001.toml").rename("sent.toml")
    for words in ((*join, "--replace"), join):
        output = check_refused(folder, *words)
        assert "does not remember what you have signed" in output
        assert "choose your first hand" in output
    # A library of other games does not help, and neither does reading the invitation.
    do("games", "add", ".", home=Path("restored"))
    do("new", "--side", "any", "--output", "any.toml", home=Path("restored"))
    do("games", "add", "sent.toml", home=Path("restored"))
    do(*join, home=Path("restored"))
    assert Path("bela-001.toml").read_bytes() == Path("sent.toml").read_bytes()
    for number, status in enumerate((2, 0)):
        file = f"other{number}-000.toml"
        do("new", "--side", "british", "--output", file, home=Path("bela"))
        vouched = ["--newest"] if status == 0 else []
        assert acres("join", file, *vouched, home=Path("restored")).status == status


@pytest.mark.parametrize("vouched", ["new.toml", "no such card"])
def test_vouching_for_one_invitation_covers_no_other(folder: Path, vouched: str) -> None:
    """The player vouches for one invitation only."""
    for name in ("old", "new"):
        with clock_at(datetime.now(UTC) - timedelta(hours=1)):
            do("new", "--side", "british", "--output", f"{name}.toml", home=Path("bela"))
    do("join", "old.toml", home=Path("anna"))
    Path("old-001.toml").unlink()
    if vouched == "new.toml":
        do("join", vouched, "--newest", home=Path("restored"))
    else:
        wrong = ("join", "new.toml", "--newest", "--start-card", vouched)
        assert acres(*wrong, home=Path("restored")).status == 2
    output = check_refused(folder, "join", "old.toml", home="restored")
    assert "does not remember what you have signed" in output


@pytest.mark.parametrize(
    ("days", "ahead", "is_asked"), [(1, 0, True), (3, 0, False), (3, 3, True), (30, 1, False)]
)
def test_later_invitation_needs_no_vouching(
    folder: Path, days: int, ahead: int, is_asked: bool
) -> None:
    """An invitation that is dated ahead is an exception, because it may be older."""
    do("new", "--side", "british", "--output", "first.toml", home=Path("bela"))
    do("join", "first.toml", "--newest", home=Path("restored"))
    later = datetime.now(UTC) + timedelta(days=days)
    with clock_at(later + timedelta(days=ahead)):
        do("new", "--side", "british", "--output", "later.toml", home=Path("bela"))
    with clock_at(later):
        assert acres("join", "later.toml", home=Path("restored")).status == (2 if is_asked else 0)


# --- closed games


@pytest.fixture
def closed_game(folder: Path) -> Path:
    """The folder of the game, after Anna has answered the newest file by resigning."""
    do("turn", "resign", NEWEST, "--yes", home=Path("anna"))
    return folder


AGAIN = {
    "a turn in its place": ("turn", "apply", NEWEST, "pass", "pass"),
    "an older turn": ("turn", "apply", OLD, "draft rangers", "pass"),
    "an older end": ("turn", "resign", OLD, "--yes"),
}


@pytest.mark.parametrize("way", AGAIN)
@pytest.mark.parametrize("home", ["anna", "restored"])
def test_no_second_record_is_signed_after_a_close(closed_game: Path, way: str, home: str) -> None:
    """The close may also be learnt from a file."""
    do("games", "add", "game-006.toml", home=Path("restored"))
    words = (*AGAIN[way], "--replace", "--newest", "--output", "x.toml")
    output = check_refused(closed_game, *words, home=home)
    assert "You have closed this game: your record 6" in output
    assert "not even --replace" in output
    trial = acres(*AGAIN[way], "--dry-run", home=Path(home))
    assert trial.status == 0
    assert "You have closed this game" in trial.err


@pytest.mark.parametrize("is_sent", [True, False])
def test_no_record_is_signed_after_a_close_on_another_computer(folder: Path, is_sent: bool) -> None:
    """The library knows the close, but no answered file contains it."""
    shutil.copytree("anna", "twin")
    do("turn", "resign", NEWEST, "--yes", "--output", "closed.toml", home="twin")
    do("turn", "apply", NEWEST, "pass", "pass", home="anna")
    if is_sent:
        do("turn", "apply", "game-006.toml", "pass", "pass", home="bela")
    else:
        Path("game-006.toml").unlink()
    acres("games", "add", "closed.toml", home="anna")
    file = "game-007.toml" if is_sent else NEWEST
    for options in ([], ["--replace", "--newest"]):
        before = set(folder.iterdir())
        refused = acres("turn", "apply", file, "pass", "pass", *options, home="anna")
        assert refused.status == 2
        assert "You have closed this game" in refused.err
        assert set(folder.iterdir()) == before


def test_close_can_be_written_again_unchanged(closed_game: Path) -> None:
    content = Path("game-006.toml").read_bytes()
    Path("game-006.toml").unlink()
    for options in ([], ["--replace", "--newest", "--output", "again.toml"]):
        do("turn", "resign", NEWEST, "--yes", *options, home=Path("anna"))
    for name in ("game-006.toml", "again.toml"):
        assert SaveFile.read(Path(name).read_bytes()) == SaveFile.read(content)
