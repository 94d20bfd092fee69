"""What the games say: shares of wins with intervals, and how games end, as tables in Markdown."""

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
"""Two sides are called even where the whole interval lies between these shares."""

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
"""Where a row stands: the heads of its part and of its table, and its first cell."""

FREQUENT_ENDS = (EndReason.TOWNS, EndReason.VILLAGES, EndReason.CAPTURES)


@dataclass(frozen=True)
class Summary:
    """All games of one setting."""

    setting: Setting
    results: Sequence[Result]

    @property
    def wins(self) -> tuple[int, int]:
        """How many games the British won, and of how many."""
        won = sum(result.winner is Side.BRITISH for result in self.results)
        return won, len(self.results)

    @property
    def share(self) -> float:
        """The part of the games that the British won."""
        won, of = self.wins
        return won / of

    @property
    def ahead(self) -> str:
        """Which side is ahead, whether they are even, or that it is not known yet."""
        low, high = interval(*self.wins)
        if EVEN[0] < low and high < EVEN[1]:
            return "even"
        return "British" if low > 0.5 else "French" if high < 0.5 else "not known"

    def row(self, printed: Summary | None) -> list[str]:
        """The cells of its row; `printed` are the games of the same edition without house rules."""
        low, high = interval(*self.wins)
        compared = ""
        if printed is not None and printed is not self:
            least, most = beside(self.results, printed.results)
            compared = f"{100 * least:+.0f} to {100 * most:+.0f}"
        points = zip(*(result.points for result in self.results), strict=True)
        return [
            _rules(self.setting),
            str(len(self.results)),
            f"{self.share:.0%}",
            f"{low:.0%} to {high:.0%}",
            self.ahead,
            compared,
            *self._ends(),
            f"{fmean(result.turns for result in self.results):.0f}",
            " : ".join(f"{fmean(each):.0f}" for each in points),
        ]

    def _ends(self) -> Iterator[str]:
        """The part of the games that ended in each way, in the sequence of the columns."""
        ended = Counter(result.ended_by for result in self.results)
        homes = Counter(r.winner for r in self.results if r.ended_by is EndReason.HOME_SIEGE)
        known = [ended.pop(by, 0) for by in FREQUENT_ENDS]
        stopped = ended.pop(None, 0)
        otherwise = ended.total() - homes.total()
        for games in (*(homes[side] for side in Side), *known, otherwise, stopped):
            yield f"{games / len(self.results):.0%}" if games else "–"


def difference(
    one: tuple[int, int], other: tuple[int, int], alike: float = 0.0
) -> tuple[float, float]:
    """Between which figures the first share less the second lies with 95 %: (won, of) of each.

    Newcombe's hybrid of two score intervals. `alike` is the correlation between the two shares, 0
    for games that have nothing to do with one another.

    >>> [round(end, 4) for end in difference((56, 70), (48, 80))]
    [0.0524, 0.3339]
    """
    (p, low, high), (q, least, most) = ((won / of, *interval(won, of)) for won, of in (one, other))

    def spread(a: float, b: float) -> float:
        return sqrt(max(a * a + b * b - 2 * alike * a * b, 0.0))

    return p - q - spread(p - low, most - q), p - q + spread(high - p, q - least)


def correlation(both: int, one: int, other: int, neither: int) -> float:
    """Between two games of each deal, by how many were won in both, in one only, or in neither.

    With Newcombe's correction for continuity, which plays down a likeness seen in few games.

    >>> round(correlation(20, 12, 2, 16), 3)
    0.455
    """
    product = (both + one) * (other + neither) * (both + other) * (one + neither)
    if not product:
        return 0.0
    covariance = float(both * neither - one * other)
    if covariance > 0:
        covariance = max(covariance - (both + one + other + neither) / 2, 0.0)
    return covariance / sqrt(product)


def beside(one: Sequence[Result], other: Sequence[Result]) -> tuple[float, float]:
    """By how much the British share of the one is above that of the other, with 95 %.

    Games of the same deal begin alike and often go alike, so they tell a difference better than
    games of different deals.
    """
    won, also = ({game.deal: game.winner is Side.BRITISH for game in each} for each in (one, other))
    pairs = Counter((won[deal], also[deal]) for deal in won.keys() & also.keys())
    cases = (pairs[case] for case in ((True, True), (True, False), (False, True), (False, False)))
    common = pairs.total() / sqrt(len(won) * len(also))
    return difference(
        (sum(won.values()), len(won)), (sum(also.values()), len(also)), correlation(*cases) * common
    )


