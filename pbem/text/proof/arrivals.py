"""Files that came, in sentences and as data: what each brings, and what to mind about it.

docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import EllipsisType

from engine.message import Message, Said, labelled, sentences
from pbem.errors import NotProved, Unreadable
from pbem.foreign import clean, mailbox, named, shown
from pbem.play.inbox.filing import Filed, Kind, News, Refused, TooLarge, WithoutFile
from pbem.play.inbox.folder_search import Came
from pbem.play.inbox.given import MessageUnreadable
from pbem.text.games.listing import ListedFacts, game_called, listed_facts, standing
from pbem.text.games.people import OpponentFacts, opponent_facts
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


# --- as facts


@dataclass(frozen=True, slots=True)
class ArrivalFacts:
    """What came by mail; what is `...` is not said of that kind of arrival."""

    what: str
    bytes_: int | EllipsisType = ...
    game: bytes | EllipsisType = ...
    record: int | EllipsisType = ...
    file: Path | EllipsisType | None = ...
    other_address: str | EllipsisType | None = ...
    opponent: OpponentFacts | EllipsisType | None = ...
    reason: str | EllipsisType | None = ...
    automatic: bool | EllipsisType = ...
    listed: ListedFacts | EllipsisType | None = ...
    from_: str | EllipsisType = ...
    subject: str | EllipsisType = ...
    message_id: str | EllipsisType = ...


def arrival_facts(news: News, now: str) -> ArrivalFacts:
    """Return the facts of what came by mail."""
    match news:
        case TooLarge(size):
            return ArrivalFacts("too large", bytes_=size)
        case Filed():
            facts = ArrivalFacts(
                news.kind.value,
                game=news.match.id,
                record=len(news.found.records) - 1,
                file=news.path,
                other_address=news.other_address or None,
                opponent=opponent_facts(news.opponent) if news.opponent else None,
                listed=listed_facts(news.listed, now) if news.listed else None,
            )
            envelope = news.found.envelope
        case WithoutFile(listed, envelope):
            facts = ArrivalFacts(
                "without file",
                game=listed.id,
                reason=None,
                automatic=envelope.is_automatic,
                listed=listed_facts(listed, now),
            )
        case Refused(reason, envelope):
            what = "damaged" if isinstance(reason, Unreadable) else "does not verify"
            if isinstance(reason, MessageUnreadable):
                what = "unreadable"
            facts = ArrivalFacts(what, reason=clean(str(reason)))
    return replace(
        facts,
        from_=clean(envelope.sender),
        subject=clean(envelope.subject),
        message_id=clean(envelope.message_id),
    )


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
