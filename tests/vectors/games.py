"""Short games, which depend only on two keys and the orders.

The `.json` of a game has the private keys and nonces, and for each record the next decision and the
cards and pieces of each side, including hidden cards. Another program can compare its replay of the
`.toml` with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.sides import Side
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.schema import decode_bytes, encode_bytes
from pbem.savefile.save_file import SaveFile
from tests.seats import Seat

HERE = Path(__file__).parent

FIRST_GAME = "game"
"""A game of the first version, which had no follow-ups and closes."""
CLOSED = ("game-follow-ups", "game-ahead")
"""Games of later versions, up to both closes."""

Players = list[tuple[Identity, bytes]]


def load(name: str) -> tuple[SaveFile, dict[str, Any]]:
    """Return a game's file, and the facts in its `.json`."""
    facts: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return SaveFile.read((HERE / f"{name}.toml").read_bytes()), facts


def players(facts: dict[str, Any]) -> Players:
    """Return inviter and guest, each with the nonce of this game."""
    return [
        (
            Identity(one["name"], one["email"], decode_bytes(one["private_key"])),
            decode_bytes(one["nonce"]),
        )
        for one in facts["players"]
    ]


def replay(save: SaveFile) -> Iterator[Match]:
    """Yield the match after each record from the acceptance on."""
    match = Match()
    for record in save.records:
        match.add(record)
        if match.is_joined:
            yield match


def holdings(match: Match, entrants: Players) -> dict[str, Any]:
    """Return the position after a record, with both hands open."""
    state = match.state
    known: dict[str, Any] = {
        "hash": encode_bytes(match.last.hash),
        "turn": state.turn,
        "awaited": [state.awaiting.decision.value, state.awaiting.side.value],
        "board": {
            place: [piece.owner.value, "town" if piece.town else "village"]
            + ["fortified"] * piece.fortified
            for place, piece in sorted(state.board.items())
        },
        "sieges": {
            side.value: [siege.location, *(sorted(siege.cards[s]) for s in Side)]
            for side, siege in sorted(state.sieges.items())
        },
    }
    for identity, _ in entrants:
        seat = Seat(match, identity)
        player = seat.view().players[seat.side]
        known[seat.side.value] = {
            "money": player.money,
            "hand": sorted(player.hand),
            "draw_pile": [str(slot) for slot in sorted(player.draw_pile)],
            "discard": sorted(player.discard),
            "reserve": sorted(player.reserve),
            "captured": [player.captured_villages, player.captured_towns],
        }
    return known


def holdings_and_follow_ups(match: Match, entrants: Players) -> dict[str, Any]:
    """Return `holdings` with follow-ups, slots named ahead, and the slots of hidden cards."""
    dropped = [late.orders for late in match.dropped if late.record == match.last.index]
    known = holdings(match, entrants) | {
        "follow_ups": [order.notation() for order in match.follow_ups],
        "dropped": [order.notation() for orders in dropped for order in orders],
    }
    for identity, _ in entrants:
        seat = Seat(match, identity)
        known[seat.side.value] |= {
            "hidden": {str(slot): card for slot, (card, _) in seat.hidden_cards().items()},
            "ahead": list(map(str, match.decks[seat.side].ahead)),
        }
    return known
