"""Entering the game: what an invitation and its acceptance have to say, and what comes of them.

docs/protocol.md, Steps and The exchange. Where in the chain they stand is for `match`.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.ruleset import Ruleset
from engine.sides import Side
from pbem.errors import StepError
from pbem.protocol.rules_data import differing_rules, rules_digest, ruleset_of
from pbem.protocol.steps import Accept, Invite
from pbem.protocol.table import Table


class Entrant(NamedTuple):
    """A player of this game, as the invitation or the acceptance names them."""

    name: str
    email: str
    key: bytes
    nonce: bytes
    secret_hash: bytes

    @classmethod
    def of(cls, entry: Invite | Accept) -> Entrant:
        """The player who enters the game with this step."""
        return cls(entry.name, entry.email, entry.key, entry.nonce, entry.secret_hash)


def check_invite(invite: Invite, side: Side | None) -> Ruleset:
    """The rules of the game that an invitation begins; `side` is that of its record, None for any.

    Raises StepError where the invitation itself names another side, and where it is about rules
    that this program does not know, or knows otherwise.
    """
    if invite.side != (side or "any"):
        raise StepError("it names two different sides.", "invitation")
    ruleset = ruleset_of(invite)
    if invite.rules_digest != rules_digest(ruleset):
        raise StepError(differing_rules(invite, ruleset), "rules data")
    return ruleset


def check_accept(accept: Accept, side: Side | None, invite: Invite) -> None:
    """Check that another player accepts an invitation, with an entry of its own.

    `side` is that of the record. Raises StepError.
    """
    if side is None or accept.side != side:
        raise StepError("it names two different sides.", "acceptance")
    if accept.key == invite.key:
        raise StepError("inviter and guest are the same player.", "acceptance")
    if accept.nonce == invite.nonce or accept.secret_hash == invite.secret_hash:
        raise StepError("it repeats the inviter's entry.", "acceptance")


def lay_table(invite: Invite, ruleset: Ruleset, first: Side) -> Table:
    """The table of a game by these rules; `first` sets up first, where they leave it open."""
    return Table(
        ruleset,
        sets_up_first=first,
        lists=invite.lists,
        draws_ahead=invite.home_support == "ahead",
    )
