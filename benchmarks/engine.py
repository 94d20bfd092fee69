"""Random games in the engine: games and orders per second.

Run it alone with `python -m benchmarks.engine`. With `--against COMMIT` the engine of that commit
and the present one play in turn with the same seeds, in all editions and with house rules, and the
times per order are compared. Random games must be equal order by order, except those affected by a
changed ruling; the practice player has changed since, so its games are compared by time only.
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
    """Play random legal orders to the end or `LAST_TURN`; return the counts of orders and turns."""
    random = Random(seed)
    dealer = Dealer(random)
    state = new_game()
    dealer.deal(state)
    count = 0
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        apply(state, random.choice(legal_orders(state)))
        dealer.deal(state)
        count += 1
    return count, state.turn


def measure(games: int = GAMES) -> dict[str, float]:
    """Play random games; return the figures by name, with rates per second of processor time."""
    random_game(0)  # loading and caching do not count
    start = process_time()
    counts = [random_game(seed) for seed in range(games)]
    seconds = process_time() - start
    orders, turns = sum(order for order, _ in counts), sum(turn for _, turn in counts)
    return {
        "games": games,
        "games_per_second": games / seconds,
        "orders_per_second": orders / seconds,
        "orders_per_game": orders / games,
        "turns_per_game": turns / games,
    }


def line(figures: dict[str, float]) -> str:
    """Return the figures in one line for people."""
    return (
        f"random games in the engine: {figures['games_per_second']:.1f} a second "
        f"({figures['orders_per_second']:.0f} orders a second, "
        f"{figures['orders_per_game']:.0f} orders and {figures['turns_per_game']:.0f} turns a game)"
    )


# --- against an older engine

BEFORE = "05b3592"
"""The commit of an engine that listed orders by proposing and refusing them."""
BOUNDS = {"random": 1 / 3, "practice": 1 / 2.5, "drawn": 1 / 5}
"""The bounds of the time for an order, as a share of the time in that engine.

"drawn" compares an order drawn at random with one chosen from a list of all. The games of the
practice player have changed since that commit.
"""
MAX_OTHERS = 0.25
"""The share of random games that may differ because of changed rulings.

Since that commit raids on besieged locations are illegal in the second edition, and its siege track
ends.
"""
ROOT = Path(__file__).parent.parent


class Engine:
    """The engine in a folder, in a process that plays games with it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-P", str(Path(__file__).with_name("engine_worker.py"))]
        self._process = Popen(
            command, stdin=PIPE, stdout=PIPE, text=True, env={"PYTHONPATH": str(folder)}
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def play(self, kind: str, number: int, *, with_digest: bool = False) -> dict[str, Any]:
        """Return the report of a game that it plays: `benchmarks.engine_worker.report`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{kind} {number} {'yes' if with_digest else 'no'}\n")
        self._process.stdin.flush()
        report: dict[str, Any] = json.loads(self._process.stdout.readline())
        return report


def unpack(commit: str, folder: Path, packages: Sequence[str] = ("engine",)) -> None:
    """Write packages of a commit to a folder. Raises CalledProcessError for an unknown one."""
    command = ["git", "archive", commit, *packages]
    archive = run(command, cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")


def against(commit: str = BEFORE, games: int = GAMES) -> Iterator[Claim]:
    """Yield the ratios of the times of the present engine and that of a commit, playing in turn.

    Raises ValueError if too many random games differ; CalledProcessError for an unknown commit.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        unpack(commit, folder)
        base, ours = (stack.enter_context(Engine(path)) for path in (folder, ROOT))
        for kind, bound in BOUNDS.items():
            yield _in_turn(ours, base, kind, games, Claim(_CLAIMS[kind], 0.0, "x", bound))


_CLAIMS = {
    "random": "an order of a random game / of an older engine",
    "practice": "an order of practice / of an older engine",
    "drawn": "an order drawn / chosen in an older engine",
}


def _in_turn(ours: Engine, base: Engine, kind: str, games: int, claim: Claim) -> Claim:
    base_kind = "random" if kind == "drawn" else kind
    ours.play(kind, 0), base.play(base_kind, 0)  # loading does not count
    seconds, orders, others = [0.0, 0.0], [0, 0], 0
    for number in range(games):
        reports = [
            player.play(name, number, with_digest=True)
            for player, name in ((ours, kind), (base, base_kind))
        ]
        others += reports[0]["digest"] != reports[1]["digest"]
        for engine, report in enumerate(reports):
            seconds[engine] += report["seconds"]
            orders[engine] += report["orders"]
    took = [1e6 * seconds[engine] / orders[engine] for engine in (0, 1)]
    rates = [games / seconds[engine] for engine in (0, 1)]
    detail = (
        f"{took[0]:.0f} µs / {took[1]:.0f} µs, {took[1] / took[0]:.2f} times as fast; "
        f"{rates[0]:.1f} and {rates[1]:.1f} games a second, {rates[0] / rates[1]:.2f} times"
    )
    if others > games * MAX_OTHERS and kind == "random":
        raise ValueError(f"{others} of {games} random games are other ones in the older engine")
    if others:
        detail += f"; {others} of {games} are other games"
    return Claim(claim.name, took[0] / took[1], claim.unit, claim.bound, detail)


def main(arguments: list[str]) -> int:
    """Print the figures, or the claims against a commit; return the exit status."""
    parser = ArgumentParser("python -m benchmarks.engine", description="Measure random games.")
    parser.add_argument("--against", metavar="COMMIT", help=f"an older engine, such as {BEFORE}")
    parser.add_argument("--games", type=int, default=GAMES, help="so many of each kind")
    options = parser.parse_args(arguments)
    if options.against is None:
        print(line(measure(options.games)))
        return 0
    try:
        claims = []
        for claim in against(options.against, options.games):
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
