"""Everything that can go wrong, said in one sentence that a player understands.

Every error that reaches a player derives from `AcresError`; its text is complete and needs no
traceback, and its `exit_status` is what the command ends with.

Called by `protocol` and all above; calls `engine` for what a message is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from typing import NamedTuple

from engine.message import Failure, Message, Phrase, mark, mark_in
from pbem.errors.rule import Rule

AUTHORS = (mark_in("author", "british"), mark_in("author", "french"), mark_in("author", "any"))
"""In whose name a record can stand."""


def describe_os_error(error: OSError) -> str:
    """Return what the system says of an error, in its own words, such as `Permission denied`."""
    return error.strerror or str(error)


class AcresError(Failure):
    """Base of all errors that are reported to a player.

    `exit_status` is 1 where a file does not verify, 2 for wrong use or unreadable input.
    """

    exit_status = 2


class WrongUse(AcresError):
    """The player asked for something that cannot be done."""


class Unreadable(AcresError):
    """The input is not what it should be: not a save file, damaged, or of a newer version.

    `rule` is what a file breaks that can be read so far; None where it is no such file at all.
    """

    def __init__(self, what: Phrase, /, rule: Rule | None = None, **facts: object) -> None:
        super().__init__(what, **facts)
        self.rule = rule


class BoxDamaged(AcresError):
    """A sealed box does not open: damaged, stripped, or not sealed by this player here.

    The hand follows from the records, so that a caller may go on without the box.
    """


class DeckError(AcresError):
    """A step about a deck (shuffle, draw, grant, opening) breaks a `rule`."""

    exit_status = 1

    def __init__(self, what: Phrase, /, rule: Rule, **facts: object) -> None:
        super().__init__(what, **facts)
        self.rule = rule


class StepError(Failure):
    """A step that does not belong where it stands; the message is a sentence about the record.

    It stands behind a colon, and so begins with a small letter.

    `rule` is what is broken; `record` the earlier record by the same author that is found out by
    it, None where it is the record itself that does not hold.
    """

    def __init__(
        self, what: Phrase, /, rule: Rule, record: int | None = None, **facts: object
    ) -> None:
        super().__init__(what, **facts)
        self.rule = rule
        self.record = record


class Finding(NamedTuple):
    """What a file fails to prove: where, by whom, which rule or proof, and a sentence for people.

    `record` is the index in the chain; `author` the side in whose name it stands ("british",
    "french", or "any" for an open invitation); `rule` the numbered one that is broken; `shown_by`
    the later record that gives it away, None where it is seen from the record and those before it.
    """

    record: int
    author: str
    rule: Rule
    sentence: Phrase
    shown_by: int | None = None

    @property
    def accuses(self) -> bool:
        """Whether this shows that the author broke the rule.

        A record that is out of its place or not properly signed may have been changed by whoever
        passed the file on, and other rules data may be those of another version.
        """
        return self.rule.topic not in ("chain", "signature", "rules data")


class NotProved(AcresError):
    """A file does not prove what it claims; carries the `finding`."""

    exit_status = 1

    def __init__(self, finding: Finding) -> None:
        facts = {
            "number": finding.record,
            "side": Message.within("author", finding.author),
            "rule": finding.rule.in_words,
            "reason": finding.sentence,
        }
        # Translators: {reason} is a sentence that begins with a small letter.
        accusing = Message("Record {number} ({side}), {rule}: {reason}", **facts)
        other = Message("Record {number} (in the name of {side}), {rule}: {reason}", **facts)
        super().__init__(accusing if finding.accuses else other)
        self.finding = finding


def bug_message(error: Exception) -> Message:
    """That the program has a mistake, which shows by this error, and what to do about it."""
    return Message(
        "Something happened that should not have ({error}). Please report it, with the file "
        "if you can; ACRES_DEBUG=1 shows where it happened.",
        error=type(error).__name__,
    )


# --- paths that players name

NOT_READ = mark("{file} cannot be read: {reason}.")
NOT_WRITTEN = mark("{file} cannot be written: {reason}.")
NO_FOLDER = mark("The folder {file} cannot be made: {reason}.")


@contextmanager
def report_os_errors(path: Path, otherwise: str = NOT_READ) -> Iterator[None]:
    """Turn an OSError about that path into WrongUse, which says `otherwise`, a marked message."""
    try:
        yield
    except OSError as error:
        raise WrongUse(Message(otherwise, file=path, reason=describe_os_error(error))) from None


def exists(path: Path) -> bool:
    """Return True if something is at that path; raises WrongUse if the system does not say."""
    with report_os_errors(path):
        return check_exists(path)


def check_exists(path: Path) -> bool:
    """Return True if something is at that path; raises OSError if the system does not say.

    From Python 3.14 on `Path.exists` takes that for False.
    """
    try:
        path.stat()
    except ValueError:
        return False
    except OSError as error:
        if error.errno not in (ENOENT, ENOTDIR, ELOOP):
            raise
        return False
    return True
