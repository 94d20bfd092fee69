"""What arrived by mail, told: of each game the newest file, and what to do with it.

Headers of messages are what anybody can write there; they are told in quotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.message import Message, Said, labelled, message_of, sentences
from pbem.cli import console
from pbem.cli.games import say_game
from pbem.cli.players import say_recognised
from pbem.errors import NotProved, Unreadable
from pbem.foreign import clean, quoted, shown
from pbem.mail.arrivals import Filed, Kind, News, Refused, TooLarge, newest
from pbem.mail.reports import Returned, WithoutFile
from pbem.view.games import listed_facts, recognised_facts
from pbem.words.games.listing import called
from pbem.words.history.waiting import ahead_told
from pbem.words.proof.finding import explained
from pbem.words.proof.memory import has_learnt_of_you

_BOLD = (Kind.NEW, Kind.AGAIN, Kind.INVITATION)
"""What somebody waits for."""


def say_arrivals(news: Sequence[News], now: str, command: str) -> None:
    """Print what a message held; `command` is how the program is called.

    How a game stands of which a turn arrived says `say_standing`: more of it may follow.
    """
    for filed in newest(news):
        _say_filed(filed, now, command)
    for each in news:
        if isinstance(each, Refused):
            console.warn(_refused(each, command))
        elif isinstance(each, TooLarge):
            console.warn(
                Message(
                    "A message of {size} MiB was left alone: no file of a game is as large.",
                    size=f"{each.size / 2**20:.0f}",
                )
            )
        elif isinstance(each, WithoutFile):
            console.warn(labelled(called(each.listed), each.sentence))
        elif isinstance(each, Returned):
            told = sentences(each.sentence, each.to_do(command))
            console.warn(labelled(called(each.listed), told))


def say_standing(news: Iterable[News], now: str, command: str) -> None:
    """Print how each game stands of which a turn arrived, and what to do, by its newest file."""
    for filed in newest(news):
        if filed.kind in (Kind.NEW, Kind.AGAIN) and filed.listed is not None:
            say_game(filed.listed, now, command)


def _say_filed(filed: Filed, now: str, command: str) -> None:
    path, listed = filed.path, filed.listed
    console.say(filed.sentence, "bold" if filed.kind in _BOLD else "")
    if filed.kind in (Kind.OLDER, Kind.OTHER) and path:
        console.say_whole(f"  {shown(path)}")
    known = (listed.file_in or listed.file_out) if listed else None
    if filed.kind is Kind.OTHER and known and path:
        audit = f"{command} audit {quoted(known)} {quoted(path)}"
        console.say_whole("  " + Message("To see who signed both: {command}", command=audit))
    if filed.kind is Kind.INVITATION and path:
        join = f"{command} join {quoted(path)}"
        console.say_whole("  " + Message("To take it up: {command}", command=join))
    if filed.opponent:
        say_recognised(filed.opponent, command)
    if filed.found.cut:
        console.warn(filed.found.cut)
    ahead = ahead_told(filed.match, now)
    if ahead and filed.kind is not Kind.FOREIGN:
        console.warn(ahead)
    if filed.was_learnt:
        console.warn(has_learnt_of_you())
    if filed.other_address:
        console.warn(
            Message(
                "It came from {sender} and not from {address}, the address in the game. Who wrote "
                "it, the signature says, which is right.",
                sender=filed.found.envelope.who,
                address=console.mailbox(filed.other_address),
            )
        )


def _refused(refused: Refused, command: str) -> Message:
    """What is wrong with what came, and what to do."""
    if isinstance(refused.reason, Unreadable):
        return refused.sentence
    how_to_go_on = Message(
        "To look into it, save that message in your mail program: {command} MESSAGE",
        command=f"{command} audit",
    )
    return sentences(refused.sentence, _why(refused), how_to_go_on)


def _why(refused: Refused) -> Said:
    """Why a file does not verify, in a player's words."""
    if not isinstance(refused.reason, NotProved):
        return message_of(refused.reason)
    return explained(refused.reason, refused.data, is_as_sent=refused.is_as_sent).said


# --- the same as data


def arrival_facts(news: Iterable[News], now: str) -> list[dict[str, Any]]:
    """All that some messages held as plain data, in the order in which it came."""
    return [_facts(each, now) for each in news]


def _facts(news: News, now: str) -> dict[str, Any]:
    if isinstance(news, TooLarge):
        return {"what": "too large", "bytes": news.size}
    if isinstance(news, Returned | WithoutFile):
        return {**news.facts(), "listed": listed_facts(news.listed, now), **news.envelope.facts()}
    if isinstance(news, Refused):
        reason = clean(str(news.reason))
        return {"what": news.what, "reason": reason, **news.envelope.facts()}
    return {
        "what": news.kind.value,
        "game": news.match.id.hex(),
        "record": len(news.found.records) - 1,
        "file": None if news.path is None else str(news.path),
        "other_address": news.other_address or None,
        "opponent": recognised_facts(news.opponent) if news.opponent else None,
        "listed": listed_facts(news.listed, now) if news.listed else None,
        **news.found.envelope.facts(),
    }
