"""Bech32m: the examples of BIP 350, and what its checksum promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.play.identity.bech32m import ALPHABET, bytes_of, checksum, is_valid, symbols_of
from tests.vectors import naive

VALID = [
    "a1lqfn3a",
    "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
    "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    "11" + "l" * 82 + "ludsr8",
    "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
    "?1v759aa",
]
# A checksum of Bech32, without the m, and one that does not hold.
INVALID = ["a12uel5l", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "m1vuxwez"]

symbols = st.text(ALPHABET, min_size=1, max_size=40)


@pytest.mark.parametrize("string", VALID)
def test_the_examples_hold(string: str) -> None:
    prefix, _, data = string.rpartition("1")
    assert is_valid(prefix, data)
    assert checksum(prefix, data[:-6]) == data[-6:]


@pytest.mark.parametrize("string", INVALID)
def test_the_counterexamples_do_not(string: str) -> None:
    prefix, _, data = string.rpartition("1")
    assert not is_valid(prefix, data)


@given(symbols, st.data())
def test_up_to_four_wrong_symbols_are_found(data: str, draw: st.DataObject) -> None:
    whole = data + checksum("acres1", data)
    assert naive.is_bech32m(f"acres11{whole}")
    places = st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=4, unique=True)
    wrong = list(whole)
    for at in draw.draw(places):
        wrong[at] = draw.draw(st.sampled_from(ALPHABET.replace(wrong[at], "")))
    assert not is_valid("acres1", "".join(wrong))


@given(st.binary(min_size=1, max_size=70), st.integers(0, 9))
def test_bytes_come_back(data: bytes, more: int) -> None:
    count = -(-8 * len(data) // 5) + more
    written = symbols_of(data, count)
    assert len(written) == count
    assert bytes_of(written, len(data)) == data


def test_what_follows_the_bytes_is_zero() -> None:
    assert bytes_of("qqq", 1) == b"\0"
    for rest in ("qqp", "qpq"):
        with pytest.raises(ValueError, match="more"):
            bytes_of(rest, 1)
