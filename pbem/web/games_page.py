"""`/`: the player's games: whose move it is, since when, against whom, what is overdue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message, Said
from engine.value import Value
from pbem.errors import AcresError
from pbem.library import Listed
from pbem.web import files_in
from pbem.web.answers import answer
from pbem.web.house import LABELS as FRAME
from pbem.web.house import House
from pbem.web.newcomer import told_of_key
from pbem.words.games.listing import (
    HEADINGS,
    called_with_rules,
    dated_ahead,
    overdue_told,
    standing,
)

LABELS = {
    "none": Message("No game is listed yet."),
    "news": Message("What has arrived"),
    "fetch": Message("Fetch mail"),
    "none_came": Message("No turn has arrived."),
    "robot": Message("Play against the robot"),
    "friend": Message("Invite a friend"),
}


class Row(Value):
    """A game as the list shows it."""

    id: str
    called: Said
    standing: Said
    overdue: Said
    ahead: Said


def routes(house: House) -> list[BaseRoute]:
    """The page, and its list alone for its script."""

    async def page(request: Request) -> Response:
        parts = await house.desk.run(_parts, house)
        if not await house.desk.run(lambda: house.desk.home.has_identity):
            return RedirectResponse("/welcome", status_code=303)
        return house.page(
            "games.html",
            title=FRAME["games"],
            labels=LABELS,
            files=files_in.LABELS,
            script="games.js",
            styles=("forms.css",),
            parts=parts,
            has_mail=await house.desk.run(_has_mail, house),
        )

    async def parts(request: Request) -> Response:
        return answer(house.language, await house.desk.run(_parts, house))

    async def fetch(request: Request) -> Response:
        came = house.letters is not None and await house.letters.fetch()
        return answer(house.language, said=NOTHING if came else LABELS["none_came"])

    return [Route("/", page), Route("/list", parts), Route("/fetch", fetch, methods=["POST"])]


def _has_mail(house: House) -> bool:
    """Whether letters can be fetched, as far as the settings can be read."""
    with suppress(AcresError):
        return house.letters is not None and house.letters.account() is not None
    return False


def _parts(house: House) -> dict[str, Markup]:
    """What stands in the elements that change, by their ids."""
    games = house.desk.games()
    groups = [*_groups(games, house.desk.home.clock())]
    return {
        "news": house.fill("news.html", labels=LABELS, news=[*house.watch.news]),
        "games": house.fill("games_list.html", labels=LABELS, groups=groups),
        "minded": house.fill(
            "minded.html",
            warnings=house.robots.troubles,
            told=NOTHING if games else told_of_key(house.desk),
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
