"""Topics, cards and locations in a position: true, complete, and without hidden facts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given

from engine.game import cards_played, legal_orders
from engine.orders import Besiege, Develop, Fortify, Settle
from engine.sides import Side, Slot
from engine.state import Decision, State
from pbem.text.facts.why_not import in_own_turn, lacks
from pbem.text.language import SOURCE, Language
from pbem.text.naming import OwnedCard, find_cards
from pbem.text.rules.in_position import View, card_text, location_text, topic_text
from pbem.text.rules.topic import topics
from tests.engine.arbitrary import random_game
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.starts import SEEDS, START_NAMES, STARTS, modest

TOPICS = list(topics().values())
ENGLISH = Language(SOURCE)


@pytest.mark.slow
@modest
@given(seed=SEEDS, start=START_NAMES)
def test_every_page_has_text_in_every_position(seed: int, start: str) -> None:
    random = Random(seed)
    for number, state in enumerate(random_game(random, 30, STARTS[start]())):
        if number % 10:
            continue
        before = state.key()
        for viewer in (None, *Side):
            present = View(state, viewer)
            for topic in TOPICS:
                for line in map(str, topic_text(ENGLISH, topic, present)):
                    # Data have ordinary spaces only.
                    assert line.strip() and "\u00a0" not in line
            for place in state.ruleset.catalogue.locations.values():
                assert location_text(place, present)
                for owned in find_cards(ENGLISH, place.id, state.ruleset.catalogue):
                    assert card_text(owned, present)
        assert state.key() == before


def hide_cards(state: State, viewer: Side) -> State:
    """Return the position with the opponent's hand turned face down again."""
    view = state.copy()
    other = view.players[viewer.opponent]
    epoch = len(other.unseen)
    other.unseen.append(sorted(other.hand))
    other.hidden += [Slot(epoch, place) for place in range(len(other.hand))]
    other.hand.clear()
    return view


def all_lines(present: View) -> list[str]:
    catalogue = present.state.ruleset.catalogue
    lines = [line for topic in TOPICS for line in topic_text(ENGLISH, topic, present)]
    for place in catalogue.locations.values():
        lines += location_text(place, present)
    for name in set(catalogue.names.values()):
        for owned in find_cards(ENGLISH, name, catalogue):
            lines += card_text(owned, present)
    return [str(line) for line in lines]


def test_no_hidden_card_is_named() -> None:
    cards = "quebec gaspe louisbourg montreal tadoussac"
    pile = "trois-rivieres regular-infantry-initial trader"
    views = []
    for hand, rest in ((cards, pile), (f"{pile} quebec gaspe", "louisbourg montreal tadoussac")):
        state = position(Seat(hand="boston rangers"), Seat(hand=hand, pile=rest))
        view = hide_cards(state, BRITISH)
        player = view.players[FRENCH]
        # After one shuffle the drawn cards are unknown.
        player.unseen = [sorted(card for epoch in player.unseen for card in epoch), []]
        views.append(view)
    one, other = (all_lines(View(view, BRITISH)) for view in views)
    assert one == other
    # Their owner sees them.
    assert one != all_lines(View(state, FRENCH))


def turn_positions(seed: int, start: str, every: int) -> Iterator[tuple[State, Side]]:
    """Yield each `every`th position of a random game in which a side can play its turn."""
    for number, state in enumerate(random_game(Random(seed), 40, STARTS[start]())):
        side, decision = state.awaiting.side, state.awaiting.decision
        if number % every == 0 and state.can_decide(side) and decision is Decision.TURN:
            yield state, side


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_order_without_missing_cards_is_legal(seed: int, start: str) -> None:
    # This ignores money, which can be earned in the same turn.
    for state, side in turn_positions(seed, start, 6):
        own = in_own_turn(state, side).copy()
        own.players[side].money += 10
        for kind in (Settle, Develop, Fortify, Besiege):
            ready = {lack.location for lack in lacks(own, side, kind) if not lack.number}
            can = {order.location for order in legal_orders(own) if isinstance(order, kind)}
            assert can == ready


HAND = "boston norfolk"


def used_up_stock() -> State:
    """Return a position in which the British lack only pieces."""
    free = position(Seat(hand=HAND))
    captured = free.villages_left(BRITISH), free.towns_left(BRITISH)
    state = position(Seat(hand=HAND, governed="st-marys"), Seat(captured=captured))
    french_first = sorted(state.board, key=lambda place: state.owner(place) is BRITISH)
    for place in french_first[: state.fortifications_left()]:
        state.place(place, state.board[place]._replace(fortified=True))
    return state


def test_no_card_is_reported_missing_if_none_would_help() -> None:
    hand = Seat(hand=HAND)
    besieging = Seat(hand=HAND, siege="regular-infantry")
    free, delayed = position(hand), position(hand, house_rules=["british-siege-delay"])
    second = position(besieging, Seat(villages="canso"), besieging={BRITISH: "louisbourg"})
    assert [lack.location for lack in lacks(free, BRITISH, Besiege)] == ["port-royal"]
    for barred in (second, delayed):
        assert lacks(barred, BRITISH, Besiege) == []
        page = topic_text(ENGLISH, topics()["besiege"], View(barred, BRITISH))
        assert "missing" not in " ".join(map(str, page))
    used_up = used_up_stock()
    for kind in (Develop, Fortify):
        assert lacks(free, BRITISH, kind)
        assert lacks(used_up, BRITISH, kind) == []
    # Regaining a returned card needs no piece.
    assert [lack.location for lack in lacks(used_up, BRITISH, Settle)] == ["st-marys"]


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_card_page_lists_every_legal_use_of_a_card_in_hand(seed: int, start: str) -> None:
    # Some used cards are not named in the order (Governor, location card, Trader).
    for state, side in turn_positions(seed, start, 8):
        own = in_own_turn(state, side)
        legal = [(str(order.verb_label()), cards_played(own, order)) for order in legal_orders(own)]
        for card in set(own.players[side].hand):
            owned = next(o for o in _cards_with_id(card, state) if side in o.sides)
            verbs = _uses_in_hand([*map(str, card_text(owned, View(state, side)))])
            assert verbs == {verb for verb, played in legal if card in played}


def _cards_with_id(card: str, state: State) -> list[OwnedCard]:
    catalogue = state.ruleset.catalogue
    matches = find_cards(ENGLISH, catalogue.names[card], catalogue)
    return [owned for owned in matches if owned.card.id == card]


def _uses_in_hand(lines: list[str]) -> set[str]:
    (line,) = (line for line in lines if line.startswith("In your hand it can be used for: "))
    verbs = line.removeprefix("In your hand it can be used for: ").rstrip(".").split(", ")
    return {verb.partition(" (")[0] for verb in verbs}
