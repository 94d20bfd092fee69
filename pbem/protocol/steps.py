"""The steps that records are made of, and their one form as plain data.

The plain form of a step is a table: its `kind`, then its fields. The same table stands in the
save file (TOML) and under the hash and signature (canonical JSON).

docs/protocol.md, Steps.
"""

# No `from __future__ import annotations`: the codecs are read from the annotations.
from typing import Annotated, TypeAlias, get_args

from engine.message import Concat, Message, Phrase, message_of
from engine.sides import Slot
from engine.value import Value
from pbem.errors.rule import Rule
from pbem.protocol.deck import Opening
from pbem.protocol.schema import (
    CARD,
    EMAIL,
    LINE,
    NAME,
    SIDE,
    WORD,
    Bytes,
    Codec,
    Incomplete,
    Integer,
    ListOf,
    Malformed,
    OneOf,
    Plain,
    SlotText,
    read_table,
)

PROTOCOL = 1
"""The version of docs/protocol.md."""
LISTS, MAX_LISTS = 1024, 4096
"""The lists of a shuffle: by default, and at most."""
FEW_LISTS = 256
"""With fewer a deck with wrong cards would pass too easily."""

_Digest: TypeAlias = Annotated[bytes, Bytes(32)]
_Epoch: TypeAlias = Annotated[int, Integer(0, 9999)]
_Name: TypeAlias = Annotated[str, NAME]
_Email: TypeAlias = Annotated[str, EMAIL]
_Card: TypeAlias = Annotated[str, CARD]
_Cards: TypeAlias = Annotated[tuple[str, ...], ListOf(CARD, 1, 255, ordered=True)]
_Rules: TypeAlias = Annotated[tuple[str, ...], ListOf(WORD, 0, 40, ordered=True, unique=True)]
_Slot: TypeAlias = Annotated[Slot, SlotText()]
_Slots: TypeAlias = Annotated[
    tuple[Slot, ...], ListOf(SlotText(), 1, 255, ordered=True, unique=True)
]


class Step(Value):
    """One step of a record. `kind` is its name in the file."""

    kind = ""


class Invite(Step):
    """The rules and options of a game, and the inviter's entry into it.

    `rules_digest` is over the whole rules data, `lists` is K. `side` is the inviter's, or "any" if
    the guest chooses. `key` is the public key, `nonce` the fresh salt of the inviter's game secret
    and `secret_hash` the hash of that secret. `rules_parts` are short digests of the parts of the
    rules data, which tell where two programs differ.
    """

    kind = "invite"
    protocol: Annotated[int, Integer(1, PROTOCOL)]
    edition: Annotated[str, WORD]
    house_rules: _Rules
    rules_digest: _Digest
    lists: Annotated[int, Integer(1, MAX_LISTS, power=True)]
    home_support: Annotated[str, OneOf("asked", "ahead")]
    side: Annotated[str, OneOf("british", "french", "any")]
    name: _Name
    email: _Email
    key: _Digest
    nonce: _Digest
    secret_hash: _Digest
    rules_parts: Annotated[tuple[bytes, ...] | None, ListOf(Bytes(8), 5, 5)] = None


class Accept(Step):
    """The guest's entry into the game, on the side that the invitation left."""

    kind = "accept"
    side: Annotated[str, SIDE]
    name: _Name
    email: _Email
    key: _Digest
    nonce: _Digest
    secret_hash: _Digest


class ShuffleStep(Step):
    """The author shuffles these cards, in canonical order, into a new draw pile."""

    kind = "shuffle"
    epoch: _Epoch
    cards: _Cards
    commitment: _Digest


class DrawStep(Step):
    """The author draws that many cards from their own draw pile."""

    kind = "draw"
    count: Annotated[int, Integer(1, 255)]


class Grant(Step):
    """The author answers the other side's shuffle (`list`) and draw (`slots`).

    `ahead` are the slots that the other side's Home Support will draw; None where none are named.
    """

    kind = "grant"
    slots: _Slots
    list: Annotated[int | None, Integer(0, MAX_LISTS - 1)] = None
    ahead: Annotated[
        tuple[Slot, ...] | None, ListOf(SlotText(), 1, 255, ordered=True, unique=True)
    ] = None


class OpenLists(Step):
    """The author opens all lists of a shuffle of their own but the one granted."""

    kind = "open-lists"
    epoch: _Epoch
    siblings: Annotated[tuple[bytes, ...], ListOf(Bytes(32), 0, 12)]
    commitments: Annotated[tuple[bytes, ...], ListOf(Bytes(32), 1, 255)]

    @property
    def opening(self) -> Opening:
        """The two parts that a deck checks together."""
        return Opening(self.siblings, self.commitments)


class Open(Step):
    """The author shows one hidden card of their own hand."""

    kind = "open"
    slot: _Slot
    card: _Card
    nonce: _Digest


class OrderStep(Step):
    """The author's decision in the game, in the notation of the rules engine."""

    kind = "order"
    order: Annotated[str, LINE]


class Resign(Step):
    """The author gives up the game."""

    kind = "resign"


class Close(Step):
    """The author publishes their own game secret, after the end of the game."""

    kind = "close"
    secret: _Digest


_STEPS: tuple[type[Step], ...] = (
    Invite, Accept, ShuffleStep, DrawStep, Grant, OpenLists, Open, OrderStep, Resign, Close
)  # fmt: skip


def _codecs(step: type[Step]) -> dict[str, Codec]:
    found = {name: get_args(step.__annotations__[name])[1] for name in step.fields}
    return {"kind": OneOf(step.kind)} | found


_BY_KIND = {step.kind: (step, _codecs(step)) for step in _STEPS}
_OPTIONAL: dict[type[Step], frozenset[str]] = {
    Grant: frozenset({"list", "ahead"}),
    Invite: frozenset({"rules_parts"}),
}


def write_step(step: Step) -> dict[str, Plain]:
    """The step as plain data. A field that is None is left out."""
    _, codecs = _BY_KIND[step.kind]
    values = {key: getattr(step, key) for key in codecs}
    return {key: codecs[key].write(value) for key, value in values.items() if value is not None}


def read_step(plain: object) -> Step:
    """The step that was written so; Malformed with the end of a sentence if none was."""
    kind = plain.get("kind") if isinstance(plain, dict) else None
    if plain == {}:
        raise Incomplete(Message("is of no known kind"), Rule.KIND)
    if not isinstance(kind, str) or kind not in _BY_KIND:
        raise Malformed(Message("is of no known kind"), Rule.KIND)
    step, codecs = _BY_KIND[kind]
    try:
        check_protocol(plain)
        values = read_table(plain, codecs, _OPTIONAL.get(step, frozenset()))
    except Malformed as error:
        raise type(error)(_of_kind(kind, message_of(error)), error.rule) from None
    del values["kind"]
    return step(**values)


def check_protocol(plain: object) -> None:
    """Check that a step is not an invitation by a protocol that only a later version knows.

    Malformed if it is: the rest of it, and of its record, may have another form there.
    """
    match plain:
        case {"kind": Invite.kind, "protocol": int(protocol)} if protocol > PROTOCOL:
            newer = Message("this game is from a newer acres: update yours to read it")
            raise Malformed(newer, Rule.PROTOCOL)


def _of_kind(kind: str, problem: Phrase) -> Message:
    """What is wrong with a step of that kind."""
    return Concat((f"({kind}): ", problem))
