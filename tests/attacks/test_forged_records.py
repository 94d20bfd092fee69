"""What a player could write into the own record, signed properly, to gain something.

Each is refused by whoever reads the file, with the record, its author and the proof that fails
(docs/protocol.md, What is caught, and when).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TypeVar

import pytest

from engine.notation import from_notation
from engine.sides import Side
from engine.state import Decision
from pbem import steps
from pbem.deck import Slot, commit
from pbem.errors import DeckError, NotProved, StepError
from pbem.hand import shuffle_seed
from pbem.match import Match
from pbem.next_record import NextRecord
from pbem.record import Record
from pbem.setup import accept, invite
from pbem.steps import Step
from tests.attacks.cheats import Steps, forged, resigned
from tests.pbem.playing import (
    TIME,
    answer,
    any_order,
    begin,
    identities,
    play,
    seat_to_write,
)

S = TypeVar("S", bound=Step)


def refused(records: list[Record], rule: str, sentence: str) -> None:
    """Assert that the last record is found out, for that rule and with those words."""
    with pytest.raises(NotProved, match=sentence) as caught:
        Match.replay(records)
    finding = caught.value.finding
    assert (finding.record, finding.author) == (records[-1].index, records[-1].side)
    assert finding.rule == rule


def find(kind: type[S], taken: list[Step]) -> tuple[int, S]:
    """The first step of a kind, and where it stands."""
    return next((i, step) for i, step in enumerate(taken) if isinstance(step, kind))


def changed(kind: type[Step], **fields: object) -> Callable[[list[Step]], Steps]:
    """A change of some fields of the first step of a kind."""

    def change(taken: list[Step]) -> Steps:
        index, step = find(kind, taken)
        taken[index] = replace(step, **fields)  # type: ignore[type-var]
        return taken

    return change


def without(kind: type[Step]) -> Callable[[list[Step]], Steps]:
    """A change that drops the first step of a kind."""

    def change(taken: list[Step]) -> Steps:
        del taken[find(kind, taken)[0]]
        return taken

    return change


def until(seed: int, *kinds: type[Step], absent: tuple[type[Step], ...] = ()) -> Match:
    """A match whose last record has steps of all these kinds."""
    match, choose = begin(), any_order(Random(seed))
    for _ in range(200):
        match = answer(match, choose)
        present = {type(step) for step in match.last.steps}
        if present.issuperset(kinds) and not present.intersection(absent):
            return match
    raise AssertionError("no such record in this match")


# --- the chain, the signature, the time


def test_a_changed_record_breaks_its_signature() -> None:
    match = until(1, steps.Order)
    records = [*match.records[:-1], replace(match.last, steps=match.last.steps[:-1])]
    refused(records, "signature", "does not fit")


def test_a_record_in_the_opponents_name() -> None:
    """Written by the player who has just written, over the other's side."""
    match = until(1, steps.Order)
    author = identities()[match.last.index % 2]
    forged_record = Record.signed(
        author,
        index=len(match.records),
        side=Side(match.last.side).opponent.value,
        previous=match.last.hash,
        time=TIME,
        steps=[steps.Order("pass"), steps.Order("end")],
    )
    refused([*match.records, forged_record], "signature", "somebody else wrote it")


def test_two_records_in_a_row() -> None:
    match = until(1, steps.Order)
    author = identities()[match.last.index % 2]
    record = Record.signed(
        author,
        index=len(match.records),
        side=match.last.side,
        previous=match.last.hash,
        time=TIME,
        steps=[steps.Order("pass")],
    )
    refused([*match.records, record], "turn", "other player's turn")


def test_time_running_backwards() -> None:
    match = until(1, steps.Order)
    refused(resigned(match, replace(match.last, time="2020-01-01T00:00:00Z")), "time", "dated")


# --- the rules


def test_an_order_that_is_not_legal() -> None:
    match = until(2, steps.Order, steps.Draw)
    refused(
        forged(match, changed(steps.Order, order="draft rangers-and-more")),
        "rules of the game",
        "no card called",
    )
    owed = [s for s in match.last.steps if isinstance(s, (steps.OpenLists, steps.Grant))]
    beyond_means = [steps.Order("draft siege-artillery"), steps.Order("draft siege-artillery")]
    refused(forged(match, lambda _: [*owed, *beyond_means]), "rules of the game", "not legal")


def test_an_order_that_is_not_written_canonically() -> None:
    match = until(2, steps.Order)
    refused(forged(match, changed(steps.Order, order="PASS")), "rules of the game", "no order")


def test_a_turn_of_three_actions() -> None:
    match = play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=5)
    refused(
        forged(match, lambda taken: [steps.Order("pass"), *taken]),
        "rules of the game",
        "no action left",
    )


def test_a_turn_that_stops_in_the_middle() -> None:
    match = play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=5)
    refused(forged(match, lambda taken: taken[:1]), "order of steps", "still owes: turn")


def test_an_order_after_the_turn_has_passed() -> None:
    match = play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=5)
    refused(forged(match, lambda taken: [*taken, steps.Order("pass")]), "order of steps", "not its")


