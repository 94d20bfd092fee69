"""The page `/unlock`, which asks for the passphrase of a sealed identity."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, message_of, sentences
from pbem.play.keyfile import WrongPassphraseError
from pbem.text.proof.finding import passphrase_hint
from pbem.web.game_service import KeyLockedError
from pbem.web.pages import Pages, make_response, read_texts

LABELS = {
    "title": Message("Your passphrase"),
    "why": Message(
        "Your identity has a passphrase. Enter it once: it holds until the program ends, and is "
        "not stored."
    ),
    "passphrase": Message("Passphrase"),
    "open": Message("Open"),
    "opening": Message("Trying it; this takes a moment."),
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the form, and of its submission."""

    async def ask(request: Request) -> Response:
        target = safe_redirect(request.query_params.get("then", "/"))
        with suppress(KeyLockedError):
            await pages.run(pages.service.identity)
            return RedirectResponse(target, status_code=303)
        return pages.page(
            "unlock.html", title=LABELS["title"], labels=LABELS, script="unlock.js", then=target
        )

    async def unlock(request: Request) -> Response:
        (passphrase,) = await read_texts(request, "passphrase")
        try:
            file = await pages.run(pages.service.key_file)
            # This takes a while, so it runs outside the service's queue, one try at a time.
            identity = await pages.run_in_queue("opening", file.open, lambda: passphrase)
        except WrongPassphraseError as error:
            # Each try takes as long as sealing, which makes guessing slow.
            restore = f"{pages.service.command} key restore --replace"
            message = sentences(message_of(error), passphrase_hint(restore))
            return make_response(pages.language, message=message, status=403)
        pages.service.unlocked = identity
        return make_response(pages.language)

    return [Route("/unlock", ask), Route("/unlock", unlock, methods=["POST"])]


def safe_redirect(target: str) -> str:
    """Return `target` if it is a path on this server, otherwise the path of the first page.

    >>> [safe_redirect(target) for target in ("/games/0a", "//elsewhere.org", "https://acres.org")]
    ['/games/0a', '/', '/']
    """
    is_local = target.startswith("/") and not target.startswith("//") and "\\" not in target
    return target if is_local and target.isprintable() else "/"
