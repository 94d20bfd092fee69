"""The commands `acres club`, for the organiser of a club and for everybody who checks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, mark
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.file_argument import progress
from pbem.cli.help import LazyCommand, make_app
from pbem.cli.homes import own_session
from pbem.cli.options import DryRun, Json, Yes, argument, flag, number_option, option
from pbem.cli.pager import FROM_BEGINNING
from pbem.cli.prompts import ask_yes
from pbem.club import club_text
from pbem.club.club_audit import AUDITING, READING, read_games
from pbem.club.club_file import FILE_NAME, Club, describe
from pbem.club.club_site import ClubSite
from pbem.club.club_text import audit_facts, audit_text, csv_table, parquet_table, summary, verdicts
from pbem.club.standings import Standings, pair_next_round
from pbem.club.verdicts import ClubGame, Row, Verdict
from pbem.errors import UsageError, exists
from pbem.foreign import display_name, display_path
from pbem.play.audit import evidence_path, write_evidence
from pbem.play.home import default_cache
from pbem.play.signing import sign_document
from pbem.protocol.schema import encode_bytes
from pbem.savefile.disk import is_folder, reserve_file
from pbem.savefile.save_file import EvidenceFile
from pbem.sources import now
from pbem.text.facts.json_data import to_json_data
from pbem.text.language import row
from pbem.text.phrases import fingerprint

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
ClubFile = Annotated[
    Path | None, option("FILE", "The file of the club. Default: club.toml, here.", "--club")
]
_WRITING = mark("Writing: {done} of {total} games.")
_SIGN_HINT = mark("{yes} signs these lines as the organiser, {no} changes nothing.")


def _read_rows(
    paths: Sequence[Path] | None,
    folder: Path,
    jobs: int | None = None,
    cluster: str = "",
    *,
    fresh: bool = False,
) -> Iterator[Row]:
    """Yield the rows of `read_games`, with the user's cache of verdicts, and show the progress.

    Without `paths` the games are in the usual place in the `folder` of the club.
    """
    games = folder / GAMES
    if not (paths or is_folder(games)):
        raise UsageError(
            "There is no folder {folder}. Make it for the files of the members, or name other "
            "places.",
            folder=games,
        )
    console.note_written(_KEPT)
    cache = default_cache(current_app().home.folder)
    with progress(READING, AUDITING) as report:
        rows = read_games(
            paths or [games],
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
    $ acres club audit ~/Maildir --csv games.csv  # with a table
    """
    folder = evidence or Path()
    if not is_folder(folder):
        raise UsageError("There is no folder {folder}.", folder=folder)
    counts = Counter[Verdict | None]()
    rows = _read_rows(paths, Path(), jobs, cluster, fresh=fresh)
    if csv:
        rows = csv_table(rows, csv)
    if parquet:
        rows = parquet_table(rows, parquet)
    time, separator = now(), "["
    for entry in rows:
        files = _write_evidence(entry, folder)
        if json:
            console.say_verbatim(separator + dumps(to_json_data(audit_facts(entry, files))))
            separator = ","
        else:
            console.say_lines(audit_text(entry, files, time))
        counts.update(verdicts(entry))
    if json:
        console.say_verbatim("]" if counts else "[]")
    else:
        console.say(summary(counts))
    if counts.keys() - {Verdict.HONEST, None}:
        raise typer.Exit(1)
    if counts[None]:
        raise typer.Exit(2)


def _write_evidence(entry: Row, folder: Path) -> dict[bytes, Path]:
    """Write the evidence of forks in a game into a folder, and return the paths of the files."""
    paths: dict[bytes, Path] = {}
    if not isinstance(entry, ClubGame):
        return paths
    for data in (one.evidence for one in entry.accusations if one.evidence):
        evidence = EvidenceFile.read(data).evidence
        paths[data] = evidence_path(entry.id, evidence, folder)
        write_evidence(evidence, paths[data])
    return paths


def _read_club(file: Path | None) -> Club:
    path = file or Path(FILE_NAME)
    if not exists(path):
        raise UsageError(
            "There is no file {file}. Go to the folder of the club, or name its file with --club.",
            file=path,
        )
    return Club.read(path)


def _read(
    file: Path | None, paths: list[Path] | None, jobs: int | None = None
) -> tuple[Standings, list[Row]]:
    """Return the standings of the club in a file, and all that was read from `paths`."""
    club = _read_club(file)
    rows = list(_read_rows(paths, club.path.parent, jobs))
    return Standings(club, (row for row in rows if isinstance(row, ClubGame))), rows


