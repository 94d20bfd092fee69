"""Sealed boxes: for their owner, in this game, at this record."""

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from hypothesis import given
from hypothesis import strategies as st

from pbem.box import BLOCK, MAX_SEALED, Contents, seal, unseal
from pbem.errors import BoxDamaged
from tests.vectors import naive

SECRET, GAME, RECORD = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32
CONTENTS = Contents(("boston", "ships"), "Watch Pemaquid.\nDraft Rangers é.")


def test_it_is_what_the_specification_says():
    sealed = seal(CONTENTS, SECRET, GAME, RECORD)
    key = naive.hkdf(SECRET, b"", b"acres/1 box\0", 64)
    text = naive.canonical({"hand": ["boston", "ships"], "notes": CONTENTS.notes})
    assert AESSIV(key).decrypt(sealed, [GAME, RECORD]) == text + b" " * (BLOCK - len(text))


@given(
    st.lists(st.sampled_from(["boston", "new-york", "st. mary's"])),
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=4000),
)
def test_what_was_sealed_is_read_again(hand, notes):
    contents = Contents(tuple(hand), notes)
    sealed = seal(contents, SECRET, GAME, RECORD)
    assert unseal(sealed, SECRET, GAME, RECORD) == contents
    assert len(sealed) % BLOCK == 16
    assert len(sealed) <= MAX_SEALED


def test_the_length_does_not_tell_the_hand():
    hands = [("a",) * size for size in range(30)]
    assert len({len(seal(Contents(hand, ""), SECRET, GAME, RECORD)) for hand in hands}) == 1


def test_a_box_opens_for_nobody_else_and_nowhere_else():
    sealed = seal(CONTENTS, SECRET, GAME, RECORD)
    for secret, game, record in (
        (GAME, GAME, RECORD),
        (SECRET, RECORD, RECORD),
        (SECRET, GAME, GAME),
        (SECRET, RECORD, GAME),
    ):
        with pytest.raises(BoxDamaged):
            unseal(sealed, secret, game, record)
    for i in range(len(sealed)):
        with pytest.raises(BoxDamaged):
            unseal(sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :], SECRET, GAME, RECORD)
    for damaged in (b"", sealed[:15], sealed[:16], sealed[:-1], sealed + b"\0"):
        with pytest.raises(BoxDamaged):
            unseal(damaged, SECRET, GAME, RECORD)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"hand":[1],"notes":""}', b"\xff"])
def test_sealed_nonsense_is_damage_too(text):
    sealed = AESSIV(naive.hkdf(SECRET, b"", b"acres/1 box\0", 64)).encrypt(
        text.ljust(BLOCK), [GAME, RECORD]
    )
    with pytest.raises(BoxDamaged):
        unseal(sealed, SECRET, GAME, RECORD)


@pytest.mark.parametrize("contents", [Contents(("",), ""), Contents((), "x" * 4001)])
def test_nothing_is_sealed_that_would_not_be_read(contents):
    with pytest.raises(ValueError, match=r"."):
        seal(contents, SECRET, GAME, RECORD)
