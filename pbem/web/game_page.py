"""`/games/{id}`: the page on which a game is viewed and played, with the player's hand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from engine.choices import Parts
from engine.message import NOTHING, Message, Phrase, TranslatableError, message_of, sentences
from engine.order import Order, UnreadableOrderError
from engine.sides import Side
from pbem.board.graph import LABELS as BOARD_LABELS
from pbem.board.graph import LABELS_WITH_CHANCES
from pbem.errors import UsageError
from pbem.foreign import display_path
from pbem.play.analysis import Analysis, check_may_be_analysed
from pbem.play.look import Look
from pbem.play.signing import OpenQuestionsError, SignedFile
from pbem.play.store import GameEntry
from pbem.play.store.entries import YOU
from pbem.play.turn import Turn
from pbem.text.games import card_title
from pbem.text.ordering.explanation import missing_order_text
from pbem.text.phrases import capitalize, names, opponents_text, player
from pbem.text.rules.editions import game_line
from pbem.text.rules.topic import topics
from pbem.web import result
from pbem.web.active_game import ActiveGame, signed_file_warnings
from pbem.web.outgoing import outgoing_part
from pbem.web.pages import Pages, make_response, read_json
from pbem.web.position import LABELS as POSITION_LABELS
from pbem.web.position import WORDS, PastTurns, PositionView
from pbem.web.turn_panel import LABELS, TurnPanel

_NO_PARTS = Parts()
_STYLES = ("forms.css", "board.css", "table.css", "cards.css", "play/play.css", "play/help.css")
_LABELS = {
    **BOARD_LABELS,
    **POSITION_LABELS,
    **LABELS,
    "help": Message("Help"),
    "chances": LABELS_WITH_CHANCES["graph"],
    "close_help": Message("Close"),
    "all_rules": Message("All the rules"),
    "below": Message("Piles, graphs"),
    "rules_in_short": Message("The rules in short"),
    "cards": Message("All cards"),
    "shortcuts": Message("Keys"),
    "sound": Message("A short sound when your opponent's answer arrives"),
}
_KEYS = (
    ("Tab", Message("goes from the board to your hand and to the actions")),
    ("← → ↑ ↓", Message("go from one place, card or action to the next")),
    (Message("Enter"), Message("chooses, or takes the choice back")),
    ("?", Message("says why something cannot be chosen; elsewhere, opens this help")),
    (Message("Esc"), Message("clears the choice")),
    ("Ctrl+Z", Message("takes the last order back; with Shift, gives it again")),
)
"""The keys on the page, with their meanings."""
_RULES = ("game", "turn", "siege", "raid", "endings", "scoring")
"""The ids of the topics that explain the rules in short."""
_STALE_PAGE = Message("Something else has been done in this game in the meantime: look again.")
MAX_OPEN_GAMES = 4
"""The maximum number of games in memory; other games are read again."""
MAX_PAGES = 64
"""The maximum number of page versions in memory; other pages are sent all elements."""
Data: TypeAlias = Mapping[str, Any]
"""The JSON object that a page sent."""
Reply: TypeAlias = Callable[[str, TurnPanel, Data], Response]
"""A function that responds to a request of an up-to-date page of a game, given by id."""


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the page of a game, and of the actions on it."""
    service = GamePages(pages)

    def get(path: str, look: Callable[[str], Response]) -> BaseRoute:
        async def endpoint(request: Request) -> Response:
            return await pages.run(look, _game(request))

        return Route(path, endpoint)

    async def past(request: Request) -> Response:
        turns = await pages.run(service.past_turns, _game(request))
        # This uses its own data in another thread, so that orders need not wait for it.
        return JSONResponse(await pages.run_in_queue("past", turns.draw, pages.templates))

    async def analysis(request: Request) -> Response:
        game = _game(request)
        last, turns = await pages.run(service.finished_turns, game)
        analysis = await service.analysis(last, game, turns)
        return JSONResponse(await pages.run_in_queue("past", turns.draw, pages.templates, analysis))

    def post(name: str, reply: Reply, *names: str, recheck: bool = True) -> BaseRoute:
        async def endpoint(request: Request) -> Response:
            data = await read_json(request, "stand", *names)
            return await pages.run(service.respond, _game(request), data, reply, recheck=recheck)

        return Route(f"/games/{{id}}/{name}", endpoint, methods=["POST"])

    def run_action(action: Callable[[ActiveGame, Data], Phrase]) -> Reply:
        return partial(service.run, action)

    return [
        get("/games/{id}", service.page),
        get("/games/{id}/parts", service.all_parts),
        Route("/games/{id}/history", past),
        Route("/games/{id}/analysis", analysis),
        post("select", service.select, "selection", recheck=False),
        post("why", service.explain, "selection", "key", recheck=False),
        post("order", run_action(_order), "order"),
        post("undo", run_action(_undo)),
        post("undo-all", run_action(_undo_all)),
        post("redo", run_action(_redo)),
        post("notes", run_action(_notes), "notes"),
        post("agree", run_action(_agree), "question"),
        post("resign", run_action(_resign), "resigns"),
        post("allow", run_action(_allow), "allows"),
        post("sign", partial(service.sign, lambda active, data: active.sign())),
        post("join", partial(service.sign, _join)),
    ]


