"""Hypothesis strategies for steps, records and whole save files that a reader accepts."""

import string
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine.sides import Slot
from pbem.protocol import steps
from pbem.protocol.identity import BLOCK_SIZE, Box, Identity
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from tests.signing import make_record

Item = TypeVar("Item")
Sortable = TypeVar("Sortable", str, Slot)
ANNE = Identity("Anne", "anne@example.org", bytes(range(32)))
BELA = Identity("Béla", "", bytes(range(32, 64)))

digests = st.binary(min_size=32, max_size=32)
sides = st.sampled_from(["british", "french"])
printable = st.characters(min_codepoint=32, max_codepoint=126)
# A name may not contain these characters (docs/protocol.md, Encoding).
HIDDEN = """
    0000-001F 007F-009F 00AD 034F 061C 115F-1160 17B4-17B5 180E 200B-200F 2028-202E 2060-206F 3164
    D800-DFFF FE00-FE0F FEFF FFA0 FFF0-FFFF E0000-E0FFF
"""
hidden = [
    chr(code)
    for first, _, last in (part.partition("-") for part in HIDDEN.split())
    for code in range(int(first, 16), int(last or first, 16) + 1)
]
visible = st.characters(exclude_categories=["Cs"], exclude_characters=hidden)
names = st.text(visible, min_size=1, max_size=60).filter(lambda text: text == text.strip(" "))
emails = st.text(string.ascii_lowercase + "@.", max_size=254)
words = st.text(string.ascii_lowercase + "-", min_size=1, max_size=40)
cards = st.text(string.ascii_lowercase + "-'", min_size=1, max_size=64)
slots = st.builds(Slot, st.integers(0, 9999), st.integers(0, 254))
orders = st.text(printable, min_size=1, max_size=500).filter(lambda text: text == text.strip())
epochs = st.integers(0, 9999)


def tuples(
    items: SearchStrategy[Item], low: int = 0, high: int = 20, unique: bool = False
) -> SearchStrategy[tuple[Item, ...]]:
    return st.lists(items, min_size=low, max_size=high, unique=unique).map(tuple)


def ascending(
    items: SearchStrategy[Sortable], low: int = 0, unique: bool = False
) -> SearchStrategy[tuple[Sortable, ...]]:
    return tuples(items, low, unique=unique).map(lambda values: tuple(sorted(values)))


any_step = st.one_of(
    st.builds(
        steps.Invite,
        protocol=st.just(1),
        edition=words,
        house_rules=ascending(words, unique=True),
        rules_digest=digests,
        lists=st.integers(0, 12).map(lambda depth: 2**depth),
        home_support=st.sampled_from(["asked", "ahead"]),
        side=st.sampled_from(["british", "french", "any"]),
        name=names,
        email=emails,
        key=digests,
        nonce=digests,
        secret_hash=digests,
    ),
    st.builds(steps.Accept, sides, names, emails, digests, digests, digests),
    st.builds(steps.ShuffleStep, epochs, ascending(cards, 1), digests),
    st.builds(steps.DrawStep, st.integers(1, 255)),
    st.builds(steps.Grant, ascending(slots, 1, unique=True), st.none() | st.integers(0, 4095)),
    st.builds(steps.OpenLists, epochs, tuples(digests, 0, 12), tuples(digests, 1)),
    st.builds(steps.Open, slots, cards, digests),
    st.builds(steps.OrderStep, orders),
    st.just(steps.Resign()),
    st.builds(steps.Close, digests),
)
times = st.datetimes().map(lambda time: time.strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20))


@st.composite
def records(draw: st.DrawFn, first: bool | None = None) -> Record:
    index = 0 if (draw(st.booleans()) if first is None else first) else draw(st.integers(1, 4999))
    return make_record(
        draw(st.sampled_from([ANNE, BELA])),
        index=index,
        side=draw(sides if index else sides | st.just("any")),
        previous=draw(digests) if index else b"",
        time=draw(times),
        steps=draw(st.lists(any_step, min_size=1, max_size=4)),
    )


boxes = st.builds(
    Box,
    st.integers(0, 4999),
    st.integers(1, 4).flatmap(
        lambda n: st.binary(min_size=16 + n * BLOCK_SIZE, max_size=16 + n * BLOCK_SIZE)
    ),
)
summary_lines = st.text(visible, max_size=200)
summaries = tuples(summary_lines, 0, 5)
save_files = st.builds(SaveFile, tuples(records(), 1, 4), st.dictionaries(sides, boxes), summaries)
