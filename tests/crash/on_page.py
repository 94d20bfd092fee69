"""Play and sign a turn on its page, by the requests that a browser would send."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pbem.web import game_service
from tests.web.inline import Answer, Visitor

# By default the number of executed lines would depend on the time between two changes.
game_service.STAMP_NANOSECONDS = 2**62


class RefusedError(Exception):
    """A page refused a request, with a reason."""


def _play_turn(home: str, *orders: str) -> None:
    """Give the orders that the page does not have yet in the longest game, and sign."""
    visitor = Visitor(Path(home).absolute())
    longest_game = max(visitor.pages.service.games(), key=lambda item: item.game.records)
    path = f"/games/{longest_game.id.hex()}"
    parts = _check_ok(visitor.get(f"{path}/parts")).data["parts"]
    print(" ".join(re.sub("<[^>]+>", " ", parts["decision"]).split()))
    for order in orders[parts["given"].count("<li>") :]:
        _check_ok(visitor.post(f"{path}/order", order=order))
    _check_ok(visitor.post(f"{path}/sign"))


def _check_ok(answer: Answer) -> Answer:
    if answer.status != 200:
        raise RefusedError(answer.data["said"])
    return answer


def run_on_page(home: str, *orders: str) -> int:
    """Play a turn on its page; return a status and print an error as a command does."""
    try:
        _play_turn(home, *orders)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 2
    return 0
