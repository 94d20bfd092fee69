"""The second implementation reads the short games as the program does, and refuses what is false.

It knows no rules: docs/protocol.md, *Checking a game without its rules*.
"""

import copy
import json
import tomllib
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.sample import sample
from tests.vectors import naive, naive_chain
from tests.vectors.games import CLOSED, FIRST, HERE
from tests.vectors.naive import Read
from tests.vectors.naive_deck import Refused

GAMES = [FIRST, *CLOSED]
WAYS = [pytest.param(1, marks=pytest.mark.long, id="every way"), pytest.param(5, id="some ways")]
"""One in how many of the ways in which a slot is replaced is tried."""


def records_of(name: str) -> list[Read]:
    records: list[Read] = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))[
        "record"
    ]
    return records


def told(name: str) -> list[Read]:
    """What is written beside a game, after each record from record 1 on."""
    after: list[Read] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))["after"]
    return after


@pytest.mark.parametrize("name", GAMES)
def test_every_record_is_signed_by_its_author(name: str) -> None:
    records = records_of(name)
    keys = [record["steps"][0]["key"] for record in records[:2]]
    hashes = [naive.b64(naive.record_hash(record)) for record in records]
    assert hashes[1:] == [after["hash"] for after in told(name)]
    for index, record in enumerate(records):
        key = Ed25519PublicKey.from_public_bytes(naive.unb64(keys[index % 2]))
        message = b"acres/1 signature\0" + naive.unb64(hashes[index])
        key.verify(naive.unb64(record["signature"]), message)


@pytest.mark.parametrize("name", GAMES)
def test_the_slots_are_where_the_rules_say(name: str) -> None:
    """In one of the worlds; in all of them at the end, where nothing is left to be tried."""
    worlds, after = naive_chain.check(records_of(name)), told(name)
    slots = [{side: slots_of(known[side]) for side in naive_chain.SIDES} for known in after]
    histories = [[only(one, slots[0]) for one in world["history"][1:]] for world in worlds]
    assert slots in histories
    assert all(history[-1] == slots[-1] for history in histories)


def slots_of(known: Read) -> dict[str, list[str]]:
    """The draw pile, and the hidden cards where they are told."""
    keys = [key for key in ("hidden", "draw_pile", "ahead") if key in known]
    return {key: list(known[key]) for key in keys}


def only(snapshot: Read, like: Read) -> dict[str, dict[str, list[str]]]:
    return {side: {key: snapshot[side][key] for key in like[side]} for side in snapshot}


@pytest.mark.parametrize("name", CLOSED)
def test_the_closes_open_every_hand(name: str) -> None:
    """From the two published secrets: the card in each hidden slot after each record."""
    world, *_ = naive_chain.check(records_of(name))
    assert set(world["closed"]) == set(naive_chain.SIDES)
    count = 0
    for known in told(name):
        for side in naive_chain.SIDES:
            for slot, card in known[side]["hidden"].items():
                assert naive_chain.card_at(world, side, slot) == card
                count += 1
    assert count > 100


@pytest.mark.parametrize("name", CLOSED)
def test_the_closes_recompute_what_the_vector_lists(name: str) -> None:
    """No shuffle that was dropped, none left out; and every grant."""
    vector = json.loads((HERE / "close.json").read_text(encoding="utf-8"))[name]
    for world in naive_chain.check(records_of(name)):
        for side in naive_chain.SIDES:
            commitments = [epoch["commitment"] for epoch in world["decks"][side]["epochs"]]
            assert commitments == [one["commitment"] for one in vector[side]["shuffles"]]
            granted = [
                (index, granted[0], list(granted[1])) for index, _, granted in world["grants"][side]
            ]
            assert granted == [
                (one["record"], one.get("list"), [int(s.split(":")[1]) for s in one["slots"]])
                for one in vector[side]["grants"]
            ]


def test_the_chain_of_three_holds_where_no_rules_are_known() -> None:
    assert naive_chain.check(records_of("chain"))


def test_a_chain_cut_anywhere_holds() -> None:
    for name in CLOSED:
        records = records_of(name)
        for length in range(1, len(records)):
            naive_chain.check(records[:length])


