"""`/`: the player's games: whose move it is, since when, against whom, what is overdue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message, Said
from pbem.errors import AcresError
from pbem.play.store import Listed
from pbem.text.games.listing import (
    HEADINGS,
    called_with_rules,
    dated_ahead,
    overdue_told,
    standing,
)
from pbem.web import files_in
from pbem.web.answers import answer
from pbem.web.newcomer import told_of_key
from pbem.web.pages import LABELS as FRAME
from pbem.web.pages import Pages

LABELS = {
    "none": Message("No game is listed yet."),
    "news": Message("What has arrived"),
    "fetch": Message("Fetch mail"),
    "none_came": Message("No turn has arrived."),
    "robot": Message("Play against the robot"),
    "friend": Message("Invite a friend"),
}


class Row(NamedTuple):
    """A game as the list shows it."""

    id: str
    called: Said
    standing: Said
    overdue: Said
    ahead: Said


def routes(pages: Pages) -> list[BaseRoute]:
    """The page, and its list alone for its script."""

    async def page(request: Request) -> Response:
        parts = await pages.desk.run(_parts, pages)
        if not await pages.desk.run(lambda: pages.desk.home.has_identity):
            return RedirectResponse("/welcome", status_code=303)
        return pages.page(
            "games.html",
            title=FRAME["games"],
            labels=LABELS,
            files=files_in.LABELS,
            script="games.js",
            styles=("forms.css",),
            parts=parts,
            has_mail=await pages.desk.run(_has_mail, pages),
        )

    async def parts(request: Request) -> Response:
        return answer(pages.language, await pages.desk.run(_parts, pages))

    async def fetch(request: Request) -> Response:
        came = pages.letters is not None and await pages.letters.fetch()
        return answer(pages.language, said=NOTHING if came else LABELS["none_came"])

    return [Route("/", page), Route("/list", parts), Route("/fetch", fetch, methods=["POST"])]


def _has_mail(pages: Pages) -> bool:
    """Whether letters can be fetched, as far as the settings can be read."""
    with suppress(AcresError):
        return pages.letters is not None and pages.letters.account() is not None
    return False


def _parts(pages: Pages) -> dict[str, Markup]:
    """What stands in the elements that change, by their ids."""
    games = pages.desk.games()
    groups = [*_groups(games, pages.desk.home.clock())]
    return {
        "news": pages.fill("news.html", labels=LABELS, news=[*pages.watch.news]),
        "games": pages.fill("games_list.html", labels=LABELS, groups=groups),
        "minded": pages.fill(
            "minded.html",
            warnings=pages.robots.troubles,
            told=NOTHING if games else told_of_key(pages.desk),
        ),
    }


def _groups(games: list[Listed], now: str) -> Iterator[tuple[Message, list[Row]]]:
    """Games under whom they wait for, those first that waited least."""
    for waits_for, heading in HEADINGS.items():
        some = [_row(each, now) for each in games if each.game.waits_for == waits_for]
        if some:
            yield Message(heading), some[::-1]


def _row(listed: Listed, now: str) -> Row:
    return Row(
        listed.id.hex(),
        called_with_rules(listed),
        standing(listed, now),
        overdue_told(listed, now),
        dated_ahead(listed, now),
    )
