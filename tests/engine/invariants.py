"""Invariants of every position."""

from __future__ import annotations

from collections import Counter

from engine import ruleset as rules
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, State, new_game


def check_invariants(state: State) -> None:
    """Raise AssertionError if a card is missing, or pieces, money or piles exceed their bounds."""
    check_cards(state)
    check_pieces(state)
    for side in Side:
        player = state.players[side]
        assert player.money >= 0
        limit = state.ruleset.reserve_limit
        assert not limit or len(player.reserve) <= limit
        if state.ruleset.reserve_takes_locations == "never":
            assert all(not state.ruleset.card(side, card).location for card in player.reserve)
        assert not set(player.hidden) & set(player.draw_pile)
        assert all(count >= 0 for count in player.empire.values())
    assert all(count >= 0 for count in state.neutral.values())
    assert 0 <= state.actions_left <= rules.ACTIONS_A_TURN
    over = state.awaiting.decision is Decision.OVER
    assert over == (state.outcome is not None)
    if state.awaiting.decision in (Decision.TURN, Decision.AMBUSH_REPLY):
        # An ambush may take a card of a siege: none may be pledged as the loser's.
        assert all(siege.cost is None for siege in state.sieges.values())
    if not over:
        for besieger, siege in state.sieges.items():
            assert state.owner(siege.location) is besieger.opponent


def check_cards(state: State) -> None:
    """Raise AssertionError unless every card of the box is in exactly one place (ruling 24)."""
    ruleset = state.ruleset
    if _boxes.get(id(ruleset), (None,))[0] is not ruleset:
        _boxes[id(ruleset)] = ruleset, _all_cards(new_game(ruleset))
    assert _all_cards(state) == _boxes[id(ruleset)][1]


_boxes: dict[int, tuple[Ruleset, Counter[str]]] = {}
"""The cards of each ruleset by its identity: two with different catalogues may be equal."""


def _all_cards(state: State) -> Counter[str]:
    cards = Counter(state.neutral)
    for side in Side:
        cards.update(_cards(state, side))
    return +cards


def _cards(state: State, side: Side) -> Counter[str]:
    """Return all cards of a side; its own ones bear its name, as the other side has namesakes."""
    player = state.players[side]
    cards = Counter(player.empire) + Counter(player.locations)
    cards.update(player.discard + player.hand + player.reserve)
    for siege in state.sieges.values():
        cards.update(siege.cards[side])
    awaiting = state.awaiting
    if awaiting.decision.is_chance and awaiting.side is side and awaiting.card is not None:
        # Home Support lies beside the piles until its draw is made.
        cards[awaiting.card] += 1
    unseen: Counter[str] = Counter()
    for epoch in player.unseen:
        unseen.update(epoch)
    assert unseen.total() == len(player.hidden) + len(player.draw_pile)
    cards += unseen
    neutral = {card.id for card in state.ruleset.catalogue.neutral_cards()}
    return Counter(
        {card if card in neutral else f"{side} {card}": count for card, count in cards.items()}
    )


def check_pieces(state: State) -> None:
    """Raise AssertionError if more pieces are placed or captured than the box has (ruling 22)."""
    for side in Side:
        assert 0 <= state.villages_left(side) <= rules.VILLAGES
        assert 0 <= state.towns_left(side) <= rules.TOWNS[side]
    assert 0 <= state.fortifications_left() <= rules.FORTIFICATIONS
