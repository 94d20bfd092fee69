"""Positions as data: what a table holds after a record, for whoever replays on from there.

Data, and nothing that runs: whatever it says, reading it makes values of the few kinds below, or
fails. docs/protocol.md, What a player's program has to take care of: Remember what you verified.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from engine.sides import Side
from engine.state import Awaiting, Decision, Player, Settlement, Siege, Slot, State
from pbem.protocol.deck import Deck, Opening
from pbem.protocol.deck.ledger import Epoch
from pbem.protocol.table import ShuffleMade, Table

_LEFT_OUT = ("ruleset", "outcome", "events")
"""Of a state: the rules are those of the invitation, and no game that is over is kept."""
_KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(list, tuple, set, frozenset, dict, Counter, bytes),
        *(Side, Decision, Awaiting, Player, Settlement, Siege, Slot),
        *(Epoch, Opening, ShuffleMade),
    )
}
"""What a position is made of, beside numbers and texts."""


def write_position(table: Table) -> bytes:
    """The position on a table; TypeError where it holds what is not known here."""
    state = {
        spec.name: getattr(table.state, spec.name)
        for spec in fields(State)
        if spec.name not in _LEFT_OUT
    }
    decks = {side: (deck.epochs, deck.wants_slots) for side, deck in table.decks.items()}
    whole = {"state": state, "decks": decks, "shuffles": table.shuffles}
    return json.dumps(_plain(whole), separators=(",", ":")).encode()


def read_position(data: bytes, table: Table) -> None:
    """Lay a position on the table of its game; ValueError, with nothing changed, if it is none."""
    try:
        whole = _value(json.loads(data))
        state = State(ruleset=table.state.ruleset, outcome=None, **whole["state"])
        decks = {side: Deck(table.decks[side].lists, *whole["decks"][side]) for side in Side}
        shuffles = {side: whole["shuffles"][side] for side in Side}
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("this is no position") from error
    table.state, table.decks, table.shuffles = state, decks, shuffles


def _plain(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (int, str, bool):
        return value
    if _KINDS.get(kind.__name__) is not kind:
        raise TypeError(f"no position holds a {kind.__name__}")
    if kind is list:
        return [_plain(each) for each in value]
    if kind is bytes:
        parts: Any = value.hex()
    elif issubclass(kind, Enum):
        parts = value.value
    elif issubclass(kind, dict):
        parts = [[_plain(key), _plain(each)] for key, each in value.items()]
    elif is_dataclass(kind):
        parts = [_plain(getattr(value, spec.name)) for spec in fields(kind)]
    else:
        # A set has no order, and is written in the same one each time.
        parts = [_plain(each) for each in (sorted(value) if kind in (set, frozenset) else value)]
    return {kind.__name__: parts}


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_value(each) for each in plain]
    if not isinstance(plain, dict):
        return plain
    ((name, parts),) = plain.items()
    kind = _KINDS[name]
    if kind is bytes:
        return bytes.fromhex(parts)
    if issubclass(kind, Enum):
        return kind(parts)
    if issubclass(kind, dict):
        return kind({_value(key): _value(each) for key, each in parts})
    values = [_value(each) for each in parts]
    # Of what is built in each takes its parts at once, all others one by one.
    return kind(values) if kind.__module__ == "builtins" else kind(*values)
