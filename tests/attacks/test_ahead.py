"""Home Support ahead: too few or too many named cards, skipped cards, and early looks.

docs/protocol.md, Home Support ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from engine.orders import HomeSupport
from engine.sides import Side, Slot
from pbem.errors import DeckError
from pbem.protocol import steps
from pbem.protocol.deck import Deck, GrantAnswer, GrantRequest, GrantStream, commit, open_lists
from pbem.protocol.match import Match
from tests.attacks.cheats import add_record, change_step, check_refused, duel, expect_finding, forge
from tests.attacks.programs import program_with_grants
from tests.play.matches import TIME, answer, any_order, begin, seat_to_write
from tests.play.turns import can_order, find_draft
from tests.seats import NextRecord

AHEAD = "ahead"


@cache
def find_named_ahead() -> tuple[Match, int, steps.Grant]:
    """Return a match whose last record names some slots ahead, its seed, and the grant."""
    for _, match, seed in _games_ahead():
        undrawn = len(match.decks[Side(match.last.side).opponent].undrawn)
        for step in match.last.steps:
            if isinstance(step, steps.Grant) and step.ahead and undrawn > len(step.ahead):
                return match, seed, step
    raise AssertionError("no such record in these matches")


@cache
def find_home_support() -> tuple[Match, int]:
    """Return a match whose next author has Home Support in hand and three cards named ahead."""

    def has_three_ahead(draft: NextRecord) -> bool:
        return can_order(HomeSupport)(draft) and len(draft.look.ahead) == 3

    draft, seed = find_draft(has_three_ahead, AHEAD)
    return Match.replay(draft.match.records), seed


def test_too_few_cards_named_ahead_are_refused() -> None:
    match, seed, grant = find_named_ahead()
    assert grant.ahead
    fewer = grant.ahead[1:] or None
    check_refused(
        forge(match, change_step(steps.Grant, ahead=fewer), seed), "blind deck", "named ahead"
    )


def test_too_many_cards_named_ahead_are_refused() -> None:
    """An accomplice lets the owner see more cards than the rules allow."""
    match, seed, grant = find_named_ahead()
    assert grant.ahead
    deck = match.decks[Side(match.last.side).opponent]
    others = [slot for slot in deck.undrawn if slot not in deck.ahead]
    more = tuple(sorted([*grant.ahead, others[0]]))
    check_refused(
        forge(match, change_step(steps.Grant, ahead=more), seed), "blind deck", "named ahead"
    )


def test_drawn_cards_named_ahead_are_refused() -> None:
    match, seed, grant = find_named_ahead()
    assert grant.ahead
    drawn = tuple(sorted([grant.slots[0], *grant.ahead[1:]]))
    check_refused(
        forge(match, change_step(steps.Grant, ahead=drawn), seed), "blind deck", "draw pile"
    )


def test_cards_named_ahead_without_the_option_are_refused() -> None:
    """In an “asked” game neither player may look ahead, even if the opponent helps."""
    match, choose = begin(2), any_order(Random(2))
    while True:
        match = answer(match, choose, 2)
        deck = match.decks[Side(match.last.side).opponent]
        if any(isinstance(step, steps.Grant) for step in match.last.steps) and deck.undrawn:
            records = forge(match, change_step(steps.Grant, ahead=(deck.undrawn[0],)), 2)
            check_refused(records, "blind deck", "0 cards have to be named ahead")
            return


def test_draw_that_skips_cards_named_ahead_is_refused() -> None:
    """The granter leaves out slots named ahead, which the owner may have seen."""
    for before, match, seed in _games_ahead():
        deck = before.decks[Side(before.last.side)]
        free = [slot for slot in deck.undrawn if slot not in deck.ahead]
        grant = next((step for step in match.last.steps if isinstance(step, steps.Grant)), None)
        if grant and set(deck.ahead) & set(grant.slots) and set(free) - set(grant.slots):
            other = max(set(free) - set(grant.slots))
            skipped = tuple(sorted([other, *(s for s in grant.slots if s != deck.ahead[0])]))
            records = forge(match, change_step(steps.Grant, slots=skipped), seed)
            check_refused(records, "blind deck", "named ahead come first")
            return
    raise AssertionError("no such record in these matches")


def _games_ahead() -> Iterator[tuple[Match, Match, int]]:
    """Yield games with Home Support ahead: before and after each record, and the seed."""
    for seed in range(20):
        match, choose = begin(seed, lists=2, home_support=AHEAD), any_order(Random(seed))
        while not match.is_over and len(match.records) < 80:
            before, match = match, answer(match, choose, seed)
            yield before, match, seed


@pytest.mark.slow
def test_card_named_ahead_cannot_be_played_before_it_is_drawn() -> None:
    match, seed = find_home_support()
    draft = NextRecord(seat_to_write(match, seed), TIME)
    slot = match.decks[draft.seat.side].ahead[0]
    look = steps.Open(slot, *draft.seat.cards.lookup(slot))
    forgery = [*draft.steps, look, steps.OrderStep(f"discard {look.card}")]
    check_refused(add_record(match, forgery, seed=seed), "blind deck", "not a hidden card")


def test_home_support_with_cards_not_named_ahead_is_refused() -> None:
    """Only the named cards come at once; no other card can be used."""
    match, seed = find_home_support()
    draft = NextRecord(seat_to_write(match, seed), TIME)
    deck = match.decks[draft.seat.side]
    others = [slot for slot in deck.undrawn if slot not in deck.ahead]
    draft.order(HomeSupport())
    assert others
    look = steps.Open(others[0], *draft.seat.cards.lookup(others[0]))
    forgery = [*draft.steps, look, steps.OrderStep(f"discard {look.card}")]
    check_refused(add_record(match, forgery, seed=seed), "blind deck", "not a hidden card")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_home_support_with_a_wrong_number_of_cards_is_refused(count: int) -> None:
    match, seed = find_home_support()
    draft = NextRecord(seat_to_write(match, seed), TIME)
    draft.order(HomeSupport())
    forgery = [steps.DrawStep(count) if isinstance(s, steps.DrawStep) else s for s in draft.steps]
    check_refused(add_record(match, forgery, seed=seed), "order of steps", "where 3 are due")


def test_chosen_cards_ahead_are_detected_at_the_close() -> None:
    """The slots are granted honestly, but the slots named ahead are chosen."""

    class LowestAhead(GrantStream):
        def answer(self, request: GrantRequest) -> GrantAnswer:
            honest = super().answer(request)
            rest = [slot for slot in request.remaining if slot not in honest.slots]
            assert honest.ahead != tuple(rest[: request.ahead])
            return honest._replace(ahead=tuple(rest[: request.ahead]))

    match, seed, _ = find_named_ahead()
    cheater = Side(match.last.side)
    position_before = Match.replay(match.records[:-1])
    with expect_finding(cheater, "grant", "they were chosen") as findings:
        duel(position_before, cheater, program_with_grants(LowestAhead), turns=0, seed=seed)
    assert findings[0].record == match.last.index
    assert findings[0].shown_by is not None


def test_unopened_shuffle_gives_no_cards_ahead() -> None:
    """Cards of a pile whose lists are not opened yet wait for a grant."""
    cards, seed = ("boston", "new-york", "norfolk", "pemaquid", "ships"), bytes(32)
    deck = Deck(2)
    deck.shuffle(0, cards, commit(seed, cards, 2))
    deck.draw(1)
    deck.grant(1, [Slot(0, 0)], [Slot(0, 1), Slot(0, 2), Slot(0, 3)], wants_ahead=3)
    unopened = deck.copy()
    assert unopened.draw(3, from_ahead=True) == []
    deck.open_lists(0, open_lists(seed, cards, 2, 1))
    assert deck.draw(3, from_ahead=True) == [Slot(0, 1), Slot(0, 2), Slot(0, 3)]
    with pytest.raises(DeckError, match="nothing was asked"):
        deck.grant(None, [Slot(0, 4)])
