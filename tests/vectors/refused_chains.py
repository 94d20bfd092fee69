"""What the files that must be refused are made of: honest chains, cut, changed and signed again.

All is made by the second implementation, but for the beginnings by a house rule.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.sides import Side
from pbem.protocol.schema import lay_out
from tests.play.playing import begin, identities
from tests.vectors import naive
from tests.vectors.games import HERE
from tests.vectors.naive import Read

Records = list[Read]
Seeds = tuple[bytes, bytes]
Change = Callable[[Read], object]
"""Changes a record in place."""


class Vector(NamedTuple):
    """A file that breaks one rule: its number, how, the file, and the place of the record."""

    rule: str
    what: str
    data: bytes
    record: int | None = None

    @property
    def name(self) -> str:
        """The name of the file."""
        words = "".join(one if one.isalnum() else " " for one in self.what.lower())
        return f"{self.rule}-{'-'.join(words.split())}.toml"


class Base(NamedTuple):
    """An honest chain, and the private keys of inviter and guest."""

    records: Records
    seeds: Seeds


@cache
def game(name: str) -> Base:
    """One of the short games."""
    facts = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    records = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))["record"]
    one, other = (naive.unb64(player["private_key"]) for player in facts["players"])
    return Base(records, (one, other))


@cache
def begun(side: Side | None, guest: Side) -> Base:
    """The beginning of a game in which the French choose a card to start with."""
    french_enters = Side.FRENCH in (side, guest)
    match = begin(
        23,
        side=side,
        guest=guest,
        lists=2,
        house_rules=["french-start-choice"],
        start_card="regular-infantry" if french_enters else None,
    )
    one, other = identities(23)
    records: Any = [copy.deepcopy(record.to_plain()) for record in match.records]
    return Base(records, (one.seed, other.seed))


def cut(base: Base, length: int) -> Records:
    """The first records of a chain, to be changed."""
    return copy.deepcopy(base.records[:length])


def sign(record: Read, seed: bytes) -> Read:
    """Sign a record, whatever it says."""
    record.pop("signature", None)
    message = b"acres/1 signature\0" + naive.record_hash(record)
    record["signature"] = naive.b64(Ed25519PrivateKey.from_private_bytes(seed).sign(message))
    return record


def follow(records: Records, seeds: Seeds, *steps: Read, side: str = "", time: str = "") -> Read:
    """Add a record with these steps, rightly linked and signed."""
    last, index = records[-1], len(records)
    record = {
        "index": index,
        "side": side or {"british": "french", "french": "british"}[last["side"]],
        "previous": naive.b64(naive.record_hash(last)),
        "time": time or last["time"],
        "steps": list(steps),
    }
    records.append(sign(record, seeds[index % 2]))
    return records[-1]


def laid_out(records: Sequence[Any], **more: Any) -> bytes:
    """The save file with these records."""
    document = {"format": "acres-save", "version": 1, **more, "record": list(records)}
    return lay_out(document).encode()


def changed(rule: str, what: str, base: Base, length: int, change: Change) -> Vector:
    """The first records of a chain, the last of them changed and signed again by its author."""
    records = cut(base, length)
    change(records[-1])
    sign(records[-1], base.seeds[(length - 1) % 2])
    return Vector(rule, what, laid_out(records), length - 1)


def followed(rule: str, what: str, base: Base, length: int, *steps: Read) -> Vector:
    """The first records of a chain, and one more with these steps."""
    records = cut(base, length)
    follow(records, base.seeds, *steps)
    return Vector(rule, what, laid_out(records), length)


# --- changes


def put(kind: str, which: int = 0, **fields: Any) -> Change:
    """Change fields of a step of that kind; None takes one away."""

    def change(record: Read) -> None:
        step = [one for one in record["steps"] if one["kind"] == kind][which]
        step.update(fields)
        for key in [key for key, value in fields.items() if value is None]:
            del step[key]

    return change


def field(**fields: Any) -> Change:
    """Change fields of the record; None takes one away."""

    def change(record: Read) -> None:
        record.update(fields)
        for key in [key for key, value in fields.items() if value is None]:
            del record[key]

    return change


def insert(at: int, *steps: Read) -> Change:
    """Put steps into the record, before the one at that place."""

    def change(record: Read) -> None:
        record["steps"][at:at] = steps

    return change


def add(*steps: Read) -> Change:
    """Put steps behind those of the record."""
    return lambda record: record["steps"].extend(steps)


def instead(*steps: Read) -> Change:
    """Put steps in place of all those of the record."""
    return field(steps=list(steps))


def drop(*places: int) -> Change:
    """Take the steps at these places out of the record."""

    def change(record: Read) -> None:
        for place in sorted(places, reverse=True):
            del record["steps"][place]

    return change


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""
    return lambda record: [change(record) for change in changes]


def tabled(name: str, by_hand: dict[str, Change]) -> Iterator[tuple[str, str, Change]]:
    """The changes of a table, or those that stand for them: rule, how it is broken, and how."""
    text = (HERE / "tables" / f"{name}.toml").read_text(encoding="utf-8")
    for rule, rows in tomllib.loads(text).items():
        for what, told in rows.items():
            yield rule, what, _told(**told) if told else by_hand[what]


def _told(*, record: Read | None = None, more: Sequence[Read] = (), **kinds: Read) -> Change:
    steps = [put(kind, **fields) for kind, fields in kinds.items()]
    return both(*steps, field(**record or {}), add(*more))


def first(kind: str, record: Read) -> Read:
    """The first step of that kind."""
    return next(step for step in record["steps"] if step["kind"] == kind)


def order(text: str) -> Read:
    """The step that gives an order."""
    return {"kind": "order", "order": text}


def draw(count: int) -> Read:
    """The step that draws that many cards."""
    return {"kind": "draw", "count": count}


def unopened(**fields: Any) -> Read:
    """The opening of lists that nobody shuffled."""
    step = {"kind": "open-lists", "epoch": 0, "siblings": [], "commitments": ["A" * 43]}
    return step | fields


RESIGN: Read = {"kind": "resign"}


# --- what follows from a game secret


class Player:
    """What a player of a chain writes by the protocol, from the game secret."""

    def __init__(self, base: Base, index: int) -> None:
        self.seed = base.seeds[index]
        entry = base.records[index]["steps"][0]
        self.secret = naive.game_secret(self.seed, naive.unb64(entry["nonce"]))

    @property
    def close(self) -> Read:
        """The step that closes the game."""
        return {"kind": "close", "secret": naive.b64(self.secret)}

    def grant(self, asked: Read, lists: int, size: int, count: int = 5) -> Read:
        """The answer to the record that asks for the first cards of a pile."""
        stream = naive.numbers(self.secret, naive.record_hash(asked))
        chosen, slots, _ = naive.answer(stream, lists, [], list(range(size)), count, 0)
        return {"kind": "grant", "list": chosen, "slots": [f"0:{slot}" for slot in slots]}


def shuffle(seed: bytes, cards: Sequence[str], lists: int, epoch: int = 0) -> Read:
    """A shuffle from a root seed."""
    commitment = naive.commit(seed, cards, lists.bit_length() - 1)
    return {
        "kind": "shuffle",
        "epoch": epoch,
        "cards": list(cards),
        "commitment": naive.b64(commitment),
    }


def opening(seed: bytes, cards: Sequence[str], lists: int, chosen: int, epoch: int = 0) -> Read:
    """The opening of such a shuffle, of which that list was granted."""
    siblings, node = [], seed
    way = naive.path(chosen, lists.bit_length() - 1)
    for bit in way:
        siblings.append(naive.leaf(node, "0" if bit == "1" else "1"))
        node = naive.leaf(node, bit)
    commitments = [naive.slot(*one) for one in naive.the_list(node, cards)]
    return {
        "kind": "open-lists",
        "epoch": epoch,
        "siblings": list(map(naive.b64, siblings)),
        "commitments": list(map(naive.b64, commitments)),
    }
