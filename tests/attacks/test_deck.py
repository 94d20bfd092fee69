"""Shuffles and grants: wrong cards, stacked lists, chosen draws, and withheld openings."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import pytest

from engine.sides import Side, Slot
from pbem.protocol import steps
from pbem.protocol.deck import Opening, open_lists, root_seed
from pbem.protocol.match import Match
from tests.attacks.cheats import (
    UNCHECKED,
    Program,
    change_step,
    check_refused,
    drop_step,
    duel,
    enter_game,
    expect_finding,
    find_step,
    forge,
    write_record,
)
from tests.attacks.positions import find_grant, find_record_with, play_passes
from tests.attacks.programs import (
    AnotherStream,
    LowestGrants,
    choose_seed,
    program_with_doctored_list,
    program_with_grants,
    program_with_seeds,
    shuffle_until_good,
)
from tests.play.matches import TIME, any_order, begin, identities
from tests.signing import accept, invite

SIDES = list(Side)


def _duel(cheater: Side, program: Program, *, turns: int, seed: int) -> None:
    """Play a duel with a player who cheats from the beginning."""
    duel(enter_game(cheater, program, seed=seed), cheater, program, turns=turns, seed=seed)


# --- wrong cards


def test_wrong_deck_is_detected_when_its_lists_are_opened() -> None:
    """The next file shows it except once in K times; test_catch_rate.py measures the rate."""
    lists, caught, passed = 4, 0, 0
    program = program_with_doctored_list()
    for trial in range(24):
        match = enter_game(Side.BRITISH, program, seed=trial, lists=lists)
        record = write_record(match, program, any_order(Random(0)), seed=trial)
        _, opening = find_step(steps.OpenLists, record.steps)
        granted = match.decks[Side.BRITISH].list_number(0)
        if granted == 0:
            Match.replay([*match.records, record])
            passed += 1
        else:
            records = [*match.records, record]
            check_refused(records, "blind deck", "not the ones that were committed to")
            assert opening.epoch == 0
            caught += 1
    assert caught
    assert passed


def test_wrong_deck_that_passed_is_detected_at_the_close() -> None:
    """With K = 1 a wrong deck always passes until the game secret is published."""
    program = program_with_doctored_list()
    match = enter_game(Side.BRITISH, program, lists=1)
    with expect_finding(Side.BRITISH, "shuffle", "shuffle 0 does not follow") as findings:
        duel(match, Side.BRITISH, program, turns=2)
    assert findings[0].record == 0
    assert findings[0].shown_by is not None


def test_wrong_card_in_a_later_deck_is_detected() -> None:
    """The first shuffle is honest, and a later one with K = 16 is not."""
    program = program_with_doctored_list(place=3)
    with expect_finding(
        Side.FRENCH, "blind deck", "not the ones that were committed to"
    ) as findings:
        duel(begin(4), Side.FRENCH, program, turns=60, seed=4)
    assert findings[0].shown_by is None


def test_lists_other_than_those_committed_to_are_refused() -> None:
    match = find_record_with(6, steps.OpenLists)
    _, opening = find_step(steps.OpenLists, match.last.steps)
    other = (bytes(32), *opening.siblings[1:])
    check_refused(
        forge(match, change_step(steps.OpenLists, siblings=other)), "blind deck", "committed to"
    )
    swapped = opening.commitments[::-1]
    assert swapped != opening.commitments
    records = forge(match, change_step(steps.OpenLists, commitments=swapped))
    check_refused(records, "blind deck", "committed to")
    short = forge(match, change_step(steps.OpenLists, siblings=opening.siblings[1:]))
    check_refused(short, "blind deck", "right number of parts")


def test_opening_for_a_list_that_was_not_granted_is_refused() -> None:
    """The owner opens the shuffle for another of the K honest lists."""
    match = begin()

    def open_another_list(seed: bytes, cards: Sequence[str], lists: int, chosen: int) -> Opening:
        return open_lists(seed, cards, lists, (chosen + 1) % lists)

    program = {**UNCHECKED, "pbem.play.turn.open_lists": open_another_list}
    record = write_record(match, program, any_order(Random(0)))
    check_refused([*match.records, record], "blind deck", "committed to")


def test_withheld_opening_or_grant_is_refused() -> None:
    match = find_record_with(6, steps.Grant)
    check_refused(forge(match, drop_step(steps.Grant)), "order of steps", "granted first")
    match = find_record_with(6, steps.OpenLists)
    check_refused(forge(match, drop_step(steps.OpenLists)), "order of steps", "opened first")


# --- stacked shuffles, which the close shows


@pytest.mark.parametrize("cheater", SIDES)
def test_stacked_shuffle_is_detected_at_the_close(cheater: Side) -> None:
    seed = 1 if cheater is Side.BRITISH else 2
    with expect_finding(
        cheater, "shuffle", "does not follow from its author's game secret"
    ) as findings:
        _duel(cheater, program_with_seeds(choose_seed), turns=30, seed=seed)
    # The finding names the record with the shuffle and the record that reveals it.
    finding = findings[0]
    assert finding.shown_by is not None
    assert finding.record < finding.shown_by


def test_unopened_stacked_shuffle_is_detected_at_the_close() -> None:
    """The author resigns before a card is drawn from the shuffle."""
    match = find_record_with(1, steps.ShuffleStep)
    side = Side(match.last.side)
    place, shuffle_step = find_step(steps.ShuffleStep, match.last.steps)
    secret = identities()[match.last.index % 2].game_secret(match.entrants[side].nonce)
    for commitment, is_found in ((shuffle_step.commitment, False), (bytes(32), True)):
        shuffle = shuffle_step._replace(commitment=commitment)
        end = [shuffle, steps.Resign(), steps.Close(secret)]

        def end_game(honest: Sequence[steps.Step], end: list[steps.Step] = end) -> list[steps.Step]:
            return [*honest[:place], *end]

        records = forge(match, end_game)
        if is_found:
            check_refused(records, "shuffle", "does not follow from its author's game secret")
        else:
            Match.replay(records)


@pytest.mark.parametrize("cheater", SIDES)
def test_shuffle_repeated_until_good_is_detected_at_the_close(cheater: Side) -> None:
    seed = 3 if cheater is Side.BRITISH else 4
    with expect_finding(cheater, "shuffle", "shuffled more than once") as findings:
        _duel(cheater, shuffle_until_good(), turns=30, seed=seed)
    assert findings[0].shown_by is not None
    assert findings[0].record < findings[0].shown_by


# --- grants


def test_wrong_slots_in_a_grant_are_refused() -> None:
    match, grant = find_grant()
    elsewhere = tuple(Slot(slot.epoch, slot.position + 200) for slot in grant.slots)
    for slots, words in (
        (elsewhere, "draw pile"),
        (grant.slots[1:], "asked for"),
        (tuple(Slot(slot.epoch + 1, slot.position) for slot in grant.slots), "draw pile"),
    ):
        check_refused(forge(match, change_step(steps.Grant, slots=slots)), "blind deck", words)


def test_grant_of_a_drawn_card_is_refused() -> None:
    match, grant = find_grant()
    before = Match.replay(match.records[:-1])
    held = before.decks[Side(match.last.side).opponent].hidden[0]
    slots = tuple(sorted([held, *grant.slots[1:]]))
    check_refused(forge(match, change_step(steps.Grant, slots=slots)), "blind deck", "draw pile")


def test_unrequested_or_unknown_list_is_refused() -> None:
    match, _ = find_grant()
    check_refused(forge(match, change_step(steps.Grant, list=0)), "blind deck", "names a list when")
    first = begin()
    check_refused(forge(first, change_step(steps.Grant, list=16)), "blind deck", "no list 16")
    check_refused(
        forge(first, change_step(steps.Grant, list=None)), "blind deck", "names a list when"
    )


def test_unrequested_grant_is_refused() -> None:
    grant = steps.Grant((Slot(0, 6),))
    records = forge(play_passes(), lambda honest: [grant, *honest])
    check_refused(records, "blind deck", "nothing was asked")


def test_second_grant_for_one_request_is_refused() -> None:
    match, grant = find_grant()
    index = match.last.steps.index(grant)
    records = forge(match, lambda t: [*t[: index + 1], grant, *t[index + 1 :]])
    check_refused(records, "blind deck", "nothing was asked")


@pytest.mark.parametrize("cheater", SIDES)
@pytest.mark.parametrize("grants", [LowestGrants, AnotherStream])
def test_chosen_grants_are_detected_at_the_close(cheater: Side, grants: type) -> None:
    with expect_finding(cheater, "grant", "they were chosen") as findings:
        _duel(cheater, program_with_grants(grants), turns=6, seed=5)
    finding = findings[0]
    assert finding.shown_by is not None
    assert 1 <= finding.record < finding.shown_by


def test_chosen_list_is_detected_at_the_close() -> None:
    """The guest grants the inviter's first list, but all slots honestly."""
    anna, bela = identities()
    match = invite(anna, side=Side.BRITISH, nonce=bytes(32), time=TIME, lists=16)
    with patch(
        "pbem.protocol.deck.GrantStream.pick_list", lambda self, lists: (self._uniform(lists), 0)[1]
    ):
        match = accept(match, bela, nonce=bytes([1] * 32), time=TIME)
    _, grant = find_step(steps.Grant, match.last.steps)
    assert grant.list == 0
    with expect_finding(Side.FRENCH, "grant", "they were chosen") as findings:
        duel(match, Side.FRENCH, UNCHECKED, turns=4)
    assert findings[0].record == 1


