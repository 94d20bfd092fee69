"""What arrived by mail, told: of each game the newest file, and what to do with it.

Headers of messages are what anybody can write there; they are told in quotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from language import labelled, phrase
from pbem.cli import console
from pbem.cli.clocks import told_ahead
from pbem.cli.games.listing import called, facts, say_game
from pbem.cli.mail.cut import warn_if_cut
from pbem.cli.mail.letters import about_letter, letter_facts
from pbem.cli.own_library import has_learnt_of_you
from pbem.cli.paths import quoted, shown
from pbem.cli.players.recognising import recognised_facts, say_recognised
from pbem.errors import NotProved, Unreadable
from pbem.foreign import clean, excerpt, within_quotes
from pbem.mail.arrivals import Filed, Kind, News, Refused, TooLarge, newest
from pbem.mail.header import Envelope
from pbem.mail.parts import LetterUnreadable
from pbem.mail.reports import Returned, WithoutFile

LONGEST_HEADER = 60
"""So many characters are told of what a header says."""


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
                phrase(
                    "A message of {size} MiB was left alone: no file of a game is as large.",
                    size=f"{each.size / 2**20:.0f}",
                )
            )
        elif isinstance(each, Returned | WithoutFile):
            told = about_letter(each, _sender(each.envelope), command)
            console.warn(labelled(called(each.listed), told))


def say_standing(news: Sequence[News], now: str, command: str) -> None:
    """Print how each game stands of which a turn arrived, and what to do, by its newest file."""
    for filed in newest(news):
        if filed.kind in (Kind.NEW, Kind.AGAIN) and filed.listed is not None:
            say_game(filed.listed, now, command)


def not_told(news: Sequence[News], before: Sequence[News]) -> list[News]:
    """What a message held that is not in what came shortly before: what came twice, came once."""
    known = {each.match.id for each in before if isinstance(each, Filed)}
    return [
        each
        for each in news
        if not isinstance(each, Filed)
        or each.kind not in (Kind.AGAIN, Kind.OLDER)
        or each.match.id not in known
    ]


def _say_filed(filed: Filed, now: str, command: str) -> None:
    game, record = filed.match.id.hex()[:8], filed.match.last.index
    match filed.kind:
        case Kind.NEW:
            console.say(
                phrase(
                    "A turn has arrived (record {record} of game {game}).", record=record, game=game
                ),
                style="bold",
            )
        case Kind.AGAIN:
            console.say(
                phrase(
                    "A turn has come again, and is there already (record {record} of game {game}).",
                    record=record,
                    game=game,
                ),
                style="bold",
            )
        case Kind.OLDER:
            console.say(
                phrase(
                    "A turn has come late (record {record} of game {game}): your newest file has "
                    "it.",
                    record=record,
                    game=game,
                )
            )
            _say_path(filed.path)
        case Kind.OTHER:
            console.say(
                phrase(
                    "What came of game {game} is not as you know it: record {record}, or one "
                    "before it, is another than in your file. It was kept beside it:",
                    game=game,
                    record=record,
                )
            )
            _say_path(filed.path)
            _say_how_to_compare(filed, command)
        case Kind.INVITATION:
            inviter = console.named(filed.match.invite.name)
            invites = phrase("{player} invites you to a game, {game}:", player=inviter, game=game)
            console.say(invites, style="bold")
            if filed.path:
                join = f"{command} join {quoted(filed.path)}"
                console.say_whole(f"  {phrase('To take it up: {command}', command=join)}")
        case Kind.FOREIGN:
            sender, subject = _sender(filed.found.envelope), _subject(filed.found.envelope.subject)
            console.say(
                phrase(
                    "A message from {sender} with the subject “{subject}” was left in the mailbox: "
                    "it holds a file of game {game}, in which you do not play.",
                    sender=sender,
                    subject=subject,
                    game=game,
                )
            )
    if filed.opponent:
        say_recognised(filed.opponent, command)
    warn_if_cut(filed.found)
    told = told_ahead(filed.match, now)
    if told and filed.kind is not Kind.FOREIGN:
        console.warn(told)
    if filed.was_learnt:
        console.warn(has_learnt_of_you())
    if filed.other_address:
        console.warn(
            phrase(
                "It came from {sender} and not from {address}, the address in the game. Who wrote "
                "it, the signature says, which is right.",
                sender=_sender(filed.found.envelope),
                address=console.mailbox(filed.other_address),
            )
        )


def _say_path(path: Path | None) -> None:
    if path is not None:
        console.say_whole(f"  {shown(path)}")


def _say_how_to_compare(filed: Filed, command: str) -> None:
    listed = filed.listed
    known = (listed.file_in or listed.file_out) if listed else None
    if known and filed.path:
        audit = f"{command} audit {quoted(known)} {quoted(filed.path)}"
        console.say_whole(f"  {phrase('To see who signed both: {command}', command=audit)}")


def _refused(refused: Refused, command: str) -> str:
    """What is wrong with what came, and what to do."""
    sender, subject = _sender(refused.envelope), _subject(refused.envelope.subject)
    if isinstance(refused.reason, Unreadable):
        # Translators: {reason} is a whole sentence.
        return phrase(
            "A message from {sender} with the subject “{subject}” was left in the mailbox: "
            "{reason}",
            sender=sender,
            subject=subject,
            reason=refused.reason,
        )
    left = phrase(
        "A message from {sender} with the subject “{subject}” was left in the mailbox, because the "
        "file in it does not verify.",
        sender=sender,
        subject=subject,
    )
    how_to_go_on = phrase(
        "To look into it, save that message in your mail program: {command} MESSAGE",
        command=f"{command} audit",
    )
    return f"{left} {_why(refused)} {how_to_go_on}"


def _why(refused: Refused) -> str:
    """Why a file does not verify, in a player's words."""
    if not isinstance(refused.reason, NotProved):
        return str(refused.reason)
    from pbem.cli.findings import may_be_damage, told
    from pbem.play.audit import audit

    data, finding = refused.data, refused.reason.finding
    is_damaged = may_be_damage(finding, data, is_as_sent=refused.is_as_sent)
    return told(audit(data), finding, is_damaged=is_damaged)


