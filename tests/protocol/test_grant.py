"""Grants follow the specification, are uniformly distributed, and leave no choice."""

from collections import Counter

import pytest

from pbem.protocol.deck import GrantStream
from tests.vectors import naive

SECRET = bytes(range(32))


def previous(i: int) -> bytes:
    return naive.sha(b"test", str(i).encode())


def test_long_grant_continues_the_stream() -> None:
    assert naive.grant(SECRET, previous(1), 4, range(255), 200) == (
        (grants := GrantStream(SECRET, previous(1))).pick_list(4),
        [*grants.pick_slots(range(255), 200)],
    )


def test_grant_depends_on_the_record_alone() -> None:
    answers = [tuple(GrantStream(SECRET, previous(i)).pick_slots(range(30), 5)) for i in (0, 0, 1)]
    assert answers[0] == answers[1] != answers[2]


def test_every_hand_is_equally_likely() -> None:
    streams = (GrantStream(SECRET, previous(i)) for i in range(5000))
    hands = Counter(tuple(stream.pick_slots(range(5), 2)) for stream in streams)
    assert len(hands) == 10
    assert sum((count - 500) ** 2 / 500 for count in hands.values()) < 27.9  # 9 degrees, 1 in 1000


def test_every_list_is_equally_likely() -> None:
    chosen = Counter(GrantStream(SECRET, previous(i)).pick_list(8) for i in range(4000))
    assert sum((chosen[j] - 500) ** 2 / 500 for j in range(8)) < 24.3  # 7 degrees, 1 in 1000


def test_words_past_the_last_multiple_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """For n = 10 the last multiple is 2^64 - 6, and every word below it counts."""
    words = iter([2**64 - 1, 2**64 - 6, 7, 2**64 - 7])
    monkeypatch.setattr("pbem.protocol.deck._words", lambda *_: words)
    grants = GrantStream(SECRET, previous(0))
    assert grants.pick_slots(range(10), 1) == [7]
    assert grants.pick_slots(range(10), 1) == [9]
