"""`/games/{id}`: a game, with the own hand in it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pbem.web.house import House
from pbem.words.games.listing import called, standing


def routes(house: House) -> list[BaseRoute]:
    """The page of a game."""

    async def page(request: Request) -> Response:
        opened = await house.desk.run(house.desk.open, request.path_params["id"])
        told = standing(opened.listed, house.desk.home.clock())
        return house.page("sentence.html", title=called(opened.listed), sentence=told)

    return [Route("/games/{id}", page)]
