"""The command `python -m benchmarks.balance`: its options, the run and the report."""

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

from benchmarks.balance.results import DamagedResultsError, MixedResultsError, Results, code, play
from benchmarks.balance.settings import Setting, settings
from benchmarks.balance.tables import (
    FewerGamesError,
    MissingMarksError,
    insert_tables,
    place,
    refuse_fewer,
    tables,
)
from benchmarks.matches import NAMES
from engine.house_rules import InvalidRulesError
from engine.players import STRENGTHS
from engine.ruleset import editions
from pbem.club.workers import cluster, processes, run_tasks
from pbem.errors import UsageError

INTERRUPTED = 130
"""The exit status after an interrupt from the keyboard."""


def main(arguments: Sequence[str]) -> int:
    """Play the missing games, report all games, and return the exit status."""
    options = _parse(arguments)
    try:
        chosen_settings = list(_settings(options))
        results = Results(options.results)
        tasks = [
            (setting, deal)
            for deal in range(options.seed, options.seed + options.games)
            for setting in chosen_settings
            if (setting, deal) not in results
        ]
        if options.markdown is not None:
            # Refuse an unsuitable page before playing any game.
            all_settings = [
                *(result.setting for result in results),
                *(setting for setting, _ in tasks),
            ]
            refuse_fewer(options.markdown.read_text("utf-8"), Counter(map(place, all_settings)))
        if tasks:
            results.refuse_others()
        status = _run(options, results, tasks) if tasks else 0
        lines = list(tables(results))
        print("\n".join(lines))
        if options.markdown is not None and not status:
            page = options.markdown.read_text("utf-8")
            options.markdown.write_text(insert_tables(page, lines), "utf-8")
    except (
        InvalidRulesError,
        DamagedResultsError,
        MixedResultsError,
        UsageError,
        MissingMarksError,
        FewerGamesError,
        OSError,
    ) as error:
        print(f"python -m benchmarks.balance: {error}", file=sys.stderr)
        return 2
    return status


def _run(options: Namespace, results: Results, tasks: Sequence[tuple[Setting, int]]) -> int:
    """Play the games, save each as soon as it is over, and return the exit status."""
    workers = cluster(options.cluster) if options.cluster else processes(options.processes)
    progress = Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    hint = (
        f"What was played is kept in {options.results}, and the same command goes on."
        if options.results
        else "Nothing is kept: with --results FILE the same command would go on."
    )
    try:
        with workers as executor, progress:
            for result in progress.track(run_tasks(executor, play, tasks), total=len(tasks)):
                if result.code != code():
                    raise MixedResultsError(
                        f"a worker plays by other code: {result.code}, here {code()}"
                    )
                results.add(result)
    except KeyboardInterrupt:
        print(f"Cut off. {hint}", file=sys.stderr)
        return INTERRUPTED
    except (BrokenProcessPool, CancelledError):
        print(f"The worker processes are gone. {hint}", file=sys.stderr)
        return 1
    return 0


def _settings(options: Namespace) -> list[Setting]:
    rules = None
    if options.rules is not None:
        rules = [tuple(ids.split(",")) for ids in options.rules if ids != "none"]
    names = (options.british or str(options.strength), options.french or str(options.strength))
    return list(settings(options.edition or editions(), rules, *names))


def _parse(arguments: Sequence[str]) -> Namespace:
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