# --- the hand


def test_playing_a_card_without_showing_it() -> None:
    match = until(3, steps.Open)
    refused(forged(match, without(steps.Open)), "rules of the game", "not in your hand")


def test_showing_a_card_as_another() -> None:
    match = until(3, steps.Open)
    _, shown = find(steps.Open, list(match.last.steps))
    other = "boston" if shown.card != "boston" else "norfolk"
    refused(forged(match, changed(steps.Open, card=other)), "blind deck", "not the one")
    refused(forged(match, changed(steps.Open, nonce=bytes(32))), "blind deck", "not the one")


def test_showing_a_slot_that_was_not_drawn() -> None:
    match = until(3, steps.Open)
    deck = match.decks[Side(match.last.side)]
    never = Slot(deck.next_epoch + 3, 0)
    refused(forged(match, changed(steps.Open, slot=never)), "blind deck", "does not exist")
    if deck.undrawn:
        refused(
            forged(match, changed(steps.Open, slot=deck.undrawn[0])), "blind deck", "not a hidden"
        )


def test_showing_a_slot_twice() -> None:
    match = until(3, steps.Open)
    index, shown = find(steps.Open, list(match.last.steps))
    refused(
        forged(match, lambda taken: [*taken[: index + 1], shown, *taken[index + 1 :]]),
        "blind deck",
        "not a hidden card",
    )


def test_showing_more_than_is_played() -> None:
    """A needless opening would be a second way to write the same turn."""
    match, choose = begin(), any_order(Random(9))
    for _ in range(40):
        seat = seat_to_write(match)
        draft = NextRecord(seat, TIME)
        hidden = draft.seat.hidden_cards()
        if draft.is_awaiting_orders and hidden and draft.match.state.actions_left == 2:
            slot, (card, nonce) = next(iter(hidden.items()))
            writer = draft._writer
            writer.take(steps.Open(Slot(*slot), card, nonce))
            with pytest.raises(StepError, match="does not need"):
                writer.take(steps.Order("pass"))
            return
        match = answer(match, choose)
    raise AssertionError("no such position")


def test_cards_that_are_not_shown_in_the_order_of_their_slots() -> None:
    """Another order would be a second way to write the same turn."""
    match, choose = begin(), any_order(Random(12))
    for _ in range(200):
        match = answer(match, choose)
        taken = list(match.last.steps)
        for i, pair in enumerate(pairwise(taken)):
            if all(isinstance(step, steps.Open) for step in pair):
                swapped = [*taken[:i], *reversed(pair), *taken[i + 2 :]]
                refused(forged(match, lambda _, s=swapped: s), "shown cards", "ascending order")
                return
    raise AssertionError("no two cards were shown for one order")


# --- shuffles, draws and grants


def test_skipping_the_refill_or_drawing_six() -> None:
    match = until(4, steps.Draw, absent=(steps.Shuffle,))
    refused(forged(match, without(steps.Draw)), "order of steps", "still owes: draw")
    _, draw = find(steps.Draw, list(match.last.steps))
    more = forged(match, changed(steps.Draw, count=draw.count + 1))
    refused(more, "order of steps", "are due")


def test_a_draw_that_is_not_due() -> None:
    match = play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=5)
    refused(forged(match, lambda taken: [*taken, steps.Draw(1)]), "order of steps", "not due")


def test_nothing_follows_a_draw_that_has_to_be_answered() -> None:
    """Two draws in one record would be granted together, and no grant would fit the game."""
    match = until(4, steps.Draw, absent=(steps.Shuffle,))
    _, draw = find(steps.Draw, list(match.last.steps))
    assert match.decks[Side(match.last.side)].wants_slots
    for more in (
        draw,
        steps.Order("pass"),
        steps.Order("end"),
        steps.Shuffle(1, ("a",), bytes(32)),
    ):
        refused(forged(match, lambda t, m=more: [*t, m]), "order of steps", "nothing follows")


def test_shuffling_other_cards() -> None:
    match = until(5, steps.Shuffle, steps.Order)
    _, shuffle = find(steps.Shuffle, list(match.last.steps))
    better = tuple(sorted([*shuffle.cards[1:], "siege-artillery"]))
    refused(forged(match, changed(steps.Shuffle, cards=better)), "shuffled cards", "discard pile")
    fewer = shuffle.cards[1:]
    if fewer:
        refused(
            forged(match, changed(steps.Shuffle, cards=fewer)), "shuffled cards", "discard pile"
        )
    refused(forged(match, changed(steps.Shuffle, epoch=99)), "blind deck", "shuffle")


def test_withholding_what_is_owed() -> None:
    match = until(6, steps.Grant)
    refused(forged(match, without(steps.Grant)), "order of steps", "granted first")
    match = until(6, steps.OpenLists)
    refused(forged(match, without(steps.OpenLists)), "order of steps", "opened first")


