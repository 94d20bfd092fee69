"""The places at the robot's table: how many there are, who has one, and until when.

Anybody can invite the robot, under any name and address. So nobody gets more than a few, a game in
which nobody moves gives its place up in days, and who has moved before goes before who has not. All
times are those of the own clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from language import phrase, plural
from pbem.cli.robot.turning_away import NoPlace
from pbem.library.arrivals import credible

if TYPE_CHECKING:
    from pbem.library import Listed
    from pbem.library.guests import Guest, TurnedAway

ASLEEP = timedelta(days=30)
"""A game in which nobody wrote for so long takes up no place at the table."""
UNMOVED = timedelta(days=3)
"""So long a place is kept for who has invited the robot and not written since."""
A_DAY = timedelta(days=1)
TIMES_A_DAY = 10
"""So many times as there are places games are begun in a day."""
LETTERS_A_DAY = 10
"""So many games are begun in a day with one address of which nobody knows whose it is."""


@dataclass(frozen=True)
class Places:
    """`most` games at once, of them `each` with one player.

    Of one address no more than `each` games in which nobody has moved take a place, the newest:
    who writes in somebody's name keeps that player from none.
    """

    most: int
    each: int

    def check_new(
        self, table: Table, key: bytes, sender: str, *, is_again: bool, by_mail: bool
    ) -> None:
        """Raise NoPlace where an invitation by that key, from that address, finds no place.

        One that `is_again` looked at, after it was turned away, leaves half of them to new ones.
        """
        self._check_player(table, key)
        if any(guest.key == key and guest.has_moved for guest in table.guests):
            self._check_all(sum(guest.has_moved for guest in self.seated(table)))
            return
        seated = self.seated(table)
        waiting = sum(guest.sender == sender and not guest.has_moved for guest in seated)
        taken = len(seated) - (waiting >= self.each)
        self._check_all(taken, max(1, self.most // 2) if is_again else self.most)
        begun = [guest for guest in table.guests if table.idle(guest.taken) <= A_DAY]
        if len(begun) >= TIMES_A_DAY * self.most:
            raise NoPlace(_not_today)
        if by_mail and sum(guest.sender == sender for guest in begun) >= LETTERS_A_DAY:
            raise NoPlace(_not_today)

    def check_back(self, table: Table, game: bytes, key: bytes) -> None:
        """Raise NoPlace where a game that had given its place up comes back and finds none."""
        seated = self.seated(table)
        if any(guest.game == game for guest in seated):
            return
        others = [guest for guest in seated if guest.has_moved]
        if len(others) >= self.most or self._games_of(key, others) >= self.each:
            raise NoPlace(_given_up)

    def seated(self, table: Table) -> list[Guest]:
        """Who has a place, the last first."""
        unmoved: Counter[str] = Counter()
        found: list[Guest] = []
        for guest in sorted(table.guests, key=lambda guest: guest.last, reverse=True):
            if not table.goes_on(guest):
                continue
            unmoved[guest.sender] += not guest.has_moved
            if guest.has_moved or unmoved[guest.sender] <= self.each:
                found.append(guest)
        return found

    def _check_player(self, table: Table, key: bytes) -> None:
        mine = self._games_of(key, self.seated(table))
        if mine >= self.each:
            raise NoPlace(lambda: _enough_with_you(mine))

    def _games_of(self, key: bytes, seated: Sequence[Guest]) -> int:
        return sum(guest.key == key for guest in seated)

    def _check_all(self, taken: int, most: int | None = None) -> None:
        if taken >= (self.most if most is None else most):
            raise NoPlace(lambda: _no_place(taken))


@dataclass(frozen=True)
class Table:
    """Who plays with the robot, at the time that it is `now`, and who was turned away."""

    guests: Sequence[Guest]
    turned_away: Sequence[TurnedAway]
    now: str

    @classmethod
    def of(
        cls,
        noted: Sequence[Guest],
        turned_away: Sequence[TurnedAway],
        games: Sequence[Listed],
        now: str,
    ) -> Table:
        """The table with the guests that were noted, and those of games begun before they were."""
        known = {guest.game for guest in noted}
        earlier = [_guest_of(listed, now) for listed in games if listed.id not in known]
        return cls([*noted, *earlier], turned_away, now)

    def idle(self, time: str) -> timedelta:
        """How long ago that was; for ever, if the clock was wrong then."""
        ago = datetime.fromisoformat(self.now) - datetime.fromisoformat(time)
        return ago if ago >= timedelta() else timedelta.max

    def goes_on(self, guest: Guest) -> bool:
        """Whether a game is neither over nor given up."""
        most = ASLEEP if guest.has_moved else UNMOVED
        return not guest.is_over and self.idle(guest.last) <= most


def _guest_of(listed: Listed, now: str) -> Guest:
    """The guest of a game of which only the library tells: the key is not known."""
    from pbem.library.guests import Guest

    game = listed.game
    since = credible(listed.arrived, game.since, now)
    time, email = since or "0001-01-01T00:00:00Z", game.email.casefold()
    return Guest(listed.id, b"", email, time, time, game.records > 2, bool(game.winner))


# --- why there is none, in sentences for whoever asked


def _no_place(taken: int) -> str:
    return plural(
        "The robot plays {count} game already, and has no place for another one: send the "
        "invitation again in a few days.",
        "The robot plays {count} games already, and has no place for another one: send the "
        "invitation again in a few days.",
        taken,
    )


def _enough_with_you(mine: int) -> str:
    return plural(
        "The robot plays {count} game with you already, and no more than that with one player: "
        "when it is over, send the invitation again.",
        "The robot plays {count} games with you already, and no more than that with one player: "
        "when one of them is over, send the invitation again.",
        mine,
    )


def _given_up() -> str:
    return phrase(
        "The robot had given up the place of this game, because nobody wrote in it for days, and "
        "has no other now: send the file again in a few days."
    )


def _not_today() -> str:
    return phrase("The robot has begun enough games for today: send the invitation again tomorrow.")
