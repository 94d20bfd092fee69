"""The standings of a club, and its next round: a round robin, or Swiss by a best matching.

They follow from `club.toml` and the verified games alone, without the present time, so that the
same files give the same standings to anybody. docs/club.md says which games count.

Round robin: in every round each member meets another one in two games, one with each side.
Swiss: each member plays one game in a round. Of all possible rounds, the one is chosen with the
fewest repeated pairs; among these, in which members come least beyond two more games with one side
than with the other; among these, with the fewest members who come to two more; among these, with
the most equal scores, and then with the upper half of equal scores against the lower half, as in
the Dutch system of FIDE. Such a round is a matching of minimum weight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from engine.message import NOTHING, Message, Phrase, semicolon_list
from engine.sides import Side
from pbem.club import import_extra
from pbem.club.club_file import LADDER, ROUND_ROBIN, SWISS, Adjudication, Club, Pair, Round
from pbem.club.ratings import RatedGame, Ratings, rate
from pbem.club.verdicts import ClubGame, Verdict
from pbem.errors import UsageError
from pbem.foreign import clean, display_name
from pbem.play.store.entries import are_names_alike
from pbem.text.phrases import row_text
from pbem.text.rules.editions import edition_name, house_rule_names

_NOBODY = ""
"""The opponent of a member who has a bye."""
_BASE = 10**9
"""More than any sum over a round of a less important part."""


@dataclass(frozen=True)
class Pairing:
    """A game that members play, or a pair of a round that has no game yet.

    `names` are empty for players who are no members. `round` is 0 outside of rounds, and `game` is
    None without files. The first of the `adjudications` decides the game. `reason` says why the
    game does not count, and is empty if it does.
    """

    round: int
    names: Mapping[Side, str]
    game: ClubGame | None = None
    adjudications: Sequence[Adjudication] = ()
    reason: Message = NOTHING

    @property
    def id(self) -> str:
        """The id of the game, or an empty text without a game."""
        return self.game.unique_id if self.game else ""

    @property
    def title(self) -> Phrase:
        """The names of both players, the British first; empty before there are two."""
        players = self.game.players if self.game else {}
        names = {
            side.value: display_name(name or players[side].name)
            for side, name in self.names.items()
        }
        return row_text("club", "pair", **names) if len(names) == len(Side) else NOTHING

    @property
    def is_of_members(self) -> bool:
        """True if both players are members."""
        return len(self.names) == len(Side) and all(self.names.values())

    @property
    def winner(self) -> Side | None:
        """The winner if the game counts; None while it goes on, and if it is void."""
        if self.reason:
            return None
        if self.adjudications:
            return self.adjudications[0].side
        return self.game.result.winner if self.game and self.game.result else None

    @property
    def ranking(self) -> tuple[str, str]:
        """The names of the winner and of the loser of a game that somebody has won."""
        assert self.winner is not None
        return self.names[self.winner], self.names[self.winner.opponent]

    @property
    def is_decided(self) -> bool:
        """True if the game needs nothing more: it is won, or the organiser has decided it."""
        return bool(self.winner or self.adjudications)

    @property
    def time(self) -> str:
        """The time of the record, or the day of the adjudication, that decided the game."""
        if self.adjudications:
            return f"{self.adjudications[0].day}T00:00:00Z"
        return self.game.result.time if self.game and self.game.result else ""

    @property
    def is_provisional(self) -> bool:
        """True if a side has not closed the game that was won by the rules."""
        return not self.adjudications and self.game is not None and self.game.is_provisional

    @property
    def idle(self) -> list[str]:
        """The names of the players who took no turn."""
        turns = self.game.turns if self.game else {}
        return [name for side, name in self.names.items() if not turns.get(side)]

    @property
    def is_rated(self) -> bool:
        """True if the game was won by the rules, and both players took a turn."""
        return bool(self.winner and not self.adjudications and not self.idle)


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
    `pairings` are the games that count and the pairs without a game, by their rounds; `decided` are
    those with a winner, by the time of the decision; `rows` are the pairings and then the
    `uncounted` games. Raises InputError if decisions of the club are not signed.
    """

    def __init__(self, club: Club, games: Iterable[ClubGame]) -> None:
        club.check_signature()
        self.club = club
        free = defaultdict[tuple[str, ...], list[Pairing]](list)
        for number, round in enumerate(club.round, 1):
            for pair in round.pairs:
                names = dict(zip(Side, pair, strict=True))
                free[pair].append(Pairing(number, names, None, self._lines((number, *pair))))
        played = []
        for game in sorted(games, key=lambda game: (game.first, game.unique_id)):
            names = {side: self.name_of(who.key) for side, who in game.players.items()}
            # Others are games of other people, perhaps of another club.
            if any((self.name_of(game.inviter.key), *names.values())):
                played.append(self._pairing(game, names, free))
        self.uncounted = [row for row in played if row.reason]
        self.pairings = [row for row in played if not row.reason]
        self.pairings += [slot for slots in free.values() for slot in slots]
        self.pairings.sort(key=lambda row: row.round)
        self.rows = [*self.pairings, *self.uncounted]
        self.decided = [row for row in self.pairings if row.winner]
        self.decided.sort(key=lambda row: row.time)

    def name_of(self, key: bytes) -> str:
        """Return the name of the member with a key, or an empty text."""
        return self.club.names_by_key.get(key.hex(), "")

    def _lines(self, *targets: object) -> list[Adjudication]:
        return [line for line in self.club.adjudication if line.target in targets]

    def _pairing(
        self,
        game: ClubGame,
        names: Mapping[Side, str],
        free: Mapping[tuple[str, ...], list[Pairing]],
    ) -> Pairing:
        """Return a game, which takes its pair out of the `free` ones of all rounds."""
        row = Pairing(0, names, game, reason=self._why_not(game, names))
        lines = self._lines(game.unique_id)
        if lines and not lines[0].side:
            reason = row_text("club", "void", reason=clean(lines[0].reason))
            return replace(row, adjudications=lines, reason=reason)
        if row.reason:
            return row
        if self.club.pairing != LADDER:
            pair = names[Side.BRITISH], names[Side.FRENCH]
            if not free[pair]:
                return replace(row, reason=row_text("club", "no round"))
            # A round that was decided without a game is not for a game of a later one.
            slot = min(free[pair], key=lambda slot: (self._is_early(game, slot), slot.is_decided))
            free[pair].remove(slot)
            row = replace(slot, game=game)
            lines = self._lines(game.unique_id, (slot.round, *pair))
        # A damaged file proves all that comes before the damage.
        is_waiting = game.verdict in (Verdict.CHEATED, Verdict.FORKED) and not lines
        reason = row_text("club", game.verdict) if is_waiting else NOTHING
        return replace(row, adjudications=lines, reason=reason)

    def _is_early(self, game: ClubGame, slot: Pairing) -> bool:
        """Return True if a game began before the day of a round."""
        day = self.club.round[slot.round - 1].day
        return day is not None and game.first < day.isoformat()

    def _why_not(self, game: ClubGame, names: Mapping[Side, str]) -> Message:
        """Return the reason why a game is none of the club's, or an empty message."""
        if len(names) < len(Side):
            return row_text("club", "not accepted")
        for side, who in game.players.items():
            if not names[side]:
                is_alike = any(are_names_alike(one.name, who.name) for one in self.club.member)
                facts = {"name": display_name(who.name), "digits": who.key.hex()}
                return row_text("club", "second key" if is_alike else "stranger", **facts)
        if names[Side.BRITISH] == names[Side.FRENCH]:
            return row_text("club", "both sides", name=display_name(names[Side.BRITISH]))
        if game.edition not in self.club.editions:
            return row_text("club", "edition", edition=edition_name(game.edition))
        if others := {*game.house_rules} - {*self.club.house_rules}:
            return row_text("club", "rules", rules=house_rule_names(sorted(others)))
        if not self.club.begins <= date.fromisoformat(game.first[:10]) <= self.club.ends:
            return row_text("club", "season", date=game.first[:10])
        return NOTHING

    @cached_property
    def places(self) -> list[Place]:
        """The table, the best member first."""
        rows = self.decided
        won = Counter(row.ranking[0] for row in rows)
        lost = Counter(row.ranking[1] for row in rows)
        as_british = Counter(row.names[Side.BRITISH] for row in rows)
        provisional = Counter(name for row in rows if row.is_provisional for name in row.ranking)
        byes = Counter(row.bye for row in self.club.round if self.club.pairing == SWISS)
        points, tie_break = won + byes, Counter[str]()
        for winner, loser in (row.ranking for row in rows):
            tie_break[winner] += points[loser]
        names = [member.name for member in self.club.member]
        names.sort(key=lambda name: (-points[name], -tie_break[name], name))
        scores = [(points[name], tie_break[name]) for name in names]
        columns = points, tie_break, won, lost, as_british, provisional
        return [
            Place(1 + scores.index(score), name, *(column[name] for column in columns))
            for name, score in zip(names, scores, strict=True)
        ]

    @cached_property
    def _victories(self) -> Counter[tuple[str, str]]:
        return Counter(row.ranking for row in self.decided)

    def score(self, name: str, other: str) -> str:
        """Return the victories and defeats of a member against another one, if they have played."""
        won, lost = self._victories[name, other], self._victories[other, name]
        return f"{won}–{lost}" if won or lost else ""

    @cached_property
    def ladder(self) -> list[str]:
        """The members from the top of a ladder, which begins in the order of the file.

        A winner takes the place of a defeated member who stood above, and those between move down.
        """
        rungs = [member.name for member in self.club.member if self.club.pairing == LADDER]
        for winner, loser in (row.ranking for row in self.decided if rungs):
            above = rungs.index(loser)
            if rungs.index(winner) > above:
                rungs.remove(winner)
                rungs.insert(above, winner)
        return rungs

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings from the games that are rated. Raises UsageError without the library."""
        games = [
            RatedGame(
                row.names[Side.BRITISH],
                row.names[Side.FRENCH],
                row.winner,
                (row.game.edition, row.game.house_rules),
                # Of a clock that is years ahead, all would be uncertain.
                min(date.fromisoformat(row.time[:10]), self.club.ends),
            )
            for row in self.decided
            if row.game and row.winner and row.is_rated
        ]
        return rate(games)


# --- pairing


def pair_next_round(standings: Standings) -> Round:
    """Return the next round of a club.

    Raises UsageError if its file or its open games allow none, or if a library for the Swiss system
    is not installed.
    """
    club = standings.club
    if club.pairing == LADDER:
        raise UsageError("In a ladder the members choose their opponents: there are no rounds.")
    names = [member.name for member in club.member]
    present = {member.name for member in club.member if not member.withdrawn}
    if len(present) < 2:
        raise UsageError(
            "A round needs at least two members without a line “withdrawn” in {file}.",
            file=club.path,
        )
    if club.pairing == ROUND_ROBIN:
        first = {name for row in club.round[:1] for name in (*sum(row.pairs, ()), row.bye)}
        first = first - {_NOBODY} or present
        if not present <= first <= {*names}:
            raise UsageError(
                "The members have changed since the first round. A round robin needs the same ones "
                "to its end: give those who have left a line “withdrawn”, and let new ones join "
                "later."
            )
        names = [name for name in names if name in first]
        complete = pair_round_robin(names, len(club.round))
        return Round(tuple(pair for pair in complete.pairs if {*pair} <= present), complete.bye)
    if left := [row.title for row in standings.rows if row.round and not row.is_decided]:
        raise UsageError(
            "The next round follows from the results of all games, and these are open: {games}. "
            "Wait for them, or adjudicate them in {file}.",
            games=semicolon_list(left),
            file=club.path,
        )
    ratings = {name: rating.points for name, rating in standings.ratings.players.items()}
    field = [(place.name, place.points) for place in standings.places if place.name in present]
    field.sort(key=lambda row: (-row[1], -ratings.get(row[0], 0), row[0]))
    # Void games were not played.
    played = [row.names for row in standings.pairings if row.winner]
    byes = [row.bye for row in club.round if row.bye]
    return pair_swiss(field, [(one[Side.BRITISH], one[Side.FRENCH]) for one in played], byes)


def pair_round_robin(names: Sequence[str], number: int) -> Round:
    """Return the round `number`, from 0, of a round robin with both sides.

    Raises UsageError after the last round.

    >>> pair_round_robin(["Anna", "Ben", "Cleo"], 0)
    Round(pairs=(('Ben', 'Cleo'), ('Cleo', 'Ben')), bye='Anna', day=None)
    """
    first, *others = [*names, *[_NOBODY] * (len(names) % 2)]
    if number >= len(others):
        raise UsageError("Every member has met every other one: the round robin is complete.")
    # The first one keeps the place, and the others move on by one.
    circle = [first, *others[number:], *others[:number]]
    meetings = [(circle[at], circle[-1 - at]) for at in range(len(circle) // 2)]
    pairs = [game for one, two in meetings if one and two for game in ((one, two), (two, one))]
    return Round(tuple(pairs), "".join(one or two for one, two in meetings if not (one and two)))


def pair_swiss(
    field: Sequence[tuple[str, int]], played: Sequence[Pair], byes: Sequence[str]
) -> Round:
    """Return the next round for a `field` of names and scores, the best first.

    Raises UsageError if the library is not installed.
    """
    networkx = import_extra("networkx")
    met = Counter(map(frozenset, (*played, *((name, _NOBODY) for name in byes))))
    balance = Counter(british for british, _ in played)
    balance.subtract(french for _, french in played)
    sizes = Counter(score for _, score in field)
    members = [*field, *[(_NOBODY, min(sizes))] * (len(field) % 2)]

    def cost(rank: int, other_rank: int) -> int:
        (name, score), (other, other_score) = members[rank], members[other_rank]
        distance, difference = other_rank - rank, score - other_score
        low, high = sorted((balance[name], balance[other]))
        # Who has played the British less often plays them now.
        leads = [abs(low + 1), abs(high - 1)] if other else [abs(balance[name])]
        fold = 0 if difference else distance - sizes[score] // 2
        parts = (
            met[frozenset((name, other))],
            sum(max(0, lead - 2) for lead in leads),
            sum(lead > 1 for lead in leads),
            difference**2,
            (fold if other else distance) ** 2,
        )
        return sum(part * _BASE**power for power, part in enumerate(reversed(parts)))

    graph = networkx.Graph()
    for ranks in combinations(range(len(members)), 2):
        graph.add_edge(*ranks, weight=-cost(*ranks))
    pairs, bye = [], ""
    for rank, other_rank in sorted(map(sorted, networkx.max_weight_matching(graph, True))):
        name, other = members[rank][0], members[other_rank][0]
        lead = balance[name] - balance[other]
        # Of members with the same balance, every second upper one has the British.
        is_british = lead < 0 or (lead == 0 and rank % 2 == 0)
        if other:
            pairs.append((name, other) if is_british else (other, name))
        else:
            bye = name
    return Round(tuple(pairs), bye)
