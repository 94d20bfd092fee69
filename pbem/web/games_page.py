"""The page `/`: a card for each of the player's games, with its board, score and turn."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import new_game
from pbem.board.drawing import Drawing
from pbem.play.game_file import GameFile
from pbem.play.game_list import newest_files
from pbem.play.store import GameEntry
from pbem.play.store.entries import JOIN, YOU
from pbem.savefile.disk import as_utf8, read_file
from pbem.text.games import (
    HEADINGS,
    card_title,
    date_warning,
    next_step,
    number_and_rules,
    overdue_text,
    state_text,
)
from pbem.web import audit_page, uploads
from pbem.web import new_game as new_game_page
from pbem.web.backup import key_notice
from pbem.web.game_service import GameService, game_with_id
from pbem.web.pages import LABELS as FRAME
from pbem.web.pages import Pages, make_response

LABELS = {
    "news": Message("What has arrived"),
    "fetch": Message("Fetch mail"),
    "you": Message.within("score", "you"),
    **{key: new_game_page.LABELS[key] for key in ("robot", "friend", "robot_told", "friend_told")},
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the page, and of the list and each small board for its script."""
    boards = SmallBoards(pages)

    async def page(request: Request) -> Response:
        parts = await pages.run(_parts, pages, boards)
        if not await pages.run(lambda: pages.service.home.has_identity):
            return RedirectResponse("/welcome", status_code=303)
        mail, drawing = pages.host.mail, boards.drawing
        return pages.page(
            "games.html",
            title=FRAME["games"],
            labels=LABELS,
            files=uploads.LABELS,
            audit=audit_page.LABELS["link"],
            prompt=uploads.LABELS["hint"],
            script="games.js",
            styles=("board.css", "forms.css"),
            parts=parts,
            land=drawing.render_small_map(),
            picture=drawing.render_small_board(new_game(Ruleset.of()), title=True),
            has_robot=pages.host.robot is not None,
            has_mail=mail is not None and await pages.run(mail.can_fetch),
        )

    async def parts(request: Request) -> Response:
        return make_response(pages.language, await pages.run(_parts, pages, boards))

    async def board(request: Request) -> Response:
        # Reading a long game takes a while, and must not delay orders.
        id = request.path_params["id"]
        drawn = await pages.run_in_queue("boards", boards.draw, id)
        return make_response(pages.language, {f"small-{id}": drawn})

    return [Route("/", page), Route("/list", parts), Route("/list/{id}", board)]


class SmallBoards:
    """The small boards of games with their scores, each kept until the game goes on."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._drawn: dict[bytes, tuple[object, Markup]] = {}

    @property
    def drawing(self) -> Drawing:
        """A drawing of the map, which is the same in all editions."""
        return Drawing(self._pages.templates, Ruleset.of().catalogue)

    def find(self, entry: GameEntry) -> Markup | None:
        """Return the board of a game if it was drawn before, otherwise None."""
        last, drawn = self._drawn.get(entry.id, (None, None))
        return drawn if last == (entry.game.last, self._pages.language.code) else None

    def draw(self, game: str) -> Markup:
        """Return the board of a game by its newest file, in any thread.

        Raises the errors of reading the file. Without its last file it is the empty board.
        """
        pages, match = self._pages, None
        with pages.service.open_store() as store:
            entry = game_with_id(store.games(), game)
            for path in newest_files(entry)[:1]:
                match = GameFile.read(as_utf8(read_file(path)), store.load_cache).match
        is_newest = match is not None and match.last.hash == entry.game.last
        state = match.state if match and is_newest and match.is_joined else None
        drawn = pages.fill(
            "small.html",
            board=self.drawing.render_small_board(state),
            score=entry.game.points if state else {},
            labels={side.value: side.label for side in Side} | {"you": LABELS["you"]},
            own=entry.own_side,
        )
        if is_newest:
            self._drawn[entry.id] = (entry.game.last, pages.language.code), drawn
        return drawn


def _parts(pages: Pages, boards: SmallBoards) -> dict[str, Markup]:
    """Return the changing elements of the page, by id."""
    games = pages.service.games()
    groups = [*_groups(games, pages.service, boards)]
    robot, due = pages.host.robot, sum(entry.game.waits_for == YOU for entry in games)
    empty = boards.drawing.render_small_board(None)
    return {
        "news": pages.fill("news.html", labels=LABELS, news=[message for message, _ in pages.news]),
        "games": pages.fill("games_list.html", groups=groups, empty=empty, due=due),
        "minded": pages.fill(
            "minded.html",
            warnings=robot.troubles if robot else (),
            notice=NOTHING if games and not pages.host.can_lose_storage else key_notice(pages),
        ),
    }


def _groups(
    games: list[GameEntry], service: GameService, boards: SmallBoards
) -> Iterator[tuple[str, Message, list[dict[str, object]]]]:
    """Yield games grouped by the player whose move it is, shortest wait first."""
    for waiting_for, heading in HEADINGS.items():
        entries = [entry for entry in games if entry.game.waits_for == waiting_for]
        rows = [_row(entry, service, boards) for entry in entries]
        if rows:
            yield waiting_for, Message(heading), rows[::-1]


def _row(entry: GameEntry, service: GameService, boards: SmallBoards) -> dict[str, object]:
    """Return the texts of a card, and its board if it was drawn before."""
    store, now, game = service.store(), service.home.clock(), entry.game
    has_orders = game.waits_for == YOU and store.saved_turn(entry.id, game.last) is not None
    return {
        "id": entry.id.hex(),
        "title": card_title(entry, store.guest(entry.id)[0] if game.due == JOIN else ""),
        "rules": number_and_rules(entry),
        "standing": state_text(entry, now),
        "next": Message("You have begun your answer.") if has_orders else next_step(entry),
        "overdue": overdue_text(entry, now),
        "ahead": date_warning(entry, now),
        "board": boards.find(entry),
        "begun": game.due != JOIN,
    }
