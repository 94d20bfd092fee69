"""Random games in the engine: how many games, and how many orders, in a second.

Run it alone with `python -m benchmarks.engine`. With `--against COMMIT` the engine of that commit
of this repository and the present one play in turn, by the same seeds, in all editions and with
house rules: how many times as long each took for an order. Random games have to be the same, order
by order, but for those in which a ruling shows that has changed; the practice player has learnt
since, and its games are compared by the order alone.
"""

from __future__ import annotations

import json
import sys
import tarfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from random import Random
from subprocess import PIPE, CalledProcessError, Popen, run
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Self

from benchmarks.timing import Claim
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


# --- against an older engine

BEFORE = "05b3592"
"""The commit with the engine that listed orders by proposing and refusing them."""
BOUNDS = {"random": 1 / 3, "practice": 1 / 2.5, "drawn": 1 / 5}
"""What an order may take in the present engine, of what it took in that one.

An order that is drawn takes part of the time of one chosen from a list of all. Games a second are
told beside it: those of practice are other games than they were, of another length.
"""
MOST_OTHERS = 0.25
"""The share of random games that may be other ones: those in which a ruling shows that was changed.

Since that commit nobody raids a besieged location in the second edition, and its siege track ends.
"""
ROOT = Path(__file__).parent.parent


class Engine:
    """The engine that lies in a folder, in a process that plays games with it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-P", str(Path(__file__).with_name("played.py"))]
        self._process = Popen(
            command, stdin=PIPE, stdout=PIPE, text=True, env={"PYTHONPATH": str(folder)}
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def play(self, what: str, number: int, *, digested: bool = False) -> dict[str, Any]:
        """What is told of a game that it plays: `benchmarks.played.answer`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what} {number} {'yes' if digested else 'no'}\n")
        self._process.stdin.flush()
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told


def unpack(commit: str, folder: Path, packages: Sequence[str] = ("engine",)) -> None:
    """Write packages of a commit to a folder; CalledProcessError for what is not known."""
    command = ["git", "archive", commit, *packages]
    archive = run(command, cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")


def against(commit: str = BEFORE, games: int = GAMES) -> Iterator[Claim]:
    """Games of both engines in turn, as ratios of the present one to that of a commit.

    Raises ValueError where too many random games are other ones; CalledProcessError where there is
    no such commit.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        unpack(commit, folder)
        base, ours = (stack.enter_context(Engine(each)) for each in (folder, ROOT))
        for what, bound in BOUNDS.items():
            yield _in_turn(ours, base, what, games, Claim(_CLAIMS[what], 0.0, "x", bound))


_CLAIMS = {
    "random": "an order of a random game / of an older engine",
    "practice": "an order of practice / of an older engine",
    "drawn": "an order drawn / chosen in an older engine",
}


def _in_turn(ours: Engine, base: Engine, what: str, games: int, claim: Claim) -> Claim:
    listed = "random" if what == "drawn" else what
    ours.play(what, 0), base.play(listed, 0)  # what is loaded once does not count
    seconds, orders, others = [0.0, 0.0], [0, 0], 0
    for number in range(games):
        told = ours.play(what, number, digested=True), base.play(listed, number, digested=True)
        others += told[0]["digest"] != told[1]["digest"]
        for engine, each in enumerate(told):
            seconds[engine] += each["seconds"]
            orders[engine] += each["orders"]
    took = [1e6 * seconds[engine] / orders[engine] for engine in (0, 1)]
    rates = [games / seconds[engine] for engine in (0, 1)]
    detail = (
        f"{took[0]:.0f} µs / {took[1]:.0f} µs, {took[1] / took[0]:.2f} times as fast; "
        f"{rates[0]:.1f} and {rates[1]:.1f} games a second, {rates[0] / rates[1]:.2f} times"
    )
    if others > games * MOST_OTHERS and what == "random":
        raise ValueError(f"{others} of {games} random games are other ones in the older engine")
    if others:
        detail += f"; {others} of {games} are other games"
    return Claim(claim.what, took[0] / took[1], claim.unit, claim.bound, detail)


def main(arguments: list[str]) -> int:
    """Print the figures, or the claims against a commit; return the exit status."""
    parser = ArgumentParser("python -m benchmarks.engine", description="Measure random games.")
    parser.add_argument("--against", metavar="COMMIT", help=f"an older engine, such as {BEFORE}")
    parser.add_argument("--games", type=int, default=GAMES, help="so many of each kind")
    given = parser.parse_args(arguments)
    if given.against is None:
        print(line(measure(given.games)))
        return 0
    try:
        claims = []
        for claim in against(given.against, given.games):
            print(claim, flush=True)
            claims.append(claim)
    except CalledProcessError as error:
        print(error.stderr.decode().strip(), file=sys.stderr)
        return 1
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0 if all(claim.holds for claim in claims) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