def test_a_grant_of_the_wrong_slots() -> None:
    match = until(6, steps.Grant)
    _, grant = find(steps.Grant, list(match.last.steps))
    elsewhere = tuple(Slot(slot.epoch, slot.position + 200) for slot in grant.slots)
    refused(forged(match, changed(steps.Grant, slots=elsewhere)), "blind deck", "draw pile")
    fewer = forged(match, changed(steps.Grant, slots=grant.slots[1:]))
    refused(fewer, "blind deck", "asked for")


def test_an_answer_to_a_question_that_was_not_asked() -> None:
    match = play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=5)
    refused(
        forged(match, lambda taken: [steps.Grant((Slot(0, 6),)), *taken]),
        "blind deck",
        "Nothing was asked",
    )


def test_lists_that_are_not_those_committed_to() -> None:
    match = until(6, steps.OpenLists)
    _, opening = find(steps.OpenLists, list(match.last.steps))
    other = (bytes(32), *opening.siblings[1:])
    refused(forged(match, changed(steps.OpenLists, siblings=other)), "blind deck", "committed to")
    swapped = opening.commitments[::-1]
    if swapped != opening.commitments:
        refused(
            forged(match, changed(steps.OpenLists, commitments=swapped)),
            "blind deck",
            "committed to",
        )


def test_a_deck_of_the_wrong_cards_is_found_when_its_lists_are_opened() -> None:
    """A client that commits to a better deck than the one it names: found with 1 - 1/K."""
    anna, bela = identities()
    caught = 0
    trials, lists = 64, 4
    for trial in range(trials):
        nonce = Random(trial).randbytes(32)
        match = invite(anna, side=Side.BRITISH, nonce=nonce, time=TIME, lists=lists)
        shuffle = match.last.steps[1]
        assert isinstance(shuffle, steps.Shuffle)
        # The same deck with Philadelphia replaced by a second Boston.
        better = tuple(sorted(["boston", *[c for c in shuffle.cards if c != "philadelphia"]]))
        seed = shuffle_seed(match, Side.BRITISH, anna.game_secret(nonce), 0)
        lie = replace(shuffle, commitment=commit(seed, better, lists))
        records = resigned(
            match, replace(match.last, steps=(match.last.steps[0], lie, *match.last.steps[2:]))
        )
        cheated = Match.replay(records)
        joined = accept(cheated, bela, nonce=bytes([trial] * 32), time=TIME)
        try:
            answer(joined, any_order(Random(0)))
        except DeckError as error:
            assert "committed to" in str(error)
            caught += 1
    # Binomial with 64 trials and 3/4: five standard deviations are 17.
    assert abs(caught - trials * (1 - 1 / lists)) < 17


# --- entering the game


def test_doctored_rules_data() -> None:
    anna, _ = identities()
    match = invite(anna, side=Side.BRITISH, nonce=bytes(32), time=TIME, lists=4)
    records = forged(match, changed(steps.Invite, rules_digest=bytes(32)))
    refused(records, "rules data", "other rules data")


def test_unknown_rules() -> None:
    anna, _ = identities()
    match = invite(anna, side=Side.BRITISH, nonce=bytes(32), time=TIME, lists=4)
    refused(forged(match, changed(steps.Invite, edition="third")), "rules data", "does not know")


def test_an_acceptance_that_does_not_fit() -> None:
    match = begin()
    taken = resigned(match, replace(match.last, side="british"))
    refused(taken, "acceptance", "by the side that it leaves")
    torn = forged(match, changed(steps.Accept, side="british"))
    refused(torn, "acceptance", "two different sides")
    refused(
        forged(match, changed(steps.Accept, nonce=match.invite.nonce)),
        "acceptance",
        "repeats",
    )


@pytest.mark.parametrize("step", [steps.Close(bytes(32)), steps.Draw(1)])
def test_steps_that_have_no_place(step: Step) -> None:
    match = play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=5)
    refused(forged(match, lambda taken: [step, *taken]), "order of steps", "not before|due")


def test_hiding_a_card_when_the_whole_hand_is_to_be_shown() -> None:
    match, random = begin(), Random(11)
    choose = any_order(random)
    for _ in range(300):
        match = answer(match, choose)
        taken = list(match.last.steps)
        shows = [i for i, s in enumerate(taken) if s == steps.Order("show-hand")]
        if shows and shows[0] and isinstance(taken[shows[0] - 1], steps.Open):
            refused(forged(match, without(steps.Open)), "rules of the game", "all of it")
            return
        if match.next_side is None:
            match = begin()
    raise AssertionError("no hand was shown")


def test_after_the_end_nothing_more_can_be_written() -> None:
    match = play(begin(), any_order(Random(1)), turns=400)
    assert match.state.awaiting.decision is Decision.OVER
    side = Side(match.last.side).opponent
    author = identities()[len(match.records) % 2]
    record = Record.signed(
        author,
        index=len(match.records),
        side=side.value,
        previous=match.last.hash,
        time=TIME,
        steps=[steps.Order("pass")],
    )
    refused([*match.records, record], "turn", "over")
