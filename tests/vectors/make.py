"""Write the test vectors: `python -m tests.vectors.make`.

Keys, nonces and times are fixed, so the files change only with the protocol. docs/protocol.md, Test
vectors, describes each. This does not write the short games (`tests.vectors.games`).
"""

from __future__ import annotations

import json
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import tomli_w
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from engine.sides import Side, Slot
from pbem.play import recovery
from pbem.play.keyfile import Cost
from pbem.protocol.deck import (
    GrantAnswer,
    GrantRequest,
    GrantStream,
    commit,
    derive_list,
    open_lists,
    root_seed,
    slot_commitment,
)
from pbem.protocol.identity import BoxContents, Identity, seal, secret_hash
from pbem.protocol.match import Match
from pbem.protocol.primitives import Tag, stretch, tagged_hash
from pbem.protocol.record import Record
from pbem.protocol.schema import canonical_json, encode_bytes
from pbem.protocol.steps import (
    Accept,
    DrawStep,
    Grant,
    Invite,
    Open,
    OpenLists,
    OrderStep,
    ShuffleStep,
    Step,
)
from pbem.savefile.save_file import SaveFile
from tests.signing import make_record
from tests.vectors.games import CLOSED, load

HERE = Path(__file__).parent

OWNER = Identity("Anne Bradstreet", "anne@example.org", bytes(range(32)))
GUEST = Identity("Élise", "", bytes(range(32, 64)))
OWNER_NONCE, GUEST_NONCE = b"\x11" * 32, b"\x22" * 32
OWNER_SECRET, GUEST_SECRET = OWNER.game_secret(OWNER_NONCE), GUEST.game_secret(GUEST_NONCE)
CARDS = ("boston", "new-haven", "new-york", "norfolk", "pemaquid", "philadelphia", "st-marys")
GUEST_CARDS = ("gaspe", "louisbourg", "montreal", "port-royal", "quebec", "tadoussac")
LISTS = 8
EQUAL_CARDS = ("bateaux", "bateaux", "boston", "settlers", "settlers", "settlers", "ships")
# The accent is a separate character, which normalization combines with the e.
PASSPHRASE = "Que\u0301bec 1759"
DATE = "2026-11-21"
TIMES = [f"2026-11-21T10:{minute:02}:00Z" for minute in range(4)]


def _chain() -> tuple[list[Record], dict[str, Any]]:
    """Return three records (invitation, acceptance, first turn) and their ingredients."""
    records: list[Record] = []

    def sign(identity: Identity, side: str, *steps: Step) -> Record:
        index = len(records)
        previous = records[-1].hash if records else b""
        record = make_record(
            identity, index=index, side=side, previous=previous, time=TIMES[index], steps=steps
        )
        records.append(record)
        return record

    seed = root_seed(OWNER_SECRET, 0, bytes(32))
    invitation = sign(
        OWNER,
        "british",
        Invite(
            protocol=1,
            edition="second",
            house_rules=(),
            rules_digest=tagged_hash(Tag.RULES, b"the rules data of these vectors"),
            lists=LISTS,
            home_support="asked",
            side="british",
            name=OWNER.name,
            email=OWNER.email,
            key=OWNER.public_key,
            nonce=OWNER_NONCE,
            secret_hash=secret_hash(OWNER_SECRET),
        ),
        ShuffleStep(0, CARDS, commit(seed, CARDS, LISTS)),
        DrawStep(5),
    )
    grants = GrantStream(GUEST_SECRET, previous=invitation.hash)
    chosen = grants.pick_list(LISTS)
    slots = grants.pick_slots([Slot(0, position) for position in range(len(CARDS))], 5)
    guest_seed = root_seed(GUEST_SECRET, 0, invitation.hash)
    acceptance = sign(
        GUEST,
        "french",
        Accept(
            side="french",
            name=GUEST.name,
            email=GUEST.email,
            key=GUEST.public_key,
            nonce=GUEST_NONCE,
            secret_hash=secret_hash(GUEST_SECRET),
        ),
        Grant(tuple(slots), chosen),
        ShuffleStep(0, GUEST_CARDS, commit(guest_seed, GUEST_CARDS, LISTS)),
        DrawStep(5),
    )
    opening = open_lists(seed, CARDS, LISTS, chosen)
    owned = derive_list(seed, CARDS, LISTS, chosen)
    grants = GrantStream(OWNER_SECRET, previous=acceptance.hash)
    guest_chosen = grants.pick_list(LISTS)
    guest_slots = grants.pick_slots([Slot(0, position) for position in range(len(GUEST_CARDS))], 5)
    played = slots[0]
    card, nonce = owned[played.position]
    sign(
        OWNER,
        "british",
        OpenLists(0, *opening),
        Grant(tuple(guest_slots), guest_chosen),
        Open(played, card, nonce),
        OrderStep(f"discard {card}"),
    )
    facts = {"seed": seed, "chosen": chosen, "slots": slots, "opening": opening, "owned": owned}
    return records, facts


