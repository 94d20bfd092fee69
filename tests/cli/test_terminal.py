"""At a terminal: questions, answers, second thoughts and Ctrl-C."""

import re
import time
import tomllib
from pathlib import Path

import pytest
from pexpect.pty_spawn import spawn

from engine.orders import Raid
from tests.cli.screen import Spawn, sleeps
from tests.cli.table import Table
from tests.cli.using import (
    COMMAND,
    acres,
    do,
    environment,
    heed_interrupts,
    practice_save,
    snapshot,
)
from tests.play.turns import find, in_sequence
from tests.present import present

pexpect = pytest.importorskip("pexpect")

PROMPT = r"\r\n> "


def terminal(*arguments: str, folder: Path, columns: int = 80, **variables: str) -> spawn:
    program, *options = COMMAND
    return Spawn(
        program,
        [*options, *map(str, arguments)],
        cwd=str(folder),
        env=environment(TERM="xterm", **variables),
        dimensions=(40, columns),
        encoding="utf-8",
        timeout=60,
        preexec_fn=heed_interrupts,
    )


def ended(child: spawn) -> tuple[int, str]:
    """The exit status, and what was printed since the last expectation."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, child.before


def interrupt(child: spawn) -> None:
    """Press Ctrl-C, as late after the prompt as a person would.

    A signal between the prompt and the reading that follows it would wait for the next key.
    """
    time.sleep(0.3)
    while not sleeps(child.pid):
        time.sleep(0.05)
    child.sendintr()


def leading(side: str, file: Path) -> spawn:
    """A turn led through in plain lines; with a menu below the line, test_leading.py leads."""
    home = ("--home", side)
    child = terminal(*home, "--plain", "turn", "apply", file.name, folder=file.parent)
    child.expect(PROMPT)
    return child


def applying(game: Path) -> spawn:
    return leading("british", game / "game-017.toml")


def say(child: spawn, line: str) -> str:
    """Type a line, and return what the program says to it."""
    child.sendline(line)
    child.expect([PROMPT, r"\[y/n\] "])
    return str(child.before)


@pytest.mark.parametrize("leave", ["quit", "end of input", "interrupt", "interrupt at the end"])
def test_leaving_leaves_everything_as_it_was(game: Path, leave: str) -> None:
    before = snapshot(game)
    child = applying(game)
    say(child, "pass")
    if leave == "quit":
        child.sendline("Quit")
    elif leave == "end of input":
        child.sendeof()
    else:
        if leave == "interrupt at the end":
            say(child, "pass")
        interrupt(child)
    status, told = ended(child)
    assert status == (130 if "interrupt" in leave else 0)
    assert "Nothing was written." in told
    assert "Traceback" not in told
    assert snapshot(game) == before


def test_init_asks_who_you_are_and_seals_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = terminal("--home", "home", "init", "--passphrase", folder=tmp_path)
    child.expect("Your name")
    child.sendline("Zoé")
    child.expect("e-mail")
    child.sendline("not an address")
    child.expect("must contain an @.*e-mail")
    child.sendline("not an address @ all")
    child.expect("without spaces.*e-mail")
    child.sendline("")
    for first, second in (("xyzzy", "plugh"), ("xyzzy", "xyzzy")):
        child.expect("passphrase for your key: ")
        child.sendline(first)
        child.expect("Once more: ")
        child.sendline(second)
    status, told = ended(child)
    assert status == 0, told
    assert "xyzzy" not in told
    table = tomllib.loads((tmp_path / "home" / "identity.toml").read_text())
    assert (table["name"], table["email"], "seed" in table) == ("Zoé", "", False)
    # Sealed in this process, it is opened at little cost.
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    monkeypatch.setenv("ACRES_NEW_PASSPHRASE", "xyzzy")
    do("key", "passphrase", home=tmp_path / "home")
    for name in ("ACRES_PASSPHRASE", "ACRES_NEW_PASSPHRASE"):
        monkeypatch.delenv(name)
    for secrets, expected in ((["plugh"] * 3, 2), (["plugh", "xyzzy"], 0)):
        child = terminal("--home", "home", "new", "--side", "any", folder=tmp_path)
        for number, secret in enumerate(secrets):
            child.expect("Passphrase: ")
            assert ("not the passphrase" in child.before) == (number > 0)
            child.sendline(secret)
        assert ended(child)[0] == expected
    # What the environment gives is not asked again; what it gives empty is not given.
    child = terminal("--home", "home", "new", "--side", "any", folder=tmp_path, ACRES_PASSPHRASE="")
    child.expect("Passphrase: ")
    child.sendintr()
    assert ended(child)[0] == 130
    child = terminal(
        "--home", "home", "new", "--side", "any", folder=tmp_path, ACRES_PASSPHRASE="plugh"
    )
    assert ended(child)[0] == 2
    assert len(list(tmp_path.glob("*.toml"))) == 1


def test_an_interrupted_init_leaves_no_key(tmp_path: Path) -> None:
    child = terminal("--home", "home", "init", folder=tmp_path)
    child.expect("Your name")
    interrupt(child)
    status, told = ended(child)
    assert (status, "Nothing was written." in told) == (130, True)
    assert not (tmp_path / "home").exists()


def test_a_reply_shows_what_was_announced_before_ones_own_turn_begins(tmp_path: Path) -> None:
    turn, (raid,) = find(in_sequence(Raid))
    table = Table(tmp_path, turn.match, turn.seed)
    table.apply(raid.notation(), "pass")
    child = leading(present(table.match.next_side).value, table.file)
    assert "They announced what comes next, whatever you answer: pass; end." in plain(child.before)
    told = plain(say(child, "allow"))
    assert "You allowed the raid on" in told
    assert re.search(
        r"turn \d+: They passed, leaving an action unused. They ended their turn.", told
    )
    assert "2 actions to take" in told
    child.sendline("quit")
    assert ended(child)[0] == 0


def test_a_no_to_a_reply_says_how_it_is_taken_back(tmp_path: Path) -> None:
    turn, (raid,) = find(in_sequence(Raid))
    table = Table(tmp_path, turn.match, turn.seed)
    table.apply(raid.notation(), "--wait")
    child = leading(present(table.match.next_side).value, table.file)
    assert "Your answer:" in say(child, "allow")
    for typed in ("n", "back"):
        told = plain(say(child, typed))
        assert "That takes no order back. The word undo takes this one back: allow" in told
        assert "Your answer:" not in told
    told = say(child, "undo")
    assert "Taken back: allow" in told
    assert "allow it" in plain(told)
    child.sendline("quit")
    assert ended(child)[0] == 0


def test_resigning_is_asked_about(game: Path) -> None:
    before = snapshot(game)
    for key, status in (("n", 0), ("interrupt", 130), ("y", 0)):
        assert snapshot(game) == before
        child = terminal("--home", "british", "turn", "resign", "game-017.toml", folder=game)
        child.expect(r"Game \w{8} against [^:]*: Give up the game.*\[y/n\] ")
        child.sendline("well")
        child.expect(r"y gives the game up, n leaves it as it is\..*\[y/n\] ")
        if key == "interrupt":
            interrupt(child)
        else:
            child.sendline(key)
        ending, told = ended(child)
        assert ending == status
        assert ("game-018.toml" in told) == (key == "y")
        assert ("Nothing was written." in told) == (key != "y")
    assert (game / "game-018.toml").exists()


def plain(told: str) -> str:
    """What was printed, as one line of words."""
    return " ".join(re.sub(r"\x1b\[[\d;]*m", "", told).split())


def shown_at(columns: int, file: Path) -> list[str]:
    """What `turn show` prints at a terminal so wide, but for commands, which are never broken."""
    child = terminal(
        "--home", "british", "turn", "show", file.name, folder=file.parent, columns=columns
    )
    status, told = ended(child)
    assert status == 0
    # What the terminal erases again is the sign of life of a slow computer.
    kept = re.sub(r"([^\n]*\n)?[^\n]*\x1b\[1A\x1b\[2K|[^\n]*\x1b\[2K", "", told)
    lines = re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", kept).splitlines()
    return [line for line in lines if not line.startswith("To answer:")]


@pytest.mark.parametrize("columns", [30, 36, 40])
def test_a_narrow_terminal_breaks_lines_between_words(tmp_path: Path, columns: int) -> None:
    file = practice_save(66, tmp_path)
    wide, narrow = shown_at(79, file), shown_at(columns, file)
    assert max(map(len, narrow)) <= columns
    words = [set(re.findall(r"[^\W\d_]+", "\n".join(lines))) for lines in (wide, narrow)]
    assert words[0] == words[1]
    assert any(re.search(r"^ +British +French$", line) for line in narrow)
    for label in ("Victory points", "Money", "Draw pile"):
        (beside,), (squeezed,) = (
            [line.split()[-2:] for line in lines if line.startswith(label)]
            for lines in (wide, narrow)
        )
        assert beside == squeezed


# --- a computer that does not remember


def test_whoever_has_lost_the_library_is_asked_before_any_order(game: Path) -> None:
    (game / "british" / "library.sqlite3").unlink()
    words = ("--home", "british", "--plain", "turn", "apply", "game-017.toml")
    before = snapshot(game)
    for orders in ([], ["pass", "pass"]):
        child = terminal(*words, *orders, folder=game)
        child.expect(r"Is this the newest file of the game\? \[y/n\] ")
        told = " ".join(child.before.split())
        assert told.startswith("This computer does not remember your part in this game.")
        assert "your hand and draw pile" in told
        assert "games add FOLDER" in told
        child.sendline("perhaps")
        child.expect(r"y goes on to your answer, n stops here\.")
        child.sendline("n")
        assert "Nothing was written." in ended(child)[1]
        assert snapshot(game) == before
    child = terminal(*words, folder=game)
    child.expect(r"\[y/n\] ")
    child.sendline("y")
    child.expect(PROMPT)
    say(child, "pass")
    say(child, "pass")
    child.sendline("")
    child.expect(r"\[y/n\] ")
    child.sendline("y")
    assert "game-018.toml" in ended(child)[1]


def test_whoever_has_lost_the_library_is_asked_of_each_invitation(game: Path) -> None:
    (game / "french" / "library.sqlite3").unlink()
    for number in range(2):
        acres("new", "--side", "any", "--lists", 16, "--output", game / f"b{number}-000.toml",
              home=game / "british")  # fmt: skip
    child = terminal("--home", "french", "join", "b0-000.toml", folder=game)
    child.expect(r"Do you accept it for the first time\? \[y/n\] ")
    assert "choose your first hand" in " ".join(child.before.split())
    child.sendline("n")
    assert "Nothing was written." in ended(child)[1]
    for number in range(2):
        child = terminal("--home", "french", "join", f"b{number}-000.toml", folder=game)
        child.expect(r"Do you accept it for the first time\? \[y/n\] ")
        child.sendline("y")
        child.expect("Which side do you take")
        child.sendline("french")
        assert f"b{number}-001.toml" in ended(child)[1]
