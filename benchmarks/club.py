"""The audit of a club's games: `python -m benchmarks.club FOLDER [--games N]`.

Robots play the games into FOLDER, each with 1,024 lists; that is not timed, and continues after an
interruption. Beside one game in a hundred there is a fork, a damaged and a foreign file. Then the
audit is measured, as ratios: two processes against one, all games against audits of some inside a
process, a second run against the first, a Dask cluster of two workers against two processes, and
an audit against the hashing and the signatures in it. The exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from cProfile import Profile
from importlib import import_module
from math import nan
from multiprocessing import active_children
from pathlib import Path
from pstats import Stats
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any
from unittest.mock import patch

from benchmarks.timing import Claim, elapsed_time, run
from engine.sides import Side
from pbem.club.club_audit import AUDITING, read_games
from pbem.club.verdicts import Row
from pbem.play.audit import audit
from pbem.protocol import cache, deck, identity, record, table
from pbem.savefile.document import clear_parse_cache
from tests.play.correspondents import Correspondents

GAMES = 100
LISTS = 1024
EVERY = 100
"""The number of games with one fork, one damaged and one foreign file among them."""
SAMPLE = 20
"""The number of games that are audited inside a process, for comparison."""
TIMED = 200
"""The maximum number of games in a measurement of elapsed time, which other programs disturb."""
JOBS = 2
SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ": {"MALLOC_TRIM_THRESHOLD_": 2**27},
}
"""The settings of Dask that docs/club.md recommends."""
_PRIMITIVES = ("derive", "ed25519_verify", "tagged_hash", "tagged_hashes", "tagged_xof")


# --- games


def make_games(folder: Path, games: int) -> None:
    """Let robots play the missing games into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(games):
        if not (folder / f"{seed:05}.toml").exists():
            # The game itself comes last, so that nothing is missing beside it.
            for name, data in reversed([*_play(seed)]):
                part = folder / f".{name}"
                part.write_bytes(data)
                part.replace(folder / name)


