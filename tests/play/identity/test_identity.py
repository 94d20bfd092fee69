"""Identities, and the identity file."""

from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.errors import InputError, UsageError
from pbem.play import keyfile
from pbem.protocol.identity import (
    _SMALL_ORDER,
    Identity,
    is_proper_key,
    is_valid_signature,
    secret_hash,
)
from pbem.protocol.primitives import Tag
from tests.play.identity.passphrases import never
from tests.protocol import curve
from tests.requirements import require
from tests.vectors import naive

SEED = bytes(range(32))


@pytest.fixture
def zoe() -> Identity:
    return Identity("Zoé", "zoe@example.org", SEED)


def test_keys_and_secrets_follow_the_specification(zoe: Identity) -> None:
    # RFC 8032, section 7.1, test 1.
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert Identity("A", "", seed).public_key.hex() == public
    nonce = bytes(32)
    assert zoe.game_secret(nonce) == naive.game_secret(SEED, nonce)
    assert zoe.box_key(nonce) == naive.box_key(SEED, nonce)
    assert secret_hash(SEED) == naive.sha(b"secret hash", SEED)


def test_signature_covers_the_tag(zoe: Identity) -> None:
    signature = zoe.sign(Tag.SIGNATURE, b"message")
    key = Ed25519PublicKey.from_public_bytes(zoe.public_key)
    key.verify(signature, b"acres/1 signature\0message")
    with pytest.raises(InvalidSignature):
        key.verify(signature, b"message")
    assert is_valid_signature(zoe.public_key, Tag.SIGNATURE, b"message", signature)
    assert not is_valid_signature(zoe.public_key, Tag.RECORD, b"message", signature)
    assert not is_valid_signature(zoe.public_key, Tag.SIGNATURE, b"massage", signature)
    assert not is_valid_signature(zoe.public_key, Tag.SIGNATURE, b"message", bytes(64))
    other = Identity.generate("B", "").public_key
    assert not is_valid_signature(other, Tag.SIGNATURE, b"message", signature)


def test_only_keys_of_small_order_are_refused() -> None:
    """These are the points P with 8P = 0 on the curve of RFC 8032, with either sign bit."""
    points = [curve.times(n, curve.TORSION) for n in range(8)]
    assert len(set(points)) == 8
    assert {y for _, y in points} == _SMALL_ORDER
    for _, y in points:
        for sign in (0, 1 << 255):
            assert not is_proper_key((y + sign).to_bytes(32, "little"))


def test_keys_that_are_not_written_canonically_are_refused() -> None:
    for y in range(curve.P, 2**255):
        for sign in (0, 1 << 255):
            assert not is_proper_key((y + sign).to_bytes(32, "little"))
    assert is_proper_key((curve.P - 2).to_bytes(32, "little"))
    assert is_proper_key((2).to_bytes(32, "little"))


@pytest.mark.parametrize("key", [b"\1" + bytes(31), b"\xee" + b"\xff" * 30 + b"\x7f"])
def test_signature_by_a_key_of_small_order_is_refused(key: bytes) -> None:
    """With R the neutral element and S zero, the equation holds for the key 1 and any message."""
    signature = b"\1" + bytes(63)
    Ed25519PublicKey.from_public_bytes(key).verify(signature, b"acres/1 signature\0message")
    assert not is_valid_signature(key, Tag.SIGNATURE, b"message", signature)


# --- signatures on which Ed25519 programs differ (docs/protocol.md, Identity)

PRIVATE, NONCE = 3**150 % curve.L, 5**100 % curve.L
HONEST = curve.encode(curve.times(PRIVATE, curve.BASE))
MIXED = curve.encode(curve.add(curve.times(PRIVATE, curve.BASE), curve.TORSION))
NEUTRAL = b"\1" + bytes(31)


def is_valid(key: bytes, message: bytes, signature: bytes) -> bool:
    return is_valid_signature(key, Tag.SIGNATURE, message, signature)


def craft_signature(
    key: bytes, message: bytes, nonce: int = NONCE, r: bytes | None = None
) -> bytes:
    return curve.signature(PRIVATE, key, b"acres/1 signature\0" + message, nonce, r)


