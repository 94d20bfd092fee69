"""The reading of a club's games by its commands, with the cache of verdicts and the progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from engine.message import mark
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.file_argument import progress
from pbem.cli.options import argument, flag, number_option, option
from pbem.club.games import Row
from pbem.club.reading import AUDITING, READING, read_games
from pbem.play.home import default_cache

_PATHS = "Folders, archives (zip, tar), mailboxes or files with the games."

GAMES = "games"
"""The usual folder of the members' files, beside the file of the club."""
PathsOfClub = Annotated[
    list[Path] | None,
    argument("[PATH]...", f"{_PATHS} Default: the folder games, beside club.toml."),
]
Jobs = Annotated[
    int | None,
    number_option("--jobs", "The number of processes. Default: one for each core.", limit=1024),
]
Cluster = Annotated[
    str, option("ADDRESS", "Audit on the Dask cluster of this scheduler, such as tcp://host:8786.")
]
Fresh = Annotated[bool, flag("--fresh", "Audit everything again, as if for the first time.")]
_KEPT = mark("The verdicts so far are kept: the same command goes on.")


def read_rows(
    paths: Sequence[Path], jobs: int | None = None, cluster: str = "", *, fresh: bool = False
) -> Iterator[Row]:
    """Yield the rows of `read_games`, with the user's cache of verdicts, and show the progress."""
    console.note_written(_KEPT)
    cache = default_cache(current_app().home.folder)
    with progress(READING, AUDITING) as report:
        rows = read_games(
            paths,
            jobs=jobs,
            cluster_address=cluster,
            cache=cache,
            fresh=fresh,
            progress=report.update,
        )
        first = next(rows, None)
    if first is not None:
        yield first
        yield from rows
