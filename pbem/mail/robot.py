"""A robot to write to: whatever comes into its folder or its mailbox is answered once.

Reports to its keeper come as things happen. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeGuard

from engine.house_rules import UnknownRules
from engine.message import Message, Run, Said, labelled, message_of, sentences
from engine.sides import Side
from pbem.errors import AcresError, Unreadable
from pbem.foreign import mailbox, named, shown
from pbem.mail.arrivals import Filed, Kind, News
from pbem.mail.fetching import fetched
from pbem.mail.login import Login
from pbem.mail.notices import Answers, Asker, Note
from pbem.mail.parcel import Parcel
from pbem.mail.parts import MAX_MESSAGE
from pbem.mail.search import save_files
from pbem.mail.sending import Sender, Sent
from pbem.play.game_file import whose_move
from pbem.play.new_files import is_called_save
from pbem.play.robot.answering import Answered, Correspondence, Incoming
from pbem.play.robot.inbox import Arrived, Inbox
from pbem.play.robot.refusals import NoPlace, NoRoom, NotWelcome, NotWritten, TurnedDown
from pbem.play.robot.tidying import remove
from pbem.savefile.disk import clear_away, read_file
from pbem.words.lines import Line
from pbem.words.proof.recollection import NotNow
from pbem.words.proof.signature import NoMemory, Older

MOST_TOLD = 10_000
"""How many files it remembers having reported on."""
_ANSWERED = (Kind.NEW, Kind.AGAIN, Kind.INVITATION)
"""What may be due to be answered: what came again may have been filed and no more."""

Answer: TypeAlias = Callable[[Incoming], Answered | None]
"""Has a file answered, as `Correspondence.answer`; what it raises says what is to be told."""


class Failed(NamedTuple):
    """What could not be done, and is a warning."""

    said: Said


Event: TypeAlias = Line | Sent | Failed | list[News]
"""What there is to tell: what was done, that a file was sent or not, what came that is no turn."""


def _done(answered: Answered, name: Said) -> Line:
    """What came of the file of that name, in a sentence or two."""
    match, path, next_move = answered.match, shown(answered.path), whose_move(answered.match)
    if len(match.records) > 2:
        told = Message("{file} is answered with {answer}.", file=name, answer=path)
    else:
        told = Message(
            "{file} is an invitation from {player}, accepted as the {side} with {answer}.",
            file=name,
            player=named(match.invite.name),
            side=Side(match.last.side).label,
            answer=path,
        )
    return Line(sentences(told, next_move), is_whole=True)


def _reason(error: Exception) -> Said:
    """Why a file was left alone."""
    if not isinstance(error, NotWelcome) or isinstance(error, TurnedDown):
        return message_of(error)
    if not error.address:
        return Message("The robot does not play with just anybody: it was told whom to answer.")
    return Message(
        "The robot does not play with {address}: it was told whom to answer.",
        address=mailbox(error.address),
    )


def _left_alone(name: Said, reason: Said) -> Line:
    return Line(labelled(name, reason), is_whole=True)


# --- by folder


def incoming(path: Path, outbox: Path) -> list[Incoming]:
    """The save files in a file, or in a message, whose answers go into `outbox`.

    There is none in an ordinary letter; raises Unreadable for a file that is none, and where there
    is only a damaged one.
    """
    name, came = shown(Path(path.name)), _came(path)
    if is_called_save(path):
        return [Incoming(read_file(path), path, name, outbox / path.name, came=came)]
    return [
        Incoming(
            each.data,
            path,
            Run((name, ", ", each.where)),
            outbox / (each.name or "acres.toml"),
            came=came,
        )
        for each in save_files(read_file(path, MAX_MESSAGE))
    ]


def _came(path: Path) -> str:
    """Since when a file lies where it is; empty where that is no time."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return ""
    return changed.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


