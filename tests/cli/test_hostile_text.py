"""Hostile names, addresses, orders and files are printed as harmless text.

They cannot move the cursor, colour the screen, or look like the program's own words.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pbem.foreign import shell_quote
from pbem.play import keyfile
from pbem.protocol import steps
from pbem.savefile.save_file import SaveFile
from tests.attacks.cheats import add_record
from tests.attacks.positions import play_passes
from tests.cli.commands import FILE, PASSES, ROOT, Result, acres, do
from tests.cli.screen import Terminal
from tests.play.matches import identities

NAMES = {
    "the programs word": "acres: this is proved",
    "you": "Anna (British, you)",
    "closes its quotes": "x” (French). Note: all is well. “y",
    "markup": "[bold red]x[/] {0} %s \\n $(id) `id`",
    "a long sentence": "Everything in this file is proved. Anna has to pay 5 money",
    "wide": "李" * 60,
    "a tower of accents": "Z" + "\u0316\u0317\u0318\u0319\u031c\u031d\u031e\u031f" * 7,
    "right to left": "אנה (British, you) 12",
    "nothing to see": "\u00a0\u2800\u00a0",
    "spaces": "a" + " " * 40 + "acres: b",
    "an emoji in many pieces": "👩🏽👩🏽👩🏽",
}
EMAILS = {"closes its brackets": "a>(you):acres:<b@x", "long": "acres:" + "x" * 240 + "@y"}


def begin_game(folder: Path, name: str, email: str, count: int = 4) -> list[Path]:
    """Return the first files of a game of Anna against an inviter with a hostile name."""
    files = [folder / f"game-{number:03}.toml" for number in range(count)]
    for who, called, address in (("anna", "Anna", "a@b"), ("other", name, email)):
        do("init", "--name", called, "--email", address, home=folder / who)
    written = [
        ("other", ["new", "--side", "french", "--lists", 16, "--output", files[0]]),
        ("anna", ["join", files[0]]),
        ("other", ["turn", "apply", files[1]]),
        ("anna", ["turn", "apply", files[2], "pass"]),
    ]
    for home, command in written[:count]:
        do(*command, home=folder / home)
    return files


VIEWERS = ("anna", "nobody")


def run_all_commands(
    folder: Path, files: list[Path], homes: Sequence[str] = VIEWERS, first: int = 0, step: int = 1
) -> dict[str, Result]:
    """Return the output of all commands on such a game, for the other player and a stranger.

    Run every `step`th command from `first` on. A stranger gets no commands that only a player can
    run.
    """
    output: dict[str, Result] = {}
    for home in homes:
        at = {"home": folder / home}
        commands = [
            command
            for file in files
            for command in (
                ["turn", "show", file],
                ["turn", "show", file, "--at", "0"],
                ["turn", "show", file, "--record", "0"],
                ["turn", "show", file, "--json"],
                ["turn", "legal", file],
                ["turn", "legal", file, "--json"],
                ["turn", "legal", file, "--why", "settle canso: boston, pemaquid"],
                ["turn", "legal", file, "--after", "pass"],
                ["rules", "endings", file],
                ["card", "boston", file],
                ["location", "boston", file],
                ["turn", "apply", file, "--dry-run"],
                ["turn", "apply", file, "pass", "--dry-run"],
                ["turn", "resign", file, "--dry-run"],
                ["join", file],
                ["mail", "draft", file],
                ["log", file],
                ["log", file, "--markdown"],
                ["audit", file],
                ["audit", "--hands", file],
                ["audit", "--json", file],
                ["audit", file, files[0]],
            )
            if home == "anna" or command[1] not in ("legal", "apply", "resign")
        ][first::step]
        output |= {
            f"{home}: {' '.join(map(str, command))}": acres(*command, **at) for command in commands
        }
    return output


def assert_harmless(output: Result) -> None:
    """Check that the output has no control characters, and no lines like the program's own."""
    for text in (output.out, output.err):
        letters = set(text)
        assert not [c for c in letters if c != "\n" and unicodedata.category(c)[0] == "C"], text
        assert not letters & set("\u2028\u2029")
        accents = "".join(filter(unicodedata.combining, letters))
        assert not accents or not re.search(f"[{re.escape(accents)}]{{3}}", text), text
    assert "Traceback" not in output.err
    for line in output.err.splitlines():
        assert line.startswith(("acres: ", "Note: ")), output.err
    for line in output.out.splitlines():
        assert not line.lstrip().startswith(("acres: ", "Note: ")), line


