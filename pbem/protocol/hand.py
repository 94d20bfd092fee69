"""What the holder of a game secret knows of that side's cards.

docs/protocol.md, A shuffle.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import game
from engine.chance import Reveal
from engine.sides import Side
from engine.state import Slot, State
from pbem.protocol.deck import chosen_list, root_seed
from pbem.protocol.match import Match


class HiddenCards:
    """The cards of `side` in the shuffles of a match: the card and the nonce at each slot.

    `secret` is that side's game secret. What it tells of a match holds for the match at any earlier
    record too.
    """

    def __init__(self, match: Match, side: Side, secret: bytes) -> None:
        self.match = match
        self.side = side
        self._secret = secret
        self._lists: dict[int, list[tuple[str, bytes]]] = {}

    def at(self, slot: Slot) -> tuple[str, bytes]:
        """The card in a slot of a shuffle that was granted, and its nonce."""
        epoch = slot.epoch
        if epoch not in self._lists:
            deck = self.match.decks[self.side]
            chosen = deck.chosen(epoch)
            assert chosen is not None
            seed = shuffle_seed(self.match, self.side, self._secret, epoch)
            self._lists[epoch] = chosen_list(seed, deck.cards(epoch), deck.lists, chosen)
        return self._lists[epoch][slot.position]

    def reveal(self, state: State) -> None:
        """Reveal the hidden hand of that side in a state of this match."""
        for slot in sorted(state.players[self.side].hidden):
            game.apply(state, Reveal(self.side, slot, self.at(slot)[0]))

    def names(self, slots: Iterable[tuple[int, int]]) -> list[str]:
        """The cards in these slots."""
        return [self.at(Slot(*slot))[0] for slot in slots]


def shuffle_seed(match: Match, side: Side, secret: bytes, epoch: int) -> bytes:
    """The root seed of a past shuffle of `side`, whose game secret this is."""
    return root_seed(secret, epoch, match.table.shuffles[side][epoch].previous)
