"""The pairs of the next round: round robin by the circle method, or Swiss by a best matching.

Round robin: in every round each member meets another one in two games, one with each side.
Swiss: each member plays one game in a round. Of all possible rounds, the one is chosen with the
fewest repeated pairs; among these, with the fewest members who would play one side twice more
than the other; among these, with the most equal scores, and then with the upper half of equal
scores against the lower half, as in the Dutch system of FIDE. Such a round is a matching of
minimum weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from pbem.club.club_file import ROUND_ROBIN, Club, Pair, Round
from pbem.errors import UsageError

_NOBODY = ""
"""The opponent of a member who has a bye."""
_BASE = 10**9
"""More than any sum over a round of a less important part."""


class _Entry(NamedTuple):
    """A member in the order of the scores."""

    rank: int
    name: str
    score: int


def pair_next_round(club: Club, scores: Mapping[str, int], ratings: Mapping[str, int]) -> Round:
    """Return the next round of a club. `scores` are points; both are by the names of members.

    Raises UsageError if a round robin is complete or its members have changed, or if a library for
    the Swiss system is not installed.
    """
    names = [member.name for member in club.member]
    present = {member.name for member in club.member if not member.withdrawn}
    if club.pairing != ROUND_ROBIN:
        field = [(name, scores.get(name, 0)) for name in sorted(present)]
        field.sort(key=lambda row: (-row[1], -ratings.get(row[0], 0)))
        return pair_swiss(field, club.round)
    first = {name for row in club.round[:1] for name in (*sum(row.pairs, ()), row.bye)}
    if first - {_NOBODY} not in (set(), {*names}):
        raise UsageError(
            "The members have changed since the first round. A round robin needs the same ones to "
            "its end: give those who have left a line “withdrawn”, and let new ones join later."
        )
    number = pair_round_robin(names, len(club.round))
    return Round(tuple(pair for pair in number.pairs if {*pair} <= present), number.bye)


def pair_round_robin(names: Sequence[str], number: int) -> Round:
    """Return the round `number`, from 0, of a round robin with both sides.

    Raises UsageError after the last round.

    >>> pair_round_robin(["Anna", "Ben", "Cleo"], 0)
    Round(pairs=(('Ben', 'Cleo'), ('Cleo', 'Ben')), bye='Anna')
    """
    first, *others = [*names, *[_NOBODY] * (len(names) % 2)]
    if number >= len(others):
        raise UsageError("Every member has met every other one: the round robin is complete.")
    # The first one keeps the place, and the others move on by one.
    circle = [first, *others[number:], *others[:number]]
    meetings = [(circle[at], circle[-1 - at]) for at in range(len(circle) // 2)]
    pairs = [game for one, two in meetings if one and two for game in ((one, two), (two, one))]
    return Round(tuple(pairs), "".join(one or two for one, two in meetings if not (one and two)))


def pair_swiss(field: Sequence[tuple[str, int]], rounds: Sequence[Round]) -> Round:
    """Return the next round for a `field` of names and scores, the best first.

    Raises UsageError if the library is not installed.
    """
    try:
        import networkx
    except ImportError:
        raise UsageError("This needs another library: pip install 'acres-pbem[club]'") from None
    met = Counter(frozenset(pair) for row in rounds for pair in row.pairs)
    met.update(frozenset((row.bye, _NOBODY)) for row in rounds if row.bye)
    balance = Counter(pair[0] for row in rounds for pair in row.pairs)
    balance.subtract(pair[1] for row in rounds for pair in row.pairs)
    sizes = Counter(score for _, score in field)

    def cost(one: _Entry, two: _Entry) -> int:
        distance, difference = two.rank - one.rank, one.score - two.score
        sides = balance[one.name], balance[two.name]
        # Both would play one side twice more than the other.
        unbalanced = sides[0] == sides[1] != 0 and two.name != _NOBODY
        fold = 0 if difference else distance - sizes[one.score] // 2
        if two.name == _NOBODY:
            fold = distance
        parts = met[frozenset((one.name, two.name))], unbalanced, difference**2, fold**2
        return sum(part * _BASE**power for power, part in enumerate(reversed(parts)))

    entries = [_Entry(rank, *row) for rank, row in enumerate(field)]
    if len(entries) % 2:
        entries.append(_Entry(len(entries), _NOBODY, min(sizes)))
    graph = networkx.Graph()
    for one, two in combinations(entries, 2):
        graph.add_edge(one, two, weight=-cost(one, two))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    meetings = sorted((min(meeting), max(meeting)) for meeting in matching)
    pairs = [_with_sides(*pair, balance, len(rounds)) for pair in meetings if pair[1].name]
    return Round(tuple(pairs), "".join(one.name for one, two in meetings if not two.name))


def _with_sides(one: _Entry, two: _Entry, balance: Mapping[str, int], parity: int) -> Pair:
    """Return two members, first the one who has played the British less often.

    Members with the same balance have them by turns.
    """
    lead = balance[one.name] - balance[two.name]
    is_first = lead < 0 if lead else (one.rank + parity) % 2 == 0
    return (one.name, two.name) if is_first else (two.name, one.name)
