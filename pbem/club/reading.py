"""The reading of a club's files: finds them, groups them by game, and audits each game once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.message import message_of
from pbem.club.games import ForkEvidence, Row, UnreadableFile
from pbem.club.verdict import judge
from pbem.errors import InputError
from pbem.play.audit import explain_damage
from pbem.protocol.fork import NoForkError
from pbem.protocol.record import Record
from pbem.savefile.disk import as_utf8, read_file
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import EvidenceFile, SaveFile


def read_games(
    paths: Iterable[Path],
    *,
    jobs: int | None = 1,
    cluster: str = "",
    cache: Path | None = None,
    fresh: bool = False,
) -> Iterator[Row]:
    """Yield the games in files, then evidence and unreadable files, in a fixed order.

    - `paths`: folders, zip and tar archives, Maildirs, mboxes, messages and save files.
    - `jobs`: the number of processes, None for one per core. `cluster`: the address of the
      scheduler of a Dask cluster, which is used instead.
    - `cache`: the file with the verdicts of earlier runs; None for none. With `fresh` these
      verdicts are not used.

    Games are in the order of their first record's time, then of their ids; the others of their
    names. Raises UsageError if a path does not exist, or the cache belongs to somebody else.
    """
    groups: dict[tuple[str, bytes, bytes], list[tuple[int, str, bytes]]] = defaultdict(list)
    others: list[ForkEvidence | UnreadableFile] = []
    for path in sorted(file for top in paths for file in _files(top)):
        data = as_utf8(read_file(path))
        try:
            records = SaveFile.read(data).records
        except WrongFormatError:
            others.append(_evidence(str(path), data))
        except InputError as error:
            others.append(UnreadableFile(str(path), explain_damage(error, data).message))
        else:
            group = records[0].time, records[0].hash, _guest(records)
            groups[group].append((-len(records), str(path), data))
    for _, files in sorted(groups.items()):
        game = judge([(name, data) for _, name, data in sorted(files)])
        if game is not None:
            yield game
    yield from others


def read_named_file(name: str) -> bytes:
    """Return the bytes of a save file by its name in `ClubGame.files`.

    Raises InputError if it cannot be read.
    """
    return as_utf8(read_file(Path(name)))


def _files(top: Path) -> Iterator[Path]:
    yield from (path for path in top.rglob("*.toml")) if top.is_dir() else [top]


def _guest(records: tuple[Record, ...]) -> bytes:
    """Return the public key of the guest; empty if there is none."""
    key: bytes = getattr(records[1].steps[0], "key", b"") if len(records) > 1 else b""
    return key


def _evidence(name: str, data: bytes) -> ForkEvidence | UnreadableFile:
    try:
        evidence = EvidenceFile.read(data).evidence
        evidence.check()
    except (InputError, NoForkError) as error:
        return UnreadableFile(name, message_of(error))
    return ForkEvidence(name, evidence.key, evidence.index, data)
