"""The reading of a club's files: one verdict for each game, whatever lies around it."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sides import Side
from engine.state import EndReason
from pbem.club import club_audit, verdicts
from pbem.club.verdicts import ClubGame, ForkEvidence, Owed, UnreadableFile, Verdict
from pbem.errors import InputError, UsageError
from pbem.play.audit import audit
from pbem.play.incoming import message_id
from pbem.protocol.fork import Evidence
from pbem.protocol.record import MAX_RECORDS
from pbem.savefile.armour import armour
from pbem.savefile.save_file import EvidenceFile, FileScan, SaveFile
from tests.club.club_files import LISTS, Played, game_of, games, newest, played, rows, save


def audits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the size of each file that is audited from now on."""
    sizes: list[int] = []

    def count(data: bytes) -> object:
        sizes.append(len(data))
        return audit(data)

    monkeypatch.setattr("pbem.club.verdicts.audit", count)
    return sizes


def test_a_game_in_many_files_is_audited_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played()
    for number in range(len(game.files)):
        save(tmp_path / f"game-{number:03}.toml", game.data(number))
    save(tmp_path / "again" / "copy.toml", game.data())
    save(tmp_path / "windows.toml", game.data(3).replace(b"\n", b"\r\n"))
    save(tmp_path / "notes.txt", b"See you on Tuesday.")
    save(tmp_path / "settings.toml", b"colour = 'red'\n")
    sizes = audits(monkeypatch)
    (row,) = rows(tmp_path)
    assert isinstance(row, ClubGame)
    assert len(sizes) == 1 and row.id == game.id and row.verdict is Verdict.HONEST
    assert row.records == len(game.files) and not row.accusations and not row.unreadable
    assert [Path(name).name for name in row.files[:3]] == [
        "copy.toml",
        "game-006.toml",
        "game-005.toml",
    ]
    assert len(row.files) == len(game.files) + 2
    assert row.players[Side.BRITISH].key == game.key(Side.BRITISH) == row.inviter.key
    side = game.files[-1].match.next_side
    assert row.owed == Owed(side, game.files[-1].match.last.time, "play")
    assert newest(row) == game.data()


def test_a_result_counts_at_once_and_is_provisional_until_both_close(tmp_path: Path) -> None:
    game = played(2, resigns=True)
    (row,) = games(save(tmp_path / "game.toml", game.data(-2)))
    loser = Side(game.files[-2].match.last.side)
    assert row.result is not None and row.result.by is EndReason.RESIGNING
    assert row.result.winner is loser.opponent and row.is_provisional
    assert row.closed == (loser,)
    assert row.owed is not None and (row.owed.side, row.owed.due) == (loser.opponent, "close")
    (row,) = games(save(tmp_path / "game.toml", game.data()))
    assert not row.is_provisional and row.owed is None and len(row.closed) == 2


def test_a_fork_across_files_is_proved(tmp_path: Path) -> None:
    game = played()
    save(tmp_path / "sent-to-bela" / "game-006.toml", game.data())
    save(tmp_path / "sent-to-organiser" / "game-004.toml", game.fork(4))
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.FORKED
    (proof,) = row.accusations
    author = game.files[4].match.records[4].side
    assert (proof.key, proof.index) == (game.key(Side(author)), 4)
    EvidenceFile.read(proof.evidence).evidence.check()
    # The evidence alone, beside a game that shows no fork.
    evidence = save(tmp_path / "proof" / "fork.toml", proof.evidence)
    (row,) = games(tmp_path / "sent-to-bela", evidence)
    assert row.accusations == (proof,) and row.verdict is Verdict.FORKED
    assert rows(tmp_path / "sent-to-bela", evidence) == [row]
    save(evidence, b"# a comment\n" + proof.evidence)
    assert [one.accusations for one in games(tmp_path)] == [(proof,)]
    # Without valid signatures it proves nothing.
    record, other = EvidenceFile.read(proof.evidence).records
    forged = Evidence(proof.key, (record, other._replace(signature=record.signature)))
    save(evidence, EvidenceFile(forged).write())
    honest, failed = rows(tmp_path / "sent-to-bela", evidence)
    assert isinstance(honest, ClubGame) and honest.verdict is Verdict.HONEST
    assert isinstance(failed, UnreadableFile) and "proves nothing" in str(failed.reason)
    save(evidence, proof.evidence)
    (alone,) = rows(evidence)
    assert isinstance(alone, ForkEvidence) and alone.key == proof.key


