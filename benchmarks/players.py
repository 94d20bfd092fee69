"""Matches between players: `python -m benchmarks.players [--players A,B] [--games N]`.

Players are the strengths by number and the simple players by name (`engine.players.plans`). Games
are played in pairs with the same deals and sides swapped, unless `--side` gives the first player
one side in all games. Each match prints a row: the games won by the first player, in all and by
side, the 95 % confidence interval of its true share (Wilson), and the processor time of a turn of
both players. The games depend only on the seeds: a command gives the same wins each time, and
continues an interrupted run from the file of `--results`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from benchmarks.balance.results import (
    DamagedResultsError,
    MixedResultsError,
    Result,
    Results,
    play_timed,
)
from benchmarks.balance.settings import Setting
from benchmarks.matches import LAST_TURN, NAMES, interval
from engine.ruleset import DEFAULT_EDITION, editions
from engine.sides import Side
from pbem.club.workers import processes, run_tasks


@dataclass(frozen=True)
class Match:
    """A match of two players: `first` plays the British in even games, the French in odd ones.

    With a `fixed_side`, `first` plays that side in all games.
    """

    first: str
    second: str
    edition: str
    fixed_side: Side | None = None

    def side(self, number: int) -> Side:
        """Return the side of `first` in a game."""
        return self.fixed_side or (Side.FRENCH if number % 2 else Side.BRITISH)

    def game(self, number: int) -> tuple[Setting, int]:
        """Return the players by side and the deal of a game; both games of a pair share a deal."""
        names = {self.side(number): self.first, self.side(number).opponent: self.second}
        setting = Setting(self.edition, (), names[Side.BRITISH], names[Side.FRENCH])
        return setting, number if self.fixed_side else number // 2


HEAD = (
    f"{'edition':<15}{'player':<10} {'against':<10}{'won':>10}{'95 %':>12}"
    f"{'as British':>12}{'as French':>12}{'ms a turn':>14}"
)


def row(match: Match, games: list[Result]) -> str:
    """Return the result of a match in one line."""
    sides = [match.side(number) for number in range(len(games))]
    won = [game.winner is side for game, side in zip(games, sides, strict=True)]
    low, high = interval(sum(won), len(won))
    wins = {side: [w for w, mine in zip(won, sides, strict=True) if mine is side] for side in Side}
    times = ", ".join(
        _milliseconds(games, own_sides) for own_sides in (sides, [side.opponent for side in sides])
    )
    stopped = sum(game.ended_by is None for game in games)
    return (
        f"{match.edition:<15}{match.first:<10} {match.second:<10}{_share(won):>10}"
        f"{f'{low:.0%} to {high:.0%}':>12}{_share(wins[Side.BRITISH]):>12}"
        f"{_share(wins[Side.FRENCH]):>12}{times:>14}"
        + (f"  {stopped} by points" if stopped else "")
    )


def _milliseconds(games: list[Result], sides: list[Side]) -> str:
    """Return the processor time per turn on `sides`, or a dash without measurements."""
    times, turns = 0.0, 0
    for game, side in zip(games, sides, strict=True):
        if game.seconds:
            is_french = side is Side.FRENCH
            times += game.seconds[is_french]
            turns += (game.turns + (not is_french)) // 2
    return f"{1000 * times / turns:.1f}" if turns else "–"


def _share(won: list[bool]) -> str:
    return f"{sum(won)} of {len(won)}"


def matches(
    players: list[str],
    against: list[str],
    edition_ids: Iterable[str],
    fixed_side: Side | None = None,
) -> Iterator[Match]:
    """Yield the matches of all pairs, or of all players with `against`, in each edition."""
    pairs = [*product(players, against)] if against else [*combinations(players, 2)]
    for edition in edition_ids:
        for first, second in pairs:
            if first != second:
                yield Match(first, second, edition, fixed_side)


def _names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in NAMES:
            raise ArgumentTypeError(f"there is no {name}; there are {', '.join(NAMES)}")
    return names


def main(arguments: list[str]) -> int:
    """Play the matches, print the table, and return the exit status."""
    parser = ArgumentParser("python -m benchmarks.players", description="Play players off.")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="games a match, even")
    parser.add_argument("--edition", choices=[*editions(), "all"], default=DEFAULT_EDITION)
    parser.add_argument("--players", type=_names, default=[*NAMES], metavar="A,B", help="who plays")
    parser.add_argument("--against", type=_names, default=[], metavar="C,D", help="against whom")
    parser.add_argument("--side", type=Side, choices=[*Side], help="the first player's, always")
    parser.add_argument("--processes", type=int, metavar="P", help="how many at once")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep every game, and go on")
    options = parser.parse_args(arguments)
    if options.games < 2 or options.games % 2:
        parser.error("games are played in pairs: give an even number of them")
    edition_ids = [*editions()] if options.edition == "all" else [options.edition]
    try:
        results = Results(options.results)
        results.refuse_others()
        print(HEAD, flush=True)
        with processes(options.processes) as pool:
            for match in matches(options.players, options.against, edition_ids, options.side):
                games = [match.game(number) for number in range(options.games)]
                for result in run_tasks(
                    pool, play_timed, [game for game in games if game not in results]
                ):
                    results.add(result)
                print(row(match, [results[game] for game in games]), flush=True)
    except (DamagedResultsError, MixedResultsError, OSError) as error:
        print(f"python -m benchmarks.players: {error}", file=sys.stderr)
        return 2
    print(f"Games that reach no end by turn {LAST_TURN} are counted by points.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
