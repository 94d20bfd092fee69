"""Completion by the TAB key: the offers for each shell, and the line that results."""

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
from engine.state import State
from pbem.cli.completion.shells import for_bash, split
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.text.language import SOURCE, Language, adapt_prefix, fold, has_prefix
from pbem.text.ordering.lists import completions
from tests.cli.commands import (
    ROOT,
    acres,
    acres_process,
    copy_practice_save,
    load_key,
    open_pipe,
    snapshot,
)
from tests.cli.screen import Terminal
from tests.engine.arbitrary import random_game
from tests.mail.programs import PROGRAMS
from tests.requirements import require

Complete = Callable[..., list[str]]
ENGLISH = Language(SOURCE)
PRACTICE = ROOT / "saves" / "practice"
MIDDLE = PRACTICE / "game-041.toml"
"""The French raid; the British can allow it, or block it with one card."""
BRITISH = f"acres --home {PRACTICE}/british"


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch) -> Complete:
    """A function that returns the offers to a shell for a line with the cursor at its end."""

    def ask(line: str, shell: str = "fish", **variables: str) -> list[str]:
        variables |= {"_ACRES_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": line}
        variables |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        variables |= {"_TYPER_COMPLETE_WORD_TO_COMPLETE": line.rpartition(" ")[2]}
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        result = acres()
        assert result.err == ""
        assert "Traceback" not in result.out
        return [line for line in result.out.split("\n") if line]

    return ask


def values(complete: Sequence[str]) -> list[str]:
    """Return the values, without the remarks beside them."""
    return [line.partition("\t")[0] for line in complete]


# --- offers


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_completion_does_not_wait_for_a_pipe(cwd: Path, complete: Complete) -> None:
    shutil.copy(MIDDLE, "game-041.toml")
    with open_pipe(cwd / "pipe.toml", MIDDLE.read_bytes()):
        assert values(complete("acres turn show ")) == ["game-041.toml"]


def test_completion_offers_messages_like_files(cwd: Path, complete: Complete) -> None:
    Path("mail.eml").write_bytes(PROGRAMS["attached as application/toml"](MIDDLE.read_bytes()))
    assert values(complete("acres turn apply ")) == ["mail.eml"]
    assert values(complete(f"{BRITISH} turn apply mail.eml al")) == ["allow"]


WRONG_LINES = [
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
]


@pytest.mark.parametrize(
    ("line", "shell"),
    [
        *((line, "fish") for line in WRONG_LINES),
        *((WRONG_LINES[0], shell) for shell in ("bash", "zsh", "powershell", "nonsense")),
    ],
)
def test_completion_of_a_wrong_line_is_empty_and_silent(
    complete: Complete, cwd: Path, monkeypatch: pytest.MonkeyPatch, line: str, shell: str
) -> None:
    monkeypatch.setenv("COMP_WORDS", line.replace(" ", "\n"))
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    assert not [offer for offer in complete(line, shell) if "acres:" in offer]
    assert snapshot(cwd) == {}


def test_sealed_identity_gets_offers_from_public_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complete: Complete
) -> None:
    file = copy_practice_save(66, tmp_path)
    side = require(GameFile.read(file.read_bytes()).match.next_side)
    sealed = tmp_path / "sealed"
    sealed.mkdir()
    keyfile.save(load_key(side.value), sealed / "identity.toml", "xyzzy")
    before = snapshot(tmp_path)
    line = f"acres --home {sealed} turn apply {file} "
    # With the passphrase in the environment, the hand is known.
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    with_hand = values(complete(line))
    monkeypatch.delenv("ACRES_PASSPHRASE")
    without_hand = values(complete(line))
    assert {"settle", "take", "pass"} <= set(without_hand)
    assert set(with_hand) < set(without_hand)
    assert "settle Albany" in values(complete(line + "'settle "))
    cards = values(complete(line + "'settle Albany: "))
    names = {card.name for card in load("second").cards[side].values()}
    assert {card.removeprefix("settle Albany: ") for card in cards} == names
    assert snapshot(tmp_path) == before


# --- how orders go on


@pytest.fixture(params=range(4))
def state(request: pytest.FixtureRequest) -> State:
    """A position from a game of any legal orders."""
    *_, state = islice(random_game(Random(request.param), 200), 30 + 25 * request.param)
    return state


def test_every_legal_order_is_reached_by_offers(state: State) -> None:
    ways, name = Choices([state]), state.ruleset.catalogue.name_of
    texts = sorted({str(order.text(name)) for order in game.legal_orders(state)})
    for text in texts[:: max(1, len(texts) // 12)]:
        typed, offers = "", []
        while text not in offers:
            offers = [text for text, _ in completions(ENGLISH, ways, typed)]
            assert len(set(offers)) == len(offers)
            nearer = [
                offer for offer in offers if text.startswith(offer) and len(offer) > len(typed)
            ]
            assert nearer, (typed, text)
            typed = max(nearer, key=len)


def test_completion_offers_no_illegal_order(state: State) -> None:
    name = state.ruleset.catalogue.name_of
    for typed in ("", "s", "d", "raid ", "discard ", "r"):
        for text, order in completions(ENGLISH, Choices([state]), typed):
            assert fold(text).startswith(typed)
            if order is not None:
                assert str(order.text(name)) == text
                game.check(state, order)


def test_case_and_accents_do_not_matter() -> None:
    assert has_prefix("settle Québec", "SETTLE QUEB")
    assert has_prefix("settle Quebec", "settle Que\u0301b")
    assert adapt_prefix("Québec", "que\u0301") == "que\u0301bec"
    for text in ("İstanbul", "straße", "ﬁ"):
        assert len(fold(text)) == len(text)


# --- the protocol with each shell


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
def test_unfinished_line_is_split_into_words(line: str, before: Sequence[str], typed: str) -> None:
    assert split(line) == (before, typed)


@pytest.mark.parametrize(
    "value", ["take Boston", "x $HOME `id` \"q\" 'r' \\ (s) é&;|<>*", "a: b=c"]
)
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_bash_reads_back_a_quoted_value(value: str, quote: str) -> None:
    line = f"printf '%s|' {quote}{for_bash(value, quote)}{quote}"
    read = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert read.stdout == f"{value}|"


def test_status_for_fish_is_zero_if_completions_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_ACRES_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "is-args")
    for line, status in (("acres ", 0), ("acres turn show missing/", 1)):
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        assert acres().status == status


def test_script_is_installed_for_the_shell(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    output = acres_process("--show-completion", "bash", **home).succeeds_quietly()
    assert "_ACRES_COMPLETE=complete_bash" in output.out
    assert not list(tmp_path.iterdir())
    acres_process("--install-completion", "bash", **home).succeeds_quietly()
    assert ".bash_completions/acres.sh" in (tmp_path / ".bashrc").read_text()
    assert (tmp_path / ".bash_completions" / "acres.sh").read_text() in output.out


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


@pytest.mark.slow
def test_whole_line_is_written_with_the_tab_key(prompt: Terminal) -> None:
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
    # A mistake in the line prints nothing.
    prompt.press("acres turn apply missing.toml zz", "tab", "y")
    prompt.wait_for(lambda t: t.before_cursor.rstrip().endswith("missing.toml zzy"))
    assert "acres:" not in prompt.text
