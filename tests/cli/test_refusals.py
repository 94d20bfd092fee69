"""Orders that cannot be given now: what is said instead, and that it is what is possible."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.order import Order
from engine.orders import Raid
from engine.state import Decision
from pbem.play.turn import Turn
from pbem.text.ordering.guided_turn import decision_text
from tests.cli.table import Table
from tests.cli.using import acres, do
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.positions import do as order
from tests.play.turns import find, in_sequence, raid_and_risk
from tests.present import present


def table_with(
    tmp_path: Path, orders_in: Callable[[Turn], list[Order] | None]
) -> tuple[Table, list[str]]:
    turn, orders = find(orders_in)
    return Table(tmp_path / "game", turn.match, turn.seed), [order.notation() for order in orders]


def refused(table: Table, *orders: str) -> str:
    return table.turn("apply", *orders).fails().err


def test_a_turn_that_is_handed_back_takes_no_more_orders(tmp_path: Path) -> None:
    """What was to follow the raid comes to nothing if it is allowed: its author has to go on."""
    table, orders = table_with(tmp_path, raid_and_risk)
    author = table.match.entrants[present(table.match.next_side)].name
    table.apply(*orders)
    said = refused(table, "allow", "take trois")
    assert said == (
        "acres: Order 2, “take trois”, cannot be given. "
        f"After “allow” the turn goes back to {author}: nothing more can be ordered in this file.\n"
    )


def test_an_order_for_another_moment_is_told_what_is_possible_now(tmp_path: Path) -> None:
    table, (raid,) = table_with(tmp_path, in_sequence(Raid))
    attacker = present(table.match.next_side)
    # Before the raid there is nothing to allow, nor after it for whoever raids.
    said = refused(table, "allow")
    assert re.search(r"“allow” is not possible now\. Turn \d+: 2 actions to take\.", said)
    said = refused(table, raid, "allow")
    assert re.search(r"now\. Turn \d+, after the answer: 1 action to take\.", said)
    table.apply(raid, "pass")
    said = refused(table, "pass")
    assert f"“pass” is not possible now. The {attacker.label!s} raid" in said
    verbs = {o["order"].split()[0] for o in json.loads(table.turn("legal", "--json").out)["orders"]}
    assert ("block with a card" in said) == ("block" in verbs)
    for internal in ("awaited", "reply", "(turn)"):
        assert internal not in said


def test_wait_among_the_orders_is_pointed_to_the_option(tmp_path: Path) -> None:
    table, (raid,) = table_with(tmp_path, in_sequence(Raid))
    assert refused(table, raid, "wait").endswith(
        "To leave the rest of the turn for after the answer, add --wait.\n"
    )
    assert table.turn("apply", raid, "--wait").status == 0


# --- what has to be decided is said from what is legal


def ambushed(hand: str = "", reserve: str = "") -> str:
    state = position(Seat(hand=hand, reserve=reserve), Seat(hand="coureurs-de-bois"), active=FRENCH)
    order(state, "ambush Coureurs de Bois")
    return str(decision_text(state, BRITISH))


@pytest.mark.parametrize(
    ("hand", "reserve", "says"),
    [
        ("boston", "", "all you can do is “show hand”."),
        ("militia boston", "", "all you can do is “give Militia”."),
        ("rangers boston", "", "block with a card, or show your hand."),
        ("militia rangers", "", "block with a card, or give up a card."),
        ("boston", "militia", "all you can do is “give from reserve Militia”."),
        (
            "militia boston",
            "regular-infantry",
            "give up a card, or give up a card from your reserve.",
        ),
    ],
)
def test_a_reply_is_offered_only_where_it_is_possible(hand: str, reserve: str, says: str) -> None:
    assert ambushed(hand, reserve) == f"The French ambush you: {says}"


def test_one_answer_that_is_left_is_named() -> None:
    state = position(
        Seat(villages="deerfield", hand="boston"),
        Seat(hand="coureurs-de-bois native-americans"),
        active=FRENCH,
    )
    order(state, "raid Deerfield: Coureurs de Bois, Native Americans")
    assert state.awaiting.decision is Decision.RAID_REPLY
    assert str(decision_text(state, BRITISH)) == (
        "The French raid Deerfield: all you can do is “allow”."
    )


def test_a_game_that_both_have_closed_is_listed_without_an_order(game: Path) -> None:
    do("turn", "resign", game / "game-017.toml", "--yes", home=game / "british")
    do("turn", "apply", game / "game-018.toml", home=game / "french")
    file = game / "game-019.toml"
    for home in ("british", "french", "nobody"):
        listed = acres("turn", "legal", file, home=game / home).succeeds_quietly()
        assert " ".join(listed.out.split()).endswith(
            "It is closed: both hands are open to anybody who looks back."
        )
        plain = acres("turn", "legal", file, "--json", home=game / home)
        assert json.loads(plain.out)["orders"] == []


# --- hints and agreements