def test_evidence_counts_only_for_the_game_that_it_continues(tmp_path: Path) -> None:
    game = Played(31)
    again = game.pair.join(game.pair.invite(Side.BRITISH, lists=LISTS))
    for _ in range(2):
        again = game.pair.answer(again)
    for name in ("one", "two"):
        save(tmp_path / "other" / f"{name}.toml", game.pair.answer(again).save.write())
    save(tmp_path / "fork" / "long.toml", game.data(5))
    save(tmp_path / "fork" / "fork.toml", game.fork(4))
    for folder, number in (("other", 6), ("fork", 2)):
        save(tmp_path / "game.toml", game.data(number))
        (forked,) = games(tmp_path / folder)
        evidence = save(tmp_path / "evidence.toml", forked.accusations[0].evidence)
        row, alone = rows(tmp_path / "game.toml", evidence)
        assert isinstance(row, ClubGame) and row.verdict is Verdict.HONEST
        assert isinstance(alone, ForkEvidence) and alone.name == str(evidence)


def test_a_record_that_breaks_a_rule_accuses_its_author(tmp_path: Path) -> None:
    game = played()
    save(tmp_path / "game-006.toml", game.data())
    save(tmp_path / "game-007.toml", game.cheat())
    (row,) = games(tmp_path)
    side = game.files[-1].match.next_side
    assert side is not None
    assert row.verdict is Verdict.CHEATED and row.records == len(game.files)
    (proof,) = row.accusations
    assert (proof.key, proof.index) == (game.key(side), 7) and proof.rule.startswith("R-")


def test_a_forged_newer_file_accuses_nobody_and_is_named_as_missing(tmp_path: Path) -> None:
    game = played()
    records = game.files[-1].save.records
    forged = records[-1]._replace(signature=bytes(64))
    save(tmp_path / "game-005.toml", game.data(5))
    save(tmp_path / "game-006.toml", SaveFile((*records[:-1], forged)).write())
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.HONEST and not row.accusations and row.records == 6
    assert row.missing is not None and row.missing.index == 6
    assert [Path(file.name).name for file in row.unreadable] == ["game-006.toml"]
    assert newest(row) == game.data(5)
    # Under a comment, its records are compared only after an audit.
    save(tmp_path / "game-005.toml", b"# a comment\n" + game.data(5))
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.HONEST and newest(row).startswith(b"# a comment")
    # Without the whole file, the last record is not known.
    (row,) = games(tmp_path / "game-006.toml")
    assert row.verdict is Verdict.DAMAGED and row.records == 6


def test_a_file_that_breaks_off_belongs_to_its_game(tmp_path: Path) -> None:
    game = played()
    save(tmp_path / "game-003.toml", game.data(3))
    newest = game.data().partition(b"\n[sealed")[0]
    save(tmp_path / "game-006.toml", newest[:-200])
    (row,) = games(tmp_path)
    assert row.records == 4 and row.verdict is Verdict.HONEST
    assert row.missing is not None and row.missing.index == 6
    assert "breaks off" in str(row.unreadable[0].reason)
    # So does one of which only the first record can be read.
    save(tmp_path / "game-001.toml", game.data(1).partition(b"\n[sealed")[0][:-200])
    (row,) = games(tmp_path)
    assert [Path(file.name).name for file in row.unreadable] == ["game-001.toml", "game-006.toml"]
    assert rows(tmp_path) == [row]
    (alone,) = rows(tmp_path / "game-006.toml")
    assert isinstance(alone, UnreadableFile) and alone.game == game.id


def test_a_record_hidden_after_the_boxes_is_found(tmp_path: Path) -> None:
    """A fork that follows the sealed boxes of an older file is no older file."""
    game = played()
    save(tmp_path / "a.toml", game.data())
    older, forked = game.data(3), game.fork(4)
    record = forked.partition(b"\n[sealed")[0].rpartition(b"\n[[record]]\n")[2]
    save(tmp_path / "b.toml", older + b"\n[[record]]\n" + record)
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.FORKED


