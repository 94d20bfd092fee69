"""Both back ends of the primitives give equal results, on published vectors and on edge cases."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cryptography_vectors
import pytest

from pbem.protocol import primitives_openssl as openssl
from tests.protocol import curve
from tests.requirements import skip_or_fail, skip_without

ROOT = Path(__file__).parents[2]
SITE = ROOT / "pbem" / "web" / "site"
PACKAGES = ROOT / "build" / "npm" / "node_modules"
"""The packages of the site, fetched as .ci/run does it."""
RUNNER = Path(__file__).with_name("back_ends.mjs")

Value = bytes | int | list[bytes]


class Call(NamedTuple):
    """A call of a primitive, with its result if it is published."""

    name: str
    arguments: tuple[Value, ...]
    result: bytes | bool | None = None


# --- published vectors


def read_vectors(path: str) -> Iterator[dict[str, str]]:
    """Read the blocks of "key = value" in a file of vectors."""
    with cryptography_vectors.open_vector_file(path, "r") as file:
        text = file.read()
    for block in text.split("COUNT = ")[1:]:
        lines = (line.partition("=") for line in block.splitlines()[1:])
        yield {key.strip(): value.strip() for key, sign, value in lines if sign}


def published_signatures() -> Iterator[Call]:
    with cryptography_vectors.open_vector_file("asymmetric/Ed25519/sign.input", "r") as file:
        lines = file.read().split()
    for line in lines:
        secret, key, message, signed = map(bytes.fromhex, line.split(":")[:4])
        yield Call("ed25519_public_key", (secret[:32],), key)
        yield Call("ed25519_sign", (secret[:32], message), signed[:64])
        yield Call("ed25519_verify", (key, signed[:64], message), True)


def published_boxes() -> Iterator[Call]:
    for case in read_vectors("ciphers/AES/SIV/openssl.txt"):
        associated = [bytes.fromhex(case[name]) for name in ("AAD", "AAD2", "AAD3") if name in case]
        key, text, tag, rest = (
            bytes.fromhex(case[name]) for name in ("Key", "Plaintext", "Tag", "Ciphertext")
        )
        yield Call("aes_siv_encrypt", (key, text, associated), tag + rest)
        yield Call("aes_siv_decrypt", (key, tag + rest, associated), text)


def published_keys() -> Iterator[Call]:
    for case in read_vectors("KDF/rfc-5869-HKDF-SHA256.txt"):
        key, salt, info, result = (
            bytes.fromhex(case[name]) for name in ("IKM", "salt", "info", "OKM")
        )
        yield Call("hkdf_sha256", (key, salt, info, int(case["L"])), result)
    for case in read_vectors("KDF/scrypt.txt"):
        n, r, p = (int(case[name]) for name in ("N", "r", "p"))
        if n < 2**20:  # A gigabyte.
            secret, salt = case["PASSWORD"].encode(), case["SALT"].encode()
            yield Call("scrypt", (secret, salt, n, r, p), bytes.fromhex(case["DERIVED_KEY"]))


# --- edge cases

PRIVATE, NONCE = 3**150 % curve.L, 5**100 % curve.L
POINT = curve.times(PRIVATE, curve.BASE)
TORSION = [curve.times(n, curve.TORSION) for n in range(8)]
MESSAGES = (b"", b"\0", b"message", bytes(100_000))


def little(number: int) -> bytes:
    return number.to_bytes(32, "little")


def verify(key: bytes, signature: bytes, message: bytes = b"message") -> Call:
    return Call("ed25519_verify", (key, signature, message))


def odd_encodings() -> list[bytes]:
    """Return encodings of points that are not canonical, with either sign bit, valid or not."""
    ys = [*range(curve.P, 2**255), *{y for x, y in TORSION}]
    return [little(y + sign) for y in ys for sign in (0, 1 << 255)]


def keys_of_small_order() -> Iterator[Call]:
    """Under such a key a signature is valid if R differs from S B by the right point of the eight.

    The keys that are not canonical are among them.
    """
    nonce_point = curve.times(NONCE, curve.BASE)
    for key in odd_encodings():
        for point in TORSION:
            yield verify(key, curve.encode(point) + bytes(32))
        r = curve.encode(curve.add(nonce_point, TORSION[key[0] % 8]))
        yield verify(key, r + little(NONCE))


def keys_of_mixed_order() -> Iterator[Call]:
    for point in TORSION:
        key = curve.encode(curve.add(POINT, point))
        for number in range(10):
            message = bytes([number])
            yield verify(key, curve.signature(PRIVATE, key, message, NONCE), message)
        # R is of mixed order.
        r = curve.encode(curve.add(curve.times(NONCE, curve.BASE), point))
        yield verify(key, curve.signature(PRIVATE, key, b"message", NONCE, r))


def odd_signatures() -> Iterator[Call]:
    key = curve.encode(POINT)
    for message in MESSAGES:
        yield verify(key, curve.signature(PRIVATE, key, message, NONCE), message)
    signature = curve.signature(PRIVATE, key, b"message", NONCE)
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    for n in range(1, 16):
        yield verify(key, r + little(s + n * curve.L))
    for number in (0, 1, curve.L - 1, curve.L, curve.L + 1, 2**255 - 1, 2**256 - 1):
        yield verify(key, r + little(number))
    # The nonce is zero, so that R is the neutral element, which has several encodings.
    for r in odd_encodings():
        yield verify(key, curve.signature(PRIVATE, key, b"message", 0, r))
    # No point has this y, so that it is neither a key nor an R.
    nowhere = little(next(y for y in range(2, 99) if curve.x_of(y) is None))
    yield verify(nowhere, signature)
    yield verify(key, curve.signature(PRIVATE, key, b"message", NONCE, nowhere))
    for length in (0, 31, 33):
        yield verify(bytes(length), signature)
    for length in (0, 32, 63, 65):
        yield verify(key, (signature + b"\0")[:length])


def changed_signatures() -> Iterator[Call]:
    """Sign random messages, and change one bit of the key, of the signature or of the message."""
    source = random.Random(47)
    for _ in range(40):
        seed, message = source.randbytes(32), source.randbytes(source.randrange(300))
        parts = [openssl.ed25519_public_key(seed), openssl.ed25519_sign(seed, message), message]
        yield Call("ed25519_sign", (seed, message))
        changed = bytearray(b"".join(parts))
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
        yield verify(bytes(changed[:32]), bytes(changed[32:96]), bytes(changed[96:]))


def odd_boxes() -> Iterator[Call]:
    key = bytes(range(64))
    for length in (0, 1, 15, 16, 17, 32, 1296, 100_000):
        for associated in ([], [b""], [b"game"], [b"game", b""], [b"", b"game", bytes(40)]):
            text = bytes(length)
            box = openssl.aes_siv_encrypt(key, text, associated)
            yield Call("aes_siv_encrypt", (key, text, associated))
            yield Call("aes_siv_decrypt", (key, box, associated))
            yield Call("aes_siv_decrypt", (key, box, [*associated, b""]))
            yield Call("aes_siv_decrypt", (key, box[:-1], associated))
            yield Call("aes_siv_decrypt", (key, box[:-1] + bytes([box[-1] ^ 1]), associated))
    for length in (0, 15, 16):
        yield Call("aes_siv_decrypt", (key, bytes(length), [b"game"]))


def odd_keys() -> Iterator[Call]:
    for key, salt, info in ((b"", b"", b""), (b"key", b"", b"info"), (bytes(200), bytes(99), b"")):
        for length in (1, 32, 33, 70, 255 * 32):
            yield Call("hkdf_sha256", (key, salt, info, length))
    for secret in (b"", "neige é".encode(), b"\xff" * 200):
        yield Call("scrypt", (secret, b"acres/1 passphrase\0", 2**14, 1, 2))
    # The cost by which identities are sealed.
    yield Call("scrypt", (b"snow", bytes(32), 2**15, 8, 3))


TABLES: tuple[Callable[[], Iterable[Call]], ...] = (
    published_signatures,
    published_boxes,
    published_keys,
    keys_of_small_order,
    keys_of_mixed_order,
    odd_signatures,
    changed_signatures,
    odd_boxes,
    odd_keys,
)


# --- running both


@cache
def tables() -> dict[str, list[Call]]:
    return {table.__name__: [*table()] for table in TABLES}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the script, and the packages that it imports."""
    if shutil.which("node") is None:
        skip_without("node", "nodejs")
    if not (PACKAGES / "@noble").is_dir():
        skip_or_fail(
            "npm packages are missing (mkdir -p build; cp -r pbem/web/site/npm build; "
            "npm --prefix build/npm ci)"
        )
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(SITE / "assets", folder / "assets")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "noble").symlink_to(PACKAGES / "@noble")
    (folder / "pyodide").symlink_to(PACKAGES / "pyodide")
    return folder


