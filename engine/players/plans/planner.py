"""The player that follows a plan from any position, and the greedy player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from engine import orders
from engine.game import apply, is_legal, legal_orders
from engine.order import Order
from engine.players.plans.plan import Plan, PlanView, discard, play_home_support, send_leader
from engine.position import score
from engine.sides import Side
from engine.state import Decision, State


class Planner:
    """Follows the plan of the awaited side, without memory between orders."""

    def __init__(self, plans: Mapping[Side, Plan]) -> None:
        self.plans = plans

    def choose(self, state: State) -> Order:
        """Return a legal order for the awaited player; see `Player.choose`."""
        decision = state.awaiting.decision
        if decision.is_chance or decision is Decision.OVER:
            raise ValueError(f"no player decides now: {decision}")
        view, plan = PlanView(state), self.plans[state.awaiting.side]
        if decision is Decision.TURN:
            return next(order for order in _turn(view, plan) if is_legal(state, order))
        ranks = {kind: rank for rank, kind in enumerate(_ANSWER_KINDS)}
        answers = (order for order in legal_orders(state) if type(order) in ranks)
        return min(answers, key=lambda o: (ranks[type(o)], _cost(view, plan, o), o.notation()))


def _turn(view: PlanView, plan: Plan) -> Iterator[Order]:
    """Yield the orders of the plan in this turn, best first; the last is always legal."""
    yield from send_leader(view, plan)
    if not view.state.actions_left:
        yield orders.End()
    yield from play_home_support(view, plan)
    for step in plan.steps:
        yield from step(view, plan)
    yield from discard(view, plan)
    yield orders.Pass()


_ANSWER_KINDS = (
    orders.Start,
    orders.Relieve,
    orders.Occupy,
    orders.Leave,
    orders.Block,
    orders.Allow,
    orders.GiveFromReserve,
    orders.Give,
    orders.GiveFromSiege,
    orders.ShowHand,
    orders.Lose,
    orders.Keep,
    orders.Forfeit,
)
"""The kinds of answer in order of preference."""


def _cost(view: PlanView, plan: Plan, order: Order) -> tuple[tuple[int, str], ...]:
    """Return the sort key of an answer among those of its kind: the cheapest cards come first."""
    if isinstance(order, orders.Start):
        rank = plan.drafts.index(order.card) if order.card in plan.drafts else len(plan.drafts)
        return ((rank, order.card),)
    return tuple(view.sort_key(card) for card in order.cards)


# --- the greedy player


ENOUGH_MONEY = 8
"""The amount of money above which more money has no value for the player."""


class GreedyPlayer:
    """Takes the order with the most points, then money, at once; chance breaks ties."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, state: State) -> Order:
        """Return a legal order for the awaited player; see `Player.choose`."""
        options = legal_orders(state, ignoring=(orders.Withdraw, orders.Pass))
        if not options:  # nothing in hand, nothing to buy
            options = legal_orders(state)
        if not options:
            raise ValueError(f"no player decides now: {state.awaiting.decision}")
        values = [(_gain(state, order), self.random.random(), order) for order in options]
        return max(values, key=lambda value: value[:2])[2]


def _gain(state: State, order: Order) -> tuple[int, int]:
    """Return the points and the money that an order brings."""
    side = state.awaiting.side
    after = state.copy()
    apply(after, order)
    points = score(after, side).total - score(after, side.opponent).total
    return points, min(after.players[side].money, ENOUGH_MONEY)