def assert_quoted(output: Result) -> None:
    """Check that an output has the hostile words in quotes only."""
    assert_harmless(output)
    if output.out.lstrip().startswith(("{", "[")):
        return
    unquoted = re.sub(r"“[^“”]*”", "…", " ".join((output.out + output.err).split()))
    assert not set(unquoted) & set("“”"), unquoted
    for words in ("is proved. Anna", "all is well", "[bold", "$(id)", "this is proved"):
        assert words not in unquoted
    assert "(British, you) (French" not in unquoted
    _assert_in_order(unquoted)


def _assert_in_order(text: str) -> None:
    """Check that no number or name of the program follows right-to-left letters."""
    strong = [d for d in map(unicodedata.bidirectional, text) if d in ("R", "AL", "L", "EN", "AN")]
    for one, second in pairwise(strong):
        assert not (one in ("R", "AL") and second in ("EN", "AN")), text


# A stranger sees less, so only the long run tries every kind of name.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "homes", "step"),
    [
        # Each command is run with the first two names, and with several others.
        *((name, VIEWERS, 1) for name in list(NAMES)[:2]),
        *((name, VIEWERS[:1], 3) for name in list(NAMES)[2:]),
        *(pytest.param(name, VIEWERS, 1, marks=pytest.mark.long) for name in list(NAMES)[2:]),
    ],
)
def test_name_is_harmless_in_every_command(
    tmp_path: Path, name: str, homes: Sequence[str], step: int
) -> None:
    files = begin_game(tmp_path, NAMES[name], "x@y")
    # The invitation has the name alone, and a turn has it next to the player's own.
    looked_at = [files[0], files[-1]] if "nobody" in homes else files[-1:]
    output = run_all_commands(tmp_path, looked_at, homes, list(NAMES).index(name) % step, step)
    for command, result in output.items():
        assert result.status in (0, 1, 2), command
        assert_quoted(result)
    if "nobody" in homes:
        assert "(French)" in output[f"nobody: audit {files[-1]}"].out


@pytest.mark.parametrize("email", EMAILS)
def test_address_is_harmless(tmp_path: Path, email: str) -> None:
    files = begin_game(tmp_path, "Béla", EMAILS[email])
    # Each command is in one of two runs.
    at = list(EMAILS).index(email)
    for result in run_all_commands(tmp_path, files[-1:], first=at, step=len(EMAILS)).values():
        assert_quoted(result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "columns"), [("the programs word", 50), ("closes its quotes", 100)]
)
def test_guided_turn_quotes_a_hostile_name(tmp_path: Path, name: str, columns: int) -> None:
    begin_game(tmp_path, NAMES[name], "x@y", count=3)
    at: dict[str, Any] = {"folder": tmp_path, "columns": columns, "rows": 60, "ACRES_HOME": "anna"}
    with Terminal.acres("turn", "apply", "game-002.toml", **at) as terminal:
        terminal.wait_at("> ")
        terminal.type("pass")
        terminal.wait_at("[y/n] ")
        terminal.type("y")
        assert terminal.wait_for_exit() == 0, terminal.text
        assert (tmp_path / "game-003.toml").exists()
        for line in terminal.all_lines:
            assert not line.lstrip().startswith(("acres: ", "Note: ")), line
        assert terminal.wraps == 0


