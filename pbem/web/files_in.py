"""`/files`: a file that a player gives, taken as every file is that is named to a command.

It may be a save file, a message with one, or a mailbox. It
goes where its game lies, else into the folder for games.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, Said, sentences
from pbem.errors import WrongUse
from pbem.foreign import quoted, safe_name, shown
from pbem.play.inbox.choice import Seeker, take_from
from pbem.play.inbox.filing import Filed, Kind, file_away
from pbem.play.inbox.given import Envelope, Found, is_save_file, plain
from pbem.play.store import LibraryFailed
from pbem.savefile.save_file import SaveFile
from pbem.text.proof.arrivals import arrived, warnings
from pbem.text.proof.finding import explaining
from pbem.text.proof.library_warnings import no_games
from pbem.web.answers import answer
from pbem.web.desk import Desk
from pbem.web.pages import Pages

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
    """Take in a file; raises AcresError as `take_from` and `explaining` do."""
    own, notes = desk.own(), list[Said]()
    label: Said = shown(Path(safe_name(name))) if name else Message("What you pasted")
    seeker = Seeker(own.key, own.listed, notes.append, f"{desk.command} audit")
    is_alone = is_save_file(data)
    given = plain(data, label, None) if is_alone else take_from(data, seeker, label)
    try:
        with explaining(given.data, own.key):
            records = SaveFile.read(given.data).records
            found = given.found or Found(given.data, records, "", label, Envelope())
            filed = file_away(found, own, desk.home.games)
    except LibraryFailed as error:
        raise no_games(own.path, error, desk.command) from None
    minded = [*notes, *warnings(filed, desk.home.clock())]
    if filed.kind is Kind.FOREIGN:
        raise WrongUse("You do not play in this game: nothing of it was kept.")
    if filed.kind is Kind.OTHER and filed.path is not None:
        minded.append(_contradicting(filed, filed.path, desk.command))
    return TakenIn(filed, sentences(arrived(filed), *minded), bool(minded))


def _contradicting(filed: Filed, path: Path, command: str) -> Message:
    """Where a file lies that contradicts the one that is known, and how to look into it."""
    listed = filed.listed
    known = (listed.file_in or listed.file_out) if listed else None
    if known is None:
        return Message("It is in {file}.", file=shown(path))
    audit = f"{command} audit {quoted(known)} {quoted(path)}"
    return Message("To see who signed both: {command}", command=audit)
