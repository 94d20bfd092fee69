"""Files that cannot be read: whether the end is missing, or an author signed what nobody can read.

A signature covers all of a record, so a valid one shows that nothing of it is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.protocol.hashing import Tag, tagged_hash
from pbem.protocol.identity import is_valid_signature
from pbem.protocol.record import Record
from pbem.protocol.schema import Incomplete, canonical_json, decode_bytes


def lacks_its_end(document: dict[str, Any]) -> bool:
    """Whether part of the last record or box in a document is missing."""
    sealed, records = document.get("sealed"), document.get("record")
    if isinstance(sealed, dict):
        boxes = list(sealed.values())
        return bool(boxes) and isinstance(boxes[-1], dict) and not boxes[-1].get("box")
    if not isinstance(records, list) or not records:
        return True
    return first_unread(records) == len(records) - 1 and is_cut(records)


def first_unread(records: Sequence[Any]) -> int | None:
    """The number of the first record in a document that is not one; None if all are."""
    return next((number for number, plain in enumerate(records) if _problem(plain)), None)


def is_cut(records: Sequence[Any]) -> bool:
    """Whether the last record, which cannot be read, lacks its end and was not signed that way."""
    number = len(records) - 1
    return isinstance(_problem(records[number]), Incomplete) and not is_signed(records, number)


def is_signed(records: Sequence[Any], number: int) -> bool:
    """Whether a record in a document is signed by the right player, whatever it says."""
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
