"""Letters about a game that bring no file, told: reports on an own letter, replies without a file.

What they say, anybody may have written: it is told as what a letter says.
"""

from __future__ import annotations

from typing import Any

from language import phrase
from pbem.cli import console
from pbem.cli.paths import quoted
from pbem.foreign import clean
from pbem.mail.connecting import said
from pbem.mail.reports import Outcome, Returned, WithoutFile


def about_letter(letter: Returned | WithoutFile, sender: str, command: str) -> str:
    """What a letter by that sender is, and what to do; `command` is how the program is called."""
    if isinstance(letter, WithoutFile):
        return _reply(letter, sender)
    told = _outcome(letter, sender)
    if letter.outcome is Outcome.DELAYED:
        return f"{told} {phrase('There is nothing to do.')}"
    if letter.outcome is Outcome.DELIVERED:
        return told
    if letter.listed.game.records - 1 > letter.record:
        answered = phrase("It has been answered since, so it arrived: there is nothing to do.")
        return f"{told} {answered}"
    return f"{told} {_what_to_do(letter, command)}"


def _outcome(report: Returned, sender: str) -> str:
    """What a report says, in a sentence."""
    given = {
        "record": report.record,
        "address": console.mailbox(report.to or "?"),
        "sender": sender,
        # Translators: {said} is empty, or “ (it said: …)” with a space before it. So too in the
        # next ones.
        "said": said(report.said),
    }
    match report.outcome:
        case Outcome.FAILED:
            return phrase(
                "A letter from {sender} says that your letter with record {record} did not reach "
                "{address}{said}.",
                **given,
            )
        case Outcome.DELAYED:
            return phrase(
                "A letter from {sender} says that your letter with record {record} has not "
                "reached {address} yet{said}, and that it is still being tried.",
                **given,
            )
        case Outcome.DELIVERED:
            return phrase(
                "A letter from {sender} says that your letter with record {record} was handed "
                "on to {address}.",
                **given,
            )
        case Outcome.UNCLEAR:
            return phrase(
                "A letter from {sender} is a report on your letter with record {record}, which "
                "may not have reached {address}{said}: read it in your mail program.",
                **given,
            )


def _what_to_do(report: Returned, command: str) -> str:
    to_check = phrase(
        "See whether that address is right; if it is not, ask your opponent for another one, which "
        "is given with --to."
    )
    file = report.listed.file_out
    if file is None:
        by_hand = phrase("Then send the file again.")
        return f"{to_check} {by_hand}"
    again = phrase(
        "To send it again: {command}", command=f"{command} mail send {quoted(file)} --again"
    )
    return f"{to_check} {again}"


def _reply(reply: WithoutFile, sender: str) -> str:
    if reply.envelope.is_automatic and not reply.hint:
        return phrase(
            "An automatic reply from {sender} has no file in it: there is nothing to do.",
            sender=sender,
        )
    told = phrase("A letter from {sender} has no file in it that can be read.", sender=sender)
    if reply.hint:
        return f"{told} {reply.hint}"
    what_to_do = phrase("If it was to bring a turn, ask for the file to be attached.")
    return f"{told} {what_to_do}"


# --- the same as data


def letter_facts(letter: Returned | WithoutFile) -> dict[str, Any]:
    """What a letter says of a game, as plain data."""
    game = letter.listed.id.hex()
    if isinstance(letter, WithoutFile):
        reason, is_automatic = clean(letter.hint) or None, letter.envelope.is_automatic
        return {"what": "without file", "game": game, "reason": reason, "automatic": is_automatic}
    return {
        "what": "report",
        "game": game,
        "record": letter.record,
        "outcome": letter.outcome.value,
        "to": clean(letter.to),
        "said": clean(letter.said),
    }
