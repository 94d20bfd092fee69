"""A look at a game: the only type that decides which cards a viewer may see, now or in the past.

See docs/protocol.md, A shuffle and The close.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Self

from engine.sides import Side
from engine.state import State
from pbem.errors import UsageError
from pbem.protocol.hand import HiddenCards
from pbem.protocol.identity import Identity, secret_hash
from pbem.protocol.match import Match


class Spectator(Enum):
    """The reasons why a viewer sees only public information."""

    NOT_BEGUN = "not begun"
    """Nobody has joined the game yet."""
    KEY_GONE = "key gone"
    """The identity is gone, although games were played with it."""
    NO_KEY = "no key"
    """There is no identity."""
    OTHER_KEY = "other key"
    """The key belongs to neither player."""
    SEALED = "sealed"
    """The identity is sealed with a passphrase."""
    FOR_ALL = "for all"
    """The game is shown to everybody."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of the player of `side` in one game, 32 bytes each.

    The game `secret` determines all cards; `box_key` opens the player's boxes in files. Nothing can
    be signed with them.
    """

    side: Side
    secret: bytes = field(repr=False)
    box_key: bytes = field(repr=False)

    @classmethod
    def of(cls, match: Match, identity: Identity) -> Self:
        """Return the secrets of `identity` in a match. Raises UsageError if it has no part."""
        for side, entrant in match.entrants.items():
            if entrant.key == identity.public_key:
                secret = identity.game_secret(entrant.nonce)
                if secret_hash(secret) != entrant.secret_hash:
                    raise UsageError("This game was entered with another key under your name.")
                return cls(side, secret, identity.box_key(entrant.nonce))
        raise UsageError("You are not one of the players of this game: your key is not in it.")


class Look:
    """A game as one viewer may see it: one of its players, or a spectator.

    `match` is the game at the moment that is shown, `whole` the game in the file. `access` are the
    secrets of the viewing player, or the reason why the viewer is a spectator. A player sees
    their own hand, and everybody sees the hands of players who have closed the game, at earlier
    moments too. In the middle of a turn the player's `own` cards and `view` are passed.

    >>> look = Look.of(game.match, anna)
    >>> look.viewer.value, look.must_write, look.state.players[look.viewer].hand
    ('british', True, ['new-haven', 'philadelphia', 'norfolk', 'st-marys', 'pemaquid'])
    >>> everybody = Look(game.match)
    >>> everybody.viewer, len(everybody.state.players[look.viewer].hidden)
    (None, 5)
    """

    def __init__(
        self,
        match: Match,
        access: Secrets | Spectator = Spectator.FOR_ALL,
        whole: Match | None = None,
        own: HiddenCards | None = None,
        view: State | None = None,
    ) -> None:
        self.match = match
        self.access = access
        self.whole = whole or match
        self._own = own
        self._view = view

    @classmethod
    def of(cls, match: Match, identity: Identity) -> Self:
        """Return the look of `identity`; a spectator's look if it does not play in the match."""
        if not match.is_joined:
            return cls(match, Spectator.NOT_BEGUN)
        plays = any(entrant.key == identity.public_key for entrant in match.entrants.values())
        return cls(match, Secrets.of(match, identity) if plays else Spectator.OTHER_KEY)

    @property
    def viewer(self) -> Side | None:
        """The viewer's side; None for a spectator."""
        return None if isinstance(self.access, Spectator) else self.access.side

    @property
    def must_write(self) -> bool:
        """True if the viewer signs the next record."""
        return self.viewer is not None and self.whole.next_side is self.viewer

    @property
    def is_past(self) -> bool:
        """True if the match ends before the last record of the file."""
        return len(self.match.records) < len(self.whole.records)

    @cached_property
    def visible_cards(self) -> dict[Side, HiddenCards]:
        """The visible cards by side: the viewer's, and the cards of players who closed the game."""
        latest = self.whole if self.is_past else self.match
        secrets = dict(latest.secrets)
        if not isinstance(self.access, Spectator):
            secrets[self.access.side] = self.access.secret
        cards = {side: HiddenCards(latest, side, secret) for side, secret in secrets.items()}
        return cards if self._own is None else cards | {self._own.side: self._own}

    @property
    def own(self) -> HiddenCards | None:
        """The cards of the viewer; None for a spectator."""
        return None if self.viewer is None else self.visible_cards[self.viewer]

    @property
    def open_sides(self) -> tuple[Side, ...]:
        """The sides whose hands are visible in addition to the viewer's own."""
        return tuple(side for side in self.visible_cards if side is not self.viewer)

    @cached_property
    def state(self) -> State:
        """The position with all visible hands; do not change it."""
        if self._view is None:
            return self.reveal(self.match.state)
        for side in self.open_sides:
            self.visible_cards[side].reveal(self._view)
        return self._view

    def reveal(self, state: State) -> State:
        """Return a copy of a position of this game with all visible hands."""
        state = state.copy()
        for cards in self.visible_cards.values():
            cards.reveal(state)
        return state

    @property
    def ahead(self) -> tuple[str, ...]:
        """The next cards of the viewer's draw pile, if the other side has granted them ahead."""
        own = self.own
        if own is None or self.is_past:
            return ()
        deck = self.match.decks[own.side]
        # The cards of a new shuffle do not count until its lists are opened.
        return () if deck.epoch_to_open is not None else tuple(own.names(deck.ahead))

    def at(self, earlier: Match) -> Self:
        """Return a look at an earlier state of the game, with the hands that are visible now."""
        return type(self)(earlier, self.access, self.whole)
