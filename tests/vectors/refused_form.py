"""Files that break a rule of form, R-1 and R-2, or are no evidence of a fork, R-11."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from pbem.protocol.schema import lay_out
from tests.vectors import naive
from tests.vectors.naive import Read
from tests.vectors.naive_form import UNPRINTED
from tests.vectors.refused_chains import (
    Base,
    Change,
    Vector,
    add,
    both,
    changed,
    cut,
    field,
    follow,
    game,
    laid_out,
    order,
    put,
    sign,
    tabled,
    unopened,
)

OPEN, FIXED = game("game-follow-ups"), game("game")
"""An open invitation, which is record 0 alone; and one whose inviter is British."""


def of_files() -> Iterator[Vector]:
    """R-1."""
    whole = laid_out(OPEN.records[:1])
    text = whole.decode()
    yield Vector("R-1.2", "a byte that is no UTF-8, in a comment", whole + b"# \xff\n")
    yield Vector("R-1.2", "UTF-16", text.encode("utf-16"))
    yield Vector("R-1.3", "a comment of 121 characters", whole + b"#" * 121 + b"\n")
    yield Vector("R-1.3", "121 spaces", whole + b" " * 121 + b"\n")
    yield Vector("R-1.6", "a lone CR in a comment", whole + b"# a\rb\n")
    yield Vector("R-1.6", "a tab for an equals sign", text.replace(" = ", "\t", 1).encode())
    yield Vector("R-1.6", "a string that does not end", whole + b'note = "\n')
    yield Vector("R-1.6", "a key twice", text.replace("index = 0", "index = 0\nindex = 0").encode())
    yield Vector("R-1.6", "two byte order marks", b"\xef\xbb\xbf" * 2 + whole)
    broken = text.replace('edition = "second"', 'edition = "sec\nond"')
    yield Vector("R-1.6", "a line break in a string", broken.encode())
    yield Vector("R-1.6", "prose before it", b"Here is my turn.\n\n" + whole)
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    yield Vector("R-1.6", "quoted", quoted.encode())
    yield Vector("R-1.6", "a zero byte at the end", whole + b"\0")
    yield from _of_toml(text)
    for what, format in [("another format", '"acres"'), ("the format of evidence", '"acres-fork"')]:
        yield Vector("R-1.7", what, text.replace('"acres-save"', format).encode())
    yield Vector("R-1.7", "no format", text.replace('format = "acres-save"\n', "").encode())
    for what, line in [
        ("version 2", "version = 2\n"),
        ("version 0", "version = 0\n"),
        ("a version that is a text", 'version = "1"\n'),
        ("a version that is true", "version = true\n"),
        ("a version that is a fraction", "version = 1.0\n"),
        ("no version", ""),
    ]:
        yield Vector("R-1.8", what, text.replace("version = 1\n", line).encode())
    yield Vector("R-1.9", "another key", b'note = "x"\n' + whole)
    yield Vector("R-1.10", "no record", b'format = "acres-save"\nversion = 1\n')
    yield Vector("R-1.10", "no record in the list", laid_out([]))
    yield Vector(
        "R-1.10", "a record that is no list", text.replace("[[record]]", "[record]").encode()
    )
    summaries: dict[str, Any] = {
        "a summary with a tab": {"lines": ["a\tb"]},
        "a summary without lines": {"line": ["a"]},
        "a summary with another key": {"lines": [], "more": 1},
        "a line of the summary too many": {"lines": ["x"] * 201},
        "a summary that is a text": "a",
    }
    for what, summary in summaries.items():
        yield Vector("R-1.11", what, laid_out(OPEN.records[:1], summary=summary))
    box = {"at": 0, "box": naive.b64(bytes(272))}
    boxes: dict[str, Any] = {
        "a box for another side": {"any": box},
        "a box without its record": {"british": {"box": box["box"]}},
        "a box of a wrong length": {"british": box | {"box": naive.b64(bytes(273))}},
        "a box at record 5000": {"british": box | {"at": 5000}},
        "a box with another key": {"french": box | {"note": "x"}},
    }
    for what, sealed in boxes.items():
        yield Vector("R-1.12", what, whole + lay_out({"sealed": sealed}).encode())


def _of_toml(text: str) -> Iterator[Vector]:
    """R-1.6: what TOML 1.1 takes, and surrogates, which no TOML does but some readers do."""
    time = OPEN.records[0]["time"]
    for what, summary in [
        ("a line break in an inline table", '{\nlines = ["a"]}'),
        ("a line break before an inline table ends", '{lines = ["a"]\n}'),
        ("a comma at the end of an inline table", '{lines = ["a"],}'),
        ("a comment in an inline table", '{lines = ["a"] # {\n}'),
    ]:
        line = f"version = 1\nsummary = {summary}\n"
        yield Vector("R-1.6", what, text.replace("version = 1\n", line, 1).encode())
    for what, old, new in [
        ("an escape of two digits", '"second"', r'"\x73econd"'),
        ("an escape for escape", 'name = "', r'name = "\e'),
        ("a time without seconds", f'"{time}"', time[:16] + "Z"),
        ("a surrogate", 'name = "', r'name = "\ud800'),
        ("a pair of surrogates", 'name = "', r'name = "\ud83d\ude00'),
    ]:
        assert old in text
        yield Vector("R-1.6", what, text.replace(old, new, 1).encode())


def large() -> Iterator[Vector]:
    """R-1, where only a large file breaks it: these are made when they are needed, and not kept."""
    whole = laid_out(OPEN.records[:1])
    for rule, what, mark in [
        ("R-1.4", "65537 full stops", b"."),
        ("R-1.5", "65537 opening brackets", b"["),
        ("R-1.5", "65537 opening braces", b"{"),
    ]:
        yield Vector(rule, what, whole + (b"#" + mark * 100 + b"\n") * 656)
    yield Vector("R-1.1", "2097153 bytes", whole + b"\n" * (2097153 - len(whole)))


BY_HAND: dict[str, Change] = {
    "a record without its time": field(time=None),
    "a step without a key": put("invite", email=None),
    "an order of 2001 characters": add(order("x" * 2001)),
    "41 house rules": put("invite", house_rules=[f"r{n:02}" for n in range(41)]),
    "256 slots": add({"kind": "grant", "slots": [f"0:{n}" for n in range(256)]}),
    "256 cards": add({"kind": "shuffle", "epoch": 0, "cards": ["a"] * 256, "commitment": "A" * 43}),
    "129 steps": add(*[{"kind": "resign"}] * 128),
    "thirteen siblings": add(unopened(siblings=["A" * 43] * 13)),
    "a content of more than 16384 bytes": add(*[order("x" * 2000)] * 8),
    "protocol 2 in a record without a time": both(put("invite", protocol=2), field(time=None)),
}


def of_records() -> Iterator[Vector]:
    """R-2: an invitation, signed as its author would."""
    for rule, what, change in tabled("invitations", BY_HAND):
        yield changed(rule, what, OPEN, 1, change)
    for code in sorted({code for ends in UNPRINTED for code in ends} - {0xD800, 0xDFFF}):
        hidden = put("invite", name=f"An{chr(code)}na")
        yield changed("R-2.5", f"a name with U {code:04x}", OPEN, 1, hidden)
    text = laid_out(OPEN.records[:1]).decode()
    for rule, what, old, new in [
        ("R-2.3", "a whole number with a full stop", "lists = 8\n", "lists = 8.0\n"),
        ("R-2.3", "a number that is true", "protocol = 1\n", "protocol = true\n"),
    ]:
        assert old in text
        yield Vector(rule, what, text.replace(old, new).encode(), 0)
    time = OPEN.records[0]["time"]
    date = text.replace(f'time = "{time}"', f"time = {time}")
    yield Vector("R-2.6", "a date of TOML", date.encode(), 0)
    yield changed("R-2.5", "any side in record 1", OPEN, 2, field(side="any"))
    yield changed("R-2.4", "no hash in record 1", OPEN, 2, field(previous=""))


# --- evidence of a fork


def of_evidence() -> Iterator[Vector]:
    """R-11; and that rules of form hold for evidence, too."""
    key = OPEN.records[1]["steps"][0]["key"]
    one, two = (_otherwise(OPEN, 3, word) for word in ("pass", "end"))
    later = _otherwise(OPEN, 5, "pass")
    elsewhere = sign(copy.deepcopy(two) | {"previous": naive.b64(bytes(32))}, OPEN.seeds[1])
    other = sign(copy.deepcopy(two), OPEN.seeds[0])
    bad = sign(copy.deepcopy(two) | {"time": "2026-02-30T10:00:00Z"}, OPEN.seeds[1])
    inviter = OPEN.records[0]["steps"][0]["key"]
    first, again = OPEN.records[0], cut(OPEN, 1)[0]
    again = sign(again | {"time": "2027-01-01T00:00:00Z"}, OPEN.seeds[0])
    cases: list[tuple[str, str, Any, list[Read]]] = [
        ("R-11.1", "evidence of one record", key, [one]),
        ("R-11.1", "evidence of three records", key, [one, two, one]),
        ("R-11.1", "evidence without a key", None, [one, two]),
        ("R-11.1", "evidence with a key of 31 bytes", naive.b64(bytes(31)), [one, two]),
        ("R-11.2", "records with two indexes", key, [one, later]),
        ("R-11.2", "two invitations", inviter, [first, again]),
        ("R-11.3", "records after two records", key, [one, elsewhere]),
        ("R-11.4", "one record twice", key, [one, one]),
        ("R-11.5", "a record signed by the other player", key, [one, other]),
        ("R-11.5", "evidence that names the other key", inviter, [one, two]),
        (
            "R-11.5",
            "a signature of another record",
            key,
            [one, two | {"signature": one["signature"]}],
        ),
        ("R-2.6", "a record of evidence at a time that does not exist", key, [one, bad]),
    ]
    document: Read
    for rule, what, named, records in cases:
        document = {"format": "acres-fork", "version": 1, "record": records}
        document |= {"key": named} if named else {}
        yield Vector(rule, what, lay_out(document).encode())
    document = {"format": "acres-fork", "version": 1, "key": key, "record": {"one": 1, "two": 2}}
    yield Vector("R-11.1", "evidence with a table for its records", lay_out(document).encode())
    document = {"format": "acres-fork", "version": 1, "key": key, "note": "x"}
    document["record"] = [one, two]
    yield Vector("R-1.9", "evidence with another key", lay_out(document).encode())


def _otherwise(base: Base, index: int, word: str) -> Read:
    """A record in the place of one of a chain, which says something else."""
    records = cut(base, index)
    return follow(records, base.seeds, order(word))