def test_a_longer_damaged_file_hides_no_fork(tmp_path: Path) -> None:
    """An older file counts although it begins a longer one that cannot be read."""
    game = played()
    records = game.data().partition(b"\n[sealed")[0]
    save(tmp_path / "junk.toml", records + b'\n[[record]]\nindex = "seven"\n')
    save(tmp_path / "older.toml", game.data())
    save(tmp_path / "fork.toml", game.fork(4))
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.FORKED and row.records == len(game.files)
    assert row.missing is not None and row.missing.index == 7
    assert [Path(file.name).name for file in row.unreadable] == ["junk.toml"]


def test_two_guests_of_one_invitation_play_two_games(tmp_path: Path) -> None:
    game = played()
    save(tmp_path / "invitation.toml", game.data(0))
    save(tmp_path / "game.toml", game.data())
    save(tmp_path / "stranger.toml", game.join_again(9))
    first, second = games(tmp_path)
    assert first.id == second.id and first.unique_id != second.unique_id
    assert {first.records, second.records} == {2, len(game.files)}
    assert all(len(row.files) == 2 and not row.accusations for row in (first, second))


def test_messages_in_a_maildir_hold_games_and_mention_newer_records(tmp_path: Path) -> None:
    game = played()
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    text = armour(game.data(4)).encode()
    save(tmp_path / "cur" / "1:2,S", b"From: anna@example.org\nSubject: turn\n\n" + text)
    (row,) = games(tmp_path)
    assert row.records == 5 and row.missing is None
    newer = message_id(game.id, game.files[6].match.records[6])
    reply = f"From: bela@example.org\nIn-Reply-To: {newer}\n\nThank you.\n".encode()
    save(tmp_path / "new" / "2", reply)
    (row,) = games(tmp_path)
    assert row.missing is not None and row.missing.index == 6
    assert Path(row.missing.file).name == "2"
    assert newest(row) == game.data(4)
    # Nobody can claim more records than a game may have.
    impossible = newer.replace(".6.", ".999999.")
    save(tmp_path / "new" / "3", f"In-Reply-To: {impossible}\n\nThank you.\n".encode())
    (row,) = games(tmp_path)
    assert row.missing is not None and row.missing.index == 6
    save(tmp_path / "game.toml", game.data())
    (row,) = games(tmp_path)
    assert row.missing is None


def test_a_game_in_a_text_that_begins_like_settings_is_audited(tmp_path: Path) -> None:
    text = "note = see below\n" + armour(played().data())
    (row,) = games(save(tmp_path / "note.txt", text.encode()))
    assert row.verdict is Verdict.HONEST and newest(row) == played().data()


def test_a_file_that_changes_meanwhile_is_a_row(tmp_path: Path) -> None:
    path = save(tmp_path / "a.toml", played().data())
    save(tmp_path / "b.toml", played(2, resigns=True).data())

    def change(stage: str, done: int, total: int | None) -> None:
        if total is None:
            save(path, b"")

    game, changed = sorted(rows(tmp_path, progress=change), key=lambda row: type(row).__name__)
    assert isinstance(game, ClubGame) and game.id == played(2, resigns=True).id
    assert isinstance(changed, UnreadableFile) and changed.name == str(path)
    assert "changed while it was read" in str(changed.reason)
    cache = tmp_path / "cache" / "club.sqlite3"
    save(path, played().data())
    assert rows(path, cache=cache, progress=change) == [changed]
    save(path, played().data())
    assert len(games(path, cache=cache)) == 1
    with pytest.raises(InputError, match=r"a\.toml was changed"):
        newest(replace(game, files=(str(path),)))


def test_archives_and_mailboxes_hold_the_same_games(tmp_path: Path) -> None:
    one, two = played(), played(2, resigns=True)
    zipped = BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("season/one.toml", one.data())
        archive.writestr("two.eml", b"Subject: turn\n\n" + armour(two.data()).encode())
    tarred = BytesIO()
    with tarfile.open(fileobj=tarred, mode="w:xz") as archive_:
        for name, data in (("one.toml", one.data()), ("two.toml", two.data(-2))):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive_.addfile(entry, BytesIO(data))
    messages = b"".join(
        b"From MAILER\nSubject: turn\n\n" + armour(game.data()).encode() + b"\n"
        for game in (one, two)
    )
    paths = [
        save(tmp_path / "a" / "season.zip", zipped.getvalue()),
        save(tmp_path / "b" / "season.tar.xz", tarred.getvalue()),
        save(tmp_path / "c" / "mbox", messages),
    ]
    save(tmp_path / "d" / "one.toml.gz", gzip.compress(one.data()))
    paths.append(save(tmp_path / "d" / "two.toml", two.data()))
    for path in paths:
        found = games(path.parent)
        assert {row.id for row in found} == {one.id, two.id}, path
        for row in found:
            assert game_of(newest(row)).match.id == row.id


