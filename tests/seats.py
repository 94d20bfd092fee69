"""A player in a match, together with the private key."""

from __future__ import annotations

from engine.sides import Slot
from engine.state import State
from pbem.play.game_file import GameFile
from pbem.play.look import Look, Secrets
from pbem.play.turn import Turn
from pbem.protocol.hand import HiddenCards
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile

NO_FILE = SaveFile((), {}, ())


class Seat:
    """The place of a player in a match; raises UsageError if `identity` does not play."""

    def __init__(self, match: Match, identity: Identity) -> None:
        self.match = match
        self.identity = identity
        self.secrets = Secrets.of(match, identity)
        self.side = self.secrets.side
        self.secret = self.secrets.secret
        self.cards = HiddenCards(match, self.side, self.secret)

    @property
    def look(self) -> Look:
        """The match as the player sees it."""
        return Look(self.match, self.secrets)

    def view(self) -> State:
        """Return the position as the player sees it."""
        return self.look.state

    @property
    def must_write(self) -> bool:
        """True if the next record is this player's."""
        return self.look.must_write

    def hidden_cards(self) -> dict[Slot, tuple[str, bytes]]:
        """Return the unshown cards in the player's hand, as card and nonce by slot."""
        return {s: self.cards.lookup(s) for s in sorted(self.match.state.players[self.side].hidden)}


class NextRecord(Turn):
    """The next record of a seat, with the key that signs it."""

    def __init__(self, seat: Seat, time: str, *, resigns: bool = False) -> None:
        self.identity = seat.identity
        super().__init__(GameFile(NO_FILE, seat.match), seat.secrets, time, resigns=resigns)

    @property
    def seat(self) -> Seat:
        """The seat of the author in the match with this record."""
        return Seat(self.match, self.identity)
