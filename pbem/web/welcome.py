"""The page `/welcome`, on which a new player creates an identity."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message, Phrase
from engine.ruleset import Ruleset
from engine.state import new_game
from pbem.board.drawing import Drawing
from pbem.errors import UsageError
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.savefile.disk import remove_unfinished
from pbem.text.games import read_email, read_name
from pbem.text.language import NAMES
from pbem.text.proof.finding import identity_hint
from pbem.web import audit_page, backup
from pbem.web.game_service import GameService
from pbem.web.pages import Pages, make_response, read_texts

LABELS = {
    "game": Message(
        "A game for two: the British and the French struggle for North America, from 1754 to 1763, "
        "each with a deck of cards that grows with what they win."
    ),
    "mail": Message(
        "You play it by e-mail: each turn is one file, which you send to your opponent. Or you "
        "play against the robot, here and now. There is no account, and nobody else is involved."
    ),
    "more": Message("More: your e-mail address, a passphrase"),
    "language": Message("Language"),
    "name": Message("Your name, as your opponents see it"),
    "email": Message("Your e-mail address"),
    "why_email": Message("May be left empty. Your opponents see it, and send their files to it."),
    "passphrase": Message("A passphrase"),
    "why_passphrase": Message(
        "May be left empty. With one, others who use this computer cannot play as you; you are "
        "asked for it each time, and nobody can tell you what it was."
    ),
    "again": Message("The passphrase once more"),
    "make": Message("Begin"),
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the form, and of its submission."""

    async def ask(request: Request) -> Response:
        if await pages.run(lambda: pages.service.home.has_identity):
            return RedirectResponse("/", status_code=303)
        home, cmd = pages.service.home, pages.service.command
        hint: Phrase = NOTHING
        if await pages.run(lambda: home.has_played):
            hint = identity_hint(home.folder, f"{cmd} init", f"{cmd} key restore", has_played=True)
        drawing = Drawing(pages.templates, Ruleset.of().catalogue)
        return pages.page(
            "welcome.html",
            title="A Few Acres of Snow",
            labels=LABELS,
            languages=NAMES,
            land=drawing.render_small_map(),
            picture=drawing.render_small_board(new_game(Ruleset.of()), title=True),
            lost=hint,
            backup=backup.LABELS,
            audit=audit_page.LABELS["link"],
            script="forms.js",
            styles=("board.css", "forms.css"),
        )

    async def create(request: Request) -> Response:
        texts = await read_texts(request, "name", "email", "passphrase", "again")
        await pages.run(_create_key, pages.service, *texts)
        return make_response(pages.language, go="/")

    return [Route("/welcome", ask), Route("/welcome", create, methods=["POST"])]


def _create_key(service: GameService, name: str, email: str, passphrase: str, again: str) -> None:
    """Create the identity. Raises UsageError for an invalid entry or if there is one already."""
    name, email = read_name(name.strip()), read_email(email.strip())
    if passphrase != again:
        raise UsageError("The two passphrases differ. Please try again.")
    remove_unfinished(service.home.folder)
    Session.create(service.home, Identity.generate(name, email), passphrase or None)
    if passphrase:
        service.unlock(passphrase)
