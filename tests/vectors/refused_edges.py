"""Files just beyond an edge: of TOML, of times, of lengths, of the keys that sign."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.protocol.schema import lay_out
from tests.protocol import curve
from tests.vectors import naive
from tests.vectors.naive import Read
from tests.vectors.refused_chains import (
    Change,
    Player,
    Vector,
    add,
    changed,
    cut,
    draw,
    first,
    follow,
    game,
    laid_out,
    opening,
    order,
    put,
    shuffle,
    sign,
    tabled,
    unopened,
)

OPEN = game("game-follow-ups")
"""An open invitation, which is record 0 alone."""
FULL = 16384
"""The bytes that the content of a record may have."""


def of_edges() -> Iterator[Vector]:
    """R-1, R-2, R-3.5 and R-11.5."""
    yield from _of_toml()
    yield from _of_parts()
    for rule, what, change in tabled("invitations_at_edges", BY_HAND):
        yield changed(rule, what, OPEN, 1, change)
    yield from _of_keys()
    records = cut(OPEN, 3)
    one, two = (follow([*records], OPEN.seeds, order(word)) for word in ("pass", "end"))
    document: Read = {"format": "acres-fork", "version": 1}
    document["key"] = OPEN.records[1]["steps"][0]["key"]
    bad = one | {"signature": two["signature"]}
    forged = lay_out(document | {"record": [bad, two]}).encode()
    yield Vector("R-11.5", "evidence whose first signature alone is bad", forged)
    numbers = lay_out(document | {"record": [1, 2]}).encode()
    yield Vector("R-2.1", "evidence with numbers for records", numbers)


def _of_toml() -> Iterator[Vector]:
    """R-1.6: what is said twice, or is said where something else stands."""
    text = laid_out(OPEN.records[:1]).decode()
    head, _, rest = text.partition("version = 1\n")
    head += "version = 1\n"
    box = f'at = 0\nbox = """\\\n{_folded(naive.b64(bytes(272)))}"""\n'
    for what, before, behind in [
        ("a table twice", "", "[summary]\nlines = []\n[summary]\n"),
        ("a box twice", "", f"[sealed.british]\n{box}[sealed.british]\n"),
        ("a list of tables behind a list", "record = []\n", ""),
        ("a header into an inline table", "summary = { lines = [] }\n", "[summary.more]\n"),
        ("a dotted key into an inline table", "sealed = {}\nsealed.french.at = 0\n", ""),
        ("a header for dotted keys", "sealed.french.at = 0\n", "[sealed.french]\n"),
        ("a header for a list of tables", "", "[record]\n"),
    ]:
        yield Vector("R-1.6", what, f"{head}{before}{rest}{behind}".encode())
    for what, old, new in [
        ("U 007f in a string", '"second"', '"second\x7f"'),
        ("a zero before a number", "index = 0\n", "index = 00\n"),
    ]:
        assert old in text
        yield Vector("R-1.6", what, text.replace(old, new, 1).encode())


def _folded(value: str) -> str:
    """A long string in lines."""
    return "\\\n".join(value[at : at + 60] for at in range(0, len(value), 60))


def _of_parts() -> Iterator[Vector]:
    """R-1.11, R-1.12, and a list of records that has other things in it."""
    text = laid_out(OPEN.records[:1]).decode()
    for what, sealed in [("boxes that are a number", "5"), ("boxes that are a list", "[]")]:
        line = f"version = 1\nsealed = {sealed}\n"
        yield Vector("R-1.12", what, text.replace("version = 1\n", line, 1).encode())
    long = {"lines": ["x" * 201]}
    data = laid_out(OPEN.records[:1], summary=long)
    yield Vector("R-1.11", "a line of the summary too long", data)
    yield Vector("R-2.1", "numbers for records", laid_out([1, 2]), 0)


def to_length(length: int, *steps: Read) -> Change:
    """Put orders after these steps, so that the content has that many bytes."""

    def change(record: Read) -> None:
        content = {key: value for key, value in record.items() if key != "signature"}
        content["steps"] = record["steps"] = [*steps]
        while left := length - len(naive.canonical(content)):
            more = len(naive.canonical(order(""))) + 1
            size = min(2000, left - more)
            steps_left = left - more - size
            size -= 100 if 0 < steps_left < 2 * more else 0
            record["steps"].append(order("pass " + "x" * (size - 5)))

    return change


BY_HAND: dict[str, Change] = {
    "an address of 255 characters": put("invite", email="x" * 255),
    "256 commitments": add(unopened(commitments=["A" * 43] * 256)),
    "a content of 16385 bytes": lambda record: to_length(FULL + 1, *record["steps"])(record),
}


def _of_keys() -> Iterator[Vector]:
    """R-3.5: keys under which one signature fits many messages, each with one that would fit."""
    low = int.from_bytes(curve.encode(curve.TORSION), "little") % 2**255
    for what, y, written in [
        ("a key with y 0", 0, 0),
        ("a key with y 0 written as p", 0, curve.P),
        ("a key of order 2", curve.P - 1, curve.P - 1),
        ("another key of order 8", curve.P - low, curve.P - low),
    ]:
        x = curve.x_of(y)
        assert x is not None
        yield Vector("R-3.5", what, _fitting((x, y), written.to_bytes(32, "little")), 0)


def _fitting(point: curve.Point, key: bytes) -> bytes:
    """An invitation with that key, at the first time for which a signature needs no secret."""
    records = cut(OPEN, 1)
    records[0]["steps"][0]["key"] = naive.b64(key)
    for minute in range(60):
        records[0]["time"] = f"2026-11-21T10:{minute:02}:00Z"
        message = b"acres/1 signature\0" + naive.record_hash(records[0])
        for n in range(8):
            r = curve.times(n, point)
            encoded = curve.encode(r)
            k = curve.challenge(encoded, key, message)
            if curve.add(curve.times(k, point), r) == (0, 1):
                records[0]["signature"] = naive.b64(encoded + bytes(32))
                return laid_out(records)
    raise AssertionError("no such time")


def with_rules() -> Iterator[Vector]:
    """What is just within an edge, and only by the rules of the game is no honest game."""
    word = "x" * 40
    rules = sorted(f"{n:02}{word[2:]}" for n in range(40))
    yield changed("R-12.1", "an edition of 40 characters", OPEN, 1, put("invite", edition=word))
    yield changed("R-12.1", "40 house rules", OPEN, 1, put("invite", house_rules=rules))
    yield _whole_deck()
    fixed = game("game")
    begun = fixed.records[2]["steps"][:2]
    yield changed("R-12.9", "a content of 16384 bytes", fixed, 3, to_length(FULL, *begun))


def _whole_deck() -> Vector:
    """A deck of 255 cards, one of them of 64 characters, all drawn, granted and opened."""
    fixed = game("game")
    records, guest = cut(fixed, 1), Player(fixed, 1)
    put("invite", lists=1)(records[0])
    cards = [*["a"] * 254, "b" * 64]
    root = naive.root_seed(Player(fixed, 0).secret, 0, bytes(32))
    records[0]["steps"][1] = shuffle(root, cards, 1)
    sign(records[0], fixed.seeds[0])
    theirs = first("shuffle", fixed.records[1])["cards"]
    seed = naive.root_seed(guest.secret, 0, naive.record_hash(records[0]))
    grant, dealt = guest.grant(records[0], 1, 255), shuffle(seed, theirs, 1)
    follow(records, fixed.seeds, fixed.records[1]["steps"][0], grant, dealt, draw(5))
    answer = Player(fixed, 0).grant(records[1], 1, len(theirs))
    follow(records, fixed.seeds, opening(root, cards, 1, 0), answer, order("pass"))
    return Vector("R-12.6", "a deck of 255 cards", laid_out(records), 0)
