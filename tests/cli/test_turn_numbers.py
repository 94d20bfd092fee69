"""A turn has the same number in every command, which also shows past turns by it."""

from __future__ import annotations

import email
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.orders import HomeSupport, Pass
from engine.sides import Side
from tests.cli.commands import acres, do
from tests.cli.table import Table, unwrap
from tests.play.matches import any_order, begin, play
from tests.play.turns import find_turn, sequence_finder
from tests.requirements import require
from tests.sample import sample


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    match = play(begin(4, lists=2), any_order(Random(4)), turns=12, seed=4)
    return Table(tmp_path_factory.mktemp("numbers") / "game", match, 4)


def data(*command: object, home: Path | None = None) -> Any:
    result = do(*command, "--json", home=home)
    return json.loads(result.out)


@pytest.mark.parametrize("turns", sample(range(3, 9), every=3))
def test_turn_numbers_agree_in_every_command(tmp_path: Path, turns: int) -> None:
    match = play(begin(turns), any_order(Random(turns)), turns=turns, seed=turns)
    table = Table(tmp_path / "game", match, turns)
    side = require(match.next_side)
    home, file = table.folder / side.value, table.file
    number = data("turn", "show", file, home=home)["position"]["turn"]
    assert data("turn", "legal", file, home=home)["turn"] == number
    assert data("audit", file)["turn"] == number
    for viewer in Side:
        acres("turn", "show", file, home=table.folder / viewer.value)
        (entry,) = data("games", home=table.folder / viewer.value)
        assert entry["turn"] == number
    assert data("log", file)["turns"][-1]["turn"] in (number - 1, number)


def test_turn_numbers_agree_in_message_and_list(table: Table, tmp_path: Path) -> None:
    writer = require(table.match.next_side).opponent
    home = table.folder / writer.value
    letter = tmp_path / "turn.eml"
    do("mail", "draft", table.file, "--output", letter, home=home)
    acres("turn", "show", table.file, home=home)
    (entry,) = data("games", home=home)
    subject = str(email.message_from_bytes(letter.read_bytes())["Subject"])
    assert f"turn {entry['turn']}:" in unwrap(subject)


def test_options_for_a_turn_and_a_record_exclude_each_other(table: Table) -> None:
    assert acres("turn", "show", table.file, "--at", 1, "--record", 1).fails().out == ""
    assert data("turn", "show", table.file, "--record", 9)["after_turn"] is None


def test_turn_that_was_ended_ahead_of_its_cards_counts_as_ended(tmp_path: Path) -> None:
    # The player who grants the cards takes the next turn in the same file.
    turn, orders = find_turn(sequence_finder(HomeSupport, Pass, Pass))
    table = Table(tmp_path / "game", turn.match, turn.seed)
    before = table.match.turn
    table.apply(*(order.notation() for order in orders))
    assert table.match.follow_ups
    home, file = table.folder / require(table.match.next_side).value, table.file
    assert data("turn", "show", file, home=home)["position"]["turn"] == before + 1
    (entry,) = data("games", home=home)
    assert entry["turn"] == before + 1
    assert data("audit", file)["turn"] == before + 1
