"""`/`: the player's games: whose move it is, since when, against whom, what is overdue."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, Said
from engine.value import Value
from pbem.library import Listed
from pbem.web.answers import answer
from pbem.web.house import LABELS as FRAME
from pbem.web.house import House
from pbem.words.games.listing import (
    HEADINGS,
    called_with_rules,
    dated_ahead,
    overdue_told,
    standing,
)

LABELS = {
    "none": Message("No game is listed yet."),
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
        return house.page(
            "games.html", title=FRAME["games"], labels=LABELS, script="games.js", parts=parts
        )

    async def parts(request: Request) -> Response:
        return answer(house.language, await house.desk.run(_parts, house))

    return [Route("/", page), Route("/list", parts)]


def _parts(house: House) -> dict[str, Markup]:
    """What stands in the elements that change, by their ids."""
    games = house.desk.games()
    groups = [*_groups(games, house.desk.home.clock())]
    return {"games": house.fill("games_list.html", labels=LABELS, groups=groups)}


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
