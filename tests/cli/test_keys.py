"""A player's key: guarded, sealed, put on paper, brought back, and what is said when it is gone."""

import getpass
import os
import signal
import stat
import subprocess
import sys
import time
import warnings
from pathlib import Path
from random import Random

import pytest
import typer

from pbem import keyfile
from pbem.cli import console
from pbem.cli.main import app
from pbem.cli.passphrases import given_passphrase
from pbem.errors import WrongUse
from tests.cli.screen import Terminal
from tests.cli.table import words
from tests.cli.using import (
    FILE,
    OLD,
    PASSES,
    ROOT,
    acres,
    acres_process,
    environment,
    is_one_sentence,
    snapshot,
)

SECRET, OTHER = "xyzzy of the woods", "plugh of the lakes"
QUICK = """
import sys
from pbem import keyfile, recovery
from pbem.cli.main import main
from pbem.passphrase import Cost
keyfile.USUAL = recovery.USUAL = Cost(2**14, 1, 1)
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", QUICK]
"""The command, in a process in which a try of a passphrase costs as little as it may."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of one's own, with Zoé's home in it."""
    monkeypatch.chdir(tmp_path)
    made = acres("init", "--name", "Zoé", "--email", "zoe@example.org", home="zoe")
    assert made.status == 0
    return tmp_path


@pytest.fixture
def played(game, monkeypatch):
    """The folder of a game; both homes have signed in it."""
    monkeypatch.chdir(game)
    return game


def seed_of(home, passphrase=SECRET):
    return keyfile.load(Path(home) / "identity.toml", lambda: passphrase).seed


def is_sealed(home="zoe"):
    return keyfile.read(Path(home) / "identity.toml").is_sealed


def seal(monkeypatch, home="zoe", passphrase=SECRET):
    """Seal a key from the environment, which then gives no passphrase any more."""
    with monkeypatch.context() as given:
        given.setenv("ACRES_NEW_PASSPHRASE", passphrase)
        done = acres("key", "passphrase", home=home)
    assert done.status == 0, done.err


def refused(*arguments, home="zoe", status=2):
    """What a command says when it refuses, in one sentence, having written nothing."""
    before = snapshot(Path())
    done = acres(*arguments, home=home)
    assert (done.status, is_one_sentence(done.err)) == (status, True), done.err
    assert snapshot(Path()) == before
    return done.err


# --- the file


def test_key_and_folder_are_for_their_owner_alone(here):
    assert stat.S_IMODE((here / "zoe").stat().st_mode) == 0o700
    assert stat.S_IMODE((here / "zoe/identity.toml").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o660])
def test_whoever_leaves_the_key_open_is_told_what_to_do(played, mode):
    path = played / "british/identity.toml"
    path.chmod(mode)
    for command in (["turn", "show", FILE], ["key", "show"], ["turn", "apply", FILE, *PASSES]):
        done = acres(*command, home="british")
        assert done.status == 0
        assert done.err.startswith("Note: Others on this computer may be able to read your key")
        assert done.err.count("\n") == 1
    advised = done.err.strip().partition("yourself: ")[2]
    assert subprocess.run(advised, shell=True).returncode == 0
    assert acres("key", "show", home="british").err == ""


def test_keys_that_everybody_has_need_no_guard(tmp_path):
    for home in (*ROOT.glob("saves/*/*/identity.toml"), OLD / "british/identity.toml"):
        kept = keyfile.read(home)
        assert kept.is_published
    assert not keyfile.read(_fresh(tmp_path)).is_published
    assert "everybody has it" in acres("key", "show", home=OLD / "french").out


def _fresh(folder):
    assert acres("init", "--name", "A", home=folder / "fresh").status == 0
    return folder / "fresh/identity.toml"


def test_show_says_whose_key_it_is_and_whether_it_is_sealed(here, monkeypatch):
    shown = acres("key", "show", home="zoe")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("Zoé <zoe@example.org>\n")
    key = keyfile.read(here / "zoe/identity.toml").public_key
    assert key[:8].hex(" ", 2) in shown.out
    assert "not sealed" in shown.out
    assert "zoe/identity.toml" in shown.out
    seal(monkeypatch)
    # No passphrase is needed to look.
    sealed = acres("key", "show", home="zoe")
    assert (sealed.status, "not sealed" in sealed.out) == (0, False)
    assert "sealed: it opens with your passphrase" in sealed.out


# --- passphrases without a terminal


