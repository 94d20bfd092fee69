"""Chains that break a rule of their records and steps, R-3 to R-10, each signed by its author."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.sides import Side
from tests.protocol import curve
from tests.vectors import naive
from tests.vectors.naive import Read
from tests.vectors.refused_chains import (
    RESIGN,
    Base,
    Vector,
    add,
    begun,
    changed,
    cut,
    draw,
    drop,
    field,
    first,
    followed,
    game,
    insert,
    instead,
    laid_out,
    order,
    put,
    sign,
)

FIXED, OPEN, AHEAD = game("game"), game("game-follow-ups"), game("game-ahead")
"""The inviter is British; the guest chooses to be British; the inviter is French."""
START, GUEST_FRENCH = begun(Side.FRENCH, Side.BRITISH), begun(Side.BRITISH, Side.FRENCH)
GUEST_BRITISH = begun(None, Side.BRITISH)
"""With a start card: the inviter is French, the guest, the guest of an open invitation British."""
PASS, END = order("pass"), order("end")
RAID = next(
    record["index"]
    for record in OPEN.records
    if any(step.get("order", "").startswith("raid ") for step in record["steps"][:-1])
)
"""The record with a raid, and follow-ups behind it."""
SHOWN = next(
    record["index"] for record in OPEN.records if order("show-hand") in record["steps"][:-1]
)
"""The one that answers an ambush by showing the hand, and then grants what follow-ups ask for."""


def to_raid() -> list[Read]:
    """The steps up to the raid."""
    steps: list[Read] = OPEN.records[RAID]["steps"]
    last = next(n for n, step in enumerate(steps) if step.get("order", "").startswith("raid "))
    return steps[: last + 1]


def of_chains() -> Iterator[Vector]:
    """R-3."""
    records = cut(FIXED, 3)
    yield Vector("R-3.1", "a record left out", laid_out([records[0], records[2]]), 1)
    yield Vector("R-3.1", "a record twice", laid_out([records[0], records[1], records[1]]), 2)
    yield Vector("R-3.1", "two records in the wrong order", laid_out([records[1], records[0]]), 0)
    yield changed("R-3.1", "an index too high", FIXED, 3, field(index=3))
    yield changed("R-3.2", "a hash of nothing", FIXED, 2, field(previous=naive.b64(bytes(32))))
    first_hash = naive.b64(naive.record_hash(records[0]))
    yield changed(
        "R-3.2", "the hash of the record before the last", FIXED, 3, field(previous=first_hash)
    )
    other = cut(FIXED, 3)
    other[1] = sign(other[1] | {"time": "2026-12-24T10:00:00Z"}, FIXED.seeds[1])
    yield Vector("R-3.2", "a record replaced under its answer", laid_out(other), 2)
    yield changed("R-3.3", "a game without an invitation", FIXED, 1, drop(0))
    yield changed("R-3.3", "an invitation behind a shuffle", FIXED, 1, _turned)
    yield changed("R-3.4", "no acceptance", FIXED, 2, drop(0))
    yield changed("R-3.4", "an acceptance behind a grant", FIXED, 2, _turned)
    yield changed("R-3.6", "the side of the other", FIXED, 3, field(side="french"))
    yield changed("R-3.6", "the side of the guest", OPEN, 3, field(side="british"))
    both = cut(FIXED, 2)
    both[1]["side"] = both[1]["steps"][0]["side"] = "british"
    yield Vector("R-3.6", "a guest on the side of the inviter", _signed(both, FIXED), 1)
    yield changed(
        "R-3.7", "a second too early", AHEAD, 3, field(time=_before(AHEAD.records[1]["time"]))
    )
    yield changed("R-3.7", "years too early", AHEAD, 2, field(time="0001-01-01T00:00:00Z"))
    yield from _of_signatures()


def _turned(record: Read) -> None:
    record["steps"][:2] = record["steps"][1::-1]


def _before(time: str) -> str:
    """A second before a time within a day."""
    hours, minutes, seconds = (int(time[at : at + 2]) for at in (11, 14, 17))
    count = 3600 * hours + 60 * minutes + seconds - 1
    return f"{time[:11]}{count // 3600:02}:{count // 60 % 60:02}:{count % 60:02}Z"


def _signed(records: list[Read], base: Base) -> bytes:
    sign(records[-1], base.seeds[records[-1]["index"] % 2])
    return laid_out(records)


def _of_signatures() -> Iterator[Vector]:
    """R-3.5: by nobody, by another, of something else, and those on which programs differ."""

    def with_signature(what: str, length: int, signature: bytes) -> Vector:
        records = cut(OPEN, length)
        records[-1]["signature"] = naive.b64(signature)
        return Vector("R-3.5", what, laid_out(records), length - 1)

    honest = naive.unb64(OPEN.records[0]["signature"])
    yield with_signature("a signature of zeros", 1, bytes(64))
    yield with_signature(
        "a signature with one bit changed", 1, honest[:63] + bytes([honest[63] ^ 1])
    )
    scalar = int.from_bytes(honest[32:], "little") + curve.L
    too_large = honest[:32] + scalar.to_bytes(32, "little")
    yield with_signature("a signature with S increased by the order", 1, too_large)
    yield with_signature("the signature of the record before", 2, honest)
    for length, what in [
        (1, "an invitation signed with another key"),
        (2, "an acceptance likewise"),
    ]:
        records = cut(OPEN, length)
        sign(records[-1], OPEN.seeds[length % 2])
        yield Vector("R-3.5", what, laid_out(records), length - 1)
    records = cut(OPEN, 1)
    records[0]["time"] = "2027-01-01T00:00:00Z"
    yield Vector("R-3.5", "a record changed after it was signed", laid_out(records), 0)
    records = cut(OPEN, 3)
    sign(records[2], OPEN.seeds[1])
    yield Vector("R-3.5", "a turn signed by the other player", laid_out(records), 2)
    neutral = b"\1" + bytes(31)
    for what, key in [
        ("the key that is the neutral element", neutral),
        ("the neutral element written as p and 1", b"\xee" + b"\xff" * 30 + b"\x7f"),
        ("the neutral element with the other sign", b"\1" + bytes(30) + b"\x80"),
        ("a key of order 8", curve.encode(curve.TORSION)),
        ("a key that is no point", b"\2" + bytes(31)),
    ]:
        yield Vector("R-3.5", what, _with_key(key, lambda message: neutral + bytes(32)), 0)
    private, nonce = 3**150 % curve.L, 5**100 % curve.L
    key = curve.encode(curve.times(private, curve.BASE))
    r = curve.encode(curve.add(curve.times(nonce, curve.BASE), curve.TORSION))
    off = _with_key(key, lambda message: curve.signature(private, key, message, nonce, r))
    yield Vector("R-3.5", "an equation that holds but for the cofactor", off, 0)
    r = b"\xee" + b"\xff" * 30 + b"\x7f"
    twice = _with_key(key, lambda message: curve.signature(private, key, message, 0, r))
    yield Vector("R-3.5", "R written in another way", twice, 0)


def _with_key(key: bytes, signing: Any) -> bytes:
    """An invitation with that key."""
    records = cut(OPEN, 1)
    records[0]["steps"][0]["key"] = naive.b64(key)
    message = b"acres/1 signature\0" + naive.record_hash(records[0])
    records[0]["signature"] = naive.b64(signing(message))
    return laid_out(records)


def of_entering() -> Iterator[Vector]:
    """R-4 and R-5.1."""
    invitation, acceptance = FIXED.records[0]["steps"][0], FIXED.records[1]["steps"][0]
    yield changed("R-4.1", "two invitations", FIXED, 1, insert(1, invitation))
    yield changed("R-4.1", "an invitation behind the acceptance", FIXED, 2, insert(1, invitation))
    yield changed("R-4.1", "an invitation later on", FIXED, 4, insert(0, invitation))
    yield changed("R-4.2", "two acceptances", FIXED, 2, insert(1, acceptance))
    yield changed("R-4.2", "an acceptance by the inviter", FIXED, 1, add(acceptance))
    yield changed("R-4.2", "an acceptance later on", FIXED, 3, insert(0, acceptance))
    yield changed(
        "R-4.3", "an invitation that names another side", FIXED, 1, put("invite", side="french")
    )
    yield changed("R-4.3", "an invitation that names any side", FIXED, 1, put("invite", side="any"))
    yield changed("R-4.3", "a record for any side", FIXED, 1, field(side="any"))
    yield changed(
        "R-4.4", "an acceptance of the other side", FIXED, 2, put("accept", side="british")
    )
    yield changed("R-4.4", "an acceptance with two sides", OPEN, 2, put("accept", side="french"))
    records = cut(FIXED, 2)
    put("accept", key=invitation["key"])(records[1])
    sign(records[1], FIXED.seeds[0])
    yield Vector("R-4.5", "a guest with the key of the inviter", laid_out(records), 1)
    for what, key in [("nonce", "nonce"), ("secret hash", "secret_hash")]:
        same = put("accept", **{key: invitation[key]})
        yield changed("R-4.5", f"a guest with the {what} of the inviter", FIXED, 2, same)
    yield from _of_the_beginning()


def _of_the_beginning() -> Iterator[Vector]:
    """R-5.1, in each of the tables."""
    dealt = FIXED.records[0]["steps"][1:]
    for what, base, length, change in [
        ("A: no draw", FIXED, 1, drop(2)),
        ("A: the invitation alone", FIXED, 1, drop(1, 2)),
        ("A: four cards drawn", FIXED, 1, put("draw", count=4)),
        ("A: six cards drawn by the guest", FIXED, 2, put("draw", count=6)),
        ("A: no draw by the guest", FIXED, 2, drop(3)),
        ("A: no shuffle by the guest", FIXED, 2, drop(2, 3)),
        ("A: an order by the guest", FIXED, 2, insert(2, PASS)),
        ("A: an order by the French before the British", AHEAD, 3, add(PASS)),
        ("B: a shuffle by who has no side", OPEN, 1, add(*dealt)),
        ("B: the acceptance alone", OPEN, 2, drop(1, 2)),
        ("B: a draw of three", OPEN, 3, put("draw", count=3)),
        ("B: the grant alone", OPEN, 3, drop(1, 2)),
        ("C: no start", START, 1, drop(1)),
        ("C: no shuffle", START, 1, drop(2, 3)),
        ("D: no start", GUEST_FRENCH, 2, drop(1)),
        ("D: a draw of six", GUEST_FRENCH, 2, put("draw", count=6)),
        ("D: a shuffle by the inviter", GUEST_FRENCH, 1, add(*dealt)),
        ("E: a shuffle by the guest", GUEST_BRITISH, 2, add(*dealt)),
    ]:
        yield changed("R-5.1", what, base, length, change)
    yield followed("R-5.1", "E: no start", GUEST_BRITISH, 2, *dealt)


def of_order() -> Iterator[Vector]:
    """R-5.2 to R-5.6."""
    opening = first("open-lists", FIXED.records[2])
    grant = first("grant", FIXED.records[2])
    for what, base, length, change in [
        ("no opening", FIXED, 3, drop(0)),
        ("a grant before the opening", FIXED, 3, _turned),
        ("a resignation instead of the opening", FIXED, 3, instead(RESIGN)),
        ("an order before the opening", FIXED, 4, insert(0, PASS)),
        ("a turn without the opening", FIXED, 7, drop(0)),
    ]:
        yield changed("R-5.2", what, base, length, change)
    for what, base, length, change in [
        ("an opening twice", FIXED, 3, insert(1, opening)),
        ("an opening of an epoch to come", FIXED, 3, put("open-lists", epoch=1)),
        ("an opening that is not owed any more", FIXED, 5, insert(0, opening)),
        ("an opening behind the acceptance", FIXED, 2, insert(1, opening)),
        ("an opening at the end of a turn", FIXED, 3, add(opening)),
    ]:
        yield changed("R-5.3", what, base, length, change)
    for what, base, length, change in [
        ("no grant by the guest", FIXED, 2, drop(1)),
        ("a grant behind the own shuffle", FIXED, 2, _granted_late),
        ("no grant at the head of a turn", FIXED, 3, drop(1)),
        ("a record that ends without the grant", FIXED, 3, instead(opening)),
        ("an order before the grant", FIXED, 5, insert(0, PASS)),
        ("a resignation instead of the grant", FIXED, 5, instead(RESIGN)),
        ("no grant for a draw in the middle of a turn", OPEN, 11, drop(0, 1)),
    ]:
        yield changed("R-5.4", what, base, length, change)
    for what, base, length, change in [
        ("a grant that nobody asked for", FIXED, 4, insert(1, grant)),
        ("a grant twice", FIXED, 3, insert(2, grant)),
        ("a grant in the middle of a turn", FIXED, 3, insert(3, grant)),
        ("a grant behind an own raid", OPEN, RAID + 1, insert(len(to_raid()), grant)),
        ("a grant for follow ups before the answer", OPEN, SHOWN + 1, _granted_first),
        ("a third grant for two draws", OPEN, 11, insert(2, grant)),
    ]:
        yield changed("R-5.5", what, base, length, change)
    for what, base, length, change in [
        ("an order behind a draw", FIXED, 4, add(PASS)),
        ("a second draw", FIXED, 4, add(draw(1))),
        ("a shuffle behind a draw", FIXED, 5, add(FIXED.records[0]["steps"][1])),
        ("a card opened behind a draw", FIXED, 4, add(first("open", FIXED.records[3]))),
        ("a draw behind the draw of the beginning", FIXED, 1, add(draw(1))),
    ]:
        yield changed("R-5.6", what, base, length, change)


def _granted_first(record: Read) -> None:
    """The grant stands before the answer, by which it is asked for."""
    grant = first("grant", record)
    record["steps"] = [grant, *(step for step in record["steps"] if step is not grant)]


def _granted_late(record: Read) -> None:
    steps = record["steps"]
    steps[1], steps[2] = steps[2], steps[1]


def of_orders() -> Iterator[Vector]:
    """R-7 and R-8."""
    shown = first("open", FIXED.records[3])
    for what, base, length, change in [
        ("a card opened at the end", FIXED, 4, instead(FIXED.records[3]["steps"][0], shown)),
        ("a card opened before a resignation", FIXED, 4, _only_opening(shown, RESIGN)),
        ("a card opened before a draw", FIXED, 4, _only_opening(shown, draw(1))),
        (
            "a card opened before a shuffle",
            FIXED,
            4,
            _only_opening(shown, FIXED.records[1]["steps"][2]),
        ),
        ("a card opened before a draw that follows up", OPEN, RAID + 1, _opened_late),
    ]:
        yield changed("R-7.1", what, base, length, change)
    yield changed("R-7.2", "two cards opened in the wrong order", FIXED, 4, _swapped(1))
    yield changed("R-7.2", "the last two of three in the wrong order", OPEN, 5, _swapped(2))
    for what, base, length, change in [
        ("the first card of a hand not shown", OPEN, SHOWN + 1, drop(0)),
        ("the last card of a hand not shown", OPEN, SHOWN + 1, drop(4)),
        ("no card of a hand shown", OPEN, SHOWN + 1, drop(0, 1, 2, 3, 4)),
    ]:
        yield changed("R-7.3", what, base, length, change)
    for what, text in [
        ("an unknown verb", "fly quebec"),
        ("a verb in capitals", "Draft trader"),
        ("a verb cut short", "dra trader"),
        ("a verb with a colon", "discard: boston"),
    ]:
        yield changed("R-7.4", what, FIXED, 3, put("order", order=text))
    yield changed(
        "R-7.4", "an unknown verb as a follow up", OPEN, RAID + 1, add(order("fly quebec"))
    )
    yield changed(
        "R-7.5", "the intendant of the British", FIXED, 3, put("order", order="intendant boston")
    )
    yield changed("R-7.5", "piracy by the British", FIXED, 3, put("order", order="piracy ships"))
    raid = to_raid()
    for text in ("intendant boston", "piracy ships"):
        what = f"{text.split()[0]} as a follow up of the British"
        yield changed("R-7.5", what, OPEN, RAID + 1, instead(*raid, order(text)))
    for text in (
        *["allow", "block militia", "show-hand", "give boston", "give-from-reserve boston"],
        *["occupy quebec", "leave quebec", "relieve quebec", "exchange boston", "keep"],
        *["forfeit boston", "start rangers", "give-from-siege quebec: boston"],
    ):
        what = f"{text.split()[0]} as a follow up"
        yield changed("R-8.1", what, OPEN, RAID + 1, instead(*raid, order(text)))
    yield changed(
        "R-8.1",
        "an answer behind the end",
        OPEN,
        RAID + 1,
        instead(*raid, PASS, END, order("allow")),
    )
    for what, more in [
        ("another turn behind the end", [PASS, END, PASS]),
        ("the end twice", [END, END]),
        ("lose before the end", [order("lose quebec: ships")]),
        ("an order behind lose", [END, order("lose quebec: ships"), PASS]),
    ]:
        yield changed("R-8.2", what, OPEN, RAID + 1, instead(*raid, *more))


def _only_opening(shown: Read, *more: Read) -> Any:
    """The record has its opening of lists, a card that is shown, and these."""
    return instead(FIXED.records[3]["steps"][0], shown, *more)


def _swapped(at: int) -> Any:
    def change(record: Read) -> None:
        places = [n for n, step in enumerate(record["steps"]) if step["kind"] == "open"]
        one, two = places[at - 1], places[at]
        steps = record["steps"]
        steps[one], steps[two] = steps[two], steps[one]

    return change


def _opened_late(record: Read) -> None:
    """The card that a follow-up plays stands before the draw instead."""
    opens = [step for step in record["steps"] if step["kind"] == "open"]
    steps = [step for step in record["steps"] if step is not opens[-1]]
    steps.insert(len(steps) - 1, opens[-1])
    record["steps"] = steps


def of_cheap_ends() -> Iterator[Vector]:
    """R-10.1 to R-10.5, without a secret that has to hold."""
    closing = {"kind": "close", "secret": naive.b64(bytes(32))}
    opening, owed = (first("open-lists", FIXED.records[index]) for index in (2, 3))
    for what, base, length, change in [
        ("an invitation that resigns", FIXED, 1, add(RESIGN)),
        ("an invitation that closes", FIXED, 1, add(closing)),
        ("an open invitation that resigns", OPEN, 1, add(RESIGN)),
    ]:
        yield changed("R-10.1", what, base, length, change)
    for what, more in [
        ("an order behind a resignation", PASS),
        ("a draw behind a resignation", draw(1)),
        ("a second resignation", RESIGN),
        ("a grant behind a resignation", first("grant", FIXED.records[2])),
        ("a card opened behind a resignation", first("open", FIXED.records[3])),
    ]:
        yield changed("R-10.2", what, FIXED, 4, instead(owed, RESIGN, more))
    ended = cut(FIXED, 3)
    instead(opening, first("grant", FIXED.records[2]), RESIGN)(ended[2])
    sign(ended[2], FIXED.seeds[0])
    over = Base(ended, FIXED.seeds)
    yield followed("R-10.2", "an order in a record after the end", over, 3, owed, PASS)
    yield followed("R-10.2", "a resignation in a record after the end", over, 3, owed, RESIGN)
    yield followed("R-10.3", "a record after the end that does not close", over, 3, owed)
    for what, base, length, change in [
        ("a close in the beginning", FIXED, 2, add(closing)),
        ("a close instead of the deal", FIXED, 2, instead(*FIXED.records[1]["steps"][:2], closing)),
        ("a close behind a draw", FIXED, 4, add(closing)),
        ("a close behind a raid", OPEN, RAID + 1, instead(*to_raid(), closing)),
        ("a close among follow ups", OPEN, RAID + 1, add(closing)),
    ]:
        yield changed("R-10.4", what, base, length, change)
