"""The standings of a club: the games that count, the table, the ladder and the ratings.

They follow from `club.toml` and the verified games alone, without the present time, so that the
same files give the same standings to anybody. docs/club.md says which games count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from engine.message import NOTHING, Message
from engine.sides import Side
from pbem.club.club_file import LADDER, SWISS, Adjudication, Club
from pbem.club.ratings import RatedGame, Ratings, rate
from pbem.club.verdicts import ClubGame, Verdict
from pbem.foreign import display_name
from pbem.text.phrases import row_text
from pbem.text.rules.editions import edition_name, house_rule_names


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

    The first game of a pair counts for the first round that has this pair and no game of it. Raises
    InputError if a line of the club is not signed.
    """

    def __init__(self, club: Club, games: Iterable[ClubGame]) -> None:
        club.check_signatures()
        self.club = club
        self.pairings: list[Pairing] = []
        self.uncounted: list[UncountedGame] = []
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
