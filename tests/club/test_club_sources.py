"""Files and archives by people who wish the organiser harm."""

from __future__ import annotations

import gzip
import os
import tarfile
import tracemalloc
import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from subprocess import run

import pytest

from pbem.club import club_sources
from pbem.club.club_sources import ClubSource, find_sources
from pbem.club.club_text import csv_table
from pbem.club.verdicts import ClubGame, UnreadableFile
from pbem.savefile.document import MAX_SIZE
from tests.club.club_files import games, newest, played, rows, save

Tarred = list[tuple[tarfile.TarInfo, bytes]]


def entry(name: str, data: bytes = b"", **facts: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in facts.items():
        setattr(info, key, value)
    return info, data


def tar(path: Path, entries: Tarred, mode: str = "w") -> Path:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for info, data in entries:
            archive.addfile(info, BytesIO(data))
    return save(path, packed.getvalue())


def zipped(files: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def reasons(path: Path) -> list[str]:
    return [str(row.reason) for row in rows(path) if isinstance(row, UnreadableFile)]


def test_links_absolute_paths_and_parents_in_archives_touch_nothing(tmp_path: Path) -> None:
    secret = save(tmp_path / "secret.toml", played(2, resigns=True).data())
    entries = [
        entry("../../outside.toml", played().data()),
        entry("/etc/game.toml", played(3, 3).data()),
        entry("link.toml", type=tarfile.SYMTYPE, linkname=str(secret)),
        entry("hard.toml", type=tarfile.LNKTYPE, linkname="../../secret.toml"),
        entry("device", type=tarfile.CHRTYPE),
        entry("pipe.toml", type=tarfile.FIFOTYPE),
    ]
    before = sorted(tmp_path.rglob("*"))
    path = tar(tmp_path / "club" / "season.tar", entries)
    found = games(tmp_path / "club")
    assert {row.id for row in found} == {played().id, played(3, 3).id}
    assert {*tmp_path.rglob("*")} - {*before} == {path, path.parent}
    path.write_bytes(zipped({"../../a.toml": played().data(), "C:\\b.toml": b"x"}))
    assert [row.id for row in games(path)] == [played().id]


def test_links_pipes_and_hidden_files_in_a_folder_are_left_alone(tmp_path: Path) -> None:
    outside = save(tmp_path / "home" / "private.toml", played().data())
    club = tmp_path / "club"
    save(club / ".git" / "hidden.toml", played(3, 3).data())
    (club / "link.toml").symlink_to(outside)
    (club / "folder").symlink_to(outside.parent)
    (club / "loop").symlink_to(club)
    os.mkfifo(club / "pipe.toml")
    assert rows(club) == []
    # What the user names is read.
    assert len(games(club / "link.toml")) == 1


def test_a_bomb_costs_little_and_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_sources, "MIN_UNPACKED", 2**20)
    zeros = b"a = 1\n" * 10 + bytes(2 * 2**20)
    save(tmp_path / "one.zip", zipped({f"{n}.toml": zeros for n in range(20)}))
    tar(tmp_path / "two.tar.xz", [entry(f"{n}.toml", zeros) for n in range(20)], "w:xz")
    save(tmp_path / "three.gz", zlib.compress(bytes(2**19), wbits=31))
    tar(tmp_path / "four.tar.bz2", [entry("skipped", bytes(2**23))], "w:bz2")
    save(tmp_path / "fine.toml", played().data())
    memory = getrusage(RUSAGE_SELF).ru_maxrss
    found = rows(tmp_path)
    assert getrusage(RUSAGE_SELF).ru_maxrss - memory < 64 * 1024
    failed = [row for row in found if isinstance(row, UnreadableFile)]
    assert len(found) - len(failed) == 1
    bombs = [Path(row.name).name for row in failed if "more than is safe" in str(row.reason)]
    assert bombs == ["four.tar.bz2", "one.zip", "two.tar.xz"] and len(failed) < 20


def test_a_long_extended_header_is_not_read_into_memory(tmp_path: Path) -> None:
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 2**30
    path = tmp_path / "a.tar.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(info.tobuf(tarfile.USTAR_FORMAT) + bytes(2**27))
    tracemalloc.start()
    try:
        assert "more than is safe" in reasons(path)[0]
        assert tracemalloc.get_traced_memory()[1] < 2**25
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("claimed", [None, 1, 0xFFFF])
def test_the_list_of_a_zip_archive_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claimed: int | None
) -> None:
    """Its size counts: an archive may claim any number of entries, also with zip64."""
    data = bytearray(zipped({f"{number}.txt": b"x" for number in range(100)}))
    if claimed:
        at = data.rfind(b"PK\5\6")
        data[at + 8 : at + 12] = 2 * claimed.to_bytes(2, "little")
    path = save(tmp_path / "a.zip", bytes(data))
    assert not reasons(path)
    monkeypatch.setattr(club_sources, "MAX_MESSAGE", 1000)
    assert "more than is safe" in reasons(path)[0]


