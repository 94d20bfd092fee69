"""Follow-ups: announced, carried out, dropped and suggested orders.

docs/protocol.md, Follow-ups.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine.order import Order
from engine.orders import Raid
from engine.ruleset import DEFAULT_EDITION
from pbem.play.turn import Turn
from tests.cli.table import Table, unwrap
from tests.play.turns import find_risky_raids, find_turn, find_wasteful_orders, sequence_finder
from tests.requirements import require


def find_table(
    tmp_path: Path,
    find_orders: Callable[[Turn], list[Order] | None],
    home_support: str = "asked",
    first_seed: int = 0,
    edition: str = DEFAULT_EDITION,
) -> tuple[Table, list[str]]:
    """Return a game at a turn with such orders, and the typed orders."""
    turn, orders = find_turn(find_orders, home_support, first_seed, edition)
    return Table(tmp_path / "game", turn.match, turn.seed), [order.notation() for order in orders]


def after_options(orders: Sequence[str]) -> list[str]:
    """Return the options that list the possible orders after `orders`."""
    return [word for order in orders for word in ("--after", order)]


def reply_options(table: Table) -> list[str]:
    """Return the first reply of the next player, as options."""
    return [json.loads(table.turn("legal", "--json").out)["orders"][0]["order"]]


def test_attack_answer_and_next_turn_take_two_files(tmp_path: Path) -> None:
    table, (raid,) = find_table(tmp_path, sequence_finder(Raid))
    attacker = require(table.match.next_side)
    defender = attacker.opponent
    assert "Tip" not in table.apply(raid, "pass")
    turn = table.match.state.turn
    assert "announced" in table.show(defender)
    assert "announced" in table.show(attacker)
    output = table.apply(*reply_options(table), "pass", "pass")
    # The report names players and orders, in the order of execution.
    names = [table.match.entrants[side].name for side in (defender, attacker)]
    passed = "passed, leaving an action unused."
    assert re.search(
        rf"{names[0]} \(\w+, you\), turn {turn + 1}: Raid on [^.]+\. You (blocked|allowed) .*"
        rf"{names[1]} \(\w+\), turn {turn + 1}: They {passed} They ended .*"
        rf"{names[0]} \(\w+, you\), turn {turn + 2}: (You {passed} ){{2}}You ended ",
        output,
    )
    assert (table.match.state.turn, table.match.next_side) == (turn + 1, attacker)
    assert "announced" not in table.show(attacker)


@pytest.mark.slow
def test_impossible_follow_up_returns_to_its_player(tmp_path: Path) -> None:
    table, (one, second) = find_table(tmp_path, find_risky_raids)
    side = require(table.match.next_side)
    name = table.match.state.ruleset.catalogue.name_of
    hand = table.show(side)
    output = table.apply(one, second)
    shown_cards = require(
        re.search(r"sees these cards from your hand: ([^:]*)\. Before answering, ", output)
    )[1]
    assert f"Not carried out for {table.match.entrants[side].name}" in table.apply("allow")
    assert table.match.next_side is side
    assert "1 action to take" in table.show(side)
    # The cards of the second raid are known, but still in hand.
    assert all(card in hand for card in re.split(r"(?: x\d)?(?:, |$)", shown_cards))
    other_view = table.show(side.opponent)
    for card in second.partition(": ")[2].split(", "):
        assert (
            str(name(card)) in other_view.partition(f"{side.label!s} hand: ")[2].partition(";")[0]
        )
    table.apply("pass")
    assert table.match.next_side is side.opponent


def test_tip_names_a_sequence_that_saves_a_file(tmp_path: Path) -> None:
    table, orders = find_table(tmp_path, find_wasteful_orders, first_seed=8, edition="first")
    output = unwrap(table.turn("apply", *orders, "--dry-run").out)
    tip = re.search(
        r"Tip: in this sequence the turn would take one file, whatever the answer: (.*?; end)\.",
        output,
    )
    better = unwrap(table.turn("apply", *require(tip)[1].split("; "), "--dry-run").out)
    assert "unless" not in better
    assert "Tip" not in better


@pytest.mark.slow
def test_orders_that_depend_on_the_answer_are_marked_in_the_list(tmp_path: Path) -> None:
    table, (one, second) = find_table(tmp_path, find_risky_raids)
    choices = json.loads(table.turn("legal", *after_options([one]), "--json").out)["orders"]
    by_order = {entry["order"]: entry for entry in choices}
    assert by_order[second]["certain"] is False
    assert by_order["pass"]["certain"] is True
    assert "depends on the answer" in unwrap(table.turn("legal", *after_options([one])).out)
    assert "depends on the answer" not in unwrap(table.turn("legal").out)
    assert table.turn("legal", *after_options([one, "pass", "end"])).status == 0
    assert table.turn("legal", *after_options([one, "nonsense"])).status == 2
