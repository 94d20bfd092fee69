"""Verified records are not verified again, but no invalid record passes because of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random
from unittest.mock import patch

import pytest

from pbem.errors import Finding, VerificationError
from pbem.play.game_file import GameFile, pack
from pbem.protocol.cache import GameCache, VerifiedRecord
from pbem.protocol.deck import verify_opening
from pbem.protocol.hand import match_at
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Close, OpenLists, Resign
from tests.attacks.cheats import change_step
from tests.play.matches import any_order, begin, identities, play, sign_as

ANNA, BELA = identities()
STRANGER = Identity("Clara", "", bytes(range(32)))


@cache
def play_match() -> Match:
    return play(begin(lists=4), any_order(Random(3)), turns=10)


def verified_records(match: Match) -> frozenset[VerifiedRecord]:
    return frozenset(VerifiedRecord.of(record) for record in match.records)


@contextmanager
def count_verifications() -> Iterator[Callable[[], tuple[int, int]]]:
    """Count the verifications of signatures and openings in the block."""
    with (
        patch.object(Record, "verify", autospec=True, side_effect=Record.verify) as signatures,
        patch("pbem.protocol.deck.verify_opening", wraps=verify_opening) as openings,
    ):
        yield lambda: (signatures.call_count, openings.call_count)


def finding(records: Sequence[Record], known: Collection[VerifiedRecord] = ()) -> Finding | None:
    try:
        Match.replay(records, known)
    except VerificationError as error:
        return error.finding
    return None


# --- skipped verifications


def test_verified_game_is_not_verified_again() -> None:
    match = play_match()
    with count_verifications() as counts:
        again = Match.replay(match.records, verified_records(match))
    assert counts() == (0, 0)
    assert (again.state, again.moves) == (match.state, match.moves)


def test_only_new_records_are_verified() -> None:
    match = play_match()
    openings = [any(isinstance(step, OpenLists) for step in r.steps) for r in match.records]
    assert sum(openings) > 2
    for known in range(len(match.records)):
        with count_verifications() as counts:
            Match.replay(match.records, verified_records(match_at(match, known)))
        assert counts() == (len(match.records) - known - 1, sum(openings[known + 1 :]))


def test_file_requests_the_cache_of_its_game() -> None:
    match, games = play_match(), []
    data = pack(match, None, {}, "").write()

    def known(game: bytes) -> GameCache:
        games.append(game)
        return GameCache(verified_records(match))

    with count_verifications() as counts:
        GameFile.read(data, known)
    assert (games, counts()) == ([match.id], (0, 0))
    with count_verifications() as counts:
        GameFile.read(data)
    assert counts()[0] == len(match.records)


def test_looking_back_verifies_nothing_again() -> None:
    with count_verifications() as counts:
        match_at(play_match(), 9)
    assert counts() == (0, 0)


# --- records that do not pass


def re_signed(record: Record) -> Record:
    return record._replace(time=record.time.replace("T10:", "T11:"))


def doctor(record: Record) -> Record:
    """Return the record with a wrong opening or another change."""
    if not any(isinstance(step, OpenLists) for step in record.steps):
        return re_signed(record)
    change = change_step(OpenLists, siblings=(bytes(32), bytes([1]) * 32))
    return record._replace(steps=tuple(change(list(record.steps))))


def author(record: Record) -> Identity:
    return (ANNA, BELA)[record.index % 2]


CHANGES: dict[str, Callable[[Record], Record]] = {
    "no signature": lambda record: record._replace(signature=bytes(64)),
    "one bit of the signature": lambda record: record._replace(
        signature=bytes([record.signature[0] ^ 1, *record.signature[1:]])
    ),
    "signed by a stranger": lambda record: sign_as(STRANGER, record),
    "signed by the other player": lambda record: sign_as((BELA, ANNA)[record.index % 2], record),
    "changed": re_signed,
    "changed and signed by its author": lambda record: sign_as(author(record), re_signed(record)),
    "doctored": doctor,
    "doctored and signed by its author": lambda r: sign_as(author(r), doctor(r)),
    "no steps but giving up": lambda r: sign_as(author(r), r._replace(steps=(Resign(),))),
    "an early close": lambda r: sign_as(author(r), r._replace(steps=(Close(bytes(32)),))),
}


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("change", CHANGES)
def test_changed_record_is_detected_despite_the_cache(change: str, step: int) -> None:
    """The changed record is in the middle of the game, or the last, to which no link refers."""
    match = play_match()
    known = verified_records(match)
    # The short run tries a third of the records for each change.
    for record in match.records[[*CHANGES].index(change) % step :: step]:
        other = CHANGES[change](record)
        before, after = match.records[: record.index], match.records[record.index + 1 :]
        for records in ([*before, other], [*before, other, *after]):
            assert finding(records, known) == finding(records)
        # If its author signs the last record again, the game is another one.
        assert finding([*before, other, *after], known) is not None or not after


@pytest.mark.parametrize("signer", [ANNA, BELA, STRANGER])
def test_chain_signed_anew_is_verified_from_the_first_new_record(signer: Identity) -> None:
    match = play_match()
    known = verified_records(match)
    for first in range(2, len(match.records), 5):
        records = match.records[:first]
        for record in match.records[first:]:
            changes = {"previous": records[-1].hash}
            records.append(sign_as(signer, re_signed(record), **changes))
        assert finding(records, known) == finding(records) is not None


def test_verified_records_are_checked_for_their_places() -> None:
    match = play_match()
    known = verified_records(match)
    swapped = [*match.records[:6], match.records[7], match.records[6], *match.records[8:]]
    for records in (
        match.records[1:],
        [*match.records[:5], *match.records[6:]],
        [*match.records[:5], match.records[4], *match.records[5:]],
        swapped,
    ):
        assert finding(records, known) == finding(records) is not None


def test_cache_of_one_game_does_not_count_for_another() -> None:
    match, other = play_match(), play(begin(lists=8), any_order(Random(3)), turns=6)
    with count_verifications() as counts:
        Match.replay(other.records, verified_records(match))
    assert counts()[0] == len(other.records)


def test_illegal_order_in_a_verified_record_is_detected() -> None:
    """A forged cache can make a signature pass, but no illegal order."""
    match = play_match()
    for record in match.records[4:]:
        stopped = sign_as(author(record), record._replace(steps=record.steps[:-1] or (Resign(),)))
        records = [*match.records[: record.index], stopped]
        expected = finding(records)
        assert finding(records, {VerifiedRecord.of(stopped), *verified_records(match)}) == expected
