"""`acres turn legal --why`: all objections to an order, and the nearest legal orders."""

from __future__ import annotations

import pytest

from engine.game import check, legal_orders, objections
from engine.state import Decision
from pbem.errors import UsageError
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.explanation import explain_typed_order
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.requirements import require

ENGLISH = Language(SOURCE)


def test_explanation_has_all_objections_and_legal_nearest_orders() -> None:
    state = position(Seat(hand="boston new-haven st-marys rangers"))
    for text in ("take Boston", "take Rangers", "settle Deerfield: Boston, Boston, Boston"):
        explanation = explain_typed_order(ENGLISH, [state], BRITISH, text)
        assert list(explanation.objections) == objections(state, require(explanation.order))
        assert explanation.is_legal == (explanation.order in legal_orders(state))
        for near in explanation.nearest:
            check(state, near)
            assert type(near) is type(explanation.order)


def test_nearest_orders_share_place_and_cards() -> None:
    state = position(Seat(hand="boston new-haven st-marys new-york", villages=""))
    explanation = explain_typed_order(
        ENGLISH, [state], BRITISH, "settle Deerfield: New Haven, St. Mary's, New Haven"
    )
    assert explanation.nearest
    assert {order.location for order in explanation.nearest} == {"deerfield"}
    assert all("new-haven" in order.cards for order in explanation.nearest)


def test_order_legal_in_one_world_is_explained_as_legal() -> None:
    poor, rich = (position(Seat(hand="boston", money=money)) for money in (0, 9))
    assert not explain_typed_order(ENGLISH, [poor], BRITISH, "draft Ships").is_legal
    assert explain_typed_order(ENGLISH, [poor, rich], BRITISH, "draft Ships").is_legal


def test_card_of_a_lost_siege_is_chosen_after_the_turn() -> None:
    state = position(
        Seat(hand="boston", besieged="militia"),
        Seat(siege="regular-infantry regular-infantry regular-infantry"),
        besieging={FRENCH: "pemaquid"},
        actions=0,
    )
    explanation = explain_typed_order(ENGLISH, [state], BRITISH, "lose Pemaquid: Militia")
    if explanation.state.awaiting.decision is Decision.LOSERS_CARD:
        assert not explanation.objections


def test_meaningless_order_is_refused_as_wrong_use() -> None:
    with pytest.raises(UsageError, match="no order “fly”"):
        explain_typed_order(ENGLISH, [position(Seat(hand="boston"))], BRITISH, "fly")
