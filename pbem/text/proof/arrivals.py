"""Files that came, in sentences and as data: what each brings, and what to mind about it.

docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from engine.message import Message, Said, labelled, sentences
from pbem.errors import NotProved, Unreadable
from pbem.foreign import clean, mailbox, named, shown
from pbem.play.inbox.filing import Filed, Kind, News, Refused, TooLarge, WithoutFile
from pbem.play.inbox.folder_search import Came
from pbem.play.inbox.given import MessageUnreadable
from pbem.text.facts.games import listed_facts, recognised_facts
from pbem.text.games.listing import game_called, standing
from pbem.text.history.standing import ahead_told
from pbem.text.proof.finding import explained
from pbem.text.proof.library_warnings import has_learnt_of_you
from pbem.text.tables import entry


def arrived(filed: Filed) -> Message:
    """Return a sentence that says what has come."""
    envelope = filed.found.envelope
    return entry(
        "arrived",
        filed.kind.value,
        game=filed.match.id.hex()[:8],
        record=filed.match.last.index,
        player=named(filed.match.invite.name),
        sender=envelope.who,
        subject=envelope.about,
    )


def warnings(filed: Filed, now: str) -> Iterator[Message]:
    """Yield the warnings about a file that came."""
    if filed.found.cut:
        yield filed.found.cut
    ahead = ahead_told(filed.match, now)
    if ahead and filed.kind is not Kind.FOREIGN:
        yield ahead
    if filed.was_learnt:
        yield has_learnt_of_you()
    if filed.other_address:
        yield Message(
            "It came from {sender} and not from {address}, the address in the game. The signature "
            "says who wrote it, and it is valid.",
            sender=filed.found.envelope.who,
            address=mailbox(filed.other_address),
        )


def filed_facts(filed: Filed, now: str) -> dict[str, Any]:
    """Return a file that came as plain data."""
    return {
        "what": filed.kind.value,
        "game": filed.match.id.hex(),
        "record": len(filed.found.records) - 1,
        "file": None if filed.path is None else str(filed.path),
        "other_address": filed.other_address or None,
        "opponent": recognised_facts(filed.opponent) if filed.opponent else None,
        "listed": listed_facts(filed.listed, now) if filed.listed else None,
        **filed.found.envelope.facts(),
    }


def news_told(news: Refused | TooLarge | WithoutFile, command: str) -> Message:
    """Return what else came by mail, and what to do; the program is called by `command`."""
    match news:
        case TooLarge(size):
            return Message(
                "A message of {size} MiB was left alone: no file of a game is that large.",
                size=f"{size / 2**20:.0f}",
            )
        case WithoutFile(listed, envelope):
            told = Message(
                "A message from {sender} has no file in it that can be read.", sender=envelope.who
            )
            if envelope.is_automatic:
                told = Message(
                    "An automatic reply from {sender} has no file in it: your mail program shows "
                    "what it says.",
                    sender=envelope.who,
                )
            else:
                told = sentences(
                    told,
                    Message("If it was meant to bring a turn, ask for the file to be attached."),
                )
            return labelled(game_called(listed), told)
        case Refused(reason, envelope, data):
            about = {"sender": envelope.who, "subject": envelope.about}
            if isinstance(reason, Unreadable):
                # Translators: {reason} is a whole sentence.
                return Message(
                    "A message from {sender} with the subject “{subject}” was left in the mailbox. "
                    "{reason}",
                    **about,
                    reason=reason,
                )
            left = Message(
                "A message from {sender} with the subject “{subject}” was left in the mailbox, "
                "because the file in it is not valid.",
                **about,
            )
            why = explained(reason, data).said if isinstance(reason, NotProved) else reason.said
            look_into_it = Message(
                "To look into it, save that message in your mail program: {command} MESSAGE",
                command=f"{command} audit",
            )
            return sentences(left, why, look_into_it)


def facts_of(news: News, now: str) -> dict[str, Any]:
    """Return what came by mail as plain data."""
    match news:
        case Filed():
            return filed_facts(news, now)
        case TooLarge(size):
            return {"what": "too large", "bytes": size}
        case WithoutFile(listed, envelope):
            return {
                "what": "without file",
                "game": listed.id.hex(),
                "reason": None,
                "automatic": envelope.is_automatic,
                "listed": listed_facts(listed, now),
                **envelope.facts(),
            }
        case Refused(reason, envelope):
            what = "damaged" if isinstance(reason, Unreadable) else "does not verify"
            if isinstance(reason, MessageUnreadable):
                what = "unreadable"
            return {"what": what, "reason": clean(str(reason)), **envelope.facts()}


def told_of(came: Came, now: str) -> Said:
    """Return what came into a folder, in a sentence or two."""
    if came.listed is not None:
        return labelled(game_called(came.listed), standing(came.listed, now))
    if came.filed is not None and came.filed.path is not None:
        return sentences(arrived(came.filed), shown(came.filed.path))
    return came.told


def everything_of(came: Came, now: str) -> Iterator[Said]:
    """Yield what came into a folder, and the warnings about it."""
    yield told_of(came, now)
    if came.filed is not None:
        yield from warnings(came.filed, now)


# --- of each game the newest


def newest(news: Iterable[News]) -> list[Filed]:
    """Return what has most records of all that came of each game, in the order in which it came."""
    best: dict[tuple[bytes, bool], Filed] = {}
    for each in (each for each in news if isinstance(each, Filed)):
        # What contradicts the game is told beside it.
        place = each.match.id, each.kind is Kind.OTHER
        before = best.get(place, each)
        # What came twice at once came the first time.
        better = each if len(each.match.records) > len(before.match.records) else before
        was_learnt = each.was_learnt or before.was_learnt
        best[place] = replace(better, was_learnt=was_learnt)
    return list(best.values())


class Telling:
    """Tells the news, and keeps no more of it than is still to be told.

    `say` tells what was found in one message, and `stand` how the games stand of which it came.
    """

    def __init__(
        self, say: Callable[[list[News]], None], stand: Callable[[list[Filed]], None]
    ) -> None:
        self._say = say
        self._stand = stand
        self._waiting: list[Filed] = []
        self._games: set[bytes] = set()
        self.has_any = self.has_refused = False

    def tell(self, news: list[News]) -> None:
        """Tell what was found in one message."""
        if news:
            self._say(news)
        self._waiting = newest([*self._waiting, *news])
        self._games |= {each.match.id for each in news if isinstance(each, Filed)}
        self.has_any |= bool(news)
        self.has_refused |= any(isinstance(each, Refused) for each in news)

    def settle(self) -> None:
        """Tell how the games stand of which something came since this was told last."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._stand(waiting)

    def new_in(self, news: Iterable[News]) -> list[News]:
        """Return what of this did not come before: what came twice, came once."""
        return [
            each
            for each in news
            if not isinstance(each, Filed)
            or each.kind not in (Kind.AGAIN, Kind.OLDER)
            or each.match.id not in self._games
        ]
