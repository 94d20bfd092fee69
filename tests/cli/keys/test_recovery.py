"""A player's key on paper: restored, replaced and lost keys."""

import signal
import stat
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from pbem.play import keyfile
from tests.cli.commands import FILE, PASSES, acres, acres_process, do, environment
from tests.cli.keys.passphrases import (
    COMMAND,
    SECRET,
    is_sealed,
    print_backup,
    read_seed,
    refuse,
    seal,
    type_at,
)
from tests.sample import sample

# --- paper


def test_restored_key_is_private_to_its_owner(cwd: Path) -> None:
    # PowerShell writes UTF-16.
    (cwd / "paper.txt").write_text(print_backup("--unsealed"), "utf-16", newline="\r\n")
    acres("key", "restore", "paper.txt", home="new").succeeds_quietly()
    assert stat.S_IMODE((cwd / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE((cwd / "new/identity.toml").stat().st_mode) == 0o600
    back, others_kept = (cwd / home / "identity.toml" for home in ("new", "zoe"))
    assert back.read_bytes() == others_kept.read_bytes()


def test_terminal_asks_for_a_passphrase_of_the_paper(
    cwd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with type_at("key", "backup", folder=cwd) as terminal:
        terminal.wait_at("[y/n] ")
        terminal.type("y")
        for prompt in ("A passphrase for your key: ", "Once more: "):
            terminal.wait_at(prompt)
            terminal.type(SECRET)
        assert terminal.wait_for_exit() == 0
        text = terminal.text
    assert not is_sealed()
    (cwd / "paper.txt").write_text(text, "utf-8")
    refuse("key", "restore", "paper.txt", home="new")
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)
    do("key", "restore", "paper.txt", home="new")
    assert read_seed("new") == read_seed("zoe")


def test_recovery_text_is_typed_line_by_line_with_corrections(cwd: Path) -> None:
    lines = [
        line.strip() for line in print_backup("--unsealed").splitlines() if line[2:3].isdigit()
    ]
    wrong = lines[1][:-1] + ("q" if lines[1][-1] != "q" else "p")
    with type_at("key", "restore", folder=cwd, home="new") as terminal:
        terminal.wait_at("Line 1: ")
        terminal.type(lines[0].upper())
        terminal.wait_at("Line 2 of 3: ")
        terminal.type(wrong)
        terminal.wait_for("group 6 of its 6")
        terminal.wait_at("Line 2 of 3: ")
        terminal.type("")
        terminal.type(lines[1].replace(" ", "")[1:])
        terminal.wait_at("Line 3 of 3: ")
        terminal.type(lines[2])
        terminal.wait_at("as your opponents see it: ")
        terminal.type("Zoé again")
        terminal.wait_at("may be left empty): ")
        terminal.type("")
        assert terminal.wait_for_exit() == 0
    assert read_seed("new") == read_seed("zoe")
    assert keyfile.read(cwd / "new/identity.toml").name == "Zoé again"


def test_recovery_text_without_a_name_needs_the_option(cwd: Path) -> None:
    lines = [line for line in print_backup("--unsealed").splitlines() if "name:" not in line]
    (cwd / "paper.txt").write_text("\n".join(lines))
    refuse("key", "restore", "paper.txt", home="new")
    do("key", "restore", "paper.txt", "--name", "Zoé", home="new")
    assert read_seed("new") == read_seed("zoe")


def test_recovery_text_with_a_mistake_is_refused(cwd: Path) -> None:
    text = print_backup("--unsealed")
    for changed in (
        text.replace("\n  2  ", "\n  2  q"),
        text.partition("\n  3")[0],
        "Dear Zoé",
        "\0" * 70000,
        "\udcff",
    ):
        (cwd / "paper.txt").write_text(changed, "utf-8", "surrogateescape")
        refuse("key", "restore", "paper.txt", home="new")
    refuse("key", "restore", "none.txt", home="new")
    refuse("key", "restore", home="new")


def test_identity_is_replaced_only_with_the_option_and_kept(cwd: Path) -> None:
    (cwd / "paper.txt").write_text(print_backup("--unsealed"), "utf-8")
    seed, others = read_seed("zoe"), []
    for name in ("Eve", "Eva"):
        assert acres("init", "--name", name, home="other").status == 0
        others.append((cwd / "other/identity.toml").read_bytes())
        refuse("key", "restore", "paper.txt", home="other")
        do("key", "restore", "paper.txt", "--replace", home="other")
        assert read_seed("other") == seed
        others_kept = [path.read_bytes() for path in (cwd / "other").glob("identity-*.toml")]
        assert sorted(others_kept) == sorted(others)
        (cwd / "other/identity.toml").unlink()
    for path in (cwd / "other").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_paper_undoes_a_forgotten_passphrase(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cwd / "paper.txt").write_text(print_backup("--unsealed"), "utf-8")
    seed = read_seed("zoe")
    seal(monkeypatch)
    acres("key", "restore", "paper.txt", "--replace", home="zoe").succeeds_quietly()
    assert read_seed("zoe") == seed
    assert not is_sealed()
    # The key is the same, so no old file is kept.
    assert [path.name for path in (cwd / "zoe").glob("*.toml")] == ["identity.toml"]


@pytest.mark.parametrize("content", [b"", b"\x89PNG\0", b"name = 1\n"])
def test_damaged_identity_is_replaced_and_kept(cwd: Path, content: bytes) -> None:
    (cwd / "paper.txt").write_text(print_backup("--unsealed"), "utf-8")
    seed = read_seed("zoe")
    (cwd / "zoe/identity.toml").write_bytes(content)
    refuse("key", "restore", "paper.txt")
    for number in range(2):
        (cwd / "zoe/identity.toml").write_bytes(content)
        assert acres("key", "restore", "paper.txt", "--replace", home="zoe").status == 0
        assert read_seed("zoe") == seed
        others_kept = list((cwd / "zoe").glob("identity-unreadable*.toml"))
        assert [path.read_bytes() for path in others_kept] == [content] * (number + 1)


def test_private_key_under_the_name_of_another_is_kept(cwd: Path) -> None:
    (cwd / "paper.txt").write_text(print_backup("--unsealed"), "utf-8")
    assert acres("init", "--name", "Eve", home="eve").status == 0
    path = cwd / "zoe/identity.toml"
    own, others = (
        (cwd / home / "identity.toml").read_text("utf-8").splitlines() for home in ("zoe", "eve")
    )
    mixed = "\n".join([*own[:-1], others[-1]]) + "\n"
    path.write_text(mixed, "utf-8")
    refuse("key", "backup", "--unsealed")
    assert acres("key", "restore", "paper.txt", "--replace", home="zoe").status == 0
    (others_kept,) = (cwd / "zoe").glob("identity-*.toml")
    assert others_kept.read_text("utf-8") == mixed


# --- lost keys


def test_signed_turns_are_remembered_after_a_restore(game_folder: Path) -> None:
    (game_folder / "paper.txt").write_text(print_backup("--unsealed", home="british"), "utf-8")
    assert acres("turn", "apply", FILE, *PASSES, home="british").status == 0
    (game_folder / "british/identity.toml").unlink()
    (game_folder / "game-018.toml").unlink()
    assert acres("key", "restore", "paper.txt", home="british").status == 0
    acres("turn", "apply", FILE, "draft Rangers", "pass", home="british").fails()


# --- killed commands


@pytest.mark.slow
@pytest.mark.parametrize("command", sample(["restore", "passphrase"], first=1))
def test_command_killed_at_any_moment_leaves_a_whole_key(cwd: Path, command: str) -> None:
    random, path = Random(3), cwd / "zoe/identity.toml"
    seed = read_seed("zoe")
    (cwd / "paper.txt").write_text(print_backup("--unsealed"), "utf-8")
    clear = path.read_bytes()
    variables = {"ACRES_PASSPHRASE": SECRET, "ACRES_NEW_PASSPHRASE": SECRET}
    words = ["passphrase"] if command == "passphrase" else ["restore", "paper.txt", "--replace"]
    for _ in range(2):
        path.write_bytes(clear)
        process = subprocess.Popen(
            [*COMMAND, "--home", "zoe", "key", *words],
            env=environment(**variables), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(random.uniform(0.1, 1.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert read_seed("zoe") == seed
    acres_process("key", *words, home="zoe", **variables).succeeds()
    assert sorted(file.name for file in (cwd / "zoe").iterdir()) == [
        "identity.toml", "library.sqlite3",
    ]  # fmt: skip
