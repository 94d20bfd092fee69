"""Chains that break a rule of a deck, R-6, or of what is named ahead, R-9."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors import naive, naive_chain
from tests.vectors.naive import Read
from tests.vectors.refused_chains import (
    Base,
    Change,
    Player,
    Vector,
    changed,
    cut,
    draw,
    drop,
    first,
    follow,
    insert,
    laid_out,
    opening,
    order,
    put,
    shuffle,
    sign,
)
from tests.vectors.refused_steps import AHEAD, END, FIXED, OPEN, PASS, RAID

DECK = first("shuffle", FIXED.records[0])["cards"]
LISTS = FIXED.records[0]["steps"][0]["lists"]


def of_decks() -> Iterator[Vector]:
    """R-6."""
    record = FIXED.records[2]
    siblings, commitments = (
        first("open-lists", record)[key] for key in ("siblings", "commitments")
    )
    slots = first("grant", FIXED.records[1])["slots"]
    left = next(f"0:{n}" for n in range(len(DECK)) if f"0:{n}" not in slots)
    other = (first("grant", FIXED.records[1])["list"] + 1) % LISTS
    root = naive.root_seed(Player(FIXED, 0).secret, 0, bytes(32))
    again = opening(root, DECK, LISTS, other)
    for rule, what, base, length, change in [
        ("R-6.1", "a first shuffle with epoch 1", FIXED, 1, put("shuffle", epoch=1)),
        ("R-6.1", "the epoch of the shuffle before", FIXED, 5, put("shuffle", epoch=0)),
        ("R-6.1", "an epoch left out", FIXED, 5, put("shuffle", epoch=2)),
        ("R-6.2", "a second shuffle before a card is drawn", FIXED, 1, insert(2, _again(0))),
        ("R-6.2", "a shuffle of a pile that is left", FIXED, 4, insert(1, _again(1))),
        ("R-6.3", "a draw before there is a pile", FIXED, 1, drop(1)),
        ("R-6.3", "more cards drawn than are left", FIXED, 4, put("draw", count=9)),
        ("R-6.3", "255 cards drawn", FIXED, 1, put("draw", count=255)),
        ("R-6.4", "a grant without a list", FIXED, 2, put("grant", list=None)),
        ("R-6.4", "a list that is granted already", OPEN, 6, put("grant", list=0)),
        ("R-6.5", "a list that there is not", FIXED, 2, put("grant", list=LISTS)),
        ("R-6.5", "list 4095", FIXED, 3, put("grant", list=4095)),
        ("R-6.6", "a slot too few", FIXED, 2, put("grant", slots=slots[1:])),
        ("R-6.6", "a slot too many", FIXED, 2, put("grant", slots=ascending([*slots, left]))),
        ("R-6.7", "a slot beyond the pile", FIXED, 2, put("grant", slots=[*slots[:4], "0:99"])),
        ("R-6.7", "a slot of an epoch to come", FIXED, 2, put("grant", slots=[*slots[:4], "1:0"])),
        ("R-6.7", "a slot that is drawn already", OPEN, 6, _drawn),
        ("R-6.8", "a sibling too few", FIXED, 3, put("open-lists", siblings=siblings[1:])),
        (
            "R-6.8",
            "a sibling too many",
            FIXED,
            3,
            put("open-lists", siblings=[*siblings, siblings[0]]),
        ),
        ("R-6.8", "a commitment too few", FIXED, 3, put("open-lists", commitments=commitments[1:])),
        (
            *("R-6.8", "a commitment too many", FIXED, 3),
            put("open-lists", commitments=[*commitments, commitments[0]]),
        ),
        (
            "R-6.9",
            "siblings from the leaf up",
            FIXED,
            3,
            put("open-lists", siblings=siblings[::-1]),
        ),
        (
            *("R-6.9", "a sibling of zeros", FIXED, 3),
            put("open-lists", siblings=[*siblings[:-1], naive.b64(bytes(32))]),
        ),
        (
            *("R-6.9", "two commitments exchanged", FIXED, 3),
            put("open-lists", commitments=[*commitments[1::-1], *commitments[2:]]),
        ),
        ("R-6.9", "the opening for another list", FIXED, 3, _open_by(again)),
        ("R-6.10", "a slot that is not drawn", FIXED, 4, put("open", slot=_undrawn(FIXED, 1))),
        ("R-6.10", "a slot of an epoch that is not there", FIXED, 4, put("open", 1, slot="7:0")),
        ("R-6.10", "a slot of the epoch to come", FIXED, 4, put("open", 1, slot="1:0")),
        ("R-6.10", "a slot beyond the deck", FIXED, 4, put("open", 1, slot="0:99")),
        ("R-6.10", "a card opened twice", FIXED, 4, _opened_twice),
        ("R-6.11", "another card", FIXED, 4, put("open", card="gaspe")),
        ("R-6.11", "a card that there is not", FIXED, 4, put("open", card="x")),
        ("R-6.11", "another nonce", FIXED, 4, put("open", nonce=naive.b64(bytes(32)))),
        ("R-6.11", "another card in a follow up", OPEN, RAID + 1, put("open", 1, card="boston")),
    ]:
        yield changed(rule, what, base, length, change)
    yield _more_copies()


def _again(index: int) -> Read:
    return first("shuffle", FIXED.records[index]) | {"epoch": 1}


def ascending(slots: list[str]) -> list[str]:
    """Slots by epoch, then position."""
    return sorted(slots, key=lambda slot: tuple(map(int, slot.split(":"))))


def _undrawn(base: Base, index: int) -> str:
    """The first slot of the guest that the inviter's first grant left."""
    granted = first("grant", base.records[index + 1])["slots"]
    return next(f"0:{n}" for n in range(20) if f"0:{n}" not in granted)