# --- hostile orders

ORDERS = [
    "acres: everything in this file is proved",
    "settle everything is proved: acres: all is well",
    "pass " + "acres: all is well " * 100 + "x",
    "draft rangers (British, you)",
    "x" * 2000,
]


@pytest.mark.parametrize("order", ORDERS)
def test_unreadable_order_is_quoted(tmp_path: Path, order: str) -> None:
    records = add_record(play_passes(), [steps.OrderStep(order)])
    file = tmp_path / "game.toml"
    file.write_bytes(SaveFile(tuple(records)).write())
    for identity in identities():
        home = tmp_path / identity.name
        home.mkdir()
        keyfile.save(identity, home / "identity.toml")
        for command in ("show", "legal", "apply"):
            output = acres("turn", command, file, home=home).fails(1)
            assert output.err.count("\n") == 1
            assert len(output.err) < 700
            assert_quoted(output)
    output = acres("audit", file)
    assert output.status == 1
    assert_quoted(output)
    assert len(output.out) < 1500


# --- files


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["x\nacres: all is well\x1b[31m.toml", "\u202elmot.toml", "\x9b2J"]
)
def test_hostile_file_name_is_quoted(
    game: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(game)
    try:
        shutil.copy(FILE, name)
    except OSError:
        pytest.skip("no file can have that name here")
    for home in ("british", "french"):
        for command in (
            ["turn", "show", name],
            ["turn", "legal", name],
            ["turn", "apply", name, *PASSES, "--dry-run"],
            ["turn", "apply", name, *PASSES, "--output", f"out-{name}"],
            ["audit", name],
            ["audit", name, "game-016.toml"],
            ["audit", "game-016.toml", name],
            ["turn", "apply", name, "--orders", f"missing-{name}"],
            ["turn", "apply", name, *PASSES, "--output", f"out-{name}"],
            ["join", name],
        ):
            assert_harmless(acres(*command, home=Path(home)))
    assert_harmless(acres("init", "--name", "Zoé", home=Path(f"home-{name}")))


def test_shell_quote_protects_hostile_file_names() -> None:
    for name in ("it's\n\x1b[31mé.toml", "a b", "\udcff.toml"):
        line = f"printf %s {shell_quote(Path(name))}"
        result = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60)
        assert result.stdout.decode("utf-8", "surrogateescape") == name


@pytest.mark.parametrize("all_of_them", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('format = "', 'format = "\\u001b[31m', 1),
        lambda text: '"\\u001b[31m acres: all is well" = 1\n' + text,
        lambda text: text.replace("[summary]", '["\\u001b[31m\\u202e"]\nx = 1\n\n[summary]', 1),
        lambda text: text.replace('side = "british"', 'side = "\\u001b[31m”: acres: “"', 1),
        lambda text: re.sub(
            r'time = "[^"]*"', 'time = "\\\\u001b]0;owned\\\\u0007"', text, count=1
        ),
        lambda text: re.sub(r'name = "[^"]*"', 'name = "\\\\u001b[31m"', text, count=1),
        lambda text: text.replace("\n", "\n\x1b[31m", 1),
        lambda text: text + "\x9b31m\u2028acres: all is well",
    ],
)
def test_damaged_file_is_harmless(
    tmp_path: Path, damage: Callable[[str], str], all_of_them: bool
) -> None:
    text = (ROOT / "saves" / "practice" / "game-041.toml").read_text()
    file = tmp_path / "game.toml"
    damaged = damage(text)
    assert damaged != text
    file.write_text(damaged)
    commands = ["turn show", "turn legal", "turn apply", "audit", "join"]
    for command in commands if all_of_them else commands[::3]:
        output = acres(*command.split(), file, home=ROOT / "saves" / "practice" / "british")
        assert output.status in (1, 2)
        assert_harmless(output)
        assert "all is well" not in re.sub(r"“[^“”]*”|'[^']*'", "", output.out + output.err)
