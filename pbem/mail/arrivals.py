"""What comes by mail: a mailbox is looked through, and each save file put where it belongs.

First files are written, then the library is told, then the player, and only then, a few at a time,
are messages marked and passed over: whatever happens in between, the next time finds what was not
told. Files are verified, and never written over another one. The signature decides whose record it
is, and never the address it came from. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from itertools import count
from pathlib import Path

from engine.message import Message, Said, mark, message_of
from engine.sides import Side
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.foreign import named
from pbem.library import Library, LibraryFailed, Listed, Looked, Players, Post, Recognised, Seen
from pbem.mail.found import Envelope, Found
from pbem.mail.mailbox import Mailbox
from pbem.mail.parts import MAX_MESSAGE, LetterUnreadable, envelope_of
from pbem.mail.reports import Returned, Threads, WithoutFile
from pbem.mail.search import FileDamaged, save_files
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import AlreadyThere, next_name, read_file, write_new
from pbem.savefile.save_file import SaveFile
from pbem.savefile.unfinished import clear_away

AT_A_TIME = 50
"""So many messages are looked through before it is noted how far."""


class Kind(Enum):
    """What a save file is to the player to whom it came."""

    NEW = "new"
    """An own game goes on with it."""
    AGAIN = "again"
    """It is the newest file that is known, once more."""
    OLDER = "older"
    """All that is in it is in the newest file that is known, which goes on from it."""
    OWN = "own"
    """So too, and the player wrote it."""
    OTHER = "other"
    """An own game has gone on in another way, as far as is known."""
    INVITATION = "invitation"
    """The player may join."""
    FOREIGN = "foreign"
    """It is a game of others."""


_ARRIVED = {
    Kind.NEW: mark("A turn has arrived (record {record} of game {game})."),
    Kind.AGAIN: mark(
        "A turn has come again, and is there already (record {record} of game {game})."
    ),
    Kind.OLDER: mark(
        "A turn has come late (record {record} of game {game}): your newest file has it."
    ),
    Kind.OTHER: mark(
        "What came of game {game} is not as you know it: record {record}, or one before it, is "
        "another than in your file. It was kept beside it:"
    ),
    Kind.INVITATION: mark("{player} invites you to a game, {game}:"),
    Kind.FOREIGN: mark(
        "A message from {sender} with the subject “{subject}” was left in the mailbox: it holds a "
        "file of game {game}, in which you do not play."
    ),
}


@dataclass(frozen=True)
class Filed:
    """A save file that holds, and where it lies; `path` is None where it was not kept.

    `listed` is its game as it is known now. `other_address` is the one in the game, where the file
    came from another. `was_learnt` says that what the player signed in it was not remembered, and
    is known from this file. `opponent` is by which key the other player was known, before it came.
    """

    found: Found
    match: Match
    kind: Kind
    path: Path | None
    listed: Listed | None = None
    other_address: str = ""
    was_learnt: bool = False
    opponent: Recognised | None = None

    @property
    def sentence(self) -> Message:
        """What has come."""
        envelope = self.found.envelope
        return Message(
            _ARRIVED[self.kind],
            game=self.match.id.hex()[:8],
            record=self.match.last.index,
            player=named(self.match.invite.name),
            sender=envelope.who,
            subject=envelope.about,
        )


@dataclass(frozen=True)
class Refused:
    """A save file that does not hold, or is damaged, or a message that cannot be read, and why.

    `envelope` is that of its message, `data` is the file, where it was one, and `is_as_sent` is as
    in a `Found`.
    """

    reason: NotProved | DeckError | Unreadable
    envelope: Envelope
    data: bytes = b""
    is_as_sent: bool = True

    @property
    def sentence(self) -> Message:
        """That it was left, and why, as far as that is said without looking into the file."""
        about = {"sender": self.envelope.who, "subject": self.envelope.about}
        if isinstance(self.reason, Unreadable):
            # Translators: {reason} is a whole sentence.
            return Message(
                "A message from {sender} with the subject “{subject}” was left in the mailbox: "
                "{reason}",
                **about,
                reason=self.reason,
            )
        return Message(
            "A message from {sender} with the subject “{subject}” was left in the mailbox, because "
            "the file in it does not verify.",
            **about,
        )

    @property
    def what(self) -> str:
        """What is wrong, as data name it."""
        if isinstance(self.reason, LetterUnreadable):
            return "unreadable"
        return "damaged" if isinstance(self.reason, Unreadable) else "does not verify"


@dataclass(frozen=True)
class TooLarge:
    """A message that was not read, of so many bytes."""

    size: int


News = Filed | Refused | TooLarge | Returned | WithoutFile


@dataclass(frozen=True)
class Arrived:
    """What was found in a message; `more` are left to be looked through.

    With `is_last` it is the last before those that were told are marked and passed over.
    """

    news: list[News]
    more: int
    is_last: bool


# --- of each game the newest


def newest(news: Iterable[News]) -> list[Filed]:
    """Of all that came of a game what has most records, in the order in which it came."""
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


class Told:
    """What was told of what came: no more of it is kept than is still to be told.

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
        """What of this did not come before: what came twice, came once."""
        return [
            each
            for each in news
            if not isinstance(each, Filed)
            or each.kind not in (Kind.AGAIN, Kind.OLDER)
            or each.match.id not in self._games
        ]


