"""How a record hangs on the ones before it: its number, its link, its signature, its time.

docs/protocol.md, Records. What each record may say is for `pbem.protocol.match`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.message import Message, Said
from engine.sides import Side
from pbem.errors import Finding, NotProved
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Invite


def not_proved(record: Record, rule: str, sentence: Said, earlier: int | None = None) -> NotProved:
    """The error that says what a record fails to prove, or which `earlier` one it gives away."""
    if earlier in (None, record.index):
        return NotProved(Finding(record.index, record.side, rule, sentence))
    return NotProved(Finding(earlier, record.side, rule, sentence, record.index))


def check_link(record: Record, before: Sequence[Record]) -> None:
    """Check that a record follows those before it; raises NotProved."""
    if record.index != len(before):
        raise not_proved(
            record,
            "chain",
            Message(
                "this is number {number} in the file: one is missing, repeated or out of order.",
                number=len(before),
            ),
        )
    if record.previous != (before[-1].hash if before else b""):
        raise not_proved(
            record,
            "chain",
            Message(
                "it does not follow the record before it: one of them was changed or replaced "
                "afterwards, or comes from another game."
            ),
        )


def author_key(record: Record, before: Sequence[Record]) -> bytes:
    """The public key of who has to sign a record: the inviter and the guest take turns.

    The first two records name the key that they are signed with; raises NotProved where one does
    not. Without a key nobody is shown to have signed it, so that this accuses nobody.
    """
    entering = record if record.index < 2 else before[record.index % 2]
    entry = entering.steps[0]
    if entering.index == 0 and not isinstance(entry, Invite):
        raise not_proved(entering, "chain", Message("a game begins with an invitation."))
    if entering.index == 1 and not isinstance(entry, Accept):
        raise not_proved(entering, "chain", Message("the second record accepts the game."))
    assert isinstance(entry, Invite | Accept)
    return entry.key


def check_signature(record: Record, before: Sequence[Record]) -> None:
    """Check that whoever has to write a record signed it; raises NotProved."""
    if not record.verify(author_key(record, before)):
        raise not_proved(
            record,
            "signature",
            Message(
                "the signature does not fit: the record was changed, or somebody else wrote it."
            ),
        )


def check_side(record: Record, before: Sequence[Record]) -> None:
    """Check that a record names the side of its author, whose signature holds; raises NotProved.

    It accuses the author, and not the side in whose name the record stands.
    """
    if before and before[-1].side == record.side:
        author = Side(record.side).opponent.value
        told = Message("its author plays the other side.")
        raise NotProved(Finding(record.index, author, "side", told))


def check_time(record: Record, before: Sequence[Record]) -> None:
    """Check that times do not run backwards; raises NotProved."""
    if before and record.time < before[-1].time:
        raise not_proved(record, "time", Message("it is dated before the record it answers."))
