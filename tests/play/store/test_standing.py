"""Conflicts of a file with signed records, and records that would show a whole pile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from pbem.play.signing import (
    ConflictKind,
    SignedBefore,
    find_conflict,
    find_exposing_record,
    questions,
)
from pbem.play.store import Store
from pbem.protocol.deck import open_lists
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import DrawStep, OpenLists, OrderStep, ShuffleStep, Step
from tests.play.homes import LAST, at_home, file
from tests.play.playing import TIME, any_order, begin, play
from tests.play.store.players import ANNA, BELA, GAME, OTHER_GAME, again
from tests.signing import accept, make_record

# --- what a file is to what was signed


@pytest.fixture
def remembered(library: Store, match: Match) -> Store:
    """Anna's library after she signed records 0, 2, 4 and 6."""
    for record in match.records[:7:2]:
        library.remember(match.id, record)
    return library


def test_a_file_with_all_that_was_signed_can_be_answered(remembered: Store, match: Match) -> None:
    assert find_conflict(remembered, match.records[:7]) is None
    assert find_conflict(remembered, match.records[:8]) is None


def test_a_file_of_another_game_is_none_of_its_business(remembered: Store) -> None:
    other = play(begin(lists=8), any_order(Random(1)), turns=4)
    assert find_conflict(remembered, other.records) is None


def standing(library: Store, records: Sequence[Record]) -> tuple[ConflictKind, int]:
    conflict = find_conflict(library, records)
    assert conflict is not None
    return conflict.kind, conflict.record.index


def test_an_answered_file_is_told_from_an_older_one(remembered: Store, match: Match) -> None:
    assert standing(remembered, match.records[:6]) == (ConflictKind.ANSWERED, 6)
    for number in (1, 2, 3, 4, 5):
        assert standing(remembered, match.records[:number]) == (ConflictKind.OLDER, 6)


def test_the_other_record_of_a_forking_opponent_is_seen(remembered: Store, match: Match) -> None:
    for index in (3, 5):
        forked = [*match.records[:index], again(match.records[index], BELA)]
        Match.replay(forked)
        assert standing(remembered, forked) == (ConflictKind.OTHER_BEFORE, index + 1)


def test_another_guest_after_an_answered_one_is_seen(remembered: Store, match: Match) -> None:
    clara = Identity("Clara", "", bytes(range(32)))
    other = accept(Match.replay(match.records[:1]), clara, nonce=bytes(32), time=TIME)
    assert standing(remembered, other.records) == (ConflictKind.OTHER_BEFORE, 2)


def test_ones_own_record_from_elsewhere_is_seen(remembered: Store, match: Match) -> None:
    forked = play(
        Match.replay([*match.records[:4], again(match.records[4])]), any_order(Random(2)), turns=8
    )
    for number in (5, 6, 7, 8):
        assert standing(remembered, forked.records[:number]) == (ConflictKind.OTHER_OWN, 4)


def test_a_guest_who_was_not_chosen_has_nothing_to_say(path: Path, match: Match) -> None:
    clara = Identity("Clara", "", bytes(range(32)))
    accepted = accept(Match.replay(match.records[:1]), clara, nonce=bytes(32), time=TIME)
    library = Store(path, clara.public_key)
    library.remember(match.id, accepted.last)
    assert find_conflict(library, match.records) is None
    assert standing(library, match.records[:1]) == (ConflictKind.ANSWERED, 1)


# --- what would show a whole pile


def opening(epoch: int, chosen: int) -> OpenLists:
    return OpenLists(epoch, *open_lists(bytes([epoch]) * 32, ["a", "b"], 16, chosen))


def record_of(index: int, previous: int, *steps: Step, time: str = TIME) -> Record:
    return make_record(
        ANNA, index=index, side="british", previous=bytes([previous]) * 32, time=time, steps=steps
    )


SHUFFLE = ShuffleStep(1, ("a", "b"), bytes(32))


def test_no_shuffle_is_opened_for_two_lists(library: Store) -> None:
    first = record_of(6, 6, opening(0, 3), OrderStep("pass"))
    library.remember(GAME, first)
    before = bytes([9]) * 32
    assert find_exposing_record(library, GAME, before, [opening(0, 3)]) is None
    assert find_exposing_record(library, GAME, before, [opening(0, 4)]) == first
    assert find_exposing_record(library, GAME, before, [opening(1, 4)]) is None
    assert find_exposing_record(library, OTHER_GAME, before, [opening(0, 4)]) is None
    assert find_exposing_record(library, GAME, before, [OrderStep("pass")]) is None


def test_not_even_when_the_first_record_was_replaced_long_ago(library: Store) -> None:
    first = record_of(6, 6, opening(0, 3))
    library.remember(GAME, first)
    library.remember(GAME, record_of(4, 4, OrderStep("pass")), replacing=[6])
    assert library.signed_record(GAME, 6) is None
    assert list(library.signed_hashes(GAME)) == [4]
    assert find_exposing_record(library, GAME, bytes(32), [opening(0, 4)]) == first


def test_a_shuffle_that_was_opened_is_not_made_again(library: Store) -> None:
    """From the same record on: its lists would be the same, and the one granted another."""
    shuffled, opened = record_of(4, 4, SHUFFLE, DrawStep(1)), record_of(6, 6, opening(1, 3))
    library.remember(GAME, shuffled)
    assert find_exposing_record(library, GAME, shuffled.previous, [SHUFFLE]) is None
    library.remember(GAME, opened)
    assert find_exposing_record(library, GAME, shuffled.previous, [SHUFFLE]) == opened
    assert find_exposing_record(library, GAME, bytes(32), [SHUFFLE]) is None
    assert (
        find_exposing_record(library, GAME, shuffled.previous, [SHUFFLE._replace(epoch=2)]) is None
    )


def test_a_new_acceptance_shuffles_by_a_new_secret(table: Path) -> None:
    bela = at_home(table, "bela")
    _, first, _, opens, *_ = bela.read(file(table, LAST)).match.records
    assert any(isinstance(step, OpenLists) for step in opens.steps)
    joining = bela.join(bela.read(file(table, 0)))
    again = joining.choose().last
    shuffles = [[s for s in r.steps if isinstance(s, ShuffleStep)] for r in (first, again)]
    assert shuffles[0] != shuffles[1]
    assert [type(question) for question in questions(joining, bela.store)] == [SignedBefore]
