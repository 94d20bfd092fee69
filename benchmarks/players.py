"""The players against one another: `python -m benchmarks.players [--players A,B] [--games N]`.

Who they are: the strengths by their numbers, and the pool by name (`engine.players.plans`). Games
go in pairs that begin with the same deals, sides swapped. Each row is printed once its games are
played: how many of them the first player won, in all and as either side, between which shares its
true strength lies with 95 % (Wilson), and the processor time that a turn took the first and the
second. What is played depends on the seeds alone: the same command gives the same wins.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from benchmarks.matches import LAST_TURN, NAMES, Game, interval, play
from benchmarks.workers import processes
from engine.ruleset import DEFAULT_EDITION, Ruleset, editions
from engine.sides import Side


@dataclass(frozen=True)
class Match:
    """What two players play: `first` has the British in the even games, the French in the odd."""

    first: str
    second: str
    edition: str

    def side(self, number: int) -> Side:
        """The side of the first player in a game."""
        return Side.FRENCH if number % 2 else Side.BRITISH

    def play(self, number: int) -> Game:
        """Play one of its games; two that follow one another have the same deals."""
        side = self.side(number)
        names = {side: self.first, side.opponent: self.second}
        return play(names, number // 2, Ruleset.of(self.edition))


HEAD = (
    f"{'edition':<15}{'player':<10} {'against':<10}{'won':>10}{'95 %':>12}"
    f"{'as British':>12}{'as French':>12}{'ms a turn':>14}"
)


def row(match: Match, games: list[Game]) -> str:
    """What came of a match, in one line."""
    sides = [match.side(number) for number in range(len(games))]
    won = [game.winner is side for game, side in zip(games, sides, strict=True)]
    low, high = interval(sum(won), len(won))
    on = {side: [w for w, mine in zip(won, sides, strict=True) if mine is side] for side in Side}
    took = [
        1000 * sum(game.seconds[s] for game, s in each) / sum(game.turns[s] for game, s in each)
        for each in (
            [*zip(games, sides, strict=True)],
            [*zip(games, (side.opponent for side in sides), strict=True)],
        )
    ]
    stopped = sum(game.is_stopped for game in games)
    return (
        f"{match.edition:<15}{match.first:<10} {match.second:<10}{_share(won):>10}"
        f"{f'{low:.0%} to {high:.0%}':>12}{_share(on[Side.BRITISH]):>12}"
        f"{_share(on[Side.FRENCH]):>12}{f'{took[0]:.1f}, {took[1]:.1f}':>14}"
        + (f"  {stopped} by points" if stopped else "")
    )


def _share(won: list[bool]) -> str:
    return f"{sum(won)} of {len(won)}"


def matches(players: list[str], against: list[str], chosen: Iterable[str]) -> Iterator[Match]:
    """Everybody against everybody else, or against each of some, in each edition."""
    pairs = [*product(players, against)] if against else [*combinations(players, 2)]
    for edition in chosen:
        for first, second in pairs:
            if first != second:
                yield Match(first, second, edition)


def _names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in NAMES:
            raise ArgumentTypeError(f"there is no {name}; there are {', '.join(NAMES)}")
    return names


def main(arguments: list[str]) -> None:
    """Play and print the table."""
    parser = ArgumentParser("python -m benchmarks.players", description="Play players off.")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="games a match, even")
    parser.add_argument("--edition", choices=[*editions(), "all"], default=DEFAULT_EDITION)
    parser.add_argument("--players", type=_names, default=[*NAMES], metavar="A,B", help="who plays")
    parser.add_argument("--against", type=_names, default=[], metavar="C,D", help="against whom")
    parser.add_argument("--processes", type=int, metavar="P", help="how many at once")
    given = parser.parse_args(arguments)
    if given.games < 2 or given.games % 2:
        parser.error("games are played in pairs: give an even number of them")
    chosen = [*editions()] if given.edition == "all" else [given.edition]
    print(HEAD, flush=True)
    with processes(given.processes) as pool:
        for match in matches(given.players, given.against, chosen):
            print(row(match, [*pool.map(match.play, range(given.games))]), flush=True)
    print(f"Games that reach no end by turn {LAST_TURN} are counted by points.")


if __name__ == "__main__":
    main(sys.argv[1:])
