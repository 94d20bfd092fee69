"""Steps and records have one form, which the signature covers completely."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.ruleset import Ruleset, editions
from engine.sides import Side, Slot
from pbem.protocol import steps
from pbem.protocol.record import MAX_CONTENT, MAX_STEPS, Record
from pbem.protocol.schema import canonical_json
from tests.savefile.strategies import ANNE, BELA, any_step, hidden, records
from tests.signing import make_record
from tests.vectors import naive

TIME = "2026-11-21T10:03:00Z"


def record(**changes: Any) -> Record:
    usual = {"index": 1, "side": "french", "previous": bytes(32), "time": TIME}
    return make_record(ANNE, **{**usual, "steps": [steps.DrawStep(5)], **changes})


@given(any_step)
def test_step_round_trips(step: steps.Step) -> None:
    assert steps.read_step(steps.write_step(step)) == step


@given(records())
def test_record_round_trips(written: Record) -> None:
    plain = written.to_plain()
    read = Record.from_plain(plain)
    assert read == written
    assert read.hash == written.hash == naive.record_hash(plain)
    assert canonical_json(plain) == naive.canonical(plain)


@given(st.sampled_from(hidden), st.integers(0, 2))
@example("\u034f", 1)
@example("\uffa0", 1)
@settings(max_examples=400)
def test_name_with_hidden_characters_is_refused(character: str, place: int) -> None:
    name = "Anne"[:place] + character + "Anne"[place:]
    with pytest.raises(ValueError, match="visible"):
        steps.read_step(ACCEPT | {"name": name})


def test_signature_covers_the_whole_record() -> None:
    signed = record()
    assert signed.verify(ANNE.public_key)
    assert not signed.verify(BELA.public_key)
    for change in (
        {"index": 2},
        {"side": "british"},
        {"previous": b"\1" * 32},
        {"time": "2026-11-21T10:03:01Z"},
        {"steps": (steps.DrawStep(6),)},
        {"steps": (steps.DrawStep(5), steps.Resign())},
        {"signature": bytes(64)},
    ):
        assert not signed._replace(**change).verify(ANNE.public_key)


@pytest.mark.parametrize(
    "changes",
    [
        {"index": -1},
        {"index": 0},
        {"index": 5000},
        {"index": True},
        {"side": "any"},
        {"side": "spanish"},
        {"previous": b""},
        {"previous": bytes(31)},
        {"index": 0, "previous": bytes(32)},
        {"time": "2026-11-21 10:03:00Z"},
        {"time": "2026-11-21T10:03:00"},
        {"time": "2026-02-30T10:03:00Z"},
        {"time": "2026-11-21T24:00:00Z"},
        {"time": "0000-11-21T10:03:00Z"},
        {"time": "2026-11-21T10:03:60Z"},
        {"time": TIME + "\n"},
        {"steps": []},
        {"steps": [steps.DrawStep(5)] * (MAX_STEPS + 1)},
        {"steps": [steps.DrawStep(0)]},
        {"steps": [steps.OrderStep("pass\n")]},
        {"steps": [steps.Open(Slot(0, 1), "Gaspé", bytes(32))]},
        {"steps": [steps.Grant((Slot(0, 2), Slot(0, 1)))]},
    ],
)
def test_unreadable_record_is_not_signed(changes: Mapping[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        record(**changes)


def record_of_length(length: int) -> Record:
    """Return a record whose content has this many bytes of canonical JSON."""
    record_steps = [steps.OrderStep("x" * 1000)] * 15
    rest = (
        length
        - len(naive.canonical(record(steps=[*record_steps, steps.OrderStep("x")]).content()))
        + 1
    )
    return record(steps=[*record_steps, steps.OrderStep("x" * rest)])


def test_length_of_a_record_is_limited() -> None:
    assert MAX_CONTENT == 16384
    longest = record_of_length(16384)
    assert len(naive.canonical(longest.content())) == 16384
    assert Record.from_plain(longest.to_plain()) == longest
    with pytest.raises(ValueError, match="longer than 16384 bytes"):
        record_of_length(16385)
    plain: dict[str, Any] = longest.to_plain()
    plain["steps"][-1]["order"] += "x"
    with pytest.raises(ValueError, match="longer than 16384 bytes"):
        Record.from_plain(plain)


def test_length_of_a_record_is_counted_in_bytes() -> None:
    """A name of 60 characters can have 240 bytes."""
    plain: dict[str, Any] = record_of_length(16384 - 400).to_plain()
    plain["steps"].append(ACCEPT | {"name": "x" * 60})
    Record.from_plain(plain)
    plain["steps"][-1] = ACCEPT | {"name": "\U0001f600" * 60}
    with pytest.raises(ValueError, match="longer than"):
        Record.from_plain(plain)


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("edition", editions())
def test_longest_honest_record_is_read(side: Side, edition: str) -> None:
    """The record opens, shows, discards and shuffles all cards that a side can own."""
    cards = Ruleset.of(edition).catalogue.cards[side]
    pile = tuple(sorted(card.id for card in cards.values() for _ in range(card.count)))
    n = len(pile)
    assert n > 50
    slots = tuple(Slot(9999, 100 + i) for i in range(n))
    opens = [steps.Open(*pair, bytes(32)) for pair in zip(slots, pile, strict=True)]
    Record.from_plain(
        record(
            index=4999,
            steps=[
                steps.OpenLists(9999, (bytes(32),) * 12, (bytes(32),) * n),
                steps.Grant(slots[:60], 4095, slots[60:63] or None),
                *opens,
                steps.OrderStep("discard " + ", ".join(pile)),
                *[steps.OrderStep("withdraw fort-presque-isle")] * 20,
                steps.ShuffleStep(9999, pile, bytes(32)),
                steps.DrawStep(5),
                steps.Resign(),
                steps.Close(bytes(32)),
            ],
        ).to_plain()
    )


ACCEPT = {
    "kind": "accept",
    "side": "french",
    "name": "Zoé",
    "email": "",
    "key": "A" * 43,
    "nonce": "A" * 43,
    "secret_hash": "A" * 43,
}
INVITE = ACCEPT | {
    "kind": "invite",
    "protocol": 1,
    "edition": "second",
    "house_rules": ["a", "b"],
    "rules_digest": "A" * 43,
    "lists": 1024,
    "home_support": "asked",
}
NONSENSE: list[object] = [None, 1.5, True, {}, [[]], -1, "\n", b"", float("nan"), 2**70]
GRANT = {"kind": "grant", "list": 3, "slots": ["0:9", "0:10"]}


@pytest.mark.parametrize("plain", [ACCEPT, INVITE, GRANT])
def test_documented_steps_are_read(plain: dict[str, Any]) -> None:
    assert steps.write_step(steps.read_step(plain)) == plain
    for key in plain.keys() - {"list"}:
        with pytest.raises(ValueError, match=r"kind|missing"):
            steps.read_step({name: value for name, value in plain.items() if name != key})
    with pytest.raises(ValueError, match="there is no key"):
        steps.read_step(plain | {"more": 1})
    for key in plain:
        for value in NONSENSE:
            with pytest.raises(ValueError, match=r"."):
                steps.read_step(plain | {key: value})


@pytest.mark.parametrize("more", [{}, {"clock": "blitz"}, {"side": "spanish"}])
def test_invitation_by_a_later_protocol_asks_for_an_update(more: Mapping[str, str]) -> None:
    """The rest of the invitation may be unknown to this program."""
    with pytest.raises(ValueError, match="newer acres: update yours to read it"):
        steps.read_step({**INVITE, "protocol": 2, **more})
    with pytest.raises(ValueError, match="protocol must be"):
        steps.read_step(INVITE | {"protocol": 0})
