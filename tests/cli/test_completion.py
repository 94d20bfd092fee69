"""The TAB key: what each shell is offered, and what then stands on the line."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import game
from engine.catalogue import load
from engine.choices import Choices
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import State, new_game
from pbem.cli.completion.shells import for_bash, split
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.protocol.record import Record
from pbem.text.language import SOURCE, Language, as_typed, extends, fold
from pbem.text.ordering.lists import AnyOrders, going_on
from tests.cli.screen import Terminal
from tests.cli.using import (
    FILE,
    ROOT,
    acres,
    acres_process,
    copy_practice_save,
    do,
    key_of,
    pipe,
    snapshot,
)
from tests.engine.arbitrary import random_game
from tests.mail.programs import PROGRAMS
from tests.present import present

Offered = Callable[..., list[str]]
ENGLISH = Language(SOURCE)
PRACTICE = ROOT / "saves" / "practice"
MIDDLE = PRACTICE / "game-041.toml"
"""The French raid; the British can allow it, or block it with one card."""
BRITISH = f"acres --home {PRACTICE}/british"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Offered:
    """What the shells are offered for a line with the cursor at its end."""

    def ask(line: str, shell: str = "fish", **variables: str) -> list[str]:
        variables |= {"_ACRES_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": line}
        variables |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        variables |= {"_TYPER_COMPLETE_WORD_TO_COMPLETE": line.rpartition(" ")[2]}
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        told = acres()
        assert told.err == ""
        assert "Traceback" not in told.out
        return [line for line in told.out.split("\n") if line]

    return ask


def values(offered: Sequence[str]) -> list[str]:
    """The values, without the remarks beside them."""
    return [line.partition("\t")[0] for line in offered]


# --- what is offered


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (["french-start-choice"], ["governor"]),
        (["french-start-choice", "no-governors"], []),
        ([], []),
    ],
)
@pytest.mark.usefixtures("here")
def test_who_joins_is_offered_the_start_cards_of_the_invitation(
    offered: Offered, rules: Sequence[str], expected: Sequence[str]
) -> None:
    assert acres("--home", "anna", "init", "--name", "Anna").status == 0
    named = [word for rule in rules for word in ("--house-rule", rule)]
    do("--home", "anna", "new", "--side", "british", *named, "--output", "game-000.toml")
    line = "acres --home bela join game-000.toml --start-card gov"
    assert values(offered(line)) == expected


@pytest.mark.usefixtures("in_the_game")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("turn apply pa", ["pass"]),
        ("turn apply pass pa", ["pass"]),
        ("turn legal pa", ["pass"]),
        ("turn legal 1 pa", ["pass"]),
        ("turn show É", ["Émile"]),
        ("turn apply É", ["Émile"]),
        ("turn apply Émile pass pa", ["pass"]),
    ],
)
def test_where_no_file_is_named_the_game_that_waits_is_meant(
    offered: Offered, line: str, expected: Sequence[str]
) -> None:
    acres("turn", "show", FILE, home="british")
    assert values(offered(f"acres --home british {line}")) == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_the_shell_waits_for_nothing_that_is_no_file(here: Path, offered: Offered) -> None:
    shutil.copy(MIDDLE, "game-041.toml")
    with pipe(here / "pipe.toml", MIDDLE.read_bytes()):
        assert values(offered("acres turn show ")) == ["game-041.toml"]


def test_messages_are_offered_like_files(here: Path, offered: Offered) -> None:
    Path("mail.eml").write_bytes(PROGRAMS["attached as application/toml"](MIDDLE.read_bytes()))
    Path("empty.eml").write_bytes(b"Subject: nothing\n\nNothing.\n")
    assert values(offered("acres turn apply ")) == ["empty.eml", "mail.eml"]
    assert values(offered(f"{BRITISH} turn apply mail.eml al")) == ["allow"]
    assert offered(f"{BRITISH} turn apply empty.eml al") == []


def test_what_was_typed_stays_as_it_was_typed(offered: Offered) -> None:
    apply = f"{BRITISH} turn apply {MIDDLE} allow "
    assert values(offered(apply + "'SETTLE fort b")) == ["SETTLE fort beausejour: Pemaquid, Boston"]
    assert values(offered(apply + '"Settle Fort Beausejour: ')) == [
        "Settle Fort Beausejour: Pemaquid, Boston"
    ]
    assert offered(apply + "'settle nowhere") == []


def test_after_its_name_comes_the_file(here: Path, offered: Offered) -> None:
    shutil.copy(MIDDLE, "game-041.toml")
    for line in ("rules settle", "card rangers", "location fort duquesne", "card 'home support'"):
        assert values(offered(f"acres {line} ")) == ["game-041.toml"]


@pytest.mark.parametrize(
    "line",
    [
        f"{BRITISH} turn apply missing.toml ",
        f"{BRITISH} turn apply {ROOT}/pyproject.toml ",
        f"{BRITISH} turn apply {MIDDLE} nonsense ",
        f"acres --home nowhere turn apply {MIDDLE} ",
        f"acres --home {PRACTICE}/french turn apply {MIDDLE} ",
        f"{BRITISH} turn apply {PRACTICE}/game-130.toml ",
        f"{BRITISH} turn apply {MIDDLE} '",
        "acres turn apply ",
        "acres nonsense ",
        "acres --nonsense ",
        "acres turn show --at ",
        "",
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell", "nonsense"])
def test_what_goes_wrong_offers_nothing_in_silence(
    offered: Offered, here: Path, monkeypatch: pytest.MonkeyPatch, line: str, shell: str
) -> None:
    monkeypatch.setenv("COMP_WORDS", line.replace(" ", "\n"))
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    for told in offered(line, shell):
        assert "acres:" not in told
    assert snapshot(here) == {}


def test_of_a_sealed_identity_only_what_everybody_may_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offered: Offered
) -> None:
    file = copy_practice_save(66, tmp_path)
    side = present(GameFile.read(file.read_bytes()).match.next_side)
    sealed = tmp_path / "sealed"
    sealed.mkdir()
    keyfile.save(key_of(side.value), sealed / "identity.toml", "xyzzy")
    before = snapshot(tmp_path)
    line = f"acres --home {sealed} turn apply {file} "
    # With the passphrase in the environment, the hand is known.
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    seen = values(offered(line))
    monkeypatch.delenv("ACRES_PASSPHRASE")
    unseen = values(offered(line))
    assert {"settle", "take", "pass"} <= set(unseen)
    assert set(seen) < set(unseen)
    assert "settle Albany" in values(offered(line + "'settle "))
    cards = values(offered(line + "'settle Albany: "))
    names = {card.name for card in load("second").cards[side].values()}
    assert {card.removeprefix("settle Albany: ") for card in cards} == names
    assert snapshot(tmp_path) == before


def test_nothing_is_verified_twice_while_somebody_types(
    here: Path, monkeypatch: pytest.MonkeyPatch, offered: Offered
) -> None:
    file = copy_practice_save(66, here)
    side = present(GameFile.read(file.read_bytes()).match.next_side).value
    line = f"acres --home {side} turn apply {file} "
    assert acres("games", "add", file, home=here / side).status == 0
    first = values(offered(line))
    before = snapshot(here)
    monkeypatch.setattr(Record, "verify", lambda *_: pytest.fail("A signature is verified."))
    assert values(offered(line)) == first
    assert first
    assert snapshot(here) == before


def test_keys_are_offered_with_names(offered: Offered, quiet_game: Path) -> None:
    home = quiet_game / "british"
    key = keyfile.load(quiet_game / "french" / "identity.toml", lambda: "").public_key.hex()[:8]
    line = f"acres --home {home} players forget "
    assert offered(line) == [f"{key}\tÉmile <french@example.org>"]
    assert values(offered(f"{line}{key[:3]}")) == [key]
    assert offered(f"{line}zz") == []
    assert offered(f"acres --home {quiet_game} players forget ") == []


# --- how orders go on


@pytest.fixture(params=range(6))
def state(request: pytest.FixtureRequest) -> State:
    """A position from a game of any legal orders."""
    *_, state = islice(random_game(Random(request.param), 200), 30 + 25 * request.param)
    return state


def test_every_legal_order_is_reached_by_what_is_offered(state: State) -> None:
    ways, name = Choices([state]), state.ruleset.catalogue.name_of
    texts = sorted({str(order.text(name)) for order in game.legal_orders(state)})
    for text in texts[:: max(1, len(texts) // 12)]:
        said, found = "", []
        while text not in found:
            found = [text for text, _ in going_on(ENGLISH, ways, said)]
            assert len(set(found)) == len(found)
            nearer = [offer for offer in found if text.startswith(offer) and len(offer) > len(said)]
            assert nearer, (said, text)
            said = max(nearer, key=len)


def test_nothing_illegal_is_offered_whole(state: State) -> None:
    name = state.ruleset.catalogue.name_of
    for said in ("", "s", "d", "raid ", "discard ", "r"):
        for text, order in going_on(ENGLISH, Choices([state]), said):
            assert fold(text).startswith(said)
            if order is not None:
                assert str(order.text(name)) == text
                game.check(state, order)


def test_few_orders_are_offered_whole_and_many_by_their_beginnings() -> None:
    state = new_game()
    ways = AnyOrders(state, Side.BRITISH)
    verbs = {str(kind.words()) for kind in ORDERS.values()}
    assert {text for text, _ in going_on(ENGLISH, ways, "")} <= verbs
    places = {f"settle {place.name}" for place in state.ruleset.catalogue.locations.values()}
    assert {text for text, _ in going_on(ENGLISH, ways, "settle")} == places


def test_case_and_accents_do_not_matter_in_what_is_typed() -> None:
    assert extends("settle Québec", "SETTLE QUEB")
    assert extends("settle Quebec", "settle Que\u0301b")
    assert as_typed("Québec", "que\u0301") == "que\u0301bec"
    for text in ("İstanbul", "straße", "ﬁ"):
        assert len(fold(text)) == len(text)


# --- what the shells tell and are told


@pytest.mark.parametrize(
    ("line", "before", "typed"),
    [
        ("acres x", ["acres"], "x"),
        ("acres x ", ["acres", "x"], ""),
        ('acres "take ', ["acres"], "take "),
        ("acres 'take Bo", ["acres"], "take Bo"),
        ("acres take\\ Bo", ["acres"], "take Bo"),
        ('acres "a b" c', ["acres", "a b"], "c"),
        ("acres \"Presqu'i", ["acres"], "Presqu'i"),
        ("acres x\\", ["acres"], "x"),
    ],
)
def test_a_line_is_split_as_far_as_it_goes(line: str, before: Sequence[str], typed: str) -> None:
    assert split(line) == (before, typed)


@pytest.mark.parametrize(
    "value", ["take Boston", "x $HOME `id` \"q\" 'r' \\ (s) é&;|<>*", "a: b=c"]
)
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_bash_reads_the_value_that_was_meant(value: str, quote: str) -> None:
    line = f"printf '%s|' {quote}{for_bash(value, quote)}{quote}"
    read = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert read.stdout == f"{value}|"


def test_fish_is_told_whether_there_is_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_ACRES_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "is-args")
    for line, status in (("acres ", 0), ("acres turn show missing/", 1)):
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        assert acres().status == status


def test_the_script_is_installed_where_the_shell_looks(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = acres_process("--show-completion", "bash", **home).succeeds_quietly()
    assert "_ACRES_COMPLETE=complete_bash" in shown.out
    assert not list(tmp_path.iterdir())
    acres_process("--install-completion", "bash", **home).succeeds_quietly()
    assert ".bash_completions/acres.sh" in (tmp_path / ".bashrc").read_text()
    assert (tmp_path / ".bash_completions" / "acres.sh").read_text() in shown.out


# --- at the prompt of real shells

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
LOAD = {
    "bash": 'bind "set bell-style none"; eval "$(_ACRES_COMPLETE=source_bash acres)"; echo loaded',
    "zsh": "autoload -Uz compinit; compinit -D -u; "
    'eval "$(_ACRES_COMPLETE=source_zsh acres)"; PS1="$ "; echo loaded',
    "fish": "function fish_prompt; echo '$ '; end; "
    "_ACRES_COMPLETE=source_fish acres | source; echo loaded",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game, the home of its British player, and the command `acres` in `bin`."""
    shutil.copy(MIDDLE, tmp_path / "game-041.toml")
    shutil.copytree(PRACTICE / "british", tmp_path / "british")
    command = tmp_path / "bin" / "acres"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pbem.cli "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return tmp_path


