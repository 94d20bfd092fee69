"""The summary and boxes, which are outside the chain, and duties that nothing can enforce."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from pbem.errors import DamagedBoxError
from pbem.play.audit import audit
from pbem.play.game_file import GameFile, pack
from pbem.play.turn import read_notes
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.protocol.schema import canonical_json
from pbem.savefile.save_file import SaveFile
from pbem.text.proof.verdict import audit_facts
from tests.attacks.positions import find_record_with
from tests.play.matches import (
    TIME,
    answer,
    any_order,
    begin,
    identities,
    play,
    resign,
    seat_to_write,
)
from tests.seats import NextRecord, Seat
from tests.signing import end


@pytest.fixture
def game() -> tuple[Seat, GameFile]:
    """Return a file that one player has written, with notes, and the author's seat."""
    match = play(begin(), any_order(Random(1)), turns=5)
    seat = Seat(match, identities()[match.last.index % 2])
    return seat, GameFile.read(pack(match, seat.secrets, {}, "they hold Rangers").write())


def test_length_of_a_box_does_not_reveal_the_hand() -> None:
    """With the same notes, boxes of different hands have one length."""
    match, choose = begin(), any_order(Random(2))
    lengths, hands = defaultdict(set), set()
    for _ in range(40):
        match = answer(match, choose)
        seat = Seat(match, identities()[match.last.index % 2])
        hands.add(len(canonical_json(list(seat.view().players[seat.side].hand))))
        for size in range(0, 256, 16):
            box = pack(match, seat.secrets, {}, "x" * size).boxes[seat.side.value]
            lengths[size].add(len(box.sealed))
    assert max(hands) - min(hands) > 50
    assert all(len(sizes) == 1 for sizes in lengths.values())


def test_false_summary_changes_nothing(game: tuple[Seat, GameFile]) -> None:
    """The summary is for readers only; the program reads nothing from it."""
    _, file = game
    lie = file.save._replace(summary=("It is your turn, and you have resigned.",))
    again = GameFile.read(lie.write())
    assert again.match.state.key() == file.match.state.key()
    assert audit(lie.write()).is_clean


def test_lost_damaged_or_swapped_box_costs_only_the_notes(game: tuple[Seat, GameFile]) -> None:
    """The owner loses the notes, but no card of the hand."""
    seat, file = game
    assert read_notes(file, seat.secrets).text == "they hold Rangers"
    side = seat.side.value
    box = file.save.boxes[side]
    damaged = box._replace(sealed=bytes([box.sealed[0] ^ 1]) + box.sealed[1:])
    for boxes in ({}, {side: damaged}, {seat.side.opponent.value: box}):
        other = GameFile.read(file.save._replace(boxes=boxes).write())
        again = Seat(other.match, seat.identity)
        assert again.view().key() == seat.view().key()
        assert read_notes(other, again.secrets).text == ""
        if side in boxes:
            with pytest.raises(DamagedBoxError):
                other.notes(again.secrets)


def test_older_box_restores_only_older_notes(game: tuple[Seat, GameFile]) -> None:
    """An older box opens and restores older notes, but nothing else."""
    seat, file = game
    later = answer(answer(file.match, any_order(Random(1))), any_order(Random(1)))
    again = Seat(later, seat.identity)
    newer = pack(later, again.secrets, file.save.boxes, "they have played Rangers")
    older = GameFile.read(newer._replace(boxes=file.save.boxes).write())
    assert read_notes(older, again.secrets).text == "they hold Rangers"
    assert Seat(older.match, seat.identity).view().key() == again.view().key()


def test_box_of_the_other_player_does_not_open(game: tuple[Seat, GameFile]) -> None:
    seat, file = game
    reader = next(who for who in identities() if who.public_key != seat.identity.public_key)
    seat_of_reader = Seat(file.match, reader)
    box = file.save.boxes[seat.side.value]
    stolen = file.save._replace(boxes={seat_of_reader.side.value: box})
    with pytest.raises(DamagedBoxError):
        GameFile.read(stolen.write()).notes(seat_of_reader.secrets)


def test_date_in_the_far_future_does_not_block_the_answer() -> None:
    """Dates are not verified; an answer takes over the date."""
    match = find_record_with(1, steps.OrderStep)
    before = Match.replay(match.records[:-1])
    draft = NextRecord(seat_to_write(before), "9999-12-31T23:59:59Z")
    choose = any_order(Random(1))
    while not draft.is_complete:
        draft.order(choose(draft.view()))
    end(draft)
    match = answer(Match.replay(draft.match.records), choose)
    assert match.last.time == "9999-12-31T23:59:59Z" > TIME
    Match.replay(match.records)


def test_file_names_the_player_who_does_not_answer() -> None:
    """Nothing can force an answer, but the file names the player who owes it."""
    match = play(begin(), any_order(Random(1)), turns=5)
    report = audit(SaveFile(tuple(match.records)).write())
    assert report.is_clean
    waited_for = match.entrants[seat_to_write(match).side].name
    assert waited_for in str(audit_facts(report)["next"])


def test_file_names_the_player_who_does_not_close() -> None:
    match = begin()
    loser = match.next_side
    report = audit(SaveFile(tuple(resign(match).records)).write())
    assert report.match.is_over
    assert loser and report.match.next_side is loser.opponent
    assert set(report.match.secrets) == {loser}
