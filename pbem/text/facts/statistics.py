"""A player's games taken together, as plain data: how they ended, how long they took.

docs/json.md tells other programs the shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import median_low
from typing import Any

from engine.ruleset import editions
from engine.sides import Side
from pbem.play.store import Listed


def statistics(
    games: Iterable[Listed],
    beginnings: Mapping[bytes, str],
) -> dict[str, Any]:
    """Return the games that somebody has joined; of those that are over, how long they were.

    `beginnings` are when games were begun, by their ids.
    """
    joined = [each for each in games if each.own_side is not None and each.game.opponent]
    over = [each for each in joined if each.game.winner]
    days = [_days(beginnings[each.id], each.game.since) for each in over if each.id in beginnings]
    return {
        "in_all": _results(joined),
        "results": [
            {"edition": edition, "side": side.value, **_results(some)}
            for edition in editions()
            for side in Side
            if (some := [e for e in joined if (e.game.edition, e.own_side) == (edition, side)])
        ],
        "turns": _spread([each.game.turn for each in over]),
        "days": _spread([number for number in days if number >= 0]),
    }


def _results(games: Sequence[Listed]) -> dict[str, int]:
    winners = [each.game.winner for each in games]
    won = sum(each.game.winner == each.own_side for each in games)
    going_on = winners.count("")
    return {"won": won, "lost": len(games) - won - going_on, "going_on": going_on}


def _days(begun: str, ended: str) -> int:
    return (datetime.fromisoformat(ended).date() - datetime.fromisoformat(begun).date()).days


def _spread(numbers: Sequence[int]) -> dict[str, int] | None:
    if not numbers:
        return None
    return {"least": min(numbers), "median": median_low(numbers), "most": max(numbers)}