def test_only_the_smallest_scalar_is_accepted() -> None:
    signature = craft_signature(HONEST, b"message")
    assert is_valid(HONEST, b"message", signature)
    scalar = int.from_bytes(signature[32:], "little")
    for n in range(1, 16):
        other = signature[:32] + (scalar + n * curve.L).to_bytes(32, "little")
        assert not is_valid(HONEST, b"message", other)


@pytest.mark.slow
def test_equation_is_checked_without_the_cofactor() -> None:
    """With the key or R changed by a point of order 8, only eight times the equation holds."""
    r = curve.add(curve.times(NONCE, curve.BASE), curve.TORSION)
    assert not is_valid(HONEST, b"message", craft_signature(HONEST, b"message", r=curve.encode(r)))
    counts = {False: 0, True: 0}
    for number in range(40):
        message = bytes([number])
        signature = craft_signature(MIXED, message)
        k = curve.challenge(signature[:32], MIXED, b"acres/1 signature\0" + message)
        counts[k % 8 == 0] += 1
        assert is_valid(MIXED, message, signature) == (k % 8 == 0)
    assert all(counts.values())


@pytest.mark.parametrize(
    "r", [b"\1" + bytes(30) + b"\x80", b"\xee" + b"\xff" * 30 + b"\x7f", b"\xee" + b"\xff" * 31]
)
def test_r_has_one_valid_encoding(r: bytes) -> None:
    """R is the neutral element if its scalar is zero, and other encodings of it are refused."""
    assert is_valid(HONEST, b"message", craft_signature(HONEST, b"message", 0, NEUTRAL))
    assert not is_valid(HONEST, b"message", craft_signature(HONEST, b"message", 0, r))


@pytest.mark.parametrize("passphrase", [None, "acres of snow", "neige é"])
def test_saved_identity_can_be_loaded(
    zoe: Identity, tmp_path: Path, passphrase: str | None
) -> None:
    path = tmp_path / "identity.toml"
    keyfile.save(zoe, path, passphrase)
    loaded = keyfile.load(path, never if passphrase is None else lambda: require(passphrase))
    assert (loaded.name, loaded.email, loaded.seed) == (zoe.name, zoe.email, zoe.seed)
    assert (naive.b64(SEED) in path.read_text()) == (passphrase is None)


def test_identity_is_not_replaced(zoe: Identity, tmp_path: Path) -> None:
    path = tmp_path / "identity.toml"
    keyfile.save(zoe, path)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="already"):
        keyfile.save(Identity.generate("B", ""), path)
    assert path.read_bytes() == before


def test_passphrases_are_normalized(zoe: Identity, tmp_path: Path) -> None:
    keyfile.save(zoe, tmp_path / "identity.toml", "é")
    assert keyfile.load(tmp_path / "identity.toml", lambda: "e\u0301").seed == SEED


@pytest.mark.parametrize("passphrase", [None, "right"])
def test_damaged_identity_is_reported(
    zoe: Identity, tmp_path: Path, passphrase: str | None
) -> None:
    path = tmp_path / "identity.toml"
    keyfile.save(zoe, path, passphrase)
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    damaged = ["", "\0", "[" * 9999, text.replace("version = 1", "version = 2"), text + "x = 1\n"]
    damaged += ["".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines))]
    damaged += [text.replace('key = "', 'key = "A'), text.replace("acres-identity", "acres-save")]
    other = naive.b64(Identity("", "", bytes(32)).public_key)
    damaged.append(text.replace(naive.b64(zoe.public_key), other))
    for number, content in enumerate(damaged):
        path.write_text(content)
        with pytest.raises((InputError, UsageError) if number == len(damaged) - 1 else InputError):
            keyfile.load(path, lambda: "right")


@pytest.mark.parametrize("name", ["", " A", "A ", "A\nB", "A\u202eB", "A\0", "x" * 61])
def test_name_is_one_line_of_visible_text(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="name must"):
        keyfile.save(Identity(name, "", SEED), tmp_path / "identity.toml")
    assert not (tmp_path / "identity.toml").exists()
