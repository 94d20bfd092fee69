"""A signed record, and its place in the chain (docs/protocol.md, Records).

`pbem.protocol.match` checks the steps of each record. A signature covers the whole record, so that
a valid signature shows that a record is complete, even in a file that cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from engine.message import Message, Phrase
from engine.sides import Side
from engine.value import Value
from pbem.errors import Finding, VerificationError
from pbem.errors.rule import Rule
from pbem.protocol.identity import is_valid_signature
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.schema import (
    SIDE,
    Bytes,
    Codec,
    IncompleteError,
    Integer,
    ListOf,
    OneOf,
    Plain,
    SchemaError,
    Time,
    canonical_json,
    decode_bytes,
    lay_out,
    read_table,
)
from pbem.protocol.steps import Accept, Invite, Step, check_protocol, read_step, write_step

# --- records


MAX_RECORDS = 5000
MAX_STEPS = 128
UNSIGNED = bytes(64)
"""The placeholder for the signature of an unsigned record."""
MAX_CONTENT = 16384
"""The maximum size of a record as canonical JSON, in bytes (R-2.12); the longest turn fits."""


class _AnyStep(Codec):
    """A step of any kind."""

    def write(self, value: Step) -> dict[str, Plain]:
        return write_step(value)

    def read(self, plain: object) -> Step:
        return read_step(plain)


_CODECS: dict[str, Codec] = {
    "index": Integer(1, MAX_RECORDS - 1),
    "side": SIDE,
    "previous": Bytes(32),
    "time": Time(),
    "signature": Bytes(64),
    "steps": ListOf(_AnyStep(), 1, MAX_STEPS),
}
# In the order of the save file. The author of the first record may have no side yet.
_FIRST_CODECS = _CODECS | {
    "index": Integer(0, 0),
    "side": OneOf("british", "french", "any"),
    "previous": Bytes(0),
}


class Record(Value):
    """A signed record of the chain (docs/protocol.md, Records).

    `index` counts from 0. `side` is the author's side, or "any" in an open invitation. `previous`
    is the hash of the record before, 32 bytes, or empty in the first record. `time` is claimed by
    the author, in UTC, such as 2026-11-21T10:03:00Z. `signature` has 64 bytes.

    >>> from pbem.protocol.steps import Resign
    >>> time = "2026-11-21T10:03:00Z"
    >>> record = Record.unsigned(
    ...     index=4, side="british", previous=bytes(32), time=time, steps=[Resign()]
    ... )
    >>> record.to_plain()["steps"], len(record.hash)
    ([{'kind': 'resign'}], 32)
    >>> Record.from_plain(record.to_plain()) == record
    True
    """

    index: int
    side: str
    previous: bytes
    time: str
    steps: tuple[Step, ...]
    signature: bytes

    @classmethod
    def unsigned(
        cls, *, index: int, side: str, previous: bytes, time: str, steps: Sequence[Step]
    ) -> Record:
        """Return a new record without signature. Raises ValueError if no reader would accept it."""
        record = cls(index, side, previous, time, tuple(steps), UNSIGNED)
        if cls.from_plain(record.to_plain()) != record:
            raise ValueError("this record would not be read as it is written")
        return record

    @classmethod
    def from_plain(cls, plain: object) -> Record:
        """Return the record that `to_plain` wrote as this plain data.

        Raises ValueError, with a sentence, for anything else. Only the form is checked (R-2),
        because the chain and the signature depend on the records before it.
        """
        match plain:
            case {"steps": [entry, *_]}:
                check_protocol(entry)
        first = isinstance(plain, dict) and plain.get("index") == 0
        record = cls(**read_table(plain, _FIRST_CODECS if first else _CODECS))
        if len(record._hashed_bytes) > MAX_CONTENT:
            long = Message("it is longer than {most} bytes, which no turn needs", most=MAX_CONTENT)
            raise SchemaError(long, Rule.CONTENT)
        return record

    def to_plain(self) -> dict[str, Plain]:
        """Return the record as plain data, as it is in the file."""
        return self._content | {"signature": _CODECS["signature"].write(self.signature)}

    @cached_property
    def toml(self) -> str:
        """The record as lines of a save file."""
        return lay_out({"record": [self.to_plain()]})

    def content(self) -> dict[str, Plain]:
        """Return the plain data that are hashed and signed: all keys except `signature`."""
        return dict(self._content)

    @cached_property
    def _content(self) -> dict[str, Plain]:
        # Cached: it is hashed when a record is read, and laid out when the record is rewritten.
        return {
            key: codec.write(getattr(self, key))
            for key, codec in _CODECS.items()
            if key != "signature"
        }

    @cached_property
    def hash(self) -> bytes:
        """The hash of the content, 32 bytes; the hash of record 0 is the id of the game."""
        return tagged_hash(Tag.RECORD, self._hashed_bytes)

    @cached_property
    def _hashed_bytes(self) -> bytes:
        return canonical_json(self._content)

    def verify(self, public_key: bytes) -> bool:
        """Return True if the signature is valid under a public key (R-3.5)."""
        return is_valid_signature(public_key, Tag.SIGNATURE, self.hash, self.signature)


RECORD_HEADER = "\n[[record]]\n"
"""The header of a record in a save file, with the blank line before it."""


# --- the chain: number, link, signature, side, time


def refusal(
    record: Record, rule: Rule, reason: Phrase, earlier: int | None = None
) -> VerificationError:
    """Return the error for a record that breaks a rule, or reveals that an `earlier` one does."""
    if earlier in (None, record.index):
        return VerificationError(Finding(record.index, record.side, rule, reason))
    return VerificationError(Finding(earlier, record.side, rule, reason, record.index))


def check_link(record: Record, before: Sequence[Record]) -> None:
    """Raise VerificationError unless a record follows those before it (R-3.1, R-3.2)."""
    if record.index != len(before):
        raise refusal(
            record,
            Rule.INDEX,
            Message(
                "this is number {number} in the file: one is missing, repeated or out of order.",
                number=len(before),
            ),
        )
    if record.previous != (before[-1].hash if before else b""):
        raise refusal(
            record,
            Rule.PREVIOUS,
            Message(
                "it does not follow the record before it: one of them was changed or replaced "
                "afterwards, or comes from another game."
            ),
        )


def author_key(record: Record, before: Sequence[Record]) -> bytes:
    """Return the public key, 32 bytes, of the author of a record: inviter and guest alternate.

    Raises VerificationError, which accuses no player, if the author's first record does not name
    the key (R-3.3, R-3.4).
    """
    entering = record if record.index < 2 else before[record.index % 2]
    entry = entering.steps[0]
    if entering.index == 0 and not isinstance(entry, Invite):
        raise refusal(entering, Rule.INVITATION_FIRST, Message("a game begins with an invitation."))
    if entering.index == 1 and not isinstance(entry, Accept):
        message = Message("the second record accepts the game.")
        raise refusal(entering, Rule.ACCEPTANCE_SECOND, message)
    assert isinstance(entry, Invite | Accept)
    return entry.key


def check_signature(record: Record, before: Sequence[Record]) -> None:
    """Raise VerificationError unless a record is signed with its author's key (R-3.5)."""
    if not record.verify(author_key(record, before)):
        raise refusal(
            record,
            Rule.SIGNATURE,
            Message(
                "the signature is not valid: the record was changed, or somebody else wrote it."
            ),
        )


