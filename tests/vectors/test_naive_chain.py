"""The second implementation reads the short games as the program does.

It knows no rules: docs/protocol.md, *Checking a game without its rules*.
"""

import json
import tomllib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.vectors import naive, naive_chain
from tests.vectors.chains import game
from tests.vectors.games import CLOSED, FIRST_GAME, HERE
from tests.vectors.naive import Read
from tests.vectors.naive_deck import RuleError

GAMES = [FIRST_GAME, *CLOSED]


def records_of(name: str) -> list[Read]:
    records: list[Read] = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))[
        "record"
    ]
    return records


def facts_of(name: str) -> list[Read]:
    """Return the facts beside a game, after each record from record 1 on."""
    after: list[Read] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))["after"]
    return after


@pytest.mark.parametrize("name", GAMES)
def test_every_record_is_signed_by_its_author(name: str) -> None:
    records = records_of(name)
    keys = [record["steps"][0]["key"] for record in records[:2]]
    hashes = [naive.b64(naive.record_hash(record)) for record in records]
    assert hashes[1:] == [after["hash"] for after in facts_of(name)]
    for index, record in enumerate(records):
        key = Ed25519PublicKey.from_public_bytes(naive.unb64(keys[index % 2]))
        message = b"acres/1 signature\0" + naive.unb64(hashes[index])
        key.verify(naive.unb64(record["signature"]), message)


@pytest.mark.parametrize("name", GAMES)
def test_granted_slots_match_the_rules(name: str) -> None:
    """One of the worlds has the true slots, and at the end all worlds have them."""
    worlds, after = naive_chain.check(records_of(name)), facts_of(name)
    slots = [{side: slots_of(known[side]) for side in naive_chain.SIDES} for known in after]
    histories = [[only(one, slots[0]) for one in world["history"][1:]] for world in worlds]
    assert slots in histories
    assert all(history[-1] == slots[-1] for history in histories)


def slots_of(known: Read) -> dict[str, list[str]]:
    """Return the draw pile, and the hidden cards if the facts list them."""
    keys = [key for key in ("hidden", "draw_pile", "ahead") if key in known]
    return {key: list(known[key]) for key in keys}


def only(snapshot: Read, like: Read) -> dict[str, dict[str, list[str]]]:
    return {side: {key: snapshot[side][key] for key in like[side]} for side in snapshot}


@pytest.mark.parametrize("name", CLOSED)
def test_closes_open_every_hand(name: str) -> None:
    """The two published secrets give the card in each hidden slot after each record."""
    world, *_ = naive_chain.check(records_of(name))
    assert set(world["closed"]) == set(naive_chain.SIDES)
    count = 0
    for known in facts_of(name):
        for side in naive_chain.SIDES:
            for slot, card in known[side]["hidden"].items():
                assert naive_chain.card_at(world, side, slot) == card
                count += 1
    assert count > 100


@pytest.mark.parametrize("name", CLOSED)
def test_closes_recompute_the_vector(name: str) -> None:
    """The vector has exactly the carried-out shuffles, and every grant."""
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


def test_chain_of_three_verifies_without_rules() -> None:
    assert naive_chain.check(records_of("chain"))


def test_chain_can_be_changed_and_signed_again() -> None:
    """Add a valid record and one that breaks R-5.2, as for files in `refused/`."""
    chain = game("game").cut(3)
    chain.records[2]["time"] = "2031-01-01T00:00:00Z"
    chain.sign(2)
    assert naive_chain.verify(chain.data())
    chain.follow({"kind": "order", "order": "pass"})
    with pytest.raises(RuleError, match=r"R-5\.2"):
        naive_chain.verify(chain.data())


def test_chain_cut_anywhere_verifies() -> None:
    for name in CLOSED:
        records = records_of(name)
        for length in range(1, len(records)):
            naive_chain.check(records[:length])
