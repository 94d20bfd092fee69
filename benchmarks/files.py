"""Files exchanged per turn, counted over practice games: `python -m benchmarks.files [GAMES]`.

The same games are played in four settings: with and without follow-ups, and with the cards of Home
Support requested or named ahead. All files count, including the invitation and the closes. Each
side signs its own turns, so at least one file per turn is needed. The usual 200 games per setting
take about two minutes on two cores; `python -m benchmarks` counts a few. The exit status is 1 if a
bound is missed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from multiprocessing import Pool
from random import Random
from typing import NamedTuple

from benchmarks.timing import Claim
from engine.sides import Side
from engine.state import Decision
from pbem.play.robot import usually_follows_up
from pbem.protocol.match import Match
from tests.play.correspondents import Correspondents, never_follows_up

GAMES = 200
LISTS = 2
"""The number of lists in a shuffle, which does not change the number of files."""


class Setting(NamedTuple):
    """The rule for Home Support, and True if players give orders before a reply."""

    home_support: str
    follow_ups: bool

    def __str__(self) -> str:
        return f"{self.home_support}, follow-ups {'on' if self.follow_ups else 'off'}"


BOUNDS = {Setting("asked", True): 1.45, Setting("ahead", True): 1.15}
LOWER_BOUND = 1.0
SETTINGS = [Setting(*choice) for choice in product(("asked", "ahead"), (False, True))]
INTERRUPTIONS = {
    Decision.RAID_REPLY: "raid",
    Decision.AMBUSH_REPLY: "ambush",
    Decision.CONVERSION_REPLY: "conversion",
    Decision.WITHDRAWAL_SPOILS: "withdrawal",
    Decision.DRAW: "home support",
}
COLUMNS = ("games", "turns", "files", "dropped", *INTERRUPTIONS.values())


def count(setting: Setting, seed: int) -> Counter[str]:
    """Play a game. Return the numbers of its turns, files and interruptions."""
    habit = usually_follows_up if setting.follow_ups else never_follows_up
    pair = Correspondents(Random(seed), habit)
    game = pair.join(pair.invite(Side.BRITISH, lists=LISTS, home_support=setting.home_support))
    counts: Counter[str] = Counter(games=1)
    while game.match.next_side is not None:
        game = pair.answer(game)
        counts.update(_interruption(game.match))
    match = game.match
    counts.update(turns=match.turn, files=len(match.records), dropped=len(match.dropped))
    return counts


def _interruption(match: Match) -> list[str]:
    """Return the reply for which the turn in the last record waits, if any."""
    awaited = match.is_interrupted(Side(match.last.side))
    return [INTERRUPTIONS[match.state.awaiting.decision]] if awaited else []


def measure(games: int = GAMES) -> Iterator[tuple[Claim, Counter[str]]]:
    """Yield the files per turn in each setting, with all counts."""
    with Pool() as pool:
        for setting in SETTINGS:
            counts_per_seed = pool.starmap(
                count, [(setting, seed) for seed in range(games)], chunksize=4
            )
            counts = sum(counts_per_seed, Counter[str]())
            value = counts["files"] / counts["turns"]
            detail = f"{games} games; lower bound {LOWER_BOUND:g}"
            claim = Claim(f"files a turn ({setting})", value, "", BOUNDS.get(setting), detail)
            yield claim, counts


def main(games: int) -> int:
    """Print the claims and the counts, and return the exit status."""
    rows, holds = [], True
    for setting, (claim, counts) in zip(SETTINGS, measure(games), strict=True):
        print(claim, flush=True)
        rows.append(_row(str(setting), [counts[name] for name in COLUMNS]))
        holds = holds and claim.holds
    print("", _row("", COLUMNS), *rows, sep="\n")
    return 0 if holds else 1


def _row(name: str, cells: Iterable[object]) -> str:
    return f"{name:<22}" + "".join(f"{cell:>13}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