def plain(value: object) -> object:
    """Return a value as JSON has it, with bytes in hexadecimal."""
    if isinstance(value, list | tuple):
        return [*map(plain, value)]
    return value.hex() if isinstance(value, bytes) else value


def run(site: Path, calls: Iterable[Call], *root: Path) -> list[object]:
    """Return the results of calls of the script, or of Python in Pyodide if a root is passed."""
    answer = subprocess.run(
        ["node", RUNNER, site, *root],
        input=json.dumps([[call.name, plain(call.arguments)] for call in calls]),
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    results: list[object] = json.loads(answer.stdout)
    return results


@pytest.fixture(scope="module")
def noble_results(site: Path) -> dict[str, list[object]]:
    """Return the results of all tables, by the name of the table."""
    results = iter(run(site, [call for calls in tables().values() for call in calls]))
    return {name: [next(results) for _ in calls] for name, calls in tables().items()}


@pytest.fixture(scope="module", params=[table.__name__ for table in TABLES])
def table(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_openssl_gives_published_results(table: str) -> None:
    for name, arguments, expected in tables()[table]:
        if expected is not None:
            assert getattr(openssl, name)(*arguments) == expected, arguments


def test_back_ends_give_equal_results(table: str, noble_results: dict[str, list[object]]) -> None:
    for (name, arguments, _), result in zip(tables()[table], noble_results[table], strict=True):
        expected = plain(getattr(openssl, name)(*arguments))
        assert result == expected, (name, plain(arguments))


@pytest.mark.parametrize(
    "table", ["keys_of_small_order", "keys_of_mixed_order", "odd_signatures", "odd_boxes"]
)
def test_edge_cases_are_of_both_kinds(table: str) -> None:
    """Some of them are accepted, and some refused."""
    results = [getattr(openssl, name)(*arguments) for name, arguments, _ in tables()[table]]
    assert any(results)
    assert any(result in (None, False) for result in results)


@pytest.mark.slow
def test_pyodide_gives_equal_results(site: Path, noble_results: dict[str, list[object]]) -> None:
    """The calls pass from Python to the script and back: fewer of the published ones suffice."""
    chosen = {
        name: slice(0, 80) if name == "published_signatures" else slice(None) for name in tables()
    }
    calls = [call for name, calls in tables().items() for call in calls[chosen[name]]]
    expected = [value for name, values in noble_results.items() for value in values[chosen[name]]]
    assert run(site, calls, ROOT) == expected
