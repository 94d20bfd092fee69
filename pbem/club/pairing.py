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

from pbem.club.club_file import ROUND_ROBIN, Club, Pair, Round
from pbem.errors import UsageError

_NOBODY = ""
"""The opponent of a member who has a bye."""
_BASE = 10**9
"""More than any sum over a round of what is less important."""


def pair_next_round(club: Club, scores: Mapping[str, int], ratings: Mapping[str, int]) -> Round:
    """Return the next round of a club. `scores` are points; both are by the names of members.

    Raises UsageError if a round robin is complete or its members have changed, or if a library for
    the Swiss system is not installed.
    """
    present = [member.name for member in club.member if not member.withdrawn]
    if club.pairing != ROUND_ROBIN:
        order = sorted(
            present, key=lambda name: (-scores.get(name, 0), -ratings.get(name, 0), name)
        )
        return pair_swiss([(name, scores.get(name, 0)) for name in order], club.round)
    names = [member.name for member in club.member]
    if club.round and _names(club.round[0]) - {_NOBODY} != {*names}:
        raise UsageError(
            "The members have changed since the first round. A round robin needs the same ones to "
            "its end: give those who have left a line “withdrawn”, and let new ones join later."
        )
    number = pair_round_robin(names, len(club.round))
    pairs = tuple(pair for pair in number.pairs if {*pair} <= {*present})
    return Round(pairs, number.bye)


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
    pairs = [meeting for meeting in meetings if _NOBODY not in meeting]
    byes = [name for meeting in meetings if _NOBODY in meeting for name in meeting if name]
    return Round(tuple(game for one, two in pairs for game in ((one, two), (two, one))), *byes)


def pair_swiss(field: Sequence[tuple[str, int]], rounds: Sequence[Round]) -> Round:
    """Return the next round for a `field` of names and scores, the best first.

    Raises UsageError if the library is not installed.
    """
    try:
        import networkx
    except ImportError:
        raise UsageError(
            "Pairing by the Swiss system needs another library: pip install 'acres-pbem[club]'"
        ) from None
    met = Counter(frozenset(pair) for number in rounds for pair in number.pairs)
    met.update(frozenset((number.bye, _NOBODY)) for number in rounds if number.bye)
    balance = Counter(pair[0] for number in rounds for pair in number.pairs)
    balance.subtract(pair[1] for number in rounds for pair in number.pairs)
    group_sizes = Counter(score for _, score in field)
    lowest = min((score for _, score in field), default=0)

    def cost(one: tuple[int, str, int], two: tuple[int, str, int]) -> int:
        (high, a, score), (low, b, other) = one, two
        fold = distance = low - high
        if b == _NOBODY:
            unbalanced, difference, fold = 0, score - lowest, distance
        else:
            unbalanced = sum(abs(new) > 1 for new in _balances(balance[a], balance[b]))
            difference = score - other
            fold = 0 if difference else distance - group_sizes[score] // 2
        parts = (met[frozenset((a, b))], unbalanced, difference**2, fold**2)
        return sum(part * _BASE**power for power, part in enumerate(reversed(parts)))

    rows = [(rank, *row) for rank, row in enumerate(field)]
    rows += [(len(rows), _NOBODY, lowest)] * (len(rows) % 2)
    graph = networkx.Graph()
    for one, two in combinations(rows, 2):
        graph.add_edge(one, two, weight=-cost(one, two))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    meetings = sorted(tuple(sorted(meeting)) for meeting in matching)
    pairs = [
        _with_sides(one, two, balance, rank + len(rounds))
        for (rank, one, _), (_, two, _) in meetings
        if two != _NOBODY
    ]
    return Round(tuple(pairs), *(one for (_, one, _), (_, two, _) in meetings if two == _NOBODY))


def _balances(one: int, two: int) -> tuple[int, int]:
    """Return the balances of sides after a game in which the lower one plays the British."""
    return (one + 1, two - 1) if one <= two else (one - 1, two + 1)


def _with_sides(one: str, two: str, balance: Mapping[str, int], parity: int) -> Pair:
    """Return two members, first the one who plays the British.

    It is the one who has played them less often, and by turns if both have equally.
    """
    is_first = parity % 2 == 0 if balance[one] == balance[two] else balance[one] < balance[two]
    return (one, two) if is_first else (two, one)


def _names(number: Round) -> set[str]:
    return {number.bye, *(name for pair in number.pairs for name in pair)}
