"""`/files`: a file that a player gives, taken as every file is that is named to a command.

It may be a save file, a message with one, a mailbox, or a text that was copied out of a message. It
goes where its game lies, else into the folder for games.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, Said, sentences
from pbem.errors import WrongUse
from pbem.foreign import quoted, safe_name, shown
from pbem.library import LibraryFailed
from pbem.mail.arrivals import Filed, Kind
from pbem.mail.filing import file_away
from pbem.mail.found import Envelope, Found
from pbem.mail.given import Given, Seeker, is_save_file, plain
from pbem.mail.given_file import read_or_restore
from pbem.mail.taking import take_from
from pbem.savefile.save_file import SaveFile
from pbem.web.answers import answer
from pbem.web.desk import Desk
from pbem.web.pages import Pages
from pbem.words.proof.recollection import no_games

LABELS = {
    "heading": Message("A file that you were sent"),
    "told": Message(
        "Choose it, drop it here, or paste the text of the message: a file of a game, or a saved "
        "message with one."
    ),
    "choose": Message("Choose a file"),
    "paste": Message("The text of the message"),
    "take": Message("Use the text"),
}


class TakenIn(NamedTuple):
    """What came of a file, and what is told, which maybe `is_to_be_read` before it goes on."""

    filed: Filed
    told: Said
    is_to_be_read: bool


def routes(pages: Pages) -> list[BaseRoute]:
    """What takes a file: the body of the request, and its name as `name`."""

    async def take(request: Request) -> Response:
        name = request.query_params.get("name", "")
        taken = await pages.desk.run(_taken, pages.desk, await request.body(), name)
        pages.events.tell("games")
        game = taken.filed.match.id.hex()
        pages.events.tell("game", game=game)
        if taken.is_to_be_read:
            return answer(pages.language, said=taken.told)
        return answer(pages.language, said=taken.told, go=f"/games/{game}")

    return [Route("/files", take, methods=["POST"])]


def _taken(desk: Desk, data: bytes, name: str) -> TakenIn:
    """Take in a file; raises AcresError as `take_from` and `read_or_restore` do."""
    own, notes = desk.own(), list[Said]()
    label: Said = shown(Path(safe_name(name))) if name else Message("What you pasted")
    seeker = Seeker(own.key, own.listed, notes.append, f"{desk.command} audit")
    given = plain(data, label, None) if is_save_file(data) else _in_message(data, seeker, label)

    def filed(read: bytes) -> Filed:
        records = tuple(SaveFile.read(read).records)
        found = given.found or Found(read, records, "", label, Envelope())
        folder = desk.home.games
        return file_away(found._replace(data=read, records=records), own.open(), folder)

    try:
        found, _ = read_or_restore(given, filed, own.key)
        if given.found is None:
            # It came from no address that could be another one.
            found = replace(found, other_address="")
    except LibraryFailed as error:
        raise no_games(own.path, error, desk.command) from None
    minded = [*notes, *found.warnings(desk.home.clock())]
    if found.kind is Kind.FOREIGN:
        raise WrongUse("You do not play in this game: nothing of it was kept.")
    if found.kind is Kind.OTHER and found.path is not None:
        minded.append(_contradicting(found, found.path, desk.command))
    return TakenIn(found, sentences(found.sentence, *minded), bool(minded))


def _in_message(data: bytes, seeker: Seeker, label: Said) -> Given:
    return take_from(BytesIO(data), seeker, label)


def _contradicting(filed: Filed, path: Path, command: str) -> Message:
    """Where a file lies that contradicts the one that is known, and how to look into it."""
    listed = filed.listed
    known = (listed.file_in or listed.file_out) if listed else None
    if known is None:
        return Message("It is in {file}.", file=shown(path))
    audit = f"{command} audit {quoted(known)} {quoted(path)}"
    return Message("To see who signed both: {command}", command=audit)