# --- looking through a mailbox


def look_through(
    mailbox: Mailbox,
    name: str,
    post: Post,
    first: date,
    take: Callable[[Found], Filed],
    threads: Threads,
    *,
    anew: bool = False,
) -> Iterator[Arrived]:
    """What came into a mailbox since it was last looked through, message by message.

    Where it never was, or with `anew`, that is what came since the day `first`. What is found in
    one has to be told before the next one is asked for: then it may be marked. `take` files a save
    file, and `threads` knows what to tell of a message without one. Raises MailFailed, WrongUse and
    LibraryFailed.
    """
    looked = post.looked(name)
    if anew or looked is None or looked.validity != mailbox.validity:
        uids = mailbox.since(first)
    else:
        uids = mailbox.after(looked.uid)
    for start in range(0, len(uids), AT_A_TIME):
        some = uids[start : start + AT_A_TIME]
        sizes, marks = mailbox.sizes(some), []
        for number, uid in enumerate(some, start + 1):
            news = _news_of(mailbox, uid, sizes.get(uid), take, threads)
            kinds = {each.kind for each in news if isinstance(each, Filed)}
            if kinds - {Kind.FOREIGN, Kind.OWN}:
                marks.append(uid)
            # What the player wrote is no news to them.
            told = [each for each in news if not _is_own(each)]
            yield Arrived(told, len(uids) - number, uid == some[-1])
        for uid in marks:
            mailbox.mark(uid)
        post.look(name, Looked(mailbox.validity, some[-1]))


def _is_own(news: News) -> bool:
    return isinstance(news, Filed) and news.kind is Kind.OWN


def _news_of(
    mailbox: Mailbox, uid: int, size: int | None, take: Callable[[Found], Filed], threads: Threads
) -> list[News]:
    """What is in a message of that size; None is the size of one that is gone by now."""
    if size is None:
        return []
    if size > MAX_MESSAGE:
        return [TooLarge(size)]
    try:
        message = mailbox.read(uid)
    except Unreadable as error:
        return [Refused(error, Envelope())]
    return [] if message is None else _news_in(message, take, threads)


def _news_in(message: bytes, take: Callable[[Found], Filed], threads: Threads) -> list[News]:
    """What a message brings; a report may have its letter with it, which is no news then."""
    news: list[News] = []
    hint: Said = ""
    try:
        news += [_taken(each, take) for each in save_files(message)]
    except (FileDamaged, LetterUnreadable) as error:
        news.append(Refused(error, envelope_of(message)))
    except Unreadable as error:
        # Most messages are about something else; there need be no file here.
        hint = message_of(error)
    filed = [each for each in news if isinstance(each, Filed)]
    if not all(map(_is_own, filed)):
        return news
    try:
        letter = threads.letter(message, hint, is_empty=not news)
    except LibraryFailed:
        raise
    except Exception:
        # A letter that anybody may have written, of which nothing is needed.
        letter = None
    return [letter, *filed] if letter else news


def _taken(found: Found, take: Callable[[Found], Filed]) -> News:
    try:
        return take(found)
    except (NotProved, DeckError, Unreadable) as error:
        return Refused(error, found.envelope, found.data, found.is_as_sent)


# --- putting a file away


