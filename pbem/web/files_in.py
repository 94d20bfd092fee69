"""`/files`: a file that a player gives, taken as every file is that is named to a command.

It may be a save file, a message with one, or a mailbox. It
goes where its game lies, else into the folder for games.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, Phrase, sentences
from pbem.errors import WrongUse
from pbem.foreign import safe_name, shown
from pbem.play.inbox import ArrivalKind, take
from pbem.play.incoming import Seeker
from pbem.text.proof.arrivals import arrived, how_to_compare, warnings
from pbem.text.proof.finding import explaining
from pbem.web.desk import Desk
from pbem.web.pages import Pages, answer

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


def routes(pages: Pages) -> list[BaseRoute]:
    """What takes a file: the body of the request, and its name as `name`."""

    async def use(request: Request) -> Response:
        name = request.query_params.get("name", "")
        game, told, is_to_be_read = await pages.run(_taken, pages.desk, await request.body(), name)
        pages.events.tell("games")
        pages.events.tell("game", game=game)
        if is_to_be_read:
            return answer(pages.language, said=told)
        return answer(pages.language, said=told, go=f"/games/{game}")

    return [Route("/files", use, methods=["POST"])]


def _taken(desk: Desk, data: bytes, name: str) -> tuple[str, Phrase, bool]:
    """Take in a file: return the number of its game, what is told, and if that is to be read first.

    Raises AcresError as `inbox.take` and `explaining` do.
    """
    own, notes = desk.own(), list[Phrase]()
    label: Phrase = shown(Path(safe_name(name))) if name else Message("What you pasted")
    found = take(data, label, Seeker(own, notes.append, desk.command))
    (arrival,) = desk.inbox().add(found if found.where else found._replace(where=label))
    with explaining(found.data, own.key):
        if arrival.error is not None:
            raise arrival.error
    if arrival.kind is ArrivalKind.FOREIGN:
        raise WrongUse("You do not play in this game: nothing of it was kept.")
    minded = [*notes, *warnings(arrival, desk.home.clock())]
    if arrival.kind is ArrivalKind.OTHER and arrival.path is not None:
        in_file = Message("It is in {file}.", file=shown(arrival.path))
        minded.append(how_to_compare(arrival, desk.command) or in_file)
    assert arrival.match is not None
    told = sentences(arrived(arrival, desk.command), *minded)
    return arrival.match.id.hex(), told, bool(minded)
