"""The page `/`: the player's games with turn, waiting time, opponent and overdue moves."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message, Phrase
from pbem.play.store import GameEntry
from pbem.play.store.entries import YOU
from pbem.text.games import HEADINGS, date_warning, overdue_text, state_text, title_with_rules
from pbem.web import uploads
from pbem.web.pages import LABELS as FRAME
from pbem.web.pages import Pages, make_response
from pbem.web.welcome import key_notice

LABELS = {
    "none": Message("No game is listed yet."),
    "news": Message("What has arrived"),
    "fetch": Message("Fetch mail"),
    "robot": Message("Play against the robot"),
    "friend": Message("Invite a friend"),
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the page, and of the list alone for its script."""

    async def page(request: Request) -> Response:
        parts = await pages.run(_parts, pages)
        if not await pages.run(lambda: pages.service.home.has_identity):
            return RedirectResponse("/welcome", status_code=303)
        mail = pages.host.mail
        return pages.page(
            "games.html",
            title=FRAME["games"],
            labels=LABELS,
            files=uploads.LABELS,
            script="games.js",
            styles=("forms.css",),
            parts=parts,
            has_robot=pages.host.robot is not None,
            has_mail=mail is not None and await pages.run(mail.can_fetch),
        )

    async def parts(request: Request) -> Response:
        return make_response(pages.language, await pages.run(_parts, pages))

    return [Route("/", page), Route("/list", parts)]


def _parts(pages: Pages) -> dict[str, Markup]:
    """Return the changing elements of the page, by id."""
    games = pages.service.games()
    groups = [*_groups(games, pages.service.home.clock())]
    robot, due = pages.host.robot, sum(entry.game.waits_for == YOU for entry in games)
    return {
        "news": pages.fill("news.html", labels=LABELS, news=[*pages.news]),
        "games": pages.fill("games_list.html", labels=LABELS, groups=groups, due=due),
        "minded": pages.fill(
            "minded.html",
            warnings=robot.troubles if robot else (),
            notice=NOTHING if games else key_notice(pages.service),
        ),
    }


def _groups(games: list[GameEntry], now: str) -> Iterator[tuple[Message, list[dict[str, Phrase]]]]:
    """Yield games grouped by the player whose move it is, shortest wait first."""
    for waiting_for, heading in HEADINGS.items():
        rows = [_row(entry, now) for entry in games if entry.game.waits_for == waiting_for]
        if rows:
            yield Message(heading), rows[::-1]


def _row(entry: GameEntry, now: str) -> dict[str, Phrase]:
    """Return the texts of a row of the list."""
    return {
        "id": entry.id.hex(),
        "called": title_with_rules(entry),
        "standing": state_text(entry, now),
        "overdue": overdue_text(entry, now),
        "ahead": date_warning(entry, now),
    }
