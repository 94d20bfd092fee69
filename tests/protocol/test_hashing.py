"""Tags are distinct and specified, and bytes have one encoding."""

import hashlib
import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.primitives import Tag, derive, stretch, tagged_hash, tagged_hashes, tagged_xof
from pbem.protocol.schema import decode_bytes, encode_bytes
from tests.vectors import naive

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"


def test_no_tag_is_the_beginning_of_another() -> None:
    for one, other in itertools.permutations(Tag, 2):
        assert not other.value.startswith(one.value)


def test_specification_lists_all_tags() -> None:
    tags = re.findall(
        r"^\| `([a-z ]+)` \| (?:SHA|Ed|HKDF|SHAKE|scrypt)", PROTOCOL.read_text(), re.M
    )
    assert [b"acres/1 " + name.encode() + b"\0" for name in tags] == [tag.value for tag in Tag]


@given(st.binary(), st.binary())
def test_hashes_match_the_specification(a: bytes, b: bytes) -> None:
    assert tagged_hash(Tag.SLOT, a, b) == naive.sha(b"slot", a + b)
    assert tagged_hashes(Tag.SLOT, [a, b], [b, a]) == [
        naive.sha(b"slot", a + b),
        naive.sha(b"slot", b + a),
    ]
    assert tagged_xof(Tag.NODE, a, b, length=99) == naive.shake(b"node", a + b, 99)
    assert derive(Tag.BOX, b"k" + a, salt=b, context=a, length=70) == naive.hkdf(
        b"k" + a, b, b"acres/1 box\0" + a, 70
    )


def test_stretched_passphrase_is_scrypt_of_a_tagged_salt() -> None:
    expected = hashlib.scrypt(b"snow", salt=b"acres/1 passphrase\0salt", n=16, r=8, p=1)
    assert stretch(Tag.PASSPHRASE, "snow", salt=b"salt", n=16, r=8, p=1) == expected


@given(st.binary())
def test_encoded_bytes_round_trip(data: bytes) -> None:
    assert decode_bytes(encode_bytes(data)) == data


@given(st.text("AB_-=+/ \n", max_size=9))
def test_encoding_of_bytes_is_canonical(text: str) -> None:
    try:
        assert encode_bytes(decode_bytes(text)) == text
    except ValueError as refused:
        assert str(refused) == "not canonical base64url"


@pytest.mark.parametrize("text", ["A", "AB", "AAB", "AA==", "AA=", "A A", "AAAA\n", "AA+A", "é"])
def test_other_encodings_of_bytes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="canonical"):
        decode_bytes(text)
