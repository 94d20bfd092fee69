"""What the commands do when all is well, and what they refuse."""

import shlex
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.errors import StepError
from pbem.errors.rule import Rule
from pbem.play.game_file import GameFile
from tests.cli.using import acres, acres_process, do, snapshot


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two players and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    for name in ("anna", "emile"):
        do("init", "--name", name.title(), "--email", f"{name}@x.org", home=name)
    return tmp_path


def invitation(*options: str) -> str:
    made = do("new", *options, home="anna")
    return next(line.strip() for line in made.out.splitlines() if line.endswith("-000.toml"))


def test_init_takes_a_passphrase_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    assert acres("init", "--name", "Z", home=home).status == 0
    assert "seed" not in tomllib.loads((home / "identity.toml").read_text())
    assert acres("new", "--side", "any", "--output", tmp_path / "a.toml", home=home).status == 0
    monkeypatch.setenv("ACRES_PASSPHRASE", "plugh")
    wrong = acres("new", "--side", "any", "--output", tmp_path / "b.toml", home=home)
    assert (wrong.status, "passphrase" in wrong.err) == (2, True)
    # One that is empty is none.
    monkeypatch.setenv("ACRES_PASSPHRASE", "")
    unasked = acres("new", "--side", "any", "--output", tmp_path / "b.toml", home=home)
    assert (unasked.status, "set ACRES_PASSPHRASE" in unasked.err) == (2, True)
    assert not (tmp_path / "b.toml").exists()


@pytest.mark.parametrize("name", ["", " Anna", "An\x1b[31mna", "a" * 61])
def test_init_refuses_names_that_no_file_may_hold(tmp_path: Path, name: str) -> None:
    acres("init", "--name", name, home=tmp_path / "home").fails()
    assert not (tmp_path / "home").exists()


def test_home_comes_from_the_environment_too(tmp_path: Path) -> None:
    acres_process("init", "--name", "A", folder=tmp_path, ACRES_HOME=str(tmp_path / "h")).succeeds()
    assert (tmp_path / "h" / "identity.toml").exists()


def test_a_new_game_is_named_after_its_id(homes: Path) -> None:
    file = invitation("--side", "british", "--lists", "16")
    game = GameFile.read((homes / file).read_bytes())
    assert file == f"acres-{game.match.id.hex()[:8]}-000.toml"
    assert game.match.invite.lists == 16
    assert game.match.invite.name == "Anna"


def test_apply_writes_the_next_file_and_never_over_another(game: Path) -> None:
    file, answer = game / "game-017.toml", game / "game-018.toml"
    before = snapshot(game)
    done = do("turn", "apply", file, "pass", "PASS", home=game / "british")
    assert "    You ended your turn." in done.out.splitlines()
    assert "Next: send it to Émile <french@example.org>." in done.out
    after = snapshot(game)
    assert set(after) - set(before) == {answer}
    assert GameFile.read(answer.read_bytes()).match.next_side == "french"
    again = acres("turn", "apply", file, "pass", "pass", home=game / "british")
    assert (again.status, "already" in again.err) == (2, True)
    assert snapshot(game) == after
    other = game / "elsewhere" / "mine.toml"
    do("turn", "apply", file, "pass", "pass", "--output", other, home=game / "british")
    assert other.exists()


def test_orders_come_from_a_file(game: Path) -> None:
    orders = game / "orders.txt"
    orders.write_bytes(b"\xef\xbb\xbf# my turn\r\n\r\npass   # the first\r\n  pass\r\n")
    file = game / "game-017.toml"
    do("turn", "apply", file, "--orders", orders, "--dry-run", home=game / "british")
    both = acres("turn", "apply", file, "pass", "--orders", orders, home=game / "british")
    assert both.status == 2
    orders.write_text("# nothing\n")
    assert acres("turn", "apply", file, "--orders", orders, home=game / "british").status == 2


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("it ends somehow."), StepError("it ends somehow.", Rule.OPENING_FIRST)],
    ids=lambda error: type(error).__name__,
)
def test_the_program_never_shows_a_traceback_unless_asked(
    game: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Nor what is only the end of a sentence about a record."""

    def fail(*arguments: bytes, **options: object) -> None:
        raise error

    monkeypatch.setattr("pbem.play.game_file.GameFile.read", fail)
    failed = acres("turn", "show", game / "game-017.toml")
    assert failed.status == 2
    assert failed.err.startswith(
        f"acres: Something happened that should not have ({type(error).__name__})"
    )
    assert failed.err.count("\n") == 1
    assert "somehow" not in failed.err
    monkeypatch.setenv("ACRES_DEBUG", "1")
    assert "Traceback" in acres("turn", "show", game / "game-017.toml").err


@pytest.mark.parametrize(
    ("lists", "note"), [(1, "every time"), (128, "one time in 128"), (256, None), (1024, None)]
)
def test_joining_for_few_lists_is_warned_of_and_not_refused(
    homes: Path, lists: int, note: str | None
) -> None:
    file = invitation("--side", "british", "--lists", str(lists))
    joined = do("join", file, home="emile")
    assert joined.err.startswith("Note: ") == bool(note)
    assert note is None or note in joined.err
    audited = acres("audit", file.replace("-000", "-001"))
    passes = " ".join(audited.out.split()).partition("passed a shuffle ")[2]
    assert passes.startswith(note or f"one time in {lists}.")


@pytest.mark.parametrize("words", [["turn", "show"], ["turn", "legal"]])
def test_commands_to_go_on_with_can_be_pasted(homes: Path, words: Sequence[str]) -> None:
    homes.joinpath("two words").mkdir()
    first, second = "two words/it's-000.toml", "two words/it's-001.toml"
    assert acres("init", "--name", "Zoé", home="two words/home").status == 0
    do("new", "--side", "french", "--output", first, home="two words/home")
    line = next(
        line for line in acres("turn", "show", first).out.splitlines() if "acres join" in line
    )
    assert shlex.split(line.partition(": ")[2]) == ["acres", "join", first]
    assert acres("join", first, home="emile").status == 0
    shown = acres(*words, second, home="two words/home").out
    line = next(line for line in shown.splitlines() if line.startswith("To answer: "))
    command = shlex.split(line.partition(": ")[2])
    assert command == ["acres", "--home", "two words/home", "turn", "apply", second]
    assert acres(*command[1:]).status == 0
