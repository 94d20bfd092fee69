"""The results as Markdown tables: shares of wins with intervals, and the ends of the games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from benchmarks.balance.results import Result
from benchmarks.balance.settings import Setting
from benchmarks.matches import interval
from engine.ruleset import editions
from engine.sides import Side
from engine.state import EndReason

EVEN = (0.4, 0.6)
"""The shares between which the whole interval of an even game lies."""

COLUMNS = (
    "rules",
    "games",
    "British won",
    "95 %",
    "ahead",
    "beside as printed",
    "home taken by British",
    "by French",
    "towns",
    "villages",
    "captures",
    "otherwise",
    "stopped",
    "turns",
    "points",
)

Place = tuple[str, str, str]
"""The place of a row: the headings of its part and its table, and its first cell."""

FREQUENT_ENDS = (EndReason.TOWNS, EndReason.VILLAGES, EndReason.CAPTURES)


@dataclass(frozen=True)
class Summary:
    """All games of one setting."""

    setting: Setting
    results: Sequence[Result]

    @property
    def wins(self) -> tuple[int, int]:
        """The number of games that the British won, and of all games."""
        won = sum(result.winner is Side.BRITISH for result in self.results)
        return won, len(self.results)

    @property
    def share(self) -> float:
        """The share of games that the British won."""
        won, games = self.wins
        return won / games

    @property
    def ahead(self) -> str:
        """The side that is ahead, “even”, or “not known”."""
        low, high = interval(*self.wins)
        if EVEN[0] < low and high < EVEN[1]:
            return "even"
        return "British" if low > 0.5 else "French" if high < 0.5 else "not known"

    def row(self, printed: Summary | None) -> list[str]:
        """Return the cells of the row; `printed` are the games without house rules."""
        low, high = interval(*self.wins)
        comparison = ""
        if printed is not None and printed is not self:
            lowest, highest = paired_difference(self.results, printed.results)
            comparison = f"{100 * lowest:+.0f} to {100 * highest:+.0f}"
        points = zip(*(result.points for result in self.results), strict=True)
        return [
            _rules(self.setting),
            str(len(self.results)),
            f"{self.share:.0%}",
            f"{low:.0%} to {high:.0%}",
            self.ahead,
            comparison,
            *self._ends(),
            f"{fmean(result.turns for result in self.results):.0f}",
            " : ".join(f"{fmean(column):.0f}" for column in points),
        ]

    def _ends(self) -> Iterator[str]:
        """Yield the share of games with each kind of end, in the order of the columns."""
        ends = Counter(result.ended_by for result in self.results)
        homes = Counter(r.winner for r in self.results if r.ended_by is EndReason.HOME_SIEGE)
        frequent = [ends.pop(by, 0) for by in FREQUENT_ENDS]
        stopped = ends.pop(None, 0)
        other_ends = ends.total() - homes.total()
        for games in (*(homes[side] for side in Side), *frequent, other_ends, stopped):
            yield f"{games / len(self.results):.0%}" if games else "–"


def difference(
    first: tuple[int, int], second: tuple[int, int], rho: float = 0.0
) -> tuple[float, float]:
    """Return the 95 % confidence interval of the difference of two shares, as (won, of) each.

    This is Newcombe's hybrid of two score intervals. `rho` is the correlation between the two
    shares, which is 0 for independent games.

    >>> [round(end, 4) for end in difference((56, 70), (48, 80))]
    [0.0524, 0.3339]
    """
    (p, low, high), (q, lowest, highest) = (
        (won / games, *interval(won, games)) for won, games in (first, second)
    )

    def spread(a: float, b: float) -> float:
        return sqrt(max(a * a + b * b - 2 * rho * a * b, 0.0))

    return p - q - spread(p - low, highest - q), p - q + spread(high - p, q - lowest)


def correlation(both: int, first: int, second: int, neither: int) -> float:
    """Return the correlation of two games per deal from the numbers of deals won in each.

    It has Newcombe's correction for continuity, which reduces a correlation of few games.

    >>> round(correlation(20, 12, 2, 16), 3)
    0.455
    """
    product = (both + first) * (second + neither) * (both + second) * (first + neither)
    if not product:
        return 0.0
    covariance = float(both * neither - first * second)
    if covariance > 0:
        covariance = max(covariance - (both + first + second + neither) / 2, 0.0)
    return covariance / sqrt(product)


def paired_difference(first: Sequence[Result], second: Sequence[Result]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the difference between two British shares.

    Games of the same deal begin with the same cards and are often similar, so they show a
    difference better than games of different deals.
    """
    first_wins, second_wins = (
        {game.deal: game.winner is Side.BRITISH for game in games} for games in (first, second)
    )
    pairs = Counter(
        (first_wins[deal], second_wins[deal]) for deal in first_wins.keys() & second_wins.keys()
    )
    cases = (pairs[case] for case in ((True, True), (True, False), (False, True), (False, False)))
    common = pairs.total() / sqrt(len(first_wins) * len(second_wins))
    return difference(
        (sum(first_wins.values()), len(first_wins)),
        (sum(second_wins.values()), len(second_wins)),
        correlation(*cases) * common,
    )


