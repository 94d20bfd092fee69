"""Taking a save file out of a message or a mailbox: which one is meant, which are left aside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from language import joined_with_semicolons, phrase, plural
from pbem.cli import console
from pbem.cli.given import CHOOSES, INPUT, Fork, Given, is_choice
from pbem.cli.home import own_key, program
from pbem.cli.mail.cut import warn_if_cut
from pbem.cli.own_library import own_library
from pbem.cli.paths import quoted, shown
from pbem.cli.words import against
from pbem.errors import Unreadable, WrongUse
from pbem.mail.choice import Candidates, by_game
from pbem.mail.messages import SavedMail, is_maildir, is_mbox, resumed
from pbem.mail.parts import in_safe_letters
from pbem.mail.search import Found, files_of, holds
from pbem.savefile.files import is_file, is_folder, read_file

if TYPE_CHECKING:
    from pbem.library import Listed
    from pbem.play.game_file import GameFile
    from pbem.protocol.record import Record

_MOST_TOLD = 3


class Place(NamedTuple):
    """What is looked through: its `label` in words, the word that names it in a command, if any.

    `game` is the beginning of the number of the game that is meant, `path` where it is found again,
    if that is a message by itself.
    """

    label: str
    word: Path | None
    game: str = ""
    path: Path | None = None


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
    mailbox, place = opened(file)
    return _taken(context, mailbox, place, joins=joins, compares=compares)


def all_files(path: Path) -> list[tuple[Given, Found]]:
    """All save files in a message or a mailbox, also on standard input; Unreadable without any."""
    mailbox, place = _piped() if str(path) == INPUT else opened(path)
    found, _ = _looked_through(mailbox)
    if not found:
        raise Unreadable(_no_file(place))
    return [(_given(each, place), each) for each in found]


def opened(file: Path) -> tuple[SavedMail, Place]:
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


# --- which one is meant


def _taken(
    context: typer.Context, mailbox: SavedMail, place: Place, *, joins: bool, compares: bool
) -> Given:
    found, evidence = _looked_through(mailbox)
    games = by_game(found)
    if place.game:
        games = [game for game in games if game.id.hex().startswith(place.game)]
    if not games and evidence and not place.game:
        return _given(evidence[0], place)
    if not games:
        raise Unreadable(_no_file(place))
    listed = _listed(context)
    meant = _meant(games, listed, own_key(context), place, joins=joins)
    end = _end(meant, None if compares else listed.get(meant.id), place)
    if evidence:
        console.warn(
            # Translators: {where} is as “the attachment fork.toml” or “the text of the message”.
            phrase(
                "There is evidence of a fork too, {where}: to see what it proves, save it, and "
                "audit that.",
                where=evidence[0].where,
            )
        )
    _tell_of_others(meant, end, [game for game in games if game is not meant], place)
    warn_if_cut(end)
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
    return f"{told} {_report_told()}" if place.path and _is_report(place.path) else told


def _is_report(path: Path) -> bool:
    """Whether that file is a report on a letter of a game."""
    from pbem.mail.reports import MOST_READ, is_report

    return is_report(read_file(path, MOST_READ))


def _report_told() -> str:
    return phrase(
        "It is a report on a letter of a game: read in it whether the letter arrived, and send it "
        "again if it did not."
    )


def _looked_through(mailbox: SavedMail) -> tuple[list[Found], list[Found]]:
    """The save files in a mailbox, and the evidence; raises Unreadable where all are damaged."""
    found: list[Found] = []
    failed: list[Unreadable] = []
    for message in mailbox:
        try:
            found += files_of(message)
        except Unreadable as error:
            failed.append(error)
    failed += mailbox.missed
    if failed and not found:
        raise failed[-1]
    _warn_of(failed)
    if mailbox.skipped:
        console.warn(
            plural(
                "{count} message larger than any with a save file should be left out.",
                "{count} messages larger than any with a save file should be left out.",
                mailbox.skipped,
            )
        )
    saves = [each for each in found if not each.is_evidence]
    if len(saves) > 1:
        saves = [each for each in saves if holds(each.records)] or saves
    return saves, [each for each in found if each.is_evidence]


def _warn_of(failed: Sequence[Unreadable]) -> None:
    for failure in failed[-_MOST_TOLD:]:
        console.warn(str(failure))
    if len(failed) > _MOST_TOLD:
        console.warn(
            plural(
                "{count} more message that may hold a save file cannot be read.",
                "{count} more messages that may hold a save file cannot be read.",
                len(failed) - _MOST_TOLD,
            )
        )


def _listed(context: typer.Context) -> dict[bytes, Listed]:
    """The games that the library knows, by id."""
    from pbem.library import LibraryFailed

    library = own_library(context)
    try:
        games = library.open().games() if library else []
    except LibraryFailed:
        # It is warned of where it matters.
        return {}
    return {game.id: game for game in games}


def _meant(
    games: Sequence[Candidates],
    listed: dict[bytes, Listed],
    key: bytes | None,
    place: Place,
    *,
    joins: bool,
) -> Candidates:
    """The game that is meant: the only one, or the only one that waits for the player."""
    if joins:
        games = [game for game in games if _is_invitation(game)] or games
    if len(games) == 1:
        return games[0]
    waits = partial(_waits, listed=listed, key=key, joins=joins)
    waiting = [game for game in games if any(map(waits, game.ends))]
    if len(waiting) == 1:
        return waiting[0]
    among = waiting or games
    several = plural(
        "There are files of {count} game in {source}: {games}.",
        "There are files of {count} games in {source}: {games}.",
        len(among),
        source=place.label,
        games=joined_with_semicolons(
            f"{game.id.hex()[:8]}, {_players(game.ends[0])}" for game in among[:12]
        ),
    )
    raise WrongUse(f"{several} {_how_to_choose(place, among[0])}")


def _how_to_choose(place: Place, game: Candidates) -> str:
    number = game.id.hex()[:8]
    if place.word is None:
        return phrase("Give only the message that you mean.")
    return phrase(
        "Say which with the beginning of its number: {file}", file=quoted(_chosen(place, number))
    )


def _chosen(place: Place, number: str) -> Path:
    return Path(f"{place.word}{CHOOSES}{number}")


def _is_invitation(game: Candidates) -> bool:
    return len(game.ends[0].records) == 1


def _waits(end: Found, listed: dict[bytes, Listed], key: bytes | None, *, joins: bool) -> bool:
    """Whether the game in a file waits for the player with that key, as far as is known.

    A file that is older than what the library knows waits for nobody.
    """
    from pbem.library.games import YOU

    records = end.records
    known = listed.get(records[0].hash)
    if known is not None and len(records) <= known.game.records:
        return known.game.waits_for == YOU and len(records) == known.game.records
    inviter, guest = _keys(records)
    return key is not None and (
        key == (guest if len(records) % 2 else inviter)
        or (len(records) == 1 and joins and key != inviter)
    )


def _keys(records: Sequence[Record]) -> tuple[bytes | None, bytes | None]:
    """The keys of inviter and guest, as the records say; None for a guest who has yet to join."""
    keys = [getattr(record.steps[0], "key", None) for record in records[:2]]
    return keys[0], keys[1] if len(keys) > 1 else None


def _players(found: Found) -> str:
    """Who plays the game in a file, by the names that stand in it."""
    names = [getattr(record.steps[0], "name", "") for record in found.records[:2]]
    told = [console.named(str(name)) for name in names if name]
    if len(told) == 2:
        return against(*told)
    return phrase("an invitation by {player}", player=told[0])


def _end(game: Candidates, known: Listed | None, place: Place) -> Found:
    """The file of a game that counts; raises Fork where two go on in different ways."""
    if len(game.ends) == 1:
        return game.ends[0]
    if known is not None:
        at, last = known.game.records, known.game.last
        going_on = [e for e in game.ends if len(e.records) >= at and e.records[at - 1].hash == last]
        if len(going_on) == 1:
            other = phrase(
                "In {source} there is another file of this game, which goes on in another way than "
                "the one that you play.",
                source=place.label,
            )
            console.warn(f"{other} {_how_to_audit(place, game)}")
            return going_on[0]
    two = phrase(
        "There are two files of game {game} in {source} that go on in different ways.",
        game=game.id.hex()[:8],
        source=place.label,
    )
    raise Fork(
        f"{two} {_how_to_audit(place, game)}",
        (_given(game.ends[0], place), _given(game.ends[1], place)),
    )


def _how_to_audit(place: Place, game: Candidates) -> str:
    if place.word is None:
        return phrase(
            "Save both, to see who signed twice: {command} ONE OTHER", command=f"{program()} audit"
        )
    chosen = _chosen(place, game.id.hex()[:8])
    return phrase(
        "Whether somebody signed twice, this says: {command}",
        command=f"{program()} audit {quoted(chosen)}",
    )


# --- what is told of the others


def _tell_of_others(
    meant: Candidates, end: Found, others: Sequence[Candidates], place: Place
) -> None:
    if meant.older:
        console.warn(
            phrase(
                "Taken is the newest file of the game, from {where}; left aside as older: {files}.",
                where=_origin(end),
                files=_few(list(map(_as_older, meant.older))),
            )
        )
    if others:
        told = [f"{game.id.hex()[:8]}, {_players(game.ends[0])}" for game in others]
        console.warn(
            phrase(
                "Files of other games are left aside: {games}.",
                games=_few(told, joined_with_semicolons),
            )
        )


def _as_older(found: Found) -> str:
    """An older file, by what it was in and how far it goes."""
    return phrase(
        "{where} (up to record {record})", where=_origin(found), record=len(found.records) - 1
    )


def _few(told: Sequence[str], joined: Callable[[Sequence[str]], str] = ", ".join) -> str:
    """Some of these, and how many more there are."""
    shown_ = joined(told[:_MOST_TOLD])
    more = len(told) - _MOST_TOLD
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
