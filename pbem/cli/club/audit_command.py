"""The command `acres club audit`, which audits all games in a club's files."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import console
from pbem.cli.club.game_rows import GAMES, Cluster, Fresh, Jobs, PathsOfClub, read_rows
from pbem.cli.options import Json, option
from pbem.club.games import ClubGame, Row, Verdict
from pbem.club.listing import csv_table, parquet_table, row_facts, row_text, summary, verdicts
from pbem.errors import UsageError
from pbem.play.audit import evidence_path, write_evidence
from pbem.savefile.disk import is_folder
from pbem.savefile.save_file import EvidenceFile
from pbem.sources import now
from pbem.text.facts.json_data import to_json_data


def audit(
    paths: PathsOfClub = None,
    jobs: Jobs = None,
    cluster: Cluster = "",
    fresh: Fresh = False,
    json: Json = False,
    csv: Annotated[
        Path | None, option("FILE", "Write a table for spreadsheets, which must not exist yet.")
    ] = None,
    parquet: Annotated[
        Path | None, option("FILE", "Write a Parquet table, which must not exist yet.")
    ] = None,
    evidence: Annotated[
        Path | None, option("DIR", "The folder for the evidence of forks. Default: here.")
    ] = None,
) -> None:
    """Check everything in the files of many games, whoever wrote them.

    The files may be in any order, twice, older, damaged, or somebody else's. Each game is audited
    once; forks between files are found, and the evidence is written. A second run reads only what
    is new. The exit status is 0 if everything is valid, 1 if a game is not, 2 if a file cannot be
    read.

    $ acres club audit games  # all games in a folder
    $ acres club audit ~/Maildir season.zip --csv games.csv  # with a table
    """
    folder = evidence or Path()
    if not is_folder(folder):
        raise UsageError("There is no folder {folder}.", folder=folder)
    counts = Counter[Verdict | None]()
    with ExitStack() as stack:
        tables = [stack.enter_context(csv_table(csv))] if csv else []
        tables += [stack.enter_context(parquet_table(parquet))] if parquet else []
        time, separator = now(), "["
        for row in read_rows(paths or [Path(GAMES)], jobs, cluster, fresh=fresh):
            files = _write_evidence(row, folder)
            if json:
                console.say_verbatim(separator + dumps(to_json_data(row_facts(row, files))))
                separator = ","
            else:
                console.say_lines(row_text(row, files, time))
            for write in tables:
                write(row)
            counts.update(verdicts(row))
    if json:
        console.say_verbatim("]" if counts else "[]")
    else:
        console.say(summary(counts))
    if counts.keys() - {Verdict.HONEST, None}:
        raise typer.Exit(1)
    if counts[None]:
        raise typer.Exit(2)


def _write_evidence(row: Row, folder: Path) -> dict[bytes, Path]:
    """Write the evidence of forks in a game into a folder, and return the paths of the files."""
    paths: dict[bytes, Path] = {}
    if not isinstance(row, ClubGame):
        return paths
    for data in (one.evidence for one in row.accusations if one.evidence):
        evidence = EvidenceFile.read(data).evidence
        paths[data] = evidence_path(row.id, evidence, folder)
        write_evidence(evidence, paths[data])
    return paths
