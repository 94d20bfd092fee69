"""Whoever goes on from a bookmark has the same match as whoever replays everything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from engine.sides import Side
from pbem.errors import NotProved
from pbem.play.game_file import GameFile, pack
from pbem.play.next_record import NextRecord
from pbem.play.practice_game import PracticeGame
from pbem.play.seat import Seat
from pbem.protocol import known as bookmarks
from pbem.protocol.deck.shuffle import verify_opening
from pbem.protocol.known import APART, BEHIND, Bookmark, History, Known, Verified
from pbem.protocol.match import Match
from pbem.protocol.record import Record, Records
from pbem.protocol.steps import OpenLists
from pbem.protocol.table import read_position, write_position
from tests.fuzz.games import NAMES, Game, game_named, games, meaning
from tests.library.players import everything
from tests.play.playing import TIME, any_order, begin, identities, play, signed_by
from tests.sample import sample


def after(match: Match) -> Bookmark | None:
    """The bookmark behind the last record of a match, where there can be one."""
    if not match.is_joined or match.is_over or match.follow_ups:
        return None
    return Bookmark.after(match.records, write_position(match.table))


def resumed(records: Sequence[Record], mark: Bookmark) -> Match:
    known = Known({Verified.of(record) for record in records}, (mark,))
    match = Match.replay(records, known)
    assert match.begun == mark.records
    return match


def whole(match: Match) -> object:
    """All that a match says or holds, down to the order in which cards lie in a pile.

    But for what its last step told, which the match itself tells of.
    """
    table = match.table
    state = [fact for name, fact in table.state.facts().items() if name != "events"]
    decks = [(deck.lists, deck.epochs, deck.wants_slots) for deck in table.decks.values()]
    grants = {side: [*table.grants[side]] for side in Side}
    return meaning(match), state, decks, table.draws_ahead, table.shuffles, grants


def marked(game: Game) -> Iterator[tuple[int, Bookmark]]:
    """Every bookmark that there can be in a game, with how many records lie before it."""
    match = Match()
    for number, record in enumerate(game.save.records, start=1):
        match.add(record)
        if mark := after(match):
            yield number, mark


each_or_a_third = pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
"""Of the bookmarks that there can be."""


@each_or_a_third
@pytest.mark.parametrize("name", sample(NAMES, every=2))
def test_a_match_that_was_resumed_is_the_match(name: str, step: int) -> None:
    game = game_named(name)
    marks, boxes = [*marked(game)][::step], game.save.boxes
    if not marks:
        return
    replayed = Match.replay(game.save.records)
    expected, written = whole(replayed), pack(replayed, None, boxes, "").write()
    for number, mark in marks:
        match = resumed(game.save.records[: number + 1], mark)
        for record in game.save.records[number + 1 :]:
            match.add(record)
        assert whole(match) == expected
        assert pack(match, None, boxes, "").write() == written


@each_or_a_third
@pytest.mark.parametrize("name", sample(NAMES, every=2))
def test_what_is_signed_after_it_is_the_same_record(name: str, step: int) -> None:
    game = game_named(name)
    for number, mark in [*marked(game)][::step]:
        records = game.save.records[:number]
        answers = []
        for match in (resumed(records, mark), Match.replay(records)):
            side = match.next_side
            assert side is not None
            key = match.entrants[side].key
            who = next(who for who in game.authors if who.public_key == key)
            for resigns in (False, True):
                draft, choose = (
                    NextRecord(Seat(match, who), TIME, resigns=resigns),
                    any_order(Random(1)),
                )
                while draft.is_awaiting_orders:
                    draft.order(choose(draft.view()))
                draft.sign()
                answers.append((whole(draft.match), draft.match.records.text))
        assert answers[:2] == answers[2:]


def test_what_was_done_last_is_known_without_replaying_what_was_done_before() -> None:
    match = play(begin(), any_order(Random(3)), turns=12)
    number = len(match.records) - BEHIND[0]
    mark = after(Match.replay(match.records[:number]))
    assert mark is not None
    again = resumed(match.records, mark)
    with patch.object(Match, "replay", side_effect=AssertionError("it is replayed")):
        assert again.deeds.since(number) == match.deeds.since(number)
        assert again.deeds[-1] == match.deeds[-1]
    assert again.deeds == match.deeds
    assert [*reversed(again.deeds)] == [*reversed(match.deeds)]
    assert (again.deeds[0], len(again.deeds), bool(again.dropped)) == (
        match.deeds[0],
        len(match.deeds),
        bool(match.dropped),
    )


def test_a_match_that_ends_after_it_is_closed_like_any_other() -> None:
    game = game_named("second")
    *_, (_, mark) = marked(game)
    closed = []
    for match in (resumed(game.save.records, mark), Match.replay(game.save.records)):
        for resigns in (True, False, False):
            side = match.next_side
            if side is None:
                break
            key = match.entrants[side].key
            who = next(who for who in game.authors if who.public_key == key)
            draft = NextRecord(Seat(match, who), TIME, resigns=resigns)
            draft.sign()
            match = draft.match
        assert len(match.secrets) == len(Side)
        closed.append(whole(match))
    assert closed[0] == closed[1]


# --- reading files


def reading(match: Match, known: Known) -> GameFile:
    return GameFile.read(pack(match, None, {}, "").write(), lambda game: known)


def test_a_game_is_read_on_from_where_it_was_read_to() -> None:
    """However long it has become: only what is behind the bookmark is replayed."""
    match = play(begin(), any_order(Random(1)), turns=24)
    part, known, replayed = Match(), Known(), []
    for number, record in enumerate(match.records, start=1):
        part.add(record)
        again = reading(part, known).match
        assert whole(again) == whole(part) if part.is_joined else again.records == part.records
        replayed.append(number - again.begun)
        marks = [again.bookmark] if again.bookmark else []
        known = Known(everything(part), [*known.bookmarks, *marks])
    # A few more where follow-ups are waiting, behind which there is no bookmark.
    assert max(replayed) <= BEHIND[-1] + 2 * APART + 4
    assert replayed[-1] < len(match.records) / 2


def test_records_before_it_are_not_read_till_somebody_asks() -> None:
    match = play(begin(), any_order(Random(1)), turns=20)
    mark = Match.replay(match.records, Known(everything(match))).bookmark
    assert mark is not None
    data = pack(match, None, {}, "").write()
    with patch.object(Record, "from_plain", wraps=Record.from_plain) as reads:
        game = GameFile.read(data, lambda game: Known(everything(match), (mark,)))
        assert game.save.write() == data
        assert reads.call_count <= BEHIND[-1] + 4
    assert game.match.records == match.records
    assert game.match.records.hashes == [record.hash for record in match.records]


def test_a_file_that_mail_has_changed_is_read_on_from_there_too() -> None:
    match = play(begin(), any_order(Random(1)), turns=20)
    mark = Match.replay(match.records, Known(everything(match))).bookmark
    assert mark is not None
    data = pack(match, None, {}, "").write().replace(b"\n", b"\r\n").replace(b" = ", b" =  ")
    game = GameFile.read(data, lambda game: Known(everything(match), (mark,)))
    assert game.match.begun == mark.records
    assert whole(game.match) == whole(match)


def test_practice_players_remember_what_they_have_verified(tmp_path: Path) -> None:
    """Each verifies what the other has opened, once, and replays what is new, and little more."""
    with (
        patch("pbem.protocol.deck.ledger.verify_opening", wraps=verify_opening) as openings,
        patch.object(Match, "add", autospec=True, side_effect=Match.add) as replayed,
    ):
        *_, last = islice(PracticeGame(tmp_path, 1, lists=2).play(), 36)
    records = last.match.records
    opened = sum(isinstance(step, OpenLists) for record in records for step in record.steps)
    # Its author has just made an opening, and sees to it that it fits.
    assert openings.call_count == 2 * opened
    assert replayed.call_count <= (BEHIND[-1] + APART + 6) * len(records)


# --- what does not fit


def changes(record: Record) -> Iterator[Record]:
    yield record._replace(time=record.time.replace("T10:", "T11:"))
    yield record._replace(signature=bytes(64))
    yield signed_by(
        identities()[record.index % 2], record._replace(time=record.time.replace("T10:", "T11:"))
    )


def test_every_record_before_it_that_was_changed_is_found_out() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    mark = after(Match.replay(match.records[:-1]))
    assert mark is not None
    known = Known(everything(match), (mark,))
    for record in match.records[:-1]:
        for other in changes(record):
            records = [*match.records[: record.index], other, *match.records[record.index + 1 :]]
            findings = []
            for what in (known, Known()):
                with pytest.raises(NotProved) as caught:
                    Match.replay(records, what)
                findings.append(caught.value.finding)
            assert findings[0] == findings[1]


def other(mark: Bookmark, name: str, value: Any) -> Bookmark:
    return mark._replace(**{name: value})


def damages(mark: Bookmark) -> Iterator[Bookmark]:
    for name in Bookmark._fields:
        value = getattr(mark, name)
        if isinstance(value, int):
            yield other(mark, name, value + 1)
            continue
        for at in (0, len(value) // 2, len(value) - 1):
            yield other(mark, name, value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :])
        yield other(mark, name, value[:-1])
        yield other(mark, name, b"")


def test_one_that_is_damaged_is_left_aside() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    mark = after(Match.replay(match.records[:-3]))
    assert mark is not None
    for damaged in damages(mark):
        again = reading(match, Known(everything(match), (damaged,))).match
        assert (again.begun, whole(again)) == (0, whole(match))


def test_one_of_another_program_is_left_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    mark = after(Match.replay(match.records[:-3]))
    assert mark is not None
    monkeypatch.setattr(bookmarks, "_program", lambda: bytes(32))
    assert reading(match, Known(everything(match), (mark,))).match.begun == 0


def test_a_program_is_another_once_a_source_of_its_rules_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "cards.toml"
    file.write_text("a = 1\n")
    before = [*bookmarks._sources(str(tmp_path))]
    file.write_text("a = 12\n")
    assert [*bookmarks._sources(str(tmp_path))] != before
    for folder in ("engine", "pbem/protocol"):
        sources = [
            path for each in bookmarks._folders() for path, *_ in bookmarks._sources(str(each))
        ]
        assert any(path.replace("\\", "/").endswith(f"{folder}/__init__.py") for path in sources)
    monkeypatch.setattr(bookmarks, "_folders", lambda: [tmp_path / "archive.zip"])
    assert bookmarks._program.__wrapped__() != bookmarks._program.__wrapped__()


def test_what_one_says_beyond_data_is_no_position() -> None:
    """Whoever writes it in the place of a library can at most have nothing resumed from it."""
    match = play(begin(), any_order(Random(1)), turns=4)
    whole_position = write_position(match.table)
    table = match.table.copy()
    read_position(whole_position, table)
    assert write_position(table) == whole_position
    for data in (
        b"",
        b"[" * 100_000,
        b"null",
        b"{}",
        b'{"dict":[]}',
        b'{"Match":[]}',
        b'{"dict":[["state",{"eval":["1"]}]]}',
        json.dumps({"Slot": [1]}).encode(),
        whole_position[:-1],
        whole_position.replace(b'"Side"', b'"Path"'),
    ):
        with pytest.raises(ValueError):
            read_position(data, table)
    assert write_position(table) == whole_position


def test_a_position_of_a_kind_that_is_not_known_is_an_error_and_not_left_out() -> None:
    match = play(begin(), any_order(Random(1)), turns=4)
    match.state.active = object()  # type: ignore[assignment]
    with pytest.raises(TypeError):
        write_position(match.table)


def test_there_is_one_in_games_of_every_kind() -> None:
    assert {game.name for game in games() if any(True for _ in marked(game))} >= {*NAMES} - {
        "invitation",
        "open-invitation",
    }


def test_records_are_a_sequence_like_any_other() -> None:
    match = play(begin(), any_order(Random(1)), turns=4)
    records = Records(match.records)
    texts = Records.unread(records.text, records.hashes)
    assert texts == records == [*match.records] == texts.copy()
    assert texts[2:] == records[2:] and texts[-1] == records[-1] and texts != records[:-1]
    assert (len(texts), texts.text, texts.hashes) == (len(records), records.text, records.hashes)
    other = texts.copy()
    other.append(records[0])
    assert (len(other), len(texts)) == (len(records) + 1, len(records))


def test_what_was_done_before_is_there_once_whoever_asks_meanwhile() -> None:
    """A page has all turns of a game drawn in one thread, and in another what was done last."""
    both = Barrier(2, timeout=60)

    def before() -> list[Done]:
        both.wait()
        return [Done(0), Done(1)]

    history = History([Done(2)], before, begun=2)
    with ThreadPoolExecutor(2) as threads:
        lengths = [*threads.map(lambda _: len(history), range(2))]
    assert lengths == [3, 3]
    assert [*history] == [Done(0), Done(1), Done(2)]


class Done(NamedTuple):
    record: int
