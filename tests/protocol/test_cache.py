"""A match resumed from a snapshot equals the match of a full replay."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import strategies as st

from pbem.errors import AcresError, Finding, InputError, VerificationError
from pbem.play.audit import audit
from pbem.play.game_file import GameFile, pack
from pbem.play.robot import PracticeGame
from pbem.protocol import cache
from pbem.protocol.cache import (
    SNAPSHOT_INTERVAL,
    GameCache,
    Snapshot,
    VerifiedRecord,
    lay_out_records,
)
from pbem.protocol.deck import verify_opening
from pbem.protocol.match import _OMITTED, Match
from pbem.protocol.record import Record
from pbem.protocol.steps import OpenLists
from pbem.savefile.save_file import SaveFile
from tests.fuzz.games import NAMES, Game, find_game, meaning
from tests.play.matches import TIME, answer, any_order, begin, identities, play, sign_as
from tests.play.store.players import verified_records
from tests.sample import check_each, few_or_many, sample
from tests.seats import NextRecord, Seat
from tests.signing import end


def snapshot_of(match: Match) -> Snapshot:
    """Return the snapshot after the last record of a match."""
    snapshot = match.copy()._own_snapshot
    assert snapshot is not None
    return snapshot


def snapshot_after(match: Match, number: int) -> Snapshot:
    """Return the snapshot after the first `number` records of a match."""
    return snapshot_of(Match.replay(match.records[:number], verified_records(match)))


def resume(records: Sequence[Record], snapshot: Snapshot) -> Match:
    return Match.resume(records, snapshot, {VerifiedRecord.of(record) for record in records})


def facts_of(match: Match) -> object:
    """Return all facts of a match, including the order of the cards in a pile."""
    if not match.has_table:
        return meaning(match)
    table = match.table
    state = [fact for name, fact in table.state.values().items() if name not in _OMITTED]
    decks = [(deck.lists, deck.epochs, deck.wanted_slot_count) for deck in table.decks.values()]
    waiting = vars(match._follow_ups) if match._follow_ups else None
    return meaning(match), state, decks, table.draws_ahead, table.shuffles, table.grants, waiting


def snapshots(game: Game) -> Iterator[tuple[int, Snapshot]]:
    """Yield each possible snapshot of a game, with its number of records."""
    match = Match(game.known)
    for number, record in enumerate(game.save.records, start=1):
        match.add(record)
        if match.is_joined:
            yield number, snapshot_of(match)


each_or_a_third = pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
"""All possible snapshots, or a third of them."""


@pytest.mark.slow
@each_or_a_third
@pytest.mark.parametrize("name", sample(NAMES, every=2))
def test_resumed_match_equals_the_match(name: str, step: int) -> None:
    """The games are finished, closed, or have pending follow-ups."""
    game = find_game(name)
    replayed = Match.replay(game.save.records)
    expected, written = facts_of(replayed), pack(replayed, None, game.save.boxes, "").write()
    for number, snapshot in [*snapshots(game)][-1::-step]:
        known = GameCache(game.known, (snapshot,))
        file = GameFile.read(game.data, lambda _, known=known: known)  # type: ignore[misc]
        assert file.match.replayed_from == number
        assert facts_of(file.match) == expected
        assert (file.save, file.save.write()) == (game.save, game.data)
        assert pack(file.match, None, game.save.boxes, "").write() == written
        # A copy of the match has an equal snapshot.
        assert snapshot_of(file.match) == snapshot_of(replayed)


@pytest.mark.slow
@each_or_a_third
@pytest.mark.parametrize("name", sample(NAMES, every=2))
def test_resumed_match_signs_equal_records(name: str, step: int) -> None:
    game = find_game(name)
    for number, snapshot in [*snapshots(game)][::step]:
        records = game.save.records[:number]
        answers = []
        for match in (resume(records, snapshot), Match.replay(records)):
            side = match.next_side
            if side is None:
                continue
            key = match.entrants[side].key
            who = next(who for who in game.authors if who.public_key == key)
            for resigns in (False, True):
                if resigns and match.is_over:
                    continue
                draft = NextRecord(Seat(match, who), TIME, resigns=resigns)
                choose = any_order(Random(1))
                while not draft.is_complete:
                    draft.order(choose(draft.view()))
                end(draft)
                answers.append((facts_of(draft.match), lay_out_records(draft.match.records)))
        half = len(answers) // 2
        assert answers[:half] == answers[half:]


# --- reading files


def reading(match: Match, *snapshots: Snapshot) -> Match:
    known = GameCache(verified_records(match), snapshots)
    return GameFile.read(pack(match, None, {}, "").write(), lambda game: known).match


def test_game_is_resumed_from_its_snapshot() -> None:
    """Only the records after the snapshot are read and replayed, even in a long game."""
    match = play(begin(), any_order(Random(1)), turns=24)
    part, known, replayed = Match(verified_records(match)), list[Snapshot](), []
    with patch.object(Record, "from_plain", wraps=Record.from_plain) as read:
        for number, record in enumerate(match.records, start=1):
            part.add(record)
            read.reset_mock()
            again = reading(part, *known)
            # The first record is read too, because it identifies the game.
            assert read.call_count <= number - again.replayed_from + number % SNAPSHOT_INTERVAL + 2
            assert facts_of(again) == facts_of(part)
            replayed.append(number - again.replayed_from)
            known += [again.snapshot] if again.snapshot else []
    assert max(replayed) == SNAPSHOT_INTERVAL
    assert len(known) == len(match.records) // SNAPSHOT_INTERVAL
    assert reading(match, *known[:1]).replayed_from == SNAPSHOT_INTERVAL


def test_only_other_line_ends_keep_the_snapshot() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    known = GameCache(verified_records(match), (snapshot_after(match, 8),))
    data = pack(match, None, {}, "A note.").write()
    for old, new, replayed_from in (
        (b"\n", b"\r\n", 8),
        (b" = ", b" =  ", 0),
        (b"[[record]]", b"[[ record ]]", 0),
        (b"format", b"\xef\xbb\xbfformat", 0),
        (b"version = 1\n", b"version = 1\n# A comment.\n", 0),
    ):
        again = GameFile.read(data.replace(old, new), lambda game: known).match
        assert (again.replayed_from, facts_of(again)) == (replayed_from, facts_of(match))


def test_threads_get_separate_matches() -> None:
    """A page may draw turns of one game in two threads."""
    match = play(begin(), any_order(Random(1)), turns=12)
    known = GameCache(verified_records(match), (snapshot_after(match, 8),))
    data = pack(match, None, {}, "").write()
    with ThreadPoolExecutor(4) as threads:
        read = [*threads.map(lambda _: GameFile.read(data, lambda game: known), range(8))]
    expected = facts_of(match)
    for file in read:
        assert (file.match.replayed_from, facts_of(file.match)) == (8, expected)
        file.match.moves.clear()
        file.match.state.board.clear()


@pytest.mark.slow
def test_practice_players_verify_each_opening_once(tmp_path: Path) -> None:
    """Each player verifies the openings of the other once, and replays few old records."""
    with (
        patch("pbem.protocol.deck.verify_opening", wraps=verify_opening) as openings,
        patch.object(Match, "add", autospec=True, side_effect=Match.add) as replayed,
    ):
        *_, last = islice(PracticeGame(tmp_path, 1, lists=2).play(), 36)
    records = last.match.records
    opened = sum(isinstance(step, OpenLists) for record in records for step in record.steps)
    # The author of an opening verifies it as well.
    assert openings.call_count == 2 * opened
    assert replayed.call_count <= (2 * SNAPSHOT_INTERVAL + 6) * len(records)


# --- wrong snapshots


def changes(record: Record) -> Iterator[Record]:
    later = record._replace(time=record.time.replace("T10:", "T11:"))
    yield later
    yield record._replace(signature=bytes(64))
    yield sign_as(identities()[record.index % 2], later)


def finding(records: Sequence[Record], known: GameCache) -> Finding | None:
    try:
        GameFile.read(SaveFile(tuple(records)).write(), lambda game: known)
    except VerificationError as error:
        return error.finding
    return None


def test_changed_record_is_detected_despite_a_snapshot() -> None:
    """A change before or after the snapshot is detected by a full replay."""
    match = play(begin(), any_order(Random(1)), turns=8)
    number = len(match.records) - 3
    verified = verified_records(match)
    known = GameCache(verified, (snapshot_after(match, number),))
    for record in match.records[:-1]:
        for other in changes(record):
            records = [*match.records[: record.index], other, *match.records[record.index + 1 :]]
            with patch.object(Match, "replay", wraps=Match.replay) as replayed:
                result = finding(records, known)
            assert result is not None
            assert result == finding(records, GameCache(verified)) == finding(records, GameCache())
            assert [len(call.args[0]) for call in replayed.call_args_list] == [len(records)]


def test_snapshot_of_a_fork_is_not_used() -> None:
    """A fork is resumed from an earlier snapshot, and so is a shorter file."""
    match = play(begin(), any_order(Random(1)), turns=8)
    number = len(match.records)
    marks = [snapshot_after(match, number), snapshot_after(match, number - 2)]
    fork = Match.replay(match.records[: number - 1])
    while len(fork.records) < number:
        fork = answer(fork, any_order(Random(7)))
    assert fork.records[number - 1] != match.records[number - 1]
    for other in (fork, Match.replay(match.records[: number - 1])):
        again = reading(other, *marks)
        assert (again.replayed_from, facts_of(again)) == (number - 2, facts_of(other))
    stranger = play(begin(lists=2), any_order(Random(1)), turns=8)
    again = reading(stranger, *marks)
    assert (again.replayed_from, facts_of(again)) == (0, facts_of(stranger))


def damages(snapshot: Snapshot) -> Iterator[Snapshot]:
    facts: dict[str, Any] = snapshot._asdict()
    for name, value in facts.items():
        others = [-1, value + 1, 1 << 40] if isinstance(value, int) else [b"", value[:-1]]
        if isinstance(value, bytes):
            for at in (0, len(value) // 2, len(value) - 1):
                others.append(value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :])
        for other in others:
            yield Snapshot(**facts | {name: other})


def test_damaged_snapshot_is_ignored() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    for damaged in damages(snapshot_after(match, len(match.records) - 3)):
        again = reading(match, damaged)
        assert (again.replayed_from, facts_of(again)) == (0, facts_of(match))


@pytest.mark.parametrize("changed_part", ["own_digest", "VERSION"])
def test_snapshot_of_another_version_is_ignored(
    monkeypatch: pytest.MonkeyPatch, changed_part: str
) -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    snapshot = snapshot_after(match, 8)
    monkeypatch.setattr(cache, changed_part, 0 if changed_part == "VERSION" else lambda: bytes(32))
    assert reading(match, snapshot).replayed_from == 0


def test_changed_sources_change_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "cards.toml"
    file.write_text("a = 1\n")
    before = [*cache._sources(str(tmp_path))]
    file.write_text("a = 12\n")
    assert [*cache._sources(str(tmp_path))] != before
    for folder in ("engine", "pbem/protocol"):
        sources = [path for root in cache._folders() for path, *_ in cache._sources(str(root))]
        assert any(path.replace("\\", "/").endswith(f"{folder}/__init__.py") for path in sources)
    monkeypatch.setattr(cache, "_folders", lambda: [tmp_path / "archive.zip"])
    assert cache.own_digest.__wrapped__() != cache.own_digest.__wrapped__()


# --- forged snapshots


def forge(snapshot: Snapshot, **facts: Any) -> Snapshot:
    facts = snapshot._asdict() | facts
    del facts["seal"]
    return Snapshot(**facts, seal=cache._seal(**facts))


NOT_DATA = (
    b"",
    b"[" * 100_000,
    b"null",
    b"{}",
    b'{"dict":[]}',
    b'{"Match":[]}',
    b'{"state":{"eval":["1"]}}',
    b'{"dict":[["state",{"Path":["/"]}]]}',
    b'{"Slot":[1]}',
    b'{"Message":["{x}",{"dict":[["self",1]]},null,null,null]}',
)


def test_snapshot_with_other_than_data_is_ignored() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    snapshot, last = snapshot_after(match, 8), snapshot_of(match)
    assert forge(snapshot) == snapshot
    forgeries = [
        forge(snapshot, **{part: data}) for part in ("records", "position") for data in NOT_DATA
    ]
    records, position = json.loads(snapshot.records), snapshot.position
    forgeries += [
        forge(snapshot, position=position.replace(b'"Side"', b'"Path"')),
        # These have more or fewer records than the file, or another position.
        forge(snapshot, number=9),
        forge(snapshot, number=1),
        forge(snapshot, records=json.dumps(records[:-1]).encode()),
        forge(snapshot, records=last.records),
        forge(snapshot, position=last.position),
        forge(snapshot, records=json.dumps(records[1:] + records[:1]).encode()),
    ]
    for forgery in forgeries:
        again = reading(match, forgery)
        assert facts_of(again) == facts_of(match), forgery
        assert again.replayed_from == 0, forgery


def test_unknown_type_prevents_a_snapshot() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    match.state.active = object()  # type: ignore[assignment]
    assert match._own_snapshot is None


def test_audit_uses_no_snapshot() -> None:
    match = play(begin(), any_order(Random(1)), turns=8)
    data = pack(match, None, {}, "").write()
    with patch.object(SaveFile, "read_after_snapshot", side_effect=AssertionError("it is asked")):
        assert audit(data).finding is None


# --- texts


GAME = play(begin(lists=1), any_order(Random(1)), turns=3)
TEXT = pack(GAME, None, {}, "").write().decode()
KNOWN = GameCache(verified_records(GAME), (snapshot_after(GAME, 3),))
PIECES = [
    "[[record]]", "[[record.steps]]", "[record]", "[summary]", "[sealed]", "[sealed.french]",
    "format", "version", "lines = []", "index = 0", "at = 0", " = ", '"', '"""', "'''", '"""\\',
    "\\", "\n", "\n\n", "\n\n[[record]]\n", "\r", "  ", " ", "[", "]", ",", "# x", "1", "true", "é",
    "signature", 'a.b = "c"', "{}", "=",
]  # fmt: skip


