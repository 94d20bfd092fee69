"""The rules of a game, as its invitation sets them: shown, and compared with what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.message import NOTHING, Message, Said, mark
from engine.sides import Side
from pbem.errors import WrongUse
from pbem.foreign import named
from pbem.protocol.match import Match
from pbem.protocol.steps import FEW_LISTS, Invite
from pbem.text.lines import Line, item
from pbem.text.rules.editions import edition_named, house_rules_named

START_CARD = Message("The card that you begin with")
HOME_SUPPORT = {
    "asked": mark("asked for, with an answer in between"),
    "ahead": mark(
        "named ahead: no extra file, but whoever may hold the card sees up to three cards ahead"
    ),
}
"""The meaning of the options for both players, in a phrase."""


def invitation_told(match: Match) -> Iterator[Line]:
    """Yield a game that nobody has joined."""
    name = named(match.invite.name)
    yield Line(Message("An invitation from {player}; nobody has joined yet.", player=name))
    yield from map(item, rules_told(match.invite))


def rules_told(invitation: Invite) -> list[Message]:
    """Return the rules and options that an invitation sets, one per line."""
    edition, rules = edition_named(invitation.edition), house_rules_named(invitation.house_rules)
    lists, often = invitation.lists, how_often(invitation.lists)
    sides = Message("sides: the invited player chooses")
    if invitation.side != "any":
        sides = Message("sides: the inviter plays the {side}", side=Side(invitation.side).label)
    return [
        Message("rules: {edition}", edition=edition),
        Message("house rules: {rules}", rules=rules) if rules else Message("house rules: none"),
        sides,
        Message(
            "lists per shuffle: {number} (a deck with wrong cards passes {often})",
            number=lists,
            often=often,
        ),
        Message("cards of Home Support: {how}", how=Message(HOME_SUPPORT[invitation.home_support])),
    ]


def few_lists_told(lists: int) -> Message:
    """Return that a deck with wrong cards would pass too often; empty if it would not."""
    if lists >= FEW_LISTS:
        return NOTHING
    return Message.counted(
        "With {count} list per shuffle, a deck of your opponent's with wrong cards passes {often}; "
        "the default is one time in 1024. If that is too often for you, do not send your answer, "
        "and ask for another invitation.",
        "With {count} lists per shuffle, a deck of your opponent's with wrong cards passes "
        "{often}; the default is one time in 1024. If that is too often for you, do not send your "
        "answer, and ask for another invitation.",
        lists,
        often=how_often(lists),
    )


def how_often(lists: int) -> Message:
    """Return how often a deck with wrong cards passes a shuffle with that many lists."""
    return Message("every time") if lists == 1 else Message("one time in {number}", number=lists)


# --- what was asked for


def check_demands(
    invitation: Invite,
    edition: str | None,
    house_rules: list[str] | None,
    lists: int | None,
    home_support: str | None,
) -> None:
    """Refuse an invitation to other rules than those that were asked for."""
    demands: tuple[tuple[Any, Any, Callable[[Any], Said]], ...] = (
        (edition, invitation.edition, _edition),
        (sorted({*(house_rules or ())}), sorted(invitation.house_rules), _house_rules),
        (lists, invitation.lists, _lists),
        (home_support, invitation.home_support, _home_support),
    )
    for wanted, offered, words in demands:
        if wanted and wanted != offered:
            raise WrongUse(
                # Translators: both are such as “the first edition” or “no house rules”.
                "You asked for {wanted}, but the invitation has {offered}: nothing was "
                "written. Ask for another invitation, or leave the option out.",
                wanted=words(wanted),
                offered=words(offered),
            )


def _edition(edition: str) -> Message:
    # Translators: {edition} is such as “first edition”.
    return Message("the {edition}", edition=edition_named(edition))


def _lists(lists: int) -> Message:
    return Message.counted("{count} list per shuffle", "{count} lists per shuffle", lists)


def _home_support(how: str) -> Message:
    # Translators: {how} is such as “asked for, with an answer in between”.
    return Message("cards of Home Support that are {how}", how=Message(HOME_SUPPORT[how]))


def _house_rules(rules: Iterable[str]) -> Message:
    listed = house_rules_named(rules)
    return Message("the house rules {rules}", rules=listed) if listed else Message("no house rules")