def _subject(header: str) -> str:
    """A subject, to stand in quotes."""
    return excerpt(within_quotes(header), LONGEST_HEADER)


def _sender(message: Envelope) -> str:
    return console.mailbox(message.address or message.sender or "?")


# --- the same as data


def arrival_facts(news: Iterable[News], now: str) -> list[dict[str, Any]]:
    """All that some messages held as plain data, in the order in which it came."""
    return [_facts(each, now) for each in news]


def _facts(news: News, now: str) -> dict[str, Any]:
    if isinstance(news, TooLarge):
        return {"what": "too large", "bytes": news.size}
    if isinstance(news, Returned | WithoutFile):
        return {**letter_facts(news), "listed": facts(news.listed, now), **_headers(news.envelope)}
    if isinstance(news, Refused):
        what = _what_is_wrong(news.reason)
        reason = clean(str(news.reason))
        return {"what": what, "reason": reason, **_headers(news.envelope)}
    return {
        "what": news.kind.value,
        "game": news.match.id.hex(),
        "record": len(news.found.records) - 1,
        "file": None if news.path is None else str(news.path),
        "other_address": news.other_address or None,
        "opponent": recognised_facts(news.opponent) if news.opponent else None,
        "listed": facts(news.listed, now) if news.listed else None,
        **_headers(news.found.envelope),
    }


def _what_is_wrong(reason: Exception) -> str:
    if isinstance(reason, LetterUnreadable):
        return "unreadable"
    return "damaged" if isinstance(reason, Unreadable) else "does not verify"


def _headers(message: Envelope) -> dict[str, str]:
    return {
        "from": clean(message.sender),
        "subject": clean(message.subject),
        "message_id": clean(message.message_id),
    }
