"""The command `python -m benchmarks.balance`: what is asked for, the run, what is told of it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.balance.results import Damaged, Mixed, Results, code, play
from benchmarks.balance.settings import Setting, settings
from benchmarks.balance.tables import Fewer, NoPlace, into_page, place, refuse_fewer, tables
from benchmarks.matches import NAMES
from benchmarks.workers import NoCluster, cluster, done, processes
from engine.house_rules import UnknownRules
from engine.players import STRENGTHS
from engine.ruleset import editions

INTERRUPTED = 130
"""The exit status of what was cut off by a signal from the keyboard."""


def main(arguments: Sequence[str]) -> int:
    """Play what is not there yet, and tell of all that is; return the exit status."""
    given = _given(arguments)
    try:
        chosen = list(_settings(given))
        results = Results(given.results)
        tasks = [
            (setting, deal)
            for deal in range(given.seed, given.seed + given.games)
            for setting in chosen
            if (setting, deal) not in results
        ]
        if given.markdown is not None:
            # What is no page for it, or has more, is found before anything is played.
            there = [*(result.setting for result in results), *(setting for setting, _ in tasks)]
            refuse_fewer(given.markdown.read_text("utf-8"), Counter(map(place, there)))
        if tasks:
            results.refuse_others()
        status = _run(given, results, tasks) if tasks else 0
        lines = list(tables(results))
        print("\n".join(lines))
        if given.markdown is not None and not status:
            page = given.markdown.read_text("utf-8")
            given.markdown.write_text(into_page(page, lines), "utf-8")
    except (UnknownRules, Damaged, Mixed, NoCluster, NoPlace, Fewer, OSError) as error:
        print(f"python -m benchmarks.balance: {error}", file=sys.stderr)
        return 2
    return status


def _run(given: Namespace, results: Results, tasks: Sequence[tuple[Setting, int]]) -> int:
    """Play; every game is kept as soon as it is over."""
    workers = cluster(given.cluster) if given.cluster else processes(given.processes)
    shown = Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    kept = (
        f"What was played is kept in {given.results}, and the same command goes on."
        if given.results
        else "Nothing is kept: with --results FILE the same command would go on."
    )
    try:
        with workers as executor, shown:
            for result in shown.track(done(executor, play, tasks), total=len(tasks)):
                if result.code != code():
                    raise Mixed(f"a worker plays by other code: {result.code}, here {code()}")
                results.add(result)
    except KeyboardInterrupt:
        print(f"Cut off. {kept}", file=sys.stderr)
        return INTERRUPTED
    except (BrokenProcessPool, CancelledError):
        print(f"The worker processes are gone. {kept}", file=sys.stderr)
        return 1
    return 0


def _settings(given: Namespace) -> list[Setting]:
    rules = None
    if given.rules is not None:
        rules = [tuple(ids.split(",")) for ids in given.rules if ids != "none"]
    names = (given.british or str(given.strength), given.french or str(given.strength))
    return list(settings(given.edition or editions(), rules, *names))


def _given(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(
        "python -m benchmarks.balance",
        description="Measure how even the sides are, by edition and house rule.",
        epilog="On a cluster every worker runs from this clone: pip install -e '.[cluster]' there, "
        "and `dask worker tcp://host:8786 --nthreads 1 --nworkers auto`.",
    )
    add = parser.add_argument
    add(
        "--games",
        type=int,
        default=200,
        metavar="N",
        help="of each setting (200); 0 to be told only",
    )
    add("--edition", action="append", choices=[*editions()], help="again for more; all, if none")
    add(
        "--rules",
        action="append",
        metavar="ID[,ID]",
        help="house rules played together, beside the edition as printed; again for more; `none` "
        "for no others; every house rule by itself, if not given",
    )
    add("--strength", type=int, choices=sorted(STRENGTHS), default=2, help="of both sides (2)")
    add("--british", choices=NAMES, metavar="NAME", help="who plays the British, if another")
    add("--french", choices=NAMES, metavar="NAME", help="who plays the French, if another")
    add("--processes", type=int, metavar="P", help="how many at once; one a core, if not given")
    add("--cluster", metavar="ADDRESS", help="play on the Dask cluster of this scheduler instead")
    add("--seed", type=int, default=0, metavar="S", help="the first deal (0); the others follow it")
    add("--results", type=Path, metavar="FILE", help="keep every game there, and go on from it")
    add(
        "--markdown",
        type=Path,
        metavar="PAGE",
        help="write the tables into this page, too, unless one there has more games",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