# --- what is false


def hashes_of(records: list[Read]) -> list[bytes]:
    """Their hashes: a step that was changed is to be found out by something else than these."""
    return [naive.record_hash(record) for record in records]


def without(records: list[Read], index: int, place: int) -> list[Read]:
    changed = copy.deepcopy(records)
    del changed[index]["steps"][place]
    return changed


def with_step(records: list[Read], index: int, place: int, step: Read) -> list[Read]:
    changed = copy.deepcopy(records)
    changed[index]["steps"][place] = step
    return changed


def steps_of(records: list[Read], kind: str) -> list[tuple[int, int, Read]]:
    """The steps of a kind: record, place in it, step."""
    return [
        (record["index"], place, step)
        for record in records
        for place, step in enumerate(record["steps"])
        if step["kind"] == kind
    ]


def position(slot: str) -> tuple[int, ...]:
    return tuple(map(int, slot.split(":")))


def others_of(slots: list[str], epoch: str, step: int) -> Iterator[list[str]]:
    """Slots with one of them replaced, in one of that many of the ways."""
    for n in range(0, 20, step):
        if f"{epoch}:{n}" not in slots:
            yield sorted([f"{epoch}:{n}", *slots[1:]], key=position)


@pytest.mark.parametrize("name", sample(GAMES, first=1))
def test_a_record_that_is_left_out_or_changed_breaks_the_chain(name: str) -> None:
    records = records_of(name)
    for index in range(1, len(records) - 1):
        with pytest.raises(Refused, match=r"R-3.1|R-3.2|R-5.1"):
            naive_chain.check(records[:index] + records[index + 1 :])
        changed = copy.deepcopy(records)
        changed[index]["time"] = "2030-01-01T00:00:00Z"
        with pytest.raises(Refused, match=r"R-3.2"):
            naive_chain.check(changed)


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("kind", ["grant", "open-lists", "shuffle", "draw"])
def test_what_was_left_out_is_found_out(name: str, kind: str) -> None:
    """At the close at the latest; but for what was dropped, which nobody misses."""
    records, after = records_of(name), told(name)
    for index, place, _ in steps_of(records, kind):
        changed = without(records, index, place)
        if after[index:] and after[index]["dropped"] and kind == "draw":
            naive_chain.check(changed, hashes_of(records))
            continue
        with pytest.raises(Refused):
            naive_chain.check(changed, hashes_of(records))


def test_a_hand_is_shown_whole() -> None:
    records = records_of(CLOSED[0])
    found = 0
    for index, place, _ in steps_of(records, "open"):
        order = next(s for s in records[index]["steps"][place:] if s["kind"] == "order")
        if order["order"] == "show-hand":
            with pytest.raises(Refused, match=r"R-7.3"):
                naive_chain.check(without(records, index, place), hashes_of(records))
            found += 1
    assert found


@pytest.mark.parametrize("step", WAYS)
@pytest.mark.parametrize("name", CLOSED)
def test_slots_that_were_chosen_are_found_out_by_the_close(name: str, step: int) -> None:
    records = records_of(name)
    hashes, rules = hashes_of(records), set()
    for index, place, grant in steps_of(records, "grant"):
        epoch = grant["slots"][0].split(":")[0]
        for slots in others_of(grant["slots"], epoch, step):
            changed = with_step(records, index, place, grant | {"slots": slots})
            with pytest.raises(Refused) as refused:
                naive_chain.check(changed, hashes)
            rules.add(str(refused.value))
    assert "R-10.8" in rules


@pytest.mark.parametrize("step", WAYS)
def test_another_slot_named_ahead_is_found_out_by_the_close(step: int) -> None:
    records = records_of(CLOSED[1])
    hashes, rules = hashes_of(records), set()
    for index, place, grant in steps_of(records, "grant"):
        epoch = grant["slots"][0].split(":")[0]
        for ahead in others_of(grant["ahead"], epoch, step) if "ahead" in grant else ():
            changed = with_step(records, index, place, grant | {"ahead": ahead})
            with pytest.raises(Refused) as refused:
                naive_chain.check(changed, hashes)
            rules.add(str(refused.value))
    assert rules >= {"R-9.2", "R-10.8"}


