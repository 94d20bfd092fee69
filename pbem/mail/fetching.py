"""Fetching mail: a mailbox is searched, and each save file put where it belongs.

First files are written, then the library is told, then the player, and only then, a few at a time,
are messages marked and skipped: whatever happens in between, the next time finds what was not
reported. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from engine.message import Said, message_of
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.library import Library, LibraryFailed, Looked, Post
from pbem.mail.account import Account
from pbem.mail.arrivals import Filed, Kind, News, Refused, TooLarge, WithoutFile
from pbem.mail.filing import file_away
from pbem.mail.found import Envelope, Found
from pbem.mail.header import address_in, header_at
from pbem.mail.login import Login
from pbem.mail.mailbox import Mailbox, opened
from pbem.mail.parts import MAX_MESSAGE, LetterUnreadable, envelope_of
from pbem.mail.search import FileDamaged, save_files
from pbem.mail.thread import DOMAIN, games_named_in
from pbem.play.own_library import OwnLibrary

AT_A_TIME = 50
"""How many messages are looked through before it is noted how far."""
FIRST_DAYS = 30
"""How many days back the first look into a mailbox goes."""
MOST_READ = 256 * 1024
"""How many bytes of a message are looked at to see which one it answers."""
MOST_NAMED = 40
"""How many names of letters are looked up for one."""

Answered = Callable[[bytes, Said], WithoutFile | None]
"""Tells what a message without a file is, with a hint at what may be in it."""


@dataclass(frozen=True)
class Fetched:
    """News from one message; `more` messages are left to be looked through.

    With `is_last` it is the last before those that were told are marked and passed over.
    """

    news: list[News]
    more: int
    is_last: bool


def fetched(
    own: OwnLibrary, account: Account, login: Login, *, days: int | None = None
) -> Generator[Fetched, None, None]:
    """File what came into the mailbox of an account since the last look, message by message.

    With `days` it is all that came in these. What is found in a message has to be told before the
    next one is asked for. Raises MailFailed, LibraryFailed, and WrongUse where a file cannot be
    written.
    """
    assert account.imap is not None
    name = f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    folder, library, post = account.folder or Path.cwd(), own.open(), own.post()
    # Servers go by their own clock, and the day of the sender.
    back = timedelta(days=(days or FIRST_DAYS) + 1)
    with opened(account, login) as mailbox:
        yield from look_through(
            mailbox,
            name,
            post,
            datetime.fromisoformat(own.clock()).date() - back,
            lambda found: file_away(found, library, folder),
            lambda message, hint: reply_in(message, hint, library, account.address),
            anew=days is not None,
        )


def look_through(
    mailbox: Mailbox,
    name: str,
    post: Post,
    first: date,
    take: Callable[[Found], Filed],
    answered: Answered,
    *,
    anew: bool = False,
) -> Iterator[Fetched]:
    """Yield what came into a mailbox since the last look, message by message.

    Where it never was, or with `anew`, that is what came since the day `first`. What is found in
    one has to be told before the next one is asked for: then it may be marked. `take` files a save
    file, and `answered` says what a message without one is. Raises MailFailed, WrongUse and
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
            news = _news_of(mailbox, uid, sizes.get(uid), take, answered)
            kinds = {each.kind for each in news if isinstance(each, Filed)}
            if kinds - {Kind.FOREIGN, Kind.OWN}:
                marks.append(uid)
            # What the player wrote is no news to them.
            told = [each for each in news if not _is_own(each)]
            yield Fetched(told, len(uids) - number, uid == some[-1])
        for uid in marks:
            mailbox.mark(uid)
        post.look(name, Looked(mailbox.validity, some[-1]))


def _is_own(news: News) -> bool:
    return isinstance(news, Filed) and news.kind is Kind.OWN


def _news_of(
    mailbox: Mailbox, uid: int, size: int | None, take: Callable[[Found], Filed], answered: Answered
) -> list[News]:
    """Return the news in a message of that size, which is None if it is gone by now."""
    if size is None:
        return []
    if size > MAX_MESSAGE:
        return [TooLarge(size)]
    try:
        message = mailbox.read(uid)
    except Unreadable as error:
        return [Refused(error, Envelope())]
    return [] if message is None else _news_in(message, take, answered)


def _news_in(message: bytes, take: Callable[[Found], Filed], answered: Answered) -> list[News]:
    """Return what a message brings: files, or else that it is a reply without one."""
    hint: Said = ""
    try:
        if filed := [_taken(each, take) for each in save_files(message)]:
            return filed
    except (FileDamaged, LetterUnreadable) as error:
        return [Refused(error, envelope_of(message))]
    except Unreadable as error:
        # Most messages are about something else; there need be no file here.
        hint = message_of(error)
    try:
        reply = answered(message, hint)
    except LibraryFailed:
        raise
    except Exception:
        # A letter that anybody may have written, of which nothing is needed.
        return []
    return [reply] if reply else []


def reply_in(message: bytes, hint: Said, library: Library, address: str) -> WithoutFile | None:
    """Return a reply to a message of a known game; None for any other, or one by that address.

    Anybody can write one: it decides nothing. `hint` says what to do where there may be a file in
    it after all.
    """
    text = message[:MOST_READ].lstrip(b"\r\n")
    if DOMAIN.encode() not in text:
        return None
    header, _ = header_at(text, 0, len(text))
    if address_in(header.value(b"from")).casefold() == address.casefold():
        return None
    references = " ".join(reversed(header.value(b"references").split()))
    named = games_named_in(f"{header.value(b'in-reply-to')} {references}")[:MOST_NAMED]
    games = library.games() if named else []
    known = (each for game in named for each in games if each.id.startswith(game))
    listed = next(known, None)
    return WithoutFile(listed, hint, envelope_of(message)) if listed else None


def _taken(found: Found, take: Callable[[Found], Filed]) -> News:
    try:
        return take(found)
    except (NotProved, DeckError, Unreadable) as error:
        return Refused(error, found.envelope, found.data, found.is_as_sent)