def _play(seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a game of robots by name, the game itself first."""
    pair = Correspondents(Random(seed))
    game = middle = pair.join(pair.invite(Side.BRITISH, lists=LISTS))
    while game.match.next_side is not None:
        game = pair.answer(game)
        if len(game.match.records) == 20:
            middle = game
    yield f"{seed:05}.toml", game.save.write()
    match seed % EVERY:
        case 11:
            yield f"{seed:05}-fork.toml", pair.answer(middle).save.write()
        case 22:
            yield f"{seed:05}-damaged.toml", game.save.write()[:-3000]
        case 33:
            yield f"{seed:05}-foreign.toml", b'title = "Recipes"\n'


# --- measurements


def read(paths: Sequence[Path], **options: Any) -> list[Row]:
    """Return all rows."""
    return [*read_games(paths, **options)]


def measure(folder: Path, games: int) -> Iterator[Claim]:
    """Yield all claims about the first games in a folder."""
    paths = sorted(path for path in folder.glob("[0-9]*") if int(path.name[:5]) < games)
    whole = [path for path in paths if path.stem.isdecimal()]
    # First, because the peak of a new process contains the size of this one when it started.
    for part in (games // 10, games):
        memory = run(["-m", "benchmarks.club", str(folder), "--games", str(part), "--read"])
        yield Claim(f"memory with {part} games", memory, " MB", 300.0)
    yield from measure_one(whole[:: max(1, games // SAMPLE)])
    with TemporaryDirectory() as name:
        file = Path(name) / "verdicts.sqlite3"
        first, second = (_processor_time(read, paths, cache=file) for _ in range(2))
        sample = [path.read_bytes() for path in whole[:: max(1, games // SAMPLE)]]
        mean = sum(_processor_time(_audit, data) for data in sample) / len(sample)
        detail = f"{first:.1f} s for {games} games; an audit: {mean:.3f} s"
        yield Claim("all games / as many audits", first / (games * mean), "x", 1.15, detail)
        yield Claim("a second run / the first", second / first, "x", 0.02)
    paths = [path for path in paths if int(path.name[:5]) < TIMED]
    one = elapsed_time(lambda: read(paths))
    two = elapsed_time(lambda: read(paths, jobs=JOBS))
    yield Claim("two processes / one", two / one, "x", 1 / 1.8, f"{two:.1f} s / {one:.1f} s")
    yield measure_cluster(paths, two)
    yield measure_kill(paths)


def measure_one(paths: Sequence[Path]) -> Iterator[Claim]:
    """Yield the time of an audit against its hashing and signatures, with a profile of it."""
    deck.load_numpy()
    ratios, plain, shares = [], [], Counter[str]()
    for data in (path.read_bytes() for path in paths):
        calls = _calls(data)
        bare = min(_processor_time(_repeat, calls) for _ in range(3))
        whole = min(_processor_time(_audit, data) for _ in range(3))
        ratios.append(whole / bare)
        with patch.object(deck, "_numpy", None):
            plain.append(min(_processor_time(_audit, data) for _ in range(3)) / bare)
        profile = Profile()
        profile.runcall(_audit, data)
        for (file, _, name), (_, _, own, *_) in Stats(profile).stats.items():  # type: ignore[attr-defined]
            shares[_part(file, name)] += own
    total = sum(shares.values())
    detail = ", ".join(f"{part} {own / total:.0%}" for part, own in shares.most_common())
    yield Claim("an audit / its hashing and signatures", median(ratios), "x", 1.3, detail)
    yield Claim("the same without NumPy", median(plain), "x")


def _part(file: str, name: str) -> str:
    """Return the part of an audit to which a function belongs, for the profile."""
    if "tomllib" in file or "/savefile/" in file or file.endswith("schema.py"):
        return "TOML"
    if "/engine/" in file:
        return "engine"
    is_hash = any(word in name for word in ("digest", "sha256", "shake", "verify"))
    return "hashing" if is_hash or file.endswith(("primitives.py", "deck.py")) else "rest"


def _calls(data: bytes) -> list[Callable[[], object]]:
    """Return all calls of cryptographic functions in an audit without NumPy, to be repeated."""
    calls: list[Callable[[], object]] = []

    def recording(function: Callable[..., Any]) -> Callable[..., Any]:
        def record_call(*values: Any, **options: Any) -> Any:
            plain = [value if isinstance(value, bytes) else [*value] for value in values]
            values = tuple(plain) if function.__name__ == "tagged_hashes" else values
            calls.append(lambda: function(*values, **options))
            return function(*values, **options)

        return record_call

    with ExitStack() as stack:
        stack.enter_context(patch.object(deck, "_numpy", None))
        for module in (cache, deck, identity, record, table):
            for name in _PRIMITIVES:
                if function := getattr(module, name, None):
                    stack.enter_context(patch.object(module, name, recording(function)))
        _audit(data)
    return calls


def _repeat(calls: Sequence[Callable[[], object]]) -> None:
    for call in calls:
        call()


def _audit(data: bytes) -> None:
    """Audit a file as for the first time in a process that has audited others."""
    clear_parse_cache()
    deck._subtree_hashes.cache_clear()
    audit(data)


def measure_cluster(paths: Sequence[Path], two: float) -> Claim:
    """Return the time on a local Dask cluster against that of two processes, if it is installed."""
    name = "a cluster / two processes"
    try:
        dask, distributed = map(import_module, ("dask", "distributed"))
    except ImportError:
        return Claim(name, nan, "x", detail="not measured: pip install 'acres-pbem[cluster]'")
    options: Any = {"threads_per_worker": 1, "dashboard_address": None}
    with dask.config.set(SETTINGS), distributed.LocalCluster(JOBS, **options) as workers:
        address = workers.scheduler_address
        elapsed = elapsed_time(lambda: read(paths, cluster_address=address))
    return Claim(name, elapsed / two, "x", 1.1, f"{elapsed:.1f} s")


def measure_kill(paths: Sequence[Path]) -> Claim:
    """Return the number of verdicts that are lost when a worker is killed in the middle."""
    audits = Counter[str]()

    def kill(stage: str, done: int, total: int | None) -> None:
        audits[stage] += 1
        if stage == AUDITING and total and done == total // 2 and not audits["killed"]:
            audits["killed"] += 1
            pid = active_children()[0].pid
            assert pid is not None
            os.kill(pid, signal.SIGTERM)

    whole = read(paths, jobs=JOBS, progress=kill)
    lost = sum(one != other for one, other in zip(read(paths), whole, strict=True))
    detail = f"{audits[AUDITING]} verdicts"
    return Claim("verdicts lost with a killed worker", lost, "", 0.5, detail)


def _processor_time(action: Callable[..., object], *values: Any, **options: Any) -> float:
    start = process_time()
    action(*values, **options)
    return process_time() - start


def main(arguments: Sequence[str]) -> int:
    """Make the games, print the claims, and return the exit status."""
    parser = ArgumentParser("python -m benchmarks.club", description="Measure a club's audit.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"({GAMES})")
    parser.add_argument("--make", action="store_true", help="only let robots play the games")
    parser.add_argument("--read", action="store_true", help="only read the games, in one process")
    options = parser.parse_args(arguments)
    make_games(options.folder, options.games)
    if options.make:
        return 0
    if options.read:
        read([p for p in options.folder.glob("[0-9]*") if int(p.name[:5]) < options.games])
        return 0
    holds = True
    for claim in measure(options.folder, options.games):
        print(claim, flush=True)
        holds = holds and claim.holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