def _drawn(record: Read) -> None:
    """The first slot is one of those granted when the cards were dealt."""
    step = first("grant", record)
    old = first("grant", OPEN.records[2])["slots"]
    step["slots"] = ascending([old[0], *step["slots"][1:]])


def _opened_twice(record: Read) -> None:
    shown = first("open", record)
    record["steps"].insert(record["steps"].index(shown), shown)


def _open_by(step: Read) -> Change:
    """Put this opening in place of the one that there is."""
    return lambda record: record["steps"].__setitem__(0, step)


def _more_copies() -> Vector:
    """K is 1, so that the one list is granted, and all that it holds is one card."""
    records, guest = cut(FIXED, 1), Player(FIXED, 1)
    root = naive.root_seed(Player(FIXED, 0).secret, 0, bytes(32))
    listed = [(DECK[0], nonce) for _, nonce in naive.the_list(root, DECK)]
    commitments = [naive.slot(*one) for one in listed]
    whole = naive.of_lists([naive.list_hash(commitments)], len(DECK))
    put("invite", lists=1)(records[0])
    put("shuffle", commitment=naive.b64(whole))(records[0])
    sign(records[0], FIXED.seeds[0])
    cards = first("shuffle", FIXED.records[1])["cards"]
    grant = guest.grant(records[0], 1, len(DECK))
    seed = naive.root_seed(guest.secret, 0, naive.record_hash(records[0]))
    follow(
        records, FIXED.seeds, FIXED.records[1]["steps"][0], grant, shuffle(seed, cards, 1), draw(5)
    )
    own = Player(FIXED, 0).grant(records[1], 1, len(cards))
    opened = {"kind": "open-lists", "epoch": 0, "siblings": []}
    opened["commitments"] = list(map(naive.b64, commitments))
    shown = [
        {
            "kind": "open",
            "slot": slot,
            "card": DECK[0],
            "nonce": naive.b64(listed[position(slot)][1]),
        }
        for slot in grant["slots"][:2]
    ]
    follow(records, FIXED.seeds, opened, own, *shown, order(f"discard {DECK[0]}, {DECK[0]}"), END)
    return Vector("R-6.12", "a card that was shuffled once shown twice", laid_out(records), 2)


def position(slot: str) -> int:
    """The position in its list."""
    return int(slot.partition(":")[2])


