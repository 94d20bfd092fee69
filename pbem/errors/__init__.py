"""The errors that a player sees, each with a sentence that a player understands.

They derive from `AcresError`; its `exit_status` is the exit status of the command that fails.

Called by `protocol` and all above; calls `engine` for messages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, Phrase, TranslatableError, mark, mark_in
from pbem.errors.rule import Rule

AUTHORS = (mark_in("author", "british"), mark_in("author", "french"), mark_in("author", "any"))
"""The names of the possible authors of a record."""


UNCONFIRMED: set[Path] = set()
"""The folders in which files were written that may not be on the disk yet, to be told once."""


def describe_os_error(error: OSError) -> str:
    """Return the system's description of an error, such as `Permission denied`."""
    return error.strerror or str(error)


def describe_error(error: Exception) -> str:
    """Return the description of an error by Python or the system, with the file that it names.

    >>> describe_error(PermissionError(13, "Permission denied", "~/.bashrc"))
    '~/.bashrc: Permission denied'
    """
    if not isinstance(error, OSError):
        return str(error) or type(error).__name__
    name = error.filename
    names = [os.fsdecode(name)] if isinstance(name, str | bytes) else []
    return ": ".join([*names, describe_os_error(error)])


class AcresError(TranslatableError):
    """The base of all errors that are reported to a player.

    `exit_status` is 1 if a file does not verify, and 2 for wrong use or unreadable input.
    """

    exit_status = 2


class UsageError(AcresError):
    """Raised if a request of the player cannot be carried out."""


class InputError(AcresError):
    """Raised if an input cannot be read: not a save file, damaged, or of a newer version.

    `rule` is the rule of the file format that it breaks, or None if it is not a save file.
    """

    def __init__(self, sentence: Phrase, /, rule: Rule | None = None, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.rule = rule


class DamagedBoxError(AcresError):
    """Raised if a sealed box does not open: damaged, or not sealed by this player and record.

    A caller may continue without the box, because the hand follows from the records.
    """


class DeckError(AcresError):
    """Raised if a shuffle, draw, grant or opening breaks a `rule` of the deck."""

    exit_status = 1

    def __init__(self, sentence: Phrase, /, rule: Rule, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.rule = rule


class StepError(TranslatableError):
    """Raised if a step breaks a `rule`; the sentence about its record follows a colon.

    `record` is the index of the record that is proved false: an earlier record by the same author,
    or None for the record of the step.
    """

    def __init__(
        self, sentence: Phrase, /, rule: Rule, record: int | None = None, **facts: object
    ) -> None:
        super().__init__(sentence, **facts)
        self.rule = rule
        self.record = record


class Finding(NamedTuple):
    """A rule that a record breaks, with the author of the record and a sentence for people.

    `record` is the index of the record. `author` is the side that the record names: "british",
    "french", or "any" for an open invitation. `shown_by` is the index of the later record that
    reveals the breach, or None if the record itself does.
    """

    record: int
    author: str
    rule: Rule
    sentence: Phrase
    shown_by: int | None = None

    @property
    def accuses(self) -> bool:
        """True if the finding proves that the author broke the rule.

        Anybody who passed the file on may have moved a record or damaged its signature, and
        different rules data may come from another version.
        """
        return self.rule.topic not in ("chain", "signature", "rules data")


class VerificationError(AcresError):
    """Raised if a record in a file breaks a rule of the protocol; see `finding`."""

    exit_status = 1

    def __init__(self, finding: Finding) -> None:
        facts = {
            "number": finding.record,
            "side": Message.within("author", finding.author),
            "rule": finding.rule.in_words,
            "reason": finding.sentence,
        }
        # Translators: {reason} is a sentence that begins with a lower-case letter.
        accusing = Message("Record {number} ({side}), {rule}: {reason}", **facts)
        other = Message("Record {number} (in the name of {side}), {rule}: {reason}", **facts)
        super().__init__(accusing if finding.accuses else other)
        self.finding = finding


def bug_message(error: Exception) -> Message:
    """Return a message about an error that nothing else explains: of the system, or by a bug."""
    if isinstance(error, OSError | MemoryError):
        return Message("The system reports an error: {reason}.", reason=describe_error(error))
    return Message(
        "Something happened that should not have ({error}). Please report it, with the file "
        "if you can; ACRES_DEBUG=1 shows where it happened.",
        error=type(error).__name__,
    )


# --- paths

NOT_READ = mark("{file} cannot be read: {reason}.")
NOT_WRITTEN = mark("{file} cannot be written: {reason}.")
NO_FOLDER = mark("The folder {file} cannot be made: {reason}.")


@contextmanager
def report_os_errors(path: Path, text: str = NOT_READ) -> Iterator[None]:
    """Turn an OSError about a path into UsageError; `text` is its text, a marked message."""
    try:
        yield
    except OSError as error:
        raise UsageError(Message(text, file=path, reason=describe_os_error(error))) from None


def exists(path: Path) -> bool:
    """Return True if something is at `path`. Raises UsageError if the system does not say."""
    with report_os_errors(path):
        return strict_exists(path)


def strict_exists(path: Path) -> bool:
    """Return True if something is at `path`. Raises OSError if the system does not say.

    From Python 3.14 on `Path.exists` returns False in the second case.
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
