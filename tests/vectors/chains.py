"""Honest chains of the short games, for cutting, changing and signing again.

A new file in `refused/` is made from them once, at a Python prompt, and added to `index.json`.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Sequence
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.protocol.schema import lay_out
from tests.vectors import naive
from tests.vectors.games import HERE
from tests.vectors.naive import Read


class Chain(NamedTuple):
    """The records of an honest game, and the private keys of inviter and guest."""

    records: list[Read]
    seeds: tuple[bytes, bytes]

    def cut(self, length: int) -> Chain:
        """Return a chain of the first records."""
        return Chain(copy.deepcopy(self.records[:length]), self.seeds)

    def sign(self, index: int) -> None:
        """Sign a record with its author's key, even if it breaks a rule."""
        record = self.records[index]
        record.pop("signature", None)
        message = b"acres/1 signature\0" + naive.record_hash(record)
        private = Ed25519PrivateKey.from_private_bytes(self.seeds[index % 2])
        record["signature"] = naive.b64(private.sign(message))

    def follow(self, *steps: Read) -> None:
        """Add a record with these steps and the right link, side and signature."""
        last, index = self.records[-1], len(self.records)
        side = {"british": "french", "french": "british"}[last["side"]]
        previous = naive.b64(naive.record_hash(last))
        record = {"index": index, "side": side, "previous": previous, "time": last["time"]}
        self.records.append(record | {"steps": [*steps]})
        self.sign(index)

    def data(self) -> bytes:
        """Return the save file with these records."""
        return save_records(self.records)


def game(name: str) -> Chain:
    """Return the chain of a short game."""
    facts = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    records = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))["record"]
    inviter, guest = (naive.unb64(player["private_key"]) for player in facts["players"])
    return Chain(records, (inviter, guest))


def save_records(records: Sequence[Any]) -> bytes:
    """Return a save file with these records."""
    return lay_out({"format": "acres-save", "version": 1, "record": [*records]}).encode()
