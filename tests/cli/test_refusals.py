"""The refusal of an order that is illegal now names the legal choices."""

import json
from pathlib import Path

import pytest

from engine.orders import Raid
from engine.state import Decision
from pbem.text.ordering.guided_turn import decision_text
from tests.cli.commands import acres, do
from tests.cli.table import Table
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.positions import do as order
from tests.play.turns import find_turn, sequence_finder
from tests.requirements import require


def test_order_for_another_moment_is_refused(tmp_path: Path) -> None:
    turn, (raid,) = find_turn(sequence_finder(Raid))
    table = Table(tmp_path / "game", turn.match, turn.seed)
    attacker = require(table.match.next_side)
    # Before the raid there is nothing to allow, and the attacker cannot allow it later.
    table.turn("apply", "allow").fails()
    table.turn("apply", raid.notation(), "allow").fails()
    assert "--wait" in table.turn("apply", raid.notation(), "wait").fails().err
    table.apply(raid.notation(), "pass")
    refusal = table.turn("apply", "pass").fails().err
    assert f"The {attacker.label!s} raid" in refusal
    orders = json.loads(table.turn("legal", "--json").out)["orders"]
    can_block = any(entry["order"].startswith("block") for entry in orders)
    assert ("block with a card" in refusal) == can_block


@pytest.mark.parametrize(
    ("hand", "reserve", "choices"),
    [
        ("boston", "", "all you can do is “show hand”."),
        ("militia boston", "", "all you can do is “give Militia”."),
        ("rangers boston", "", "block with a card, or show your hand."),
        ("militia rangers", "", "block with a card, or give up a card."),
        ("boston", "militia", "all you can do is “give from reserve Militia”."),
    ],
)
def test_decision_text_offers_legal_replies_only(hand: str, reserve: str, choices: str) -> None:
    state = position(Seat(hand=hand, reserve=reserve), Seat(hand="coureurs-de-bois"), active=FRENCH)
    order(state, "ambush Coureurs de Bois")
    assert str(decision_text(state, BRITISH)) == f"The French ambush you: {choices}"


def test_only_answer_to_a_raid_is_named() -> None:
    state = position(
        Seat(villages="deerfield", hand="boston"),
        Seat(hand="coureurs-de-bois native-americans"),
        active=FRENCH,
    )
    order(state, "raid Deerfield: Coureurs de Bois, Native Americans")
    assert state.awaiting.decision is Decision.RAID_REPLY
    assert str(decision_text(state, BRITISH)).endswith("all you can do is “allow”.")


def test_closed_game_has_no_orders(game: Path) -> None:
    do("turn", "resign", game / "game-017.toml", "--yes", home=game / "british")
    do("turn", "apply", game / "game-018.toml", home=game / "french")
    for home in ("british", "french", "nobody"):
        listed = acres("turn", "legal", game / "game-019.toml", "--json", home=game / home)
        assert json.loads(listed.succeeds_quietly().out)["orders"] == []