def test_a_second_run_audits_only_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, folder = tmp_path / "cache" / "club.sqlite3", tmp_path / "games"
    save(folder / "one.toml", played().data(5))
    save(folder / "two.toml", played(2, resigns=True).data())
    first = rows(folder, cache=cache)
    sizes = audits(monkeypatch)
    read = monkeypatch.setattr(club_audit, "read_entries", lambda *_: pytest.fail("read again"))
    assert rows(folder, cache=cache) == first and not sizes and read is None
    monkeypatch.undo()
    sizes = audits(monkeypatch)
    save(folder / "newer.toml", played().data())
    assert {row.records for row in games(folder, cache=cache)} >= {len(played().files)}
    assert len(sizes) == 1
    rows(folder, cache=cache, fresh=True)
    assert len(sizes) == 3


def test_rows_have_one_order(tmp_path: Path) -> None:
    save(tmp_path / "z.toml", played().data())
    save(tmp_path / "a.toml", played(2, resigns=True).data())
    save(tmp_path / "m.toml", played(3, 3).data())
    save(tmp_path / "c-broken.toml", b'format = "acres-save"\nversion = 1\n')
    save(tmp_path / "b-broken.toml", bytes(400))
    first, *others = sorted(tmp_path.iterdir())
    there, back = rows(tmp_path), rows(*others[::-1], first)
    assert there == back == rows(*others, first) and len(there) == 5
    assert [type(row).__name__ for row in there[3:]] == ["UnreadableFile"] * 2


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no-such-folder"):
        rows(tmp_path / "no-such-folder")


@pytest.mark.parametrize(
    ("error", "reason"), [(LookupError, "report it"), (MemoryError, "memory did not suffice")]
)
def test_a_bug_in_one_game_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception], reason: str
) -> None:
    save(tmp_path / "one.toml", played().data())
    save(tmp_path / "two.toml", played(2, resigns=True).data())
    judge = verdicts.judge

    def fail(game: bytes, *args: object) -> object:
        if game == played().id:
            raise error
        return judge(game, *args)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.club.club_audit.judge", fail)
    row, failed = sorted(rows(tmp_path), key=lambda row: isinstance(row, UnreadableFile))
    assert row.id == played(2, resigns=True).id  # type: ignore[union-attr]
    assert isinstance(failed, UnreadableFile) and reason in str(failed.reason)


def test_a_bug_in_one_file_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "one.toml", played().data())
    save(tmp_path / "two.toml", played().cheat())

    def fail(data: bytes) -> object:
        if data != played().data():
            raise LookupError
        return audit(data)

    monkeypatch.setattr("pbem.club.verdicts.audit", fail)
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.HONEST and row.records == len(played().files)
    assert "report it" in str(row.unreadable[0].reason)


def blocks_of(data: bytes) -> tuple[bytes, list[bytes], bytes]:
    """Return the head, the records and the boxes of a file."""
    text, _, boxes = data.partition(b"\n[sealed")
    head, *records = text.split(b"\n[[record]]\n")
    return head, [b"\n[[record]]\n" + record for record in records], b"\n[sealed" + boxes


@st.composite
def changed_files(draw: st.DrawFn) -> bytes:
    """Return a file of a game in an unusual layout, in which a forked record may be hidden."""
    game = played()
    head, records, boxes = blocks_of(game.data(3))
    _, others, _ = blocks_of(draw(st.sampled_from([game.fork(4), game.data(4)])))
    blocks = [*records, others[4]]
    blocks.insert(draw(st.integers(0, len(blocks))), boxes)
    if draw(st.booleans()):
        odd = [b"\n", b"# [[record]]\n", b'\n[summary]\nlines = ["[[record]]"]\n', b'x = """\n']
        blocks.insert(draw(st.integers(0, len(blocks))), draw(st.sampled_from(odd)))
    if draw(st.booleans()):
        one, two = (draw(st.integers(0, len(blocks) - 1)) for _ in range(2))
        blocks[one], blocks[two] = blocks[two], blocks[one]
    data = head.partition(b"\n[summary]")[0] + b"".join(blocks)
    return data.replace(b"\n", draw(st.sampled_from([b"\n", b"\r\n"])))


