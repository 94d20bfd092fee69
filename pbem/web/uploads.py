"""The upload of a file to `/files`, which handles it like `acres games add`.

It may be a save file, a message with one, or a mailbox. It is put next to the other files of its
game, or into the folder for games.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, Phrase, sentences
from pbem.errors import UsageError
from pbem.foreign import display_path, safe_file_name
from pbem.play.inbox import ArrivalKind, find_file
from pbem.play.incoming import FileQuery
from pbem.text.proof.arrivals import arrival_text, arrival_warnings, compare_hint
from pbem.text.proof.finding import explain_failures
from pbem.web.host import track
from pbem.web.pages import Pages, make_response

LABELS = {
    "heading": Message("A file that you were sent"),
    "hint": Message(
        "Choose it, or paste the text of the message: a file of a game, or a saved message with "
        "one."
    ),
    "from_player": Message("Choose {player}'s file."),
    "from_guest": Message("Choose the file with the answer."),
    "drop": Message("You can also drop it on this page."),
    "choose": Message("Choose a file"),
    "paste": Message("Or paste the text of the message"),
    "take": Message("Use the text"),
}
PAGE_HEADER = "Acres-Page"
"""The header with the page of a script, since `Referrer-Policy` hides the page."""

_OPEN = Message("Open that game")


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the route for a file, which is the request body; the query has its `name`."""

    async def upload(request: Request) -> Response:
        data, name = await request.body(), request.query_params.get("name", "")
        game, message, has_warning = await pages.run(_add_file, pages, data, name)
        pages.events.send("games")
        pages.events.send("game", game=game)
        language, to, page = pages.language, f"/games/{game}", request.headers.get(PAGE_HEADER, "/")
        if page == to:
            return make_response(language, message=message)
        if page == "/" and not has_warning:
            return make_response(language, message=message, go=to)
        if page != "/":
            message = sentences(Message("This file is of another game."), message)
        return make_response(language, message=message, link=(to, language.say(_OPEN)))

    return [Route("/files", upload, methods=["POST"])]


def _add_file(pages: Pages, data: bytes, name: str) -> tuple[str, Phrase, bool]:
    """Add a file. Return the id of its game, a sentence, and True if it has a warning.

    Raises the same errors as `Inbox.add` and `explain_failures`.
    """
    service, notes = pages.service, list[Phrase]()
    store, progress = service.store(), partial(track, partial(pages.events.send, "progress"))
    label: Phrase = display_path(Path(safe_file_name(name))) if name else Message("What you pasted")
    file = find_file(data, label, FileQuery(store, notes.append, service.command))
    file = file if file.location else file._replace(location=label)
    (arrival,) = service.inbox().add(file, progress=progress)
    with explain_failures(file.data, store.key, lambda: nullcontext(progress)):
        if arrival.error is not None:
            raise arrival.error
    if arrival.match is None:
        raise UsageError(arrival_text(arrival, service.command))
    if arrival.kind is ArrivalKind.FOREIGN:
        raise UsageError("You do not play in this game: nothing of it was kept.")
    warnings = [*notes, *arrival_warnings(arrival, service.home.clock())]
    if arrival.kind is ArrivalKind.OTHER and arrival.path is not None:
        in_file = Message("It is in {file}.", file=display_path(arrival.path))
        warnings.append(compare_hint(arrival, service.command) or in_file)
    message = sentences(arrival_text(arrival, service.command), *warnings)
    return arrival.match.id.hex(), message, bool(warnings)
