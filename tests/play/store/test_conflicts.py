"""Conflicts of a file with signed records, and records that would reveal a whole pile."""

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
from tests.play.homes import LAST, file, open_home
from tests.play.matches import TIME, any_order, begin, play
from tests.play.store.players import ANNA, BELA, GAME, OTHER_GAME, sign_again
from tests.signing import accept, make_record

# --- files against signed records


@pytest.fixture
def signed_library(library: Store, match: Match) -> Store:
    """Anna's library after she signed records 0, 2, 4 and 6."""
    for record in match.records[:7:2]:
        library.remember(match.id, record)
    return library


def conflict(library: Store, records: Sequence[Record]) -> tuple[ConflictKind, int] | None:
    result = find_conflict(library, records)
    return result and (result.kind, result.record.index)


def test_file_that_contradicts_signed_records_is_reported(
    signed_library: Store, match: Match
) -> None:
    """The files have all, fewer or other records than Anna signed, or another game or guest."""
    records, choose = match.records, any_order(Random(2))
    own = play(Match.replay([*records[:4], sign_again(records[4])]), choose, turns=8)
    other_game = play(begin(lists=8), any_order(Random(1)), turns=4)
    clara = Identity("Clara", "", bytes(range(32)))
    other_guest = accept(Match.replay(records[:1]), clara, nonce=bytes(32), time=TIME)
    forked = {index: [*records[:index], sign_again(records[index], BELA)] for index in (3, 5)}
    for fork in forked.values():
        Match.replay(fork)
    cases: list[tuple[Sequence[Record], tuple[ConflictKind, int] | None]] = [
        (other_game.records, None),
        *((records[:number], None) for number in (7, 8)),
        (records[:6], (ConflictKind.ANSWERED, 6)),
        *((records[:number], (ConflictKind.OLDER, 6)) for number in range(1, 6)),
        *((fork, (ConflictKind.OTHER_BEFORE, n + 1)) for n, fork in forked.items()),
        (other_guest.records, (ConflictKind.OTHER_BEFORE, 2)),
        *((own.records[:number], (ConflictKind.OTHER_OWN, 4)) for number in range(5, 9)),
    ]
    for case, expected in cases:
        assert conflict(signed_library, case) == expected


def test_file_with_another_guest_is_no_conflict(path: Path, match: Match) -> None:
    clara = Identity("Clara", "", bytes(range(32)))
    accepted = accept(Match.replay(match.records[:1]), clara, nonce=bytes(32), time=TIME)
    library = Store(path, clara.public_key)
    library.remember(match.id, accepted.last)
    assert find_conflict(library, match.records) is None
    assert conflict(library, match.records[:1]) == (ConflictKind.ANSWERED, 1)


# --- revealed piles


def opening_record(epoch: int, chosen: int) -> OpenLists:
    return OpenLists(epoch, *open_lists(bytes([epoch]) * 32, ["a", "b"], 16, chosen))


def record_of(index: int, previous: int, *steps: Step, time: str = TIME) -> Record:
    return make_record(
        ANNA, index=index, side="british", previous=bytes([previous]) * 32, time=time, steps=steps
    )


SHUFFLE = ShuffleStep(1, ("a", "b"), bytes(32))


def test_no_shuffle_is_opened_for_two_lists(library: Store) -> None:
    first = record_of(6, 6, opening_record(0, 3), OrderStep("pass"))
    library.remember(GAME, first)
    before = bytes([9]) * 32
    for game, step, expected in (
        (GAME, opening_record(0, 3), None),
        (GAME, opening_record(0, 4), first),
        (GAME, opening_record(1, 4), None),
        (OTHER_GAME, opening_record(0, 4), None),
        (GAME, OrderStep("pass"), None),
    ):
        assert find_exposing_record(library, game, before, [step]) == expected


def test_replaced_record_counts_as_an_opening(library: Store) -> None:
    first = record_of(6, 6, opening_record(0, 3))
    library.remember(GAME, first)
    library.remember(GAME, record_of(4, 4, OrderStep("pass")), replaced_indexes=[6])
    assert library.signed_record(GAME, 6) is None
    assert list(library.signed_hashes(GAME)) == [4]
    assert find_exposing_record(library, GAME, bytes(32), [opening_record(0, 4)]) == first


def test_opened_shuffle_is_not_repeated(library: Store) -> None:
    """After the same record its lists would be the same, but the granted list another."""
    shuffled, opened = record_of(4, 4, SHUFFLE, DrawStep(1)), record_of(6, 6, opening_record(1, 3))
    library.remember(GAME, shuffled)
    assert find_exposing_record(library, GAME, shuffled.previous, [SHUFFLE]) is None
    library.remember(GAME, opened)
    assert find_exposing_record(library, GAME, shuffled.previous, [SHUFFLE]) == opened
    assert find_exposing_record(library, GAME, bytes(32), [SHUFFLE]) is None
    assert (
        find_exposing_record(library, GAME, shuffled.previous, [SHUFFLE._replace(epoch=2)]) is None
    )


def test_new_acceptance_shuffles_by_a_new_secret(folder: Path) -> None:
    bela = open_home(folder, "bela")
    _, first, _, opens, *_ = bela.read(file(folder, LAST)).match.records
    assert any(isinstance(step, OpenLists) for step in opens.steps)
    joining = bela.join(bela.read(file(folder, 0)))
    second = joining.choose().last
    shuffles = [[s for s in r.steps if isinstance(s, ShuffleStep)] for r in (first, second)]
    assert shuffles[0] != shuffles[1]
    assert [type(question) for question in questions(joining, bela.store)] == [SignedBefore]
