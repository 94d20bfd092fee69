"""The short games agree with their facts, and depend only on keys and orders."""

from __future__ import annotations

import pytest

from engine.orders import from_notation
from engine.sides import Side
from pbem.play.audit import audit
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.seats import NextRecord, Seat
from tests.signing import accept, end, invite
from tests.vectors.games import (
    CLOSED,
    FIRST_GAME,
    HERE,
    Players,
    holdings,
    holdings_and_follow_ups,
    load,
    players,
    replay,
)


@pytest.mark.parametrize("name", [FIRST_GAME, *CLOSED])
def test_game_matches_its_description(name: str) -> None:
    save, facts = load(name)
    entrants = players(facts)
    facts_of = holdings if name == FIRST_GAME else holdings_and_follow_ups
    assert [facts_of(match, entrants) for match in replay(save)] == facts["after"]
    assert audit((HERE / f"{name}.toml").read_bytes()).is_clean


@pytest.mark.parametrize("name", [FIRST_GAME, *CLOSED])
def test_file_follows_from_keys_and_orders(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # These invitations are from a version without part digests.
    monkeypatch.setattr("pbem.play.invitation.rules_parts", lambda _: None)
    save, facts = load(name)
    entrants = players(facts)
    match = _sign_entries(save, entrants)
    for record in save.records[2:]:
        author, _ = entrants[record.index % 2]
        resigns = steps.Resign() in record.steps
        draft = NextRecord(Seat(match, author), record.time, resigns=resigns)
        for step in record.steps:
            if isinstance(step, steps.OrderStep):
                draft.order(from_notation(step.order))
        end(draft)
        match = draft.match
    assert SaveFile(tuple(match.records)).write() == SaveFile(save.records).write()


def _sign_entries(save: SaveFile, entrants: Players) -> Match:
    """Return the invitation and acceptance, signed again."""
    (inviter, nonce), (guest, guest_nonce) = entrants
    first, second = save.records[:2]
    entry, joined = first.steps[0], second.steps[0]
    assert isinstance(entry, steps.Invite)
    assert isinstance(joined, steps.Accept)
    match = invite(
        inviter,
        side=None if entry.side == "any" else Side(entry.side),
        nonce=nonce,
        time=first.time,
        lists=entry.lists,
        home_support=entry.home_support,
    )
    return accept(match, guest, nonce=guest_nonce, time=second.time, side=Side(joined.side))