@pytest.fixture(params=START)
def prompt(request: pytest.FixtureRequest, folder: Path) -> Iterator[Terminal]:
    """The prompt of an interactive shell that has loaded its script, in that folder."""
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param} here")
    variables: dict[str, Any] = {
        "PATH": f"{folder}/bin:{os.environ['PATH']}",
        "PS1": "$ ",
        "HOME": str(folder),
        "ACRES_HOME": "british",
    }
    shell = START[request.param]
    with Terminal(shell, folder=folder, columns=150, rows=60, **variables) as terminal:
        terminal.settle()
        terminal.type(LOAD[request.param])
        terminal.wait_for(lambda t: "loaded" in t.lines)
        terminal.wait_at("$ ")
        yield terminal


def test_a_whole_line_is_written_with_the_tab_key(prompt: Terminal) -> None:
    for typed, line in (
        ("acres tu", "acres turn "),
        ("app", "acres turn apply "),
        ("ga", "acres turn apply game-041.toml "),
        ("al", "acres turn apply game-041.toml allow "),
    ):
        prompt.press(typed, "tab")
        prompt.wait_at(line)
    prompt.press('"take b', "tab")
    prompt.wait_for(lambda t: t.before_cursor.rstrip(' "').endswith("take boston"))
    prompt.press(*([] if prompt.before_cursor.rstrip().endswith('"') else ['"']))
    prompt.type(" pass --dry-run && echo accepted")
    prompt.wait_for(lambda t: "accepted" in t.lines)


@pytest.mark.long
def test_an_order_without_quotes_becomes_one_word(prompt: Terminal) -> None:
    prompt.press("acres turn apply game-041.toml --dry-run allow draft\\ mil", "tab")
    prompt.wait_for(lambda t: t.before_cursor.rstrip().endswith("draft\\ militia"))
    prompt.type(" pass && echo accepted")
    prompt.wait_for(lambda t: "accepted" in t.lines)


def test_a_mistake_in_the_line_disturbs_nobody(prompt: Terminal) -> None:
    prompt.press("acres turn apply missing.toml zz", "tab", "y")
    prompt.wait_for(lambda t: t.before_cursor.rstrip().endswith("missing.toml zzy"))
    assert "acres:" not in prompt.text