def summaries(results: Iterable[Result]) -> dict[Setting, Summary]:
    """The games by setting."""
    found = defaultdict[Setting, list[Result]](list)
    for result in results:
        found[result.setting].append(result)
    return {setting: Summary(setting, each) for setting, each in found.items()}


def tables(results: Iterable[Result]) -> Iterator[str]:
    """Lines of Markdown: for each two players, the strongest first, a table of each edition."""
    found = summaries(results)
    pairs = sorted({(setting.british, setting.french) for setting in found}, reverse=True)
    for british, french in sorted(pairs, key=lambda pair: pair[0] != pair[1]):
        own = [each for each in found.values() if each.setting[2:] == (british, french)]
        yield from (f"## {_players(british, french)}", "", _about(own), "")
        for edition, facts in editions().items():
            of_edition = [each for each in own if each.setting.edition == edition]
            if of_edition:
                printed = found.get(of_edition[0].setting.as_printed)
                yield from (f"### {facts['name']}", "", *_table(of_edition, printed), "")


def place(setting: Setting) -> Place:
    """Where the row of a setting stands."""
    edition = editions()[setting.edition]["name"]
    return _players(setting.british, setting.french), edition, _rules(setting)


def games(lines: Iterable[str]) -> Counter[Place]:
    """How many games each row of some tables tells of."""
    found = Counter[Place]()
    part = edition = ""
    for line in lines:
        if line.startswith("## "):
            part = line[3:]
        elif line.startswith("### "):
            edition = line[4:]
        elif line.startswith("| "):
            rules, count, *_ = (cell.strip() for cell in line.strip("|").split("|"))
            if count.isdecimal():
                found[part, edition, rules] = int(count)
    return found


def _rules(setting: Setting) -> str:
    return ", ".join(f"`{id}`" for id in setting.rules) or "as printed"


def _players(british: str, french: str) -> str:
    if british == french:
        return f"Strength {british} on both sides" if british.isdecimal() else f"Both by {british}"
    names = [f"strength {name}" if name.isdecimal() else f"“{name}”" for name in (british, french)]
    return f"British by {names[0]}, French by {names[1]}"


def _about(own: Sequence[Summary]) -> str:
    codes = Counter(result.code for each in own for result in each.results)
    played = ", ".join(f"{count} by `{code}`" for code, count in sorted(codes.items()))
    deals = [result.deal for each in own for result in each.results]
    return f"Deals {min(deals)} to {max(deals)}; games: {played}."


def _table(own: Sequence[Summary], printed: Summary | None) -> Iterator[str]:
    """As printed first, then by how often the British won."""
    order = sorted(own, key=lambda each: (bool(each.setting.rules), -each.share, each.setting))
    rows = [list(COLUMNS), *(each.row(printed) for each in order)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    rows.insert(1, ["-" * widths[0], *(f"{'-' * (width - 1)}:" for width in widths[1:])])
    for first, *others in rows:
        figures = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield f"| {' | '.join([first.ljust(widths[0]), *figures])} |"


BEGIN, END = "<!-- measured -->", "<!-- end of what was measured -->"


class NoPlace(ValueError):
    """A page has no marks for tables to stand between."""


class Fewer(Exception):
    """A row of a page tells of more games than would take its place."""


def into_page(page: str, lines: Iterable[str]) -> str:
    """A page with these lines between its two marks; raises NoPlace where it has not both."""
    before, _, after = _parts(page)
    return "\n".join([before + BEGIN, "", *lines, END + after])


def refuse_fewer(page: str, told: Mapping[Place, int]) -> None:
    """Raise Fewer where a row of a page has more games than are told; NoPlace as `into_page`."""
    _, measured, _ = _parts(page)
    for row, count in games(measured.splitlines()).items():
        if told.get(row, 0) < count:
            raise Fewer(
                f"of {', '.join(row)} the page has more games ({count}) than there would be "
                f"({told.get(row, 0)}): give the results of all its games, or another page, or "
                "take that table off the page first"
            )


def _parts(page: str) -> tuple[str, str, str]:
    before, begin, rest = page.partition(BEGIN)
    measured, end, after = rest.partition(END)
    if not (begin and end):
        raise NoPlace(f"the page has no place for tables: {BEGIN} … {END}")
    return before, measured, after
