"""Entering a game: an invitation or an acceptance.

docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from engine.game import legal_orders
from engine.orders import Start, from_notation
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import Decision, new_game
from pbem.errors import WrongUse
from pbem.play.game_file import GameFile, pack
from pbem.play.next_record import Writer
from pbem.play.seat import Seat
from pbem.play.signing import Background
from pbem.protocol import steps
from pbem.protocol.entrance import rules_digest, rules_parts, ruleset_of
from pbem.protocol.identity import Identity, secret_hash
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import LISTS, Accept
from pbem.savefile.save_file import SaveFile
from pbem.sources import random_bytes


class Invitation:
    """An invitation to the game that begins with `match`; it answers nothing."""

    steps = ()
    is_complete = True
    is_again = False

    def __init__(self, match: Match, identity: Identity) -> None:
        self.match = match
        self.identity = identity
        self.background = Background()

    @property
    def path(self) -> Path:
        """The name of its file, if nothing else is said."""
        return Path(f"acres-{self.match.id.hex()[:8]}-000.toml")

    def finish(self) -> tuple[Match, SaveFile]:
        """Return the match, and the file that holds it."""
        is_open = self.match.invite.side == "any"
        seat = None if is_open else Seat(self.match, self.identity)
        return self.match, pack(self.match, seat, {}, "")


class Acceptance:
    """The acceptance of an invitation; `background` is what was looked up about that.

    If it was accepted before, the same choices make exactly the same record.
    """

    steps = ()

    def __init__(
        self,
        game: GameFile,
        identity: Identity,
        background: Background,
        clock: Callable[[], str],
        nonce: bytes | None = None,
    ) -> None:
        self.game = game
        self.identity = identity
        self.background = background
        self.match: Match | None = None
        self._clock = clock
        self._nonce = nonce

    @property
    def signed(self) -> Record | None:
        """The record with which the invitation was accepted before; None if it was not."""
        return self.background.signed

    @property
    def path(self) -> Path:
        """The place of its file, if nothing else is said: beside the one that it answers."""
        return self.game.next_path

    @property
    def start_card_before(self) -> str | None:
        """The card that the French began with when it was accepted before; None for none."""
        given = self.signed.steps if self.signed else ()
        orders = (from_notation(step.order) for step in given if isinstance(step, steps.OrderStep))
        return next((order.card for order in orders if isinstance(order, Start)), None)

    @property
    def is_complete(self) -> bool:
        """True once the choices are made."""
        return self.match is not None

    @property
    def is_again(self) -> bool:
        """True if it is what was signed before."""
        signed, match = self.signed, self.match
        return signed is not None and match is not None and match.last.hash == signed.hash

    def choose(self, side: Side | None = None, start_card: str | None = None) -> Match:
        """Return the match that comes of these choices; raises WrongUse as `entry.accept`."""
        signed = self.signed
        before = signed.steps[0] if signed else None
        if signed and isinstance(before, Accept):
            self.match = self._accepted(before.nonce, signed.time, side, start_card)
            if self.is_again:
                return self.match
        purpose = f"nonce of {self.identity.public_key.hex()} in game {self.game.match.id.hex()}"
        nonce = self._nonce or random_bytes(32, purpose)
        self.match = self._accepted(nonce, self._clock(), side, start_card)
        return self.match

    def _accepted(
        self, nonce: bytes, time: str, side: Side | None, start_card: str | None
    ) -> Match:
        return accept(
            self.game.match, self.identity, nonce=nonce, time=time, side=side, start_card=start_card
        )

    def finish(self) -> tuple[Match, SaveFile]:
        """Return the match as it was chosen, and the file that holds it."""
        match = self.match or self.choose()
        return match, self.game.followed_by(match, self.identity).save


def invite(
    identity: Identity,
    *,
    side: Side | None,
    nonce: bytes,
    time: str,
    edition: str = DEFAULT_EDITION,
    house_rules: Iterable[str] = (),
    lists: int = LISTS,
    home_support: str = "asked",
    start_card: str | None = None,
    tells_parts: bool = True,
) -> Match:
    """Return a new match that holds only an invitation, unsigned.

    `side` is the inviter's, None to let the guest choose; `nonce` has 32 fresh random bytes;
    `lists` is K, a power of two; `home_support` is "asked" or "ahead"; `start_card` what the French
    add to their deck, if the inviter plays them and the rules give that choice; with `tells_parts`
    it helps a program with other rules data to say where they differ. Raises
    UnknownRules for rules there are not, WrongUse for a start card that is not to be chosen.
    """
    ruleset = Ruleset.of(edition, house_rules)
    seat = side.value if side else "any"
    writer = Writer(Match(), identity, seat, nonce, time)
    writer.take(
        steps.Invite(
            protocol=steps.PROTOCOL,
            edition=ruleset.edition,
            house_rules=ruleset.house_rules,
            rules_digest=rules_digest(ruleset),
            rules_parts=rules_parts(ruleset) if tells_parts else None,
            lists=lists,
            home_support=home_support,
            side=seat,
            name=identity.name,
            email=identity.email,
            key=identity.public_key,
            nonce=nonce,
            secret_hash=secret_hash(writer.secret),
        )
    )
    _start(writer, start_card)
    if side:
        writer.ask()
    writer.end()
    return writer.match


def accept(
    match: Match,
    identity: Identity,
    *,
    nonce: bytes,
    time: str,
    side: Side | None = None,
    start_card: str | None = None,
) -> Match:
    """Return the match that the invitation in `match` becomes when `identity` joins it, unsigned.

    `side` is needed if the invitation leaves the choice, and has to be the other one if it does
    not; `start_card` as in `invite`. Raises WrongUse if the game cannot be joined so.
    """
    if match.is_joined:
        raise WrongUse("Somebody has already joined this game.")
    if match.invite.key == identity.public_key:
        raise WrongUse("This is your own invitation: send it to the player you want to play.")
    left = side_of_guest(match.invite, side)
    if left is None:
        raise WrongUse("The choice of side is yours: say which one you take.")
    check_side(match.invite, side)
    writer = Writer(match, identity, left.value, nonce, time)
    writer.take(
        steps.Accept(
            side=left.value,
            name=identity.name,
            email=identity.email,
            key=identity.public_key,
            nonce=nonce,
            secret_hash=secret_hash(writer.secret),
        )
    )
    writer.pay_what_is_owed()
    _start(writer, start_card)
    writer.ask()
    writer.end()
    return writer.match


def check_side(invitation: steps.Invite, side: Side | None) -> None:
    """Raise WrongUse for the side that the inviter plays."""
    if side is not None and side.value == invitation.side:
        raise WrongUse(
            "The inviter plays the {side}: you can only join as the {other}.",
            side=side.label,
            other=side.opponent.label,
        )


def side_of_guest(invitation: steps.Invite, chosen: Side | None = None) -> Side | None:
    """Return the guest's side in an invitation; `chosen` if it leaves the choice."""
    return chosen if invitation.side == "any" else Side(invitation.side).opponent


def start_cards(invitation: steps.Invite, side: Side | None) -> tuple[str, ...]:
    """Return the ids of the cards of which `side` chooses one when it joins, if it does."""
    ruleset = ruleset_of(invitation)
    if not ruleset.chooses_start_card(side):
        return ()
    return tuple(sorted(order.cards[0] for order in legal_orders(new_game(ruleset))))


def _start(writer: Writer, card: str | None) -> None:
    """Choose the start card, if the author of this record has to."""
    match = writer.match
    awaiting = match.state.awaiting if match.has_table else None
    due = awaiting is not None and awaiting[:2] == (Decision.START_CARD, writer.side)
    if due and card is None:
        raise WrongUse("The French choose a card to begin with in this game: name it.")
    if not due and card is not None:
        raise WrongUse("You have no card to choose before this game.")
    if card is not None:
        writer.take(steps.OrderStep(Start(cards=(card,)).notation()))
