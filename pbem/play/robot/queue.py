"""Who waits for a place at the robot's table, and in which order places are given away.

First come, first served; but a player who already has a game or an earlier invitation waits until
all the others have had a turn. So nobody gets a place sooner by inviting the robot often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pbem.library.guest_book import Guest, Waiting

MOST_WAITING = 1000
"""How many invitations wait at once."""


def in_order(waiting: Iterable[Waiting], seated: Iterable[Guest]) -> list[Waiting]:
    """Who waits, the next one first, where these have the places."""
    turns: Counter[bytes | str] = Counter()
    for guest in seated:
        turns.update((guest.key, guest.sender))
    rounds: list[tuple[int, Waiting]] = []
    for each in waiting:
        rounds.append((max(turns[each.guest], turns[each.sender]), each))
        turns.update((each.guest, each.sender))
    # Those of one round stay as they came.
    return [each for _, each in sorted(rounds, key=lambda each: each[0])]


def may_wait(waiting: Iterable[Waiting], guest: bytes, sender: str, each: int) -> bool:
    """Whether another invitation by that key, from that address, may wait: `each` with one."""
    there = list(waiting)
    by_key = sum(one.guest == guest for one in there)
    by_sender = sum(one.sender == sender for one in there)
    return len(there) < MOST_WAITING and max(by_key, by_sender) < each
