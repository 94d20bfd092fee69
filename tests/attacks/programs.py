"""Programs that cheat when they shuffle or grant; their records look valid.

Each is a `Program` for `cheats.duel`, and plays on with the cards that it gave itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import count

from engine import game
from engine.chance import ImpossibleChanceError, Reveal
from engine.sides import Side
from engine.state import State
from pbem.protocol.deck import (
    GrantAnswer,
    GrantRequest,
    GrantStream,
    Opening,
    _commitment,
    _leaves,
    _list_hashes,
    derive_list,
    open_lists,
    root_seed,
)
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import NO_RECORD
from tests.attacks.cheats import UNCHECKED, Program, UncheckedDraft, program_with_draft

Seed = Callable[[bytes, int, bytes], bytes]


def program_with_seeds(seed: Seed) -> Program:
    """Return a program that takes the root seeds of shuffles from this function."""
    return {**UNCHECKED, "pbem.play.turn.root_seed": seed, "pbem.protocol.hand.root_seed": seed}


def choose_seed(secret: bytes, epoch: int, previous: bytes) -> bytes:
    """Return a chosen seed, the same in every game."""
    return bytes([epoch]) * 32


def shuffle_until_good() -> Program:
    """Return a program that shuffles again until the first list begins with its favourite card."""
    seeds: dict[tuple[int, bytes], bytes] = {}

    def seed_of(secret: bytes, epoch: int, previous: bytes) -> bytes:
        return seeds.get((epoch, previous)) or root_seed(secret, epoch, previous)

    class Reroller(UncheckedDraft):
        def shuffle(self, discard: Iterable[str]) -> None:
            deck = self.match.decks[Side(self.author)]
            cards = sorted(discard)
            at = (deck.next_epoch, self.match.last.hash if self.match.records else NO_RECORD)
            for again in count():
                seeds[at] = root_seed(self.secret, 10_000 + again, at[1])
                (first, _), *_ = derive_list(seeds[at], cards, deck.lists, 0)
                if first == cards[0]:
                    break
            super().shuffle(cards)

    return {**program_with_seeds(seed_of), **program_with_draft(Reroller)}


# --- wrong cards


def duplicate_first_card(cards: Sequence[str]) -> list[str]:
    """Return the cards with the last one replaced by a copy of the first."""
    return sorted([cards[0], *cards[:-1]])


def doctored_commitment(
    seed: bytes, cards: Sequence[str], better: Sequence[str], lists: int, place: int
) -> bytes:
    """Return the commitment of a shuffle in which one list is made from better cards."""
    leaves = _leaves(seed, lists)
    hashes = _list_hashes(leaves, cards)
    hashes[place : place + 1] = _list_hashes(leaves[place : place + 1], better)
    return _commitment(cards, hashes)


def doctored_opening(
    seed: bytes, cards: Sequence[str], better: Sequence[str], lists: int, place: int, chosen: int
) -> Opening:
    """Return the best opening of such a shuffle; it is valid if the doctored list was granted."""
    return open_lists(seed, better if chosen == place else cards, lists, chosen)


def _reveal_plausible_cards(cards: HiddenCards, state: State) -> None:
    """Reveal the hand except for second copies, which no reader would accept."""
    for slot in sorted(state.players[cards.side].hidden):
        with suppress(ImpossibleChanceError):
            game.apply(state, Reveal(cards.side, slot, cards.lookup(slot)[0]))


def program_with_doctored_list(place: int = 0) -> Program:
    """Return a program that replaces a card in one of the K lists of every shuffle."""

    def commit_doctored(seed: bytes, cards: Sequence[str], lists: int) -> bytes:
        return doctored_commitment(seed, cards, duplicate_first_card(cards), lists, place)

    def open_doctored(seed: bytes, cards: Sequence[str], lists: int, chosen: int) -> Opening:
        return doctored_opening(seed, cards, duplicate_first_card(cards), lists, place, chosen)

    def derive_doctored(
        seed: bytes, cards: Sequence[str], lists: int, chosen: int
    ) -> list[tuple[str, bytes]]:
        held = duplicate_first_card(cards) if chosen == place else cards
        return derive_list(seed, held, lists, chosen)

    return {
        **UNCHECKED,
        "pbem.play.turn.commit": commit_doctored,
        "pbem.play.turn.open_lists": open_doctored,
        "pbem.protocol.hand.derive_list": derive_doctored,
        "pbem.protocol.hand.HiddenCards.reveal": _reveal_plausible_cards,
    }


# --- chosen grants


class LowestGrants(GrantStream):
    """A stream that grants the first list and the lowest slots."""

    def _uniform(self, n: int) -> int:
        return 0


class AnotherStream(GrantStream):
    """A stream that begins with the second word."""

    def __init__(self, secret: bytes, asked_in: bytes) -> None:
        super().__init__(secret, asked_in)
        next(self._words)


class FreshStreams(GrantStream):
    """A stream that begins again for every grant of a record."""

    def __init__(self, secret: bytes, asked_in: bytes) -> None:
        self._begin = (secret, asked_in)
        super().__init__(secret, asked_in)

    def answer(self, request: GrantRequest) -> GrantAnswer:
        return GrantStream(*self._begin).answer(request)


def program_with_grants(grants: type[GrantStream]) -> Program:
    """Return a program that grants draws by another stream than the game secret's."""
    return {**UNCHECKED, "pbem.play.turn.GrantStream": grants}
