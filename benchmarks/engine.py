"""Random games in the engine: games and orders per second.

Run it alone with `python -m benchmarks.engine`. With `--against COMMIT` the engine of that commit
and the present one play in turn with the same seeds, in all editions and with house rules, and the
times per order are compared. Random games must be equal order by order, except games affected by a
changed ruling. The practice player has changed since, so its games are compared by time only.
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
    """Play random orders to the end or `LAST_TURN`. Return the numbers of orders and turns."""
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
    """Play random games. Return figures by name, with rates per second of processor time."""
    random_game(0)  # This loads modules and fills caches, which do not count.
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


def summary(figures: dict[str, float]) -> str:
    """Return the figures as a readable line."""
    return (
        f"random games in the engine: {figures['games_per_second']:.1f} a second "
        f"({figures['orders_per_second']:.0f} orders a second, "
        f"{figures['orders_per_game']:.0f} orders and {figures['turns_per_game']:.0f} turns a game)"
    )


# --- against an older engine

BASE_COMMIT = "05b3592"
"""The commit of an older engine, which listed orders by proposing and refusing them."""
BOUNDS = {"random": 1 / 3, "practice": 1 / 2.5, "drawn": 1 / 5}
"""The bounds of the time for an order, as a share of the time in that engine.

"drawn" compares an order drawn at random with one chosen from a list of all. The games of the
practice player have changed since that commit.
"""
MAX_CHANGED_SHARE = 0.25
"""The maximum share of random games that may differ because of changed rulings.

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
        """Play a game and return its report from `benchmarks.engine_worker.report`."""
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
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")


def compare_with(commit: str = BASE_COMMIT, games: int = GAMES) -> Iterator[Claim]:
    """Yield the ratios of the times of the present engine and the engine of a commit.

    Raises ValueError if too many random games differ, CalledProcessError for an unknown commit.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        unpack(commit, folder)
        base, ours = (stack.enter_context(Engine(path)) for path in (folder, ROOT))
        for kind, bound in BOUNDS.items():
            yield _compare_kind(ours, base, kind, games, Claim(_CLAIMS[kind], 0.0, "x", bound))


_CLAIMS = {
    "random": "an order of a random game / of an older engine",
    "practice": "an order of practice / of an older engine",
    "drawn": "an order drawn / chosen in an older engine",
}


def _compare_kind(ours: Engine, base: Engine, kind: str, games: int, claim: Claim) -> Claim:
    base_kind = "random" if kind == "drawn" else kind
    ours.play(kind, 0), base.play(base_kind, 0)  # This loads modules, which does not count.
    seconds, orders, changed = [0.0, 0.0], [0, 0], 0
    for number in range(games):
        reports = [
            player.play(name, number, with_digest=True)
            for player, name in ((ours, kind), (base, base_kind))
        ]
        changed += reports[0]["digest"] != reports[1]["digest"]
        for engine, report in enumerate(reports):
            seconds[engine] += report["seconds"]
            orders[engine] += report["orders"]
    times = [1e6 * seconds[engine] / orders[engine] for engine in (0, 1)]
    rates = [games / seconds[engine] for engine in (0, 1)]
    detail = (
        f"{times[0]:.0f} µs / {times[1]:.0f} µs, {times[1] / times[0]:.2f} times as fast; "
        f"{rates[0]:.1f} and {rates[1]:.1f} games a second, {rates[0] / rates[1]:.2f} times"
    )
    if changed > games * MAX_CHANGED_SHARE and kind == "random":
        raise ValueError(f"{changed} of {games} random games are other ones in the older engine")
    if changed:
        detail += f"; {changed} of {games} are other games"
    return Claim(claim.name, times[0] / times[1], claim.unit, claim.bound, detail)


def main(arguments: list[str]) -> int:
    """Print the figures, or the claims against a commit, and return the exit status."""
    parser = ArgumentParser("python -m benchmarks.engine", description="Measure random games.")
    parser.add_argument(
        "--against", metavar="COMMIT", help=f"an older engine, such as {BASE_COMMIT}"
    )
    parser.add_argument("--games", type=int, default=GAMES, help="so many of each kind")
    options = parser.parse_args(arguments)
    if options.against is None:
        print(summary(measure(options.games)))
        return 0
    try:
        claims = []
        for claim in compare_with(options.against, options.games):
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