def vectors() -> dict[str, str]:
    """Return the content of each file by its name."""
    records, facts = _chain()
    seed, chosen, opening, owned = (facts[key] for key in ("seed", "chosen", "opening", "owned"))
    slots, played = facts["slots"], facts["slots"][0]
    card, nonce = owned[played.position]
    box_key = OWNER.box_key(OWNER_NONCE)
    box = seal(BoxContents((card,), "Hello."), box_key, records[0].hash, records[2].hash)
    commitment = commit(seed, CARDS, LISTS)
    shuffle = {
        "secret": OWNER_SECRET,
        "epoch": 0,
        "previous": bytes(32),
        "cards": CARDS,
        "lists": LISTS,
        "seed": seed,
        "commitment": commitment,
    }
    grant = {
        "secret": GUEST_SECRET,
        "asked_in": records[0].hash,
        "lists": LISTS,
        "undrawn": len(CARDS),
        "count": 5,
        "list": chosen,
        "slots": [str(slot) for slot in slots],
    }
    opened = {
        "commitment": commitment,
        "cards": CARDS,
        "lists": LISTS,
        "list": chosen,
        "siblings": opening.siblings,
        "commitments": opening.commitments,
    }
    drawn = {
        "seed": seed,
        "cards": CARDS,
        "lists": LISTS,
        "list": chosen,
        "drawn": [
            {"slot": str(slot), "card": owned[slot.position][0], "nonce": owned[slot.position][1]}
            for slot in slots
        ],
    }
    slot = {
        "slot": str(played),
        "card": card,
        "nonce": nonce,
        "commitment": slot_commitment(nonce, card),
    }
    record = {
        "private_key": OWNER.seed,
        "public_key": OWNER.public_key,
        "nonce": OWNER_NONCE,
        "game_secret": OWNER_SECRET,
        "secret_hash": secret_hash(OWNER_SECRET),
        "canonical_json": canonical_json(records[0].content()).decode(),
        "hash": records[0].hash,
        "signature": records[0].signature,
    }
    sealed = {
        "private_key": OWNER.seed,
        "nonce": OWNER_NONCE,
        "key": box_key,
        "game": records[0].hash,
        "record": records[2].hash,
        "contents": {"hand": [card], "notes": "Hello."},
        "box": box,
    }
    chain = {
        "records": [one.to_plain() for one in records],
        "hashes": [one.hash for one in records],
    }
    files = {
        "shuffle": shuffle,
        "grant": grant,
        "grant-slots": _grant_of_slots(records[2].hash),
        "grant-ahead": _grant_ahead(records[2].hash),
        "grants": _grants_from_one_stream(),
        "close": {name: _read_closes(Match.replay(load(name)[0].records)) for name in CLOSED},
        "shuffle-equal": _shuffle_of_equal_cards(records[1].hash),
        "shuffle-one": _shuffle_of_one_list(),
        "opening": opened,
        "draw": drawn,
        "slot": slot,
        "record": record,
        "box": sealed,
        "chain": chain,
        "identity": {"passphrase": PASSPHRASE, "private_key": GUEST.seed},
        "recovery": {
            "private_key": OWNER.seed,
            "sealed": {"passphrase": PASSPHRASE, "private_key": GUEST.seed},
        },
    }
    texts = {f"{name}.json": _json(content) for name, content in files.items()}
    texts["identity.toml"] = _identity()
    texts["recovery.txt"] = recovery.write(OWNER, DATE)
    texts["recovery-sealed.txt"] = _sealed_recovery()
    return texts | {"chain.toml": SaveFile(tuple(records)).write().decode()}


def _grant_of_slots(asked_in: bytes) -> dict[str, Any]:
    """Return a draw from a pile with gaps, for which a list was granted earlier."""
    undrawn = [Slot(3, position) for position in (0, 1, 3, 4, 8, 9, 10, 12, 13)]
    slots = GrantStream(GUEST_SECRET, asked_in).pick_slots(undrawn, 4)
    return {
        "secret": GUEST_SECRET,
        "asked_in": asked_in,
        "undrawn": list(map(str, undrawn)),
        "count": 4,
        "slots": list(map(str, slots)),
    }


def _grant_ahead(asked_in: bytes) -> dict[str, Any]:
    """Return a draw with two slots named ahead earlier, and a grant that names three more."""
    named = (Slot(3, 1), Slot(3, 9))
    others = tuple(Slot(3, position) for position in (0, 3, 4, 8, 10, 12, 13))
    request = GrantRequest(0, named, others, 3, 3)
    grant_answer = GrantStream(GUEST_SECRET, asked_in).answer(request)
    return {"secret": GUEST_SECRET, "asked_in": asked_in, **_grant(request, grant_answer)}


