"""Checks of a reader: its cost, its side effects, and the meaning of an accepted file.

If the records of a mutant begin the valid file from which it was made, the mutant has the same
position, owed cards and moves at its last record. If a record differs, it is the last one, and
signed by the player who changed it. The second implementation agrees on the mutant, and a
comparison with the valid file reports their relation. A sealed box opens to the text of its owner,
or not at all.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pbem.errors import DamagedBoxError, InputError, UsageError, VerificationError
from pbem.play.audit import audit
from pbem.play.game_file import GameFile, summary
from pbem.protocol.cache import GameCache
from pbem.protocol.fork import Relation, compare
from pbem.protocol.match import Match
from pbem.protocol.record import Record, author_key
from pbem.text.proof.verdict import audit_facts
from tests.fuzz.games import Game, meaning
from tests.fuzz.mutants import Mutant
from tests.seats import Seat
from tests.vectors import naive_chain

MAX_SECONDS = 2.0
"""The maximum processor time of a reader, in seconds."""
MAX_MEGABYTES = 150
"""The maximum additional memory of a reader, in megabytes."""


class ReaderError(AssertionError):
    """Raised if a reader breaks one of its duties."""


class _TimeoutError(BaseException):
    pass


_WRITES = ("os.chmod", "os.chown", "os.exec", "os.fork", "os.link", "os.mkdir", "os.posix_spawn",
           "os.remove", "os.rename", "os.rmdir", "os.spawn", "os.symlink", "os.system",
           "os.truncate", "os.utime", "shutil.", "socket.", "sqlite3.", "subprocess.")  # fmt: skip
"""The audit events of Python that have side effects outside of the process."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_watched: list[str] | None = None


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watched is None:
        return
    is_writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
    if is_writing or event.startswith(_WRITES):
        _watched.append(f"{event} {arguments!r}")


sys.addaudithook(_watch)


class Cost(NamedTuple):
    """The processor time and the additional memory of an action."""

    seconds: float
    megabytes: int


class Verdict(NamedTuple):
    """The outcome of an input with its number and highest costs, and its data after a complaint."""

    number: int
    how: str
    outcome: str
    cost: Cost = Cost(0, 0)
    complaint: str = ""
    data: bytes = b""


def verdict(number: int, how: str, data: bytes, judge: Callable[[list[Cost]], str]) -> Verdict:
    """Judge an input, and return any error as a complaint in the verdict."""
    costs: list[Cost] = []
    try:
        outcome = judge(costs)
    except Exception as error:  # Any error is a finding.
        return Verdict(
            number, how, "WRONG", complaint=f"{type(error).__name__}: {error}", data=data
        )
    return Verdict(number, how, outcome, Cost(*map(max, zip(*costs, strict=True))))


@contextmanager
def check_behaviour(
    longest: float = MAX_SECONDS, most_memory: int = MAX_MEGABYTES, costs: list[Cost] | None = None
) -> Iterator[None]:
    """Raise ReaderError if the body takes too much time or memory, or writes anything.

    The cost of the body is added to `costs`.
    """
    global _watched

    def stop(*_: object) -> None:
        raise _TimeoutError

    memory = _memory_anew()
    did: list[str] = []
    _watched = did
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, longest)
    started = time.process_time()
    try:
        yield
    except _TimeoutError:
        raise ReaderError(f"it takes more than {longest} s") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _watched = None
    if did:
        raise ReaderError(f"it writes: {did[:3]}")
    cost = Cost(time.process_time() - started, _most_memory() - memory)
    if costs is not None:
        costs.append(cost)
    if cost.seconds > longest:
        raise ReaderError(f"it takes more than {longest} s")
    if cost.megabytes > most_memory:
        raise ReaderError(f"it takes more than {most_memory} MB")


def _memory_anew() -> int:
    """Reset the maximum of memory, and return the current megabytes, or 0 if it is unknown."""
    forget = Path("/proc/self/clear_refs")
    if not forget.exists():
        return 0
    forget.write_text("5")
    return _most_memory()


def _most_memory() -> int:
    status = Path("/proc/self/status")
    words = status.read_text().partition("VmHWM:")[2].split() if status.exists() else ["0"]
    return int(words[0]) // 1024


