"""Sealed boxes open only for their owner, at their game and record."""

from collections.abc import Sequence

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from hypothesis import given
from hypothesis import strategies as st

from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.errors import DamagedBoxError, UsageError
from pbem.protocol.identity import BLOCK_SIZE, MAX_SEALED, BoxContents, Identity, seal, unseal
from tests.vectors import naive

KEY, GAME, RECORD = bytes([1]) * 64, bytes([2]) * 32, bytes([3]) * 32
CONTENTS = BoxContents(("boston", "ships"), "Watch Pemaquid.\nDraft Rangers é.")


@given(
    st.lists(st.sampled_from(["boston", "new-york", "st. mary's"])),
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=4000),
)
def test_box_round_trips(hand: Sequence[str], notes: str) -> None:
    contents = BoxContents(tuple(hand), notes)
    sealed = seal(contents, KEY, GAME, RECORD)
    assert unseal(sealed, KEY, GAME, RECORD) == contents
    assert len(sealed) % BLOCK_SIZE == 16
    assert len(sealed) <= MAX_SEALED


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("side", list(Side))
def test_length_does_not_reveal_the_hand(side: Side, edition: str) -> None:
    """Boxes with notes of equal length have one length, from an empty hand to forty cards."""
    names = sorted(Ruleset.of(edition).catalogue.cards[side], key=len)
    hands = [(), names[:1], names[-1:], names[:5], names[-5:], names[:12], names[-12:], names[-40:]]
    for length in range(0, 400, 7):
        notes = "x" * length
        assert len({len(seal(BoxContents(tuple(h), notes), KEY, GAME, RECORD)) for h in hands}) == 1


def test_length_reveals_only_blocks_of_notes() -> None:
    lengths = [len(seal(BoxContents((), "x" * n), KEY, GAME, RECORD)) for n in range(1500)]
    assert lengths == sorted(lengths)
    assert {lengths.count(length) for length in set(lengths[300:1200])} == {BLOCK_SIZE}


def test_box_of_an_earlier_version_is_read() -> None:
    """Earlier versions padded hand and notes together."""
    text = naive.canonical({"hand": ["boston", "ships"], "notes": CONTENTS.notes})
    for blocks in range(1, 97):
        box = AESSIV(KEY).encrypt(text.ljust(blocks * 256), [GAME, RECORD])
        assert unseal(box, KEY, GAME, RECORD) == CONTENTS


def test_box_opens_only_with_its_key_game_and_record() -> None:
    sealed = seal(CONTENTS, KEY, GAME, RECORD)
    for key, game, record in (
        (GAME * 2, GAME, RECORD),
        (KEY, RECORD, RECORD),
        (KEY, GAME, GAME),
        (KEY, RECORD, GAME),
    ):
        with pytest.raises(DamagedBoxError):
            unseal(sealed, key, game, record)
    for i in range(len(sealed)):
        with pytest.raises(DamagedBoxError):
            unseal(sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :], KEY, GAME, RECORD)
    for damaged in (b"", sealed[:15], sealed[:16], sealed[:-1], sealed + b"\0"):
        with pytest.raises(DamagedBoxError):
            unseal(damaged, KEY, GAME, RECORD)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"hand":[1],"notes":""}', b"\xff"])
def test_sealed_nonsense_is_damage(text: bytes) -> None:
    sealed = AESSIV(KEY).encrypt(text.ljust(BLOCK_SIZE), [GAME, RECORD])
    with pytest.raises(DamagedBoxError):
        unseal(sealed, KEY, GAME, RECORD)


@pytest.mark.parametrize(
    "contents", [BoxContents(("",), ""), BoxContents((), "x" * 4001), BoxContents(("x",) * 256, "")]
)
def test_unreadable_contents_are_not_sealed(contents: BoxContents) -> None:
    with pytest.raises(ValueError, match=r"."):
        seal(contents, KEY, GAME, RECORD)


def test_oversized_contents_are_not_sealed() -> None:
    hand = ("x" * 64,) * 127
    notes = "\U0001f600" * 4000
    assert len(seal(BoxContents(hand, notes), KEY, GAME, RECORD)) == MAX_SEALED
    with pytest.raises(UsageError, match="too long"):
        seal(BoxContents((*hand, "x" * 64), notes), KEY, GAME, RECORD)


def test_published_game_secret_opens_no_box() -> None:
    anne, nonce = Identity("Anne", "", bytes(32)), bytes([7]) * 32
    secret = anne.game_secret(nonce)
    sealed = seal(CONTENTS, anne.box_key(nonce), GAME, RECORD)
    for key in (secret * 2, naive.hkdf(secret, b"", b"acres/1 box\0", 64)):
        with pytest.raises(DamagedBoxError):
            unseal(sealed, key, GAME, RECORD)