def file_away(found: Found, library: Library, folder: Path) -> Filed:
    """Verify a save file, and put it beside the last file of its game; else into that folder.

    What is there already stays as it is. Of a game of others the entries alone are verified, and in
    its match. Raises Unreadable and NotProved where it does not hold, WrongUse where it cannot be
    written, and LibraryFailed.
    """
    records = found.records
    known = library.known(records[0].hash)
    # Who plays is known from the first two: nobody can make others check a game of strangers.
    match = Match.replay(records[:2], known)
    seen = Seen.of(match, library.key, Path())
    listed = next((each for each in library.games() if each.id == match.id), None)
    if seen is None and listed is None and match.is_joined:
        return Filed(found, match, Kind.FOREIGN, None)
    match = Match.replay(records, known)
    seen = Seen.of(match, library.key, Path())
    address = _other_address(found, match)
    opponent = Players(library.path, library.key).recognise(records)
    if seen is None and listed is None:
        path = _written(folder / _name_of(match), found.data)
        return Filed(found, match, Kind.INVITATION, path, None, address, opponent=opponent)
    place, newest = _newest(listed)
    # Without a seat in it, it is an invitation that was taken up since.
    is_own = seen is not None and seen.is_by(library.key, match.last)
    kind = _kind(match, listed, newest, is_own=is_own)
    if seen is None or kind in (Kind.AGAIN, Kind.OLDER, Kind.OWN):
        return Filed(found, match, kind, place, listed, address, opponent=opponent)
    path = _written(_place(match, place, listed, folder), found.data)
    was_learnt = library.note(seen._replace(path=path), begins=True)
    listed = next((each for each in library.games() if each.id == match.id), None)
    return Filed(found, match, kind, path, listed, address, was_learnt, opponent)


# --- what is known of the game


def _newest(listed: Listed | None) -> tuple[Path | None, Sequence[Record]]:
    """Where the newest known file of a game lies, and its records; none where it is gone."""
    for path in filter(None, (listed.file_in, listed.file_out) if listed else ()):
        with suppress(Unreadable):
            records = SaveFile.read(read_file(path)).records
            if listed and records[-1].hash == listed.game.last:
                return path, records
    return None, ()


def _kind(match: Match, listed: Listed | None, newest: Sequence[Record], *, is_own: bool) -> Kind:
    """What the file of an own game is; `newest` are the records of the newest known one."""
    if listed is None:
        return Kind.NEW
    number = listed.game.records
    if len(match.records) >= number and match.records[number - 1].hash == listed.game.last:
        is_again = newest and len(match.records) == number
        return (Kind.OWN if is_own else Kind.AGAIN) if is_again else Kind.NEW
    if len(match.records) < len(newest):
        if newest[match.last.index].hash == match.last.hash:
            return Kind.OWN if is_own else Kind.OLDER
    elif not newest and len(match.records) < number:
        # Nobody can tell any more: it is kept.
        return Kind.NEW
    return Kind.OTHER


def _other_address(found: Found, match: Match) -> str:
    """The address that its last author gave in the game, if the file came from another."""
    author = match.entrants[Side(match.last.side)] if match.is_joined else match.invite
    given = author.email
    return given if given and found.envelope.address.lower() != given.lower() else ""


# --- where it goes


def _place(match: Match, newest: Path | None, listed: Listed | None, folder: Path) -> Path:
    """Where a file goes: beside the last one of its game, by the next name."""
    known = (newest, listed.file_in, listed.file_out) if listed else ()
    for path in filter(None, known):
        if path.parent.is_dir():
            return next_name(path, match.last.index)
    return folder / _name_of(match)


def _name_of(match: Match) -> str:
    """The name of a file of which no other is known: as `acres new` gives it."""
    return f"acres-{match.id.hex()[:8]}-{match.last.index:03}.toml"


def _written(path: Path, data: bytes) -> Path:
    """Write a file under that name, or the next one that is free, and return where it lies.

    One with the same content is not written again.
    """
    clear_away(path.parent)
    for number in count(1):
        # As browsers and mail programs name a second copy; `next_name` knows that.
        tried = path if number == 1 else path.with_stem(f"{path.stem} ({number})")
        if not tried.exists():
            try:
                write_new(tried, data)
            except AlreadyThere:
                # Somebody was faster; or something else is in the way of the folder.
                if not tried.exists():
                    raise
                continue
            return tried
        with suppress(Unreadable):
            if read_file(tried) == data:
                return tried
    raise AssertionError("there is always another number")