def _game(request: Request) -> str:
    return str(request.path_params["id"])


# --- actions, which return a sentence for the player


def _order(active: ActiveGame, data: Data) -> Phrase:
    return _order_report(active, active.order(str(data["order"])))


def _redo(active: ActiveGame, data: Data) -> Phrase:
    return _order_report(active, active.do(Turn.redo))


def _order_report(active: ActiveGame, order: Order | None) -> Phrase:
    if order is None:
        return Message("There is nothing to redo.")
    return Message("Ordered: {order}", order=order.text(names(active.game.match.state)))


def _undo(active: ActiveGame, data: Data) -> Phrase:
    order = active.do(Turn.undo)
    if order is None:
        return Message("There is nothing to undo.")
    return Message("Taken back: {order}", order=order.text(names(active.game.match.state)))


def _undo_all(active: ActiveGame, data: Data) -> Phrase:
    while active.do(Turn.undo) is not None:
        pass
    return Message("All orders are taken back.")


def _notes(active: ActiveGame, data: Data) -> Phrase:
    active.write_notes(str(data["notes"]))
    return Message("Your notes are changed, and go into the file with this turn.")


def _agree(active: ActiveGame, data: Data) -> Phrase:
    active.agree(str(data["question"]))
    return ""


def _resign(active: ActiveGame, data: Data) -> Phrase:
    active.resign(is_resigning=data["resigns"] is True)
    return LABELS["resign_question"] if active.is_resigning else ""


def _allow(active: ActiveGame, data: Data) -> Phrase:
    active.allow_steps(is_allowed=data["allows"] is True)
    return active.sign_step()


def _join(active: ActiveGame, data: Data) -> SignedFile:
    side, card = data.get("side"), data.get("start_card")
    if side is not None and side not in [choice.value for choice in Side]:
        raise UsageError("There is no such side.")
    return active.join(Side(side) if side else None, str(card) if card else None)


