"""How a record hangs on the ones before it: its number, its link, its signature, its time.

docs/protocol.md, Records. What each record may say is for `pbem.match`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Finding, NotProved
from pbem.record import Record


def not_proved(record: Record, rule: str, sentence: str, earlier: int | None = None) -> NotProved:
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
            f"this is number {len(before)} in the file: one is missing, repeated or out of order.",
        )
    if record.previous != (before[-1].hash if before else b""):
        raise not_proved(
            record,
            "chain",
            "it does not follow the record before it: one of them was changed or replaced "
            "afterwards, or comes from another game.",
        )


def check_signature(record: Record, key: bytes) -> None:
    """Check that the owner of the key signed a record; raises NotProved."""
    if not record.verify(key):
        raise not_proved(
            record,
            "signature",
            "the signature does not fit: the record was changed, or somebody else wrote it.",
        )


def check_time(record: Record, before: Sequence[Record]) -> None:
    """Check that times do not run backwards; raises NotProved."""
    if before and record.time < before[-1].time:
        raise not_proved(record, "time", "it is dated before the record it answers.")
