"""Cards that are not in the hand, denied cards, and early looks at later cards."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.orders import Ambush, Block, Discard, Raid, ShowHand
from engine.sides import Side, Slot
from pbem.errors import DeckError, StepError
from pbem.protocol import steps
from pbem.protocol.deck import Deck, commit, derive_list, open_lists
from pbem.protocol.match import Match
from tests.attacks.cheats import add_record, change_step, check_refused, drop_step, find_step, forge
from tests.attacks.positions import find_attacked, find_record_with
from tests.play.matches import TIME, answer, any_order, begin, seat_to_write
from tests.play.turns import can_order, find_draft, legal_orders_of
from tests.seats import NextRecord


def test_playing_a_card_without_showing_it_is_refused() -> None:
    match = find_record_with(3, steps.Open)
    check_refused(forge(match, drop_step(steps.Open)), "rules of the game", "not in your hand")


def test_showing_a_card_as_another_is_refused() -> None:
    match = find_record_with(3, steps.Open)
    _, opening = find_step(steps.Open, match.last.steps)
    other = "boston" if opening.card != "boston" else "norfolk"
    check_refused(forge(match, change_step(steps.Open, card=other)), "blind deck", "not the one")
    check_refused(
        forge(match, change_step(steps.Open, nonce=bytes(32))), "blind deck", "not the one"
    )


def test_showing_a_card_from_another_slot_is_refused() -> None:
    """The other slot would hide how long the card has been in hand."""
    match, opening = _two_in_hand()
    other = next(s for s in match.decks[Side(match.last.side)].hidden if s != opening.slot)
    check_refused(forge(match, change_step(steps.Open, slot=other)), "blind deck", "not the one")


def _two_in_hand() -> tuple[Match, steps.Open]:
    match = find_record_with(3, steps.Open)
    return match, find_step(steps.Open, match.last.steps)[1]


def test_showing_an_unknown_slot_is_refused() -> None:
    match = find_record_with(3, steps.Open)
    never = Slot(match.decks[Side(match.last.side)].next_epoch + 3, 0)
    check_refused(forge(match, change_step(steps.Open, slot=never)), "blind deck", "does not exist")


def test_premature_look_is_refused() -> None:
    """The owner plays a card of the draw pile, with its true nonce, before it is granted."""
    match = find_record_with(3, steps.Open)
    before = Match.replay(match.records[:-1])
    seat = seat_to_write(before)
    deck = match.decks[seat.side]
    assert deck.undrawn
    slot = deck.undrawn[0]
    card, nonce = seat.cards.lookup(slot)  # The owner knows the list from the moment it is granted.
    records = forge(match, change_step(steps.Open, slot=slot, card=card, nonce=nonce))
    check_refused(records, "blind deck", "not a hidden card")


def test_blocking_with_a_card_before_its_grant_is_refused() -> None:
    """The defender blocks with a card of a refill that the raider has not granted yet."""
    match, seed = find_attacked(Raid)
    seat = seat_to_write(match, seed)
    draft = NextRecord(seat, TIME)
    undrawn = match.decks[seat.side].undrawn
    assert undrawn
    card, nonce = seat.cards.lookup(undrawn[-1])
    block = [*draft.steps, steps.Open(undrawn[-1], card, nonce), steps.OrderStep(f"block {card}")]
    check_refused(add_record(match, block, seed=seed), "blind deck", "not a hidden card")


def test_second_showing_of_a_slot_is_refused() -> None:
    match = find_record_with(3, steps.Open)
    index, opening = find_step(steps.Open, match.last.steps)
    twice = forge(match, lambda honest: [*honest[: index + 1], opening, *honest[index + 1 :]])
    check_refused(twice, "blind deck", "not a hidden card")


def test_slot_of_a_discarded_card_cannot_be_used_again() -> None:
    match, choose = begin(), any_order(Random(3))
    gone: dict[str, steps.Open] = {}
    for _ in range(120):
        match = answer(match, choose)
        side = match.last.side
        index = next((i for i, s in enumerate(match.last.steps) if isinstance(s, steps.Open)), None)
        if index is not None and side in gone:
            again = [*match.last.steps[:index], gone[side], *match.last.steps[index:]]
            check_refused(forge(match, lambda _, a=again: a), "blind deck", "not a hidden card")  # type: ignore[misc]
            return
        for step in match.last.steps:
            if isinstance(step, steps.Open):
                gone[side] = step
    raise AssertionError("no card was shown twice in this match")


def test_playing_an_opponents_card_is_refused() -> None:
    """A player plays a card that the opponent has shown, with its public nonce."""
    match, choose = begin(), any_order(Random(3))
    latest: dict[str, steps.Open] = {}
    while True:
        match = answer(match, choose)
        author = Side(match.last.side)
        opens = [step for step in match.last.steps if isinstance(step, steps.Open)]
        opponents_step = latest.get(author.opponent.value)
        if opens and opponents_step:
            stolen = change_step(steps.Open, card=opponents_step.card, nonce=opponents_step.nonce)
            check_refused(forge(match, stolen), "blind deck", "not the one")
            return
        if opens:
            latest[author.value] = opens[-1]


def test_card_of_another_game_is_refused() -> None:
    """Player and slot are right, but the nonce is from another game."""
    match = find_record_with(3, steps.Open)
    _, opening = find_step(steps.Open, match.last.steps)
    other = begin(1)
    seat = seat_to_write(other, 1)
    card, nonce = seat.cards.lookup(Slot(0, opening.slot.position % 5))
    records = forge(match, change_step(steps.Open, card=card, nonce=nonce))
    check_refused(records, "blind deck", "not the one")


def test_more_copies_than_were_shuffled_are_refused() -> None:
    """The doctored list was granted, but the number of copies in the shuffle is public."""
    cards = ("boston", "new-york", "norfolk")
    seed, better = bytes(32), ("boston",) * 3
    deck = Deck(1)
    deck.shuffle(0, cards, commit(seed, better, 1))
    deck.draw(2)
    deck.grant(0, [Slot(0, 0), Slot(0, 1)])
    deck.open_lists(0, open_lists(seed, better, 1, 0))
    better_list = derive_list(seed, better, 1, 0)
    deck.open(Slot(0, 0), *better_list[0])
    with pytest.raises(DeckError, match="all copies of boston"):
        deck.open(Slot(0, 1), *better_list[1])


def test_showing_more_than_is_played_is_refused() -> None:
    """A needless step would be a second way to write the same turn."""
    draft, _ = find_draft(lambda d: bool(d.seat.hidden_cards()) and bool(d.match.moves))
    slot, (card, nonce) = next(iter(draft.seat.hidden_cards().items()))
    draft.take(steps.Open(slot, card, nonce))
    with pytest.raises(StepError, match="does not need") as error:
        draft.take(steps.OrderStep("pass"))
    assert error.value.rule.topic == "shown cards"
    # The first of the two cards is not played.
    draft, _ = find_draft(lambda d: len(d.seat.hidden_cards()) > 1 and can_order(Discard)(d))
    (needless, pair), *_, (slot, (played, nonce)) = sorted(draft.seat.hidden_cards().items())
    assert played != pair[0]
    draft.take(steps.Open(needless, *pair))
    draft.take(steps.Open(slot, played, nonce))
    with pytest.raises(StepError, match="does not need"):
        draft.take(steps.OrderStep(Discard(cards=(played,)).notation()))


def _equal_to_a_known_one(draft: NextRecord) -> dict[Slot, tuple[str, bytes]]:
    """Return the hidden cards that equal an open card of the same hand."""
    known = draft.match.state.players[draft.seat.side].hand
    hidden = draft.seat.hidden_cards().items()
    return {slot: pair for slot, pair in hidden if pair[0] in known}


def test_showing_a_hidden_card_instead_of_an_equal_open_card_is_refused() -> None:
    """Open cards are played before equal hidden ones, so that a turn has one form."""
    draft, _ = find_draft(lambda d: bool(_equal_to_a_known_one(d)) and can_order(Discard)(d))
    slot, (card, nonce) = next(iter(_equal_to_a_known_one(draft).items()))
    draft.take(steps.Open(slot, card, nonce))
    with pytest.raises(StepError, match="does not need"):
        draft.take(steps.OrderStep(Discard(cards=(card,)).notation()))


def test_needless_showing_of_a_card_is_refused() -> None:
    draft, seed = find_draft(lambda d: bool(d.seat.hidden_cards()))
    match = Match.replay(draft.match.records)
    slot, (card, nonce) = next(iter(draft.seat.hidden_cards().items()))
    opening = steps.Open(slot, card, nonce)
    records = add_record(match, [*draft.steps, opening], seed=seed)
    check_refused(records, "shown cards", "no order plays")


def test_cards_shown_out_of_slot_order_are_refused() -> None:
    """Slots in another order would be a second way to write the same turn."""
    match, choose = begin(), any_order(Random(12))
    for _ in range(200):
        match = answer(match, choose)
        honest = list(match.last.steps)
        for i, pair in enumerate(pairwise(honest)):
            if all(isinstance(step, steps.Open) for step in pair):
                swapped = [*honest[:i], *reversed(pair), *honest[i + 2 :]]
                records = forge(match, lambda _, s=swapped: s)  # type: ignore[misc]
                check_refused(records, "shown cards", "ascending order")
                return
    raise AssertionError("no two cards were shown for one order")


def test_hand_shown_without_one_card_is_refused() -> None:
    """The client leaves the answering card out of the shown hand."""
    match, seed = find_attacked(Ambush)
    draft = NextRecord(seat_to_write(match, seed), TIME)
    hidden = draft.seat.hidden_cards()
    assert len(hidden) > 1
    opens = [steps.Open(slot, *known) for slot, known in hidden.items()]
    for left_out in range(len(opens)):
        all_but_one = [*opens[:left_out], *opens[left_out + 1 :]]
        records = add_record(
            match, [*draft.steps, *all_but_one, steps.OrderStep("show-hand")], seed=seed
        )
        check_refused(records, "rules of the game", "all of it")


def test_showing_a_hand_with_an_answering_card_is_refused() -> None:
    """The client denies an answering card that the shown hand contains."""

    def could_give(draft: NextRecord) -> bool:
        decision = draft.view().awaiting.decision
        return decision.value == "ambush reply" and not legal_orders_of(draft, ShowHand)

    draft, seed = find_draft(could_give)
    opens = [steps.Open(s, *known) for s, known in draft.seat.hidden_cards().items()]
    match = Match.replay(draft.match.records)
    records = add_record(match, [*draft.steps, *opens, steps.OrderStep("show-hand")], seed=seed)
    check_refused(records, "rules of the game", "not legal")


def test_block_with_a_card_that_cannot_block_is_refused() -> None:
    draft, seed = find_draft(lambda d: bool(legal_orders_of(d, Block)))
    hidden = draft.seat.hidden_cards()
    able = {card for order in legal_orders_of(draft, Block) for card in order.cards}
    slot, (card, nonce) = next(item for item in hidden.items() if item[1][0] not in able)
    block = [steps.Open(slot, card, nonce), steps.OrderStep(f"block {card}")]
    match = Match.replay(draft.match.records)
    check_refused(
        add_record(match, [*draft.steps, *block], seed=seed), "rules of the game", "not legal"
    )
