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
    """A step that does not belong where it stands; the message ends a sentence about the record."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a file fails to prove: where, by whom, which rule or proof, and a sentence for people.

    `record` is the index in the chain; `author` the side that signed it ("british", "french", or
    "any" for an open invitation); `rule` a short name such as "signature" or "opening of a slot".
    """

    record: int
    author: str
    rule: str
    sentence: str


class NotProved(AcresError):
    """A file does not prove what it claims; carries the `finding`."""

    exit_status = 1

    def __init__(self, finding: Finding) -> None:
        super().__init__(
            f"Record {finding.record} ({finding.author}), {finding.rule}: {finding.sentence}"
        )
        self.finding = finding
