"""The commands `acres club standings`, `check`, `pair` and `sign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, mark, semicolon_list
from pbem.cli import console
from pbem.cli.app import program
from pbem.cli.club.game_rows import Jobs, PathsOfClub, read_rows
from pbem.cli.file_argument import progress
from pbem.cli.homes import own_session
from pbem.cli.options import DryRun, Json, Yes, argument, option
from pbem.cli.prompts import ask_yes
from pbem.club.checks import find_problems, pair_text
from pbem.club.club_file import FILE_NAME, LADDER, SWISS, Club
from pbem.club.games import ClubGame, Row
from pbem.club.pairing import pair_next_round
from pbem.club.report import (
    invitation_text,
    line_text,
    standings_document,
    standings_facts,
    standings_text,
)
from pbem.club.site import Site
from pbem.club.standings import Standings
from pbem.errors import InputError, UsageError
from pbem.foreign import display_name, display_path
from pbem.play.signing import is_signed, sign_document
from pbem.protocol.identity import Identity
from pbem.protocol.schema import decode_bytes, encode_bytes
from pbem.savefile.disk import read_file, write_new
from pbem.sources import now
from pbem.text.language import row
from pbem.text.phrases import fingerprint

GAMES = "games"
"""The usual folder of the members' files, beside the file of the club."""
SUFFIX = ".sig"
"""The end of the name of a signature."""

ClubFile = Annotated[
    Path | None, option("FILE", "The file of the club. Default: club.toml, here.", "--club")
]
HERE = Path(FILE_NAME)
_WRITING = mark("Writing: {done} of {total} games.")
_SIGN_HINT = mark("{yes} signs these lines as the organiser, {no} changes nothing.")


def read_standings(file: Path | None, paths: list[Path] | None) -> tuple[Standings, list[Row]]:
    """Return the standings of the club in a file, and all that was read from `paths`."""
    club = Club.read(file or HERE)
    rows = list(read_rows(paths or [club.path.parent / GAMES]))
    return Standings(club, (row for row in rows if isinstance(row, ClubGame))), rows


def standings(
    paths: PathsOfClub = None,
    club: ClubFile = None,
    json: Json = False,
    sign: Annotated[
        Path | None,
        option("OUT.json", "Write the standings there, and your signature beside them.", "--sign"),
    ] = None,
    verify: Annotated[
        Path | None,
        option(
            "FILE.json", "Say if these standings are signed, and follow from the games.", "--verify"
        ),
    ] = None,
) -> None:
    """Show the standings of a club: the table, the ladder and the ratings.

    They follow from club.toml and the verified games alone: anybody with the same files gets the
    same ones, byte for byte. What does not count is listed with its reason.

    $ acres club standings  # of the club in this folder
    $ acres club standings --sign standings.json  # for the members
    $ acres club standings --verify standings.json  # by a member who has the files
    """
    result, _ = read_standings(club, paths)
    if sign:
        _sign_document(sign, standings_document(result), result.club)
    elif verify:
        _verify(verify, result)
    elif json:
        console.say_data(standings_facts(result))
    else:
        console.say_lines(standings_text(result))


def _sign_document(path: Path, document: bytes, club: Club) -> None:
    signature = sign_document(document, _organiser(club))
    write_new(path, document)
    write_new(path.with_name(path.name + SUFFIX), encode_bytes(signature).encode() + b"\n")
    console.say_below(
        "The standings are written, with your signature beside them:", display_path(path)
    )


def _organiser(club: Club) -> Identity:
    """Return the player's identity. Raises UsageError if it is not the organiser's."""
    identity = own_session().identity
    if identity.public_key.hex() != club.organiser:
        raise UsageError(
            "{file} names another organiser, {key}: sign with that identity.",
            file=club.path,
            key=fingerprint(bytes.fromhex(club.organiser)),
        )
    return identity


def _verify(path: Path, result: Standings) -> None:
    document, beside = read_file(path), path.with_name(path.name + SUFFIX)
    try:
        signature = decode_bytes(read_file(beside).decode("ascii").strip())
    except ValueError:
        raise InputError("{file} is no signature.", file=beside) from None
    if not is_signed(document, signature, bytes.fromhex(result.club.organiser)):
        console.say("The organiser of this club has not signed these standings.")
        raise typer.Exit(1)
    if document != standings_document(result):
        console.say(
            "The organiser signed these standings, but the files here lead to others: compare them "
            "with {command}.",
            command=f"{program()} club standings --json",
        )
        raise typer.Exit(1)
    console.say("The organiser signed these standings, and they follow from the files here.")


def check(paths: PathsOfClub = None, club: ClubFile = None, json: Json = False) -> None:
    """Say which games are late, missing or against the rules of the club, and whose move it is.

    The exit status is 1 if anything was found.

    $ acres club check  # who is overdue?
    """
    result, rows = read_standings(club, paths)
    problems = find_problems(result, rows, now())
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
    result, _ = read_standings(club, paths)
    open_games = [row for row in result.pairings if row.winner is None]
    if result.club.pairing == LADDER:
        raise UsageError("In a ladder the members choose their opponents: there are no rounds.")
    if result.club.pairing == SWISS and open_games:
        raise UsageError(
            "The next round follows from the results of all games, and these are open: {games}. "
            "Wait for them, or adjudicate them in {file}.",
            games=semicolon_list(pair_text(row.names) for row in open_games),
            file=result.club.path,
        )
    points = {place.name: place.points for place in result.places}
    is_swiss = result.club.pairing == SWISS
    ratings = {n: r.points for n, r in result.ratings.players.items()} if is_swiss else {}
    added = pair_next_round(result.club, points, ratings)
    if not dry_run:
        result.club.add_round(added)
    number = len(result.club.round) + 1
    for pair in added.pairs:
        console.say_lines(invitation_text(result.club, number, pair))
    if added.bye:
        console.say(
            "{name} has a bye in round {number}.", name=display_name(added.bye), number=number
        )


def sign(club: ClubFile = None, yes: Yes = False) -> None:
    """Sign the adjudications and replaced keys in club.toml, as the organiser.

    A line without a valid signature stops every other command of the club, so that nobody else can
    decide a game.

    $ acres club sign  # after you have written an [[adjudication]]
    """
    signed = Club.read(club or HERE)
    if not signed.unsigned:
        console.say("Every line is signed.")
        return
    identity = _organiser(signed)
    for line in signed.unsigned:
        console.item(line_text(line))
    if not yes and not ask_yes(Message("Sign these lines?"), _SIGN_HINT):
        raise console.CancelledError
    signed.sign(identity)
    console.say_below("Signed:", display_path(signed.path))


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
    result, _ = read_standings(club, paths)
    pages = Site(result, console.language(), out, now())
    with progress(_WRITING) as report:
        pages.write(jobs, report.track)
    console.say_below("The site begins with this page:", display_path(out / "index.html"))
