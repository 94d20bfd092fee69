"""Everything that can go wrong, said in one sentence that a player understands.

Every error that reaches a player derives from `AcresError`; its text is complete and needs no
traceback, and its `exit_status` is what the command ends with.
"""

from __future__ import annotations

from dataclasses import dataclass


class AcresError(Exception):
    """Base of all errors that are reported to a player.

    `exit_status` is 1 where a file does not verify, 2 for wrong use or unreadable input.
    """

    exit_status = 2


class WrongUse(AcresError):
    """The player asked for something that cannot be done."""


class Unreadable(AcresError):
    """The input is not what it should be: not a save file, damaged, or of a newer version."""


class BoxDamaged(AcresError):
    """A sealed box does not open: damaged, stripped, or not sealed by this player here.

    The hand follows from the records, so that a caller may go on without the box.
    """


class DeckError(AcresError):
    """A step about a deck (shuffle, draw, grant, opening) does not hold."""

    exit_status = 1


class StepError(Exception):
    """A step that does not belong where it stands; the message ends a sentence about the record.

    `rule` is the short name of what is broken, for the finding; `record` the earlier record by the
    same author that is found out by it, None where it is the record itself that does not hold.
    """

    def __init__(
        self, sentence: str, rule: str = "order of steps", record: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.rule = rule
        self.record = record


@dataclass(frozen=True, slots=True)
class Finding:
    """What a file fails to prove: where, by whom, which rule or proof, and a sentence for people.

    `record` is the index in the chain; `author` the side in whose name it stands ("british",
    "french", or "any" for an open invitation); `rule` a short name such as "signature"; `shown_by`
    the later record that gives it away, None where it is seen from the record and those before it.
    """

    record: int
    author: str
    rule: str
    sentence: str
    shown_by: int | None = None

    @property
    def accuses(self) -> bool:
        """Whether this shows that the author broke the rule.

        A record that is out of its place or not properly signed may have been changed by whoever
        passed the file on, and other rules data may be those of another version.
        """
        return self.rule not in ("chain", "signature", "rules data")


class NotProved(AcresError):
    """A file does not prove what it claims; carries the `finding`."""

    exit_status = 1

    def __init__(self, finding: Finding) -> None:
        author = finding.author if finding.accuses else f"in the name of {finding.author}"
        super().__init__(f"Record {finding.record} ({author}), {finding.rule}: {finding.sentence}")
        self.finding = finding