class GamePages:
    """The handlers of requests of game pages, which the game service calls one after another.

    `analyses` are those of this run, begun or complete, by the hash of the last record.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._templates = pages.templates
        self._panels: OrderedDict[str, TurnPanel] = OrderedDict()
        self._positions: dict[str, PositionView] = {}
        self._sent_parts = SentParts()
        self.analyses: dict[bytes, asyncio.Task[Analysis]] = {}

    # --- pages

    def page(self, game: str) -> Response:
        """Return the whole page."""
        panel = self._open_after_step(game)
        active, match = panel.active, panel.active.game.match
        parts, frames, board = self._parts(panel), dict[str, Markup](), dict[str, Markup]()
        viewer, title = None, self._invitation_title(active.open_game.entry)
        rival: Phrase = NOTHING
        if match.is_joined:
            look = active.look
            frames, board = self._position(game, look).page(look)
            viewer = look.viewer
            rival = player(match, viewer.opponent) if viewer else NOTHING
            title = opponents_text(*(player(match, side, viewer) for side in match.entrants))
        return self._pages.page(
            "game.html",
            title=title,
            rival=rival,
            script="play/game.js",
            styles=_STYLES,
            id=game,
            side=viewer.value if viewer else "",
            rules=game_line(match),
            labels=_LABELS,
            frames=frames,
            help=self._help(match.invite.edition),
            parts=parts,
            is_analysed=match.last.hash in self.analyses,
            page=self._sent_parts.note(parts | board),
            **_script_values(panel),
            at=0,
            last=0,
            heading="",
        )

    def _invitation_title(self, entry: GameEntry) -> Phrase:
        return card_title(entry, self._pages.service.store().guest(entry.id)[0])

    @staticmethod
    def _help(edition: str) -> dict[str, Any]:
        """Return the content of the help: rules, actions, colours of cards, and keys.

        `book` is the address of the rules of the edition.
        """
        colours = [(side.value, capitalize(side.label)) for side in Side]
        return {
            "book": f"/rules?edition={edition}",
            "rules": [topics()[id] for id in _RULES],
            "actions": [topic for topic in topics().values() if topic.verbs],
            "cards": [*colours, ("neutral", Message("Neutral cards"))],
            "shortcuts": _KEYS,
        }

    def all_parts(self, game: str) -> Response:
        """Return all changing elements of the page."""
        return self._response(game, self._open_after_step(game), "", {"words": True})

    def past_turns(self, game: str) -> PastTurns:
        """Return the data from which the earlier turns are drawn.

        Raises UsageError for a game that has not begun.
        """
        active = self._open(game).active
        if not active.game.match.is_joined:
            raise UsageError("This is an invitation: there will be a board once it is accepted.")
        return PastTurns.of(active.game, Look.of(active.game.match, active.session.identity))

    def finished_turns(self, game: str) -> tuple[bytes, PastTurns]:
        """Return the hash of the last record and the data for an analysis.

        Raises UsageError for an unfinished game.
        """
        match = self._open(game).active.game.match
        check_may_be_analysed(match, with_robot=False)
        return match.last.hash, self.past_turns(game)

    async def analysis(self, last: bytes, game: str, turns: PastTurns) -> Analysis:
        """Return the analysis of a game that ends with the record `last`, computed once.

        Raises UsageError if no hand is known, or if the analysis is stopped.
        """
        if last not in self.analyses:
            tell = partial(self._pages.events.send, "progress", game=game)
            host = self._pages.host
            task = partial(turns.analyse, self._pages.language, host.analyse_match)
            analysing = host.run_with_progress("hindsight", task, tell)
            self.analyses[last] = asyncio.ensure_future(analysing)
        try:
            # It goes on if the page is closed.
            return await asyncio.shield(self.analyses[last])
        except Exception:
            self.analyses.pop(last, None)
            raise

    # --- selections

    def respond(self, game: str, data: Data, reply: Reply, *, recheck: bool) -> Response:
        """Respond to a request with `reply`, or report that the game has changed since.

        Without `recheck` only the library is compared, and no file is read.
        """
        panel = self._open(game, recheck=recheck)
        if panel.active.revision != data["stand"]:
            return self._response(game, panel, _STALE_PAGE, data, status=409)
        return reply(game, panel, data)

    def select(self, game: str, panel: TurnPanel, data: Data) -> Response:
        """Return the orders and parts that can follow the chosen parts, and their effects."""
        selection = _chosen_parts(data)
        parts = panel.choice(selection, str(data.get("look", "")))
        return make_response(
            self._pages.language,
            parts,
            lit=panel.keys(selection),
            stand=panel.active.revision,
            page=self._sent_parts.note(parts, _page(data)),
        )

    def explain(self, game: str, panel: TurnPanel, data: Data) -> Response:
        """Return the reason that a part cannot be chosen."""
        active, language = panel.active, self._pages.language
        turn, choices = active.turn, active.choices
        if turn is None or choices is None:
            return make_response(language, message=Message("Nothing can be ordered now."))
        target = _chosen_parts({"selection": [data["key"]]})
        lines = missing_order_text(language, choices, turn.side, _chosen_parts(data), target)
        return make_response(language, {"why": self._pages.fill("why.html", lines=[*lines])})

    # --- actions

    def run(
        self, action: Callable[[ActiveGame, Data], Phrase], game: str, panel: TurnPanel, data: Data
    ) -> Response:
        """Carry out an action in a game."""
        try:
            message = action(panel.active, data)
        except TranslatableError as error:
            return self._response(game, panel, message_of(error), data, status=409)
        # The next selection is computed from this panel in memory.
        panel = self._open(game)
        self._pages.events.send("game", game=game, stand=panel.active.revision)
        return self._response(game, panel, message, data)

    def sign(
        self,
        action: Callable[[ActiveGame, Data], SignedFile],
        game: str,
        panel: TurnPanel,
        data: Data,
    ) -> Response:
        """Sign the record that the page shows, and report the file."""
        try:
            signed_file = action(panel.active, data)
        except OpenQuestionsError as error:
            default = Message("Something has to be answered before it is signed.")
            reason = sentences(*(panel.refusals(error.questions) or [default]))
            return self._response(game, panel, reason, data, status=409)
        except TranslatableError as error:
            # The cached panel may be out of date.
            self._panels.pop(game, None)
            return self._response(game, self._open(game), message_of(error), data, status=409)
        self._panels.pop(game, None)
        self._pages.events.send("games")
        new_panel = self._open(game)
        self._pages.events.send("game", game=game, stand=new_panel.active.revision)
        # The folders of a browser are no place for the player.
        path = (
            Path(signed_file.path.name) if self._pages.host.can_lose_storage else signed_file.path
        )
        written = Message("Written: {file}", file=display_path(path))
        message = sentences(written, signed_file_warnings(signed_file))
        return self._response(game, new_panel, message, data, signed=True)

    # --- open games

    def _open(self, game: str, *, recheck: bool = True) -> TurnPanel:
        """Return the panel of a game, up to date with its file and its saved turn.

        Without `recheck` the cached panel is returned if the library has not changed since.
        """
        if self._templates is not self._pages.templates:
            # Another language was chosen.
            self._templates = self._pages.templates
            self._panels.clear()
            self._positions.clear()
        service, panel = self._pages.service, self._panels.get(game)
        for _ in range(2):
            stamp = service.library_stamp()
            if panel is not None and panel.library == stamp and not recheck:
                break
            open_game = service.open(game, panel.active.open_game if panel else None)
            if panel is None or not panel.active.is_current(open_game):
                active = ActiveGame(service.session(), open_game, service.on_file_written)
                panel = TurnPanel(self._pages.templates, active, service.command)
            panel.active.open_game, panel.library = open_game, stamp
            # Reading may have changed the library, so compare the stamp once more.
            recheck = False
        assert panel is not None
        self._panels[game] = panel
        self._panels.move_to_end(game)
        while len(self._panels) > MAX_OPEN_GAMES:
            self._panels.popitem(last=False)
        return panel

    def _open_after_step(self, game: str) -> TurnPanel:
        """Return the panel of a game, after a step that the player lets be signed, if one is due.

        If it cannot be signed, the panel says why.
        """
        panel = self._open(game)
        with suppress(TranslatableError):
            if message := panel.active.sign_step():
                self._pages.announce(message, panel.active.open_game.entry.id)
                panel = self._open(game)
                self._pages.events.send("game", game=game, stand=panel.active.revision)
        return panel

    def _position(self, game: str, look: Look) -> PositionView:
        if game not in self._positions:
            self._positions = {game: PositionView(self._pages.templates, look)}
        return self._positions[game]

    def _parts(self, panel: TurnPanel) -> dict[str, Markup]:
        """Return the elements next to the board, by id."""
        open_game, over = panel.active.open_game, panel.active.game.match.is_over
        return panel.parts(_NO_PARTS) | {
            "posting": outgoing_part(self._pages, open_game.entry, self._pages.service.store()),
            "afterwards": self._afterwards(panel.active) if over else Markup(),
            "hindsight": self._pages.fill("hindsight.html", labels=LABELS) if over else Markup(),
        }

    def _afterwards(self, active: ActiveGame) -> Markup:
        """Return the buttons for a game that is over."""
        return self._pages.fill(
            "afterwards.html",
            labels=result.LABELS,
            id=active.open_game.entry.id.hex(),
            is_player=active.look.viewer is not None,
        )

    def _response(
        self,
        game: str,
        panel: TurnPanel,
        message: Phrase,
        data: Data = MappingProxyType({}),
        *,
        status: int = 200,
        **values: Any,
    ) -> Response:
        """Return a sentence and the elements that have changed on the requesting page."""
        active, parts, board = panel.active, self._parts(panel), dict[str, Markup]()
        if active.game.match.is_joined:
            board = self._position(game, active.look).parts(active.look)
        if not data.get("words"):
            # The page has them folded away, and asks for them when they are opened.
            board = {id: part for id, part in board.items() if id not in WORDS}
        changed = self._sent_parts.changed(parts | board, _page(data))
        return make_response(
            self._pages.language,
            {id: part for id, part in parts.items() if id in changed},
            message,
            status=status,
            board={id: part for id, part in board.items() if id in changed},
            page=self._sent_parts.note(parts | board),
            **_script_values(panel),
            **values,
        )


def _page(data: Data) -> str:
    """Return the last version number that a page got, or an empty string."""
    return str(data.get("page", ""))


def _script_values(panel: TurnPanel) -> dict[str, Any]:
    """Return the values that the script of a page needs."""
    active = panel.active
    return {
        "lit": panel.keys(_NO_PARTS),
        "stand": active.revision,
        "records": len(active.game.match.records),
        "due": int(active.open_game.entry.game.waits_for == YOU),
        "writes": active.turn is not None,
        "notes": active.notes,
    }


class SentParts:
    """Hashes of the elements sent to each page, by the version number of the page."""

    def __init__(self) -> None:
        self._hashes: OrderedDict[str, dict[str, int]] = OrderedDict()
        self._numbers = count(1)

    def note(self, parts: Mapping[str, str], page: str = "") -> str:
        """Record the elements sent to a page, in addition to its last version.

        Return its new version number.
        """
        number, earlier = str(next(self._numbers)), self._hashes.get(page, {})
        self._hashes[number] = earlier | {id: hash(part) for id, part in parts.items()}
        while len(self._hashes) > MAX_PAGES:
            self._hashes.popitem(last=False)
        return number

    def changed(self, parts: Mapping[str, str], page: str) -> set[str]:
        """Return the ids of the elements that differ from the page's version.

        Return all ids if the version is unknown.
        """
        hashes = self._hashes.get(page, {})
        return {id for id, part in parts.items() if hashes.get(id) != hash(part)}


def _chosen_parts(data: Data) -> Parts:
    """Return the parts that are chosen on a page. Raises UsageError if they are invalid."""
    keys = data["selection"]
    if not isinstance(keys, list):
        raise UsageError("The page sent something that makes no sense here: reload it.")
    try:
        return Parts.of(map(str, keys))
    except UnreadableOrderError as error:
        raise UsageError(message_of(error)) from None
