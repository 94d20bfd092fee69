"""A turn that is forecast to need one file needs one after any answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from unittest.mock import Mock

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Ambush, Besiege, Convert, HomeSupport, Pass, Raid, Take, Withdraw
from engine.players.practice import PracticePlayer
from engine.ruleset import HOMES
from engine.sides import Side
from engine.state import State
from pbem.play.game_file import GameFile
from pbem.play.turn import Forecaster, Turn, TurnForecast
from tests.engine.house_rule_positions import A_FEW, random_rules
from tests.play.correspondents import Correspondents
from tests.signing import finish

SAMPLE, GAMES = 3, 12
LONGEST = 150
ONE_FILE = (1, 1)
FOR_AN_ANSWER = (Raid, Ambush, Convert, HomeSupport)


class Player:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._practice = PracticePlayer(random)

    def take_turn(self, answer: Turn) -> None:
        """Give orders until the turn is complete or no more follow-ups are wise."""
        orders_ahead = self._random.random() < 0.8
        while not answer.is_complete or (answer.may_follow_up and orders_ahead):
            likely = answer.worlds[0].awaiting
            worlds = [world for world in answer.worlds if world.awaiting == likely]
            given_up = {order.location for order in answer.orders if isinstance(order, Withdraw)}
            answer.order(self._choose(self._random.choice(worlds), given_up))
        answer.end_turn()

    def _choose(self, state: State, given_up: set[str | None]) -> Order:
        legal, random = legal_orders(state), self._random
        for likelihood, chosen in (
            (0.9, [o for o in legal if o.location in given_up and o.location is not None]),
            (0.8, [o for o in legal if isinstance(o, Withdraw) and _gives_up(state, o)]),
            (0.7, [o for o in legal if isinstance(o, Besiege)]),
            (0.4, [o for o in legal if isinstance(o, FOR_AN_ANSWER)]),
        ):
            if chosen and random.random() < likelihood:
                return random.choice(chosen)
        if random.random() < 0.5:
            return self._practice.choose(state)
        verb = random.choice(sorted({order.verb for order in legal}))
        return random.choice([order for order in legal if order.verb == verb])


def _gives_up(state: State, order: Withdraw) -> bool:
    own = state.owner(order.target) is state.active
    return own and order.target not in HOMES[state.active]


def any_rules(random: Random) -> dict[str, object]:
    """Return a random edition and a few compatible house rules."""
    rules = random_rules(random, random.random() * A_FEW)
    return {"edition": rules.edition, "house_rules": rules.house_rules}


def promises_kept(seed: int) -> Counter[str]:
    random = Random(f"promises {seed}")
    pair, player = Correspondents(random), Player(random)
    options = {"lists": 2, "home_support": random.choice(["asked", "ahead"]), **any_rules(random)}
    game = pair.join(pair.invite(random.choice(list(Side)), **options))  # type: ignore[arg-type]
    promises: Counter[str] = Counter()
    promised: tuple[TurnForecast, int] | None = None
    while not game.match.is_over and len(game.match.records) < LONGEST:
        side, before = game.match.next_side, game.match
        assert side is not None
        answer = Turn.of(game, pair.identities[side], pair.advance_clock())
        player.take_turn(answer)
        course = answer.forecast
        match, save = finish(answer, pair.identities[side])
        game = GameFile(save, match)
        if promised is not None and not game.match.is_over:
            course_before, turn = promised
            # The answering record has carried out the rest of the turn.
            assert game.match.dropped == before.dropped
            assert game.match.state.turn > turn
            promises.update(order.verb for order in course_before.interruptions)
        promised = None
        if answer._forecaster is not None and course is not None and course.files == ONE_FILE:
            promised = course, answer._forecaster.view.turn
    return promises


@pytest.mark.slow
@pytest.mark.parametrize("games", [SAMPLE, pytest.param(GAMES, marks=pytest.mark.long)])
def test_forecast_of_one_file_is_kept(games: int) -> None:
    promises: Counter[str] = Counter()
    for seed in range(GAMES - games, GAMES):
        try:
            promises += promises_kept(seed)
        except Exception as error:
            error.add_note(f"the game with seed {seed}")
            raise
    assert min(promises[kind.verb] for kind in (Withdraw, *FOR_AN_ANSWER)) > 20 * games / GAMES


@pytest.mark.parametrize(
    ("others", "better"),
    [([(1, 2)], None), ([(2, 2), (1, 2), ONE_FILE], 2), ([ONE_FILE, ONE_FILE], 0), ([], None)],
)
def test_another_sequence_is_proposed_only_if_it_needs_one_file(
    others: list[tuple[int, int]], better: int | None
) -> None:
    """A sequence that needs fewer files only after some answers is not proposed."""
    orders_given = (Take(cards=("boston",)), Take(cards=("pemaquid",)), Pass())
    tried: list[tuple[Order, ...]] = []

    class Trial(Forecaster):
        def forecast(self, orders: Sequence[Order]) -> TurnForecast:
            tried.append(tuple(orders))
            place = len(tried) - 2
            course = Mock(spec=TurnForecast)
            course.files = others[place] if 0 <= place < len(others) else (2, 2)
            return course

    proposed = Trial(Mock(), Mock(), Mock()).find_better(orders_given)
    assert tried[0] == orders_given
    assert proposed == (None if better is None else tried[better + 1])
