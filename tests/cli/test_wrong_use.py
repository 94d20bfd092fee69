"""Lines of commands that ask for what there is not: one sentence with what to do instead."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pbem.text.rules.topic import topics
from tests.cli.using import ROOT, acres, is_one_sentence, snapshot

CLOSED = ROOT / "saves" / "practice" / "game-130.toml"
"""A game of others."""


@pytest.mark.usefixtures("in_the_game")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("players name Émile ''", "must be 1 to 60 visible characters"),
        ("players --json forget Émile", "--json is for the list"),
        ("games pace game-017.toml 366", "DAYS"),
        ("log game-017.toml --json --markdown", "--markdown"),
        ("turn show game-017.toml --record 4999", "4999"),
        ("turn show game-017.toml --record -1", "-1"),
        ("turn legal game-000.toml", "Nobody has joined"),
        ("turn legal game-017.toml draft --why pass", "--why explains one order"),
        ("turn apply game-017.toml 'reserve Siege Artillery' pass", "Siege Artillery"),
        ("board game-017.toml --turn 3", "--page"),
        (f"board {CLOSED}", "--page"),
        ("rules settle game-017.toml --edition first", "leave out --edition"),
        ("rules albany", "acres location albany"),
        ("rules rangers", "acres card rangers"),
        ("card zzz", "zzz"),
        ("card governor --house-rule no-governors", "There is no Governor by these rules"),
    ],
)
def test_it_is_refused_with_what_to_do(game: Path, line: str, says: str) -> None:
    before = snapshot(game)
    refused = acres(*shlex.split(line), home="british")
    assert (refused.status, refused.out, is_one_sentence(refused.err)) == (2, "", True)
    assert says in refused.err
    assert snapshot(game) == before


def test_the_index_of_topics_is_data_too() -> None:
    listed = json.loads(acres("rules", "--json").out)
    assert [entry["id"] for entry in listed] == list(topics())