def test_chosen_grants_in_the_closing_record_are_detected() -> None:
    """The record with the chosen grants also ends the game and publishes the secret."""
    match, _ = find_grant()
    position = Match.replay(match.records[:-1])
    record = write_record(
        position, program_with_grants(LowestGrants), any_order(Random(0)), resigns=True
    )
    assert [step.kind for step in record.steps][-2:] == ["resign", "close"]
    check_refused([*position.records, record], "grant", "they were chosen")


def test_earliest_of_several_lies_is_named() -> None:
    both = {**program_with_grants(LowestGrants), **program_with_seeds(choose_seed)}
    with expect_finding(Side.BRITISH, "shuffle", "does not follow") as findings:
        _duel(Side.BRITISH, both, turns=30, seed=1)
    with expect_finding(Side.BRITISH, "grant", "they were chosen") as later:
        _duel(Side.BRITISH, program_with_grants(LowestGrants), turns=30, seed=1)
    assert findings[0].record < later[0].record

    def stacked_later(secret: bytes, epoch: int, previous: bytes) -> bytes:
        return (choose_seed if epoch > 1 else root_seed)(secret, epoch, previous)

    program = {**program_with_grants(LowestGrants), **program_with_seeds(stacked_later)}
    with expect_finding(Side.BRITISH, "grant", "they were chosen") as findings:
        _duel(Side.BRITISH, program, turns=30, seed=1)
    with expect_finding(Side.BRITISH, "shuffle", "shuffle 2 does not follow") as later:
        _duel(Side.BRITISH, program_with_seeds(stacked_later), turns=30, seed=1)
    assert findings[0].record < later[0].record
