"""A short game, played once and kept: its file follows from two keys and the orders alone.

`game.json` holds the private keys and nonces, and after each record the hash, what is awaited, and
what each side holds, hidden cards included. A second program can replay `game.toml` against it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.notation import from_notation
from engine.sides import Side
from pbem import steps
from pbem.encoding import decode_bytes, encode_bytes
from pbem.identity import Identity
from pbem.match import Match
from pbem.next_record import NextRecord
from pbem.savefile import SaveFile
from pbem.seat import Seat
from pbem.setup import accept, invite

HERE = Path(__file__).parent


def load() -> tuple[SaveFile, dict[str, Any]]:
    facts: dict[str, Any] = json.loads((HERE / "game.json").read_text(encoding="utf-8"))
    return SaveFile.read((HERE / "game.toml").read_bytes()), facts


def players(facts: dict[str, Any]) -> list[tuple[Identity, bytes]]:
    """Inviter and guest, each with the nonce of this game."""
    return [
        (
            Identity.from_seed(one["name"], one["email"], decode_bytes(one["private_key"])),
            decode_bytes(one["nonce"]),
        )
        for one in facts["players"]
    ]


def holdings(match: Match, who: list[tuple[Identity, bytes]]) -> dict[str, Any]:
    """What a record leaves: everything that the rules know, with both hands open."""
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
    for identity, _ in who:
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


def replay(save: SaveFile) -> Iterator[Match]:
    """The match after each record from the acceptance on."""
    match = Match()
    for record in save.records:
        match.add(record)
        if match.is_joined:
            yield match


def test_the_game_proves_what_is_written_beside_it() -> None:
    save, facts = load()
    who = players(facts)
    assert [holdings(match, who) for match in replay(save)] == facts["after"]


def test_the_file_follows_from_the_keys_and_the_orders() -> None:
    save, facts = load()
    (inviter, nonce), (guest, guest_nonce) = players(facts)
    first, second, *others = save.records
    entry = first.steps[0]
    assert isinstance(entry, steps.Invite)
    match = invite(inviter, side=Side(entry.side), nonce=nonce, time=first.time, lists=entry.lists)
    match = accept(match, guest, nonce=guest_nonce, time=second.time)
    for record in others:
        author = inviter if record.index % 2 == 0 else guest
        draft = NextRecord(Seat(match, author), record.time)
        for step in record.steps:
            if isinstance(step, steps.Order):
                draft.order(from_notation(step.order))
        draft.sign()
        match = draft.match
    assert SaveFile(tuple(match.records)).write() == SaveFile(save.records).write()