def check_side(record: Record, before: Sequence[Record]) -> None:
    """Raise VerificationError if a validly signed record names the other player's side (R-3.6).

    The error accuses the author of the signature, not the side that the record names.
    """
    if before and before[-1].side == record.side:
        author = Side(record.side).opponent.value
        message = Message("its author plays the other side.")
        raise VerificationError(Finding(record.index, author, Rule.SIDE, message))


def check_time(record: Record, before: Sequence[Record]) -> None:
    """Raise VerificationError if a record is dated before the previous one (R-3.7)."""
    if before and record.time < before[-1].time:
        raise refusal(record, Rule.TIME, Message("it is dated before the record it answers."))


# --- records that cannot be read


def is_truncated(document: dict[str, Any]) -> bool:
    """Return True if part of the last record or box in a document is missing."""
    sealed, records = document.get("sealed"), document.get("record")
    if isinstance(sealed, dict):
        boxes = list(sealed.values())
        return bool(boxes) and isinstance(boxes[-1], dict) and not boxes[-1].get("box")
    if not isinstance(records, list) or not records:
        return True
    return first_malformed(records) == len(records) - 1 and is_cut_off(records)


def first_malformed(records: Sequence[Any]) -> int | None:
    """Return the number of the first malformed record in a document, or None."""
    return next((number for number, plain in enumerate(records) if _problem(plain)), None)


def is_cut_off(records: Sequence[Any]) -> bool:
    """Return True if the last record, which is malformed, lacks its end and is not signed."""
    number = len(records) - 1
    return isinstance(_problem(records[number]), IncompleteError) and not is_signed(records, number)


def is_signed(records: Sequence[Any], number: int) -> bool:
    """Return True if a record in a document, even a malformed one, is signed by its author."""
    plain = records[number]
    if not isinstance(plain, dict):
        return False
    try:
        key = decode_bytes(records[number % 2 if number > 1 else number]["steps"][0]["key"])
        signature = decode_bytes(plain["signature"])
        content = canonical_json({key: value for key, value in plain.items() if key != "signature"})
    except (ValueError, TypeError, LookupError, RecursionError):
        return False
    is_whole = (len(key), len(signature)) == (32, 64)
    return is_whole and is_valid_signature(
        key, Tag.SIGNATURE, tagged_hash(Tag.RECORD, content), signature
    )


def _problem(plain: object) -> ValueError | None:
    """Return the reason why plain data is no record, or None if it is a record."""
    try:
        Record.from_plain(plain)
    except ValueError as error:
        return error
    return None
