"""Entering the game: the players and the rules that an invitation and its acceptance name.

docs/protocol.md, Steps and The exchange; docs/orders.md, The rules data and its digest. Where in
the chain they stand is for `match`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from engine.house_rules import UnknownRules, house_rules
from engine.message import Message, joined_with_and, mark, message_of
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.errors import StepError
from pbem.errors.rule import Rule
from pbem.protocol.hashing import Tag, tagged_hash
from pbem.protocol.schema import canonical_json
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

    Raises StepError where the invitation itself names another side, and if it uses rules that this
    program does not know, or knows differently.
    """
    if invite.side != (side or "any"):
        raise StepError("it names two different sides.", Rule.INVITED_SIDE)
    ruleset = ruleset_of(invite)
    if invite.rules_digest != rules_digest(ruleset):
        raise StepError(differing_rules(invite, ruleset), Rule.RULES_DATA)
    return ruleset


def check_accept(accept: Accept, side: Side | None, invite: Invite) -> None:
    """Check that another player accepts an invitation, with an entry of its own.

    `side` is that of the record. Raises StepError.
    """
    if side is None or accept.side != side:
        raise StepError("it names two different sides.", Rule.ACCEPTED_SIDE)
    if accept.key == invite.key:
        raise StepError("inviter and guest are the same player.", Rule.OWN_ENTRY)
    if accept.nonce == invite.nonce or accept.secret_hash == invite.secret_hash:
        raise StepError("it repeats the inviter's entry.", Rule.OWN_ENTRY)


def lay_table(invite: Invite, ruleset: Ruleset, first: Side) -> Table:
    """The table of a game by these rules; `first` sets up first, if they leave it open."""
    return Table(
        ruleset,
        sets_up_first=first,
        lists=invite.lists,
        draws_ahead=invite.home_support == "ahead",
    )


def ruleset_of(invite: Invite) -> Ruleset:
    """The rules that an invitation names; raises StepError for rules this program does not know."""
    # The list of what there is would fill the screen, and helps nobody here.
    if invite.edition not in editions():
        unknown = Message(
            "it uses rules that this program does not know, such as the edition {edition}: they "
            "may be those of a newer acres.",
            edition=invite.edition,
        )
        raise StepError(unknown, Rule.RULES_DATA)
    for rule in invite.house_rules:
        if rule not in house_rules():
            unknown = Message(
                "it uses rules that this program does not know, such as the house rule {rule}: "
                "they may be those of a newer acres.",
                rule=rule,
            )
            raise StepError(unknown, Rule.RULES_DATA)
    try:
        return Ruleset.of(invite.edition, invite.house_rules)
    except UnknownRules as error:
        told = Message("it uses rules that cannot be played: {reason}", reason=message_of(error))
        raise StepError(told, Rule.RULES_DATA) from error


PARTS = (
    mark("flags"),
    mark("locations"),
    mark("connections"),
    mark("British cards"),
    mark("French cards"),
)


def rules_parts(ruleset: Ruleset) -> tuple[bytes, ...]:
    """A short digest of each of the `PARTS` of the rules data, 8 bytes each."""
    data = ruleset.canonical()
    cards = data["cards"]
    parts = (
        *(data[part] for part in ("flags", "locations", "connections")),
        *(cards[side.value] for side in Side),
    )
    return tuple(tagged_hash(Tag.RULES, canonical_json(part))[:8] for part in parts)


def differing_parts(invite: Invite, ruleset: Ruleset) -> list[str]:
    """The `PARTS` in which the inviter's rules data differ from these; none if it does not say."""
    if invite.rules_parts is None:
        return []
    pairs = zip(PARTS, invite.rules_parts, rules_parts(ruleset), strict=True)
    return [name for name, theirs, ours in pairs if theirs != ours]


def differing_rules(invite: Invite, ruleset: Ruleset) -> Message:
    """A sentence that says that the inviter's rules data differ from these, and where."""
    differing = differing_parts(invite, ruleset)
    if not differing:
        return Message(
            "it was made with different rules data for “{edition}” than this program has: one of "
            "the two was changed, or is of another version.",
            edition=invite.edition,
        )
    return Message(
        "it was made with different rules data for “{edition}” than this program has, in its "
        "{parts}: one of the two was changed, or is of another version.",
        edition=invite.edition,
        parts=joined_with_and(map(Message, differing)),
    )


def rules_digest(ruleset: Ruleset) -> bytes:
    """The digest of the whole rules data: board, cards, edition and house rules."""
    # A ruleset has no hash, and its methods have: they are equal where they are of the same one.
    return _digest(ruleset.canonical)


@lru_cache(maxsize=16)
def _digest(data: Callable[[], Mapping[str, Any]]) -> bytes:
    """`rules_digest`, kept: each game that is read names its rules, which differ seldom."""
    return tagged_hash(Tag.RULES, canonical_json(data()))