def _grants_from_one_stream() -> dict[str, Any]:
    """Return two grants for one record: for Home Support, then for the refill of the follow-ups."""
    match = Match.replay(load(CLOSED[0])[0].records)
    for side, past_grants in match.table.grants.items():
        for one, two in pairwise(past_grants):
            if one.record == two.record:
                return {
                    "secret": match.secrets[side],
                    "asked_in": match.records[one.record - 1].hash,
                    "grants": [_grant(*answered[1:]) for answered in (one, two)],
                }
    raise AssertionError("no such grants in this game")


def _read_closes(match: Match) -> dict[str, Any]:
    """Return the secret, the shuffles and the grants that each close of a game proves."""
    return {side.value: _closing_data(match, side) for side in sorted(match.secrets)}


def _closing_data(match: Match, side: Side) -> dict[str, Any]:
    deck, secret = match.decks[side], match.secrets[side]
    shuffles = [
        {
            "record": origin.record,
            "epoch": epoch,
            "previous": origin.previous,
            "seed": root_seed(secret, epoch, origin.previous),
            "cards": deck.cards(epoch),
            "lists": deck.lists,
            "commitment": deck.commitment(epoch),
        }
        for epoch, origin in enumerate(match.table.shuffles[side])
    ]
    grants = [
        {"record": grant.record, "asked_in": match.records[grant.record - 1].hash}
        | _grant(grant.request, grant.answer)
        for grant in match.table.grants[side]
    ]
    return {"secret": secret, "shuffles": shuffles, "grants": grants}


def _grant(request: GrantRequest, grant_answer: GrantAnswer) -> dict[str, Any]:
    """Return the demand and the answer of a grant, without absent keys."""
    demand: dict[str, Any] = {"lists": request.lists} if request.lists else {}
    demand |= {"first": list(map(str, request.first)), "left": list(map(str, request.remaining))}
    demand |= {"count": request.slot_count, "to_name": request.ahead}
    answer: dict[str, Any] = (
        {} if grant_answer.list_number is None else {"list": grant_answer.list_number}
    )
    answer["slots"] = list(map(str, grant_answer.slots))
    return (
        demand
        | answer
        | ({"ahead": list(map(str, grant_answer.ahead))} if grant_answer.ahead else {})
    )


def _shuffle_of_equal_cards(previous: bytes) -> dict[str, Any]:
    """Return a later shuffle of cards, some of them equal, and one of its lists."""
    seed, lists, number = root_seed(OWNER_SECRET, 1, previous), 4, 2
    return {
        "secret": OWNER_SECRET,
        "epoch": 1,
        "previous": previous,
        "cards": EQUAL_CARDS,
        "lists": lists,
        "seed": seed,
        "commitment": commit(seed, EQUAL_CARDS, lists),
        "list": number,
        "positions": [
            {"card": card, "nonce": nonce}
            for card, nonce in derive_list(seed, EQUAL_CARDS, lists, number)
        ],
    }


def _shuffle_of_one_list() -> dict[str, Any]:
    """Return a shuffle with K = 1, whose root seed is the only leaf."""
    seed = root_seed(OWNER_SECRET, 0, bytes(32))
    opening = open_lists(seed, CARDS, 1, 0)
    return {
        "secret": OWNER_SECRET,
        "epoch": 0,
        "previous": bytes(32),
        "cards": CARDS,
        "lists": 1,
        "seed": seed,
        "commitment": commit(seed, CARDS, 1),
        "list": 0,
        "siblings": opening.siblings,
        "commitments": opening.commitments,
    }


def _identity() -> str:
    """Return an identity file under a passphrase, with a salt that is not random."""
    salt, n, r, p = b"\x33" * 32, 2**15, 8, 1
    key = stretch(
        Tag.PASSPHRASE, unicodedata.normalize("NFC", PASSPHRASE), salt=salt, n=n, r=r, p=p
    )
    return tomli_w.dumps(
        {
            "format": "acres-identity",
            "version": 1,
            "name": GUEST.name,
            "email": GUEST.email,
            "key": encode_bytes(GUEST.public_key),
            "salt": encode_bytes(salt),
            "n": n,
            "r": r,
            "p": p,
            "sealed_seed": encode_bytes(AESSIV(key).encrypt(GUEST.seed, [GUEST.public_key])),
        }
    )


def _sealed_recovery() -> str:
    """Return a recovery text under a passphrase, with a salt that is not random."""
    salt = patch("pbem.play.recovery.random_bytes", lambda length, _: b"\x44" * length)
    with salt, patch("pbem.play.recovery.DEFAULT_COST", Cost(2**15, 8, 2)):
        return recovery.write(GUEST, DATE, PASSPHRASE)


def _json(content: dict[str, Any]) -> str:
    text = json.dumps(content, indent=2, default=encode_bytes)
    return text + "\n"


if __name__ == "__main__":
    for name, text in vectors().items():
        (HERE / name).write_text(text, encoding="utf-8")