@pytest.mark.slow
@given(changed_files())
@settings(max_examples=150)
def test_no_layout_hides_what_reading_everything_finds(data: bytes) -> None:
    """The shortcut for older files gives the verdict of reading all files whole."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        save(folder / "a.toml", played().data())
        save(folder / "b.toml", data)
        quick = games(folder)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(FileScan, "of", lambda _: None)
            whole = games(folder)
    facts = [(row.records, row.verdict, row.accusations) for row in whole]
    assert [(row.records, row.verdict, row.accusations) for row in quick] == facts


_HEADER = b"\n[[record]]\n"


def test_a_file_with_other_headers_counts_for_its_own_guest_alone(tmp_path: Path) -> None:
    game = played()
    head, first, *others = game.data().split(_HEADER)
    text = head + _HEADER + b"\n[[ record ]]\n".join((first, *others))
    save(tmp_path / "headers.toml", text)
    save(tmp_path / "game.toml", game.data())
    save(tmp_path / "guest.toml", game.join_again(1))
    one, two = sorted(games(tmp_path), key=lambda row: row.records)
    assert (one.records, two.records) == (2, len(game.files))
    assert one.unique_id != two.unique_id


def test_the_newest_file_is_one_that_verifies(tmp_path: Path) -> None:
    game = played()
    whole = save(tmp_path / "game.toml", game.data())
    # Anybody can write more headers after the first two records.
    junk = game.data(2).partition(b"\n[sealed")[0] + 9 * (_HEADER + b"index = 1\n")
    save(tmp_path / "junk.toml", junk)
    (row,) = games(tmp_path)
    assert (row.files[0], row.records) == (str(whole), len(game.files))
    save(tmp_path / "junk.toml", junk + 6000 * (_HEADER + b"index = 1\n"))
    (row,) = games(tmp_path)
    assert row.missing is not None and row.missing.index == MAX_RECORDS - 1
    assert newest(row) == game.data()


def test_two_files_with_one_invalid_record_are_not_whole(tmp_path: Path) -> None:
    game = played()
    records = [*game.files[-1].save.records]
    records[4] = records[4]._replace(signature=bytes(64))
    save(tmp_path / "long.toml", SaveFile(tuple(records)).write())
    save(tmp_path / "short.toml", SaveFile(tuple(records[:6])).write())
    (row,) = games(tmp_path)
    assert row.records == 4 and row.verdict is Verdict.DAMAGED


def test_an_invalid_signature_makes_no_file_whole(tmp_path: Path) -> None:
    game = played()
    records = game.files[-1].save.records
    for name, number in (("b", 6), ("a", 5)):
        forged = records[number]._replace(signature=bytes(64))
        save(tmp_path / f"{name}.toml", SaveFile((*records[:number], forged)).write())
    (row,) = games(tmp_path)
    assert row.records == 6 and row.verdict is Verdict.DAMAGED
    assert [Path(file.name).name for file in row.unreadable] == ["a.toml", "b.toml"]


def test_a_game_without_a_valid_invitation_is_no_game(tmp_path: Path) -> None:
    first, *others = played().files[-1].save.records
    forged = SaveFile((first._replace(signature=bytes(64)), *others)).write()
    (row,) = rows(save(tmp_path / "forged.toml", forged))
    assert isinstance(row, UnreadableFile) and "signature is not valid" in str(row.reason)


def test_a_damaged_file_is_named_whatever_was_read_before(tmp_path: Path) -> None:
    save(tmp_path / "a.txt", bytes(10))
    damaged = save(tmp_path / "b.toml", bytes(10))
    (row,) = rows(tmp_path)
    assert isinstance(row, UnreadableFile) and row.name == str(damaged)


def test_a_cheat_in_two_files_is_named_once(tmp_path: Path) -> None:
    game = played()
    data = game.cheat()
    save(tmp_path / "a.toml", data)
    save(tmp_path / "b.toml", b"# a comment\n" + data.replace(_HEADER, b"\n[[ record ]]\n"))
    (row,) = games(tmp_path)
    assert row.verdict is Verdict.CHEATED and len(row.accusations) == 1
