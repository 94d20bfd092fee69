"""Files exchanged per turn, counted over practice games: `python -m benchmarks.files [GAMES]`.

The same games in four settings: follow-ups off and on, the cards of Home Support asked for and
named ahead. All files count, the invitation and the closes too. Fewer than one a turn there cannot
be, as each side signs its own turns. With the usual 200 games a setting it takes about two minutes
on two cores; `python -m benchmarks` counts a few of them. The exit status is 1 where a bound does
not hold.
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
"""K does not change how many files there are, only how long each takes."""


class Setting(NamedTuple):
    """What the two players agreed on, and whether they order on before the other has answered."""

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
    """Play one game; how many turns and files it took, and what its turns waited for."""
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
    """What the turn in the last record waits for, if it does."""
    waits = match.is_interrupted(Side(match.last.side))
    return [INTERRUPTIONS[match.state.awaiting.decision]] if waits else []


def measure(games: int = GAMES) -> Iterator[tuple[Claim, Counter[str]]]:
    """For each setting the files a turn, and all that was counted."""
    with Pool() as pool:
        for setting in SETTINGS:
            counted = pool.starmap(count, [(setting, seed) for seed in range(games)], chunksize=4)
            counts = sum(counted, Counter[str]())
            value = counts["files"] / counts["turns"]
            detail = f"{games} games; lower bound {LOWER_BOUND:g}"
            claim = Claim(f"files a turn ({setting})", value, "", BOUNDS.get(setting), detail)
            yield claim, counts


def main(games: int) -> int:
    """Print the claims, then what was counted; return the exit status."""
    rows, held = [], True
    for setting, (claim, counts) in zip(SETTINGS, measure(games), strict=True):
        print(claim, flush=True)
        rows.append(_row(str(setting), [counts[name] for name in COLUMNS]))
        held = held and claim.holds
    print("", _row("", COLUMNS), *rows, sep="\n")
    return 0 if held else 1


def _row(name: str, cells: Iterable[object]) -> str:
    return f"{name:<22}" + "".join(f"{cell:>13}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