def summaries(results: Iterable[Result]) -> dict[Setting, Summary]:
    """Return the games by setting."""
    by_setting = defaultdict[Setting, list[Result]](list)
    for result in results:
        by_setting[result.setting].append(result)
    return {setting: Summary(setting, games) for setting, games in by_setting.items()}


def tables(results: Iterable[Result]) -> Iterator[str]:
    """Yield lines of Markdown, with a table of each edition for each pair of players."""
    by_setting = summaries(results)
    pairs = sorted({(setting.british, setting.french) for setting in by_setting}, reverse=True)
    for british, french in sorted(pairs, key=lambda pair: pair[0] != pair[1]):
        own = [s for s in by_setting.values() if s.setting[2:] == (british, french)]
        yield from (f"## {_players(british, french)}", "", _deals_text(own), "")
        for edition, facts in editions().items():
            in_edition = [summary for summary in own if summary.setting.edition == edition]
            if in_edition:
                printed = by_setting.get(in_edition[0].setting.as_printed)
                yield from (f"### {facts['name']}", "", *_table(in_edition, printed), "")


def place(setting: Setting) -> Place:
    """Return the place of the row of a setting."""
    edition = editions()[setting.edition]["name"]
    return _players(setting.british, setting.french), edition, _rules(setting)


def games(lines: Iterable[str]) -> Counter[Place]:
    """Return the number of games in each row of some tables."""
    counts = Counter[Place]()
    part = edition = ""
    for line in lines:
        if line.startswith("## "):
            part = line[3:]
        elif line.startswith("### "):
            edition = line[4:]
        elif line.startswith("| "):
            rules, count, *_ = (cell.strip() for cell in line.strip("|").split("|"))
            if count.isdecimal():
                counts[part, edition, rules] = int(count)
    return counts


def _rules(setting: Setting) -> str:
    return ", ".join(f"`{id}`" for id in setting.rules) or "as printed"


def _players(british: str, french: str) -> str:
    if british == french:
        return f"Strength {british} on both sides" if british.isdecimal() else f"Both by {british}"
    names = [f"strength {name}" if name.isdecimal() else f"“{name}”" for name in (british, french)]
    return f"British by {names[0]}, French by {names[1]}"


def _deals_text(summaries: Sequence[Summary]) -> str:
    codes = Counter(result.code for summary in summaries for result in summary.results)
    played = ", ".join(f"{count} by `{code}`" for code, count in sorted(codes.items()))
    deals = [result.deal for summary in summaries for result in summary.results]
    return f"Deals {min(deals)} to {max(deals)}; games: {played}."


def _table(summaries: Sequence[Summary], printed: Summary | None) -> Iterator[str]:
    """Yield a table, with the printed edition first, sorted by the share of the British."""
    order = sorted(summaries, key=lambda s: (bool(s.setting.rules), -s.share, s.setting))
    rows = [list(COLUMNS), *(summary.row(printed) for summary in order)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    rows.insert(1, ["-" * widths[0], *(f"{'-' * (width - 1)}:" for width in widths[1:])])
    for first, *others in rows:
        figures = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield f"| {' | '.join([first.ljust(widths[0]), *figures])} |"


BEGIN, END = "<!-- measured -->", "<!-- end of what was measured -->"


class MissingMarksError(ValueError):
    """Raised if a page has no marks for the tables."""


class FewerGamesError(Exception):
    """Raised if a row of a page has more games than the row that would replace it."""


def insert_tables(page: str, lines: Iterable[str]) -> str:
    """Insert lines between the marks of a page. Raises MissingMarksError without marks."""
    before, _, after = _parts(page)
    return "\n".join([before + BEGIN, "", *lines, END + after])


def refuse_fewer(page: str, counts: Mapping[Place, int]) -> None:
    """Raise FewerGamesError if a row of a page has more games than `counts`.

    Raises MissingMarksError if the page has no marks.
    """
    _, table_text, _ = _parts(page)
    for row, count in games(table_text.splitlines()).items():
        if counts.get(row, 0) < count:
            raise FewerGamesError(
                f"of {', '.join(row)} the page has more games ({count}) than there would be "
                f"({counts.get(row, 0)}): give the results of all its games, or another page, or "
                "take that table off the page first"
            )


def _parts(page: str) -> tuple[str, str, str]:
    before, begin, remainder = page.partition(BEGIN)
    table_text, end, after = remainder.partition(END)
    if not (begin and end):
        raise MissingMarksError(f"the page has no place for tables: {BEGIN} … {END}")
    return before, table_text, after
