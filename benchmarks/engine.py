"""Random games in the engine: how many games, and how many orders, in a second.

Run it alone with `python -m benchmarks.engine`.
"""

from __future__ import annotations

from random import Random
from time import process_time

from engine.game import apply, legal_orders
from engine.simulation import Dealer
from engine.state import Decision, new_game

GAMES = 20
LAST_TURN = 200


def random_game(seed: int) -> tuple[int, int]:
    """Play random legal orders to the end or `LAST_TURN`; return how many orders and turns."""
    random = Random(seed)
    dealer = Dealer(random)
    state = new_game()
    dealer.deal(state)
    given = 0
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        apply(state, random.choice(legal_orders(state)))
        dealer.deal(state)
        given += 1
    return given, state.turn


def measure(games: int = GAMES) -> dict[str, float]:
    """Play that many random games; the figures by name, rates per second of processor time."""
    random_game(0)  # what is loaded and cached once does not count
    start = process_time()
    played = [random_game(seed) for seed in range(games)]
    seconds = process_time() - start
    orders, turns = sum(given for given, _ in played), sum(turn for _, turn in played)
    return {
        "games": games,
        "games_per_second": games / seconds,
        "orders_per_second": orders / seconds,
        "orders_per_game": orders / games,
        "turns_per_game": turns / games,
    }


def line(figures: dict[str, float]) -> str:
    """The figures in one line for people."""
    return (
        f"random games in the engine: {figures['games_per_second']:.1f} a second "
        f"({figures['orders_per_second']:.0f} orders a second, "
        f"{figures['orders_per_game']:.0f} orders and {figures['turns_per_game']:.0f} turns a game)"
    )


def main() -> None:
    print(line(measure()))


if __name__ == "__main__":
    main()