def standings(paths: PathsOfClub = None, club: ClubFile = None, json: Json = False) -> None:
    """Show the standings of a club: the table, the ladder and the ratings.

    They follow from club.toml and the verified games alone: anybody with the same files gets the
    same ones, byte for byte, and learns if they are those that the organiser has signed. What does
    not count is listed with its reason. The exit status is 1 if others are signed.

    $ acres club standings  # of the club in this folder
    """
    result, _ = _read(club, paths)
    if json:
        console.say_data(club_text.standings_facts(result))
    else:
        console.say_lines(club_text.standings_text(result))
    if not exists(result.club.path.with_name(club_text.SIGNATURE)):
        return
    is_signed = club_text.is_signed_document(club_text.standings_document(result), result.club)
    if not json:
        console.say()
        text = Message("The organiser signed these standings, and they follow from the files here.")
        if not is_signed:
            text = Message(
                "The signature beside {file} does not fit these standings: the organiser has "
                "signed others, or nobody has.",
                file=result.club.path,
            )
        console.say(text)
    if not is_signed:
        raise typer.Exit(1)


def check(paths: PathsOfClub = None, club: ClubFile = None, json: Json = False) -> None:
    """Say which games are late, missing or against the rules of the club, and whose move it is.

    The exit status is 1 if anything was found.

    $ acres club check  # who is overdue?
    """
    problems = club_text.find_problems(*_read(club, paths), now())
    if json:
        console.say_data(problems)
    else:
        console.say_lines(row(problem.game[:8], problem.text) for problem in problems)
    if problems:
        raise typer.Exit(1)
    if not json:
        console.say("All is in order.")


def pair(paths: PathsOfClub = None, club: ClubFile = None, dry_run: DryRun = False) -> None:
    """Add the next round to club.toml, and print the text with which to invite each pair.

    In a round robin each pair plays two games, one with each side. In a Swiss system members with
    equal points meet, nobody twice while that can be avoided, and everybody plays both sides
    equally often; there all games must be decided first.

    $ acres club pair --dry-run  # who would play whom?
    """
    result, _ = _read(club, paths)
    added = pair_next_round(result)
    if not dry_run:
        result.club.add_round(added, now()[:10])
    number = len(result.club.round) + 1
    for one in added.pairs:
        console.say_lines(club_text.invitation_text(result.club, number, one))
    if added.bye:
        name = display_name(added.bye)
        console.say("{name} has a bye in round {number}.", name=name, number=number)


def sign(paths: PathsOfClub = None, club: ClubFile = None, yes: Yes = False) -> None:
    """Sign the adjudications and replaced keys in club.toml, and the standings, as the organiser.

    If the lines are not signed as they are, every other command of the club stops, so that nobody
    else can decide a game. The standings are written beside club.toml, for the members and for the
    site.

    $ acres club sign  # after new results or an [[adjudication]]
    """
    signed, identity = _read_club(club), own_session().identity
    if identity.public_key.hex() != signed.organiser:
        raise UsageError(
            "{file} names another organiser, {key}: sign with that identity.",
            file=signed.path,
            key=fingerprint(bytes.fromhex(signed.organiser)),
        )
    if not signed.is_signed:
        for line in signed.decisions:
            console.item(describe(line))
        if not yes and not ask_yes(Message("Sign these lines?"), _SIGN_HINT):
            raise console.CancelledError
        signed.sign(identity)
    result, _ = _read(club, paths)
    document = club_text.standings_document(result)
    signature = encode_bytes(sign_document(document, identity)).encode()
    for name, data in ((club_text.STANDINGS, document), (club_text.SIGNATURE, signature)):
        with reserve_file(signed.path.with_name(name), len(data), replace=True) as file:
            file.commit(data)
    written = signed.path.with_name(club_text.STANDINGS)
    console.say_below("The signed standings are written:", display_path(written))


def site(
    out: Annotated[Path, argument("OUT", "The folder for the pages: a new one, or an older site.")],
    paths: PathsOfClub = None,
    club: ClubFile = None,
    jobs: Jobs = None,
) -> None:
    """Write the club's pages, which any web server can show: standings, curves, every game.

    They are static files, contact nobody, and name no address of a player. A site that is already
    there is replaced page by page.

    $ acres club site public  # to be put on the web
    """
    result, _ = _read(club, paths, jobs)
    pages = ClubSite(result, console.language(), out, now())
    with progress(_WRITING) as bar:
        pages.write(jobs, bar.track)
    console.say_below("The site begins with this page:", display_path(out / "index.html"))


app = make_app(
    name="club",
    help="Run a club: audit all games, rate the members, pair rounds, publish the results.",
    commands={
        "audit": LazyCommand("club_commands", "audit", pager=FROM_BEGINNING),
        "standings": LazyCommand("club_commands", "standings", pager=FROM_BEGINNING),
        "check": LazyCommand("club_commands", "check", pager=FROM_BEGINNING),
        "pair": LazyCommand("club_commands", "pair"),
        "site": LazyCommand("club_commands", "site"),
        "sign": LazyCommand("club_commands", "sign"),
    },
)
