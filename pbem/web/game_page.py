"""`/games/{id}`: a game to be looked at and played on, with the player's hand in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from engine.choices import Parts
from engine.message import Failure, Message, Said, message_of, sentences
from engine.order import UnreadableOrder
from engine.sides import Side
from pbem.board.labels import LABELS as OF_BOARD
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.play.analysis import check_may_be_analysed
from pbem.play.look import Look
from pbem.play.questions import Unanswered
from pbem.play.signing import Written
from pbem.sources import now
from pbem.text.games.listing import game_called
from pbem.text.history.standing import borrowed_told
from pbem.text.ordering.explanation import why_not_told
from pbem.text.phrases import against, names, player
from pbem.text.proof.library_warnings import forgets
from pbem.text.rules.editions import game_line
from pbem.web.answers import answer, sent
from pbem.web.desk import KEPT_OPEN
from pbem.web.pages import Pages
from pbem.web.past import Past
from pbem.web.playing import Playing
from pbem.web.position import Position
from pbem.web.posting import posting_part
from pbem.web.turn_panel import LABELS, Panel

_NOTHING = Parts()
_STYLES = ("forms.css", "board.css", "table.css", "cards.css", "play/play.css")
_LABELS = {**OF_BOARD, **LABELS}
_MEANWHILE = Message("Something else has been done in this game in the meantime: look again.")
Sent: TypeAlias = Mapping[str, Any]
Reply: TypeAlias = Callable[[str, Playing, Sent], Response]
"""What answers a page of the game with that id, in which nothing was done since."""


def routes(pages: Pages) -> list[BaseRoute]:
    """The page of a game, and what is done on it."""
    desk = GameAtDesk(pages)

    async def page(request: Request) -> Response:
        return await pages.desk.run(desk.page, _game(request))

    async def parts(request: Request) -> Response:
        return await pages.desk.run(desk.all_parts, _game(request))

    async def past(request: Request) -> Response:
        before = await pages.desk.run(desk.past, _game(request))
        # Nothing of this touches what lies on the desk, and nobody's order waits for it.
        return JSONResponse(await asyncio.to_thread(before.drawn, pages.templates))

    async def analysis(request: Request) -> Response:
        before = await pages.desk.run(desk.over, _game(request))
        run = pages.hindsight.run
        return JSONResponse(await run(before.judged, pages.templates, pages.helper))

    def asked(reply: Reply, *needs: str) -> Any:
        async def endpoint(request: Request) -> Response:
            data = await sent(request, "stand", *needs)
            return await pages.desk.run(desk.asked, _game(request), data, reply)

        return endpoint

    def done(what: Callable[[Playing, Sent], Said], *needs: str) -> Any:
        return asked(partial(desk.done, what), *needs)

    def signed(what: Callable[[Playing, Sent], Written]) -> Any:
        return asked(partial(desk.signed, what))

    async def why(request: Request) -> Response:
        data = await sent(request, "stand", "selection", "key")
        return await pages.desk.run(desk.why, _game(request), data)

    posts = {
        "select": asked(desk.selected, "selection"),
        "why": why,
        "order": done(_order, "order"),
        "undo": done(_undo),
        "undo-all": done(_undo_all),
        "redo": done(_redo),
        "notes": done(_notes, "notes"),
        "agree": done(_agree, "question"),
        "resign": done(_resign, "resigns"),
        "sign": signed(lambda playing, data: playing.sign()),
        "join": signed(_join),
    }
    return [
        Route("/games/{id}", page),
        Route("/games/{id}/parts", parts),
        Route("/games/{id}/history", past),
        Route("/games/{id}/analysis", analysis),
        *(Route(f"/games/{{id}}/{name}", each, methods=["POST"]) for name, each in posts.items()),
    ]


def _game(request: Request) -> str:
    return str(request.path_params["id"])


# --- what can be done, each told in a sentence


def _order(playing: Playing, data: Sent) -> Said:
    given = playing.order(str(data["order"]))
    return Message("Ordered: {order}", order=given.text(names(playing.game.match.state)))


def _undo(playing: Playing, data: Sent) -> Said:
    taken = playing.undo()
    if taken is None:
        return Message("There is nothing to undo.")
    return Message("Taken back: {order}", order=taken.text(names(playing.game.match.state)))


def _undo_all(playing: Playing, data: Sent) -> Said:
    while playing.undo() is not None:
        pass
    return Message("All orders are taken back.")


def _redo(playing: Playing, data: Sent) -> Said:
    given = playing.redo()
    if given is None:
        return Message("There is nothing to redo.")
    return Message("Ordered: {order}", order=given.text(names(playing.game.match.state)))


def _notes(playing: Playing, data: Sent) -> Said:
    playing.write_notes(str(data["notes"]))
    return Message("Your notes are changed, and go into the file with this turn.")


def _agree(playing: Playing, data: Sent) -> Said:
    playing.agree(str(data["question"]))
    return ""


def _resign(playing: Playing, data: Sent) -> Said:
    playing.resign(resigns=data["resigns"] is True)
    return LABELS["resign_question"] if playing.resigns else ""


def _join(playing: Playing, data: Sent) -> Written:
    side, card = data.get("side"), data.get("start_card")
    if side is not None and side not in [each.value for each in Side]:
        raise WrongUse("There is no such side.")
    return playing.join(Side(side) if side else None, str(card) if card else None)


class GameAtDesk:
    """What is done with games on their pages; all of it at the desk, one after another."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._playing: dict[str, Playing] = {}
        self._drawn: dict[str, Position] = {}

    # --- looking

    def page(self, game: str) -> Response:
        """The whole page."""
        playing = self._open(game)
        match, panel = playing.game.match, self._panel(playing)
        frames: Mapping[str, Markup] = {}
        viewer, title = None, game_called(playing.opened.listed)
        if match.is_joined:
            look = playing.look
            frames, viewer = self._position(game, playing).frames(look), look.viewer
            title = against(*(player(match, side, viewer) for side in match.entrants))
        return self._pages.page(
            "game.html",
            title=title,
            script="play/game.js",
            styles=_STYLES,
            id=game,
            stand=playing.stand,
            side=viewer.value if viewer else "",
            records=len(match.records),
            rules=game_line(match),
            labels=_LABELS,
            frames=frames,
            parts=self._parts(game, playing),
            lit=panel.keys(_NOTHING),
            writes=playing.turn is not None,
            notes=playing.notes,
            at=0,
            last=0,
            heading="",
        )

    def all_parts(self, game: str) -> Response:
        """All that changes on the page, as it stands now."""
        return self._answer(game, self._open(game), "")

    def past(self, game: str) -> Past:
        """What the turns before are drawn from, which takes longer."""
        playing = self._open(game)
        return Past.of(playing.game, Look.of(playing.game.match, playing.session.identity))

    def over(self, game: str) -> Past:
        """The same of a game that is over; raises WrongUse for one that is not."""
        check_may_be_analysed(self._open(game).game.match, with_robot=False)
        return self.past(game)

    # --- choosing

    def asked(self, game: str, data: Sent, reply: Reply) -> Response:
        """Answer what a page asks for; where the game stands otherwise than on it, say that."""
        playing = self._open(game)
        if playing.stand != data["stand"]:
            return self._answer(game, playing, _MEANWHILE, status=409)
        return reply(game, playing, data)

    def selected(self, game: str, playing: Playing, data: Sent) -> Response:
        """What can follow what is chosen, and what it does."""
        chosen = _chosen(data)
        panel = self._panel(playing)
        return answer(
            self._pages.language,
            panel.choice(chosen, str(data.get("look", ""))),
            lit=panel.keys(chosen),
            stand=playing.stand,
        )

    def why(self, game: str, data: Sent) -> Response:
        """Why something cannot be chosen."""
        playing = self._open(game)
        turn = playing.turn
        if turn is None or playing.choices is None:
            return answer(self._pages.language, said=Message("Nothing can be ordered now."))
        asked = _chosen({"selection": [data["key"]]})
        language, side = self._pages.language, turn.side
        told = why_not_told(language, playing.choices, side, _chosen(data), asked)
        return answer(language, said=sentences(*(line.text for line in told)))

    # --- doing

    def done(
        self, what: Callable[[Playing, Sent], Said], game: str, playing: Playing, data: Sent
    ) -> Response:
        """Do something in a game."""
        try:
            said = what(playing, data)
        except Failure as error:
            return self._answer(game, playing, message_of(error), status=409)
        self._pages.events.tell("game", game=game, stand=playing.stand)
        return self._answer(game, playing, said)

    def signed(
        self, what: Callable[[Playing, Sent], Written], game: str, playing: Playing, data: Sent
    ) -> Response:
        """Sign what a page has shown, and say what was written."""
        try:
            written = what(playing, data)
        except Unanswered as error:
            asked = Message("Something has to be answered before it is signed.")
            why = self._panel(playing).refusals(error.questions)
            return self._answer(game, playing, sentences(*why) if why else asked, status=409)
        except Failure as error:
            # What was looked up before may not be so any more.
            self._playing.pop(game, None)
            return self._answer(game, self._open(game), message_of(error), status=409)
        self._playing.pop(game, None)
        self._pages.events.tell("games")
        fresh = self._open(game)
        self._pages.events.tell("game", game=game, stand=fresh.stand)
        told: list[Said] = [Message("Written: {file}", file=shown(written.path))]
        told.append(borrowed_told(written.match, now()))
        if written.unremembered is not None:
            told.append(forgets(written.unremembered.path, written.unremembered.reason))
        return self._answer(game, fresh, sentences(*told), signed=True)

    # --- in hand

    def _open(self, game: str) -> Playing:
        """A game as it stands by now, with what was ordered in it."""
        opened = self._pages.desk.open(game)
        playing = self._playing.get(game)
        if (
            playing is None
            or playing.opened.stamp != opened.stamp
            or playing.is_kept_otherwise
            or playing.may_be_begun_by_now
        ):
            desk = self._pages.desk
            playing = Playing(desk.session(), opened, desk.told)
        others = [(id, each) for id, each in self._playing.items() if id != game]
        self._playing = dict([*others[1 - KEPT_OPEN :], (game, playing)])
        return playing

    def _position(self, game: str, playing: Playing) -> Position:
        if game not in self._drawn:
            self._drawn = {game: Position(self._pages.templates, playing.look)}
        return self._drawn[game]

    def _panel(self, playing: Playing) -> Panel:
        return Panel(self._pages.templates, playing, self._pages.desk.command)

    def _parts(self, game: str, playing: Playing) -> dict[str, Markup]:
        """What stands beside the board, by element."""
        over = playing.game.match.is_over
        return self._panel(playing).parts(_NOTHING) | {
            "posting": posting_part(self._pages, game),
            "hindsight": self._pages.fill("hindsight.html", labels=LABELS) if over else Markup(),
        }

    def _answer(
        self, game: str, playing: Playing, said: Said, *, status: int = 200, **more: Any
    ) -> Response:
        """All that changes on the page, and a sentence."""
        panel = self._panel(playing)
        parts = self._parts(game, playing)
        board: dict[str, Markup] = {}
        if playing.game.match.is_joined:
            board = self._position(game, playing).parts(playing.look)
        return answer(
            self._pages.language,
            parts,
            said,
            status=status,
            board=board,
            lit=panel.keys(_NOTHING),
            stand=playing.stand,
            records=len(playing.game.match.records),
            writes=playing.turn is not None,
            notes=playing.notes,
            **more,
        )


def _chosen(data: Sent) -> Parts:
    """Return what a page says is chosen; raises WrongUse for what makes no sense."""
    keys = data["selection"]
    if not isinstance(keys, list):
        raise WrongUse("The page sent something that makes no sense here: reload it.")
    try:
        return Parts.of(map(str, keys))
    except UnreadableOrder as error:
        raise WrongUse(message_of(error)) from None