def of_slots_ahead() -> Iterator[Vector]:
    """R-9."""
    ahead = first("grant", AHEAD.records[6])["ahead"]
    undrawn = ascending(left_by(AHEAD, 6))
    free = [slot for slot in undrawn if slot not in ahead]
    yield changed("R-9.1", "a slot named ahead in a game without", FIXED, 2, _named_ahead)
    yield changed(
        "R-9.1",
        "one slot named ahead in another game without",
        OPEN,
        11,
        put("grant", ahead=["1:0"]),
    )
    index, slots = _skipping()
    yield changed(
        "R-9.2", "a slot named ahead left out", AHEAD, index + 1, put("grant", slots=slots)
    )
    yield changed(
        "R-9.2",
        "one of three slots named ahead left out of four",
        AHEAD,
        15,
        put("grant", slots=["3:1", "3:2", "3:4", "3:5"]),
    )
    yield _not_the_first()
    granted = first("grant", AHEAD.records[6])["slots"]
    for what, named in [
        ("a slot ahead that is granted too", ascending([*ahead[1:], granted[0]])),
        ("a slot ahead beyond the pile", [*ahead[:2], "1:99"]),
        ("a slot ahead of an epoch before", ["0:0", *ahead[1:]]),
    ]:
        yield changed("R-9.3", what, AHEAD, 7, put("grant", ahead=named))
    yield changed(
        "R-9.4", "two slots named ahead instead of three", AHEAD, 7, put("grant", ahead=ahead[1:])
    )
    yield changed("R-9.4", "one slot named ahead", AHEAD, 7, put("grant", ahead=ahead[:1]))
    if free:
        four = put("grant", ahead=ascending([*ahead, free[0]]))
        yield changed("R-9.4", "four slots named ahead", AHEAD, 7, four)
    yield changed("R-9.5", "no slot named ahead", AHEAD, 7, put("grant", ahead=None))
    yield changed(
        "R-9.5", "no slot named ahead for a later shuffle", AHEAD, 13, put("grant", ahead=None)
    )
    yield changed(
        "R-9.5", "no slot named ahead behind an own opening", AHEAD, 11, put("grant", ahead=None)
    )


def _named_ahead(record: Read) -> None:
    grant = first("grant", record)
    grant["ahead"] = [next(f"0:{n}" for n in range(20) if f"0:{n}" not in grant["slots"])]


def left_by(base: Base, index: int) -> list[str]:
    """The slots of the pile of which a record grants some, besides these."""
    asked = base.records[index - 1]["steps"]
    cards = next(step["cards"] for step in reversed(asked) if step["kind"] == "shuffle")
    grant = first("grant", base.records[index])
    epoch = grant["slots"][0].partition(":")[0]
    return [slot for n in range(len(cards)) if (slot := f"{epoch}:{n}") not in grant["slots"]]


def _not_the_first() -> Vector:
    """Of three slots named ahead one is granted, and not the first."""
    records = cut(AHEAD, 9)
    opened, answer = AHEAD.records[9]["steps"][:2]
    shown = next(step for step in AHEAD.records[9]["steps"] if step["kind"] == "open")
    played = order(f"discard {shown['card']}")
    follow(records, AHEAD.seeds, opened, answer, PASS, shown, played, END, draw(1))
    grant = {"kind": "grant", "slots": ["2:1"], "ahead": ["2:2"]}
    follow(records, AHEAD.seeds, first("open-lists", AHEAD.records[10]), grant, PASS, PASS, END)
    return Vector("R-9.2", "the second of three slots named ahead", laid_out(records), 10)


def _skipping() -> tuple[int, list[str]]:
    """A record that grants slots named ahead, and slots that leave one of them out."""
    for index in range(7, len(AHEAD.records)):
        step = next((s for s in AHEAD.records[index]["steps"] if s["kind"] == "grant"), None)
        if step is None:
            continue
        owner = naive_chain.other(AHEAD.records[index]["side"])
        world, *_ = naive_chain.check(AHEAD.records[:index])
        epoch = world["decks"][owner]["epochs"][-1]
        number = len(world["decks"][owner]["epochs"]) - 1
        free = [
            n
            for n in epoch["undrawn"]
            if f"{number}:{n}" not in step["slots"] and n not in epoch["ahead"]
        ]
        named = [slot for slot in step["slots"] if position(slot) in epoch["ahead"]]
        if step["slots"][0].startswith(f"{number}:") and named and free:
            kept = [slot for slot in step["slots"] if slot != named[0]]
            return index, ascending([*kept, f"{number}:{free[0]}"])
    raise AssertionError("no such grant")
