"""What an invitation sets: the rules and options of a game, told."""

from __future__ import annotations

from engine.message import Message, mark
from engine.sides import Side
from pbem.protocol.steps import Invite
from pbem.words.proof.audit import how_often
from pbem.words.rules.editions import edition_named

HOME_SUPPORT = {
    "asked": mark("asked for, with an answer in between"),
    "ahead": mark(
        "named ahead: no file more, but whoever may hold it sees up to three cards ahead"
    ),
}
"""What the options mean for both players, in a phrase."""


def rules_told(invitation: Invite) -> list[Message]:
    """The rules and options that an invitation sets, a line each."""
    edition, rules = edition_named(invitation.edition), ", ".join(invitation.house_rules)
    lists, often = invitation.lists, how_often(invitation.lists)
    return [
        Message("rules: {edition}", edition=edition),
        Message("house rules: {rules}", rules=rules) if rules else Message("house rules: none"),
        _sides_told(invitation),
        Message(
            "lists a shuffle: {number} (a wrong deck goes unnoticed {often})",
            number=lists,
            often=often,
        ),
        Message("cards of Home Support: {how}", how=Message(HOME_SUPPORT[invitation.home_support])),
    ]


def _sides_told(invitation: Invite) -> Message:
    if invitation.side == "any":
        return Message("sides: the invited player chooses")
    return Message("sides: the inviter plays the {side}", side=Side(invitation.side).label)