class Folders:
    """An inbox, and an outbox for what is answered; `is_last` if there is one look and no other.

    Notes are left in the language of that code.
    """

    def __init__(
        self,
        robot: Correspondence,
        answer: Answer,
        language: str,
        inbox: Path,
        outbox: Path,
        *,
        is_last: bool,
    ) -> None:
        self._robot = robot
        self._answer = answer
        self._language = language
        self._inbox = Inbox(inbox)
        self._outbox = outbox
        self._is_last = is_last
        self._told: dict[Said, Said] = {}

    def look(self) -> Iterator[Line]:
        """Look once, and answer all that is new.

        Raises WrongUse where the inbox cannot be read, and NoMemory.
        """
        self._robot.tidy()
        for arrived in self._inbox.arrived():
            path, is_done = arrived.path, True
            try:
                for file in incoming(path, self._outbox):
                    is_done &= yield from self._is_done(file, arrived)
            except Unreadable as error:
                is_done = arrived.is_settled or self._is_last
                if is_done:
                    yield from self._telling(shown(Path(path.name)), message_of(error))
            if is_done:
                self._inbox.done(path)

    def _is_done(self, file: Incoming, arrived: Arrived) -> Generator[Line, None, bool]:
        """Answer a file; whether nothing is left to do about it. Raises Unreadable and NoMemory."""
        try:
            found = self._answer(file)
        except (NoMemory, Unreadable):
            raise
        except (NotNow, NotWritten) as error:
            yield from self._telling(file.name, message_of(error))
            return False
        except TurnedDown as error:
            yield from self._telling(file.name, message_of(error))
            if isinstance(error, NoPlace):
                self._robot.turn_away(file)
            Note(file.beside).leave(error, self._language)
            return True
        except (AcresError, UnknownRules) as error:
            # What was answered before it started was told then.
            if not (arrived.was_there and isinstance(error, Older)):
                yield from self._telling(file.name, _reason(error))
            return True
        if found:
            Note(file.beside).take_away()
            yield _done(found, file.name)
        return True

    def _telling(self, name: Said, sentence: Said) -> Iterator[Line]:
        """Why a file is not answered, unless that was said of it the last time."""
        if self._told.get(name) != sentence:
            yield _left_alone(name, sentence)
        if len(self._told) >= MOST_TOLD:
            self._told.clear()
        self._told[name] = sentence


# --- by mail


class _Due(NamedTuple):
    """A file that may be due to be answered, with that many records, and who sent it.

    It is all that is kept of what came: the matches of a few dozen letters would fill the memory.
    """

    file: Incoming
    records: int
    is_invitation: bool
    asker: Asker

    @classmethod
    def of(cls, filed: Filed) -> _Due:
        path, asker = filed.path, Asker.of(filed)
        assert path is not None
        data, name = filed.found.data, shown(path)
        file = Incoming(data, path, name, path, asker.address, letter_id=asker.letter_id)
        return cls(file, len(filed.match.records), filed.kind is Kind.INVITATION, asker)


