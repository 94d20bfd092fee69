"""Taking a save file out of a message or a mailbox: which one is meant, which are left aside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import typer

from language import joined_with_semicolons, phrase, plural
from pbem.cli import console
from pbem.cli.given import CHOOSES, INPUT, Fork, Given, is_choice
from pbem.cli.home import own_key, program
from pbem.cli.own_library import own_library
from pbem.cli.paths import quoted, shown
from pbem.cli.words import against
from pbem.errors import Unreadable, WrongUse
from pbem.library import LibraryFailed, Listed
from pbem.mail.choice import MOST_TOLD, Candidates, by_game, files_in, meant
from pbem.mail.messages import SavedMail, is_maildir, is_mbox, resumed
from pbem.mail.parts import in_safe_letters
from pbem.mail.reports import MOST_READ, is_report
from pbem.mail.search import Found
from pbem.play.game_file import GameFile
from pbem.savefile.files import is_file, is_folder, read_file


class Place(NamedTuple):
    """What is looked through: its `label` in words, the word that names it in a command, if any.

    `game` is the beginning of the number of the game that is meant, `path` where it is found again,
    if that is a message by itself.
    """

    label: str
    word: Path | None
    game: str = ""
    path: Path | None = None

    def choosing(self, game: Candidates) -> str:
        """The word of a command that means this game in it."""
        return quoted(Path(f"{self.word}{CHOOSES}{game.number}"))


def from_input(context: typer.Context, begun: bytes, *, joins: bool, compares: bool) -> Given:
    """The file that is meant on standard input, of which so much has been read."""
    mailbox, place = _piped(begun)
    return _taken(context, mailbox, place, joins=joins, compares=compares)


def from_pipe(
    context: typer.Context, file: Path, begun: bytes, *, joins: bool, compares: bool
) -> Given:
    """The file that is meant in what came through a pipe, all of which has been read."""
    place = Place(shown(file), None)
    return _taken(context, SavedMail(BytesIO(begun)), place, joins=joins, compares=compares)


def from_path(context: typer.Context, file: Path, *, joins: bool, compares: bool) -> Given:
    """The file that is meant in a message, an mbox or a Maildir."""
    mailbox, place = _opened(file)
    return _taken(context, mailbox, place, joins=joins, compares=compares)


def all_files(path: Path) -> list[tuple[Given, Found]]:
    """All save files in a message or a mailbox, also on standard input; Unreadable without any."""
    mailbox, place = _piped() if str(path) == INPUT else _opened(path)
    files, _ = _looked_through(mailbox)
    if not files:
        raise Unreadable(_no_file(place))
    return [(_given(each, place), each) for each in files]


def _opened(file: Path) -> tuple[SavedMail, Place]:
    """The mailbox that a player names."""
    game = ""
    path = file
    if is_choice(file):
        before, _, game = str(file).rpartition(CHOOSES)
        path = Path(before)
    if is_folder(path) and not is_maildir(path):
        raise Unreadable(phrase("{file} is a folder, and neither a file nor a Maildir.", file=path))
    is_single = is_file(path) and not is_mbox(path)
    return SavedMail(path), Place(shown(path), path, game.lower(), path if is_single else None)


def _piped(begun: bytes = b"") -> tuple[SavedMail, Place]:
    """The mailbox on standard input, of which so much has been read."""
    return SavedMail(resumed(begun, sys.stdin.buffer)), Place(phrase("standard input"), None)


def _looked_through(mailbox: SavedMail) -> tuple[list[Found], list[Found]]:
    """The save files in a mailbox, and the evidence."""
    files, evidence, notes = files_in(mailbox)
    for note in notes:
        console.warn(note)
    return files, evidence


# --- which one is meant


def _taken(
    context: typer.Context, mailbox: SavedMail, place: Place, *, joins: bool, compares: bool
) -> Given:
    files, evidence = _looked_through(mailbox)
    games = by_game(files)
    if place.game:
        games = [game for game in games if game.id.hex().startswith(place.game)]
    if not games and evidence and not place.game:
        return _given(evidence[0], place)
    if not games:
        raise Unreadable(_no_file(place))
    listed = _listed(context)
    game, *more = meant(games, listed, own_key(context), joins=joins)
    if more:
        raise WrongUse(_several(place, [game, *more]))
    end = _end(game, None if compares else listed.get(game.id), place)
    if evidence:
        console.warn(
            # Translators: {where} is as “the attachment fork.toml” or “the text of the message”.
            phrase(
                "There is evidence of a fork too, {where}: to see what it proves, save it, and "
                "audit that.",
                where=evidence[0].where,
            )
        )
    _tell_of_others(game, end, [each for each in games if each is not game])
    if end.cut:
        console.warn(end.cut)
    return _given(end, place)


def _no_file(place: Place) -> str:
    if place.game:
        return phrase(
            "There is no save file of game {game} in {source}.",
            game=place.game,
            source=place.label,
        )
    # Translators: {source} is the name of a file or folder, or “standard input”. So too in the
    # next ones.
    told = phrase("There is no save file in {source}.", source=place.label)
    if not (place.path and is_report(read_file(place.path, MOST_READ))):
        return told
    report = phrase(
        "It is a report on a letter of a game: read in it whether the letter arrived, and send it "
        "again if it did not."
    )
    return f"{told} {report}"


def _listed(context: typer.Context) -> dict[bytes, Listed]:
    """The games that the library knows, by id."""
    library = own_library(context)
    try:
        games = library.open().games() if library else []
    except LibraryFailed:
        # It is warned of where it matters.
        return {}
    return {game.id: game for game in games}


def _several(place: Place, games: Sequence[Candidates]) -> str:
    several = plural(
        "There are files of {count} game in {source}: {games}.",
        "There are files of {count} games in {source}: {games}.",
        len(games),
        source=place.label,
        games=joined_with_semicolons(map(_told, games[:12])),
    )
    if place.word is None:
        return f"{several} {phrase('Give only the message that you mean.')}"
    file = place.choosing(games[0])
    which = phrase("Say which with the beginning of its number: {file}", file=file)
    return f"{several} {which}"


def _told(game: Candidates) -> str:
    """The number of a game and who plays it, by the names that stand in it."""
    names = [console.named(name) for name in game.names]
    if len(names) == 2:
        return f"{game.number}, {against(*names)}"
    return f"{game.number}, {phrase('an invitation by {player}', player=names[0])}"


def _end(game: Candidates, known: Listed | None, place: Place) -> Found:
    """The file of a game that counts; raises Fork where two go on in different ways."""
    end = game.end(known)
    if end is None:
        two = phrase(
            "There are two files of game {game} in {source} that go on in different ways.",
            game=game.number,
            source=place.label,
        )
        both = (_given(game.ends[0], place), _given(game.ends[1], place))
        raise Fork(f"{two} {_how_to_audit(place, game)}", both)
    if len(game.ends) > 1:
        other = phrase(
            "In {source} there is another file of this game, which goes on in another way than "
            "the one that you play.",
            source=place.label,
        )
        console.warn(f"{other} {_how_to_audit(place, game)}")
    return end


def _how_to_audit(place: Place, game: Candidates) -> str:
    audit = f"{program()} audit"
    if place.word is None:
        return phrase("Save both, to see who signed twice: {command} ONE OTHER", command=audit)
    return phrase(
        "Whether somebody signed twice, this says: {command}",
        command=f"{audit} {place.choosing(game)}",
    )


# --- what is told of the others


def _tell_of_others(game: Candidates, end: Found, others: Sequence[Candidates]) -> None:
    if game.older:
        older = [
            # An older file, by what it was in and how far it goes.
            phrase(
                "{where} (up to record {record})",
                where=_origin(each),
                record=len(each.records) - 1,
            )
            for each in game.older
        ]
        console.warn(
            phrase(
                "Taken is the newest file of the game, from {where}; left aside as older: {files}.",
                where=_origin(end),
                files=_few(older),
            )
        )
    if others:
        console.warn(
            phrase(
                "Files of other games are left aside: {games}.",
                games=_few(list(map(_told, others)), joined_with_semicolons),
            )
        )


def _few(told: Sequence[str], joined: Callable[[Sequence[str]], str] = ", ".join) -> str:
    """Some of these, and how many more there are."""
    shown_ = joined(told[:MOST_TOLD])
    more = len(told) - MOST_TOLD
    if more <= 0:
        return shown_
    # Translators: a list of files or games, which names only the first ones.
    return plural("{list} and {count} more", "{list} and {count} more", more, list=shown_)


def _origin(found: Found) -> str:
    """What a file was in, in words."""
    if not found.envelope.address:
        return found.where
    address = console.mailbox(found.envelope.address)
    # Translators: {where} is as “the attachment bela-004.toml” or “the text of the message”.
    return phrase("{where} by {address}", where=found.where, address=address)


def _given(found: Found, place: Place) -> Given:
    label = f"{place.label}, {found.where}"
    return Given(found.data, label, place.path, found, found.mends)


# --- where an answer goes


def usual_place(context: typer.Context, given: Given, game: GameFile) -> Path:
    """The path after which the answer to a file is named that lies nowhere by itself."""
    match = game.match
    listed = _listed(context).get(match.id)
    known = (listed.file_out, listed.file_in) if listed else ()
    last = next((path for path in known if path and path.suffix == ".toml"), None)
    folder = last.parent if last and last.parent.is_dir() else Path()
    if given.found and given.found.name.endswith(".toml"):
        return folder / given.found.name
    if last:
        return folder / last.name
    key = own_key(context)
    names = [entrant.name for entrant in match.entrants.values() if entrant.key != key]
    return folder / f"{in_safe_letters(names[0] if names else match.invite.name)}.toml"
