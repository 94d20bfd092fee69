"""A player's key put on paper, brought back, and what is said when it is gone."""

import signal
import stat
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from pbem.play import keyfile
from tests.cli.keys.using import COMMAND, SECRET, backup, is_sealed, refused, seal, seed_of, typing
from tests.cli.using import FILE, PASSES, acres, acres_process, do, environment
from tests.sample import sample

# --- paper


def test_a_key_on_paper_comes_back_for_its_owner_alone(here: Path) -> None:
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    acres("key", "restore", "paper.txt", home="new").succeeds_quietly()
    assert stat.S_IMODE((here / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE((here / "new/identity.toml").stat().st_mode) == 0o600
    back, kept = (here / home / "identity.toml" for home in ("new", "zoe"))
    assert back.read_bytes() == kept.read_bytes()


def test_at_a_terminal_it_is_asked_whether_to_seal(here: Path) -> None:
    with typing("key", "backup", folder=here) as terminal:
        terminal.wait_at("[y/n] ")
        terminal.type("")
        terminal.wait_for("y seals it")
        terminal.wait_at("[y/n] ")
        terminal.type("y")
        for prompt in ("A passphrase for your key: ", "Once more: "):
            terminal.wait_at(prompt)
            terminal.type(SECRET)
        assert terminal.ended() == 0
        text = terminal.text
    assert not is_sealed()
    (here / "paper.txt").write_text(text, "utf-8")
    assert "ACRES_PASSPHRASE" in refused("key", "restore", "paper.txt", home="new")
    acres_process("key", "restore", "paper.txt", home="new", ACRES_PASSPHRASE=SECRET).succeeds()
    assert seed_of("new") == seed_of("zoe")


def test_a_text_is_read_from_the_input(here: Path) -> None:
    text = backup("--unsealed").upper().replace("NAME:", "name:")
    acres_process("key", "restore", "-", home="new", reads=text).succeeds()
    assert seed_of("new") == seed_of("zoe")


def test_a_text_is_typed_line_by_line_with_mistakes(here: Path) -> None:
    lines = [line.strip() for line in backup("--unsealed").splitlines() if line[2:3].isdigit()]
    wrong = lines[1][:-1] + ("q" if lines[1][-1] != "q" else "p")
    with typing("key", "restore", folder=here, home="new") as terminal:
        terminal.wait_at("Line 1: ")
        terminal.type(lines[0].upper())
        terminal.wait_at("Line 2 of 3: ")
        terminal.type(wrong)
        terminal.wait_for("Line 2 of the recovery text is mistyped: look at group 6 of its 6.")
        terminal.wait_at("Line 2 of 3: ")
        terminal.type("")
        terminal.type(lines[1].replace(" ", "")[1:])
        terminal.wait_at("Line 3 of 3: ")
        terminal.type(lines[2])
        terminal.wait_at("as opponents see it: ")
        terminal.type("Zoé again")
        terminal.wait_at("may be left empty): ")
        terminal.type("")
        assert terminal.ended() == 0
    assert seed_of("new") == seed_of("zoe")
    assert keyfile.read(here / "new/identity.toml").name == "Zoé again"


def test_a_name_is_needed_where_the_text_has_none(here: Path) -> None:
    lines = [line for line in backup("--unsealed").splitlines() if "name:" not in line]
    (here / "paper.txt").write_text("\n".join(lines))
    said = refused("key", "restore", "paper.txt", home="new")
    assert said == "acres: Say who you are: acres --home new key restore --name NAME\n"
    do("key", "restore", "paper.txt", "--name", "Zoé", home="new")
    assert seed_of("new") == seed_of("zoe")


def test_a_text_with_a_mistake_brings_nothing_back(here: Path) -> None:
    text = backup("--unsealed")
    for changed, says in (
        (text.replace("\n  2  ", "\n  2  q"), "Line 2"),
        (text.partition("\n  3")[0], "Line 3 of 3"),
        ("Dear Zoé", "no recovery text"),
        ("\0" * 70000, "too long"),
    ):
        (here / "paper.txt").write_text(changed, "utf-8")
        assert says in refused("key", "restore", "paper.txt", home="new")
    (here / "paper.txt").write_bytes(b"\xff\xfe")
    assert "not a text file" in refused("key", "restore", "paper.txt", home="new")
    assert "no file" in refused("key", "restore", "none.txt", home="new")
    assert "or say -" in refused("key", "restore", home="new")


def test_another_key_above_the_lines_is_told(here: Path) -> None:
    key = keyfile.read(here / "zoe/identity.toml").public_key[:8].hex(" ", 2)
    (here / "paper.txt").write_text(backup("--unsealed").replace(key, "0000 1111 2222 3333"))
    back = do("key", "restore", "paper.txt", home="new")
    assert back.err.startswith("Note: Above its lines the recovery text names a different key")


def test_an_identity_is_replaced_only_where_that_is_said(here: Path) -> None:
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    seed, others = seed_of("zoe"), []
    for name in ("Eve", "Eva"):
        assert acres("init", "--name", name, home="other").status == 0
        others.append((here / "other/identity.toml").read_bytes())
        said = refused("key", "restore", "paper.txt", home="other")
        assert "--replace" in said
        assert "--home DIR" in said
        assert "kept in" in do("key", "restore", "paper.txt", "--replace", home="other").out
        assert seed_of("other") == seed
        kept = [path.read_bytes() for path in (here / "other").glob("identity-*.toml")]
        assert sorted(kept) == sorted(others)
        (here / "other/identity.toml").unlink()
    for path in (here / "other").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_paper_undoes_a_forgotten_passphrase(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    seed = seed_of("zoe")
    seal(monkeypatch)
    acres("key", "restore", "paper.txt", "--replace", home="zoe").succeeds_quietly()
    assert (is_sealed(), seed_of("zoe")) == (False, seed)
    # It is the same key: there is nothing to keep beside it.
    assert [path.name for path in (here / "zoe").glob("*.toml")] == ["identity.toml"]


@pytest.mark.parametrize("content", [b"", b"\x89PNG\0", b"name = 1\n"])
def test_a_damaged_identity_is_replaced_and_kept(here: Path, content: bytes) -> None:
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    seed = seed_of("zoe")
    (here / "zoe/identity.toml").write_bytes(content)
    refused("key", "restore", "paper.txt")
    for number in range(2):
        (here / "zoe/identity.toml").write_bytes(content)
        assert acres("key", "restore", "paper.txt", "--replace", home="zoe").status == 0
        assert seed_of("zoe") == seed
        kept = list((here / "zoe").glob("identity-unreadable*.toml"))
        assert [path.read_bytes() for path in kept] == [content] * (number + 1)


def test_a_private_key_under_the_name_of_another_is_kept(here: Path) -> None:
    """Whatever the file says: the only copy of a key may be in it."""
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    assert acres("init", "--name", "Eve", home="eve").status == 0
    path = here / "zoe/identity.toml"
    own, others = (
        (here / home / "identity.toml").read_text("utf-8").splitlines() for home in ("zoe", "eve")
    )
    mixed = "\n".join([*own[:-1], others[-1]]) + "\n"
    path.write_text(mixed, "utf-8")
    assert "do not belong together" in refused("key", "backup", "--unsealed")
    assert acres("key", "restore", "paper.txt", "--replace", home="zoe").status == 0
    (kept,) = (here / "zoe").glob("identity-*.toml")
    assert kept.read_text("utf-8") == mixed


# --- what can still be done


def test_a_foreign_key_is_told_as_one(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)
    assert acres("init", "--name", "Clara", home="clara").status == 0
    monkeypatch.delenv("ACRES_PASSPHRASE")
    own, *theirs = (
        keyfile.read(played / home / "identity.toml").public_key[:8].hex(" ", 2)
        for home in ("clara", "british", "french")
    )
    # The passphrase of a key that is not played with is not asked for.
    for command in (["apply", FILE, *PASSES], ["resign", FILE, "--yes"], ["apply", FILE]):
        said = refused("turn", *command, home="clara")
        assert "You are not one of the players of this game" in said
        assert all(key in said for key in (own, *theirs))
        assert "Anna" in said
        assert "Émile" in said


def test_a_lost_key_is_not_simply_made_anew(played: Path) -> None:
    (played / "british/identity.toml").unlink()
    assert "Make one with" in refused("new", "--side", "any", home="nobody")
    made = do("init", "--name", "Anna", home="british")
    assert made.err.startswith("Note: Games were played from this folder with another key")


def test_what_was_signed_is_still_remembered_after_a_restore(played: Path) -> None:
    (played / "paper.txt").write_text(backup("--unsealed", home="british"), "utf-8")
    assert acres("turn", "apply", FILE, *PASSES, home="british").status == 0
    (played / "british/identity.toml").unlink()
    (played / "game-018.toml").unlink()
    assert acres("key", "restore", "paper.txt", home="british").status == 0
    again = acres("turn", "apply", FILE, "draft Rangers", "pass", home="british").fails()
    assert "You already answered this file" in again.err


# --- stopped in the middle


@pytest.mark.parametrize("command", sample(["restore", "passphrase"], first=1))
def test_a_command_killed_at_any_moment_leaves_a_whole_key(here: Path, command: str) -> None:
    random, path = Random(3), here / "zoe/identity.toml"
    seed = seed_of("zoe")
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    clear = path.read_bytes()
    given = {"ACRES_PASSPHRASE": SECRET, "ACRES_NEW_PASSPHRASE": SECRET}
    words = ["passphrase"] if command == "passphrase" else ["restore", "paper.txt", "--replace"]
    for _ in range(2):
        path.write_bytes(clear)
        process = subprocess.Popen(
            [*COMMAND, "--home", "zoe", "key", *words],
            env=environment(**given), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(random.uniform(0.1, 1.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert seed_of("zoe") == seed
    acres_process("key", *words, home="zoe", **given).succeeds()
    assert sorted(file.name for file in (here / "zoe").iterdir()) == [
        "identity.toml", "library.sqlite3",
    ]  # fmt: skip
