"""The end of a game on its page: the result, a rematch, and files of the whole game to save."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message
from engine.orders import Start
from engine.sides import Side
from pbem.board.page import DatedAudit, render_page
from pbem.board.picture import render_svg
from pbem.board.tabletop import score_facts
from pbem.play.audit import audit
from pbem.play.game_file import closing_text, game_result
from pbem.play.look import Look
from pbem.play.signing import SignedFile
from pbem.play.store import StoreError
from pbem.protocol.match import Match
from pbem.protocol.table import ruleset_of
from pbem.sources import now
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.games import result_heading
from pbem.text.language import Language
from pbem.web.host import Draw
from pbem.web.new_game import open_game, write_invitation
from pbem.web.outgoing import download
from pbem.web.pages import Pages, malformed_request
from pbem.web.position import PastTurns

LABELS = {
    "replay": Message("Replay the game"),
    "rematch": Message("Rematch, with sides swapped"),
    "page": Message("Save the game as a page"),
    "picture": Message("Save a picture of the board"),
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of a rematch, and of the page and the picture of a game that is over."""
    invitations: dict[str, tuple[SignedFile, bool]] = {}

    async def rematch(request: Request) -> Response:
        invite = partial(_invite_again, pages, invitations)
        signed_file, with_robot = await pages.run(invite, _game(request))
        return await open_game(pages, signed_file, pages.host.robot if with_robot else None)

    async def page(request: Request) -> Response:
        name, turns = await pages.run(_finished_game, pages, _game(request))
        data = await pages.run_in_queue("past", _draw_page, turns, pages.language)
        return download(data, f"{name}.html", "text/html")

    async def picture(request: Request) -> Response:
        name, turns = await pages.run(_finished_game, pages, _game(request))
        draw = pages.host.draw
        data = await pages.run_in_queue("past", _draw_picture, turns, draw, pages.language)
        if draw is None:
            # `site.js` makes a PNG of it.
            return download(data, f"{name}.svg", "image/svg+xml")
        return download(data, f"{name}.png", "image/png")

    return [
        Route("/games/{id}/rematch", rematch, methods=["POST"]),
        Route("/games/{id}/page", page),
        Route("/games/{id}/picture", picture),
    ]


def _game(request: Request) -> str:
    return str(request.path_params["id"])


def result_facts(match: Match, viewer: Side | None) -> dict[str, Any]:
    """Return the values of `result.html` for a game that is over."""
    outcome = match.state.outcome
    assert outcome is not None
    closing = Message("Your last file opens your cards, so that anyone can check the game.")
    return score_facts(match.state) | {
        "heading": result_heading(outcome.winner, viewer),
        "how": game_result(match.state),
        "aside": "" if outcome.by.is_on_points else Message("The points did not decide this game."),
        "closing": closing if viewer and match.next_side is viewer else closing_text(match),
    }


# --- a rematch


def _invite_again(
    pages: Pages, invitations: dict[str, tuple[SignedFile, bool]], game: str
) -> tuple[SignedFile, bool]:
    """Write an invitation to the same game with sides swapped, and note its guest.

    Return it, and True if the robot of this computer gets it. Asked again, as from another tab,
    return the one in `invitations`, unless it is not listed any more.
    """
    service, earlier = pages.service, invitations.get(game)
    if earlier is not None and any(e.id == earlier[0].match.id for e in service.games()):
        return earlier
    entry, match = service.entry(game), service.open(game).game.match
    if entry.own_side is None or not match.is_over:
        raise malformed_request()
    side, invite, last = entry.own_side.opponent, match.invite, entry.file_out or entry.file_in
    orders = (move.order for move in match.moves)
    card = next((order.card for order in orders if isinstance(order, Start)), None)
    with_robot = last is not None and pages.is_for_robot(last)
    signed_file = write_invitation(
        pages,
        last.parent if last is not None and with_robot else service.home.games,
        side,
        edition=invite.edition,
        house_rules=invite.house_rules,
        lists=invite.lists,
        home_support=invite.home_support,
        start_card=card if ruleset_of(invite).has_start_choice(side) else None,
    )
    if not with_robot:
        # The invitation is signed already.
        with suppress(StoreError):
            service.store().note_guest(signed_file.match.id, entry.game.opponent, entry.game.email)
    invitations[game] = signed_file, with_robot
    return invitations[game]


# --- files to save


def _finished_game(pages: Pages, game: str) -> tuple[str, PastTurns]:
    """Return the name of a game's file without its suffix, and the data to draw the game.

    Everybody may see them: a hand is hidden as long as its player has not opened it. Raises
    UsageError for a game that is not over.
    """
    opened = pages.service.open(game).game
    if not opened.match.is_over:
        raise malformed_request()
    name = (opened.path or Path(game[:8])).stem
    return name, PastTurns.of(opened, Look(opened.match))


def _draw_page(turns: PastTurns, language: Language) -> bytes:
    chronicle = Chronicle(turns.look())
    checked = DatedAudit(audit(turns.data), now())
    last = chronicle.last
    return render_page(chronicle, scenes(chronicle), language, checked, last).encode()


def _draw_picture(turns: PastTurns, draw: Draw | None, language: Language) -> bytes:
    """Return the last position as PNG, or as SVG if the host cannot draw."""
    look = turns.look()
    scene = scenes(Chronicle(look))[-1]
    if draw is None:
        return render_svg(scene, look.match, language).encode()
    return draw(scene, look.match, language)
