"""Records of games by any rules, selected by the next event in them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.order import Order
from engine.orders import Allow, Block, End, Give, GiveFromReserve, GiveFromSiege, Pass, ShowHand
from engine.players.practice import PracticePlayer
from engine.ruleset import DEFAULT_EDITION
from engine.state import Decision, State
from pbem.protocol import steps
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.play.matches import Chooser, any_order
from tests.play.turns import Game, begin_record, legal_orders_of
from tests.seats import NextRecord
from tests.signing import end
from tests.vectors import naive_chain

Condition = Callable[[NextRecord, int], object]
"""A test of a new draft, to which it may add orders, and the seed of its game."""

GAMES, LONGEST = 200, 120
REPLIES = (Block, Allow, Give, GiveFromReserve, GiveFromSiege, ShowHand)


def half_reckless(random: Random) -> Chooser:
    """Return a practice player that often gives a random legal order instead."""
    practice, reckless = PracticePlayer(random).choose, any_order(random)
    return lambda state: (reckless if random.random() < 0.3 else practice)(state)


def find_draft(
    condition: Condition,
    edition: str = DEFAULT_EDITION,
    *rules: str,
    home_support: str = "asked",
    players: Callable[[Random], Chooser] = half_reckless,
    first_seed: int = 0,
) -> tuple[NextRecord, int]:
    """Return the first draft that fulfils `condition`, and the seed of its game.

    The search begins at game `first_seed`, to save time.
    """
    for seed in range(first_seed, first_seed + GAMES):
        game = Game.of(seed, players, 2, home_support, edition, *rules)
        for match in game.matches(LONGEST):
            draft = begin_record(match, seed)
            if condition(draft, seed):
                return draft, seed
    raise AssertionError("no such position in these games")


def replay_from_file(written: Match) -> Match:
    """Return the match read from its file, after checking that it equals the written one.

    The second implementation, which knows no rules, has to accept the file too.
    """
    match = Match.replay(SaveFile.read(SaveFile(tuple(written.records)).write()).records)
    assert match.state.key() == written.state.key()
    assert (match.moves, match.dropped, match.follow_ups) == (
        written.moves,
        written.dropped,
        written.follow_ups,
    )
    naive_chain.check([record.to_plain() for record in match.records])
    return match


def next_proved_draft(draft: NextRecord, seed: int) -> NextRecord:
    """Return the next draft, begun from the verified file with this record."""
    end(draft)
    return begin_record(replay_from_file(draft.match), seed)


# --- orders and steps of a draft


def turn_state(draft: NextRecord, actions: int | None = None) -> State | None:
    state = draft.view()
    fits = state.awaiting[:2] == (Decision.TURN, draft.seat.side)
    return state if fits and actions in (None, state.actions_left) else None


def give_order(draft: NextRecord, *kinds: type[Order]) -> Order:
    """Give the first legal order of the first of these kinds that has one, and return it."""
    order = next(order for kind in kinds for order in legal_orders_of(draft, kind))
    draft.order(order)
    return order


def pass_turn(draft: NextRecord) -> NextRecord:
    """Pass and end the author's turn, if it has begun."""
    state = turn_state(draft)
    for order in [*[Pass()] * state.actions_left, End()] if state else ():
        draft.order(order)
    return draft


def step_kinds(draft: NextRecord) -> list[str]:
    return [step.kind for step in draft.steps]


def steps_from(draft: NextRecord, first: str) -> list[str]:
    parts = [step.order if isinstance(step, steps.OrderStep) else step.kind for step in draft.steps]
    return parts[parts.index(first) :]


def grants_of(draft: NextRecord) -> list[steps.Grant]:
    return [step for step in draft.steps if isinstance(step, steps.Grant)]


def pile_size(draft: NextRecord) -> int:
    """Return the number of cards in the author's draw pile."""
    return len(draft.match.decks[draft.seat.side].undrawn)
