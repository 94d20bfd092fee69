"""A turn that is given, signed and written on its page: by requests, as a browser sends them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pbem.web import game_service
from tests.web.inline import Answer, Visitor

# Else as many lines would run as there was time between two changes.
game_service.STAMP_NANOSECONDS = 2**62


class RefusedError(Exception):
    """A page refused a request, with a reason."""


def _play_turn(home: str, *orders: str) -> None:
    """Give orders in the longest game, but for those that were found again, and sign."""
    visitor = Visitor(Path(home).absolute())
    longest = max(visitor.pages.service.games(), key=lambda item: item.game.records)
    path = f"/games/{longest.id.hex()}"
    parts = _good(visitor.get(f"{path}/parts")).data["parts"]
    print(" ".join(re.sub("<[^>]+>", " ", parts["decision"]).split()))
    for order in orders[parts["given"].count("<li>") :]:
        _good(visitor.post(f"{path}/order", order=order))
    _good(visitor.post(f"{path}/sign"))


def _good(answer: Answer) -> Answer:
    if answer.status != 200:
        raise RefusedError(answer.data["said"])
    return answer


def on_page(home: str, *orders: str) -> int:
    """Do it; the status and the error are those of a command."""
    try:
        _play_turn(home, *orders)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 2
    return 0
