"""The rate at which a wrong deck is caught at its opening: `python -m tests.attacks.catch_rate`.

The owner makes one of the K lists from better cards. An honest opponent's secret grants one list,
and all others are opened, so the wrong deck passes once in K times. A wrong deck that passed is
detected when the game secret is published.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from pbem.errors import DeckError
from pbem.protocol.deck import GrantStream, commit, root_seed, verify_opening
from tests.attacks.programs import doctored_commitment, doctored_opening, duplicate_first_card

CARDS = [f"card-{i:02}" for i in range(10)]
SHUFFLES = 4000
SIZES = (2, 4, 8, 16)


class Rate(NamedTuple):
    """The numbers of wrong decks that are caught at the opening and at the close."""

    lists: int
    shuffles: int
    at_opening: int
    at_close: int

    @property
    def expected(self) -> float:
        """The mean number of decks caught at the opening, 1 - 1/K of all."""
        return self.shuffles * (1 - 1 / self.lists)

    @property
    def deviations(self) -> float:
        """The distance from the mean, in standard deviations of the binomial distribution."""
        p = 1 / self.lists
        return float(abs(self.at_opening - self.expected) / (self.shuffles * p * (1 - p)) ** 0.5)


def measure(lists: int, shuffles: int = SHUFFLES) -> Rate:
    """Make and open `shuffles` wrong decks; the place of the doctored list changes each time."""
    random = Random(f"catch rate {lists}")
    better, at_opening, at_close = duplicate_first_card(CARDS), 0, 0
    for trial in range(shuffles):
        secret, previous, place = random.randbytes(32), random.randbytes(32), trial % lists
        seed = root_seed(secret, 0, previous)
        commitment = doctored_commitment(seed, CARDS, better, lists, place)
        chosen = GrantStream(random.randbytes(32), random.randbytes(32)).pick_list(lists)
        opening = doctored_opening(seed, CARDS, better, lists, place, chosen)
        try:
            verify_opening(commitment, CARDS, lists, chosen, opening)
        except DeckError:
            at_opening += 1
        else:
            at_close += commit(root_seed(secret, 0, previous), CARDS, lists) != commitment
    return Rate(lists, shuffles, at_opening, at_close)


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "   K  shuffles  found at the opening  1 - 1/K   off by  found at the close"
    for lists in SIZES:
        rate = measure(lists)
        share = f"{rate.at_opening / rate.shuffles:.4f}"
        yield (
            f"{lists:4}  {rate.shuffles:8}  {share:>20}  {1 - 1 / lists:7.4f}  "
            f"{rate.deviations:.1f} sd  {rate.at_close:18}"
        )


if __name__ == "__main__":
    for row in rows():
        print(row)
