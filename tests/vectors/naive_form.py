"""A second, plain implementation of the form of files and records, for comparison only.

It is written from docs/save-format.md and docs/protocol.md, *Encoding* and *Steps*, and shares only
the libraries for TOML and Ed25519 with the program.
"""

import re
import tomllib
from collections.abc import Callable
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.vectors import naive, naive_toml
from tests.vectors.naive import Read
from tests.vectors.naive_deck import RuleError, need

Kind = Callable[[Any], None]
"""A check that raises RuleError for a value of another kind."""

UNPRINTED = [
    (0, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160),
    (0x17B4, 0x17B5), (0x180E, 0x180E), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
    (0x3164, 0x3164), (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFF), (0xE0000, 0xE0FFF),
]  # fmt: skip


# --- kinds of value


def whole(low: int, high: int) -> Kind:
    def check(value: Any) -> None:
        need(type(value) is int and low <= value <= high, "R-2.3")

    return check


def power_of_two(low: int, high: int) -> Kind:
    def check(value: Any) -> None:
        whole(low, high)(value)
        need(value.bit_count() == 1, "R-2.11")

    return check


def octets(*lengths: int) -> Kind:
    def check(value: Any) -> None:
        need(type(value) is str and re.fullmatch("[A-Za-z0-9_-]*", value), "R-2.4")
        need(len(value) % 4 != 1, "R-2.4")
        data = naive.unb64(value)
        need(naive.b64(data) == value and len(data) in lengths, "R-2.4")

    return check


def text(holds: Callable[[str], object], rule: str = "R-2.5") -> Kind:
    def check(value: Any) -> None:
        need(type(value) is str and holds(value), rule)

    return check


def one_of(*words: str) -> Kind:
    return text(lambda value: value in words)


def printable(value: str, most: int) -> bool:
    inside = all(" " <= one <= "~" for one in value)
    return 1 <= len(value) <= most and inside and value.strip(" ") == value


def visible(value: str) -> bool:
    return not any(low <= ord(one) <= high for one in value for low, high in UNPRINTED)


