"""The standings of a club, and its next round: a round robin, or Swiss by a best matching.

They follow from `club.toml` and the verified games alone, without the present time, so that the
same files give the same standings to anybody. docs/club.md says which games count.

Round robin: in every round each member meets another one in two games, one with each side.
Swiss: each member plays one game in a round. Of all possible rounds, the one is chosen with the
fewest repeated pairs; among these, with the fewest members who would play one side twice more
than the other; among these, with the most equal scores, and then with the upper half of equal
scores against the lower half, as in the Dutch system of FIDE. Such a round is a matching of
minimum weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from engine.message import NOTHING, Message
from engine.sides import Side
from pbem.club import import_extra
from pbem.club.club_file import LADDER, ROUND_ROBIN, SWISS, Adjudication, Club, Pair, Round
from pbem.club.ratings import RatedGame, Ratings, rate
from pbem.club.verdicts import ClubGame, Verdict
from pbem.errors import UsageError
from pbem.foreign import display_name
from pbem.text.phrases import row_text
from pbem.text.rules.editions import edition_name, house_rule_names

_NOBODY = ""
"""The opponent of a member who has a bye."""
_BASE = 10**9
"""More than any sum over a round of a less important part."""


@dataclass(frozen=True)
class Pairing:
    """A game that members play, or a pair of a round that has no game yet.

    `round` is 0 outside of rounds, and `game` is None without files. `winner` is None while the
    game goes on. `unrated` is the reason why a game that counts is not rated, or empty.
    """

    round: int
    names: Mapping[Side, str]
    game: ClubGame | None = None
    winner: Side | None = None
    adjudication: Adjudication | None = None
    unrated: Message = NOTHING

    @property
    def winner_name(self) -> str:
        """The name of the winner, or an empty text while the game goes on."""
        return self.names[self.winner] if self.winner else ""

    @property
    def loser_name(self) -> str:
        """The name of the loser, or an empty text while the game goes on."""
        return self.names[self.winner.opponent] if self.winner else ""

    @property
    def is_provisional(self) -> bool:
        """True if a side has not closed the game that was won by the rules."""
        return not self.adjudication and self.game is not None and self.game.is_provisional


class UncountedGame(NamedTuple):
    """A game that does not count, with the reason in words."""

    game: ClubGame
    reason: Message


class Place(NamedTuple):
    """The place of a member in the table.

    `points` are one for a victory and one for a bye. `tie_break` is the sum of the points of all
    members that the member has defeated (Sonneborn-Berger). Members with equal points and tie-break
    share a `rank`. `provisional` is the number of games that a side has not closed.
    """

    rank: int
    name: str
    points: int
    tie_break: int
    won: int
    lost: int
    as_british: int
    provisional: int


class Standings:
    """The standings of a club after `games`.

    The first game of a pair counts for the first round that has this pair and no game of it.
    `undecided` are the players of games in rounds that wait for an adjudication. Raises
    InputError if a line of the club is not signed.
    """

    def __init__(self, club: Club, games: Iterable[ClubGame]) -> None:
        club.check_signatures()
        self.club = club
        self.pairings: list[Pairing] = []
        self.uncounted: list[UncountedGame] = []
        self.undecided: list[Mapping[Side, str]] = []
        free = [(number, pair) for number, row in enumerate(club.round, 1) for pair in row.pairs]
        for game in sorted(games, key=lambda game: (game.first, game.unique_id)):
            names = {side: self.name_of(who.key) for side, who in game.players.items()}
            if not any((self.name_of(game.inviter.key), *names.values())):
                # It is a game of other people, perhaps of another club.
                continue
            number, reason = 0, self._why_not(game, names)
            if not reason and club.pairing != LADDER:
                slot = next((row for row in free if row[1] == tuple(names[s] for s in Side)), None)
                if slot is None:
                    reason = row_text("club", "no round")
                else:
                    free.remove(slot)
                    number = slot[0]
            pairing = None if reason else self._pairing(number, names, game)
            if pairing and game.verdict is not Verdict.HONEST and not pairing.adjudication:
                reason = row_text("club", game.verdict)
                self.undecided += [names] if number else []
            if pairing and not reason:
                self.pairings.append(pairing)
            else:
                self.uncounted.append(UncountedGame(game, reason))
        for number, pair in free:
            names = dict(zip(Side, pair, strict=True))
            self.pairings.append(self._pairing(number, names))
        self.pairings.sort(key=lambda pairing: pairing.round)
        self.decided = [pairing for pairing in self.pairings if pairing.winner]

    def name_of(self, key: bytes) -> str:
        """Return the name of the member with a key, or an empty text."""
        return self.club.names_by_key.get(key.hex(), "")

    def _why_not(self, game: ClubGame, names: Mapping[Side, str]) -> Message:
        """Return the reason why a game is none of the club's, or an empty message."""
        if len(names) < len(Side):
            return row_text("club", "not accepted")
        for side, who in game.players.items():
            if not names[side]:
                name = display_name(who.name)
                return row_text("club", "stranger", name=name, digits=who.key.hex())
        if names[Side.BRITISH] == names[Side.FRENCH]:
            return row_text("club", "both sides", name=display_name(names[Side.BRITISH]))
        if game.edition not in self.club.editions:
            return row_text("club", "edition", edition=edition_name(game.edition))
        if others := {*game.house_rules} - {*self.club.house_rules}:
            return row_text("club", "rules", rules=house_rule_names(sorted(others)))
        if not self.club.begins <= date.fromisoformat(game.first[:10]) <= self.club.ends:
            return row_text("club", "season", date=game.first[:10])
        return NOTHING

    def _pairing(
        self, number: int, names: Mapping[Side, str], game: ClubGame | None = None
    ) -> Pairing:
        slot = number, names[Side.BRITISH], names[Side.FRENCH]
        for line in self.club.adjudication:
            is_of_game = game and line.game in (game.id.hex(), game.unique_id)
            if is_of_game or (number and (line.round, line.british, line.french) == slot):
                reason = row_text("club", "adjudicated")
                return Pairing(number, names, game, Side(line.winner), line, reason)
        winner = game.result.winner if game and game.result else None
        idle = [side for side in Side if game and winner and not game.turns.get(side)]
        unrated = [row_text("club", "no turn", name=display_name(names[side])) for side in idle]
        return Pairing(number, names, game, winner, None, *unrated[:1])

    @cached_property
    def places(self) -> list[Place]:
        """The table, the best member first."""
        beaten: dict[str, list[str]] = {member.name: [] for member in self.club.member}
        for row in self.decided:
            beaten[row.winner_name].append(row.loser_name)
        byes = [row.bye for row in self.club.round if self.club.pairing == SWISS]
        points = {name: len(won) + byes.count(name) for name, won in beaten.items()}
        score = {name: (points[name], sum(points[one] for one in beaten[name])) for name in beaten}
        places = []
        for name in sorted(score, key=lambda name: (*(-part for part in score[name]), name)):
            own = [row for row in self.decided if name in row.names.values()]
            place = Place(
                1 + sum(other > score[name] for other in score.values()),
                name,
                *score[name],
                len(beaten[name]),
                len(own) - len(beaten[name]),
                sum(row.names[Side.BRITISH] == name for row in own),
                sum(row.is_provisional for row in own),
            )
            places.append(place)
        return places

    @cached_property
    def ladder(self) -> list[str]:
        """The members from the top of the ladder, which begins in the order of the file.

        A winner takes the place of a defeated member who stood above, and those between move down.
        """
        rungs = [member.name for member in self.club.member]
        for row in sorted(self.decided, key=lambda row: row.game.last if row.game else ""):
            above = rungs.index(row.loser_name)
            if rungs.index(row.winner_name) > above:
                rungs.remove(row.winner_name)
                rungs.insert(above, row.winner_name)
        return rungs

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings from the games that are rated. Raises UsageError without the library."""
        return rate(
            [
                RatedGame(
                    row.names[Side.BRITISH],
                    row.names[Side.FRENCH],
                    row.winner,
                    (row.game.edition, row.game.house_rules),
                    date.fromisoformat(row.game.last[:10]),
                )
                for row in self.decided
                if row.game and row.winner and not row.unrated
            ]
        )


# --- pairing


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
    networkx = import_extra("networkx")
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
