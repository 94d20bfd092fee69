"""The program makes the committed vectors, and they are valid by the specification alone."""

import hashlib
import json
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from pbem.play import keyfile, recovery
from tests.vectors import naive
from tests.vectors.make import HERE, vectors
from tests.vectors.naive import Read


def load(name: str) -> Read:
    vector: Read = json.loads((HERE / name).read_text(encoding="utf-8"))
    return vector


def all_bytes(texts: Iterable[str]) -> list[bytes]:
    return [naive.unb64(text) for text in texts]


def place(slot: str) -> tuple[int, int]:
    epoch, position = map(int, slot.split(":"))
    return epoch, position


def depth(vector: Read) -> int:
    lists: int = vector["lists"]
    return lists.bit_length() - 1


def test_program_reproduces_the_committed_vectors() -> None:
    for name, text in vectors().items():
        assert (HERE / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize("name", ["shuffle.json", "shuffle-equal.json", "shuffle-one.json"])
def test_shuffle_vectors_match(name: str) -> None:
    vector = load(name)
    secret, previous = all_bytes([vector["secret"], vector["previous"]])
    seed = naive.root_seed(secret, vector["epoch"], previous)
    assert naive.b64(seed) == vector["seed"]
    commitment = naive.commit(seed, vector["cards"], depth(vector))
    assert naive.b64(commitment) == vector["commitment"]


def test_grant_vectors_match() -> None:
    vector = load("grant.json")
    secret, asked_in = all_bytes([vector["secret"], vector["asked_in"]])
    undrawn = range(vector["undrawn"])
    chosen, drawn = naive.grant(secret, asked_in, vector["lists"], undrawn, vector["count"])
    assert chosen == vector["list"]
    assert [f"0:{position}" for position in drawn] == vector["slots"]


def test_grant_of_slots_vectors_match() -> None:
    vector = load("grant-slots.json")
    secret, asked_in = all_bytes([vector["secret"], vector["asked_in"]])
    undrawn = [place(slot) for slot in vector["undrawn"]]
    _, drawn = naive.grant(secret, asked_in, None, undrawn, vector["count"])
    assert [f"{epoch}:{position}" for epoch, position in drawn] == vector["slots"]


def answer_demand(stream: Iterator[int], vector: Read) -> Read:
    """Return the answer of a stream to a demand, in the form of a vector."""
    first, others = ([place(slot) for slot in vector[key]] for key in LEFT)
    lists, count, to_name = vector.get("lists"), vector["count"], vector["to_name"]
    chosen, *slots = naive.answer(stream, lists, first, others, count, to_name)
    drawn, named = ([f"{epoch}:{position}" for epoch, position in some] for some in slots)
    result = {"list": chosen, "slots": drawn, "ahead": named}
    return {key: value for key, value in result.items() if value not in (None, [])}


def answer_of(vector: Read) -> Read:
    return {key: vector[key] for key in ("list", "slots", "ahead") if key in vector}


LEFT = ("first", "left")


def test_grant_ahead_vectors_match() -> None:
    vector = load("grant-ahead.json")
    stream = naive.numbers(*all_bytes([vector["secret"], vector["asked_in"]]))
    assert answer_demand(stream, vector) == answer_of(vector)
    assert set(vector["first"]) < set(vector["slots"])
    assert len(vector["ahead"]) == 3


def test_grants_from_one_stream_match() -> None:
    vector = load("grants.json")
    secret_and_hash = all_bytes([vector["secret"], vector["asked_in"]])
    one, two = vector["grants"]
    stream = naive.numbers(*secret_and_hash)
    assert [answer_demand(stream, grant) for grant in (one, two)] == [
        answer_of(one),
        answer_of(two),
    ]
    assert set(two["left"]) == set(one["left"]) - set(one["slots"])
    # The second grant continues the stream.
    assert answer_demand(naive.numbers(*secret_and_hash), two) != answer_of(two)


def test_close_vectors_match() -> None:
    for sides in load("close.json").values():
        for vector in sides.values():
            secret = naive.unb64(vector["secret"])
            for shuffle in vector["shuffles"]:
                previous = naive.unb64(shuffle["previous"])
                seed = naive.root_seed(secret, shuffle["epoch"], previous)
                commitment = naive.commit(seed, shuffle["cards"], depth(shuffle))
                assert (naive.b64(seed), naive.b64(commitment)) == (
                    shuffle["seed"],
                    shuffle["commitment"],
                )
            streams: dict[bytes, Iterator[int]] = {}
            for grant in vector["grants"]:
                asked_in = naive.unb64(grant["asked_in"])
                stream = streams.setdefault(asked_in, naive.numbers(secret, asked_in))
                assert answer_demand(stream, grant) == answer_of(grant)


def test_shuffle_of_equal_cards_matches() -> None:
    vector = load("shuffle-equal.json")
    path = naive.path(vector["list"], depth(vector))
    card_list = naive.the_list(naive.leaf(naive.unb64(vector["seed"]), path), vector["cards"])
    held = [(one["card"], naive.unb64(one["nonce"])) for one in vector["positions"]]
    assert held == card_list
    assert sorted(card for card, _ in held) == vector["cards"]


def test_shuffle_of_one_list_matches() -> None:
    vector = load("shuffle-one.json")
    commitments = all_bytes(vector["commitments"])
    card_list = naive.the_list(naive.unb64(vector["seed"]), vector["cards"])
    assert commitments == [naive.slot(card, nonce) for card, nonce in card_list]
    opened = naive.root_of_opening(
        vector["cards"], 0, vector["list"], vector["siblings"], commitments
    )
    assert naive.b64(opened) == vector["commitment"]


def test_opening_vectors_match() -> None:
    vector = load("opening.json")
    siblings, commitments = all_bytes(vector["siblings"]), all_bytes(vector["commitments"])
    cards, chosen = vector["cards"], vector["list"]
    commitment = naive.root_of_opening(cards, depth(vector), chosen, siblings, commitments)
    assert naive.b64(commitment) == vector["commitment"]


def test_draw_vectors_match() -> None:
    vector = load("draw.json")
    path = naive.path(vector["list"], depth(vector))
    card_list = naive.the_list(naive.leaf(naive.unb64(vector["seed"]), path), vector["cards"])
    for drawn in vector["drawn"]:
        card, nonce = card_list[int(drawn["slot"].split(":")[1])]
        assert (card, naive.b64(nonce)) == (drawn["card"], drawn["nonce"])


def test_slot_vectors_match() -> None:
    vector = load("slot.json")
    commitment = naive.b64(naive.slot(vector["card"], naive.unb64(vector["nonce"])))
    assert commitment == vector["commitment"]
    position = int(vector["slot"].split(":")[1])
    assert commitment == load("opening.json")["commitments"][position]


def test_record_vectors_match() -> None:
    vector = load("record.json")
    key, nonce, secret = all_bytes([vector["private_key"], vector["nonce"], vector["game_secret"]])
    assert naive.game_secret(key, nonce) == secret
    assert naive.b64(naive.sha(b"secret hash", secret)) == vector["secret_hash"]
    private = Ed25519PrivateKey.from_private_bytes(key)
    assert naive.b64(private.public_key().public_bytes_raw()) == vector["public_key"]
    digest = naive.sha(b"record", vector["canonical_json"].encode())
    assert naive.b64(digest) == vector["hash"]
    signature = private.sign(b"acres/1 signature\0" + digest)
    assert naive.b64(signature) == vector["signature"]


def test_box_vectors_match() -> None:
    vector = load("box.json")
    seed, nonce, key = all_bytes(vector[name] for name in ("private_key", "nonce", "key"))
    *bound, box = all_bytes(vector[name] for name in ("game", "record", "box"))
    assert naive.box_key(seed, nonce) == key
    text, hand = (naive.canonical(one) for one in (vector["contents"], vector["contents"]["hand"]))
    # Padding: a hand of 1024 bytes, then the next multiple of 256.
    assert len(text) + 1024 - len(hand) == 1050
    assert AESSIV(key).decrypt(box, bound) == text.ljust(1280)


def test_identity_vectors_match() -> None:
    vector, path = load("identity.json"), HERE / "identity.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    passphrase = unicodedata.normalize("NFC", vector["passphrase"])
    assert passphrase != vector["passphrase"]
    key = hashlib.scrypt(
        passphrase.encode(),
        salt=b"acres/1 passphrase\0" + naive.unb64(table["salt"]),
        **{name: table[name] for name in "nrp"},
        maxmem=2**26,
        dklen=64,
    )
    public, sealed = all_bytes([table["key"], table["sealed_seed"]])
    seed = naive.unb64(vector["private_key"])
    assert AESSIV(key).decrypt(sealed, [public]) == seed
    identity = keyfile.load(path, lambda: vector["passphrase"])
    assert (identity.name, identity.email, identity.seed) == (table["name"], table["email"], seed)


def test_recovery_text_matches() -> None:
    vector = load("recovery.json")
    text = (HERE / "recovery.txt").read_text(encoding="utf-8")
    seed = naive.unb64(vector["private_key"])
    assert naive.recovery_payload(text, 33) == b"\1" + seed
    assert recovery.read(text).seed(lambda: "") == seed


def test_sealed_recovery_text_matches() -> None:
    vector = load("recovery.json")["sealed"]
    text = (HERE / "recovery-sealed.txt").read_text(encoding="utf-8")
    payload = naive.recovery_payload(text, 67)
    assert payload[:3] == bytes([2, 15, 8 << 4 | 2])
    key = hashlib.scrypt(
        unicodedata.normalize("NFC", vector["passphrase"]).encode(),
        salt=b"acres/1 recovery\0" + payload[3:19],
        n=2**15,
        r=8,
        p=2,
        maxmem=2**26,
        dklen=64,
    )
    seed = naive.unb64(vector["private_key"])
    assert AESSIV(key).decrypt(payload[19:], [payload[:3]]) == seed
    assert recovery.read(text).seed(lambda: vector["passphrase"]) == seed


def test_chain_vectors_match() -> None:
    """The links, hashes, signatures and deck come from the stored file."""
    saved = tomllib.loads((HERE / "chain.toml").read_text(encoding="utf-8"))
    vector, records = load("chain.json"), saved["record"]
    assert records == vector["records"]
    keys = [record["steps"][0]["key"] for record in records[:2]]
    previous = ""
    for index, record in enumerate(records):
        assert (record["index"], record["previous"]) == (index, previous)
        digest = naive.record_hash(record)
        key = Ed25519PublicKey.from_public_bytes(naive.unb64(keys[index % 2]))
        key.verify(naive.unb64(record["signature"]), b"acres/1 signature\0" + digest)
        previous = naive.b64(digest)
        assert previous == vector["hashes"][index]
    steps = {step["kind"]: step for record in records for step in reversed(record["steps"])}
    invited, granted, opening, opened_card = (
        records[0]["steps"],
        records[1]["steps"][1],
        steps["open-lists"],
        steps["open"],
    )
    cards, commitment = invited[1]["cards"], invited[1]["commitment"]
    siblings, commitments = all_bytes(opening["siblings"]), all_bytes(opening["commitments"])
    assert (
        naive.b64(naive.root_of_opening(cards, 3, granted["list"], siblings, commitments))
        == commitment
    )
    assert opened_card["slot"] in granted["slots"]
    position = int(opened_card["slot"].split(":")[1])
    assert (
        naive.slot(opened_card["card"], naive.unb64(opened_card["nonce"])) == commitments[position]
    )
