"""Orders behind one that has to be answered: given, announced, carried out, dropped, advised on.

docs/protocol.md, Follow-ups.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.order import Order
from engine.orders import Ambush, Convert, HomeSupport, Raid
from engine.ruleset import DEFAULT_EDITION
from pbem.play.turn import Turn
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.reading import read
from tests.cli.table import Table, unwrap
from tests.play.turns import find, first, in_sequence, raid_and_risk, take_back, wasteful
from tests.present import present

ONE_FILE = "this file finishes your turn."


def table_with(
    tmp_path: Path,
    orders_in: Callable[[Turn], list[Order] | None],
    home_support: str = "asked",
    begin_at: int = 0,
    edition: str = DEFAULT_EDITION,
) -> tuple[Table, list[str]]:
    """A game at a turn for which there are such orders, and the orders as they are typed."""
    turn, orders = find(orders_in, home_support, begin_at, edition)
    return Table(tmp_path / "game", turn.match, turn.seed), [order.notation() for order in orders]


def after(orders: Sequence[str]) -> list[str]:
    """The options that list what can follow these orders."""
    return [word for order in orders for word in ("--after", order)]


def reply(table: Table) -> list[str]:
    """The orders of a whole answer of whoever has to answer: the first reply, then passes."""
    return [json.loads(table.turn("legal", "--json").out)["orders"][0]["order"]]


def test_an_attack_its_answer_and_the_next_turn_take_two_files(tmp_path: Path) -> None:
    table, (raid,) = table_with(tmp_path, in_sequence(Raid))
    attacker = present(table.match.next_side)
    defender = attacker.opponent
    told = table.apply(raid, "pass")
    turn = table.match.state.turn
    assert ONE_FILE in told
    assert "reads what you do next: pass; end" in told
    assert "Tip" not in told
    announced = "They announced what comes next, whatever you answer: pass; end."
    assert announced in table.show(defender)
    assert "You announced what comes next, whatever the answer: pass; end." in table.show(attacker)
    told = table.apply(*reply(table), "pass", "pass")
    # The report says who did what, in the order in which it was carried out.
    names = [table.match.entrants[side].name for side in (defender, attacker)]
    passed = "passed, leaving an action unused."
    assert re.search(
        rf"{names[0]} \(\w+, you\), turn {turn + 1}: You (blocked|allowed) .*"
        rf"{names[1]} \(\w+\), turn {turn + 1}: They {passed} They ended .*"
        rf"{names[0]} \(\w+, you\), turn {turn + 2}: (You {passed} ){{2}}You ended ",
        told,
    )
    assert "This file finishes your turn." in told
    assert (table.match.state.turn, table.match.next_side) == (turn + 1, attacker)
    assert "announced" not in table.show(attacker)


def test_an_order_made_impossible_comes_back_with_the_turn(tmp_path: Path) -> None:
    table, (one, two) = table_with(tmp_path, raid_and_risk)
    side = present(table.match.next_side)
    name = table.match.state.ruleset.catalogue.name_of
    place = str(name(one.split()[1].rstrip(":")))
    hand = table.show(side)
    told = table.apply(one, two)
    assert "This file finishes your turn, unless the answer prevents what" in told
    assert f"is carried out only if the raid on {place} is blocked. Otherwise it" in told
    shown = present(
        re.search(r"sees these cards from your hand: ([^:]*) Before answering, ", told)
    )[1]
    told = table.apply("allow")
    author = table.match.entrants[side].name
    assert f"Not carried out for {author} ({side.label!s}): raid {place}" in told
    assert "It had become impossible. Their turn goes on with their next file." in told
    assert table.match.next_side is side
    told = table.show(side)
    assert re.search(
        r"Not carried out: raid [^.]*; end\. .*does not belong to the enemy\. Your turn", told
    )
    assert "1 action to take" in told
    # Nothing is lost but the secret: the cards of the second raid are in hand as before.
    assert all(card in hand for card in re.split(r"(?: x\d)?(?:, |$)", shown))
    seen = table.show(side.opponent)
    for card in two.partition(": ")[2].split(", "):
        assert str(name(card)) in seen.partition(f"{side.label!s} hand: ")[2].partition(";")[0]
    assert "This file finishes your turn." in table.apply("pass")


def test_two_attacks_are_answered_with_one_file(tmp_path: Path) -> None:
    def two_attacks(answer: Turn) -> list[Order] | None:
        given = in_sequence(Raid)(answer)
        other = first(answer, Ambush, Convert)
        return [*given, other] if given and other else None

    table, orders = table_with(tmp_path, two_attacks)
    side = present(table.match.next_side)
    assert ONE_FILE in table.apply(*orders)
    first_reply = reply(table)
    listed = json.loads(table.turn("legal", *after(first_reply), "--json").out)
    assert listed["decision"] in ("ambush reply", "conversion reply")
    told = table.apply(*first_reply, listed["orders"][0]["order"], "pass", "pass")
    assert "This file finishes your turn." in told
    assert table.match.next_side is side
    assert not table.match.follow_ups


def test_a_sequence_that_saves_a_file_is_pointed_out_and_does(tmp_path: Path) -> None:
    table, orders = table_with(tmp_path, wasteful, begin_at=8, edition="first")
    told = unwrap(table.turn("apply", *orders, "--dry-run").out)
    tip = re.search(
        r"Tip: in this sequence the turn would take one file, whatever the answer: (.*?; end)\.",
        told,
    )
    better = unwrap(table.turn("apply", *present(tip)[1].split("; "), "--dry-run").out)
    assert ONE_FILE in better
    assert "unless" not in better
    assert "Tip" not in better


def test_what_depends_on_the_answer_is_marked_where_orders_are_listed(tmp_path: Path) -> None:
    table, (one, two) = table_with(tmp_path, raid_and_risk)
    listed = json.loads(table.turn("legal", *after([one]), "--json").out)["orders"]
    by_order = {entry["order"]: entry for entry in listed}
    assert by_order[two]["certain"] is False
    assert by_order["pass"]["certain"] is True
    shown = table.turn("legal", *after([one])).out
    assert "depends on the answer" in unwrap(shown)
    assert "  pass" in shown.splitlines()
    assert "depends on the answer" not in unwrap(table.turn("legal").out)
    told = table.turn("legal", *after([one, "pass", "end"]))
    assert (told.status, told.out) == (
        0,
        "After “end” your turn is over: nothing more can be ordered in this file.\n",
    )
    assert table.turn("legal", *after([one, "nonsense"])).status == 2


def test_home_support_ahead_takes_one_file_and_its_cards_are_seen(tmp_path: Path) -> None:
    def orders_in(answer: Turn) -> list[Order] | None:
        hand, ahead = answer.view().players[answer.side].hand, answer.look.ahead
        support = first(answer, HomeSupport)
        if support is None or len(ahead) < 3:
            return None
        new = [card for card in ahead if card not in hand]
        answer.order(support)
        for card in new:
            try:
                answer.order(read(Language(SOURCE), f"take {card}", *answer.worlds))
            except ValueError:
                continue
            taken = answer.orders[-1]
            take_back(answer)
            return [support, taken]
        return None

    table, (support, take) = table_with(tmp_path, orders_in, "ahead")
    side = present(table.match.next_side)
    assert "you can see ahead: " in table.show(side)
    told = table.apply(support, take, "pass")
    assert "This file finishes your turn." in told
    # Whose they are reads their names, and nobody else.
    drawn = re.split(", | and ", present(re.search(r"You drew (.*?)\. You took ", told))[1])
    assert len(drawn) == 3
    assert "drew 3 cards" in table.show(side.opponent)
