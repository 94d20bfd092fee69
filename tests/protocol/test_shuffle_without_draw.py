"""Follow-ups that stop in the middle of a refill still leave the other player an answer.

A shuffle follows an answer, but the draw after it is missing or wrong, and no list can be requested
without cards. docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

import pytest

from engine import game
from engine.game import legal_orders
from engine.order import Order
from engine.orders import Allow, Ambush, Block, Give, Pass, Raid, ShowHand
from pbem.protocol import steps
from pbem.protocol.match import Match
from tests.play.matches import TIME, seat_to_write
from tests.play.turns import can_order, find_draft, legal_orders_of, practice_chooser
from tests.seats import NextRecord
from tests.signing import end

ATTACKS = (Raid, Ambush)
REPLIES = (Block, Allow, Give, ShowHand)


def attacks_before_a_shuffle(draft: NextRecord) -> list[Order]:
    """Return the attacks that can begin a turn which ends with a shuffle."""
    attacks, side = list[Order](), draft.seat.side
    for order in legal_orders_of(draft, *ATTACKS):
        after = draft.view()
        game.apply(after, order)
        player = after.players[side]
        if player.hand_size + len(player.draw_pile) < 5:
            attacks.append(order)
    return attacks


def is_beginning(draft: NextRecord) -> bool:
    return can_order(*ATTACKS)(draft) and bool(attacks_before_a_shuffle(draft))


@pytest.mark.parametrize("draw", [None, 4])
def test_shuffle_without_its_draw_waits_for_its_author(draw: int | None) -> None:
    draft, seed = find_draft(is_beginning, players=practice_chooser, lists=4)
    order = attacks_before_a_shuffle(draft)[0]
    side = draft.seat.side
    draft.order(order)
    draft.order(Pass())
    player = draft.match.state.players[side]
    rest, needed = len(player.draw_pile), 5 - player.hand_size
    draft.take(steps.OrderStep("end"))
    if rest:
        draft.take(steps.DrawStep(rest))
    draft.shuffle(player.discard)
    if draw is not None:
        draft.take(steps.DrawStep(draw))
        assert draw != needed - rest
    end(draft)
    answer = NextRecord(seat_to_write(Match.replay(draft.match.records), seed), TIME)
    answer.order(next(o for o in legal_orders(answer.view()) if isinstance(o, REPLIES)))
    assert len(answer.match.dropped) == (draw is not None)
    record = end(answer)
    # Nothing is granted yet, because the author still has to request the cards.
    assert not [step for step in record.steps if isinstance(step, steps.Grant)]
    next_draft = NextRecord(seat_to_write(Match.replay(answer.match.records), seed), TIME)
    assert next_draft.seat.side is side
    assert end(next_draft).steps == (steps.DrawStep(needed - rest),)
    granting = NextRecord(seat_to_write(Match.replay(next_draft.match.records), seed), TIME)
    (grant,) = [step for step in granting.steps if isinstance(step, steps.Grant)]
    assert grant.list is not None
    assert len(grant.slots) == needed - rest
    assert granting.match.state.active is side.opponent
