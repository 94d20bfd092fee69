"""The places at the robot's table: how many there are, who has one, and until when.

Anybody can invite the robot, under any name and address. So nobody gets more than a few, a game in
which nobody moves gives up its place within days, and players who have moved before go ahead of
those who have not. All times are those of this computer's clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from engine.message import Message
from pbem.library import Listed
from pbem.library.entries import AHEAD, credible
from pbem.library.guest_book import Guest, TurnedAway, Waiting
from pbem.play.robot.refusals import NoPlace, NoRoom

ASLEEP = timedelta(days=30)
"""A game in which nobody wrote for so long takes up no place at the table."""
UNMOVED = timedelta(days=3)
"""How long a place is kept for whoever has invited the robot and not written since."""
A_DAY = timedelta(days=1)
TIMES_A_DAY = 10
"""How many times as there are places games are begun in a day."""
WITH_ONE_A_DAY = 10
"""How many games are usually begun in a day with one key, and by mail with one address."""


class Applicant(NamedTuple):
    """Somebody who invites the robot, with that key, `by_mail` from the address `sender`.

    An invitation that `is_again` looked at, after it was turned away, leaves half of the places to
    new ones. By mail it waits behind others, unless it `has_waited`.
    """

    key: bytes
    sender: str
    is_again: bool
    by_mail: bool
    has_waited: bool = False


@dataclass(frozen=True)
class Places:
    """`most` games at once, of them `each` with one player; `a_day` are begun with one in a day.

    Of one address no more than `each` games in which nobody has moved take a place, the newest:
    who writes in somebody's name keeps that player from none.
    """

    most: int
    each: int
    a_day: int = WITH_ONE_A_DAY

    def check_new(self, table: Seating, applicant: Applicant) -> None:
        """Raise NoPlace where an invitation finds no place, NoRoom where it can wait for one."""
        mine = _games_of(applicant.key, self.seated(table))
        if mine >= self.each:
            raise NoPlace(_enough_with_you(mine))
        self._check_room(table, applicant)
        self._check_today(table, applicant)

    def check_back(self, table: Seating, game: bytes, key: bytes) -> None:
        """Raise NoPlace where a file comes of a game that had no place for good, and finds none.

        That is so the first time that its guest moves, and when it comes back after a long time.
        """
        moved = [guest for guest in self.seated(table) if guest.has_moved]
        if any(guest.game == game for guest in moved):
            return
        if len(moved) >= self.most or _games_of(key, moved) >= self.each:
            raise NoPlace(_lost_its_place())

    def _check_room(self, table: Seating, applicant: Applicant) -> None:
        """Whoever has moved before goes before all who have not, and these are not counted then."""
        seated = self.seated(table)
        if applicant.key in table.movers:
            taken, most = sum(guest.has_moved for guest in seated), self.most
        else:
            waiting = sum(g.sender == applicant.sender and not g.has_moved for g in seated)
            # The oldest of these makes room for it.
            taken = len(seated) - (waiting >= self.each)
            most = max(1, self.most // 2) if applicant.is_again else self.most
        is_behind = applicant.by_mail and bool(table.waiting) and not applicant.has_waited
        if taken >= most or (is_behind and applicant.key not in table.movers):
            raise NoRoom(_no_place(taken))

    def _check_today(self, table: Seating, applicant: Applicant) -> None:
        """Games that end at once, or make room for others, would else be without number."""
        is_known = applicant.key in table.movers
        begun = table.begun_today(movers=is_known)
        of_sender = sum(guest.sender == applicant.sender for guest in begun)
        if (
            len(begun) >= TIMES_A_DAY * self.most
            or _games_of(applicant.key, begun) >= self.a_day
            or (applicant.by_mail and not is_known and of_sender >= self.a_day)
        ):
            raise NoPlace(_not_today())

    def seated(self, table: Seating) -> list[Guest]:
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


@dataclass(frozen=True)
class Seating:
    """Who plays with the robot, at the time that it is `now`, who was turned away, who waits."""

    guests: Sequence[Guest]
    turned_away: Sequence[TurnedAway]
    waiting: Sequence[Waiting]
    now: str

    @classmethod
    def of(
        cls,
        noted: Sequence[Guest],
        turned_away: Sequence[TurnedAway],
        waiting: Sequence[Waiting],
        games: Sequence[Listed],
        now: str,
    ) -> Seating:
        """The table with the guests that were noted, and those of games begun before they were."""
        known = {guest.game for guest in noted}
        earlier = [_guest_of(listed, now) for listed in games if listed.id not in known]
        return cls([*noted, *earlier], turned_away, waiting, now)

    @cached_property
    def movers(self) -> frozenset[bytes]:
        """The keys of those who have moved in a game with the robot: they are no mere senders."""
        return frozenset(guest.key for guest in self.guests if guest.has_moved and guest.key)

    def begun_today(self, *, movers: bool) -> list[Guest]:
        """The games of the last day, with those who have moved before or with all others."""
        today = [guest for guest in self.guests if self.idle(guest.taken) <= A_DAY]
        return [guest for guest in today if (guest.key in self.movers) is movers]

    def idle(self, time: str) -> timedelta:
        """How long ago that was; for ever, if the clock was wrong then.

        A clock is put back by a little now and then, and was not wrong.
        """
        ago = datetime.fromisoformat(self.now) - datetime.fromisoformat(time)
        return max(ago, timedelta()) if ago >= -AHEAD else timedelta.max

    def goes_on(self, guest: Guest) -> bool:
        """Whether a game is neither over nor given up."""
        most = ASLEEP if guest.has_moved else UNMOVED
        return not guest.is_over and self.idle(guest.last) <= most


def _games_of(key: bytes, guests: Sequence[Guest]) -> int:
    return sum(guest.key == key for guest in guests)


def _guest_of(listed: Listed, now: str) -> Guest:
    """The guest of a game of which only the library tells: the key is not known."""
    game = listed.game
    since = credible(listed.arrived, game.since, now)
    time, email = since or "0001-01-01T00:00:00Z", game.email.casefold()
    return Guest(listed.id, b"", email, time, time, game.records > 2, bool(game.winner))


# --- why there is none, in sentences for whoever asked


def _no_place(taken: int) -> Message:
    return Message.counted(
        "The robot already plays {count} game, and has no room for another: send the invitation "
        "again in a few days.",
        "The robot already plays {count} games, and has no room for another: send the invitation "
        "again in a few days.",
        taken,
    )


def _enough_with_you(mine: int) -> Message:
    return Message.counted(
        "The robot already plays {count} game with you, and no more than that with one player: "
        "when it is over, send the invitation again.",
        "The robot already plays {count} games with you, and no more than that with one player: "
        "when one of them is over, send the invitation again.",
        mine,
    )


def _lost_its_place() -> Message:
    return Message(
        "This game has lost its place at the robot's table while it waited for you, and there is "
        "no other one now: send the file again in a few days."
    )


def _not_today() -> Message:
    return Message(
        "The robot has begun enough games for today: send the invitation again tomorrow."
    )
