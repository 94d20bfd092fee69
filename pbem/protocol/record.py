"""A signed entry of the chain, the sequence of entries, and how each is linked to those before it.

A signature covers all of a record, so a valid one shows that nothing of it is missing, in a file
that cannot be read as well. docs/protocol.md, Records. What each record may say is for
`pbem.protocol.match`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from engine.message import Message, Phrase
from engine.sides import Side
from engine.value import Value
from pbem.errors import Finding, NotProved
from pbem.errors.rule import Rule
from pbem.protocol.identity import is_valid_signature
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.schema import (
    SIDE,
    Bytes,
    Codec,
    Incomplete,
    Integer,
    ListOf,
    Malformed,
    OneOf,
    Plain,
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
"""In the place of a signature, until the player has agreed to the record."""
MAX_CONTENT = 16384
"""Bytes of canonical JSON: more than the longest turn takes, and far fewer than a file holds."""


class _AnyStep(Codec):
    """A step of whatever kind."""

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
# In the order in which a file has them. The first record has nothing before it, and its author may
# not have a side yet.
_FIRST_CODECS = _CODECS | {
    "index": Integer(0, 0),
    "side": OneOf("british", "french", "any"),
    "previous": Bytes(0),
}


class Record(Value):
    """A record: where it stands, who signed it, when, what it says, and the signature.

    `index` counts from 0; `side` is the author's ("any" only in the first record of an open
    invitation); `previous` is the hash of the record before (empty in the first); `time` is the
    author's word, in UTC, like 2026-11-21T10:03:00Z; `signature` has 64 bytes.
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
        """Return a new record, `UNSIGNED`; ValueError for one that no reader would accept."""
        record = cls(index, side, previous, time, tuple(steps), UNSIGNED)
        if cls.from_plain(record.to_plain()) != record:
            raise ValueError("this record would not be read as it is written")
        return record

    @classmethod
    def from_plain(cls, plain: object) -> Record:
        """The record for which `to_plain` gave this.

        ValueError with a sentence for anything else. Only the form is checked. The chain and the
        signature can be checked only by knowing the game.
        """
        match plain:
            case {"steps": [entry, *_]}:
                check_protocol(entry)
        first = isinstance(plain, dict) and plain.get("index") == 0
        record = cls(**read_table(plain, _FIRST_CODECS if first else _CODECS))
        if len(record._hashed) > MAX_CONTENT:
            told = Message("it is longer than {most} bytes, which no turn needs", most=MAX_CONTENT)
            raise Malformed(told, Rule.CONTENT)
        return record

    def to_plain(self) -> dict[str, Plain]:
        """The record as plain data, as it is in the file."""
        return self._content | {"signature": _CODECS["signature"].write(self.signature)}

    @cached_property
    def toml(self) -> str:
        """The record as lines of a save file."""
        return lay_out({"record": [self.to_plain()]})

    def content(self) -> dict[str, Plain]:
        """What is hashed and signed: all but the signature."""
        return dict(self._content)

    @cached_property
    def _content(self) -> dict[str, Plain]:
        # Cached, because it is hashed when a record is read and laid out when it is rewritten.
        return {
            key: codec.write(getattr(self, key))
            for key, codec in _CODECS.items()
            if key != "signature"
        }

    @cached_property
    def hash(self) -> bytes:
        """What the next record links to, 32 bytes; that of record 0 is the game's id."""
        return tagged_hash(Tag.RECORD, self._hashed)

    @cached_property
    def _hashed(self) -> bytes:
        return canonical_json(self._content)

    def verify(self, public_key: bytes) -> bool:
        """Whether the signature is that of the key's owner."""
        return is_valid_signature(public_key, Tag.SIGNATURE, self.hash, self.signature)


BEGINS = "\n[[record]]\n"
"""How a record begins where it is laid out."""


# --- the chain: number, link, signature, side, time


def refusal(record: Record, rule: Rule, reason: Phrase, earlier: int | None = None) -> NotProved:
    """The error that says what a record fails to prove, or which `earlier` one it disproves."""
    if earlier in (None, record.index):
        return NotProved(Finding(record.index, record.side, rule, reason))
    return NotProved(Finding(earlier, record.side, rule, reason, record.index))


def check_link(record: Record, before: Sequence[Record]) -> None:
    """Check that a record follows those before it; raises NotProved."""
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
    """The public key of the player who has to sign a record: the inviter and the guest take turns.

    The first two records name the key that they are signed with; raises NotProved if one does not.
    Without a key nobody is shown to have signed it, so this accuses nobody.
    """
    entering = record if record.index < 2 else before[record.index % 2]
    entry = entering.steps[0]
    if entering.index == 0 and not isinstance(entry, Invite):
        told = Message("a game begins with an invitation.")
        raise refusal(entering, Rule.INVITATION_FIRST, told)
    if entering.index == 1 and not isinstance(entry, Accept):
        told = Message("the second record accepts the game.")
        raise refusal(entering, Rule.ACCEPTANCE_SECOND, told)
    assert isinstance(entry, Invite | Accept)
    return entry.key


def check_signature(record: Record, before: Sequence[Record]) -> None:
    """Check that the player who has to write a record signed it; raises NotProved."""
    if not record.verify(author_key(record, before)):
        raise refusal(
            record,
            Rule.SIGNATURE,
            Message(
                "the signature is not valid: the record was changed, or somebody else wrote it."
            ),
        )


def check_side(record: Record, before: Sequence[Record]) -> None:
    """Check that a record names the side of its author, whose signature is valid; raises NotProved.

    It accuses the author, and not the side in whose name the record is.
    """
    if before and before[-1].side == record.side:
        author = Side(record.side).opponent.value
        told = Message("its author plays the other side.")
        raise NotProved(Finding(record.index, author, Rule.SIDE, told))


def check_time(record: Record, before: Sequence[Record]) -> None:
    """Check that times do not run backwards; raises NotProved."""
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
    """The number of the first record in a document that is not one; None if all are."""
    return next((number for number, plain in enumerate(records) if _problem(plain)), None)


def is_cut_off(records: Sequence[Any]) -> bool:
    """Return True if the last record, unreadable, lacks its end and was not signed that way."""
    number = len(records) - 1
    return isinstance(_problem(records[number]), Incomplete) and not is_signed(records, number)


def is_signed(records: Sequence[Any], number: int) -> bool:
    """Return True if a record in a document is signed by the right player, whatever it says."""
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
    """Why plain data is not a record; None if it is one."""
    try:
        Record.from_plain(plain)
    except ValueError as error:
        return error
    return None
