"""With whom the robot plays, and how many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from language import phrase, plural
from pbem.cli import console
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.library import Listed

ASLEEP = timedelta(days=30)
"""A game in which nothing was signed for so long takes up no place at the table."""


class NotWelcome(WrongUse):
    """Somebody with whom the robot does not play."""


@dataclass(frozen=True)
class Guests:
    """Who is welcome: `only` these addresses, in small letters, or everybody where there are none.

    No more than `most` games are played at once. Where the robot plays `by_mail`, they need an
    address to which mail can be sent.
    """

    only: frozenset[str]
    most: int
    by_mail: bool = False

    def check_address(self, email: str) -> None:
        """Raise NotWelcome for a player whose address, by the player's own word, will not do."""
        if self.only and email.casefold() not in self.only:
            raise NotWelcome(
                phrase(
                    "The robot does not play with {address}: it was told with --only whom to "
                    "answer.",
                    address=console.mailbox(email),
                )
                if email
                else phrase(
                    "The robot does not play with just anybody: it was told with --only whom to "
                    "answer."
                )
            )
        if not self.by_mail:
            return
        from pbem.mail.address import is_address

        if not is_address(email):
            raise NotWelcome(phrase("This game names no address to which the robot could write."))

    def check_room(self, games: Sequence[Listed], now: str) -> None:
        """Raise NotWelcome where one more game would be too many; `now` as records store it."""
        going_on = sum(not listed.game.winner and not _sleeps(listed, now) for listed in games)
        if going_on >= self.most:
            raise NotWelcome(
                plural(
                    "The robot plays {count} game already, and --games allows no more: when one of "
                    "them is over, the invitation can be sent again.",
                    "The robot plays {count} games already, and --games allows no more: when one "
                    "of them is over, the invitation can be sent again.",
                    going_on,
                )
            )


def _sleeps(listed: Listed, now: str) -> bool:
    return datetime.fromisoformat(now) - datetime.fromisoformat(listed.game.since) > ASLEEP
