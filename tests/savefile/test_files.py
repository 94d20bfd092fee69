"""Files on disk: written atomically, over no other file, and without leftovers."""

import ctypes
import errno
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from pbem.errors import UNCONFIRMED, UsageError
from pbem.savefile import disk
from pbem.savefile.disk import (
    ABANDONED_SECONDS,
    TargetExistsError,
    check_can_create,
    missing_function,
    reserve_file,
    sync_folder,
    write_new,
)

OLD, NEW = b"the old content", b"the new content " * 1000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game-001.toml"


def test_computer_is_known_by_its_id_or_else_by_its_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def id_of(name: str, machine_id: str) -> int:
        path.write_text(machine_id)
        monkeypatch.setattr(disk, "_HOST_NAME", name)
        return disk.computer_id()

    monkeypatch.setattr(disk, "computer_id", disk.computer_id.__wrapped__)
    monkeypatch.setattr(disk, "_MACHINE_ID", path.parent / "missing")
    of_anna = {id_of("anna", "abc")}
    monkeypatch.setattr(disk, "_MACHINE_ID", path)
    of_anna |= {id_of("anna.lan", text) for text in ("", "\n", "uninitialized\n", "\xe9")}
    with_id = {id_of("anna", "abc\n"), id_of("bela", "abc")}
    others = {id_of("bela", ""), id_of("anna", "abd\n")}
    ids = of_anna | with_id | others
    assert (len(of_anna), len(with_id), len(ids)) == (1, 1, 4)
    assert all(0 < number < 2**31 for number in ids)


def keep_guid(monkeypatch: pytest.MonkeyPatch, guid: str | None) -> None:
    """Put this id into a registry of Windows, or none."""
    registry = MagicMock(KEY_READ=0x20019, KEY_WOW64_64KEY=0x100)
    registry.QueryValueEx.return_value = (guid, 1)
    if guid is None:
        registry.OpenKey.side_effect = FileNotFoundError
    monkeypatch.setitem(sys.modules, "winreg", registry)


def keep_uuid(monkeypatch: pytest.MonkeyPatch, uuid: str | None) -> None:
    """Let the C library of macOS give this id, or fail."""

    def gethostuuid(buffer: Any, wait: Any) -> int:
        assert (*wait,) == (1, 0)
        buffer.raw = (uuid or "").encode().ljust(16)
        return -1 if uuid is None else 0

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(gethostuuid=gethostuuid))