def is_time(value: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", value):
        return False
    try:
        datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return value[17:19] != "60"


def ends_bare(value: str) -> bool:
    return value[:1] != " " and value[-1:] != " "


def place(value: Any) -> Any:
    """Return the sort key of a value in an ascending list."""
    return tuple(map(int, value.split(":"))) if re.fullmatch(r"\d+:\d+", value) else value


def several(
    kind: Kind, low: int, high: int, *, ascending: bool = False, once: bool = False
) -> Kind:
    def check(value: Any) -> None:
        need(type(value) is list and low <= len(value) <= high, "R-2.8")
        for one in value:
            kind(one)
        need(not ascending or value == sorted(value, key=place), "R-2.9")
        need(not once or len(set(value)) == len(value), "R-2.10")

    return check


WORD = text(lambda value: re.fullmatch("[a-z0-9-]{1,40}", value))
CARD = text(lambda value: printable(value, 64))
LINE = text(lambda value: printable(value, 2000))
NAME = text(lambda value: 1 <= len(value) <= 60 and visible(value) and ends_bare(value))
EMAIL = text(lambda value: len(value) <= 254 and all("!" <= one <= "~" for one in value))
SLOT = text(lambda value: re.fullmatch("(0|[1-9][0-9]{0,3}):(0|[1-9][0-9]{0,2})", value), "R-2.7")
TIME = text(is_time, "R-2.6")
SIDE = one_of("british", "french")
EPOCH = whole(0, 9999)
SLOTS = several(SLOT, 1, 255, ascending=True, once=True)

ENTRY: dict[str, Kind] = {
    "name": NAME, "email": EMAIL, "key": octets(32), "nonce": octets(32), "secret_hash": octets(32),
}  # fmt: skip
STEPS: dict[str, dict[str, Kind]] = {
    "invite": {
        "protocol": whole(1, 1),
        "edition": WORD,
        "house_rules": several(WORD, 0, 40, ascending=True, once=True),
        "rules_digest": octets(32),
        "lists": power_of_two(1, 4096),
        "home_support": one_of("asked", "ahead"),
        "side": one_of("british", "french", "any"),
        **ENTRY,
        "rules_parts": several(octets(8), 5, 5),
    },
    "accept": {"side": SIDE, **ENTRY},
    "shuffle": {
        "epoch": EPOCH,
        "cards": several(CARD, 1, 255, ascending=True),
        "commitment": octets(32),
    },
    "draw": {"count": whole(1, 255)},
    "grant": {"list": whole(0, 4095), "slots": SLOTS, "ahead": SLOTS},
    "open-lists": {
        "epoch": EPOCH,
        "siblings": several(octets(32), 0, 12),
        "commitments": several(octets(32), 1, 255),
    },
    "open": {"slot": SLOT, "card": CARD, "nonce": octets(32)},
    "order": {"order": LINE},
    "resign": {},
    "close": {"secret": octets(32)},
}
MAY_BE_ABSENT = {("invite", "rules_parts"), ("grant", "list"), ("grant", "ahead")}


# --- records


def table(value: Any, keys: dict[str, Kind], absent: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Check that a value is a table with exactly these keys, and values of these kinds."""
    need(type(value) is dict and value.keys() <= keys.keys(), "R-2.1")
    need(keys.keys() - absent <= value.keys(), "R-2.1")
    for key, one in value.items():
        keys[key](one)


def check_step(step: Any) -> None:
    need(type(step) is dict and type(step.get("kind")) is str and step["kind"] in STEPS, "R-2.2")
    check_protocol(step)
    kind = step["kind"]
    absent = {key for of, key in MAY_BE_ABSENT if of == kind}
    table(step, {"kind": lambda value: None} | STEPS[kind], absent)


def check_protocol(step: Any) -> None:
    """Check rule R-2.13 for any step."""
    if type(step) is dict and step.get("kind") == "invite":
        need(type(step.get("protocol")) is not int or step["protocol"] <= 1, "R-2.13")


def check_record(record: Any) -> None:
    """Check the rules R-2 for one record."""
    steps = record.get("steps") if type(record) is dict else None
    if type(steps) is list and steps:
        check_protocol(steps[0])
    first = type(record) is dict and type(record.get("index")) is int and record["index"] == 0
    table(
        record,
        {
            "index": whole(0, 4999),
            "side": one_of("british", "french", "any") if first else SIDE,
            "previous": octets(0 if first else 32),
            "time": TIME,
            "signature": octets(64),
            "steps": several(check_step, 1, 128),
        },
    )
    content = {key: value for key, value in record.items() if key != "signature"}
    need(len(naive.canonical(content)) <= 16384, "R-2.12")


# --- files


def document(data: bytes, format: str, keys: set[str]) -> Read:
    """Return the document of a file, after checking the rules R-1.1 to R-1.9."""
    need(len(data) <= 2097152, "R-1.1")
    try:
        whole_text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        raise RuleError("R-1.2") from None
    lines = whole_text.split("\n")
    need(all(len(line.removesuffix("\r")) <= 120 for line in lines), "R-1.3")
    need(whole_text.count(".") <= 65536, "R-1.4")
    need(whole_text.count("[") + whole_text.count("{") <= 65536, "R-1.5")
    try:
        content: Read = tomllib.loads(whole_text)
    except (ValueError, RecursionError):
        raise RuleError("R-1.6") from None
    need(not naive_toml.is_newer(whole_text), "R-1.6")
    need(content.get("format") == format, "R-1.7")
    need(type(content.get("version")) is int and content["version"] == 1, "R-1.8")
    need(content.keys() <= keys, "R-1.9")
    return content


def records_in(data: bytes) -> list[Read]:
    """Check the form of all records of a save file, and return them."""
    content = document(data, "acres-save", {"format", "version", "summary", "record", "sealed"})
    records: list[Read] = content.get("record", [])
    need(type(records) is list and 1 <= len(records) <= 5000, "R-1.10")
    for record in records:
        check_record(record)
    part(content.get("summary", {"lines": []}), check_summary, "R-1.11")
    part(content.get("sealed", {}), check_boxes, "R-1.12")
    return records


def part(value: Any, kind: Kind, rule: str) -> None:
    """Return a part of the file whose whole form has one rule, after checking it."""
    try:
        kind(value)
    except RuleError:
        raise RuleError(rule) from None


def check_summary(value: Any) -> None:
    line = text(lambda one: len(one) <= 200 and visible(one))
    table(value, {"lines": several(line, 0, 200)})


def check_boxes(value: Any) -> None:
    box = {"at": whole(0, 4999), "box": octets(*range(272, 24593, 256))}
    table(
        value,
        {side: lambda one: table(one, box) for side in ("british", "french")},
        {"british", "french"},
    )


# --- signatures

SMALL_ORDER = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)


def is_signed(record: Read, key: str) -> bool:
    """Return whether a key has validly signed a record."""
    public = naive.unb64(key)
    y = public[:31] + bytes([public[31] & 0x7F])
    number = int.from_bytes(y, "little")
    if number >= 2**255 - 19 or y.hex() in SMALL_ORDER:
        return False
    message = b"acres/1 signature\0" + naive.record_hash(record)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(naive.unb64(record["signature"]), message)
    except (InvalidSignature, ValueError):
        return False
    return True


# --- evidence of a fork


def check_fork(data: bytes) -> None:
    """Raise RuleError unless the evidence proves that a key signed twice after one record."""
    content = document(data, "acres-fork", {"format", "version", "key", "record"})
    records = content.get("record")
    need(type(records) is list and len(records) == 2, "R-11.1")
    assert records is not None
    for record in records:
        check_record(record)
    part(content.get("key"), octets(32), "R-11.1")
    one, two = records
    need(one["index"] == two["index"] != 0, "R-11.2")
    need(one["previous"] == two["previous"], "R-11.3")
    need(naive.record_hash(one) != naive.record_hash(two), "R-11.4")
    need(all(is_signed(record, content["key"]) for record in records), "R-11.5")
