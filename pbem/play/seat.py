"""A seat: one player's place in a match, with what only that player knows.

docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections import Counter
from struct import pack

from engine.sides import Side
from engine.slot import Slot
from engine.state import State
from pbem.errors import WrongUse
from pbem.protocol.hand import HiddenCards
from pbem.protocol.hashing import Tag, tagged_hash
from pbem.protocol.identity import Identity, secret_hash
from pbem.protocol.match import Match


class Seat:
    """The place of `identity` in a match: its side, its game secret, its hidden cards.

    Raises WrongUse where that identity is not one of the players.
    """

    def __init__(self, match: Match, identity: Identity) -> None:
        self.match = match
        self.identity = identity
        self.side = _side_of(match, identity)
        self.secret = identity.game_secret(self.nonce)
        if secret_hash(self.secret) != match.entrants[self.side].secret_hash:
            raise WrongUse("This game was entered with another key under your name.")
        self.cards = HiddenCards(match, self.side, self.secret)

    @property
    def nonce(self) -> bytes:
        """What this player's game secret was salted with."""
        return self.match.entrants[self.side].nonce

    @property
    def box_key(self) -> bytes:
        """What this player's sealed boxes in this game open with."""
        return self.identity.box_key(self.nonce)

    @property
    def is_to_write(self) -> bool:
        """Whether the next record is this player's."""
        return self.match.next_side is self.side

    def hidden_cards(self) -> dict[Slot, tuple[str, bytes]]:
        """The cards that this player holds and has not shown: card and nonce by slot, ascending."""
        slots = self.match.state.players[self.side].hidden
        return {slot: self.cards.at(slot) for slot in sorted(slots)}

    def holding(self, cards: Counter[str]) -> list[Slot]:
        """The hidden slots that are shown for these cards, ascending; of equal ones any.

        Which of them, nobody else can foresee, and it tells nothing of the others.
        """
        found = []
        of_each: dict[str, list[Slot]] = {}
        for slot, (card, _) in self.hidden_cards().items():
            of_each.setdefault(card, []).append(slot)
        for card, count in cards.items():
            equal = of_each.get(card, [])
            # Where there is nothing to choose from, nothing is reckoned: this is asked often.
            found += equal if len(equal) <= count else sorted(equal, key=self._rank)[:count]
        return sorted(found)

    def _rank(self, slot: Slot) -> bytes:
        """Where a hidden card stands among equal ones: at random, as anybody else sees it.

        It is the same again in whatever is drafted after one record, so that a record which is
        signed in place of another shows the same cards. Cards that come meanwhile mix with those
        that were left: else what is shown would tell old ones from new ones.
        """
        drawn = self.match.decks[self.side].drawn
        place = pack(">3L", drawn, *slot)
        return tagged_hash(Tag.SHOWN_CARD, self.secret, self.match.last.hash, place)

    def cards_ahead(self) -> list[str]:
        """The next cards of the player's draw pile, where the other side has named them ahead."""
        deck = self.match.decks[self.side]
        # Until the owner has opened the lists of a new shuffle nobody goes by its cards.
        return [] if deck.owes_opening is not None else self.cards.names(deck.ahead)

    def view(self) -> State:
        """The position as this player sees it: the referee's, with the player's own hand known."""
        state = self.match.state.copy()
        self.cards.reveal(state)
        return state


def _side_of(match: Match, identity: Identity) -> Side:
    for side, entrant in match.entrants.items():
        if entrant.key == identity.public_key:
            return side
    raise WrongUse("You are not one of the players of this game: your key is not in it.")
