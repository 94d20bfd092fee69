"""The short games replay to the facts beside them, and follow from keys and orders alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.events import Shuffled
from engine.orders import HomeSupport, from_notation
from engine.sides import Side
from pbem.play.audit import audit
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.seats import NextRecord, Seat
from tests.signing import accept, end, invite
from tests.vectors.games import (
    CLOSED,
    FIRST,
    HERE,
    Players,
    holdings,
    holdings_and_follow_ups,
    load,
    players,
    replay,
)


@pytest.mark.parametrize("name", [FIRST, *CLOSED])
def test_the_game_proves_what_is_written_beside_it(name: str) -> None:
    save, facts = load(name)
    who = players(facts)
    facts_of = holdings if name == FIRST else holdings_and_follow_ups
    assert [facts_of(match, who) for match in replay(save)] == facts["after"]
    assert audit((HERE / f"{name}.toml").read_bytes()).is_clean


@pytest.mark.parametrize("name", [FIRST, *CLOSED])
def test_the_file_follows_from_the_keys_and_the_orders(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # These invitations are of a version that did not tell the parts of its rules.
    monkeypatch.setattr("pbem.play.invitation.rules_parts", lambda _: None)
    save, facts = load(name)
    who = players(facts)
    match = _entered(save, who)
    for record in save.records[2:]:
        author, _ = who[record.index % 2]
        resigns = steps.Resign() in record.steps
        draft = NextRecord(Seat(match, author), record.time, resigns=resigns)
        for step in record.steps:
            if isinstance(step, steps.OrderStep):
                draft.order(from_notation(step.order))
        end(draft)
        match = draft.match
    assert SaveFile(tuple(match.records)).write() == SaveFile(save.records).write()


def _entered(save: SaveFile, who: Players) -> Match:
    """Return invitation and acceptance, signed again."""
    (inviter, nonce), (guest, guest_nonce) = who
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


def test_the_closed_games_hold_what_the_document_says_of_them() -> None:
    """They have follow-ups of every kind, and Home Support both ways."""
    with_follow_ups, ahead = (Match.replay(load(name)[0].records) for name in CLOSED)
    for match in (with_follow_ups, ahead):
        assert len(match.secrets) == 2
        assert match.next_side is None
    assert with_follow_ups.dropped
    replies = [
        sum(step.kind == "order" and _verb(step) in REPLIES for step in record.steps)
        for record in with_follow_ups.records
    ]
    assert max(replies) >= 2
    grants = [
        sum(step.kind == "grant" for step in record.steps) for record in with_follow_ups.records
    ]
    assert max(grants) == 2
    signed = [shuffled.record for side in Side for shuffled in with_follow_ups.table.shuffles[side]]
    carried_out = [deed.record for deed in with_follow_ups.deeds if deed.caused(Shuffled)]
    assert sorted(signed) != sorted(carried_out)
    assert any(step.kind == "resign" for step in with_follow_ups.records[-2].steps)
    assert [step.kind for step in with_follow_ups.records[-1].steps] == ["open-lists", "close"]
    named = [answered for side in Side for answered in ahead.table.grants[side]]
    assert any(answered.answer.ahead and answered.request.first for answered in named)
    assert any(answered.request.slots > len(answered.request.first) > 0 for answered in named)
    at_once = [
        deed
        for deed, after in pairwise(ahead.deeds)
        if isinstance(deed.order, HomeSupport) and after.order is None
    ]
    assert at_once


REPLIES = ("block", "allow", "give", "give-from-reserve", "show-hand")


def _verb(step: steps.Step) -> str:
    assert isinstance(step, steps.OrderStep)
    return step.order.split(" ")[0]
