"""The players against one another: `python -m benchmarks.players [--players A,B] [--games N]`.

Who they are: the strengths by their numbers, and the pool by name (`engine.players.plans`). Games
go in pairs that begin with the same deals, sides swapped, unless `--side` gives the first player
one side in all of them. Each row is printed once its games are played: how many of them the first
player won, in all and as either side, between which shares its true strength lies with 95 %
(Wilson), and the processor time that a turn took the first and the second. What is played depends
on the seeds alone: the same command gives the same wins, and goes on in the file of `--results`
where it was cut off.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from benchmarks.balance.results import Damaged, Mixed, Result, Results, timed
from benchmarks.balance.settings import Setting
from benchmarks.matches import LAST_TURN, NAMES, interval
from benchmarks.workers import done, processes
from engine.ruleset import DEFAULT_EDITION, editions
from engine.sides import Side


@dataclass(frozen=True)
class Match:
    """What two players play: `first` has the British in the even games, the French in the odd.

    Or it has the side `always`, if one is given.
    """

    first: str
    second: str
    edition: str
    always: Side | None = None

    def side(self, number: int) -> Side:
        """The side of the first player in a game."""
        return self.always or (Side.FRENCH if number % 2 else Side.BRITISH)

    def game(self, number: int) -> tuple[Setting, int]:
        """One of its games: who plays which side, and the deal; two in a pair have the same."""
        names = {self.side(number): self.first, self.side(number).opponent: self.second}
        setting = Setting(self.edition, (), names[Side.BRITISH], names[Side.FRENCH])
        return setting, number if self.always else number // 2


HEAD = (
    f"{'edition':<15}{'player':<10} {'against':<10}{'won':>10}{'95 %':>12}"
    f"{'as British':>12}{'as French':>12}{'ms a turn':>14}"
)


def row(match: Match, games: list[Result]) -> str:
    """What came of a match, in one line."""
    sides = [match.side(number) for number in range(len(games))]
    won = [game.winner is side for game, side in zip(games, sides, strict=True)]
    low, high = interval(sum(won), len(won))
    on = {side: [w for w, mine in zip(won, sides, strict=True) if mine is side] for side in Side}
    took = ", ".join(
        _milliseconds(games, each) for each in (sides, [side.opponent for side in sides])
    )
    stopped = sum(game.ended_by is None for game in games)
    return (
        f"{match.edition:<15}{match.first:<10} {match.second:<10}{_share(won):>10}"
        f"{f'{low:.0%} to {high:.0%}':>12}{_share(on[Side.BRITISH]):>12}"
        f"{_share(on[Side.FRENCH]):>12}{took:>14}" + (f"  {stopped} by points" if stopped else "")
    )


def _milliseconds(games: list[Result], sides: list[Side]) -> str:
    """The processor time of a turn of those who had these sides; a dash if it was not measured."""
    took, turns = 0.0, 0
    for game, side in zip(games, sides, strict=True):
        if game.seconds:
            is_french = side is Side.FRENCH
            took += game.seconds[is_french]
            turns += (game.turns + (not is_french)) // 2
    return f"{1000 * took / turns:.1f}" if turns else "–"


def _share(won: list[bool]) -> str:
    return f"{sum(won)} of {len(won)}"


def matches(
    players: list[str], against: list[str], chosen: Iterable[str], always: Side | None = None
) -> Iterator[Match]:
    """Everybody against everybody else, or against each of some, in each edition."""
    pairs = [*product(players, against)] if against else [*combinations(players, 2)]
    for edition in chosen:
        for first, second in pairs:
            if first != second:
                yield Match(first, second, edition, always)


def _names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in NAMES:
            raise ArgumentTypeError(f"there is no {name}; there are {', '.join(NAMES)}")
    return names


def main(arguments: list[str]) -> int:
    """Play and print the table; return the exit status."""
    parser = ArgumentParser("python -m benchmarks.players", description="Play players off.")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="games a match, even")
    parser.add_argument("--edition", choices=[*editions(), "all"], default=DEFAULT_EDITION)
    parser.add_argument("--players", type=_names, default=[*NAMES], metavar="A,B", help="who plays")
    parser.add_argument("--against", type=_names, default=[], metavar="C,D", help="against whom")
    parser.add_argument("--side", type=Side, choices=[*Side], help="the first player's, always")
    parser.add_argument("--processes", type=int, metavar="P", help="how many at once")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep every game, and go on")
    given = parser.parse_args(arguments)
    if given.games < 2 or given.games % 2:
        parser.error("games are played in pairs: give an even number of them")
    chosen = [*editions()] if given.edition == "all" else [given.edition]
    try:
        results = Results(given.results)
        results.refuse_others()
        print(HEAD, flush=True)
        with processes(given.processes) as pool:
            for match in matches(given.players, given.against, chosen, given.side):
                games = [match.game(number) for number in range(given.games)]
                for result in done(pool, timed, [game for game in games if game not in results]):
                    results.add(result)
                print(row(match, [results[game] for game in games]), flush=True)
    except (Damaged, Mixed, OSError) as error:
        print(f"python -m benchmarks.players: {error}", file=sys.stderr)
        return 2
    print(f"Games that reach no end by turn {LAST_TURN} are counted by points.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