def test_zip_archive_of_which_little_is_unpacked_takes_little_memory(tmp_path: Path) -> None:
    """Python unpacks bzip2 whole, whatever size the archive claims."""
    with zipfile.ZipFile(packed := BytesIO(), "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("game.toml", bytes(2**26))
    bomb = packed.getvalue().replace((2**26).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    memory = getrusage(RUSAGE_SELF).ru_maxrss
    assert "unusual way" in reasons(save(tmp_path / "a.zip", bomb))[0]
    assert getrusage(RUSAGE_SELF).ru_maxrss - memory < 32 * 1024


def test_holes_and_negative_sizes_in_a_tar_archive_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club_sources, "MIN_UNPACKED", 2**22)
    sparse = tarfile.TarInfo("hole.toml")
    sparse.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(sparse.tobuf(tarfile.GNU_FORMAT))
    # The size of a file that is a hole.
    header[483:495] = b"%011o\0" % 2**21
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + sum(header[156:]) + 8 * 32)
    path = save(tmp_path / "a.tar", bytes(header) * 20 + bytes(1024))
    assert "more than is safe" in reasons(path)[-1]
    back, _ = entry("back.toml")
    back.size = -1024
    path = save(tmp_path / "a.tar", 9 * back.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert len(rows(path)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_a_hundred_thousand_entries_are_read_in_little_memory(tmp_path: Path, kind: str) -> None:
    path, data = tmp_path / f"many.{kind}", played().data()
    if kind == "tar":
        empty = (tarfile.TarInfo(f"{number}.toml").tobuf() for number in range(100_000))
        info, _ = entry("game.toml", data)
        rest = info.tobuf() + data + bytes(-len(data) % 512 + 1024)
        save(path, b"".join((*empty, rest)))
    else:
        save(path, zipped({f"{number}.toml": b"" for number in range(100_000)} | {"game": data}))
    tracemalloc.start()
    try:
        assert len(games(path)) == 1
        # Python keeps the list of a zip archive.
        assert tracemalloc.get_traced_memory()[1] < (2**25 if kind == "tar" else 2**27)
    finally:
        tracemalloc.stop()


def test_damaged_members_are_rows_and_the_others_are_read(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.toml": b"b" * 5000, "game.toml": played().data()}))
    at = data.index(b"a.toml") + 10
    data[at : at + 4] = b"\xff\xff\xff\xff"
    found = rows(save(tmp_path / "season.zip", bytes(data)))
    assert len(found) == 2 and isinstance(found[1], UnreadableFile)
    assert found[1].name == str(tmp_path / "season.zip" / "a.toml")
    whole = tar(tmp_path / "season.zip", [entry("g.toml", played().data())], "w:gz").read_bytes()
    found = rows(save(tmp_path / "season.zip", whole[:-500]))
    assert "cannot be read to its end" in str(found[-1].reason)  # type: ignore[union-attr]


def test_archives_in_archives_are_named_or_read_as_attachments(tmp_path: Path) -> None:
    data = played().data()
    inner = tar(tmp_path / "inner", [entry("a.toml", data)], "w:gz").read_bytes()
    for outer in (zipped({"z.tgz": inner}), zipped({"z.tar": gzip.decompress(inner)})):
        assert "archive in an archive" in reasons(save(tmp_path / "a.zip", outer))[0]
    assert len(games(save(tmp_path / "a.zip", zipped({"z.zip": zipped({"a.toml": data})})))) == 1
    report = zipped({"report.docx": zipped({"word/document.xml": b"<a/>"})})
    assert rows(save(tmp_path / "a.zip", report)) == []


def test_files_at_the_bound_are_read_and_larger_ones_are_rows(tmp_path: Path) -> None:
    data = played().data()
    comment = b"#" * 100 + b"\n"
    full = data + comment * ((MAX_SIZE - len(data)) // len(comment))
    full += b"#" * (MAX_SIZE - len(full))
    assert len(full) == MAX_SIZE
    (row,) = games(save(tmp_path / "a.toml", full))
    assert row.records == len(played().files)
    (failed,) = rows(save(tmp_path / "a.toml", full + b"#"))
    assert isinstance(failed, UnreadableFile) and "larger than 2 MiB" in str(failed.reason)
    (failed,) = rows(save(tmp_path / "a.toml", full * 5))
    assert "larger than any" in str(failed.reason)  # type: ignore[union-attr]
    assert rows(save(tmp_path / "film.mkv", full * 5)) == rows(tmp_path / "film.mkv") == []


def test_deep_folders_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "/".join("d" * 1200)
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(1200):
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)
    save(folder / "game.toml", played().data())
    assert len(games(tmp_path)) == 1
    # Python 3.11 removes no folders so deep.
    run(["rm", "-rf", tmp_path / "d"], check=True)


def test_secrets_of_members_are_neither_read_nor_wanted(tmp_path: Path) -> None:
    text = b'format = "acres-identity"\nversion = 1\nname = "Anna"\nseed = "c2VjcmV0"\n'
    save(tmp_path / "identity.toml", text)
    (row,) = rows(tmp_path)
    assert isinstance(row, UnreadableFile) and "nobody's business" in str(row.reason)
    assert "c2VjcmV0" not in str(row)


def test_sources_are_in_one_order(tmp_path: Path) -> None:
    for name in ("b/2", "b/1", "a", "c.zip"):
        save(tmp_path / name, zipped({"y": b"1", "x": b"2"}) if name == "c.zip" else b"1")
    found = [row for row in find_sources([tmp_path]) if isinstance(row, ClubSource)]
    names = [os.path.relpath(source.name, tmp_path) for source in found]
    assert names == ["a", "b/1", "b/2", "c.zip/x", "c.zip/y"]


def test_of_two_files_with_one_name_in_an_archive_the_newest_is_found(tmp_path: Path) -> None:
    game = played()
    for numbers in ((3, -1), (-1, 3)):
        tar(tmp_path / "a.tar", [entry("a.toml", game.data(number)) for number in numbers])
        (row,) = games(tmp_path)
        assert newest(row) == game.data()


def test_names_that_are_not_unicode_are_read(tmp_path: Path) -> None:
    game, damaged = played(), os.fsdecode(b"\xff.toml")
    save(tmp_path / os.fsdecode(b"b\xfe.toml"), game.data())
    tar(tmp_path / "c.tar", [entry(damaged, bytes(10))])
    (row, failed) = rows(tmp_path)
    assert isinstance(row, ClubGame) and newest(row) == game.data()
    assert isinstance(failed, UnreadableFile) and failed.name == str(tmp_path / "c.tar" / damaged)
    assert [*csv_table(iter((row, failed)), tmp_path / "table")] == [row, failed]