def read_or_error(text: str, known: GameCache) -> object:
    try:
        file = GameFile.read(text.encode(), lambda game: known)
    except (VerificationError, InputError, AcresError) as error:
        return str(error)
    return file.save, facts_of(file.match)


def check_another_text(data: st.DataObject) -> None:
    """Insert pieces of TOML anywhere; repeat, move and drop lines."""
    lines = TEXT.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["put", "change", "drop", "repeat", "move"])):
            case "put":
                lines.insert(at, data.draw(st.sampled_from(PIECES)))
            case "change":
                place = data.draw(st.integers(0, len(lines[at])))
                until = data.draw(st.integers(place, min(len(lines[at]), place + 4)))
                piece = data.draw(st.sampled_from(PIECES))
                lines[at] = lines[at][:place] + piece + lines[at][until:]
            case "drop":
                del lines[at]
            case "repeat":
                lines.insert(at, lines[at])
            case "move":
                lines.insert(data.draw(st.integers(0, len(lines) - 1)), lines.pop(at))
    text = "\n".join(lines)
    assert read_or_error(text, KNOWN) == read_or_error(text, GameCache())


@pytest.mark.slow
@few_or_many(100, 2000)
def test_fast_reader_agrees_with_a_toml_reader(examples: int) -> None:
    check_each(check_another_text, examples, st.data(), derandomize=examples == 100)


def test_records_inside_a_string_are_not_read() -> None:
    """The lines before the records are text too, and may hide them in a string."""
    head, at, records = TEXT.partition("\n[[record]]\n")
    for mark in ('"""', "'''"):
        for text in (
            f"{head}x = {mark}{at}{records}{mark}\n",
            f"{head}x = {mark}{at}{records}{mark}\n{at}{records}",
            f"{head}{at}{records}x = {mark}{at}{records}{mark}\n",
            f"x = {mark}{at}{records}{mark}\n{TEXT}",
        ):
            assert read_or_error(text, KNOWN) == read_or_error(text, GameCache())
    assert read_or_error(TEXT, KNOWN) == read_or_error(TEXT, GameCache())
