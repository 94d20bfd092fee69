"""The steps of records, and their encoding as plain data (docs/protocol.md, Steps).

A step is written as a table with its `kind` and its fields, in the save file as TOML, and for the
hash and the signature as canonical JSON.
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
    IncompleteError,
    Integer,
    ListOf,
    OneOf,
    Plain,
    SchemaError,
    SlotText,
    read_table,
)

PROTOCOL = 1
"""The version of docs/protocol.md that this program implements."""
DEFAULT_LISTS, MAX_LISTS = 1024, 4096
"""The default and the maximum number of lists of a shuffle."""
MIN_SAFE_LISTS = 256
"""The minimum number of lists without a warning: with fewer, wrong cards pass too easily."""

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
    """One step of a record; `kind` is its name in the file."""

    kind = ""


class Invite(Step):
    """The step `invite`: the rules and options of a game, and the inviter's entry.

    `rules_digest` is the digest of the whole rules data, 32 bytes; `rules_parts` are five digests
    of its parts, 8 bytes each, to find the part that differs between two programs. `lists` is K.
    `side` is the inviter's, or "any" if the guest chooses. `key` is the inviter's public key,
    `nonce` the fresh salt of the inviter's game secret, and `secret_hash` the hash of that secret,
    32 bytes each.
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
    """The step `accept`: the guest's entry, on the side that the invitation leaves free."""

    kind = "accept"
    side: Annotated[str, SIDE]
    name: _Name
    email: _Email
    key: _Digest
    nonce: _Digest
    secret_hash: _Digest


class ShuffleStep(Step):
    """The step `shuffle`: the author shuffles `cards`, in canonical order, into a new pile."""

    kind = "shuffle"
    epoch: _Epoch
    cards: _Cards
    commitment: _Digest


class DrawStep(Step):
    """The step `draw`: the author draws `count` cards from their own draw pile."""

    kind = "draw"
    count: Annotated[int, Integer(1, 255)]


class Grant(Step):
    """The step `grant`: the author answers the other side's shuffle (`list`) and draw (`slots`).

    `ahead` are the slots that the other side draws next with Home Support; None if none are named.
    """

    kind = "grant"
    slots: _Slots
    list: Annotated[int | None, Integer(0, MAX_LISTS - 1)] = None
    ahead: Annotated[
        tuple[Slot, ...] | None, ListOf(SlotText(), 1, 255, ordered=True, unique=True)
    ] = None


class OpenLists(Step):
    """The step `open-lists`: the author opens all lists of their shuffle but the granted one."""

    kind = "open-lists"
    epoch: _Epoch
    siblings: Annotated[tuple[bytes, ...], ListOf(Bytes(32), 0, 12)]
    commitments: Annotated[tuple[bytes, ...], ListOf(Bytes(32), 1, 255)]

    @property
    def opening(self) -> Opening:
        """The siblings and the commitments, which a deck checks together."""
        return Opening(self.siblings, self.commitments)


class Open(Step):
    """The step `open`: the author shows one hidden card of their own hand."""

    kind = "open"
    slot: _Slot
    card: _Card
    nonce: _Digest


class OrderStep(Step):
    """The step `order`: the author's decision in the game, in the notation of docs/orders.md.

    >>> write_step(OrderStep("pass"))
    {'kind': 'order', 'order': 'pass'}
    >>> read_step({"kind": "draw", "count": 5})
    DrawStep(count=5)
    >>> read_step({"kind": "draw", "count": 0})
    Traceback (most recent call last):
    pbem.protocol.schema.SchemaError: (draw): count must be a whole number from 1 to 255
    """

    kind = "order"
    order: Annotated[str, LINE]


class Resign(Step):
    """The step `resign`: the author gives up the game."""

    kind = "resign"


class Close(Step):
    """The step `close`: after the end of the game, the author publishes their game secret."""

    kind = "close"
    secret: _Digest


_STEPS: tuple[type[Step], ...] = (
    Invite, Accept, ShuffleStep, DrawStep, Grant, OpenLists, Open, OrderStep, Resign, Close
)  # fmt: skip


def _codecs(step: type[Step]) -> dict[str, Codec]:
    fields = {name: get_args(step.__annotations__[name])[1] for name in step.fields}
    return {"kind": OneOf(step.kind)} | fields


_BY_KIND = {step.kind: (step, _codecs(step)) for step in _STEPS}
_OPTIONAL: dict[type[Step], frozenset[str]] = {
    Grant: frozenset({"list", "ahead"}),
    Invite: frozenset({"rules_parts"}),
}


def write_step(step: Step) -> dict[str, Plain]:
    """Return a step as plain data, without the fields that are None."""
    _, codecs = _BY_KIND[step.kind]
    values = {key: getattr(step, key) for key in codecs}
    return {key: codecs[key].write(value) for key, value in values.items() if value is not None}


def read_step(plain: object) -> Step:
    """Return the step that `write_step` wrote as this plain data.

    Raises SchemaError, with the end of a sentence, for anything else (R-2.1, R-2.2).
    """
    kind = plain.get("kind") if isinstance(plain, dict) else None
    if plain == {}:
        raise IncompleteError(Message("is of no known kind"), Rule.KIND)
    if not isinstance(kind, str) or kind not in _BY_KIND:
        raise SchemaError(Message("is of no known kind"), Rule.KIND)
    step, codecs = _BY_KIND[kind]
    try:
        check_protocol(plain)
        values = read_table(plain, codecs, _OPTIONAL.get(step, frozenset()))
    except SchemaError as error:
        raise type(error)(_of_kind(kind, message_of(error)), error.rule) from None
    del values["kind"]
    return step(**values)


def check_protocol(plain: object) -> None:
    """Raise SchemaError if a step is an invitation by a later version of the protocol (R-2.13).

    It is checked first, because the rest of the record may have another form in that version.
    """
    match plain:
        case {"kind": Invite.kind, "protocol": int(protocol)} if protocol > PROTOCOL:
            newer = Message("this game is from a newer acres: update yours to read it")
            raise SchemaError(newer, Rule.PROTOCOL)


def _of_kind(kind: str, problem: Phrase) -> Message:
    """Return a problem of a step, preceded by the kind of the step."""
    return Concat((f"({kind}): ", problem))