def test_a_passphrase_is_added_changed_and_removed(here, monkeypatch):
    seed = seed_of("zoe")
    seal(monkeypatch)
    assert (is_sealed(), seed_of("zoe")) == (True, seed)
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)
    monkeypatch.setenv("ACRES_NEW_PASSPHRASE", OTHER)
    changed = acres("key", "passphrase", home="zoe")
    assert (changed.status, changed.err) == (0, "")
    assert "key backup" in changed.out
    assert "not the passphrase" in refused("key", "passphrase", "--remove")
    monkeypatch.setenv("ACRES_PASSPHRASE", OTHER)
    removed = acres("key", "passphrase", "--remove", home="zoe")
    assert (removed.status, is_sealed(), seed_of("zoe")) == (0, False, seed)
    assert "not sealed any more" in removed.out
    assert "nothing to remove" in refused("key", "passphrase", "--remove")


def test_without_a_way_to_the_passphrases_nothing_is_changed(here, monkeypatch):
    assert "ACRES_NEW_PASSPHRASE" in refused("key", "passphrase")
    seal(monkeypatch)
    assert "ACRES_PASSPHRASE" in refused("key", "passphrase", "--remove")
    assert "ACRES_PASSPHRASE" in refused("key", "backup", "--unsealed")


@pytest.mark.parametrize(
    "typed",
    [
        ["key", "passphrase", SECRET],
        ["init", "--passphrase", SECRET],
        ["key", "passphrase", "--remove", SECRET],
        ["key", "passphrase", "--new-passphrase-fd", "4", SECRET],
        ["key", "show", SECRET],
        ["key", "backup", SECRET],
        ["key", "restore", "paper.txt", SECRET],
        ["key", "restore", *SECRET.split()],
    ],
)
def test_a_passphrase_in_the_command_is_refused_and_not_repeated(here, typed):
    said = refused(*typed, home="new" if typed[0] == "init" else "zoe")
    assert not [word for word in SECRET.split() if len(word) > 3 and word in said]
    assert "not typed into the command" in said


@pytest.mark.parametrize("how", ["in one word", "in quotes", "with its number", "in words"])
def test_a_recovery_text_in_the_command_is_refused_and_not_repeated(here, how):
    line = next(line for line in backup("--unsealed").splitlines() if line.startswith("  1"))
    number, *groups = line.split()
    typed = {
        "in one word": ["".join(groups)],
        "in quotes": [" ".join(groups)],
        "with its number": [line.strip()],
        "in words": [number, *groups],
    }[how]
    said = refused("key", "restore", *typed, home="new")
    assert not [group for group in groups if group in said]
    assert "not typed into the command" in said


@pytest.mark.parametrize(
    "typed",
    [["--passphrase-fd", SECRET, "key"], ["key", "passphrase", "--new-passphrase-fd", SECRET]],
)
def test_a_passphrase_in_the_place_of_a_number_is_not_repeated(here, typed):
    said = refused(*typed)
    assert "takes a whole number" in said
    assert "xyzzy" not in said