class Postbox:
    """A mailbox that the robot empties, so to say: it looks, answers, and sends.

    `unsent` are the parcels that are to be sent, and `note` is as for `Sender.send`. What came is
    answered from files in the folder of the account.
    """

    def __init__(
        self,
        robot: Correspondence,
        answer: Answer,
        sender: Sender,
        imap_login: Login,
        smtp_login: Login | None,
        unsent: Callable[[], Iterable[Parcel]],
        note: Callable[[Parcel, bool], None],
    ) -> None:
        account = sender.account
        assert account is not None
        assert account.folder is not None
        self._account, self._folder = account, account.folder
        self._robot = robot
        self._answer = answer
        self._sender = sender
        self._imap_login, self._smtp_login = imap_login, smtp_login
        self._unsent, self._note = unsent, note
        self._answers = Answers(account, smtp_login, robot, sender.own.clock, sender.language)
        self._given_up: set[bytes] = set()
        clear_away(self._folder)

    def look(self) -> Iterator[Event]:
        """Do it once.

        Raises MailFailed where a server cannot be used, NotNow and NotWritten where an answer has
        to wait: then it is found again the next time. NoMemory and Unanswered as `Correspondence`
        does, and LibraryFailed.
        """
        self._robot.check_memory()
        self._robot.tidy(self._folder)
        with closing(fetched(self._sender.own, self._account, self._imap_login)) as letters:
            due: dict[bytes, _Due] = {}
            for letter in letters:
                yield from self._others(letter.news)
                for each in map(_Due.of, filter(_may_be_due, letter.news)):
                    # Of each game the newest file: answers to others may be signed.
                    before = due.setdefault(each.asker.game, each)
                    if each.records > before.records:
                        due[each.asker.game] = each
                if letter.is_last:
                    yield from self._all_answered(due.values())
                    due = {}
        yield from self._seated()
        with self._robot.claims.post():
            yield from self._send_turns()
            for told, to, failure in self._answers.send():
                if failure is not None:
                    yield Failed(labelled(mailbox(to), failure.said))
                else:
                    yield Line(told)

    def _all_answered(self, due: Iterable[_Due]) -> Iterator[Line]:
        """Answer these, last those at which another process of the robot is."""
        later: list[_Due] = []
        for each in due:
            if self._robot.claims.is_taken(each.asker.game):
                later.append(each)
            else:
                yield from self._answered(each)
        for each in later:
            yield from self._answered(each)

    def _seated(self) -> Iterator[Line]:
        """Give who waits the places that are free."""
        for waiting in self._robot.queue():
            path = self._folder / waiting.file
            try:
                file = Incoming(
                    read_file(path), path, shown(path), path, waiting.sender, has_waited=True
                )
                found = self._answer(file)
            except NoRoom:
                return
            except (NoMemory, NotNow, NotWritten):
                raise
            except NoPlace:
                # Of this guest's own, with which others have nothing to do.
                continue
            except (AcresError, UnknownRules) as error:
                if self._clear(waiting.game):
                    yield _left_alone(shown(path), _reason(error))
            else:
                if found:
                    yield _done(found, file.name)
            self._robot.book.stop_waiting(waiting.game)

    def _send_turns(self) -> Iterator[Sent]:
        parcels = (each for each in self._unsent() if each.match.last.hash not in self._given_up)
        # Without any, there is no connection; and they are not all in memory at once.
        first = next(parcels, None)
        if first is None:
            return
        for sent in self._sender.send(self._smtp_login, chain([first], parcels), self._note):
            yield sent
            if sent.failure is not None and not sent.failure.may_pass:
                self._given_up.add(sent.parcel.match.last.hash)

    def _others(self, news: list[News]) -> Iterator[Event]:
        """Tell what came that is not to be answered."""
        others: list[News] = [each for each in news if not _may_be_due(each)]
        yield [each for each in others if not _contradicts(each)]
        yield from map(self._left_out, filter(_contradicts, others))

    def _answered(self, due: _Due) -> Iterator[Line]:
        file, name, game = due.file, due.file.name, due.asker.game
        try:
            found = self._answer(file)
        except (NoMemory, NotNow, NotWritten):
            raise
        except (AcresError, UnknownRules) as error:
            to_be_told = self._answers.may_tell(due.asker)
            if isinstance(error, NoRoom) and self._robot.wait(file, is_to_be_told=to_be_told):
                yield Line(Message("{file} is waiting for a place at the table.", file=name))
                return
            yield _left_alone(name, _reason(error))
            if isinstance(error, TurnedDown):
                self._answers.keep(due.asker, error)
            if due.is_invitation:
                self._clear(game)
            return
        if found:
            yield _done(found, name)
            # Its files that others have followed are not needed any more.
            listed = self._sender.own.listed().get(game)
            if listed is not None:
                kept = [path for path in (listed.file_in, listed.file_out) if path]
                remove(self._folder, game, kept)

    def _clear(self, game: bytes) -> bool:
        """Remove the files of a game that is not played, as far as any process knows by now."""
        is_played = any(each.id == game for each in self._sender.own.open().games())
        if not is_played:
            remove(self._folder, game)
        return not is_played

    def _left_out(self, filed: Filed) -> Line:
        """Say of a file that it contradicts what is known of its game; it is not kept."""
        if filed.path is not None and filed.path.parent == self._folder:
            with suppress(OSError):
                filed.path.unlink()
        return Line(
            Message(
                "The file that came for game {game} is not of the game that the robot knows, and "
                "was left in the mailbox.",
                game=filed.match.id.hex()[:8],
            ),
            is_whole=True,
        )


def _contradicts(news: News) -> TypeGuard[Filed]:
    return isinstance(news, Filed) and news.kind is Kind.OTHER


def _may_be_due(news: News) -> TypeGuard[Filed]:
    return isinstance(news, Filed) and news.kind in _ANSWERED and news.path is not None
