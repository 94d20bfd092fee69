"""Checks of the mail reader for any letter, and the maximum cost of one.

Each letter is read as a saved message or mailbox, and from a mailbox on a server, and the outcome
is printed. The only allowed error is a refusal in one sentence.
"""

from __future__ import annotations

from contextlib import nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from io import StringIO
from pathlib import Path
from typing import cast
from unittest.mock import Mock, patch

from pbem.cli import console
from pbem.errors import InputError
from pbem.mail import fetching
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import MAX_MESSAGE, IncomingFile
from pbem.play.message import extract_files, iter_messages
from pbem.play.store import Game, GameEntry, MailboxPosition, Store
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.text.proof.arrivals import arrival_facts, arrival_text, arrival_warnings
from tests.fuzz.judging import Cost, ReaderError, Verdict, check_behaviour, check_sentence, verdict
from tests.fuzz.letters import THREAD_GAME, Letter, letter
from tests.fuzz.targets import check_found

NOW = "2026-11-21T10:00:00Z"
MAX_MEGABYTES = 100
"""The maximum additional memory, in megabytes, without the letter itself."""


def judge(letter: Letter, costs: list[Cost] | None = None) -> str:
    """Read a letter as the commands do, and return the outcome, or raise ReaderError."""
    with check_behaviour(most_memory=MAX_MEGABYTES, costs=costs):
        fetched = fetch(letter.data)
    contents = {file.data for file in (*fetched.files, *read_saved(letter.data, costs))}
    for file in fetched.files:
        check_found(file)
    if letter.file and letter.file not in contents:
        raise ReaderError(
            f"the file in it is not found, but {[*map(len, contents)]}: {fetched.output[:300]}"
        )
    return "found" if contents else "refused" if fetched.refused else "nothing"


def judge_some(seed: str, numbers: range) -> list[Verdict]:
    """Judge the letters with these numbers for a seed; never raises ReaderError."""
    letters = [(number, letter(seed, number)) for number in numbers]
    return [verdict(number, one.how, one.data, partial(judge, one)) for number, one in letters]


def read_saved(data: bytes, costs: list[Cost] | None) -> list[IncomingFile]:
    """Return the files in a saved message or an mbox."""
    files: list[IncomingFile] = []
    for message in iter_messages(data, lambda warning: check_sentence(str(warning))):
        with check_behaviour(most_memory=MAX_MEGABYTES, costs=costs):
            try:
                files += extract_files(message)
            except InputError as error:
                check_sentence(str(error))
    return files


# --- letters on a server


@dataclass
class Fetched:
    """The files in a letter, a flag for refused files, and the printed text."""

    files: list[IncomingFile]
    refused: bool
    output: str


class _Games:
    """A library with one game and a sent letter, to which letters may refer."""

    time = staticmethod(lambda: NOW)

    def games(self) -> list[GameEntry]:
        facts = Game(
            records=2, last=bytes(32), edition="second", house_rules="", side="british",
            opponent="Béla", email="bela@example.org", turn=1, waits_for="opponent", due="play",
            since=NOW, winner="",
        )  # fmt: skip
        return [GameEntry(THREAD_GAME, facts, None, None, None)]


class _Mailbox(_Games):
    """A mailbox with one letter, and a library with the last position in it."""

    validity = 1

    def __init__(self, letter: bytes) -> None:
        self._letter = letter
        self.was_passed = False

    def find_since(self, day: date) -> list[int]:
        return [1]

    def fetch_sizes(self, uids: list[int]) -> dict[int, int]:
        return {1: len(self._letter)}

    def fetch_message(self, uid: int, size: int) -> bytes:
        return self._letter

    def mark(self, uid: int) -> None:
        pass

    def mailbox_position(self, name: str) -> None:
        return None

    def note_mailbox_position(self, name: str, position: MailboxPosition) -> None:
        self.was_passed = True


@lru_cache(maxsize=64)
def _begin(record: Record) -> Match:
    return Match.replay([record])


def fetch(data: bytes) -> Fetched:
    """Fetch a letter from a mailbox, and accept files of other people's games from it."""
    files: list[IncomingFile] = []

    def take(_: Inbox, file: IncomingFile, *__: object, **___: bool) -> Arrival:
        files.append(file)
        return Arrival(ArrivalKind.FOREIGN, file, _begin(file.records[0]))

    mailbox, out, refused = _Mailbox(data), StringIO(), False
    account = Mock(address="anna@example.org", folder=None)
    messages = fetching.fetch_mail(Inbox(cast(Store, mailbox), Path()), account, Mock())
    with (
        patch.object(fetching, "open_mailbox", lambda *_: nullcontext(mailbox)),
        patch.object(Inbox, Inbox._verify.__name__, take),
        redirect_stdout(out),
        redirect_stderr(out),
    ):
        for step in messages:
            for arrival in step.arrivals:
                console.say(arrival_text(arrival, "acres"))
                for warning in arrival_warnings(arrival, NOW):
                    console.warn(warning)
                arrival_facts(arrival, NOW)
                refused |= arrival.kind.is_refused
    if not mailbox.was_passed:
        raise ReaderError("it is tried for ever")
    if not out.getvalue().replace("\n", "").isprintable():
        raise ReaderError(f"it steers the terminal: {out.getvalue()!r}")
    if len(data) > MAX_MESSAGE and files:
        raise ReaderError("it is too large, and read")
    return Fetched(files, refused, out.getvalue())