def given_by(data, *arguments, home="zoe", variables=None, number=None):
    """Run a command to which a file descriptor gives these bytes; its number replaces FD."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    number = reading if number is None else number
    named = {name: value.replace("FD", str(number)) for name, value in (variables or {}).items()}
    try:
        return subprocess.run(
            [*COMMAND, "--home", home, *(str(a).replace("FD", str(number)) for a in arguments)],
            env=environment(**named), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            pass_fds=[reading], timeout=60,
        )  # fmt: skip
    finally:
        os.close(reading)


def test_a_file_descriptor_gives_the_passphrase(here, monkeypatch):
    seal(monkeypatch)
    made = ["new", "--side", "any", "--output"]
    option, variable = ["--passphrase-fd", "FD"], {"ACRES_PASSPHRASE_FD": "FD"}
    wrong = {"ACRES_PASSPHRASE": OTHER}
    for number, (data, options, variables) in enumerate(
        [
            (SECRET, option, {}),
            (f"{SECRET}\n", option, wrong),
            (f"{SECRET}\r\nmore\n", [], variable),
            (f"{SECRET}\n{OTHER}\n", [], variable | wrong),
        ]
    ):
        done = given_by(data.encode(), *options, *made, f"{number}.toml", variables=variables)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no passphrase"),
        (b"\n" + SECRET.encode(), "no passphrase"),
        (b"x" * 1025, "longer than"),
        (OTHER.encode(), "not the passphrase"),
    ],
)
def test_a_file_descriptor_with_another_thing_in_it(here, monkeypatch, data, says):
    seal(monkeypatch)
    done = given_by(data, "--passphrase-fd", "FD", "key", "passphrase", "--remove")
    assert (done.returncode, is_one_sentence(done.stderr)) == (2, True), done.stderr
    assert says in done.stderr
    assert is_sealed()


@pytest.mark.parametrize("number", ["99", "-1", str(2**40)])
def test_a_file_descriptor_that_is_none(here, monkeypatch, number):
    seal(monkeypatch)
    said = refused("--passphrase-fd", number, "key", "passphrase", "--remove")
    assert number in said


def test_old_and_new_passphrase_come_one_after_the_other(here, monkeypatch):
    seal(monkeypatch)
    both = f"{SECRET}\n{OTHER}\n".encode()
    done = given_by(both, "--passphrase-fd", "FD", "key", "passphrase", "--new-passphrase-fd", "FD")
    assert (done.returncode, done.stderr) == (0, "")
    assert seed_of("zoe", OTHER)


def test_completing_a_line_takes_no_passphrase_away():
    reading, writing = os.pipe()
    try:
        os.write(writing, SECRET.encode())
        os.close(writing)
        command = typer.main.get_command(app)
        for completes, expected in ((True, ""), (False, SECRET)):
            line = ["--passphrase-fd", str(reading)]
            context = command.make_context("acres", line, resilient_parsing=completes)
            assert given_passphrase(context) == expected
    finally:
        os.close(reading)


# --- at a terminal


def typing(*arguments, folder, home="zoe", **options):
    return Terminal([*COMMAND, "--home", home, *arguments], folder=folder, **options)


def test_a_new_passphrase_is_typed_twice_and_never_shown(here):
    with typing("key", "passphrase", folder=here) as terminal:
        for first, second in ((SECRET, OTHER), (SECRET, SECRET)):
            terminal.wait_at("A passphrase for your key: ")
            terminal.type(first)
            terminal.wait_at("Once more: ")
            terminal.type(second)
        assert terminal.ended() == 0
        assert "These two differ." in terminal.text
        assert "harder to guess" not in terminal.text
        assert SECRET.encode() not in terminal.raw
        assert OTHER.encode() not in terminal.raw
    assert is_sealed()
    with typing("key", "passphrase", "--remove", folder=here) as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.type(OTHER)
        terminal.wait_for("not the passphrase of your identity. Please try again.")
        terminal.wait_at("Passphrase: ")
        terminal.type(SECRET)
        assert terminal.ended() == 0
        assert SECRET.encode() not in terminal.raw
    assert not is_sealed()


def test_a_short_passphrase_is_taken_with_a_hint(here):
    with typing("key", "passphrase", folder=here) as terminal:
        terminal.wait_at("A passphrase for your key: ")
        terminal.type("short")
        terminal.wait_at("Once more: ")
        terminal.type("short")
        assert terminal.ended() == 0
        assert terminal.text.count("harder to guess") == 1
    assert seed_of("zoe", "short")


@pytest.mark.parametrize(
    "command", [["key", "passphrase"], ["init", "--name", "B", "--passphrase"]]
)
@pytest.mark.parametrize("leave", ["empty", "interrupt", "end of input"])
def test_without_a_new_passphrase_everything_stays(here, command, leave):
    before = snapshot(here)
    home = "zoe" if command[0] == "key" else "new"
    with typing(*command, folder=here, home=home) as terminal:
        if command[0] == "init":
            terminal.wait_at("may stay empty): ")
            terminal.type("")
        terminal.wait_at("A passphrase for your key: ")
        if leave == "interrupt":
            terminal.interrupt()
        else:
            terminal.press("enter" if leave == "empty" else "ctrl-d")
        assert terminal.ended() == (130 if leave == "interrupt" else 0)
        assert "Nothing was written." in terminal.text
    assert snapshot(here) == before


def test_after_three_wrong_passphrases_the_way_back_is_named(here, monkeypatch):
    seal(monkeypatch)
    with typing("key", "passphrase", "--remove", folder=here) as terminal:
        for number in range(1, 4):
            terminal.wait_for(lambda t, number=number: t.text.count("Passphrase:") == number)
            terminal.settle()
            terminal.type(OTHER)
        assert terminal.ended() == 2
        assert "key restore --replace" in terminal.text
    assert is_sealed()


def test_a_terminal_that_would_show_the_passphrase_is_not_used(monkeypatch):
    def shows(prompt):
        warnings.warn("Password input may be echoed.", getpass.GetPassWarning, stacklevel=1)
        return SECRET

    monkeypatch.setattr(getpass, "getpass", shows)
    with pytest.raises(WrongUse, match="would show your passphrase"):
        console.ask_secret("Passphrase: ")


# --- paper


def backup(*options, home="zoe"):
    done = acres("key", "backup", *options, home=home)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_a_key_on_paper_plays_on(played):
    before = acres("turn", "show", FILE, home="british").out
    text = backup("--unsealed", home="british")
    (played / "paper.txt").write_text(text, "utf-8")
    back = acres("key", "restore", "paper.txt", home="restored")
    assert (back.status, back.err) == (0, "")
    assert "Anna" in back.out
    assert "Two different answers to one file are proof of cheating." in words(back.out)
    assert seed_of("restored") == seed_of("british")
    assert stat.S_IMODE((played / "restored").stat().st_mode) == 0o700
    assert stat.S_IMODE((played / "restored/identity.toml").stat().st_mode) == 0o600
    after = acres("turn", "show", FILE, home="restored").out
    assert after.replace("restored", "british") == before
    assert (played / "restored/identity.toml").read_bytes() == (
        played / "british/identity.toml"
    ).read_bytes()


def test_paper_that_is_sealed_opens_with_the_passphrase_of_the_key(here, monkeypatch):
    seed = seed_of("zoe")
    seal(monkeypatch)
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)
    (here / "paper.txt").write_text(backup("--sealed"), "utf-8")
    monkeypatch.setenv("ACRES_PASSPHRASE", OTHER)
    assert "passphrase of this recovery text" in refused("key", "restore", "paper.txt", home="new")
    monkeypatch.delenv("ACRES_PASSPHRASE")
    assert "ACRES_PASSPHRASE" in refused("key", "restore", "paper.txt", home="new")
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)
    back = acres("key", "restore", "paper.txt", home="new")
    assert (back.status, back.err) == (0, "")
    assert "It is sealed" in back.out
    assert (is_sealed("new"), seed_of("new")) == (True, seed)


def test_whether_it_is_sealed_has_to_be_said(here):
    assert "--unsealed" in refused("key", "backup")


def test_at_a_terminal_it_is_asked_whether_to_seal(here):
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
    back = acres_process("key", "restore", "paper.txt", home="new", ACRES_PASSPHRASE=SECRET)
    assert back.status == 0, back.err
    assert seed_of("new") == seed_of("zoe")


def test_a_text_is_read_from_the_input(here):
    text = backup("--unsealed").upper().replace("NAME:", "name:")
    done = subprocess.run(
        [*COMMAND, "--home", "new", "key", "restore", "-"],
        input=text.encode(), env=environment(), capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert seed_of("new") == seed_of("zoe")


def test_a_text_is_typed_line_by_line_with_mistakes(here):
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
        terminal.wait_at("may stay empty): ")
        terminal.type("")
        assert terminal.ended() == 0
    assert seed_of("new") == seed_of("zoe")
    assert keyfile.read(here / "new/identity.toml").name == "Zoé again"


def test_a_name_is_needed_where_the_text_has_none(here):
    lines = [line for line in backup("--unsealed").splitlines() if "name:" not in line]
    (here / "paper.txt").write_text("\n".join(lines))
    said = refused("key", "restore", "paper.txt", home="new")
    assert said == "acres: Say who you are: acres --home new key restore --name NAME\n"
    named = acres("key", "restore", "paper.txt", "--name", "Zoé", home="new")
    assert named.status == 0, named.err
    assert seed_of("new") == seed_of("zoe")


def test_a_text_with_a_mistake_brings_nothing_back(here):
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


def test_another_key_above_the_lines_is_told(here):
    key = keyfile.read(here / "zoe/identity.toml").public_key[:8].hex(" ", 2)
    (here / "paper.txt").write_text(backup("--unsealed").replace(key, "0000 1111 2222 3333"))
    back = acres("key", "restore", "paper.txt", home="new")
    assert back.status == 0
    assert back.err.startswith("Note: Above its lines the recovery text names another key")


def test_an_identity_is_replaced_only_where_that_is_said(here):
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    seed, others = seed_of("zoe"), []
    for name in ("Eve", "Eva"):
        assert acres("init", "--name", name, home="other").status == 0
        others.append((here / "other/identity.toml").read_bytes())
        said = refused("key", "restore", "paper.txt", home="other")
        assert "--replace" in said
        assert "--home DIR" in said
        back = acres("key", "restore", "paper.txt", "--replace", home="other")
        assert back.status == 0, back.err
        assert "kept in" in back.out
        assert seed_of("other") == seed
        kept = [path.read_bytes() for path in (here / "other").glob("identity-*.toml")]
        assert sorted(kept) == sorted(others)
        (here / "other/identity.toml").unlink()
    for path in (here / "other").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_paper_undoes_a_forgotten_passphrase(here, monkeypatch):
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    seed = seed_of("zoe")
    seal(monkeypatch)
    back = acres("key", "restore", "paper.txt", "--replace", home="zoe")
    assert (back.status, back.err) == (0, "")
    assert (is_sealed(), seed_of("zoe")) == (False, seed)
    # It is the same key: there is nothing to keep beside it.
    assert [path.name for path in (here / "zoe").iterdir()] == ["identity.toml"]


@pytest.mark.parametrize("content", [b"", b"\x89PNG\0", b"name = 1\n"])
def test_a_damaged_identity_is_replaced_and_kept(here, content):
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


def test_a_private_key_under_the_name_of_another_is_kept(here):
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


def test_a_backup_overwrites_nothing(here):
    (here / "paper.txt").write_text("mine")
    said = refused("key", "backup", "--unsealed", "--output", "paper.txt")
    assert (
        said == "acres: There is a file paper.txt already; it was not touched. Name another one.\n"
    )


# --- what can still be done


def test_a_wrong_passphrase_names_the_way_back(here, monkeypatch):
    seal(monkeypatch)
    monkeypatch.setenv("ACRES_PASSPHRASE", OTHER)
    said = refused("new", "--side", "any")
    assert "not the passphrase of your identity" in said
    assert said.endswith("acres --home zoe key restore --replace\n")


def test_a_foreign_key_is_told_from_those_of_the_game(played, monkeypatch):
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


def test_a_lost_key_is_not_simply_made_anew(played):
    for folder in ("british", "nobody"):
        (played / folder / "identity.toml").unlink(missing_ok=True)
        said = refused("turn", "apply", FILE, *PASSES, home=folder)
        assert "this game goes on only with the keys of Anna" in said
        assert said.endswith(f"acres --home {folder} key restore\n")
    gone = refused("new", "--side", "any", home="british")
    assert "gone from british" in gone
    assert "key restore" in gone
    shown = acres("turn", "show", FILE, home="british")
    assert (shown.status, "acres --home british key restore" in words(shown.out)) == (0, True)
    assert "Make one with" in refused("new", "--side", "any", home="nobody")
    made = acres("init", "--name", "Anna", home="british")
    assert made.status == 0
    assert made.err.startswith("Note: Games were played from this folder with another key")


def test_what_was_signed_is_still_remembered_after_a_restore(played):
    (played / "paper.txt").write_text(backup("--unsealed", home="british"), "utf-8")
    assert acres("turn", "apply", FILE, *PASSES, home="british").status == 0
    (played / "british/identity.toml").unlink()
    (played / "game-018.toml").unlink()
    assert acres("key", "restore", "paper.txt", home="british").status == 0
    again = acres("turn", "apply", FILE, "draft Rangers", "pass", home="british")
    assert again.status == 2
    assert "You answered this file already" in again.err


# --- stopped in the middle


@pytest.mark.parametrize("command", ["passphrase", "restore"])
def test_a_command_killed_at_any_moment_leaves_a_whole_key(here, command):
    random, path = Random(3), here / "zoe/identity.toml"
    seed = seed_of("zoe")
    (here / "paper.txt").write_text(backup("--unsealed"), "utf-8")
    clear = path.read_bytes()
    given = {"ACRES_PASSPHRASE": SECRET, "ACRES_NEW_PASSPHRASE": SECRET}
    words = ["passphrase"] if command == "passphrase" else ["restore", "paper.txt", "--replace"]
    for _ in range(4):
        path.write_bytes(clear)
        process = subprocess.Popen(
            [*COMMAND, "--home", "zoe", "key", *words],
            env=environment(**given), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(random.uniform(0.1, 1.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert seed_of("zoe") == seed
    done = acres_process("key", *words, home="zoe", **given)
    assert done.status == 0, done.err
    assert sorted(file.name for file in (here / "zoe").iterdir()) == ["identity.toml"]