@pytest.mark.parametrize(("platform", "keep"), [("win32", keep_guid), ("darwin", keep_uuid)])
def test_renamed_computer_is_known_on_other_systems(
    platform: str,
    keep: Callable[[pytest.MonkeyPatch, str | None], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def id_of(name: str, system_id: str | None) -> int:
        keep(monkeypatch, system_id)
        monkeypatch.setattr(disk, "_HOST_NAME", name)
        return disk.computer_id()

    monkeypatch.setattr(disk, "computer_id", disk.computer_id.__wrapped__)
    monkeypatch.setattr(sys, "platform", platform)
    assert id_of("anna", "abc") == id_of("renamed", "abc") != id_of("anna", "abd")
    assert id_of("anna", None) == id_of("anna.lan", None) != id_of("bela", None)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_file_appears_complete(path: Path) -> None:
    with reserve_file(path, len(NEW)) as file:
        assert not path.exists()
        assert not file.may_exist
        file.commit(NEW)
        assert path.read_bytes() == NEW
        assert file.may_exist
    assert names(path.parent) == [path.name]


def test_reserved_file_has_room_but_no_content(path: Path) -> None:
    with reserve_file(path, len(NEW)):
        (unfinished,) = path.parent.iterdir()
        assert unfinished.read_bytes() == bytes(len(NEW))
    assert names(path.parent) == []


def test_existing_file_is_not_overwritten(path: Path) -> None:
    path.write_bytes(OLD)
    with pytest.raises(TargetExistsError, match=r"There is already a file .*game-001\.toml"):
        write_new(path, NEW)
    assert path.read_bytes() == OLD
    assert names(path.parent) == [path.name]


@pytest.mark.parametrize("has_links", [True, False])
def test_file_that_appeared_meanwhile_is_not_overwritten(
    path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    if not has_links:
        monkeypatch.setattr("os.link", refuse_with(errno.EPERM))
    with reserve_file(path, len(NEW)) as file:
        path.write_bytes(OLD)
        with pytest.raises(TargetExistsError):
            file.commit(NEW)
        assert not file.may_exist
    assert path.read_bytes() == OLD
    assert names(path.parent) == [path.name]


def refuse_with(number: int) -> Callable[..., None]:
    def refuse(*_arguments: Path | int) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


def test_file_is_renamed_without_hard_links(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.link", refuse_with(errno.EPERM))
    with reserve_file(path, len(NEW)) as file:
        file.commit(NEW)
        assert file.may_exist
    assert path.read_bytes() == NEW
    assert names(path.parent) == [path.name]


def test_repeated_link_call_counts_as_success(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network drive may repeat the call if the first answer is lost."""
    real = os.link

    def link(source: Path, target: Path) -> None:
        real(source, target)
        real(source, target)

    monkeypatch.setattr("os.link", link)
    write_new(path, NEW)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("failing", ["os.fsync", "pbem.savefile.disk._reserve"])
def test_full_disk_leaves_no_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    monkeypatch.setattr(failing, refuse_with(errno.ENOSPC))
    full = re.escape(os.strerror(errno.ENOSPC))
    with pytest.raises(UsageError, match=rf"game-001\.toml cannot be written: {full}"):
        write_new(path, NEW)
    assert names(path.parent) == []


def test_replaced_file_is_old_or_new(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(OLD)
    with monkeypatch.context() as full, reserve_file(path, len(NEW), replace=True) as file:
        full.setattr("os.fsync", refuse_with(errno.ENOSPC))
        with pytest.raises(UsageError):
            file.commit(NEW)
        assert not file.may_exist
    assert path.read_bytes() == OLD
    with reserve_file(path, len(NEW), replace=True) as file:
        assert path.read_bytes() == OLD
        file.commit(NEW)
        assert file.may_exist
    assert path.read_bytes() == NEW
    assert names(path.parent) == [path.name]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_permissions_follow_the_umask_unless_private(path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_new(path, NEW)
        other = path.with_name("private")
        with reserve_file(other, len(NEW), private=True) as file:
            (unfinished,) = path.parent.glob(".private*")
            assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
            file.commit(NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert stat.S_IMODE(other.stat().st_mode) == 0o600


def test_abandoned_file_is_removed_after_a_while(path: Path) -> None:
    with reserve_file(path.with_name("other.toml"), len(NEW)):
        (unfinished,) = path.parent.iterdir()
        # An earlier version used this name.
        abandoned = unfinished.rename(path.with_name(".other.toml.12345678.acres-part"))
    foreign = path.with_name(".letter.part")
    foreign.write_bytes(OLD)
    long_ago = time.time() - ABANDONED_SECONDS - 60
    os.utime(foreign, (long_ago, long_ago))
    write_new(path, NEW)
    assert names(path.parent) == sorted([abandoned.name, foreign.name, path.name])
    os.utime(abandoned, (long_ago, long_ago))
    write_new(path.with_name("game-002.toml"), NEW)
    assert names(path.parent) == sorted([foreign.name, path.name, "game-002.toml"])


def test_folder_need_not_be_listable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.scandir", refuse_with(errno.EACCES))
    write_new(path, NEW)
    assert path.exists()


def test_trial_leaves_no_file(path: Path) -> None:
    check_can_create(path)
    check_can_create(path.parent / "new" / "deep" / "x.toml")
    assert names(path.parent) == []
    with pytest.raises(OSError) as refused:
        check_can_create(path.with_name("x" * 250))
    assert refused.value.errno == errno.ENAMETOOLONG
    with pytest.raises(OSError, match=r"."):
        check_can_create(Path("/proc/x.toml"))


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_disk_that_confirms_nothing_is_told_of_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for function in ("os.fsync", "os.link", "pbem.savefile.disk.flock"):
        monkeypatch.setattr(function, refuse_with(number))
    assert not sync_folder(path.parent)
    for name in ("game-001.toml", "game-003.toml"):
        write_new(path.with_name(name), NEW)
    assert {path.parent} == UNCONFIRMED
    UNCONFIRMED.clear()
    missing = missing_function(path.parent)
    assert missing is not None
    assert (missing[0], missing[1].errno) == ("fsync", number)
    monkeypatch.setattr("pbem.savefile.disk.lockf", refuse_with(number))
    missing = missing_function(path.parent)
    assert missing is not None and missing[0] == "lockf"
    assert len(names(path.parent)) == 2
