"""The standings of a club: the games that count, the table, the ladder and the ratings.

They follow from `club.toml` and the verified games alone, without the present time, so that the
same files give the same standings to anybody. See docs/club.md, What counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from engine.message import NOTHING, Message
from engine.sides import Side
from pbem.club.club_file import LADDER, ROUND_ROBIN, Adjudication, Club, Pair
from pbem.club.games import ClubGame, Verdict
from pbem.club.ratings import RatedGame, Ratings, rate
from pbem.foreign import display_name
from pbem.text.rules.editions import edition_name, house_rule_names

_VERDICTS = {
    Verdict.CHEATED: Message("a player cheated: it counts once it is adjudicated"),
    Verdict.FORKED: Message(
        "a player signed two different turns: it counts once it is adjudicated"
    ),
    Verdict.DAMAGED: Message("its files are damaged: ask both players for the newest one"),
}


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
    def is_provisional(self) -> bool:
        """True if a side has not closed the game that was won by the rules."""
        return self.adjudication is None and self.game is not None and self.game.is_provisional

    def has(self, name: str) -> bool:
        """Return True if a member plays in it."""
        return name in self.names.values()


class UncountedGame(NamedTuple):
    """A game that does not count, with the reason in words."""

    game: ClubGame
    reason: Message


@dataclass(frozen=True)
class Place:
    """The place of a member in the table.

    `points` are one for a victory and one for a bye. `tie_break` is the sum of the points of all
    members that the member has defeated (Sonneborn-Berger). Members with equal points and tie-break
    share a `rank`. `provisional` is the number of games that a side has not closed.
    """

    name: str
    rank: int
    points: int
    tie_break: int
    won: int
    lost: int
    as_british: int
    provisional: int


class Standings:
    """The standings of a club after `games`, in the order of their first records."""

    def __init__(self, club: Club, games: Iterable[ClubGame]) -> None:
        club.check_signatures()
        self.club = club
        self.pairings: list[Pairing] = []
        self.uncounted: list[UncountedGame] = []
        # The first game of a pair counts for the first round that has no game of it.
        free: list[tuple[int, Pair]] = [
            (number, pair) for number, row in enumerate(club.round, 1) for pair in row.pairs
        ]
        for game in sorted(games, key=lambda game: (game.first, game.unique_id)):
            names = {side: self.name_of(who.key) for side, who in game.players.items()}
            reason = _why_not(club, game, names)
            number = 0
            if not reason and club.pairing != LADDER:
                pair = names[Side.BRITISH], names[Side.FRENCH]
                number = next((number for number, other in free if other == pair), 0)
                if number:
                    free.remove((number, pair))
                else:
                    reason = Message("no round has this pair, with these sides, once more")
            if reason:
                self.uncounted.append(UncountedGame(game, reason))
                continue
            pairing = self._pairing(number, names, game)
            if game.verdict is Verdict.HONEST or pairing.adjudication:
                self.pairings.append(pairing)
            else:
                self.uncounted.append(UncountedGame(game, _VERDICTS[game.verdict]))
        for number, (british, french) in free:
            names = {Side.BRITISH: british, Side.FRENCH: french}
            self.pairings.append(self._pairing(number, names))
        self.pairings.sort(key=lambda pairing: pairing.round)

    def name_of(self, key: bytes) -> str:
        """Return the name of the member with a key, or an empty text."""
        return self.club.names_by_key.get(key.hex(), "")

    def _pairing(
        self, number: int, names: Mapping[Side, str], game: ClubGame | None = None
    ) -> Pairing:
        slot = number, names[Side.BRITISH], names[Side.FRENCH]
        for line in self.club.adjudication:
            is_of_game = game is not None and line.game == game.id.hex()
            if is_of_game or (number and (line.round, line.british, line.french) == slot):
                reason = Message("adjudicated")
                return Pairing(number, names, game, Side(line.winner), line, reason)
        winner = game.result.winner if game and game.result else None
        unrated: Message = NOTHING
        if game and winner and (idle := next((s for s in Side if not game.turns.get(s)), None)):
            unrated = Message("{name} took no turn", name=display_name(names[idle]))
        return Pairing(number, names, game, winner, None, unrated)

    @cached_property
    def decided(self) -> list[Pairing]:
        """The pairings that count."""
        return [pairing for pairing in self.pairings if pairing.winner]

    @cached_property
    def places(self) -> list[Place]:
        """The table, the best member first."""
        won: dict[str, list[str]] = {member.name: [] for member in self.club.member}
        byes = [row.bye for row in self.club.round] if self.club.pairing != ROUND_ROBIN else []
        for row in self.decided:
            assert row.winner
            won[row.names[row.winner]].append(row.names[row.winner.opponent])
        points = {name: len(beaten) + byes.count(name) for name, beaten in won.items()}
        tie_breaks = {name: sum(map(points.__getitem__, beaten)) for name, beaten in won.items()}
        order = sorted(won, key=lambda name: (-points[name], -tie_breaks[name], name))
        places: list[Place] = []
        for _, group in groupby(order, key=lambda name: (points[name], tie_breaks[name])):
            rank = len(places) + 1
            for name in group:
                own = [row for row in self.decided if row.has(name)]
                place = Place(
                    name,
                    rank,
                    points[name],
                    tie_breaks[name],
                    len(won[name]),
                    len(own) - len(won[name]),
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
            assert row.winner
            winner, loser = row.names[row.winner], row.names[row.winner.opponent]
            if rungs.index(winner) > rungs.index(loser):
                rungs.remove(winner)
                rungs.insert(rungs.index(loser), winner)
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


def _why_not(club: Club, game: ClubGame, names: Mapping[Side, str]) -> Message:
    """Return the reason why a game is none of the club's, or an empty message."""
    if len(game.players) < len(Side):
        return Message("nobody has accepted the invitation")
    if stranger := next((who for side, who in game.players.items() if not names[side]), None):
        return Message(
            "{name} has no member's key: {digits}",
            name=display_name(stranger.name),
            digits=stranger.key.hex(),
        )
    if names[Side.BRITISH] == names[Side.FRENCH]:
        return Message("{name} plays both sides", name=display_name(names[Side.BRITISH]))
    return why_against_rules(club, game)


def why_against_rules(club: Club, game: ClubGame) -> Message:
    """Return the rule of the club that a game does not follow, or an empty message."""
    if game.edition not in club.editions:
        return Message("the club does not play the {edition}", edition=edition_name(game.edition))
    if others := [rule for rule in game.house_rules if rule not in club.house_rules]:
        return Message("the club does not play with {rules}", rules=house_rule_names(others))
    if not club.begins.isoformat() <= game.first[:10] <= club.ends.isoformat():
        return Message("it began outside of the season, on {date}", date=game.first[:10])
    return NOTHING
