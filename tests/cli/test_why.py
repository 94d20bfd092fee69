"""`acres turn legal --why`: all that stands in the way of an order, and what is near and legal."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import check, legal_orders, objections
from engine.orders import Raid, from_notation
from engine.state import Decision
from pbem.cli import console
from pbem.errors import WrongUse
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.explanation import explain_text, why_text
from tests.cli.table import Table, unwrap
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.play.turns import find, in_sequence
from tests.present import present

ENGLISH = Language(SOURCE)


def test_an_order_for_another_moment_is_explained_for_a_turn(tmp_path: Path) -> None:
    turn, (raid,) = find(in_sequence(Raid))
    table = Table(tmp_path / "game", turn.match, turn.seed)
    table.apply(raid.notation(), "pass")
    told = unwrap(table.turn("legal", "--why", "pass").out)
    assert " raid " in told.partition(".")[0]
    assert "would be possible in a turn of yours" in told
    assert "is an answer, and no such answer is asked for" in unwrap(
        table.turn("legal", "--why", "keep").out
    )
    assert "“allow” is possible." in unwrap(table.turn("legal", "--why", "allow").out)


# --- the explanation itself


def test_what_is_explained_is_what_the_rules_say() -> None:
    state = position(Seat(hand="boston new-haven st-marys rangers"))
    for text in ("take Boston", "take Rangers", "settle Deerfield: Boston, Boston, Boston"):
        found = explain_text(ENGLISH, [state], BRITISH, text)
        assert list(found.objections) == objections(state, present(found.order))
        assert found.is_legal == (found.order in legal_orders(state))
        for near in found.nearest:
            check(state, near)
            assert type(near) is type(found.order)


def test_the_nearest_orders_are_those_of_the_same_place_and_cards() -> None:
    state = position(Seat(hand="boston new-haven st-marys new-york", villages=""))
    found = explain_text(
        ENGLISH, [state], BRITISH, "settle Deerfield: New Haven, St. Mary's, New Haven"
    )
    assert found.nearest
    assert {order.location for order in found.nearest} == {"deerfield"}
    assert all("new-haven" in order.cards for order in found.nearest)


def test_of_several_worlds_the_one_that_allows_most_counts() -> None:
    poor, rich = (position(Seat(hand="boston", money=money)) for money in (0, 9))
    assert not explain_text(ENGLISH, [poor], BRITISH, "draft Ships").is_legal
    assert explain_text(ENGLISH, [poor, rich], BRITISH, "draft Ships").is_legal


def test_what_no_turn_knows_is_no_order_of_one() -> None:
    found = explain_text(ENGLISH, [position(Seat(hand="boston"))], BRITISH, "allow")
    assert (found.is_legal, found.belongs_to_a_turn, found.is_for_later) == (False, False, True)


def test_the_card_of_a_siege_that_stands_lost_is_chosen_after_the_turn() -> None:
    state = position(
        Seat(hand="boston", besieged="militia"),
        Seat(siege="regular-infantry regular-infantry regular-infantry"),
        besieging={FRENCH: "pemaquid"},
        actions=0,
    )
    found = explain_text(ENGLISH, [state], BRITISH, "lose Pemaquid: Militia")
    if found.state.awaiting.decision is Decision.LOSERS_CARD:
        assert not found.objections


def test_a_missing_card_is_told_with_where_it_is() -> None:
    state = position(Seat(hand="boston", discard="rangers", reserve="militia"))
    found = explain_text(ENGLISH, [state], BRITISH, "raid Louisbourg: Rangers, Militia")
    found_at = {
        card: {str(p): n for p, n in at.items()} for card, at in found.copies_elsewhere().items()
    }
    assert found_at == {"militia": {"in the reserve": 1}, "rangers": {"in the discard pile": 1}}


def test_another_copy_than_the_one_in_hand(capsys: pytest.CaptureFixture[str]) -> None:
    state = position(Seat(hand="boston rangers militia", discard="militia"))
    for order, lies in (
        ("discard Boston, Boston", "You have no other Boston in your hand."),
        (
            "discard Militia, Militia",
            "You have no other Militia in your hand. It is in the discard",
        ),
    ):
        found = explain_text(ENGLISH, [state], BRITISH, order)
        console.say_lines(why_text(found, None, "acres"))
        told = unwrap(capsys.readouterr().out)
        assert lies in told
        assert "in hand" not in told


def test_what_means_nothing_is_wrong_use() -> None:
    with pytest.raises(WrongUse, match="no order “fly”"):
        explain_text(ENGLISH, [position(Seat(hand="boston"))], BRITISH, "fly")


def test_the_notation_of_what_is_near_reads_back() -> None:
    state = position(Seat(hand="boston new-haven militia"))
    plain = explain_text(ENGLISH, [state], BRITISH, "discard Rangers, Boston")
    for order in plain.nearest:
        assert from_notation(order.notation()) == order