def judge(game: Game, mutant: Mutant, costs: list[Cost] | None = None) -> str:
    """Read a mutant as a player does, and return the outcome; raises ReaderError.

    "unreadable" and "refused" are refusals of the form and of the records; "same" is the original
    game, "earlier" the game without its last records, "another" one with another last record.
    """
    with check_behaviour(costs=costs):
        try:
            file = GameFile.read(mutant.data, lambda _: GameCache(game.known, game.snapshots))
        except VerificationError as error:
            refusal = error
        except InputError as error:
            check_sentence(str(error))
            return "unreadable"
        else:
            return _check_accepted(game, mutant, file)
    with check_behaviour(costs=costs):
        check_sentence(str(refusal))
        if audit(mutant.data).finding != refusal.finding:
            raise ReaderError("an audit finds something else")
        return "refused"


def check_sentence(text: str) -> None:
    """Raise ReaderError unless a text is one line, a sentence, and free of control characters."""
    if not text.endswith((".", "?", "”")) or not text.isprintable() or len(text) > 1000:
        raise ReaderError(f"no sentence: {text!r}")


def _check_accepted(game: Game, mutant: Mutant, file: GameFile) -> str:
    true, read = game.save.records, file.save.records
    pairs = zip(true, read, strict=False)
    common = next(
        (n for n, (one, two) in enumerate(pairs) if one != two), min(len(true), len(read))
    )
    anew = _meaning_anew(read)
    if meaning(file.match) != anew:
        raise ReaderError("who has read the true file sees another game")
    if common == len(read):
        if game.meanings[common - 1] != anew:
            raise ReaderError("the same records mean something else")
        _check_notes(game, mutant, file)
        return "same" if common == len(true) else "earlier"
    _check_author(mutant, file, common)
    _check_second_reading(mutant, file)
    _check_notes(game, mutant, file)
    if common < len(true):
        relation = compare(true, read).relation
        guest = common == 1 and author_key(read[1], read) != author_key(true[1], true)
        due = [Relation.TWO_GAMES, Relation.TWO_GUESTS if guest else Relation.FORK]
        if relation is not due[min(common, 1)]:
            raise ReaderError(f"beside the true file it passes for: {relation}")
    return "another"


def _meaning_anew(records: Sequence[Record]) -> object:
    """Return the meaning of records to a reader without a cache."""
    try:
        return meaning(Match.replay(records))
    except VerificationError as error:
        raise ReaderError(f"only a reader who remembers takes it: {error}") from None


def _check_author(mutant: Mutant, file: GameFile, at: int) -> None:
    """Raise ReaderError unless the only different record is the last, signed by its changer."""
    read = file.save.records
    if len(read) != at + 1:
        raise ReaderError("a record stands on one that was changed")
    signer = mutant.signer
    if signer is None or author_key(read[at], read[:at]) != signer.public_key:
        raise ReaderError("a record that somebody else changed passes for its author's")
    if not read[at].verify(signer.public_key):
        raise ReaderError("a record without a signature")


def _check_second_reading(mutant: Mutant, file: GameFile) -> None:
    """Raise ReaderError unless every other reader agrees on an accepted file."""
    plain = tomllib.loads(mutant.data.decode("utf-8-sig"))["record"]
    if plain != [record.to_plain() for record in file.save.records]:
        raise ReaderError("it is read as something else than it says")
    naive_chain.check(plain)
    report = audit(mutant.data)
    if not report.is_clean:
        raise ReaderError("an audit refuses what a player takes")
    audit_facts(report, include_hands=True)
    summary(file.match)


def _check_notes(game: Game, mutant: Mutant, file: GameFile) -> None:
    for identity in game.authors:
        if any(identity.public_key == entrant.key for entrant in file.match.entrants.values()):
            try:
                seat = Seat(file.match, identity)
            except UsageError:
                if identity is mutant.signer:
                    # A player who entered wrongly cannot play the game.
                    continue
                raise
            seat.view()
            try:
                notes = file.notes(seat.secrets)
            except DamagedBoxError as error:
                check_sentence(str(error))
                continue
            if notes not in ("", game.notes.get(seat.side.value)):
                raise ReaderError("a box opens to what its owner did not write")
