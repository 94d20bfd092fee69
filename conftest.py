"""Names for the doctests of `pbem.play`: two players and a game that both have just joined."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

# It runs in browsers alone.
collect_ignore = ["pbem/protocol/primitives_noble.py"]


@cache
def _names() -> dict[str, Any]:
    from engine.sides import Side
    from pbem.play.game_file import GameFile, pack
    from pbem.play.invitation import Invitation, accept
    from pbem.protocol.identity import Identity

    time = "2026-06-01T12:00:00Z"
    anna, bela = (Identity(name, "", name.encode() * 8) for name in ("Anna", "Bela"))
    invitation = Invitation(anna, side=Side.BRITISH, time=time, nonce=bytes(32), lists=1)
    match = accept(invitation.match, bela, nonce=bytes([1]) * 32, time=time).match
    game = GameFile(pack(match, None, {}, ""), match)
    return {"anna": anna, "bela": bela, "game": game, "time": time}


@pytest.fixture(autouse=True)
def players_and_game(request: pytest.FixtureRequest, doctest_namespace: dict[str, Any]) -> None:
    """Add the names to the doctests of `pbem.play`."""
    if isinstance(request.node, pytest.DoctestItem) and "pbem/play/" in request.node.nodeid:
        doctest_namespace.update(_names())
