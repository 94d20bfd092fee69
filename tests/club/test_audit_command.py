"""The command `acres club audit`: its lines, tables, evidence, cache and exit statuses."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen

import pytest

from engine.sides import Side
from pbem.cli.main import main
from pbem.club import club_audit
from pbem.club.club_text import COLUMNS
from pbem.club.verdicts import UnreadableFile
from pbem.club.workers import processes
from pbem.errors import UsageError
from pbem.protocol.identity import Identity
from pbem.savefile.save_file import EvidenceFile
from tests.club.club_files import games, played, rows, save
from tests.play.correspondents import Correspondents

EVIL = '=HYPERLINK("http://x","[red]")'


@pytest.fixture(autouse=True)
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a game in `games`; the home has no identity."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACRES_HOME", str(tmp_path / "home"))
    save(tmp_path / "games" / "one.toml", played().data())
    return tmp_path


def audit(*words: str, status: int = 0) -> None:
    assert main(["club", "audit", "games", "--jobs", "1", *words]) == status


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_statuses_and_lines(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit()
    text = said(capsys)
    assert f"{played().id.hex()[:8]} “Anna (practice)” (British) against" in text
    assert "Everything so far is proved. Games: 1. Games with a cheat: 0." in text
    save(club / "games" / "broken.toml", b'format = "acres-save"\n')
    audit(status=2)
    assert "games/broken.toml: This file is damaged" in said(capsys)
    save(club / "games" / "fork.toml", played().fork(4))
    audit(status=1)
    text = said(capsys)
    assert "cheated in record 4: two different records are signed after the same record." in text
    assert "Games with a cheat: 1." in text and "do not verify: 1." in text
    name = f"fork-{played().id.hex()[:8]}-4.toml"
    EvidenceFile.read((club / name).read_bytes()).evidence.check()
    (club / "games" / "one.toml").unlink()
    (club / "games" / "fork.toml").unlink()
    (club / name).rename(club / "games" / name)
    audit(status=1)
    assert f"games/{name} proves that the owner of key " in said(capsys)
    audit("--evidence", "no-such-folder", status=2)
    assert "no-such-folder" in capsys.readouterr().err


def test_many_forks_of_one_record_do_not_end_the_audit(club: Path) -> None:
    for number in range(10):
        save(club / "games" / f"{number}.toml", played().fork(4))
    for _ in range(2):
        audit(status=1)
        proofs = {EvidenceFile.read(path.read_bytes()).evidence for path in club.glob("fork-*")}
        assert len(proofs) == 10 and all(proof.index == 4 for proof in proofs)


def test_json_is_one_document(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(club / "games" / "fork.toml", played().fork(4))
    save(club / "games" / "broken.toml", b'format = "acres-save"\n')
    audit("--json", status=1)
    game, broken = json.loads(capsys.readouterr().out)
    assert game["kind"] == "game" and game["id"] == games(club / "games")[0].unique_id
    assert game["verdict"] == "forked" and game["accused"] == [game["accusations"][0]["key"]]
    assert Path(game["accusations"][0]["evidence"]).exists()
    assert (broken["kind"], broken["name"]) == ("file", "games/broken.toml")
    (club / "empty").mkdir()
    assert main(["club", "audit", "empty", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def evil_game(name: str) -> bytes:
    pair = Correspondents(Random(3))
    pair.identities[Side.FRENCH] = Identity(name, "", bytes(range(32)))
    game = pair.join(pair.invite(Side.BRITISH, lists=16))
    return pair.answer(pair.answer(game, resigns=True)).save.write()


def test_names_are_neither_markup_nor_formulas(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(club / "games" / "one.toml", evil_game(EVIL))
    save(club / "games" / "\x1b[31m[bold]+red.toml", b'format = "acres-save"\n')
    save(club / "games" / "=1+1.zip", b"PK\3\4")
    audit("--csv", "table.csv", status=2)
    out = capsys.readouterr().out
    assert "\x1b" not in out and "[bold]" in out and "HYPERLINK" in out
    text = (club / "table.csv").read_text()
    assert "\x1b" not in text
    table = list(csv.DictReader(text.splitlines()))
    assert [*table[0]] == COLUMNS
    assert table[0]["players.french.name"] == f"'{EVIL}"
    assert (table[0]["result.winner"], table[0]["result.by"]) == ("french", "resigning")
    cells = [cell for row in table for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    audit("--csv", "table.csv", status=2)
    assert "table.csv" in capsys.readouterr().err
    assert (club / "table.csv").read_text() == text


def test_parquet_has_the_same_table(
    club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    audit("--parquet", "table.parquet", status=2)
    assert "acres-pbem[club]" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.chdir(club)
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setenv("ACRES_HOME", str(club / "home"))
    audit("--parquet", "table.parquet", "--csv", "table.csv")
    (row,) = parquet.read_table(club / "table.parquet").to_pylist()
    assert [*row] == COLUMNS
    assert (row["records"], row["players.british.name"]) == (7, "Anna (practice)")
    (other,) = csv.DictReader((club / "table.csv").read_text().splitlines())
    assert {key: "" if cell is None else str(cell) for key, cell in row.items()} == other


@pytest.mark.parametrize("option", ["--csv", "--parquet"])
def test_a_failed_audit_leaves_no_table(
    club: Path, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    save(club / "games" / "fork.toml", played().fork(4))

    def fail(*_: object) -> None:
        raise UsageError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.cli.club_commands.write_evidence", fail)
        audit(option, "table", status=2)
    assert sorted(path.name for path in club.iterdir()) == ["games", "home"]
    audit(option, "table", status=1)
    assert (club / "table").stat().st_size > 100


def test_dates_in_the_future_are_said(
    club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.cli.club_commands.now", lambda: "2020-01-01T00:00:00Z")
    audit()
    assert "ahead of this computer's clock" in said(capsys)


# --- the cache


def test_the_cache_is_private_and_outside_of_the_club(club: Path) -> None:
    audit()
    (cache,) = (club / "home").glob("*.sqlite3")
    assert cache.stat().st_mode & 0o077 == 0 and cache.parent.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in (club / "games").iterdir()) == ["one.toml"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_a_cache_that_others_can_write_is_refused(
    club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    audit()
    (cache,) = (club / "home").glob("*.sqlite3")
    for place, mode in ((cache, 0o620), (cache.parent, 0o777)):
        before = place.stat().st_mode
        place.chmod(mode)
        audit(status=2)
        error = " ".join(capsys.readouterr().err.split())
        assert "not yours alone" in error and "chmod go-w" in error
        # The folder may be the home with the key.
        assert "remove" not in error
        place.chmod(before)
    audit()
    cache.rename(club / "other.sqlite3")
    cache.symlink_to(club / "other.sqlite3")
    audit(status=2)
    cache.unlink()
    audit()
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    audit(status=2)


@pytest.mark.parametrize("damage", ["text", "middle", "values", "tables"])
def test_a_damaged_cache_is_only_a_miss(club: Path, damage: str) -> None:
    cache = club / "cache" / "club.sqlite3"
    for seed in range(4, 12):
        save(club / "games" / f"{seed}.toml", played(seed, 3).data())
    first = rows(club / "games", cache=cache)
    if damage == "text":
        cache.write_bytes(b"no database" * 1000)
    elif damage == "middle":
        data = bytearray(cache.read_bytes())
        data[4096:] = Random(1).randbytes(len(data) - 4096)
        cache.write_bytes(data)
    else:
        with sqlite3.connect(cache) as database:
            if damage == "tables":
                database.execute("DROP TABLE cache")
            else:
                database.execute("UPDATE cache SET value = value || x'00'")
        database.close()
    assert rows(club / "games", cache=cache) == first
    assert rows(club / "games", cache=cache) == first


def test_verdicts_of_another_program_are_not_used(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = club / "cache" / "club.sqlite3"
    (first,) = games(club / "games", cache=cache)
    other = UnreadableFile("0", "by another program")
    monkeypatch.setattr("pbem.club.club_audit.judge", lambda *_: [other])
    assert rows(club / "games", cache=cache) == [first]
    monkeypatch.setattr("pbem.club.club_audit.codec.program_digest", lambda *_: bytes(32))
    assert rows(club / "games", cache=cache) == [replace(other, name=first.files[0])]


def test_a_full_disk_is_an_error_in_a_sentence(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = f"{club_audit._TABLE} PRAGMA max_page_count = 4;"
    monkeypatch.setattr("pbem.club.club_audit._TABLE", table)
    for seed in range(4, 12):
        save(club / "games" / f"{seed}.toml", played(seed, 3).data())
    with pytest.raises(UsageError, match="cannot be used: database or disk is full"):
        rows(club / "games")


# --- processes


@pytest.mark.slow
def test_processes_give_the_same_rows(club: Path) -> None:
    for seed in range(4, 10):
        save(club / "games" / f"{seed}.toml", played(seed, 3).data())
    save(club / "games" / "fork.toml", played().fork(4))
    assert rows(club / "games", jobs=2) == rows(club / "games")


@pytest.mark.slow
def test_workers_of_another_version_are_refused(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.club.club_audit.VERSION", "0.1")
    with pytest.raises(UsageError, match=r"and this is 0\.1: install the same"):
        rows(club / "games", jobs=2)


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(4, 12):
        save(club / "games" / f"{seed}.toml", played(seed, 3).data())
    expected = rows(club / "games")
    pools = []

    def make(number: int) -> object:
        pools.append(processes(number))
        return pools[-1]

    monkeypatch.setattr("pbem.club.club_audit.processes", make)
    killed: list[int] = []

    def kill(_stage: str, done: int, total: int | None) -> None:
        from multiprocessing import active_children

        if total and done == 3 and not killed:
            pid = active_children()[0].pid
            assert pid is not None
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    assert rows(club / "games", jobs=2, progress=kill) == expected
    assert killed and len(pools) == 2


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on(club: Path, end: signal.Signals) -> None:
    for seed in range(4, 12):
        save(club / "games" / f"{seed}.toml", played(seed, 3).data())
    # A shell starts programs in its background with the signal ignored.
    script = """
import signal, sys
from pbem.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
import pbem.club.club_audit as reading
judge, count = reading.judge, 0
def counted(*values):
    global count
    count += 1
    print("audit", file=sys.stderr, flush=True)
    if count == int(sys.argv[1]):
        sys.stdin.read()
    return judge(*values)
reading.judge = counted
sys.exit(main(["club", "audit", "games", "--jobs", "1", "--json"]))
"""
    command = [sys.executable, "-c", script]
    stopped = Popen([*command, "5"], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
    assert stopped.stderr is not None
    for _ in range(5):
        assert stopped.stderr.readline() == "audit\n"
    stopped.send_signal(end)
    out, err = stopped.communicate()
    if end is signal.SIGINT:
        assert stopped.returncode == 130 and out == ""
        assert "Stopped. The verdicts so far are kept" in err and "Traceback" not in err
    again = Popen([*command, "0"], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
    out, err = again.communicate()
    assert again.returncode == 0 and len(json.loads(out)) == 9
    assert err.count("audit\n") == 9 - 4
