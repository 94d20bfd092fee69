"""With whom the robot plays, and which invitations it accepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from engine.message import Message, sentences
from pbem.errors import WrongUse
from pbem.play.robot.places import Places
from pbem.play.robot.refusals import NotWelcome, TurnedDown
from pbem.protocol.steps import FEW_LISTS, Invite

_KEY, _FINGERPRINT = 64, 16
"""Hexadecimal digits of a whole key, and of the beginning of one that players compare."""


class NobodyMeant(WrongUse):
    """A `text` that is neither an address nor the digits of a key, or not as many as it takes."""

    def __init__(self, text: str) -> None:
        super().__init__("“{text}” is no address, and not 16 or all 64 digits of a key.", text=text)
        self.text = text


@dataclass(frozen=True)
class Welcome:
    """Who is welcome: these addresses, in lower case, and the keys that begin with these.

    Everybody is, where there are none.
    """

    addresses: frozenset[str] = frozenset()
    keys: frozenset[bytes] = frozenset()

    @classmethod
    def to(cls, given: Iterable[str]) -> Self:
        """The guests meant by addresses and keys, as players write them; raises NobodyMeant."""
        addresses, keys = set[str](), set[bytes]()
        for text in given:
            digits = re.sub(r"\s", "", text.lower())
            if "@" in text:
                addresses.add(text.strip().casefold())
            elif re.fullmatch(r"[0-9a-f]+", digits) and len(digits) in (_KEY, _FINGERPRINT):
                keys.add(bytes.fromhex(digits))
            else:
                raise NobodyMeant(text)
        return cls(frozenset(addresses), frozenset(keys))

    @property
    def is_everybody(self) -> bool:
        """Whether nobody was named."""
        return not self.addresses and not self.keys

    def has(self, key: bytes, *addresses: str) -> bool:
        """Whether a player with that key is welcome, else one with all of these addresses."""
        if self.is_everybody or any(key.startswith(known) for known in self.keys):
            return True
        return all(address.casefold() in self.addresses for address in addresses)


@dataclass(frozen=True)
class Guests:
    """Who is `welcome`, how many `places` there are, and how many `lists` a shuffle has to have.

    If the robot plays `by_mail`, they need an address that can be welcome. `more_lists` is how an
    inviter asks for that many.
    """

    welcome: Welcome
    places: Places
    lists: int = FEW_LISTS
    more_lists: str = "1024"
    by_mail: bool = False
    can_be_written_to: Callable[[str], bool] = bool

    def check_player(self, email: str, key: bytes, *senders: str) -> None:
        """Raise NotWelcome for a player with that key and, by the player's own word, that address.

        `senders` are the addresses from which it came besides.
        """
        if not self.welcome.has(key, email, *senders):
            raise NotWelcome(email)
        if not self.by_mail:
            return
        if not self.can_be_written_to(email):
            raise TurnedDown(_no_address())

    def check_invitation(self, invitation: Invite, sender: str) -> None:
        """Raise NotWelcome for an invitation that must not be accepted; by mail, from that sender.

        Raises TurnedDown if the sender can do something about it.
        """
        senders = [sender] if self.by_mail and self.welcome.addresses else []
        self.check_player(invitation.email, invitation.key, *senders)
        if invitation.lists < self.lists:
            raise TurnedDown(_few_lists(invitation.lists, self.lists, self.more_lists))


def _no_address() -> Message:
    return Message("This game names no address to which the robot could write.")


def _few_lists(lists: int, fewest: int, more: str) -> Message:
    few = Message.counted(
        "A shuffle of this game has {count} list, so a deck with wrong cards passes too easily.",
        "A shuffle of this game has {count} lists, so a deck with wrong cards passes too easily.",
        lists,
    )
    anew = Message(
        "The robot plays with {fewest} lists or more: invite it again with {option}.",
        fewest=fewest,
        option=more,
    )
    return sentences(few, anew)