def test_nothing_is_named_ahead_in_a_game_without_it() -> None:
    records = records_of(CLOSED[0])
    hashes = hashes_of(records)
    index, place, grant = steps_of(records, "grant")[0]
    changed = with_step(records, index, place, grant | {"ahead": ["0:0", "0:1", "0:7"]})
    with pytest.raises(Refused, match=r"R-9.1"):
        naive_chain.check(changed[: index + 1], hashes[: index + 1])


@pytest.mark.parametrize("name", CLOSED)
def test_a_shuffle_that_was_stacked_is_found_out_by_the_close(name: str) -> None:
    """The first shuffle of each side is made from another seed, its list and opening with it."""
    records = records_of(name)
    depth = records[0]["steps"][0]["lists"].bit_length() - 1
    for side in naive_chain.SIDES:
        changed = copy.deepcopy(records)
        own = [record for record in changed if record["side"] == side]
        shuffle = next(s for record in own for s in record["steps"] if s["kind"] == "shuffle")
        opening = next(s for record in own for s in record["steps"] if s["kind"] == "open-lists")
        seed = bytes(32)
        shuffle["commitment"] = naive.b64(naive.commit(seed, shuffle["cards"], depth))
        chosen = chosen_list(changed, side)
        listed = naive.the_list(naive.leaf(seed, naive.path(chosen, depth)), shuffle["cards"])
        commitments = [naive.slot(card, nonce) for card, nonce in listed]
        opening["commitments"] = list(map(naive.b64, commitments))
        opening["siblings"] = list(map(naive.b64, siblings(seed, naive.path(chosen, depth))))
        for record in own:
            for step in record["steps"]:
                if step["kind"] == "open" and step["slot"].startswith("0:"):
                    card, nonce = listed[position(step["slot"])[1]]
                    step |= {"card": card, "nonce": naive.b64(nonce)}
        with pytest.raises(Refused, match=r"R-10.7"):
            naive_chain.check(changed, hashes_of(records))


def chosen_list(records: list[Read], side: str) -> int:
    """The list granted to the first shuffle of a side."""
    others = [record for record in records if record["side"] == naive_chain.other(side)]
    granted: int = next(s["list"] for record in others for s in record["steps"] if "list" in s)
    return granted


def siblings(seed: bytes, path: str) -> Iterator[bytes]:
    """The seeds beside the path to a leaf, from the root downwards."""
    for bit in path:
        yield naive.leaf(seed, "0" if bit == "1" else "1")
        seed = naive.leaf(seed, bit)


@pytest.mark.parametrize("name", CLOSED)
def test_a_secret_has_to_be_the_authors(name: str) -> None:
    records = records_of(name)
    (one, place, _), (_, _, theirs) = steps_of(records, "close")
    with pytest.raises(Refused, match=r"R-10.6"):
        naive_chain.check(with_step(records, one, place, theirs), hashes_of(records))


def test_after_the_end_there_is_only_the_close() -> None:
    records = records_of(CLOSED[0])
    last = len(records) - 1
    again = copy.deepcopy(records[-2]) | {
        "index": last + 1,
        "time": records[-1]["time"],
        "previous": naive.b64(naive.record_hash(records[-1])),
    }
    with pytest.raises(Refused, match=r"R-10.5"):
        naive_chain.check([*records, again])
    hashes = hashes_of(records)
    # The record that resigned need not close, the one after it has to, and may do nothing else.
    open_still = without(records, last - 1, len(records[-2]["steps"]) - 1)
    naive_chain.check(open_still, hashes)
    with pytest.raises(Refused, match=r"R-10.3"):
        naive_chain.check(without(open_still, last, 1), hashes)
    with pytest.raises(Refused, match=r"R-10.2"):
        order = {"kind": "order", "order": "pass"}
        naive_chain.check(with_step(open_still, last, 1, order), hashes)
