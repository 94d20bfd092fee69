"""A second, plain implementation of the protocol, for comparison only.

It is written from docs/protocol.md with hashlib and json, and shares no code with the program. It
is slow, and has no protection against bad input.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

Read = dict[str, Any]
"""A part of a record or vector, as read from JSON."""
Place = TypeVar("Place", int, tuple[int, int])
"""The name of a slot."""


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sha(tag: bytes, data: bytes) -> bytes:
    return hashlib.sha256(b"acres/1 " + tag + b"\0" + data).digest()


def shake(tag: bytes, data: bytes, length: int) -> bytes:
    return hashlib.shake_256(b"acres/1 " + tag + b"\0" + data).digest(length)


def hkdf(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    pseudorandom = hmac.digest(salt or bytes(32), key, "sha256")
    result, block, counter = b"", b"", 1
    while len(result) < length:
        block = hmac.digest(pseudorandom, block + info + bytes([counter]), "sha256")
        result, counter = result + block, counter + 1
    return result[:length]


def canonical(value: object) -> bytes:
    """Return canonical JSON (RFC 8785) of texts, whole numbers, lists and tables."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def game_secret(seed: bytes, nonce: bytes) -> bytes:
    return hkdf(seed, nonce, b"acres/1 game secret\0", 32)


def box_key(seed: bytes, nonce: bytes) -> bytes:
    return hkdf(seed, nonce, b"acres/1 box\0", 64)


def root_seed(secret: bytes, epoch: int, previous: bytes) -> bytes:
    return hkdf(secret, previous, b"acres/1 shuffle\0" + epoch.to_bytes(4, "big"), 32)


def leaf(seed: bytes, path: str) -> bytes:
    """Return the leaf at the end of a path of "0" and "1" from a node."""
    for bit in path:
        both = shake(b"node", seed, 64)
        seed = both[32:] if bit == "1" else both[:32]
    return seed


def path(index: int, depth: int) -> str:
    return format(index, f"0{depth}b") if depth else ""


def the_list(leaf_seed: bytes, cards: Sequence[str]) -> list[tuple[str, bytes]]:
    """Return the list of a leaf, with card and nonce of each position."""
    size = len(cards)
    stream = shake(b"leaf", leaf_seed, 40 * size)
    keys = [int.from_bytes(stream[8 * i : 8 * i + 8], "big") for i in range(size)]
    nonces = [stream[8 * size + 32 * i :][:32] for i in range(size)]
    order = sorted((key, index) for index, key in enumerate(keys))
    return [(cards[index], nonces[i]) for i, (_, index) in enumerate(order)]


def slot(card: str, nonce: bytes) -> bytes:
    return sha(b"slot", nonce + card.encode())


def list_hash(commitments: Sequence[bytes]) -> bytes:
    return sha(b"list", b"".join(commitments))


def of_leaf(leaf_seed: bytes, cards: Sequence[str]) -> bytes:
    return list_hash([slot(card, nonce) for card, nonce in the_list(leaf_seed, cards)])


def of_lists(hashes: Sequence[bytes], size: int) -> bytes:
    sizes = len(hashes).to_bytes(4, "big") + size.to_bytes(4, "big")
    return sha(b"lists", sizes + b"".join(hashes))


def commit(seed: bytes, cards: Sequence[str], depth: int) -> bytes:
    leaves = [leaf(seed, path(i, depth)) for i in range(2**depth)]
    return of_lists([of_leaf(one, cards) for one in leaves], len(cards))


def root_of_opening(
    cards: Sequence[str],
    depth: int,
    chosen: int,
    siblings: Sequence[bytes],
    commitments: Sequence[bytes],
) -> bytes:
    """Return the commitment that follows from an opening."""
    chosen_path = path(chosen, depth)
    hashes = []
    for i in range(2**depth):
        if i == chosen:
            hashes.append(list_hash(commitments))
            continue
        this = path(i, depth)
        fork = next(level for level in range(depth) if this[level] != chosen_path[level])
        hashes.append(of_leaf(leaf(siblings[fork], this[fork + 1 :]), cards))
    return of_lists(hashes, len(cards))


def numbers(secret: bytes, asked_in: bytes) -> Iterator[int]:
    """Yield the random numbers for a granter's answers to one record."""
    stream = shake(b"grant", secret + asked_in, 8 * 4096)
    for i in range(0, len(stream), 8):
        yield int.from_bytes(stream[i : i + 8], "big")


def uniform(stream: Iterator[int], n: int) -> int:
    while True:
        word = next(stream)
        if word < 2**64 - 2**64 % n:
            return word % n


def answer(
    stream: Iterator[int],
    lists: int | None,
    named: Sequence[Place],
    others: Sequence[Place],
    count: int,
    ahead: int,
) -> tuple[int | None, list[Place], list[Place]]:
    """Return the next grant of a stream: the list (or None), the slots, and the slots named ahead.

    `named` are the slots that were named ahead earlier, and `others` the other undrawn slots.
    """
    chosen = None if lists is None else uniform(stream, lists)
    drawn, rest = list(named[:count]), list(others)
    while len(drawn) < count:
        drawn.append(rest.pop(uniform(stream, len(rest))))
    set_aside = [rest.pop(uniform(stream, len(rest))) for _ in range(ahead)]
    return chosen, sorted(drawn), sorted(set_aside)


def grant(
    secret: bytes, asked_in: bytes, lists: int | None, undrawn: Sequence[Place], count: int
) -> tuple[int | None, list[Place]]:
    """Return a grant in a game without slots named ahead."""
    chosen, drawn, _ = answer(numbers(secret, asked_in), lists, [], undrawn, count, 0)
    return chosen, drawn


def record_hash(record: Read) -> bytes:
    content = {key: value for key, value in record.items() if key != "signature"}
    return sha(b"record", canonical(content))


BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def bech32_polymod(values: Iterable[int]) -> int:
    """Return the checksum of BIP 173; 0x2bc830a3 for a valid string of BIP 350."""
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for i in range(5):
            check ^= [0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3][i] * (
                top >> i & 1
            )
    return check


def is_bech32m(string: str) -> bool:
    prefix, _, data = string.rpartition("1")
    expanded = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    return bech32_polymod(expanded + [BECH32.index(c) for c in data]) == 0x2BC830A3


def recovery_payload(text: str, length: int) -> bytes:
    """Return the bytes in the numbered lines of a recovery text (docs/save-format.md)."""
    bits, before = "", ""
    lines = [line.split() for line in text.splitlines() if line[2:3].isdigit()]
    for number, (label, *groups) in enumerate(lines, start=1):
        line = "".join(groups)
        assert label == str(number)
        assert len(line) == 24
        assert is_bech32m(f"acres{number}{before}1{line}")
        bits += "".join(f"{BECH32.index(c):05b}" for c in line[:18])
        before = line[18:]
    assert set(bits[8 * length :]) <= {"0"}
    return bytes(int(bits[i : i + 8], 2) for i in range(0, 8 * length, 8))
