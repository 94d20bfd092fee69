"""Chance and hidden cards: no order plays them, and no player chooses them."""

from __future__ import annotations

import pytest

from engine.chance import Draw, ImpossibleChanceError, Reveal, Shuffle
from engine.game import apply, legal_orders
from engine.sides import Slot
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position, refusal


def test_hand_with_a_hidden_card_is_not_shown() -> None:
    """The whole hand is the proof, so every card of it must be known."""
    state = position(
        Seat("boston", pile="norfolk rangers"), Seat("coureurs-de-bois"), active=FRENCH
    )
    do(state, "ambush Coureurs de Bois")
    player = state.players[BRITISH]
    slot = player.draw_pile.pop()
    player.hidden.append(slot)
    assert "all of it" in refusal(state, "show hand")
    apply(state, Reveal(BRITISH, slot, "norfolk"))
    do(state, "show hand")


def test_hidden_card_must_be_revealed_before_it_is_played() -> None:
    state = position(Seat("home-support", pile="boston norfolk new-york"))
    do(state, "home support")
    slots = tuple(state.players[BRITISH].draw_pile)
    apply(state, Draw(BRITISH, slots))
    assert state.players[BRITISH].hidden == list(slots)
    assert "not in your hand" in refusal(state, "take Boston")
    apply(state, Reveal(BRITISH, slots[1], "boston"))
    do(state, "take Boston")
    assert state.players[BRITISH].hidden == [slots[0], slots[2]]


@pytest.mark.parametrize(
    "event", [Shuffle(BRITISH), Draw(BRITISH, ()), Reveal(BRITISH, Slot(0, 0), "boston")]
)
def test_chance_events_in_a_turn_are_refused(event: Shuffle | Draw | Reveal) -> None:
    state = position(Seat("boston new-haven norfolk philadelphia new-york"))
    before = state.key()
    with pytest.raises(ImpossibleChanceError):
        apply(state, event)
    assert state.key() == before


def test_draw_of_a_wrong_number_of_slots_is_refused() -> None:
    state = position(Seat("boston norfolk new-york philadelphia"), actions=0)
    do(state, "end")
    assert legal_orders(state) == []
    assert "Cards are being drawn" in refusal(state, "pass")
    for slots in ((), (Slot(0, 0), Slot(0, 1)), (Slot(7, 0),)):
        with pytest.raises(ImpossibleChanceError):
            apply(state, Draw(BRITISH, slots))
    with pytest.raises(ImpossibleChanceError):
        apply(state, Draw(FRENCH, (Slot(0, 0),)))


@pytest.mark.parametrize(("place", "card"), [(0, "boston"), (1, "pemaquid")])
def test_reveal_of_a_wrong_slot_or_card_is_refused(place: int, card: str) -> None:
    state = position(Seat("boston norfolk new-york philadelphia"), actions=0)
    do(state, "end")
    apply(state, Draw(BRITISH, (Slot(0, 0),)))
    with pytest.raises(ImpossibleChanceError):
        apply(state, Reveal(BRITISH, Slot(0, place), card))
