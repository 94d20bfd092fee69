"""The player's last file in a game: its download, its text, and the form that sends it.

The routes are `/games/{id}/file` for a download, `/games/{id}/text`, and `/games/{id}/message` for
a script that passes the file with its message to another program. A game page shows
`outgoing_part` in the element `posting`, and loads `outgoing.js`.
"""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message
from pbem.errors import UsageError
from pbem.foreign import display_name, display_path
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.store import GameEntry, Store
from pbem.play.store.entries import JOIN, OPPONENT
from pbem.savefile.armour import armour, to_link
from pbem.savefile.disk import read_file
from pbem.text.history.email_text import email_subject, email_text, receiver
from pbem.text.phrases import texts
from pbem.web import uploads
from pbem.web.backup import must_save
from pbem.web.game_service import game_with_id
from pbem.web.pages import Pages, make_response

LABELS = texts("outgoing")

_CLOSE = Message("Send the closing file")


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the player's last file in a game."""

    def last_file(request: Request) -> GameFile:
        store = pages.service.store()
        if must_save(pages, store):
            raise UsageError(LABELS["unsaved"])
        return own_file(store, request.path_params["id"])

    async def file(request: Request) -> Response:
        game_file = await pages.run(last_file, request)
        return download(game_file.save.write(), file_name(game_file), "application/toml")

    async def text(request: Request) -> Response:
        game_file = await pages.run(last_file, request)
        return Response(armour(game_file.save.write()), media_type="text/plain")

    async def message(request: Request) -> Response:
        game_file = await pages.run(last_file, request)
        match, name = game_file.match, file_name(game_file)
        data, site = game_file.save.write(), pages.site()
        link = to_link(data, site) if site and not match.is_joined else site
        # Browsers share files with few suffixes only.
        return make_response(
            pages.language,
            name=f"{name.removesuffix('.toml')}.txt",
            content=armour(data),
            to=receiver(match).address,
            subject=email_subject(match),
            words=email_text(match, name, pages.language.code, has_picture=False, link=link),
        )

    return [
        Route("/games/{id}/file", file),
        Route("/games/{id}/text", text),
        Route("/games/{id}/message", message),
    ]


def outgoing_part(pages: Pages, entry: GameEntry, store: Store) -> Markup:
    """Return the content of the element `posting`, which is empty if the opponent wrote last.

    It may be called in any thread, with a library that was opened in the same thread.
    """
    path, mail = pages.service.newest_own_file(entry), pages.host.mail
    if path is None:
        return Markup()
    site = pages.site() if entry.game.due == JOIN else ""
    link = to_link(read_file(path), site) if site else ""
    name = entry.game.opponent or store.guest(entry.id)[0]
    to = display_name(name) if name else ""
    return pages.fill(
        "outgoing.html",
        labels=LABELS | ({"send": _CLOSE} if entry.game.winner else {}),
        id=entry.id.hex(),
        path=display_path(path),
        has_board=entry.game.turn > 0,
        to=to,
        awaits=entry.game.waits_for == OPPONENT,
        files=uploads.LABELS,
        prompt=uploads.LABELS["from_player" if to else "from_guest"].with_facts(player=to),
        is_for_robot=pages.is_for_robot(path),
        must_save=must_save(pages, store),
        link=link if link != site else "",
        mail=mail.sendable(entry, path, store) if mail else None,
    )


def own_file(store: Store, game: str) -> GameFile:
    """Return the player's last file in a game. Raises UsageError if there is none.

    It may be called in any thread, with a library that was opened in the same thread.
    """
    path = game_with_id(store.games(), game).file_out
    if path is None:
        raise UsageError("You have written no file in this game so far.")
    return read_and_note(store, read_file(path), path)


def file_name(game_file: GameFile) -> str:
    """Return the name of the file of a game."""
    return game_file.path.name if game_file.path else game_file.next_path.name


def download(data: bytes, name: str, kind: str) -> Response:
    """Return a response that browsers save as the file `name`."""
    disposition = f"attachment; filename*=utf-8''{quote(name)}"
    return Response(data, media_type=kind, headers={"Content-Disposition": disposition})
